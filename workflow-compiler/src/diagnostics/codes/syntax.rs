//! Codes E01, W01: JSON and YAML text, and which dialect a file is.

super::codes! {}
