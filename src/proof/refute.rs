//! Rules that do not follow from the lemmas about chains. In: a rule whose negation is satisfiable if each chain is replaced by its
//! lemma. Out: an example with each link of the chain encoded, in which the rule is wrong, or why there is no answer.

use super::counterexample::{Counterexample, NamedValue, read, readable, solution_of};
use super::encode::{Bound, LinkRules, givens};
use super::prover::{Prover, RuleCase};
use super::question::{Chains, Posed, WorldKind, by_lemma};
use super::solutions::solutions;
use super::solver::{Lit, SatAnswer};
use super::verdict::{Attempt, Refusal, Status};
use crate::grid::{Cell, Digit, State};
use crate::lang::ir::{CaseResult, LengthUnit, LinkShape, Statement, Variant};

/// At most this many examples are examined.
const TRIES: usize = 60;

/// Maximum number of flawed examples before the search for small ones ends.
const MAX_FLAWED: usize = 4;

/// Maximum number of conflicts for a question with few empty cells: proving that there is no such puzzle can be slow, and is not
/// needed.
const CONFLICTS_PER_PUZZLE: u64 = 5_000;

/// Maximum number of empty cells, and number of puzzles tried with it.
const TRIES_BY_EMPTY_CELLS: [(i64, usize); 5] = [(6, 40), (10, 80), (16, 120), (30, 120), (60, 120)];

