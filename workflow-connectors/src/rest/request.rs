//! Requests of operations, made of their arguments.

use std::fmt;

use reqwest::header::{HeaderName, HeaderValue};
use workflow_runtime::operation::{self, Body, Decomposition, Media, Parameter, Piece, Place, SchemeKind, Style};
use workflow_runtime::{Object, Value};

use super::style;

/// Request, without the address of the service and the credentials.
#[derive(Debug, Default)]
pub(super) struct Request {
    /// Path, starting with a slash.
    pub path: String,
    /// Encoded `name=value` pairs.
    pub query: Vec<String>,
    pub headers: Vec<(HeaderName, HeaderValue)>,
    /// Encoded `name=value` pairs.
    pub cookies: Vec<String>,
    /// Content type and body.
    pub body: Option<(&'static str, String)>,
}

/// Makes the request of an operation. The error describes the invalid argument.
pub(super) fn request(operation: &operation::Rest, arguments: &Value) -> Result<Request, String> {
    let none = Object::new();
    let arguments = match arguments {
        Value::Null => &none,
        Value::Object(arguments) => arguments,
        other => return Err(format!("the arguments must be an object, found `{}`", other.kind())),
    };
    let whole = operation.body.as_ref().and_then(|body| {
        body.whole
            .iter()
            .find_map(|name| arguments.get(name).filter(|value| !value.is_null() || body.media == Media::Json))
    });
    let has_whole_form = whole.is_some() && operation.body.as_ref().is_some_and(|body| body.media == Media::Form);
    let mut request = Request::default();
    let mut fields = Vec::new();
    for parameter in operation.parameters {
        let value = arguments.get(parameter.argument).filter(|value| !value.is_null());
        let Some(value) = value else {
            if parameter.required && !(parameter.place == Place::Form && has_whole_form) {
                return Err(format!("the argument `{}` is missing", parameter.argument));
            }
            continue;
        };
        check(operation, parameter, value, format_args!("argument `{}`", parameter.argument))?;
        match parameter.place {
            Place::Path => {}
            Place::Query => request.query.extend(style::pairs(parameter, value)),
            Place::Cookie => request.cookies.extend(style::pairs(parameter, value)),
            Place::Form => fields.extend(style::pairs(parameter, value)),
            Place::Header => request.headers.push(header(parameter, value)?),
        }
    }
    request.path = path(operation, arguments)?;
    if let Some(body) = &operation.body {
        request.body = self::body(body, operation, arguments, whole, fields)?;
    }
    Ok(request)
}

/// Checks that a value cannot be mistaken for something else as a parameter.
fn check(
    operation: &operation::Rest,
    parameter: &Parameter,
    value: &Value,
    what: fmt::Arguments,
) -> Result<(), String> {
    let part_kind = match value {
        Value::Array(_) => {
            matches!(parameter.decomposition, Decomposition::None | Decomposition::Members).then_some("an array")
        }
        Value::Object(_) => {
            matches!(parameter.decomposition, Decomposition::None | Decomposition::Items).then_some("an object")
        }
        _ => None,
    };
    if let Some(kind) = part_kind {
        return Err(format!("the {what} is {kind}, which its schema does not allow"));
    }
    match taken_for_another(operation, parameter, value) {
        Some(name) => Err(format!("the member `{name}` of the {what} and another parameter have the same name")),
        None => Ok(()),
    }
}

/// Returns a member that would be sent under the name of another parameter or of a credential.
/// Data of an execution must not replace either.
fn taken_for_another<'v>(operation: &operation::Rest, parameter: &Parameter, value: &'v Value) -> Option<&'v str> {
    let Value::Object(members) = value else { return None };
    let is_exploded = matches!(parameter.place, Place::Query | Place::Cookie | Place::Form) && parameter.explode;
    if !is_exploded || matches!(parameter.style, Style::Deep | Style::Json | Style::Typed) {
        return None;
    }
    let is_known = |name: &str| {
        let schemes = operation.security.iter().copied().flatten();
        let mut keys = schemes.filter_map(|scheme| match scheme.kind {
            SchemeKind::ApiKey(_, key) => Some(key),
            _ => None,
        });
        let mut others = operation.parameters.iter().map(|parameter| parameter.name);
        others.any(|other| other == name) || keys.any(|key| key == name)
    };
    members.iter().map(|(name, _)| &**name).find(|name| is_known(name))
}

