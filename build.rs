//! The build script embeds the folder `rules` into the program. It writes four files:
//!
//! - `embedded.rs`: rules, profiles and catalogues, each file as a pair (name, text);
//! - `boards.rs`: board descriptions, in the same form;
//! - `checked.bin`: the checked rulebook, so that the program does not parse the rules at every start;
//! - `page.rs`: the files of the playground.
//!
//! The script also sets `PINION_SOURCES`, a hash of the sources. Cached proofs carry the hash of the build that made them.

use std::path::{Path, PathBuf};
use std::{env, fs, io};

// The script uses a few functions of the compiler only.
#[allow(dead_code, unused_imports)]
#[path = "src/lang/mod.rs"]
mod lang;

fn main() -> io::Result<()> {
    let rules = PathBuf::from(env::var("CARGO_MANIFEST_DIR").expect("set by Cargo")).join("rules");
    println!("cargo::rerun-if-changed=rules");
    println!("cargo::rerun-if-changed=build.rs");
    let mut files = Vec::new();
    collect_files(&rules, &mut files)?;
    files.sort();
    let embedded = format!(
        "pub const RULES: &[(&str, &str)] = &{};\npub const PROFILES: &[(&str, &str)] = &{};\npub const CATALOGUES: &[(&str, &str)] = &{};\n",
        file_list(&rules, &files, "pinion", ""),
        file_list(&rules, &files, "ron", "profiles"),
        file_list(&rules, &files, "ron", "catalogues"),
    ) + "pub const CHECKED: &[u8] = include_bytes!(\"checked.bin\");\n";
    let boards = format!("const BOARDS: &[(&str, &str)] = &{};\n", file_list(&rules, &files, "ron", "boards"));
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

/// Returns a Rust constant with the playground's files. Without the feature `play` it has no files.
fn page_code(dist: &Path) -> io::Result<String> {
    let mut files = Vec::new();
    if env::var_os("CARGO_FEATURE_PLAY").is_some() {
        println!("cargo::rerun-if-changed={}", dist.display());
        collect_files(dist, &mut files).map_err(|error| {
            io::Error::other(format!(
                "the feature `play` needs the playground: run `node web/build.mjs` first ({error})"
            ))
        })?;
        files.sort();
    }
    let mut entries = Vec::new();
    for path in &files {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        entries.push(format!("({name:?}, include_bytes!({:?}))", path.display().to_string()));
    }
    Ok(format!("const PAGE: &[(&str, &[u8])] = &[{}];\n", entries.join(", ")))
}

/// Returns the checked rulebook as bytes. They are empty if a rule has an error; the program then parses the rules at
/// every start.
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

/// Returns the path of the lock file. A published package may have none.
fn lock_file(rules: &Path) -> Option<PathBuf> {
    let path = rules.with_file_name("Cargo.lock");
    if path.exists() { Some(path) } else { None }
}

/// Returns the FNV-1a hash of all sources in the order of their paths, then of the lock file. The lock file determines the
/// versions of dependencies such as the SAT solver.
fn source_hash(rules: &Path) -> io::Result<u64> {
    let mut files = Vec::new();
    collect_files(&rules.with_file_name("src"), &mut files)?;
    files.sort();
    files.extend(lock_file(rules));
    const FNV_OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
    const FNV_PRIME: u64 = 0x0100_0000_01b3;
    let mut hash = FNV_OFFSET_BASIS;
    for file in files {
        for byte in fs::read(file)? {
            hash = (hash ^ u64::from(byte)).wrapping_mul(FNV_PRIME);
        }
    }
    Ok(hash)
}

/// Appends the paths of all files below a folder to `files`.
fn collect_files(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect_files(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// Returns a Rust list of pairs (name, text): the files with an extension below `folder`, a folder of `rules`.
fn file_list(rules: &Path, files: &[PathBuf], extension: &str, folder: &str) -> String {
    let mut entries = Vec::new();
    for path in files {
        if path.extension().is_some_and(|found| found == extension) && path.starts_with(rules.join(folder)) {
            entries.push(format!("({:?}, include_str!({:?}))", name_of(rules, path), path.display().to_string()));
        }
    }
    format!("[{}]", entries.join(", "))
}

/// Returns the name of a rule file, such as `rules/wings/xy_wing.pinion`, with `/` on every system.
fn name_of(rules: &Path, path: &Path) -> String {
    let relative = path.strip_prefix(rules).expect("a path below `rules`").display().to_string().replace('\\', "/");
    format!("rules/{relative}")
}
