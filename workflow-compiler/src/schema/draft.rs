//! The drafts of JSON Schema, and what their keywords hold.

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

/// What a keyword holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// A schema.
    Schema,
    /// Schemas, in an array.
    List,
    /// A schema, or schemas in an array.
    Either,
    /// Schemas by names. What is no schema among them is data.
    Map,
    /// Data that values are compared with.
    Data,
    /// What only describes.
    Words,
}

impl Draft {
    /// All of them, the oldest first.
    pub const ALL: [Draft; 5] = [Draft::Draft4, Draft::Draft6, Draft::Draft7, Draft::Draft201909, Draft::Draft202012];

    /// The draft that `$schema` names, however it ends.
    pub fn of(uri: &str) -> Option<Draft> {
        let plain = uri.trim_end_matches('#').trim_end_matches('/');
        let plain = plain.strip_prefix("https://").or_else(|| plain.strip_prefix("http://"))?;
        Draft::ALL.into_iter().find(|draft| draft.uri().split_once("://").is_some_and(|(_, known)| known == plain))
    }

    /// What `$schema` says of it.
    pub fn uri(self) -> &'static str {
        match self {
            Draft::Draft4 => "http://json-schema.org/draft-04/schema",
            Draft::Draft6 => "http://json-schema.org/draft-06/schema",
            Draft::Draft7 => "http://json-schema.org/draft-07/schema",
            Draft::Draft201909 => "https://json-schema.org/draft/2019-09/schema",
            Draft::Draft202012 => "https://json-schema.org/draft/2020-12/schema",
        }
    }

    /// Its name in messages.
    pub fn name(self) -> &'static str {
        match self {
            Draft::Draft4 => "draft 4",
            Draft::Draft6 => "draft 6",
            Draft::Draft7 => "draft 7",
            Draft::Draft201909 => "draft 2019-09",
            Draft::Draft202012 => "draft 2020-12",
        }
    }

    /// The variant of the runtime's type that stands for it.
    pub fn constant(self) -> &'static str {
        match self {
            Draft::Draft4 => "Draft4",
            Draft::Draft6 => "Draft6",
            Draft::Draft7 => "Draft7",
            Draft::Draft201909 => "Draft201909",
            Draft::Draft202012 => "Draft202012",
        }
    }

    /// Where definitions are kept.
    pub fn definitions(self) -> &'static str {
        if self < Draft::Draft201909 { "definitions" } else { "$defs" }
    }

    /// Whether a schema with a reference says nothing else.
    pub fn refs_stand_alone(self) -> bool {
        self < Draft::Draft201909
    }

    /// What a keyword holds, and the first and the last draft that know it. Of what stands in schemas only to be referred to,
    /// or to name them, nothing is known here.
    pub fn keyword(name: &str) -> Option<(Holds, Draft, Draft)> {
        use Draft::{Draft4, Draft6, Draft7, Draft201909, Draft202012};
        let (holds, first, last) = match name {
            "additionalProperties" | "not" => (Holds::Schema, Draft4, Draft202012),
            "additionalItems" => (Holds::Schema, Draft4, Draft201909),
            "contains" | "propertyNames" => (Holds::Schema, Draft6, Draft202012),
            "if" | "then" | "else" => (Holds::Schema, Draft7, Draft202012),
            "unevaluatedItems" | "unevaluatedProperties" => (Holds::Schema, Draft201909, Draft202012),
            "items" => (Holds::Either, Draft4, Draft202012),
            "allOf" | "anyOf" | "oneOf" => (Holds::List, Draft4, Draft202012),
            "prefixItems" => (Holds::List, Draft202012, Draft202012),
            "properties" | "patternProperties" => (Holds::Map, Draft4, Draft202012),
            "dependencies" => (Holds::Map, Draft4, Draft7),
            "dependentSchemas" => (Holds::Map, Draft201909, Draft202012),
            "type" | "enum" | "multipleOf" | "maximum" | "minimum" | "exclusiveMaximum" | "exclusiveMinimum"
            | "maxLength" | "minLength" | "pattern" | "maxItems" | "minItems" | "uniqueItems" | "maxProperties"
            | "minProperties" | "required" | "format" => (Holds::Data, Draft4, Draft202012),
            "const" => (Holds::Data, Draft6, Draft202012),
            "dependentRequired" | "maxContains" | "minContains" => (Holds::Data, Draft201909, Draft202012),
            "title" | "description" | "default" | "examples" | "deprecated" | "readOnly" | "writeOnly" => {
                (Holds::Words, Draft4, Draft202012)
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
