//! A rule as a question. In: a case of a rule, its arguments, and the world to read it in. Out: an [`Encoder`] in which the
//! pattern is demanded, names have values, and mere renamings are excluded.
//!
//! On a board, of many placements that differ by an exchange of rows, columns, bands or stacks only one is kept. Rules speak
//! of houses and visibility only, so a result for a placement holds for its image under every permutation of cells that
//! preserves the houses. The exchanges used here are checked against the board; if one of them does not preserve it, none
//! is used.

use super::circuit::Circuit;
use super::encode::{Bound, Concluded, Encoder, LinkRules, Scope, TargetLits, Unnamed};
use super::encode::{board_layout, board_world, free_world};
use super::prover::{Prover, RuleCase};
use super::solver::{Lit, SatAnswer};
use super::verdict::Refusal;
use crate::grid::{Cell, Geometry, House, HouseKind, State};
use crate::lang::ir::{Condition, LinkShape, LinkSource, Node, Statement, Technique, VarShape, Variant};
use std::collections::BTreeSet;

/// Half of the largest board.
const MOST_HALF: u32 = 12;

/// The world in which a rule is read.
#[derive(Clone, Copy)]
pub(super) enum WorldKind<'g> {
    /// From the cited facts alone, on any board.
    Anywhere,
    /// On this board, up to the names of digits and the symmetries of the board.
    Board(&'g Geometry),
    /// On this board, with all of its states, including those that differ only by a symmetry.
    State(&'g Geometry),
}

/// Encoding of chains of open length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chains {
    /// By what it proves of its ends.
    Ends,
    /// Link by link, with this many strong links.
    Links(usize),
}

/// A rule read on the board, with a freely chosen candidate.
pub(super) struct Posed<'r> {
    pub encoder: Encoder<'r>,
    pub target: TargetLits,
    pub concluded: Concluded,
    /// The target is wrongly concluded.
    pub wrong: Lit,
}

