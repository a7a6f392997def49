//! Arguments of functions with a signature.

use std::sync::OnceLock;

use workflow_jsonata::Signature;

use super::{Maybe, Run};
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::signature::validated;

/// The signature of a function of an expression.
pub struct JsonataSignature {
    text: &'static str,
    parsed: OnceLock<Option<Signature>>,
}

impl JsonataSignature {
    /// Creates the signature of this text, without `<` and `>`. Generated code calls this.
    pub const fn new(text: &'static str) -> JsonataSignature {
        JsonataSignature { text, parsed: OnceLock::new() }
    }

    /// Returns the arguments that the function of this name is called with. The function has no
    /// name if the name is empty.
    fn check(&self, args: &[Maybe], context: Option<&Item>, name: &str, run: &mut Run<'_>) -> Result<Vec<Maybe>> {
        // The compiler has parsed it.
        let parsed = self.parsed.get_or_init(|| Signature::parse(self.text).ok());
        let signature = parsed.as_ref().ok_or_else(|| JsonataError::new("S0402", "Invalid signature"))?;
        validated(run, signature, args, context, Some(name).filter(|name| !name.is_empty()))
    }
}

/// Returns the arguments of a function as its signature takes them.
///
/// # Errors
/// Fails if they do not match, and if a limit is exceeded.
pub fn checked(
    args: &[Maybe],
    signature: &'static JsonataSignature,
    name: &str,
    run: &mut Run<'_>,
) -> Result<Vec<Maybe>> {
    signature.check(args, None, name, run)
}

/// Returns the arguments of a function as its signature takes them. The context item stands for
/// one that is missing.
///
/// # Errors
/// Fails if they do not match, and if a limit is exceeded.
pub fn checked_in(
    args: &[Maybe],
    context: &Maybe,
    signature: &'static JsonataSignature,
    name: &str,
    run: &mut Run<'_>,
) -> Result<Vec<Maybe>> {
    signature.check(args, context.as_ref(), name, run)
}
