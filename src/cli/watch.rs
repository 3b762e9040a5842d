//! `pinion watch`: checks, tests and proves rule files whenever they are saved.

use super::input::read_rule_files;
use super::prove::prove_files;
use super::test::test_files;
use crate::cli::prelude::*;
use notify::{RecommendedWatcher, RecursiveMode, Watcher};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};

/// Check, test and prove rule files whenever they are saved
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion watch my-rule.pinion
  pinion watch my-rules/ --once

Whenever you save a file, Pinion checks, tests and proves it; the proofs of unchanged rules are cached. Press Ctrl-C to
stop.")]
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

/// Time without events after which a change is complete: saving a file causes several events.
const SETTLE_TIME: Duration = Duration::from_millis(60);

pub fn run(args: &WatchArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let mut texts = read_texts(&args.paths)?;
    let all_files = texts.keys().cloned().collect();
    if args.once {
        return check_round(args, global, all_files, out);
    }
    let (sender, events) = channel();
    // Watching begins before the first round, so that a save during the round is noticed. The watcher ends when it is dropped.
    let _watcher = watch(&args.paths, sender)
        .map_err(|error| Failure::input(format!("changes of files cannot be noticed: {error}")))?;
    let mut exit = check_round(args, global, all_files, out)?;
    let mut rounds = 1;
    while args.rounds.is_none_or(|max_rounds| rounds < max_rounds) && wait_for_change(&events) {
        // A file can be missing for a moment while an editor writes it.
        let Ok(new_texts) = read_texts(&args.paths) else { continue };
        let mut changed = Vec::new();
        for (path, text) in &new_texts {
            if texts.get(path) != Some(text) {
                changed.push(path.clone());
            }
        }
        texts = new_texts;
        if !changed.is_empty() {
            exit = check_round(args, global, changed, out)?;
            rounds += 1;
        }
    }
    Ok(exit)
}

/// Returns the text of each rule file, followed by the text of its test files. A test file that cannot be read counts as empty here, and
/// is reported later by [`check_round`].
fn read_texts(paths: &[PathBuf]) -> Result<BTreeMap<PathBuf, String>, Failure> {
    let mut texts = BTreeMap::new();
    for (name, mut text) in read_rule_files(paths)? {
        let name = PathBuf::from(name);
        for tests in [name.with_extension("test"), name.with_file_name("all.test")] {
            text.push_str(&std::fs::read_to_string(tests).unwrap_or_default());
        }
        texts.insert(name, text);
    }
    Ok(texts)
}

/// Starts to watch paths, and sends an event for each change.
fn watch(paths: &[PathBuf], sender: Sender<()>) -> notify::Result<RecommendedWatcher> {
    // `notify` does not report that the system refuses a thread, so starting a thread is tried first.
    thread::Builder::new().spawn(|| {}).map_err(notify::Error::io)?;
    let mut watcher = notify::recommended_watcher(move |event: notify::Result<notify::Event>| {
        // Reading a file is an event as well.
        if event.is_ok_and(|event| !event.kind.is_access()) {
            let _ = sender.send(());
        }
    })?;
    for path in paths {
        // Editors replace a file by a new file, so the folder of the file is watched.
        let folder = if path.is_dir() { path.as_path() } else { files::folder_of(path) };
        let mode = if path.is_dir() { RecursiveMode::Recursive } else { RecursiveMode::NonRecursive };
        watcher.watch(folder, mode)?;
    }
    Ok(watcher)
}

/// Waits for a change, and then for [`SETTLE_TIME`] without events. Returns false if the watcher has ended.
fn wait_for_change(events: &Receiver<()>) -> bool {
    if events.recv().is_err() {
        return false;
    }
    loop {
        match events.recv_timeout(SETTLE_TIME) {
            Ok(()) => {}
            Err(RecvTimeoutError::Timeout) => return true,
            Err(RecvTimeoutError::Disconnected) => return false,
        }
    }
}

fn check_round(args: &WatchArgs, global: &Global, files: Vec<PathBuf>, out: &mut Output) -> Result<Exit, CommandError> {
    let clock = Instant::now();
    limits::start_clock(args.seconds);
    // A changed rule may use rules of files that did not change.
    let mut global_with_all_files = global.clone();
    global_with_all_files.rules.extend(args.paths.iter().cloned());
    let (mut exit, is_readable) = test_files(&files, &global_with_all_files, out)?;
    if !args.no_proof && is_readable {
        if !args.once {
            out.flush()?;
            remark("proving");
        }
        match prove_files(&files, args.seconds, global, out) {
            Ok(proof_exit) => exit = exit.max(proof_exit),
            // The tests have reported the errors of the files.
            Err(CommandError::Failure(failure)) => exit = exit.max(failure.exit),
            Err(error) => return Err(error),
        }
    }
    out.flush()?;
    if !args.once {
        remark(&format!("{:.2} s; waiting for changes", clock.elapsed().as_secs_f64()));
    }
    Ok(exit)
}
