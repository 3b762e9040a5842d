//! A rule as a question to the solver. In: a variant of a rule, its arguments, and the world in which the rule is read.
//! Out: an [`Encoder`] with the clauses of the pattern and a value for each name.
//!
//! On a board, an exchange of rows, columns, bands or stacks turns a match into an equivalent match. To make the
//! question easier, clauses exclude most of these images. This loses no answer: rules mention only houses and
//! visibility, so a match is wrong iff its image under a permutation that preserves the houses is wrong. The exchanges
//! are checked against the board. If some exchange does not preserve the houses, no exchange is used.

use super::circuit::Circuit;
use super::encode::{Encoder, LinkRules, NameLits, OpenSlots, Scope, TargetEffects, TargetLits};
use super::encode::{board_layout, board_world, open_world};
use super::prover::{Prover, RuleVariant};
use super::solver::{Lit, SatAnswer};
use super::verdict::Refusal;
use crate::grid::{Cell, Digit, Geometry, House, HouseKind, State};
use crate::lang::ir::{Condition, LinkShape, LinkSource, Node, Statement, Technique, VarShape, Variant};
use std::collections::BTreeSet;

/// The world in which a rule is read.
#[derive(Clone, Copy)]
pub(super) enum WorldKind<'g> {
    /// The open world: any board, described only by the facts of the rule.
    Anywhere,
    /// One board. Clauses break the symmetries: some states that differ from another state only by a renaming of digits
    /// or a symmetry of the board are excluded.
    Board(&'g Geometry),
    /// One board with all of its states.
    State(&'g Geometry),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChainEncoding {
    /// By the lemma about chains, clusters or assumptions.
    ByLemma,
    /// Link by link, with the given number of strong links.
    LinkByLink(usize),
}

/// A rule read on the board, with a target that may be any candidate.
pub(super) struct Query<'r> {
    pub encoder: Encoder<'r>,
    pub target: TargetLits,
    pub concluded: TargetEffects,
    /// Literal that is true iff a conclusion about the target is wrong.
    pub wrong_conclusion: Lit,
}

