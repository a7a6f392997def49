//! Codes E03, W03, N03: expressions (paths, intrinsic functions, templates).

super::codes! {}
