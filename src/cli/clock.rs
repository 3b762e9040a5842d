//! The time that the work on a puzzle may take. In: seconds. Out: a flag that goes up when they are over; searches look at it.

use crate::engine::Halt;
use clap::Args;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

static OVER: AtomicBool = AtomicBool::new(false);
static DEADLINE: Mutex<Option<Instant>> = Mutex::new(None);
static WATCHED: Once = Once::new();

/// So often somebody looks at the clock.
const TICK: Duration = Duration::from_millis(20);

/// A limit on time.
#[derive(Args, Clone, Copy, Debug)]
pub struct TimeArg {
    /// End the searches on each puzzle after S seconds and show what was found by then
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
}

impl TimeArg {
    /// The work on a puzzle begins.
    pub fn begin(self) {
        let Some(seconds) = self.seconds else { return };
        *DEADLINE.lock().unwrap_or_else(PoisonError::into_inner) =
            Instant::now().checked_add(Duration::from_secs(seconds));
        OVER.store(seconds == 0, Ordering::Relaxed);
        WATCHED.call_once(|| drop(thread::spawn(watch)));
    }
}

/// What searches look at.
pub fn halt() -> Halt {
    Halt(Some(&OVER))
}

fn watch() {
    loop {
        let mut deadline = DEADLINE.lock().unwrap_or_else(PoisonError::into_inner);
        if deadline.is_some_and(|at| Instant::now() >= at) {
            *deadline = None;
            OVER.store(true, Ordering::Relaxed);
        }
        drop(deadline);
        thread::sleep(TICK);
    }
}
