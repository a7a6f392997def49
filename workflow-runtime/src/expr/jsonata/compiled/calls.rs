//! Calls of functions of the language under another name, which their errors have.

use workflow_jsonata::Signature;

use super::{Maybe, Run};
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::natives;

/// Calls a function of the language by the name that an expression has for it. A sequence stays
/// what it is.
///
/// # Errors
/// Fails if the arguments do not match the signature, if the function fails, and if a limit is
/// exceeded.
pub fn call_as(native: &str, name: &str, args: &[Maybe], run: &mut Run<'_>) -> Result<Maybe> {
    call(native, name, args, None, run)
}

/// Calls a function of the language in this way. The context item stands for an argument that is
/// missing.
///
/// # Errors
/// See [`call_as`].
pub fn call_as_in(native: &str, name: &str, args: &[Maybe], context: &Maybe, run: &mut Run<'_>) -> Result<Maybe> {
    call(native, name, args, context.as_ref(), run)
}

/// Calls a function of the language in this way, some of whose arguments have been bound before.
/// Arguments that are nothing are left out at the end, if no parameter needs them.
///
/// # Errors
/// See [`call_as`].
pub fn call_partial(native: &str, name: &str, args: &[Maybe], run: &mut Run<'_>) -> Result<Maybe> {
    let mut args = args;
    if let Some(known) = natives::known(native) {
        let needed = known.signature.as_ref().map_or(0, Signature::needed);
        while args.len() > needed
            && let [first @ .., None] = args
        {
            args = first;
        }
    }
    call(native, name, args, None, run)
}

fn call(native: &str, name: &str, args: &[Maybe], context: Option<&Item>, run: &mut Run<'_>) -> Result<Maybe> {
    // The compiler names no other function.
    let known =
        natives::known(native).ok_or_else(|| JsonataError::new("T1006", "Attempted to invoke a non-function"))?;
    run.native(known.native, known.signature.as_ref(), args, context, Some(name))
}
