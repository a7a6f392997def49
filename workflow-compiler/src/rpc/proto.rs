//! `.proto` files, with what they import, and descriptor sets.

use super::nesting;
use crate::diagnostics::codes::rpc::E1001;
use crate::diagnostics::{Diagnostic, Diagnostics};
use crate::escape::comment;
use crate::files::Inputs;
use crate::source::{FileId, Sources, Span};
use crate::syntax::{Text, shown};
use protox::file::{File, FileResolver, GoogleFileResolver};
use protox::prost::Message;
use protox::prost_reflect::DescriptorPool;
use protox::prost_reflect::prost_types::{FileDescriptorProto, FileDescriptorSet};
use std::collections::{BTreeMap, BTreeSet};

/// Of what is wrong with one file so much is told at the most.
const TOLD: usize = 16;
/// Where a file does not say what it is about.
const HELP: &str = "correct the file, or name another one";

/// Compiles a `.proto` file. What is wrong with it has been reported.
pub fn compile(path: &Text, inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Option<DescriptorPool> {
    let mut opened = Opened { named: path.span, ids: BTreeMap::new(), files: BTreeMap::new() };
    let main = path.value.rsplit('/').next().unwrap_or(&path.value);
    let id = inputs.text(path, diagnostics)?;
    let before = diagnostics.errors();
    let mut open: Vec<(String, FileId)> = vec![(main.to_owned(), id)];
    while let Some((name, id)) = open.pop() {
        opened.ids.insert(name.clone(), id);
        let Some(file) = opened.parse(&name, id, inputs.sources(), diagnostics) else { continue };
        for (index, import) in file.file_descriptor_proto().dependency.iter().enumerate() {
            if opened.ids.contains_key(import) || is_known(import) {
                continue;
            }
            let span = import_span(file.file_descriptor_proto(), index, id, inputs.sources());
            let Some(found) = inputs.look(folders(&path.value).map(|folder| format!("{folder}{import}"))) else {
                opened.missing(import, span, path, diagnostics);
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
    let mut compiler = protox::Compiler::with_file_resolver(Parsed(std::mem::take(&mut opened.files)));
    match compiler.open_file(main) {
        Ok(compiler) => Some(compiler.descriptor_pool()),
        Err(error) => {
            opened.report(&error, error.file(), path.span, inputs.sources(), diagnostics);
            None
        }
    }
}

/// Reads a descriptor set. What is wrong with it has been reported.
pub fn decode(path: &Text, inputs: &mut Inputs, diagnostics: &mut Diagnostics) -> Option<DescriptorPool> {
    let bytes = inputs.raw(path, diagnostics)?;
    let refuse = |message: String, help: &str, diagnostics: &mut Diagnostics| {
        diagnostics.push(Diagnostic::new(&E1001, path.span, message).help(help));
    };
    let name = shown(&path.value);
    let Some(mut set) = FileDescriptorSet::decode(&bytes[..]).ok().filter(|set| !set.file.is_empty()) else {
        let help = "name a `.proto` file, or what `protoc --include_imports --descriptor_set_out=FILE` writes";
        refuse(format!("`{name}` is no descriptor set"), help, diagnostics);
        return None;
    };
    // Nothing is asked of options, and their texts are not parsed.
    set.file.iter_mut().for_each(super::prune::without_options);
    set.file = without_copies(set.file);
    let mut pool = DescriptorPool::new();
    let known = known_imports(&set);
    match pool.add_file_descriptor_protos(known.into_iter().chain(set.file)) {
        Ok(()) => Some(pool),
        Err(error) => {
            let help = "make it with `--include_imports`, so that all is in it that its files import";
            refuse(format!("`{name}` cannot be used: {}", told(&error.to_string())), help, diagnostics);
            None
        }
    }
}

/// Files without those that are the same as one before: sets that were written one after the other are one.
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

/// The files that come with the compiler among those that a set imports and does not have, with what these import.
fn known_imports(set: &FileDescriptorSet) -> Vec<FileDescriptorProto> {
    let names: BTreeSet<&str> = set.file.iter().map(|file| file.name()).collect();
    let mut imports: Vec<String> = set.file.iter().flat_map(|file| file.dependency.clone()).collect();
    let mut known = BTreeMap::new();
    while let Some(import) = imports.pop() {
        if names.contains(&*import) || known.contains_key(&import) {
            continue;
        }
        let Some(file) = DescriptorPool::global().get_file_by_name(&import) else { continue };
        let file = file.file_descriptor_proto().clone();
        imports.extend(file.dependency.iter().cloned());
        known.insert(import, file);
    }
    known.into_values().collect()
}

/// Whether a file is one of those that come with the compiler.
fn is_known(name: &str) -> bool {
    name.starts_with("google/protobuf/") && GoogleFileResolver::new().open_file(name).is_ok()
}

/// The folders that imports are looked for in: that of the file, and those around it up to that of the definition.
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
            // What is around a folder that is named from inside is not known.
            Some(".." | ".") => (end, outermost) = (None, true),
            _ => end = folder.rfind('/'),
        }
        Some(format!("{folder}/"))
    })
}

