//! Construction of workflows, and access to their scopes, locals and states.

use super::{Local, LocalId, OnTimeout, Scope, State, Workflow};
use crate::index::IndexVec;
use crate::model::{Correlation, ErrorNames, LocalKind, ScopeId};
use crate::source::Span;

impl Workflow {
    /// Creates an empty workflow. Its first local is called `data` and holds the input. It does
    /// not refuse dead ends.
    pub fn new(name: &str, dialect: &'static str, data: &str, span: Span) -> Self {
        Self {
            name: name.to_owned(),
            dialect,
            comment: None,
            version: None,
            metadata: None,
            id: None,
            span,
            scopes: IndexVec::new(),
            locals: vec![Local { name: data.to_owned(), kind: LocalKind::Value, span }].into(),
            reads: Vec::new(),
            paths: Vec::new(),
            programs: Vec::new(),
            tasks: IndexVec::new(),
            scripts: IndexVec::new(),
            input: LocalId(0),
            input_must_be_object: false,
            input_schema: None,
            output_schema: None,
            events: IndexVec::new(),
            correlation: Correlation::default(),
            starts_on: None,
            schedule: None,
            timeout: None,
            on_timeout: OnTimeout::Fail,
            error_names: ErrorNames::NEUTRAL,
            refuses_dead_ends: false,
            settings: Vec::new(),
        }
    }

    /// Returns the scope `id`.
    pub fn scope(&self, id: ScopeId) -> &Scope {
        &self.scopes[id]
    }

    /// Returns the local `id`.
    pub fn local(&self, id: LocalId) -> &Local {
        &self.locals[id]
    }

    /// Adds a local.
    pub fn add_local(&mut self, name: impl Into<String>, kind: LocalKind, span: Span) -> LocalId {
        self.locals.push(Local { name: name.into(), kind, span })
    }

    /// Iterates over the states of all scopes.
    pub fn states(&self) -> impl Iterator<Item = (ScopeId, &State)> {
        self.scopes.entries().flat_map(|(id, scope)| scope.states.iter().map(move |state| (id, state)))
    }
}
