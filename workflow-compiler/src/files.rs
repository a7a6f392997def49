//! Files that a definition names by paths relative to its own. The compiler itself does not read
//! files: the caller supplies a function that does.

#[cfg(any(feature = "json-schema", feature = "openapi"))]
pub(crate) mod paths;

use crate::diagnostics::codes::fields::WF0420;
use crate::diagnostics::suggest::likely;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::fnv::Fnv;
use crate::literal::Literal;
use crate::options::SchemaFolder;
use crate::source::MAX_FILE_BYTES;
use crate::source::{DOES_NOT_EXIST, FileId, Files, LEADS_OUTSIDE, RelativePath, Source, Sources, Span};
use crate::syntax::{self, Node, Text, shown};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The maximum number of files of one [`FileUse`].
const MOST: usize = 256;
/// The maximum size of the files of one [`FileUse`], in bytes.
const MAX_TOTAL_BYTES: usize = 64 << 20;

/// Message for a path with too many leading `..`.
const OUTSIDE: &str = "is outside of the root, which defaults to the folder of the definition";
/// Help for a file outside of the root.
const WIDEN: &str = "move the file into the folder of the definition, or set the root to a folder that contains both: `root` in \
                     `workflow.toml`, `include_workflow!` or the build script, or `--root` of `cargo workflow`";

/// Reads a definition file that a user names. Follows a symbolic link.
///
/// # Errors
/// Returns an error if the path is not a regular file: a pipe or device may have no end. Of a file
/// above the size limit, only the beginning is read, which the compiler refuses by its size. The
/// error of a missing file names a similar file of the folder.
pub fn read_named(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(file).map_err(|error| match similar_file(file) {
        Some(similar) if error.kind() == std::io::ErrorKind::NotFound => {
            std::io::Error::new(error.kind(), format!("{error}; did you mean `{}`?", similar.display()))
        }
        _ => error,
    })?;
    if !opened.metadata()?.is_file() {
        return Err(std::io::Error::new(std::io::ErrorKind::InvalidInput, "not a file"));
    }
    opened.take(MAX_FILE_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Returns the path of the file whose name is most like that of a missing file in its folder. Of a
/// large folder, only some files are compared.
fn similar_file(missing: &Path) -> Option<PathBuf> {
    const MOST: usize = 1000;
    let folder = missing.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let entries = std::fs::read_dir(folder).ok()?.take(MOST).flatten();
    let files = entries.filter(|entry| entry.file_type().is_ok_and(|kind| !kind.is_dir()));
    let names: Vec<String> = files.filter_map(|entry| entry.file_name().into_string().ok()).collect();
    let similar = likely(missing.file_name()?.to_str()?, names.iter().map(String::as_str))?;
    Some(missing.with_file_name(similar))
}

/// A file that was read for a definition.
///
/// See the example of [`Files`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Input {
    /// Its path.
    pub path: RelativePath,
    /// Its content.
    pub content: Arc<[u8]>,
}

/// The files that a compilation reads. Each is read once.
#[derive(Debug)]
pub struct Inputs {
    /// The parsed files, the definition first.
    sources: Sources,
    files: Files,
    /// The folder of the definition as messages show it, with a trailing separator.
    folder: String,
    /// The folder in words, if `folder` is empty.
    base: &'static str,
    /// `None` for a file that could not be read, which has been reported.
    read: BTreeMap<RelativePath, Option<Arc<[u8]>>>,
    /// The uses of these files.
    uses: BTreeMap<RelativePath, FileUse>,
    /// The files of each use. Each use has limits of its own.
    counts: [FileCount; 3],
    /// The use of the file that is read now.
    file_use: FileUse,
    /// The paths below the root at which a file would be read if one existed.
    missing: BTreeSet<RelativePath>,
    /// Hash of the content that the meaning of the definition depends on.
    hash: Option<Fnv>,
}

/// The reason why a file is read. A file with several uses counts toward the first one in this
/// order that is found. A file that exceeds a limit when it is read is refused for all uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum FileUse {
    /// The definition names the file, or a schema or a protocol that it names does.
    Named,
    /// An OpenAPI document refers to the file, and a call needs it.
    Referenced,
    /// An OpenAPI document refers to the file. It is read only if it exists.
    Optional,
}

