//! Searches one member of a rulebook in one state.
//!
//! In: a member, a [`SearchMode`] (the matches that the caller wants), and [`Limits`]. Out: a [`SearchOutcome`], the
//! matches in order.
//!
//! 1. Two tests answer without a search if nothing can be found: the templates of the digit allow no effect, or the
//!    links of the member's [`Class`] reach no candidate.
//! 2. The strong links that the program needs are derived and kept with the state.
//! 3. The machine runs the program and reports each match.
//! 4. Reports are ranked, turned into matches, and merged (`one step per`).
//!
//! A member with a view runs on a transformed board, and its matches are translated back. A joined member combines the
//! matches of other members.

use crate::engine::WidthCache;
use crate::engine::chain::{Links, Pair};
use crate::engine::compile::{Compiled, PairProgram};
use crate::engine::machine::{self, Ranked, Report, SearchContext};
use crate::engine::matches::{LimitHit, Limits, Match, SearchMode, SearchOutcome};
use crate::engine::merge::{JoinPlan, join_pairs, merge_by, remove_duplicates};
use crate::engine::plan::{Class, Program, RowsSpec, SetKind};
use crate::engine::suppose::{Memo, Supposing};
use crate::engine::tables::board::RowTable;
use crate::engine::tables::facts::{Aimed, ContradictedDigits, Facts, Wanted};
use crate::engine::tables::{BoardMasks, Boards};
use crate::engine::views::Lens;
use crate::grid::{Candidate, Geometry, State};
use crate::lang::ir::{HouseClass, Space, VarId};
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of strong links kept for one state. Nearly empty grids of large boards have more strong links than
/// fit into memory.
const MAX_LINKS: usize = 500_000;

/// A state and everything derived from it, shared by all searches in it.
pub(super) struct StateSearch<'e, const W: usize> {
    compiled: &'e Compiled,
    boards: &'e Boards<W>,
    tables: &'e BoardMasks<W>,
    state: &'e State,
    facts: Facts<'e, W>,
    /// Strong links that earlier searches derived; `None` until a program needs some.
    links: Option<Links<W>>,
    /// Number of derived strong links. At most [`MAX_LINKS`] links are kept.
    derived_links: usize,
    /// Consequences of assumptions, shared by all members.
    assumptions: Memo<W>,
    /// The state as each view shows it; entries are added by the first search of a view.
    views: BTreeMap<Space, ViewedState<'e, W>>,
    /// Facts kept from earlier states of the path.
    memory: Option<&'e WidthCache<W>>,
}

#[derive(Clone, Copy)]
struct MemberQuery<'q> {
    member: usize,
    mode: SearchMode,
    limits: &'q Limits,
    /// Names that distinguish matches: two matches that differ in the value of such a name are no duplicates. Of
    /// several duplicates, only the first is kept.
    distinct_by: &'q [VarId],
}

/// The state as one view shows it.
struct ViewedState<'e, const W: usize> {
    facts: Facts<'e, W>,
    /// Candidates within reach of links in the grid, translated to the view.
    scope: OnceCell<Wanted<W>>,
}

impl<'e, const W: usize> StateSearch<'e, W> {
    pub fn new(
        compiled: &'e Compiled,
        boards: &'e Boards<W>,
        state: &'e State,
        memory: Option<&'e WidthCache<W>>,
        aim: Option<&'e ContradictedDigits>,
    ) -> Self {
        let tables = &boards.grid;
        let mut facts = Facts::new(tables, state, memory.map(|memory| &memory.templates));
        facts.aim = aim.map(|aim| Box::new(Aimed::new(aim, &facts)));
        StateSearch {
            compiled,
            boards,
            tables,
            state,
            facts,
            links: None,
            derived_links: 0,
            assumptions: Memo::default(),
            views: BTreeMap::new(),
            memory,
        }
    }

    /// Finds the matches of a member.
    pub fn find(&mut self, member: usize, mode: SearchMode, limits: &Limits) -> SearchOutcome {
        if let Some(limit) = limits.halt.due() {
            return SearchOutcome { matches: Vec::new(), limits: vec![limit] };
        }
        let query = MemberQuery { member, mode, limits, distinct_by: &[] };
        let Some(aim) = self.aim() else { return self.answer(query) };
        let mut found = self.answer(MemberQuery { mode: SearchMode::AllEffects, ..query });
        // The machine applies the aim to single matches in the grid, not to joined matches or matches in a view.
        aim.keep_wanted_matches(&mut found.matches);
        found
    }

