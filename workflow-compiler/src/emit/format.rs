//! Formatter of generated code, close to rustfmt's style, that needs only tokens.
//!
//! Tokens are read into a tree (`read`), split into items, statements, arms and elements (`parse`)
//! with their width on one line (`tree`), and printed: on one line if they fit, otherwise broken
//! by the rules of their kind (`print`, `expr`, `list`). The formatter decides white space and
//! trailing commas only. All other tokens are printed unchanged. It supports the Rust that `super`
//! emits. Other Rust stays valid, but may look plain.

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

/// The maximum width of a line whose tokens can be broken.
const MAX_WIDTH: usize = 110;

/// The columns of one indentation level.
const INDENT: usize = 4;

/// Formats the tokens of a file.
pub fn format(tokens: TokenStream) -> String {
    let items = parse::parse(read::read(tokens), parse::LayoutContext::Items);
    let mut printer = print::Printer::default();
    printer.items(&items);
    printer.finish()
}
