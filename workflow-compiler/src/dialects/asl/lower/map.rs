//! Lowering of Parallel and Map states.

use super::distributed::{Around, Limits};
use super::{Cx, set};
use crate::dialects::asl::ast::{Amount, DataFlow, Map, Parallel, QueryLanguage, State};
use crate::dialects::asl::expressions;
use crate::dialects::asl::functions::{
    COMPUTED_COUNT, COMPUTED_ITEMS, COMPUTED_MAP_ITEMS, COMPUTED_PERCENTAGE, COMPUTED_WHOLE, ITEMS_ARRAY, MAP_ITEMS,
    MAX_CONCURRENCY_PATH, TOLERATED_COUNT_PATH, TOLERATED_PERCENTAGE_PATH,
};
use crate::expr::{Arg, Expr, Function, Literal, LocalId};
use crate::hir::{Body, ForEach, Step, StepKind};
use crate::model::{Join, LocalKind, ScopeId};
use crate::source::Span;

impl Cx<'_> {
    pub fn parallel(&mut self, state: &State, parallel: &Parallel, scope: ScopeId) -> Body {
        let input = self.shared("input", LocalKind::Value, state.span);
        let result = self.shared("result", LocalKind::Value, state.span);
        let document = self.document();
        let mut steps = Vec::new();
        let effective = self.effective_input(state, &parallel.flow, input, false, &mut steps);
        let mut branches = Vec::with_capacity(parallel.branches.len());
        for (at, branch) in parallel.branches.iter().enumerate() {
            let label = format!("branch {} of `{}`", at + 1, state.name.value);
            let mut entry = Vec::new();
            set(document, Expr::Local(effective), branch.span, &mut entry);
            branches.push(self.scope(branch, label, Some((scope, state.name.value.clone())), entry));
        }
        steps.push(Step { kind: StepKind::Fork { branches, join: Join::All, result }, span: state.span });
        self.inspect_result(state, &parallel.flow, result, &mut steps);
        let output = self.output(state, &parallel.flow, result, &mut steps);
        let mut steps = self.handled(state, &parallel.handlers, steps);
        self.leave(state, output, &mut steps);
        self.body(steps, &parallel.next)
    }

    pub fn map(&mut self, state: &State, map: &Map, scope: ScopeId) -> Body {
        let input = self.shared("input", LocalKind::Value, state.span);
        let result = self.shared("result", LocalKind::Value, state.span);
        let items = self.shared("items", LocalKind::Value, state.span);
        let item = self.shared("item", LocalKind::Value, state.span);
        let mut steps = Vec::new();
        let selected = self.effective_input(state, &map.flow, input, false, &mut steps);
        // Beside a reader, `ItemsPath` has no effect.
        let has_reader = map.distributed.as_ref().is_some_and(|distributed| distributed.reader.is_some());
        if !has_reader {
            self.items(state, map, selected, items, &mut steps);
        }
        let mut limit = self.amount(map.max_concurrency.as_ref(), &MAX_CONCURRENCY_PATH, &COMPUTED_WHOLE, selected);
        let mut tolerated_count =
            self.amount(map.tolerated_count.as_ref(), &TOLERATED_COUNT_PATH, &COMPUTED_COUNT, selected);
        let mut tolerated_percentage =
            self.amount(map.tolerated_percentage.as_ref(), &TOLERATED_PERCENTAGE_PATH, &COMPUTED_PERCENTAGE, selected);
        // AWS's TestState shows the default, too.
        let mut shown = limit.is_none().then_some(Expr::Literal(Literal::Int(0)));
        let limit_shown = if shown.is_some() { &mut shown } else { &mut limit };
        self.inspect_amount("maxConcurrency", limit_shown, state.span, &mut steps);
        self.inspect_amount("toleratedFailureCount", &mut tolerated_count, state.span, &mut steps);
        self.inspect_amount("toleratedFailurePercentage", &mut tolerated_percentage, state.span, &mut steps);
        if let Some(distributed) = &map.distributed {
            let limits = Limits { limit, tolerated_count, tolerated_percentage };
            let around = Around { scope, input: selected, items: (!has_reader).then_some(items) };
            let step = self.distributed(state, map, distributed, around, limits);
            steps.push(step);
            return self.finish_map(state, map, result, steps);
        }
        let entry = self.iteration(state, map, selected, item);
        let label = format!("the item processor of `{}`", state.name.value);
        let body = self.scope(&map.processor, label, Some((scope, state.name.value.clone())), entry);
        let each = ForEach {
            body,
            items,
            item,
            limit,
            delay: None,
            tolerated_count,
            tolerated_percentage,
            in_batches: false,
            completion_order: false,
            result,
        };
        steps.push(Step { kind: StepKind::ForEach(Box::new(each)), span: state.span });
        self.finish_map(state, map, result, steps)
    }

    /// Lowers what follows the iterations.
    fn finish_map(&mut self, state: &State, map: &Map, result: LocalId, mut steps: Vec<Step>) -> Body {
        self.inspect_result(state, &map.flow, result, &mut steps);
        let output = self.output(state, &map.flow, result, &mut steps);
        let mut steps = self.handled(state, &map.handlers, steps);
        self.leave(state, output, &mut steps);
        self.body(steps, &map.next)
    }

    /// Lowers `ItemsPath` or `Items`: the items of the effective input, which must be an array,
    /// or an object for a distributed Map.
    fn items(&mut self, state: &State, map: &Map, from: LocalId, items: LocalId, steps: &mut Vec<Step>) {
        let (check, computed) = match map.distributed {
            Some(_) => (&MAP_ITEMS, &COMPUTED_MAP_ITEMS),
            None => (&ITEMS_ARRAY, &COMPUTED_ITEMS),
        };
        if map.flow.language == QueryLanguage::Jsonata {
            let (value, span) = match &map.items {
                Some(template) => (self.template(template, from), template.span()),
                None => (Expr::call(computed, vec![Arg::Value(Expr::Local(from))]), state.span),
            };
            return set(items, value, span, steps);
        }
        let check = |selection| Expr::call(check, vec![selection]);
        let (checked, span) = match &map.items_path {
            Some(path) => {
                let checked = self.expr(from, path.span(), |roots, diagnostics| {
                    Some(check(Arg::Maybe(path.selection(roots, diagnostics)?)))
                });
                (checked, path.span())
            }
            None => (check(Arg::Maybe(expressions::computed(Expr::Local(from), "$"))), state.span),
        };
        set(items, checked, span, steps);
        self.inspect("afterItemsPath", items, state.span, steps);
    }

    /// Lowers the start of an iteration: the item, or the value of `ItemSelector`. In
    /// `ItemSelector`, `$` is the effective input of the Map state, and the item is in the context
    /// object (ASL §Processing Items).
    fn iteration(&mut self, state: &State, map: &Map, selected: LocalId, item: LocalId) -> Vec<Step> {
        let document = self.document();
        let mut entry = Vec::new();
        match &map.selector {
            None => set(document, Expr::Local(item), map.processor.span, &mut entry),
            Some(selector) => {
                let value = self.template(selector, selected);
                set(document, value, selector.span(), &mut entry);
                self.inspect("afterItemSelector", document, state.span, &mut entry);
            }
        }
        entry
    }

    /// Lowers a number. `check` tests the value of a path, and `computed` that of an expression.
    pub fn amount(
        &mut self,
        amount: Option<&Amount>,
        check: &'static Function,
        computed: &'static Function,
        document: LocalId,
    ) -> Option<Expr> {
        Some(match amount? {
            Amount::Fixed(number) if number.value.fract() == 0.0 => Expr::Literal(Literal::Int(number.value as i64)),
            Amount::Fixed(number) => Expr::Literal(Literal::Float(number.value)),
            Amount::Expression(expression) => self.whole(expression, document, computed),
            Amount::Path(path) => self.expr(document, path.span(), |roots, diagnostics| {
                let selection = path.selection(roots, diagnostics)?;
                Some(Expr::call(check, vec![Arg::Maybe(selection)]))
            }),
            Amount::Setting(text) => {
                let value = self.text(text);
                Expr::call(check, vec![Arg::Maybe(expressions::computed(value, &text.value))])
            }
        })
    }

    /// Reports the result before `ResultSelector`. AWS does not show it for these types of states,
    /// and without the field it is what `afterResultSelector` shows.
    fn inspect_result(&self, state: &State, flow: &DataFlow, result: LocalId, steps: &mut Vec<Step>) {
        if flow.result_selector.is_some() {
            self.inspect("result", result, state.span, steps);
        }
    }

    /// Shows a number. A computed one is computed once, and kept.
    fn inspect_amount(&mut self, stage: &'static str, amount: &mut Option<Expr>, span: Span, steps: &mut Vec<Step>) {
        let Some(value) = amount.as_mut().filter(|_| self.options.inspect) else { return };
        if let Expr::Literal(_) = value {
            steps.push(Step { kind: StepKind::Inspect { stage, value: value.clone() }, span });
        } else {
            let kept = self.shared(stage, LocalKind::Value, span);
            set(kept, std::mem::replace(value, Expr::Local(kept)), span, steps);
            self.inspect(stage, kept, span, steps);
        }
    }
}
