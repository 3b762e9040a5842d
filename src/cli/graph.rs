//! `pinion graph`. In: a puzzle, or rules. Out: its candidate graph, or what uses what, as DOT, GraphML, JSON or RON.

use super::args::{Format, Global, PuzzleArg};
use super::exit::{Exit, Failure, Stop};
use super::input::one_puzzle;
use super::output::Output;
use super::rules::rulebook;
use crate::render::{CandidateGraphRecord, LEGEND, RuleGraphRecord, candidate_dot, candidate_graph, dot, graphml};
use clap::Args;
use std::path::PathBuf;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion graph grid.txt > graph.dot
  pinion graph grid.txt | sfdp -Tsvg > graph.svg
  pinion graph grid.txt --format json
  pinion graph --rules > rules.dot
  pinion graph --rules my-rules/ --format graphml

Nodes are candidates. A dashed line joins two that cannot both be true, a bold line two of which exactly one is true.
The forms json, ron, dot and graphml also have the connected components and the articulation points: candidates without
which their component falls apart. With --rules and no puzzle, nodes are techniques, patterns, strong links and rule lists;
an arrow leads from each to what it uses.";

/// Options.
#[derive(Args, Debug)]
#[command(mut_arg("puzzle", |arg| arg.required(false).required_unless_present("rules")))]
pub struct GraphArgs {
    #[command(flatten)]
    puzzle: Option<PuzzleArg>,
    /// Write what uses what in the rulebook; with a value, add rules from a file, or from every .pinion file of a folder
    #[arg(long, value_name = "FILE|DIR", num_args = 0..=1)]
    rules: Option<Vec<PathBuf>>,
}

/// Writes the graph.
pub fn run(args: &GraphArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    match &args.puzzle {
        Some(_) if args.rules.as_ref().is_some_and(Vec::is_empty) => {
            let failure = Failure::usage("a graph is of a puzzle or of the rules, not of both");
            return Err(failure.help("leave the puzzle out, or `--rules`").into());
        }
        Some(puzzle) => candidates(puzzle, global.format, out)?,
        None => rules(global, out)?,
    }
    Ok(Exit::Done)
}

fn candidates(puzzle: &PuzzleArg, format: Format, out: &mut Output) -> Result<(), Stop> {
    let board = puzzle.geometry()?;
    let puzzle = one_puzzle(&puzzle.puzzle, board.as_ref())?;
    let graph = candidate_graph(&puzzle.geometry, &puzzle.state());
    if format == Format::Text {
        return Ok(out.data(&candidate_dot(&graph))?);
    }
    let record = CandidateGraphRecord::new(&graph);
    match format {
        Format::Dot => out.data(&dot(LEGEND, &record.attributes(&graph)))?,
        Format::Graphml => out.data(&graphml(&record.attributes(&graph)))?,
        _ => out.value(&record)?,
    }
    Ok(())
}

fn rules(global: &Global, out: &mut Output) -> Result<(), Stop> {
    let record = RuleGraphRecord::new(&rulebook(global)?);
    let legend = "nodes: rules; an arrow leads from each to what it uses";
    match global.format {
        Format::Text | Format::Dot => out.data(&dot(legend, &record.attributes()))?,
        Format::Graphml => out.data(&graphml(&record.attributes()))?,
        _ => out.value(&record)?,
    }
    Ok(())
}
