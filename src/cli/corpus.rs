//! Commands on collections. In: files of puzzles, options, the work for each puzzle. Out: the results in the order of the puzzles, whoever
//! did them. Only a few puzzles are in progress at a time, so a long collection takes no more memory than a short one.

use crate::cli::files;
use crate::cli::output::Sheet;
use crate::cli::prelude::*;
use crate::cli::progress::{counter, progress};
use crate::cli::source::{self, Sources};
use crate::engine::LimitHit;
use crate::render::{Bar, bars, limit_words};
use crate::solve::Watch;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Adds fields of one value to those of another.
macro_rules! add_fields {
    ($sum:expr, $more:expr; $($field:ident),*) => { $($sum.$field += $more.$field;)* };
}
pub(crate) use add_fields;

/// Options of commands that work on collections.
#[derive(Args, Clone, Debug)]
pub struct CorpusArgs {
    /// Only the first N puzzles
    #[arg(long, value_name = "N")]
    pub first: Option<usize>,
    /// Work on N puzzles at a time [default: as many as there are processors]
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZeroUsize>,
    /// Read puzzles for this board only: a size such as 16x16, a name such as windoku, or a board file
    #[arg(long, value_name = "NxN|NAME|FILE")]
    pub board: Option<String>,
}

/// Forms of a table of counts.
#[derive(Args, Clone, Debug)]
pub struct TableArgs {
    /// Write the table as comma separated values
    #[arg(long)]
    pub csv: bool,
    /// Draw a chart into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Puzzles of files as they are read, each with the name of its file. A text that is no puzzle is reported and counted.
pub struct Puzzles<'b> {
    sources: Sources<'b>,
    /// Number of texts that are no puzzle.
    pub unreadable: usize,
    /// Exit code of a run without other errors.
    worst: Exit,
}

impl<'b> Puzzles<'b> {
    /// Checks that the files are there.
    pub fn open(files: &'b [String], board: Option<&'b Arc<Geometry>>) -> Result<Puzzles<'b>, Failure> {
        Ok(Puzzles { sources: Sources::open(files, board)?, unreadable: 0, worst: Exit::Done })
    }

    /// Returns the exit code after `done` puzzles, and reports an early end. A run needs at least one puzzle.
    pub fn exit(&self, done: usize) -> Exit {
        let empty = if done == 0 && !limits::reached() { Exit::Puzzle } else { Exit::Done };
        self.worst.max(empty).max(limits::run_exit(done))
    }
}

impl Iterator for Puzzles<'_> {
    type Item = (Arc<str>, Puzzle);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            match self.sources.next()? {
                (file, Ok(puzzle)) => return Some((file, puzzle)),
                (_, Err(error)) => {
                    self.worst = self.worst.max(error.failure.report());
                    self.unreadable += 1;
                }
            }
        }
    }
}

/// Puzzles of one board, as they are read: that of the first.
pub struct Corpus<'b> {
    /// The board.
    pub geometry: Arc<Geometry>,
    first: Option<Puzzle>,
    puzzles: Puzzles<'b>,
    /// The most puzzles that are still to be handed out.
    left: usize,
    /// Number of puzzles of other boards.
    others: usize,
}

impl<'b> Corpus<'b> {
    /// Reads files up to their first puzzle; takes at most `most` puzzles.
    pub fn read(files: &'b [String], board: Option<&'b Arc<Geometry>>, most: Option<usize>) -> Result<Self, Failure> {
        let mut puzzles = Puzzles::open(files, board)?;
        let (_, first) = puzzles.next().ok_or_else(|| match limits::why_ended() {
            Some((why, exit)) => Failure { exit, ..Failure::short(format!("{why} before there was a puzzle")) },
            None => Failure::input("there is no puzzle to work on"),
        })?;
        let (geometry, left) = (Arc::clone(&first.geometry), most.unwrap_or(usize::MAX));
        Ok(Corpus { geometry, first: Some(first), puzzles, left, others: 0 })
    }

