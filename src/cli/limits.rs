//! Ends a run early: limits on time and memory, signals. A limit sets flags that searches read ([`halt`]). If no search reacts in time, the
//! process exits with a message.
//!
//! SIGINT and SIGTERM end the process between two lines of its output. In an interruptible run, a signal only sets a flag, so that the run
//! can print its results so far. A second signal ends the process at once.

use super::corpus::processor_count;
use crate::cli::prelude::*;
use crate::cli::progress;
use crate::engine::Halt;
use memory_stats::memory_stats;
#[cfg(unix)]
use rustix::process::{Resource, getrlimit};
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, MutexGuard, PoisonError};

static TIME_IS_UP: AtomicBool = AtomicBool::new(false);
static OUT_OF_MEMORY: AtomicBool = AtomicBool::new(false);
/// False if the system refuses the watchdog thread; the limits are then checked between puzzles only.
static HAS_WATCHDOG: AtomicBool = AtomicBool::new(true);
static LIMITS: Mutex<RunLimits> =
    Mutex::new(RunLimits { seconds: 0, search_deadline: None, exit_deadline: None, memory: None });

const TICK: Duration = Duration::from_millis(20);
/// Time after its limit in which a run may print its results.
const GRACE: Duration = Duration::from_secs(2);
const MIB: usize = 1 << 20;

struct RunLimits {
    /// The time limit as given on the command line.
    seconds: u64,
    search_deadline: Option<Instant>,
    /// Time at which the process exits, if it still runs.
    exit_deadline: Option<Instant>,
    /// Memory in MiB at which searches end. The process exits when it uses a quarter more.
    memory: Option<usize>,
}

/// A time limit for each puzzle.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct TimeArg {
    /// End the searches on each puzzle after S seconds and show what was found by then
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
}

/// A time limit for the whole run.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct RunTimeArg {
    /// End the run after S seconds and show what was done by then
    #[arg(long, value_name = "S")]
    seconds: Option<u64>,
}

impl TimeArg {
    pub fn begin(self) {
        start_clock(self.seconds);
    }
}

impl RunTimeArg {
    /// Starts the clock for the run. The process exits if it still runs [`GRACE`] after the limit.
    pub fn begin(self) {
        start_clock(self.seconds);
        let mut limits = limits();
        limits.exit_deadline = limits.search_deadline.and_then(|time| time.checked_add(GRACE));
    }

    /// Starts the clock for a run that prints its results so far after an interrupt.
    pub fn begin_interruptible(self) {
        RUN_HANDLES_INTERRUPTS.store(true, Ordering::SeqCst);
        SIGNAL_MAY_EXIT.store(false, Ordering::SeqCst);
        self.begin();
    }
}

/// Starts the clock with a limit in seconds, and clears the flags of earlier limits.
pub fn start_clock(seconds: Option<u64>) {
    let mut limits = limits();
    limits.seconds = seconds.unwrap_or_default();
    limits.search_deadline = seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds)));
    limits.exit_deadline = None;
    TIME_IS_UP.store(seconds == Some(0), Ordering::Relaxed);
    OUT_OF_MEMORY.store(false, Ordering::Relaxed);
}

/// Starts the thread that checks the limits. `memory` is the limit in MiB, 0 for none.
pub fn start_watchdog(memory: usize) {
    if memory > 0 {
        limits().memory = Some(memory);
    }
    let watchdog = thread::Builder::new().spawn(|| {
        loop {
            check_limits();
            announce_interrupt();
            progress::refresh();
            thread::sleep(TICK);
        }
    });
    if watchdog.is_err() {
        HAS_WATCHDOG.store(false, Ordering::Relaxed);
        remark("the system refuses a thread: --seconds and --memory are checked between puzzles only");
    }
}

/// Address space in MiB that a run reserves without its threads; most of it is never used.
#[cfg(unix)]
const BASE_ADDRESS_SPACE: u64 = 768;
/// Address space in MiB that each thread reserves.
#[cfg(unix)]
const THREAD_ADDRESS_SPACE: u64 = 128;

/// Checks that the system gives enough address space. With too little, an allocation in the middle of the run would abort the process
/// without a message.
#[cfg(unix)]
pub fn require_address_space() -> Result<(), Failure> {
    let Some(bytes) = getrlimit(Resource::As).current else { return Ok(()) };
    let available = bytes / MIB as u64;
    let needed = BASE_ADDRESS_SPACE + THREAD_ADDRESS_SPACE * processor_count() as u64;
    if available >= needed {
        return Ok(());
    }
    let message = format!("this process needs {needed} MiB of address space, and the system gives it {available} MiB");
    Err(Failure::unsuccessful(message).help("raise the limit: `ulimit -v unlimited`, or what sets it for this process"))
}

/// Succeeds, because only Unix limits the address space.
#[cfg(not(unix))]
pub fn require_address_space() -> Result<(), Failure> {
    Ok(())
}

pub fn halt() -> Halt {
    Halt { time: Some(&TIME_IS_UP), memory: Some(&OUT_OF_MEMORY) }
}

pub fn is_reached() -> bool {
    if !HAS_WATCHDOG.load(Ordering::Relaxed) {
        check_limits();
    }
    TIME_IS_UP.load(Ordering::Relaxed) || is_out_of_memory()
}

/// Returns true if a limit was reached that ends the run, not only the work on a puzzle.
pub fn is_run_limit_reached() -> bool {
    is_reached() && limits().exit_deadline.is_some()
}

