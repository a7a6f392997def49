//! Parser from the spanned tree to the AST: the definition, branches and expressions. It reports
//! all errors in members, names and expressions.

mod leg;
mod rules;

use super::ast::{Baton, Course, Formula, Name};
use crate::Options;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::fields as codes};
use crate::dialects::names::NameTable;
use crate::dialects::object::Object;
use crate::dialects::object::any_case::not_empty;
use crate::expr::{Program, jq};
use crate::syntax::{Entry, Node, Text, wrong_type};
use std::sync::Arc;

/// Context of the parser.
struct BatonParseCx<'a> {
    /// `true` if an engine can evaluate expressions that are not translated.
    engine: bool,
    diagnostics: &'a mut Diagnostics,
}

/// Parses a definition. Returns `None` after reporting an error.
pub fn parse(definition: &Node, options: &Options, diagnostics: &mut Diagnostics) -> Option<Baton> {
    let mut cx = BatonParseCx { engine: options.engine.unwrap_or(cfg!(feature = "jq-engine")), diagnostics };
    let object = Object::any_case(definition, "a definition", &["baton", "start", "states"], &[], cx.diagnostics)?;
    let description = object.string("baton", cx.diagnostics);
    let course = cx.course(&object);
    Some(Baton { description: description?.value, course: course? })
}

impl BatonParseCx<'_> {
    /// Parses `start` and `states` of a definition or a branch.
    fn course(&mut self, object: &Object<'_>) -> Option<Course> {
        let start = object.name("start", self.diagnostics);
        let states = self.entries(object, "states")?;
        let mut names = NameTable::case_sensitive("state", "states");
        for (index, entry) in states.iter().enumerate() {
            names.define(&entry.key, index, self.diagnostics);
        }
        let start = start.and_then(|start| self.resolve(start, &names));
        // Every state is read, so that all errors are reported.
        let legs: Vec<_> = states.iter().map(|entry| self.leg(entry, &names)).collect();
        Some(Course { start: start?, legs: all(legs)?, span: object.span })
    }

    /// Parses a branch of a join.
    fn branch(&mut self, node: &Node) -> Option<Course> {
        let object = Object::any_case(node, "a branch", &["start", "states"], &[], self.diagnostics)?;
        self.course(&object)
    }

    /// Returns the members of the object `name`, which must have one at least, each with a name.
    fn entries<'a>(&mut self, object: &Object<'a>, name: &'static str) -> Option<&'a [Entry]> {
        let node = object.get(name)?;
        let Some(entries) = node.as_object() else {
            wrong_type(node, name, "an object", self.diagnostics);
            return None;
        };
        if entries.is_empty() {
            let help = "add a member with the name as its key";
            self.diagnostics.push(Diagnostic::new(&codes::WF0412, node.span, format!("`{name}` is empty")).help(help));
            return None;
        }
        let named = entries.iter().filter(|entry| not_empty(&entry.key, name, self.diagnostics).is_some());
        (named.count() == entries.len()).then_some(entries)
    }

    /// Parses the member `name`, which names a state.
    fn target(&mut self, object: &Object<'_>, name: &str, names: &NameTable) -> Option<Name> {
        let target = object.name(name, self.diagnostics)?;
        self.resolve(target, names)
    }

    fn resolve(&mut self, name: Name, names: &NameTable) -> Option<Name> {
        names.resolve(name, self.diagnostics).map(|reference| reference.name)
    }

    /// Parses the member `name`, an expression that can read one variable.
    fn formula(
        &mut self,
        object: &Object<'_>,
        name: &str,
        variable: Option<&str>,
        mode: jq::ResultMode,
    ) -> Option<Formula> {
        let text = object.text(name, self.diagnostics)?;
        self.compile(text, variable, mode)
    }

    fn compile(&mut self, text: &Text, variable: Option<&str>, mode: jq::ResultMode) -> Option<Formula> {
        let filter = jq::read(text, variable.as_slice(), mode, self.engine, self.diagnostics)?;
        let reads_variable = !filter.variables.is_empty();
        Some(Formula { program: Arc::new(Program::Jq(filter)), reads_variable, span: text.span })
    }
}

/// Returns the parts of a list, or `None` if one could not be read.
fn all<T>(parts: Vec<Option<T>>) -> Option<Vec<T>> {
    parts.into_iter().collect()
}
