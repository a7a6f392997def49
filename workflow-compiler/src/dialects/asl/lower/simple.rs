//! Lowering of Pass, Wait, Succeed and Fail states.

use super::jsonata::StatesLocals;
use super::{Cx, set};
use crate::dialects::asl::ast::{
    Amount, DataFlow, Fail, FailText, Pass, QueryLanguage, ResultPath, State, Until, Wait,
};
use crate::dialects::asl::expressions::computed;
use crate::dialects::asl::functions::{COMPUTED_TIMESTAMP, COMPUTED_WHOLE, FAULT_STRING, SECONDS_PATH, TIMESTAMP_PATH};
use crate::dialects::asl::placeholders::only_placeholder;
use crate::expr::jsonata::CheckedJsonata;
use crate::expr::{Arg, Expr, Function, Literal, LocalId};
use crate::hir::{Body, Next, Step, StepKind};
use crate::model::{self, LocalKind, Seconds};
use crate::syntax::Text;

impl Cx<'_> {
    pub fn pass(&mut self, state: &State, pass: &Pass) -> Body {
        let mut steps = Vec::new();
        let document = self.document();
        // The result is written directly into the document if nothing else reads the document or
        // the result.
        let direct = matches!(pass.flow.result_path, ResultPath::Replace) && pass.flow.assign.is_none();
        let target = if direct { document } else { self.shared("result", LocalKind::Value, state.span) };
        let result = match &pass.result {
            Some(node) => {
                let value = self.with_settings(Expr::Literal(Literal::from(node)), node.span);
                set(target, value, node.span, &mut steps);
                self.inspect("result", target, node.span, &mut steps);
                target
            }
            None => self.effective_input(state, &pass.flow, target, true, &mut steps),
        };
        let output = self.output(state, &pass.flow, result, &mut steps);
        self.leave(state, output, &mut steps);
        self.body(steps, &pass.next)
    }

    pub fn wait(&mut self, state: &State, wait: &Wait) -> Body {
        let mut steps = Vec::new();
        let document = self.document();
        self.input_path(&wait.flow, document, &mut steps);
        self.inspect_input(wait.flow.language, document, state.span, &mut steps);
        let until = match &wait.until {
            Until::Seconds(amount) => model::Wait::For(self.wait_seconds(amount, document)),
            Until::Timestamp(text) => model::Wait::Until(self.timestamp(text)),
            Until::TimestampExpression(expression) => {
                let value = self.expression(expression, StatesLocals::of_input(document));
                model::Wait::Until(Expr::call(&COMPUTED_TIMESTAMP, vec![Arg::Value(value)]))
            }
            Until::TimestampPath(path) => model::Wait::Until(self.expr(document, path.span(), |roots, diagnostics| {
                let selection = path.selection(roots, diagnostics)?;
                Some(Expr::call(&TIMESTAMP_PATH, vec![Arg::Maybe(selection)]))
            })),
        };
        steps.push(Step { kind: StepKind::Wait(until), span: state.span });
        self.pass_on(state, &wait.flow, &mut steps);
        self.body(steps, &wait.next)
    }

    pub fn succeed(&mut self, state: &State, flow: &DataFlow) -> Body {
        let mut steps = Vec::new();
        let document = self.document();
        self.input_path(flow, document, &mut steps);
        self.inspect_input(flow.language, document, state.span, &mut steps);
        self.pass_on(state, flow, &mut steps);
        Body { steps, next: Next::End(Expr::Local(document)) }
    }

    pub fn fail(&mut self, state: &State, fail: &Fail) -> Body {
        let mut steps = Vec::new();
        self.inspect_input(fail.language, self.document(), state.span, &mut steps);
        let error = fail.error.as_ref().map(|message| self.message(message, "ErrorPath"));
        let cause = fail.cause.as_ref().map(|message| self.message(message, "CausePath"));
        Body { steps, next: Next::Fail { error, cause } }
    }

    /// Lowers `OutputPath` and `Assign` of a state without a result of its own: `$` is its
    /// effective input, in the document.
    pub fn pass_on(&mut self, state: &State, flow: &DataFlow, steps: &mut Vec<Step>) {
        let document = self.document();
        if flow.language == QueryLanguage::Jsonata {
            let output = self.output(state, flow, document, steps);
            return self.leave(state, output, steps);
        }
        let target = match (&flow.assign, &flow.output_path) {
            (Some(_), Some(_)) => self.shared("output", LocalKind::Value, state.span),
            _ => document,
        };
        let output = self.select(flow.output_path.as_ref(), document, target, steps);
        self.assign(flow.assign.as_ref(), document, steps);
        self.leave(state, output, steps);
    }

    fn message(&mut self, message: &FailText, field: &str) -> Expr {
        match message {
            FailText::Text(text) => self.text(text),
            FailText::Expression(expression) => {
                let states = StatesLocals::of_input(self.document());
                self.expression(expression, states)
            }
            FailText::Path(path) => {
                let document = self.document();
                self.expr(document, path.span(), |roots, diagnostics| {
                    let selection = path.selection(roots, diagnostics)?;
                    let args = vec![Arg::Maybe(selection), Arg::Value(Expr::Local(document)), Arg::Str(field.into())];
                    Some(Expr::call(&FAULT_STRING, args))
                })
            }
        }
    }

    fn wait_seconds(&mut self, amount: &Amount, document: LocalId) -> Seconds {
        match amount {
            Amount::Fixed(seconds) => Seconds::Fixed(seconds.value),
            Amount::Expression(expression) => Seconds::Computed(self.whole(expression, document, &COMPUTED_WHOLE)),
            Amount::Path(path) => Seconds::Computed(self.expr(document, path.span(), |roots, diagnostics| {
                let selection = path.selection(roots, diagnostics)?;
                Some(Expr::call(&SECONDS_PATH, vec![Arg::Maybe(selection)]))
            })),
            Amount::Setting(text) => {
                let value = self.text(text);
                Seconds::Computed(Expr::call(&SECONDS_PATH, vec![Arg::Maybe(computed(value, &text.value))]))
            }
        }
    }

    /// Lowers an expression whose value is a whole number, which `check` tests.
    pub fn whole(&mut self, expression: &CheckedJsonata, document: LocalId, check: &'static Function) -> Expr {
        let field = Arg::Str(expression.expression.field.as_str().into());
        let value = self.expression(expression, StatesLocals::of_input(document));
        Expr::call(check, vec![Arg::Value(value), field])
    }

    /// Lowers a valid timestamp, or the placeholder that stands for one.
    fn timestamp(&mut self, text: &Text) -> Expr {
        let value = self.text(text);
        match only_placeholder(&text.value) {
            None => value,
            Some(_) => Expr::call(&TIMESTAMP_PATH, vec![Arg::Maybe(computed(value, &text.value))]),
        }
    }
}
