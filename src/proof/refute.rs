//! Rules that do not follow from the lemmas about chains.
//!
//! In: a rule for which the solver finds a model if each chain is encoded by its lemma. Such a model may be no
//! counterexample, because a lemma is only a consequence of a chain. Out: a counterexample in which each chain is
//! encoded link by link, or the reason why there is no answer.
//!
//! A *flaw* of a counterexample is a fact outside of the encoded chain that keeps the rule from matching.

use super::counterexample::{Counterexample, NamedValue, read, readable, solution_of};
use super::encode::{Flaw, LinkRules, NameLits, givens};
use super::prover::{Prover, RuleVariant};
use super::question::{ChainEncoding, Query, WorldKind, lemma_statements};
use super::solutions::solutions;
use super::solver::{Lit, Model, SatAnswer};
use super::verdict::{Attempt, Refusal, Status};
use crate::grid::{Cell, Digit, State};
use crate::lang::ir::{CaseResult, LengthUnit, LinkShape, Statement, Suppose, Variant};

/// Maximum number of counterexamples examined for flaws.
const MAX_EXAMPLES: usize = 60;

/// Number of shrunk counterexamples with flaws after which the search for a small counterexample ends.
const MAX_FLAWED: usize = 4;

/// Chains are laid out with at most one strong link more than this. Longer chains would make the questions too large.
const MAX_STRONG_LINKS: usize = 4;

/// Maximum number of conflicts for each puzzle. A proof that there is no puzzle with so few empty cells could take long
/// and is not needed.
const CONFLICTS_PER_PUZZLE: u64 = 5_000;

/// Pairs of a maximum number of empty cells and the number of puzzles tried with this maximum.
const TRIES_BY_EMPTY_CELLS: [(i64, usize); 5] = [(6, 40), (10, 80), (16, 120), (30, 120), (60, 120)];

