//! A file of the program on the disk. In: its name. Out: the address of a copy in the user's cache, which an editor can open. It is made
//! when it is asked for; another text has another folder.

use super::uri::address;
use crate::editor::carried;
use std::fs;
use std::path::PathBuf;

/// The address of a file of the program.
pub fn address_of(name: &str) -> Option<String> {
    let (_, document) = carried().iter().find(|(known, _)| *known == name)?;
    let digest = blake3::hash(document.text.as_bytes()).to_hex();
    let mut path: PathBuf = dirs::cache_dir()?.join("pinion").join("rules").join(&digest[..12]);
    path.extend(name.split('/'));
    if fs::read_to_string(&path).ok().as_deref() != Some(&document.text) {
        fs::create_dir_all(path.parent()?).ok()?;
        fs::write(&path, &document.text).ok()?;
    }
    Some(address(&path.display().to_string()))
}
