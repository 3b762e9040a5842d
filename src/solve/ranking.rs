//! Applies a profile to a rulebook on a board. In: rows, techniques, compiled members. Out: [`Ranking`]: the order in
//! which members are tried, and the rows without a rule; [`row_of`]: the row of a match.

use super::names::{MemberNames, fold_name, member_names, names_of, nearest};
use super::price::{Formula, RowPrice};
use super::profile::{OtherTechniques, Profile, ProfileRow};
use crate::engine::MemberId;
use crate::lang::ir::{Technique, member_label};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// Members that are tried together: the members of one row, or of one technique without a row.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rank {
    /// Index of the profile's row; `None` for a technique without a row.
    pub row: Option<usize>,
    /// Indexes of members in the engine, ascending.
    pub members: Vec<usize>,
    /// True if some matches of these members may belong to another row. In that case, all matches must be examined.
    pub shares_members: bool,
    /// Key by which uses are counted: the group of the row, `#` and its index, or the id of a technique without a row.
    pub key: String,
    /// Fixed prices of the first and of each further use, if the row has a fixed price.
    pub price: Option<(u32, u32)>,
    /// Price as an expression of the match, if the row has one.
    pub formula: Option<Formula>,
    /// Sort keys for matches of equal price; the smallest values win.
    pub order: Vec<Formula>,
    /// Group keys, then sort keys. Among matches with equal group keys, only the shortest counts; sort keys decide among
    /// equally short matches.
    pub groups: Option<(Vec<Formula>, Vec<Formula>)>,
    /// Name of the list to which the row belongs. The matches of neighbouring ranks with the same list compete by
    /// price.
    pub list: Option<String>,
}

impl Rank {
    /// Returns true if a search of the rank must compare all matches instead of taking the first.
    pub(super) fn compares_matches(&self) -> bool {
        self.list.is_some() || self.formula.is_some() || !self.order.is_empty() || self.groups.is_some()
    }
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
    pub ranks: Vec<Rank>,
    pub missing: Vec<MissingRow>,
}

impl Ranking {
    /// Sorts the members of an engine by the rows of a profile. `skipped` are indexes of members.
    pub fn new(profile: &Profile, techniques: &[Technique], members: &[MemberId], skipped: &[usize]) -> Ranking {
        let builder = RankingBuilder { profile, techniques, members, skipped };
        let rows = profile.rows.iter().enumerate().filter(|(_, row)| row.enabled);
        let mut ranks: Vec<Rank> = rows.map(|(index, row)| builder.rank(index, row)).collect();
        let rows = profile.rows.iter().filter(|row| row.enabled);
        let mut missing: Vec<MissingRow> =
            rows.filter_map(|row| Some(MissingRow { row: row.label(), reason: builder.mismatch(row)? })).collect();
        let empty_ranks = ranks.iter().filter(|rank| rank.members.is_empty());
        missing.extend(empty_ranks.filter_map(|rank| builder.shadowed_row(rank.row?)));
        ranks.extend(builder.ranks_without_row());
        Ranking { ranks, missing }
    }

    /// Returns the ranks that compete with the rank at `start`: the following ranks of its list, or only itself if it
    /// belongs to no list.
    pub(super) fn competing_ranks(&self, start: usize) -> Range<usize> {
        let list = &self.ranks[start].list;
        let length = match list {
            Some(_) => self.ranks[start..].iter().take_while(|rank| rank.list == *list).count(),
            None => 1,
        };
        start..start + length
    }
}

#[derive(Clone, Copy)]
struct RankingBuilder<'a> {
    profile: &'a Profile,
    techniques: &'a [Technique],
    members: &'a [MemberId],
    /// Indexes of members that get no rank.
    skipped: &'a [usize],
}

