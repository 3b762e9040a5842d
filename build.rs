//! The build script embeds the folder `rules` into the program. It writes `embedded.rs` and `boards.rs` with the files
//! as (name, text) pairs, `checked.bin` with the checked rulebook, and `page.rs` with the playground. It also sets
//! `PINION_SOURCES`, a hash of the sources, which marks cached proofs with the build that made them.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

#[allow(dead_code, unused_imports)]
#[path = "src/lang/mod.rs"]
mod lang;

fn main() -> io::Result<()> {
    let rules = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by Cargo")).join("rules");
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    collect(&rules, &mut files)?;
    files.sort();
    let embedded = format!(
        "const RULES: &[(&str, &str)] = &{};\nconst PROFILES: &[(&str, &str)] = &{};\nconst CATALOGUES: &[(&str, &str)] = &{};\n",
        list(&rules, &files, "pinion", ""),
        list(&rules, &files, "ron", "profiles"),
        list(&rules, &files, "ron", "catalogues"),
    ) + "const CHECKED: &[u8] = include_bytes!(\"checked.bin\");\n";
    let boards = format!("const BOARDS: &[(&str, &str)] = &{};\n", list(&rules, &files, "ron", "boards"));
    println!("cargo::rerun-if-changed=src");
    if let Some(lock) = lock_file(&rules) {
        println!("cargo::rerun-if-changed={}", lock.display());
    }
    println!("cargo::rustc-env=PINION_SOURCES={:016x}", source_hash(&rules)?);
    let page = page_code(&rules.with_file_name("web").join("dist"))?;
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by Cargo"));
    fs::write(out.join("checked.bin"), checked_rulebook(&rules, &files)?)?;
    fs::write(out.join("boards.rs"), boards)?;
    fs::write(out.join("page.rs"), page)?;
    fs::write(out.join("embedded.rs"), embedded)
}

/// Returns the list of the playground's files as code; an empty list without the feature `play`.
fn page_code(dist: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    if env::var_os("CARGO_FEATURE_PLAY").is_some() {
        println!("cargo::rerun-if-changed={}", dist.display());
        collect(dist, &mut files).map_err(|error| {
            io::Error::other(format!(
                "the feature `play` needs the playground: run `node web/build.mjs` first ({error})"
            ))
        })?;
        files.sort();
    }
    let entry = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        format!("({name:?}, include_bytes!({:?}))", path.display().to_string())
    };
    let entries: Vec<String> = files.iter().map(entry).collect();
    Ok(format!("const PAGE: &[(&str, &[u8])] = &[{}];\n", entries.join(", ")))
}

/// Returns the checked rulebook as bytes. Empty if it has errors; the program then parses the rules at every start.
fn checked_rulebook(rules: &Path, files: &[PathBuf]) -> io::Result<Vec<u8>> {
    let mut texts = Vec::new();
    for path in files.iter().filter(|path| path.extension().is_some_and(|extension| extension == "pinion")) {
        texts.push((name_of(rules, path), fs::read_to_string(path)?));
    }
    let book = lang::book::Book::default().with_files(texts);
    for file in &book.files {
        for diagnostic in &file.diagnostics {
            let line = file.text[..diagnostic.start()].matches('\n').count() + 1;
            println!("cargo::warning={}:{line}: {}: {}", file.name, diagnostic.code, diagnostic.message);
        }
    }
    Ok(lang::stored_book::write(&book).unwrap_or_default())
}

/// Returns the lock file. A published package may have none.
fn lock_file(rules: &Path) -> Option<PathBuf> {
    let file = rules.with_file_name("Cargo.lock");
    if file.exists() { Some(file) } else { None }
}

/// Returns the FNV-1a hash of all sources, in order of their paths, and of the lock file, which determines the versions
/// of dependencies such as the SAT solver.
fn source_hash(rules: &Path) -> io::Result<u64> {
    let mut files = Vec::new();
    collect(&rules.with_file_name("src"), &mut files)?;
    files.sort();
    files.extend(lock_file(rules));
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        for byte in fs::read(file)? {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(hash)
}

/// Appends all files below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// Returns the list of the files with an extension below a folder of the rules as code.
fn list(rules: &Path, files: &[PathBuf], extension: &str, folder: &str) -> String {
    let mut entries = Vec::new();
    for path in files {
        if path.extension().is_some_and(|found| found == extension) && path.starts_with(rules.join(folder)) {
            entries.push(format!("({:?}, include_str!({:?}))", name_of(rules, path), path.display().to_string()));
        }
    }
    format!("[{}]", entries.join(", "))
}

/// Returns the name of a file: `rules/` and its path below that folder, with `/` on every system.
fn name_of(rules: &Path, path: &Path) -> String {
    let inside = path.strip_prefix(rules).expect("found inside it").display().to_string().replace('\\', "/");
    format!("rules/{inside}")
}
