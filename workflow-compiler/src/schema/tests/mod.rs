//! Files of schemas in, bundles and findings out.

mod bundles;
#[cfg(feature = "schema-types")]
mod emitted;
mod paths;
mod refused;
#[cfg(feature = "schema-types")]
mod types;

use super::{Schema, read};
use crate::diagnostics::Diagnostics;
use crate::files::{Files, Inputs};
use crate::source::{FileId, Source, Sources, Span};
use crate::syntax::Text;

/// What reading a schema yields.
struct Read {
    schema: Option<Schema>,
    /// The code, the place, the source at it, the message, and the help of each finding.
    findings: Vec<String>,
    hash: Option<u64>,
}

impl Read {
    fn schema(&self) -> &Schema {
        self.schema.as_ref().unwrap_or_else(|| panic!("there is no schema: {:?}", self.findings))
    }
}

/// Reads what is named among these files.
fn read_among(files: &[(&str, &str)], named: &str) -> Read {
    let texts: Vec<(String, String)> =
        files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    let files = Files::new(move |path| {
        let found = texts.iter().find(|(name, _)| name == path.as_str()).map(|(_, text)| text.clone().into_bytes());
        found.ok_or_else(|| "does not exist".to_owned())
    });
    let mut sources = Sources::default();
    let definition = sources.add(Source::new("flow.json", named).among(files));
    assert_eq!(definition, FileId(0));
    let mut inputs = Inputs::new(sources, definition);
    let mut diagnostics = Diagnostics::default();
    let text = Text::verbatim(named, Span::new(definition, 0, named.len()), 0);
    let schema = read(&text, &mut inputs, &mut diagnostics);
    let told = diagnostics.finish();
    let sources = inputs.sources();
    let findings = told.iter().map(|found| {
        let at = sources.text(found.span);
        let help = found.help.as_deref().unwrap_or_default();
        format!("{} {} `{at}`: {} ({help})", found.code.id, sources.place(found.span), found.message)
    });
    Read { schema, findings: findings.collect(), hash: inputs.hash() }
}

/// The schema that is in one file, `s.json`.
fn schema(text: &str) -> Schema {
    let read = read_among(&[("s.json", text)], "s.json");
    assert!(read.findings.is_empty(), "{text}: {:?}", read.findings);
    read.schema().clone()
}
