//! Lowering of the AST to the HIR. Each stage of a state's data becomes steps on locals.
//!
//! The document of every scope is the local `d`. A state finds its raw input there and leaves its
//! output there. An inner scope starts with the locals of the state that it belongs to.

mod choice;
mod data;
mod distributed;
mod handlers;
mod jsonata;
mod map;
mod settings;
mod simple;
mod task;

use data::push_assign;

use super::ERROR_NAMES;
use super::ast::{self, QueryLanguage, StateKind, Transition};
use super::check;
use super::dialect::DIALECT;
use super::functions::VARIABLE;
use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics, suggest::did_you_mean};
use crate::dialects::asl::codes;
use crate::expr::jsonpath::Roots;
use crate::expr::{Arg, Expr, Literal, LocalId, Path, PathStep, Segment, Selector};
use crate::hir::{Body, Next, PathRead, Scope, State, Step, StepKind, Workflow};
use crate::model::{LocalKind, ScopeId};
use crate::source::{Span, Spanned};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Lowers a state machine. Returns `None` after reporting an expression that cannot be lowered.
pub fn lower(
    machine: &ast::StateMachine,
    name: &str,
    options: &Options,
    diagnostics: &mut Diagnostics,
) -> Option<Workflow> {
    let span = machine.scope.span;
    let input = LocalId(0);
    let workflow = Workflow {
        comment: machine.comment.clone(),
        timeout: machine.timeout.clone(),
        // AWS refuses such definitions with MISSING_TRANSITION_TARGET and MISSING_END_STATE
        // ([A8](docs/amazon-states-language.md#a8)).
        error_names: ERROR_NAMES,
        refuses_dead_ends: true,
        ..Workflow::new(name, DIALECT.name, "d", span)
    };
    let shared = BTreeMap::from([("d", input)]);
    let mut cx = Cx {
        workflow,
        options,
        diagnostics,
        shared,
        settings: BTreeMap::new(),
        labels: machine.scope.labels().into_iter().map(|label| label.value.clone()).collect(),
        label_numbers: BTreeMap::new(),
        hidden: Vec::new(),
        item_context: None,
        variables: Vec::new(),
        reads: RefCell::default(),
        paths: RefCell::default(),
        state: Arc::default(),
    };
    let before = cx.diagnostics.errors();
    cx.scope(&machine.scope, "the top level".to_owned(), None, Vec::new());
    cx.workflow.reads = cx.reads.take();
    cx.workflow.paths = cx.paths.take();
    Some(cx.workflow).filter(|_| cx.diagnostics.errors() == before)
}

/// Context and results of lowering.
struct Cx<'a> {
    workflow: Workflow,
    options: &'a Options,
    diagnostics: &'a mut Diagnostics,
    /// Locals that all states share, by name.
    shared: BTreeMap<&'static str, LocalId>,
    /// Locals of placeholders without a value, by name
    /// ([A10](docs/amazon-states-language.md#a10)).
    settings: BTreeMap<String, LocalId>,
    /// Labels of distributed Maps.
    labels: BTreeSet<String>,
    /// The last number that distinguishes generated labels, by their beginning.
    label_numbers: BTreeMap<String, u32>,
    /// Variables of the scope and of the scopes around it, outermost first.
    variables: Vec<BTreeMap<String, LocalId>>,
    /// The variables around each distributed Map that the lowered state is in, which it does not
    /// see.
    hidden: Vec<Vec<BTreeMap<String, LocalId>>>,
    /// The local of the context object in the selector of a distributed Map.
    item_context: Option<LocalId>,
    /// Reads of variables.
    reads: RefCell<Vec<(LocalId, Span)>>,
    /// Paths from locals.
    paths: RefCell<Vec<PathRead>>,
    /// Name of the state that is lowered now.
    state: Arc<str>,
}

/// Roots of a state's expressions: `$` is `document`.
struct StateRoots<'a> {
    document: LocalId,
    variables: &'a [BTreeMap<String, LocalId>],
    hidden: &'a [Vec<BTreeMap<String, LocalId>>],
    /// The context object.
    context: Expr,
    reads: &'a RefCell<Vec<(LocalId, Span)>>,
    paths: &'a RefCell<Vec<PathRead>>,
    /// `true` if an unassigned variable is absent (`IsPresent`). Otherwise, reading it is a fault.
    may_be_absent: bool,
}

