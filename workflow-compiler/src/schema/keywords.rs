//! The keywords of JSON Schema, by draft.

use workflow_model::Draft;

/// The content of a keyword.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeywordContent {
    /// A schema.
    Schema,
    /// An array of schemas.
    List,
    /// A schema, or an array of schemas.
    Either,
    /// An object of schemas by name. A member that is not a schema is data.
    Map,
    /// Data that a validator compares values with.
    Data,
    /// An annotation, which does not affect validation.
    Annotation,
}

/// Returns the content of a keyword, and the first and the last draft that define it. Returns
/// `None` for identifiers, anchors, references and containers of definitions, and for unknown
/// keywords.
pub fn keyword(name: &str) -> Option<(KeywordContent, Draft, Draft)> {
    use Draft::{Draft4, Draft6, Draft7, Draft201909, Draft202012};
    let (holds, first, last) = match name {
        "additionalProperties" | "not" => (KeywordContent::Schema, Draft4, Draft202012),
        "additionalItems" => (KeywordContent::Schema, Draft4, Draft201909),
        "contains" | "propertyNames" => (KeywordContent::Schema, Draft6, Draft202012),
        "if" | "then" | "else" => (KeywordContent::Schema, Draft7, Draft202012),
        "unevaluatedItems" | "unevaluatedProperties" => (KeywordContent::Schema, Draft201909, Draft202012),
        "items" => (KeywordContent::Either, Draft4, Draft202012),
        "allOf" | "anyOf" | "oneOf" => (KeywordContent::List, Draft4, Draft202012),
        "prefixItems" => (KeywordContent::List, Draft202012, Draft202012),
        "properties" | "patternProperties" => (KeywordContent::Map, Draft4, Draft202012),
        "dependencies" => (KeywordContent::Map, Draft4, Draft7),
        "dependentSchemas" => (KeywordContent::Map, Draft201909, Draft202012),
        "type" | "enum" | "multipleOf" | "maximum" | "minimum" | "exclusiveMaximum" | "exclusiveMinimum"
        | "maxLength" | "minLength" | "pattern" | "maxItems" | "minItems" | "uniqueItems" | "maxProperties"
        | "minProperties" | "required" | "format" => (KeywordContent::Data, Draft4, Draft202012),
        "const" => (KeywordContent::Data, Draft6, Draft202012),
        "dependentRequired" | "maxContains" | "minContains" => (KeywordContent::Data, Draft201909, Draft202012),
        "title" | "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly" => {
            (KeywordContent::Annotation, Draft4, Draft202012)
        }
        _ => return None,
    };
    Some((holds, first, last))
}
