//! A limit on the nesting of `.proto` files. The parser limits messages but not options, so that
//! deep options would overflow the stack.

/// The greatest nesting of brackets. The parser's own limit for messages is lower.
pub const MAX_DEPTH: usize = 64;

/// Returns the byte offset of the first bracket beyond the limit. Brackets in comments and strings
/// do not count.
pub fn too_deep(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(byte) = bytes.get(at) {
        match (byte, bytes.get(at + 1)) {
            (b'{' | b'[' | b'<' | b'(', _) => {
                depth += 1;
                if depth > MAX_DEPTH {
                    return Some(at);
                }
            }
            (b'}' | b']' | b'>' | b')', _) => depth = depth.saturating_sub(1),
            (b'/', Some(b'/')) => at = end_of(bytes, at, |rest| rest.starts_with(b"\n")),
            (b'/', Some(b'*')) => at = end_of(bytes, at + 2, |rest| rest.starts_with(b"*/")),
            (quote @ (b'"' | b'\''), _) => {
                at += 1;
                while bytes.get(at).is_some_and(|byte| byte != quote && *byte != b'\n') {
                    at += 1 + usize::from(bytes[at] == b'\\');
                }
            }
            _ => {}
        }
        at += 1;
    }
    None
}

/// Returns the first offset from `from` on at which `ends` holds, or the length.
fn end_of(bytes: &[u8], from: usize, ends: impl Fn(&[u8]) -> bool) -> usize {
    (from..bytes.len()).find(|at| ends(&bytes[*at..])).unwrap_or(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_count_where_they_are_brackets() {
        let deep = |open: &str, close: &str, count: usize| format!("{}{}", open.repeat(count), close.repeat(count));
        for (open, close) in [("a { ", "}"), ("[", "]"), ("<", ">"), ("(", ")"), ("{[", "]}")] {
            let each = open.chars().filter(|c| "{[<(".contains(*c)).count();
            assert_eq!(too_deep(&deep(open, close, MAX_DEPTH / each)), None, "{open}");
            assert!(too_deep(&deep(open, close, MAX_DEPTH / each + 1)).is_some(), "{open}");
        }
        let many = "{<[(".repeat(MAX_DEPTH);
        for text in [
            format!("// {many}\nmessage A {{}}"),
            format!("/* {many}\n{many} */ message A {{}}"),
            format!("option a = \"\\\"{many}\";"),
            format!("option a = '\"{many}';"),
            "a / b < c > { } ".repeat(MAX_DEPTH * 2),
            "\"unclosed".to_owned(),
            "'\\".to_owned(),
            "/*".to_owned(),
        ] {
            assert_eq!(too_deep(&text), None, "{text}");
        }
        assert!(too_deep(&format!("/* a */ \"b\" {many}")).is_some());
    }
}
