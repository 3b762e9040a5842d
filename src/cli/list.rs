//! `pinion list`: prints the rulebook as a table, in the order of the profile.

use crate::cli::output::print_table;
use crate::cli::prelude::*;
use crate::engine::MemberId;
use crate::lang::ir::Technique;
use crate::render::missing_row_lines;
use crate::solve::{MissingRow, Profile, Rank, Soundness, fold_name, names_of};
use comfy_table::{Table, presets};
use std::collections::BTreeSet;

/// Show the rulebook as a table
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion list
  pinion list --profile classic
  pinion list --rules my-rules/ --board 16x16 --format json

Place and cost are those of the profile: cost of the first use / of each further use. Rules without a place are searched only
by `pinion find --technique`: `off` marks rules that the profile does not use, `unproved` rules that are not proved on this
board, and `refuted` added rules that are wrong on this board. With added rules, a column says which rules are proved on the
board. A terminal with fewer than 140 columns shows no files.")]
pub struct ListArgs {
    #[command(flatten)]
    profile: ProfileArg,
    /// The board; its size limits the parameters of rules
    #[arg(long, value_name = "NxN|NAME|FILE", default_value = "9x9")]
    board: String,
}

/// A line of the table: a technique, or those of its members that one entry of the profile ranks.
#[derive(Serialize)]
struct ListRow {
    /// Rank in the order of the profile, from 1.
    place: Option<usize>,
    /// True if the technique has no rank because it is unproved or refuted on this board.
    unproved: bool,
    /// `proved`, `unproved` or `refuted` on this board: the soundness of the worst member.
    soundness: Soundness,
    /// True if you added the rule, or replaced a pattern or link source that it uses.
    added: bool,
    technique: String,
    /// Ranges of the parameters: `n = 2..4`.
    members: String,
    /// Names that its steps can have.
    names: Vec<String>,
    /// Cost of the first use.
    first: Option<u32>,
    /// Cost of each further use.
    again: Option<u32>,
    file: String,
}

#[derive(Serialize)]
struct ListRecord<'a> {
    profile: &'a str,
    board: &'a str,
    rules: Vec<ListRow>,
    /// Entries of the profile without a rule.
    without_rule: &'a [MissingRow],
}

pub fn list(args: &ListArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let geometry = board_named(&args.board)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&geometry, true);
    let rows = list_rows(solvers.rulebook(), &solver);
    let missing = &solver.ranking().missing;
    if !out.is_text() {
        let (profile, board) = (&solver.profile().name, &geometry.spec().name);
        out.value(&ListRecord { profile, board, rules: rows, without_rule: missing })?;
        return Ok(Exit::Done);
    }
    let has_files = out.width().is_none_or(|width| width >= MIN_WIDTH_WITH_FILES);
    print_table(&mut table(&rows, has_files), out)?;
    out.lines(&missing_row_lines(missing))?;
    Ok(Exit::Done)
}

/// Returns the ranked members in the order of the profile, then the unranked members in the order of the rulebook.
fn list_rows(rulebook: &Rulebook, solver: &Solver) -> Vec<ListRow> {
    let profile = solver.profile();
    let mut rows: Vec<ListRow> = Vec::new();
    let mut ranked = Vec::new();
    for rank in solver.ranking().ranks.iter().filter(|rank| !rank.members.is_empty()) {
        ranked.extend(&rank.members);
        let mut row = list_row(rulebook, solver, &rank.members);
        row.place = Some(rows.len() + 1);
        (row.first, row.again) = rank.price.unzip();
        match rank.row.and_then(|entry| profile.rows[entry].match_name.as_ref()) {
            Some(called) => row.names = vec![called.clone()],
            None => row.names.retain(|name| !is_claimed_earlier(profile, rank, &row.technique, name)),
        }
        rows.push(row);
    }
    for index in 0..solver.techniques().len() {
        let mut members = Vec::new();
        for (member, id) in solver.members().iter().enumerate() {
            if id.technique == index && !ranked.contains(&member) {
                members.push(member);
            }
        }
        let (withheld, unused): (Vec<usize>, Vec<usize>) =
            members.into_iter().partition(|member| solver.withheld().contains(member));
        if !unused.is_empty() {
            rows.push(list_row(rulebook, solver, &unused));
        }
        if !withheld.is_empty() {
            rows.push(ListRow { unproved: true, ..list_row(rulebook, solver, &withheld) });
        }
    }
    rows
}