impl Prover<'_> {
    /// Reads a variant and demands its pattern.
    pub(super) fn pose<'a>(
        &'a self,
        kind: WorldKind<'_>,
        rule: RuleCase<'a>,
        chains: Chains,
    ) -> Result<Encoder<'a>, Refusal> {
        let mut encoder = self.begin(kind, rule)?;
        for statement in &rule.variant.body {
            if self.cancellation.is_requested() {
                return Err(Refusal::GivenUp);
            }
            let demands = self.demands(&mut encoder, statement, chains)?;
            demands.into_iter().for_each(|demand| encoder.circuit.clause(&[demand]));
        }
        if !matches!(kind, WorldKind::State(_)) {
            encoder.order_digits()?;
        }
        if let WorldKind::Board(geometry) = kind {
            break_symmetry(&mut encoder, geometry);
        }
        if rule.unique {
            encoder.demand_exchanges()?;
        }
        Ok(encoder)
    }

    /// Reads the names of a variant, of whose pattern nothing is demanded yet.
    pub(super) fn begin<'a>(&'a self, kind: WorldKind<'_>, rule: RuleCase<'a>) -> Result<Encoder<'a>, Refusal> {
        let RuleCase { variant, args, unique } = rule;
        let mut circuit = Circuit::new(self.cancellation.clone(), self.transcript.next(), self.limits.literals);
        let (world, layout, unnamed, half) = match kind {
            WorldKind::Anywhere => {
                let (world, layout, unnamed) = free_world(&mut circuit, variant, args, MOST_HALF)?;
                (world, layout, unnamed, MOST_HALF)
            }
            WorldKind::Board(geometry) | WorldKind::State(geometry) => {
                let world = board_world(&mut circuit, geometry);
                let layout = board_layout(variant, world.count(), world.houses.len(), geometry.size());
                (world, layout, Unnamed::default(), geometry.size() as u32 / 2)
            }
        };
        let mut encoder = Encoder::new(circuit, world, Scope::new(variant, args), unnamed, half);
        if unique || asks_the_puzzle(variant) {
            encoder.world.open_puzzle(&mut encoder.circuit);
        }
        encoder.bind_names(&layout, !matches!(kind, WorldKind::State(_)))?;
        Ok(encoder)
    }

    /// Literals that a statement demands; for patterns of links, those that their lemmas provide or that lay them out.
    fn demands<'a>(
        &'a self,
        encoder: &mut Encoder<'a>,
        statement: &Statement,
        chains: Chains,
    ) -> Result<Vec<Lit>, Refusal> {
        let Some(graph) = statement.graph() else {
            return match (statement, chains) {
                (Statement::Suppose(suppose), Chains::Ends) => encoder.suppose_facts(suppose),
                _ => encoder.demands(statement),
            };
        };
        let sources = match (&graph.shape, chains) {
            (LinkShape::Chain(_), _) | (LinkShape::Cluster(_), Chains::Links(_)) => self.sources_of(&graph.strong)?,
            _ => Vec::new(),
        };
        let links = LinkRules { on: graph.digits.as_ref(), sources: &sources };
        match (&graph.shape, chains) {
            (LinkShape::Chain(chain), Chains::Ends) => encoder.chain_facts(chain, links),
            (LinkShape::Chain(chain), Chains::Links(strong)) => encoder.chain_links(chain, links, strong),
            (LinkShape::Cluster(cluster), Chains::Ends) => encoder.cluster_facts(links.on, cluster),
            (LinkShape::Cluster(cluster), Chains::Links(strong)) => encoder.cluster_links(cluster, links, strong + 1),
            (LinkShape::Loop(round), Chains::Ends) => encoder.loop_facts(links.on, round),
            (LinkShape::Ring(ring), Chains::Ends) => encoder.ring_facts(links.on, ring),
            (LinkShape::Loop(_) | LinkShape::Ring(_), Chains::Links(_)) => encoder.demands(statement),
        }
    }

    /// The sources that these names stand for.
    pub(super) fn sources_of(&self, names: &[String]) -> Result<Vec<&LinkSource>, Refusal> {
        let found = names.iter().map(|name| self.source_named(name).ok_or_else(|| Refusal::NoSource(name.clone())));
        found.collect()
    }

    /// The source with this name.
    pub(super) fn source_named(&self, name: &str) -> Option<&LinkSource> {
        self.sources.iter().find(|source| source.id == name)
    }

    /// Encodes a variant on the board.
    pub(super) fn pose_board<'r>(&'r self, rule: RuleCase<'r>, chains: Chains) -> Result<Posed<'r>, Refusal> {
        self.pose_at(WorldKind::Board(self.geometry), rule, chains)
    }

    /// Encodes a variant on a board, with a target.
    fn pose_at<'r>(&'r self, kind: WorldKind<'_>, rule: RuleCase<'r>, chains: Chains) -> Result<Posed<'r>, Refusal> {
        let mut encoder = self.pose(kind, rule, chains)?;
        let target = encoder.target();
        let concluded = encoder.concluded(&rule.variant.conclusions, &target)?;
        let eliminated = encoder.circuit.and2(concluded.eliminated, target.is_true);
        let placed = encoder.circuit.and2(concluded.placed, !target.is_true);
        let wrong = encoder.circuit.or2(eliminated, placed);
        Ok(Posed { encoder, target, concluded, wrong })
    }

    /// Reads one member in a state of the prover's board that has a solution. `None` if a construct has no exact encoding,
    /// or if the limit on conflicts is reached.
    pub fn reading(&self, technique: &Technique, args: &[u32], variant: usize, state: &State) -> Option<StateReading> {
        let variant = technique.variants.get(variant)?;
        let rule = RuleCase { variant, args, unique: false };
        let Posed { mut encoder, wrong, .. } =
            self.pose_at(WorldKind::State(self.geometry), rule, Chains::Ends).ok()?;
        if encoder.loose.is_some() {
            return None;
        }
        for (cell, lits) in self.geometry.cells().zip(&encoder.world.cells) {
            let mut facts = vec![lits.unsolved.signed(state.value(cell).is_none())];
            for digit in 0..self.geometry.size() {
                facts.push(lits.candidate[digit].signed(state.candidates(cell).0 >> digit & 1 == 1));
                facts.extend(
                    lits.open.get(digit).map(|lit| lit.signed(state.initial_candidates(cell).0 >> digit & 1 == 1)),
                );
            }
            facts.extend(state.value(cell).map(|value| lits.solution[value.index()]));
            facts.into_iter().for_each(|fact| encoder.circuit.clause(&[fact]));
        }
        let [matches, wrong] = [vec![], vec![wrong]].map(|assumed| match encoder.solve(&assumed, self.limits.board) {
            SatAnswer::Yes(_) => Some(true),
            SatAnswer::No => Some(false),
            SatAnswer::Limit => None,
        });
        Some(StateReading { matches: matches?, wrong: wrong? })
    }
}