    /// Returns the number of puzzles that could not be read, or are of another board.
    pub fn skipped(&self) -> usize {
        self.puzzles.unreadable + self.others
    }

    /// Returns the exit code after `done` puzzles, and reports an early end.
    pub fn exit(&self, done: usize) -> Exit {
        self.puzzles.worst.max(limits::run_exit(done))
    }
}

impl Iterator for Corpus<'_> {
    type Item = Puzzle;

    fn next(&mut self) -> Option<Puzzle> {
        self.left = self.left.checked_sub(1)?;
        if let Some(puzzle) = self.first.take() {
            return Some(puzzle);
        }
        loop {
            let (_, puzzle) = self.puzzles.next()?;
            if puzzle.geometry.spec() == self.geometry.spec() {
                return Some(puzzle);
            }
            self.others += 1;
        }
    }
}

/// Searches of one kind, for instance for one member of a solver.
#[derive(Clone, Copy, Default)]
pub struct Searches {
    /// Number of searches.
    pub count: usize,
    /// Number of searches that found something.
    pub found: usize,
    /// Time of all searches.
    pub time: Duration,
}

impl Searches {
    /// Adds other searches.
    pub fn add(&mut self, other: &Searches) {
        add_fields!(self, other; count, found, time);
    }
}

/// A clock for searches, by the number of what is searched.
pub struct Clocks {
    began: Instant,
    /// Searches so far.
    pub searches: Vec<Searches>,
}

impl Clocks {
    /// Creates the clock for `count` kinds of searches.
    pub fn new(count: usize) -> Clocks {
        Clocks { began: Instant::now(), searches: vec![Searches::default(); count] }
    }
}

impl Watch for Clocks {
    fn begin(&mut self, _: usize) {
        self.began = Instant::now();
    }

    fn end(&mut self, number: usize, matches: usize) {
        self.searches[number].add(&Searches { count: 1, found: usize::from(matches > 0), time: self.began.elapsed() });
    }
}

/// A row of a table of counts.
pub struct CountRow<'r> {
    /// The technique.
    pub name: &'r str,
    /// The counts; none where nothing was counted.
    pub numbers: Vec<Option<usize>>,
    /// Searches that were cut short.
    pub cut: &'r CutShort,
    /// Time of the searches.
    pub milliseconds: f64,
}

