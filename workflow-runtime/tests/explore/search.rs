//! The exploration of all states of a configuration, the shortest schedules first.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::actions::{Action, What, When, apply, possible};
use crate::faults::Fault;
use crate::invariants::broken;
use crate::model::{Configuration, Model};
use crate::world::World;

/// Limits of an exploration.
#[derive(Clone, Copy)]
pub struct Limits {
    /// The longest schedule, in actions.
    pub depth: usize,
    pub states: usize,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { depth: usize::MAX, states: 2_000_000 }
    }
}

/// A limit that ends an exploration before all states are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Limit {
    Depth,
    States,
}

/// The result of an exploration.
#[derive(Default)]
pub struct Explored {
    pub states: usize,
    /// The number of actions that were carried out, each with its checks.
    pub transitions: usize,
    /// The number of different schedules that lead to states without a next action, or to the
    /// limit.
    pub schedules: u128,
    /// The length of the longest schedule among the shortest ones to each state.
    pub depth: usize,
    /// The limit that has ended the exploration.
    pub limit: Option<Limit>,
    pub violation: Option<Violation>,
}

/// The shortest schedule that breaks an invariant.
pub struct Violation {
    pub invariant: &'static str,
    pub schedule: Vec<Action>,
}

impl Violation {
    /// Returns a test that replays the schedule.
    pub fn replay(&self, configuration: &Configuration) -> String {
        let mut test = format!("#[test]\nfn a_schedule_of_{}() {{\n", configuration.name.to_lowercase());
        let _ = writeln!(test, "    // {}", self.invariant);
        let _ = writeln!(test, "    let schedule = [");
        for Action { what, crash } in &self.schedule {
            let crash = crash.map_or("None".to_owned(), |when| format!("Some(When::{when:?})"));
            let _ = writeln!(test, "        Action {{ what: What::{what:?}, crash: {crash} }},");
        }
        let _ = writeln!(test, "    ];\n    check_with_crashes(&all::{}, &schedule);\n}}", configuration.name);
        test
    }
}

/// Carries out a schedule. Returns the first broken invariant, and the last state.
pub fn replay(
    configuration: &'static Configuration,
    fault: Option<Fault>,
    schedule: &[Action],
) -> (Option<&'static str>, World) {
    let model = Model::new(configuration, fault);
    let mut world = model.beginning();
    for action in schedule {
        assert!(possible(&model, &world).contains(&action.what), "{action:?} is not possible");
        world = apply(&model, &world, *action).0;
        if let Some(invariant) = broken(&model, &world) {
            return (Some(invariant), world);
        }
    }
    (None, world)
}

/// Explores a configuration.
pub fn explore(configuration: &'static Configuration, fault: Option<Fault>, limits: Limits) -> Explored {
    let model = Model::new(configuration, fault);
    let beginning = model.beginning();
    let mut search =
        Search { known: HashMap::from([(fingerprint(&beginning), 0)]), origins: vec![None], edges: Vec::new() };
    let (mut explored, mut layer) = (Explored::default(), vec![(0, beginning)]);
    while !layer.is_empty() && explored.violation.is_none() {
        explored.limit = match () {
            () if explored.depth >= limits.depth => Some(Limit::Depth),
            () if search.origins.len() >= limits.states => Some(Limit::States),
            () => None,
        };
        if explored.limit.is_some() {
            break;
        }
        let mut next = Vec::new();
        for (from, world) in layer {
            if let Some(violation) = search.continue_from(&model, from, &world, &mut next) {
                explored.violation.get_or_insert(violation);
                break;
            }
        }
        explored.depth += usize::from(!next.is_empty());
        layer = next;
    }
    explored.states = search.origins.len();
    explored.transitions = search.edges.len();
    explored.schedules = search.schedules();
    explored
}

/// States by number, in the order of their discovery.
struct Search {
    known: HashMap<u128, u32>,
    /// For each state, the state before it and the action between them.
    origins: Vec<Option<(u32, Action)>>,
    edges: Vec<(u32, u32)>,
}

impl Search {
    /// Carries out everything that can happen in a state.
    fn continue_from(
        &mut self,
        model: &Model,
        from: u32,
        world: &World,
        next: &mut Vec<(u32, World)>,
    ) -> Option<Violation> {
        for what in possible(model, world) {
            let action = Action { what, crash: None };
            let (after, writes) = apply(model, world, action);
            let mut violation = self.reach(model, from, action, world, after, next);
            if world.crashes > 0 {
                let crashes = (0..writes).map(When::AtWrite).chain([When::AfterCommit]);
                for when in crashes {
                    let action = Action { what, crash: Some(when) };
                    let (after, _) = apply(model, world, action);
                    violation = violation.or_else(|| self.reach(model, from, action, world, after, next));
                }
            }
            if violation.is_some() {
                return violation;
            }
        }
        None
    }

    fn reach(
        &mut self,
        model: &Model,
        from: u32,
        action: Action,
        before: &World,
        after: World,
        next: &mut Vec<(u32, World)>,
    ) -> Option<Violation> {
        // A publication that is declined again changes nothing.
        if matches!(action.what, What::Publish(_)) && action.crash.is_none() && *before == after {
            return None;
        }
        let new = u32::try_from(self.origins.len()).expect("the number of states is limited");
        match self.known.entry(fingerprint(&after)) {
            Entry::Occupied(known) => self.edges.push((from, *known.get())),
            Entry::Vacant(entry) => {
                entry.insert(new);
                self.origins.push(Some((from, action)));
                self.edges.push((from, new));
                if let Some(invariant) = broken(model, &after) {
                    return Some(Violation { invariant, schedule: self.schedule(new) });
                }
                next.push((new, after));
            }
        }
        None
    }

    /// Returns the actions that lead to a state.
    fn schedule(&self, mut state: u32) -> Vec<Action> {
        let mut schedule = Vec::new();
        while let Some((before, action)) = self.origins[state as usize] {
            schedule.push(action);
            state = before;
        }
        schedule.reverse();
        schedule
    }

    /// Counts the paths from the first state to the last ones. A state that several schedules lead
    /// to was explored once for all of them.
    fn schedules(&self) -> u128 {
        let mut edges = self.edges.clone();
        edges.sort_unstable();
        let states = self.origins.len();
        let (mut open, mut paths) = (vec![0_u32; states], vec![0_u128; states]);
        edges.iter().for_each(|(_, to)| open[*to as usize] += 1);
        let (mut ready, mut total) = (vec![0_u32], 0_u128);
        paths[0] = 1;
        while let Some(state) = ready.pop() {
            let begin = edges.partition_point(|(from, _)| *from < state);
            let mut is_last = true;
            for (_, to) in edges[begin..].iter().take_while(|(from, _)| *from == state) {
                is_last = false;
                let to = *to as usize;
                paths[to] = paths[to].saturating_add(paths[state as usize]);
                open[to] -= 1;
                if open[to] == 0 {
                    ready.push(to as u32);
                }
            }
            if is_last {
                total = total.saturating_add(paths[state as usize]);
            }
        }
        total
    }
}

/// Returns a hash of a state. Two of 64 bits make equal hashes of different states improbable.
fn fingerprint(world: &World) -> u128 {
    let half = |salt: u8| {
        let mut hasher = DefaultHasher::new();
        salt.hash(&mut hasher);
        world.hash(&mut hasher);
        u128::from(hasher.finish())
    };
    half(0) << 64 | half(1)
}
