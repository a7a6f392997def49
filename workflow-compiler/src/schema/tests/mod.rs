//! Tests that read schema files and check bundles and diagnostics.

mod bundles;
#[cfg(feature = "schema-types")]
mod emitted;
mod limits;
mod paths;
mod refused;
mod shapes;
#[cfg(feature = "schema-types")]
mod types;

use super::{Schema, read};
use crate::diagnostics::Diagnostics;
use crate::files::Inputs;
use crate::source::Files;
use crate::source::{FileId, Source, Sources, Span};
use crate::syntax::Text;

/// The result of reading a schema.
struct Read {
    schema: Option<Schema>,
    /// The code, position, source text, message and help of each diagnostic.
    messages: Vec<String>,
    hash: Option<u64>,
}

impl Read {
    fn schema(&self) -> &Schema {
        self.schema.as_ref().unwrap_or_else(|| panic!("there is no schema: {:?}", self.messages))
    }
}

/// Reads the schema `named` among these files.
fn read_among(files: &[(&str, &str)], named: &str) -> Read {
    let texts: Vec<(String, String)> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let files = Files::new(move |path| {
        let found = texts.iter().find(|(name, _)| name == path.as_str()).map(|(_, text)| text.clone().into_bytes());
        found.ok_or_else(|| "does not exist".to_owned())
    });
    let mut sources = Sources::default();
    let definition = sources.add(Source::new("flow.json", named).with_files(files));
    assert_eq!(definition, FileId(0));
    let mut inputs = Inputs::new(sources, definition);
    let mut diagnostics = Diagnostics::default();
    let text = Text::verbatim(named, Span::new(definition, 0, named.len()), 0);
    let schema = read(&text, &mut inputs, &mut diagnostics);
    let reported = diagnostics.finish();
    let sources = inputs.sources();
    let messages = reported.iter().map(|found| {
        let at = sources.text(found.span);
        let help = found.help.as_deref().unwrap_or_default();
        format!("{} {} `{at}`: {} ({help})", found.code.id, sources.place(found.span), found.message)
    });
    Read { schema, messages: messages.collect(), hash: inputs.hash() }
}

/// Reads the schema in a single file, `s.json`.
fn schema(text: &str) -> Schema {
    let read = read_among(&[("s.json", text)], "s.json");
    assert!(read.messages.is_empty(), "{text}: {:?}", read.messages);
    read.schema().clone()
}
