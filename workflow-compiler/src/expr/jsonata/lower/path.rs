//! Paths: names in a row, and steps that are loops.

use super::callees::Reading;
use super::filter::position;
use super::hint::{hint, of_name, of_path, singular};
use super::scope::{Bound, ContextItem, JsonataEnv, Meaning};
use super::{Lowering, Res, Yield, callees, untranslated};
use crate::expr::core::{Atom, CoreArgument, CoreLocalId, CoreType};
use workflow_jsonata::{BinaryOperator, Node, NodeKind, Number, Path, Stage, Step, StepKind};

/// The value that a path has so far, and the names that are not yet read.
pub(super) struct Place {
    source: Source,
    names: Vec<String>,
}

/// The begin of a path.
struct Start {
    place: Place,
    /// The value of the first steps, if it is not only a place.
    result: Option<Yield>,
    /// The first step that is left.
    from: usize,
}

impl Start {
    fn new(source: Source, from: usize) -> Start {
        Start { place: Place { source, names: Vec::new() }, result: None, from }
    }
}

/// The value that names are read from.
enum Source {
    /// A variable of the workflow, or a member of `$states`.
    Variable(CoreLocalId),
    /// The value of a part.
    Value(Atom),
    /// A variable of the expression, which is the first step of the path.
    Local(Atom),
}

impl<'n> Lowering<'n> {
    /// Lowers a path.
    pub(super) fn path(&mut self, path: &'n Path, env: &JsonataEnv) -> Res<Yield> {
        let is_joined =
            |step: &Step| step.is_tuple || step.focus.is_some() || step.index.is_some() || !step.ancestors.is_empty();
        if path.is_tuple || path.steps.iter().any(is_joined) {
            return untranslated("a join, or the parent of an item");
        }
        if path.steps.iter().flat_map(|step| &step.stages).any(|stage| matches!(stage, Stage::Index(_))) {
            return untranslated("a variable for positions");
        }
        self.count_steps(path.steps.iter().map(|step| 1 + step.stages.len()).sum())?;
        for step in &path.steps {
            if let StepKind::Node(Node { kind: NodeKind::Name(name), .. }) = &step.kind {
                self.count_text(name)?;
            }
        }
        // The evaluator reads names one level deeper, and leaves it before the other steps.
        self.nest(|_| Ok(()))?;
        let value = self.steps(path, env)?;
        match &path.group {
            Some(group) => self.grouped(&group.members, Some(&value.atom), env).map(Yield::value),
            None => Ok(value),
        }
    }

    /// Lowers the steps of a path. A path with a group keeps its last value as a sequence.
    fn steps(&mut self, path: &'n Path, env: &JsonataEnv) -> Res<Yield> {
        let Some(Start { mut place, mut result, from }) = self.first(path, env)? else {
            return Ok(Yield::value(self.nothing()));
        };
        // A predicate of a member of `$states` yields a sequence, unless it is a position.
        let mut yields_element = result.as_ref().is_some_and(|value| !value.is_sequence);
        for (at, step) in path.steps.iter().enumerate().skip(from) {
            let is_element = std::mem::take(&mut yields_element);
            if let Some(value) = result.take() {
                place = Place { source: Source::Value(value.atom), names: Vec::new() };
            }
            let is_last = at + 1 == path.steps.len();
            if let StepKind::Node(Node { kind: NodeKind::Name(name), .. }) = &step.kind {
                let keeps = is_last && path.keeps_array;
                if let Source::Value(value) | Source::Local(value) = &place.source {
                    self.check_flat(value)?;
                }
                // An array that a path does not flatten is one item.
                if let Source::Local(value) = &place.source
                    && self.has_constructed
                {
                    place.source = Source::Value(self.call_of("items", callees::FIRST_STEP, &[value]));
                }
                match &step.stages[..] {
                    [] if !step.keeps_array || is_last => {
                        place.names.push(name.to_string());
                        continue;
                    }
                    [Stage::Filter(predicate)] if !keeps && !step.keeps_array => {
                        if let Some(position) = position(predicate) {
                            place.names.push(name.to_string());
                            result = Some(self.element(&place, position, &path.steps[at + 1..]));
                            yields_element = true;
                            continue;
                        }
                        // The first step is evaluated for nothing, too.
                        if at > 0 && self.is_condition(predicate, env) {
                            place.names.push(name.to_string());
                            result = Some(self.chosen(&place, predicate, env)?);
                            continue;
                        }
                    }
                    _ => {}
                }
            }
            result = Some(match &step.kind {
                // An empty array at a position of an order ends the path, and is its value.
                StepKind::Sort(_) if !is_last && !step.stages.is_empty() => {
                    return untranslated("a position or predicate of an order before the end of a path");
                }
                // The value at a position of an order is no sequence that stays one.
                StepKind::Sort(_) if path.keeps_array && ends_in_position(step) => {
                    return untranslated("`[]` after a position");
                }
                StepKind::Sort(terms) => {
                    let mut input = self.input(&place)?;
                    if place.names.is_empty() && is_element {
                        input = self.call_of("items", callees::FIRST_STEP, &[&input]);
                    }
                    let value = self.sorted(&input, terms, env)?;
                    self.after_predicates(value, step, env)?
                }
                StepKind::Node(node) => self.step(path, at, node, &place, env)?,
            });
        }
        let hint = of_path(path);
        match result {
            None if place.names.is_empty() && !path.keeps_array => Ok(Yield::value(self.whole(&place, &hint))),
            None if path.group.is_some() => Ok(Yield::value(self.read(callees::FIND_STEP, &place, &[], &hint))),
            None if path.keeps_array => Ok(Yield::value(self.read(callees::FIND_ALL, &place, &[], &hint))),
            None => Ok(Yield::value(self.read(callees::FIND, &place, &[], &hint))),
            Some(value) if path.keeps_array => Ok(Yield::value(self.call_of(&hint, callees::ALL, &[&value.atom]))),
            Some(value) => Ok(value),
        }
    }

