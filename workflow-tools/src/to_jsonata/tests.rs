//! Tests of the conversion.
