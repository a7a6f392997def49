//! The functions of the language by name, with their signatures.

use std::collections::HashMap;
use std::sync::LazyLock;

use workflow_jsonata::Signature;

use super::function::Native;
use super::functions;

/// A function of the language with its signature.
pub(super) struct Known {
    /// The function.
    pub native: &'static Native,
    /// The signature. A function that checks its arguments itself has none.
    pub signature: Option<Signature>,
}

/// The functions by name.
static KNOWN: LazyLock<HashMap<&'static str, Known>> = LazyLock::new(|| {
    functions::NATIVES
        .iter()
        .map(|&native| (native.name, Known { native, signature: read(native.signature) }))
        .collect()
});

/// The signature of transformations.
static TRANSFORM: LazyLock<Option<Signature>> = LazyLock::new(|| read("<(oa):o>"));

fn read(signature: &str) -> Option<Signature> {
    Some(signature).filter(|signature| !signature.is_empty()).and_then(|signature| Signature::parse(signature).ok())
}

/// Returns the function of this name, without `$`.
pub(super) fn known(name: &str) -> Option<&'static Known> {
    KNOWN.get(name)
}

/// Returns the function of this name, without `$`.
pub(super) fn native(name: &str) -> Option<&'static Native> {
    known(name).map(|known| known.native)
}

/// Returns the signature of a function of the language.
pub(super) fn signature_of(native: &Native) -> Option<&'static Signature> {
    known(native.name)?.signature.as_ref()
}

/// Returns the signature of transformations.
pub(super) fn transform_signature() -> Option<&'static Signature> {
    TRANSFORM.as_ref()
}
