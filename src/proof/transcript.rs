//! What solvers were told, what they learnt, and which questions they answered with no. In: clauses and answers as they
//! come. Out: lines for whoever wants to check the answers without believing the solver.

use std::cell::Cell;
use std::rc::Rc;

/// What a line says of its literals. A literal is the number of its variable, from 1, with a minus where it is negated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Told {
    /// One of them holds: part of the question.
    Given,
    /// One of them holds: the solver says that it follows from all before.
    Learnt,
    /// The solver does not use what it had learnt any longer.
    Forgotten,
    /// They cannot all hold: an answer.
    Refuted,
}

/// Hears each line with the number of its solver; several may be at work at once.
pub(super) type Listener = Rc<dyn Fn(u64, Told, &[i32])>;

/// Where the lines of all solvers of a prover go; nowhere, unless somebody listens.
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

/// Where the lines of one solver go.
#[derive(Default)]
pub(super) struct Transcript {
    listener: Option<Listener>,
    solver: u64,
}

impl Transcript {
    /// Something happened.
    pub fn write(&self, told: Told, literals: impl Iterator<Item = i32>) {
        if let Some(listener) = &self.listener {
            listener(self.solver, told, &literals.collect::<Vec<i32>>());
        }
    }
}
