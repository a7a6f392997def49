//! Lowering of actions.

use super::super::ast::{
    Action, ActionKind, Completion, Expression, FunctionOperation, Invocation, InvocationArgument, InvocationValue,
    Name, Reference,
};
use super::super::functions::{BOTH, ELEMENTS, ENDED, FAILED, HANDLED, IN_ORDER, UNLESS_FAILED};
use super::{Cx, Place};
use crate::dialects::body::BodyBuilder;
use crate::expr::{Arg, Expr, Literal, LocalId, jq};
use crate::hir::{Body, CallTarget, CallWorkflow, Catcher, ForEach, Next, StepKind};
use crate::model::{ErrorMatch, InputTemplate, Invoke, Join, LocalKind, Publish, ScopeId, Seconds, Task, TaskId, Wait};
use crate::source::Span;
use std::sync::Arc;

/// Number of results of a sequence that have a local each. Later results share an object, so that
/// a suspension point in a long sequence does not carry thousands of locals.
const RESULTS_CARRIED: usize = 16;

impl Cx<'_> {
    /// Lowers an action. Afterwards, its result is in `result`.
    pub(super) fn action(&mut self, action: &Action, place: Place, result: LocalId, steps: &mut BodyBuilder) {
        self.attempt(action, place, result, steps, |cx, place, steps| match &action.kind {
            ActionKind::Sequence { actions } => cx.sequence(action.span, actions, place, result, steps),
            ActionKind::Parallel { actions, completion } => {
                cx.concurrent(action.span, actions, *completion, place, result, steps);
            }
            ActionKind::ForEach { input, action: inner, max_parallel } => {
                let limit = max_parallel.as_ref().map_or(1, |most| most.value);
                cx.for_each(action.span, input, inner, limit, place, result, steps);
            }
            _ => cx.single(action, place, result, steps),
        });
    }

    /// Lowers actions in sequence.
    fn sequence(&mut self, span: Span, actions: &[Action], place: Place, result: LocalId, steps: &mut BodyBuilder) {
        for (number, group) in actions.chunks(RESULTS_CARRIED).enumerate() {
            let mut members = Vec::with_capacity(group.len());
            for (at, action) in (number * RESULTS_CARRIED..).zip(group) {
                let result = self.local("result", action.span);
                self.action(action, place, result, steps);
                members.push((action.key(at), Expr::Local(result)));
            }
            let results = Expr::Object(members);
            let all = match number {
                0 => results,
                _ => Expr::call(&BOTH, vec![Arg::Owned(Expr::Local(result)), Arg::Owned(results)]),
            };
            steps.set(result, all, span);
        }
    }

    /// Lowers an action without inner actions.
    fn single(&mut self, action: &Action, place: Place, result: LocalId, steps: &mut BodyBuilder) {
        let span = action.span;
        match &action.kind {
            ActionKind::Delay { timeout } => {
                steps.push(StepKind::Wait(Wait::For(Seconds::Fixed(timeout.value.as_secs_f64()))), span);
                steps.set(result, Expr::NULL, span);
            }
            ActionKind::InjectData { expression } => {
                let input = Expr::Local(place.input);
                if let Some(value) = self.filter(expression, "data", jq::ResultMode::Value, input, None) {
                    steps.set(result, value, span);
                }
            }
            ActionKind::SendEvent { event, expression, attributes } => {
                let event = &self.machine.events[event.index];
                let name = event.name.value.to_string();
                let kind = event.kind.as_ref().map_or_else(|| name.clone(), |kind| kind.value.clone());
                let source = event.source.as_ref().map(|source| source.value.clone());
                let attributes =
                    attributes.iter().map(|attribute| (attribute.name.value.clone(), attribute.value.value.clone()));
                let attributes = attributes.collect();
                let input = Expr::Local(place.input);
                let data = match expression {
                    Some(expression) => self.filter(expression, "event data", jq::ResultMode::Value, input, None),
                    None => Some(Expr::Object(Vec::new())),
                };
                if let Some(data) = data {
                    let publish =
                        Publish { kind, source, subject: Some(name), attributes, correlation: None, data, result };
                    steps.push(StepKind::Publish(Box::new(publish)), span);
                }
            }
            ActionKind::InvokeFunction { function, call } => self.invoke(function, call, place, result, span, steps),
            ActionKind::InvokeSubflow { subflow, call } => {
                if let Some(started) = self.subflow(subflow, call, place, result) {
                    steps.push(StepKind::Call(Box::new(started)), span);
                }
                if !call.waits {
                    steps.set(result, Expr::NULL, span);
                }
            }
            ActionKind::Sequence { .. } | ActionKind::Parallel { .. } | ActionKind::ForEach { .. } => {}
        }
    }

    fn invoke(
        &mut self,
        function: &Reference,
        call: &Invocation,
        place: Place,
        result: LocalId,
        span: Span,
        steps: &mut BodyBuilder,
    ) {
        let machine = self.machine;
        let definition = &machine.functions[function.index];
        let resource = match &definition.operation {
            FunctionOperation::Expression(expression) => {
                let input = Expr::Local(place.input);
                self.used.insert(function.index);
                let value = self.filter(expression, "function", jq::ResultMode::Value, input, None);
                // Nothing observes the result of a call that does not wait.
                let value = value.filter(|_| call.waits).unwrap_or(Expr::NULL);
                return steps.set(result, value, span);
            }
            FunctionOperation::Rest { document, operation } => format!("{}#{}", document.value, operation.value),
            FunctionOperation::Rpc { file, service, method } => {
                format!("{}#{}/{}", file.value, service.value, method.value)
            }
        };
        let service = self.operations.get(function.index).cloned().flatten();
        let (operation, shapes) = service.map(|service| (service.operation, service.shapes)).unzip();
        let task = Task {
            key: definition.name.value.to_string(),
            method: definition.name.value.to_string(),
            resource,
            state: Arc::from(self.state.as_str()),
            span: definition.operation_span,
            is_function: false,
            operation,
            shapes: shapes.unwrap_or_default(),
        };
        let task = self.task(task);
        let input = self.arguments(call, place).unwrap_or_else(|| Expr::Object(Vec::new()));
        let timeout = call.timeout.as_ref().filter(|_| call.waits);
        let timeout = timeout.map(|timeout| Seconds::Fixed(timeout.value.as_secs_f64()));
        let names = call.arguments.iter().flatten();
        let names =
            names.map(|InvocationArgument { name, .. }| (name.value.clone(), name.span_of(0, name.value.len())));
        let template = InputTemplate { span: Some(span), names: names.collect() };
        let invoke = |input: Expr, result: LocalId| {
            StepKind::Invoke(Box::new(Invoke {
                task,
                input,
                template: template.clone(),
                timeout: timeout.clone(),
                heartbeat: None,
                credentials: None,
                callback: false,
                result,
            }))
        };
        if call.waits {
            return steps.push(invoke(input, result), span);
        }
        // The call starts a detached child execution, which does not depend on the end of this one
        // ([S4](docs/sm4c.md#s4)).
        let scope_input = self.local("arguments", span);
        let label = format!("the call of `{}`", definition.name.value);
        let scope = self.scope(label, place.scope, span, scope_input, |cx, _, steps| {
            let output = cx.local("result", span);
            steps.push(invoke(Expr::Local(scope_input), output), span);
            Expr::Local(output)
        });
        let call = CallWorkflow {
            target: CallTarget::Scope { scope, input: scope_input },
            input,
            detached: true,
            timeout: None,
            result,
        };
        steps.push(StepKind::Call(Box::new(call)), span);
        steps.set(result, Expr::NULL, span);
    }

    /// Returns a task. Two calls of a function in one state share the task.
    fn task(&mut self, task: Task) -> TaskId {
        let tasks = &mut self.workflow.tasks;
        let known = tasks.iter().position(|other| other.key == task.key && other.state == task.state);
        let at = known.unwrap_or_else(|| {
            tasks.push(task);
            tasks.len() - 1
        });
        TaskId(at as u32)
    }

    fn subflow(&mut self, name: &Name, call: &Invocation, place: Place, result: LocalId) -> Option<CallWorkflow> {
        // Without arguments, the child receives the current data ([S6](docs/sm4c.md#s6)).
        let input = match call.arguments {
            Some(_) => self.arguments(call, place)?,
            None => Expr::Local(place.input),
        };
        let timeout = call.timeout.as_ref().filter(|_| call.waits);
        Some(CallWorkflow {
            target: CallTarget::Workflow(name.value.to_string()),
            input,
            detached: !call.waits,
            timeout: timeout.map(|timeout| Seconds::Fixed(timeout.value.as_secs_f64())),
            result,
        })
    }

    /// Lowers the arguments of a call, if there are any. Strings that are expressions are
    /// evaluated, and other values stay unchanged.
    fn arguments(&mut self, call: &Invocation, place: Place) -> Option<Expr> {
        let arguments = call.arguments.as_ref()?;
        let mut members = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let value = match &argument.value {
                InvocationValue::Expression(expression) => {
                    self.filter(expression, "argument", jq::ResultMode::Value, Expr::Local(place.input), None)?
                }
                InvocationValue::Constant(node) => Expr::Literal(Literal::from(node)),
            };
            members.push((argument.name.value.clone(), value));
        }
        Some(Expr::Object(members))
    }

    /// Lowers concurrent actions.
    fn concurrent(
        &mut self,
        span: Span,
        actions: &[Action],
        completion: Completion,
        place: Place,
        result: LocalId,
        steps: &mut BodyBuilder,
    ) {
        let from = self.handlers.len();
        let guarded = place.guarded && actions.iter().any(Action::has_error_result_handlers);
        let branches: Vec<ScopeId> = actions
            .iter()
            .enumerate()
            .map(|(at, inner)| {
                let label = format!("{} of {}", inner.key(at), self.state);
                self.branch(label, inner, place, place.input, guarded)
            })
            .collect();
        let count = match completion {
            Completion::All => branches.len() as u32,
            Completion::First => 1,
            Completion::Count(count) => count,
        };
        let joined = self.local("joined", span);
        steps.push(StepKind::Fork { branches, join: Join::NOf(count), result: joined }, span);
        self.collect(from, joined, guarded, place, span, steps);
        let keys = actions.iter().enumerate().map(|(at, inner)| inner.key(at)).collect();
        let ended = Arg::Value(Expr::Local(joined));
        steps.set(result, Expr::call(&ENDED, vec![ended, Arg::Strs(keys)]), span);
    }

    /// Lowers an action as a scope, which ends with the result of the action and the pending
    /// handlers. A guarded scope also ends so after a failure, and adds the fault.
    fn branch(&mut self, label: String, action: &Action, place: Place, input: LocalId, guarded: bool) -> ScopeId {
        let span = action.span;
        let handled = self.local("handled", span);
        self.scope(label, place.scope, span, input, |cx, id, steps| {
            steps.set(handled, Expr::Array(Vec::new()), span);
            let place = Place { scope: id, input, handled: Some(handled), guarded };
            let output = cx.local("result", span);
            if guarded {
                let fault = cx.workflow.add_local("fault", LocalKind::Fault, span);
                steps.attempt(fault, Vec::new(), "end", span, |steps, _| {
                    cx.action(action, place, output, steps);
                    let failed = [handled, fault].map(|local| Arg::Owned(Expr::Local(local)));
                    let body = Body::to(Next::End(Expr::call(&FAILED, failed.into())));
                    vec![Catcher { errors: vec![ErrorMatch::Any], body, span }]
                });
            } else {
                cx.action(action, place, output, steps);
            }
            Expr::Array(vec![Expr::Local(output), Expr::Local(handled)])
        })
    }

    /// Runs the handlers of branches after the join. Inside a branch, it adds them to the pending
    /// handlers instead. Afterwards, it raises the fault of a failed guarded branch.
    fn collect(
        &mut self,
        from: usize,
        joined: LocalId,
        guarded: bool,
        place: Place,
        span: Span,
        steps: &mut BodyBuilder,
    ) {
        if self.handlers.len() > from {
            let to_do = place.handled.unwrap_or_else(|| self.local("handled", span));
            let before = if place.handled.is_some() { Expr::Local(to_do) } else { Expr::Array(Vec::new()) };
            let args = vec![Arg::Value(before), Arg::Value(Expr::Local(joined))];
            steps.set(to_do, Expr::call(&HANDLED, args), span);
            if place.handled.is_none() {
                self.apply_handlers(from, to_do, place.guarded, span, steps);
            }
        }
        if guarded {
            steps.set(joined, Expr::call(&UNLESS_FAILED, vec![Arg::Owned(Expr::Local(joined))]), span);
        }
    }

    /// Lowers an action for each element of an array, in batches ([S5](docs/sm4c.md#s5)).
    #[expect(clippy::too_many_arguments, reason = "they are the fields of the action")]
    fn for_each(
        &mut self,
        span: Span,
        input: &Expression,
        inner: &Action,
        limit: u32,
        place: Place,
        result: LocalId,
        steps: &mut BodyBuilder,
    ) {
        let from = self.handlers.len();
        let items = self.local("items", input.span);
        let item = self.local("element", inner.span);
        let guarded = place.guarded && inner.has_error_result_handlers();
        let body = self.branch(format!("each element in {}", self.state), inner, place, item, guarded);
        if let Some(value) = self.filter(input, "elements", jq::ResultMode::Value, Expr::Local(place.input), None) {
            steps.set(items, Expr::call(&ELEMENTS, vec![Arg::Owned(value)]), input.span);
        }
        let joined = self.local("joined", span);
        let each = ForEach {
            body,
            items,
            item,
            limit: Some(Expr::Literal(Literal::Int(i64::from(limit)))),
            delay: None,
            tolerated_count: None,
            tolerated_percentage: None,
            in_batches: true,
            completion_order: true,
            result: joined,
        };
        steps.push(StepKind::ForEach(Box::new(each)), span);
        self.collect(from, joined, guarded, place, span, steps);
        steps.set(result, Expr::call(&IN_ORDER, vec![Arg::Value(Expr::Local(joined))]), span);
    }
}
