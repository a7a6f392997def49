//! Lowering of distributed Map states.

use super::{Cx, set};
use crate::dialects::asl::ast::{
    Distributed, ItemBatcher, ItemReader, Map, PayloadTemplate, QueryLanguage, ReaderConfig, ResultWriter, State,
};
use crate::dialects::asl::functions::{
    CAPTURED, COMPUTED_BATCH_LIMIT, COMPUTED_MAX_ITEMS, ELEMENT_MEMBER, ITEM_CONTEXT, MAX_INPUT_BYTES_PATH,
    MAX_ITEMS_PATH, MAX_ITEMS_PER_BATCH_PATH, VALUE_IN_SCOPE, VARIABLE, VARIABLE_IN_SCOPE,
};
use crate::dialects::asl::parse::map::LONGEST_LABEL;
use crate::expr::intrinsics::functions::REQUIRE_FIELD;
use crate::expr::{Arg, Expr, Literal, LocalId, Segment, Selector};
use crate::hir::{Body, DistributedMap, ItemSelection, Next, Scope, State as HirState, Step, StepKind};
use crate::model::{LocalKind, ScopeId};
use crate::source::{Span, Spanned};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use workflow_jsonata::Facts;

/// Members of `$$.Map.Item`, each with that of the element.
const ITEM_MEMBERS: [(&str, &str); 4] = [("Value", "value"), ("Index", "index"), ("Key", "key"), ("Source", "source")];

/// The member of the context object that has the item.
const OF_ITEM: &str = "Map";

/// The members that the context object of every Map state has beside `Map`.
const CONTEXT_MEMBERS: [&str; 3] = ["Execution", "State", "StateMachine"];

/// Limits of a Map state, each a call that yields a checked number.
pub struct Limits {
    /// `MaxConcurrency`.
    pub limit: Option<Expr>,
    /// `ToleratedFailureCount`.
    pub tolerated_count: Option<Expr>,
    /// `ToleratedFailurePercentage`.
    pub tolerated_percentage: Option<Expr>,
}

/// The scope and the locals around a distributed Map.
pub struct Around {
    /// The scope of the Map state.
    pub scope: ScopeId,
    /// The local of the effective input.
    pub input: LocalId,
    /// The local of the items, if they are not those of a reader.
    pub items: Option<LocalId>,
}

/// The values that a selector reads beside the item, as the Map captures them.
#[derive(Default)]
struct Captures {
    /// The captured values, in the order of the `scope`.
    values: Vec<Expr>,
    /// The local of each value in the scope of the selector, by its local outside.
    locals: BTreeMap<LocalId, LocalId>,
    /// The locals that are the selector's own.
    own: BTreeSet<LocalId>,
    /// The index of each variable that may be unassigned.
    variables: BTreeMap<LocalId, Arg>,
}

