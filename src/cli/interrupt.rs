//! Interrupts. In: a signal to stop. Out: whether there was one, so that a long run can end with what it has; a second one
//! ends the process at once.

use super::exit::{Exit, remark};
use super::limits;
use crate::render::counted;
use std::sync::atomic::{AtomicBool, Ordering};

static ASKED: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt is no end but a question.
pub fn heed() {
    let _ = ctrlc::set_handler(|| {
        if ASKED.swap(true, Ordering::Relaxed) {
            std::process::exit(Exit::Interrupted as i32);
        }
        remark("interrupted: finishing the puzzles in progress; a second interrupt stops at once");
    });
}

/// Whether there was one.
pub fn asked() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// What a run that goes over puzzles ends with: if it was interrupted or a limit ended it, that is said.
pub fn exit(puzzles: usize) -> Exit {
    let (why, exit) = match limits::words() {
        _ if asked() => ("interrupted".to_owned(), Exit::Interrupted),
        Some(words) => (words, Exit::Short),
        None => return Exit::Done,
    };
    remark(&format!("{why} after {}: what they came to is shown", counted(puzzles, "puzzle")));
    exit
}