    /// Lowers the begin of a path, up to its first step that is left. Returns nothing if the path
    /// has no value.
    fn first(&mut self, path: &'n Path, env: &JsonataEnv) -> Res<Option<Start>> {
        let at = |source| Ok(Some(Start::new(source, 1)));
        let from_context = |context: &ContextItem| context.input().map(|item| Source::Value(item.clone()));
        match path.steps.first().and_then(plain) {
            Some(NodeKind::Variable(name)) => match self.meaning(name, env.frame) {
                Meaning::Bound(Bound::Value(value)) => {
                    self.count_literal(&value)?;
                    at(Source::Local(value))
                }
                Meaning::Bound(Bound::Function(_)) | Meaning::Native(_) => {
                    untranslated(format!("the function `${name}` as a value"))
                }
                Meaning::Variable(local) => at(Source::Variable(local)),
                Meaning::States => self.member_of_states(path, env),
                Meaning::Unknown => Ok(None),
            },
            Some(NodeKind::Context) => match env.context.item() {
                Some(item) => at(Source::Local(item.clone())),
                None => Ok(None),
            },
            Some(NodeKind::Root) => match self.document.clone() {
                Some(document) => at(Source::Local(document)),
                None => Ok(None),
            },
            Some(NodeKind::Name(_)) => Ok(from_context(&env.context).map(|source| Start::new(source, 0))),
            _ => {
                let nothing = match from_context(&env.context) {
                    Some(source) => source,
                    None => Source::Value(self.nothing()),
                };
                Ok(Some(Start::new(nothing, 0)))
            }
        }
    }

    /// Lowers `$states` with the name after it.
    fn member_of_states(&mut self, path: &'n Path, env: &JsonataEnv) -> Res<Option<Start>> {
        let step = path.steps.get(1);
        let Some((step, NodeKind::Name(member))) = step.and_then(|step| Some((step, plain(step)?))) else {
            let states = self.states();
            return Ok(Some(Start::new(Source::Value(states), 1)));
        };
        let known = self.variables.iter().find(|(known, _)| known.strip_prefix("states.") == Some(member));
        let Some((_, local)) = known else { return Ok(None) };
        let mut start = Start::new(Source::Variable(*local), 2);
        if !step.stages.is_empty() {
            if path.keeps_array {
                return untranslated("`[]` after a predicate of a member of `$states`");
            }
            let value = Yield::value(self.whole(&start.place, &of_name(member)));
            start.result = Some(self.after_predicates(value, step, env)?);
        }
        Ok(Some(start))
    }

