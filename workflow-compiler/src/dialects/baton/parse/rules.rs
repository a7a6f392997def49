//! Parser of the rules of `choose`, `retry` and `catch`.

use super::super::ast::{CatchRule, ChooseRule, LegForm, RetryRule};
use super::super::codes as own;
use super::{BatonParseCx, all};
use crate::diagnostics::Diagnostic;
use crate::dialects::names::NameTable;
use crate::dialects::object::Object;
use crate::dialects::object::any_case::not_empty;
use crate::dialects::object::lenient::one_or_more;
use crate::dialects::object::values::text;
use crate::expr::jq::ResultMode;
use crate::model::ErrorMatch;
use crate::source::Span;
use crate::syntax::Node;

impl BatonParseCx<'_> {
    pub(super) fn choose(&mut self, object: &Object<'_>, names: &NameTable) -> Option<LegForm> {
        let rules = object.list("choose", self.diagnostics);
        let rules = rules.and_then(|rules| all(rules.iter().map(|node| self.choose_rule(node, names)).collect()));
        let otherwise = self.target(object, "else", names);
        Some(LegForm::Choose { rules: rules?, otherwise: otherwise? })
    }

    fn choose_rule(&mut self, node: &Node, names: &NameTable) -> Option<ChooseRule> {
        let object = Object::any_case(node, "a rule of `choose`", &["when", "next"], &[], self.diagnostics)?;
        let condition = self.formula(&object, "when", None, ResultMode::Test);
        let next = self.target(&object, "next", names);
        Some(ChooseRule { condition: condition?, next: next?, span: node.span })
    }

    /// Parses `retry`: a rule, or a list of rules.
    pub(super) fn retries(&mut self, object: &Object<'_>) -> Option<Vec<RetryRule>> {
        let nodes = object.get("retry").map(one_or_more).unwrap_or_default();
        let rules = all(nodes.iter().map(|node| self.retry(node)).collect())?;
        self.check_order(rules.iter().map(|rule| (&rule.errors[..], rule.span)));
        Some(rules)
    }

    fn retry(&mut self, node: &Node) -> Option<RetryRule> {
        let optional = &["errors", "factor"];
        let object = Object::any_case(node, "a rule of `retry`", &["times", "every"], optional, self.diagnostics)?;
        let errors = self.errors(&object);
        let times = object.whole("times", self.diagnostics);
        let every = object.duration("every", self.diagnostics);
        let factor = object.number("factor", 1.0, self.diagnostics).map_or(1.0, |factor| factor.value);
        Some(RetryRule { errors: errors?, times: times?.value, every: every?, factor, span: node.span })
    }

    /// Parses `catch`: a rule, or a list of rules.
    pub(super) fn catches(&mut self, object: &Object<'_>, names: &NameTable) -> Option<Vec<CatchRule>> {
        let nodes = object.get("catch").map(one_or_more).unwrap_or_default();
        let rules = all(nodes.iter().map(|node| self.catch(node, names)).collect())?;
        self.check_order(rules.iter().map(|rule| (&rule.errors[..], rule.span)));
        Some(rules)
    }

    fn catch(&mut self, node: &Node, names: &NameTable) -> Option<CatchRule> {
        let object = Object::any_case(node, "a rule of `catch`", &["next"], &["errors", "keep"], self.diagnostics)?;
        let errors = self.errors(&object);
        let keep = self.formula(&object, "keep", Some("error"), ResultMode::Value);
        let next = self.target(&object, "next", names);
        Some(CatchRule { errors: errors?, keep, next: next?, span: node.span })
    }

    /// Parses `errors`. Without it, a rule matches every error.
    fn errors(&mut self, object: &Object<'_>) -> Option<Vec<ErrorMatch>> {
        if !object.has("errors") {
            return Some(vec![ErrorMatch::Any]);
        }
        let nodes = object.list("errors", self.diagnostics)?;
        let error = |node: &Node| {
            let name = not_empty(text(node, "errors", self.diagnostics)?, "errors", self.diagnostics)?;
            Some(match &*name.value {
                "any" => ErrorMatch::Any,
                "timeout" => ErrorMatch::Timeout,
                other => ErrorMatch::Named(other.to_owned()),
            })
        };
        all(nodes.iter().map(error).collect())
    }

    /// Reports the rules after a rule that matches every error.
    fn check_order<'r>(&mut self, rules: impl Iterator<Item = (&'r [ErrorMatch], Span)>) {
        let mut rules = rules.skip_while(|(errors, _)| !errors.contains(&ErrorMatch::Any)).map(|(_, span)| span);
        let Some(first) = rules.next() else { return };
        for span in rules {
            self.diagnostics.push(
                Diagnostic::new(&own::WF1703, span.opening(), "this rule is never tried")
                    .related(first.opening(), "this rule matches every error")
                    .help("move it before the other rule, or remove it"),
            );
        }
    }
}
