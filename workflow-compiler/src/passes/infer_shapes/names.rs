//! The names of members that a definition writes or tests, or that descriptions have. A name that
//! is only read, and similar to a known one, is probably misspelt.

use crate::diagnostics::suggest::one_edit;
#[cfg(feature = "asl")]
use crate::expr::Program;
use crate::expr::{Arg, Call, Expr, PathStep, Selector};
use crate::hir::Workflow;
use crate::literal::Literal;
use crate::shapes::functions::{FunctionRule, rule};
use crate::shapes::{RecordShape, Shape};
use std::collections::BTreeSet;
#[cfg(feature = "asl")]
use workflow_jsonata::{BinaryOperator, Node, NodeKind, Path, Stage, StepKind};

/// The functions of JSONata that take an undefined value and distinguish it from others.
#[cfg(feature = "asl")]
const TESTS: [&str; 5] = ["exists", "boolean", "not", "count", "type"];
/// The functions of JSONata whose second argument is a test of each item.
#[cfg(feature = "asl")]
const FILTERS: [&str; 3] = ["filter", "sift", "single"];
/// The maximum number of shapes of descriptions that are searched for names.
const MOST_SHAPES: usize = 100_000;

/// The names of members that a workflow writes, those whose presence it tests, and those that
/// descriptions of its data have.
#[derive(Debug, Default)]
pub struct WrittenNames {
    names: BTreeSet<String>,
    /// The number of shapes that are still looked into.
    remaining: usize,
}

impl WrittenNames {
    /// Collects the names of a workflow.
    pub fn of(workflow: &Workflow) -> WrittenNames {
        let mut written = WrittenNames { remaining: MOST_SHAPES, ..WrittenNames::default() };
        workflow.walk_exprs(&mut |expr| expr.walk(&mut |part| written.add_expr(part)));
        for program in &workflow.programs {
            // A word in quotes may be the key of an object, or a name that is computed with.
            let quoted = program.text.value.split(['"', '\'', '`']).skip(1);
            written.names.extend(quoted.map(str::to_owned));
        }
        for shapes in workflow.tasks.iter().map(|task| &task.shapes) {
            let whole = shapes.whole.iter().map(|whole| &whole.input);
            [&shapes.input, &shapes.output, &shapes.documented].into_iter().chain(whole).for_each(|shape| {
                written.add_shape(shape);
            });
            written.names.extend(shapes.names.iter().cloned());
        }
        // An event has the attributes by which it is found.
        let attributes = workflow.events.iter().flat_map(|event| event.attributes.iter().map(|(name, _)| name));
        written.names.extend(attributes.chain(&workflow.correlation.attributes).cloned());
        for schema in workflow.input_schema.iter().chain(&workflow.output_schema) {
            written.names.extend(schema.member_names());
        }
        written
    }

