//! `pinion list`: prints the rulebook as a table, in the order of the profile.

use crate::cli::output::print_table;
use crate::cli::prelude::*;
use crate::render::missing_row_lines;
use crate::solve::{MissingRow, Profile, Rank, Soundness, fold_name, names_of};
use comfy_table::{Table, presets};

/// Show the rulebook as a table
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion list
  pinion list --profile classic
  pinion list --rules my-rules/ --board 16x16 --format json

Place and cost are those of the profile: cost of the first use / of each further use. Rules without a place are searched only
if you name them, as in `pinion find --technique NAME`: `off` marks rules that the profile does not use, `unproved` rules that
are not proved on this board, and `refuted` added rules that are wrong on this board. With added rules, a column says which
rules are proved on the board. A terminal with fewer than 140 columns shows no files.")]
pub struct ListArgs {
    #[command(flatten)]
    profile: ProfileArg,
    /// The board; its size limits the parameters of rules
    #[arg(long, value_name = "NxN|NAME|FILE", default_value = "9x9")]
    board: String,
}

/// A line of the table. All members of a technique share a line, unless several rows of the profile rank them: then
/// each of these rows has a line.
#[derive(Serialize)]
struct ListLine {
    /// Rank in the order of the profile, from 1.
    place: Option<usize>,
    /// True if the technique has no rank because it is unproved or refuted on this board.
    #[serde(rename = "unproved")]
    is_withheld: bool,
    /// `proved`, `unproved` or `refuted` on this board: the soundness of the worst member.
    soundness: Soundness,
    /// True if you added the rule, or replaced a pattern or link source that it uses.
    added: bool,
    technique: String,
    /// Ranges of the parameters: `n = 2..4`.
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
    rules: Vec<ListLine>,
    /// Rows of the profile without a rule.
    without_rule: &'a [MissingRow],
}

pub fn list(args: &ListArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let geometry = board_named(&args.board)?;
    let mut solvers = Solvers::new(global, &args.profile)?;
    let solver = solvers.on(&geometry, ASSUME_UNIQUE);
    let lines = list_lines(&solvers.rulebook, &solver);
    let missing = &solver.ranking().missing;
    if !out.is_text() {
        let (profile, board) = (&solver.profile().name, &geometry.spec().name);
        out.value(&ListRecord { profile, board, rules: lines, without_rule: missing })?;
        return Ok(Exit::Done);
    }
    let has_files = out.width().is_none_or(|width| width >= MIN_WIDTH_WITH_FILES);
    print_table(&mut table(&lines, has_files), out)?;
    out.lines(&missing_row_lines(missing))?;
    Ok(Exit::Done)
}

/// Returns the lines of ranked members in the order of the profile, then those of unranked members in the order of the
/// rulebook.
fn list_lines(rulebook: &Rulebook, solver: &Solver) -> Vec<ListLine> {
    let profile = solver.profile();
    let mut lines: Vec<ListLine> = Vec::new();
    let mut ranked = Vec::new();
    for rank in solver.ranking().ranks.iter().filter(|rank| !rank.members.is_empty()) {
        ranked.extend(&rank.members);
        let mut line = list_line(rulebook, solver, &rank.members);
        line.place = Some(lines.len() + 1);
        (line.first, line.again) = rank.price.unzip();
        match rank.row.and_then(|row| profile.rows[row].match_name.as_ref()) {
            Some(match_name) => line.names = vec![match_name.clone()],
            None => line.names.retain(|name| !is_claimed_earlier(profile, rank, &line.technique, name)),
        }
        lines.push(line);
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
            lines.push(list_line(rulebook, solver, &unused));
        }
        if !withheld.is_empty() {
            lines.push(ListLine { is_withheld: true, ..list_line(rulebook, solver, &withheld) });
        }
    }
    lines
}

/// Returns the line of members of one technique, without a rank; `members` are indices of the solver.
fn list_line(rulebook: &Rulebook, solver: &Solver, members: &[usize]) -> ListLine {
    let ids: Vec<&MemberId> = members.iter().map(|&member| &solver.members()[member]).collect();
    let technique = &solver.techniques()[ids[0].technique];
    ListLine {
        place: None,
        is_withheld: false,
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

/// Returns true if an earlier row of the profile ranks the matches of this name.
fn is_claimed_earlier(profile: &Profile, rank: &Rank, technique: &str, name: &str) -> bool {
    // `shares_members` is true if another row may rank matches of these members by their name.
    if !rank.shares_members {
        return false;
    }
    // A rank without a row has the matches that no row takes, so it comes after all rows.
    let earlier_rows = &profile.rows[..rank.row.unwrap_or(profile.rows.len())];
    earlier_rows.iter().filter(|row| row.technique == technique).any(|row| match &row.match_name {
        Some(match_name) => fold_name(match_name) == fold_name(name),
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

fn table(lines: &[ListLine], has_files: bool) -> Table {
    // Built-in rules are used only if they are proved.
    let has_proofs = lines.iter().any(|line| line.added);
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
    for line in lines {
        let place = match line.place {
            Some(place) => place.to_string(),
            None if line.is_withheld => line.soundness.word().to_owned(),
            None => "off".to_owned(),
        };
        let cost = match (line.first, line.again) {
            (Some(first), Some(again)) => format!("{first} / {again}"),
            _ => "-".to_owned(),
        };
        let mut cells = vec![place, line.technique.clone(), line.members.clone(), shorten(&line.names), cost];
        if has_files {
            cells.push(line.file.clone());
        }
        if has_proofs {
            cells.push(line.soundness.word().to_owned());
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
