//! Gates over a SAT solver. In: literals. Out: literals that stand for their conjunction, disjunction,
//! equality or count, each gate written once; constants are folded, so what the board decides costs nothing.

use super::solver::{Cancellation, Lit, SatAnswer, SatSolver, Transcript};
use super::verdict::Refusal;
use rustc_hash::FxHashMap;

/// A growing circuit and the solver that its clauses go to.
pub(super) struct Circuit {
    pub solver: SatSolver,
    /// Conjunctions by their sorted inputs; never iterated, so their order does not matter.
    ands: FxHashMap<Vec<Lit>, Lit>,
    /// Total number of literals in the clauses.
    literals: u64,
    cancellation: Cancellation,
    /// Literals that the clauses may have.
    most: u64,
}

/// The possible members of a set: each index with its literal, unless that is constantly false.
pub(super) fn members(bits: &[Lit]) -> impl DoubleEndedIterator<Item = (usize, Lit)> + Clone + '_ {
    bits.iter().copied().enumerate().filter(|&(_, bit)| bit != Lit::FALSE)
}

/// Pairs the literals of two sets.
pub(super) fn pairs<'a>(a: &'a [Lit], b: &'a [Lit]) -> impl Iterator<Item = (Lit, Lit)> + Clone + 'a {
    a.iter().copied().zip(b.iter().copied())
}

impl Circuit {
    /// Makes an empty circuit whose questions can be cancelled, with a limit on literals; `transcript` records its clauses.
    pub fn new(cancellation: Cancellation, transcript: Transcript, most: u64) -> Circuit {
        let solver = SatSolver::new(cancellation.clone(), transcript);
        Circuit { solver, ands: FxHashMap::default(), literals: 0, cancellation, most }
    }

    /// Fails once the circuit is full or the attempt has been given up.
    pub fn spent(&self) -> Result<(), Refusal> {
        match (self.is_full(), self.cancellation.is_requested()) {
            (true, _) => Err(Refusal::TooLarge { thousands: self.most / 1_000 }),
            (_, true) => Err(Refusal::GivenUp),
            _ => Ok(()),
        }
    }

    /// Returns true if the limit on literals is reached; then clauses are dropped and no question is answered.
    fn is_full(&self) -> bool {
        self.literals > self.most
    }

    /// Counts literals that are kept as a value.
    pub fn remember(&mut self, literals: usize) {
        self.literals += literals as u64;
    }

    /// A new, unconstrained literal.
    pub fn fresh(&mut self) -> Lit {
        Lit::positive(self.solver.variable())
    }

    /// A number of new literals.
    pub fn fresh_set(&mut self, count: usize) -> Vec<Lit> {
        (0..count).map(|_| self.fresh()).collect()
    }

