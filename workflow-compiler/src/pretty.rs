//! The layout of generated code as text, for people.
//!
//! `prettyplease` prints each item. Items are separated by a blank line, except for imports,
//! statics and types in a row. Where rustfmt is installed, [`rustfmt`] formats the text by the
//! settings of the current folder.

use crate::{Output, escape};
use proc_macro2::TokenStream;
use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::Duration;
#[cfg(feature = "pretty")]
use syn::parse::{ParseStream, Parser as _, discouraged::Speculative as _};

/// The longest time that rustfmt may take. It needs more than a minute for an object in a hundred
/// others, and half a second for the code of a thousand states.
const MAX_TIME: Duration = Duration::from_secs(10);

/// The columns of one indentation level.
#[cfg(feature = "pretty")]
const INDENT: &str = "    ";

/// Prints the generated module as Rust, for `include!`. Returns `None` if the definition is
/// refused. Without the feature `pretty`, the code is one long line.
///
/// ```
/// # #[cfg(feature = "asl")] {
/// use workflow_compiler::{Options, Source, compile, pretty};
///
/// let text = r#"{ "StartAt": "Done", "States": { "Done": { "Type": "Succeed" } } }"#;
/// let code = pretty(&compile(Source::new("done.asl.json", text), &Options::default()));
/// assert!(code.is_some_and(|code| code.starts_with("// Generated from `done.asl.json`")));
/// # }
/// ```
pub fn pretty(output: &Output) -> Option<String> {
    printed(output, "//")
}

/// Prints the generated module as a Rust file of its own, declared by `mod generated;`. The name
/// of the definition becomes its module documentation, which an included file cannot have. Returns
/// `None` if the definition is refused.
#[doc(hidden)]
pub fn pretty_file(output: &Output) -> Option<String> {
    printed(output, "//!")
}

fn printed(output: &Output, comment: &str) -> Option<String> {
    let tokens = output.tokens.clone()?;
    // Without folders: paths of one machine are meaningless on others.
    let name = &output.sources.get(output.workflow.as_ref()?.span.file).name;
    let name = escape::comment(name.rsplit(['/', '\\']).next().unwrap_or(name));
    let version = env!("CARGO_PKG_VERSION");
    let code = layout(tokens);
    Some(format!("{comment} Generated from `{name}` by workflow-compiler {version}. Changes will be lost.\n\n{code}"))
}

/// Formats Rust with rustfmt, by the settings of the current folder. Returns the text unchanged if
/// rustfmt is not installed, fails, or takes longer than [`MAX_TIME`].
#[doc(hidden)]
pub fn rustfmt(code: String) -> String {
    format_with("rustfmt", &code).unwrap_or(code)
}

fn format_with(program: &str, code: &str) -> Option<String> {
    let mut rustfmt = Command::new(program);
    rustfmt.args(["--edition", "2024"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = rustfmt.spawn().ok()?;
    let (mut stdin, mut stdout) = (child.stdin.take()?, child.stdout.take()?);
    let input = code.to_owned();
    // If the program ends before it has read everything, its status says so.
    std::thread::spawn(move || _ = stdin.write_all(input.as_bytes()));
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut formatted = String::new();
        _ = sender.send(stdout.read_to_string(&mut formatted).map(|_| formatted));
    });
    let formatted = receiver.recv_timeout(MAX_TIME);
    if formatted.is_err() {
        _ = child.kill();
    }
    let status = child.wait().ok()?;
    formatted.ok()?.ok().filter(|formatted| status.success() && !formatted.is_empty())
}

/// Lays out the tokens of a file.
#[cfg(not(feature = "pretty"))]
pub(crate) fn layout(tokens: TokenStream) -> String {
    tokens.to_string()
}

/// Lays out the tokens of a file.
#[cfg(feature = "pretty")]
pub(crate) fn layout(tokens: TokenStream) -> String {
    layout_items.parse2(tokens.clone()).unwrap_or_else(|error| {
        debug_assert!(false, "the generated code does not parse: {error}");
        tokens.to_string()
    })
}

/// Lays out items one by one: a syntax tree of the whole module would take several times the
/// memory.
#[cfg(feature = "pretty")]
fn layout_items(input: ParseStream<'_>) -> syn::Result<String> {
    let mut text = String::new();
    let mut last = None;
    while !input.is_empty() {
        let module = layout_module(input)?;
        let (kind, item) = match module {
            Some(module) => (LineKind::None, module),
            None => {
                let item: syn::Item = input.parse()?;
                (line_kind(&item), layout_item(item))
            }
        };
        if last.is_some_and(|last| last != kind || kind == LineKind::None) {
            text.push('\n');
        }
        last = Some(kind);
        text.push_str(&item);
    }
    Ok(text)
}

