//! The examples in the documentation of an item.

use syn::punctuated::Punctuated;
use syn::{Attribute, Expr, Lit, Meta, Token};

/// The example of an item.
#[derive(Debug, PartialEq, Eq)]
pub enum Example {
    /// `cargo test` compiles it.
    Tested,
    /// It is Rust, but `cargo test` ignores it.
    NotTested,
    /// The documentation refers to the example of this item.
    Of(String),
    None,
}

/// Returns the documentation of an item. The text of an included file is not read. A line with a
/// `cfg_attr` counts unless its condition is `not(…)`: docs.rs turns all features on.
pub fn documentation(attributes: &[Attribute]) -> String {
    let mut text = String::new();
    for attribute in attributes {
        match &attribute.meta {
            Meta::List(list) if list.path.is_ident("cfg_attr") => {
                let metas = list.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated);
                let metas = metas.unwrap_or_default();
                if metas.first().is_some_and(|condition| !condition.path().is_ident("not")) {
                    metas.iter().skip(1).for_each(|meta| push_line(&mut text, meta));
                }
            }
            meta => push_line(&mut text, meta),
        }
    }
    text
}

fn push_line(text: &mut String, meta: &Meta) {
    let Meta::NameValue(pair) = meta else { return };
    if !pair.path.is_ident("doc") {
        return;
    }
    if let Expr::Lit(literal) = &pair.value
        && let Lit::Str(line) = &literal.lit
    {
        let line = line.value();
        text.push_str(line.strip_prefix(' ').unwrap_or(&line));
    }
    text.push('\n');
}

/// Returns the example of an item with this documentation.
pub fn example_of(documentation: &str) -> Example {
    let fences = documentation.lines().filter_map(|line| line.trim().strip_prefix("```"));
    // Every second fence ends a block.
    let blocks: Vec<&str> = fences.step_by(2).map(str::trim).collect();
    if blocks.iter().any(|block| is_rust(block) && !block.contains("ignore")) {
        return Example::Tested;
    }
    if blocks.iter().any(|block| is_rust(block)) {
        return Example::NotTested;
    }
    // A line can end anywhere in the sentence.
    let text = documentation.split_whitespace().collect::<Vec<_>>().join(" ");
    let linked = text.split_once("example of [`").and_then(|(_, rest)| rest.split_once('`'));
    linked.map_or(Example::None, |(name, _)| {
        let name = name.rsplit("::").next().unwrap_or(name);
        Example::Of(name.trim_end_matches(['!', '(', ')']).to_owned())
    })
}

/// Returns `true` if rustdoc takes a block for Rust.
fn is_rust(info: &str) -> bool {
    const RUST: [&str; 6] = ["rust", "no_run", "should_panic", "compile_fail", "standalone_crate", "ignore"];
    info.split([',', ' ']).filter(|word| !word.is_empty()).all(|word| RUST.contains(&word))
}
