//! Names of locals in Rust.

/// Names that generated code uses itself, or that are no names of locals in Rust.
const RESERVED: &[&str] = &[
    "Self", "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "crate", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "js", "let", "loop", "macro",
    "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return", "rt", "run", "self", "static", "struct",
    "super", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use", "virtual", "where", "while",
    "yield",
];

/// The name of a local that the author called `name`, and of which `shadowed` are in scope already.
///
/// A name that ends in `_` and is not the author's is a temporary of the emitter's: the author's get one more. What
/// starts with a capital letter would be read as a constant in patterns.
pub(super) fn local_name(name: &str, shadowed: usize) -> String {
    let mut out = String::new();
    for (at, c) in name.chars().enumerate() {
        match c {
            '$' => out.push_str("dollar"),
            '_' => out.push('_'),
            c if at == 0 && unicode_ident::is_xid_start(c) => out.push(c),
            c if at > 0 && unicode_ident::is_xid_continue(c) => out.push(c),
            c => out.push_str(&format!("u{:x}", u32::from(c))),
        }
    }
    let is_upper = out.chars().next().is_some_and(|first| !first.is_lowercase() && first != '_');
    if is_upper || out.ends_with('_') || RESERVED.contains(&&*out) {
        out.push('_');
    }
    if shadowed > 0 {
        out.push_str(&format!("_{}", shadowed + 1));
    }
    out
}