impl Prover<'_> {
    /// Refutes rules whose chains can be encoded link by link. For others, says which premise does not imply the conclusion.
    pub(super) fn refute_by_lemma(
        &self,
        rule: RuleCase<'_>,
        posed: &mut Posed<'_>,
        attempt: &mut Attempt,
    ) -> Result<Status, Refusal> {
        if can_be_laid_out(rule) {
            return self.refute_links(rule, attempt);
        }
        self.missing_premise(rule, posed).map(Status::Undecided)
    }

    /// Looks for chains and clusters, link by link, on which a conclusion is wrong.
    pub(super) fn refute_links(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Result<Status, Refusal> {
        if !can_be_laid_out(rule) {
            return Err(Refusal::Construct("links of a pattern that is not laid out link by link"));
        }
        for strong in lengths(rule.variant) {
            let mut posed = self.pose_board(rule, Chains::Links(strong))?;
            let found = self.seen_example(&mut posed);
            attempt.effort.add(&posed.encoder.circuit.solver);
            if let Some(example) = found {
                return Ok(Status::Refuted(Box::new(example)));
            }
        }
        let what = match by_lemma(rule.variant).any(|one| matches!(shape(one), Some(LinkShape::Cluster(_)))) {
            true => "the colours of the cluster, but no small cluster",
            false => "the ends of the chain, but no short chain",
        };
        Ok(Status::Undecided(format!("it does not follow from {what} refutes it")))
    }

    /// Returns a counterexample that the engine would find too: a small one, or else a large one in which as many cells as possible
    /// are solved.
    fn seen_example(&self, posed: &mut Posed<'_>) -> Option<Counterexample> {
        let wanted = [posed.wrong, readable(&mut posed.encoder)];
        let (mut large, mut small) = (None, 0);
        for _ in 0..TRIES {
            let SatAnswer::Yes(model) = posed.encoder.solve(&wanted, self.limits.board) else { break };
            // Shrinking takes long, so the flaw is searched first.
            let found = read(posed, self.geometry, &model);
            if let Some(clause) = self.flaw(posed, &found) {
                posed.encoder.circuit.clause(&clause);
                continue;
            }
            large = large.or(Some(found));
            let example = self.example(posed, model);
            let Some(clause) = self.flaw(posed, &example) else { return Some(example) };
            posed.encoder.circuit.clause(&clause);
            small += 1;
            if small == MAX_FLAWED {
                break;
            }
        }
        large.map(|example| self.fewer_cells(posed, example, wanted))
    }

    /// Returns a clause that excludes a flaw of the example, which is a fact outside of the encoded chain that keeps the rule from
    /// matching. `None` if there is no flaw.
    fn flaw(&self, posed: &mut Posed<'_>, example: &Counterexample) -> Option<Vec<Lit>> {
        let fixed = fixed(posed, example, None);
        for flaw in posed.encoder.flaws.clone() {
            let assumed = [&fixed[..], &[flaw.is]].concat();
            let model = match posed.encoder.solve(&assumed, self.limits.board) {
                SatAnswer::No => continue,
                SatAnswer::Limit => return Some(vec![!flaw.is]),
                SatAnswer::Yes(model) => model,
            };
            let mut clause = Vec::new();
            for node in &flaw.nodes {
                for at in (0..node.at.len()).filter(|&at| model.holds(node.at[at])) {
                    clause.extend(node.unless.iter().map(|unless| unless[at]));
                }
            }
            return Some(clause);
        }
        None
    }

    /// Tries to solve each cell of an example in turn, and keeps what is still a counterexample.
    fn fewer_cells(&self, posed: &mut Posed<'_>, example: Counterexample, wanted: [Lit; 2]) -> Counterexample {
        let mut best = example;
        for cell in self.geometry.cells().filter(|&cell| best.state.value(cell).is_none()).collect::<Vec<_>>() {
            let mut assumed = fixed(posed, &best, Some(cell));
            assumed.extend(wanted);
            let SatAnswer::Yes(model) = posed.encoder.solve(&assumed, self.limits.shrink) else { continue };
            let next = read(posed, self.geometry, &model);
            if self.flaw(posed, &next).is_none() {
                best = next;
            }
        }
        best
    }

    /// Describes the premise that would have to imply the conclusions, and doesn't.
    fn missing_premise(&self, rule: RuleCase<'_>, posed: &mut Posed<'_>) -> Result<String, Refusal> {
        let mut known = Vec::new();
        for statement in by_lemma(rule.variant) {
            known.push(match (statement, shape(statement)) {
                (Statement::Suppose(suppose), _) => {
                    let cases = posed.encoder.cases(&suppose.cases)?;
                    let left_out = posed.encoder.circuit.and(cases.into_iter().map(|case| !case));
                    let asked = [posed.wrong, left_out];
                    match suppose.shows {
                        CaseResult::Contradiction => "what is supposed is false",
                        _ if posed.encoder.solve(&asked, self.limits.board) == SatAnswer::No => {
                            "what all cases imply holds"
                        }
                        CaseResult::AllImply(_) | CaseResult::AllImplyWithout(_) => {
                            "what all cases imply holds if one of the cases does; but nothing in the rule says that one does"
                        }
                    }
                }
                (_, Some(LinkShape::Loop(_))) => "exactly one end of each link of a loop is true",
                (_, Some(LinkShape::Ring(_))) => "a ring has a true guardian",
                (_, Some(LinkShape::Cluster(_))) => "one of two colours is true",
                _ => "one end of a chain is true",
            });
        }
        Ok(format!("what it concludes does not follow from this: {}", known.join("; ")))
    }

    /// Looks for a puzzle with one solution that refutes the rule.
    pub(super) fn refute_unique(&self, posed: &mut Posed<'_>) -> Status {
        let given = givens(&mut posed.encoder, Lit::TRUE);
        let empty: Vec<Lit> = given.iter().map(|&lit| !lit).collect();
        for (most, tries) in TRIES_BY_EMPTY_CELLS {
            let few = !posed.encoder.circuit.at_least(&empty, most + 1);
            for _ in 0..tries {
                let SatAnswer::Yes(model) = posed.encoder.solve(&[posed.wrong, few], CONFLICTS_PER_PUZZLE) else {
                    break;
                };
                let solution = solution_of(&posed.encoder, &model);
                let mut puzzle = State::empty(self.geometry);
                for (cell, _) in self.geometry.cells().zip(&given).filter(|(_, given)| model.holds(**given)) {
                    puzzle.place(self.geometry, cell, solution[cell.index()]);
                }
                match solutions(self.geometry, &puzzle, 2).into_iter().find(|other| *other != solution) {
                    None => {
                        let example = read(posed, self.geometry, &model);
                        return Status::Refuted(Box::new(example.with_uniqueness_note()));
                    }
                    Some(other) => exclude(posed, &other),
                }
            }
        }
        Status::Undecided(match posed.encoder.exchange.as_slice() {
            [] => "the rule has no `closed` set, so there is no way to build a second solution".to_string(),
            tried => format!("{} proves nothing, and no puzzle with one solution refutes it", tried.join(", or ")),
        })
    }

    /// Reason why a cluster or ring of the rule cannot be, whatever else the rule says.
    pub(super) fn linkless(&self, rule: RuleCase<'_>, attempt: &mut Attempt) -> Result<Option<String>, Refusal> {
        for graph in rule.variant.body.iter().filter_map(Statement::graph) {
            let what = match graph.shape {
                LinkShape::Cluster(_) => "cluster",
                LinkShape::Ring(_) => "ring",
                LinkShape::Chain(_) | LinkShape::Loop(_) => continue,
            };
            let mut encoder = self.begin(WorldKind::Board(self.geometry), rule)?;
            let sources = self.sources_of(&graph.strong)?;
            let link = encoder.conjugate_link(LinkRules { on: graph.digits.as_ref(), sources: &sources })?;
            let answer = encoder.solve(&[link], self.limits.board);
            attempt.effort.add(&encoder.circuit.solver);
            if answer == SatAnswer::No {
                let (names, board) = (graph.strong.join(", "), &self.geometry.spec().name);
                let reason =
                    format!("its {what} has no links on {board}: no strong link of {names} is also a weak link");
                return Ok(Some(reason));
            }
        }
        Ok(None)
    }
}

