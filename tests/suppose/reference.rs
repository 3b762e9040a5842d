//! Computes the consequences of suppositions by slow and simple code. In: a state, and a rule of
//! [`rule_forms`](super::rule_forms). Out: the effects of the rule's matches, as text. Tests compare the engine with them.

use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State, notation};
use pinion::lang::ir::*;
use std::collections::BTreeSet;
use std::sync::Arc;

/// A candidate, and true if the candidate is true.
type CandidateTruth = (Candidate, bool);

/// Returns `count` random states with a solution, on boards of these sizes in turn.
pub fn random_states(sizes: &[usize], count: u64) -> impl Iterator<Item = (Arc<Geometry>, State)> {
    let sizes = sizes.to_vec();
    (0..count).map(move |number| {
        let board = crate::common::geometry(sizes[number as usize % sizes.len()]);
        let state = random_state(&board, number);
        (board, state)
    })
}

fn random_state(board: &Geometry, seed: u64) -> State {
    // An xorshift generator; its state must not be 0.
    let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
    let mut random_below = |bound: u64| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        random % bound
    };
    let (box_rows, box_columns) = board.spec().boxes().expect("a board with boxes");
    // Each row of a band is the row above, shifted by the width of a box. The next band is shifted by one more.
    let solution = |cell: Cell| {
        let row = board.row(cell);
        let shift = row % box_rows * box_columns + row / box_rows;
        Digit(((board.column(cell) + shift) % board.size()) as u8)
    };
    let mut state = State::empty(board);
    let (solved_percent, kept) = (20 + random_below(40), 2 + random_below(3));
    for cell in board.cells() {
        if random_below(100) < solved_percent {
            state.place(board, cell, solution(cell));
        }
    }
    for cell in board.cells() {
        let wrong_digits: Vec<Digit> = state.candidates(cell).iter().filter(|digit| *digit != solution(cell)).collect();
        for digit in wrong_digits {
            // One wrong candidate of `kept + 2` is eliminated.
            if random_below(kept + 2) > kept {
                state.eliminate(Candidate::new(digit, cell));
            }
        }
    }
    state
}

/// The candidates that are true or false if a supposition holds.
#[derive(Default)]
struct Consequences {
    true_candidates: BTreeSet<Candidate>,
    false_candidates: BTreeSet<Candidate>,
    has_contradiction: bool,
}

impl Consequences {
    /// Records that a candidate is true or false. Returns true if that is new.
    fn insert(&mut self, (candidate, is_true): CandidateTruth) -> bool {
        if is_true { self.true_candidates.insert(candidate) } else { self.false_candidates.insert(candidate) }
    }

    fn has_true_and_false_candidate(&self) -> bool {
        !self.true_candidates.is_disjoint(&self.false_candidates)
    }
}

/// A state, and the methods that derive consequences in it.
struct Reference<'a> {
    board: &'a Geometry,
    state: &'a State,
    /// All candidates of the state.
    candidates: Vec<Candidate>,
    /// The sets of [`Reference::cell_sets`], and the sets of [`Reference::house_sets`] for all digits.
    all_sets: Vec<Vec<Candidate>>,
}