impl Cx<'_> {
    /// Lowers the run of a distributed Map. Its iterations are executions of their own, which see
    /// no variables of this one.
    pub fn distributed(
        &mut self,
        state: &State,
        map: &Map,
        distributed: &Distributed,
        around: Around,
        limits: Limits,
    ) -> Step {
        let result = self.shared("result", LocalKind::Value, state.span);
        let input = self.shared("input", LocalKind::Value, state.span);
        let mut settings = Vec::new();
        let mut setting = |name: &str, value: Option<Expr>| {
            settings.extend(value.map(|value| (name.to_owned(), value)));
        };
        setting("items", around.items.map(Expr::Local));
        let reader = distributed.reader.as_ref();
        setting("reader", reader.map(|reader| self.reader(reader, around.input)));
        let config = reader.and_then(|reader| reader.config.as_ref());
        setting("config", config.map(|config| self.reader_config(config, around.input)));
        setting("batcher", distributed.batcher.as_ref().map(|batcher| self.batcher(batcher, around.input)));
        setting("writer", distributed.writer.as_ref().map(|writer| self.writer(writer, around.input)));
        setting("concurrency", limits.limit);
        setting("tolerated_count", limits.tolerated_count);
        setting("tolerated_percentage", limits.tolerated_percentage);
        let parent = Some((around.scope, state.name.value.clone()));
        let label = format!("the item processor of `{}`", state.name.value);
        let mut entry = Vec::new();
        set(self.document(), Expr::Local(input), map.processor.span, &mut entry);
        let outer = std::mem::take(&mut self.variables);
        self.hidden.push(outer);
        let body = self.scope(&map.processor, label, parent.clone(), entry);
        self.variables = self.hidden.pop().unwrap_or_default();
        let selection = map.selector.as_ref().map(|selector| {
            let (selection, scope) = self.selection(state, selector, map.flow.language, around.input, parent);
            if !scope.is_empty() {
                settings.push(("scope".to_owned(), Expr::Array(scope)));
            }
            selection
        });
        let label = match &distributed.label {
            Some(label) => label.value.clone(),
            None => self.generated_label(&state.name.value),
        };
        let reader = reader.map(|reader| reader.kind);
        let has_writer = distributed.writer.as_ref().is_some_and(|writer| writer.arguments.is_some());
        let settings = Expr::Object(settings);
        let map = DistributedMap { label, body, input, selection, reader, has_writer, settings, result };
        Step { kind: StepKind::DistributedMap(Box::new(map)), span: state.span }
    }

    fn reader(&mut self, reader: &ItemReader, input: LocalId) -> Expr {
        self.template(&reader.arguments, input)
    }

    fn reader_config(&mut self, config: &ReaderConfig, input: LocalId) -> Expr {
        let constants = config.constants.iter().map(|(name, node)| {
            let value = self.with_settings(Expr::Literal(Literal::from(node)), node.span);
            (name.clone(), value)
        });
        let mut members: Vec<(String, Expr)> = constants.collect();
        let max_items = self.amount(config.max_items.as_ref(), &MAX_ITEMS_PATH, &COMPUTED_MAX_ITEMS, input);
        members.extend(max_items.map(|value| ("MaxItems".to_owned(), value)));
        Expr::Object(members)
    }

    fn batcher(&mut self, batcher: &ItemBatcher, input: LocalId) -> Expr {
        let mut members = Vec::new();
        if let Some(batch_input) = &batcher.input {
            members.push(("BatchInput".to_owned(), self.template(batch_input, input)));
        }
        let items = self.amount(batcher.max_items.as_ref(), &MAX_ITEMS_PER_BATCH_PATH, &COMPUTED_BATCH_LIMIT, input);
        members.extend(items.map(|value| ("MaxItemsPerBatch".to_owned(), value)));
        let bytes = self.amount(batcher.max_bytes.as_ref(), &MAX_INPUT_BYTES_PATH, &COMPUTED_BATCH_LIMIT, input);
        members.extend(bytes.map(|value| ("MaxInputBytesPerBatch".to_owned(), value)));
        Expr::Object(members)
    }

    fn writer(&mut self, writer: &ResultWriter, input: LocalId) -> Expr {
        let mut members = Vec::new();
        if let Some(arguments) = &writer.arguments {
            members.push(("Parameters".to_owned(), self.template(arguments, input)));
        }
        if let Some(config) = &writer.config {
            members.push(("WriterConfig".to_owned(), Expr::Literal(Literal::from(config))));
        }
        Expr::Object(members)
    }

    /// Lowers `ItemSelector` to a scope that ends with the selected value. It is entered for each
    /// item, so that it reads the input of the state, variables and the context object from what
    /// the Map has captured. Returns the captured values, too.
    fn selection(
        &mut self,
        state: &State,
        selector: &PayloadTemplate,
        language: QueryLanguage,
        input: LocalId,
        parent: Option<(ScopeId, Arc<str>)>,
    ) -> (ItemSelection, Vec<Expr>) {
        let span = selector.span();
        let item = self.workflow.add_local("element", LocalKind::Value, span);
        let context = self.workflow.add_local("context", LocalKind::Value, span);
        self.item_context = Some(context);
        let mut value = self.template(selector, input);
        self.item_context = None;
        read_element(&mut value, item, context);
        let mut captures = Captures::default();
        let mut entry = Vec::new();
        if value.locals().contains(&context) {
            let captured = captures.add(captured_context(selector));
            let call = Expr::call(&ITEM_CONTEXT, vec![Arg::Value(Expr::Local(item)), captured]);
            set(context, call, span, &mut entry);
        }
        self.capture(&mut value, (item, context), language, &mut captures, &mut entry);
        let (document, name) = (self.document(), Spanned::new(Arc::from("ItemSelector"), span));
        let mut steps = Vec::new();
        set(document, value, span, &mut steps);
        self.inspect("afterItemSelector", document, state.span, &mut steps);
        let only = HirState {
            name: name.clone(),
            comment: None,
            kind: "",
            span,
            input: item,
            body: Body { steps, next: Next::End(Expr::Local(document)) },
            is_synthetic: true,
        };
        let label = format!("the item selector of `{}`", state.name.value);
        let scope = Scope { label, parent, entry, start: name, states: vec![only], span };
        let scope = self.workflow.scopes.push(scope);
        (ItemSelection { scope, input: item }, captures.values)
    }

    /// Replaces the locals of a selector by those that hold the captured values. The locals in
    /// `own` are the selector's.
    fn capture(
        &mut self,
        value: &mut Expr,
        own: (LocalId, LocalId),
        language: QueryLanguage,
        captures: &mut Captures,
        entry: &mut Vec<Step>,
    ) {
        let item = Arg::Value(Expr::Local(own.0));
        let span = self.workflow.local(own.0).span;
        captures.own.extend([own.0, own.1]);
        captures.own.extend(self.settings.values());
        value.walk_mut(&mut |inner| {
            // A variable without a value is a failure of the item, so that no items have none.
            if let Expr::Call(call) = inner
                && call.function == &VARIABLE
                && let [Arg::Maybe(variable @ Expr::Local(_)), _] = &mut call.args[..]
                && let Some(local) = variable.as_local()
            {
                *variable = Expr::call(&VARIABLE_IN_SCOPE, vec![item.clone(), captures.variable(local)]);
            }
        });
        value.walk_mut(&mut |inner| {
            let Expr::Local(local) = *inner else { return };
            if captures.own.contains(&local) {
                return;
            }
            *inner = match self.workflow.local(local).kind {
                LocalKind::Variable if language == QueryLanguage::Jsonata => {
                    let at = captures.variable(local);
                    Expr::call(&VARIABLE_IN_SCOPE, vec![item.clone(), at])
                }
                _ => Expr::Local(self.captured(local, Expr::Local(local), &item, span, captures, entry)),
            };
        });
    }

    /// Returns the local of a selector that holds a captured value.
    fn captured(
        &mut self,
        local: LocalId,
        value: Expr,
        item: &Arg,
        span: Span,
        captures: &mut Captures,
        entry: &mut Vec<Step>,
    ) -> LocalId {
        if let Some(inside) = captures.locals.get(&local) {
            return *inside;
        }
        let name = match local == self.document() {
            true => "input".to_owned(),
            false => self.workflow.local(local).name.clone(),
        };
        let inside = self.workflow.add_local(name, LocalKind::Value, span);
        captures.locals.insert(local, inside);
        captures.own.insert(inside);
        set(inside, Expr::call(&VALUE_IN_SCOPE, vec![item.clone(), captures.add(value)]), span, entry);
        inside
    }

    /// Returns the label of a Map without `Label`: the letters, digits, `-` and `_` of the state's
    /// name. A number distinguishes it from other labels.
    fn generated_label(&mut self, name: &str) -> String {
        let kept = name.chars().filter(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
        let mut label: String = kept.take(LONGEST_LABEL).collect();
        if label.is_empty() {
            label.push_str("Map");
        }
        let base = label.clone();
        while !self.labels.insert(label.clone()) {
            let number = self.label_numbers.entry(base.clone()).or_insert(1);
            *number += 1;
            let suffix = format!("-{number}");
            label = base.chars().take(LONGEST_LABEL - suffix.len()).collect();
            label.push_str(&suffix);
        }
        label
    }
}

