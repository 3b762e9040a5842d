//! One search: a program run on an indexed state, its reports merged and put in order.
//!
//! In: a member and how much is wanted. Out: [`Found`]. Matches with the same effect and the same cells and
//! digits are one; chains come shortest first.

mod links;

use crate::engine::bundle::{JoinPlan, bundled, distinct, joined};
use crate::engine::chain::Links;
use crate::engine::compiled::Compiled;
use crate::engine::lens::Lens;
use crate::engine::machine::{self, Ranked, Report, SearchContext};
use crate::engine::matches::{Case, Found, LimitHit, Limits, Match, MemberId, Search};
use crate::engine::memory::Remembered;
use crate::engine::plan::{Class, Program, RowsSpec, Sort};
use crate::engine::suppose::{Memo, Supposing};
use crate::engine::tables::aim::Aim;
use crate::engine::tables::facts::Facts;
use crate::engine::tables::listed::RowTable;
use crate::engine::tables::scope::Scope;
use crate::engine::tables::{Boards, Tables};
use crate::grid::{Bits, Candidate, Geometry, State};
use crate::lang::ir::{HouseClass, Space, VarId};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// A state with what was derived from it so far.
pub(super) struct Indexed<'e, const W: usize> {
    compiled: &'e Compiled,
    tables: &'e Tables<W>,
    /// The board of the views.
    view: Option<&'e (Geometry, Tables<W>)>,
    state: &'e State,
    facts: Facts<'e, W>,
    links: Option<Links<W>>,
    /// How many strong links were derived: at most [`links::MOST`] of them are kept.
    derived: usize,
    supposed: Memo<W>,
    boards: &'e Boards<W>,
    /// What the state says as the views show it, as far as they were searched.
    views: BTreeMap<Space, Seen<'e, W>>,
    /// What was found on the states before.
    memory: Option<&'e Remembered<W>>,
}

/// A view of the state.
struct Seen<'e, const W: usize> {
    facts: Facts<'e, W>,
    /// What is in reach of the grid's links, as the view shows it.
    scope: OnceCell<Scope<W>>,
}

impl<'e, const W: usize> Indexed<'e, W> {
    pub fn new(
        compiled: &'e Compiled,
        boards: &'e Boards<W>,
        state: &'e State,
        memory: Option<&'e Remembered<W>>,
        aim: Option<&'e Aim>,
    ) -> Self {
        let (tables, view) = (&boards.plain, boards.view.as_ref());
        let mut facts = Facts::knowing(tables, state, memory.map(|memory| &memory.known));
        if let Some(aim) = aim {
            facts.aim(aim);
        }
        let (supposed, views) = (Memo::default(), BTreeMap::new());
        Indexed { compiled, tables, view, state, facts, links: None, derived: 0, supposed, boards, views, memory }
    }

    pub fn find(&mut self, member: usize, search: Search, limits: &Limits) -> Found {
        if let Some(limit) = limits.halt.due() {
            return Found { matches: Vec::new(), limits: vec![limit] };
        }
        if let Some(aim) = self.aim() {
            let mut found = self.find_apart(member, Search::Effects, limits, &[]);
            // What is put together, or seen through a view, may not be cut yet.
            aim.cut_all(&mut found.matches);
            return found;
        }
        self.find_apart(member, search, limits, &[])
    }

