//! Gates over a SAT solver. In: literals. Out: literals that stand for the conjunction, disjunction, equality or count
//! of other literals. A gate with the inputs of an earlier gate is not written again. Constants are folded, so a fact
//! that the board decides costs nothing.

use super::solver::{Cancellation, Lit, SatAnswer, SatSolver, Transcript};
use super::verdict::Refusal;
use crate::lang::ir::Quantifier;
use rustc_hash::FxHashMap;

/// Maximum number of literals for which `at_most_one` writes a clause for each pair. For longer lists, an encoding with
/// new variables needs fewer clauses.
const MAX_PAIRWISE: usize = 8;

/// A growing circuit, and the solver that receives the clauses of the circuit.
pub(super) struct Circuit {
    pub solver: SatSolver,
    /// The output of each conjunction by the sorted inputs. The map is never iterated, so its order does not matter.
    ands: FxHashMap<Vec<Lit>, Lit>,
    literals: u64,
    cancellation: Cancellation,
    max_literals: u64,
}

/// Returns the possible members of a set: each index with its literal, unless the literal is constantly false.
pub(super) fn members(bits: &[Lit]) -> impl DoubleEndedIterator<Item = (usize, Lit)> + Clone + '_ {
    bits.iter().copied().enumerate().filter(|&(_, bit)| bit != Lit::FALSE)
}

/// Pairs each literal of the first set with the literal of the second set at the same index.
pub(super) fn pairs<'a>(a: &'a [Lit], b: &'a [Lit]) -> impl Iterator<Item = (Lit, Lit)> + Clone + 'a {
    a.iter().copied().zip(b.iter().copied())
}

impl Circuit {
    /// Makes an empty circuit with a limit on literals. `cancellation` cancels questions; `transcript` records all
    /// clauses.
    pub fn new(cancellation: Cancellation, transcript: Transcript, max_literals: u64) -> Circuit {
        let solver = SatSolver::new(cancellation.clone(), transcript);
        Circuit { solver, ands: FxHashMap::default(), literals: 0, cancellation, max_literals }
    }

    /// Returns an error if the circuit is full or the attempt has been cancelled.
    pub fn check_limits(&self) -> Result<(), Refusal> {
        if self.is_full() {
            return Err(Refusal::TooLarge { thousands: self.max_literals / 1_000 });
        }
        if self.cancellation.is_requested() {
            return Err(Refusal::Cancelled);
        }
        Ok(())
    }

    /// Returns true if the limit on literals is reached. A full circuit drops clauses and answers no question.
    fn is_full(&self) -> bool {
        self.literals > self.max_literals
    }

    /// Charges work to the limit on literals, as if the work added this number of literals.
    pub fn charge(&mut self, literals: usize) {
        self.literals += literals as u64;
    }

    /// Makes a literal of a new, unconstrained variable.
    pub fn fresh(&mut self) -> Lit {
        Lit::positive(self.solver.new_variable())
    }

    pub fn fresh_set(&mut self, count: usize) -> Vec<Lit> {
        (0..count).map(|_| self.fresh()).collect()
    }

