//! Ends a run early: limits on time and memory, signals. In: seconds, mebibytes, signals. Out: flags that searches look at. If no
//! search looks in time, the process ends with a message.
//!
//! SIGINT and SIGTERM end the process between two lines of its output. A run that heeds interrupts sees a flag instead, so that it can
//! end with its results so far. A second signal ends the process at once.

use super::corpus::processors;
#[cfg(unix)]
use crate::cli::prelude::*;
use crate::cli::progress;
use crate::engine::Halt;
use memory_stats::memory_stats;
#[cfg(unix)]
use rustix::process::{Resource, getrlimit};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

static TIME: AtomicBool = AtomicBool::new(false);
static MEMORY: AtomicBool = AtomicBool::new(false);
/// False if the system refuses the thread that watches; limits are then looked at between puzzles only.
static IS_WATCHED: AtomicBool = AtomicBool::new(true);
static RUN: Mutex<RunLimits> = Mutex::new(RunLimits { seconds: 0, soft: None, hard: None, memory: None });

/// Interval between two looks at the limits.
const TICK: Duration = Duration::from_millis(20);
/// Time that a run may take to print its results after its limit.
const GRACE: Duration = Duration::from_secs(2);
const MIB: usize = 1 << 20;

struct RunLimits {
    /// The limit in seconds, as given.
    seconds: u64,
    /// Time at which searches end (`soft`), and at which the process ends if it is still running (`hard`).
    soft: Option<Instant>,
    hard: Option<Instant>,
    /// Mebibytes; at a quarter more the process ends.
    memory: Option<usize>,
}

/// A limit on the time for each puzzle.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct TimeArg {
    /// End the searches on each puzzle after S seconds and show what was found by then
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
}

/// A limit on the time for all that is to be done.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct RunTimeArg {
    /// End the run after S seconds and show what was done by then
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
}

impl TimeArg {
    /// Begins the work on a puzzle.
    pub fn begin(self) {
        begin(self.seconds);
    }
}

impl RunTimeArg {
    /// Starts the clock.
    pub fn begin(self) {
        begin(self.seconds);
        let mut run = run();
        run.hard = run.soft.and_then(|at| at.checked_add(GRACE));
    }

    /// Begins a run that an interrupt ends with what it has so far.
    pub fn begin_run(self) {
        INTERRUPTS_HANDLED.store(true, Ordering::SeqCst);
        MAY_END.store(false, Ordering::SeqCst);
        self.begin();
    }
}

/// Begins work with a limit in seconds: what earlier work used up no longer counts.
pub fn begin(seconds: Option<u64>) {
    let mut run = run();
    run.seconds = seconds.unwrap_or_default();
    run.soft = seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
    run.hard = None;
    TIME.store(seconds == Some(0), Ordering::Relaxed);
    MEMORY.store(false, Ordering::Relaxed);
}

/// Watches the process from now on. `memory` is the limit in mebibytes, 0 for none.
pub fn start_watchdog(memory: usize) {
    run().memory = Some(memory).filter(|&memory| memory > 0);
    let watcher = thread::Builder::new().spawn(|| {
        loop {
            look();
            announce_interrupt();
            progress::look();
            thread::sleep(TICK);
        }
    });
    if watcher.is_err() {
        IS_WATCHED.store(false, Ordering::Relaxed);
        remark("the system refuses a thread: --seconds and --memory are looked at between puzzles only");
    }
}

/// Address space that a run needs, in MiB, and that each of its threads needs besides; both are mostly reserved and not used.
#[cfg(unix)]
const ADDRESSES: (u64, u64) = (768, 128);

/// Refuses to run where the system gives too little address space: memory would be refused in the middle of the work, which ends a
/// process without a word.
#[cfg(unix)]
pub fn require_address_space() -> Result<(), Failure> {
    let Some(given) = getrlimit(Resource::As).current.map(|bytes| bytes / MIB as u64) else { return Ok(()) };
    let needed = ADDRESSES.0 + ADDRESSES.1 * processors() as u64;
    if given >= needed {
        return Ok(());
    }
    let message = format!("the system gives this process {given} MiB of address space, and it needs {needed} MiB");
    Err(Failure::short(message).help("raise the limit: `ulimit -v unlimited`, or what sets it for this process"))
}

/// Accepts the address space that the system gives.
#[cfg(not(unix))]
pub fn require_address_space() -> Result<(), Failure> {
    Ok(())
}

/// Returns the flags that searches look at.
pub fn halt() -> Halt {
    Halt { time: Some(&TIME), memory: Some(&MEMORY) }
}

