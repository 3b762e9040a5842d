//! Work on many things at a time. In: things as they come, and what to do with each. Out: what came of each, in their order,
//! whoever did it. Only a few are under way at a time, so a long list takes no more memory than a short one.

use super::exit::remark;
use super::interrupt;
use super::limits;
use super::pipe;
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

/// Does `work` with each thing and hands the results to `take`, in order; ends where `take` fails. A thread that waits for the next
/// thing holds up no other. If the system refuses threads, fewer do the work, and in the end the caller alone.
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
        let started = (0..threads).take_while(|_| thread::Builder::new().spawn_scoped(scope, run).is_ok()).count();
        if started < threads {
            remark(&format!("the system refuses threads: {} in place of {threads}", started.max(1)));
        }
        if started == 0 {
            let rest = std::iter::from_fn(|| desk.next().inspect(|_| desk.tray().taken += 1));
            return rest.into_iter().try_for_each(|(number, thing)| take(work(number, thing)));
        }
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

/// Hands out things to threads and collects their results.
struct Desk<I, T> {
    /// The things nobody took yet. Locked while the next one is read, which may take until somebody writes it.
    things: Mutex<I>,
    tray: Mutex<Tray<T>>,
    changed: Condvar,
    ahead: usize,
}

/// Results on their way back.
struct Tray<T> {
    /// True once there is nothing more to hand out.
    is_empty: bool,
    /// Things handed out, and results taken back.
    given: usize,
    taken: usize,
    done: BTreeMap<usize, thread::Result<T>>,
}

impl<I: Iterator, T> Desk<I, T> {
    fn new(things: I, ahead: usize) -> Desk<I, T> {
        let tray = Tray { is_empty: false, given: 0, taken: 0, done: BTreeMap::new() };
        Desk { things: Mutex::new(things), tray: Mutex::new(tray), changed: Condvar::new(), ahead }
    }

    fn tray(&self) -> MutexGuard<'_, Tray<T>> {
        self.tray.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'t>(&self, tray: MutexGuard<'t, Tray<T>>) -> MutexGuard<'t, Tray<T>> {
        self.changed.wait(tray).unwrap_or_else(PoisonError::into_inner)
    }

    /// The next thing, once what is before it is not too far behind.
    fn next(&self) -> Option<(usize, I::Item)> {
        let mut things = self.things.lock().unwrap_or_else(PoisonError::into_inner);
        let mut tray = self.tray();
        while !tray.is_empty && tray.given >= tray.taken + self.ahead {
            tray = self.wait(tray);
        }
        if tray.is_empty {
            return None;
        }
        drop(tray);
        let thing = things.next();
        let mut tray = self.tray();
        let number = tray.given;
        match thing {
            Some(_) => tray.given += 1,
            None => tray.is_empty = true,
        }
        self.changed.notify_all();
        thing.map(|thing| (number, thing))
    }

    fn put(&self, number: usize, done: thread::Result<T>) {
        self.tray().done.insert(number, done);
        self.changed.notify_all();
    }

    /// The next result in order; none at the end.
    fn take(&self) -> Option<thread::Result<T>> {
        let mut tray = self.tray();
        loop {
            let next = tray.taken;
            if let Some(done) = tray.done.remove(&next) {
                tray.taken += 1;
                self.changed.notify_all();
                return Some(done);
            }
            if tray.is_empty && tray.taken == tray.given {
                return None;
            }
            tray = self.wait(tray);
        }
    }

    /// Hands out nothing more, and waits for nothing more to be written.
    fn close(&self) {
        self.tray().is_empty = true;
        pipe::abandon();
        self.changed.notify_all();
    }
}
