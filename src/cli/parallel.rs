//! Work on many things at a time. In: how many, and what to do with each. Out: what came of each, in order, whoever did it.

use super::progress::progress;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Does `work` for each number below `count`; each thread takes the next that nobody took.
pub fn each_of<T: Send>(count: usize, threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    let (next, bar) = (AtomicUsize::new(0), progress(count));
    let run = || {
        let mut out = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return out;
            }
            out.push((number, work(number)));
            bar.inc(1);
        }
    };
    let mut out = Vec::new();
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads.clamp(1, count.max(1))).map(|_| scope.spawn(run)).collect();
        for thread in running {
            match thread.join() {
                Ok(part) => out.extend(part),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
    });
    bar.finish_and_clear();
    out.sort_by_key(|(number, _)| *number);
    out.into_iter().map(|(_, one)| one).collect()
}
