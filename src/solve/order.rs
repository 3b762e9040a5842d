//! A profile against a rulebook on a board. In: rows, techniques, compiled members. Out: [`Ranking`]: which
//! members to try in which order, to which row a match belongs, and which rows have no rule.

use super::names::{folded, member_names, names_of, nearest};
use super::price::{Formula, Order, Price};
use super::profile::{Others, Profile};
use super::row::{Row, member_label};
use crate::engine::MemberId;
use crate::lang::ir::{Space, Technique};
use serde::{Deserialize, Serialize};

/// A place in the order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// Index of the profile's row; none for techniques that no row names.
    pub row: Option<usize>,
    /// Indexes of the engine's members, in the engine's order.
    pub members: Vec<usize>,
    /// Whether some matches of these members may belong to another row, so that all must be looked at.
    pub shared: bool,
    /// Uses are counted per key.
    pub key: String,
    /// Price of the first and of each further use, if it has one.
    pub price: Option<(u32, u32)>,
    /// The price of the first use where it depends on the match.
    pub formula: Option<Formula>,
    /// Which of equally cheap matches is taken.
    pub order: Vec<Formula>,
    /// What matches have in common of which only the shortest counts, and which of equally short ones.
    pub alike: Option<(Vec<Formula>, Vec<Formula>)>,
    /// The rows that it is looked through with, by the name of their list.
    pub list: Option<String>,
}

/// A row of the profile that no rule answers to.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingRow {
    /// What the profile calls it.
    pub row: String,
    /// Why it is idle.
    pub reason: String,
}

/// The order of work.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// Simplest first.
    pub ranks: Vec<Rank>,
    /// Rows without a rule.
    pub missing: Vec<MissingRow>,
}

impl Ranking {
    /// Sorts the members of an engine by the rows of a profile, but those that are left out, by their places.
    pub fn new(profile: &Profile, techniques: &[Technique], members: &[MemberId], left_out: &[usize]) -> Ranking {
        let fits = |row: &Row, member: &MemberId| row.speaks_of(&techniques[member.technique], member);
        let mut ranks = Vec::new();
        for (index, row) in profile.rows.iter().enumerate().filter(|(_, row)| row.enabled) {
            let own = techniques.iter().position(|technique| technique.id == row.technique);
            let mine: Vec<usize> = (0..members.len())
                .filter(|&at| Some(members[at].technique) == own && !left_out.contains(&at))
                .filter(|&at| {
                    fits(row, &members[at]) && may_be_called(row, &techniques[members[at].technique], &members[at])
                })
                .filter(|&at| !profile.rows[..index].iter().any(|past| past.takes_all() && fits(past, &members[at])))
                .collect();
            let narrowed = |at: &usize| {
                profile.rows[..index].iter().any(|past| past.called.is_some() && fits(past, &members[*at]))
            };
            let formula = |clauses: &[String]| {
                let members: Vec<&MemberId> = mine.iter().map(|&at| &members[at]).collect();
                Formula::new(clauses, &profile.named, techniques, &members)
            };
            let each = |of: &Order| of.0.iter().map(|one| formula(std::slice::from_ref(one))).collect();
            let alike = row.alike.as_ref().map(|alike| (each(&alike.by), each(&alike.order)));
            let order = each(&row.order);
            let formula = row.first.as_ref().and_then(Price::clauses).map(formula);
            ranks.push(Rank {
                row: Some(index),
                shared: row.called.is_some() || mine.iter().any(narrowed),
                members: mine,
                key: row.counted_as(index),
                price: row.first.as_ref().and_then(Price::fixed).map(|first| (first, row.again.unwrap_or(first))),
                formula,
                order,
                alike,
                list: row.list.clone(),
            });
        }
        let mut missing = missing_rows(profile, techniques, members);
        missing.extend(shadowed(profile, techniques, members, &ranks));
        ranks.extend(other_ranks(profile, techniques, members, left_out));
        Ranking { ranks, missing }
    }
}

/// Members that no row names, one rank for each technique; of a member whose rows all ask for a name, what
/// has none of these names is left, so it comes here too.
fn other_ranks(profile: &Profile, techniques: &[Technique], members: &[MemberId], left_out: &[usize]) -> Vec<Rank> {
    let price = match profile.others {
        Others::Off => return Vec::new(),
        Others::Unpriced => None,
        Others::After { first, again } => Some((first, again)),
    };
    let rows_of = |at: usize| {
        let member = &members[at];
        profile.rows.iter().filter(move |row| row.speaks_of(&techniques[member.technique], member))
    };
    let mut ranks = Vec::new();
    for (index, technique) in techniques.iter().enumerate() {
        let left: Vec<usize> = (0..members.len())
            .filter(|&at| members[at].technique == index && !left_out.contains(&at))
            .filter(|&at| rows_of(at).all(|row| !row.takes_all()))
            .collect();
        if !left.is_empty() {
            let shared = left.iter().any(|&at| rows_of(at).next().is_some());
            ranks.push(Rank { members: left, shared, key: technique.id.clone(), price, ..Rank::default() });
        }
    }
    ranks
}

