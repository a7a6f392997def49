//! What a picture shows of a workflow.

use super::{Edge, Graph, Node, Region, Shape, Target, words};
use crate::expr::{Arg, Expr};
use crate::hir::{
    Body, CallTarget, Catcher, EventId, ForEach, Next, Publish, Retrier, Scope, ScopeId, State, StepKind, Wait,
    Workflow,
};
use std::collections::BTreeMap;

/// The most reasons that are given for one transition.
const MOST_LABELS: usize = 24;

/// The most conditions that are told of one way. Each can be lost where ways meet, and then all behind is looked at once more.
const MOST_CONDITIONS: usize = 8;

/// The graph of a checked workflow.
pub fn graph(workflow: &Workflow) -> Graph {
    let mut region = match workflow.scopes.first() {
        Some(scope) => region(workflow, scope, String::new()),
        None => Region::default(),
    };
    if let Some(starts) = &workflow.starts_on {
        let between = if starts.collects { " and " } else { " or " };
        region.starts_on = format!("on event {}", words::names(starts.events.iter().copied(), workflow).join(between));
    }
    Graph { name: workflow.name.clone(), region }
}

fn region(workflow: &Workflow, scope: &Scope, label: String) -> Region {
    let index = scope.states.iter().enumerate().map(|(at, state)| (&*state.name.value, at)).collect();
    let mut edges = Edges { workflow, index, list: Vec::new() };
    let mut nodes = Vec::with_capacity(scope.states.len());
    for (at, state) in scope.states.iter().enumerate() {
        let led = edges.leave(at, state);
        nodes.push(node(workflow, state, &led));
    }
    let start = edges.index.get(&*scope.start.value).copied();
    Region { label, start, starts_on: String::new(), nodes, edges: edges.list }
}

/// The transitions of a region while they are collected.
struct Edges<'a> {
    workflow: &'a Workflow,
    index: BTreeMap<&'a str, usize>,
    list: Vec<Edge>,
}

/// How a body is reached.
#[derive(Debug, Clone, PartialEq, Default)]
struct Way {
    /// The errors after which it runs; `None` on the way that is meant to be taken.
    errors: Option<Vec<String>>,
    /// What holds then.
    conditions: Vec<String>,
}

impl Way {
    fn under(&self, condition: String) -> Way {
        if self.conditions.len() >= MOST_CONDITIONS {
            return self.clone();
        }
        let conditions = self.conditions.iter().cloned().chain([condition]).collect();
        Way { errors: self.errors.clone(), conditions }
    }

    /// What two ways to the same place have in common.
    fn meet(&mut self, other: &Way) {
        let common = self.conditions.iter().zip(&other.conditions).take_while(|(mine, other)| mine == other).count();
        self.conditions.truncate(common);
        if self.errors != other.errors {
            self.errors = self.errors.take().map(|_| Vec::new());
        }
    }
}

/// What bodies of a state lead to.
#[derive(Default)]
struct Led<'a> {
    /// Transitions.
    out: Vec<(Target, Way)>,
    /// Parts of the same state.
    parts: Vec<(u32, Way)>,
    /// What is tried again.
    retries: Vec<&'a Retrier>,
    /// What is published on transitions, and told there.
    sent: Vec<&'a Publish>,
}

