//! Validation of HTTP calls: the URL and the headers must be valid in a request.

use std::collections::BTreeMap;

use super::super::ast::StringPiece;
use super::DslParseCx;
use crate::diagnostics::{Diagnostic, codes::fields as codes};
use crate::source::Span;
use crate::syntax::expressions::expression_length;
use crate::syntax::{Entry, Text, Tree, shown};

/// Headers that belong to the connection, so that a definition may not set them.
const OWN: [&str; 10] = [
    "connection",
    "content-length",
    "expect",
    "host",
    "keep-alive",
    "proxy-authorization",
    "te",
    "trailer",
    "transfer-encoding",
    "upgrade",
];

/// Returns the pieces of a URL without surrounding blanks, or reports that its constant parts
/// cannot be a URL.
pub fn address(text: &Text, mut url: Vec<StringPiece>, cx: &mut DslParseCx) -> Option<Vec<StringPiece>> {
    let masked = masked(&text.value);
    let start = masked.len() - masked.trim_start().len();
    let is_open = text.value[start..].starts_with("${");
    let error = url_error(text, masked.trim(), start, is_open);
    if let Some(error) = error {
        cx.push(error);
        return None;
    }
    if let Some(StringPiece::Text(first)) = url.first_mut() {
        *first = first.trim_start().to_owned();
    }
    if let Some(StringPiece::Text(last)) = url.last_mut() {
        *last = last.trim_end().to_owned();
    }
    url.retain(|piece| !matches!(piece, StringPiece::Text(text) if text.is_empty()));
    Some(url)
}

/// Returns a text of the same length with letters in place of its expressions.
fn masked(text: &str) -> String {
    let mut masked = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("${") {
        let length = expression_length(&rest[start..]).unwrap_or(rest.len() - start);
        masked.push_str(&rest[..start]);
        masked.push_str(&"x".repeat(length));
        rest = &rest[start + length..];
    }
    masked + rest
}

/// Returns the error of a URL, if it has one. `start` is its first byte in the text. `is_open`
/// means that the URL begins with an expression.
fn url_error(text: &Text, address: &str, start: usize, is_open: bool) -> Option<Diagnostic> {
    let at = |from: usize, to: usize| text.span_of(start + from, start + to);
    let error = |span, message: &str| Some(Diagnostic::new(&codes::WF0419, span, message));
    const EXAMPLE: &str = "as in `https://api.example.com/orders`";
    let scheme = ["http://", "https://"].iter().find(|scheme| {
        let begin = address.get(..scheme.len());
        begin.is_some_and(|begin| begin.eq_ignore_ascii_case(scheme))
    });
    let host = match scheme {
        Some(scheme) => scheme.len(),
        None if is_open => {
            let end = address.find(['/', '?', '#']).unwrap_or(address.len());
            let is_scheme = address[..end].ends_with(':') && address[end..].starts_with("//");
            if is_scheme { end + "//".len() } else { 0 }
        }
        None => {
            let help = format!("begin it with `http://` or `https://`, {EXAMPLE}");
            return error(text.span, "`operation` is not an HTTP URL").map(|error| error.help(help));
        }
    };
    let path = address[host..].find(['/', '\\', '?', '#']).map_or(address.len(), |length| host + length);
    if path == host && !is_open {
        return error(text.span, "the URL of the call has no host")
            .map(|error| error.help(format!("write it {EXAMPLE}")));
    }
    if let Some((index, c)) = address.char_indices().find(|(_, c)| c.is_whitespace() || c.is_control()) {
        let (message, help) = match c {
            ' ' => ("the URL of the call contains a space", "write `%20` instead"),
            _ => ("the URL of the call contains an invalid character", "remove it"),
        };
        return error(at(index, index + c.len_utf8()), message).map(|error| error.help(help));
    }
    // The scheme is written out. A URL that begins with an expression may have more than the host
    // in this part.
    if let Some(end) = address[host..path].rfind('@').filter(|_| host > 0) {
        let help =
            "remove them, and send a header: `\"header\": { \"authorization\": \"Bearer ${ $SECRETS.token }\" }`";
        let message = "the URL of the call contains credentials";
        return error(at(host, host + end + 1), message).map(|error| error.help(help));
    }
    let end = address[path..].find(['?', '#']).map_or(address.len(), |length| path + length);
    let mut from = path;
    for part in address[path..end].split(['/', '\\']) {
        if is_dot_segment(part) {
            let message = format!("the URL of the call contains the dot segment `{}`", shown(part));
            return error(at(from, from + part.len()), &message).map(|error| error.help("write the path without it"));
        }
        from += part.len() + 1;
    }
    None
}

/// Returns `true` if a segment of a path is `.` or `..`, also one written with percent-encoding.
fn is_dot_segment(part: &str) -> bool {
    let part = part.to_ascii_uppercase().replace("%2E", ".").replace("%5C", "%2F");
    part.split("%2F").any(|part| matches!(part, "." | ".."))
}

/// Reports headers with invalid names, and headers that are set twice.
pub fn headers(entries: &[Entry], cx: &mut DslParseCx) -> Option<()> {
    let mut is_right = true;
    let mut known = BTreeMap::new();
    for entry in entries {
        let (name, span) = (&entry.key.value, entry.key.span);
        let is_token = |byte: u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(&byte);
        let before = known.get(&name.to_ascii_lowercase()).copied();
        let diagnostic = if name.is_empty() || !name.bytes().all(is_token) {
            let message = format!("`{}` is not a valid header name", shown(name));
            Diagnostic::new(&codes::WF0419, span, message).help("use letters, digits and hyphens, as in `X-Trace-Id`")
        } else if OWN.iter().any(|own| own.eq_ignore_ascii_case(name)) {
            let message = format!("the header `{name}` is reserved for the connection");
            Diagnostic::new(&codes::WF0419, span, message).help("remove it: the HTTP client sets it")
        } else if let Some(first) = before {
            Diagnostic::new(
                &codes::WF0405,
                span,
                format!("duplicate header `{name}`: names of headers are not case-sensitive"),
            )
            .related(first, "first set here")
            .help("remove one of the two")
        } else {
            known.insert(name.to_ascii_lowercase(), span);
            continue;
        };
        cx.push(diagnostic);
        is_right = false;
    }
    is_right.then_some(())
}

/// Reports query parameters that both objects set.
pub fn check_unique_parameters(first: &[Entry], second: &[Entry], cx: &mut DslParseCx) -> Option<()> {
    let is_there = |entry: &Entry| entry.value.tree != Tree::Null;
    let known = first.iter().filter(|entry| is_there(entry)).map(|entry| (&*entry.key.value, entry.key.span));
    let known: BTreeMap<&str, Span> = known.collect();
    let mut is_right = true;
    for entry in second.iter().filter(|entry| is_there(entry)) {
        let name = &entry.key.value;
        if let Some(other) = known.get(name.as_str()) {
            let message = format!("duplicate query parameter `{}`", shown(name));
            cx.push(
                Diagnostic::new(&codes::WF0405, entry.key.span, message)
                    .related(*other, "`query-parameters` sets it, too")
                    .help("remove one of the two: without a body, `arguments` go into the query"),
            );
            is_right = false;
        }
    }
    is_right.then_some(())
}
