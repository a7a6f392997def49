//! Definition files and spans in them.

mod files;
mod relative;

pub(crate) use files::{DOES_NOT_EXIST, LEADS_OUTSIDE};
pub use files::{Files, NotARoot};
pub use relative::{NotAPath, RelativePath};

use std::sync::Arc;

/// The maximum size of a file that a definition names, in bytes. Documents of services are larger
/// than definitions, and little of them is used.
pub const MAX_FILE_BYTES: usize = 16 << 20;

/// Index of a file in [`Sources`].
///
/// See the example of [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u16);

/// A half-open range of bytes in a definition file.
///
/// See the example of [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The offset after the last byte.
    pub end: u32,
}

impl Span {
    /// Creates the range `start..end` of `file`. The readers limit files to 4 GiB.
    pub fn new(file: FileId, start: usize, end: usize) -> Self {
        Span { file, start: start as u32, end: end as u32 }
    }

    /// Returns the empty range at the start of this one.
    pub fn at_start(self) -> Self {
        Span { end: self.start, ..self }
    }

    /// Returns the range of the opening brace of an object. A diagnostic about the whole object
    /// points to the brace instead of many lines of text.
    pub fn opening(self) -> Self {
        Span { end: self.end.min(self.start + 1), ..self }
    }

    /// Returns the smallest range that contains both. `other` must be in the same file.
    pub fn to(self, other: Span) -> Self {
        Span { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }
}

/// A value with its span.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spanned<T> {
    /// The value.
    pub value: T,
    /// The span in the definition.
    pub span: Span,
}

impl<T> Spanned<T> {
    /// Creates a value with a span.
    pub fn new(value: T, span: Span) -> Self {
        Spanned { value, span }
    }
}

/// A definition file: its display name and its text.
///
/// See the example of [`Files`].
#[derive(Debug, Clone)]
pub struct Source {
    /// The path in messages.
    pub name: String,
    /// The whole text.
    pub text: Arc<str>,
    /// The files that it can name.
    pub files: Files,
}

impl Source {
    /// Creates a source from a display name and a text. It can name no files.
    pub fn new(name: impl Into<String>, text: impl Into<Arc<str>>) -> Self {
        Source { name: name.into(), text: text.into(), files: Files::default() }
    }

    /// Replaces the files that the source can name.
    pub fn with_files(self, files: Files) -> Self {
        Source { files, ..self }
    }

    /// Creates a source from the content of a file, which must be UTF-8.
    pub fn from_bytes(name: impl Into<String>, bytes: Vec<u8>) -> Result<Self, NotText> {
        let name = name.into();
        match String::from_utf8(bytes) {
            Ok(text) => Ok(Source::new(name, text)),
            Err(error) => Err(NotText::new(&name, error.as_bytes(), error.utf8_error().valid_up_to())),
        }
    }

    /// Returns the file name without its extensions: `order` for `flows/order.asl.json`.
    pub(crate) fn workflow_name(&self) -> String {
        let name = self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        let name = name.split('.').next().unwrap_or(name);
        if name.is_empty() { "workflow".to_owned() } else { name.to_owned() }
    }
}

/// The error for a file that is not text.
///
/// ```
/// use workflow_compiler::Source;
///
/// let error = Source::from_bytes("order.asl.json", vec![b'{', 0xFF]).unwrap_err();
/// assert_eq!(error.message, "`order.asl.json` is not valid UTF-8: unexpected byte 0xFF at 1:2");
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NotText {
    /// The message, which names the file.
    pub message: String,
    /// The help.
    pub help: &'static str,
}

impl NotText {
    /// Creates the error for the byte `at`, which starts no UTF-8 character.
    fn new(name: &str, bytes: &[u8], at: usize) -> Self {
        if bytes.starts_with(&[0xFF, 0xFE]) || bytes.starts_with(&[0xFE, 0xFF]) {
            let message = format!("`{name}` is encoded in UTF-16, expected UTF-8");
            return NotText { message, help: "save the file as UTF-8" };
        }
        // The bytes before are valid UTF-8.
        let before = String::from_utf8_lossy(&bytes[..at]);
        let line = before.matches('\n').count() + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() + 1;
        let byte = bytes.get(at).copied().unwrap_or_default();
        NotText {
            message: format!("`{name}` is not valid UTF-8: unexpected byte 0x{byte:02X} at {line}:{column}"),
            help: "save the file as UTF-8, or write the character as an escape such as `\\u00e9`",
        }
    }
}

