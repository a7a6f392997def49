//! The functions of the language: their names in generated code, and what their callers need.

use std::sync::LazyLock;
use workflow_jsonata::Signature;

/// A function of the language.
#[derive(Debug)]
pub(super) struct NativeRow {
    /// The name, without `$`.
    pub name: &'static str,
    /// The number of parameters, as functions that call it back see it.
    pub arity: usize,
    /// The function of the runtime.
    pub path: &'static str,
    /// The function of the runtime that takes the context item, too.
    pub contextual: &'static str,
    /// The function of the runtime that returns a sequence as it is. Functions that return no
    /// sequence have none.
    pub sequence: Option<&'static str>,
    signature: &'static str,
}

/// Defines the list of the functions, in the order of their names.
macro_rules! natives {
    ($($function:ident $name:literal $signature:literal $arity:literal [$($kind:ident)*];)*) => {
        static NATIVES: &[NativeRow] = &[$(
            NativeRow {
                name: $name,
                arity: $arity,
                path: concat!("jsonata::functions::", stringify!($function)),
                contextual: concat!("jsonata::functions::contextual::", stringify!($function)),
                sequence: sequence!($function $($kind)*),
                signature: $signature,
            },
        )*];
    };
}

/// Returns the function that returns a sequence as it is, if there is one.
macro_rules! sequence {
    ($function:ident sequence $($kind:ident)*) => {
        Some(concat!("jsonata::functions::sequences::", stringify!($function)))
    };
    ($function:ident $($kind:ident)*) => {
        None
    };
}

workflow_jsonata::functions!(natives);

/// The signatures, in the order of the functions.
static SIGNATURES: LazyLock<Vec<Option<Signature>>> =
    LazyLock::new(|| NATIVES.iter().map(|native| Signature::parse(native.signature).ok()).collect());

/// Returns the function of this name, without `$`.
pub(super) fn find(name: &str) -> Option<&'static NativeRow> {
    position(name).map(|position| &NATIVES[position])
}

fn position(name: &str) -> Option<usize> {
    NATIVES.binary_search_by(|native| native.name.cmp(name)).ok()
}

impl NativeRow {
    fn signature(&self) -> Option<&'static Signature> {
        position(self.name).and_then(|position| SIGNATURES[position].as_ref())
    }

    /// Returns the number of parameters of the signature.
    pub fn params(&self) -> usize {
        self.signature().map_or(0, |signature| signature.params.len())
    }

    /// Returns the number of parameters up to the last one that needs an argument.
    pub fn needed(&self) -> usize {
        self.signature().map_or(0, Signature::needed)
    }

    /// Returns `true` if the context item can stand for an argument of a call with so many
    /// arguments.
    pub fn takes_context(&self, args: usize) -> bool {
        let Some(signature) = self.signature() else { return false };
        let params = &signature.params;
        let Some(first) = params.iter().find(|param| param.takes_context) else { return false };
        let required = params.iter().filter(|param| !param.is_optional).count();
        args < required || (args < params.len() && !first.types.contains('x'))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::core::interpret::jsonata::names;
    use std::collections::BTreeSet;

    #[test]
    fn each_function_of_the_language_has_a_signature() {
        assert!(NATIVES.is_sorted_by_key(|native| native.name));
        assert!(SIGNATURES.iter().all(Option::is_some));
    }

    #[test]
    fn the_interpreter_has_the_functions_and_no_others() {
        let mut called = BTreeSet::new();
        for native in NATIVES {
            called.insert(native.path);
            called.extend((0..4).any(|args| native.takes_context(args)).then_some(native.contextual));
            called.extend(native.sequence);
        }
        let known: BTreeSet<&str> = names().filter(|name| name.starts_with("jsonata::functions::")).collect();
        assert_eq!(called, known);
    }

    #[test]
    fn the_context_stands_for_an_argument_that_may_be_missing() {
        let takes = |name: &str, args| find(name).is_some_and(|native| native.takes_context(args));
        assert!(takes("string", 0) && !takes("string", 1));
        assert!(takes("substring", 1) && takes("substring", 2) && !takes("substring", 3));
        assert!(!takes("count", 0));
    }
}