    /// Adds the clause that at least one of `lits` is true.
    pub fn add_clause(&mut self, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) || self.is_full() {
            return;
        }
        self.literals += lits.len() as u64 + 1;
        let kept: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != Lit::FALSE).collect();
        self.solver.add_clause(&kept);
    }

    pub fn imply(&mut self, a: Lit, b: Lit) {
        self.add_clause(&[!a, b]);
    }

    pub fn and(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        let mut inputs: Vec<Lit> = lits.into_iter().filter(|&lit| lit != Lit::TRUE).collect();
        inputs.sort_unstable();
        inputs.dedup();
        // A literal and its negation are neighbours in the order.
        if inputs.contains(&Lit::FALSE) || inputs.windows(2).any(|pair| pair[0] == !pair[1]) {
            return Lit::FALSE;
        }
        match inputs.as_slice() {
            [] => return Lit::TRUE,
            [input] => return *input,
            _ => {}
        }
        if let Some(&gate) = self.ands.get(&inputs) {
            return gate;
        }
        if self.is_full() {
            return Lit::FALSE;
        }
        let gate = self.fresh();
        inputs.iter().for_each(|&input| self.imply(gate, input));
        let mut clause: Vec<Lit> = inputs.iter().map(|&input| !input).collect();
        clause.push(gate);
        self.add_clause(&clause);
        self.ands.insert(inputs, gate);
        gate
    }

    pub fn or(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and(lits.into_iter().map(|lit| !lit))
    }

    pub fn and2(&mut self, a: Lit, b: Lit) -> Lit {
        // Constants are the most frequent inputs, because a board decides most facts.
        match (a, b) {
            (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
            (Lit::TRUE, other) | (other, Lit::TRUE) => other,
            _ => self.and([a, b]),
        }
    }

    pub fn or2(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and2(!a, !b)
    }

    /// Returns the literal that is true iff in some pair both parts are true.
    pub fn any_pair_true(&mut self, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Lit {
        let ways: Vec<Lit> = pairs.into_iter().map(|(a, b)| self.and2(a, b)).collect();
        self.or(ways)
    }

    /// Returns the literal that is true iff in every pair the first part implies the second.
    pub fn every_implies(&mut self, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Lit {
        let parts: Vec<Lit> = pairs.into_iter().map(|(a, b)| self.or2(!a, b)).collect();
        self.and(parts)
    }

    /// Returns the literal that is true iff a fact holds for every (or some) member, from pairs of "is a member" and
    /// "the fact holds".
    pub fn quantified(&mut self, quantifier: Quantifier, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Lit {
        match quantifier {
            Quantifier::Every => self.every_implies(pairs),
            Quantifier::Some => self.any_pair_true(pairs),
        }
    }

    /// Returns the literal that is true iff every (or some) literal of `lits` is true.
    pub fn every_or_some(&mut self, quantifier: Quantifier, lits: Vec<Lit>) -> Lit {
        match quantifier {
            Quantifier::Every => self.and(lits),
            Quantifier::Some => self.or(lits),
        }
    }

    /// Returns, for each pair, the literal that is true iff both parts are true.
    pub fn and_each(&mut self, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Vec<Lit> {
        pairs.into_iter().map(|(a, b)| self.and2(a, b)).collect()
    }

    /// Returns, for each pair, the literal that is true iff at least one part is true.
    pub fn or_each(&mut self, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Vec<Lit> {
        pairs.into_iter().map(|(a, b)| self.or2(a, b)).collect()
    }

    pub fn iff(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.and([a, b]);
        let neither = self.and([!a, !b]);
        self.or([both, neither])
    }

    /// Makes a free literal that `sufficient` implies and that implies `necessary`. If both conditions are the same
    /// literal, returns that literal.
    pub fn between(&mut self, sufficient: Lit, necessary: Lit) -> Lit {
        if sufficient == necessary || sufficient == Lit::TRUE || necessary == Lit::FALSE {
            return sufficient;
        }
        let free = self.fresh();
        self.imply(sufficient, free);
        self.imply(free, necessary);
        free
    }

    pub fn at_least(&mut self, lits: &[Lit], count: i64) -> Lit {
        let constantly_true = lits.iter().filter(|&&lit| lit == Lit::TRUE).count() as i64;
        let variable: Vec<Lit> = lits.iter().copied().filter(|lit| !lit.is_constant()).collect();
        let count = count - constantly_true;
        if count <= 0 {
            return Lit::TRUE;
        }
        if count > variable.len() as i64 {
            return Lit::FALSE;
        }
        self.thresholds(&variable, count as usize)[count as usize]
    }

    /// Returns, for each j from 0 to `most`, the literal "at least j of `lits` are true".
    pub fn thresholds(&mut self, lits: &[Lit], most: usize) -> Vec<Lit> {
        let mut reached = vec![Lit::FALSE; most + 1];
        reached[0] = Lit::TRUE;
        for &lit in lits {
            for j in (1..reached.len()).rev() {
                let with_lit = self.and2(reached[j - 1], lit);
                reached[j] = self.or2(reached[j], with_lit);
            }
        }
        reached
    }

    pub fn exactly(&mut self, lits: &[Lit], count: i64) -> Lit {
        let enough = self.at_least(lits, count);
        let more = self.at_least(lits, count + 1);
        self.and2(enough, !more)
    }

    pub fn at_most_one(&mut self, lits: &[Lit]) {
        let lits: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != Lit::FALSE).collect();
        if lits.len() <= MAX_PAIRWISE {
            for (index, &a) in lits.iter().enumerate() {
                lits[index + 1..].iter().for_each(|&b| self.add_clause(&[!a, !b]));
            }
            return;
        }
        let mut some_earlier = lits[0];
        for &lit in &lits[1..] {
            self.add_clause(&[!some_earlier, !lit]);
            let some_until_here = self.fresh();
            self.imply(some_earlier, some_until_here);
            self.imply(lit, some_until_here);
            some_earlier = some_until_here;
        }
    }

    pub fn exactly_one(&mut self, lits: &[Lit]) {
        self.add_clause(lits);
        self.at_most_one(lits);
    }

    /// Looks for a model; see [`SatSolver::solve`].
    pub fn solve(&mut self, assumed: &[Lit], conflicts: u64) -> SatAnswer {
        if self.is_full() { SatAnswer::Limit } else { self.solver.solve(assumed, conflicts) }
    }
}
