//! Definition files as read, and places in them.

use crate::files::Files;
use std::sync::Arc;

/// Identifies one file of a [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u16);

/// A half-open range of bytes in one definition file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file the range is in.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// One past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end` of `file`. Files are limited to 4 GiB by the readers.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// The empty range at the start of this one.
    pub fn at_start(self) -> Self {
        Span { end: self.start, ..self }
    }

    /// The smallest range that holds both; `other` must be of the same file.
    pub fn to(self, other: Span) -> Self {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value with the place it was written at.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// Where it was written.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Joins a value and its place.
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

/// One definition file: the name it is shown under, and its text.
#[derive(Debug, Clone)]
pub struct Source {
    /// The path as messages show it.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
    /// The files around it, which it can name.
    pub files: Files,
}

impl Source {
    /// A source from a display name and a text.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Source { name: name.into(), text: text.into(), files: Files::default() }
    }

    /// The same with files around it.
    pub fn among(self, files: Files) -> Self {
        Source { files, ..self }
    }

    /// A source from the content of a file, which must be UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, NotText> {
        let name = name.into();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source::new(name, text)),
            Err(error) => Err(NotText::new(&name, error.as_bytes(), error.utf8_error().valid_up_to())),
        }
    }
}

/// Why a file is no text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotText {
    /// What is wrong, the file named.
    pub message: String,
    /// How to mend it.
    pub help: &'static str,
}

impl NotText {
    /// The byte `at` starts no character.
    fn new(name: &str, bytes: &[u8], at: usize) -> Self {
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            let message = format!("`{name}` is text in UTF-16, and must be in UTF-8");
            return NotText { message, help: "save it again in the encoding UTF-8" };
        }
        // What comes before is text.
        let before = String::from_utf8_lossy(&bytes[..at]);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let byte = bytes.get(at).copied().unwrap_or_default();
        NotText {
            message: format!(
                "`{name}` is not UTF-8 text: the byte 0x{byte:02X} at {line}:{column} starts no character"
            ),
            help: "save it in the encoding UTF-8, or write the character as an escape such as `\\u00e9`",
        }
    }
}

impl std::fmt::Display for NotText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n  = help: {}", self.message, self.help)
    }
}

impl std::error::Error for NotText {}

/// A line and a column, both counted from 1; the column counts characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// Every file that took part in one compilation.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<File>,
}

#[derive(Debug, Clone)]
struct File {
    source: Source,
    /// The byte at which each line starts.
    lines: Vec<u32>,
}

impl Sources {
    /// Adds a file.
    pub fn add(&mut self, source: Source) -> FileId {
        let starts = source.text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        self.files.push(File { source, lines });
        FileId(self.files.len() as u16 - 1)
    }

    /// The file `id`.
    pub fn get(&self, id: FileId) -> &Source {
        &self.files[id.0 as usize].source
    }

    /// A range that ends after the character in which it ended: where a bracket was expected in front, as in what is marked of a
    /// long object, YAML may have any character.
    pub fn whole(&self, span: Span) -> Span {
        let text = &self.get(span.file).text;
        let end = (span.end as usize..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
        Span { end: end as u32, ..span }
    }

    /// All files, in the order they were added.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(at as u16), &file.source))
    }

    /// The text of a span; empty where the span lies outside its file.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// The line of the first byte of a span: without the column, which takes a look at all that is before it on the line.
    pub fn line_of(&self, span: Span) -> u32 {
        let lines = &self.files[span.file.0 as usize].lines;
        lines.partition_point(|start| *start <= span.start).max(1) as u32
    }

    /// The line and column of the first byte of a span.
    pub fn position(&self, span: Span) -> Position {
        self.position_of(span.file, span.start)
    }

    /// The line and column of one byte.
    pub fn position_of(&self, file: FileId, byte: u32) -> Position {
        let file = &self.files[file.0 as usize];
        let line = file.lines.partition_point(|start| *start <= byte).saturating_sub(1);
        let start = file.lines[line] as usize;
        let before = file.source.text.get(start..byte as usize).unwrap_or_default();
        Position { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }

    /// One line of a file without its line end, lines counted from 1.
    pub fn line(&self, file: FileId, line: u32) -> &str {
        let file = &self.files[file.0 as usize];
        let Some(start) = file.lines.get(line as usize - 1) else { return "" };
        let end = file.lines.get(line as usize).map_or(file.source.text.len(), |next| *next as usize);
        file.source.text.get(*start as usize..end).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }

    /// The byte at which a line starts, lines counted from 1; the end of the file for a line it does not have.
    pub fn line_start(&self, file: FileId, line: u32) -> u32 {
        let file = &self.files[file.0 as usize];
        let known = (line as usize).checked_sub(1).and_then(|at| file.lines.get(at));
        known.copied().unwrap_or(file.source.text.len() as u32)
    }

    /// `order.asl.json:14`: the place of a span in the form used in documentation and generated code.
    pub fn place(&self, span: Span) -> String {
        format!("{}:{}", self.get(span.file).name, self.line_of(span))
    }

    /// `order.asl.json:14:9`.
    pub fn exact_place(&self, span: Span) -> String {
        let Position { line, column } = self.position(span);
        format!("{}:{line}:{column}", self.get(span.file).name)
    }
}
