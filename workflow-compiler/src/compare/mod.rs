//! Two versions of a definition: whether executions of the old one can go on with the code of the new one.
//!
//! An execution waits in states. For each state of the old definition at which one can wait there is a [`Verdict`]:
//!
//! * [`Verdict::Safe`]: the new code loads it, and goes on as the old code would have. Where states that follow were changed, it
//!   goes on with them as they are now; [`StateComparison::differs`] names the first of them.
//! * [`Verdict::Migration`]: the new code waits there too, but for another task or with other things in hand. It refuses to load
//!   the execution, and leaves it as it is: keep the old version in the build until such executions have ended.
//! * [`Verdict::Breaking`]: the new code does not wait there, or for something else. As before, and no change of data would help.
//!
//! What is compared is the machine (points and what they carry) and the meaning of states, not the text.

mod fields;
mod json;
mod render;
mod shape;
mod side;
mod similar;

use crate::compile::Output;
use crate::hir::Called;
use crate::machine::{Origin, Point};
use shape::Aspect;
use side::{Awaits, Key, Pairs, Side, StateAt};
use similar::Added;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// How many of the states that follow and differ are told of.
const MOST_DIFFERING: usize = 5;

/// Whether an execution can go on with another version of its definition.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Verdict {
    /// It can.
    Safe,
    /// It cannot, though it would wait at the same place: other things are kept there.
    Migration,
    /// It cannot: the place is gone.
    Breaking,
}

/// What became of a definition.
#[derive(Debug, Clone)]
pub struct Comparison {
    /// The old one.
    pub old: Version,
    /// The new one.
    pub new: Version,
    /// What concerns executions wherever they wait.
    pub notes: Vec<Note>,
    /// The states of the old one at which an execution can wait, as they are written.
    pub states: Vec<StateComparison>,
}

/// A version of a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Version {
    /// Its file.
    pub file: String,
    /// The name of the workflow.
    pub workflow: String,
    /// The hash of what it means.
    pub hash: u64,
}

/// What concerns executions wherever they wait.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Note {
    /// What it makes of them.
    pub verdict: Verdict,
    /// What has changed.
    pub text: String,
}

/// What becomes of executions that wait in a state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StateComparison {
    /// Its name.
    pub state: String,
    /// The states that it is inside of, the outermost first.
    pub within: Vec<String>,
    /// Its line in the old file.
    pub line: u32,
    /// Whether they can go on, at whichever of its points they wait.
    pub verdict: Verdict,
    /// Why not.
    pub reasons: Vec<String>,
    /// The first states after it that mean something else now, where they can go on.
    pub differs: Vec<Differing>,
    /// What else there is to know of those that can go on.
    pub remarks: Vec<String>,
    /// What the state may be called now, if it is gone.
    pub renamed: Option<Renamed>,
    /// The points at which they can wait.
    pub points: Vec<PointComparison>,
}

/// A state that means something else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Differing {
    /// Its name.
    pub state: String,
    /// What differs: `its retriers`. Nothing where the state is gone.
    pub what: Vec<&'static str>,
}

/// A state of the new definition that does what one of the old did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renamed {
    /// Its name.
    pub state: String,
    /// Its line in the new file.
    pub line: u32,
}

/// What becomes of executions that wait at a point.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PointComparison {
    /// The name of the point, as snapshots have it.
    pub point: String,
    /// Whether they can go on, as far as this point goes.
    pub verdict: Verdict,
}

impl Comparison {
    /// Whether both mean the same.
    pub fn is_same(&self) -> bool {
        self.old.hash == self.new.hash && self.notes.is_empty()
    }

    /// The worst of all verdicts.
    pub fn verdict(&self) -> Verdict {
        let verdicts = self.states.iter().map(|state| state.verdict);
        verdicts.chain(self.notes.iter().map(|note| note.verdict)).max().unwrap_or(Verdict::Safe)
    }

    /// How many states have this verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.states.iter().filter(|state| state.verdict == verdict).count()
    }
}

