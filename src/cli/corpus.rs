//! Runs work on collections of puzzles with several threads. Results come in the order of the puzzles. Only a few puzzles are in progress
//! at a time, so memory does not grow with the size of the collection.

use crate::cli::files::{self, note_input};
use crate::cli::output::NumberTable;
use crate::cli::pipe;
use crate::cli::prelude::*;
use crate::cli::progress::progress;
use crate::cli::source::PuzzleSource;
use crate::engine::LimitHit;
use crate::render::{Bar, bars, limit_words};
use crate::solve::Watch;
use std::convert::Infallible;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};

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
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    pub board: BoardArg,
}

/// Options for a table of counts.
#[derive(Args, Clone, Debug)]
pub struct TableArgs {
    /// Write the table as comma separated values
    #[arg(long)]
    pub csv: bool,
    /// Draw a chart into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// The puzzles of several arguments, each with the name of its file; the name is empty if the argument itself is a puzzle. Texts that
/// cannot be read as puzzles are reported and counted.
pub struct Puzzles<'b> {
    arguments: std::slice::Iter<'b, String>,
    board: Option<&'b Arc<Geometry>>,
    source: Option<PuzzleSource<'b>>,
    pub unreadable: usize,
    /// Highest exit code of the unreadable texts.
    highest_exit: Exit,
}

impl<'b> Puzzles<'b> {
    /// Checks that each argument is a file, a pipe or a puzzle. Files are opened when their turn comes.
    pub fn open(arguments: &'b [String], board: Option<&'b Arc<Geometry>>) -> Result<Puzzles<'b>, Failure> {
        for argument in arguments {
            let path = Path::new(argument);
            note_input(path);
            // A pipe can be opened only once, so it is not checked.
            let is_file_or_pipe = path.exists() && !path.is_dir();
            if argument != "-" && !is_file_or_pipe {
                PuzzleSource::open(argument, board)?;
            }
        }
        Ok(Puzzles { arguments: arguments.iter(), board, source: None, unreadable: 0, highest_exit: Exit::Done })
    }

    /// Returns the exit code after `done` puzzles, and reports an early end. It is an error if there is neither a puzzle that
    /// was done nor one that cannot be read.
    pub fn exit(&self, done: usize) -> Exit {
        let has_no_puzzle = done == 0 && self.unreadable == 0 && !limits::is_reached();
        let exit = if has_no_puzzle { Exit::Puzzle } else { Exit::Done };
        self.highest_exit.max(exit).max(limits::run_exit(done))
    }
}

impl Iterator for Puzzles<'_> {
    type Item = (Arc<str>, Puzzle);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let puzzle = match self.source.as_mut().and_then(Iterator::next) {
                Some(puzzle) => puzzle.map_err(|error| error.failure),
                None => match PuzzleSource::open(self.arguments.next()?, self.board) {
                    Ok(source) => {
                        self.source = Some(source);
                        continue;
                    }
                    Err(failure) => Err(failure),
                },
            };
            match puzzle {
                Ok(puzzle) => {
                    let name = self.source.as_ref().and_then(|source| source.name.clone());
                    return Some((name.unwrap_or_else(|| "".into()), puzzle));
                }
                Err(failure) => {
                    self.highest_exit = self.highest_exit.max(failure.report());
                    self.unreadable += 1;
                }
            }
        }
    }
}

/// The puzzles of some files. Skips every puzzle whose board is not the board of the first puzzle.
pub struct Corpus<'b> {
    pub geometry: Arc<Geometry>,
    first_puzzle: Option<Puzzle>,
    puzzles: Puzzles<'b>,
    /// Maximum number of puzzles that may still be returned.
    remaining: usize,
    other_board_count: usize,
}

impl<'b> Corpus<'b> {
    /// Reads files up to their first puzzle. The corpus has at most `max_puzzles` puzzles.
    pub fn open(
        files: &'b [String],
        board: Option<&'b Arc<Geometry>>,
        max_puzzles: Option<usize>,
    ) -> Result<Self, Failure> {
        let mut puzzles = Puzzles::open(files, board)?;
        let Some((_, first)) = puzzles.next() else {
            return Err(match limits::early_end() {
                Some((reason, exit)) => {
                    Failure { exit, ..Failure::unsuccessful(format!("{reason} before there was a puzzle")) }
                }
                None => Failure::input("there is no puzzle to work on"),
            });
        };
        let (geometry, remaining) = (Arc::clone(&first.geometry), max_puzzles.unwrap_or(usize::MAX));
        Ok(Corpus { geometry, first_puzzle: Some(first), puzzles, remaining, other_board_count: 0 })
    }

