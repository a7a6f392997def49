//! Validation of schemas against their meta-schemas.

use super::Draft;
use super::files::{step, unescape};
use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::escape::comment;
use crate::literal::Literal;
use crate::schema::codes::WF1401;
use crate::source::Span;
use crate::syntax::{Node, Tree, shown};
use jsonschema::{PatternOptions, ValidationError};

/// The most errors reported for one schema.
const MAX_ERRORS: usize = 8;
/// The most characters of a validator's message that are shown, after the first.
const MAX_MESSAGE_CHARS: usize = 200;
/// The largest compiled pattern, in bytes. Equal to the limit of the runtime.
const MAX_PATTERN_SIZE: usize = 1 << 20;
/// The type names of JSON Schema.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Checks a schema as written against the meta-schema of its draft. Returns `true` if it is valid.
pub fn check_form(node: &Node, draft: Draft, diagnostics: &mut Diagnostics) -> bool {
    let value = match serde_json::from_str(&Literal::from(node).to_string()) {
        Ok(value) => value,
        Err(error) => {
            let diagnostic =
                Diagnostic::new(&WF1401, display_span(node), format!("this schema cannot be read: {error}"));
            diagnostics.push(diagnostic.help("reduce the nesting"));
            return false;
        }
    };
    let rules = match draft {
        Draft::Draft4 => jsonschema::draft4::meta::validator(),
        Draft::Draft6 => jsonschema::draft6::meta::validator(),
        Draft::Draft7 => jsonschema::draft7::meta::validator(),
        Draft::Draft201909 => jsonschema::draft201909::meta::validator(),
        Draft::Draft202012 => jsonschema::draft202012::meta::validator(),
    };
    let mut valid = true;
    for error in rules.iter_errors(&value).take(MAX_ERRORS) {
        valid = false;
        let parts = error.instance_path().as_str().split('/').skip(1).map(unescape);
        let mut wrong = node;
        for part in parts {
            wrong = step(wrong, &part).unwrap_or(wrong);
        }
        diagnostics.push(form_error(&error, wrong, draft));
    }
    valid
}

/// Compiles a bundled schema and returns the first error, such as an invalid pattern. `span_of`
/// maps pointers of the bundle to source spans.
pub fn check_whole(text: &str, draft: Draft, span_of: impl Fn(&str) -> Span) -> Option<Diagnostic> {
    let problem = match serde_json::from_str(text) {
        Ok(value) => options(draft).build(&value).err(),
        Err(error) => Some(ValidationError::custom(error.to_string())),
    };
    let error = problem?;
    let path = error.instance_path().as_str();
    let key = path.rsplit('/').next().unwrap_or_default();
    Some(match error.instance().as_str() {
        Some(pattern) if key == "pattern" || error.kind().keyword() == "propertyNames" => {
            // A pattern that parses but does not compile exceeds a limit of the library.
            let (problem, help) = match regex_syntax::parse(pattern) {
                Ok(_) => ("is too large", "use fewer repetitions, and limit the length with `maxLength`"),
                Err(_) => ("cannot be compiled", "write a regular expression without look-around and back-references"),
            };
            let message = format!("the pattern `{}` {problem}", shown(pattern));
            Diagnostic::new(&WF1401, span_of(path), message).help(help)
        }
        _ => {
            let message = format!("this schema cannot be used: {}", message_of(&error));
            Diagnostic::new(&WF1401, span_of(path), message).help("correct the schema")
        }
    })
}

/// Returns the options for building validators. They equal those of the runtime.
pub fn options(draft: Draft) -> jsonschema::ValidationOptions<'static> {
    let named = match draft {
        Draft::Draft4 => jsonschema::Draft::Draft4,
        Draft::Draft6 => jsonschema::Draft::Draft6,
        Draft::Draft7 => jsonschema::Draft::Draft7,
        Draft::Draft201909 => jsonschema::Draft::Draft201909,
        Draft::Draft202012 => jsonschema::Draft::Draft202012,
    };
    let patterns = PatternOptions::regex().size_limit(MAX_PATTERN_SIZE);
    jsonschema::options().with_draft(named).offline().with_pattern_options(patterns)
}

fn form_error(error: &ValidationError<'_>, wrong: &Node, draft: Draft) -> Diagnostic {
    let path = error.instance_path().as_str();
    let keyword = path.rsplit('/').find(|part| part.parse::<usize>().is_err()).unwrap_or_default();
    let is_type = keyword == "type" && !path.ends_with("/properties/type");
    if let (true, Some(text)) = (is_type, wrong.as_text()) {
        let message = format!("`{}` is not a JSON Schema type", shown(&text.value));
        let types = TYPES.map(|name| format!("`{name}`")).join(", ");
        let help = did_you_mean(&text.value, TYPES).unwrap_or_else(|| format!("the types are {types}"));
        return Diagnostic::new(&WF1401, wrong.span, message).help(help);
    }
    let what = match keyword {
        "" => "this is not a schema".to_owned(),
        keyword => format!("invalid value of `{}`", shown(keyword)),
    };
    let message = format!("{what}: {}", message_of(error));
    let help = format!("the schema is read as {}: declare another draft with `$schema`", draft.name());
    Diagnostic::new(&WF1401, display_span(wrong), message).help(help)
}

/// Returns the validator's message, in a form that completes a sentence.
fn message_of(error: &ValidationError<'_>) -> String {
    let text = error.to_string();
    let text = comment(text.trim_end_matches('.'));
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    let mut words: String = first.into_iter().chain(chars.by_ref().take(MAX_MESSAGE_CHARS)).collect();
    if chars.next().is_some() {
        words.push('…');
    }
    words
}

/// Returns `true` if a pattern matches some part of a text. Returns `None` if the pattern cannot
/// be compiled.
pub fn matches(pattern: &str, text: &str) -> Option<bool> {
    let schema = serde_json::json!({ "pattern": pattern });
    let validator = options(Draft::Draft202012).build(&schema).ok()?;
    Some(validator.is_valid(&serde_json::Value::from(text)))
}

/// Returns the span to show for a value: the whole of a scalar, the opening bracket of an array or
/// object.
pub fn display_span(node: &Node) -> Span {
    match &node.tree {
        Tree::Array(_) | Tree::Object(_) => Span { end: node.span.start + 1, ..node.span },
        _ => node.span,
    }
}
