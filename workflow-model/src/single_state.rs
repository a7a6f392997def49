//! Names in programs that run a single state for a test.

/// The setting that takes the place of the context object. No placeholder of a definition has
/// this name.
pub const CONTEXT_SETTING: &str = "$$";

/// The resource of the task that stands for branches or iterations. No task of a definition has
/// an empty resource.
pub const MOCKED: &str = "";
