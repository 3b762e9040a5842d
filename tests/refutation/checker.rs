//! An independent check of refutations. In: clauses, learnt clauses and refuted assumptions, in the order in which the
//! solver told them. Out: whether each follows from those before it by unit propagation alone.
//!
//! It shares no code with the solver: literals are numbers as in the DIMACS format, each clause watches two of its literals.
//! Literals implied without assumptions stay on the trail; those implied by an assumption are removed again.

use std::collections::HashMap;

/// A growing set of clauses, closed under unit propagation.
#[derive(Default)]
pub struct Checker {
    clauses: Vec<Vec<i32>>,
    /// Index of each learnt clause, by its literals as they were reported.
    known: HashMap<Vec<i32>, usize>,
    /// For each literal the clauses that watch it.
    watches: Vec<Vec<usize>>,
    /// For each variable 1, -1, or 0 while it is open.
    values: Vec<i8>,
    /// True literals in order; the first `done` of them are propagated.
    trail: Vec<i32>,
    done: usize,
    /// True if the clauses contradict each other.
    broken: bool,
}

impl Checker {
    /// Takes a clause for granted.
    pub fn add(&mut self, clause: &[i32]) {
        let mut lits = clause.to_vec();
        lits.sort_unstable();
        lits.dedup();
        self.make_room(&lits);
        if self.broken || lits.iter().any(|&lit| self.value(lit) > 0 || lits.contains(&-lit)) {
            return;
        }
        lits.retain(|&lit| self.value(lit) == 0);
        match lits.as_slice() {
            [] => self.broken = true,
            [one] => {
                self.set(*one);
                self.broken = !self.propagate();
            }
            [a, b, ..] => {
                self.watches[slot(*a)].push(self.clauses.len());
                self.watches[slot(*b)].push(self.clauses.len());
                self.clauses.push(lits);
            }
        }
    }

    /// Returns true if a clause follows: with all of its literals false, unit propagation reaches a contradiction.
    pub fn follows(&mut self, clause: &[i32]) -> bool {
        let denied: Vec<i32> = clause.iter().map(|lit| -lit).collect();
        self.refutes(&denied)
    }

    /// Returns true if unit propagation of these literals reaches a contradiction.
    pub fn refutes(&mut self, assumed: &[i32]) -> bool {
        self.make_room(assumed);
        let known = self.trail.len();
        let mut contradiction = self.broken;
        for &lit in assumed {
            match self.value(lit) {
                0 => self.set(lit),
                value => contradiction |= value < 0,
            }
        }
        contradiction = contradiction || !self.propagate();
        for lit in self.trail.drain(known..) {
            self.values[lit.unsigned_abs() as usize] = 0;
        }
        self.done = known;
        contradiction
    }

    /// Adds a clause that was learnt, if it follows.
    pub fn learn(&mut self, clause: &[i32]) -> bool {
        let follows = self.follows(clause);
        if follows {
            let before = self.clauses.len();
            self.add(clause);
            if self.clauses.len() > before {
                self.known.insert(sorted(clause), before);
            }
        }
        follows
    }

    /// Does without a clause that was learnt. What is known without assumptions stays known.
    pub fn forget(&mut self, clause: &[i32]) {
        if let Some(number) = self.known.remove(&sorted(clause)) {
            self.clauses[number].clear();
        }
    }

    /// Carries out what the clauses say of what is true; `false` where one of them has no true literal left.
    fn propagate(&mut self) -> bool {
        while let Some(&truth) = self.trail.get(self.done) {
            self.done += 1;
            let mut watching = std::mem::take(&mut self.watches[slot(-truth)]);
            let mut at = 0;
            while at < watching.len() {
                match self.visit(watching[at], -truth) {
                    Visit::Moved => drop(watching.swap_remove(at)),
                    Visit::Stays => at += 1,
                    Visit::Contradiction => {
                        self.watches[slot(-truth)] = watching;
                        return false;
                    }
                }
            }
            self.watches[slot(-truth)] = watching;
        }
        true
    }

    /// A clause that watches a literal which has become false looks for another one to watch.
    fn visit(&mut self, number: usize, gone: i32) -> Visit {
        let clause = &mut self.clauses[number];
        if clause.is_empty() {
            return Visit::Moved;
        }
        if clause[0] == gone {
            clause.swap(0, 1);
        }
        let value = |lit: i32| self.values[lit.unsigned_abs() as usize] * lit.signum() as i8;
        let other = clause[0];
        if value(other) > 0 {
            return Visit::Stays;
        }
        if let Some(found) = (2..clause.len()).find(|&at| value(clause[at]) >= 0) {
            clause.swap(1, found);
            let watched = slot(clause[1]);
            self.watches[watched].push(number);
            return Visit::Moved;
        }
        if value(other) < 0 {
            return Visit::Contradiction;
        }
        self.set(other);
        Visit::Stays
    }

    fn set(&mut self, lit: i32) {
        self.values[lit.unsigned_abs() as usize] = lit.signum() as i8;
        self.trail.push(lit);
    }

    fn value(&self, lit: i32) -> i8 {
        self.values[lit.unsigned_abs() as usize] * lit.signum() as i8
    }

    fn make_room(&mut self, lits: &[i32]) {
        let most = lits.iter().map(|lit| lit.unsigned_abs() as usize).max().unwrap_or(0);
        if self.values.len() <= most {
            self.values.resize(most + 1, 0);
            self.watches.resize_with(2 * most + 2, Vec::new);
        }
    }
}

enum Visit {
    /// The clause is watched elsewhere now, or was forgotten.
    Moved,
    Stays,
    Contradiction,
}

fn sorted(clause: &[i32]) -> Vec<i32> {
    let mut lits = clause.to_vec();
    lits.sort_unstable();
    lits
}

/// Index of the watches of a literal.
fn slot(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}
