//! Lowering of the AST to the HIR. Levels of the stack become locals, and handlers become
//! transitions.
//!
//! The parameters of every state are in the local `d`.

use super::ast::{Composition, Name, State, StateKind};
use super::dialect::DIALECT;
use super::functions::{ERROR_OBJECT, FAILURE, IS_ERROR, IS_TRUE, OUTCOME, PARAMETERS};
use super::names::ActionNames;
use super::shapes::{EMPTY, ShapeId, Shapes, StackEntry};
use super::stack::Stack;
use crate::Options;
use crate::diagnostics::Diagnostics;
use crate::expr::{Arg, Expr, Literal, LocalId, Path, ProgramText, Segment, Selector};
use crate::hir::{Arm, Body, Catcher, Label, Next, Scope, Step, StepKind, Try, Workflow};
use crate::model::{
    AuthoredScript, ErrorMatch, InputTemplate, Invoke, LocalKind, Run, ScriptId, Seconds, Task, TaskShapes,
};
use crate::options::DefaultTimeout;
use crate::source::Span;
use crate::syntax::{Node, Text};

/// Lowers a composition whose shapes are known. Returns `None` after reporting a function that
/// cannot be compiled.
pub fn lower(
    composition: &Composition,
    shapes: &Shapes,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Workflow> {
    let span = composition.span;
    let document = LocalId(0);
    // The conductor tolerates unreachable states ([Q9](docs/composer.md#q9)).
    let mut workflow = Workflow::new(name, DIALECT.name, "d", span);
    let stack = Stack::new(composition, shapes, &mut workflow);
    let actions = ActionNames::of(composition);
    let mut cx = Cx { workflow, document, fault: None, shapes, stack, actions, options, diagnostics };
    let states = composition.states.iter().enumerate();
    let states = states.filter_map(|(at, state)| cx.state(state, shapes.of(at))).collect();
    let mut entry = Vec::new();
    cx.set(Expr::call(&PARAMETERS, vec![Arg::Owned(Expr::Local(document))]), span, &mut entry);
    cx.stack.start(span, &mut entry);
    cx.workflow.scopes.push(Scope {
        label: "the top level".to_owned(),
        parent: None,
        entry,
        start: composition.entry.clone(),
        states,
        span,
    });
    Some(cx.workflow)
}

struct Cx<'a> {
    workflow: Workflow,
    document: LocalId,
    /// The local of the fault of all `Try` steps.
    fault: Option<LocalId>,
    shapes: &'a Shapes,
    stack: Stack<'a>,
    actions: ActionNames,
    options: &'a Options,
    diagnostics: &'a mut Diagnostics,
}