/// Lets paths that begin with `$$.Map.Item` start from the element, so that the context object is
/// captured only where other members of it are read, and the input only where a path may lead
/// nowhere: the failure shows it.
fn read_element(value: &mut Expr, element: LocalId, context: LocalId) {
    value.walk_mut(&mut |inner| {
        let (Expr::Find(path) | Expr::Select(path)) = inner else { return };
        let member = match (*path.base == Expr::Local(context), &path.segments[..]) {
            (true, [map, item, member, ..]) if name(map) == Some("Map") && name(item) == Some("Item") => name(member),
            _ => None,
        };
        let of_element = ITEM_MEMBERS.iter().find(|(of_item, _)| Some(*of_item) == member);
        if let Some((_, of_element)) = of_element {
            path.segments.drain(..2);
            path.segments[0].selectors = vec![Selector::Name((*of_element).to_owned())];
            *path.base = Expr::Local(element);
        }
    });
    value.walk_mut(&mut |inner| {
        if let Expr::Call(call) = inner
            && call.function == &REQUIRE_FIELD
            && let Some(Arg::Maybe(Expr::Find(path))) = call.args.first()
            && *path.base == Expr::Local(element)
            && let [segment] = &path.segments[..]
            && let Some(member @ ("value" | "index")) = name(segment)
        {
            let args = vec![Arg::Value(Expr::Local(element)), Arg::Str(member.into())];
            *inner = Expr::call(&ELEMENT_MEMBER, args);
        }
    });
}

