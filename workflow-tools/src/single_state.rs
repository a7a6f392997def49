//! Extraction of one state as a workflow of its own, for testing it in isolation.
//!
//! The workflow takes the state's input and yields `{"next": …, "output": …, "variables": …}`: the
//! next state (absent at an end), the input of the next state, and the variables and stack levels
//! that the state has set (absent if it sets none). Variables that the state reads before it sets
//! them become settings.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use workflow_compiler::expr::{Expr, Literal, LocalId};
use workflow_compiler::hir::{Body, CallTarget, Label, Next, Scope, State, Step, StepKind, Workflow};
use workflow_compiler::model::{InputTemplate, Invoke, LocalKind, MOCKED, Run, ScopeId, Task, TaskId, TaskShapes};
use workflow_compiler::{Options, Output, Source, Span, check};

/// Compiles one state of a definition as a workflow of its own. The output has no tokens if the
/// definition is refused or has no such state. Its workflow is the whole one.
///
/// ```
/// use workflow_compiler::{Options, Source};
/// use workflow_tools::single_state::compile_state;
///
/// let text = r#"{ "StartAt": "Greet", "States": {
///     "Greet": { "Type": "Pass", "Result": "hello", "Next": "Done" },
///     "Done": { "Type": "Succeed" } } }"#;
/// let source = || Source::new("greet.asl.json", text);
/// let compile = |state| compile_state(source(), &Options::default(), state);
/// assert!(!compile("Greet").is_refused());
/// assert!(compile("Greeting").is_refused());
/// ```
pub fn compile_state(source: Source, options: &Options, state: &str) -> Output {
    compile_changed(source, options, state, |_| {})
}

/// Compiles one state like [`compile_state`], with a task in place of each set of branches or
/// iterations. The task has the name of the state as its key, and its result is that of the
/// branches or iterations. The input of the task that replaces a Map has the members `items`,
/// `tolerated_count` and `tolerated_percentage`, as far as the Map has them.
///
/// ```
/// use workflow_compiler::{Options, Source};
/// use workflow_tools::single_state::compile_mocked_state;
///
/// let text = r#"{ "StartAt": "Both", "States": {
///     "Both": { "Type": "Parallel", "End": true, "Branches": [
///         { "StartAt": "One", "States": { "One": { "Type": "Succeed" } } }] } } }"#;
/// let output = compile_mocked_state(Source::new("both.asl.json", text), &Options::default(), "Both");
/// assert!(!output.is_refused());
/// ```
pub fn compile_mocked_state(source: Source, options: &Options, state: &str) -> Output {
    compile_changed(source, options, state, mock_inside)
}

/// Returns `true` if a state of this name has branches or iterations, which
/// [`compile_mocked_state`] replaces.
///
/// ```
/// use workflow_compiler::{Options, Source, check_only};
/// use workflow_tools::single_state::has_branches_or_iterations;
///
/// let text = r#"{ "StartAt": "Nap", "States": { "Nap": { "Type": "Wait", "Seconds": 1, "End": true } } }"#;
/// let workflow = check_only(Source::new("nap.asl.json", text), &Options::default()).workflow;
/// assert!(!has_branches_or_iterations(&workflow.expect("it is accepted"), "Nap"));
/// ```
pub fn has_branches_or_iterations(workflow: &Workflow, state: &str) -> bool {
    let mut found = false;
    for (_, state) in workflow.states().filter(|(_, found)| is_named(found, state)) {
        state.body.walk_steps(&mut |step| found |= result_inside(step).is_some());
    }
    found
}

/// Returns `true` for an authored state of this name. The selector of a distributed Map is a state
/// that only the compiler has named.
fn is_named(state: &State, name: &str) -> bool {
    !state.is_synthetic && *state.name.value == *name
}

/// Returns the local with the result of branches or iterations, if the step runs any.
fn result_inside(step: &Step) -> Option<LocalId> {
    match &step.kind {
        StepKind::Fork { result, .. } => Some(*result),
        StepKind::ForEach(each) => Some(each.result),
        StepKind::DistributedMap(map) => Some(map.result),
        _ => None,
    }
}

fn compile_changed(source: Source, options: &Options, state: &str, change: fn(&mut Workflow)) -> Output {
    let checked = check(source, options);
    let single = checked.workflow().and_then(|workflow| single_state(workflow, state, change));
    let tokens = single.map(|single| checked.emit(&single));
    checked.finish(tokens)
}

