//! Masking of task tokens in texts for others. Whoever has a token can end its task.

/// The length of a token, which is a UUID.
const UUID: usize = 36;

/// Replaces each token in a text with `[token]`.
pub fn mask(text: &str, is_token: impl Fn(&str) -> bool) -> String {
    let (mut masked, mut copied, mut at) = (String::with_capacity(text.len()), 0, 0);
    while let Some(dash) = text.as_bytes().get(at + 8..).and_then(|rest| rest.iter().position(|byte| *byte == b'-')) {
        // The first of four dashes is the ninth character of a UUID.
        let start = at + dash;
        match text.get(start..start + UUID).filter(|uuid| is_uuid(uuid.as_bytes()) && is_token(uuid)) {
            Some(_) => {
                masked.push_str(&text[copied..start]);
                masked.push_str("[token]");
                (copied, at) = (start + UUID, start + UUID);
            }
            None => at = start + 1,
        }
    }
    masked.push_str(&text[copied..]);
    masked
}

fn is_uuid(bytes: &[u8]) -> bool {
    bytes.iter().enumerate().all(|(at, byte)| match at {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_digit() || (b'a'..=b'f').contains(byte),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_masked_anywhere() {
        let (token, other) = ("9558b8c0-8f1a-45ea-8f4e-e4f2cbf066c7", "00000000-8f1a-45ea-8f4e-e4f2cbf066c7");
        for (text, masked) in [
            (token.to_owned(), "[token]".to_owned()),
            (format!("a-b{token}-{token}é-{token}"), "a-b[token]-[token]é-[token]".to_owned()),
            (format!("éééé-{other}?t={token}&{other}"), format!("éééé-{other}?t=[token]&{other}")),
            ("--------".to_owned(), "--------".to_owned()),
        ] {
            assert_eq!(mask(&text, |uuid| uuid == token), masked);
        }
    }
}
