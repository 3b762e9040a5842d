//! Paths and texts of the files in the repository.

use std::path::{Path, PathBuf};

/// Returns the folder of the repository.
pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files below a folder of the repository, sorted by path. `folder` may also be the path of one file.
pub fn files_below(folder: &str) -> Vec<PathBuf> {
    let mut unvisited = vec![repository().join(folder)];
    let mut files = Vec::new();
    while let Some(path) = unvisited.pop() {
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
            unvisited.extend(entries.flatten().map(|entry| entry.path()));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Returns the files below a folder with the extension `pinion`, sorted by path.
pub fn rule_files(folder: &str) -> Vec<PathBuf> {
    let mut files = files_below(folder);
    files.retain(|path| has_extension(path, "pinion"));
    files
}

/// Returns path and text of each file below a folder with an extension, sorted by path.
pub fn texts_below(folder: &str, extension: &str) -> Vec<(PathBuf, String)> {
    let mut texts = Vec::new();
    for path in files_below(folder) {
        if has_extension(&path, extension) {
            let text = read_text(&path);
            texts.push((path, text));
        }
    }
    texts
}

pub fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Returns the text of a file. A relative path starts at the folder of the repository.
pub fn read_text(path: impl AsRef<Path>) -> String {
    let path = repository().join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