/// Result of reading a rule in one state. Used to compare the encoder with the reference evaluator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateReading {
    /// True if the pattern matches.
    pub matches: bool,
    /// True if a match has an elimination or placement that some solution of the state contradicts.
    pub wrong: bool,
}

/// Statements about which only lemmas are known: patterns of links, and assumptions.
pub(super) fn by_lemma(variant: &Variant) -> impl Iterator<Item = &Statement> {
    variant.body.iter().filter(|statement| statement.is_graph_or_supposition())
}

/// Returns true if a pattern asks which digits the puzzle itself leaves possible.
fn asks_the_puzzle(variant: &Variant) -> bool {
    variant.nodes().any(|node| node.has(&|part| matches!(part, Node::Condition(Condition::GivensAllow(..)))))
}

/// Demands that the names, in their order, touch rows and columns from the top and the left on.
fn break_symmetry(encoder: &mut Encoder<'_>, geometry: &Geometry) {
    let Some((height, width)) = geometry.spec().boxes() else { return };
    if !is_symmetric(geometry, height, width) {
        return;
    }
    let boxes_across = geometry.size() / width;
    let mut axes = [(HouseKind::Row, height), (HouseKind::Column, width)].map(|(kind, group)| Axis {
        kind,
        group,
        boxes_across,
        lines: vec![Lit::FALSE; geometry.size()],
        groups: vec![Lit::FALSE; geometry.size() / group],
    });
    for (var, bound) in encoder.scope.variant.vars.iter().zip(encoder.scope.bound.clone()) {
        for axis in axes.iter_mut().filter(|_| var.shape == VarShape::Single) {
            match &bound {
                Some(Bound::Cells(cells)) => axis.touch_cells(encoder, &cells.bits),
                Some(Bound::Candidate { cell, .. }) => axis.touch_cells(encoder, cell),
                Some(Bound::Houses(houses)) => axis.touch_houses(encoder, geometry.houses(), &houses.bits),
                _ => {}
            }
        }
    }
}

/// Rows in bands, or columns in stacks, and which of them the names so far have touched.
struct Axis {
    kind: HouseKind,
    /// Number of lines in a band or stack.
    group: usize,
    /// Number of boxes side by side.
    boxes_across: usize,
    lines: Vec<Lit>,
    groups: Vec<Lit>,
}

impl Axis {
    fn touch_cells(&mut self, encoder: &mut Encoder<'_>, bits: &[Lit]) {
        let size = self.lines.len();
        let mut ways = vec![Vec::new(); size];
        for (cell, &bit) in bits.iter().enumerate() {
            ways[if self.kind == HouseKind::Row { cell / size } else { cell % size }].push(bit);
        }
        let lines: Vec<Lit> = ways.into_iter().map(|ways| encoder.circuit.or(ways)).collect();
        let groups = self.groups_of(encoder, &lines);
        self.touch(encoder, &lines, &groups);
    }

