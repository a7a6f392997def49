//! Inferred shapes as text and as JSON Schemas.

use super::{InferredShapes, StateShapes};
use crate::hir::Workflow;
use crate::literal::Literal;
use std::fmt::Write;

impl InferredShapes {
    /// Returns the shapes as text: for each state its input, its output and those
    /// known variables that more than one state uses.
    pub fn print(&self, workflow: &Workflow, state: Option<&str>) -> String {
        let mut out = String::new();
        for (scope, shapes) in workflow.scopes.iter().zip(&self.scopes) {
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
        for (scope, shapes) in workflow.scopes.iter().zip(&self.scopes) {
            let states = scope.states.iter().zip(&shapes.states);
            let states = states.filter(|(at, _)| state.is_none_or(|name| *at.name.value == *name));
            let states: Vec<_> =
                states.map(|(at, shapes)| (at.name.value.to_string(), schemas(shapes.as_ref()))).collect();
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
}

fn schemas(shapes: Option<&StateShapes>) -> Literal {
    // A state that is never entered has no input.
    let Some(shapes) = shapes else { return Literal::Object(vec![("input".to_owned(), Literal::Bool(false))]) };
    let variables = shapes.variables.iter().map(|(name, shape)| (name.clone(), shape.json_schema())).collect();
    Literal::Object(vec![
        ("input".to_owned(), shapes.input.json_schema()),
        ("variables".to_owned(), Literal::Object(variables)),
        ("output".to_owned(), shapes.output.json_schema()),
    ])
}