/// Replaces branches and iterations of the only state of a workflow by invocations of one task.
fn mock_inside(single: &mut Workflow) {
    let State { name, span, .. } = &single.scopes[ScopeId(0)].states[0];
    let task = TaskId(single.tasks.len() as u32);
    single.tasks.push(Task {
        key: name.value.to_string(),
        method: name.value.to_string(),
        resource: MOCKED.to_owned(),
        state: name.value.clone(),
        span: *span,
        is_function: false,
        operation: None,
        shapes: TaskShapes::default(),
    });
    mock_in_body(&mut single.scopes[ScopeId(0)].states[0].body, task);
}

fn mock_in_body(body: &mut Body, task: TaskId) {
    for step in &mut body.steps {
        match result_inside(step) {
            Some(result) => {
                let (timeout, heartbeat, credentials) = (None, None, None);
                let input = mocked_input(&step.kind);
                let template = InputTemplate::default();
                let invoke = Invoke { task, input, template, timeout, heartbeat, credentials, callback: false, result };
                step.kind = StepKind::Invoke(Box::new(invoke));
            }
            None => step.bodies_mut().into_iter().for_each(|inner| mock_in_body(inner, task)),
        }
    }
    body.next.bodies_mut().into_iter().for_each(|inner| mock_in_body(inner, task));
}

/// Returns the input of the task in place of branches or iterations: the settings of a Map that
/// decide which number of failures it tolerates. Settings of a distributed Map that fail do so in
/// the test, too.
fn mocked_input(kind: &StepKind) -> Expr {
    match kind {
        StepKind::ForEach(each) => {
            let limits =
                [("tolerated_count", &each.tolerated_count), ("tolerated_percentage", &each.tolerated_percentage)];
            let limits = limits.into_iter().filter_map(|(name, limit)| Some((name.to_owned(), limit.clone()?)));
            Expr::Object([("items".to_owned(), Expr::Local(each.items))].into_iter().chain(limits).collect())
        }
        StepKind::DistributedMap(map) => match &map.settings {
            // The selector runs for items only.
            Expr::Object(settings) => {
                Expr::Object(settings.iter().filter(|(name, _)| name != "scope").cloned().collect())
            }
            settings => settings.clone(),
        },
        _ => Expr::NULL,
    }
}

/// Returns the state `name` of a checked workflow as a workflow, or `None` if there is no such
/// state. `change` changes the state before its variables are taken.
fn single_state(workflow: &Workflow, name: &str, change: fn(&mut Workflow)) -> Option<Workflow> {
    let (scope, state) = workflow.states().find(|(_, state)| is_named(state, name))?;
    let inputs = workflow.scope(scope).states.iter().map(|state| (state.name.value.clone(), state.input)).collect();
    let reported = reported_locals(workflow, scope);
    let state = state.clone();
    let (input, span) = (state.input, state.span);
    // The contract of the whole workflow's input and output does not apply to a state.
    let mut single = Workflow {
        timeout: None,
        starts_on: None,
        schedule: None,
        input_must_be_object: false,
        input_schema: None,
        output_schema: None,
        ..workflow.clone()
    };
    single.correlation.read = None;
    single.scopes = vec![Scope {
        label: "the top level".to_owned(),
        parent: None,
        entry: Vec::new(),
        start: state.name.clone(),
        span,
        states: vec![state],
    }]
    .into();
    change(&mut single);
    keep_inner_scopes(workflow, &mut single);
    let mut entry = take_variables(&mut single, span);
    if input != single.input {
        let value = Expr::Local(single.input);
        entry.push(Step { kind: StepKind::Let { local: input, value }, span });
    }
    single.scopes[ScopeId(0)].entry = entry;
    let mut exits = ExitRewriter { inputs, reported: Vec::new(), left: BTreeMap::new() };
    exits.reported.extend(reported.into_iter().map(|local| (local, single.local(local).name.clone())));
    exits.end_after(&mut single.scopes[ScopeId(0)].states[0].body, BTreeSet::new());
    Some(single)
}

/// Returns the locals through which states of a scope pass values to each other: its variables,
/// and values that a state mentions and has not set.
fn reported_locals(workflow: &Workflow, scope: ScopeId) -> BTreeSet<LocalId> {
    let states = &workflow.scope(scope).states;
    let inputs: BTreeSet<LocalId> = states.iter().map(|state| state.input).collect();
    let mut reported = read_before_set(workflow, states, |_, _| true);
    reported.extend(assigned(std::slice::from_ref(workflow.scope(scope))));
    reported.retain(|local| !inputs.contains(local));
    reported
}