    fn touch_houses(&mut self, encoder: &mut Encoder<'_>, houses: &[House], bits: &[Lit]) {
        let mut lines = vec![Lit::FALSE; self.lines.len()];
        for (house, &bit) in houses.iter().zip(bits).filter(|(house, _)| house.kind == self.kind) {
            lines[house.index] = bit;
        }
        let mut groups = self.groups_of(encoder, &lines);
        for (house, &bit) in houses.iter().zip(bits).filter(|(house, _)| house.kind == HouseKind::Box) {
            let is_row = self.kind == HouseKind::Row;
            let group = if is_row { house.index / self.boxes_across } else { house.index % self.boxes_across };
            groups[group] = encoder.circuit.or2(groups[group], bit);
        }
        self.touch(encoder, &lines, &groups);
    }

    fn groups_of(&self, encoder: &mut Encoder<'_>, lines: &[Lit]) -> Vec<Lit> {
        lines.chunks(self.group).map(|chunk| encoder.circuit.or(chunk.iter().copied())).collect()
    }

    /// Lets a line that is not the first of its group be used only after the line before it, and a group only after the
    /// group before it.
    fn touch(&mut self, encoder: &mut Encoder<'_>, lines: &[Lit], groups: &[Lit]) {
        for line in (0..lines.len()).filter(|line| line % self.group != 0) {
            encoder.circuit.imply(lines[line], self.lines[line - 1]);
        }
        for (&group, &before) in groups[1..].iter().zip(&self.groups) {
            encoder.circuit.imply(group, before);
        }
        for (touched, &now) in self.lines.iter_mut().zip(lines).chain(self.groups.iter_mut().zip(groups)) {
            *touched = encoder.circuit.or2(*touched, now);
        }
    }
}

/// Returns true if every exchange of neighbouring rows of a band, bands, columns of a stack, and stacks maps houses to
/// houses of their kind and preserves visibility.
fn is_symmetric(geometry: &Geometry, height: usize, width: usize) -> bool {
    let size = geometry.size();
    exchanges(size, height).iter().all(|lines| is_preserved(geometry, |row, column| lines[row] * size + column))
        && exchanges(size, width).iter().all(|lines| is_preserved(geometry, |row, column| row * size + lines[column]))
}

/// Returns true if a permutation of cells, given by row and column, preserves the houses and visibility.
fn is_preserved(geometry: &Geometry, image: impl Fn(usize, usize) -> usize) -> bool {
    let (size, mut moved) = (geometry.size(), vec![Cell(0); geometry.cell_count()]);
    geometry
        .cells()
        .for_each(|cell| moved[cell.index()] = Cell(image(cell.index() / size, cell.index() % size) as u16));
    let houses: BTreeSet<_> = geometry.houses().iter().map(|house| (house.kind, house.cells.clone())).collect();
    let houses_are_kept = houses.iter().all(|(kind, cells)| {
        let mut cells: Vec<Cell> = cells.iter().map(|cell| moved[cell.index()]).collect();
        cells.sort_unstable();
        houses.contains(&(*kind, cells))
    });
    houses_are_kept
        && geometry
            .cells()
            .all(|cell| geometry.peers(cell).iter().all(|peer| geometry.sees(moved[cell.index()], moved[peer.index()])))
}

/// Exchanges of neighbouring lines of a group and of neighbouring groups, as images of the lines.
fn exchanges(size: usize, group: usize) -> Vec<Vec<usize>> {
    let identity: Vec<usize> = (0..size).collect();
    let mut out = Vec::new();
    for line in (1..size).filter(|line| line % group != 0) {
        let mut lines = identity.clone();
        lines.swap(line - 1, line);
        out.push(lines);
    }
    for start in (group..size).step_by(group) {
        let mut lines = identity.clone();
        (0..group).for_each(|line| lines.swap(start - group + line, start + line));
        out.push(lines);
    }
    out
}
