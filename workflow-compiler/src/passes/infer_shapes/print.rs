//! Inferred shapes as text and as JSON Schemas.

use super::{InferredShapes, StateShapes};
use crate::hir::{State, StepKind, Workflow};
use crate::literal::Literal;
use crate::shapes::Shape;
use std::fmt::Write;

impl InferredShapes {
    /// Returns the shapes as text: for each state its input, its output and those
    /// known variables that more than one state uses.
    pub fn print(&self, workflow: &Workflow, state: Option<&str>) -> String {
        let mut out = String::new();
        let selections = workflow.item_selections();
        let scopes = workflow.scopes.entries().zip(&self.scopes);
        for ((_, scope), shapes) in scopes.filter(|((at, _), _)| !selections.contains(at)) {
            let states = scope.states.iter().zip(&shapes.states);
            let mut has_label = false;
            for (at, shapes) in states.filter(|(at, _)| state.is_none_or(|name| *at.name.value == *name)) {
                if !std::mem::replace(&mut has_label, true) {
                    _ = writeln!(out, "{}:", scope.label);
                }
                _ = writeln!(out, "  {}", at.name.value);
                let Some(shapes) = shapes else {
                    _ = writeln!(out, "    never entered");
                    continue;
                };
                _ = writeln!(out, "    input: {}", shapes.input);
                for (name, shape) in &shapes.variables {
                    _ = writeln!(out, "    ${name}: {shape}");
                }
                if let Some(selected) = self.selected(at) {
                    _ = writeln!(out, "    selected: {selected}");
                }
                _ = writeln!(out, "    output: {}", shapes.output);
            }
            if state.is_none() {
                _ = writeln!(out, "  output: {}", shapes.output);
            }
        }
        out
    }

    /// Returns the shapes as JSON, an array with an object for each scope: its name, the schemas
    /// of the input, the output and the known variables of each state, and that of its output.
    pub fn json_schema(&self, workflow: &Workflow, state: Option<&str>) -> Literal {
        let mut scopes = Vec::new();
        let selections = workflow.item_selections();
        let entries = workflow.scopes.entries().zip(&self.scopes);
        for ((_, scope), shapes) in entries.filter(|((at, _), _)| !selections.contains(at)) {
            let states = scope.states.iter().zip(&shapes.states);
            let states = states.filter(|(at, _)| state.is_none_or(|name| *at.name.value == *name));
            let schemas = |(at, shapes): (&State, &Option<StateShapes>)| {
                (at.name.value.to_string(), schemas(shapes.as_ref(), self.selected(at)))
            };
            let states: Vec<_> = states.map(schemas).collect();
            if states.is_empty() {
                continue;
            }
            scopes.push(Literal::Object(vec![
                ("scope".to_owned(), Literal::String(scope.label.clone())),
                ("states".to_owned(), Literal::Object(states)),
                ("output".to_owned(), shapes.output.json_schema()),
            ]));
        }
        Literal::Array(scopes)
    }

    /// Returns the shape of what the executions of a distributed Map receive for an item, if the
    /// Map selects it.
    fn selected(&self, state: &State) -> Option<&Shape> {
        let mut scope = None;
        state.body.walk_steps(&mut |step| {
            if let StepKind::DistributedMap(map) = &step.kind {
                scope = map.selection.as_ref().map(|selection| selection.scope);
            }
        });
        Some(&self.scopes[scope?].output)
    }
}

fn schemas(shapes: Option<&StateShapes>, selected: Option<&Shape>) -> Literal {
    // A state that is never entered has no input.
    let Some(shapes) = shapes else { return Literal::Object(vec![("input".to_owned(), Literal::Bool(false))]) };
    let variables = shapes.variables.iter().map(|(name, shape)| (name.clone(), shape.json_schema())).collect();
    let mut schemas =
        vec![("input".to_owned(), shapes.input.json_schema()), ("variables".to_owned(), Literal::Object(variables))];
    schemas.extend(selected.map(|selected| ("selected".to_owned(), selected.json_schema())));
    schemas.push(("output".to_owned(), shapes.output.json_schema()));
    Literal::Object(schemas)
}