/// Compares two definitions as [`compile`](crate::compile()) or [`check_only`](crate::check_only) read them. None where one of them
/// is refused.
pub fn compare(old: &Output, new: &Output) -> Option<Comparison> {
    let (old, new) = (Side::of(old)?, Side::of(new)?);
    let pairs = Pairs::of(&old, &new);
    let notes = notes(&old, &new);
    let comparing = Comparing {
        old: &old,
        new: &new,
        pairs: &pairs,
        changes: changes(&old, &new, &pairs),
        added: Added::of(&new, &pairs),
    };
    let mut states: Vec<StateComparison> = old.waiting().map(|(at, points)| comparing.state(at, &points)).collect();
    for state in &mut states {
        for note in notes.iter().filter(|note| note.verdict > Verdict::Safe) {
            state.verdict = state.verdict.max(note.verdict);
            state.reasons.insert(0, note.text.clone());
            state.points.iter_mut().for_each(|point| point.verdict = point.verdict.max(note.verdict));
        }
        if state.verdict > Verdict::Safe {
            state.differs.clear();
            state.remarks.clear();
        }
    }
    Some(Comparison { old: old.version(), new: new.version(), notes, states })
}

fn notes(old: &Side<'_>, new: &Side<'_>) -> Vec<Note> {
    let mut notes = Vec::new();
    let mut note = |verdict, text| notes.push(Note { verdict, text });
    let (before, after) = (old.workflow, new.workflow);
    if before.name != after.name {
        note(Verdict::Breaking, format!("the workflow is `{}` now, and was `{}`", after.name, before.name));
    }
    if before.dialect != after.dialect {
        note(Verdict::Safe, format!("the dialect is {} now, and was {}", after.dialect, before.dialect));
    }
    if let (Some(was), Some(is)) = (&before.called, &after.called) {
        let name = |called: &Called| match &called.version {
            Some(version) => format!("`{}` {version}", called.id),
            None => format!("`{}`", called.id),
        };
        if name(was) != name(is) {
            note(
                Verdict::Safe,
                format!("other workflows start it as {} now, and started it as {}", name(is), name(was)),
            );
        }
        match (was.is_child, is.is_child) {
            (true, false) => note(Verdict::Safe, "other workflows cannot start it any more".to_owned()),
            (false, true) => note(Verdict::Safe, "other workflows can start it now".to_owned()),
            _ => {}
        }
    }
    let timeout = |side: &Side<'_>| side.workflow.timeout.as_ref().map(|timeout| timeout.value);
    if timeout(old) != timeout(new) {
        let text = amounts("time-out", timeout(old), timeout(new), "s");
        note(Verdict::Safe, format!("{text}; what runs keeps the deadline that it started with"));
    }
    let schedule =
        |side: &Side<'_>| side.workflow.schedule.as_ref().map(|schedule| (schedule.written.clone(), schedule.active));
    if schedule(old) != schedule(new) {
        let show =
            |side: &Side<'_>| schedule(side).map_or("at any time".to_owned(), |(written, _)| format!("in `{written}`"));
        let text = format!("executions can be started {} now, and could {}; what runs goes on", show(new), show(old));
        note(Verdict::Safe, text);
    }
    if old.data_limit != new.data_limit {
        let text = amounts("data limit", old.data_limit, new.data_limit, "bytes");
        note(Verdict::Safe, format!("{text}; what runs keeps the limit that it started with"));
    }
    for (_, name) in &after.settings {
        if before.settings.iter().all(|(_, known)| known != name) {
            note(Verdict::Safe, format!("the setting `{name}` is new; what was started without it finds null there"));
        }
    }
    if new.machine.context && !old.machine.context {
        let text =
            "the context object is read now; what runs did not keep its input, and finds null in `$$.Execution.Input`";
        note(Verdict::Safe, text.to_owned());
    }
    notes
}

fn amounts<N: ToString>(what: &str, old: Option<N>, new: Option<N>, unit: &str) -> String {
    let show = |amount: Option<N>| amount.map_or("none".to_owned(), |amount| format!("{} {unit}", amount.to_string()));
    format!("the {what} is {} now, and was {}", show(new), show(old))
}

struct Comparing<'a> {
    old: &'a Side<'a>,
    new: &'a Side<'a>,
    pairs: &'a Pairs<'a>,
    /// The states that are gone, or mean something else, and what of them.
    changes: BTreeMap<Key, Vec<Aspect>>,
    added: Added<'a>,
}

/// The states that are gone, with nothing, and those that mean something else.
fn changes(old: &Side<'_>, new: &Side<'_>, pairs: &Pairs<'_>) -> BTreeMap<Key, Vec<Aspect>> {
    let mut changes = BTreeMap::new();
    for at in old.states() {
        match pairs.get(at).map(|pair| shape::differences(&old.shape(at), &new.shape(pair))) {
            Some(alike) if alike.is_empty() => {}
            what => _ = changes.insert(at.key(), what.unwrap_or_default()),
        }
    }
    changes
}