fn header(parameter: &Parameter, value: &Value) -> Result<(HeaderName, HeaderValue), String> {
    let name = HeaderName::try_from(parameter.name).ok();
    let value = HeaderValue::from_bytes(style::in_header(parameter, value).as_bytes()).ok();
    name.zip(value).ok_or_else(|| format!("the argument `{}` is not valid in a header", parameter.argument))
}

/// Returns the path. A value stays one segment: it is neither empty nor leads elsewhere.
fn path(operation: &operation::Rest, arguments: &Object) -> Result<String, String> {
    let mut path = String::new();
    for piece in operation.path {
        match piece {
            Piece::Text(text) => path.push_str(text),
            Piece::Parameter(at) => {
                let Some(parameter) = operation.parameters.get(*at) else { continue };
                let value = arguments.get(parameter.argument).unwrap_or(&Value::Null);
                let text = style::in_path(parameter, value);
                // Gateways decode encoded separators.
                if leads_away(&text) && !matches!(&*text, "." | "..") {
                    return Err(format!("the argument `{}` would change the path", parameter.argument));
                }
                if text.is_empty() {
                    return Err(format!(
                        "the argument `{}` is part of the path and must not be empty",
                        parameter.argument
                    ));
                }
                path.push_str(&text);
            }
        }
    }
    if path.split('/').any(leads_away) {
        return Err("the path contains the segment `.` or `..`".to_owned());
    }
    Ok(path)
}

/// Returns `true` if a path segment leads out of it, also for servers that decode periods and
/// separators.
pub(super) fn leads_away(part: &str) -> bool {
    let part = part.to_ascii_uppercase().replace("%2E", ".").replace("%5C", "%2F");
    part.split("%2F").any(|part| matches!(part, "." | ".."))
}

fn body(
    body: &Body,
    operation: &operation::Rest,
    arguments: &Object,
    whole: Option<&Value>,
    mut fields: Vec<String>,
) -> Result<Option<(&'static str, String)>, String> {
    let is_rest = |name: &str| {
        !operation.parameters.iter().any(|parameter| parameter.argument == name) && !body.whole.contains(&name)
    };
    let others = || arguments.iter().filter(|(name, _)| is_rest(name));
    let text = match (body.media, whole) {
        (Media::Json, Some(whole)) => Some(whole.to_string()),
        (Media::Json, None) if body.members => {
            let members: Object = others().map(|(name, value)| (name.clone(), value.clone())).collect();
            (body.required || !members.is_empty()).then(|| Value::from(members).to_string())
        }
        (Media::Text, Some(Value::Array(_) | Value::Object(_))) => {
            return Err("the body must be a string".to_owned());
        }
        (Media::Text, Some(whole)) => Some(style::plain(whole)),
        (Media::Form, Some(Value::Object(members))) => {
            for (name, value) in members.iter().filter(|(_, value)| !value.is_null()) {
                let is_field = |parameter: &&Parameter| parameter.place == Place::Form && parameter.name == &**name;
                match operation.parameters.iter().find(is_field) {
                    Some(parameter) => {
                        check(operation, parameter, value, format_args!("field `{name}` of the body"))?;
                        fields.extend(style::pairs(parameter, value));
                    }
                    None => fields.extend(style::field(name, value)),
                }
            }
            Some(fields.join("&"))
        }
        (Media::Form, Some(_)) => return Err("the body is a form and must be an object".to_owned()),
        (Media::Form, None) => {
            if body.members {
                let others = others().filter(|(_, value)| !value.is_null());
                fields.extend(others.flat_map(|(name, value)| style::field(name, value)));
            }
            (body.required || !fields.is_empty()).then(|| fields.join("&"))
        }
        (Media::Json | Media::Text, None) => None,
    };
    match text {
        None if body.required => {
            let name = body.whole.first().unwrap_or(&"body");
            Err(format!("the argument `{name}`, the body, is missing"))
        }
        text => Ok(text.map(|text| (body.content_type, text))),
    }
}

#[cfg(test)]
mod tests;
