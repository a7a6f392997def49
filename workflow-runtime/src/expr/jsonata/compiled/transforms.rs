//! Transformations of objects.

use super::{Maybe, Run};
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::function::JsonataFunction;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::transform::{TransformPart, TransformParts};
use crate::expr::jsonata::{natives, signature};

/// Returns a changed copy of an argument: an update is merged into each object that the pattern
/// yields. Messages have the name of the call, if it is not empty.
///
/// # Errors
/// Fails if the argument is no array and no object, if a part fails or yields a value of another
/// type, and if a limit is exceeded.
pub fn transformed(
    args: &[Maybe],
    name: &str,
    pattern: impl Fn(Maybe, &mut Run<'_>) -> Result<Maybe>,
    update: impl Fn(Maybe, &mut Run<'_>) -> Result<Maybe>,
    run: &mut Run<'_>,
) -> Result<Maybe> {
    let pattern = |run: &mut Run<'_>, item: &Item| pattern(Some(item.clone()), run);
    let update = |run: &mut Run<'_>, item: &Item| update(Some(item.clone()), run);
    apply(args, name, &TransformParts { pattern: &pattern, update: &update, delete: None }, run)
}

/// Returns such a copy, with names that are removed from each object.
///
/// # Errors
/// See [`transformed`].
pub fn transformed_without(
    args: &[Maybe],
    name: &str,
    pattern: impl Fn(Maybe, &mut Run<'_>) -> Result<Maybe>,
    update: impl Fn(Maybe, &mut Run<'_>) -> Result<Maybe>,
    delete: impl Fn(Maybe, &mut Run<'_>) -> Result<Maybe>,
    run: &mut Run<'_>,
) -> Result<Maybe> {
    let pattern = |run: &mut Run<'_>, item: &Item| pattern(Some(item.clone()), run);
    let update = |run: &mut Run<'_>, item: &Item| update(Some(item.clone()), run);
    let delete = |run: &mut Run<'_>, item: &Item| delete(Some(item.clone()), run);
    let delete: Option<&TransformPart<'_>> = Some(&delete);
    apply(args, name, &TransformParts { pattern: &pattern, update: &update, delete }, run)
}

fn apply(args: &[Maybe], name: &str, parts: &TransformParts<'_>, run: &mut Run<'_>) -> Result<Maybe> {
    let name = Some(name).filter(|name| !name.is_empty());
    let args = match natives::transform_signature() {
        Some(signature) => signature::validated(run, signature, args, None, name)?,
        None => args.to_vec(),
    };
    let (Some(value), Some(clone)) = (args.into_iter().next().flatten(), natives::native("clone")) else {
        return Ok(None);
    };
    run.transformed(value, &JsonataFunction::Native(clone), parts)
}
