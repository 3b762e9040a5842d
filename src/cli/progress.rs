//! Progress on the error stream, if it is a terminal: bars with a count, and a line with the name of the work in progress, after two
//! seconds without output.

use crate::cli::limits::lock;
use crate::render::signs::visible;
use indicatif::{ProgressBar, ProgressStyle, WeakProgressBar};
use std::io::{IsTerminal, stderr};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Time without output after which the name of the work in progress appears.
const SILENCE: Duration = Duration::from_secs(2);

/// Interval at which the elapsed time of a bar is updated, because the count may not change for minutes.
const TICK: Duration = Duration::from_secs(1);

static WORK: Mutex<Option<CurrentWork>> = Mutex::new(None);
static BAR: Mutex<Option<TickingBar>> = Mutex::new(None);

struct CurrentWork {
    name: String,
    last_output: Instant,
    line: Option<ProgressBar>,
}

struct TickingBar {
    bar: WeakProgressBar,
    last_tick: Instant,
}

/// Shows a bar for a known number of items, else a counter.
pub fn progress(count: Option<usize>) -> ProgressBar {
    end_work();
    match count {
        Some(count) => show(ProgressBar::new(count as u64), "{bar:30} {pos}/{len} {msg} {elapsed}"),
        None => show(ProgressBar::new_spinner(), "{spinner} {pos} {msg} {elapsed}"),
    }
}

fn show(bar: ProgressBar, template: &str) -> ProgressBar {
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.tick();
    *lock(&BAR) = Some(TickingBar { bar: bar.downgrade(), last_tick: Instant::now() });
    bar
}

fn is_bar_shown() -> bool {
    let bar = lock(&BAR).as_ref().and_then(|ticking| ticking.bar.upgrade());
    bar.is_some_and(|bar| !bar.is_finished())
}

pub struct WorkGuard(());

/// Announces work with this name. The name appears after [`SILENCE`] without other output.
pub fn announce_work(name: impl Into<String>) -> WorkGuard {
    if stderr().is_terminal() {
        let name = visible(&name.into()).into_owned();
        *lock(&WORK) = Some(CurrentWork { name, last_output: Instant::now(), line: None });
    }
    WorkGuard(())
}

impl Drop for WorkGuard {
    fn drop(&mut self) {
        end_work();
    }
}

/// Removes the line that names the work, and forgets the work.
pub fn end_work() {
    clear_line();
    *lock(&WORK) = None;
}

/// Removes the line that names the work, because other output follows. Restarts the time without output.
pub fn clear_line() {
    if let Some(work) = lock(&WORK).as_mut() {
        work.last_output = Instant::now();
        if let Some(line) = work.line.take() {
            line.finish_and_clear();
        }
    }
}

/// Shows the name of the work in progress after [`SILENCE`], unless a bar is on the screen. Updates the time of the bar or
/// of the line with the name.
pub fn refresh() {
    if let Some(work) = lock(&WORK).as_mut()
        && work.line.is_none()
        && work.last_output.elapsed() >= SILENCE
        // A bar stays on the screen until it is finished. The line would overwrite the bar, and tick in its place.
        && !is_bar_shown()
    {
        // The elapsed time counts from the last output, not from the first display of the line.
        let line = ProgressBar::new_spinner().with_elapsed(work.last_output.elapsed()).with_message(work.name.clone());
        work.line = Some(show(line, "{spinner} {msg} {elapsed}"));
    }
    if let Some(ticking) = lock(&BAR).as_mut()
        && ticking.last_tick.elapsed() >= TICK
    {
        ticking.last_tick = Instant::now();
        if let Some(bar) = ticking.bar.upgrade()
            && !bar.is_finished()
        {
            bar.tick();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn announced_work_does_not_replace_a_bar() {
        let shows_name = || lock(&WORK).as_ref().is_some_and(|work| work.line.is_some());
        let bar = progress(Some(3));
        let last_output = Instant::now() - SILENCE;
        *lock(&WORK) = Some(CurrentWork { name: "proving".to_owned(), last_output, line: None });
        refresh();
        assert!(!shows_name() && is_bar_shown());
        bar.finish_and_clear();
        refresh();
        assert!(shows_name());
        end_work();
    }
}