    /// Demands that one of these holds.
    pub fn clause(&mut self, lits: &[Lit]) {
        if lits.contains(&Lit::TRUE) || self.is_full() {
            return;
        }
        self.literals += lits.len() as u64 + 1;
        let kept: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != Lit::FALSE).collect();
        self.solver.add(&kept);
    }

    /// Adds the clause `a` implies `b`.
    pub fn imply(&mut self, a: Lit, b: Lit) {
        self.clause(&[!a, b]);
    }

    /// Literal that is true iff all of these are.
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
            [one] => return *one,
            _ => {}
        }
        if let Some(&known) = self.ands.get(&inputs) {
            return known;
        }
        if self.is_full() {
            return Lit::FALSE;
        }
        let gate = self.fresh();
        inputs.iter().for_each(|&input| self.imply(gate, input));
        let mut all: Vec<Lit> = inputs.iter().map(|&input| !input).collect();
        all.push(gate);
        self.clause(&all);
        self.ands.insert(inputs, gate);
        gate
    }

    /// Literal that is true iff one of these is.
    pub fn or(&mut self, lits: impl IntoIterator<Item = Lit>) -> Lit {
        !self.and(lits.into_iter().map(|lit| !lit))
    }

    pub fn and2(&mut self, a: Lit, b: Lit) -> Lit {
        // Most questions on a board are decided by it.
        match (a, b) {
            (Lit::FALSE, _) | (_, Lit::FALSE) => Lit::FALSE,
            (Lit::TRUE, other) | (other, Lit::TRUE) => other,
            _ => self.and([a, b]),
        }
    }

    pub fn or2(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and2(!a, !b)
    }

    /// Literal that is true iff both parts of some pair are.
    pub fn some_both(&mut self, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Lit {
        let ways: Vec<Lit> = pairs.into_iter().map(|(a, b)| self.and2(a, b)).collect();
        self.or(ways)
    }

    /// Literal that is true iff in every pair the first part implies the second.
    pub fn every_implies(&mut self, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Lit {
        let parts: Vec<Lit> = pairs.into_iter().map(|(a, b)| self.or2(!a, b)).collect();
        self.and(parts)
    }

    /// Literal that is true iff a fact holds for every (or some) member, from pairs of "is a member" and "the fact holds".
    pub fn quantified(&mut self, every: bool, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Lit {
        if every { self.every_implies(pairs) } else { self.some_both(pairs) }
    }

    /// For each pair, a literal: both parts are true.
    pub fn each_both(&mut self, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Vec<Lit> {
        pairs.into_iter().map(|(a, b)| self.and2(a, b)).collect()
    }

    /// For each pair, a literal: one part is true.
    pub fn each_either(&mut self, pairs: impl IntoIterator<Item = (Lit, Lit)>) -> Vec<Lit> {
        pairs.into_iter().map(|(a, b)| self.or2(a, b)).collect()
    }

    /// Literal that is true iff `a` and `b` are equal.
    pub fn same(&mut self, a: Lit, b: Lit) -> Lit {
        let both = self.and([a, b]);
        let neither = self.and([!a, !b]);
        self.or([both, neither])
    }

    /// Literal implied by `must` that implies `may`. If the two are one literal, the result is that literal.
    pub fn between(&mut self, must: Lit, may: Lit) -> Lit {
        if must == may {
            return may;
        }
        if must == Lit::TRUE || may == Lit::FALSE {
            return must;
        }
        let open = self.fresh();
        self.imply(must, open);
        self.imply(open, may);
        open
    }

    /// Literal that is true iff at least `count` of these are.
    pub fn at_least(&mut self, lits: &[Lit], count: i64) -> Lit {
        let certain = lits.iter().filter(|&&lit| lit == Lit::TRUE).count() as i64;
        let open: Vec<Lit> = lits.iter().copied().filter(|lit| !lit.is_constant()).collect();
        let count = count - certain;
        if count <= 0 {
            return Lit::TRUE;
        }
        if count > open.len() as i64 {
            return Lit::FALSE;
        }
        self.counts(&open, count as usize)[count as usize]
    }

    /// In place j whether at least j of these hold, up to `most`.
    pub fn counts(&mut self, lits: &[Lit], most: usize) -> Vec<Lit> {
        let mut row = vec![Lit::FALSE; most + 1];
        row[0] = Lit::TRUE;
        for &lit in lits {
            for j in (1..row.len()).rev() {
                let step = self.and2(row[j - 1], lit);
                row[j] = self.or2(row[j], step);
            }
        }
        row
    }

    /// Literal that is true iff exactly `count` of these are.
    pub fn exactly(&mut self, lits: &[Lit], count: i64) -> Lit {
        let enough = self.at_least(lits, count);
        let more = self.at_least(lits, count + 1);
        self.and2(enough, !more)
    }

    /// Demands that no two of these hold.
    pub fn at_most_one(&mut self, lits: &[Lit]) {
        let open: Vec<Lit> = lits.iter().copied().filter(|&lit| lit != Lit::FALSE).collect();
        if open.len() <= 8 {
            for (index, &a) in open.iter().enumerate() {
                open[index + 1..].iter().for_each(|&b| self.clause(&[!a, !b]));
            }
            return;
        }
        let mut before = open[0];
        for &lit in &open[1..] {
            self.clause(&[!before, !lit]);
            let next = self.fresh();
            self.imply(before, next);
            self.imply(lit, next);
            before = next;
        }
    }

    /// Demands that one of these holds and no two.
    pub fn exactly_one(&mut self, lits: &[Lit]) {
        self.clause(lits);
        self.at_most_one(lits);
    }

    /// Looks for a model; see [`SatSolver::solve`].
    pub fn solve(&mut self, assumed: &[Lit], conflicts: u64) -> SatAnswer {
        if self.is_full() { SatAnswer::Limit } else { self.solver.solve(assumed, conflicts) }
    }
}
