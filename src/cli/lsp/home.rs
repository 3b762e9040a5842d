//! A file of the program on the disk. In: its name. Out: the address of a copy in the user's cache, which an editor can open. It is made
//! when it is asked for; another text has another folder.

use super::uri::address;
use crate::cli::files;
use crate::editor::carried;
use std::path::PathBuf;

/// The address of a file of the program.
pub fn address_of(name: &str) -> Option<String> {
    let (_, document) = carried().iter().find(|(known, _)| *known == name)?;
    let digest = blake3::hash(document.text.as_bytes()).to_hex();
    let mut inside = PathBuf::from("rules").join(&digest[..12]);
    inside.extend(name.split('/'));
    let cache = files::cache_folder()?;
    let path = cache.join(&inside);
    if files::read(&path, document.text.len() as u64).ok().as_deref() != Some(&document.text) {
        files::put(&cache, &inside, document.text.as_bytes()).ok()?;
    }
    Some(address(&path.display().to_string()))
}
