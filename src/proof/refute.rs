//! Rules that rest on lemmas and do not follow from them. In: a rule whose question has a model. Out: an example
//! laid out link by link in which the rule is wrong, or why there is no answer.

use super::circuit::Circuit;
use super::counterexample::{Counterexample, Named, read, readable};
use super::encode::{Bound, Refusal, givens};
use super::prover::{Posed, Prover, Rule, Work};
use super::question::{Chains, Place, begin, by_lemma, sources_of};
use super::solutions::solutions;
use super::solver::{Answer, Lit, Model};
use super::verdict::Status;
use crate::grid::{Cell, Digit, Geometry, State};
use crate::lang::ir::{LengthUnit, LinkShape, Shows, Statement, Variant};

/// At most this many examples are examined.
const TRIES: usize = 60;

/// Maximum number of attempts to make one smaller.
const MOST_SMALL: usize = 4;

impl Prover<'_> {
    /// Refutes what can be laid out link by link; of the rest says what does not follow from what.
    pub(super) fn refute_by_lemma(
        &self,
        rule: Rule<'_>,
        posed: &mut Posed<'_>,
        work: &mut Work,
    ) -> Result<Status, Refusal> {
        if !rule.unique && by_lemma(rule.variant).all(is_laid_out) {
            return self.refute_links(rule, work);
        }
        self.what_is_open(rule, posed).map(Status::Undecided)
    }

    /// Looks for chains and clusters, link by link, on which a conclusion is wrong.
    pub(super) fn refute_links(&self, rule: Rule<'_>, work: &mut Work) -> Result<Status, Refusal> {
        if rule.unique || !by_lemma(rule.variant).all(is_laid_out) {
            return Err(Refusal::NotLaidOut);
        }
        for strong in lengths(rule.variant) {
            let mut posed = self.pose_board(rule, Chains::Links(strong))?;
            let found = self.seen_example(&mut posed);
            work.effort.add(posed.encoder.circuit.solver());
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

    /// A counterexample in which the rule sees its chains and clusters: a small one, or else a large one with as few
    /// unsolved cells as it can do with.
    fn seen_example(&self, posed: &mut Posed<'_>) -> Option<Counterexample> {
        let wanted = [posed.wrong, readable(&mut posed.encoder)];
        let (mut large, mut small) = (None, 0);
        for _ in 0..TRIES {
            let Answer::Yes(model) = posed.encoder.solve(&wanted, self.limits.board) else { break };
            // Shrinking takes long, so the flaw is searched first.
            let found = read(&posed.encoder, self.geometry, &posed.target, &model);
            if let Some(clause) = self.flaw(posed, &found) {
                posed.encoder.circuit.clause(&clause);
                continue;
            }
            large = large.or(Some(found));
            let example = self.example(posed, model);
            let Some(clause) = self.flaw(posed, &example) else { return Some(example) };
            posed.encoder.circuit.clause(&clause);
            small += 1;
            if small == MOST_SMALL {
                break;
            }
        }
        large.map(|example| self.fewer_cells(posed, example, wanted))
    }

    /// Clause that excludes a flaw of the example: something beside the layout for which the rule does not see it. `None` if
    /// there is no flaw.
    fn flaw(&self, posed: &mut Posed<'_>, example: &Counterexample) -> Option<Vec<Lit>> {
        let fixed = fixed(posed, example, None);
        for flaw in posed.encoder.flaws.clone() {
            let mut assumed = fixed.clone();
            assumed.push(flaw.is);
            let model = match posed.encoder.solve(&assumed, self.limits.board) {
                Answer::No => continue,
                Answer::Limit => return Some(vec![!flaw.is]),
                Answer::Yes(model) => model,
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

    /// Solves one cell of an example after the other, as long as it stays a counterexample.
    fn fewer_cells(&self, posed: &mut Posed<'_>, example: Counterexample, wanted: [Lit; 2]) -> Counterexample {
        let mut best = example;
        for cell in self.geometry.cells().filter(|&cell| best.state.value(cell).is_none()).collect::<Vec<_>>() {
            let mut assumed = fixed(posed, &best, Some(cell));
            assumed.extend(wanted);
            let Answer::Yes(model) = posed.encoder.solve(&assumed, self.limits.shrink) else { continue };
            let next = read(&posed.encoder, self.geometry, &posed.target, &model);
            if self.flaw(posed, &next).is_none() {
                best = next;
            }
        }
        best
    }

    /// Describes the premise that would have to imply the conclusions, and doesn't.
    fn what_is_open(&self, rule: Rule<'_>, posed: &mut Posed<'_>) -> Result<String, Refusal> {
        let mut known = Vec::new();
        for statement in by_lemma(rule.variant) {
            known.push(match statement {
                Statement::Suppose(suppose) => {
                    let cases = posed.encoder.cases(&suppose.cases)?;
                    let none: Vec<Lit> = cases.iter().map(|&case| !case).collect();
                    let left_out = posed.encoder.circuit.and(none);
                    let asked = [posed.wrong, left_out];
                    match suppose.shows {
                        Shows::Contradiction => "what is supposed is false".to_string(),
                        Shows::AllImply(_) | Shows::AllImplyWithout(_)
                            if posed.encoder.solve(&asked, self.limits.board) == Answer::No => {
                            "what all cases imply holds".to_string()
                        }
                        Shows::AllImply(_) | Shows::AllImplyWithout(_) => "what all cases imply holds if one of the cases does; but nothing in the rule says that one does".to_string(),
                    }
                }
                other => match shape(other) {
                    Some(LinkShape::Loop(_)) => "exactly one end of each link of a loop is true".to_string(),
                    Some(LinkShape::Ring(_)) => "a ring has a true guardian".to_string(),
                    Some(LinkShape::Cluster(_)) => "one of two colours is true".to_string(),
                    _ => "one end of a chain is true".to_string(),
                },
            });
        }
        Ok(format!("what it concludes does not follow from this: {}", known.join("; ")))
    }
}

/// Returns the arrangement of links that a statement asks for.
fn shape(statement: &Statement) -> Option<&LinkShape> {
    statement.graph().map(|graph| &graph.shape)
}

/// Returns true if a statement can be written out link by link.
fn is_laid_out(statement: &Statement) -> bool {
    matches!(shape(statement), Some(LinkShape::Chain(_) | LinkShape::Cluster(_)))
}

/// The state of an example and what its names stand for, as assumptions; one cell may be solved instead.
fn fixed(posed: &Posed<'_>, example: &Counterexample, solved: Option<Cell>) -> Vec<Lit> {
    let mut out = Vec::new();
    let signed = |lit: Lit, holds: bool| if holds { lit } else { !lit };
    for (at, lits) in posed.encoder.world.cells.iter().enumerate() {
        let cell = Cell(at as u16);
        let candidates = example.state.candidates(cell);
        if solved == Some(cell) {
            out.push(!lits.unsolved);
            continue;
        }
        out.push(signed(lits.unsolved, example.state.value(cell).is_none()));
        for (digit, &lit) in lits.candidate.iter().enumerate() {
            out.push(signed(lit, candidates.has(Digit(digit as u8))));
        }
    }
    let digits = posed.encoder.digits();
    for (var, bound) in posed.encoder.scope.variant.vars.iter().zip(&posed.encoder.scope.bound) {
        let Some((_, named)) = example.names.iter().find(|(name, _)| *name == var.name) else { continue };
        match (bound, named) {
            (Some(Bound::Candidates(set)), Named::Candidates(all)) => {
                let members: Vec<usize> = all.iter().map(|one| one.cell.index() * digits + one.digit.index()).collect();
                out.extend(set.bits.iter().enumerate().map(|(at, &bit)| signed(bit, members.contains(&at))));
            }
            (Some(Bound::Cells(set)), Named::Cells(all)) => {
                let is = |at: usize| all.contains(&Cell(at as u16));
                out.extend(set.bits.iter().enumerate().map(|(at, &bit)| signed(bit, is(at))));
            }
            (Some(Bound::Candidate { digit, cell }), Named::Candidate(one)) => {
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

/// Conflicts for each proposal: that no puzzle with so few empty cells will do can be hard to see, and need not be.
const PROPOSAL: u64 = 5_000;

/// Maximum number of empty cells, and number of puzzles tried with it.
const TRIES_BY_CLUES: [(i64, usize); 5] = [(6, 40), (10, 80), (16, 120), (30, 120), (60, 120)];

impl Prover<'_> {
    /// Looks for a puzzle with one solution that refutes the rule.
    pub(super) fn refute_unique(&self, posed: &mut Posed<'_>) -> Status {
        let given = givens(&mut posed.encoder, Lit::TRUE);
        let empty: Vec<Lit> = given.iter().map(|&lit| !lit).collect();
        for (most, tries) in TRIES_BY_CLUES {
            let few = !posed.encoder.circuit.at_least(&empty, most + 1);
            for _ in 0..tries {
                let assumed = [posed.wrong, few];
                let Answer::Yes(model) = posed.encoder.solve(&assumed, PROPOSAL) else { break };
                match another_solution(posed, self.geometry, &given, &model) {
                    None => {
                        let example = read(&posed.encoder, self.geometry, &posed.target, &model).of_one_solution();
                        return Status::Refuted(Box::new(example));
                    }
                    Some(other) => exclude(posed, &other),
                }
            }
        }
        let reason = match posed.encoder.exchange.as_slice() {
            [] => "no second grid is known to try: the rule says of no set that it is closed".to_string(),
            tried => format!("{} proves nothing, and no puzzle with one solution refutes it", tried.join(", or ")),
        };
        Status::Undecided(reason)
    }
}

fn solution(posed: &Posed<'_>, model: &Model) -> Vec<Digit> {
    let cells = posed.encoder.world.cells.iter();
    cells.map(|cell| Digit(cell.solution.iter().position(|&lit| model.holds(lit)).unwrap_or(0) as u8)).collect()
}

/// A solution of the puzzle other than the model's.
fn another_solution(posed: &Posed<'_>, geometry: &Geometry, given: &[Lit], model: &Model) -> Option<Vec<Digit>> {
    let truth = solution(posed, model);
    let mut puzzle = State::empty(geometry);
    for (cell, &given) in geometry.cells().zip(given) {
        if model.holds(given) {
            puzzle.place(geometry, cell, truth[cell.index()]);
        }
    }
    solutions(geometry, &puzzle, 2).into_iter().find(|other| *other != truth)
}

/// A grid is the solution, or the puzzle does not leave it open.
fn exclude(posed: &mut Posed<'_>, other: &[Digit]) {
    let encoder = &mut posed.encoder;
    let cells: Vec<_> =
        encoder.world.cells.iter().zip(other).map(|(lits, digit)| (lits.clone(), digit.index())).collect();
    let same: Vec<Lit> = cells.iter().map(|(lits, digit)| lits.solution[*digit]).collect();
    let mut clause = vec![encoder.circuit.and(same)];
    clause.extend(cells.iter().map(|(lits, digit)| !lits.open[*digit]));
    encoder.circuit.clause(&clause);
}

impl Prover<'_> {
    /// Why a cluster or ring of the rule cannot be, whatever else the rule says.
    pub(super) fn linkless(&self, rule: Rule<'_>, work: &mut Work) -> Result<Option<String>, Refusal> {
        for graph in rule.variant.body.iter().filter_map(Statement::graph) {
            let what = match graph.shape {
                LinkShape::Cluster(_) => "cluster",
                LinkShape::Ring(_) => "ring",
                LinkShape::Chain(_) | LinkShape::Loop(_) => continue,
            };
            let circuit = Circuit::until(self.halt.clone(), self.transcripts.begin(), self.limits.literals);
            let mut encoder = begin(Place::Board(self.geometry), rule, circuit)?;
            let sources = sources_of(&graph.strong, self.sources)?;
            let link = encoder.conjugate_link(&sources, graph.on.as_ref())?;
            let answer = encoder.solve(&[link], self.limits.board);
            work.effort.add(encoder.circuit.solver());
            if answer == Answer::No {
                let (names, board) = (graph.strong.join(", "), &self.geometry.spec().name);
                return Ok(Some(format!(
                    "its {what} has no links on {board}: no strong link of {names} is weak at once"
                )));
            }
        }
        Ok(None)
    }
}
