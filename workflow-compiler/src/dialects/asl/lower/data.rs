//! Stages of a state's data: InputPath, Parameters, ResultSelector, ResultPath, OutputPath, Assign
//! (ASL §Input and Output Processing with JSONPath).

use super::jsonata::StatesLocals;
use super::{Cx, set};
use crate::dialects::asl::ast::{Assign, DataFlow, PayloadTemplate, QueryLanguage, ResultPath, Selection, State};
use crate::dialects::asl::functions::put;
use crate::expr::intrinsics;
use crate::expr::{Expr, Literal, LocalId};
use crate::hir::{Step, StepKind};
use crate::model::LocalKind;

impl Cx<'_> {
    /// Lowers `InputPath`, which writes its selection into `target`. Returns the local that holds
    /// the selection.
    pub fn input_path(&mut self, flow: &DataFlow, target: LocalId, steps: &mut Vec<Step>) -> LocalId {
        let document = self.document();
        self.select(flow.input_path.as_ref(), document, target, steps)
    }

    /// Lowers `InputPath` and `Parameters`, or `Arguments`, which write into `target`. Returns the
    /// local that holds the effective input.
    pub fn effective_input(
        &mut self,
        state: &State,
        flow: &DataFlow,
        target: LocalId,
        show: bool,
        steps: &mut Vec<Step>,
    ) -> LocalId {
        let selected = self.input_path(flow, target, steps);
        if flow.language == QueryLanguage::Jsonata {
            let Some(arguments) = &flow.parameters else { return selected };
            let payload = self.template(arguments, selected);
            set(target, payload, arguments.span(), steps);
            self.inspect("afterArguments", target, state.span, steps);
            return target;
        }
        if show || flow.input_path.is_some() {
            self.inspect("afterInputPath", selected, state.span, steps);
        }
        let Some(parameters) = &flow.parameters else {
            if show {
                self.inspect("afterParameters", selected, state.span, steps);
            }
            return selected;
        };
        let payload = self.template(parameters, selected);
        set(target, payload, parameters.span(), steps);
        self.inspect("afterParameters", target, state.span, steps);
        target
    }

    /// Lowers `ResultSelector`, `ResultPath`, `OutputPath` and `Assign` for the result in
    /// `result`. Returns the local that holds the output. Handlers receive the raw input. Of
    /// these stages only `ResultPath` has a fault that they catch, and then `asl::put` does not
    /// change the document.
    ///
    /// In `Assign`, `$` is the result itself (ASL §Using Assign), so that the result outlives the
    /// stages.
    pub fn output(&mut self, state: &State, flow: &DataFlow, result: LocalId, steps: &mut Vec<Step>) -> LocalId {
        let document = self.document();
        if flow.language == QueryLanguage::Jsonata {
            let states = StatesLocals { input: document, result: (result != document).then_some(result) };
            return self.computed_output(flow.output.as_ref(), flow.assign.as_ref(), states, result, steps);
        }
        let assignments = self.assignments(flow.assign.as_ref(), result, StatesLocals::of_input(document));
        let is_read = flow.assign.is_some() && result == document;
        let target = match is_read {
            true => self.shared("output", LocalKind::Value, state.span),
            false => document,
        };
        let mut effective = result;
        if let Some(selector) = &flow.result_selector {
            let payload = self.template(selector, result);
            effective = match flow.assign {
                Some(_) => self.shared("output", LocalKind::Value, state.span),
                None => result,
            };
            set(effective, payload, selector.span(), steps);
        }
        self.inspect("afterResultSelector", effective, state.span, steps);
        let merged = self.result_path(&flow.result_path, effective, target, steps);
        self.inspect("afterResultPath", merged, state.span, steps);
        let output = self.select(flow.output_path.as_ref(), merged, target, steps);
        push_assign(assignments, flow.assign.as_ref(), steps);
        output
    }

    /// Lowers `ResultPath`. Returns the local that holds the combination of the document and the
    /// result: `result`, the document, or `target` for a path into the document.
    pub fn result_path(
        &mut self,
        path: &ResultPath,
        result: LocalId,
        target: LocalId,
        steps: &mut Vec<Step>,
    ) -> LocalId {
        let document = self.document();
        match path {
            ResultPath::Replace => result,
            ResultPath::Discard => document,
            ResultPath::Put(path) => {
                let places = path.steps(self.diagnostics).unwrap_or_default();
                // A value that is put into the document cannot be the document itself, which is
                // edited in place.
                let inner = match result == document {
                    true => self.shared("result", LocalKind::Value, path.span()),
                    false => result,
                };
                set(inner, Expr::Local(result), path.span(), steps);
                set(target, put(document, places, inner), path.span(), steps);
                target
            }
        }
    }

    /// Lowers `InputPath` or `OutputPath` applied to `from`. Returns the local that holds the
    /// selection: `from` for an absent field or `$`, and `target` otherwise.
    pub fn select(
        &mut self,
        selection: Option<&Selection>,
        from: LocalId,
        target: LocalId,
        steps: &mut Vec<Step>,
    ) -> LocalId {
        match selection {
            None => from,
            Some(Selection::Nothing(span)) => {
                set(target, Expr::Literal(Literal::Object(Vec::new())), *span, steps);
                target
            }
            Some(Selection::Path(path)) if path.is_whole() => from,
            Some(Selection::Path(path)) => {
                let value = self.expr(from, path.span(), |roots, diagnostics| path.value(roots, diagnostics));
                set(target, value, path.span(), steps);
                target
            }
        }
    }

    /// Lowers a template whose input is in `document`.
    pub fn template(&mut self, template: &PayloadTemplate, document: LocalId) -> Expr {
        self.payload(template, document, StatesLocals::of_input(document))
    }

    /// Lowers a template. In JSONPath, `$` is `document`. In JSONata, `states` are the members of
    /// `$states`.
    pub fn payload(&mut self, template: &PayloadTemplate, document: LocalId, states: StatesLocals) -> Expr {
        match template {
            PayloadTemplate::JsonPath(node) => {
                self.expr(document, node.span, |roots, diagnostics| intrinsics::template(node, roots, diagnostics))
            }
            PayloadTemplate::Jsonata(template) => self.computed(&template.part, template.span, states),
        }
    }

    /// Lowers `Assign`. All values are those on entry to the state (ASL §Assigning State Machine
    /// Variables).
    pub fn assign(&mut self, assign: Option<&Assign>, document: LocalId, steps: &mut Vec<Step>) {
        let assignments = self.assignments(assign, document, StatesLocals::of_input(document));
        push_assign(assignments, assign, steps);
    }

    /// Returns the variables of an `Assign` with their values.
    pub fn assignments(
        &mut self,
        assign: Option<&Assign>,
        document: LocalId,
        states: StatesLocals,
    ) -> Vec<(LocalId, Expr)> {
        let Some(assign) = assign else { return Vec::new() };
        let values = match self.payload(&assign.values, document, states) {
            Expr::Object(members) => members,
            Expr::Literal(Literal::Object(members)) => {
                members.into_iter().map(|(name, value)| (name, Expr::Literal(value))).collect()
            }
            _ => Vec::new(),
        };
        let own = self.variables.last();
        values.into_iter().filter_map(|(name, value)| Some((*own?.get(&name)?, value))).collect()
    }

    /// Leaves the output in the document.
    pub fn leave(&self, state: &State, output: LocalId, steps: &mut Vec<Step>) {
        set(self.document(), Expr::Local(output), state.span, steps);
    }
}

/// Adds the step that assigns the variables, if there are any.
pub fn push_assign(assignments: Vec<(LocalId, Expr)>, assign: Option<&Assign>, steps: &mut Vec<Step>) {
    if let (Some(assign), false) = (assign, assignments.is_empty()) {
        steps.push(Step { kind: StepKind::Assign(assignments), span: assign.span });
    }
}