    /// Lowers names in a row.
    fn read(&mut self, reading: Reading, place: &Place, rest: &[i64], hint: &str) -> Atom {
        let (callee, source) = match &place.source {
            Source::Variable(local) => (reading.variable, Atom::Local(*local)),
            Source::Value(value) | Source::Local(value) => (reading.value, value.clone()),
        };
        let mut args = vec![CoreArgument::Atom(source), CoreArgument::Texts(place.names.clone())];
        args.extend(rest.iter().map(|number| CoreArgument::Int(*number)));
        self.builder.call(hint, callee, args)
    }

    /// Lowers a path without names after its first step.
    fn whole(&mut self, place: &Place, hint: &str) -> Atom {
        match &place.source {
            Source::Variable(local) => self.call_of(hint, callees::OF, &[&Atom::Local(*local)]),
            Source::Value(value) | Source::Local(value) => value.clone(),
        }
    }

    /// Lowers the items that a step is applied to.
    fn input(&mut self, place: &Place) -> Res<Atom> {
        if let Source::Value(value) | Source::Local(value) = &place.source {
            self.check_flat(value)?;
        }
        Ok(match (place.names.last(), &place.source) {
            (Some(name), _) => self.read(callees::FIND_STEP, place, &[], &of_name(name)),
            (None, Source::Local(value)) => self.call_of("items", callees::FIRST_STEP, &[value]),
            (None, _) => self.whole(place, "items"),
        })
    }

    /// Lowers names in a row, the last one with a position, before these steps. Names alone yield
    /// the same for a sequence and for its only element.
    fn element(&mut self, place: &Place, position: i64, rest: &[Step]) -> Yield {
        let is_name = |step: &Step| matches!(plain(step), Some(NodeKind::Name(_))) && step.stages.is_empty();
        let is_sort = rest.first().is_some_and(|step| matches!(step.kind, StepKind::Sort(_)));
        let reading = if is_sort || rest.iter().all(is_name) { callees::FIND_AT } else { callees::FIND_STEP_AT };
        let hint = place.names.last().map_or_else(|| "item".to_owned(), |name| singular(&of_name(name)));
        Yield::value(self.read(reading, place, &[position], &hint))
    }

    /// Lowers names in a row, the last one with a condition.
    fn chosen(&mut self, place: &Place, predicate: &'n Node, env: &JsonataEnv) -> Res<Yield> {
        let many = place.names.last().map_or_else(|| "items".to_owned(), |name| of_name(name));
        let results = self.list(&many, callees::RESULTS);
        let (callee, source) = match &place.source {
            Source::Variable(local) => (callees::FIND_CANDIDATES.variable, Atom::Local(*local)),
            Source::Value(value) | Source::Local(value) => (callees::FIND_CANDIDATES.value, value.clone()),
        };
        let args = vec![CoreArgument::Atom(source), CoreArgument::Texts(place.names.clone())];
        let over = self.builder.call_of(callee, args);
        self.for_each(over, [(&singular(&many), CoreType::Value)], |lowering, [item]| {
            lowering.keep_if(predicate, &Atom::Local(item), results, env)
        })?;
        Ok(Yield::sequence(self.finish(&many, callees::SEQUENCE, results)))
    }

    /// Lowers a step that is no name alone.
    fn step(&mut self, path: &'n Path, at: usize, node: &'n Node, place: &Place, env: &JsonataEnv) -> Res<Yield> {
        let step = &path.steps[at];
        let is_last = at + 1 == path.steps.len();
        if step.is_constructor && at == 0 {
            return self.first_array(node, is_last, env).map(Yield::value);
        }
        // A variable, or a part without an input, is evaluated once.
        if at == 0 && (node.is_variable() || matches!(env.context, ContextItem::Nothing)) {
            let value = self.step_value(step, node, env)?;
            return match is_last {
                true => Ok(value),
                false => Ok(Yield::value(self.call_of("items", callees::FIRST_STEP, &[&value.atom]))),
            };
        }
        let many = hint(node);
        let (input, each) = match at {
            0 => (self.whole(place, "item"), callees::FIRST_ITEMS),
            _ => (self.input(place)?, callees::ITEMS),
        };
        let results = self.list_for(&input, "results", callees::RESULTS);
        let one = input.local().map_or_else(|| "item".to_owned(), |local| singular(self.builder.hint(local)));
        let push = if ends_in_position(step) { callees::PUSH_SELECTED } else { callees::PUSH };
        self.for_items(each, &input, &one, |lowering, item| {
            let value = lowering.step_value(step, node, &env.on(&item))?;
            lowering.add(results, push, &[&value.atom]);
            Ok(())
        })?;
        let callee = match (is_last, path.keeps_array || path.group.is_some()) {
            (true, true) => callees::RAW_STEP,
            (true, false) => callees::LAST_STEP,
            (false, _) => callees::NEXT_STEP,
        };
        Ok(Yield::value(self.finish(&many, callee, results)))
    }

