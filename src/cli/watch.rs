//! `pinion watch`. In: rule files, and what is saved to them. Out: whenever one changes: what is wrong with it, whether its
//! tests hold, whether it is proved.

use super::input::read_rule_files;
use super::prove::prove_files;
use super::test::test_files;
use crate::cli::prelude::*;
use notify::{RecursiveMode, Watcher};
use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Check, test and prove rule files whenever they are saved
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion watch my-rule.pinion
  pinion watch my-rules/ --once

Whenever you save a file, Pinion checks, tests and proves it; the cache has the proofs of rules that have not changed.
Stop it with Ctrl-C.")]
pub struct WatchArgs {
    /// Rule files, or folders of .pinion files
    #[arg(required = true, value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Make one round and end
    #[arg(long)]
    once: bool,
    /// End after N rounds
    #[arg(long, value_name = "N", conflicts_with = "once")]
    rounds: Option<usize>,
    /// Do not prove
    #[arg(long)]
    no_proof: bool,
    /// Give up the tests of a round, and each proof, after S seconds
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
}

/// Changes in quicker succession are one change.
const QUIET: Duration = Duration::from_millis(60);

/// Watches rule files.
pub fn run(args: &WatchArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let mut known = texts(&args.paths)?;
    let (sender, hear) = channel();
    // It listens before the first look, so that no save is lost between the two.
    let watcher = (!args.once).then(|| watcher(args, sender)).transpose();
    let watcher = watcher.map_err(|error| Failure::input(format!("changes of files cannot be noticed: {error}")))?;
    let mut exit = look(args, global, known.keys().cloned().collect(), out)?;
    let rounds = if args.once { Some(1) } else { args.rounds };
    let mut done = 1;
    while watcher.is_some() && rounds.is_none_or(|rounds| done < rounds) {
        if !wait(&hear) {
            break;
        }
        // A file can be missing for a moment while an editor writes it.
        let Ok(now) = texts(&args.paths) else { continue };
        let changed: Vec<PathBuf> =
            now.iter().filter(|(path, text)| known.get(*path) != Some(*text)).map(|(path, _)| path.clone()).collect();
        known = now;
        if !changed.is_empty() {
            exit = look(args, global, changed, out)?;
            done += 1;
        }
    }
    Ok(exit)
}

/// Rule files, and the test files beside them, with their texts. What cannot be read as text is left to the round to
/// report.
fn texts(paths: &[PathBuf]) -> Result<BTreeMap<PathBuf, String>, Failure> {
    let mut all = BTreeMap::new();
    for (name, mut text) in read_rule_files(paths)? {
        let name = PathBuf::from(name);
        for tests in [name.with_extension("test"), name.with_file_name("all.test")] {
            text.push_str(&std::fs::read_to_string(tests).unwrap_or_default());
        }
        all.insert(name, text);
    }
    Ok(all)
}

fn watcher(args: &WatchArgs, sender: std::sync::mpsc::Sender<()>) -> notify::Result<notify::RecommendedWatcher> {
    // The watcher does not say that the system refused its thread.
    thread::Builder::new().spawn(|| {}).map_err(notify::Error::io)?;
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file is no change of it.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            let _ = sender.send(());
        }
    })?;
    for path in &args.paths {
        // Editors put a new file in the place of the old one, so the folder is watched.
        let folder = if path.is_dir() { path.as_path() } else { path.parent().unwrap_or(path) };
        let folder = if folder.as_os_str().is_empty() { std::path::Path::new(".") } else { folder };
        let mode = if path.is_dir() { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        watcher.watch(folder, mode)?;
    }
    Ok(watcher)
}

/// Waits for a change and for the quiet after it; false where nobody watches any more.
fn wait(hear: &Receiver<()>) -> bool {
    if hear.recv().is_err() {
        return false;
    }
    loop {
        match hear.recv_timeout(QUIET) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

/// One round over some files.
fn look(args: &WatchArgs, global: &Global, files: Vec<PathBuf>, out: &mut Output) -> Result<Exit, Stop> {
    let clock = Instant::now();
    limits::begin(args.seconds);
    // Files that did not change may have rules of the same names.
    let mut beside = global.clone();
    beside.rules.extend(args.paths.iter().cloned());
    let (mut exit, readable) = test_files(&files, &beside, out)?;
    if !args.no_proof && readable {
        if !args.once {
            out.flush()?;
            remark("proving");
        }
        match prove_files(&files, args.seconds, global, out) {
            Ok(proved) => exit = exit.max(proved),
            // Their tests reported what is wrong with the files.
            Err(Stop::Failure(failure)) => exit = exit.max(failure.exit),
            Err(stop) => return Err(stop),
        }
    }
    out.flush()?;
    if !args.once {
        remark(&format!("{:.2} s; waiting for changes", clock.elapsed().as_secs_f64()));
    }
    Ok(exit)
}