impl Cx<'_> {
    /// Lowers a state. A state that is never entered has an empty body, unless the composition is
    /// ambiguous, since only the execution then knows which states are entered.
    fn state(&mut self, state: &State, shapes: &[ShapeId]) -> Option<crate::hir::State> {
        let body = match shapes.first() {
            None if !self.shapes.is_ambiguous => {
                self.check_function(state);
                Body::to(self.next(state))
            }
            shape => self.body(state, shape.copied().unwrap_or(EMPTY), shapes)?,
        };
        Some(crate::hir::State {
            name: state.name.clone(),
            comment: None,
            kind: state.kind.name(),
            span: state.span,
            input: self.document,
            body,
            is_synthetic: false,
        })
    }

    fn body(&mut self, state: &State, shape: ShapeId, shapes: &[ShapeId]) -> Option<Body> {
        let mut steps = Vec::new();
        let span = state.span;
        let document = Expr::Local(self.document);
        match &state.kind {
            StateKind::Pass => {}
            StateKind::Push => {
                self.stack.push(shape, StackEntry::Params, document, span, &mut steps);
            }
            StateKind::Try { handler } => {
                self.stack.push(shape, StackEntry::Handler(handler.value.clone()), Expr::NULL, span, &mut steps);
            }
            StateKind::Let { symbol, value } => {
                let entry = StackEntry::Variable(symbol.value.as_str().into());
                self.stack.push(shape, entry, Expr::Literal(Literal::from(value)), span, &mut steps);
            }
            StateKind::Catch | StateKind::End => _ = self.stack.pop(state, shape, &mut self.workflow, &mut steps),
            StateKind::Pop => {
                let saved = self.stack.pop(state, shape, &mut self.workflow, &mut steps);
                let members = vec![("result".to_owned(), document), ("params".to_owned(), saved)];
                self.set(Expr::Object(members), span, &mut steps);
            }
            StateKind::Choice { then, otherwise } => {
                let saved = self.stack.pop(state, shape, &mut self.workflow, &mut steps);
                let value = member(document, "value");
                let way = |to: &Name| {
                    let mut steps = Vec::new();
                    self.set(saved.clone(), span, &mut steps);
                    Body { steps, next: Next::Goto(to.clone()) }
                };
                let condition = Expr::call(&IS_TRUE, vec![Arg::Maybe(value)]);
                let arm = Arm { condition, body: way(then), span: then.span, on_error: false };
                return Some(Body {
                    steps,
                    next: Next::Choose { arms: vec![arm], otherwise: Box::new(way(otherwise)) },
                });
            }
            StateKind::Value(value) => {
                let outcome = outcome(value);
                let raises = is_error(&outcome);
                self.set(Expr::Literal(outcome), value.span, &mut steps);
                if raises {
                    let raised = self.raise(shape, value.span);
                    steps.extend(raised.steps);
                    return Some(Body { steps, next: raised.next });
                }
                return Some(Body { steps, next: self.next(state) });
            }
            StateKind::Action(action) => {
                self.action(state, action, shape, &mut steps);
                return Some(self.task_body(state, shape, steps));
            }
            StateKind::Function(function) => {
                if let Some(method) = super::function::method(state, self.options) {
                    self.method(state, function, method, shape, &mut steps);
                    return Some(self.task_body(state, shape, steps));
                }
                let visible = Stack::visible(self.shapes, shapes);
                self.function(state, function, shape, &visible, &mut steps)?;
                return Some(self.task_body(state, shape, steps));
            }
        }
        Some(Body { steps, next: self.end_of_state(state) })
    }

    /// Returns the body of a Task state: an error object leads to the current handler.
    fn task_body(&mut self, state: &State, shape: ShapeId, steps: Vec<Step>) -> Body {
        let raised = self.raise(shape, state.span);
        let arm = Arm { condition: self.is_error(), body: raised, span: state.span, on_error: true };
        let otherwise = Box::new(Body::to(self.next(state)));
        Body { steps, next: Next::Choose { arms: vec![arm], otherwise } }
    }

    /// Returns the end of any other state. An execution that ends with an error object has failed.
    fn end_of_state(&self, state: &State) -> Next {
        match &state.next {
            Some(next) => Next::Goto(next.clone()),
            None => {
                let failed = Body::to(self.failure());
                let arm = Arm { condition: self.is_error(), body: failed, span: state.span, on_error: true };
                let otherwise = Box::new(Body::to(self.next(state)));
                Next::Choose { arms: vec![arm], otherwise }
            }
        }
    }

    fn next(&self, state: &State) -> Next {
        match state.followers().first() {
            Some(next) => Next::Goto((*next).clone()),
            None => Next::End(Expr::Local(self.document)),
        }
    }

    /// Returns the transition for an error object in the document: to the current handler, or to
    /// the end of the execution.
    fn raise(&mut self, shape: ShapeId, span: Span) -> Body {
        self.stack.raise(shape, span, self.failure())
    }

    fn failure(&self) -> Next {
        Next::FailWith(Expr::call(&FAILURE, vec![Arg::Owned(Expr::Local(self.document))]))
    }

    fn is_error(&self) -> Expr {
        Expr::call(&IS_ERROR, vec![Arg::Value(Expr::Local(self.document))])
    }

    fn action(&mut self, state: &State, action: &Text, shape: ShapeId, steps: &mut Vec<Step>) {
        let name = self.actions.name(&action.value);
        let task = Task {
            key: name.key,
            method: name.method,
            resource: action.value.clone(),
            state: state.name.value.clone(),
            span: action.span,
            is_function: false,
            operation: None,
            shapes: TaskShapes::default(),
        };
        self.invoke(task, shape, steps);
    }

    /// Lowers a function that a method of the program replaces. The name of the state is its task
    /// key.
    fn method(&mut self, state: &State, function: &Text, method: String, shape: ShapeId, steps: &mut Vec<Step>) {
        let task = Task {
            key: state.name.value.to_string(),
            resource: format!("self.{method}"),
            method,
            state: state.name.value.clone(),
            span: function.span,
            is_function: true,
            operation: None,
            shapes: TaskShapes::default(),
        };
        self.invoke(task, shape, steps);
    }

    fn invoke(&mut self, task: Task, shape: ShapeId, steps: &mut Vec<Step>) {
        let span = task.span;
        let id = self.workflow.tasks.push(task);
        let timeout = match self.options.default_task_timeout {
            DefaultTimeout::Seconds(seconds) => Some(Seconds::Fixed(f64::from(seconds))),
            DefaultTimeout::Dialect | DefaultTimeout::Unlimited => None,
        };
        let invoke = StepKind::Invoke(Box::new(Invoke {
            task: id,
            input: Expr::Local(self.document),
            template: InputTemplate::default(),
            timeout,
            heartbeat: None,
            credentials: None,
            callback: false,
            result: self.document,
        }));
        let invoke = Step { kind: invoke, span };
        match self.stack.can_be_caught(shape) {
            // Without a handler, the fault ends the execution unchanged.
            false => steps.push(invoke),
            true => {
                let caught = self.with_handler(shape, span, invoke);
                steps.push(caught);
            }
        }
        self.set(Expr::call(&OUTCOME, vec![Arg::Owned(Expr::Local(self.document))]), span, steps);
    }

    /// Returns a step that turns a fault of a task into an error object
    /// ([Q1](docs/composer.md#q1)).
    fn with_handler(&mut self, shape: ShapeId, span: Span, invoke: Step) -> Step {
        let workflow = &mut self.workflow;
        let fault = *self.fault.get_or_insert_with(|| workflow.add_local("fault", LocalKind::Fault, span));
        let mut steps = Vec::new();
        self.set(Expr::call(&ERROR_OBJECT, vec![Arg::Owned(Expr::Local(fault))]), span, &mut steps);
        let raised = self.raise(shape, span);
        steps.extend(raised.steps);
        let catcher = Catcher { errors: vec![ErrorMatch::Any], body: Body { steps, next: raised.next }, span };
        // A state has one attempt.
        let label = Label(0);
        let attempt = Try {
            label,
            body: Body { steps: vec![invoke], next: Next::Leave(label) },
            retriers: Vec::new(),
            retries: None,
            block_retries: Vec::new(),
            catchers: vec![catcher],
            fault,
            after: "go on",
        };
        Step { kind: StepKind::Try(Box::new(attempt)), span }
    }

    fn function(
        &mut self,
        state: &State,
        function: &Text,
        shape: ShapeId,
        visible: &[String],
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        let code = super::function::read(state, function, visible, self.options, self.diagnostics)?;
        self.workflow.programs.push(ProgramText { text: function.clone(), start: 0 });
        let script = ScriptId(self.workflow.scripts.len() as u32);
        let names = code.variables().to_vec();
        let variables = self.stack.variables(shape, &names);
        self.workflow.scripts.push(AuthoredScript { state: state.name.value.clone(), span: function.span, code });
        self.stack.load_variables(&variables, &names, function.span, steps);
        let run = Run { script, document: self.document, variables };
        let variables = run.variables.clone();
        steps.push(Step { kind: StepKind::Run(Box::new(run)), span: function.span });
        self.stack.store_variables(&variables, &names, function.span, steps);
        Some(())
    }

    /// Reports errors in a function that never runs.
    fn check_function(&mut self, state: &State) {
        if let StateKind::Function(function) = &state.kind {
            super::function::check_syntax(&state.name.value, function, self.options, self.diagnostics);
        }
    }

    fn set(&self, value: Expr, span: Span, steps: &mut Vec<Step>) {
        if value != Expr::Local(self.document) {
            steps.push(Step { kind: StepKind::Let { local: self.document, value }, span });
        }
    }
}

fn member(base: Expr, name: &str) -> Expr {
    let selectors = vec![Selector::Name(name.to_owned())];
    Expr::Find(Path { base: Box::new(base), segments: vec![Segment { descend: false, selectors }], strict: false })
}

/// Returns a constant as the outcome of a Task.
fn outcome(value: &Node) -> Literal {
    match Literal::from(value) {
        Literal::Object(members) => match members.iter().find(|(name, _)| name == "error") {
            Some(error) => Literal::Object(vec![error.clone()]),
            None => Literal::Object(members),
        },
        other => Literal::Object(vec![("value".to_owned(), other)]),
    }
}

fn is_error(outcome: &Literal) -> bool {
    matches!(outcome, Literal::Object(members) if members.iter().any(|(name, _)| name == "error"))
}