/// Returns the row of members of one technique, without a rank; `members` are indices of the solver.
fn list_row(rulebook: &Rulebook, solver: &Solver, members: &[usize]) -> ListRow {
    let ids: Vec<&MemberId> = members.iter().map(|&member| &solver.members()[member]).collect();
    let technique = &solver.techniques()[ids[0].technique];
    ListRow {
        place: None,
        unproved: false,
        soundness: members.iter().map(|&member| solver.soundness(member)).max().unwrap_or_default(),
        added: !rulebook.is_built_in(&technique.id),
        technique: technique.id.clone(),
        members: parameter_ranges(technique, &ids),
        names: step_names(technique, &ids),
        first: None,
        again: None,
        file: rulebook.file_of(&technique.id).map_or_else(String::new, |file| file.name.clone()),
    }
}

/// Returns true if an earlier entry of the profile ranks the matches of this name.
fn is_claimed_earlier(profile: &Profile, rank: &Rank, technique: &str, name: &str) -> bool {
    // `shares_members` is true if another entry may rank matches of these members by their name.
    if !rank.shares_members {
        return false;
    }
    let earlier = &profile.rows[..rank.row.unwrap_or(profile.rows.len())];
    earlier.iter().filter(|row| row.technique == technique).any(|row| match &row.match_name {
        Some(called) => fold_name(called) == fold_name(name),
        None => false,
    })
}

/// Returns the range of each parameter over the members: `n = 2..4`.
fn parameter_ranges(technique: &Technique, members: &[&MemberId]) -> String {
    let mut ranges = Vec::new();
    for (index, param) in technique.params.iter().enumerate() {
        let values = members.iter().map(|member| member.args[index]);
        let low = values.clone().min().unwrap_or(0);
        let high = values.max().unwrap_or(0);
        ranges.push(match low == high {
            true => format!("{} = {low}", param.name),
            false => format!("{} = {low}..{high}", param.name),
        });
    }
    ranges.join(", ")
}

/// Returns the names that steps of the members can have: titles, then other names. Of names that differ only in case, blanks, `-` and `_`,
/// returns the first.
fn step_names(technique: &Technique, members: &[&MemberId]) -> Vec<String> {
    let names_by_member: Vec<_> = members.iter().map(|member| names_of(technique, member)).collect();
    let titles = names_by_member.iter().filter(|names| names.can_be_title).map(|names| &names.title);
    let others = names_by_member.iter().flat_map(|names| &names.by_shape).map(|shape| &shape.name);
    let mut names = Vec::new();
    let mut folded_names = BTreeSet::new();
    for name in titles.chain(others) {
        if folded_names.insert(fold_name(name)) {
            names.push(name.clone());
        }
    }
    names
}

/// Minimum width of the terminal for a column of file names. A narrower terminal would break paths in the middle of
/// words.
const MIN_WIDTH_WITH_FILES: usize = 140;

fn table(rows: &[ListRow], has_files: bool) -> Table {
    // Built-in rules are used only if they are proved.
    let has_proofs = rows.iter().any(|row| row.added);
    let mut table = Table::new();
    table.load_style(presets::NOTHING);
    let mut headings = vec!["place", "technique", "members", "names", "cost"];
    if has_files {
        headings.push("file");
    }
    if has_proofs {
        headings.push("proof");
    }
    table.set_header(headings);
    for row in rows {
        let place = match row.place {
            Some(place) => place.to_string(),
            None if row.unproved => row.soundness.word().to_owned(),
            None => "off".to_owned(),
        };
        let cost = match (row.first, row.again) {
            (Some(first), Some(again)) => format!("{first} / {again}"),
            _ => "-".to_owned(),
        };
        let mut cells = vec![place, row.technique.clone(), row.members.clone(), shorten(&row.names), cost];
        if has_files {
            cells.push(row.file.clone());
        }
        if has_proofs {
            cells.push(row.soundness.word().to_owned());
        }
        table.add_row(cells);
    }
    table
}

/// Returns the first four names, and the number of all names if there are more.
fn shorten(names: &[String]) -> String {
    const MAX_SHOWN: usize = 4;
    let shown = names[..names.len().min(MAX_SHOWN)].join(", ");
    if names.len() > MAX_SHOWN { format!("{shown}, … ({})", names.len()) } else { shown }
}