    /// Returns the candidates that a member can eliminate at all; `None` if links do not bound its eliminations.
    pub fn reach(&self, member: usize, limits: &Limits) -> Option<Vec<Candidate>> {
        if self.compiled.members[member].space != Space::Rc {
            let program = self.compiled.lazy_program(member).without_tables();
            return Some(reach_of_view(self.tables, &self.facts, program, limits)?.eliminations.list());
        }
        let class = self.compiled.program(member).class?;
        Some(self.facts.scope(self.tables, class, max_als_cells(limits)).eliminations.list())
    }

    fn aim(&self) -> Option<&'e ContradictedDigits> {
        self.facts.aim.as_ref().map(|aimed| aimed.aim)
    }

    fn answer(&mut self, query: MemberQuery<'_>) -> SearchOutcome {
        let space = self.compiled.members[query.member].space;
        let mut found = match &self.compiled.members_info[query.member].join {
            Some(join) => self.find_joined(join, query.member, query.limits),
            None if space == Space::Rc => self.find_in_grid(query),
            None => self.find_in_view(space, query),
        };
        if query.mode.wants_one() {
            found.matches.truncate(1);
        }
        found
    }

    fn find_in_grid(&mut self, query: MemberQuery<'_>) -> SearchOutcome {
        let (program, rows) = self.compiled.lazy_program(query.member).with_tables(&|spec| self.board_table(spec));
        if self.templates_exclude(program) {
            return SearchOutcome::default();
        }
        let limits = &Limits { max_length: self.longest_chain(query, program), ..*query.limits };
        let query = MemberQuery { limits, ..query };
        let als_cells = max_als_cells(limits);
        let class = if limits.ignore_reach { None } else { program.class };
        if class.is_some_and(|class| self.facts.scope(self.tables, class, als_cells).is_empty()) {
            let limits = self.als_limit_hit(program, limits).into_iter().collect();
            return SearchOutcome { limits, ..SearchOutcome::default() };
        }
        let class_in_reach = class.and_then(|class| self.facts.scope(self.tables, class, als_cells).class);
        self.prepare_links(program, class_in_reach, limits);
        // A loop may need the consequences of links with just one true end. These consequences are expensive, so they
        // are derived only if a search asks for them. The search is then repeated.
        loop {
            let mut found = self.run_in_grid(query, program, rows, class);
            if !self.complete_links(program, class_in_reach, limits) {
                found.limits.extend(self.link_limits_hit(program));
                return found;
            }
        }
    }

    fn run_in_grid(
        &self,
        query: MemberQuery<'_>,
        program: &Program,
        rows: &[RowTable],
        class: Option<Class>,
    ) -> SearchOutcome {
        let supposing = Supposing {
            compiled: self.compiled,
            boards: self.boards,
            state: self.state,
            facts: &self.facts,
            links: self.links.as_ref(),
            memo: &self.assumptions,
            path: self.memory,
        };
        let context = SearchContext {
            tables: self.tables,
            facts: &self.facts,
            links: self.links.as_ref(),
            supposing: Some(&supposing),
            rows,
            scope: match class {
                Some(class) => self.facts.scope(self.tables, class, max_als_cells(query.limits)),
                None => self.facts.unrestricted_scope(),
            },
            ranked: ranking(self.compiled, query),
        };
        run(self.compiled, query, program, &context)
    }

    /// Finds the matches of a member in a view and translates their effects to the grid. Bindings stay in terms of the
    /// view.
    fn find_in_view(&mut self, space: Space, query: MemberQuery<'_>) -> SearchOutcome {
        let Some((board, tables)) = self.boards.view.as_ref() else { return SearchOutcome::default() };
        let lens = Lens::new(self.tables.size, space);
        let program = self.compiled.lazy_program(query.member).without_tables();
        let reach = reach_of_view(self.tables, &self.facts, program, query.limits);
        if reach.is_some_and(Wanted::is_empty) {
            return SearchOutcome::default();
        }
        let state = self.state;
        let viewed = self.views.entry(space).or_insert_with(|| ViewedState {
            facts: Facts::new(tables, &lens.state_on_board(board, state), None),
            scope: OnceCell::new(),
        });
        let everything = viewed.facts.unrestricted_scope();
        let scope = match reach {
            Some(reach) => viewed.scope.get_or_init(|| {
                Wanted::within_reach(Class::Links, &lens.candidates_in_view(&reach.eliminations), everything, tables)
            }),
            None => everything,
        };
        let mut found = run(self.compiled, query, program, &unranked_context(tables, &viewed.facts, scope));
        for in_view in &mut found.matches {
            translate_effects(in_view, lens, &self.boards.geometry);
        }
        found
    }

    /// Joins the matches of other members in pairs.
    ///
    /// A pair fits the aim of the search only if one of its parts fits the aim. If no part fits, there is nothing to
    /// join. If some part fits, the other part of its pair may not fit, so the search runs again without the aim.
    fn find_joined(&mut self, join: &JoinPlan, member: usize, limits: &Limits) -> SearchOutcome {
        // A joined match has the chain of its first part, so a limit on its length says nothing about the parts.
        let limits = &Limits { max_length: u32::MAX, ..*limits };
        let has_aim = self.aim().is_some();
        let mut limits_hit = BTreeSet::new();
        let mut parts = Vec::new();
        for (other, names) in join {
            let (mode, distinct_by) =
                if has_aim { (SearchMode::AllEffects, &[][..]) } else { (SearchMode::All, &names[..]) };
            let found = self.answer(MemberQuery { member: *other, mode, limits, distinct_by });
            limits_hit.extend(found.limits);
            parts.extend(found.matches.into_iter().map(|part| (part, names.clone())));
        }
        if has_aim && !parts.is_empty() {
            let mut without_aim = StateSearch::new(self.compiled, self.boards, self.state, None, None);
            return without_aim.find_joined(join, member, limits);
        }
        let matches = join_pairs(&parts, &self.compiled.members[member], limits.matches);
        if matches.len() >= limits.matches {
            limits_hit.insert(LimitHit::Matches);
        }
        SearchOutcome { matches, limits: limits_hit.into_iter().collect() }
    }

    /// Returns true if a proved rule about a single digit can't eliminate or place anything, by the templates of all
    /// digits.
    fn templates_exclude(&self, program: &Program) -> bool {
        let Some(may_place) = program.one_digit else { return false };
        self.facts.trusts_rules() && self.facts.digits_with_eliminations(self.tables, may_place).is_empty()
    }

    /// The longest chain to report. A merged match or a match with assumptions does not consist of one chain, so the
    /// caller's limit does not apply to such a match.
    fn longest_chain(&self, query: MemberQuery<'_>, program: &Program) -> u32 {
        let is_merged = !self.compiled.members_info[query.member].merge_by.is_empty() || !query.distinct_by.is_empty();
        if is_merged || !program.supposes.is_empty() { u32::MAX } else { query.limits.max_length }
    }

    /// The limit on the size of almost locked sets, if the limit left out some sets.
    fn als_limit_hit(&self, program: &Program, limits: &Limits) -> Option<LimitHit> {
        let mut kinds =
            program.locked.iter().map(|choice| choice.sort).filter(|kind| matches!(kind, SetKind::Locked(_)));
        let was_cut = kinds.any(|kind| self.facts.als_table(self.tables, kind, limits.locked_cells).is_cut);
        was_cut.then_some(LimitHit::LockedCells)
    }

    /// The limits on strong links and on nodes of chains that left out some links or nodes. Empty if the program uses
    /// no links.
    fn link_limits_hit(&self, program: &Program) -> Vec<LimitHit> {
        let mut hit = Vec::new();
        if program.graphs.is_empty() && program.supposes.is_empty() {
            return hit;
        }
        if self.derived_links > MAX_LINKS {
            hit.push(LimitHit::Links);
        }
        if self.links.as_ref().is_some_and(Links::lacks_nodes) {
            hit.push(LimitHit::Nodes);
        }
        hit
    }

    /// Lists the rows of a board table, which are the same in every state.
    fn board_table(&self, spec: &RowsSpec) -> Option<RowTable> {
        let facts = Facts::new(self.tables, &State::empty(&self.boards.geometry), None);
        machine::list(spec, &unranked_context(self.tables, &facts, facts.unrestricted_scope()))
    }

    /// Derives the strong links that a program uses. With a class, links that no elimination within reach of the class
    /// needs may be left out.
    fn prepare_links(&mut self, program: &Program, class: Option<Class>, limits: &Limits) {
        let graphs = program.graphs.iter().flat_map(|graph| graph.strong.iter().copied());
        let wanted: BTreeSet<usize> =
            graphs.chain(program.supposes.iter().flat_map(|suppose| suppose.by.sources())).collect();
        if program.graphs.is_empty() && wanted.is_empty() {
            return;
        }
        let names = &self.compiled.source_names;
        let mut links = self.links.take().unwrap_or_else(|| Links::new(self.tables, &self.facts, names));
        let mut derived_links = self.derived_links;
        let within = self.link_bound(program, class);
        for source in wanted {
            let pairs = &self.compiled.sources[source].program().pairs;
            let within = if pairs.program.class == within { within } else { None };
            if !links.has_source(source, within) {
                links.begin_source(source, within);
                self.derive_pairs(pairs, within, limits, &mut |pair| {
                    derived_links += 1;
                    let has_room = derived_links <= MAX_LINKS;
                    if has_room {
                        links.add_pair(self.tables, &self.facts, source, pair);
                    }
                    has_room
                });
            }
        }
        self.links = Some(links);
        self.derived_links = derived_links;
    }

    /// Returns the class whose reach bounds all eliminations by the links of a program. Only the widest class is used
    /// as a bound: links that a narrower class leaves out would have to be derived again for other programs.
    fn link_bound(&self, program: &Program, class: Option<Class>) -> Option<Class> {
        if class != Some(Class::Sets) || !program.shows_by_links() {
            return None;
        }
        let mut sources = program.graphs.iter().flat_map(|graph| &graph.strong);
        let all_have_class =
            sources.all(|&source| self.compiled.sources[source].program().pairs.program.class.is_some());
        if all_have_class { class } else { None }
    }

    /// Runs a link source. Only the flags that cancel the search are taken from the caller's limits; all other limits
    /// have their defaults. The links are kept for later searches, so they must not depend on the limits of the first
    /// search that needs them.
    fn derive_pairs(
        &self,
        PairProgram { program, ends }: &PairProgram,
        within: Option<Class>,
        limits: &Limits,
        consume: &mut dyn FnMut(Pair<W>) -> bool,
    ) {
        let scope = match within {
            Some(class) => self.facts.scope(self.tables, class, max_als_cells(limits)),
            None => self.facts.unrestricted_scope(),
        };
        let context = unranked_context(self.tables, &self.facts, scope);
        machine::pairs(program, ends, &context, &Limits { halt: limits.halt, ..Limits::default() }, consume);
    }

    /// Derives the consequences of links with just one true end if a search asked for these consequences. Returns true
    /// if the search must be repeated.
    fn complete_links(&mut self, program: &Program, class: Option<Class>, limits: &Limits) -> bool {
        if !self.links.as_ref().is_some_and(Links::wants_extras) {
            return false;
        }
        let Some(mut links) = self.links.take() else { return false };
        let within = self.link_bound(program, class);
        for &source in program.graphs.iter().flat_map(|graph| &graph.strong) {
            if !links.has_extras(source) {
                let mut pairs = Vec::new();
                if let Some(program) = &self.compiled.sources[source].program().with_conclusions {
                    let within = if program.program.class == within { within } else { None };
                    self.derive_pairs(program, within, limits, &mut |pair| {
                        pairs.push(pair);
                        true
                    });
                }
                links.add_extras(&self.facts, source, pairs);
            }
        }
        self.links = Some(links);
        true
    }
}