/// Returns what a selector reads of the context object beside `Map`, which each item has. The
/// expressions of JSONata read some members of an object; the whole object has the input of the
/// execution, too.
fn captured_context(selector: &PayloadTemplate) -> Expr {
    let PayloadTemplate::Jsonata(template) = selector else { return Expr::Context };
    let mut read = BTreeSet::new();
    let mut is_whole = false;
    template.part.walk(&mut |expression| {
        let facts = Facts::of(expression.expression.tree());
        is_whole |= facts.reads_whole_context;
        read.extend(facts.context);
    });
    read.remove(OF_ITEM);
    if is_whole || read.iter().any(|name| !CONTEXT_MEMBERS.contains(&&**name)) {
        return Expr::Context;
    }
    let member = |name: Arc<str>| {
        let args = vec![Arg::Value(Expr::Context), Arg::Str((*name).into())];
        (name.to_string(), Expr::call(&ELEMENT_MEMBER, args))
    };
    Expr::Object(read.into_iter().map(member).collect())
}

/// Returns the name that a step of a path selects.
fn name(segment: &Segment) -> Option<&str> {
    match &segment.selectors[..] {
        [Selector::Name(name)] if !segment.descend => Some(name),
        _ => None,
    }
}

impl Captures {
    /// Adds a value. Returns its index as an argument.
    fn add(&mut self, value: Expr) -> Arg {
        self.values.push(value);
        // A definition has fewer than 2^63 values.
        Arg::Int(self.values.len() as i64 - 1)
    }

    /// Adds a variable that may be unassigned, once. Returns its index as an argument.
    fn variable(&mut self, local: LocalId) -> Arg {
        if let Some(known) = self.variables.get(&local) {
            return known.clone();
        }
        let at = self.add(Expr::call(&CAPTURED, vec![Arg::Maybe(Expr::Local(local))]));
        self.variables.insert(local, at.clone());
        at
    }
}
