//! Reads YAML 1.2 with the core schema: the event parser says what is written, and this builds the tree from it.
//!
//! What JSON data cannot hold is refused: tags of other types, keys that are no text, infinite numbers, several documents.
//! Aliases are replaced by what they stand for, within the limits on values and depth; `<<` takes over the members of
//! mappings. The parser does not go on after an error in the syntax; what was read until there is returned.

mod aliases;
mod builder;
mod errors;
mod marks;
mod places;
mod scalars;
#[cfg(test)]
mod tests;

use saphyr_parser::{Event, Parser};

use self::builder::Builder;
use super::Node;
use super::limits::MAX_YAML_BYTES;
use super::report::Report;
use crate::diagnostics::{Diagnostic, Diagnostics, codes::syntax as codes};
use crate::source::FileId;

/// Reads the YAML `text` of `file`. What is wrong is reported; what could be read is returned.
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

/// Reports characters that YAML text does not have (YAML 1.2.2, section 5.1); the parser lets most of them pass. True
/// where one of them is a NUL.
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
            report.push(Diagnostic::new(&codes::E0110, span, message).help(help));
        }
    }
    nul
}
