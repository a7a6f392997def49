//! Extraction of one state as a workflow of its own, for testing it in isolation.
//!
//! The workflow takes the state's input and yields `{"next": …, "output": …, "variables": …}`: the
//! next state (absent at an end), the input of the next state, and the variables and stack levels
//! that the state has set (absent if it sets none). Variables that the state reads before it sets
//! them become settings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use workflow_compiler::expr::{Expr, Literal, LocalId};
use workflow_compiler::hir::{
    Body, CallTarget, LocalKind, Next, Part, Parts, Run, Scope, ScopeId, State, Step, StepKind, Workflow,
};
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
    let checked = check(source, options);
    let single = checked.workflow().and_then(|workflow| single_state(workflow, state));
    let tokens = single.map(|single| checked.emit(&single));
    checked.finish(tokens)
}

/// Returns the state `name` of a checked workflow as a workflow, or `None` if there is no such
/// state.
fn single_state(workflow: &Workflow, name: &str) -> Option<Workflow> {
    let (scope, state) = workflow.states().find(|(_, state)| *state.name.value == *name)?;
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
    }];
    keep_inner_scopes(workflow, &mut single);
    let mut entry = take_variables(&mut single, span);
    if input != single.input {
        let value = Expr::Local(single.input);
        entry.push(Step { kind: StepKind::Let { local: input, value }, span });
    }
    single.scopes[0].entry = entry;
    let mut exits = ExitRewriter { inputs, reported: Vec::new() };
    exits.reported.extend(reported.into_iter().map(|local| (local, single.local(local).name.clone())));
    exits.end_after(&mut single.scopes[0].states[0].body, BTreeSet::new());
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
}

impl ExitRewriter {
    /// Replaces every transition by an end that reports its target. `set` are the locals that are
    /// set on the path to the body.
    fn end_after(&self, body: &mut Body, mut set: BTreeSet<LocalId>) {
        for step in &mut body.steps {
            self.end_catchers(step, &set);
            step.walk(&mut |step| set.extend(set_by(step)));
        }
        match &mut body.next {
            Next::Goto(target) => {
                let input = self.inputs.get(&target.value).map_or(Expr::NULL, |input| Expr::Local(*input));
                body.next = self.end(Some(&target.value), input, &set);
            }
            Next::End(output) | Next::Terminate(output) => body.next = self.end(None, output.clone(), &set),
            Next::Choose { arms, otherwise } => {
                arms.iter_mut().for_each(|arm| self.end_after(&mut arm.body, set.clone()));
                self.end_after(otherwise, set);
            }
            Next::Parts(parts) => parts.bodies_mut().for_each(|body| self.end_after(body, set.clone())),
            Next::Retry(retry) => self.end_after(&mut retry.otherwise, set),
            Next::Fail { .. } | Next::FailWith(_) | Next::Raise(_) | Next::Part(_) => {}
        }
    }

