//! In which order names get their values. In: constraints and estimates of how much each one narrows. Out: the
//! order with the least estimated work: the sum over all prefixes of how many ways there are to choose them.
//!
//! A bad order costs twenty times as much as interpretation does, so the search keeps several best prefixes
//! at each length (a beam) and two prefixes with the same names count as one.

use super::build::Builder;
use super::constraints::Constraints;
use super::groups::Group;
use super::targets::TargetPlan;
use crate::lang::ir::{HouseClass, Kind, Origin, VarId, VarShape};
use std::collections::BTreeMap;

/// How many prefixes are kept at each length.
const BEAM: usize = 16;

/// What it costs to look at a row of a table, as part of what a step of a loop costs.
const ROW: f64 = 0.15;

/// One thing to do next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Item {
    /// Choose a value for a name.
    Name(VarId),
    /// Choose a row: values for all names of a group.
    Rows(usize),
    /// Search a pattern in the graph, which gives values to its names.
    Graph(usize),
    /// Suppose something, which gives values to literals.
    Suppose(usize),
}

#[derive(Clone)]
struct Prefix {
    bound: u64,
    items: Vec<Item>,
    /// How many names they give values to; a pattern or a supposition counts as one.
    length: usize,
    ways: f64,
    work: f64,
}

/// Chooses the order. Names without a way to get a value are left out; the compiler reports them.
pub(super) fn choose(builder: &Builder<'_>, constraints: &Constraints, groups: &[Group]) -> Vec<Item> {
    let planner = Planner { targets: TargetPlan::of(builder.variant), builder, constraints, groups };
    let start = planner.close(Prefix { bound: 0, items: Vec::new(), length: 0, ways: 1.0, work: 0.0 });
    let mut levels = BTreeMap::from([(0, BTreeMap::from([(start.bound, start)]))]);
    let mut best = Vec::new();
    while let Some((_, level)) = levels.pop_first() {
        let mut beam: Vec<Prefix> = level.into_values().collect();
        beam.sort_by(|a, b| a.work.total_cmp(&b.work).then_with(|| a.items.cmp(&b.items)));
        beam.truncate(BEAM);
        for extended in beam.iter().flat_map(|prefix| planner.extensions(prefix)) {
            let next: &mut BTreeMap<u64, Prefix> = levels.entry(extended.length).or_default();
            match next.get(&extended.bound) {
                Some(known) if known.work <= extended.work => {}
                _ => {
                    next.insert(extended.bound, extended);
                }
            }
        }
        best = beam.swap_remove(0).items;
    }
    best
}

struct Planner<'a> {
    targets: TargetPlan,
    builder: &'a Builder<'a>,
    constraints: &'a Constraints,
    groups: &'a [Group],
}