/// Replacement of transitions by ends that report them.
struct ExitRewriter {
    /// The local that holds the input of each state of the scope.
    inputs: BTreeMap<Arc<str>, LocalId>,
    /// The locals that are reported if the state has set them, with their names.
    reported: Vec<(LocalId, String)>,
    /// The locals that are set on every path to each label.
    left: BTreeMap<Label, BTreeSet<LocalId>>,
}

impl ExitRewriter {
    /// Replaces every transition to a state by an end that reports its target. `set` are the
    /// locals that are set on every path to the body.
    fn end_after(&mut self, body: &mut Body, mut set: BTreeSet<LocalId>) {
        for step in &mut body.steps {
            set = self.step(step, set);
        }
        match &mut body.next {
            Next::Goto(target) => {
                let input = self.inputs.get(&target.value).map_or(Expr::NULL, |input| Expr::Local(*input));
                body.next = self.end(Some(&target.value), input, &set);
            }
            Next::End(output) | Next::Terminate(output) => body.next = self.end(None, output.clone(), &set),
            Next::Leave(label) => join(&mut self.left, *label, &set),
            next => next.bodies_mut().into_iter().for_each(|inner| self.end_after(inner, set.clone())),
        }
    }

    /// Replaces the transitions inside a step. Returns the locals that are set after it: none if
    /// no path continues there.
    fn step(&mut self, step: &mut Step, mut set: BTreeSet<LocalId>) -> BTreeSet<LocalId> {
        set.extend(set_by(step));
        match &mut step.kind {
            StepKind::Block(block) => {
                self.end_after(&mut block.body, set);
                for exit in &mut block.exits {
                    let set = self.left.remove(&exit.label).unwrap_or_default();
                    self.end_after(&mut exit.body, set);
                }
                self.left.remove(&block.label).unwrap_or_default()
            }
            StepKind::Try(inner) => {
                // The body can fail before it has set anything.
                inner.catchers.iter_mut().for_each(|catcher| self.end_after(&mut catcher.body, set.clone()));
                self.end_after(&mut inner.body, set);
                self.left.remove(&inner.label).unwrap_or_default()
            }
            StepKind::Deadline(deadline) => {
                self.end_after(&mut deadline.body, set);
                self.left.remove(&deadline.label).unwrap_or_default()
            }
            _ => set,
        }
    }

    fn end(&self, next: Option<&str>, output: Expr, set: &BTreeSet<LocalId>) -> Next {
        let next = next.map(|next| ("next".to_owned(), Expr::Literal(Literal::String(next.to_owned()))));
        let shown = self.reported.iter().filter(|(local, _)| set.contains(local));
        let shown: Vec<_> = shown.map(|(local, name)| (name.clone(), Expr::Local(*local))).collect();
        let variables = (!shown.is_empty()).then(|| ("variables".to_owned(), Expr::Object(shown)));
        Next::End(Expr::Object(next.into_iter().chain([("output".to_owned(), output)]).chain(variables).collect()))
    }
}

/// Adds a path to a label, on which these locals are set.
fn join(left: &mut BTreeMap<Label, BTreeSet<LocalId>>, label: Label, set: &BTreeSet<LocalId>) {
    let known = left.entry(label).or_insert_with(|| set.clone());
    known.retain(|local| set.contains(local));
}

/// Returns the locals that a step itself sets, without those that its bodies set.
fn set_by(step: &Step) -> Vec<LocalId> {
    match &step.kind {
        StepKind::Let { local, .. } => vec![*local],
        StepKind::Assign(values) => values.iter().map(|(local, _)| *local).collect(),
        StepKind::Invoke(invoke) => vec![invoke.result],
        StepKind::Fork { result, .. } => vec![*result],
        StepKind::Receive(receive) => vec![receive.result],
        StepKind::Publish(publish) => vec![publish.result],
        StepKind::Call(call) => vec![call.result],
        StepKind::ForEach(each) => vec![each.result],
        StepKind::DistributedMap(map) => vec![map.result],
        StepKind::Run(run) => run.locals(),
        StepKind::Try(inner) => inner.locals().collect(),
        StepKind::Deadline(deadline) => vec![deadline.at],
        StepKind::Block(_) | StepKind::Inspect { .. } | StepKind::Wait(_) => Vec::new(),
    }
}