    fn aim(&self) -> Option<&'e Aim> {
        self.facts.aim.as_ref().map(|aimed| aimed.aim)
    }

    /// Matches that differ in the values of the names `apart` stay apart.
    fn find_apart(&mut self, member: usize, search: Search, limits: &Limits, apart: &[VarId]) -> Found {
        let mut found = match &self.compiled.members_info[member].join {
            Some(join) => self.join(member, join, limits),
            None if self.compiled.members[member].space == Space::Rc => self.plain(member, search, limits, apart),
            None => self.through(member, search, limits, apart),
        };
        if search.one() {
            found.matches.truncate(1);
        }
        found
    }

    /// The candidates that a member could eliminate at all.
    pub fn reach(&self, member: usize, limits: &Limits) -> Option<Vec<Candidate>> {
        if self.compiled.members[member].space != Space::Rc {
            let program = self.compiled.planned(member).plain();
            return Some(reach_of_views((self.tables, &self.facts), program, limits)?.gone.list());
        }
        let class = self.compiled.program(member).class?;
        Some(self.facts.scope(self.tables, class, sets_known(limits)).gone.list())
    }

    /// Searches the grid as it is.
    fn plain(&mut self, member: usize, search: Search, limits: &Limits, apart: &[VarId]) -> Found {
        let (program, rows) = self.compiled.planned(member).ready(&|spec| self.table(spec));
        // What is put together from several matches, or told by suppositions, is not told by one chain.
        let by_chain = program.supposes.is_empty() && self.compiled.members_info[member].per.is_empty();
        let longest = if by_chain && apart.is_empty() { limits.longest } else { u32::MAX };
        let limits = &Limits { longest, ..*limits };
        let trusted = self.facts.trusted();
        if program
            .one_digit
            .filter(|_| trusted)
            .is_some_and(|placed| self.facts.digits_with_eliminations(self.tables, placed).is_empty())
        {
            return Found::default();
        }
        let most = sets_known(limits);
        let class = program.class.filter(|_| !limits.in_full);
        if class.is_some_and(|class| self.facts.scope(self.tables, class, most).is_empty()) {
            return Found { matches: Vec::new(), limits: self.cut(program, limits).into_iter().collect() };
        }
        let ranked = ranked(self.compiled, member, search, limits);
        let reached = class.and_then(|class| self.facts.scope(self.tables, class, most).class);
        self.prepare_links(program, reached, limits);
        loop {
            let (compiled, boards, facts, links) = (self.compiled, self.boards, &self.facts, self.links.as_ref());
            let (state, memo, path) = (self.state, &self.supposed, self.memory);
            let supposing = Supposing { compiled, boards, state, facts, links, memo, path };
            let scope = match class {
                Some(class) => facts.scope(self.tables, class, most),
                None => facts.plain_scope(),
            };
            let context =
                SearchContext { tables: self.tables, facts, links, supposing: Some(&supposing), rows, scope, ranked };
            let mut found = run(self.compiled, member, program, &context, search, limits, apart);
            if !self.complete_links(program, reached, limits) {
                let follows = !program.graphs.is_empty() || !program.supposes.is_empty();
                let lacks_nodes = self.links.as_ref().is_some_and(Links::lacks_nodes);
                let hits = [(self.derived > links::MOST, LimitHit::Links), (lacks_nodes, LimitHit::Nodes)];
                found.limits.extend(hits.into_iter().filter(|(hit, _)| follows && *hit).map(|(_, limit)| limit));
                return found;
            }
        }
    }

    /// The rows of a table, which are the same on every state.
    fn table(&self, spec: &RowsSpec) -> Option<RowTable> {
        let facts = Facts::new(self.tables, &State::empty(&self.boards.geometry));
        let scope = facts.plain_scope();
        machine::list(
            spec,
            &SearchContext {
                tables: self.tables,
                facts: &facts,
                links: None,
                supposing: None,
                rows: &[],
                scope,
                ranked: Ranked::No,
            },
        )
    }

    /// The limit that a search of almost locked sets hits where larger ones are left out.
    fn cut(&self, program: &Program, limits: &Limits) -> Option<LimitHit> {
        let mut sorts = program.locked.iter().map(|one| one.sort).filter(|sort| matches!(sort, Sort::Locked(_)));
        sorts.any(|sort| self.facts.locked(self.tables, sort, limits.locked_cells).cut).then_some(LimitHit::LockedCells)
    }

    /// Searches a view; what is found is said of the grid, the names stay in terms of the view.
    fn through(&mut self, member: usize, search: Search, limits: &Limits, apart: &[VarId]) -> Found {
        let Some((board, tables)) = self.view else { return Found::default() };
        let space = self.compiled.members[member].space;
        let lens = Lens::new(self.tables.size, space);
        let program = self.compiled.planned(member).plain();
        let within = reach_of_views((self.tables, &self.facts), program, limits);
        if within.is_some_and(Scope::is_empty) {
            return Found::default();
        }
        let state = self.state;
        let new = || Facts::new(tables, &lens.state_on(board, state));
        let seen = self.views.entry(space).or_insert_with(|| Seen { facts: new(), scope: OnceCell::new() });
        let (facts, plain) = (&seen.facts, seen.facts.plain_scope());
        let shown = |within: &Scope<W>| lens.seen(&within.gone);
        let scope = match within {
            Some(within) => seen.scope.get_or_init(|| Scope::of(Class::Links, &shown(within), plain, tables)),
            None => plain,
        };
        let context =
            SearchContext { tables, facts, links: None, supposing: None, rows: &[], scope, ranked: Ranked::No };
        let mut found = run(self.compiled, member, program, &context, search, limits, apart);
        for one in &mut found.matches {
            for list in [&mut one.eliminations, &mut one.placements] {
                list.iter_mut().for_each(|candidate| *candidate = lens.candidate(*candidate));
                list.sort_unstable();
            }
            // A box may take from the peers of a placement what the view could not know. That what is placed is gone as well
            // is a contradiction, and is told.
            let placed = std::mem::take(&mut one.placements);
            let geometry = &self.boards.geometry;
            let taken = |gone: &Candidate, put: &Candidate| geometry.excludes(*put, *gone);
            one.eliminations.retain(|gone| !placed.iter().any(|put| taken(gone, put)));
            one.placements = placed;
        }
        found
    }

    /// Searches the members of another technique and joins what they find.
    fn join(&mut self, member: usize, join: &JoinPlan, limits: &Limits) -> Found {
        let limits = &Limits { longest: u32::MAX, ..*limits };
        if self.aim().is_some() {
            return self.join_aimed(member, join, limits);
        }
        let mut hit = BTreeSet::new();
        let mut all = Vec::new();
        for (other, names) in &join.members {
            let found = self.find_apart(*other, Search::All, limits, names);
            hit.extend(found.limits);
            all.extend(found.matches.into_iter().map(|one| (one, names.clone())));
        }
        let matches = joined(&all, &self.compiled.members[member], limits.matches);
        if matches.len() >= limits.matches {
            hit.insert(LimitHit::Matches);
        }
        Found { matches, limits: hit.into_iter().collect() }
    }

    /// A step of two shows what one of them shows: only where some member finds what counts, all of them are listed.
    fn join_aimed(&mut self, member: usize, join: &JoinPlan, limits: &Limits) -> Found {
        let mut hit = BTreeSet::new();
        let mut some = false;
        for (other, _) in &join.members {
            let found = self.find_apart(*other, Search::Effects, limits, &[]);
            hit.extend(found.limits);
            some |= !found.matches.is_empty();
        }
        if some {
            return Indexed::new(self.compiled, self.boards, self.state, None, None).join(member, join, limits);
        }
        Found { matches: Vec::new(), limits: hit.into_iter().collect() }
    }
}

