//! Lowering of Task states.

use super::{Cx, set};
use crate::dialects::asl::ast::{Amount, IntegrationPattern, QueryLanguage, State, Task};
use crate::dialects::asl::expressions::{PayloadTemplate, computed};
use crate::dialects::asl::functions::{COMPUTED_TIME, TIMEOUT_PATH};
use crate::dialects::asl::services;
use crate::expr::{Arg, Expr, LocalId};
use crate::hir::{Body, Step, StepKind};
use crate::model::{self, Invoke, LocalKind, Seconds, TaskId};

impl Cx<'_> {
    pub fn task(&mut self, state: &State, task: &Task) -> Body {
        let input = self.shared("input", LocalKind::Value, state.span);
        let result = self.shared("result", LocalKind::Value, state.span);
        let mut steps = Vec::new();
        let selected = self.input_path(&task.flow, input, &mut steps);
        self.inspect_input(task.flow.language, selected, state.span, &mut steps);
        // Timeouts and credentials are computed from the same value as the parameters, so that the
        // parameters must not overwrite it.
        let mut payload = match &task.flow.parameters {
            Some(parameters) => self.template(parameters, selected),
            None => Expr::Local(selected),
        };
        if self.options.inspect {
            let shown = self.shared("output", LocalKind::Value, state.span);
            set(shown, std::mem::replace(&mut payload, Expr::Local(shown)), state.span, &mut steps);
            let stage = match task.flow.language {
                QueryLanguage::JsonPath => "afterParameters",
                QueryLanguage::Jsonata => "afterArguments",
            };
            self.inspect(stage, shown, state.span, &mut steps);
        }
        let invoke = Invoke {
            task: self.register(state, task),
            input: payload,
            template: task.flow.parameters.as_ref().map(PayloadTemplate::places).unwrap_or_default(),
            timeout: self.timeout(task, selected),
            heartbeat: task.heartbeat.as_ref().map(|amount| self.seconds(amount, "HeartbeatSeconds", selected)),
            credentials: task.credentials.as_ref().map(|template| self.template(template, selected)),
            callback: task.resource.pattern == IntegrationPattern::Callback,
            result,
        };
        steps.push(Step { kind: StepKind::Invoke(Box::new(invoke)), span: state.span });
        self.inspect("result", result, state.span, &mut steps);
        let output = self.output(state, &task.flow, result, &mut steps);
        let mut steps = self.handled(state, &task.handlers, steps);
        self.leave(state, output, &mut steps);
        self.body(steps, &task.next)
    }

    fn register(&mut self, state: &State, task: &Task) -> TaskId {
        let resource = &task.resource;
        self.workflow.tasks.push(model::Task {
            key: resource.key.clone(),
            method: resource.key.clone(),
            resource: resource.text.clone(),
            state: state.name.value.clone(),
            span: resource.span,
            is_function: false,
            operation: None,
            shapes: model::TaskShapes {
                documented: services::result(&resource.text, resource.span),
                ..Default::default()
            },
        });
        TaskId(self.workflow.tasks.len() as u32 - 1)
    }

    fn timeout(&mut self, task: &Task, document: LocalId) -> Option<Seconds> {
        match &task.timeout {
            Some(amount) => Some(self.seconds(amount, "TimeoutSeconds", document)),
            None => task.resource.pattern.default_timeout(self.options.default_task_timeout).map(Seconds::Fixed),
        }
    }

    fn seconds(&mut self, amount: &Amount, field: &str, document: LocalId) -> Seconds {
        match amount {
            Amount::Fixed(seconds) => Seconds::Fixed(seconds.value),
            Amount::Expression(expression) => Seconds::Computed(self.whole(expression, document, &COMPUTED_TIME)),
            Amount::Path(path) => Seconds::Computed(self.expr(document, path.span(), |roots, diagnostics| {
                let selection = path.selection(roots, diagnostics)?;
                let args = vec![Arg::Maybe(selection), Arg::Str(format!("{field}Path").into())];
                Some(Expr::call(&TIMEOUT_PATH, args))
            })),
            Amount::Setting(text) => {
                let value = self.text(text);
                let args = vec![Arg::Maybe(computed(value, &text.value)), Arg::Str(field.into())];
                Seconds::Computed(Expr::call(&TIMEOUT_PATH, args))
            }
        }
    }
}
