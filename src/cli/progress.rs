//! The bar of long commands. In: how much there is to do. Out: a bar on the error stream, where a terminal is there to
//! show it.

use indicatif::{ProgressBar, ProgressStyle};
use std::time::Duration;

/// A bar for so many parts of work.
pub fn progress(count: usize) -> ProgressBar {
    let bar = ProgressBar::new(count as u64);
    // One part can take minutes.
    bar.enable_steady_tick(Duration::from_secs(1));
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {pos}/{len} {msg} {elapsed}") {
        bar.set_style(style);
    }
    bar
}
