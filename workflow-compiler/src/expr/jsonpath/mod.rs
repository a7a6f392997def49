//! JSONPath in its modes: reference path, RFC 9535, Jayway.
