//! Checks of the arguments of a call against the request type of its method.

use super::json::check_field;
use super::{RpcArgument, RpcCall, RpcMethod};
use crate::diagnostics::suggest::{likely, listed};
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::rpc::codes::WF1004;
use crate::source::Span;
use crate::syntax::{Tree, shown};
use protox::prost_reflect::{FieldDescriptor, MessageDescriptor};
use std::collections::BTreeMap;

impl RpcMethod {
    /// Reports the errors in a call of the method.
    pub fn check(&self, call: RpcCall<'_>, diagnostics: &mut Diagnostics) {
        let RpcCall { arguments, span } = call;
        // Arguments form an object, but the JSON of some well-known types is not an object of
        // their fields.
        match self.request.full_name().strip_prefix("google.protobuf.").unwrap_or_default() {
            "Struct" | "Value" => {}
            "Any" if arguments.iter().any(|argument| argument.name.value == "@type") => {}
            "Any" => {
                let message = "missing `@type` in a `google.protobuf.Any` request";
                let help = "add `@type`, such as `\"type.googleapis.com/acme.Charge\"`";
                diagnostics.push(Diagnostic::new(&WF1004, span, message).help(help));
            }
            name @ ("Timestamp" | "Duration" | "FieldMask" | "ListValue" | "BoolValue" | "BytesValue"
            | "DoubleValue" | "FloatValue" | "Int32Value" | "Int64Value" | "StringValue" | "UInt32Value"
            | "UInt64Value") => {
                let message =
                    format!("the request is a `google.protobuf.{name}`, which cannot be built from arguments");
                let help = "call a method whose request has fields";
                diagnostics.push(Diagnostic::new(&WF1004, span, message).help(help));
            }
            _ => check_members(&self.request, arguments, span, diagnostics),
        }
    }
}

/// Reports the errors in the members of a message. `span` is the span for missing members.
pub(super) fn check_members(
    message: &MessageDescriptor,
    members: &[RpcArgument<'_>],
    span: Span,
    diagnostics: &mut Diagnostics,
) {
    // `seen`: the first occurrence by field number. `chosen`: the members of oneofs that
    // certainly have a value, by oneof.
    let mut seen: BTreeMap<u32, Span> = BTreeMap::new();
    let mut chosen: BTreeMap<String, (Span, String)> = BTreeMap::new();
    let mut all_known = true;
    for RpcArgument { name, value } in members {
        let Some(field) = field_of(message, &name.value) else {
            all_known = false;
            report_unknown(message, name.span, &name.value, diagnostics);
            continue;
        };
        let is_null = value.is_some_and(|value| value.tree == Tree::Null);
        if let Some(first) = seen.get(&field.number()) {
            let message = format!("duplicate field `{}`", shown(&name.value));
            let diagnostic = Diagnostic::new(&WF1004, name.span, message).related(*first, "first set here");
            diagnostics.push(diagnostic.help("remove one of them: both names refer to the field"));
            continue;
        }
        // A null member counts as absent.
        if !is_null {
            seen.insert(field.number(), name.span);
        }
        let Some(value) = value.filter(|_| !is_null) else { continue };
        if let Some(oneof) = field.containing_oneof().filter(|oneof| !oneof.is_synthetic()) {
            match chosen.get(oneof.name()) {
                Some((first, other)) => {
                    let message = format!(
                        "`{}` and `{other}` cannot be used together: both are members of the oneof `{}`",
                        shown(&name.value),
                        oneof.name()
                    );
                    let diagnostic =
                        Diagnostic::new(&WF1004, name.span, message).related(*first, format!("`{other}` is set here"));
                    diagnostics.push(diagnostic.help("keep one of them"));
                }
                None => drop(chosen.insert(oneof.name().to_owned(), (name.span, name.value.clone()))),
            }
        }
        check_field(&field, value, &name.value, diagnostics);
    }
    // A field that seems to be missing may be an unknown member under another name.
    let is_missing = |field: &FieldDescriptor| field.is_required() && !seen.contains_key(&field.number());
    for field in message.fields().filter(|field| all_known && is_missing(field)) {
        let message = format!("missing field `{1}` in `{0}`", message.name(), field.json_name());
        diagnostics.push(Diagnostic::new(&WF1004, span, message).help(format!("add `{}`", field.json_name())));
    }
}

/// Returns a field by its JSON name, or else by its name in the file.
fn field_of(message: &MessageDescriptor, name: &str) -> Option<FieldDescriptor> {
    message.get_field_by_json_name(name).or_else(|| message.get_field_by_name(name))
}

fn report_unknown(message: &MessageDescriptor, span: Span, name: &str, diagnostics: &mut Diagnostics) {
    let fields: Vec<FieldDescriptor> = message.fields().collect();
    let names = fields.iter().map(FieldDescriptor::json_name);
    let meant = likely(name, names.clone().chain(fields.iter().map(FieldDescriptor::name)));
    let help = match (meant, &fields[..]) {
        (Some(meant), _) => format!("did you mean `{meant}`?"),
        (None, []) => "remove it: the message has no fields".to_owned(),
        (None, _) => format!("its fields are {}", listed(names)),
    };
    let message = format!("`{}` has no field `{}`", message.full_name(), shown(name));
    let diagnostic = Diagnostic::new(&WF1004, span, message).help(help);
    diagnostics.push(match meant {
        Some(meant) => diagnostic.fix(span, format!("{meant:?}")),
        None => diagnostic,
    });
}
