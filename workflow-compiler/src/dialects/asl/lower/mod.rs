//! AST → HIR: every stage of a state's data becomes steps on locals.
//!
//! The document of every scope is the one local `d`: a state finds its raw input in it and leaves its output in it. A scope
//! inside starts with the locals of the state it belongs to.

mod choice;
mod data;
mod handlers;
mod map;
mod settings;
mod simple;
mod task;

use super::ast::{self, Kind, Transition};
use super::check;
use super::functions::VARIABLE;
use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes, suggest::did_you_mean};
use crate::expr::jsonpath::Roots;
use crate::expr::{Arg, Expr, Literal, LocalId, Path, Segment, Selector};
use crate::hir::{Body, LocalKind, Next, Scope, ScopeId, State, Step, StepKind, Workflow};
use crate::source::{Span, Spanned};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Lowers a state machine. `None` where an expression cannot be lowered, which has been reported then.
pub fn lower(machine: &ast::Machine, name: &str, options: &Options, diagnostics: &mut Diagnostics) -> Option<Workflow> {
    let span = machine.scope.span;
    let input = LocalId(0);
    let workflow = Workflow {
        comment: machine.comment.clone(),
        timeout: machine.timeout.clone(),
        // AWS does, by the names MISSING_TRANSITION_TARGET and MISSING_END_STATE (ruling A8).
        refuses_dead_ends: true,
        ..Workflow::new(name, "asl", "d", span)
    };
    let shared = BTreeMap::from([("d", input)]);
    let mut cx = Cx {
        workflow,
        options,
        diagnostics,
        shared,
        settings: BTreeMap::new(),
        variables: Vec::new(),
        reads: RefCell::default(),
    };
    let before = cx.diagnostics.errors();
    cx.scope(&machine.scope, "the top level".to_owned(), None, Vec::new());
    cx.workflow.reads = cx.reads.take();
    Some(cx.workflow).filter(|_| cx.diagnostics.errors() == before)
}

/// What lowering has made so far, and needs.
struct Cx<'a> {
    workflow: Workflow,
    options: &'a Options,
    diagnostics: &'a mut Diagnostics,
    /// The locals that all states share, by name.
    shared: BTreeMap<&'static str, LocalId>,
    /// The locals of placeholders without a value, by name (ruling A10).
    settings: BTreeMap<String, LocalId>,
    /// The variables of the scope and of those around it, from the outermost.
    variables: Vec<BTreeMap<String, LocalId>>,
    /// Where variables were read.
    reads: RefCell<Vec<(LocalId, Span)>>,
}

/// What expressions of a state start from: `$` is `document`.
struct StateRoots<'a> {
    document: LocalId,
    variables: &'a [BTreeMap<String, LocalId>],
    reads: &'a RefCell<Vec<(LocalId, Span)>>,
    /// Whether a variable that has not been assigned is absent, and no fault (`IsPresent`).
    may_be_absent: bool,
}

impl Roots for StateRoots<'_> {
    fn document(&self) -> Expr {
        Expr::Local(self.document)
    }

    fn variable(&self, name: &str, span: Span, diagnostics: &mut Diagnostics) -> Option<Expr> {
        let found = self.variables.iter().rev().find_map(|scope| scope.get(name));
        let value = match found {
            Some(local) => {
                self.reads.borrow_mut().push((*local, span));
                Expr::Local(*local)
            }
            None => {
                self.report_unknown(name, span, diagnostics);
                nothing(name)
            }
        };
        if self.may_be_absent {
            return Some(value);
        }
        Some(Expr::call(&VARIABLE, vec![Arg::Maybe(value), Arg::Str(name.into())]))
    }
}

impl StateRoots<'_> {
    fn report_unknown(&self, name: &str, span: Span, diagnostics: &mut Diagnostics) {
        let known = self.variables.iter().flat_map(|scope| scope.keys()).map(String::as_str);
        let message = format!("no state assigns the variable `{name}` in this scope or around it");
        diagnostics.push(
            Diagnostic::new(&codes::W0408, span, message)
                .help("assign it before, with `Assign`")
                .maybe_help(did_you_mean(name, known)),
        );
    }
}

/// What leads nowhere: a variable that does not exist is a member of an empty object.
fn nothing(name: &str) -> Expr {
    let selectors = vec![Selector::Name(name.to_owned())];
    let base = Box::new(Expr::Literal(Literal::Object(Vec::new())));
    Expr::Find(Path { base, segments: vec![Segment { descend: false, selectors }], strict: false })
}

