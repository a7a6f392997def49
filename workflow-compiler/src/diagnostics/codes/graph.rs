//! Codes E02, W02: states, transitions and variables.

super::codes! {}
