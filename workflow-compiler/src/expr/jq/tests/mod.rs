//! Tests of what is read, and what is made of it.