impl Cx<'_> {
    /// The document.
    fn document(&self) -> LocalId {
        self.workflow.input
    }

    /// The local of this name that all states share.
    fn shared(&mut self, name: &'static str, kind: LocalKind, span: Span) -> LocalId {
        let workflow = &mut self.workflow;
        *self.shared.entry(name).or_insert_with(|| workflow.add_local(name, kind, span))
    }

    /// The local of a placeholder without a value.
    fn setting(&mut self, name: &str, span: Span) -> LocalId {
        if let Some(local) = self.settings.get(name) {
            return *local;
        }
        let local = self.workflow.add_local(name, LocalKind::Value, span);
        self.workflow.settings.push((local, name.to_owned()));
        self.settings.insert(name.to_owned(), local);
        local
    }

    /// Reads an expression whose `$` is `document`. What cannot be read has been reported; `null` stands for it then.
    fn expr(
        &mut self,
        document: LocalId,
        span: Span,
        read: impl FnOnce(&dyn Roots, &mut Diagnostics) -> Option<Expr>,
    ) -> Expr {
        let roots = StateRoots { document, variables: &self.variables, reads: &self.reads, may_be_absent: false };
        let found = read(&roots, self.diagnostics).unwrap_or(Expr::NULL);
        self.with_settings(found, span)
    }

    /// What a path leads to, if it leads anywhere.
    fn presence(&mut self, document: LocalId, path: &ast::Path) -> Expr {
        let roots = StateRoots { document, variables: &self.variables, reads: &self.reads, may_be_absent: true };
        path.lower(&roots, self.diagnostics).map_or(Expr::NULL, |path| path.expr)
    }

    /// Lowers a scope and those inside it.
    fn scope(
        &mut self,
        scope: &ast::Scope,
        label: String,
        parent: Option<(ScopeId, Arc<str>)>,
        entry: Vec<Step>,
    ) -> ScopeId {
        let id = ScopeId(self.workflow.scopes.len() as u32);
        let (start, span) = (scope.start.clone(), scope.span);
        self.workflow.scopes.push(Scope { label, parent, entry, start, states: Vec::new(), span });
        let own = check::variables(scope);
        let own = own.into_iter().map(|(name, span)| {
            let local = self.workflow.add_local(name, LocalKind::Variable, span);
            (name.to_owned(), local)
        });
        let own = own.collect();
        self.variables.push(own);
        let states = scope.states.iter().map(|state| self.state(state, id)).collect();
        self.variables.pop();
        self.workflow.scopes[id.0 as usize].states = states;
        id
    }

    fn state(&mut self, state: &ast::State, scope: ScopeId) -> State {
        let (kind, body) = match &state.kind {
            Kind::Pass(pass) => ("Pass", self.pass(state, pass)),
            Kind::Task(task) => ("Task", self.task(state, task)),
            Kind::Choice(choice) => ("Choice", self.choice(state, choice)),
            Kind::Wait(wait) => ("Wait", self.wait(state, wait)),
            Kind::Succeed(flow) => ("Succeed", self.succeed(state, flow)),
            Kind::Fail(fail) => ("Fail", self.fail(state, fail)),
            Kind::Parallel(parallel) => ("Parallel", self.parallel(state, parallel, scope)),
            Kind::Map(map) => ("Map", self.map(state, map, scope)),
        };
        let (name, comment, span) = (state.name.clone(), state.comment.clone(), state.span);
        State { name, comment, kind, span, input: self.document(), body, is_authored: true }
    }

    /// The way on by `Next` or `End`.
    fn next(&self, transition: &Transition) -> Next {
        match transition {
            Transition::Next(target) => Next::Goto(target.clone()),
            Transition::End => Next::End(Expr::Local(self.document())),
        }
    }

    /// The body of a state that does `steps` and goes on by `Next` or `End`.
    fn body(&self, steps: Vec<Step>, transition: &Transition) -> Body {
        Body { steps, next: self.next(transition) }
    }

    /// Shows a stage of a state's data to an inspector, where that is wanted.
    fn inspect(&self, stage: &'static str, local: LocalId, span: Span, steps: &mut Vec<Step>) {
        if self.options.inspect {
            steps.push(Step { kind: StepKind::Inspect { stage, value: Expr::Local(local) }, span });
        }
    }
}

/// `local = value`, unless it is that already.
fn set(local: LocalId, value: Expr, span: Span, steps: &mut Vec<Step>) {
    if value != Expr::Local(local) {
        steps.push(Step { kind: StepKind::Let { local, value }, span });
    }
}

/// To the state `target`.
fn goto(target: &Spanned<Arc<str>>) -> Next {
    Next::Goto(target.clone())
}