impl FileUse {
    /// Returns the beginning of the message about too many files.
    fn subject(self) -> &'static str {
        match self {
            FileUse::Named => "a definition can name",
            FileUse::Referenced => "for its calls, the OpenAPI documents of a definition can refer to",
            FileUse::Optional => "for results, the OpenAPI documents of a definition can refer to",
        }
    }
}

/// The number of some files, and their size in bytes.
#[derive(Debug, Clone, Copy, Default)]
struct FileCount {
    files: usize,
    bytes: usize,
}

impl FileCount {
    fn add(&mut self, bytes: usize) {
        self.files += 1;
        self.bytes += bytes;
    }

    fn remove(&mut self, bytes: usize) {
        self.files -= 1;
        self.bytes -= bytes;
    }

    /// Checks that one more file of this use is allowed.
    fn check_files(self, file_use: FileUse) -> Result<(), String> {
        match self.files < MOST {
            true => Ok(()),
            false => Err(format!("is one too many: {} at most {MOST} files", file_use.subject())),
        }
    }

    /// Checks that this many more bytes are allowed. The error is the message and the help.
    fn check_bytes(self, bytes: usize) -> Result<(), (String, String)> {
        match self.bytes + bytes <= MAX_TOTAL_BYTES {
            true => Ok(()),
            false => Err((
                format!("is too large: the files have more than {MAX_TOTAL_BYTES} bytes together"),
                "name fewer files, or smaller ones".to_owned(),
            )),
        }
    }
}

impl Inputs {
    /// Creates inputs with the sources of a definition.
    pub fn new(sources: Sources, definition: FileId) -> Inputs {
        let Source { name, files, .. } = sources.get(definition);
        let folder = name.rfind(['/', '\\']).map_or("", |at| &name[..=at]).to_owned();
        let files = files.clone();
        let base = "the folder of the definition";
        Inputs::with(sources, files, folder, base)
    }

    /// Creates inputs for the files that options name.
    pub fn of_options(sources: Sources, named: &SchemaFolder) -> Inputs {
        let SchemaFolder { name: folder, files } = named.clone();
        let base = "the folder of the package, or to that of `workflow.toml`";
        Inputs::with(sources, files, folder, base)
    }

    fn with(sources: Sources, files: Files, folder: String, base: &'static str) -> Inputs {
        Inputs {
            sources,
            files,
            folder,
            base,
            read: BTreeMap::new(),
            uses: BTreeMap::new(),
            counts: [FileCount::default(); 3],
            file_use: FileUse::Named,
            missing: BTreeSet::new(),
            hash: None,
        }
    }

    /// Adds the text of an option to the sources, so that diagnostics about it have a place.
    pub fn option(&mut self, what: String, text: &str) -> Text {
        let file = self.sources.add(Source::new(what, text));
        Text::verbatim(text, Span::new(file, 0, text.len()), 0)
    }

    /// Returns the parsed files.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }

