//! Work on many things at a time. In: things as they come, and what to do with each. Out: what came of each, in their order,
//! whoever did it. Only a few are under way at a time, so a long list takes no more memory than a short one.

use super::interrupt;
use super::limits;
use super::progress::{counter, progress};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;

/// How far a thread may run ahead of the first item that is not done.
const AHEAD: usize = 64;

/// More threads than this are of no use, and a system may have no more.
const MOST: usize = 256;

/// As many threads as there are processors.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Does `work` with each thing and hands what came of it to `take`, in order; ends where `take` does not go on.
pub fn in_order<I: Send, T: Send, E>(
    things: impl Iterator<Item = I> + Send,
    threads: usize,
    work: impl Fn(usize, I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    if threads <= 1 {
        return things.enumerate().try_for_each(|(number, thing)| take(work(number, thing)));
    }
    let threads = threads.min(MOST);
    let desk = Desk::new(things, threads * AHEAD);
    let run = || {
        while let Some((number, thing)) = desk.next() {
            desk.put(number, catch_unwind(AssertUnwindSafe(|| work(number, thing))));
        }
    };
    thread::scope(|scope| {
        (0..threads).for_each(|_| drop(scope.spawn(run)));
        while let Some(done) = desk.take() {
            let went_on = done.map(&mut take);
            if !matches!(went_on, Ok(Ok(()))) {
                desk.close();
                return went_on.unwrap_or_else(|panic| resume_unwind(panic));
            }
        }
        Ok(())
    })
}

/// The same, showing how many are done. Where an interrupt is heeded it ends early, with what is under way; at a limit it ends
/// without what was under way, for that may be cut short.
pub fn each<I: Send, T: Send>(
    things: impl Iterator<Item = I> + Send,
    threads: usize,
    work: impl Fn(usize, I) -> T + Sync,
    mut take: impl FnMut(T),
) {
    let bar = match things.size_hint() {
        (count, Some(most)) if count == most => progress(count),
        _ => counter(),
    };
    let things = things.take_while(|_| !interrupt::asked() && !limits::reached());
    let whole = |number, thing| Some(work(number, thing)).filter(|_| !limits::reached());
    let told = in_order(things, threads, whole, |one| {
        bar.inc(1);
        one.map(&mut take);
        Ok::<(), Infallible>(())
    });
    let Ok(()) = told;
    bar.finish_and_clear();
}

/// Where threads get their work and put what came of it.
struct Desk<I, T> {
    tray: Mutex<Tray<I, T>>,
    changed: Condvar,
    ahead: usize,
}

struct Tray<I, T> {
    /// What nobody took yet; nothing once it is empty, or closed.
    things: Option<I>,
    /// How many were given out, and how many of them are taken back.
    given: usize,
    taken: usize,
    done: BTreeMap<usize, thread::Result<T>>,
}

impl<I: Iterator, T> Desk<I, T> {
    fn new(things: I, ahead: usize) -> Desk<I, T> {
        let tray = Tray { things: Some(things), given: 0, taken: 0, done: BTreeMap::new() };
        Desk { tray: Mutex::new(tray), changed: Condvar::new(), ahead }
    }

    fn tray(&self) -> MutexGuard<'_, Tray<I, T>> {
        self.tray.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'t>(&self, tray: MutexGuard<'t, Tray<I, T>>) -> MutexGuard<'t, Tray<I, T>> {
        self.changed.wait(tray).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next thing, once what is before it is not too far behind.
    fn next(&self) -> Option<(usize, I::Item)> {
        let mut tray = self.tray();
        while tray.things.is_some() && tray.given >= tray.taken + self.ahead {
            tray = self.wait(tray);
        }
        let thing = tray.things.as_mut()?.next();
        if thing.is_none() {
            tray.things = None;
            self.changed.notify_all();
        }
        let number = tray.given;
        tray.given += usize::from(thing.is_some());
        thing.map(|thing| (number, thing))
    }

    fn put(&self, number: usize, done: thread::Result<T>) {
        self.tray().done.insert(number, done);
        self.changed.notify_all();
    }

    /// What came of the next; nothing at the end.
    fn take(&self) -> Option<thread::Result<T>> {
        let mut tray = self.tray();
        loop {
            let next = tray.taken;
            if let Some(done) = tray.done.remove(&next) {
                tray.taken += 1;
                self.changed.notify_all();
                return Some(done);
            }
            if tray.things.is_none() && tray.taken == tray.given {
                return None;
            }
            tray = self.wait(tray);
        }
    }

    /// Gives nothing out any more.
    fn close(&self) {
        self.tray().things = None;
        self.changed.notify_all();
    }
}
