//! Verdicts kept from run to run. In: what a verdict depends on. Out: the record of an earlier run.
//!
//! A record is found by a hash of the rule as checked, its arguments, the link sources, the techniques that it uses
//! under suppositions, the board and the prover itself, so no change of any of them can be overlooked. What cannot be read or written is not
//! cached: a cache is never a reason to fail.

use super::record::ProofRecord;
use crate::grid::Geometry;
use crate::lang::ir::{LinkSource, Technique};
use crate::proof::cache_key;
use std::fs;
use std::path::PathBuf;

/// Changes with every change of the sources that a verdict rests on.
const PROVER: &str = concat!(env!("CARGO_PKG_VERSION"), "-", env!("PINION_SOURCES"));

/// A folder of records; none where it is switched off or there is no place for one.
pub struct Cache {
    folder: Option<PathBuf>,
}

impl Cache {
    /// The user's cache folder, or the one that `PINION_CACHE` names.
    pub fn open(off: bool) -> Cache {
        let own = std::env::var_os("PINION_CACHE").map(PathBuf::from);
        let folder = own.or_else(|| dirs::cache_dir().map(|folder| folder.join("pinion"))).map(|f| f.join("proofs"));
        Cache { folder: folder.filter(|_| !off) }
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

    /// A record of an earlier run.
    pub fn get(&self, key: &str) -> Option<ProofRecord> {
        let text = fs::read_to_string(self.folder.as_ref()?.join(key)).ok()?;
        let record: ProofRecord = serde_json::from_str(&text).ok()?;
        Some(ProofRecord { cached: true, ..record })
    }

    /// Keeps a record. Written beside and moved, so that no half of one is ever read.
    pub fn put(&self, key: &str, record: &ProofRecord) {
        let Some(folder) = &self.folder else { return };
        let written = fs::create_dir_all(folder).ok().and_then(|()| {
            let beside = folder.join(format!("{key}.{}", std::process::id()));
            fs::write(&beside, serde_json::to_string(record).ok()?).ok()?;
            Some(beside)
        });
        if let Some(beside) = written {
            let _ = fs::rename(beside, folder.join(key));
        }
    }
}
