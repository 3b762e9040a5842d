//! Inputs that are mutated by chance, the same in every run, go through every reader of what strangers give. `--ignored` runs
//! many more; `PINION_FUZZ_SEED` begins elsewhere. `fuzz/` runs the same readers under cargo-fuzz.

#[path = "fuzz/targets.rs"]
mod targets;

use fastrand::Rng;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use targets::{TARGETS, Target};

/// Longer seeds are cut: a mutation of much is no better than one of little.
const LONGEST: usize = 4096;

#[test]
fn readers_stand_what_is_mutated() {
    TARGETS.iter().for_each(|target| fuzz(target, 2_000));
}

#[test]
#[ignore = "takes an hour"]
fn readers_stand_much_that_is_mutated() {
    TARGETS.iter().for_each(|target| fuzz(target, 200_000));
}

fn fuzz(target: &Target, count: usize) {
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "{} has nothing to begin with", target.name);
    let first: u64 = std::env::var("PINION_FUZZ_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(1);
    for number in first..first + count as u64 {
        let mut chance = Rng::with_seed(number);
        let input = mutated(&seeds, &mut chance);
        let run = target.run;
        let shown = || String::from_utf8_lossy(&input).into_owned();
        assert!(catch_unwind(|| run(&input)).is_ok(), "{}, seed {number}:\n{}", target.name, shown());
    }
}

fn mutated(seeds: &[Vec<u8>], chance: &mut Rng) -> Vec<u8> {
    let mut bytes = seeds[chance.usize(..seeds.len())].clone();
    for _ in 0..chance.usize(1..8) {
        let at = chance.usize(..=bytes.len());
        let end = (at + chance.usize(..24)).min(bytes.len());
        match chance.u8(..6) {
            0 => drop(bytes.drain(at..end)),
            1 => bytes.insert(at, chance.u8(..)),
            2 => drop(bytes.splice(at..at, bytes[at..end].to_vec())),
            3 => {
                let other = &seeds[chance.usize(..seeds.len())];
                let from = chance.usize(..=other.len());
                let part = other[from..(from + chance.usize(..200)).min(other.len())].to_vec();
                drop(bytes.splice(at..end, part));
            }
            4 => {
                let number = [0, 1, 25, 26, 60, 255, 65_536, u64::MAX][chance.usize(..8)];
                drop(bytes.splice(at..end, number.to_string().into_bytes()));
            }
            _ => bytes[at..end].iter_mut().for_each(|byte| *byte ^= 1 << chance.u8(..8)),
        }
    }
    bytes
}

fn seeds(target: &Target) -> Vec<Vec<u8>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut waiting: Vec<PathBuf> = target.seeds.iter().map(|folder| root.join(folder)).collect();
    let mut files = Vec::new();
    while let Some(path) = waiting.pop() {
        if path.is_dir() {
            waiting.extend(std::fs::read_dir(path).expect("a folder").flatten().map(|entry| entry.path()));
        } else {
            files.push(path);
        }
    }
    files.sort();
    let read = |path: &PathBuf| std::fs::read(path).expect("a file").into_iter().take(LONGEST).collect();
    files.iter().map(read).collect()
}
