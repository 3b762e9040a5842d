//! Commands that print what the program carries: `list`, `board`, `explain`, `graph`, `completions` and `man`. In: the rulebook, a profile, a
//! board, the code of a message, a puzzle, the commands as they are declared. Out: tables, drawings, graphs, scripts, manual pages.

use crate::cli::Cli;
use crate::cli::args::OutputFormat;
use crate::cli::files::Project;
use crate::cli::input::one_puzzle;
use crate::cli::output::table_to;
use crate::cli::prelude::*;
use crate::cli::rules::rulebook;
use crate::engine::MemberId;
use crate::grid::formats::CODES;
use crate::grid::{BoardSpec, draw};
use crate::lang::codes;
use crate::lang::ir::Technique;
use crate::render::{
    CandidateGraphRecord, LEGEND, RuleGraphRecord, candidate_dot, candidate_graph, dot, graphml, missing_row_lines,
    split_to_width,
};
use crate::solve::{MissingRow, Profile, Rank, Soundness, fold_name, names_of};
use clap::CommandFactory;
use clap_complete::{Shell, generate};
use comfy_table::{Table, presets};

/// Show the rulebook as a table
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion list
  pinion list --profile classic
  pinion list --rules my-rules/ --board 16x16 --format json

Place and cost are those of the profile: cost of the first use / of each further use. `off` marks rules that the profile
does not use, `unproved` rules that are not proved on this board, `refuted` added rules that are wrong there: only
`pinion find --technique` searches them. With added rules a column says which rules are proved on the board. A terminal with
fewer than 140 columns shows no files.")]
pub struct ListArgs {
    #[command(flatten)]
    profile: ProfileArg,
    /// The board, which bounds the members of families
    #[arg(long, value_name = "NxN|NAME|FILE", default_value = "9x9")]
    board: String,
}

/// A line of the table: a technique, or those of its members that one row of the profile ranks.
#[derive(Serialize)]
struct ListRow {
    place: Option<usize>,
    /// True if it has no place because it is not proved on this board, or refuted there.
    unproved: bool,
    /// `proved`, `unproved` or `refuted` on this board: the worst of its members.
    soundness: Soundness,
    /// True if you added the rule, or replaced something that it is made with.
    added: bool,
    technique: String,
    members: String,
    names: Vec<String>,
    first: Option<u32>,
    again: Option<u32>,
    file: String,
}

#[derive(Serialize)]
struct ListRecord<'a> {
    profile: &'a str,
    board: &'a str,
    rules: Vec<ListRow>,
    without_rule: &'a [MissingRow],
}

/// Prints the rulebook in the order of the profile.
pub fn list(args: &ListArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let geometry = board(&args.board)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&geometry, true);
    let rows = rows(solvers.rulebook(), &solver, solver.profile());
    let missing = &solver.ranking().missing;
    if !out.is_text() {
        let (profile, board) = (&solver.profile().name, &geometry.spec().name);
        out.value(&ListRecord { profile, board, rules: rows, without_rule: missing })?;
        return Ok(Exit::Done);
    }
    let narrow = out.width().is_some_and(|width| width < WIDE);
    table_to(&mut table(&rows, narrow), out)?;
    out.lines(&missing_row_lines(missing))?;
    Ok(Exit::Done)
}

fn rows(rulebook: &Rulebook, solver: &Solver, profile: &Profile) -> Vec<ListRow> {
    let ranks = solver.ranking().ranks.iter().filter(|rank| !rank.members.is_empty());
    let mut rows: Vec<ListRow> = Vec::new();
    let mut used = Vec::new();
    for (place, rank) in ranks.enumerate() {
        used.extend(&rank.members);
        let called = rank.row.and_then(|row| profile.rows[row].called.as_deref());
        let mut row = row(rulebook, solver, Some(place + 1), rank, called);
        row.names.retain(|name| called.is_some() || !taken(profile, rank, &row.technique, name));
        rows.push(row);
    }
    for (index, technique) in solver.techniques().iter().enumerate() {
        let members = solver.members().iter().enumerate().filter(|(_, member)| member.technique == index);
        let left = members.map(|(at, _)| at).filter(|at| !used.contains(at));
        let (doubtful, off): (Vec<usize>, Vec<usize>) = left.partition(|at| solver.withheld().contains(at));
        for (members, unproved) in [(off, false), (doubtful, true)] {
            if !members.is_empty() {
                let rank = Rank { members, key: technique.id.clone(), ..Rank::default() };
                rows.push(ListRow { unproved, ..row(rulebook, solver, None, &rank, None) });
            }
        }
    }
    rows
}

