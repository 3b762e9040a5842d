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

    fn variable(self) -> u32 {
        self.0 >> 1
    }

    fn is_positive(self) -> bool {
        self.0 & 1 == 0
    }

    /// As it is written down.
    fn written(self) -> i32 {
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
pub(super) enum Answer {
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
}

struct Conflicts {
    seen: u64,
    stop_at: u64,
    halt: Halt,
    transcript: Transcript,
}

impl Callbacks for Conflicts {
    fn on_new_clause(&mut self, clause: &[batsat::Lit], source: clause::Kind) {
        if source == clause::Kind::Learnt {
            self.seen += 1;
            self.transcript.write(TranscriptLine::Learnt, clause.iter().map(written));
        }
    }

    fn on_delete_clause(&mut self, clause: &[batsat::Lit]) {
        self.transcript.write(TranscriptLine::Forgotten, clause.iter().map(written));
    }

    fn stop(&self) -> bool {
        self.seen >= self.stop_at || self.halt.is_due()
    }
}

/// A literal of the solver as it is written down.
fn written(lit: &batsat::Lit) -> i32 {
    Lit(lit.var().idx() << 1 | u32::from(!lit.sign())).written()
}

/// An incremental solver.
pub(super) struct Solver {
    inner: batsat::Solver<Conflicts>,
    clauses: u64,
}

impl Solver {
    /// An empty question; variable 0 is true in it.
    pub fn new() -> Solver {
        Solver::until(Halt::default(), Transcript::default())
    }

    /// Makes a solver whose questions end with `halt`; `transcript` records its clauses.
    pub fn until(halt: Halt, transcript: Transcript) -> Solver {
        let limits = Conflicts { seen: 0, stop_at: u64::MAX, halt, transcript };
        let mut solver = Solver { inner: batsat::Solver::new(batsat::SolverOpts::default(), limits), clauses: 0 };
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
    pub fn solve(&mut self, assumed: &[Lit], conflicts: u64) -> Answer {
        let native: Vec<batsat::Lit> = assumed.iter().map(|&lit| self.native(lit)).collect();
        let seen = self.inner.cb().seen;
        self.inner.cb_mut().stop_at = seen.saturating_add(conflicts);
        match self.inner.solve_limited(&native) {
            answer if answer == lbool::TRUE => {
                Answer::Yes(Model(self.inner.get_model().iter().map(|&value| value == lbool::TRUE).collect()))
            }
            answer if answer == lbool::FALSE => {
                self.write(TranscriptLine::Refuted, assumed);
                Answer::No
            }
            _ => Answer::Limit,
        }
    }

    fn write(&self, line: TranscriptLine, lits: &[Lit]) {
        self.inner.cb().transcript.write(line, lits.iter().map(|lit| lit.written()));
    }

    /// Number of clauses added.
    pub fn clauses(&self) -> u64 {
        self.clauses
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

/// Receiver of the lines of all solvers of a prover, if there is one.
#[derive(Clone, Default)]
pub(super) struct Transcripts {
    listener: Option<Listener>,
    begun: Rc<Cell<u64>>,
}

impl Transcripts {
    /// Somebody listens.
    pub fn to(listener: Listener) -> Transcripts {
        Transcripts { listener: Some(listener), begun: Rc::default() }
    }

    /// The next solver.
    pub fn begin(&self) -> Transcript {
        self.begun.set(self.begun.get() + 1);
        Transcript { listener: self.listener.clone(), solver: self.begun.get() }
    }
}

/// Receiver of the lines of one solver.
#[derive(Default)]
pub(super) struct Transcript {
    listener: Option<Listener>,
    solver: u64,
}

impl Transcript {
    /// Something happened.
    pub fn write(&self, line: TranscriptLine, literals: impl Iterator<Item = i32>) {
        if let Some(listener) = &self.listener {
            listener(self.solver, line, &literals.collect::<Vec<i32>>());
        }
    }
}

/// Why a rule is undecided that was given up.
pub(super) const GIVEN_UP: &str = "it was given up before it was settled";

/// A request to cancel; never due without a function that says so.
#[derive(Clone, Default)]
pub(super) struct Halt(Option<Rc<dyn Fn() -> bool>>);

impl Halt {
    /// Gives up when the question is answered with yes.
    pub fn when(asked: Rc<dyn Fn() -> bool>) -> Halt {
        Halt(Some(asked))
    }

    /// Returns true once the attempt is cancelled.
    pub fn is_due(&self) -> bool {
        self.0.as_ref().is_some_and(|asked| asked())
    }
}
