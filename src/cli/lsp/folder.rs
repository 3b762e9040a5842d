//! Files of a project. In: a folder. Out: the rule files and tables below it. What others put there (dependencies, what was built, what
//! is hidden) is left alone, and so is the rest of a folder that has too much in it.

use super::super::input::LONGEST_FILE;
use std::fs;
use std::path::{Path, PathBuf};

/// Folders that have nothing of the author's.
const FOREIGN: [&str; 4] = ["node_modules", "target", "dist", "build"];
/// The most files and folders that are looked at.
const MOST: usize = 20_000;
/// Folders this deep are a loop of links.
const DEEPEST: usize = 32;

/// The rule files and tables below a folder, with their texts, in order of their paths. What is no text is left out.
pub fn files(root: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut left = MOST;
    collect(root, &mut found, &mut left, 0);
    found.sort();
    found.into_iter().filter_map(|path| read(&path).map(|text| (path, text))).collect()
}

/// The text of a file, if it has some and it is not too long.
pub fn read(path: &Path) -> Option<String> {
    let about = fs::metadata(path).ok()?;
    let readable = about.is_file() && about.len() <= LONGEST_FILE as u64;
    readable.then(|| fs::read_to_string(path).ok()).flatten()
}

/// Whether a name is that of a file to know.
pub fn is_ours(name: &str) -> bool {
    name.ends_with(".pinion") || name.ends_with(".ron")
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>, left: &mut usize, depth: usize) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let Some(rest) = left.checked_sub(1) else { return };
        *left = rest;
        let (path, name) = (entry.path(), entry.file_name());
        let name = name.to_string_lossy();
        if path.is_dir() {
            if depth < DEEPEST && !name.starts_with('.') && !FOREIGN.contains(&name.as_ref()) {
                collect(&path, found, left, depth + 1);
            }
        } else if is_ours(&name) {
            found.push(path);
        }
    }
}