impl Roots for StateRoots<'_> {
    fn document(&self) -> Expr {
        Expr::Local(self.document)
    }

    fn context(&self) -> Expr {
        self.context.clone()
    }

    fn note_path(&self, base: &Expr, steps: Vec<(PathStep, Span)>, names: Vec<(String, Span)>, span: Span) {
        let root = match base {
            Expr::Call(call) => call.args.first().and_then(Arg::as_local),
            other => other.as_local(),
        };
        let Some(base) = root else { return };
        self.paths.borrow_mut().push(PathRead { base, steps, names, span });
    }

    fn variable(&self, name: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Expr> {
        let innermost = self.variables.iter().rev().find_map(|scope| scope.get(name));
        let value = match innermost {
            Some(local) => {
                self.reads.borrow_mut().push((*local, span));
                Expr::Local(*local)
            }
            None => {
                report_unknown(name, span, (self.variables, self.hidden), diagnostics);
                nothing(name)
            }
        };
        if self.may_be_absent {
            return Some(value);
        }
        Some(Expr::call(&VARIABLE, vec![Arg::Maybe(value), Arg::Str(name.into())]))
    }
}

/// Variables that a state sees, and those around the distributed Maps that it is in.
type SeenAndHidden<'a> = (&'a [BTreeMap<String, LocalId>], &'a [Vec<BTreeMap<String, LocalId>>]);

/// Warns of a variable that no state assigns, or that belongs to another execution.
fn report_unknown(name: &str, span: Span, (seen, hidden): SeenAndHidden<'_>, diagnostics: &mut Diagnostics) {
    if hidden.iter().flatten().any(|scope| scope.contains_key(name)) {
        let message =
            format!("an execution of a distributed Map does not see the variable `{name}` of the outer scope");
        let help = "pass its value with `ItemSelector`, or with `BatchInput` of the `ItemBatcher`";
        return diagnostics.push(Diagnostic::new(&codes::WF0458, span, message).help(help));
    }
    let known = seen.iter().flat_map(|scope| scope.keys()).map(String::as_str);
    let message = format!("the variable `{name}` is not assigned in this scope or in an enclosing scope");
    diagnostics.push(
        Diagnostic::new(&codes::WF0458, span, message)
            .help("assign it in an earlier state with `Assign`")
            .maybe_help(did_you_mean(name, known)),
    );
}

/// Returns an expression that is always absent: a member of an empty object.
fn nothing(name: &str) -> Expr {
    let selectors = vec![Selector::Name(name.to_owned())];
    let base = Box::new(Expr::Literal(Literal::Object(Vec::new())));
    Expr::Find(Path { base, segments: vec![Segment { descend: false, selectors }], strict: false })
}

