//! The intrinsic functions `States.Base64Encode`, `States.Base64Decode` and `States.Hash` (Amazon
//! States Language, Appendix B).

use std::borrow::Cow;
use std::fmt::Write;

use base64::Engine;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use md5::{Digest, Md5};
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

use super::intrinsic::{refused, short, string};
use crate::budget;
use crate::fault::Fault;
use crate::value::{DOCUMENT_LIMIT, Value};

/// The alphabet of MIME. The padding `=` is optional.
static BASE64: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Implements `States.Base64Encode`.
pub fn base64_encode(data: &Value, call: &'static str) -> Result<Value, Fault> {
    let data = short(string(data, call)?, call)?;
    budget::spend_text(data);
    Ok(BASE64.encode(data).into())
}

/// Implements `States.Base64Decode`. Blanks and line ends between the characters are ignored, as
/// in MIME.
pub fn base64_decode(text: &Value, call: &'static str) -> Result<Value, Fault> {
    let text = short(string(text, call)?, call)?;
    budget::spend_text(text);
    let is_blank = |c: char| matches!(c, ' ' | '\t' | '\r' | '\n');
    let compact: Cow<'_, str> = if text.contains(is_blank) { text.replace(is_blank, "").into() } else { text.into() };
    let bytes = BASE64.decode(compact.as_bytes()).map_err(|_| refused(call))?;
    let decoded = String::from_utf8(bytes).map_err(|_| refused(call))?;
    Ok(decoded.into())
}

/// Implements `States.Hash`: hashes the text of a string, or the JSON text of any other value.
pub fn hash(data: &Value, algorithm: &Value, call: &'static str) -> Result<Value, Fault> {
    let text = match data {
        Value::String(text) => Cow::Borrowed(text.as_str()),
        other => {
            let text = other.to_json(DOCUMENT_LIMIT);
            Cow::Owned(text.map_err(|error| Fault::too_large(format_args!("The argument of {call}"), error))?)
        }
    };
    let bytes = short(&text, call)?.as_bytes();
    budget::spend_text(&text);
    let digest = match string(algorithm, call)?.as_str() {
        "MD5" => hex(&Md5::digest(bytes)),
        "SHA-1" => hex(&Sha1::digest(bytes)),
        "SHA-256" => hex(&Sha256::digest(bytes)),
        "SHA-384" => hex(&Sha384::digest(bytes)),
        "SHA-512" => hex(&Sha512::digest(bytes)),
        _ => return Err(refused(call)),
    };
    Ok(digest.into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