    /// Returns the known member of an object that a name is probably meant to be. The object may
    /// have members that are not known.
    pub fn meant<'s>(&self, name: &str, object: &'s RecordShape) -> Option<&'s str> {
        let is_unknown = !self.names.contains(name) && self.remaining > 0;
        if !is_unknown || !object.rest.is_unknown() || object.fields.contains_key(name) {
            return None;
        }
        one_edit(name, object.names()).filter(|near| !are_siblings(name, near))
    }

    fn add_expr(&mut self, expr: &Expr) {
        match expr {
            Expr::Literal(literal) => self.add_literal(literal),
            Expr::Object(members) => self.names.extend(members.iter().map(|(name, _)| name.clone())),
            Expr::Call(call) => self.add_call(call),
            #[cfg(feature = "asl")]
            Expr::Apply(apply) => match *apply.program {
                Program::Jsonata(ref expression) => self.add_tests(expression.tree()),
                #[cfg(any(feature = "cel", feature = "jq"))]
                _ => {}
            },
            _ => {}
        }
    }

    fn add_call(&mut self, call: &Call) {
        if let Some(Arg::Edit(_)) = call.args.first() {
            self.add_steps(call);
        }
        for arg in &call.args {
            if let Arg::Schema(schema) = arg {
                self.names.extend(schema.member_names());
            }
        }
        let is_null = |arg: &Arg| {
            let (Arg::Value(inner) | Arg::Maybe(inner)) = arg else { return false };
            matches!(inner, Expr::Literal(Literal::Null))
        };
        let is_test = match rule(call.function.path) {
            FunctionRule::IsPresent | FunctionRule::HasMember(_) | FunctionRule::IsTrue => true,
            FunctionRule::Equality => call.args.iter().any(is_null),
            _ => false,
        };
        if !is_test {
            return;
        }
        // A test of a member that is not known is careful.
        for arg in &call.args {
            let (Arg::Value(tested) | Arg::Maybe(tested)) = arg else { continue };
            tested.walk(&mut |part| match part {
                Expr::Find(path) => {
                    let selectors = path.segments.iter().flat_map(|segment| &segment.selectors);
                    self.names.extend(selectors.filter_map(|selector| match selector {
                        Selector::Name(name) | Selector::NameThroughSingleton(name) => Some(name.clone()),
                        _ => None,
                    }));
                }
                Expr::Call(inner) => self.add_steps(inner),
                _ => {}
            });
        }
    }

    /// Adds the names on the path that is the second argument of a call.
    fn add_steps(&mut self, call: &Call) {
        match call.args.get(1) {
            Some(Arg::Strs(names)) => self.names.extend(names.iter().cloned()),
            Some(Arg::Steps(steps)) => self.names.extend(steps.iter().filter_map(|step| match step {
                PathStep::Key(name) => Some(name.clone()),
                PathStep::Index(_) => None,
            })),
            _ => {}
        }
    }

    /// Adds the names whose presence an expression in JSONata tests: those in the arguments of
    /// functions that take an undefined value, those that are compared with null, and those of
    /// paths that are conditions or predicates themselves.
    #[cfg(feature = "asl")]
    fn add_tests(&mut self, tree: &Node) {
        let is_null = |node: &Node| matches!(node.kind, NodeKind::Null);
        let calls = |callee: &Node, names: &[&str]| matches!(&callee.kind, NodeKind::Variable(name) if names.contains(&&**name));
        let mut tested = Vec::new();
        tree.walk(&mut |node| match &node.kind {
            NodeKind::Condition(condition) => tested.push(&condition.test),
            NodeKind::Binary(BinaryOperator::And | BinaryOperator::Or, left, right) => {
                tested.extend([&**left, &**right]);
            }
            NodeKind::Binary(BinaryOperator::Equal | BinaryOperator::Unequal, left, right) => {
                tested.extend(Some(&**left).filter(|_| is_null(right)));
                tested.extend(Some(&**right).filter(|_| is_null(left)));
            }
            NodeKind::Path(path) => {
                let stages = path.steps.iter().flat_map(|step| &step.stages);
                tested.extend(stages.filter_map(|stage| match stage {
                    Stage::Filter(predicate) => Some(predicate),
                    Stage::Index(_) => None,
                }));
            }
            NodeKind::Suffixed(suffixed) => tested.extend(&suffixed.predicates),
            NodeKind::Call(call) => {
                tested.extend(call.args.first().filter(|_| calls(&call.callee, &TESTS)));
                // After `~>` the test is the first argument.
                let is_filter = calls(&call.callee, &FILTERS);
                tested.extend(call.args.iter().take(2).filter_map(|arg| match &arg.kind {
                    NodeKind::Lambda(lambda) if is_filter => Some(&lambda.body),
                    _ => None,
                }));
            }
            NodeKind::Apply(value, function) => {
                let callee = if let NodeKind::Call(call) = &function.kind { &call.callee } else { &**function };
                tested.extend(Some(&**value).filter(|_| calls(callee, &TESTS)));
            }
            _ => {}
        });
        for path in tested {
            let Some(path) = path_of(path) else { continue };
            self.names.extend(path.steps.iter().filter_map(|step| match &step.kind {
                StepKind::Node(Node { kind: NodeKind::Name(name), .. }) => Some(name.to_string()),
                _ => None,
            }));
        }
    }

    fn add_literal(&mut self, literal: &Literal) {
        match literal {
            Literal::Object(members) => {
                for (name, value) in members {
                    self.names.insert(name.clone());
                    self.add_literal(value);
                }
            }
            Literal::Array(items) => items.iter().for_each(|item| self.add_literal(item)),
            _ => {}
        }
    }

    fn add_shape(&mut self, shape: &Shape) {
        let Some(kinds) = shape.kinds().filter(|_| self.remaining > 0) else { return };
        self.remaining -= 1;
        for (name, field) in kinds.object.iter().flat_map(|object| &object.fields) {
            self.names.insert(name.to_string());
            self.add_shape(&field.shape);
        }
        for element in kinds.array.iter().flat_map(|array| array.prefix.iter().chain([&array.rest])) {
            self.add_shape(element);
        }
    }
}