/// What a rule can eliminate at all in a view, if that is bounded: what links cells and houses of a view links cells and
/// lines of the grid. None where the last place of a digit in a line is open, which a view shows as a cell with one
/// candidate.
fn reach_of_views<'f, const W: usize>(
    (tables, facts): (&Tables<W>, &'f Facts<'_, W>),
    program: &Program,
    limits: &Limits,
) -> Option<&'f Scope<W>> {
    let bounded = program.class.is_some_and(|class| class <= Class::Links) && program.locked.is_empty();
    let lines = tables.class(HouseClass::Line);
    let last = |places: &Bits<W>| lines.iter().any(|line| (*places & tables.house[line]).is_one());
    if !bounded || limits.in_full || facts.places[..tables.size].iter().any(last) {
        return None;
    }
    Some(facts.scope(tables, Class::Links, sets_known(limits))).filter(|scope| scope.class.is_some())
}

/// How many cells an almost locked set has at most for what is in reach: links take sets of the usual number of cells.
fn sets_known(limits: &Limits) -> usize {
    limits.locked_cells.max(Limits::default().locked_cells)
}

/// Whether the matches of a program must all be known before the first can be told.
///
/// With chains the shortest is wanted, which only the whole search knows, unless it lists them in that order. So it is with
/// suppositions, but where these are nested: to know the shortest tree of several levels, every candidate would have to
/// be supposed, with all that is supposed below it.
fn ranked(compiled: &Compiled, member: usize, search: Search, limits: &Limits) -> Ranked {
    let program = compiled.program(member);
    let ranked = !program.supposes.is_empty() || !program.graphs.is_empty() && !program.lists_by_length();
    match search {
        Search::Any | Search::Effect | Search::Effects => Ranked::No,
        Search::First if compiled.nests(member) => Ranked::No,
        Search::First | Search::All | Search::Each if !ranked => Ranked::No,
        Search::First if compiled.members_info[member].per.is_empty() && !limits.first_found => Ranked::Shortest,
        Search::First | Search::All | Search::Each => Ranked::Each,
    }
}