/// Context of a search without links, assumptions and tables of the board, which lists matches in the order found.
fn unranked_context<'a, const W: usize>(
    tables: &'a BoardMasks<W>,
    facts: &'a Facts<'a, W>,
    scope: &'a Wanted<W>,
) -> SearchContext<'a, W> {
    SearchContext { tables, facts, links: None, supposing: None, rows: &[], scope, ranked: Ranked::No }
}

/// Returns the candidates that a rule can eliminate in a view, or `None` if links in the grid do not bound these
/// candidates.
///
/// Links between cells and houses of a view are links between cells and lines of the grid. So the rule can eliminate
/// only candidates that links of the grid reach. An exception is a digit with one place left in a line: the view shows
/// a cell with one candidate, which needs no link.
fn reach_of_view<'f, const W: usize>(
    tables: &BoardMasks<W>,
    facts: &'f Facts<'_, W>,
    program: &Program,
    limits: &Limits,
) -> Option<&'f Wanted<W>> {
    let is_bounded = program.class.is_some_and(|class| class <= Class::Links) && program.locked.is_empty();
    if !is_bounded || limits.ignore_reach || has_last_place_in_line(tables, facts) {
        return None;
    }
    let scope = facts.scope(tables, Class::Links, max_als_cells(limits));
    if scope.class.is_some() { Some(scope) } else { None }
}

