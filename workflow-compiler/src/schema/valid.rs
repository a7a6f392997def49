//! Whether a schema is one, and what is wrong with it where it is not.

use super::Draft;
use super::files::{step, unescaped};
use crate::diagnostics::codes::schemas::E1401;
use crate::diagnostics::suggest::did_you_mean;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::escape::comment;
use crate::expr::Literal;
use crate::source::Span;
use crate::syntax::{Node, Tree, shown};
use jsonschema::{PatternOptions, ValidationError};

/// Of what is wrong with one schema so much is told at the most.
const TOLD: usize = 8;
/// So many characters of what the validator says are told.
const LONGEST: usize = 200;
/// The types that there are.
const TYPES: [&str; 7] = ["array", "boolean", "integer", "null", "number", "object", "string"];

/// Checks a schema, as it is written, against the rules of its draft.
pub fn check_form(node: &Node, draft: Draft, diagnostics: &mut Diagnostics) -> bool {
    let value = match serde_json::from_str(&Literal::from(node).to_string()) {
        Ok(value) => value,
        Err(error) => {
            let found = Diagnostic::new(&E1401, place(node), format!("this schema cannot be read: {error}"));
            diagnostics.push(found.help("nest it less deeply"));
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
    for error in rules.iter_errors(&value).take(TOLD) {
        valid = false;
        let parts = error.instance_path().as_str().split('/').skip(1).map(unescaped);
        let mut wrong = node;
        for part in parts {
            wrong = step(wrong, &part).unwrap_or(wrong);
        }
        diagnostics.push(told(&error, wrong, draft));
    }
    valid
}

/// What is wrong with a whole that has no flaw of form, such as a pattern that cannot be compiled. `span_of` says where that
/// stands which is at a pointer.
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
            // One that can be read, and cannot be compiled, exceeds what the library allows for.
            let (problem, help) = match regex_syntax::parse(pattern) {
                Ok(_) => ("is too large", "repeat less, and say with `maxLength` how long a text may be"),
                Err(_) => ("cannot be compiled", "write a regular expression without look-around and back-references"),
            };
            let message = format!("the pattern `{}` {problem}", shown(pattern));
            Diagnostic::new(&E1401, span_of(path), message).help(help)
        }
        _ => {
            let message = format!("this schema cannot be used: {}", in_words(&error));
            Diagnostic::new(&E1401, span_of(path), message).help("mend what is said of it")
        }
    })
}

/// How schemas are built: as the runtime does it.
pub fn options(draft: Draft) -> jsonschema::ValidationOptions<'static> {
    let named = match draft {
        Draft::Draft4 => jsonschema::Draft::Draft4,
        Draft::Draft6 => jsonschema::Draft::Draft6,
        Draft::Draft7 => jsonschema::Draft::Draft7,
        Draft::Draft201909 => jsonschema::Draft::Draft201909,
        Draft::Draft202012 => jsonschema::Draft::Draft202012,
    };
    jsonschema::options().with_draft(named).offline().with_pattern_options(PatternOptions::regex())
}

fn told(error: &ValidationError<'_>, wrong: &Node, draft: Draft) -> Diagnostic {
    let path = error.instance_path().as_str();
    let keyword = path.rsplit('/').find(|part| part.parse::<usize>().is_err()).unwrap_or_default();
    let is_type = keyword == "type" && !path.ends_with("/properties/type");
    if let (true, Some(text)) = (is_type, wrong.as_text()) {
        let message = format!("`{}` is no type of JSON Schema", shown(&text.value));
        let types = TYPES.map(|name| format!("`{name}`")).join(", ");
        let help = did_you_mean(&text.value, TYPES).unwrap_or_else(|| format!("the types are {types}"));
        return Diagnostic::new(&E1401, wrong.span, message).help(help);
    }
    let what = match keyword {
        "" => "this is no schema".to_owned(),
        keyword => format!("`{}` does not hold what it should", shown(keyword)),
    };
    let message = format!("{what}: {}", in_words(error));
    let help = format!("it was read as {}: if it is of another draft, say so with `$schema`", draft.name());
    Diagnostic::new(&E1401, place(wrong), message).help(help)
}

/// What is wrong, as the end of a sentence.
fn in_words(error: &ValidationError<'_>) -> String {
    let text = error.to_string();
    let text = comment(text.trim_end_matches('.'));
    let mut chars = text.chars();
    let first = chars.next().map(|first| first.to_ascii_lowercase());
    let mut words: String = first.into_iter().chain(chars.by_ref().take(LONGEST)).collect();
    if chars.next().is_some() {
        words.push('…');
    }
    words
}

/// Whether a pattern matches a text somewhere; none where that cannot be told.
pub fn matches(pattern: &str, text: &str) -> Option<bool> {
    let schema = serde_json::json!({ "pattern": pattern });
    let validator = options(Draft::Draft202012).build(&schema).ok()?;
    Some(validator.is_valid(&serde_json::Value::from(text)))
}

/// Where a value is shown: the beginning of one that has others in it.
pub fn place(node: &Node) -> Span {
    match &node.tree {
        Tree::Array(_) | Tree::Object(_) => Span { end: node.span.start + 1, ..node.span },
        _ => node.span,
    }
}
