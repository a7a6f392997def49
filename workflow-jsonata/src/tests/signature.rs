//! The signatures of functions.

use crate::ast::{Param, Signature};

/// Returns a signature as a text, each parameter with its marks.
fn describe(signature: &Signature) -> String {
    let describe = |param: &Param| {
        let items = param.items.as_ref().map(|items| format!("<{items}>")).unwrap_or_default();
        let marks = [(param.takes_context, "-"), (param.is_optional, "?"), (param.is_repeated, "+")];
        let marks: String = marks.iter().filter(|(is_set, _)| *is_set).map(|(_, mark)| *mark).collect();
        format!("{}{items}{marks}", param.types)
    };
    signature.params.iter().map(describe).collect::<Vec<_>>().join(" ")
}

#[test]
fn parameters_have_types_and_marks() {
    for (text, expected) in [
        ("<s-nn?:s>", "s- n n?"),
        ("<a<s>s?:s>", "a<s> s?"),
        ("<(so)-:n>", "so-"),
        ("<f<n:n>x+>", "f<n:n> x+"),
        ("<a<a<n>>j>", "a<a<n>> j"),
        ("<s-?:b>", "s-?"),
        ("<:n>", ""),
        ("<>", ""),
        ("", ""),
        ("<?+-s>", "s"),
        ("<s z1 n>", "s n"),
        ("<(s", "s"),
        ("<a<n", "a<n>"),
        ("<l:", "l"),
    ] {
        let signature = Signature::parse(text).expect("the signature is read");
        assert_eq!(describe(&signature), expected, "the parameters of {text}");
    }
}

#[test]
fn elements_belong_to_arrays_and_functions() {
    for (text, code, at) in [("<s<n>>", "S0401", 2..3), ("<<n>>", "S0401", 1..2), ("<n(a<s>)>", "S0402", 2..7)] {
        let error = Signature::parse(text).expect_err("the signature is refused");
        assert_eq!((error.code, error.at), (code, at), "the error of {text}");
    }
}
