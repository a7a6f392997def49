//! Lowering of actions. Each sees the data that the previous one left.

use super::super::ast::{Action, ActionKind, RestCall, StringPiece, Templated};
use super::super::functions::{ANSWER, MEMBER, WITH_RESULT};
use super::Cx;
use super::activity::{Tried, sleep};
use crate::dialects::body::BodyBuilder;
use crate::expr::{Arg, Expr, Literal, LocalId};
use crate::hir::StepKind;
use crate::model::operation::Http;
use crate::model::{InputTemplate, Invoke, Operation, Publish, Task, TaskShapes};
use crate::source::Span;
use std::sync::Arc;

impl Cx<'_> {
    /// Lowers actions in sequence; `tried` describes the attempt that they belong to.
    pub(super) fn actions(&mut self, actions: &[Action], tried: &Tried, steps: &mut BodyBuilder) {
        for action in actions {
            sleep(action.sleep.before.as_ref(), steps);
            match &action.kind {
                ActionKind::Sleep => {}
                ActionKind::Rest(rest) => {
                    self.lowered += 1;
                    let key = match &action.name {
                        Some(name) => name.value.clone(),
                        None if self.calls == 1 => self.activity.clone(),
                        None => format!("{} {}", self.activity, self.lowered),
                    };
                    self.rest(rest, key, action.span, tried, steps);
                }
                ActionKind::Produce { messages, data } => {
                    // All messages carry the same payload ([W9](docs/workflow-dsl.md#w9)).
                    let Some(payload) = self.payload(data.as_ref(), action.span, tried, steps) else { continue };
                    for message in messages {
                        self.produce(message.index, payload, action.span, steps);
                    }
                }
            }
            sleep(action.sleep.after.as_ref(), steps);
        }
    }

    fn rest(&mut self, rest: &RestCall, key: String, span: Span, tried: &Tried, steps: &mut BodyBuilder) {
        let Some(input) = self.request(rest, tried.data) else { return };
        let task = self.task(Task {
            method: key.clone(),
            key,
            resource: format!("{} {}", rest.method, rest.written),
            state: Arc::from(self.activity.as_str()),
            span: rest.url_span,
            is_function: false,
            operation: Some(Arc::new(Operation::Http(http(rest)))),
            shapes: TaskShapes::default(),
        });
        let answer = self.local("answer", span);
        steps.push(
            StepKind::Invoke(Box::new(Invoke {
                task,
                input,
                template: InputTemplate::default(),
                timeout: None,
                heartbeat: None,
                credentials: None,
                callback: false,
                result: answer,
            })),
            span,
        );
        steps.set(tried.response, Expr::call(&ANSWER, vec![Arg::Owned(Expr::Local(answer))]), span);
        let body = Expr::call(&MEMBER, vec![Arg::Value(Expr::Local(tried.response)), Arg::Str("body".into())]);
        let merged = vec![Arg::Owned(Expr::Local(tried.data)), Arg::Value(body)];
        steps.set(tried.data, Expr::call(&WITH_RESULT, merged), span);
    }

    /// Returns the input of the task of a call.
    fn request(&mut self, rest: &RestCall, data: LocalId) -> Option<Expr> {
        let text = |text: &str| Expr::Literal(Literal::String(text.to_owned()));
        // Every part is lowered, so that all errors are reported.
        let url = self.address(&rest.url, data);
        let query = self.members(&rest.query, "query parameter", data);
        let headers = self.members(&rest.headers, "header", data);
        let body = rest.body.as_ref().map(|body| self.value(body, "argument", data));
        let mut members = vec![
            ("method".to_owned(), text(&rest.method)),
            ("url".to_owned(), url?),
            ("query".to_owned(), query?),
            ("headers".to_owned(), headers?),
        ];
        if let Some(body) = body {
            members.push(("body".to_owned(), body?));
        }
        Some(Expr::Object(members))
    }

    /// Returns the payload of messages: `data`, or the activity's data.
    fn payload(
        &mut self,
        template: Option<&Templated>,
        span: Span,
        tried: &Tried,
        steps: &mut BodyBuilder,
    ) -> Option<LocalId> {
        let Some(template) = template else { return Some(tried.data) };
        let value = self.value(template, "message data", tried.data)?;
        let payload = self.local("payload", span);
        steps.set(payload, value, span);
        Some(payload)
    }

    /// Lowers the production of a message. Its output filter is applied to the payload.
    fn produce(&mut self, number: usize, payload: LocalId, span: Span, steps: &mut BodyBuilder) {
        let definition = self.definition;
        let message = &definition.messages[number];
        let data = self.filtered(&message.filter.output, payload, "message output filter", None);
        let text = |part: &Option<crate::source::Spanned<String>>| part.as_ref().map(|part| part.value.clone());
        let name = message.name.value.to_string();
        let result = self.local("published", span);
        let publish = Publish {
            kind: text(&message.event_type).unwrap_or_else(|| name.clone()),
            source: text(&message.source),
            subject: Some(name),
            attributes: Vec::new(),
            correlation: None,
            data: data.unwrap_or(Expr::Local(payload)),
            result,
        };
        steps.push(StepKind::Publish(Box::new(publish)), span);
    }
}

/// Returns the parts of the call that are known at compile time.
fn http(rest: &RestCall) -> Http {
    // The URL may be surrounded by blanks.
    let (start, goes_on) = match &rest.url[..] {
        [StringPiece::Text(start)] => (start.trim(), false),
        [StringPiece::Text(start), ..] => (start.trim_start(), true),
        _ => ("", true),
    };
    Http { method: rest.method.clone(), start: start.to_owned(), goes_on, secrets: rest.secrets.clone() }
}