fn row(rulebook: &Rulebook, solver: &Solver, place: Option<usize>, rank: &Rank, called: Option<&str>) -> ListRow {
    let members: Vec<&MemberId> = rank.members.iter().map(|&at| &solver.members()[at]).collect();
    let technique = &solver.techniques()[members[0].technique];
    ListRow {
        place,
        unproved: false,
        soundness: rank.members.iter().map(|&at| solver.soundness(at)).max().unwrap_or_default(),
        added: !rulebook.is_built_in(&technique.id),
        technique: technique.id.clone(),
        members: sizes(technique, &members),
        names: called.map_or_else(|| names(technique, &members), |called| vec![called.to_string()]),
        first: rank.price.map(|(first, _)| first),
        again: rank.price.map(|(_, again)| again),
        file: rulebook.file_of(&technique.id).map_or_else(String::new, |file| file.name.clone()),
    }
}

/// Returns true if an earlier row of the profile already claims the matches with this name.
fn taken(profile: &Profile, rank: &Rank, technique: &str, name: &str) -> bool {
    let earlier = &profile.rows[..rank.row.unwrap_or(profile.rows.len())];
    let called = earlier.iter().filter(|row| row.technique == technique).filter_map(|row| row.called.as_ref());
    rank.shares_members && called.into_iter().any(|called| fold_name(called) == fold_name(name))
}

/// Returns the range of each parameter over the members: `n = 2..4`.
fn sizes(technique: &Technique, members: &[&MemberId]) -> String {
    let mut ranges = Vec::new();
    for (index, param) in technique.params.iter().enumerate() {
        let values = members.iter().map(|member| member.args[index]);
        let (low, high) = (values.clone().min().unwrap_or(0), values.max().unwrap_or(0));
        let high = if low == high { String::new() } else { format!("..{high}") };
        ranges.push(format!("{} = {low}{high}", param.name));
    }
    ranges.join(", ")
}

/// Every name that the matches can have, each once.
fn names(technique: &Technique, members: &[&MemberId]) -> Vec<String> {
    let all: Vec<_> = members.iter().map(|member| names_of(technique, member)).collect();
    let titles = all.iter().filter(|names| names.can_be_title).map(|names| &names.title);
    let mut names: Vec<String> = Vec::new();
    for name in titles.chain(all.iter().flat_map(|names| &names.by_shape).map(|shape| &shape.name)) {
        if !names.iter().any(|known| fold_name(known) == fold_name(name)) {
            names.push(name.clone());
        }
    }
    names
}

/// Terminals with fewer columns have no room for the files: they would be broken in the middle of words.
const WIDE: usize = 140;

fn table(rows: &[ListRow], narrow: bool) -> Table {
    let columns = if narrow { 5 } else { 6 };
    // Only added rules can be used without a proof.
    let doubts = rows.iter().any(|row| row.added);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let head = ["place", "technique", "members", "names", "cost", "file"].into_iter().take(columns);
    table.set_header(head.chain(doubts.then_some("proof")));
    for row in rows {
        let cost = match (row.first, row.again) {
            (Some(first), Some(again)) => format!("{first} / {again}"),
            _ => "-".to_string(),
        };
        let idle = if row.unproved { row.soundness.word() } else { "off" };
        let place = row.place.map_or_else(|| idle.to_string(), |place| place.to_string());
        let cells = [place, row.technique.clone(), row.members.clone(), shown(&row.names), cost, row.file.clone()];
        let proof = doubts.then(|| row.soundness.word().to_owned());
        table.add_row(cells.into_iter().take(columns).chain(proof));
    }
    table
}

