//! Addresses of files, as editors have them. In: a path, or an address. Out: the other.

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use std::path::PathBuf;

/// What an address of a file leaves as it is, besides letters and digits.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC.remove(b'/').remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// The address of a file, as an editor has it: a file that is opened must be the one that was read.
pub fn address(path: &str) -> String {
    format!("file://{}", utf8_percent_encode(path, KEPT))
}

/// The path of a file's address.
pub fn path_of(uri: &str) -> Option<PathBuf> {
    let path = percent_decode_str(uri.strip_prefix("file://")?).decode_utf8().ok()?;
    Some(PathBuf::from(path.into_owned()))
}