    /// Returns the number of puzzles that could not be read, or are of another board.
    pub fn skipped(&self) -> usize {
        self.puzzles.unreadable + self.other_board_count
    }

    pub fn exit(&self, done: usize) -> Exit {
        self.puzzles.highest_exit.max(limits::run_exit(done))
    }
}

impl Iterator for Corpus<'_> {
    type Item = Puzzle;

    fn next(&mut self) -> Option<Puzzle> {
        self.remaining = self.remaining.checked_sub(1)?;
        if let Some(puzzle) = self.first_puzzle.take() {
            return Some(puzzle);
        }
        loop {
            let (_, puzzle) = self.puzzles.next()?;
            if puzzle.geometry.spec() == self.geometry.spec() {
                return Some(puzzle);
            }
            self.other_board_count += 1;
        }
    }
}

#[derive(Clone, Copy, Default)]
pub struct SearchStats {
    pub count: usize,
    pub successful: usize,
    pub time: Duration,
}

impl SearchStats {
    pub fn add(&mut self, other: &SearchStats) {
        add_fields!(self, other; count, successful, time);
    }
}

pub struct SearchClock {
    started: Instant,
    /// Statistics of each member of the solver, by its index in [`Solver::members`].
    pub stats: Vec<SearchStats>,
}

impl SearchClock {
    pub fn new(member_count: usize) -> SearchClock {
        SearchClock { started: Instant::now(), stats: vec![SearchStats::default(); member_count] }
    }
}

impl Watch for SearchClock {
    fn begin(&mut self, _: usize) {
        self.started = Instant::now();
    }

    fn end(&mut self, member: usize, matches: usize) {
        let (successful, time) = (usize::from(matches > 0), self.started.elapsed());
        self.stats[member].add(&SearchStats { count: 1, successful, time });
    }
}

/// The counts of a technique, as a row of a table.
pub struct CountRow<'r> {
    pub name: &'r str,
    /// The counts, one for each column; `None` is printed as a dash.
    pub counts: Vec<Option<usize>>,
    pub cut_short: &'r CutShort,
    pub milliseconds: f64,
}