fn has_last_place_in_line<const W: usize>(tables: &BoardMasks<W>, facts: &Facts<'_, W>) -> bool {
    let mut lines = tables.class(HouseClass::Line).iter().map(|line| &tables.cells_of_house[line]);
    lines.any(|line| facts.places[..tables.size].iter().any(|places| (*places & *line).is_one()))
}

/// Translates the effects of a match from a view to the grid.
///
/// The view doesn't know boxes, so a placement in the grid may exclude a candidate that the match also eliminates; that
/// elimination is dropped. A candidate that is both placed and eliminated is a contradiction and stays.
fn translate_effects(found: &mut Match, lens: Lens, geometry: &Geometry) {
    for effects in [&mut found.eliminations, &mut found.placements] {
        for candidate in effects.iter_mut() {
            *candidate = lens.candidate_in_grid(*candidate);
        }
        effects.sort_unstable();
    }
    let placements = &found.placements;
    found.eliminations.retain(|&eliminated| !placements.iter().any(|&placed| geometry.excludes(placed, eliminated)));
}

/// Returns the size of the largest almost locked sets for the computation of reach. The result is at least the default
/// size: links use sets up to the default size even if a caller sets a lower limit.
fn max_als_cells(limits: &Limits) -> usize {
    limits.locked_cells.max(Limits::default().locked_cells)
}