/// Whether some match of a member can have the name that a row asks for.
fn may_be_called(row: &Row, technique: &Technique, member: &MemberId) -> bool {
    row.called.as_ref().is_none_or(|called| {
        let names = names_of(technique, member);
        names.open || names.all().any(|name| folded(name) == folded(called))
    })
}

/// The row that a match belongs to: the first that speaks of its member and of its name. Rows that take what fits their
/// price alone leave others the rest, so only `own` counts of these.
pub fn row_of(
    profile: &Profile,
    technique: &Technique,
    member: &MemberId,
    (called, own): (&str, Option<usize>),
) -> Option<usize> {
    let mut rows = profile.rows.iter().enumerate();
    let fits = |row: &Row| {
        row.speaks_of(technique, member) && row.called.as_ref().is_none_or(|wanted| folded(wanted) == folded(called))
    };
    rows.position(|(at, row)| (Some(at) == own || !row.is_conditional()) && fits(row))
}

/// Rows that speak of members all of which rows above them take whole: none of their matches is left.
fn shadowed(profile: &Profile, techniques: &[Technique], members: &[MemberId], ranks: &[Rank]) -> Vec<MissingRow> {
    let idle = ranks.iter().filter(|rank| rank.members.is_empty()).filter_map(|rank| rank.row);
    let report = |index: usize| {
        let row = &profile.rows[index];
        let takes = |past: &Row| {
            let mut mine = members.iter().filter(|member| row.speaks_of(&techniques[member.technique], member));
            let whole = !past.is_conditional() && (past.called.is_none() || past.called == row.called);
            whole && mine.any(|member| past.speaks_of(&techniques[member.technique], member))
        };
        let above = profile.rows[..index].iter().find(|past| takes(past))?;
        let reason = format!("the row `{}` above takes all of its matches", above.label());
        Some(MissingRow { row: row.label(), reason })
    };
    idle.filter_map(report).collect()
}

/// What a row is to say where its technique is what steps of some technique are called.
fn called_so(name: &str, techniques: &[Technique], members: &[MemberId]) -> Option<String> {
    let names = members
        .iter()
        .map(|member| (&techniques[member.technique].id, names_of(&techniques[member.technique], member)));
    names.into_iter().find_map(|(id, names)| {
        let is_name = |one: &String| folded(one) == folded(name);
        let called = names.called.iter().any(|(one, _)| is_name(one));
        let field = if names.case.as_ref().is_some_and(is_name) { "case" } else { "called" };
        (called || is_name(&names.title))
            .then(|| format!("steps of `{id}` are called so: write `technique: \"{id}\", {field}: \"{name}\"`"))
    })
}

fn missing_rows(profile: &Profile, techniques: &[Technique], members: &[MemberId]) -> Vec<MissingRow> {
    let missing = |row: &Row| {
        let Some(technique) = techniques.iter().find(|technique| technique.id == row.technique) else {
            if let Some(words) = called_so(&row.technique, techniques, members) {
                return Some(words);
            }
            let near = nearest(&row.technique, techniques.iter().map(|technique| technique.id.as_str()));
            let near = near.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
            return Some(format!("no rule `{}` yet{near}", row.technique));
        };
        if !row.args.is_empty() && row.args.len() != technique.params.len() {
            return Some(format!("`{}` has {} parameters", technique.id, technique.params.len()));
        }
        let lows: Vec<u32> = technique.params.iter().map(|param| param.low).collect();
        let args: Vec<u32> = row.args.iter().map(|range| range.low).collect();
        let args = if args.is_empty() { lows } else { args };
        let outside = technique.params.iter().zip(&row.args).any(|(param, range)| {
            range.high.is_some_and(|high| high < param.low) || param.high.is_some_and(|high| range.low > high)
        });
        if outside {
            return Some(format!("`{}` has no such member", member_label(&technique.id, &row.args)));
        }
        if row.case.is_none() && row.called.is_none() {
            return None;
        }
        let spaces: Vec<Space> =
            std::iter::once(Space::Rc).chain(technique.views.iter().map(|view| view.space)).collect();
        let in_space = |space: Space| (0..technique.variants.len()).map(move |case| (case, space));
        let all = spaces.into_iter().flat_map(in_space);
        let names: Vec<_> = all.map(|(case, space)| member_names(technique, case, &args, space)).collect();
        let no_case = |case: &String| !names.iter().any(|n| n.case.as_ref().is_some_and(|c| folded(c) == folded(case)));
        let no_name =
            |called: &String| !names.iter().any(|n| n.open || n.all().any(|name| folded(name) == folded(called)));
        if row.case.as_ref().is_some_and(no_case) {
            return row.case.as_ref().map(|case| format!("`{}` has no case \"{case}\"", technique.id));
        }
        let called = row.called.as_ref().filter(|called| no_name(called))?;
        Some(format!("`{}` calls nothing \"{called}\"", technique.id))
    };
    let report = |row: &Row| missing(row).map(|reason| MissingRow { row: row.label(), reason });
    profile.rows.iter().filter(|row| row.enabled).filter_map(report).collect()
}
