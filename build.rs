//! Lists every file under `rules/` as (name, text) pairs, so that the binary carries its rulebook.
//! In: the folder. Out: `embedded.rs` with two constants. Cargo runs it again when the folder changes.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let rules = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by Cargo")).join("rules");
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    collect(&rules, &mut files)?;
    files.sort();
    let code = format!(
        "const RULES: &[(&str, &str)] = &{};\nconst PROFILES: &[(&str, &str)] = &{};\n",
        list(&rules, &files, "pinion"),
        list(&rules, &files, "ron")
    );
    fs::write(PathBuf::from(env::var("OUT_DIR").expect("set by Cargo")).join("embedded.rs"), code)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

fn list(rules: &Path, files: &[PathBuf], extension: &str) -> String {
    let entries = files.iter().filter(|path| path.extension().is_some_and(|found| found == extension)).map(|path| {
        let inside = path.strip_prefix(rules).expect("found inside it").display().to_string().replace('\\', "/");
        format!("({:?}, include_str!({:?}))", format!("rules/{inside}"), path.display().to_string())
    });
    format!("[{}]", entries.collect::<Vec<_>>().join(", "))
}