    /// Returns the bytes of a file that the definition names. Reports an error if it returns
    /// `None`.
    pub fn bytes(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<Arc<[u8]>> {
        let (relative, content) = self.content(path, diagnostics)?;
        self.hash_of(relative.as_str()).write(&content);
        Some(content)
    }

    /// Parses a JSON or YAML file that the definition names. Reports an error if it returns
    /// `None`.
    pub fn tree(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<Node> {
        let (relative, tree) = self.document(path, diagnostics)?;
        Literal::from(&tree).hash_into(self.hash_of(relative.as_str()));
        Some(tree)
    }

    /// Parses a file like [`Inputs::tree`], and returns its relative path too. Does not hash the
    /// content: the caller calls [`Inputs::hash_meaning`].
    pub fn document(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<(RelativePath, Node)> {
        let (relative, content) = self.content(path, diagnostics)?;
        let id = self.source(&relative, &content, path.span, diagnostics)?;
        let before = diagnostics.errors();
        let tree = syntax::read(id, &self.sources, diagnostics);
        if diagnostics.errors() > before {
            return None;
        }
        Some((relative, tree))
    }

    /// Parses a file like [`Inputs::document`], which counts toward its use. The caller reports
    /// the problems of a file where it is needed.
    #[cfg(feature = "openapi")]
    pub fn document_for(
        &mut self,
        file_use: FileUse,
        path: &Text,
        problems: &mut Diagnostics,
    ) -> Option<(RelativePath, Node)> {
        self.file_use = file_use;
        let document = self.document(path, problems);
        self.file_use = FileUse::Named;
        document
    }

    /// Returns the paths below the root at which files would have been read if they existed.
    pub fn missing(&self) -> impl Iterator<Item = &RelativePath> {
        self.missing.iter().filter(|path| !self.read.contains_key(*path))
    }

    /// Parses another definition to look something up. It is not part of this one, and its errors
    /// are reported when it is compiled.
    pub fn other_definition(&mut self, definition: &Source) -> Node {
        let id = self.sources.add(definition.clone());
        syntax::read(id, &self.sources, &mut Diagnostics::default())
    }

    /// Adds the part of a file that the definition depends on to the hash.
    pub fn hash_meaning(&mut self, what: &str, meaning: &[u8]) {
        self.hash_of(what).write(meaning);
    }

    /// Adds the text of a file that the definition names to the sources. Reports an error if it
    /// returns `None`. Does not hash the content: the caller calls [`Inputs::hash_meaning`].
    #[cfg(feature = "rpc")]
    pub(crate) fn text(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<FileId> {
        let (relative, content) = self.content(path, diagnostics)?;
        self.source(&relative, &content, path.span, diagnostics)
    }

    /// Returns the bytes of a file that the definition names. Does not hash the content: the
    /// caller calls [`Inputs::hash_meaning`].
    #[cfg(feature = "rpc")]
    pub(crate) fn raw(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<Arc<[u8]>> {
        Some(self.content(path, diagnostics)?.1)
    }

    /// Returns the first of these paths at which a file exists. Missing files at the other paths
    /// are not an error.
    #[cfg(feature = "rpc")]
    pub(crate) fn first_existing(&mut self, paths: impl IntoIterator<Item = String>) -> Option<String> {
        paths.into_iter().find(|path| {
            // Skips unreadable paths and paths above the root.
            let Ok(path) = RelativePath::new(path) else { return false };
            if path.levels_up() > self.files.levels() {
                return false;
            }
            if let Some(known) = self.read.get(&path) {
                return known.is_some();
            }
            match self.files.read(&path) {
                Some(Ok(bytes)) => bytes.len() <= MAX_FILE_BYTES,
                Some(Err(problem)) => {
                    // A file that appears there takes the place of the one that is found.
                    if problem == DOES_NOT_EXIST {
                        self.missing.insert(path);
                    }
                    false
                }
                None => false,
            }
        })
    }

    /// Returns the hash of the content that the meaning depends on, or `None` if no file was read.
    /// Layout of parsed files does not count.
    pub fn hash(&self) -> Option<u64> {
        self.hash.map(Fnv::finish)
    }

    /// Returns the sources, and the files that were read, by path.
    pub fn finish(self) -> (Sources, Vec<Input>) {
        let read = self.read.into_iter().filter_map(|(path, content)| Some(Input { path, content: content? }));
        (self.sources, read.collect())
    }

    /// Adds a file to the sources.
    fn source(
        &mut self,
        relative: &RelativePath,
        content: &[u8],
        named: Span,
        diagnostics: &mut Diagnostics,
    ) -> Option<FileId> {
        let name = format!("{}{relative}", self.folder);
        if let Some((known, _)) = self.sources.iter().find(|(_, source)| source.name == name) {
            return Some(known);
        }
        match Source::from_bytes(name, content.to_vec()) {
            Ok(source) => Some(self.sources.add(source)),
            Err(error) => {
                diagnostics.push(Diagnostic::new(&WF0420, named, error.message).help(error.help));
                None
            }
        }
    }

    fn hash_of(&mut self, path: &str) -> &mut Fnv {
        let hash = self.hash.get_or_insert_default();
        hash.write(path.as_bytes());
        hash
    }

    fn content(&mut self, path: &Text, diagnostics: &mut Diagnostics) -> Option<(RelativePath, Arc<[u8]>)> {
        let fail = |message: String, help: &str, diagnostics: &mut Diagnostics| {
            diagnostics.push(Diagnostic::new(&WF0420, path.span, message).help(help));
        };
        let relative = match RelativePath::new(&path.value) {
            Ok(relative) => relative,
            Err(error) => {
                fail(error.message, error.help, diagnostics);
                return None;
            }
        };
        if let Some(known) = self.read.get(&relative).cloned() {
            let file_use = self.file_use;
            let known = known?;
            if let Some(before) = self.uses.get(&relative).copied().filter(|before| file_use < *before) {
                self.count_of(before).remove(known.len());
                self.uses.insert(relative.clone(), file_use);
                let counted = *self.count_of(file_use);
                let allowed = counted.check_files(file_use).map_err(|problem| self.relative(problem));
                if let Err((problem, help)) = allowed.and_then(|()| counted.check_bytes(known.len())) {
                    fail(format!("the file `{}` {problem}", shown(relative.as_str())), &help, diagnostics);
                    self.count_of(file_use).add(0);
                    self.read.insert(relative, None);
                    return None;
                }
                self.count_of(file_use).add(known.len());
            }
            return Some((relative, known));
        }
        let content = self.read_bytes(&relative).map(Arc::<[u8]>::from).map_err(|(problem, help)| {
            if self.file_use == FileUse::Optional && problem == DOES_NOT_EXIST {
                self.missing.insert(relative.clone());
            }
            fail(format!("the file `{}` {problem}", shown(relative.as_str())), &help, diagnostics);
        });
        if content.is_err() && self.file_use == FileUse::Optional {
            // It is reported where it is needed.
            return None;
        }
        let bytes = content.as_ref().map_or(0, |content| content.len());
        self.count_of(self.file_use).add(bytes);
        self.uses.insert(relative.clone(), self.file_use);
        self.read.insert(relative.clone(), content.as_ref().ok().cloned());
        Some((relative, content.ok()?))
    }

    /// Returns the count of the files of a use.
    fn count_of(&mut self, file_use: FileUse) -> &mut FileCount {
        &mut self.counts[file_use as usize]
    }

    /// Returns the problem of a file with the help that shows where paths begin.
    fn relative(&self, problem: String) -> (String, String) {
        let folder = if self.folder.is_empty() { self.base } else { &self.folder };
        (problem, format!("paths are relative to {folder}"))
    }

    /// Returns the bytes at a path, or the message and the help of the error.
    fn read_bytes(&self, path: &RelativePath) -> Result<Vec<u8>, (String, String)> {
        let relative = |problem: String| self.relative(problem);
        let counted = self.counts[self.file_use as usize];
        counted.check_files(self.file_use).map_err(relative)?;
        if path.levels_up() > self.files.levels() {
            return Err((OUTSIDE.to_owned(), WIDEN.to_owned()));
        }
        let Some(read) = self.files.read(path) else {
            return Err(relative("cannot be read: the compiler has no access to files".to_owned()));
        };
        let bytes = read.map_err(|problem| match problem == LEADS_OUTSIDE {
            true => (problem, WIDEN.to_owned()),
            false => relative(problem),
        })?;
        if bytes.len() > MAX_FILE_BYTES {
            return Err(relative(format!("is longer than {MAX_FILE_BYTES} bytes")));
        }
        counted.check_bytes(bytes.len())?;
        Ok(bytes)
    }
}

#[cfg(test)]
mod tests;