/// Returns the order in which the machine lists matches while it searches.
///
/// With chains or assumptions, the caller wants the shortest match. Unless the program lists matches by length, the
/// shortest match is known only at the end. Nested assumptions are an exception: finding the shortest match would
/// require assuming every candidate on every level, so the first match is taken.
fn ranking(compiled: &Compiled, query: MemberQuery<'_>) -> Ranked {
    let program = compiled.program(query.member);
    let is_merged = !compiled.members_info[query.member].merge_by.is_empty();
    let length_matters = !program.supposes.is_empty() || !program.graphs.is_empty() && !program.lists_by_length();
    match query.mode {
        SearchMode::AnyMatch | SearchMode::AnyEffects | SearchMode::AllEffects => Ranked::No,
        SearchMode::First if compiled.nests_assumptions(query.member) => Ranked::No,
        SearchMode::First | SearchMode::All | SearchMode::AllWithDuplicates if !length_matters => Ranked::No,
        SearchMode::First if !is_merged && !query.limits.first_found => Ranked::Shortest,
        SearchMode::First | SearchMode::All | SearchMode::AllWithDuplicates => Ranked::Each,
    }
}

/// Runs a program and turns its reports into matches: ranked, described, merged.
fn run<const W: usize>(
    compiled: &Compiled,
    query: MemberQuery<'_>,
    program: &Program,
    context: &SearchContext<'_, W>,
) -> SearchOutcome {
    let MemberQuery { member, mode, limits, distinct_by } = query;
    let merge_names = &compiled.members_info[member].merge_by;
    let stops_at_first = mode.wants_one() && context.ranked == Ranked::No && merge_names.is_empty();
    let mut reports: Vec<Report> = Vec::new();
    let mut limits_hit = machine::run(program, context, limits, &mut |report| {
        reports.push(report);
        !stops_at_first && reports.len() < limits.matches
    });
    if reports.len() >= limits.matches && !stops_at_first {
        limits_hit.push(LimitHit::Matches);
    }
    // With [`Limits::first_found`], reports of equal rank are sorted by their first case.
    reports.sort_by_key(|report| {
        let hit = report.supposed.first().filter(|_| limits.first_found);
        (report.rank, hit.and_then(|hit| hit.cases.iter().min().copied()))
    });
    if mode.wants_one() && merge_names.is_empty() {
        reports.truncate(1);
    }
    let supposing = if mode.wants_cases() { context.supposing } else { None };
    let mut matches = Vec::new();
    for report in reports {
        // Tracing the inferences of a match with assumptions can take longer than finding the match.
        if limits.halt.is_due() {
            break;
        }
        let cases = match supposing {
            Some(supposing) => report.supposed.iter().flat_map(|hit| supposing.told(hit, limits)).collect(),
            None => Vec::new(),
        };
        matches.push(Match {
            member: compiled.members[member].clone(),
            bindings: report.bindings,
            eliminations: report.eliminations,
            placements: report.placements,
            chain: report.chain,
            cases,
            parts: Vec::new(),
        });
    }
    if let Some(limit) = limits.halt.due()
        && !limits_hit.contains(&limit)
    {
        limits_hit.push(limit);
    }
    if !merge_names.is_empty() {
        matches = merge_by(merge_names, remove_duplicates(merge_names, matches));
    }
    if mode != SearchMode::AllWithDuplicates {
        matches = remove_duplicates(distinct_by, matches);
    }
    SearchOutcome { matches, limits: limits_hit }
}
