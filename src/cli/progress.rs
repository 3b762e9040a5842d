//! Signs of progress. In: the amount or the name of the work. Out: a bar on the error stream,
//! and after two seconds without output a line, where a terminal is there to show them.

use crate::cli::limits::locked;
use crate::render::signs::visible;
use indicatif::{ProgressBar, ProgressStyle, WeakProgressBar};
use std::io::{IsTerminal, stderr};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

/// Silence after which the work in progress is named.
const SILENCE: Duration = Duration::from_secs(2);

/// Interval at which a bar shows the time: one part of the work can take minutes.
const TICK: Duration = Duration::from_secs(1);

static WORK: Mutex<Option<CurrentWork>> = Mutex::new(None);
static BAR: Mutex<Option<(WeakProgressBar, Instant)>> = Mutex::new(None);

struct CurrentWork {
    what: String,
    /// When something was shown last.
    shown: Instant,
    line: Option<ProgressBar>,
}

/// Creates a bar for a number of parts of work.
pub fn progress(count: usize) -> ProgressBar {
    bar(ProgressBar::new(count as u64), "{bar:30} {pos}/{len} {msg} {elapsed}")
}

/// Creates a counter, for an unknown number of parts.
pub fn counter() -> ProgressBar {
    bar(ProgressBar::new_spinner(), "{spinner} {pos} {msg} {elapsed}")
}

fn bar(bar: ProgressBar, template: &str) -> ProgressBar {
    end();
    styled(bar, template)
}

fn styled(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.tick();
    *locked(&BAR) = Some((bar.downgrade(), Instant::now()));
    bar
}

/// Work is under way until this is dropped.
pub struct Busy(());

/// Begins work of this name.
pub fn busy(what: impl Into<String>) -> Busy {
    if stderr().is_terminal() {
        *work() = Some(CurrentWork { what: visible(&what.into()).into_owned(), shown: Instant::now(), line: None });
    }
    Busy(())
}

impl Drop for Busy {
    fn drop(&mut self) {
        end();
    }
}

/// The work has ended, or shows by itself that it goes on.
pub fn end() {
    shown();
    *work() = None;
}

/// Something is shown on a terminal: the line goes, and the silence begins anew.
pub fn shown() {
    if let Some(work) = work().as_mut() {
        work.shown = Instant::now();
        if let Some(line) = work.line.take() {
            line.finish_and_clear();
        }
    }
}

/// Names the work in progress, if nothing was shown for long; shows the time on a bar.
pub fn look() {
    if let Some(work) = work().as_mut().filter(|work| work.line.is_none() && work.shown.elapsed() >= SILENCE) {
        // It has been under way for longer than the line.
        let line = ProgressBar::new_spinner().with_elapsed(work.shown.elapsed()).with_message(work.what.clone());
        work.line = Some(styled(line, "{spinner} {msg} {elapsed}"));
    }
    if let Some((bar, ticked)) = locked(&BAR).as_mut().filter(|(_, ticked)| ticked.elapsed() >= TICK) {
        *ticked = Instant::now();
        if let Some(bar) = bar.upgrade().filter(|bar| !bar.is_finished()) {
            bar.tick();
        }
    }
}

fn work() -> MutexGuard<'static, Option<CurrentWork>> {
    locked(&WORK)
}
