//! Tests of the functions that compiled expressions call.
