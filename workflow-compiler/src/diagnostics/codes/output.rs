//! Codes E06, W06: names and types of the generated code.

super::codes! {}
