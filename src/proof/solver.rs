//! The SAT solver with a deterministic limit. In: clauses and assumptions. Out: a [`SatAnswer`]: a model,
//! "unsatisfiable", or "limit reached".
//!
//! The limit counts conflicts, so equal questions get equal answers on every machine, unless the caller cancels the
//! attempt. A listener can check the answers with a transcript of all clauses.

use batsat::{Callbacks, SolverInterface, clause, lbool};
use std::cell::Cell;
use std::ops::Not;
use std::rc::Rc;

/// A literal: a variable or its negation. Variable 0 is always true.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lit(u32);

impl Lit {
    pub const TRUE: Lit = Lit(0);
    pub const FALSE: Lit = Lit(1);

    pub fn positive(variable: u32) -> Lit {
        Lit(variable << 1)
    }

    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// Returns true for one of the two constants.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Returns the literal if `holds` is true, otherwise the negated literal.
    pub fn signed(self, holds: bool) -> Lit {
        if holds { self } else { !self }
    }

    fn variable(self) -> u32 {
        self.0 >> 1
    }

    fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// Returns the literal in DIMACS notation: the number of the variable, counted from 1; negative for a negated
    /// variable.
    fn dimacs(self) -> i32 {
        let number = self.variable() as i32 + 1;
        if self.is_positive() { number } else { -number }
    }
}

impl Not for Lit {
    type Output = Lit;
    fn not(self) -> Lit {
        Lit(self.0 ^ 1)
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SatAnswer {
    /// Satisfiable.
    Yes(Model),
    /// Unsatisfiable.
    No,
    /// The limit on conflicts was reached, or the attempt was cancelled.
    Limit,
}

/// A value for each variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Model(Vec<bool>);

impl Model {
    pub fn holds(&self, lit: Lit) -> bool {
        let value = self.0.get(lit.variable() as usize).copied().unwrap_or(false);
        value == lit.is_positive()
    }

    pub fn true_indices(&self, lits: &[Lit]) -> Vec<usize> {
        (0..lits.len()).filter(|&index| self.holds(lits[index])).collect()
    }

    pub fn first_true(&self, lits: &[Lit]) -> Option<usize> {
        lits.iter().position(|&lit| self.holds(lit))
    }
}

/// Callbacks of the solver: they count conflicts, stop at a limit and write the transcript.
struct SolverCallbacks {
    /// Number of conflicts. Each conflict adds a learnt clause.
    conflicts: u64,
    max_conflicts: u64,
    cancellation: Cancellation,
    transcript: Transcript,
}

impl Callbacks for SolverCallbacks {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], source: clause::Kind) {
        if source == clause::Kind::Learnt {
            self.conflicts += 1;
            self.transcript.write(TranscriptLine::Learnt, clause.iter().map(dimacs));
        }
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        self.transcript.write(TranscriptLine::Forgotten, clause.iter().map(dimacs));
    }

    fn stop(&self) -> bool {
        self.conflicts >= self.max_conflicts || self.cancellation.is_requested()
    }
}

/// Returns [`Lit::dimacs`] of a literal of the solver.
fn dimacs(lit: &batsat::Lit) -> i32 {
    Lit(lit.var().idx() << 1 | u32::from(!lit.sign())).dimacs()
}

pub(super) struct SatSolver {
    inner: batsat::Solver<SolverCallbacks>,
    pub clauses: u64,
}

impl Default for SatSolver {
    fn default() -> SatSolver {
        SatSolver::new(Cancellation::default(), Transcript::default())
    }
}

impl SatSolver {
    /// Makes a solver with a single clause, which makes variable 0 true. `transcript` records all clauses.
    pub fn new(cancellation: Cancellation, transcript: Transcript) -> SatSolver {
        let callbacks = SolverCallbacks { conflicts: 0, max_conflicts: u64::MAX, cancellation, transcript };
        let inner = batsat::Solver::new(batsat::SolverOpts::default(), callbacks);
        let mut solver = SatSolver { inner, clauses: 0 };
        solver.new_variable();
        solver.add_clause(&[Lit::TRUE]);
        solver
    }

