//! Response bodies, read up to a limit.

use reqwest::Response;

/// Reason why a body was not read to its end.
pub(crate) enum BodyError {
    /// The body is larger than allowed.
    TooLarge,
    /// The connection broke.
    Broken(reqwest::Error),
}

/// Reads the body of a response. A body that announces too many bytes is not read at all.
pub(crate) async fn read(mut response: Response, most: usize) -> Result<Vec<u8>, BodyError> {
    if response.content_length().is_some_and(|length| length > most as u64) {
        return Err(BodyError::TooLarge);
    }
    let mut body = Vec::new();
    while let Some(chunk) = response.chunk().await.map_err(BodyError::Broken)? {
        if chunk.len() > most - body.len() {
            return Err(BodyError::TooLarge);
        }
        body.extend_from_slice(&chunk);
    }
    Ok(body)
}

/// Reads the start of a body. Returns `true` if that is all of it. A broken connection also ends
/// the body.
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