impl Cx<'_> {
    /// Returns the local of the document.
    fn document(&self) -> LocalId {
        self.workflow.input
    }

    /// Returns the local of this name that all states share.
    fn shared(&mut self, name: &'static str, kind: LocalKind, span: Span) -> LocalId {
        let workflow = &mut self.workflow;
        *self.shared.entry(name).or_insert_with(|| workflow.add_local(name, kind, span))
    }

    /// Returns the local of a placeholder without a value.
    fn setting(&mut self, name: &str, span: Span) -> LocalId {
        if let Some(local) = self.settings.get(name) {
            return *local;
        }
        let local = self.workflow.add_local(name, LocalKind::Value, span);
        self.workflow.settings.push((local, name.to_owned()));
        self.settings.insert(name.to_owned(), local);
        local
    }

    /// Lowers an expression whose `$` is `document`. Reports an expression that cannot be lowered,
    /// and returns `null` for it.
    fn expr(
        &mut self,
        document: LocalId,
        span: Span,
        read: impl FnOnce(&dyn Roots, &mut Diagnostics) -> Option<Expr>,
    ) -> Expr {
        let context = self.item_context.map_or(Expr::Context, Expr::Local);
        let (variables, hidden, reads, paths) = (&self.variables, &self.hidden, &self.reads, &self.paths);
        let roots = StateRoots { document, variables, hidden, context, reads, paths, may_be_absent: false };
        let lowered = read(&roots, self.diagnostics).unwrap_or(Expr::NULL);
        self.with_settings(lowered, span)
    }

    /// Returns the value of a path, which may be absent.
    fn presence(&mut self, document: LocalId, path: &ast::Path) -> Expr {
        let context = self.item_context.map_or(Expr::Context, Expr::Local);
        let (variables, hidden, reads, paths) = (&self.variables, &self.hidden, &self.reads, &self.paths);
        let roots = StateRoots { document, variables, hidden, context, reads, paths, may_be_absent: true };
        path.lower(&roots, self.diagnostics).map_or(Expr::NULL, |path| path.expr)
    }

    /// Lowers a scope and its inner scopes.
    fn scope(
        &mut self,
        scope: &ast::Scope,
        label: String,
        parent: Option<(ScopeId, Arc<str>)>,
        entry: Vec<Step>,
    ) -> ScopeId {
        let (start, span) = (scope.start.clone(), scope.span);
        let id = self.workflow.scopes.push(Scope { label, parent, entry, start, states: Vec::new(), span });
        let own = check::variables(scope);
        let own = own.into_iter().map(|(name, span)| {
            let local = self.workflow.add_local(name, LocalKind::Variable, span);
            (name.to_owned(), local)
        });
        let own = own.collect();
        self.variables.push(own);
        let states = scope.states.iter().map(|state| self.state(state, id)).collect();
        self.variables.pop();
        self.workflow.scopes[id].states = states;
        id
    }

    fn state(&mut self, state: &ast::State, scope: ScopeId) -> State {
        let around = std::mem::replace(&mut self.state, state.name.value.clone());
        let (kind, body) = match &state.kind {
            StateKind::Pass(pass) => ("Pass", self.pass(state, pass)),
            StateKind::Task(task) => ("Task", self.task(state, task)),
            StateKind::Choice(choice) => ("Choice", self.choice(state, choice)),
            StateKind::Wait(wait) => ("Wait", self.wait(state, wait)),
            StateKind::Succeed(flow) => ("Succeed", self.succeed(state, flow)),
            StateKind::Fail(fail) => ("Fail", self.fail(state, fail)),
            StateKind::Parallel(parallel) => ("Parallel", self.parallel(state, parallel, scope)),
            StateKind::Map(map) => ("Map", self.map(state, map, scope)),
        };
        self.state = around;
        let (name, comment, span) = (state.name.clone(), state.comment.clone(), state.span);
        State { name, comment, kind, span, input: self.document(), body, is_synthetic: false }
    }

    /// Lowers `Next` or `End`.
    fn next(&self, transition: &Transition) -> Next {
        match transition {
            Transition::Next(target) => Next::Goto(target.clone()),
            Transition::End => Next::End(Expr::Local(self.document())),
        }
    }

    /// Returns the body of a state with these steps and its `Next` or `End`.
    fn body(&self, steps: Vec<Step>, transition: &Transition) -> Body {
        Body { steps, next: self.next(transition) }
    }

    /// Shows the input after `InputPath`, which JSONata does not have.
    fn inspect_input(&self, language: QueryLanguage, local: LocalId, span: Span, steps: &mut Vec<Step>) {
        if language == QueryLanguage::JsonPath {
            self.inspect("afterInputPath", local, span, steps);
        }
    }

    /// Adds a step that shows a stage of a state's data to an inspector, if inspection is on.
    fn inspect(&self, stage: &'static str, local: LocalId, span: Span, steps: &mut Vec<Step>) {
        if self.options.inspect {
            steps.push(Step { kind: StepKind::Inspect { stage, value: Expr::Local(local) }, span });
        }
    }
}

/// Adds a step `local = value`, unless the local is the value.
fn set(local: LocalId, value: Expr, span: Span, steps: &mut Vec<Step>) {
    if value != Expr::Local(local) {
        steps.push(Step { kind: StepKind::Let { local, value }, span });
    }
}

/// Returns the transition to the state `target`.
fn goto(target: &Spanned<Arc<str>>) -> Next {
    Next::Goto(target.clone())
}
