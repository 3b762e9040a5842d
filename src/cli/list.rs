//! `pinion list`. In: the rulebook and a profile. Out: the rules as a table, in the order of the profile.

use super::args::{Global, ProfileArg, board};
use super::exit::{Exit, Stop};
use super::output::Output;
use super::rules::Solvers;
use super::sheet::table_to;
use crate::engine::MemberId;
use crate::lang::ir::Technique;
use crate::render::missing as missing_lines;
use crate::solve::{MissingRow, Profile, Rank, Rulebook, Solver, Soundness, folded, names_of};
use clap::Args;
use comfy_table::{Table, presets};
use serde::Serialize;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion list
  pinion list --profile classic
  pinion list --rules my-rules/ --board 16x16 --format json

Place and cost are those of the profile: cost of the first use / of each further use. `off` marks rules that the profile
does not use, `unproved` rules that are not proved on this board, `refuted` added rules that are wrong there: only
`pinion find --technique` searches them. With added rules a column says which rules are proved on the board. A terminal with
fewer than 140 columns shows no files.";

/// Options.
#[derive(Args, Debug)]
pub struct ListArgs {
    #[command(flatten)]
    profile: ProfileArg,
    /// The board, which bounds the members of families
    #[arg(long, value_name = "NxN|NAME|FILE", default_value = "9x9")]
    board: String,
}

/// One row: a technique, or the part of it that a row of the profile speaks of.
#[derive(Serialize)]
struct Row {
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
    rules: Vec<Row>,
    without_rule: &'a [MissingRow],
}

/// Lists.
pub fn run(args: &ListArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let geometry = board(&args.board)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&geometry, true);
    let rows = rows(solvers.rulebook(), &solver, solver.profile());
    let missing = &solver.ranking().missing;
    if !out.is_text() {
        let (profile, board) = (solver.profile().name.as_str(), geometry.spec().name.as_str());
        out.value(&ListRecord { profile, board, rules: rows, without_rule: missing })?;
        return Ok(Exit::Done);
    }
    let narrow = out.width().is_some_and(|width| width < WIDE);
    table_to(&mut table(&rows, narrow), out)?;
    out.lines(&missing_lines(missing))?;
    Ok(Exit::Done)
}

fn rows(rulebook: &Rulebook, solver: &Solver, profile: &Profile) -> Vec<Row> {
    let ranks = solver.ranking().ranks.iter().filter(|rank| !rank.members.is_empty());
    let mut rows: Vec<Row> = Vec::new();
    let mut used = Vec::new();
    for (place, rank) in ranks.enumerate() {
        used.extend(&rank.members);
        let called = rank.row.and_then(|row| profile.rows[row].called.as_deref());
        let mut row = row(rulebook, solver, Some(place + 1), rank, called);
        row.names.retain(|name| called.is_some() || !taken(profile, rank, &row.technique, name));
        rows.push(row);
    }
    for (index, technique) in solver.techniques().iter().enumerate() {
        let of_it = |at: &usize| solver.members()[*at].technique == index && !used.contains(at);
        let left: Vec<usize> = (0..solver.members().len()).filter(of_it).collect();
        let (doubtful, off): (Vec<usize>, Vec<usize>) = left.into_iter().partition(|at| solver.withheld().contains(at));
        for (members, unproved) in [(off, false), (doubtful, true)] {
            if !members.is_empty() {
                let rank = Rank { members, key: technique.id.clone(), ..Rank::default() };
                rows.push(Row { unproved, ..row(rulebook, solver, None, &rank, None) });
            }
        }
    }
    rows
}

fn row(rulebook: &Rulebook, solver: &Solver, place: Option<usize>, rank: &Rank, called: Option<&str>) -> Row {
    let members: Vec<&MemberId> = rank.members.iter().map(|&at| &solver.members()[at]).collect();
    let technique = &solver.techniques()[members[0].technique];
    Row {
        place,
        unproved: false,
        soundness: rank.members.iter().map(|&at| solver.soundness(at)).max().unwrap_or_default(),
        added: !rulebook.is_own(&technique.id),
        technique: technique.id.clone(),
        members: sizes(technique, &members),
        names: called.map_or_else(|| names(technique, &members), |called| vec![called.to_string()]),
        first: rank.price.map(|(first, _)| first),
        again: rank.price.map(|(_, again)| again),
        file: rulebook.file_of(&technique.id).map_or_else(String::new, |file| file.name.clone()),
    }
}

/// Whether an earlier row of the profile takes the matches of this name.
fn taken(profile: &Profile, rank: &Rank, technique: &str, name: &str) -> bool {
    let earlier = &profile.rows[..rank.row.unwrap_or(profile.rows.len())];
    let called = earlier.iter().filter(|row| row.technique == technique).filter_map(|row| row.called.as_ref());
    rank.shared && called.into_iter().any(|called| folded(called) == folded(name))
}

/// `n = 2..4`, by the first and the last member.
fn sizes(technique: &Technique, members: &[&MemberId]) -> String {
    let range = |index: usize| {
        let values = || members.iter().map(|member| member.args[index]);
        let (low, high) = (values().min().unwrap_or(0), values().max().unwrap_or(0));
        let name = &technique.params[index].name;
        if low == high { format!("{name} = {low}") } else { format!("{name} = {low}..{high}") }
    };
    (0..technique.params.len()).map(range).collect::<Vec<_>>().join(", ")
}

/// Every name that the matches can have, each once.
fn names(technique: &Technique, members: &[&MemberId]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut add = |name: String| {
        if !names.iter().any(|known| folded(known) == folded(&name)) {
            names.push(name);
        }
    };
    let of: Vec<_> = members.iter().map(|member| names_of(technique, member)).collect();
    of.iter().filter(|names| names.title_stays).for_each(|names| add(names.title.clone()));
    of.iter().flat_map(|names| &names.called).for_each(|(name, _)| add(name.clone()));
    names
}

/// Terminals with fewer columns have no room for the files: they would be broken in the middle of words.
const WIDE: usize = 140;

fn table(rows: &[Row], narrow: bool) -> Table {
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