/// Turns the variables that are read and come from outside of the state into settings, and drops
/// settings that are not read. Returns the steps that assign the variables.
fn take_variables(single: &mut Workflow, span: Span) -> Vec<Step> {
    let mut read = BTreeSet::new();
    single.walk_exprs(&mut |expr| read.extend(expr.locals()));
    let (own, inner) = single.scopes.split_at(1);
    let (own, inner) = (assigned(own), assigned(inner));
    single.settings.retain(|(local, _)| read.contains(local));
    let mut entry = Vec::new();
    let states = &single.scopes[ScopeId(0)].states;
    let reads = |run: &Run, at: usize| single.scripts[run.script].code.reads(at);
    let (needed, mentioned) = (read_before_set(single, states, reads), read_before_set(single, states, |_, _| true));
    let mut set = BTreeSet::new();
    states.iter().for_each(|state| state.body.walk_steps(&mut |step| set.extend(set_by(step))));
    for local in mentioned {
        let name = single.local(local).name.clone();
        let value = match (needed.contains(&local), set.contains(&local)) {
            (true, false) => {
                single.settings.push((local, name));
                continue;
            }
            // Settings are immutable.
            (true, true) => {
                let setting = single.add_local(format!("given_{name}"), LocalKind::Value, span);
                single.settings.push((setting, name));
                Expr::Local(setting)
            }
            // A local that a function only writes needs a value.
            (false, _) => Expr::NULL,
        };
        entry.push(Step { kind: StepKind::Let { local, value }, span });
    }
    for local in read {
        // A variable that a branch assigns belongs to the branch.
        if single.local(local).kind != LocalKind::Variable || inner.contains(&local) {
            continue;
        }
        let name = single.local(local).name.clone();
        if own.contains(&local) {
            let needed = single.add_local(format!("given_{name}"), LocalKind::Value, span);
            single.settings.push((needed, name));
            entry.push(Step { kind: StepKind::Assign(vec![(local, Expr::Local(needed))]), span });
        } else {
            single.locals[local].kind = LocalKind::Value;
            single.settings.push((local, name));
        }
    }
    entry
}

/// Returns the values, other than their input, that these states read before they set them. Other
/// states have set these values. `reads` returns `true` if a script reads the variable of this
/// number, and does not only write it.
fn read_before_set(workflow: &Workflow, states: &[State], reads: impl Fn(&Run, usize) -> bool) -> BTreeSet<LocalId> {
    let known = workflow.settings.iter().map(|(local, _)| *local).chain([workflow.input]);
    let mut analysis = ReadBeforeSet { reads: &reads, found: BTreeSet::new(), left: BTreeMap::new() };
    for state in states {
        analysis.body(&state.body, known.clone().chain([state.input]).collect());
    }
    analysis.found.retain(|local| workflow.local(*local).kind == LocalKind::Value);
    analysis.found
}

/// The search for the locals that are not set on every path to a read. One pass finds them all: a
/// path that repeats a body has set at least what the first path to the body has set.
struct ReadBeforeSet<'r> {
    reads: &'r dyn Fn(&Run, usize) -> bool,
    found: BTreeSet<LocalId>,
    /// The locals that are set on every path to each label.
    left: BTreeMap<Label, BTreeSet<LocalId>>,
}

