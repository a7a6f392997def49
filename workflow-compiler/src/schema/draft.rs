//! The drafts of JSON Schema and their keywords.

/// A draft of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Draft {
    /// Draft 4.
    Draft4,
    /// Draft 6.
    Draft6,
    /// Draft 7.
    Draft7,
    /// 2019-09.
    Draft201909,
    /// 2020-12.
    Draft202012,
}

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

impl Draft {
    /// All drafts, oldest first.
    pub const ALL: [Draft; 5] = [Draft::Draft4, Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012];

    /// Returns the draft that a `$schema` URI names. The scheme, a trailing `#` and trailing
    /// slashes do not matter.
    pub fn of(uri: &str) -> Option<Draft> {
        let plain = uri.trim_end_matches('#').trim_end_matches('/');
        let plain = plain.strip_prefix("https://").or_else(|| plain.strip_prefix("http://"))?;
        Draft::ALL.into_iter().find(|draft| draft.uri().split_once("://").is_some_and(|(_, known)| known == plain))
    }

    /// Returns the `$schema` URI of the draft.
    pub fn uri(self) -> &'static str {
        match self {
            Draft::Draft4 => "http://json-schema.org/draft-04/schema",
            Draft::Draft6 => "http://json-schema.org/draft-06/schema",
            Draft::Draft7 => "http://json-schema.org/draft-07/schema",
            Draft::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Draft::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Returns the name of the draft in messages.
    pub fn name(self) -> &'static str {
        match self {
            Draft::Draft4 => "draft 4",
            Draft::Draft6 => "draft 6",
            Draft::Draft7 => "draft 7",
            Draft::Draft201909 => "draft 2019-09",
            Draft::Draft202012 => "draft 2020-12",
        }
    }

    /// Returns the name of the corresponding variant of the runtime's type.
    pub fn constant(self) -> &'static str {
        match self {
            Draft::Draft4 => "Draft4",
            Draft::Draft6 => "Draft6",
            Draft::Draft7 => "Draft7",
            Draft::Draft201909 => "Draft201909",
            Draft::Draft202012 => "Draft202012",
        }
    }

    /// Returns the keyword that holds definitions.
    pub fn definitions(self) -> &'static str {
        if self < Draft::Draft201909 { "definitions" } else { "$defs" }
    }

    /// Returns `true` if the draft ignores the siblings of a `$ref`.
    pub fn refs_stand_alone(self) -> bool {
        self < Draft::Draft201909
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
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drafts_are_known_by_their_uris() {
        for draft in Draft::ALL {
            assert_eq!(Draft::of(draft.uri()), Some(draft));
            assert_eq!(Draft::of(&format!("{}#", draft.uri())), Some(draft));
        }
        assert_eq!(Draft::of("https://json-schema.org/draft-07/schema#"), Some(Draft::Draft7));
        for uri in ["", "http://json-schema.org/schema#", "http://json-schema.org/draft-03/schema#", "draft-07"] {
            assert_eq!(Draft::of(uri), None, "{uri}");
        }
    }
}