impl std::fmt::Display for NotText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}\n  = help: {}", self.message, self.help)
    }
}

impl std::error::Error for NotText {}

/// A line and a column.
///
/// See the example of [`Sources`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// All files of a compilation.
///
/// ```
/// use workflow_compiler::{Position, Source, Sources, Span};
///
/// let mut sources = Sources::default();
/// let file = sources.add(Source::new("order.asl.json", "{\n  \"StartAt\": 7\n}"));
/// let span = Span::new(file, 15, 16);
/// assert_eq!((sources.text(span), sources.position(span)), ("7", Position { line: 2, column: 14 }));
/// ```
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<File>,
}

#[derive(Debug, Clone)]
struct File {
    source: Source,
    /// The offset of the start of each line.
    lines: Vec<u32>,
}

impl Sources {
    /// Adds a file. Returns its id.
    pub fn add(&mut self, source: Source) -> FileId {
        let starts = source.text.match_indices('\n').map(|(at, _)| at as u32 + 1);
        let lines = std::iter::once(0).chain(starts).collect();
        self.files.push(File { source, lines });
        FileId(self.files.len() as u16 - 1)
    }

    /// Returns the file `id`.
    pub fn get(&self, id: FileId) -> &Source {
        &self.files[id.0 as usize].source
    }

    /// Extends a range to the end of the character that it ends in. A diagnostic about an object
    /// marks the first byte only, which is a bracket in JSON but any character in YAML.
    pub fn whole(&self, span: Span) -> Span {
        let text = &self.get(span.file).text;
        let end = (span.end as usize..=text.len()).find(|end| text.is_char_boundary(*end)).unwrap_or(text.len());
        Span { end: end as u32, ..span }
    }

    /// Iterates over the files in the order of their addition.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        self.files.iter().enumerate().map(|(at, file)| (FileId(at as u16), &file.source))
    }

    /// Returns the text of a span. It is empty if the span lies outside of its file.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).text.get(span.start as usize..span.end as usize).unwrap_or_default()
    }

    /// Returns the line of the first byte of a span. Computing the column would require a scan of
    /// the line.
    pub fn line_of(&self, span: Span) -> u32 {
        let lines = &self.files[span.file.0 as usize].lines;
        lines.partition_point(|start| *start <= span.start).max(1) as u32
    }

    /// Returns the line and column of the first byte of a span.
    pub fn position(&self, span: Span) -> Position {
        self.position_of(span.file, span.start)
    }

    /// Returns the line and column of a byte.
    pub fn position_of(&self, file: FileId, byte: u32) -> Position {
        let file = &self.files[file.0 as usize];
        let line = file.lines.partition_point(|start| *start <= byte).saturating_sub(1);
        let start = file.lines[line] as usize;
        let before = file.source.text.get(start..byte as usize).unwrap_or_default();
        Position { line: line as u32 + 1, column: before.chars().count() as u32 + 1 }
    }

    /// Returns a line of a file without its line end. Lines are counted from 1.
    pub fn line(&self, file: FileId, line: u32) -> &str {
        let file = &self.files[file.0 as usize];
        let Some(start) = file.lines.get(line as usize - 1) else { return "" };
        let end = file.lines.get(line as usize).map_or(file.source.text.len(), |next| *next as usize);
        file.source.text.get(*start as usize..end).unwrap_or_default().trim_end_matches(['\n', '\r'])
    }

    /// Returns the offset of the start of a line, counted from 1, or the length of the file if it
    /// has no such line.
    pub fn line_start(&self, file: FileId, line: u32) -> u32 {
        let file = &self.files[file.0 as usize];
        let known = (line as usize).checked_sub(1).and_then(|at| file.lines.get(at));
        known.copied().unwrap_or(file.source.text.len() as u32)
    }

    /// Returns the place of a span as documentation and generated code show it:
    /// `order.asl.json:14`.
    pub fn place(&self, span: Span) -> String {
        format!("{}:{}", self.get(span.file).name, self.line_of(span))
    }

    /// Returns the place of a span with its column: `order.asl.json:14:9`.
    pub fn exact_place(&self, span: Span) -> String {
        let Position { line, column } = self.position(span);
        format!("{}:{line}:{column}", self.get(span.file).name)
    }
}