/// Lays out a module with its items. Returns `None` if another item follows.
#[cfg(feature = "pretty")]
fn layout_module(input: ParseStream<'_>) -> syn::Result<Option<String>> {
    let ahead = input.fork();
    let (attrs, vis) = (ahead.call(syn::Attribute::parse_outer)?, ahead.parse::<syn::Visibility>()?);
    if !ahead.peek(syn::Token![mod]) {
        return Ok(None);
    }
    let (mod_token, ident) = (ahead.parse()?, ahead.parse()?);
    input.advance_to(&ahead);
    let content;
    let brace_token = syn::braced!(content in input);
    let items = layout_items(&content)?;
    let content = Some((brace_token, Vec::new()));
    let module = syn::ItemMod { attrs, vis, unsafety: None, mod_token, ident, content, semi: None };
    let head = layout_item(syn::Item::Mod(module));
    if items.is_empty() {
        return Ok(Some(head));
    }
    let mut text = head.trim_end().trim_end_matches('}').to_owned();
    text.push('\n');
    for line in items.lines() {
        if !line.is_empty() {
            text.push_str(INDENT);
            text.push_str(line);
        }
        text.push('\n');
    }
    text.push_str("}\n");
    Ok(Some(text))
}

/// The kind of an item that follows others of its kind without a blank line.
#[cfg(feature = "pretty")]
#[derive(Clone, Copy, PartialEq)]
enum LineKind {
    None,
    Use,
    Static,
    Type,
}

#[cfg(feature = "pretty")]
fn line_kind(item: &syn::Item) -> LineKind {
    match item {
        syn::Item::Use(_) => LineKind::Use,
        syn::Item::Static(item) if item.attrs.is_empty() => LineKind::Static,
        syn::Item::Type(item) if item.attrs.is_empty() => LineKind::Type,
        _ => LineKind::None,
    }
}

#[cfg(feature = "pretty")]
fn layout_item(item: syn::Item) -> String {
    let has_members = matches!(item, syn::Item::Impl(_) | syn::Item::Trait(_));
    let file = syn::File { shebang: None, frontmatter: None, attrs: Vec::new(), items: vec![item] };
    let text = prettyplease::unparse(&file);
    if has_members { separate_members(&text) } else { text }
}

/// Inserts a blank line before each member of a trait or an `impl` that follows one with a body,
/// or that has documentation.
#[cfg(feature = "pretty")]
fn separate_members(text: &str) -> String {
    let mut separated = String::with_capacity(text.len());
    let mut last = "";
    for line in text.lines() {
        let is_member = line.starts_with(INDENT) && !line[INDENT.len()..].starts_with([' ', '}', ')']);
        let is_described = ["///", "#["].iter().any(|mark| last.trim_start().starts_with(mark));
        let begins = ["///", "#["].iter().any(|mark| line.trim_start().starts_with(mark));
        let follows_body = last.strip_prefix(INDENT).is_some_and(|last| last == "}" || last == ");");
        if is_member && !is_described && (follows_body || begins && last.ends_with(';')) {
            separated.push('\n');
        }
        separated.push_str(line);
        separated.push('\n');
        last = line;
    }
    separated
}

#[cfg(all(test, feature = "pretty"))]
mod tests {
    use super::*;

    #[test]
    fn items_and_members_are_separated() {
        let code = "use a::B; use a::C; static D: u8 = 1; static E: u8 = 2;
            #[doc = \" A trait.\"] pub trait F { #[doc = \" First.\"] fn f(&self); #[doc = \" Second.\"] fn g(&self); }
            pub mod m { fn f() { if a { b(); } c() } impl F for G { fn f(&self) { a() } fn g(&self) {} } mod n {} }";
        let expected = "\
use a::B;
use a::C;

static D: u8 = 1;
static E: u8 = 2;

/// A trait.
pub trait F {
    /// First.
    fn f(&self);

    /// Second.
    fn g(&self);
}

pub mod m {
    fn f() {
        if a {
            b();
        }
        c()
    }

    impl F for G {
        fn f(&self) {
            a()
        }

        fn g(&self) {}
    }

    mod n {}
}
";
        assert_eq!(layout(code.parse().expect("the test has Rust")), expected);
    }

    #[test]
    fn a_program_that_is_missing_or_fails_changes_nothing() {
        assert_eq!(format_with("there-is-no-such-program", "fn f() {}"), None);
        assert_eq!(rustfmt("fn f( {".to_owned()), "fn f( {");
    }
}