/// The place of an import.
fn import_span(file: &FileDescriptorProto, index: usize, id: FileId, sources: &Sources) -> Span {
    // The number of the field `dependency` in the descriptor of a file.
    let path = [3, index as i32];
    let locations = file.source_code_info.as_ref().map_or(&[][..], |info| &info.location[..]);
    let found = locations.iter().find(|location| location.path == path);
    let Some(&[line, start, end]) = found.map(|location| &location.span[..]) else { return Span::new(id, 0, 0) };
    let line = sources.line_start(id, line as u32 + 1) as usize;
    Span::new(id, line + start as usize, line + end as usize)
}

/// The files that were opened for one that a definition names.
struct Opened {
    /// Where the definition names it.
    named: Span,
    ids: BTreeMap<String, FileId>,
    files: BTreeMap<String, File>,
}

impl Opened {
    fn parse(&self, name: &str, id: FileId, sources: &Sources, diagnostics: &mut Diagnostics) -> Option<File> {
        let text = sources.get(id).text.clone();
        if let Some(at) = nesting::too_deep(&text) {
            let message = format!("brackets are nested deeper than {} levels", nesting::MOST);
            let found = Diagnostic::new(&E1001, Span::new(id, at, at + 1), message);
            diagnostics.push(found.related(self.named, "the file is named here").help("take it apart"));
            return None;
        }
        match File::from_source(name, &text) {
            Ok(file) => Some(file),
            Err(error) => {
                // What ends too early has no place.
                let end = Span::new(id, text.len(), text.len());
                self.report(&error, Some(name), end, sources, diagnostics);
                None
            }
        }
    }

    fn missing(&self, import: &str, span: Span, path: &Text, diagnostics: &mut Diagnostics) {
        let looked: Vec<String> = folders(&path.value)
            .map(|folder| if folder.is_empty() { "that of the definition".to_owned() } else { format!("`{folder}`") })
            .collect();
        let folders = if looked.len() == 1 { "folder" } else { "folders" };
        let help = format!("it is looked for in the {folders} {}", looked.join(", "));
        let message = format!("the imported file `{}` cannot be read", shown(import));
        diagnostics.push(
            Diagnostic::new(&E1001, span, message).related(self.named, "the importing file is named here").help(help),
        );
    }

    /// Reports what protox found in a file; `without` is the place of what has none.
    fn report(
        &self,
        error: &dyn miette::Diagnostic,
        file: Option<&str>,
        without: Span,
        sources: &Sources,
        diagnostics: &mut Diagnostics,
    ) {
        let id = file.and_then(|file| self.ids.get(file)).copied();
        let further = error.related().into_iter().flatten().take(TOLD);
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
        let mut message = told(&error.to_string());
        let mut help = error.help().map_or_else(|| HELP.to_owned(), |help| told(&help.to_string()));
        let Some(id) = id else { return Diagnostic::new(&E1001, without, message).help(help) };
        let text = &sources.get(id).text;
        let mut places: Vec<(Span, String)> = error
            .labels()
            .into_iter()
            .flatten()
            .map(|label| {
                let (start, end) = (label.offset(), label.offset().saturating_add(label.len()));
                let bounded = |at: usize| (0..=at.min(text.len())).rev().find(|at| text.is_char_boundary(*at));
                let span = Span::new(id, bounded(start).unwrap_or(0), bounded(end).unwrap_or(0));
                (span, told(label.label().unwrap_or("here")))
            })
            .collect();
        // Of two that collide the second one is told.
        let at = places.iter().position(|(_, label)| label.contains("again")).unwrap_or(0);
        let span = if places.is_empty() { without } else { places.remove(at).0 };
        if span.file == id && text.get(span.start as usize..).is_some_and(|text| text.starts_with("edition")) {
            message = "editions of Protocol Buffers cannot be read".to_owned();
            help = "write `syntax = \"proto3\";`, or name a descriptor set that `protoc` made".to_owned();
        }
        let found = Diagnostic::new(&E1001, span, message).help(help);
        let found = places
            .into_iter()
            .fold(found, |found, (span, label)| found.related(span, label.trim_matches('…').trim().to_owned()));
        if span == self.named { found } else { found.related(self.named, "the file is named here") }
    }
}

/// What protox says in the manner of this compiler.
fn told(text: &str) -> String {
    comment(text.trim_end_matches('.')).replace('\'', "`")
}

/// Hands out what was parsed.
struct Parsed(BTreeMap<String, File>);

impl FileResolver for Parsed {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        match self.0.get(name) {
            Some(file) => Ok(file.clone()),
            None => GoogleFileResolver::new().open_file(name),
        }
    }
}
