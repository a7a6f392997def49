//! Meaning of a state as comparable aspects. It does not depend on the layout or on the rest of
//! the definition.

use super::version_index::{StateAt, VersionIndex};
use std::collections::BTreeMap;
use workflow_compiler::expr::Expr;
use workflow_compiler::hir::{Block, Body, CallTarget, Catcher, ForEach, Label, Next, Step, StepKind, Try};
use workflow_compiler::model::operation::Described;
use workflow_compiler::model::{AwaitedEvent, Invoke, LocalKind, Publish, ScopeId, Seconds, Wait};

/// An aspect of the meaning of a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Aspect {
    Kind,
    Task,
    Input,
    Timeouts,
    Retriers,
    Catchers,
    Function,
    Time,
    Events,
    Branches,
    Iterations,
    Variables,
    Data,
    Next,
}

impl Aspect {
    /// Returns the aspect as reports show it.
    pub fn phrase(self) -> &'static str {
        match self {
            Aspect::Kind => "its type",
            Aspect::Task => "its task",
            Aspect::Input => "the input of its task",
            Aspect::Timeouts => "its time-outs",
            Aspect::Retriers => "its retriers",
            Aspect::Catchers => "its catchers",
            Aspect::Function => "its function",
            Aspect::Time => "the duration of its wait",
            Aspect::Events => "its events",
            Aspect::Branches => "its branches",
            Aspect::Iterations => "its iterations",
            Aspect::Variables => "its variables",
            Aspect::Data => "its data",
            Aspect::Next => "its transitions",
        }
    }
}

/// The aspects of a state, each as a text. Equal texts have an equal meaning.
pub type StateShape = BTreeMap<Aspect, String>;

/// Returns the aspects in which two states differ. If the kinds differ, the other aspects do not
/// matter.
pub fn differences(old: &StateShape, new: &StateShape) -> Vec<Aspect> {
    let aspects: std::collections::BTreeSet<Aspect> = old.keys().chain(new.keys()).copied().collect();
    let mut differing: Vec<Aspect> = aspects.into_iter().filter(|aspect| old.get(aspect) != new.get(aspect)).collect();
    if differing.first() == Some(&Aspect::Kind) {
        differing.truncate(1);
    }
    differing
}

/// Returns the meaning of a state.
pub fn shape(version: &VersionIndex<'_>, at: StateAt<'_>) -> StateShape {
    let mut shaping = Shaping { version, shape: StateShape::new(), around: Vec::new() };
    shaping.put(Aspect::Kind, at.state.kind);
    let mut inside = Aspect::Branches;
    at.state.body.walk_steps(&mut |step| {
        if let StepKind::ForEach(_) | StepKind::DistributedMap(_) = step.kind {
            inside = Aspect::Iterations;
        }
    });
    for scope in version.children(at) {
        let scope = version.workflow.scope(*scope);
        shaping.put(inside, &scope.start.value);
        scope.entry.iter().for_each(|step| shaping.step(step));
    }
    shaping.body(&at.state.body);
    shaping.shape
}

struct Shaping<'a> {
    version: &'a VersionIndex<'a>,
    shape: StateShape,
    /// The labels around the body, the innermost last.
    around: Vec<Label>,
}