impl ReadBeforeSet<'_> {
    fn body(&mut self, body: &Body, mut set: BTreeSet<LocalId>) {
        for step in &body.steps {
            let Some(after) = self.step(step, set) else { return };
            set = after;
        }
        match &body.next {
            Next::End(expr) | Next::Terminate(expr) | Next::FailWith(expr) => self.expr(expr, &set),
            Next::Fail { error, cause } => error.iter().chain(cause).for_each(|expr| self.expr(expr, &set)),
            Next::Choose { arms, .. } => arms.iter().for_each(|arm| self.expr(&arm.condition, &set)),
            Next::Leave(label) => join(&mut self.left, *label, &set),
            Next::Goto(_) | Next::Raise(_) | Next::Repeat(_) | Next::Retry(_) | Next::Never => {}
        }
        body.next.bodies().into_iter().for_each(|inner| self.body(inner, set.clone()));
    }

    /// Visits a step and the bodies inside it. Returns the locals that are set after it, or `None`
    /// if no path continues there.
    fn step(&mut self, step: &Step, mut set: BTreeSet<LocalId>) -> Option<BTreeSet<LocalId>> {
        self.read_by(step, &set);
        set.extend(set_by(step));
        match &step.kind {
            StepKind::Block(block) => {
                self.body(&block.body, set);
                for exit in &block.exits {
                    if let Some(set) = self.left.remove(&exit.label) {
                        self.body(&exit.body, set);
                    }
                }
                self.left.remove(&block.label)
            }
            StepKind::Try(inner) => {
                // The body can fail before it has set anything.
                inner.catchers.iter().for_each(|catcher| self.body(&catcher.body, set.clone()));
                self.body(&inner.body, set);
                self.left.remove(&inner.label)
            }
            StepKind::Deadline(deadline) => {
                self.body(&deadline.body, set);
                self.left.remove(&deadline.label)
            }
            _ => Some(set),
        }
    }

    /// Adds the locals that a step itself reads and that are not set.
    fn read_by(&mut self, step: &Step, set: &BTreeSet<LocalId>) {
        step.exprs().into_iter().for_each(|expr| self.expr(expr, set));
        match &step.kind {
            StepKind::ForEach(each) => self.found.extend(Some(each.items).filter(|items| !set.contains(items))),
            StepKind::Run(run) => {
                let read = run.variables.iter().enumerate().filter(|(at, _)| (self.reads)(run, *at));
                let read = read.map(|(_, local)| *local).chain([run.document]);
                self.found.extend(read.filter(|local| !set.contains(local)));
            }
            _ => {}
        }
    }

    fn expr(&mut self, expr: &Expr, set: &BTreeSet<LocalId>) {
        self.found.extend(expr.locals().into_iter().filter(|local| !set.contains(local)));
    }
}

/// Returns the variables that states of these scopes assign.
fn assigned(scopes: &[Scope]) -> BTreeSet<LocalId> {
    let mut assigned = BTreeSet::new();
    for state in scopes.iter().flat_map(|scope| &scope.states) {
        state.body.walk_steps(&mut |step| {
            if let StepKind::Assign(values) = &step.kind {
                assigned.extend(values.iter().map(|(local, _)| *local));
            }
        });
    }
    assigned
}

/// Copies the nested scopes of the state, each after its parent, and renumbers the references to
/// them.
fn keep_inner_scopes(workflow: &Workflow, single: &mut Workflow) {
    let mut open = VecDeque::from([ScopeId(0)]);
    while let Some(parent) = open.pop_front() {
        let mut scope = single.scopes[parent].clone();
        let mut next = single.scopes.len() as u32;
        let mut inner = Vec::new();
        for state in &mut scope.states {
            let name = state.name.value.clone();
            let mut renumber = |id: &mut ScopeId| {
                inner.push(Scope { parent: Some((parent, name.clone())), ..workflow.scope(*id).clone() });
                *id = ScopeId(next);
                next += 1;
            };
            renumber_body(&mut state.body, &mut renumber);
        }
        single.scopes[parent] = scope;
        open.extend(inner.into_iter().map(|scope| single.scopes.push(scope)));
    }
}

fn renumber_body(body: &mut Body, renumber: &mut dyn FnMut(&mut ScopeId)) {
    body.steps.iter_mut().for_each(|step| renumber_step(step, renumber));
    body.next.bodies_mut().into_iter().for_each(|inner| renumber_body(inner, renumber));
}

fn renumber_step(step: &mut Step, renumber: &mut dyn FnMut(&mut ScopeId)) {
    match &mut step.kind {
        StepKind::Fork { branches, .. } => branches.iter_mut().for_each(&mut *renumber),
        StepKind::Call(call) => {
            if let CallTarget::Scope { scope, .. } = &mut call.target {
                renumber(scope);
            }
        }
        StepKind::ForEach(each) => renumber(&mut each.body),
        StepKind::DistributedMap(map) => {
            renumber(&mut map.body);
            map.selection.iter_mut().for_each(|selection| renumber(&mut selection.scope));
        }
        StepKind::Let { .. }
        | StepKind::Assign(_)
        | StepKind::Inspect { .. }
        | StepKind::Block(_)
        | StepKind::Try(_)
        | StepKind::Deadline(_)
        | StepKind::Run(_)
        | StepKind::Invoke(_)
        | StepKind::Receive(_)
        | StepKind::Publish(_)
        | StepKind::Wait(_) => {}
    }
    step.bodies_mut().into_iter().for_each(|inner| renumber_body(inner, renumber));
}

#[cfg(test)]
mod tests;