impl<'a> Edges<'a> {
    /// Adds the transitions of a state, and tells what bodies of it lead to. Where ways through its parts meet, what told them apart
    /// does not matter any more.
    fn leave(&mut self, from: usize, state: &'a State) -> Led<'a> {
        let mut first = Led::default();
        let awaited = awaited(state);
        self.follow(&state.body, &Way::default(), &awaited, &mut first);
        let mut reached: BTreeMap<(bool, u32), Way> = BTreeMap::new();
        if let Next::Parts(parts) = &state.body.next {
            let body = |part: u32| parts.list.get(part as usize).map(|part| &part.body);
            let mut open = std::mem::take(&mut first.parts);
            while let Some((part, mut way)) = open.pop() {
                // The conditions before are asked first: that they do not hold goes without saying.
                let asks = parts.list.get(part as usize).is_some_and(|part| part.name == "ask");
                if asks && way.conditions.last().is_some_and(|last| last == words::OTHERWISE) {
                    way.conditions.pop();
                }
                let key = (way.errors.is_some(), part);
                let known = reached.get(&key).cloned();
                let mut met = known.clone().unwrap_or_else(|| way.clone());
                met.meet(&way);
                if known.as_ref() == Some(&met) {
                    continue;
                }
                reached.insert(key, met.clone());
                let mut led = Led::default();
                if let Some(body) = body(part) {
                    self.follow(body, &met, &awaited, &mut led);
                }
                open.append(&mut led.parts);
            }
            for ((after_error, part), way) in &reached {
                // An error after which the state goes on as if nothing had happened is no way of its own.
                if *after_error && reached.contains_key(&(false, *part)) {
                    continue;
                }
                if let Some(body) = body(*part) {
                    self.follow(body, way, &awaited, &mut first);
                }
            }
        }
        // What happens after an error is drawn after the way that is meant to be taken.
        for error in [false, true] {
            for (to, way) in first.out.iter().filter(|(_, way)| way.errors.is_some() == error) {
                self.add(from, *to, way.errors.as_deref(), &way.conditions);
            }
        }
        first
    }

    /// What a body leads to, if it is reached in this way.
    fn follow(&self, body: &'a Body, way: &Way, awaited: &[EventId], led: &mut Led<'a>) {
        // A state that always fails here leads nowhere.
        if body.steps.iter().any(|step| words::refuses(&step.kind)) {
            return;
        }
        let mut out = way.clone();
        if let Some(StepKind::Publish(publish)) = body.steps.last().map(|step| &step.kind)
            && matches!(body.next, Next::Goto(_) | Next::End(_) | Next::Terminate(_))
        {
            led.sent.push(publish);
            out.conditions.push(format!("sends {}", words::published(publish, self.workflow)));
        }
        match &body.next {
            Next::Goto(target) => {
                if let Some(to) = self.index.get(&*target.value) {
                    led.out.push((Target::State(*to), out));
                }
            }
            Next::End(_) => led.out.push((Target::End, out)),
            Next::Terminate(_) => led.out.push((Target::Termination, out)),
            // A state that always fails is drawn as one; what no condition covers goes without saying.
            Next::Fail { .. }
                if way.errors.is_none() && way.conditions.last().is_none_or(|last| last == words::OTHERWISE) => {}
            Next::Fail { .. } => led.out.push((Target::Failure, out)),
            // What is not handled goes without saying.
            Next::FailWith(_) | Next::Raise(_) => {}
            Next::Parts(parts) => {
                led.parts.push((0, way.clone()));
                for catcher in parts.guards.iter().flat_map(|guard| &guard.catchers) {
                    self.catch(catcher, way, awaited, led);
                }
            }
            Next::Part(part) => led.parts.push((*part, way.clone())),
            Next::Retry(retry) => {
                led.retries.push(&retry.retrier);
                self.follow(&retry.otherwise, way, awaited, led);
            }
            Next::Choose { arms, otherwise } => {
                for arm in arms.iter().filter(|arm| !arm.on_error) {
                    let under = match words::decides(&arm.condition) {
                        true => way.under(words::words(&arm.condition, self.workflow)),
                        false => way.clone(),
                    };
                    self.follow(&arm.body, &under, awaited, led);
                }
                // What is left when only errors are told apart is the way that is meant to be taken.
                let left = match words::contrary(arms, awaited, self.workflow) {
                    Some(contrary) => way.under(contrary),
                    None => way.clone(),
                };
                self.follow(otherwise, &left, awaited, led);
                for arm in arms.iter().filter(|arm| arm.on_error) {
                    // What is tried again goes on together when it was tried often enough.
                    let mut caught = match matches!(arm.body.next, Next::Retry(_)) || !words::tells(&arm.condition) {
                        true => left.clone(),
                        false => left.under(words::words(&arm.condition, self.workflow)),
                    };
                    caught.errors = Some(Vec::new());
                    self.follow(&arm.body, &caught, awaited, led);
                }
            }
        }
        for step in &body.steps {
            step.walk(&mut |step| {
                let StepKind::Try(inner) = &step.kind else { return };
                inner.catchers.iter().for_each(|catcher| self.catch(catcher, way, awaited, led));
            });
        }
    }

    fn catch(&self, catcher: &'a Catcher, way: &Way, awaited: &[EventId], led: &mut Led<'a>) {
        let caught = Way { errors: Some(catcher.errors.clone()), conditions: way.conditions.clone() };
        self.follow(&catcher.body, &caught, awaited, led);
    }

    fn add(&mut self, from: usize, to: Target, errors: Option<&[String]>, conditions: &[String]) {
        let label = [errors.unwrap_or_default().join(", "), conditions.join(", ")];
        let label = label.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(": ");
        let error = errors.is_some();
        // Only the edges of this state are looked at: they are the last ones.
        let mine = self.list.iter().rposition(|edge| edge.from != from).map_or(0, |before| before + 1);
        let known = self.list[mine..].iter_mut().find(|edge| edge.to == to && edge.error == error);
        match known {
            // A transition that is always taken needs no further reason.
            Some(edge) if edge.labels.is_empty() || edge.labels.contains(&label) => {}
            Some(edge) if label.is_empty() => edge.labels.clear(),
            Some(edge) if edge.labels.len() == MOST_LABELS => edge.labels.push("…".to_owned()),
            Some(edge) if edge.labels.len() > MOST_LABELS => {}
            Some(edge) => edge.labels.push(label),
            None => {
                let labels = if label.is_empty() { Vec::new() } else { vec![label] };
                self.list.push(Edge { from, to, error, labels });
            }
        }
    }
}

/// The events that a state waits for.
fn awaited(state: &State) -> Vec<EventId> {
    let mut events = Vec::new();
    state.body.walk_steps(&mut |step| {
        if let StepKind::Receive(receive) = &step.kind {
            events.extend(&receive.events);
        }
    });
    events
}

fn node(workflow: &Workflow, state: &State, led: &Led<'_>) -> Node {
    let mut found = Found::default();
    // How long is waited for an event, by the local that holds the end of that.
    let mut deadlines = BTreeMap::new();
    state.body.walk_steps(&mut |step| match &step.kind {
        StepKind::Invoke(invoke) => {
            let key = &workflow.tasks[invoke.task.0 as usize].key;
            if **key != *state.name.value && !found.tasks.contains(key) {
                found.tasks.push(key.clone());
            }
            found.invokes = true;
        }
        StepKind::Run(_) => found.invokes = true,
        StepKind::Wait(wait) => found.waits.push(waits_for(workflow, wait)),
        StepKind::Receive(receive) => {
            let all = if receive.collected.is_some() { "all of " } else { "" };
            let names = words::names(receive.events.iter().copied(), workflow).join(", ");
            let most = match &receive.until {
                Some(Expr::Local(until)) => {
                    deadlines.get(until).map(|most| format!(", at most {}", words::duration(*most)))
                }
                _ => None,
            };
            found.waits.push(format!("event {all}{names}{}", most.unwrap_or_default()));
            found.receives = true;
        }
        // What is published on a transition is told there.
        StepKind::Publish(publish) if led.sent.iter().any(|sent| std::ptr::eq(*sent, &**publish)) => {}
        StepKind::Publish(publish) => {
            found.tasks.push(format!("sends {}", publish.subject.as_ref().unwrap_or(&publish.kind)));
            found.invokes = true;
        }
        StepKind::Call(call) => {
            match &call.target {
                CallTarget::Workflow(name) => {
                    found.tasks.push(name.clone());
                    found.calls = true;
                }
                CallTarget::Scope { scope, .. } => found.scopes.push((*scope, "beside".to_owned())),
            }
            found.invokes = true;
        }
        StepKind::Fork { branches, .. } => found.branches(workflow, state, branches),
        StepKind::Race { branches, first, .. } => {
            found.waits.push(format!("goes on after {first} of {}", branches.len()));
            found.branches(workflow, state, branches);
        }
        StepKind::ForEach(each) => found.scopes.push((each.body, iterations(workflow, each))),
        StepKind::Try(inner) => found.retries.extend(inner.retriers.iter().filter_map(retries)),
        StepKind::Let { local, value: Expr::Call(call) } => {
            if let [Arg::Float(most)] = call.args[..] {
                deadlines.insert(*local, most);
            }
        }
        StepKind::Let { .. }
        | StepKind::Assign(_)
        | StepKind::Inspect { .. }
        | StepKind::BeginTries { .. }
        | StepKind::CountCalls { .. } => {}
    });
    for retrier in &led.retries {
        found.retries.extend(retries(retrier).filter(|note| !found.retries.contains(note)));
    }
    let shape = match &state.body.next {
        _ if !found.scopes.is_empty() => Shape::Group,
        _ if state.kind == "switch" => Shape::Choice,
        _ if found.receives => Shape::Event,
        _ if found.calls => Shape::Call,
        _ if found.invokes => Shape::Task,
        _ if !found.waits.is_empty() => Shape::Wait,
        Next::Choose { arms, .. } if arms.iter().any(|arm| !arm.on_error) => Shape::Choice,
        Next::Fail { .. } => Shape::Fail,
        Next::End(_) if matches!(state.kind, "Succeed" | "End") => Shape::Succeed,
        _ => Shape::Plain,
    };
    let region = |(scope, label): (ScopeId, String)| region(workflow, workflow.scope(scope), label);
    Node {
        name: state.name.value.to_string(),
        kind: state.kind,
        details: [found.tasks, found.waits, found.retries].concat(),
        shape,
        regions: found.scopes.into_iter().map(region).collect(),
    }
}

/// What the steps of a state do.
#[derive(Default)]
struct Found {
    invokes: bool,
    /// Whether it waits for events.
    receives: bool,
    /// Whether it runs another workflow.
    calls: bool,
    tasks: Vec<String>,
    waits: Vec<String>,
    retries: Vec<String>,
    scopes: Vec<(ScopeId, String)>,
}

impl Found {
    /// Branches, by their names where they have some.
    fn branches(&mut self, workflow: &Workflow, state: &State, branches: &[ScopeId]) {
        let of = format!(" of `{}`", state.name.value);
        for branch in branches {
            let label = &workflow.scope(*branch).label;
            let named = label.strip_suffix(&of).and_then(|label| label.strip_prefix("the branch `")?.strip_suffix('`'));
            let label = match named {
                Some(name) => format!("branch {name}"),
                None => format!("branch {}", self.scopes.len() + 1),
            };
            self.scopes.push((*branch, label));
        }
    }
}

fn waits_for(workflow: &Workflow, wait: &Wait) -> String {
    match wait {
        Wait::For(seconds) => words::seconds(seconds, workflow),
        Wait::Until(time) => format!("until {}", words::words(time, workflow)),
    }
}

fn iterations(workflow: &Workflow, each: &ForEach) -> String {
    let limit = each.limit.as_ref().map(|limit| format!(", {} at a time", words::words(limit, workflow)));
    let delay = each.delay.as_ref().map(|delay| format!(", one every {}", words::seconds(delay, workflow)));
    format!("for each item{}{}", limit.unwrap_or_default(), delay.unwrap_or_default())
}

fn retries(retrier: &Retrier) -> Option<String> {
    let errors = match &retrier.errors[..] {
        [all] if all == "States.ALL" => String::new(),
        errors => format!(" {}", first_of(errors)),
    };
    (retrier.max_attempts > 0).then(|| format!("retries {}×{errors}", retrier.max_attempts))
}

/// The first of a list, and how many more there are.
fn first_of(list: &[String]) -> String {
    match list {
        [] => String::new(),
        [only] => only.clone(),
        [first, rest @ ..] => format!("{first} +{}", rest.len()),
    }
}