impl<'a> Reference<'a> {
    fn new(board: &'a Geometry, state: &'a State) -> Self {
        let of_cell = |cell: Cell| state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell));
        let candidates = board.cells().flat_map(of_cell).collect();
        let mut reference = Reference { board, state, candidates, all_sets: Vec::new() };
        reference.all_sets = [reference.cell_sets(), reference.house_sets(reference.all_digits())].concat();
        reference
    }

    fn candidates_where(&self, condition: impl Fn(Candidate) -> bool) -> Vec<Candidate> {
        self.candidates.iter().copied().filter(|&candidate| condition(candidate)).collect()
    }

    /// Returns the candidates that cannot be true together with `candidate`.
    fn excluded_by(&self, candidate: Candidate) -> Vec<Candidate> {
        self.candidates_where(|other| {
            let in_one_cell = candidate.cell == other.cell && candidate.digit != other.digit;
            let of_one_digit = candidate.digit == other.digit && self.board.sees(candidate.cell, other.cell);
            in_one_cell || of_one_digit
        })
    }

    /// Returns the candidates of each unsolved cell. One candidate of each set is true.
    fn cell_sets(&self) -> Vec<Vec<Candidate>> {
        let unsolved = self.board.cells().filter(|&cell| self.state.value(cell).is_none());
        unsolved.map(|cell| self.candidates_where(|candidate| candidate.cell == cell)).collect()
    }

    /// For each of these digits and each house that does not have the digit as a value, returns the places of the digit in
    /// the house. One candidate of each set is true.
    fn house_sets(&self, digits: DigitSet) -> Vec<Vec<Candidate>> {
        let mut sets = Vec::new();
        for house in self.board.houses() {
            let values: DigitSet = house.cells.iter().filter_map(|&cell| self.state.value(cell)).collect();
            for digit in (digits - values).iter() {
                sets.push(self.candidates_where(|place| place.digit == digit && house.cells.contains(&place.cell)));
            }
        }
        sets
    }

    fn all_digits(&self) -> DigitSet {
        DigitSet::all(self.board.size())
    }

    /// Returns the consequences of a supposition by these methods. A method with `on …` is restricted to `digits`.
    fn consequences(&self, methods: &InferenceMethods, supposed: CandidateTruth, digits: DigitSet) -> Consequences {
        let mut consequences = Consequences::default();
        consequences.insert(supposed);
        match methods {
            InferenceMethods::Singles { digits: None } => {
                self.singles(&mut consequences, &self.all_sets, self.all_digits());
            }
            InferenceMethods::Singles { digits: Some(_) } => {
                self.singles(&mut consequences, &self.house_sets(digits), digits);
            }
            InferenceMethods::Links { most, .. } => self.links(&mut consequences, supposed, *most),
            InferenceMethods::Rules(_) => unreachable!("suppositions with techniques have tests of their own"),
        }
        consequences
    }

    /// Repeats two inferences until nothing is new. If all candidates of a set but one are false, the remaining candidate is
    /// true. If a candidate is true, the candidates of `digits` that it excludes are false.
    fn singles(&self, consequences: &mut Consequences, sets: &[Vec<Candidate>], digits: DigitSet) {
        loop {
            let counts_before = (consequences.true_candidates.len(), consequences.false_candidates.len());
            for set in sets {
                let mut possible = set.clone();
                possible.retain(|candidate| !consequences.false_candidates.contains(candidate));
                match possible[..] {
                    [] => consequences.has_contradiction = true,
                    [last] => _ = consequences.true_candidates.insert(last),
                    _ => {}
                }
            }
            for &candidate in &consequences.true_candidates {
                let excluded = self.excluded_by(candidate).into_iter().filter(|other| digits.has(other.digit));
                consequences.false_candidates.extend(excluded);
            }
            consequences.has_contradiction |= consequences.has_true_and_false_candidate();
            let counts = (consequences.true_candidates.len(), consequences.false_candidates.len());
            if consequences.has_contradiction || counts == counts_before {
                return;
            }
        }
    }

    /// Follows weak and strong links in turn, with at most `max_strong` strong links. A weak link leads from a true candidate
    /// to the candidates that it excludes, which are false. A strong link leads from a false candidate in a set of two to
    /// the other candidate, which is true.
    fn links(&self, consequences: &mut Consequences, supposed: CandidateTruth, max_strong: Option<u32>) {
        let mut reached = vec![supposed];
        let mut strong_links = 0;
        while !reached.is_empty() {
            let mut next: Vec<CandidateTruth> = Vec::new();
            let are_true = reached[0].1;
            if are_true {
                for (candidate, _) in reached {
                    next.extend(self.excluded_by(candidate).into_iter().map(|other| (other, false)));
                }
            } else if max_strong.is_none_or(|max| strong_links < max) {
                strong_links += 1;
                for (candidate, _) in reached {
                    let pairs = self.all_sets.iter().filter(|set| set.len() == 2 && set.contains(&candidate));
                    next.extend(pairs.flatten().filter(|other| **other != candidate).map(|other| (*other, true)));
                }
            }
            reached = Vec::new();
            for fact in next {
                if consequences.insert(fact) {
                    reached.push(fact);
                }
            }
        }
        let is_false = |candidate| consequences.false_candidates.contains(candidate);
        let has_false_set = self.all_sets.iter().any(|set| set.iter().all(is_false));
        consequences.has_contradiction = has_false_set || consequences.has_true_and_false_candidate();
    }

    /// Returns the possible matches of a rule, each as the suppositions of its cases.
    fn cases(&self, suppose: &Suppose, vars: &[Var]) -> Vec<Vec<CandidateTruth>> {
        let all = &self.candidates;
        match &suppose.cases {
            Cases::Candidate(_) => all.iter().map(|&candidate| vec![(candidate, true)]).collect(),
            Cases::Not(_) => all.iter().map(|&candidate| vec![(candidate, false)]).collect(),
            Cases::Literal(_) => {
                all.iter().flat_map(|&candidate| [vec![(candidate, true)], vec![(candidate, false)]]).collect()
            }
            Cases::Either(_) => all.iter().map(|&candidate| vec![(candidate, true), (candidate, false)]).collect(),
            Cases::Each(_) => {
                let is_about_cell = vars[0].kind == Kind::Cell;
                let sets = if is_about_cell { self.cell_sets() } else { self.house_sets(self.all_digits()) };
                sets.into_iter().map(|set| set.into_iter().map(|candidate| (candidate, true)).collect()).collect()
            }
        }
    }
}

