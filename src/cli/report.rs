//! `pinion report`: writes an HTML file with pictures of the solution paths of puzzles.

use crate::cli::batch::has_one_solution;
use crate::cli::corpus::{Corpus, CorpusArgs, parallel_each};
use crate::cli::files::{self, FileDraft};
use crate::cli::prelude::*;
use crate::render::{Page, PagePath};
use std::io::{self, Write};

/// Write a page with the pictures of every step, for one puzzle or a collection
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion report PUZZLE -o path.html
  pinion report puzzles.txt -o puzzles.html

The page needs no network and no other file. It shows each step in the grid with its reason; keys step through the path. For
several puzzles the page begins with a table and charts, and each row of the table leads to the path of its puzzle.")]
pub struct ReportArgs {
    /// A puzzle, a file with puzzles, or - for the standard input
    #[arg(value_name = "PUZZLE|FILE|-", allow_hyphen_values = true)]
    puzzle: String,
    /// The page to write, or - for the standard output
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    #[command(flatten)]
    corpus: CorpusArgs,
    #[command(flatten)]
    profile: ProfileArg,
    #[command(flatten)]
    time: RunTimeArg,
}

pub fn run(args: &ReportArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    args.time.begin_interruptible();
    let board = args.corpus.board.geometry()?;
    let mut corpus = Corpus::open(std::slice::from_ref(&args.puzzle), board.as_ref(), args.corpus.first)?;
    let geometry = Arc::clone(&corpus.geometry);
    let mut solvers = Solvers::new(global, &args.profile)?;
    let unique_solver = solvers.on(&geometry, ASSUME_UNIQUE);
    let general_solver = solvers.on(&geometry, !ASSUME_UNIQUE);
    let name = Path::new(&args.puzzle).file_name().unwrap_or_default().display().to_string();
    let mut writer = PageWriter {
        draft: FileDraft::open(&args.output)?,
        board: &geometry,
        profile: &unique_solver.profile().name,
        page: None,
        first_path: None,
        count: 0,
    };
    let mut error = None;
    parallel_each(
        &mut corpus,
        args.corpus.thread_count(),
        |_, puzzle: Puzzle| {
            let state = puzzle.state();
            let solver = if has_one_solution(&puzzle, &state) { &unique_solver } else { &general_solver };
            PagePath::new(&geometry, &solver.solve(state), draw::givens_line(&puzzle), puzzle.note.clone())
        },
        |path| {
            if error.is_none() {
                error = writer.add(path, &name).err();
            }
        },
    );
    let count = writer.count;
    let draft = match error {
        Some(error) => Err(error),
        None => writer.finish(),
    };
    draft.map_err(|error| files::write_error(&args.output, error))?.keep()?;
    if out.is_text() && !files::is_standard_output(&args.output) {
        let message = format!("{}, {}.", args.output.display(), count_phrase(count, "puzzle"));
        let mut lines = vec![Line::styled(Role::Success, "Written: ").with(Role::Plain, message)];
        if corpus.skipped() > 0 {
            let skipped = count_phrase(corpus.skipped(), "puzzle");
            let message = format!("{skipped} skipped: not readable, or of another board (--board chooses one).");
            lines.push(Line::styled(Role::Failure, message));
        }
        out.lines(&lines)?;
    }
    Ok(corpus.exit(count))
}

/// Writes the page path by path. Only the first path is kept in memory, because the title depends on whether a second
/// path follows.
struct PageWriter<'p> {
    draft: FileDraft,
    board: &'p Geometry,
    profile: &'p str,
    page: Option<Page<'p>>,
    first_path: Option<PagePath>,
    count: usize,
}

impl<'p> PageWriter<'p> {
    fn add(&mut self, path: PagePath, name: &str) -> io::Result<()> {
        self.count += 1;
        if self.count == 1 {
            self.first_path = Some(path);
            return Ok(());
        }
        let object = self.begin(&format!("Paths of {name}"))?.add_path(&path);
        self.draft.write_all(object.as_bytes())
    }

    /// Returns the page. The first call writes its head and the first path.
    fn begin(&mut self, title: &str) -> io::Result<&mut Page<'p>> {
        let page = match self.page.take() {
            Some(page) => page,
            None => {
                let mut page = Page::new(self.board, title, self.profile);
                self.draft.write_all(page.head().as_bytes())?;
                if let Some(first_path) = self.first_path.take() {
                    self.draft.write_all(page.add_path(&first_path).as_bytes())?;
                }
                page
            }
        };
        Ok(self.page.insert(page))
    }

    /// Writes the foot. Returns the draft, for the caller to keep.
    fn finish(mut self) -> io::Result<FileDraft> {
        // Without a second path, the head is not written yet, and this title is used.
        let foot = self.begin("The path of a puzzle")?.foot();
        self.draft.write_all(foot.as_bytes())?;
        Ok(self.draft)
    }
}
