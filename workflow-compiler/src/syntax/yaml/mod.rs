//! YAML 1.2 reader with the core schema. It builds the tree from the events of a parser.
//!
//! The reader refuses what JSON cannot represent: tags of other types, keys that are not strings,
//! infinite numbers, several documents. Aliases are replaced by their values, within the limits on
//! values and depth. `<<` merges the members of mappings. The parser stops at the first syntax
//! error, and the reader returns what it has read until there.

mod aliases;
mod builder;
mod errors;
mod marks;
mod scalars;
mod source_map;
#[cfg(test)]
mod tests;

use saphyr_parser::{Event, Parser};

use self::builder::Builder;
use super::Node;
use super::limits::MAX_YAML_BYTES;
use super::report::Report;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::syntax as codes};
use crate::source::FileId;

/// Parses the YAML `text` of `file`. Reports errors, and returns the part that could be parsed.
pub fn read(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Node {
    let mut report = Report::new(file, diagnostics);
    if !report.check_size(text, MAX_YAML_BYTES) {
        return report.null(0);
    }
    let unprintable = check_characters(text, &mut report);
    let (content, offset) = marks::after_byte_order_mark(text);
    let mut builder = Builder::new(file, text, offset, report);
    let mut documents = 0;
    for event in Parser::new_from_str(content) {
        match event {
            Ok((Event::DocumentStart(_), span)) => {
                documents += 1;
                if documents > 1 {
                    builder.second_document(&span);
                    break;
                }
            }
            Ok((event, span)) => builder.take(event, &span),
            Err(error) => {
                // A NUL, which was reported, is an error of the parser too.
                if !unprintable {
                    builder.scan_error(&error);
                }
                break;
            }
        }
        if builder.stopped() {
            break;
        }
    }
    builder.finish()
}

/// Reports characters that YAML does not allow (YAML 1.2.2, section 5.1), most of which the parser
/// accepts. Returns `true` if one of them is a NUL.
fn check_characters(text: &str, report: &mut Report) -> bool {
    let mut nul = false;
    for (at, c) in text.char_indices() {
        let unprintable = match c {
            '\t' | '\n' | '\r' | '\u{85}' => false,
            '\u{FFFE}' | '\u{FFFF}' => true,
            c => c.is_control(),
        };
        if unprintable {
            nul |= c == '\0';
            let span = report.span(at, at + c.len_utf8());
            let message = format!("control character U+{:04X} in the text", u32::from(c));
            let help = "remove it, or write it as an escape in double quotes";
            report.push(Diagnostic::new(&codes::WF0110, span, message).help(help));
        }
    }
    nul
}