impl Shaping<'_> {
    fn put(&mut self, aspect: Aspect, text: &str) {
        let part = self.shape.entry(aspect).or_default();
        part.push_str(text);
        part.push('\n');
    }

    /// Prints an expression with the names of its locals instead of their indexes.
    fn show(&self, expr: &Expr) -> String {
        expr.show(&|local| {
            let local = self.version.workflow.local(local);
            let mark = if local.kind == LocalKind::Variable { "$" } else { "" };
            format!("{mark}{}", local.name)
        })
    }

    fn maybe(&self, expr: &Option<Expr>) -> String {
        expr.as_ref().map_or("none".to_owned(), |expr| self.show(expr))
    }

    fn body(&mut self, body: &Body) {
        body.steps.iter().for_each(|step| self.step(step));
        match &body.next {
            Next::Goto(target) => self.put(Aspect::Next, &format!("goto {:?}", target.value)),
            Next::End(output) => self.put(Aspect::Next, &format!("end {}", self.show(output))),
            Next::Terminate(output) => self.put(Aspect::Next, &format!("terminate {}", self.show(output))),
            Next::Fail { error, cause } => {
                let text = format!("fail {} because {}", self.maybe(error), self.maybe(cause));
                self.put(Aspect::Next, &text);
            }
            Next::FailWith(fault) => self.put(Aspect::Next, &format!("fail with {}", self.show(fault))),
            Next::Raise(_) => self.put(Aspect::Next, "raise"),
            Next::Leave(label) => {
                // Most bodies continue after the innermost step around them.
                if self.around.last() != Some(label) {
                    self.put(Aspect::Next, &format!("leave {}", self.distance(*label)));
                }
            }
            Next::Repeat(label) => self.put(Aspect::Next, &format!("repeat {}", self.distance(*label))),
            Next::Retry(retry) => {
                self.put(Aspect::Retriers, &format!("{:?}", retry.retrier));
                self.put(Aspect::Next, &format!("again {}", self.distance(retry.attempt)));
                self.body(&retry.otherwise);
            }
            Next::Never => {}
            Next::Choose { arms, otherwise } => {
                for arm in arms {
                    self.put(Aspect::Next, &format!("if {}", self.show(&arm.condition)));
                    self.body(&arm.body);
                }
                self.put(Aspect::Next, "otherwise");
                self.body(otherwise);
            }
        }
    }

    /// Returns the number of labels between a body and a label around it. Unlike the label, it
    /// does not change with constructs elsewhere in the state.
    fn distance(&self, label: Label) -> usize {
        self.around.iter().rev().take_while(|other| **other != label).count()
    }

    fn step(&mut self, step: &Step) {
        let name = |id| self.version.workflow.local(id).name.clone();
        match &step.kind {
            StepKind::Let { local, value } => {
                let text = format!("{} = {}", name(*local), self.show(value));
                self.put(Aspect::Data, &text);
            }
            StepKind::Assign(values) => {
                for (local, value) in values {
                    let text = format!("{} = {}", name(*local), self.show(value));
                    self.put(Aspect::Variables, &text);
                }
            }
            // Reports to inspectors are not part of the meaning.
            StepKind::Inspect { .. } => {}
            StepKind::Block(block) => self.block(block),
            StepKind::Try(inner) => self.attempt(inner),
            StepKind::Deadline(deadline) => {
                self.put(Aspect::Timeouts, &format!("{} s {:?}", deadline.seconds, deadline.expiry));
                self.around.push(deadline.label);
                self.body(&deadline.body);
                self.around.pop();
            }
            StepKind::Invoke(invoke) => self.invoke(invoke),
            StepKind::Run(run) => {
                let script = &self.version.workflow.scripts[run.script].code;
                let variables: Vec<String> = run.variables.iter().map(|local| name(*local)).collect();
                let text = format!("{} [{}]", script.text(), variables.join(", "));
                self.put(Aspect::Function, &text);
                self.put(Aspect::Data, "run");
            }
            StepKind::Wait(wait) => {
                let text = match wait {
                    Wait::For(time) => self.seconds(time),
                    Wait::Until(time) => format!("until {}", self.show(time)),
                };
                self.put(Aspect::Time, &text);
                self.put(Aspect::Data, "wait");
            }
            StepKind::Fork { join, .. } => {
                self.put(Aspect::Branches, &format!("{join:?}"));
                self.put(Aspect::Data, "fork");
            }
            StepKind::Receive(receive) => {
                for event in &receive.events {
                    let event = &self.version.workflow.events[*event];
                    let AwaitedEvent { name, subject, kind, source, attributes, correlation, span: _ } = event;
                    let text = format!("{name:?} {subject:?} {kind:?} {source:?} {attributes:?} {correlation:?}");
                    self.put(Aspect::Events, &text);
                }
                let text = format!("{} {}", self.maybe(&receive.collected), receive.discards_unmatched);
                self.put(Aspect::Events, &text);
                self.put(Aspect::Data, "receive");
            }
            StepKind::Publish(publish) => {
                let Publish { kind, source, subject, attributes, correlation, data, result: _ } = &**publish;
                let text =
                    format!("{kind:?} {source:?} {subject:?} {attributes:?} {correlation:?} {}", self.show(data));
                self.put(Aspect::Events, &text);
                self.put(Aspect::Data, "publish");
            }
            StepKind::Call(call) => {
                let target = match &call.target {
                    CallTarget::Workflow(name) => format!("{name:?}"),
                    CallTarget::Scope { .. } => "a part".to_owned(),
                };
                self.put(Aspect::Task, &format!("{target} {}", call.detached));
                let input = self.show(&call.input);
                self.put(Aspect::Input, &input);
                let text = call.timeout.as_ref().map_or("none".to_owned(), |limit| self.seconds(limit));
                self.put(Aspect::Timeouts, &text);
                self.put(Aspect::Data, "call");
            }
            StepKind::ForEach(each) => self.each(each),
            StepKind::DistributedMap(map) => {
                let text = format!("{:?} {:?} {}", map.label, map.reader, self.show(&map.settings));
                self.put(Aspect::Iterations, &text);
                if let Some(selection) = &map.selection {
                    let text = self.selection(selection.scope);
                    self.put(Aspect::Iterations, &text);
                }
                self.put(Aspect::Data, "iterate in executions");
            }
        }
    }

    fn block(&mut self, block: &Block) {
        let outer = self.around.len();
        self.around.extend(block.exits.iter().map(|exit| exit.label));
        self.around.push(block.label);
        self.put(Aspect::Next, "block");
        self.body(&block.body);
        for exit in &block.exits {
            self.put(Aspect::Next, "exit");
            self.body(&exit.body);
        }
        self.put(Aspect::Next, "after");
        self.around.truncate(outer);
    }

    fn attempt(&mut self, attempt: &Try) {
        self.around.push(attempt.label);
        self.body(&attempt.body);
        attempt.retriers.iter().for_each(|retrier| self.put(Aspect::Retriers, &format!("{retrier:?}")));
        attempt.catchers.iter().for_each(|catcher| self.catcher(catcher));
        self.around.pop();
    }

    fn invoke(&mut self, invoke: &Invoke) {
        let task = &self.version.workflow.tasks[invoke.task];
        let text = format!("{:?} {:?} {}", task.key, task.resource, invoke.callback);
        self.put(Aspect::Task, &text);
        if let Some(operation) = &task.operation {
            self.put(Aspect::Task, &Described(&**operation).to_string());
        }
        let text = format!("{} as {}", self.show(&invoke.input), self.maybe(&invoke.credentials));
        self.put(Aspect::Input, &text);
        for limit in [&invoke.timeout, &invoke.heartbeat] {
            let text = limit.as_ref().map_or("none".to_owned(), |limit| self.seconds(limit));
            self.put(Aspect::Timeouts, &text);
        }
        self.put(Aspect::Data, "invoke");
    }

    fn each(&mut self, each: &ForEach) {
        for limit in [&each.limit, &each.tolerated_count, &each.tolerated_percentage] {
            let text = self.maybe(limit);
            self.put(Aspect::Iterations, &text);
        }
        if let Some(delay) = &each.delay {
            let text = format!("every {}", self.seconds(delay));
            self.put(Aspect::Iterations, &text);
        }
        if each.in_batches {
            self.put(Aspect::Iterations, "in batches");
        }
        self.put(Aspect::Data, "iterate");
    }

    /// Adds a catcher, which includes its body.
    fn catcher(&mut self, catcher: &Catcher) {
        let mut inner = Shaping { version: self.version, shape: StateShape::new(), around: self.around.clone() };
        inner.body(&catcher.body);
        let text = format!("{:?} {:?}", catcher.errors, inner.shape);
        self.put(Aspect::Catchers, &text);
    }

    /// Returns the meaning of the scope that selects items.
    fn selection(&self, scope: ScopeId) -> String {
        let mut inner = Shaping { version: self.version, shape: StateShape::new(), around: Vec::new() };
        let scope = self.version.workflow.scope(scope);
        scope.entry.iter().for_each(|step| inner.step(step));
        scope.states.iter().for_each(|state| inner.body(&state.body));
        format!("{:?}", inner.shape)
    }

    fn seconds(&self, time: &Seconds) -> String {
        match time {
            Seconds::Fixed(seconds) => format!("{seconds} s"),
            Seconds::Computed(expr) => format!("{} s", self.show(expr)),
        }
    }
}
