//! The files that a definition names, by paths relative to its own. The compiler reads none: whoever hands over the
//! definition hands over a function that does.

#[cfg(any(feature = "json-schema", feature = "serverless-workflow", feature = "sm4c"))]
pub(crate) mod paths;

use crate::diagnostics::codes::fields::E0420;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::emit::Fnv;
use crate::expr::Literal;
use crate::source::{FileId, Source, Sources, Span};
use crate::syntax::limits::MAX_BYTES;
use crate::syntax::{self, Node, Text, shown};
use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::path::PathBuf;
use std::sync::Arc;

/// The most files that one definition can name.
const MOST: usize = 256;

/// Reads the file at a path relative to the folder of the definition, its parts separated by `/`. What went wrong is told as
/// the end of a sentence that begins with the path: `does not exist`.
type ReadFile = dyn Fn(&str) -> Result<Vec<u8>, String> + Send + Sync;

/// The files around a definition. By default there are none.
#[derive(Clone, Default)]
pub struct Files(Option<Arc<ReadFile>>);

impl Files {
    /// Those that a function finds. It is given a path relative to the folder of the definition, its parts separated by `/`,
    /// and tells what went wrong as the end of a sentence that begins with the path: `does not exist`.
    pub fn new(read: impl Fn(&str) -> Result<Vec<u8>, String> + Send + Sync + 'static) -> Files {
        Files(Some(Arc::new(read)))
    }

    /// Those of the file system, the definition being in this folder.
    pub fn in_folder(folder: impl Into<PathBuf>) -> Files {
        let folder = folder.into();
        Files::new(move |path| read(folder.join(path)))
    }
}

impl fmt::Debug for Files {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Files(…)" } else { "Files" })
    }
}

fn read(file: PathBuf) -> Result<Vec<u8>, String> {
    let told = |error: std::io::Error| match error.kind() {
        std::io::ErrorKind::NotFound => "does not exist".to_owned(),
        _ => format!("cannot be read: {error}"),
    };
    // A pipe or a device may have no end.
    if !std::fs::metadata(&file).map_err(told)?.is_file() {
        return Err("is not a file".to_owned());
    }
    let mut bytes = Vec::new();
    std::fs::File::open(file).and_then(|file| file.take(MAX_BYTES as u64 + 1).read_to_end(&mut bytes)).map_err(told)?;
    Ok(bytes)
}

/// A file that was read for a definition.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its path relative to the folder of the definition, its parts separated by `/`.
    pub path: String,
    /// What is in it.
    pub content: Arc<[u8]>,
}

/// The files that one compilation reads, each once.
#[derive(Debug)]
pub struct Inputs {
    /// All that were read as text, the definition first.
    sources: Sources,
    files: Files,
    /// The path of the definition's folder as messages show it, with a separator at its end.
    folder: String,
    /// `None` where a file cannot be read, which has been reported.
    read: BTreeMap<String, Option<Arc<[u8]>>>,
    /// What of them makes a difference for what the definition means.
    hash: Option<Fnv>,
}

impl Inputs {
    /// None so far but the definition, which is the file `definition` of these.
    pub fn new(sources: Sources, definition: FileId) -> Inputs {
        let Source { name, files, .. } = sources.get(definition);
        let folder = name.rfind(['/', '\\']).map_or("", |at| &name[..=at]).to_owned();
        let files = files.clone();
        Inputs { sources, files, folder, read: BTreeMap::new(), hash: None }
    }

