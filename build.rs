//! Lists every file under `rules/` as (name, text) pairs, so that the binary carries its rulebook.
//! In: the folder. Out: `embedded.rs` and `boards.rs` with constants. Cargo runs it again when the folder changes.
//! Also hashes the sources, so that a proof kept from an earlier build is known to be of that build.

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
        "const RULES: &[(&str, &str)] = &{};\nconst PROFILES: &[(&str, &str)] = &{};\nconst PEERS: &[(&str, &str)] = &{};\n",
        list(&rules, &files, "pinion", ""),
        list(&rules, &files, "ron", "profiles"),
        list(&rules, &files, "ron", "peers"),
    );
    let boards = format!("const BOARDS: &[(&str, &str)] = &{};\n", list(&rules, &files, "ron", "boards"));
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rustc-env=PINION_SOURCES={:016x}", hash_of(&rules.with_file_name("src"))?);
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by Cargo"));
    fs::write(out.join("boards.rs"), boards)?;
    fs::write(out.join("embedded.rs"), code)
}

/// FNV-1a over all sources in order of their paths.
fn hash_of(folder: &Path) -> io::Result<u64> {
    let mut files = Vec::new();
    collect(folder, &mut files)?;
    files.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for file in files {
        for byte in fs::read(file)? {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    Ok(hash)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() { collect(&path, files)? } else { files.push(path) }
    }
    Ok(())
}

/// The files of one kind below a folder of the rules.
fn list(rules: &Path, files: &[PathBuf], extension: &str, folder: &str) -> String {
    let of_kind = |path: &&PathBuf| path.extension().is_some_and(|found| found == extension);
    let entries = files.iter().filter(of_kind).filter(|path| path.starts_with(rules.join(folder))).map(|path| {
        let inside = path.strip_prefix(rules).expect("found inside it").display().to_string().replace('\\', "/");
        format!("({:?}, include_str!({:?}))", format!("rules/{inside}"), path.display().to_string())
    });
    format!("[{}]", entries.collect::<Vec<_>>().join(", "))
}