/// The first few names; families have many.
fn shown(names: &[String]) -> String {
    const FEW: usize = 4;
    let head = names.iter().take(FEW).cloned().collect::<Vec<_>>().join(", ");
    if names.len() > FEW { format!("{head}, … ({})", names.len()) } else { head }
}

/// Draw a board, or list the boards that have a name
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion board
  pinion board windoku
  pinion board my-board.ron
  pinion solve puzzle.txt --board my-board.ron

With --format ron the board is written as a board file, with --format json as JSON. docs/formats.md explains the format.")]
pub struct BoardArgs {
    /// A size such as 9x9, the name of a board, or a board file
    #[arg(value_name = "NAME|FILE")]
    name: Option<String>,
}

/// Draws a board, or lists those that have a name.
pub fn draw_board(args: &BoardArgs, _: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let Some(name) = &args.name else {
        // The standard boards, then the variants.
        let standard = BoardSpec::standard_sizes().filter_map(BoardSpec::standard);
        for spec in standard.chain(BoardSpec::variants()) {
            out.answer(&spec, || {
                let more = match (spec.extra.len(), spec.sees.len()) {
                    (0, 0) => String::new(),
                    (houses, 0) => format!("  {houses} more houses"),
                    (houses, pairs) => format!("  {houses} more houses, {pairs} offsets that see each other"),
                };
                let size = format!("  {0}×{0}", spec.size);
                vec![Line::styled(Role::Name, &spec.name).with(Role::Plain, size).with(Role::Quiet, more)]
            })?;
        }
        return Ok(Exit::Done);
    };
    let geometry = board(name)?;
    let width = out.width();
    out.answer(geometry.spec(), || split_to_width(&draw::board(&geometry), 0, width))?;
    Ok(Exit::Done)
}

/// Say more about the code of a message
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion explain E0201

docs/errors.md lists the codes of rule files, docs/formats.md those of puzzles.")]
pub struct ExplainArgs {
    /// The code, such as E0201
    #[arg(value_name = "CODE")]
    code: String,
}

/// Prints the explanation of a code, with a wrong and a right example.
pub fn explain(args: &ExplainArgs, _: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let typed = args.code.trim();
    if let Some((code, text)) = CODES.iter().find(|(code, _)| code.eq_ignore_ascii_case(typed)) {
        out.answer(&codes::Code { code, text, bad: "", good: "" }, || {
            let head = Line::styled(Role::Failure, *code).with(Role::Plain, format!(": {text}"));
            let words = "A puzzle cannot be read. docs/formats.md says how puzzles are written.";
            vec![head, Line::default(), Line::text(words)]
        })?;
        return Ok(Exit::Done);
    }
    let Some(found) = codes::all().find(|known| known.code.eq_ignore_ascii_case(typed)) else {
        let failure = Failure::short(format!("there is no message with the code `{typed}`"));
        let help =
            "a code is a letter and digits, as in E0201 or P03; docs/errors.md and docs/formats.md have them all";
        return Err(failure.help(help).into());
    };
    out.answer(&found, || {
        let (title, rest) = found.text.trim().split_once('\n').unwrap_or((found.text.trim(), ""));
        let mut lines = vec![Line::styled(Role::Failure, found.code).with(Role::Plain, format!(": {title}"))];
        lines.extend(rest.lines().map(Line::text));
        for (heading, text) in [("Wrong:", found.bad), ("Right:", found.good)] {
            lines.extend([Line::default(), Line::styled(Role::Name, heading)]);
            lines.extend(text.trim_matches('\n').lines().map(|line| Line::text(format!("    {line}"))));
        }
        lines
    })?;
    Ok(Exit::Done)
}

/// Write the candidate graph of a puzzle, or what uses what in the rules
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion graph grid.txt > graph.dot
  pinion graph grid.txt | sfdp -Tsvg > graph.svg
  pinion graph grid.txt --format json
  pinion graph --rules > rules.dot
  pinion graph --rules my-rules/ --format graphml

