//! Programs in `ui` that `include_workflow!` or rustc refuses, each with the errors that a user
//! sees. The test `ui` compiles them.