impl TableArgs {
    /// Prints a table of counts, with two more columns. `cut` counts the searches that a limit cut short; the text has this column only
    /// if there are such searches. `ms` has the total time. `text_headings` are shorter than `csv_headings`, so that the text fits into 80 columns.
    pub fn print(
        &self,
        csv_headings: &[&'static str],
        text_headings: &[&'static str],
        rows: Vec<CountRow<'_>>,
        out: &mut Output,
    ) -> io::Result<()> {
        let has_cuts = self.csv || rows.iter().any(|row| row.cut_short.count > 0);
        let mut headings = if self.csv { csv_headings.to_vec() } else { text_headings.to_vec() };
        if has_cuts {
            headings.push("cut");
        }
        headings.push("ms");
        let mut table = NumberTable::new(&headings);
        for CountRow { name, counts, cut_short, milliseconds } in rows {
            let mut cells = vec![name.to_owned()];
            cells.extend(counts.iter().map(|count| count.map_or("-".to_owned(), |count| count.to_string())));
            if has_cuts {
                cells.push(cut_short.count.to_string());
            }
            cells.push(format!("{milliseconds:.1}"));
            table.add_row(cells);
        }
        if self.csv { table.print_csv(out) } else { table.print(out) }
    }

    /// Writes a chart to the file of `--svg`, if the option is given.
    pub fn draw_chart(&self, title: &str, legend: &[&str], rows: &[Bar]) -> Result<(), CommandError> {
        self.svg.as_ref().map_or(Ok(()), |file| files::write(file, &bars(title, legend, rows)))
    }
}

/// Maximum number of items for each thread that are started, but not consumed yet.
const MAX_AHEAD: usize = 64;

/// Maximum number of threads; a system may refuse more.
const MAX_THREADS: usize = 256;

pub fn processor_count() -> usize {
    thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

impl CorpusArgs {
    pub fn thread_count(&self) -> usize {
        self.threads.map_or_else(processor_count, NonZeroUsize::get)
    }
}

/// Does `work` on each item, in parallel, and passes the results to `consume` in the order of the items, until `consume` returns an error.
/// `work` gets the index of the item and the item.
///
/// Reading an item may block, for instance on a pipe. Results of earlier items are consumed meanwhile. If the system refuses some of
/// the threads, the other threads do the work. If it refuses all threads, the calling thread does the work.
pub fn in_order<I: Send, T: Send, E>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    work: impl Fn(usize, I) -> T + Sync,
    mut consume: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    if threads <= 1 {
        return items.enumerate().try_for_each(|(index, item)| consume(work(index, item)));
    }
    let threads = threads.min(MAX_THREADS);
    let items = Mutex::new(items.enumerate().fuse());
    let (queue, results) = sync_channel(threads * MAX_AHEAD);
    let (items, work) = (&items, &work);
    thread::scope(|scope| {
        let mut started = 0;
        while started < threads {
            let queue = queue.clone();
            if thread::Builder::new().spawn_scoped(scope, move || work_on(items, &queue, work)).is_err() {
                remark(&format!("the system refuses threads: {} in place of {threads}", started.max(1)));
                break;
            }
            started += 1;
        }
        drop(queue);
        if started == 0 {
            return lock(items).try_for_each(|(index, item)| consume(work(index, item)));
        }
        // The queue holds one channel for each item, in order.
        while let Ok(Ok(result)) = results.recv().map(|channel| channel.recv()) {
            let consumed = result.map(&mut consume);
            if !matches!(consumed, Ok(Ok(()))) {
                // Ends the threads: they can send no more results, and stop reading a pipe.
                drop(results);
                pipe::abandon();
                return consumed.unwrap_or_else(|panic| resume_unwind(panic));
            }
        }
        Ok(())
    })
}

/// Does `work` on one item after the other. Places in the queue are taken in the order of the items, and filled when the work is done.
fn work_on<I, T>(
    items: &Mutex<impl Iterator<Item = (usize, I)>>,
    queue: &SyncSender<Receiver<thread::Result<T>>>,
    work: impl Fn(usize, I) -> T,
) {
    loop {
        let (sender, result) = channel();
        let mut items = lock(items);
        let Some((index, item)) = items.next() else { return };
        // Waits while too many results are not consumed. Fails if no more results are wanted.
        if queue.send(result).is_err() {
            return;
        }
        drop(items);
        let _ = sender.send(catch_unwind(AssertUnwindSafe(|| work(index, item))));
    }
}

/// Does `work` on each item like [`in_order`], until an interrupt or a limit ends the run. After an interrupt, items in progress are
/// finished and their results consumed. After a limit, their results are dropped, because they may be incomplete.
pub fn in_order_until_stopped<I: Send, T: Send, E>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    work: impl Fn(usize, I) -> T + Sync,
    mut consume: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    in_order(
        items.take_while(|_| limits::early_end().is_none()),
        threads,
        |index, item| {
            let result = work(index, item);
            if limits::is_reached() { None } else { Some(result) }
        },
        |result| match result {
            Some(result) => consume(result),
            None => Ok(()),
        },
    )
}

/// Does `work` on each item like [`in_order_until_stopped`], with a progress bar.
pub fn parallel_each<I: Send, T: Send>(
    items: impl Iterator<Item = I> + Send,
    threads: usize,
    work: impl Fn(usize, I) -> T + Sync,
    mut consume: impl FnMut(T),
) {
    let (least, most) = items.size_hint();
    let bar = progress(most.filter(|most| *most == least));
    let Ok(()) = in_order_until_stopped(items, threads, work, |result| {
        bar.inc(1);
        consume(result);
        Ok::<(), Infallible>(())
    });
    bar.finish_and_clear();
}

/// The number of positions (or puzzles) on which limits cut a search short, and the limits.
#[derive(Clone, Default, Serialize)]
pub struct CutShort {
    #[serde(rename = "cut")]
    pub count: usize,
    pub limits: BTreeSet<LimitHit>,
}

impl CutShort {
    pub fn add(&mut self, count: usize, limits: impl IntoIterator<Item = LimitHit>) {
        self.count += count;
        self.limits.extend(limits);
    }

    pub fn limit_list(&self) -> String {
        self.limits.iter().map(|&limit| limit_words(limit)).collect::<Vec<_>>().join(", ")
    }

    /// Returns a note if searches for a technique were cut short. `noun` is `position` or `puzzle`, for whatever was counted.
    pub fn search_note(&self, technique: &str, noun: &str) -> Option<Line> {
        if self.count == 0 {
            return None;
        }
        let (count, limits) = (count_phrase(self.count, noun), self.limit_list());
        Some(note(format!("The search for {technique} was cut short on {count} by {limits}; there may be more.")))
    }

    /// Returns a note if the solving of puzzles was cut short. `condition` is empty, or says how puzzles were solved:
    /// ` without a technique`. `meaning` says what the cuts mean for the result.
    pub fn solution_note(&self, condition: &str, meaning: &str) -> Option<Line> {
        if self.count == 0 {
            return None;
        }
        let (puzzles, limits) = (count_phrase(self.count, "puzzle"), self.limit_list());
        Some(note(format!("Solving {puzzles}{condition} was cut short by {limits}; {meaning}.")))
    }
}
