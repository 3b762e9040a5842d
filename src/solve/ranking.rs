//! A profile applied to a rulebook on a board. In: rows, techniques, compiled members. Out: [`Ranking`]: the order in which members are
//! tried, and the rows without a rule; [`row_of`]: the row that a match belongs to.

use super::names::{MemberNames, fold_name, member_names, names_of, nearest};
use super::price::{Formula, RowPrice};
use super::profile::{OtherTechniques, Profile, Row, member_label};
use crate::engine::MemberId;
use crate::lang::ir::{Space, Technique};
use serde::{Deserialize, Serialize};

/// Members that are tried together: those of one row, or of one technique without a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// Index of the profile's row; `None` for a technique without a row.
    pub row: Option<usize>,
    /// Indexes of the engine's members, in the engine's order.
    pub members: Vec<usize>,
    /// True if some matches of these members may belong to another row, so that all matches must be examined.
    pub shares_members: bool,
    /// Key by which uses are counted.
    pub key: String,
    /// Price of the first and of each further use, if it has one.
    pub price: Option<(u32, u32)>,
    /// Price of the first use if it depends on the match.
    pub formula: Option<Formula>,
    /// Expressions that choose among equally cheap matches: smallest values first.
    pub order: Vec<Formula>,
    /// Expressions that define groups of matches of which only the shortest counts, and those that choose among equally short ones.
    pub groups: Option<(Vec<Formula>, Vec<Formula>)>,
    /// Name of the list whose rows are searched together.
    pub list: Option<String>,
}

/// A row of the profile without a rule.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MissingRow {
    /// Name of the row in the profile.
    pub row: String,
    /// Reason why it has no rule.
    pub reason: String,
}

/// The order in which a solver tries its members.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ranking {
    /// Ranks, simplest first.
    pub ranks: Vec<Rank>,
    /// Rows without a rule.
    pub missing: Vec<MissingRow>,
}

impl Ranking {
    /// Sorts the members of an engine by the rows of a profile. `unused` are indexes of members to skip.
    pub fn new(profile: &Profile, techniques: &[Technique], members: &[MemberId], unused: &[usize]) -> Ranking {
        let roster = Roster { profile, techniques, members, unused };
        let rows = profile.rows.iter().enumerate().filter(|(_, row)| row.enabled);
        let mut ranks: Vec<Rank> = rows.map(|(index, row)| roster.rank(index, row)).collect();
        let mut missing: Vec<MissingRow> = Vec::new();
        for row in profile.rows.iter().filter(|row| row.enabled) {
            missing.extend(roster.missing(row).map(|reason| MissingRow { row: row.label(), reason }));
        }
        missing
            .extend(ranks.iter().filter(|rank| rank.members.is_empty()).filter_map(|rank| roster.shadowed(rank.row?)));
        ranks.extend(roster.other_ranks());
        Ranking { ranks, missing }
    }
}

/// Everything that a ranking is made from.
#[derive(Clone, Copy)]
struct Roster<'a> {
    profile: &'a Profile,
    techniques: &'a [Technique],
    members: &'a [MemberId],
    /// Indexes of members to skip.
    unused: &'a [usize],
}