    /// Lowers the value of a step for the context item, with its predicates.
    fn step_value(&mut self, step: &'n Step, node: &'n Node, env: &JsonataEnv) -> Res<Yield> {
        let value = match &node.kind {
            NodeKind::Name(name) => {
                let Some(item) = env.context.input().cloned() else { return Ok(Yield::value(self.nothing())) };
                if step.keeps_array {
                    let args = vec![(&item).into(), CoreArgument::Text(name.to_string())];
                    let value = self.builder.call(&of_name(name), callees::LOOKUP_ALL, args);
                    return self.after_predicates(Yield::value(value), step, env);
                }
                let place = Place { source: Source::Value(item), names: vec![name.to_string()] };
                Yield::value(self.nest(|lowering| Ok(lowering.read(callees::FIND, &place, &[], &of_name(name))))?)
            }
            NodeKind::Array(parts) if step.is_constructor => self.nest(|lowering| {
                let array = lowering.constructed(parts, env)?;
                Ok(Yield::value(array))
            })?,
            _ if step.keeps_array => {
                let value = self.nest(|lowering| lowering.sequence(node, env))?;
                Yield::value(self.call_of(&hint(node), callees::KEPT, &[&value.atom]))
            }
            _ => Yield::value(self.value(node, env)?),
        };
        self.after_predicates(value, step, env)
    }

    /// Lowers the predicates of a step.
    fn after_predicates(&mut self, value: Yield, step: &'n Step, env: &JsonataEnv) -> Res<Yield> {
        let mut value = value;
        for (position, predicate) in predicates(step).enumerate() {
            value = self.filtered(value, predicate, position == 0, env)?;
        }
        Ok(value)
    }

    /// Lowers an array at the begin of a path, which is evaluated once.
    fn first_array(&mut self, node: &'n Node, is_last: bool, env: &JsonataEnv) -> Res<Atom> {
        let NodeKind::Array(parts) = &node.kind else { return untranslated("an array in a block before a path") };
        let env = match &env.context {
            ContextItem::Document { input, .. } => env.on(input),
            _ => env.clone(),
        };
        // An array without elements ends the path, and is its value.
        if !is_last && !parts.iter().any(is_present) {
            return untranslated("an array that may be empty before a path");
        }
        self.nest(|lowering| match is_last {
            true => lowering.constructed(parts, &env),
            false => lowering.array(parts, &env),
        })
    }
}

/// Returns the part of a step that has nothing else.
fn plain(step: &Step) -> Option<&NodeKind> {
    match &step.kind {
        StepKind::Node(node) if step.stages.is_empty() && !step.is_constructor && !step.keeps_array => Some(&node.kind),
        // The names of a path keep their predicates.
        StepKind::Node(Node { kind: kind @ NodeKind::Name(_), .. }) => Some(kind),
        _ => None,
    }
}

/// Returns `true` if a part of an array is certain to yield an element.
fn is_present(part: &Node) -> bool {
    use BinaryOperator as B;
    match &part.kind {
        NodeKind::Null
        | NodeKind::Bool(_)
        | NodeKind::Number(_)
        | NodeKind::String(_)
        | NodeKind::Array(_)
        | NodeKind::Object(_) => true,
        NodeKind::Binary(B::Range, first, last) => match (&first.kind, &last.kind) {
            (NodeKind::Number(Number::Int(first)), NodeKind::Number(Number::Int(last))) => first <= last,
            _ => false,
        },
        NodeKind::Binary(operator, ..) => {
            matches!(operator, B::Concatenate | B::Equal | B::Unequal | B::And | B::Or | B::In)
        }
        _ => false,
    }
}

/// Returns `true` if the last predicate of a step is a position.
fn ends_in_position(step: &Step) -> bool {
    predicates(step).last().is_some_and(|predicate| position(predicate).is_some())
}

/// Returns the predicates of a step.
fn predicates(step: &Step) -> impl Iterator<Item = &Node> {
    step.stages.iter().filter_map(|stage| match stage {
        Stage::Filter(predicate) => Some(predicate),
        Stage::Index(_) => None,
    })
}