fn is_out_of_memory() -> bool {
    OUT_OF_MEMORY.load(Ordering::Relaxed)
}

/// Returns a note if a limit was reached. The note names the limit, and ends with `meaning`: the effect on the answer.
pub fn limit_note(meaning: &str) -> Option<Line> {
    let limit = reached_limit()?.replacen("the limit", "The limit", 1);
    Some(note(format!("{limit}; {meaning}.")))
}

/// Returns the name of the limit that was reached, if any, as `the limit of 5 s was reached`.
pub fn reached_limit() -> Option<String> {
    if is_reached() { Some(limits().message()) } else { None }
}

/// Locks a mutex, even if a thread panicked while it held the lock.
pub fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn limits() -> MutexGuard<'static, RunLimits> {
    lock(&LIMITS)
}

fn is_past(time: Option<Instant>) -> bool {
    time.is_some_and(|time| Instant::now() >= time)
}

fn check_limits() {
    let limits = limits();
    if is_past(limits.search_deadline) || ends_searches() {
        TIME_IS_UP.store(true, Ordering::Relaxed);
    }
    let mut must_exit = is_past(limits.exit_deadline);
    if let Some(limit) = limits.memory
        && let Some(stats) = memory_stats()
    {
        let used = stats.physical_mem / MIB;
        if used > limit {
            OUT_OF_MEMORY.store(true, Ordering::Relaxed);
        }
        must_exit |= used > limit.saturating_add(limit / 4);
    }
    if must_exit {
        let message = format!("{}; unfinished work is not shown", limits.message());
        drop(limits);
        std::process::exit(Failure::unsuccessful(message).report() as i32);
    }
}

impl RunLimits {
    fn message(&self) -> String {
        match self.memory {
            Some(limit) if is_out_of_memory() => format!("the limit on memory ({limit} MiB, --memory) was reached"),
            _ => format!("the limit of {} s was reached", self.seconds),
        }
    }
}

static IS_INTERRUPTED: LazyLock<Arc<AtomicBool>> = LazyLock::new(Arc::default);
/// True while a signal may end the process at once: no line is partly written, and the run does not handle interrupts.
static SIGNAL_MAY_EXIT: LazyLock<Arc<AtomicBool>> = LazyLock::new(|| Arc::new(AtomicBool::new(true)));
static RUN_HANDLES_INTERRUPTS: AtomicBool = AtomicBool::new(false);
/// True once the user was informed that the run is ending.
static IS_ANNOUNCED: AtomicBool = AtomicBool::new(false);

/// Exit code after a SIGTERM, as shells report it: 128 + 15.
const TERMINATED: i32 = 143;

/// Installs the signal handlers, which need no thread. If the system refuses a handler, the signal has its default
/// effect.
pub fn catch_signals() {
    for (signal, code) in [(SIGINT, Exit::Interrupted as i32), (SIGTERM, TERMINATED)] {
        // Handlers run in the order of registration.
        let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(&SIGNAL_MAY_EXIT));
        // The flag is true only after an earlier signal, so the second signal always exits.
        let _ = flag::register_conditional_shutdown(signal, code, Arc::clone(&IS_INTERRUPTED));
        let _ = flag::register(signal, Arc::clone(&IS_INTERRUPTED));
    }
    // With this handler, a file above the size limit of the system makes the write fail instead of ending the process.
    #[cfg(unix)]
    let _ = flag::register(signal_hook::consts::SIGXFSZ, Arc::default());
}

pub fn is_interrupted() -> bool {
    IS_INTERRUPTED.load(Ordering::Relaxed)
}

/// Returns true after a signal in a run that is not interruptible. The signal ends the process after the present line,
/// which is finished without further searches.
fn ends_searches() -> bool {
    is_interrupted() && !RUN_HANDLES_INTERRUPTS.load(Ordering::Relaxed)
}

/// Defers signals while a line is written.
pub fn begin_line() {
    SIGNAL_MAY_EXIT.store(false, Ordering::SeqCst);
}

/// Ends the deferral of signals. Exits if a signal arrived meanwhile.
pub fn end_line() {
    if RUN_HANDLES_INTERRUPTS.load(Ordering::SeqCst) {
        return;
    }
    SIGNAL_MAY_EXIT.store(true, Ordering::SeqCst);
    if is_interrupted() {
        std::process::exit(Exit::Interrupted as i32);
    }
}

fn announce_interrupt() {
    let is_ending = is_interrupted() && RUN_HANDLES_INTERRUPTS.load(Ordering::Relaxed);
    if is_ending && !IS_ANNOUNCED.swap(true, Ordering::Relaxed) {
        remark("interrupted: finishing the puzzles in progress; a second interrupt stops at once");
    }
}

/// Returns the reason why a run ends early, with its exit code, if it was interrupted or a limit was reached.
pub fn early_end() -> Option<(String, Exit)> {
    if is_interrupted() {
        return Some(("interrupted".to_owned(), Exit::Interrupted));
    }
    Some((reached_limit()?, Exit::Unsuccessful))
}

/// Reports an early end after `puzzles` puzzles. Returns the exit code, [`Exit::Done`] if the run was complete.
pub fn run_exit(puzzles: usize) -> Exit {
    let Some((reason, exit)) = early_end() else { return Exit::Done };
    remark(&format!("{reason} after {}: results so far are shown", count_phrase(puzzles, "puzzle")));
    exit
}
