//! Base64 and hashes.

use super::args::{self, Args};
use super::limits;
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::{JsonataError, Result};
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;
use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};
use std::fmt::Write;

/// The usual alphabet. The padding `=` is optional, and so are the bits that do not make a byte.
static BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_padding_mode(DecodePaddingMode::Indifferent)
        .with_decode_allow_trailing_bits(true),
);

/// Implements `$base64encode`, of the bytes of UTF-8.
pub(super) fn base64_encode(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::reserve(run, (text.len() as u64).saturating_mul(4) / 3 + 4)?;
    Ok(Some(convert::text(BASE64.encode(text.as_bytes()))))
}

/// Implements `$base64decode`. Bytes that are not UTF-8 become U+FFFD.
pub(super) fn base64_decode(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let Some(text) = args::text(args, 0) else { return Ok(None) };
    limits::reserve(run, text.len() as u64)?;
    match BASE64.decode(text.as_bytes()) {
        Ok(bytes) => {
            let length = bytes.utf8_chunks().map(|chunk| {
                let invalid = if chunk.invalid().is_empty() { 0 } else { char::REPLACEMENT_CHARACTER.len_utf8() };
                chunk.valid().len() + invalid
            });
            limits::reserve(run, length.sum::<usize>() as u64)?;
            Ok(Some(convert::text(String::from_utf8_lossy(&bytes))))
        }
        Err(_) => Err(JsonataError::new("D3137", "Invalid base64")),
    }
}

/// Implements `$hash`: the digits of a hash of the bytes of UTF-8, in hexadecimal.
pub(super) fn hash(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let (Some(text), Some(algorithm)) = (args::text(args, 0), args::text(args, 1)) else { return Ok(None) };
    limits::spend_bytes(run, text.len())?;
    let bytes = text.as_bytes();
    let digits = match algorithm.as_str() {
        "MD5" => hex(&Md5::digest(bytes)),
        "SHA-1" => hex(&Sha1::digest(bytes)),
        "SHA-256" => hex(&Sha256::digest(bytes)),
        "SHA-384" => hex(&Sha384::digest(bytes)),
        "SHA-512" => hex(&Sha512::digest(bytes)),
        other => {
            let text = format!("Hash algorithm '{other}' must be one of SHA-1, SHA-384, SHA-256, SHA-512, MD5");
            return Err(JsonataError::new("D3137", text));
        }
    };
    Ok(Some(convert::text(digits)))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut digits, byte| {
        // Writing to a string does not fail.
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
