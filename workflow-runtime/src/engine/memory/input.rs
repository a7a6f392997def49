//! Conversion of the argument of a run into the workflow's input.

/// A value that can be the input of a workflow whose input type is `I`: the type itself, and
/// everything that converts [`Into`] it. It is [`Into`] with a message of its own.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be the input of a workflow that takes `{I}`",
    label = "expected `{I}`",
    note = "add `input: {Self}` to `include_workflow!`, or `.input(\"{Self}\")` in a build script, to set the input type of the workflow",
    note = "a workflow without an input type takes a `Value`: `Value::from_serialize(&input)?` makes one"
)]
pub trait IntoInput<I> {
    /// Returns the input.
    fn into_input(self) -> I;
}

#[diagnostic::do_not_recommend]
impl<T: Into<I>, I> IntoInput<I> for T {
    fn into_input(self) -> I {
        self.into()
    }
}