impl Prover<'_> {
    /// Tries to refute a rule whose chains can be encoded link by link. For any other rule, the result lists the
    /// premises that don't imply the conclusion.
    pub(super) fn refute_by_lemma(
        &self,
        rule: RuleVariant<'_>,
        query: &mut Query<'_>,
        attempt: &mut Attempt,
    ) -> Result<Status, Refusal> {
        if can_be_laid_out(rule) {
            return self.refute_links(rule, attempt);
        }
        self.insufficient_premises(rule, query).map(Status::Undecided)
    }

    /// Searches for chains and clusters, encoded link by link, from which the rule draws a wrong conclusion.
    pub(super) fn refute_links(&self, rule: RuleVariant<'_>, attempt: &mut Attempt) -> Result<Status, Refusal> {
        if !can_be_laid_out(rule) {
            return Err(Refusal::Construct("a pattern whose links cannot be laid out one by one"));
        }
        for strong_links in strong_link_counts(rule.variant) {
            let mut query =
                self.query(WorldKind::Board(self.geometry), rule, ChainEncoding::LinkByLink(strong_links))?;
            let example = self.flawless_example(&mut query);
            attempt.effort.add_solver(&query.encoder.circuit.solver);
            if let Some(example) = example {
                return Ok(Status::Refuted(Box::new(example)));
            }
        }
        let mut statements = lemma_statements(rule.variant);
        let reason = if statements.any(|statement| matches!(shape(statement), Some(LinkShape::Cluster(_)))) {
            "it does not follow from the colours of the cluster, but no small cluster refutes it"
        } else {
            "it does not follow from the ends of the chain, but no short chain refutes it"
        };
        Ok(Status::Undecided(reason.to_string()))
    }

    /// Returns a counterexample without flaws: the engine would find its match, too. Prefers a shrunk counterexample.
    /// If the shrunk ones have flaws, solves cells of the first counterexample without flaws one by one.
    fn flawless_example(&self, query: &mut Query<'_>) -> Option<Counterexample> {
        let wanted = [query.wrong_conclusion, readable(&mut query.encoder)];
        let mut first_flawless = None;
        let mut flawed_after_shrinking = 0;
        for _ in 0..MAX_EXAMPLES {
            let SatAnswer::Yes(model) = query.encoder.solve(&wanted, self.limits.board) else { break };
            // Shrinking takes long, so the flaws are searched before shrinking.
            let example = read(query, self.geometry, &model);
            if let Some(clause) = self.excluded_flaw(query, &example) {
                query.encoder.circuit.add_clause(&clause);
                continue;
            }
            first_flawless = first_flawless.or(Some(example));
            let shrunk = self.shrunk_example(query, model);
            let Some(clause) = self.excluded_flaw(query, &shrunk) else { return Some(shrunk) };
            query.encoder.circuit.add_clause(&clause);
            flawed_after_shrinking += 1;
            if flawed_after_shrinking == MAX_FLAWED {
                break;
            }
        }
        let example = first_flawless?;
        Some(self.with_fewer_cells(query, example, wanted))
    }

    /// Returns a clause that excludes a flaw of the example, or `None` if the example has no flaw.
    fn excluded_flaw(&self, query: &mut Query<'_>, example: &Counterexample) -> Option<Vec<Lit>> {
        let of_example = assumptions_of(query, example, None);
        for flaw in query.encoder.flaws.clone() {
            let assumed = [&of_example[..], &[flaw.exists]].concat();
            match query.encoder.solve(&assumed, self.limits.board) {
                SatAnswer::No => {}
                // The solver cannot tell if the example has the flaw, so the flaw is forbidden in all later examples.
                SatAnswer::Limit => return Some(vec![!flaw.exists]),
                SatAnswer::Yes(model) => return Some(without_flaw(&flaw, &model)),
            }
        }
        None
    }

    /// Tries to solve each cell of an example in turn, and keeps a change if the result is still a counterexample.
    fn with_fewer_cells(&self, query: &mut Query<'_>, example: Counterexample, wanted: [Lit; 2]) -> Counterexample {
        let unsolved: Vec<Cell> = self.geometry.cells().filter(|&cell| example.state.value(cell).is_none()).collect();
        let mut best = example;
        for cell in unsolved {
            let mut assumed = assumptions_of(query, &best, Some(cell));
            assumed.extend(wanted);
            let SatAnswer::Yes(model) = query.encoder.solve(&assumed, self.limits.shrink) else { continue };
            let next = read(query, self.geometry, &model);
            if self.excluded_flaw(query, &next).is_none() {
                best = next;
            }
        }
        best
    }

    /// Describes the lemmas that the solver used. Together, the lemmas don't imply the conclusions.
    fn insufficient_premises(&self, rule: RuleVariant<'_>, query: &mut Query<'_>) -> Result<String, Refusal> {
        let mut premises = Vec::new();
        for statement in lemma_statements(rule.variant) {
            premises.push(match (statement, shape(statement)) {
                (Statement::Suppose(suppose), _) => self.premise_of_assumption(suppose, query)?,
                (_, Some(LinkShape::Loop(_))) => "exactly one end of each link of a loop is true",
                (_, Some(LinkShape::Ring(_))) => "a ring has a true guardian",
                (_, Some(LinkShape::Cluster(_))) => "one of two colours is true",
                _ => "one end of a chain is true",
            });
        }
        Ok(format!("what it concludes does not follow from this: {}", premises.join("; ")))
    }

    fn premise_of_assumption(&self, suppose: &Suppose, query: &mut Query<'_>) -> Result<&'static str, Refusal> {
        let cases = query.encoder.cases(&suppose.cases)?;
        let no_case_holds = query.encoder.circuit.and(cases.into_iter().map(|case| !case));
        if suppose.shows == CaseResult::Contradiction {
            return Ok("what is supposed is false");
        }
        let wrong_without_case = [query.wrong_conclusion, no_case_holds];
        Ok(match query.encoder.solve(&wrong_without_case, self.limits.board) {
            SatAnswer::No => "what all cases imply holds",
            _ => "what all cases imply holds if one of the cases does; but nothing in the rule says that one does",
        })
    }

    /// Looks for a puzzle with one solution that refutes the rule.
    pub(super) fn refute_unique(&self, query: &mut Query<'_>) -> Status {
        let givens = givens(&mut query.encoder, Lit::TRUE);
        let is_empty: Vec<Lit> = givens.iter().map(|&lit| !lit).collect();
        for (max_empty, tries) in TRIES_BY_EMPTY_CELLS {
            let has_few_empty = !query.encoder.circuit.at_least(&is_empty, max_empty + 1);
            for _ in 0..tries {
                let assumed = [query.wrong_conclusion, has_few_empty];
                let SatAnswer::Yes(model) = query.encoder.solve(&assumed, CONFLICTS_PER_PUZZLE) else { break };
                let solution = solution_of(&query.encoder, &model);
                let mut puzzle = State::empty(self.geometry);
                for (cell, &is_given) in self.geometry.cells().zip(&givens) {
                    if model.holds(is_given) {
                        puzzle.place(self.geometry, cell, solution[cell.index()]);
                    }
                }
                match solutions(self.geometry, &puzzle, 2).into_iter().find(|other| *other != solution) {
                    None => {
                        let example = read(query, self.geometry, &model);
                        return Status::Refuted(Box::new(example.with_uniqueness_note()));
                    }
                    Some(other) => exclude_second_solution(query, &other),
                }
            }
        }
        Status::Undecided(match query.encoder.second_grids.as_slice() {
            [] => "the rule has no `closed` set, so there is no way to build a second solution".to_string(),
            grids => format!("{} proves nothing, and no puzzle with one solution refutes it", grids.join(", or ")),
        })
    }

    /// Returns a reason if a cluster or ring of the rule cannot occur because no link on the board is both strong and
    /// weak. `None` if the board has such links.
    pub(super) fn lack_of_links(
        &self,
        rule: RuleVariant<'_>,
        attempt: &mut Attempt,
    ) -> Result<Option<String>, Refusal> {
        for graph in rule.variant.body.iter().filter_map(Statement::graph) {
            let shape = match graph.shape {
                LinkShape::Cluster(_) => "cluster",
                LinkShape::Ring(_) => "ring",
                LinkShape::Chain(_) | LinkShape::Loop(_) => continue,
            };
            let mut encoder = self.encode_names(WorldKind::Board(self.geometry), rule)?;
            let sources = self.sources_of(&graph.strong)?;
            let link = encoder.conjugate_link(LinkRules { digits: graph.digits.as_ref(), sources: &sources })?;
            let answer = encoder.solve(&[link], self.limits.board);
            attempt.effort.add_solver(&encoder.circuit.solver);
            if answer == SatAnswer::No {
                let names = graph.strong.join(", ");
                let board = &self.geometry.spec().name;
                return Ok(Some(format!(
                    "its {shape} has no links on {board}: no strong link of {names} is also a weak link"
                )));
            }
        }
        Ok(None)
    }
}

