//! The drafts of JSON Schema.

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

    /// Returns the keyword that holds definitions.
    pub fn definitions(self) -> &'static str {
        if self < Draft::Draft201909 { "definitions" } else { "$defs" }
    }

    /// Returns `true` if the draft ignores the siblings of a `$ref`.
    pub fn refs_stand_alone(self) -> bool {
        self < Draft::Draft201909
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