impl<'a> Roster<'a> {
    fn technique(self, member: usize) -> &'a Technique {
        &self.techniques[self.members[member].technique]
    }

    fn names(self, member: usize) -> MemberNames {
        names_of(self.technique(member), &self.members[member])
    }

    /// Returns true if a row is about a member.
    fn fits(self, row: &Row, member: usize) -> bool {
        row.covers(self.technique(member), &self.members[member])
    }

    /// Returns true if some match of a member can have the name that a row asks for.
    fn may_be_called(self, row: &Row, member: usize) -> bool {
        row.called.as_ref().is_none_or(|called| may_have(&self.names(member), called))
    }

    fn rank(self, index: usize, row: &Row) -> Rank {
        let above = &self.profile.rows[..index];
        let members: Vec<usize> = (0..self.members.len())
            .filter(|&at| self.technique(at).id == row.technique && !self.unused.contains(&at))
            .filter(|&at| self.fits(row, at) && self.may_be_called(row, at))
            .filter(|&at| !above.iter().any(|past| past.takes_all() && self.fits(past, at)))
            .collect();
        let mut named = above.iter().filter(|past| past.called.is_some());
        Rank {
            row: Some(index),
            shares_members: row.called.is_some() || named.any(|past| members.iter().any(|&at| self.fits(past, at))),
            key: row.count_key(index),
            price: row.first.as_ref().and_then(RowPrice::fixed).map(|first| (first, row.again.unwrap_or(first))),
            formula: row.first.as_ref().and_then(RowPrice::clauses).map(|clauses| self.formula(clauses, &members)),
            order: self.formulas(&row.order, &members),
            groups: row
                .alike
                .as_ref()
                .map(|all| (self.formulas(&all.by, &members), self.formulas(&all.order, &members))),
            list: row.list.clone(),
            members,
        }
    }

    fn formula(self, clauses: &[String], members: &[usize]) -> Formula {
        let members: Vec<&MemberId> = members.iter().map(|&at| &self.members[at]).collect();
        Formula::new(clauses, &self.profile.named, self.techniques, &members)
    }

    fn formulas(self, order: &[String], members: &[usize]) -> Vec<Formula> {
        order.iter().map(|clause| self.formula(std::slice::from_ref(clause), members)).collect()
    }

    /// Returns ranks of members that no row takes whole, one for each technique. A member whose rows all ask for a name is among them, for
    /// its matches with other names.
    fn other_ranks(self) -> Vec<Rank> {
        let price = match self.profile.others {
            OtherTechniques::Off => return Vec::new(),
            OtherTechniques::Unpriced => None,
            OtherTechniques::After { first, again } => Some((first, again)),
        };
        let mut ranks = Vec::new();
        for (index, technique) in self.techniques.iter().enumerate() {
            let (mut members, mut shares_members) = (Vec::new(), false);
            for at in (0..self.members.len()).filter(|&at| self.members[at].technique == index) {
                let mut rows = self.profile.rows.iter().filter(|row| self.fits(row, at)).peekable();
                let has_row = rows.peek().is_some();
                if !self.unused.contains(&at) && !rows.any(Row::takes_all) {
                    members.push(at);
                    shares_members |= has_row;
                }
            }
            if !members.is_empty() {
                ranks.push(Rank { members, shares_members, key: technique.id.clone(), price, ..Rank::default() });
            }
        }
        ranks
    }

    /// Reports a row that gets no match because a row above takes all matches of its members.
    fn shadowed(self, index: usize) -> Option<MissingRow> {
        let row = &self.profile.rows[index];
        let above = self.profile.rows[..index].iter().find(|past| {
            let is_whole = !past.is_conditional() && (past.called.is_none() || past.called == row.called);
            is_whole && (0..self.members.len()).any(|at| self.fits(row, at) && self.fits(past, at))
        })?;
        let reason = format!("the row `{}` above takes all of its matches", above.label());
        Some(MissingRow { row: row.label(), reason })
    }

    /// Returns a hint for a row whose `technique` is the name of steps rather than an id.
    fn hint(self, name: &str) -> Option<String> {
        (0..self.members.len()).find_map(|at| {
            let (id, names) = (&self.technique(at).id, self.names(at));
            let field = if names.is_case(name) { "case" } else { "called" };
            names
                .has(name)
                .then(|| format!("steps of `{id}` are called so: write `technique: \"{id}\", {field}: \"{name}\"`"))
        })
    }

    /// Returns the reason why no rule fits a row, if none does.
    fn missing(self, row: &Row) -> Option<String> {
        let Some(technique) = self.techniques.iter().find(|technique| technique.id == row.technique) else {
            return Some(self.hint(&row.technique).unwrap_or_else(|| {
                let near = nearest(&row.technique, self.techniques.iter().map(|technique| technique.id.as_str()));
                let near = near.first().map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
                format!("no rule `{}` yet{near}", row.technique)
            }));
        };
        let params = &technique.params;
        if !row.args.is_empty() && row.args.len() != params.len() {
            return Some(format!("`{}` has {} parameters", technique.id, params.len()));
        }
        let is_outside = params.iter().zip(&row.args).any(|(param, range)| {
            range.high.is_some_and(|high| high < param.low) || param.high.is_some_and(|high| range.low > high)
        });
        if is_outside {
            return Some(format!("`{}` has no such member", member_label(&technique.id, &row.args)));
        }
        if row.case.is_none() && row.called.is_none() {
            return None;
        }
        let args = row.smallest_args(technique);
        let mut names = Vec::new();
        for space in std::iter::once(Space::Rc).chain(technique.views.iter().map(|view| view.space)) {
            names.extend((0..technique.variants.len()).map(|case| member_names(technique, case, &args, space)));
        }
        if let Some(case) = row.case.as_ref().filter(|case| !names.iter().any(|names| names.is_case(case))) {
            return Some(format!("`{}` has no case \"{case}\"", technique.id));
        }
        let called = row.called.as_ref().filter(|called| !names.iter().any(|names| may_have(names, called)))?;
        Some(format!("`{}` calls nothing \"{called}\"", technique.id))
    }
}

/// Returns true if some match with these names can have the name.
fn may_have(names: &MemberNames, name: &str) -> bool {
    names.depends_on_match || names.has(name)
}

/// Returns the row that a match belongs to: the first about its member and its name. A conditional row takes only matches that fit its
/// price, so of these only `own` counts.
pub fn row_of(
    profile: &Profile,
    technique: &Technique,
    member: &MemberId,
    (name, own): (&str, Option<usize>),
) -> Option<usize> {
    profile.rows.iter().enumerate().position(|(at, row)| {
        (Some(at) == own || !row.is_conditional())
            && row.covers(technique, member)
            && row.called.as_ref().is_none_or(|called| fold_name(called) == fold_name(name))
    })
}
