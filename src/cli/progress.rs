//! The bar of long commands. In: how much there is to do. Out: a bar on the error stream, where a terminal is there to
//! show it.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A bar for a number of parts of work.
pub fn progress(count: usize) -> ProgressBar {
    shown(ProgressBar::new(count as u64), "{bar:30} {pos}/{len} {msg} {elapsed}")
}

/// The same where nobody knows how many there will be.
pub fn counter() -> ProgressBar {
    shown(ProgressBar::new_spinner(), "{spinner} {pos} {msg} {elapsed}")
}

fn shown(bar: ProgressBar, template: &str) -> ProgressBar {
    // One part can take minutes.
    bar.enable_steady_tick(Duration::from_secs(1));
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar
}