    /// All that were read as text.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// The bytes of a file that the definition names. Why there are none has been reported.
    pub fn bytes(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<Arc<[u8]>> {
        let (relative, content) = self.content(path, diagnostics)?;
        self.hash_of(&relative).write(&content);
        Some(content)
    }

    /// The value in a JSON or YAML file that the definition names. Why there is none has been reported.
    pub fn tree(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<Node> {
        let (relative, tree) = self.document(path, diagnostics)?;
        Literal::from(&tree).hash_into(self.hash_of(&relative));
        Some(tree)
    }

    /// As [`Inputs::tree`], with the path of the file as the definition's folder knows it. What of it makes a difference is
    /// left to say: see [`Inputs::means`].
    pub fn document(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<(String, Node)> {
        let (relative, content) = self.content(path, diagnostics)?;
        let id = self.source(&relative, &content, path.span, diagnostics)?;
        let before = diagnostics.errors();
        let tree = syntax::read(id, &self.sources, diagnostics);
        if diagnostics.errors() > before {
            return None;
        }
        Some((relative, tree))
    }

    /// The tree of another definition, of which something is to be known. It is no part of this one, and what is wrong with it
    /// is told where it is compiled.
    pub fn other(&mut self, definition: &Source) -> Node {
        let id = self.sources.add(definition.clone());
        syntax::read(id, &self.sources, &mut Diagnostics::default())
    }

    /// Says what of a file makes a difference, where that is not all of it.
    pub fn means(&mut self, what: &str, meaning: &[u8]) {
        self.hash_of(what).write(meaning);
    }

    /// The text of a file that the definition names, as one of the sources. Why there is none has been reported. What of it
    /// makes a difference is left to say: see [`Inputs::means`].
    #[cfg(feature = "rpc")]
    pub(crate) fn text(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<FileId> {
        let (relative, content) = self.content(path, diagnostics)?;
        self.source(&relative, &content, path.span, diagnostics)
    }

    /// The bytes of a file that the definition names, of which is left to say what makes a difference: see [`Inputs::means`].
    #[cfg(feature = "rpc")]
    pub(crate) fn raw(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<Arc<[u8]>> {
        Some(self.content(path, diagnostics)?.1)
    }

    /// The first of these paths at which there is a file. That there is none at others is no error.
    #[cfg(feature = "rpc")]
    pub(crate) fn look(&mut self, paths: impl IntoIterator<Item = String>) -> Option<String> {
        paths.into_iter().find(|path| {
            let is_there = |read: &Arc<ReadFile>| read(path).is_ok_and(|bytes| bytes.len() <= MAX_BYTES);
            match self.read.get(path) {
                Some(known) => known.is_some(),
                None => self.files.0.as_ref().is_some_and(is_there),
            }
        })
    }

    /// A hash of what was read, where anything was: of a tree's meaning, and of all bytes of anything else.
    pub fn hash(&self) -> Option<u64> {
        self.hash.map(Fnv::finish)
    }

    /// The texts, and the files that were read beside the definition, by their paths.
    pub fn finish(self) -> (Sources, Vec<Input>) {
        let read = self.read.into_iter().filter_map(|(path, content)| Some(Input { path, content: content? }));
        (self.sources, read.collect())
    }

    /// A file as one of the sources.
    fn source(&mut self, relative: &str, content: &[u8], named: Span, diagnostics: &mut Diagnostics) -> Option<FileId> {
        let name = format!("{}{relative}", self.folder);
        if let Some((known, _)) = self.sources.iter().find(|(_, source)| source.name == name) {
            return Some(known);
        }
        match Source::from_bytes(name, content.to_vec()) {
            Ok(source) => Some(self.sources.add(source)),
            Err(error) => {
                diagnostics.push(Diagnostic::new(&E0420, named, error.message).help(error.help));
                None
            }
        }
    }

    fn hash_of(&mut self, path: &str) -> &mut Fnv {
        let hash = self.hash.get_or_insert_default();
        hash.write(path.as_bytes());
        hash
    }

    fn content(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<(String, Arc<[u8]>)> {
        let fail = |message: String, help: String, diagnostics: &mut Diagnostics| {
            diagnostics.push(Diagnostic::new(&E0420, path.span, message).help(help));
        };
        let relative = match relative_path(&path.value) {
            Ok(relative) => relative,
            Err(flaw) => {
                fail(flaw.message, flaw.help.to_owned(), diagnostics);
                return None;
            }
        };
        if let Some(known) = self.read.get(&relative) {
            return Some((relative, known.clone()?));
        }
        let found = match &self.files.0 {
            _ if self.read.len() >= MOST => Err(format!("is one of more than {MOST} files that the definition names")),
            None => Err("cannot be read: only the definition was given to the compiler".to_owned()),
            Some(read) => read(&relative),
        };
        let found = found.and_then(|bytes| match bytes.len() {
            0..=MAX_BYTES => Ok(bytes),
            _ => Err(format!("is longer than {MAX_BYTES} bytes")),
        });
        let content = found.map(Arc::<[u8]>::from).map_err(|problem| {
            let folder = if self.folder.is_empty() { "the folder of the definition" } else { &self.folder };
            let help = format!("paths are relative to {folder}");
            fail(format!("the file `{}` {problem}", shown(&relative)), help, diagnostics);
        });
        self.read.insert(relative.clone(), content.as_ref().ok().cloned());
        Some((relative, content.ok()?))
    }
}

/// Why a text is not the path of a file beside the definition.
#[derive(Debug, PartialEq, Eq)]
struct NotAPath {
    message: String,
    help: &'static str,
}

/// The path that a URI reference stands for. `file://` before a name is what people write for a file beside the definition.
fn relative_path(uri: &str) -> Result<String, NotAPath> {
    const RELATIVE: &str = "write a path relative to the definition, like `common/events.json`";
    let flaw = |message: &str, help| Err(NotAPath { message: format!("`{}` {message}", shown(uri)), help });
    let scheme = uri.split_once(':').map(|(scheme, rest)| (scheme.to_ascii_lowercase(), rest));
    let path = match &scheme {
        Some((scheme, rest)) if scheme == "file" => rest.strip_prefix("//").unwrap_or(rest),
        Some((scheme, _)) if scheme == "http" || scheme == "https" => {
            let help = "put a copy of it beside the definition, and name that";
            return flaw("is not read: what a definition means does not depend on a network", help);
        }
        Some((scheme, rest)) if is_scheme(scheme) && (scheme.len() > 1 || rest.starts_with(['/', '\\'])) => {
            return flaw("is not a file beside the definition", RELATIVE);
        }
        _ => uri,
    };
    let path = path.strip_prefix("./").unwrap_or(path);
    if path.trim().is_empty() || path.contains('\0') {
        return flaw("names no file", RELATIVE);
    }
    if path.starts_with('/') || path.contains('\\') {
        return flaw("is not a path relative to the definition", RELATIVE);
    }
    Ok(path.to_owned())
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte))
}

#[cfg(test)]
mod tests;