/// Runs a member's program and puts its reports in order.
fn run<const W: usize>(
    compiled: &Compiled,
    member: usize,
    program: &Program,
    context: &SearchContext<'_, W>,
    search: Search,
    limits: &Limits,
    apart: &[VarId],
) -> Found {
    let per = &compiled.members_info[member].per;
    let first_counts = search.one() && context.ranked == Ranked::No && per.is_empty();
    let mut reports: Vec<Report> = Vec::new();
    let mut hit: Vec<LimitHit> = machine::run(program, context, limits, &mut |report| {
        reports.push(report);
        !first_counts && reports.len() < limits.matches
    });
    if reports.len() >= limits.matches && !first_counts {
        hit.push(LimitHit::Matches);
    }
    reports.sort_by_key(|report| report.rank);
    if limits.first_found {
        // Of equally long arguments the one of the first case, as one comes to it who supposes candidate by candidate.
        let first = |report: &Report| report.supposed.first().and_then(|hit| hit.cases.iter().min().copied());
        reports.sort_by_key(|report| (report.rank, first(report)));
    }
    if search.one() && per.is_empty() {
        reports.truncate(1);
    }
    let supposing = context.supposing.filter(|_| search.tells());
    let cases = |report: &Report| -> Vec<Case> {
        let hits = report.supposed.iter().zip(std::iter::repeat(supposing));
        hits.flat_map(|(hit, supposing)| supposing.map(|one| one.told(hit, limits))).flatten().collect()
    };
    // To tell what suppositions come to can take longer than to find it.
    let matches = reports.into_iter().take_while(|_| !limits.halt.is_due()).map(|report| {
        let cases = cases(&report);
        matched(report, cases, &compiled.members[member])
    });
    let matches = matches.collect();
    hit.extend(limits.halt.due().filter(|limit| !hit.contains(limit)));
    // What is put together by names must not be taken for one before.
    let matches = if per.is_empty() { matches } else { bundled(distinct(matches, per), per) };
    let matches = if search == Search::Each { matches } else { distinct(matches, apart) };
    Found { matches, limits: hit }
}

fn matched(report: Report, cases: Vec<Case>, member: &MemberId) -> Match {
    Match {
        member: member.clone(),
        bindings: report.bindings,
        eliminations: report.eliminations,
        placements: report.placements,
        chain: report.chain,
        cases,
        parts: Vec::new(),
    }
}