/// Returns the path whose value is that of an expression.
#[cfg(feature = "asl")]
fn path_of(node: &Node) -> Option<&Path> {
    match &node.kind {
        NodeKind::Path(path) => Some(path),
        NodeKind::Block(parts) => path_of(parts.last()?),
        NodeKind::Suffixed(suffixed) => path_of(&suffixed.base),
        _ => None,
    }
}

/// Returns `true` for two names that are similar because they mean similar things: one is the
/// plural of the other, or they differ in digits, or at their first letters.
fn are_siblings(left: &str, right: &str) -> bool {
    let letters = |name: &str| name.chars().filter(|letter| !letter.is_ascii_digit()).collect::<String>();
    let is_plural = |one: &str, many: &str| many.strip_suffix('s') == Some(one);
    let first = |name: &str| name.chars().next().map(|first| first.to_ascii_lowercase());
    is_plural(left, right) || is_plural(right, left) || letters(left) == letters(right) || first(left) != first(right)
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "schema-types")]
    use crate::schema::Schema;

    #[cfg(feature = "schema-types")]
    #[test]
    fn schemas_of_states_and_attributes_of_events_have_names() {
        use crate::expr::LocalId;
        use crate::model::AwaitedEvent;
        use crate::source::{FileId, Span};
        let span = Span::new(FileId(0), 0, 0);
        let mut workflow = Workflow::new("flow", "a dialect", "data", span);
        workflow.events.push(AwaitedEvent {
            name: "paid".to_owned(),
            subject: None,
            kind: None,
            source: None,
            attributes: vec![("region".to_owned(), "eu".to_owned())],
            correlation: None,
            span,
        });
        workflow.correlation.attributes.push("patient".to_owned());
        let mut written = WrittenNames::of(&workflow);
        let object = |members: Vec<(&str, Literal)>| {
            Literal::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect())
        };
        let schema = object(vec![("properties", object(vec![("recept", object(Vec::new()))]))]);
        written.add_expr(&Schema::of_tree(schema, span).check(Expr::Local(LocalId(0)), "the data"));
        let known: Vec<&str> = written.names.iter().map(String::as_str).collect();
        assert_eq!(known, ["patient", "recept", "region"]);
    }

    #[test]
    fn siblings_are_not_misspelt() {
        for (left, right) in [("items", "item"), ("step1", "step2"), ("v2", "v"), ("from", "form2"), ("name", "game")] {
            assert_eq!(are_siblings(left, right), left != "from", "{left} {right}");
        }
        for (left, right) in [("ammount", "amount"), ("Payload", "payload"), ("statsu", "status")] {
            assert!(!are_siblings(left, right), "{left} {right}");
        }
    }
}