/// Returns the effects that a rule of [`rule_forms`](super::rule_forms) must have on a state.
pub fn expected_effects(board: &Geometry, state: &State, variant: &Variant) -> BTreeSet<String> {
    let reference = Reference::new(board, state);
    let Some(Statement::Suppose(suppose)) = variant.body.last() else { panic!("the rule supposes something") };
    let mut effects = BTreeSet::new();
    let mut add = |(candidate, is_true): CandidateTruth| {
        let (eliminations, placements) = if is_true { (vec![], vec![candidate]) } else { (vec![candidate], vec![]) };
        effects.insert(notation::deductions(board, &eliminations, &placements));
    };
    for cases in reference.cases(suppose, &variant.vars) {
        // If a rule of `rule_forms` has `on …`, the digits are those of the supposed candidates.
        let digits = cases.iter().map(|(candidate, _)| candidate.digit).collect();
        let results: Vec<Consequences> =
            cases.iter().map(|&supposed| reference.consequences(&suppose.methods, supposed, digits)).collect();
        match suppose.shows {
            CaseResult::Contradiction => {
                if let [(candidate, is_true)] = cases[..]
                    && results[0].has_contradiction
                {
                    add((candidate, !is_true));
                }
            }
            CaseResult::AllImplyWithoutContradiction(_) if results.iter().any(|result| result.has_contradiction) => {}
            CaseResult::AllImply(_) | CaseResult::AllImplyWithoutContradiction(_) => {
                let possible: Vec<&Consequences> = results.iter().filter(|result| !result.has_contradiction).collect();
                if possible.is_empty() {
                    continue;
                }
                for &candidate in &reference.candidates {
                    if possible.iter().all(|result| result.true_candidates.contains(&candidate)) {
                        add((candidate, true));
                    }
                    if possible.iter().all(|result| result.false_candidates.contains(&candidate)) {
                        add((candidate, false));
                    }
                }
            }
        }
    }
    effects
}
