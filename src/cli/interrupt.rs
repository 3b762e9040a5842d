//! Interrupts (SIGINT and SIGTERM). In: a signal to stop. Out: an end of the process between two lines of its output; for a run
//! that heeds interrupts, a flag instead, so that it can end with what it has. A second signal ends the process at once.

use super::exit::{Exit, remark};
use super::limits;
use crate::render::counted;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock};

/// Up after the first signal.
static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// Up while a signal may end the process at once: no line is partly written, and the run does not heed interrupts.
static MAY_END: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
/// Up once the run heeds interrupts.
static HEEDED: AtomicBool = AtomicBool::new(false);
/// Up once the user was told that the run is ending.
static SAID: AtomicBool = AtomicBool::new(false);

/// Exit code after a SIGTERM that no run heeds, as shells show it.
const TERMINATED: i32 = 143;

/// From now on a signal ends the process between two lines of its output. Needs no thread.
pub fn begin() {
    for (signal, code) in [(SIGINT, Exit::Interrupted as i32), (SIGTERM, TERMINATED)] {
        // Actions run in this order; a system that refuses them keeps its own way to stop a process.
        let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(&MAY_END));
        let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(&ASKED));
        let _ = flag::register(signal, Arc::clone(&ASKED));
    }
    // A limit on the size of files is an error of the write, not the end of the process.
    #[cfg(unix)]
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

/// From now on a signal is a question, which [`asked`] answers: the run ends with what it has.
pub fn heed() {
    HEEDED.store(true, Ordering::SeqCst);
    MAY_END.store(false, Ordering::SeqCst);
}

/// Returns true after a signal.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Returns true after a signal that the run does not heed: it came while a line was written, and nothing more is searched for it.
pub fn ends_searches() -> bool {
    asked() && !HEEDED.load(Ordering::Relaxed)
}

/// Part of a line is about to be written: no signal ends the process before the line is whole.
pub fn line_begins() {
    MAY_END.store(false, Ordering::SeqCst);
}

/// The line is whole. Ends the process if a signal waited for that.
pub fn line_ends() {
    if HEEDED.load(Ordering::SeqCst) {
        return;
    }
    MAY_END.store(true, Ordering::SeqCst);
    if asked() {
        std::process::exit(Exit::Interrupted as i32);
    }
}

/// Tells the user once that the run is ending.
pub fn look() {
    if asked() && HEEDED.load(Ordering::Relaxed) && !SAID.swap(true, Ordering::Relaxed) {
        remark("interrupted: finishing the puzzles in progress; a second interrupt stops at once");
    }
}

/// Why a run ends before its end, if it was interrupted or a limit was reached.
pub fn why() -> Option<(String, Exit)> {
    match asked() {
        true => Some(("interrupted".to_owned(), Exit::Interrupted)),
        false => Some((limits::words()?, Exit::Short)),
    }
}

/// The exit code of a run over puzzles. If it ended before its end, that is said.
pub fn exit(puzzles: usize) -> Exit {
    let Some((why, exit)) = why() else { return Exit::Done };
    remark(&format!("{why} after {}: what they came to is shown", counted(puzzles, "puzzle")));
    exit
}
