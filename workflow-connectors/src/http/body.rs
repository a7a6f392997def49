//! Bodies of answers, up to a limit.

use reqwest::Response;

/// Why a body was not read to its end.
pub(crate) enum Unread {
    /// It is larger than allowed.
    TooLarge,
    /// The connection broke.
    Broken(reqwest::Error),
}

/// Reads the body of an answer. One that announces to be too large is not begun.
pub(crate) async fn read(mut response: Response, most: usize) -> Result<Vec<u8>, Unread> {
    if response.content_length().is_some_and(|length| length > most as u64) {
        return Err(Unread::TooLarge);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(Unread::Broken)? {
        if chunk.len() > most - body.len() {
            return Err(Unread::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Reads the start of a body, and whether that is all of it. A connection that breaks ends it, too.
#[cfg(feature = "rest")]
pub(crate) async fn read_start(mut response: Response, most: usize) -> (Vec<u8>, bool) {
    let mut body = Vec::new();
    while let Ok(Some(chunk)) = response.chunk().await {
        let left = most - body.len();
        body.extend_from_slice(&chunk[..chunk.len().min(left)]);
        if chunk.len() > left {
            return (body, false);
        }
    }
    (body, true)
}
