//! The SAT solver with a deterministic limit. In: clauses and assumptions. Out: a model, a core, or the fact that the limit
//! was reached.
//!
//! The limit counts conflicts, so equal questions get equal answers on every machine, unless the caller cancels the attempt.
//! A transcript of all clauses lets others check the answers.

use batsat::{Callbacks, SolverInterface, clause, lbool};
use std::cell::Cell;
use std::ops::Not;
use std::rc::Rc;

/// A literal: a variable or its negation. Variable 0 is the constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Lit(u32);

impl Lit {
    /// The literal that is always true.
    pub const TRUE: Lit = Lit(0);
    /// The literal that is never true.
    pub const FALSE: Lit = Lit(1);

    /// The positive literal of a variable.
    pub fn positive(variable: u32) -> Lit {
        Lit(variable << 1)
    }

    /// A constant.
    pub fn constant(value: bool) -> Lit {
        if value { Lit::TRUE } else { Lit::FALSE }
    }

    /// Returns true for one of the two constants.
    pub fn is_constant(self) -> bool {
        self.0 < 2
    }

    /// Returns the literal if it holds, or else its negation.
    pub fn signed(self, holds: bool) -> Lit {
        if holds { self } else { !self }
    }

    fn variable(self) -> u32 {
        self.0 >> 1
    }

    fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// The number of its variable, from 1, negative if it is negated.
    fn number(self) -> i32 {
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

/// The outcome of a question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum SatAnswer {
    /// There is a model.
    Yes(Model),
    /// Unsatisfiable.
    No,
    /// The limit on conflicts was reached, or the attempt was given up.
    Limit,
}

/// A value for each variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Model(Vec<bool>);

impl Model {
    /// Returns true if a literal is true in the model.
    pub fn holds(&self, lit: Lit) -> bool {
        let value = self.0.get(lit.variable() as usize).copied().unwrap_or(false);
        value == lit.is_positive()
    }

    /// Returns the places of the literals that are true.
    pub fn true_among(&self, lits: &[Lit]) -> Vec<usize> {
        (0..lits.len()).filter(|&at| self.holds(lits[at])).collect()
    }

    /// Returns the place of the first literal that is true.
    pub fn first_among(&self, lits: &[Lit]) -> Option<usize> {
        lits.iter().position(|&lit| self.holds(lit))
    }
}

struct Conflicts {
    seen: u64,
    stop_at: u64,
    cancellation: Cancellation,
    transcript: Transcript,
}

impl Callbacks for Conflicts {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], source: clause::Kind) {
        if source == clause::Kind::Learnt {
            self.seen += 1;
            self.transcript.write(TranscriptLine::Learnt, clause.iter().map(number));
        }
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        self.transcript.write(TranscriptLine::Forgotten, clause.iter().map(number));
    }

    fn stop(&self) -> bool {
        self.seen >= self.stop_at || self.cancellation.is_requested()
    }
}

/// Returns [`Lit::number`] of a literal of the solver.
fn number(lit: &batsat::Lit) -> i32 {
    Lit(lit.var().idx() << 1 | u32::from(!lit.sign())).number()
}

/// An incremental solver.
pub(super) struct SatSolver {
    inner: batsat::Solver<Conflicts>,
    /// Number of clauses added.
    pub clauses: u64,
}

impl Default for SatSolver {
    fn default() -> SatSolver {
        SatSolver::new(Cancellation::default(), Transcript::default())
    }
}

impl SatSolver {
    /// Makes an empty question, in which variable 0 is true; `transcript` records its clauses.
    pub fn new(cancellation: Cancellation, transcript: Transcript) -> SatSolver {
        let limits = Conflicts { seen: 0, stop_at: u64::MAX, cancellation, transcript };
        let mut solver = SatSolver { inner: batsat::Solver::new(batsat::SolverOpts::default(), limits), clauses: 0 };
        solver.variable();
        solver.add(&[Lit::TRUE]);
        solver
    }

    /// A new variable.
    pub fn variable(&mut self) -> u32 {
        self.inner.new_var_default().idx()
    }

    /// Adds a clause.
    pub fn add(&mut self, lits: &[Lit]) {
        self.write(TranscriptLine::Given, lits);
        let mut clause: Vec<batsat::Lit> = lits.iter().map(|&lit| self.native(lit)).collect();
        self.clauses += 1;
        self.inner.add_clause_reuse(&mut clause);
    }

    fn native(&mut self, lit: Lit) -> batsat::Lit {
        batsat::Lit::new(self.inner.var_of_int(lit.variable()), lit.is_positive())
    }

    /// Looks for a model in which all of `assumed` hold, giving up after a number of conflicts.
    pub fn solve(&mut self, assumed: &[Lit], conflicts: u64) -> SatAnswer {
        let native: Vec<batsat::Lit> = assumed.iter().map(|&lit| self.native(lit)).collect();
        let seen = self.inner.cb().seen;
        self.inner.cb_mut().stop_at = seen.saturating_add(conflicts);
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
        self.inner.cb().transcript.write(line, lits.iter().map(|lit| lit.number()));
    }

    /// Number of variables.
    pub fn variables(&self) -> u64 {
        u64::from(self.inner.num_vars())
    }

    /// Number of conflicts in all questions.
    pub fn conflicts(&self) -> u64 {
        self.inner.cb().seen
    }
}

/// Meaning of a transcript line. A literal is the number of its variable, from 1, negative if it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptLine {
    /// A clause of the question.
    Given,
    /// A clause that the solver derived from all clauses before it.
    Learnt,
    /// The solver does not use what it had learnt any longer.
    Forgotten,
    /// Assumptions that the solver answered to be contradictory.
    Refuted,
}

/// Hears each line with the number of its solver; several may be at work at once.
pub(super) type Listener = Rc<dyn Fn(u64, TranscriptLine, &[i32])>;

/// Receiver of the lines of one solver, if there is a listener.
#[derive(Clone, Default)]
pub(super) struct Transcript {
    listener: Option<Listener>,
    solver: u64,
    /// Number of the latest solver.
    latest: Rc<Cell<u64>>,
}

impl Transcript {
    /// Makes the receiver that passes every line on.
    pub fn to(listener: Listener) -> Transcript {
        Transcript { listener: Some(listener), ..Transcript::default() }
    }

    /// Returns the receiver for the next solver.
    pub fn next(&self) -> Transcript {
        self.latest.set(self.latest.get() + 1);
        Transcript { solver: self.latest.get(), ..self.clone() }
    }

    /// Passes a line on.
    pub fn write(&self, line: TranscriptLine, literals: impl Iterator<Item = i32>) {
        if let Some(listener) = &self.listener {
            listener(self.solver, line, &literals.collect::<Vec<i32>>());
        }
    }
}

/// A function that returns true once the caller wants an attempt to end; without it, nobody does.
#[derive(Clone, Default)]
pub(super) struct Cancellation(pub Option<Rc<dyn Fn() -> bool>>);

impl Cancellation {
    /// Returns true once the attempt is cancelled.
    pub fn is_requested(&self) -> bool {
        self.0.as_ref().is_some_and(|asked| asked())
    }
}