impl Prover<'_> {
    pub(super) fn encode_pattern<'a>(
        &'a self,
        kind: WorldKind<'_>,
        rule: RuleVariant<'a>,
        chain_encoding: ChainEncoding,
    ) -> Result<Encoder<'a>, Refusal> {
        let mut encoder = self.encode_names(kind, rule)?;
        for statement in &rule.variant.body {
            if self.cancellation.is_requested() {
                return Err(Refusal::Cancelled);
            }
            let demands = self.demands(&mut encoder, statement, chain_encoding)?;
            demands.into_iter().for_each(|demand| encoder.circuit.add_clause(&[demand]));
        }
        if !matches!(kind, WorldKind::State(_)) {
            encoder.order_digits()?;
        }
        if let WorldKind::Board(geometry) = kind {
            break_symmetry(&mut encoder, geometry);
        }
        if rule.assumes_one_solution {
            encoder.add_second_grids()?;
        }
        Ok(encoder)
    }

    pub(super) fn encode_names<'a>(
        &'a self,
        kind: WorldKind<'_>,
        rule: RuleVariant<'a>,
    ) -> Result<Encoder<'a>, Refusal> {
        let RuleVariant { variant, args, assumes_one_solution } = rule;
        let mut circuit =
            Circuit::new(self.cancellation.clone(), self.transcript.for_next_solver(), self.limits.literals);
        let (world, layout, slots) = match kind {
            WorldKind::Anywhere => open_world(&mut circuit, variant, args)?,
            WorldKind::Board(geometry) | WorldKind::State(geometry) => {
                let world = board_world(&mut circuit, geometry);
                let layout = board_layout(variant, &world);
                (world, layout, OpenSlots::default())
            }
        };
        let mut encoder = Encoder::new(circuit, world, Scope::new(variant, args), slots);
        if assumes_one_solution || reads_givens(variant) {
            encoder.world.add_allowed_digits(&mut encoder.circuit);
        }
        // If all digits are interchangeable, no match is lost if the k-th name of a digit stands for digit k.
        let is_numbered = !matches!(kind, WorldKind::State(_));
        encoder.bind_names(&layout, is_numbered)?;
        Ok(encoder)
    }

    /// Returns literals that are all true iff a statement is satisfied.
    fn demands<'a>(
        &'a self,
        encoder: &mut Encoder<'a>,
        statement: &Statement,
        chain_encoding: ChainEncoding,
    ) -> Result<Vec<Lit>, Refusal> {
        let Some(graph) = statement.graph() else {
            return match (statement, chain_encoding) {
                (Statement::Suppose(suppose), ChainEncoding::ByLemma) => encoder.suppose_facts(suppose),
                _ => encoder.pattern_literals(statement),
            };
        };
        let sources = match (&graph.shape, chain_encoding) {
            (LinkShape::Chain(_), _) | (LinkShape::Cluster(_), ChainEncoding::LinkByLink(_)) => {
                self.sources_of(&graph.strong)?
            }
            _ => Vec::new(),
        };
        let links = LinkRules { digits: graph.digits.as_ref(), sources: &sources };
        match (&graph.shape, chain_encoding) {
            (LinkShape::Chain(chain), ChainEncoding::ByLemma) => encoder.chain_facts(chain, links),
            (LinkShape::Chain(chain), ChainEncoding::LinkByLink(strong)) => encoder.chain_links(chain, links, strong),
            (LinkShape::Cluster(cluster), ChainEncoding::ByLemma) => encoder.cluster_facts(links.digits, cluster),
            (LinkShape::Cluster(cluster), ChainEncoding::LinkByLink(strong)) => {
                encoder.cluster_links(cluster, links, strong + 1)
            }
            (LinkShape::Loop(link_loop), ChainEncoding::ByLemma) => encoder.loop_facts(links.digits, link_loop),
            (LinkShape::Ring(ring), ChainEncoding::ByLemma) => encoder.ring_facts(links.digits, ring),
            (LinkShape::Loop(_) | LinkShape::Ring(_), ChainEncoding::LinkByLink(_)) => {
                encoder.pattern_literals(statement)
            }
        }
    }

    pub(super) fn sources_of(&self, names: &[String]) -> Result<Vec<&LinkSource>, Refusal> {
        names.iter().map(|name| self.source_named(name).ok_or_else(|| Refusal::NoSource(name.clone()))).collect()
    }

    pub(super) fn source_named(&self, name: &str) -> Option<&LinkSource> {
        self.sources.iter().find(|source| source.id == name)
    }

    /// Encodes a variant with a target.
    pub(super) fn query<'r>(
        &'r self,
        kind: WorldKind<'_>,
        rule: RuleVariant<'r>,
        chain_encoding: ChainEncoding,
    ) -> Result<Query<'r>, Refusal> {
        let mut encoder = self.encode_pattern(kind, rule, chain_encoding)?;
        let target = encoder.target();
        let concluded = encoder.target_effects(&rule.variant.conclusions, &target)?;
        let wrongly_eliminated = encoder.circuit.and2(concluded.eliminated, target.is_true);
        let wrongly_placed = encoder.circuit.and2(concluded.placed, !target.is_true);
        let wrong_conclusion = encoder.circuit.or2(wrongly_eliminated, wrongly_placed);
        Ok(Query { encoder, target, concluded, wrong_conclusion })
    }

    /// Reads one member in a state of the prover's board that has a solution. `None` if a construct has no exact
    /// encoding, or if the limit on conflicts is reached.
    pub fn reading(&self, technique: &Technique, args: &[u32], variant: usize, state: &State) -> Option<StateReading> {
        let variant = technique.variants.get(variant)?;
        let rule = RuleVariant { variant, args, assumes_one_solution: false };
        let Query { mut encoder, wrong_conclusion, .. } =
            self.query(WorldKind::State(self.geometry), rule, ChainEncoding::ByLemma).ok()?;
        if encoder.inexact.is_some() {
            return None;
        }
        for (cell, lits) in self.geometry.cells().zip(&encoder.world.cells) {
            let mut facts = vec![lits.unsolved.signed(state.value(cell).is_none())];
            for (index, digit) in (0..self.geometry.size()).map(|index| (index, Digit(index as u8))) {
                facts.push(lits.candidate[index].signed(state.candidates(cell).has(digit)));
                facts.extend(lits.allowed.get(index).map(|lit| lit.signed(state.initial_candidates(cell).has(digit))));
            }
            facts.extend(state.value(cell).map(|value| lits.solution[value.index()]));
            facts.into_iter().for_each(|fact| encoder.circuit.add_clause(&[fact]));
        }
        let matches = is_satisfiable(&mut encoder, &[], self.limits.board)?;
        let wrong = is_satisfiable(&mut encoder, &[wrong_conclusion], self.limits.board)?;
        Some(StateReading { matches, wrong })
    }
}