fn shape(statement: &Statement) -> Option<&LinkShape> {
    statement.graph().map(|graph| &graph.shape)
}

/// Returns true if all chains and clusters of a rule can be encoded link by link.
fn can_be_laid_out(rule: RuleVariant<'_>) -> bool {
    let mut statements = lemma_statements(rule.variant);
    !rule.assumes_one_solution
        && statements.all(|statement| matches!(shape(statement), Some(LinkShape::Chain(_) | LinkShape::Cluster(_))))
}

/// Returns the clause that excludes the flaw of a model: for some candidate of some node of the flaw, an excuse holds
/// (see [`FlawNode::excuses`](super::encode::FlawNode)).
fn without_flaw(flaw: &Flaw, model: &Model) -> Vec<Lit> {
    let mut clause = Vec::new();
    for node in &flaw.nodes {
        for candidate in model.true_indices(&node.candidates) {
            clause.extend(node.excuses.iter().map(|excuses| excuses[candidate]));
        }
    }
    clause
}

/// Returns assumptions by which the state and the names are as in an example. The cell `solved`, if given, is assumed
/// to be solved instead.
fn assumptions_of(query: &Query<'_>, example: &Counterexample, solved: Option<Cell>) -> Vec<Lit> {
    let encoder = &query.encoder;
    let mut out = Vec::new();
    for (index, lits) in encoder.world.cells.iter().enumerate() {
        let cell = Cell(index as u16);
        if solved == Some(cell) {
            out.push(!lits.unsolved);
            continue;
        }
        let candidates = example.state.candidates(cell);
        out.push(lits.unsolved.signed(example.state.value(cell).is_none()));
        for (digit, lit) in lits.candidate.iter().enumerate() {
            out.push(lit.signed(candidates.has(Digit(digit as u8))));
        }
    }
    for (var, lits) in encoder.scope.variant.vars.iter().zip(&encoder.scope.values) {
        let Some((_, value)) = example.names.iter().find(|(name, _)| *name == var.name) else { continue };
        if let Some(lits) = lits {
            assume_value(lits, value, encoder.digits(), &mut out);
        }
    }
    out
}

/// Appends the assumptions by which a name has its value of an example.
fn assume_value(lits: &NameLits, value: &NamedValue, digits: usize, out: &mut Vec<Lit>) {
    match (lits, value) {
        (NameLits::Candidates(set), NamedValue::Candidates(candidates)) => {
            let members: Vec<usize> =
                candidates.iter().map(|candidate| candidate.cell.index() * digits + candidate.digit.index()).collect();
            out.extend(set.bits.iter().enumerate().map(|(index, bit)| bit.signed(members.contains(&index))));
        }
        (NameLits::Cells(set), NamedValue::Cells(cells)) => {
            let bits = set.bits.iter().enumerate();
            out.extend(bits.map(|(index, bit)| bit.signed(cells.contains(&Cell(index as u16)))));
        }
        (NameLits::Candidate { digit, cell }, NamedValue::Candidate(candidate)) => {
            out.extend([digit[candidate.digit.index()], cell[candidate.cell.index()]]);
        }
        _ => {}
    }
}

/// Returns the numbers of strong links with which chains and clusters are laid out: from 1 to one more than the rule
/// requires.
fn strong_link_counts(variant: &Variant) -> std::ops::RangeInclusive<usize> {
    let required = lemma_statements(variant).map(|statement| match shape(statement) {
        Some(LinkShape::Chain(chain)) => match chain.length.unit {
            LengthUnit::StrongLinks | LengthUnit::Cells => chain.length.low as usize,
            LengthUnit::Links => chain.length.low as usize / 2 + 1,
        },
        _ => 2,
    });
    let longest = required.max().unwrap_or(1).min(MAX_STRONG_LINKS);
    1..=longest + 1
}

/// Adds the clause that the grid `second` is no second solution of the puzzle: `second` equals the solution, or the
/// givens forbid one of its digits.
fn exclude_second_solution(query: &mut Query<'_>, second: &[Digit]) {
    let encoder = &mut query.encoder;
    let cells = encoder.world.cells.iter().zip(second.iter().map(|digit| digit.index()));
    let is_solution = encoder.circuit.and(cells.clone().map(|(lits, digit)| lits.solution[digit]));
    let mut clause = vec![is_solution];
    clause.extend(cells.map(|(lits, digit)| !lits.allowed[digit]));
    encoder.circuit.add_clause(&clause);
}
