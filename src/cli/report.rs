//! `pinion report`. In: puzzles. Out: one HTML file with the pictures of their paths.

use crate::cli::batch::admitted;
use crate::cli::corpus::{Corpus, each, threads};
use crate::cli::files::{self, FileDraft};
use crate::cli::prelude::*;
use crate::grid::draw;
use crate::render::{Page, PageRow};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::Path;

/// Write a page with the pictures of every step, for one puzzle or a collection
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion report PUZZLE -o path.html
  pinion report puzzles.txt -o puzzles.html

The page needs no network and no other file. It shows each step in the grid with its reason; keys step through it. Of several
puzzles it begins with a table and charts, and each row leads to the path of its puzzle.")]
pub struct ReportArgs {
    /// A puzzle, a file with puzzles, or - for the standard input
    #[arg(value_name = "PUZZLE|FILE|-", allow_hyphen_values = true)]
    puzzle: String,
    /// The page to write, or - for the standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Only the first N puzzles
    #[arg(long, value_name = "N")]
    first: Option<usize>,
    /// Puzzles that are worked on at a time; without it, as many as there are processors
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroUsize>,
    /// Read puzzles for this board only: a size such as 16x16, a name such as windoku, or a board file
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

/// Writes the page.
pub fn run(args: &ReportArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    args.time.begin_run();
    let asked = asked_board(&args.board)?;
    let mut corpus = Corpus::read(std::slice::from_ref(&args.puzzle), asked.as_ref(), args.first)?;
    let geometry = Arc::clone(&corpus.geometry);
    let mut solvers = Solvers::new(global, &args.profile)?;
    let (one, several) = (solvers.on(&geometry, true), solvers.on(&geometry, false));
    let name = Path::new(&args.puzzle).file_name().unwrap_or_default().display().to_string();
    let mut writer = PageWriter {
        draft: FileDraft::open(&args.output)?,
        board: &geometry,
        profile: &one.profile().name,
        page: None,
        first: None,
        written: 0,
    };
    let mut error = None;
    each(
        &mut corpus,
        threads(args.threads),
        |_, puzzle: Puzzle| {
            let state = puzzle.state();
            let solver = if admitted(&puzzle, &state, None).unwrap_or(false) { &one } else { &several };
            PageRow::new(&geometry, &solver.solve(state), draw::givens_line(&puzzle), puzzle.note.clone())
        },
        |one| {
            if error.is_none() {
                error = writer.take(one, &name).err();
            }
        },
    );
    let written = writer.written;
    error
        .map_or(Ok(()), Err)
        .and_then(|()| writer.end())
        .map_err(|error| files::unwritten(&args.output, &error))?
        .keep()?;
    if out.is_text() && !files::is_standard_output(&args.output) {
        let words = format!("{}, {}.", args.output.display(), count_phrase(written, "puzzle"));
        let mut lines = vec![Line::styled(Role::Success, "Written: ").with(Role::Plain, words)];
        if corpus.skipped() > 0 {
            let skipped = count_phrase(corpus.skipped(), "puzzle");
            let words = format!("{skipped} skipped: not readable, or of another board (--board chooses one).");
            lines.push(Line::styled(Role::Failure, words));
        }
        out.lines(&lines)?;
    }
    Ok(corpus.exit(written))
}

/// The page on its way to the file. Nothing of it is kept, but the first path until it is known whether there is another.
struct PageWriter<'p> {
    draft: FileDraft,
    board: &'p Geometry,
    /// Name of the profile.
    profile: &'p str,
    page: Option<Page<'p>>,
    first: Option<PageRow>,
    written: usize,
}

impl<'p> PageWriter<'p> {
    /// Takes a path; `name` is that of the collection.
    fn take(&mut self, one: PageRow, name: &str) -> io::Result<()> {
        self.written += 1;
        if self.written == 1 {
            self.first = Some(one);
            return Ok(());
        }
        let row = self.begin(&format!("Paths of {name}"))?.row(&one);
        self.draft.write_all(row.as_bytes())
    }

    /// Returns the page. Writes its head and the path that waited for it, once.
    fn begin(&mut self, title: &str) -> io::Result<&mut Page<'p>> {
        let page = match self.page.take() {
            Some(page) => page,
            None => {
                let mut page = Page::new(self.board, title, self.profile);
                self.draft.write_all(page.head().as_bytes())?;
                let first = self.first.take().map_or(String::new(), |first| page.row(&first));
                self.draft.write_all(first.as_bytes())?;
                page
            }
        };
        Ok(self.page.insert(page))
    }

    /// Writes the foot. The file still has to take its place.
    fn end(mut self) -> io::Result<FileDraft> {
        let foot = self.begin("The path of a puzzle")?.foot();
        self.draft.write_all(foot.as_bytes())?;
        Ok(self.draft)
    }
}