impl TableArgs {
    /// Prints a table of counts, as comma separated values with the heads `csv`, or with the heads `text`, which fit into 80 columns. A
    /// column of cuts is left out if there are none.
    pub fn print<'r, R>(
        &self,
        csv: &[&'static str],
        text: &[&'static str],
        rows: &'r [R],
        out: &mut Output,
        counts: impl Fn(&'r R) -> CountRow<'r>,
    ) -> io::Result<()> {
        let rows: Vec<CountRow<'r>> = rows.iter().map(counts).collect();
        let has_cuts = self.csv || rows.iter().any(|row| row.cut.count > 0);
        let mut head = if self.csv { csv.to_vec() } else { text.to_vec() };
        head.extend(has_cuts.then_some("cut"));
        head.push("ms");
        let mut sheet = Sheet::new(&head);
        for CountRow { name, numbers, cut, milliseconds } in rows {
            let mut cells = vec![name.to_owned()];
            cells.extend(numbers.iter().map(|number| number.map_or("-".to_owned(), |number| number.to_string())));
            cells.extend(has_cuts.then(|| cut.count.to_string()));
            cells.push(format!("{milliseconds:.1}"));
            sheet.row(cells);
        }
        sheet.print(self.csv, out)
    }

    /// Writes a chart with a bar for each row, if one is wanted.
    pub fn draw<R>(
        &self,
        title: &str,
        parts: &[&str],
        rows: &[R],
        bar: impl Fn(&R) -> Option<Bar>,
    ) -> Result<(), Failure> {
        let Some(file) = &self.svg else { return Ok(()) };
        files::write(file, &bars(title, parts, &rows.iter().filter_map(bar).collect::<Vec<_>>()))
    }
}

/// The most items that a thread may run ahead of the first unfinished one.
const AHEAD: usize = 64;

/// More threads than this are of no use, and a system may have no more.
const MOST: usize = 256;

/// As many threads as there are processors.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// Returns the number of threads that an option asks for.
pub fn threads(asked: Option<NonZeroUsize>) -> usize {
    asked.map_or_else(processors, NonZeroUsize::get)
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
    let (desk, work) = (&desk, &work);
    thread::scope(|scope| {
        let started = (0..threads)
            .take_while(|_| thread::Builder::new().spawn_scoped(scope, move || desk.work(work)).is_ok())
            .count();
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

/// Does `work` with each thing like [`in_order`] until the run is to end. After an interrupt, items in progress are finished and
/// delivered. Once a limit is reached, their results are dropped, because they may be incomplete.
pub fn while_running<I: Send, T: Send, E>(
    things: impl Iterator<Item = I> + Send,
    threads: usize,
    work: impl Fn(usize, I) -> T + Sync,
    mut take: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    in_order(
        things.take_while(|_| limits::why_ended().is_none()),
        threads,
        |number, thing| Some(work(number, thing)).filter(|_| !limits::reached()),
        |done| done.map_or(Ok(()), &mut take),
    )
}

/// Does `work` with each thing like [`while_running`], with a progress bar.
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
    let Ok(()) = while_running(things, threads, work, |one| {
        bar.inc(1);
        take(one);
        Ok::<(), Infallible>(())
    });
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
        locked(&self.tray)
    }

    fn wait<'t>(&self, tray: MutexGuard<'t, Tray<T>>) -> MutexGuard<'t, Tray<T>> {
        self.changed.wait(tray).unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the next thing, once the first unfinished one is not too far behind.
    fn next(&self) -> Option<(usize, I::Item)> {
        let mut things = locked(&self.things);
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

    /// Does work until there is no more.
    fn work(&self, work: impl Fn(usize, I::Item) -> T) {
        while let Some((number, thing)) = self.next() {
            let done = catch_unwind(AssertUnwindSafe(|| work(number, thing)));
            self.tray().done.insert(number, done);
            self.changed.notify_all();
        }
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

    /// Stops handing out, and ends the wait for further input.
    fn close(&self) {
        self.tray().is_empty = true;
        source::abandon();
        self.changed.notify_all();
    }
}

/// The places at which limits cut a search short.
#[derive(Clone, Default, Serialize)]
pub struct CutShort {
    /// Number of positions or puzzles.
    #[serde(rename = "cut")]
    pub count: usize,
    /// The limits that were reached there.
    pub limits: BTreeSet<LimitHit>,
}

impl CutShort {
    /// Adds what limits did at some places, if they did anything.
    pub fn add(&mut self, count: usize, limits: impl IntoIterator<Item = LimitHit>) {
        self.count += count;
        self.limits.extend(limits);
    }

    /// The limits in words.
    pub fn by(&self) -> String {
        self.limits.iter().map(|&limit| limit_words(limit)).collect::<Vec<_>>().join(", ")
    }

    /// A note that searches for a technique were cut short, if they were.
    pub fn search_note(&self, technique: &str, noun: &str) -> Option<Line> {
        let (places, by) = (count_phrase(self.count, noun), self.by());
        let words = format!("The search for {technique} was cut short on {places} by {by}; there may be more.");
        (self.count > 0).then(|| note(words))
    }

    /// A note on puzzles whose solutions were cut short, if some were.
    pub fn solution_note(&self, how: &str, meaning: &str) -> Option<Line> {
        let (puzzles, by) = (count_phrase(self.count, "puzzle"), self.by());
        (self.count > 0).then(|| note(format!("Solving {puzzles}{how} was cut short by {by}; {meaning}.")))
    }
}
