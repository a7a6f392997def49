//! Checks of the arguments of a call: completeness, names, and the types of constants.

use super::documents::ExpectedArgument;
use super::reader::Reader;
use super::schema::{self, CheckedValue, KnownValue, ObjectShape};
use super::{ArgumentValue, CallArgument, DescribedOperation};
use crate::diagnostics::Diagnostic;
use crate::diagnostics::suggest::nearest;
use crate::model::operation::{Body, Media};
use crate::openapi::codes::{WF0906, WF0951};
use crate::source::Span;
use crate::syntax::shown;

/// Checks the arguments of a call.
pub(super) fn check<'a>(
    described: &'a DescribedOperation,
    arguments: &[CallArgument<'_>],
    span: Span,
    reader: &mut Reader<'a>,
) {
    let rest = &described.rest;
    let shape = described.body.as_ref().and_then(|body| body.schema.as_ref());
    let shape = match shape {
        Some(schema) => match schema::shape(schema.at(), reader) {
            Some(shape) => shape,
            None => return,
        },
        None => ObjectShape::anything(),
    };
    let mut call = Call { described, body: rest.body.as_ref(), shape: &shape, arguments, span, id: &rest.id };
    call.check_arguments(reader);
    call.check_required(reader);
}

struct Call<'a, 'c> {
    described: &'a DescribedOperation,
    body: Option<&'a Body>,
    shape: &'c ObjectShape<'a>,
    arguments: &'c [CallArgument<'c>],
    span: Span,
    id: &'a str,
}

impl<'a> Call<'a, '_> {
    fn has_argument(&self, name: &str) -> bool {
        self.arguments.iter().any(|argument| argument.name.value == name)
    }

    fn parameter(&self, name: &str) -> Option<&'a ExpectedArgument> {
        self.described.expected.iter().find(|expected| expected.argument == name)
    }

    /// Returns the argument that holds the whole body.
    fn body_argument(&self) -> Option<&CallArgument<'_>> {
        let names = self.body.map(|body| &body.whole[..]).unwrap_or_default();
        names.iter().find_map(|name| self.arguments.iter().find(|argument| argument.name.value == *name))
    }

    /// Resolves each argument to a parameter, the body or a member of the body, and checks its
    /// value.
    fn check_arguments(&mut self, reader: &mut Reader<'a>) {
        let whole = self.body_argument().map(|argument| argument.name.value.as_str());
        for argument in self.arguments {
            let name = &argument.name.value;
            let what = format!("the argument `{}`", shown(name));
            let is_form = self.body.is_some_and(|body| body.media == Media::Form);
            if let Some(expected) = self.parameter(name) {
                if let Some(schema) = &expected.schema {
                    check_value(argument, what, expected.span, schema.at(), reader);
                }
            } else if whole == Some(name) {
                let body = self.described.body.as_ref();
                if let Some((schema, span)) = body.and_then(|body| Some((body.schema.as_ref()?, body.span))) {
                    check_value(argument, what, span, schema.at(), reader);
                }
            } else if whole.is_none() && self.body.is_some_and(|body| body.members) {
                match self.shape.properties.iter().find(|property| property.name == *name) {
                    Some(property) if !is_form => check_value(argument, what, property.span, property.at, reader),
                    Some(_) => {}
                    None if self.shape.is_known && !self.shape.is_open => self.report_unknown(argument, true, reader),
                    None => {}
                }
            } else {
                self.report_unknown(argument, false, reader);
            }
        }
    }

    /// Warns of an argument that the document does not describe.
    fn report_unknown(&self, argument: &CallArgument<'_>, is_sent: bool, reader: &mut Reader<'a>) {
        let name = shown(&argument.name.value);
        let parameters = self.described.expected.iter().map(|expected| expected.argument.as_str());
        let members = self.shape.properties.iter().map(|property| property.name.as_str());
        let whole = self.body.into_iter().flat_map(|body| body.whole.iter().map(String::as_str));
        let candidates: Vec<&str> =
            parameters.chain(members).chain(whole).filter(|known| !self.has_argument(known)).collect();
        let message = match is_sent {
            true => format!(
                "the operation `{}` does not describe `{name}`, which is sent as a member of the body",
                shown(self.id)
            ),
            false => format!("the operation `{}` has no argument `{name}`: the argument is not sent", shown(self.id)),
        };
        let help = match nearest(&argument.name.value, candidates.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "remove it".to_owned(),
        };
        reader.push(Diagnostic::new(&WF0951, argument.name.span, message).help(help));
    }

    /// Reports missing arguments that are required.
    fn check_required(&self, reader: &mut Reader<'a>) {
        let whole = self.body_argument();
        let is_whole_form = whole.is_some() && self.body.is_some_and(|body| body.media == Media::Form);
        for expected in self.described.expected.iter().filter(|expected| expected.required) {
            if self.has_argument(&expected.argument) || (is_whole_form && expected.what == "form field") {
                continue;
            }
            let message = format!(
                "missing {1} `{2}` of the operation `{0}`",
                shown(self.id),
                expected.what,
                shown(&expected.argument)
            );
            let help = format!("add the argument `{}`", shown(&expected.argument));
            self.report_missing(message, expected.span, help, reader);
        }
        let (Some(body), Some(expected), None) = (self.body, &self.described.body, whole) else { return };
        if !body.members || body.media == Media::Form {
            if body.required && body.media != Media::Form {
                let name = body.whole.first().map_or("body", String::as_str);
                let message = format!("missing body of the operation `{}`", shown(self.id));
                self.report_missing(message, expected.span, format!("add the argument `{name}`"), reader);
            }
            return;
        }
        let is_member = |argument: &CallArgument<'_>| self.parameter(&argument.name.value).is_none();
        if !body.required && !self.arguments.iter().any(is_member) {
            return;
        }
        for property in self.shape.properties.iter().filter(|property| property.required) {
            let name = property.name.as_str();
            let is_shadowed = self.parameter(name).is_some();
            if self.has_argument(name) && !is_shadowed {
                continue;
            }
            let message =
                format!("missing member `{1}` in the body of the operation `{0}`", shown(self.id), shown(name));
            let help = match (is_shadowed, body.whole.first()) {
                (true, Some(whole)) => {
                    format!("pass the whole body as `{whole}`: the argument `{}` is a parameter", shown(name))
                }
                _ => format!("add the argument `{}`", shown(name)),
            };
            self.report_missing(message, property.span, help, reader);
        }
    }

    fn report_missing(&self, message: String, described: Span, help: String, reader: &mut Reader<'a>) {
        reader.push(Diagnostic::new(&WF0906, self.span, message).related(described, "described here").help(help));
    }
}

fn check_value<'a>(
    argument: &CallArgument<'_>,
    what: String,
    expected: Span,
    schema: super::reader::NodeRef<'a>,
    reader: &mut Reader<'a>,
) {
    let kind = match argument.value {
        ArgumentValue::Constant(node) => KnownValue::Constant(node),
        ArgumentValue::Type(kind) => KnownValue::Type(kind),
        ArgumentValue::Unknown => return,
    };
    schema::check(&CheckedValue { what, span: argument.span, expected, kind }, schema, reader);
}
