//! Inputs that are mutated by chance, the same in every run, go through every reader of what strangers give. `--ignored` runs
//! many more: `PINION_FUZZ_SEED` says where to begin, `PINION_FUZZ_INPUTS` how many of each kind, `PINION_SECONDS` how long at
//! most. `fuzz/` runs the same readers under cargo-fuzz.

#[path = "fuzz/targets.rs"]
mod targets;

use crate::common::share;
use crate::common::states::in_parallel;
use fastrand::Rng;
use std::ops::Range;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// Longer seeds are cut: a mutation of much is no better than one of little.
const LONGEST: usize = 4096;

/// An input for which a reader takes longer hangs, for those who wait.
const SLOWEST: Duration = Duration::from_secs(10);

/// Inputs of one kind that one thread goes through, one after the other.
const AT_ONCE: u64 = 1_000;

#[test]
fn readers_stand_what_is_mutated() {
    TARGETS.iter().for_each(|target| inputs(target, &seeds(target), 1..share(76, 1_001)));
}

#[test]
#[ignore = "twenty minutes"]
fn readers_stand_much_that_is_mutated() {
    let (first, count) = (number("PINION_FUZZ_SEED", 1), number("PINION_FUZZ_INPUTS", 200_000));
    let until = Instant::now() + Duration::from_secs(number("PINION_SECONDS", 1_200));
    let kinds: Vec<(&Target, Vec<Vec<u8>>)> = TARGETS.iter().map(|target| (target, seeds(target))).collect();
    let mut done = 0;
    while done < count && Instant::now() < until {
        in_parallel(&kinds, |(target, seeds)| inputs(target, seeds, first + done..first + done + AT_ONCE));
        done += AT_ONCE;
    }
    println!("{} kinds, seeds {first} to {}: {} inputs", kinds.len(), first + done, kinds.len() as u64 * done);
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Gives a reader what these numbers make of its examples.
fn inputs(target: &Target, seeds: &[Vec<u8>], numbers: Range<u64>) {
    assert!(!seeds.is_empty(), "{} has nothing to begin with", target.name);
    for number in numbers {
        let input = mutated(seeds, &mut Rng::with_seed(number));
        let shown = || String::from_utf8_lossy(&input).into_owned();
        let (run, begun) = (target.run, Instant::now());
        assert!(catch_unwind(|| run(&input)).is_ok(), "{}, seed {number}:\n{}", target.name, shown());
        assert!(begun.elapsed() < SLOWEST, "{}, seed {number} hangs:\n{}", target.name, shown());
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
