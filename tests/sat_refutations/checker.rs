//! Checks refutations of a SAT solver, without code of the solver. In: the solver's transcript, which lists clauses of the
//! question, learnt clauses and refuted assumptions. Out: for each learnt clause and each refutation, true if it follows
//! from the lines before it by unit propagation alone.
//!
//! A literal is a number as in the DIMACS format: variable 3 is true in `3` and false in `-3`. Each clause watches two of
//! its literals: while neither is false, the clause implies nothing new.

use std::collections::HashMap;

/// A growing set of clauses, with all literals that unit propagation derives from them.
#[derive(Default)]
pub struct Checker {
    clauses: Vec<Vec<i32>>,
    /// Index in `clauses` of each learnt clause, by its sorted literals.
    learnt: HashMap<Vec<i32>, usize>,
    /// Indices of the clauses that watch a literal, by [`watch_index`] of the literal.
    watches: Vec<Vec<usize>>,
    /// Value of each variable: 1 for true, -1 for false, 0 for unknown.
    values: Vec<i8>,
    /// True literals, in the order in which they were derived.
    trail: Vec<i32>,
    /// Number of literals at the start of `trail` that are propagated already.
    propagated: usize,
    is_contradictory: bool,
}

impl Checker {
    /// Adds a clause without a check.
    pub fn add(&mut self, clause: &[i32]) {
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        self.make_room(&lits);
        let is_true = lits.iter().any(|&lit| self.value(lit) > 0 || lits.contains(&-lit));
        if is_true || self.is_contradictory {
            return;
        }
        // No assumption is set here, so a false literal stays false.
        lits.retain(|&lit| self.value(lit) == 0);
        match lits.as_slice() {
            [] => self.is_contradictory = true,
            [unit] => {
                self.set(*unit);
                self.is_contradictory = !self.propagate();
            }
            [a, b, ..] => {
                self.watches[watch_index(*a)].push(self.clauses.len());
                self.watches[watch_index(*b)].push(self.clauses.len());
                self.clauses.push(lits);
            }
        }
    }

    /// Returns true if a clause follows: unit propagation reaches a contradiction if all literals of the clause are false.
    pub fn follows(&mut self, clause: &[i32]) -> bool {
        let negated: Vec<i32> = clause.iter().map(|lit| -lit).collect();
        self.refutes(&negated)
    }

    /// Returns true if unit propagation from `assumptions` reaches a contradiction. The assumptions are removed again.
    pub fn refutes(&mut self, assumptions: &[i32]) -> bool {
        self.make_room(assumptions);
        let length_before = self.trail.len();
        let mut has_contradiction = self.is_contradictory;
        for &lit in assumptions {
            match self.value(lit) {
                0 => self.set(lit),
                value => has_contradiction |= value < 0,
            }
        }
        has_contradiction = has_contradiction || !self.propagate();
        for lit in self.trail.drain(length_before..) {
            self.values[lit.unsigned_abs() as usize] = 0;
        }
        self.propagated = length_before;
        has_contradiction
    }

    /// Adds a learnt clause if it follows from the clauses so far. Returns false if it does not.
    pub fn learn(&mut self, clause: &[i32]) -> bool {
        let follows = self.follows(clause);
        if follows {
            let index = self.clauses.len();
            self.add(clause);
            let was_stored = self.clauses.len() > index;
            if was_stored {
                self.learnt.insert(sorted(clause), index);
            }
        }
        follows
    }

    /// Removes a learnt clause. Literals derived from it without assumptions stay true.
    pub fn forget(&mut self, clause: &[i32]) {
        if let Some(index) = self.learnt.remove(&sorted(clause)) {
            self.clauses[index].clear();
        }
    }

    /// Sets every literal that a clause implies because its other literals are false. Returns false if all literals of a
    /// clause are false.
    fn propagate(&mut self) -> bool {
        while let Some(&true_lit) = self.trail.get(self.propagated) {
            self.propagated += 1;
            let mut watching = std::mem::take(&mut self.watches[watch_index(-true_lit)]);
            let mut position = 0;
            while position < watching.len() {
                match self.visit(watching[position], -true_lit) {
                    Visit::Moved => drop(watching.swap_remove(position)),
                    Visit::Stays => position += 1,
                    Visit::Contradiction => {
                        self.watches[watch_index(-true_lit)] = watching;
                        return false;
                    }
                }
            }
            self.watches[watch_index(-true_lit)] = watching;
        }
        true
    }

    /// Lets a clause, which watches a literal that has become false, watch another literal if it can. Otherwise the clause
    /// implies its other watched literal.
    fn visit(&mut self, index: usize, false_lit: i32) -> Visit {
        let clause = &mut self.clauses[index];
        let is_forgotten = clause.is_empty();
        if is_forgotten {
            return Visit::Moved;
        }
        // The watched literals are the first two; the false one comes second.
        if clause[0] == false_lit {
            clause.swap(0, 1);
        }
        let value = |lit: i32| self.values[lit.unsigned_abs() as usize] * lit.signum() as i8;
        let other_watched = clause[0];
        if value(other_watched) > 0 {
            return Visit::Stays;
        }
        if let Some(position) = (2..clause.len()).find(|&position| value(clause[position]) >= 0) {
            clause.swap(1, position);
            let newly_watched = clause[1];
            self.watches[watch_index(newly_watched)].push(index);
            return Visit::Moved;
        }
        if value(other_watched) < 0 {
            return Visit::Contradiction;
        }
        self.set(other_watched);
        Visit::Stays
    }

    fn set(&mut self, lit: i32) {
        self.values[lit.unsigned_abs() as usize] = lit.signum() as i8;
        self.trail.push(lit);
    }

    /// Returns 1 for a true literal, -1 for a false one, 0 for an unknown one.
    fn value(&self, lit: i32) -> i8 {
        self.values[lit.unsigned_abs() as usize] * lit.signum() as i8
    }

    /// Makes the tables large enough for the variables of these literals.
    fn make_room(&mut self, lits: &[i32]) {
        let largest = lits.iter().map(|lit| lit.unsigned_abs() as usize).max().unwrap_or(0);
        if self.values.len() <= largest {
            self.values.resize(largest + 1, 0);
            self.watches.resize_with(2 * largest + 2, Vec::new);
        }
    }
}

/// Result of a visit to a clause that watches a literal which has become false.
enum Visit {
    /// The clause watches another literal now, or it was forgotten.
    Moved,
    /// The clause still watches the literal.
    Stays,
    /// All literals of the clause are false.
    Contradiction,
}

fn sorted(clause: &[i32]) -> Vec<i32> {
    let mut lits = clause.to_vec();
    lits.sort_unstable();
    lits
}

/// Returns the index of a literal in [`Checker::watches`].
fn watch_index(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}
