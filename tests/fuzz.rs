//! Fuzz tests: every reader of files survives randomly changed inputs. The inputs are the same in every run. The package
//! `fuzz/` runs the same readers under cargo-fuzz.
//!
//! The ignored test runs many more inputs: `PINION_FUZZ_SEED` is the first seed, `PINION_FUZZ_INPUTS` the number of inputs
//! for each reader, `PINION_SECONDS` the time limit.

#[path = "fuzz/targets.rs"]
mod targets;

use crate::common::files::files_below;
use crate::common::states::in_parallel;
use crate::common::{env_number, quick_or_full};
use fastrand::Rng;
use std::ops::Range;
use std::panic::catch_unwind;
use std::time::{Duration, Instant};
use targets::{TARGETS, Target};

/// Longer example files are cut to this number of bytes: a few changes test a long file no better than a short one.
const MAX_EXAMPLE_BYTES: usize = 4096;

/// A reader that takes longer for an input counts as hanging.
const MAX_TIME: Duration = Duration::from_secs(10);

/// Number of inputs for each reader between two looks at the clock.
const INPUTS_PER_ROUND: u64 = 1_000;

#[test]
fn readers_survive_changed_files() {
    for target in &TARGETS {
        run_inputs(target, &examples(target), 1..quick_or_full(76, 1_001));
    }
}

#[test]
#[ignore = "twenty minutes"]
fn readers_survive_many_changed_files() {
    let (first, count) =
        (env_number("PINION_FUZZ_SEED").unwrap_or(1), env_number("PINION_FUZZ_INPUTS").unwrap_or(200_000));
    let end = Instant::now() + Duration::from_secs(env_number("PINION_SECONDS").unwrap_or(1_200));
    let targets: Vec<(&Target, Vec<Vec<u8>>)> = TARGETS.iter().map(|target| (target, examples(target))).collect();
    let mut next = first;
    while next < first + count && Instant::now() < end {
        in_parallel(&targets, |(target, examples)| run_inputs(target, examples, next..next + INPUTS_PER_ROUND));
        next += INPUTS_PER_ROUND;
    }
    println!("{} readers, seeds {first} to {next}", targets.len());
}

/// Runs a reader on one input for each random seed.
fn run_inputs(target: &Target, examples: &[Vec<u8>], seeds: Range<u64>) {
    assert!(!examples.is_empty(), "{} has no examples", target.name);
    for seed in seeds {
        let input = changed_example(examples, &mut Rng::with_seed(seed));
        let input_text = || String::from_utf8_lossy(&input).into_owned();
        let (run, start) = (target.run, Instant::now());
        assert!(catch_unwind(|| run(&input)).is_ok(), "{}, seed {seed}:\n{}", target.name, input_text());
        assert!(start.elapsed() < MAX_TIME, "{}, seed {seed} hangs:\n{}", target.name, input_text());
    }
}

/// Returns one of the examples with one to seven changes.
fn changed_example(examples: &[Vec<u8>], random: &mut Rng) -> Vec<u8> {
    let mut bytes = examples[random.usize(..examples.len())].clone();
    for _ in 0..random.usize(1..8) {
        let start = random.usize(..=bytes.len());
        let end = (start + random.usize(..24)).min(bytes.len());
        match random.u8(..6) {
            // Remove bytes.
            0 => drop(bytes.drain(start..end)),
            // Insert any byte.
            1 => bytes.insert(start, random.u8(..)),
            // Repeat bytes.
            2 => drop(bytes.splice(start..start, bytes[start..end].to_vec())),
            // Replace bytes by a part of another example.
            3 => {
                let other = &examples[random.usize(..examples.len())];
                let other_start = random.usize(..=other.len());
                let other_end = (other_start + random.usize(..200)).min(other.len());
                drop(bytes.splice(start..end, other[other_start..other_end].to_vec()));
            }
            // Replace bytes by a number that is a limit somewhere.
            4 => {
                let number = [0, 1, 25, 26, 60, 255, 65_536, u64::MAX][random.usize(..8)];
                drop(bytes.splice(start..end, number.to_string().into_bytes()));
            }
            // Flip one bit in each byte.
            _ => bytes[start..end].iter_mut().for_each(|byte| *byte ^= 1 << random.u8(..8)),
        }
    }
    bytes
}

/// Returns the beginnings of the files that are examples of a reader's input.
fn examples(target: &Target) -> Vec<Vec<u8>> {
    let mut files: Vec<_> = target.seeds.iter().flat_map(|folder| files_below(folder)).collect();
    files.sort();
    let read = |path| std::fs::read(path).expect("a file").into_iter().take(MAX_EXAMPLE_BYTES).collect();
    files.into_iter().map(read).collect()
}
