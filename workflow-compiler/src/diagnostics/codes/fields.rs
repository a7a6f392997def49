//! Codes E04, E05, W04: fields of a definition, their types and values; E05: constructs that are not supported.

super::codes! {}
