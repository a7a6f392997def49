//! Actions (section 2.4 of the specification).

use super::super::ast::{Action, ActionKind, ArgumentValue, Call, Completion, Expression, Name, Operation, Reference};
use super::super::functions::{ENDED, HANDLED, IN_ORDER, SOLE};
use super::parts::Parts;
use super::{Cx, Place};
use crate::expr::{Arg, Expr, Literal, LocalId, jq};
use crate::hir::{
    CallTarget, CallWorkflow, ForEach, Invoke, Publish, ScopeId, Seconds, Step, StepKind, Task, TaskId, Wait,
};
use crate::source::Span;
use std::sync::Arc;

impl Cx<'_> {
    /// Does an action. Afterwards its result is in `result`.
    pub(super) fn action(&mut self, action: &Action, place: Place, result: LocalId, parts: &mut Parts) {
        let span = action.span;
        match &action.kind {
            // What consists of more than one step, and may be tried again as a whole, runs as a branch of its own.
            ActionKind::Sequence { .. } if !action.error_handlers.is_empty() => {
                self.beside(action, &[action], Completion::All, place, result, parts);
            }
            ActionKind::Sequence { actions } => {
                let results: Vec<LocalId> = actions
                    .iter()
                    .map(|inner| {
                        let result = self.local("result", inner.span);
                        self.action(inner, place, result, parts);
                        result
                    })
                    .collect();
                let members = actions.iter().enumerate().zip(results);
                let members = members.map(|((at, inner), result)| (inner.key(at), Expr::Local(result)));
                parts.set(result, Expr::Object(members.collect()), span);
            }
            ActionKind::Parallel { actions, completion } => {
                let actions: Vec<&Action> = actions.iter().collect();
                self.beside(action, &actions, *completion, place, result, parts);
            }
            ActionKind::ForEach { input, action: inner, max_parallel } => {
                let limit = max_parallel.as_ref().map_or(1, |most| most.value);
                self.for_each(action, input, inner, limit, place, result, parts);
            }
            _ => {
                let (steps, times_out) = self.single(action, place, result);
                self.guarded(action, steps, times_out, place, result, parts);
            }
        }
    }

    /// The steps of an action that has no others inside of it, and whether it can take too long.
    fn single(&mut self, action: &Action, place: Place, result: LocalId) -> (Vec<Step>, bool) {
        let span = action.span;
        let mut steps = Vec::new();
        let mut push = |kind: StepKind| steps.push(Step { kind, span });
        match &action.kind {
            ActionKind::Delay { timeout } => {
                push(StepKind::Wait(Wait::For(Seconds::Fixed(timeout.value.as_secs_f64()))));
                push(StepKind::Let { local: result, value: Expr::NULL });
            }
            ActionKind::InjectData { expression } => {
                let input = Expr::Local(place.input);
                if let Some(value) = self.filter(expression, "data", jq::Mode::Value, input, None) {
                    push(StepKind::Let { local: result, value });
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
                    Some(expression) => self.filter(expression, "event data", jq::Mode::Value, input, None),
                    None => Some(Expr::Object(Vec::new())),
                };
                if let Some(data) = data {
                    let publish = Publish { kind, source, subject: Some(name), attributes, data, result };
                    push(StepKind::Publish(Box::new(publish)));
                }
            }
            ActionKind::InvokeFunction { function, call } => {
                return self.invoke(function, call, place, result, span);
            }
            ActionKind::InvokeSubflow { subflow, call } => {
                if let Some(call) = self.subflow(subflow, call, place, result) {
                    push(StepKind::Call(Box::new(call)));
                }
                let waits = action.call().is_some_and(|call| call.waits);
                if !waits {
                    push(StepKind::Let { local: result, value: Expr::NULL });
                }
                return (steps, waits && action.call().is_some_and(|call| call.timeout.is_some()));
            }
            ActionKind::Sequence { .. } | ActionKind::Parallel { .. } | ActionKind::ForEach { .. } => {}
        }
        (steps, false)
    }

    fn invoke(
        &mut self,
        function: &Reference,
        call: &Call,
        place: Place,
        result: LocalId,
        span: Span,
    ) -> (Vec<Step>, bool) {
        let machine = self.machine;
        let definition = &machine.functions[function.index];
        let step = |kind: StepKind| Step { kind, span };
        let resource = match &definition.operation {
            Operation::Expression(expression) => {
                let input = Expr::Local(place.input);
                let value = match call.waits {
                    true => self.filter(expression, "function", jq::Mode::Value, input, None),
                    // Nobody sees what it would yield.
                    false => Some(Expr::NULL),
                };
                let value = value.unwrap_or(Expr::NULL);
                return (vec![step(StepKind::Let { local: result, value })], false);
            }
            Operation::Rest { document, operation } => format!("{}#{}", document.value, operation.value),
            Operation::Rpc { file, service, method } => {
                format!("{}#{}/{}", file.value, service.value, method.value)
            }
        };
        let task = Task {
            key: definition.name.value.to_string(),
            method: definition.name.value.to_string(),
            resource,
            state: Arc::from(self.state.as_str()),
            span: definition.operation_span,
            is_function: false,
            operation: self.operations.get(function.index).cloned().flatten(),
        };
        let task = self.task(task);
        let input = self.arguments(call, place).unwrap_or_else(|| Expr::Object(Vec::new()));
        let timeout = call.timeout.as_ref().filter(|_| call.waits);
        let timeout = timeout.map(|timeout| Seconds::Fixed(timeout.value.as_secs_f64()));
        let times_out = timeout.is_some();
        let invoke = |input: Expr, result: LocalId| {
            StepKind::Invoke(Box::new(Invoke {
                task,
                input,
                timeout: timeout.clone(),
                heartbeat: None,
                credentials: None,
                callback: false,
                result,
            }))
        };
        if call.waits {
            return (vec![step(invoke(input, result))], times_out);
        }
        // Ruling S4: the call is an execution of its own, so that it is made whatever becomes of this one.
        let given = self.local("arguments", span);
        let label = format!("the call of `{}`", definition.name.value);
        let scope = self.scope(label, place.scope, span, given, |cx, _, parts| {
            let output = cx.local("result", span);
            parts.push(invoke(Expr::Local(given), output), span);
            Expr::Local(output)
        });
        let call = CallWorkflow {
            target: CallTarget::Scope { scope, input: given },
            input,
            detached: true,
            timeout: None,
            result,
        };
        let null = StepKind::Let { local: result, value: Expr::NULL };
        (vec![step(StepKind::Call(Box::new(call))), step(null)], false)
    }

    /// A task; the same one where a state calls a function twice.
    fn task(&mut self, task: Task) -> TaskId {
        let tasks = &mut self.workflow.tasks;
        let known = tasks.iter().position(|other| other.key == task.key && other.state == task.state);
        let at = known.unwrap_or_else(|| {
            tasks.push(task);
            tasks.len() - 1
        });
        TaskId(at as u32)
    }

    fn subflow(&mut self, name: &Name, call: &Call, place: Place, result: LocalId) -> Option<CallWorkflow> {
        // Ruling S6.
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

    /// The arguments of a call, if there are any: texts that are expressions are evaluated, all else stays as it is.
    fn arguments(&mut self, call: &Call, place: Place) -> Option<Expr> {
        let arguments = call.arguments.as_ref()?;
        let mut members = Vec::with_capacity(arguments.len());
        for argument in arguments {
            let value = match &argument.value {
                ArgumentValue::Expression(expression) => {
                    self.filter(expression, "argument", jq::Mode::Value, Expr::Local(place.input), None)?
                }
                ArgumentValue::Constant(node) => Expr::Literal(Literal::from(node)),
            };
            members.push((argument.name.value.clone(), value));
        }
        Some(Expr::Object(members))
    }

    /// Actions that run at the same time.
    fn beside(
        &mut self,
        action: &Action,
        actions: &[&Action],
        completion: Completion,
        place: Place,
        result: LocalId,
        parts: &mut Parts,
    ) {
        let (span, from) = (action.span, self.handlers.len());
        // A sequence that is guarded as a whole is its own only branch.
        let is_alone = std::ptr::eq(actions[0], action);
        let branches: Vec<ScopeId> = actions
            .iter()
            .enumerate()
            .map(|(at, inner)| {
                let label = match is_alone {
                    true => format!("the sequence of {}", self.state),
                    false => format!("{} of {}", inner.key(at), self.state),
                };
                self.branch(label, inner, is_alone, place, place.input)
            })
            .collect();
        let handles = self.handlers.len() > from;
        let first = match completion {
            Completion::All => branches.len() as u32,
            Completion::First => 1,
            Completion::Count(count) => count,
        };
        let joined = self.local("joined", span);
        let kind = StepKind::Race { branches, first, result: joined };
        self.guarded(action, vec![Step { kind, span }], false, place, joined, parts);
        if handles {
            self.collect(from, joined, place, span, parts);
        }
        let ended = Arg::Value(Expr::Local(joined));
        let value = match is_alone {
            true => Expr::call(&SOLE, vec![ended]),
            false => {
                let keys = actions.iter().enumerate().map(|(at, inner)| inner.key(at)).collect();
                Expr::call(&ENDED, vec![ended, Arg::Strs(keys)])
            }
        };
        parts.set(result, value, span);
    }

    /// An action as a scope. It ends with the result of the action, and what handlers are to do.
    fn branch(&mut self, label: String, action: &Action, bare: bool, place: Place, input: LocalId) -> ScopeId {
        let span = action.span;
        let handled = self.local("handled", span);
        self.scope(label, place.scope, span, input, |cx, id, parts| {
            parts.set(handled, Expr::Array(Vec::new()), span);
            let inner = Place { scope: id, input, handled: Some(handled) };
            let output = cx.local("result", span);
            match bare {
                false => cx.action(action, inner, output, parts),
                // Its handlers are around the branch.
                true => {
                    let bare = Action { error_handlers: Vec::new(), ..action.clone() };
                    cx.action(&bare, inner, output, parts);
                }
            }
            Expr::Array(vec![Expr::Local(output), Expr::Local(handled)])
        })
    }

    /// What the handlers of branches are to do is done, or, in a branch, noted with what is to be done already.
    fn collect(&mut self, from: usize, joined: LocalId, place: Place, span: Span, parts: &mut Parts) {
        match place.handled {
            Some(handled) => {
                let args = vec![Arg::Value(Expr::Local(handled)), Arg::Value(Expr::Local(joined))];
                parts.set(handled, Expr::call(&HANDLED, args), span);
            }
            None => {
                let to_do = self.local("handled", span);
                let none = Expr::Array(Vec::new());
                let args = vec![Arg::Value(none), Arg::Value(Expr::Local(joined))];
                parts.set(to_do, Expr::call(&HANDLED, args), span);
                self.apply_handlers(from, to_do, span, parts);
            }
        }
    }

    /// An action for each element of an array, in batches (ruling S5).
    #[expect(clippy::too_many_arguments, reason = "they are the fields of the action")]
    fn for_each(
        &mut self,
        action: &Action,
        input: &Expression,
        inner: &Action,
        limit: u32,
        place: Place,
        result: LocalId,
        parts: &mut Parts,
    ) {
        let (span, from) = (action.span, self.handlers.len());
        let items = self.local("items", input.span);
        let item = self.local("element", inner.span);
        let body = self.branch(format!("each element in {}", self.state), inner, false, place, item);
        let handles = self.handlers.len() > from;
        let mut steps = Vec::new();
        let data = Expr::Local(place.input);
        if let Some(value) = self.filter(input, "elements", jq::Mode::Value, data, None) {
            steps.push(Step { kind: StepKind::Let { local: items, value }, span: input.span });
        }
        let joined = self.local("joined", span);
        let each = ForEach {
            body,
            items,
            item,
            limit: Some(Expr::Literal(Literal::Int(i64::from(limit)))),
            tolerated_count: None,
            tolerated_percentage: None,
            in_batches: true,
            in_order: true,
            result: joined,
        };
        steps.push(Step { kind: StepKind::ForEach(Box::new(each)), span });
        self.guarded(action, steps, false, place, joined, parts);
        if handles {
            self.collect(from, joined, place, span, parts);
        }
        parts.set(result, Expr::call(&IN_ORDER, vec![Arg::Value(Expr::Local(joined))]), span);
    }
}