/// Returns the arrangement of links that a statement asks for.
fn shape(statement: &Statement) -> Option<&LinkShape> {
    statement.graph().map(|graph| &graph.shape)
}

/// Returns true if all chains and clusters of a rule can be laid out link by link.
fn can_be_laid_out(rule: RuleCase<'_>) -> bool {
    !rule.unique
        && by_lemma(rule.variant)
            .all(|statement| matches!(shape(statement), Some(LinkShape::Chain(_) | LinkShape::Cluster(_))))
}

/// Returns assumptions that fix the state and the names of an example. The cell `solved` has its digit in place of its candidates.
fn fixed(posed: &Posed<'_>, example: &Counterexample, solved: Option<Cell>) -> Vec<Lit> {
    let mut out = Vec::new();
    for (at, lits) in posed.encoder.world.cells.iter().enumerate() {
        let cell = Cell(at as u16);
        let candidates = example.state.candidates(cell);
        if solved == Some(cell) {
            out.push(!lits.unsolved);
            continue;
        }
        out.push(lits.unsolved.signed(example.state.value(cell).is_none()));
        for (digit, lit) in lits.candidate.iter().enumerate() {
            out.push(lit.signed(candidates.has(Digit(digit as u8))));
        }
    }
    let digits = posed.encoder.digits();
    for (var, bound) in posed.encoder.scope.variant.vars.iter().zip(&posed.encoder.scope.bound) {
        let Some((_, named)) = example.names.iter().find(|(name, _)| *name == var.name) else { continue };
        match (bound, named) {
            (Some(Bound::Candidates(set)), NamedValue::Candidates(all)) => {
                let members: Vec<usize> = all.iter().map(|one| one.cell.index() * digits + one.digit.index()).collect();
                out.extend(set.bits.iter().enumerate().map(|(at, bit)| bit.signed(members.contains(&at))));
            }
            (Some(Bound::Cells(set)), NamedValue::Cells(all)) => {
                out.extend(set.bits.iter().enumerate().map(|(at, bit)| bit.signed(all.contains(&Cell(at as u16)))));
            }
            (Some(Bound::Candidate { digit, cell }), NamedValue::Candidate(one)) => {
                out.extend([digit[one.digit.index()], cell[one.cell.index()]]);
            }
            _ => {}
        }
    }
    out
}

/// Numbers of strong links for which chains and clusters are tried link by link.
fn lengths(variant: &Variant) -> std::ops::RangeInclusive<usize> {
    let most = by_lemma(variant).map(|one| match shape(one) {
        Some(LinkShape::Chain(chain)) => match chain.length.unit {
            LengthUnit::StrongLinks | LengthUnit::Cells => chain.length.low as usize,
            LengthUnit::Links => chain.length.low as usize / 2 + 1,
        },
        _ => 2,
    });
    1..=most.max().unwrap_or(1).min(4) + 1
}

/// Adds a clause: `other` is the solution, or the clues rule it out.
fn exclude(posed: &mut Posed<'_>, other: &[Digit]) {
    let encoder = &mut posed.encoder;
    let cells = encoder.world.cells.iter().zip(other.iter().map(|digit| digit.index()));
    let same = encoder.circuit.and(cells.clone().map(|(lits, digit)| lits.solution[digit]));
    let clause: Vec<Lit> = [same].into_iter().chain(cells.map(|(lits, digit)| !lits.open[digit])).collect();
    encoder.circuit.clause(&clause);
}