impl Planner<'_> {
    fn is_bound(prefix: &Prefix, var: VarId) -> bool {
        prefix.bound >> var.0 & 1 == 1
    }

    fn all_bound(prefix: &Prefix, names: &[VarId]) -> bool {
        names.iter().all(|&name| Self::is_bound(prefix, name))
    }

    /// Adds the defined names whose parts are all known.
    fn close(&self, mut prefix: Prefix) -> Prefix {
        loop {
            let before = prefix.bound;
            for (var, value) in &self.constraints.lets {
                if Self::all_bound(&prefix, &value.names()) {
                    prefix.bound |= 1 << var.0;
                }
            }
            if prefix.bound == before {
                return prefix;
            }
        }
    }

    fn extensions(&self, prefix: &Prefix) -> Vec<Prefix> {
        let mut out = Vec::new();
        for index in 0..self.builder.variant.vars.len() {
            let var = VarId(index);
            if !Self::is_bound(prefix, var)
                && let Some(ways) = self.ways(prefix, var)
            {
                out.push(self.extend(prefix, Item::Name(var), &[var], ways));
            }
        }
        for (index, group) in self.groups.iter().enumerate() {
            let open: Vec<VarId> = group.names.iter().copied().filter(|&name| !Self::is_bound(prefix, name)).collect();
            let fixed = |at: usize| group.conditions.contains(&at);
            if open.len() > 1
                && let Some(ways) = self.ways_together(prefix, &open, &|_| true)
                && let Some(rows) = self.ways_together(prefix, &open, &fixed)
            {
                let mut next = self.extend(prefix, Item::Rows(index), &open, ways);
                next.work += prefix.ways * rows * ROW;
                out.push(next);
            }
        }
        for (index, graph) in self.constraints.graphs.iter().enumerate() {
            let item = Item::Graph(index);
            let ready = graph.digits.as_ref().is_none_or(|on| Self::all_bound(prefix, &on.names()));
            if ready && !prefix.items.contains(&item) {
                let names = graph.names();
                let known = names.iter().filter(|&&name| Self::is_bound(prefix, name)).count();
                out.push(self.extend(prefix, item, &names, 20.0 * 0.3f64.powi(known as i32)));
            }
        }
        for (index, suppose) in self.constraints.supposes.iter().enumerate() {
            let item = Item::Suppose(index);
            let (needs, gives) = super::constraints::suppose_names(suppose);
            if Self::all_bound(prefix, &needs) && !prefix.items.contains(&item) {
                // What is supposed is tried last: it costs far more than a test.
                out.push(self.extend(prefix, item, &gives, 1_000.0));
            }
        }
        out
    }

    fn extend(&self, prefix: &Prefix, item: Item, names: &[VarId], ways: f64) -> Prefix {
        let mut next = prefix.clone();
        next.items.push(item);
        next.length += if matches!(item, Item::Rows(_)) { names.len() } else { 1 };
        names.iter().for_each(|name| next.bound |= 1 << name.0);
        next = self.close(next);
        let tests = self
            .constraints
            .list
            .iter()
            .filter(|one| !Self::all_bound(prefix, &one.names) && Self::all_bound(&next, &one.names))
            .filter(|one| one.names.len() > 1)
            .count();
        // Looking at a way costs something even where tests leave less than one on average.
        next.work = prefix.work + prefix.ways * (ways + 1.0);
        next.ways = prefix.ways * ways * 0.8f64.powi(tests as i32);
        next
    }

    /// How many rows there are on average; what the board wants of them leaves a part of those that names leave one by one.
    /// Only conditions that `counts` admits by their place in the list are looked at.
    fn ways_together(&self, prefix: &Prefix, open: &[VarId], counts: &dyn Fn(usize) -> bool) -> Option<f64> {
        let mut prefix = prefix.clone();
        open.iter().try_fold(0.5, |all, &name| {
            let ways = self.ways_by(&prefix, name, counts)?;
            prefix.bound |= 1 << name.0;
            Some(all * ways)
        })
    }

    /// How many values a name can take here on average; `None` while it cannot be chosen yet.
    fn ways(&self, prefix: &Prefix, var: VarId) -> Option<f64> {
        self.ways_by(prefix, var, &|_| true)
    }

    fn ways_by(&self, prefix: &Prefix, var: VarId, counts: &dyn Fn(usize) -> bool) -> Option<f64> {
        let variant = self.builder.variant;
        let declared = variant.var(var);
        if matches!(declared.origin, Origin::Let | Origin::Index) {
            return None;
        }
        if declared.shape == VarShape::Family {
            let family = self.constraints.families.iter().find(|family| family.var == var)?;
            let ready = Self::all_bound(prefix, &family.of.names())
                && family
                    .conditions
                    .iter()
                    .all(|one| one.names.iter().all(|&n| n == var || n == family.index || Self::is_bound(prefix, n)));
            return ready.then_some(1.5);
        }
        let bound = |name: VarId| Self::is_bound(prefix, name);
        if super::sorts::sort(&self.constraints.list, var).is_some() {
            let share = if self.targets.cuts(var, &bound) { 0.15 } else { 1.0 };
            return Some(share * super::sorts::ways(self.constraints, var, &bound));
        }
        let mut ways = match declared.kind {
            Kind::Cell => 45.0,
            Kind::Digit => 9.0,
            Kind::House(HouseClass::Any) => 27.0,
            Kind::House(HouseClass::Line) => 18.0,
            Kind::House(_) => 9.0,
            Kind::Candidate if self.chosen_alone(var) => 150.0,
            _ => return None,
        };
        let only_by_chain = declared.origin == Origin::Pattern
            && self.constraints.graphs.iter().any(|graph| graph.names().contains(&var));
        if only_by_chain && !self.constraints.list.iter().any(|one| one.names.contains(&var)) {
            return None;
        }
        for (_, constraint) in self.constraints.list.iter().enumerate().filter(|(at, _)| counts(*at)) {
            let found = constraint.narrowing(self.builder.known, &bound, var);
            ways *= found.iter().map(|one| one.share).product::<f64>();
        }
        if declared.shape == VarShape::Set {
            return Some(2.0 + ways * ways);
        }
        Some(ways.max(0.05))
    }

    /// Whether a candidate is chosen by its declaration; chains give a value to their ends themselves.
    fn chosen_alone(&self, var: VarId) -> bool {
        let declared = self.builder.variant.var(var);
        let by_graph = self.constraints.graphs.iter().any(|graph| graph.names().contains(&var));
        declared.shape == VarShape::Single && declared.origin == Origin::Chosen && !by_graph
    }
}