impl<'a> RankingBuilder<'a> {
    fn technique(self, member: usize) -> &'a Technique {
        &self.techniques[self.members[member].technique]
    }

    fn names(self, member: usize) -> MemberNames {
        names_of(self.technique(member), &self.members[member])
    }

    fn covers(self, row: &ProfileRow, member: usize) -> bool {
        row.covers(self.technique(member), &self.members[member])
    }

    fn rank(self, index: usize, row: &ProfileRow) -> Rank {
        let earlier_rows = &self.profile.rows[..index];
        let members: Vec<usize> = (0..self.members.len())
            .filter(|&member| self.technique(member).id == row.technique && !self.skipped.contains(&member))
            .filter(|&member| self.covers(row, member))
            .filter(|&member| row.match_name.as_ref().is_none_or(|name| self.names(member).may_have(name)))
            .filter(|&member| !earlier_rows.iter().any(|earlier| earlier.takes_all() && self.covers(earlier, member)))
            .collect();
        let mut earlier_named = earlier_rows.iter().filter(|earlier| earlier.match_name.is_some());
        let shares_members = row.match_name.is_some()
            || earlier_named.any(|earlier| members.iter().any(|&member| self.covers(earlier, member)));
        let groups = row.alike.as_ref();
        Rank {
            row: Some(index),
            shares_members,
            key: row.group.clone().unwrap_or_else(|| format!("#{index}")),
            price: row.first.as_ref().and_then(RowPrice::fixed).map(|first| (first, row.again.unwrap_or(first))),
            formula: row.first.as_ref().and_then(RowPrice::clauses).map(|clauses| self.formula(clauses, &members)),
            order: self.formulas(&row.order, &members),
            groups: groups.map(|groups| (self.formulas(&groups.by, &members), self.formulas(&groups.order, &members))),
            list: row.list.clone(),
            members,
        }
    }

    fn formula(self, clauses: &[String], members: &[usize]) -> Formula {
        let members: Vec<&MemberId> = members.iter().map(|&member| &self.members[member]).collect();
        Formula::new(clauses, &self.profile.named, self.techniques, &members)
    }

    fn formulas(self, clauses: &[String], members: &[usize]) -> Vec<Formula> {
        clauses.iter().map(|clause| self.formula(std::slice::from_ref(clause), members)).collect()
    }

    /// Returns one rank for each technique with members whose matches no row takes all. If every row of a member requires
    /// a name, the member is included for its matches with other names.
    fn ranks_without_row(self) -> Vec<Rank> {
        let price = match self.profile.others {
            OtherTechniques::Off => return Vec::new(),
            OtherTechniques::Unpriced => None,
            OtherTechniques::Priced { first, again } => Some((first, again)),
        };
        let mut ranks = Vec::new();
        for (index, technique) in self.techniques.iter().enumerate() {
            let mut members = Vec::new();
            let mut shares_members = false;
            for member in (0..self.members.len()).filter(|&member| self.members[member].technique == index) {
                let rows: Vec<&ProfileRow> = self.profile.rows.iter().filter(|row| self.covers(row, member)).collect();
                if !self.skipped.contains(&member) && !rows.iter().any(|row| row.takes_all()) {
                    members.push(member);
                    shares_members |= !rows.is_empty();
                }
            }
            if !members.is_empty() {
                ranks.push(Rank { members, shares_members, key: technique.id.clone(), price, ..Rank::default() });
            }
        }
        ranks
    }

    /// Reports a row that gets no match because an earlier row takes all matches of its members.
    fn shadowed_row(self, index: usize) -> Option<MissingRow> {
        let row = &self.profile.rows[index];
        let earlier = self.profile.rows[..index].iter().find(|earlier| {
            let takes_name = earlier.match_name.is_none() || earlier.match_name == row.match_name;
            let mut members = 0..self.members.len();
            !earlier.is_conditional()
                && takes_name
                && members.any(|member| self.covers(row, member) && self.covers(earlier, member))
        })?;
        let reason = format!("the row `{}` above takes all of its matches", earlier.label());
        Some(MissingRow { row: row.label(), reason })
    }

    /// Returns a hint for a row whose `technique` is the name of steps rather than an id.
    fn step_name_hint(self, name: &str) -> Option<String> {
        let member = (0..self.members.len()).find(|&member| self.names(member).has(name))?;
        let id = &self.technique(member).id;
        let field = if self.names(member).is_variant_title(name) { "case" } else { "called" };
        Some(format!("`{name}` is a name of steps of `{id}`: write `technique: \"{id}\", {field}: \"{name}\"`"))
    }

    /// Returns the reason why no rule fits a row; `None` if a rule fits.
    fn mismatch(self, row: &ProfileRow) -> Option<String> {
        let Some(technique) = self.techniques.iter().find(|technique| technique.id == row.technique) else {
            return Some(self.step_name_hint(&row.technique).unwrap_or_else(|| {
                let ids = nearest(&row.technique, self.techniques.iter().map(|technique| technique.id.as_str()));
                let suggestion = ids.first().map_or_else(String::new, |id| format!("; did you mean `{id}`?"));
                format!("no rule `{}` yet{suggestion}", row.technique)
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
        if row.variant_title.is_none() && row.match_name.is_none() {
            return None;
        }
        let args = row.smallest_args(technique);
        let mut names = Vec::new();
        for space in technique.spaces() {
            names.extend((0..technique.variants.len()).map(|variant| member_names(technique, variant, &args, space)));
        }
        if let Some(title) = &row.variant_title
            && !names.iter().any(|names| names.is_variant_title(title))
        {
            return Some(format!("`{}` has no case \"{title}\"", technique.id));
        }
        if let Some(name) = &row.match_name
            && !names.iter().any(|names| names.may_have(name))
        {
            return Some(format!("no step of `{}` has the name \"{name}\"", technique.id));
        }
        None
    }
}

/// Returns the index of the row that a match belongs to: the first row that covers its member and its name. A
/// conditional row takes only matches to which its price applies. The price was computed only for `current_row`, so
/// other conditional rows are skipped.
pub fn row_of(
    profile: &Profile,
    technique: &Technique,
    member: &MemberId,
    name: &str,
    current_row: Option<usize>,
) -> Option<usize> {
    profile.rows.iter().enumerate().position(|(index, row)| {
        (Some(index) == current_row || !row.is_conditional())
            && row.covers(technique, member)
            && row.match_name.as_ref().is_none_or(|match_name| fold_name(match_name) == fold_name(name))
    })
}