    fn end_catchers(&self, step: &mut Step, set: &BTreeSet<LocalId>) {
        if let StepKind::Try(inner) = &mut step.kind {
            inner.body.iter_mut().for_each(|step| self.end_catchers(step, set));
            inner.catchers.iter_mut().for_each(|catcher| self.end_after(&mut catcher.body, set.clone()));
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

/// Returns the locals that a step itself sets.
fn set_by(step: &Step) -> Vec<LocalId> {
    match &step.kind {
        StepKind::Let { local, .. } => vec![*local],
        StepKind::Assign(values) => values.iter().map(|(local, _)| *local).collect(),
        StepKind::Invoke(invoke) => vec![invoke.result],
        StepKind::Fork { result, .. } | StepKind::Race { result, .. } => vec![*result],
        StepKind::Receive(receive) => vec![receive.result],
        StepKind::Publish(publish) => vec![publish.result],
        StepKind::Call(call) => vec![call.result],
        StepKind::BeginRetryBlock { block_retries, .. } => vec![*block_retries],
        StepKind::ForEach(each) => vec![each.result],
        StepKind::Run(run) => run.locals(),
        StepKind::Try(_) | StepKind::Inspect { .. } | StepKind::RenumberCalls { .. } | StepKind::Wait(_) => Vec::new(),
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
    let states = &single.scopes[0].states;
    let reads = |run: &Run, at: usize| single.scripts[run.script.0 as usize].code.reads(at);
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
            single.locals[local.0 as usize].kind = LocalKind::Value;
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
    let mut analysis = ReadBeforeSet { reads: &reads, found: BTreeSet::new(), entered: Vec::new() };
    for state in states {
        let mut set: BTreeSet<LocalId> = known.clone().chain([state.input]).collect();
        analysis.body(&state.body, &mut set);
    }
    analysis.found.retain(|local| workflow.local(*local).kind == LocalKind::Value);
    analysis.found
}

struct ReadBeforeSet<'r> {
    reads: &'r dyn Fn(&Run, usize) -> bool,
    found: BTreeSet<LocalId>,
    /// The locals that are set at the start of each body of the state, on all paths known so far.
    entered: Vec<Option<BTreeSet<LocalId>>>,
}

impl ReadBeforeSet<'_> {
    /// Adds a path to a body, on which these locals are set.
    fn enter(&mut self, part: u32, set: &BTreeSet<LocalId>) {
        let Some(entered) = self.entered.get_mut(part as usize) else { return };
        match entered {
            Some(entered) => entered.retain(|local| set.contains(local)),
            None => *entered = Some(set.clone()),
        }
    }

    /// Visits the bodies until no set changes. Each is visited with the locals that all paths have
    /// set.
    fn parts(&mut self, parts: &Parts, set: &BTreeSet<LocalId>) {
        let outer = std::mem::replace(&mut self.entered, vec![None; parts.list.len()]);
        self.enter(0, set);
        loop {
            let before = self.entered.clone();
            for (at, part) in parts.list.iter().enumerate() {
                if let Some(mut set) = self.entered[at].clone() {
                    self.body(&part.body, &mut set);
                }
            }
            for (at, guard) in parts.guards.iter().enumerate() {
                // A body can fail before it has set anything.
                let is_inside = |part: &Part| {
                    std::iter::successors(part.guard, |guard| parts.guards[*guard as usize].outer)
                        .any(|guard| guard as usize == at)
                };
                let inside = parts.list.iter().zip(&self.entered).filter(|(part, _)| is_inside(part));
                let sets = inside.filter_map(|(_, set)| set.clone());
                if let Some(mut set) = sets.reduce(|all, set| all.intersection(&set).copied().collect()) {
                    set.insert(guard.fault);
                    guard.catchers.iter().for_each(|catcher| self.body(&catcher.body, &mut set.clone()));
                }
            }
            if self.entered == before {
                break;
            }
        }
        self.entered = outer;
    }

    fn body(&mut self, body: &Body, set: &mut BTreeSet<LocalId>) {
        body.steps.iter().for_each(|step| self.step(step, set));
        match &body.next {
            Next::End(expr) | Next::Terminate(expr) | Next::FailWith(expr) => self.expr(expr, set),
            Next::Fail { error, cause } => error.iter().chain(cause).for_each(|expr| self.expr(expr, set)),
            Next::Choose { arms, otherwise } => {
                for arm in arms {
                    self.expr(&arm.condition, set);
                    self.body(&arm.body, &mut set.clone());
                }
                self.body(otherwise, &mut set.clone());
            }
            Next::Parts(parts) => self.parts(parts, set),
            Next::Part(part) => self.enter(*part, set),
            Next::Retry(retry) => {
                self.enter(retry.part, set);
                self.body(&retry.otherwise, &mut set.clone());
            }
            Next::Goto(_) | Next::Raise(_) => {}
        }
    }

    fn step(&mut self, step: &Step, set: &mut BTreeSet<LocalId>) {
        step.exprs().into_iter().for_each(|expr| self.expr(expr, set));
        match &step.kind {
            StepKind::ForEach(each) => self.found.extend(Some(each.items).filter(|items| !set.contains(items))),
            StepKind::Run(run) => {
                let read = run.variables.iter().enumerate().filter(|(at, _)| (self.reads)(run, *at));
                let read = read.map(|(_, local)| *local).chain([run.document]);
                self.found.extend(read.filter(|local| !set.contains(local)));
            }
            StepKind::Try(inner) => {
                let mut before = set.clone();
                inner.body.iter().for_each(|step| self.step(step, set));
                before.extend([inner.fault, inner.retries]);
                inner.catchers.iter().for_each(|catcher| self.body(&catcher.body, &mut before.clone()));
            }
            _ => {}
        }
        set.extend(set_by(step));
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
    let mut at = 0;
    while at < single.scopes.len() {
        let mut scope = single.scopes[at].clone();
        let (parent, mut next) = (ScopeId(at as u32), single.scopes.len() as u32);
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
        single.scopes[at] = scope;
        single.scopes.extend(inner);
        at += 1;
    }
}

fn renumber_body(body: &mut Body, renumber: &mut dyn FnMut(&mut ScopeId)) {
    body.steps.iter_mut().for_each(|step| renumber_step(step, renumber));
    if let Next::Choose { arms, otherwise } = &mut body.next {
        arms.iter_mut().for_each(|arm| renumber_body(&mut arm.body, renumber));
        renumber_body(otherwise, renumber);
    }
    match &mut body.next {
        Next::Parts(parts) => parts.bodies_mut().for_each(|body| renumber_body(body, renumber)),
        Next::Retry(retry) => renumber_body(&mut retry.otherwise, renumber),
        _ => {}
    }
}

fn renumber_step(step: &mut Step, renumber: &mut dyn FnMut(&mut ScopeId)) {
    match &mut step.kind {
        StepKind::Fork { branches, .. } | StepKind::Race { branches, .. } => branches.iter_mut().for_each(renumber),
        StepKind::Call(call) => {
            if let CallTarget::Scope { scope, .. } = &mut call.target {
                renumber(scope);
            }
        }
        StepKind::ForEach(each) => renumber(&mut each.body),
        StepKind::Try(inner) => {
            inner.body.iter_mut().for_each(|step| renumber_step(step, renumber));
            inner.catchers.iter_mut().for_each(|catcher| renumber_body(&mut catcher.body, renumber));
        }
        StepKind::Let { .. }
        | StepKind::Assign(_)
        | StepKind::Inspect { .. }
        | StepKind::Run(_)
        | StepKind::Invoke(_)
        | StepKind::Receive(_)
        | StepKind::Publish(_)
        | StepKind::BeginRetryBlock { .. }
        | StepKind::RenumberCalls { .. }
        | StepKind::Wait(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_compiler::check_only;

    /// Returns the settings of a state of a composition, and the variables that its ends report.
    #[track_caller]
    fn single(states: &str, state: &str) -> (Vec<String>, Vec<String>) {
        let text = format!(r#"{{"Entry": "a", "Exit": "z", "States": {{{states}}}}}"#);
        let workflow = check_only(Source::new("flow.composer.json", text), &Options::default()).workflow;
        let single = single_state(&workflow.expect("it is accepted"), state).expect("the state is there");
        let mut reported = Vec::new();
        for body in single.scopes[0].states[0].body.bodies() {
            if let Next::End(Expr::Object(members)) = &body.next
                && let Some((_, Expr::Object(variables))) = members.iter().find(|(name, _)| name == "variables")
            {
                reported.extend(variables.iter().map(|(name, _)| name.clone()));
            }
        }
        (single.settings.into_iter().map(|(_, name)| name).collect(), reported)
    }

    #[track_caller]
    fn function(text: &str) -> (Vec<String>, Vec<String>) {
        let states = r#""a": {"Type": "Let", "Symbol": "n", "Value": 0, "Next": "b"},
            "b": {"Type": "Task", "Function": "TEXT", "Next": "c"}, "c": {"Type": "End", "Next": "z"}, "z": {"Type": "Pass"}"#;
        single(&states.replace("TEXT", text), "b")
    }

    #[test]
    fn variables_that_a_function_reads_first_become_settings() {
        for text in [
            "p => n",
            "p => { n += 1; return p }",
            "p => { n++ }",
            "p => { n = n + 1 }",
            "p => { if (p.x) n = 1; return n }",
            "(p, q = n) => { n = q }",
            "p => { const f = () => n; n = 1; return f() }",
            "p => { n = f(); function f() { return n } }",
            "p => { n ??= 1 }",
            "p => (p.n = n, n = 1, p)",
        ] {
            assert_eq!(function(text), (vec!["n".to_owned()], vec!["n".to_owned()]), "{text}");
        }
    }

    #[test]
    fn a_variable_that_is_only_written_is_reported_and_no_setting() {
        for text in [
            "p => { n = p; return p }",
            "p => { n = p.x; p.n = n; return p }",
            "p => (n = p.x, { n })",
            "p => { if (p.x) n = 1; return p }",
            "p => { ({ x: n } = p); return p }",
            "p => n = p",
        ] {
            assert_eq!(function(text), (vec![], vec!["n".to_owned()]), "{text}");
        }
        assert_eq!(function("p => p"), (vec![], vec![]));
    }

    #[test]
    fn levels_of_the_stack_are_reported_and_settings() {
        let states = r#""a": {"Type": "Push", "Next": "b"}, "b": {"Type": "Task", "Action": "pay", "Next": "z"},
            "z": {"Type": "Pop"}"#;
        assert_eq!(single(states, "a"), (vec![], vec!["saved".to_owned()]));
        assert_eq!(single(states, "b"), (vec![], vec![]));
        assert_eq!(single(states, "z"), (vec!["saved".to_owned()], vec![]));
        // `b` is entered with at least one level.
        let states = r#""a": {"Type": "Push", "Next": "b"}, "b": {"Type": "Push", "Next": "c"},
            "c": {"Type": "Choice", "Then": "a", "Else": "z"}, "z": {"Type": "Pop"}"#;
        assert_eq!(single(states, "c"), (vec!["stack".to_owned()], vec!["stack".to_owned(); 2]));
    }
}

#[cfg(test)]
mod parts {
    use super::*;
    use workflow_compiler::hir::{Arm, Catcher, Guard};
    use workflow_compiler::{FileId, check_only};

    /// A local that only some paths set comes from other states.
    #[test]
    fn locals_not_set_on_every_path_become_settings() {
        let span = Span { file: FileId(0), start: 0, end: 0 };
        let [both, one, caught, needed] = [0, 1, 2, 3].map(LocalId);
        let part = |local: LocalId, next: Next, guard: Option<u32>| {
            let steps = vec![Step { kind: StepKind::Let { local, value: Expr::NULL }, span }];
            Part { name: "part", body: Body { steps, next }, guard }
        };
        let to = |part: u32| Body { steps: Vec::new(), next: Next::Part(part) };
        let arm = Arm { condition: Expr::Local(needed), body: to(1), span, on_error: false };
        let choose = Next::Choose { arms: vec![arm], otherwise: Box::new(to(2)) };
        let read = |local: LocalId| Body { steps: Vec::new(), next: Next::End(Expr::Local(local)) };
        let catcher = Catcher { errors: Vec::new(), body: read(caught), span };
        let parts = Parts {
            list: vec![
                part(both, choose, None),
                part(one, Next::Part(2), None),
                part(caught, Next::End(Expr::Array(vec![Expr::Local(both), Expr::Local(one)])), Some(0)),
            ],
            guards: vec![Guard { fault: LocalId(9), catchers: vec![catcher], outer: None }],
        };
        let mut analysis = ReadBeforeSet { reads: &|_, _| true, found: BTreeSet::new(), entered: Vec::new() };
        analysis.parts(&parts, &BTreeSet::new());
        assert_eq!(analysis.found.into_iter().collect::<Vec<_>>(), [one, caught, needed]);
    }

    /// Locals that the bodies of a state pass to each other do not become settings.
    #[test]
    fn locals_set_inside_of_a_state_do_not_become_settings() {
        let state = |members: &str| {
            format!(
                r#"{{"id": "o", "functions": [{{"name": "pay", "resource": "bank"}}], "states": [
                {{"name": "A", "type": "operation", "start": {{"kind": "default"}}, "actions": [{{"functionRef": {{"refName": "pay"}}}}],
                  {members} "transition": {{"nextState": "B"}}}},
                {{"name": "B", "type": "delay", "timeDelay": "PT1S", "end": {{"kind": "default"}}}}]}}"#
            )
        };
        let (retry, handler) = (
            r#""retry": [{"expression": "$.error.name eq 'X'", "interval": "PT1S"}],"#,
            r#""onError": [{"expression": "name eq 'Y'", "transition": {"nextState": "B"}}],"#,
        );
        for members in [String::new(), retry.to_owned(), handler.to_owned(), format!("{retry} {handler}")] {
            let text = state(&members);
            let workflow = check_only(Source::new("flow.sw.json", text.as_str()), &Options::default()).workflow;
            let single = single_state(&workflow.expect("it is accepted"), "A").expect("the state is there");
            let asked: Vec<&str> = single.settings.iter().map(|(_, name)| name.as_str()).collect();
            assert!(asked.is_empty(), "{members}: {asked:?}");
        }
    }
}