/// Returns true if there is a model in which all of `assumed` hold; `None` if the limit on conflicts is reached.
fn is_satisfiable(encoder: &mut Encoder<'_>, assumed: &[Lit], conflicts: u64) -> Option<bool> {
    match encoder.solve(assumed, conflicts) {
        SatAnswer::Yes(_) => Some(true),
        SatAnswer::No => Some(false),
        SatAnswer::Limit => None,
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

/// Returns the statements that are encoded by lemmas: patterns of links, and assumptions.
pub(super) fn lemma_statements(variant: &Variant) -> impl Iterator<Item = &Statement> {
    variant.body.iter().filter(|statement| statement.is_graph_or_supposition())
}

/// Returns true if a pattern depends on the digits that the givens allow.
fn reads_givens(variant: &Variant) -> bool {
    variant.nodes().any(|node| node.has(&|part| matches!(part, Node::Condition(Condition::GivensAllow(..)))))
}

/// Adds clauses by which the names, in order, use new rows from top to bottom and new columns from left to right.
fn break_symmetry(encoder: &mut Encoder<'_>, geometry: &Geometry) {
    let Some((height, width)) = geometry.spec().boxes() else { return };
    if !is_symmetric(geometry, height, width) {
        return;
    }
    let boxes_across = geometry.size() / width;
    let mut axes = [(HouseKind::Row, height), (HouseKind::Column, width)].map(|(kind, lines_per_band)| Axis {
        kind,
        lines_per_band,
        boxes_across,
        used_lines: vec![Lit::FALSE; geometry.size()],
        used_bands: vec![Lit::FALSE; geometry.size() / lines_per_band],
    });
    for (var, value) in encoder.scope.variant.vars.iter().zip(encoder.scope.values.clone()) {
        if var.shape != VarShape::Single {
            continue;
        }
        for axis in &mut axes {
            match &value {
                Some(NameLits::Cells(cells)) => axis.use_cells(encoder, &cells.bits),
                Some(NameLits::Candidate { cell, .. }) => axis.use_cells(encoder, cell),
                Some(NameLits::Houses(houses)) => axis.use_houses(encoder, geometry.houses(), &houses.bits),
                _ => {}
            }
        }
    }
}

/// Rows in bands, or columns in stacks. A stack counts as a band of columns here.
struct Axis {
    kind: HouseKind,
    lines_per_band: usize,
    /// Number of boxes in a row of boxes.
    boxes_across: usize,
    /// For each line, a literal: some name visited up to now uses the line.
    used_lines: Vec<Lit>,
    /// For each band, a literal: some name visited up to now uses the band.
    used_bands: Vec<Lit>,
}

impl Axis {
    fn use_cells(&mut self, encoder: &mut Encoder<'_>, bits: &[Lit]) {
        let size = self.used_lines.len();
        let mut ways = vec![Vec::new(); size];
        for (cell, &bit) in bits.iter().enumerate() {
            let line = if self.kind == HouseKind::Row { cell / size } else { cell % size };
            ways[line].push(bit);
        }
        let lines: Vec<Lit> = ways.into_iter().map(|ways| encoder.circuit.or(ways)).collect();
        let bands = self.bands_of(encoder, &lines);
        self.use_lines(encoder, &lines, &bands);
    }

    fn use_houses(&mut self, encoder: &mut Encoder<'_>, houses: &[House], bits: &[Lit]) {
        let mut lines = vec![Lit::FALSE; self.used_lines.len()];
        for (house, &bit) in houses.iter().zip(bits) {
            if house.kind == self.kind {
                lines[house.index] = bit;
            }
        }
        let mut bands = self.bands_of(encoder, &lines);
        for (house, &bit) in houses.iter().zip(bits) {
            if house.kind == HouseKind::Box {
                let is_row = self.kind == HouseKind::Row;
                let band = if is_row { house.index / self.boxes_across } else { house.index % self.boxes_across };
                bands[band] = encoder.circuit.or2(bands[band], bit);
            }
        }
        self.use_lines(encoder, &lines, &bands);
    }

    fn bands_of(&self, encoder: &mut Encoder<'_>, lines: &[Lit]) -> Vec<Lit> {
        lines.chunks(self.lines_per_band).map(|chunk| encoder.circuit.or(chunk.iter().copied())).collect()
    }

    /// Adds the clauses for the lines and bands of the next name. The name uses a line only if the line is the first of
    /// its band or an earlier name uses the previous line. The name uses a band other than the first only if an earlier
    /// name uses the previous band.
    fn use_lines(&mut self, encoder: &mut Encoder<'_>, lines: &[Lit], bands: &[Lit]) {
        for line in (0..lines.len()).filter(|line| line % self.lines_per_band != 0) {
            encoder.circuit.imply(lines[line], self.used_lines[line - 1]);
        }
        for (&band, &previous) in bands[1..].iter().zip(&self.used_bands) {
            encoder.circuit.imply(band, previous);
        }
        let used = self.used_lines.iter_mut().chain(&mut self.used_bands);
        for (used, &by_name) in used.zip(lines.iter().chain(bands)) {
            *used = encoder.circuit.or2(*used, by_name);
        }
    }
}

/// Returns true if the board is symmetric. Four kinds of exchanges are tested: of neighbouring rows in a band, of
/// bands, of columns in a stack, and of stacks. Each must map every house to a house of the same kind and preserve
/// visibility.
fn is_symmetric(geometry: &Geometry, height: usize, width: usize) -> bool {
    let size = geometry.size();
    let mut row_exchanges = exchanges(size, height).into_iter();
    let mut column_exchanges = exchanges(size, width).into_iter();
    row_exchanges.all(|rows| is_preserved(geometry, |row, column| rows[row] * size + column))
        && column_exchanges.all(|columns| is_preserved(geometry, |row, column| row * size + columns[column]))
}

/// Returns true if a permutation of cells preserves the houses and visibility. `image` takes the row and the column of
/// a cell and returns the index of the cell's image.
fn is_preserved(geometry: &Geometry, image: impl Fn(usize, usize) -> usize) -> bool {
    let size = geometry.size();
    let images: Vec<Cell> =
        geometry.cells().map(|cell| Cell(image(cell.index() / size, cell.index() % size) as u16)).collect();
    let houses: BTreeSet<_> = geometry.houses().iter().map(|house| (house.kind, house.cells.clone())).collect();
    for (kind, cells) in &houses {
        let mut cells: Vec<Cell> = cells.iter().map(|cell| images[cell.index()]).collect();
        cells.sort_unstable();
        if !houses.contains(&(*kind, cells)) {
            return false;
        }
    }
    geometry.cells().all(|cell| {
        let mut peers = geometry.peers(cell).iter();
        peers.all(|peer| geometry.sees(images[cell.index()], images[peer.index()]))
    })
}

/// Returns the exchanges of neighbouring lines of a band and of neighbouring bands. Each exchange is a permutation: the
/// element at index n is the line that takes the place of line n.
fn exchanges(size: usize, lines_per_band: usize) -> Vec<Vec<usize>> {
    let identity: Vec<usize> = (0..size).collect();
    let mut out = Vec::new();
    for line in (1..size).filter(|line| line % lines_per_band != 0) {
        let mut lines = identity.clone();
        lines.swap(line - 1, line);
        out.push(lines);
    }
    for start in (lines_per_band..size).step_by(lines_per_band) {
        let mut lines = identity.clone();
        (0..lines_per_band).for_each(|line| lines.swap(start - lines_per_band + line, start + line));
        out.push(lines);
    }
    out
}
