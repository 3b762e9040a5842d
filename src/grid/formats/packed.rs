//! Packed texts of links: LZ-string, deflate, base32, percent signs. In: what stands in a link. Out: text, and the way back.
//! Sizes are bounded on both sides, since a short text may unpack to a very long one.

use super::content::Wrong;
use data_encoding::{Encoding, Specification};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use percent_encoding::percent_decode_str;
use serde_json::{Map, Value};
use std::sync::OnceLock;

/// The longest packed text that is unpacked, in characters.
pub const LONGEST_LINK: usize = 16 * 1024;

/// The longest text that a link may unpack to, in bytes.
pub const LONGEST_TEXT: usize = 1024 * 1024;

/// How hard deflate tries.
const LEVEL: u8 = 9;

/// Takes percent signs away.
pub(super) fn plain(text: &str) -> Result<String, Wrong> {
    bounded(text)?;
    let decoded = percent_decode_str(text).decode_utf8();
    decoded.map(|text| text.into_owned()).map_err(|_| Wrong::broken("its percent signs give no text"))
}

/// Unpacks LZ-string in base 64, in the alphabet for links as well.
pub(super) fn from_lz(text: &str) -> Result<String, Wrong> {
    let text: String = plain(text)?.chars().map(standard).collect();
    let text = text.trim_end_matches('=');
    if let Some(strange) = text.chars().find(|c| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '/'))) {
        return Err(Wrong::broken(format!("`{strange}` is not a character of base 64")));
    }
    // Links lose the signs that fill the last group; one more does no harm.
    let unpacked = lz_str::decompress_from_base64(&format!("{text}===="));
    let unpacked = unpacked.filter(|units| !units.is_empty()).ok_or_else(damaged)?;
    if unpacked.len() > LONGEST_TEXT {
        return Err(too_long());
    }
    String::from_utf16(&unpacked).map_err(|_| damaged())
}

/// The JSON object that a link unpacks to.
pub(super) fn object(text: &str) -> Result<Map<String, Value>, Wrong> {
    serde_json::from_str(text).map_err(|error| Wrong::broken(format!("what it unpacks to is no JSON object: {error}")))
}

/// Packs with LZ-string in base 64.
pub(super) fn to_lz(text: &str) -> String {
    lz_str::compress_to_base64(text)
}

/// Unpacks base 32 and deflate.
pub(super) fn from_base32(text: &str) -> Result<String, Wrong> {
    bounded(text)?;
    let bytes = base32()
        .decode(text.trim_end_matches('=').as_bytes())
        .map_err(|_| Wrong::broken("it is not base 32: some characters are missing or wrong"))?;
    let text = decompress_to_vec_zlib_with_limit(&bytes, LONGEST_TEXT).map_err(|error| match error.status {
        miniz_oxide::inflate::TINFLStatus::HasMoreOutput => too_long(),
        _ => damaged(),
    })?;
    String::from_utf8(text).map_err(|_| damaged())
}

/// Packs with deflate and base 32.
pub(super) fn to_base32(text: &str) -> String {
    base32().encode(&compress_to_vec_zlib(text.as_bytes(), LEVEL))
}

/// The digits and the small letters up to v, nothing at the end.
fn base32() -> &'static Encoding {
    static ENCODING: OnceLock<Encoding> = OnceLock::new();
    ENCODING.get_or_init(|| {
        let mut alphabet = Specification::new();
        alphabet.symbols.push_str("0123456789abcdefghijklmnopqrstuv");
        alphabet.check_trailing_bits = false;
        alphabet.encoding().unwrap_or(data_encoding::BASE32HEX_NOPAD)
    })
}

fn standard(symbol: char) -> char {
    match symbol {
        '-' | ' ' => '+',
        '_' => '/',
        other => other,
    }
}

fn bounded(text: &str) -> Result<(), Wrong> {
    match text.len() {
        0 => Err(Wrong::broken("nothing is packed in it")),
        1..=LONGEST_LINK => Ok(()),
        count => Err(Wrong::broken(format!("it has {count} characters; at most {LONGEST_LINK} are unpacked"))),
    }
}

fn damaged() -> Wrong {
    Wrong::broken("it cannot be unpacked: characters are missing or wrong").help("copy the whole link")
}

fn too_long() -> Wrong {
    Wrong::broken(format!("it unpacks to more than {LONGEST_TEXT} bytes"))
}
