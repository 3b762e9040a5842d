//! Commands that print reference material: `board`, `explain`, `graph`, `completions` and `man`.

use crate::cli::Cli;
use crate::cli::args::OutputFormat;
use crate::cli::files::Project;
use crate::cli::input::one_puzzle;
use crate::cli::prelude::*;
use crate::cli::rules::rulebook;
use crate::grid::formats::CODES;
use crate::grid::{BoardSpec, draw};
use crate::lang::codes;
use crate::render::{
    CandidateGraphRecord, LEGEND, RuleGraphRecord, candidate_dot, candidate_graph, dot, graphml, split_to_width,
};
use clap::CommandFactory;
use clap_complete::{Shell, generate};

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

pub fn draw_board(args: &BoardArgs, _: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let Some(name) = &args.name else {
        let standard = BoardSpec::standard_sizes().filter_map(BoardSpec::standard);
        for spec in standard.chain(BoardSpec::variants()) {
            out.answer(&spec, || {
                let extras = match (spec.extra.len(), spec.sees.len()) {
                    (0, 0) => String::new(),
                    (houses, 0) => format!("  {houses} more houses"),
                    (houses, offsets) => format!("  {houses} more houses, {offsets} offsets that see each other"),
                };
                let size = format!("  {0}×{0}", spec.size);
                vec![Line::styled(Role::Name, &spec.name).with(Role::Plain, size).with(Role::Quiet, extras)]
            })?;
        }
        return Ok(Exit::Done);
    };
    let geometry = board_named(name)?;
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

pub fn explain(args: &ExplainArgs, _: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let typed = args.code.trim();
    if let Some((code, text)) = CODES.iter().find(|(code, _)| code.eq_ignore_ascii_case(typed)) {
        out.answer(&codes::Code { code, text, bad: "", good: "" }, || {
            let heading = Line::styled(Role::Failure, *code).with(Role::Plain, format!(": {text}"));
            let explanation = "A puzzle cannot be read. docs/formats.md says how puzzles are written.";
            vec![heading, Line::default(), Line::text(explanation)]
        })?;
        return Ok(Exit::Done);
    }
    let Some(code) = codes::catalogue().find(|code| code.code.eq_ignore_ascii_case(typed)) else {
        let failure = Failure::unsuccessful(format!("there is no message with the code `{typed}`"));
        let help =
            "a code is a letter and digits, as in E0201 or P03; docs/errors.md and docs/formats.md have them all";
        return Err(failure.help(help).into());
    };
    out.answer(&code, || {
        let (title, rest) = code.text.trim().split_once('\n').unwrap_or((code.text.trim(), ""));
        let mut lines = vec![Line::styled(Role::Failure, code.code).with(Role::Plain, format!(": {title}"))];
        lines.extend(rest.lines().map(Line::text));
        for (heading, text) in [("Wrong:", code.bad), ("Right:", code.good)] {
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

Nodes are candidates. A dashed line joins two candidates that cannot both be true. A bold line joins two candidates of which
exactly one is true. The formats json, ron, dot and graphml also have the connected components and the articulation points:
candidates without which their component is no longer connected. With --rules and no puzzle, nodes are techniques, patterns,
strong links and rule lists; an arrow leads from each node to every node that it uses.")]
#[command(mut_arg("board", |arg| arg.requires("puzzle")))]
pub struct GraphArgs {
    /// A puzzle, a file with a puzzle, or - for standard input
    #[arg(value_name = "PUZZLE|FILE|-", allow_hyphen_values = true, required_unless_present = "rules")]
    puzzle: Option<String>,
    #[command(flatten)]
    board: BoardArg,
    /// Write what uses what in the rulebook; with a value, add rules from a file, or from every .pinion file of a folder
    #[arg(long, value_name = "FILE|DIR", num_args = 0..=1)]
    rules: Option<Vec<PathBuf>>,
}

pub fn graph(args: &GraphArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    // `--rules` without a value asks for the graph of the rules. `--rules FILE` only adds rules, as in every command:
    // the added rules are in `global.rules`.
    let asks_for_rules = args.rules.as_ref().is_some_and(Vec::is_empty);
    match &args.puzzle {
        Some(_) if asks_for_rules => {
            let failure = Failure::usage("a graph is of a puzzle or of the rules, not of both");
            return Err(failure.help("leave out the puzzle, or leave out `--rules`").into());
        }
        Some(puzzle) => write_candidate_graph(puzzle, &args.board, global.format, out)?,
        None => write_rule_graph(global, out)?,
    }
    Ok(Exit::Done)
}

fn write_candidate_graph(
    argument: &str,
    board: &BoardArg,
    format: OutputFormat,
    out: &mut Output,
) -> Result<(), CommandError> {
    let puzzle = one_puzzle(argument, board.geometry()?.as_ref())?;
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

fn write_rule_graph(global: &Global, out: &mut Output) -> Result<(), CommandError> {
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
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

/// Print or write manual pages
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion man --out ~/.local/share/man/man1
  pinion man > pinion.1

Without --out, Pinion prints the page of the program. With --out, it writes this page and a page for each command.")]
pub struct ManArgs {
    /// Write the pages to this folder
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

pub fn completions(args: &CompletionsArgs, _: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let mut script = Vec::new();
    generate(args.shell, &mut Cli::command(), "pinion", &mut script);
    out.data(&String::from_utf8_lossy(&script))?;
    Ok(Exit::Done)
}

pub fn man(args: &ManArgs, _: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let Some(folder) = &args.out else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        out.data(&String::from_utf8_lossy(&page))?;
        return Ok(Exit::Done);
    };
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let project = Project::around(std::slice::from_ref(folder));
    for command in std::iter::once(&program).chain(program.get_subcommands()) {
        if command.is_hide_set() {
            continue;
        }
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
