//! Masking of task tokens in texts for others. Whoever has a token can end its task.

use std::collections::HashMap;

use rusqlite::Connection;

/// Replaces each token of a waiting task of any execution by `[token]`. Includes tokens of failed
/// executions, which may be redriven.
pub fn mask(c: &Connection, text: String) -> rusqlite::Result<String> {
    let mut statement = c.prepare_cached("SELECT count(*) FROM snapshot_rows WHERE token = ?1")?;
    let mut checked: HashMap<&str, bool> = HashMap::new();
    let (mut masked, mut copied) = (String::new(), 0);
    for at in uuids(&text) {
        let uuid = &text[at..at + UUID];
        let is_token = match checked.get(uuid) {
            Some(is_token) => *is_token,
            None => {
                let is_token = statement.query_row([uuid], |row| row.get::<_, i64>(0))? > 0;
                checked.insert(uuid, is_token);
                is_token
            }
        };
        if is_token {
            masked.push_str(&text[copied..at]);
            masked.push_str("[token]");
            copied = at + UUID;
        }
    }
    if copied == 0 {
        return Ok(text);
    }
    masked.push_str(&text[copied..]);
    Ok(masked)
}

/// Length of a token, which is a UUID.
const UUID: usize = 36;

/// Returns the positions of UUIDs that do not overlap.
fn uuids(text: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let (mut found, mut at) = (Vec::new(), 0);
    // Searches for the first of the four dashes.
    while let Some(dash) = bytes.get(at + 8..).and_then(|rest| rest.iter().position(|byte| *byte == b'-')) {
        let start = at + dash;
        if bytes.get(start..start + UUID).is_some_and(is_uuid) {
            found.push(start);
            at = start + UUID;
        } else {
            at = start + 1;
        }
    }
    found
}

fn is_uuid(bytes: &[u8]) -> bool {
    let fits = |(at, byte): (usize, &u8)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(byte),
    };
    bytes.iter().enumerate().all(fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_masked_anywhere() {
        let (token, other) = ("9558b8c0-8f1a-45ea-8f4e-e4f2cbf066c7", "00000000-8f1a-45ea-8f4e-e4f2cbf066c7");
        let connection = Connection::open_in_memory().expect("a database");
        connection.execute_batch("CREATE TABLE snapshot_rows (token TEXT)").expect("a table");
        connection.execute("INSERT INTO snapshot_rows VALUES (?1)", [token]).expect("a row");
        for (text, masked) in [
            (token.to_owned(), "[token]".to_owned()),
            (format!("a-b{token}-{token}é-{token}"), "a-b[token]-[token]é-[token]".to_owned()),
            (
                format!("https://example.org/x-y-z/{other}?t={token}&{other}"),
                format!("https://example.org/x-y-z/{other}?t=[token]&{other}"),
            ),
            (format!("abc{token}{other}"), format!("abc[token]{other}")),
            ("no-token at-all".to_owned(), "no-token at-all".to_owned()),
            (token[..35].to_owned(), token[..35].to_owned()),
        ] {
            assert_eq!(mask(&connection, text).expect("a text"), masked);
        }
    }
}
