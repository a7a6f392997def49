//! Tests of what differential tests cannot see: how values are backed.