/// Returns true if a limit was reached.
pub fn reached() -> bool {
    if !IS_WATCHED.load(Ordering::Relaxed) {
        look();
    }
    TIME.load(Ordering::Relaxed) || out_of_memory()
}

/// Returns true if a limit was reached that ends the run, not only the work on a puzzle.
pub fn must_end_run() -> bool {
    reached() && run().hard.is_some()
}

/// Returns true if the limit on memory was reached.
pub fn out_of_memory() -> bool {
    MEMORY.load(Ordering::Relaxed)
}

/// Returns a sentence that names the limit that was reached and its meaning for the answer.
pub fn sentence(meaning: &str) -> Option<Line> {
    Some(note(format!("{}; {meaning}.", words()?.replacen("the limit", "The limit", 1))))
}

/// Returns the limit that was reached, in words.
pub fn words() -> Option<String> {
    reached().then(|| run().words())
}

/// Locks a mutex; what a thread that panicked left in it is still good.
pub fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn run() -> MutexGuard<'static, RunLimits> {
    locked(&RUN)
}

fn is_past(at: Option<Instant>) -> bool {
    at.is_some_and(|at| Instant::now() >= at)
}

fn look() {
    let run = run();
    if is_past(run.soft) || ends_searches() {
        TIME.store(true, Ordering::Relaxed);
    }
    let used = run.memory.and_then(|_| Some(memory_stats()?.physical_mem / MIB)).unwrap_or_default();
    if run.memory.is_some_and(|most| used > most) {
        MEMORY.store(true, Ordering::Relaxed);
    }
    if is_past(run.hard) || run.memory.is_some_and(|most| used > most.saturating_add(most / 4)) {
        let words = format!("{}; unfinished work is not shown", run.words());
        drop(run);
        std::process::exit(Failure::short(words).report() as i32);
    }
}

impl RunLimits {
    fn words(&self) -> String {
        match (out_of_memory(), self.memory) {
            (true, Some(most)) => format!("the limit on memory ({most} MiB, --memory) was reached"),
            _ => format!("the limit of {} s was reached", self.seconds),
        }
    }
}

/// True after the first signal.
static ASKED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// True while a signal may end the process at once: no line is partly written, and the run does not heed interrupts.
static MAY_END: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
/// True once the run heeds interrupts.
static INTERRUPTS_HANDLED: AtomicBool = AtomicBool::new(false);
/// True once the user was informed that the run is ending.
static SAID: AtomicBool = AtomicBool::new(false);

/// Exit code after a SIGTERM that no run heeds, as shells show it.
const TERMINATED: i32 = 143;

/// From now on a signal ends the process between two lines of its output. Needs no thread.
pub fn catch_signals() {
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

/// Returns true after a signal.
pub fn interrupted() -> bool {
    ASKED.load(Ordering::Relaxed)
}

/// Returns true after a signal that came while a line was written: the line is finished without further searches.
pub fn ends_searches() -> bool {
    interrupted() && !INTERRUPTS_HANDLED.load(Ordering::Relaxed)
}

/// Part of a line is about to be written: no signal ends the process before the line is whole.
pub fn line_begins() {
    MAY_END.store(false, Ordering::SeqCst);
}

/// The line is whole. Ends the process if a signal waited for that.
pub fn line_ends() {
    if INTERRUPTS_HANDLED.load(Ordering::SeqCst) {
        return;
    }
    MAY_END.store(true, Ordering::SeqCst);
    if interrupted() {
        std::process::exit(Exit::Interrupted as i32);
    }
}

/// Informs the user once that the run is ending.
pub fn announce_interrupt() {
    if interrupted() && INTERRUPTS_HANDLED.load(Ordering::Relaxed) && !SAID.swap(true, Ordering::Relaxed) {
        remark("interrupted: finishing the puzzles in progress; a second interrupt stops at once");
    }
}

/// Returns the reason why a run ends early, with its exit code, if it was interrupted or a limit was reached.
pub fn why_ended() -> Option<(String, Exit)> {
    match interrupted() {
        true => Some(("interrupted".to_owned(), Exit::Interrupted)),
        false => Some((words()?, Exit::Short)),
    }
}

/// Returns the exit code of a run over puzzles, and reports an early end.
pub fn run_exit(puzzles: usize) -> Exit {
    let Some((why, exit)) = why_ended() else { return Exit::Done };
    remark(&format!("{why} after {}: results so far are shown", count_phrase(puzzles, "puzzle")));
    exit
}
