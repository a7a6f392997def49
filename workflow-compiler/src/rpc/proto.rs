//! `.proto` files with their imports, and descriptor sets.

use super::nesting;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::escape::comment;
use crate::files::Inputs;
use crate::rpc::codes::WF1001;
use crate::source::{FileId, Sources, Span};
use crate::syntax::{Text, shown};
use protox::file::{File, FileResolver, GoogleFileResolver};
use protox::prost::Message;
use protox::prost_reflect::DescriptorPool;
use protox::prost_reflect::prost_types::{FileDescriptorProto, FileDescriptorSet};
use std::collections::{BTreeMap, BTreeSet};

/// The most errors reported for one file.
const MAX_ERRORS: usize = 16;
/// The help for an error without more precise help.
const HELP: &str = "correct the file, or name another one";

/// Compiles a `.proto` file. Returns `None` after reporting errors.
pub fn compile(path: &Text, inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Option<DescriptorPool> {
    let mut opened = OpenedFiles { named: path.span, ids: BTreeMap::new(), files: BTreeMap::new() };
    let main = path.value.rsplit('/').next().unwrap_or(&path.value);
    let id = inputs.text(path, diagnostics)?;
    let before = diagnostics.errors();
    let mut open: Vec<(String, FileId)> = vec![(main.to_owned(), id)];
    while let Some((name, id)) = open.pop() {
        opened.ids.insert(name.clone(), id);
        let Some(file) = opened.parse(&name, id, inputs.sources(), diagnostics) else { continue };
        for (index, import) in file.file_descriptor_proto().dependency.iter().enumerate() {
            if opened.ids.contains_key(import) || is_well_known(import) {
                continue;
            }
            let span = import_span(file.file_descriptor_proto(), index, id, inputs.sources());
            let Some(found) = inputs.first_existing(folders(&path.value).map(|folder| format!("{folder}{import}")))
            else {
                opened.report_missing_import(import, span, path, diagnostics);
                continue;
            };
            let at = span.start as usize;
            if let Some(id) = inputs.text(&Text::verbatim(&found, span, at), diagnostics) {
                opened.ids.insert(import.clone(), id);
                open.push((import.clone(), id));
            }
        }
        opened.files.insert(name, file);
        if diagnostics.is_exhausted(path.span) {
            return None;
        }
    }
    if diagnostics.errors() > before {
        return None;
    }
    let mut compiler = protox::Compiler::with_file_resolver(ParsedFiles(std::mem::take(&mut opened.files)));
    match compiler.open_file(main) {
        Ok(compiler) => Some(compiler.descriptor_pool()),
        Err(error) => {
            opened.report(&error, error.file(), path.span, inputs.sources(), diagnostics);
            None
        }
    }
}

/// Reads a descriptor set. Returns `None` after reporting errors.
pub fn decode(path: &Text, inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Option<DescriptorPool> {
    let bytes = inputs.raw(path, diagnostics)?;
    let refuse = |message: String, help: &str, diagnostics: &mut Diagnostics| {
        diagnostics.push(Diagnostic::new(&WF1001, path.span, message).help(help));
    };
    let name = shown(&path.value);
    let Some(mut set) = FileDescriptorSet::decode(&bytes[..]).ok().filter(|set| !set.file.is_empty()) else {
        let help = "name a `.proto` file, or the output of `protoc --include_imports --descriptor_set_out=FILE`";
        refuse(format!("`{name}` is not a descriptor set"), help, diagnostics);
        return None;
    };
    // The compiler needs no options, and need not resolve their types.
    set.file.iter_mut().for_each(super::prune::without_options);
    set.file = without_copies(set.file);
    let mut pool = DescriptorPool::new();
    let well_known = well_known_imports(&set);
    match pool.add_file_descriptor_protos(well_known.into_iter().chain(set.file)) {
        Ok(()) => Some(pool),
        Err(error) => {
            let help = "create it with `--include_imports`, so that it contains all imported files";
            refuse(format!("invalid descriptor set `{name}`: {}", reworded(&error.to_string())), help, diagnostics);
            None
        }
    }
}

/// Removes duplicate files, so that concatenated descriptor sets act as one set.
fn without_copies(files: Vec<FileDescriptorProto>) -> Vec<FileDescriptorProto> {
    let mut places = BTreeMap::new();
    let mut kept: Vec<FileDescriptorProto> = Vec::with_capacity(files.len());
    for file in files {
        let first = *places.entry(file.name().to_owned()).or_insert(kept.len());
        if kept.get(first) != Some(&file) {
            kept.push(file);
        }
    }
    kept
}

/// Returns the well-known files that a set imports without containing them, with their own
/// imports.
fn well_known_imports(set: &FileDescriptorSet) -> Vec<FileDescriptorProto> {
    let names: BTreeSet<&str> = set.file.iter().map(|file| file.name()).collect();
    let mut imports: Vec<String> = set.file.iter().flat_map(|file| file.dependency.clone()).collect();
    let mut well_known = BTreeMap::new();
    while let Some(import) = imports.pop() {
        if names.contains(&*import) || well_known.contains_key(&import) {
            continue;
        }
        let Some(file) = DescriptorPool::global().get_file_by_name(&import) else { continue };
        let file = file.file_descriptor_proto().clone();
        imports.extend(file.dependency.iter().cloned());
        well_known.insert(import, file);
    }
    well_known.into_values().collect()
}

/// Returns `true` for a well-known file, which is built into the compiler.
fn is_well_known(name: &str) -> bool {
    name.starts_with("google/protobuf/") && GoogleFileResolver::new().open_file(name).is_ok()
}

/// Returns the folders in which to look for imports: the folder of the file and its parents, up to
/// the definition's folder.
fn folders(path: &str) -> impl Iterator<Item = String> {
    let path = path.strip_prefix("file:").map_or(path, |rest| rest.strip_prefix("//").unwrap_or(rest)).to_owned();
    let mut end = path.rfind('/');
    let mut outermost = false;
    std::iter::from_fn(move || {
        let at = match end {
            Some(at) => at,
            None if !outermost => {
                outermost = true;
                return Some(String::new());
            }
            None => return None,
        };
        let folder = &path[..at];
        match folder.rsplit('/').next() {
            // The parents of a relative prefix are unknown.
            Some(".." | ".") => (end, outermost) = (None, true),
            _ => end = folder.rfind('/'),
        }
        Some(format!("{folder}/"))
    })
}

/// Returns the span of an import.
fn import_span(file: &FileDescriptorProto, index: usize, id: FileId, sources: &Sources) -> Span {
    // 3 is the number of the field `dependency` in `FileDescriptorProto`.
    let path = [3, index as i32];
    let locations = file.source_code_info.as_ref().map_or(&[][..], |info| &info.location[..]);
    let location = locations.iter().find(|location| location.path == path);
    let Some(&[line, start, end]) = location.map(|location| &location.span[..]) else { return Span::new(id, 0, 0) };
    let line = sources.line_start(id, line as u32 + 1) as usize;
    Span::new(id, line + start as usize, line + end as usize)
}

/// The files opened on behalf of one file that a definition names.
struct OpenedFiles {
    /// The span in the definition.
    named: Span,
    ids: BTreeMap<String, FileId>,
    files: BTreeMap<String, File>,
}

impl OpenedFiles {
    fn parse(&self, name: &str, id: FileId, sources: &Sources, diagnostics: &mut Diagnostics) -> Option<File> {
        let text = sources.get(id).text.clone();
        if let Some(at) = nesting::too_deep(&text) {
            let message = format!("brackets are nested more than {} levels deep", nesting::MAX_DEPTH);
            let diagnostic = Diagnostic::new(&WF1001, Span::new(id, at, at + 1), message);
            diagnostics.push(diagnostic.related(self.named, "the file is named here").help("reduce the nesting"));
            return None;
        }
        match File::from_source(name, &text) {
            Ok(file) => Some(file),
            Err(error) => {
                // An error at the end of the file has no location.
                let end = Span::new(id, text.len(), text.len());
                self.report(&error, Some(name), end, sources, diagnostics);
                None
            }
        }
    }

    fn report_missing_import(&self, import: &str, span: Span, path: &Text, diagnostics: &mut Diagnostics) {
        let looked: Vec<String> = folders(&path.value)
            .map(|folder| if folder.is_empty() { "the definition's folder".to_owned() } else { format!("`{folder}`") })
            .collect();
        let folders = if looked.len() == 1 { "folder" } else { "folders" };
        let help = format!("searched {folders}: {}", looked.join(", "));
        let message = format!("the imported file `{}` cannot be read", shown(import));
        diagnostics.push(
            Diagnostic::new(&WF1001, span, message).related(self.named, "the importing file is named here").help(help),
        );
    }

    /// Reports an error of protox. `without` is the span for an error without a location.
    fn report(
        &self,
        error: &dyn miette::Diagnostic,
        file: Option<&str>,
        without: Span,
        sources: &Sources,
        diagnostics: &mut Diagnostics,
    ) {
        let id = file.and_then(|file| self.ids.get(file)).copied();
        let further = error.related().into_iter().flatten().take(MAX_ERRORS);
        for error in std::iter::once(error).chain(further) {
            diagnostics.push(self.finding(error, id, without, sources));
        }
    }

    fn finding(
        &self,
        error: &dyn miette::Diagnostic,
        id: Option<FileId>,
        without: Span,
        sources: &Sources,
    ) -> Diagnostic {
        let mut message = reworded(&error.to_string());
        let mut help = error.help().map_or_else(|| HELP.to_owned(), |help| reworded(&help.to_string()));
        let Some(id) = id else { return Diagnostic::new(&WF1001, without, message).help(help) };
        let text = &sources.get(id).text;
        let mut places: Vec<(Span, String)> = error
            .labels()
            .into_iter()
            .flatten()
            .map(|label| {
                let (start, end) = (label.offset(), label.offset().saturating_add(label.len()));
                let bounded = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
                let span = Span::new(id, bounded(start).unwrap_or(0), bounded(end).unwrap_or(0));
                (span, reworded(label.label().unwrap_or("here")))
            })
            .collect();
        // In a collision, report the second definition.
        let at = places.iter().position(|(_, label)| label.contains("again")).unwrap_or(0);
        let span = if places.is_empty() { without } else { places.remove(at).0 };
        if span.file == id && text.get(span.start as usize..).is_some_and(|text| text.starts_with("edition")) {
            message = "editions of Protocol Buffers are not supported".to_owned();
            help = "write `syntax = \"proto3\";`, or name a descriptor set made by `protoc`".to_owned();
        }
        let diagnostic = Diagnostic::new(&WF1001, span, message).help(help);
        let diagnostic = places.into_iter().fold(diagnostic, |diagnostic, (span, label)| {
            diagnostic.related(span, label.trim_matches('…').trim().to_owned())
        });
        if span == self.named { diagnostic } else { diagnostic.related(self.named, "the file is named here") }
    }
}

/// Rewrites a message of protox in the style of this compiler.
fn reworded(text: &str) -> String {
    comment(text.trim_end_matches('.')).replace('\'', "`")
}

/// A resolver that returns parsed files.
struct ParsedFiles(BTreeMap<String, File>);

impl FileResolver for ParsedFiles {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match self.0.get(name) {
            Some(file) => Ok(file.clone()),
            None => GoogleFileResolver::new().open_file(name),
        }
    }
}