    pub fn new_variable(&mut self) -> u32 {
        self.inner.new_var_default().idx()
    }

    pub fn add_clause(&mut self, lits: &[Lit]) {
        self.write(TranscriptLine::Given, lits);
        let mut clause: Vec<batsat::Lit> = lits.iter().map(|&lit| self.native(lit)).collect();
        self.clauses += 1;
        self.inner.add_clause_reuse(&mut clause);
    }

    fn native(&mut self, lit: Lit) -> batsat::Lit {
        batsat::Lit::new(self.inner.var_of_int(lit.variable()), lit.is_positive())
    }

    /// Searches for a model in which all of `assumed` are true. Gives up after `conflicts` conflicts.
    pub fn solve(&mut self, assumed: &[Lit], conflicts: u64) -> SatAnswer {
        let native: Vec<batsat::Lit> = assumed.iter().map(|&lit| self.native(lit)).collect();
        let max_conflicts = self.conflicts().saturating_add(conflicts);
        self.inner.cb_mut().max_conflicts = max_conflicts;
        match self.inner.solve_limited(&native) {
            answer if answer == lbool::TRUE => {
                SatAnswer::Yes(Model(self.inner.get_model().iter().map(|&value| value == lbool::TRUE).collect()))
            }
            answer if answer == lbool::FALSE => {
                self.write(TranscriptLine::Refuted, assumed);
                SatAnswer::No
            }
            _ => SatAnswer::Limit,
        }
    }

    fn write(&self, line: TranscriptLine, lits: &[Lit]) {
        self.inner.cb().transcript.write(line, lits.iter().map(|lit| lit.dimacs()));
    }

    pub fn variables(&self) -> u64 {
        u64::from(self.inner.num_vars())
    }

    /// Total number of conflicts of all questions.
    pub fn conflicts(&self) -> u64 {
        self.inner.cb().conflicts
    }
}

/// The kind of a transcript line. The literals of a line are in DIMACS notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptLine {
    /// A clause that was added.
    Given,
    /// A clause that the solver derived from the clauses of earlier lines.
    Learnt,
    /// A learnt clause that the solver deletes.
    Forgotten,
    /// Assumptions that the solver found to contradict the clauses.
    Refuted,
}

/// A function that receives transcript lines: the number of the solver, the kind of the line, and the literals of the
/// line. The lines of several solvers may alternate.
pub(super) type Listener = Rc<dyn Fn(u64, TranscriptLine, &[i32])>;

/// Passes the lines of one solver to the listener, if there is one.
#[derive(Clone, Default)]
pub(super) struct Transcript {
    listener: Option<Listener>,
    solver: u64,
    /// Number of the latest solver, shared by all transcripts of the listener.
    latest_solver: Rc<Cell<u64>>,
}

impl Transcript {
    pub fn for_listener(listener: Listener) -> Transcript {
        Transcript { listener: Some(listener), ..Transcript::default() }
    }

    /// Returns the transcript for a new solver, with the next number.
    pub fn for_next_solver(&self) -> Transcript {
        self.latest_solver.set(self.latest_solver.get() + 1);
        Transcript { solver: self.latest_solver.get(), ..self.clone() }
    }

    pub fn write(&self, line: TranscriptLine, literals: impl Iterator<Item = i32>) {
        if let Some(listener) = &self.listener {
            listener(self.solver, line, &literals.collect::<Vec<i32>>());
        }
    }
}

/// A function that returns true once the caller has cancelled an attempt; `None` if attempts are never cancelled.
#[derive(Clone, Default)]
pub(super) struct Cancellation(pub Option<Rc<dyn Fn() -> bool>>);

impl Cancellation {
    pub fn is_requested(&self) -> bool {
        self.0.as_ref().is_some_and(|is_cancelled| is_cancelled())
    }
}
