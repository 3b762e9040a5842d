//! Options that several commands share, and the loading of boards.

use super::input;
use crate::cli::prelude::*;
use crate::grid::BoardSpec;
use clap::ValueEnum;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// For people
    #[default]
    Text,
    /// One JSON value per line
    Json,
    /// One RON value per line
    Ron,
    /// SARIF 2.1.0, for the findings of check, lint and test
    Sarif,
    /// Annotations of a GitHub workflow, for the findings of check, lint and test
    Github,
    /// DOT of Graphviz, for graph
    Dot,
    /// GraphML, for graph
    Graphml,
}

impl OutputFormat {
    pub fn is_for_graphs(self) -> bool {
        matches!(self, OutputFormat::Dot | OutputFormat::Graphml)
    }

    /// Returns true for formats that hold only diagnostics with their spans.
    pub fn is_for_diagnostics(self) -> bool {
        matches!(self, OutputFormat::Sarif | OutputFormat::Github)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Always
    Always,
    /// Never
    Never,
}

/// Options of every command.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Options of every command")]
pub struct Global {
    /// Add rules from a file, or from every .pinion file of a folder; a rule replaces the one with the same id
    #[arg(long, global = true, value_name = "FILE|DIR")]
    pub rules: Vec<PathBuf>,
    /// The format of the output
    #[arg(long, global = true, value_enum, default_value_t, value_name = "FORMAT")]
    pub format: OutputFormat,
    /// When to use colour
    #[arg(long, global = true, value_enum, default_value_t, value_name = "WHEN")]
    pub color: Colour,
    /// End searches when more than MIB mebibytes are in use, and the run at a quarter more; 0 for no limit
    #[arg(long, global = true, value_name = "MIB", default_value = "4096")]
    pub memory: usize,
}

/// A puzzle or a file with puzzles.
#[derive(Args, Clone, Debug)]
pub struct PuzzleArg {
    /// A puzzle, a file with puzzles, or - for standard input
    ///
    /// A puzzle is a line of 81 characters (n² for other sizes) with . or 0 for empty cells, a grid on
    /// several lines, a grid of candidates, a link, or another format of docs/formats.md. If a file of that name
    /// exists, Pinion reads it.
    #[arg(value_name = "PUZZLE|FILE|-", allow_hyphen_values = true)]
    pub puzzle: String,
    #[command(flatten)]
    pub board: BoardArg,
}

/// The board of puzzles.
#[derive(Args, Clone, Debug)]
pub struct BoardArg {
    /// Read puzzles for this board only: a size such as 16x16, a name such as windoku, or a board file; by default
    /// the length of a puzzle decides
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Option<String>,
}

impl BoardArg {
    pub fn geometry(&self) -> Result<Option<Arc<Geometry>>, Failure> {
        self.board.as_deref().map(board_named).transpose()
    }
}

/// The order and cost of techniques.
#[derive(Args, Clone, Debug, Default)]
pub struct ProfileArg {
    /// Take order and cost of techniques from this profile: a name, or a RON file
    #[arg(long, value_name = "NAME|FILE")]
    pub profile: Option<String>,
    /// Leave out techniques that assume one solution
    #[arg(long)]
    pub no_uniqueness: bool,
    /// Use added rules even if they are refuted on the board
    #[arg(long)]
    pub trust: bool,
}

/// Extra output for authors of rules.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct LinesArg {
    /// Also show the lines of the rule and what its names stand for
    #[arg(long)]
    pub lines: bool,
}

/// The guard of commands that refuse puzzles without exactly one solution, unless the option `--unchecked` is given.
#[derive(Args, Clone, Debug)]
pub struct UniquenessGuardArg {
    /// Solve even if the puzzle has no solution or several
    #[arg(long, visible_alias = "allow-many")]
    pub unchecked: bool,
}

/// Returns the board that `name` describes: a file, else a size such as `9x9` or `9`, else the name of a built-in variant.
pub fn board_named(name: &str) -> Result<Arc<Geometry>, Failure> {
    let path = Path::new(name);
    let spec = match BoardSpec::named(name) {
        Some(spec) if !path.is_file() => spec,
        // If a `.ron` file is missing, reading fails with the right message.
        _ if path.is_file() || name.ends_with(".ron") => BoardSpec::read(name, &input::read_text(path)?)
            .map_err(|error| Failure::input(format!("the board cannot be read: {error}")))?,
        _ => {
            let sizes = BoardSpec::standard_sizes().map(|size| format!("{size}x{size}"));
            let names: Vec<String> = sizes.chain(BoardSpec::variants().into_iter().map(|spec| spec.name)).collect();
            let failure = Failure::usage(format!("there is no board `{name}`, and no file of that name"));
            return Err(failure.help(format!("the boards are {}", names.join(", "))));
        }
    };
    Geometry::new(spec).map(Arc::new).map_err(|error| Failure::input(format!("there is no board `{name}`: {error}")))
}