/// What is said of a point.
struct Judged {
    verdict: Verdict,
    reason: Option<String>,
}

impl Comparing<'_> {
    fn state(&self, at: StateAt<'_>, points: &[usize]) -> StateComparison {
        let judged: Vec<(usize, Judged)> = points.iter().map(|point| (*point, self.point(at, *point))).collect();
        let mut reasons: Vec<String> = Vec::new();
        for (point, judged) in &judged {
            let Some(reason) = &judged.reason else { continue };
            // A state that is gone is gone wherever it waited.
            let reason = match points.len() == 1 || self.pairs.get(at).is_none() {
                true => reason.clone(),
                false => format!("{}: {reason}", self.old.awaits(*point).words()),
            };
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
        let mut verdict = judged.iter().map(|(_, judged)| judged.verdict).max().unwrap_or(Verdict::Safe);
        let (around, why) = self.around(at);
        if around > verdict || around == verdict && verdict > Verdict::Safe {
            reasons.extend(why);
        }
        let points = judged.iter().map(|(point, judged)| PointComparison {
            point: self.old.machine.points[*point].tag.clone(),
            verdict: judged.verdict,
        });
        verdict = verdict.max(around);
        StateComparison {
            state: at.state.name.value.to_string(),
            within: self.old.within(at.scope).iter().map(|state| state.to_string()).collect(),
            line: self.old.sources.line_of(at.state.name.span),
            verdict,
            reasons,
            differs: self.differs(at),
            remarks: self.remarks(at),
            renamed: if self.pairs.get(at).is_none() { self.added.like(at, self.old) } else { None },
            points: points.collect(),
        }
    }

    fn point(&self, at: StateAt<'_>, point: usize) -> Judged {
        let old = &self.old.machine.points[point];
        let breaking = |reason: String| Judged { verdict: Verdict::Breaking, reason: Some(reason) };
        let migration = |reason: String| Judged { verdict: Verdict::Migration, reason: Some(reason) };
        let name = &at.state.name.value;
        let pair = self.pairs.get(at);
        let Some(found) = self.new.point(&old.tag) else {
            return breaking(match pair {
                None => format!("the new definition has no state `{name}` {}", self.place(at)),
                Some(_) if old.among != (1, 1) => namesakes(name),
                Some(_) => "the new definition does not wait for that here".to_owned(),
            });
        };
        let new = &self.new.machine.points[found];
        if !pair.is_some_and(|pair| is_in(new.origin.as_ref(), pair)) {
            if old.among != new.among {
                return breaking(namesakes(name));
            }
            let there = new.origin.as_ref().map(|origin| self.new.within(origin.scope)).unwrap_or_default();
            let there = there.last().map_or("at the top level".to_owned(), |state| format!("inside `{state}`"));
            return breaking(format!("the new definition has `{name}` {there}, and not {}", self.place(at)));
        }
        let (before, now) = (self.old.awaits(point), self.new.awaits(found));
        if !before.is_alike(&now) {
            return breaking(format!("the new definition waits {} here, and not {}", now.words(), before.words()));
        }
        if old.among != new.among {
            return migration(namesakes(name));
        }
        if self.old.machine.layout(old) != self.new.machine.layout(new) {
            return migration(self.carried(old, new));
        }
        if let (Awaits::Task(before), Awaits::Task(now)) = (&before, &now)
            && before != now
            && !self.new.workflow.tasks.iter().any(|task| task.key == *before && *task.state == **name)
        {
            return migration(format!("its task is `{now}` now, and was `{before}`"));
        }
        if let Awaits::Events(names) = &before {
            let known = |name: &str| self.new.workflow.events.iter().any(|event| event.name == name);
            if let Some(gone) = names.iter().find(|name| !known(name)) {
                let others = format!("the new definition waits {} here, and nowhere for `{gone}`", now.words());
                return migration(others);
            }
        }
        Judged { verdict: Verdict::Safe, reason: None }
    }

    fn place(&self, at: StateAt<'_>) -> String {
        self.old.within(at.scope).last().map_or("at the top level".to_owned(), |state| format!("inside `{state}`"))
    }

    /// What is kept at a point, before and now.
    fn carried(&self, old: &Point, new: &Point) -> String {
        let (before, now) = (fields::fields(old, self.old), fields::fields(new, self.new));
        let gained = fields::and(&fields::without(&now, &before));
        let lost = fields::and(&fields::without(&before, &now));
        match (gained.is_empty(), lost.is_empty()) {
            (true, true) => "the new definition keeps the same things in another way".to_owned(),
            (false, true) => format!("the new definition also keeps {gained} here"),
            (true, false) => format!("the new definition no longer keeps {lost} here"),
            (false, false) => format!("the new definition keeps {gained} here, and no longer {lost}"),
        }
    }

    /// What becomes of the states around one, which wait while something is in it.
    fn around(&self, at: StateAt<'_>) -> (Verdict, Option<String>) {
        let mut worst = (Verdict::Safe, None);
        let mut scope = at.scope;
        while let Some(outer) = self.old.outer(scope) {
            for point in self.old.points_of(outer) {
                if !matches!(self.old.awaits(point), Awaits::Branches | Awaits::Iterations) {
                    continue;
                }
                let judged = self.point(outer, point);
                if judged.verdict > worst.0 {
                    let reason = judged.reason.unwrap_or_default();
                    worst = (judged.verdict, Some(format!("`{}` around it: {reason}", outer.state.name.value)));
                }
            }
            scope = outer.scope;
        }
        worst
    }

    /// The first states from here on that mean something else now.
    fn differs(&self, at: StateAt<'_>) -> Vec<Differing> {
        let mut found = Vec::new();
        let mut seen = BTreeSet::from([at.key()]);
        let mut open = VecDeque::from([at]);
        while let Some(at) = open.pop_front() {
            let next = match self.changes.get(&at.key()) {
                None => self.old.successors(at),
                // What comes after it comes after something that differs.
                Some(what) => {
                    let state = at.state.name.value.to_string();
                    let differing = Differing { state, what: what.iter().map(|aspect| aspect.words()).collect() };
                    if !found.contains(&differing) {
                        found.push(differing);
                    }
                    self.old.outer(at.scope).into_iter().collect()
                }
            };
            if found.len() == MOST_DIFFERING {
                break;
            }
            open.extend(next.into_iter().filter(|next| seen.insert(next.key())));
        }
        found
    }

    /// What executions that wait inside of a state, or for its branches, have that new ones do not.
    fn remarks(&self, at: StateAt<'_>) -> Vec<String> {
        let mut remarks = self.kept_waits(at);
        let mut next = Some(at);
        while let Some(at) = next {
            let Some(pair) = self.pairs.get(at) else { break };
            let (old, new) = (self.old.children(at), self.new.children(pair));
            let forks = |side: &Side<'_>, at| {
                side.points_of(at).iter().any(|point| matches!(side.awaits(*point), Awaits::Branches))
            };
            let order: Vec<Option<usize>> =
                old.iter().map(|scope| new.iter().position(|other| self.pairs.scope(*scope) == Some(*other))).collect();
            let name = &at.state.name.value;
            if forks(self.old, at) && forks(self.new, pair) {
                if old.len() != new.len() {
                    let branches = if new.len() == 1 { "branch" } else { "branches" };
                    remarks.push(format!(
                        "`{name}` has {} {branches} now, and yields the outputs of the {} that it was started with",
                        new.len(),
                        old.len()
                    ));
                } else if order.iter().enumerate().any(|(at, place)| *place != Some(at)) {
                    remarks.push(format!(
                        "`{name}` yields the outputs of its branches in the order in which it started them"
                    ));
                }
            }
            next = self.old.outer(at.scope);
        }
        remarks
    }
}

impl Comparing<'_> {
    /// What is waited for goes on being waited for, also where the state waits for other events or executions now.
    fn kept_waits(&self, at: StateAt<'_>) -> Vec<String> {
        let points = self.old.points_of(at).into_iter();
        let changed = points.filter_map(|point| {
            let new = self.new.point(&self.old.machine.points[point].tag)?;
            let (before, now) = (self.old.awaits(point), self.new.awaits(new));
            let is_kept = before.is_of_others() && now.is_of_others();
            let name = &at.state.name.value;
            let (before, now) = (before.words(), now.words());
            (is_kept && before != now)
                .then(|| format!("who waits in `{name}` waits {before}, and who comes there {now}"))
        });
        changed.collect()
    }
}

fn namesakes(name: &str) -> String {
    format!(
        "branches beside each other have states `{name}`, and others of them than before: which is which is not clear"
    )
}

fn is_in(origin: Option<&Origin>, at: StateAt<'_>) -> bool {
    origin.is_some_and(|origin| origin.scope == at.scope && *origin.state == *at.state.name.value)
}

impl Verdict {
    /// As it is written.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Safe => "safe",
            Verdict::Migration => "needs migration",
            Verdict::Breaking => "breaking",
        }
    }
}