Nodes are candidates. A dashed line joins two that cannot both be true, a bold line two of which exactly one is true.
The forms json, ron, dot and graphml also have the connected components and the articulation points: candidates without
which their component falls apart. With --rules and no puzzle, nodes are techniques, patterns, strong links and rule lists;
an arrow leads from each to what it uses.")]
#[command(mut_arg("puzzle", |arg| arg.required(false).required_unless_present("rules")))]
pub struct GraphArgs {
    #[command(flatten)]
    puzzle: Option<PuzzleArg>,
    /// Write what uses what in the rulebook; with a value, add rules from a file, or from every .pinion file of a folder
    #[arg(long, value_name = "FILE|DIR", num_args = 0..=1)]
    rules: Option<Vec<PathBuf>>,
}

/// Writes the graph.
pub fn graph(args: &GraphArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    match &args.puzzle {
        Some(_) if args.rules.as_ref().is_some_and(Vec::is_empty) => {
            let failure = Failure::usage("a graph is of a puzzle or of the rules, not of both");
            return Err(failure.help("leave out the puzzle, or leave out `--rules`").into());
        }
        Some(puzzle) => candidates(puzzle, global.format, out)?,
        None => rules(global, out)?,
    }
    Ok(Exit::Done)
}

fn candidates(puzzle: &PuzzleArg, format: OutputFormat, out: &mut Output) -> Result<(), Stop> {
    let board = puzzle.geometry()?;
    let puzzle = one_puzzle(&puzzle.puzzle, board.as_ref())?;
    let graph = candidate_graph(&puzzle.geometry, &puzzle.state());
    if format == OutputFormat::Text {
        return Ok(out.data(&candidate_dot(&graph))?);
    }
    let record = CandidateGraphRecord::new(&graph);
    match format {
        OutputFormat::Dot => out.data(&dot(LEGEND, &record.attributes(&graph)))?,
        OutputFormat::Graphml => out.data(&graphml(&record.attributes(&graph)))?,
        _ => out.value(&record)?,
    }
    Ok(())
}

fn rules(global: &Global, out: &mut Output) -> Result<(), Stop> {
    let record = RuleGraphRecord::new(&rulebook(global)?);
    let legend = "nodes: rules; an arrow leads from each to what it uses";
    match global.format {
        OutputFormat::Text | OutputFormat::Dot => out.data(&dot(legend, &record.attributes()))?,
        OutputFormat::Graphml => out.data(&graphml(&record.attributes()))?,
        _ => out.value(&record)?,
    }
    Ok(())
}

/// Print a script that completes commands in a shell
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion completions bash > ~/.local/share/bash-completion/completions/pinion
  pinion completions zsh > ~/.zfunc/_pinion
  pinion completions fish > ~/.config/fish/completions/pinion.fish")]
pub struct CompletionsArgs {
    /// For which shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print or write manual pages
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion man --out ~/.local/share/man/man1
  pinion man > pinion.1

Without --out the page of the program itself is printed; with it, that page and one for each command are written.")]
pub struct ManArgs {
    /// Write the pages to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints a script.
pub fn completions(args: &CompletionsArgs, _: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "pinion", &mut script);
    out.data(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

/// Prints or writes pages.
pub fn man(args: &ManArgs, _: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        out.data(&String::from_utf8_lossy(&page))?;
        return Ok(Exit::Done);
    };
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let project = Project::around(std::slice::from_ref(folder));
    for command in std::iter::once(&program).chain(program.get_subcommands()).filter(|one| !one.is_hide_set()) {
        let man = clap_mangen::Man::new(command.clone());
        let mut page = Vec::new();
        man.render(&mut page)?;
        project.write(&folder.join(man.get_filename()), &String::from_utf8_lossy(&page))?;
    }
    if out.is_text() {
        out.text(&format!("wrote the pages to {}", folder.display()))?;
    }
    Ok(Exit::Done)
}
