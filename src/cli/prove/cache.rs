//! Verdicts kept from run to run. In: what a verdict depends on. Out: the record of an earlier run.
//!
//! A record is found by a hash of the rule as checked, its arguments, the link sources, the techniques that it uses
//! under suppositions, the board and the prover itself, so no change of any of them can be overlooked. It carries that
//! hash and a seal over hash and content, so what was damaged, edited or moved is no record: it is proved anew. What
//! cannot be read or written is not cached: a cache is never a reason to fail, nor to wait.

use super::super::exit::remark;
use super::super::files;
use super::record::ProofRecord;
use crate::grid::Geometry;
use crate::lang::ir::{LinkSource, Technique};
use crate::proof::cache_key;
use std::cell::Cell;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

/// Changes with every change of the sources that a verdict rests on.
const PROVER: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("PINION_SOURCES"));

/// What the seal is for, which is part of its key.
const PURPOSE: &str = "pinion, verdicts of the prover that are kept from run to run";

/// The folder of the records below the cache folder.
const PROOFS: &str = "proofs";

/// No record is longer, in bytes.
const LONGEST: u64 = 1 << 20;

/// The cache folder with the records; none where it is switched off or there is no place for one.
pub struct Cache {
    folder: Option<PathBuf>,
    /// That nothing can be kept is said once.
    told: Cell<bool>,
}

impl Cache {
    /// The records in the cache folder.
    pub fn open(off: bool) -> Cache {
        Cache { folder: files::cache_folder().filter(|_| !off), told: Cell::default() }
    }

    /// The name of a record.
    pub fn key(
        &self,
        (technique, args, variant): (&Technique, &[u32], usize),
        sources: &[LinkSource],
        rules: &[Technique],
        geometry: &Geometry,
    ) -> Option<String> {
        self.folder.as_ref()?;
        cache_key((technique, args, variant), sources, rules, geometry, PROVER)
    }

    /// A record of an earlier run, for a proof that is made if there is none.
    pub fn get(&self, key: &str) -> Option<ProofRecord> {
        self.find(key).unwrap_or_else(|path| {
            remark(&format!("{} is not a record of this proof: it is proved again", path.display()));
            None
        })
    }

    /// A record of an earlier run; the path of what is in its place and none.
    pub fn find(&self, key: &str) -> Result<Option<ProofRecord>, PathBuf> {
        let Some(folder) = &self.folder else { return Ok(None) };
        let path = folder.join(PROOFS).join(key);
        let found = match files::read(&path, LONGEST) {
            Ok(text) => unsealed(key, &text),
            Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => return Ok(None),
            Err(_) => None,
        };
        let known = |record| ProofRecord { cached: true, ..record };
        found.map(known).map(Some).ok_or(path)
    }

    /// Keeps a record.
    pub fn put(&self, key: &str, record: &ProofRecord) {
        let Some(folder) = &self.folder else { return };
        let kept =
            sealed(key, record).and_then(|text| files::put(folder, &Path::new(PROOFS).join(key), text.as_bytes()));
        if let Err(error) = kept
            && !self.told.replace(true)
        {
            remark(&format!("proofs cannot be kept in {}: {error}", folder.join(PROOFS).display()));
        }
    }
}

/// A record as it is written: its seal and its key in the first line, below them what they are of.
fn sealed(key: &str, record: &ProofRecord) -> io::Result<String> {
    let content = serde_json::to_string(record)?;
    Ok(format!("{} {key}\n{content}\n", seal(key, &content)))
}

/// The record that a text holds, if it is the one that was written under this key by this program.
fn unsealed(key: &str, text: &str) -> Option<ProofRecord> {
    let (head, content) = text.strip_suffix('\n')?.split_once('\n')?;
    let genuine = head == format!("{} {key}", seal(key, content));
    if genuine { serde_json::from_str(content).ok() } else { None }
}

/// Nobody makes it by accident; who has the sources of the program can.
fn seal(key: &str, content: &str) -> blake3::Hash {
    let mut hasher = blake3::Hasher::new_derive_key(PURPOSE);
    hasher.update(PROVER.as_bytes());
    let own = hasher.finalize();
    // A key has no line break, so no other key and content give the same text.
    blake3::keyed_hash(own.as_bytes(), format!("{key}\n{content}").as_bytes())
}
