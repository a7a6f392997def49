//! Lays out generated code as rustfmt would, from its tokens alone.
//!
//! Tokens are read into a tree (`read`), split into items, statements, arms and elements (`parse`) with the width
//! that each takes on one line (`tree`), and printed: on one line what fits, otherwise broken by the rules of its kind
//! (`print`, `expr`, `list`). White space is all that it decides, and the comma that ends a list of several lines; every
//! other token is printed as it came. It knows the Rust that `super` prints; of other Rust it makes sound text that may
//! be plain to look at.

mod chain;
mod doc;
mod expr;
mod list;
mod parse;
mod print;
mod read;
mod space;
mod tree;

#[cfg(test)]
mod tests;

use proc_macro2::TokenStream;

/// The longest line, if its tokens can be broken at all.
const MAX_WIDTH: usize = 110;

/// The columns of one level.
const INDENT: usize = 4;

/// The text as it can stand in a comment of one line: with a space for each character that cannot.
pub fn in_comment(text: &str) -> String {
    text.replace(|c| c == '\t' || !doc::is_plain(c), " ")
}

/// The text of a file of `tokens`.
pub fn format(tokens: TokenStream) -> String {
    let items = parse::parse(read::read(tokens), parse::Context::Items);
    let mut printer = print::Printer::default();
    printer.items(&items);
    printer.finish()
}
