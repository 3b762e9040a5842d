//! The clock of a proof. In: how many seconds a member may take. Out: a question that a prover can put: is it time?

use crate::cli::limits;
use std::cell::Cell;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// When the proof that runs now is given up.
#[derive(Clone)]
pub struct Deadline {
    seconds: Option<u64>,
    at: Rc<Cell<Option<Instant>>>,
}

impl Deadline {
    /// Seconds for each member; no limit without a number.
    pub fn new(seconds: Option<u64>) -> Deadline {
        Deadline { seconds, at: Rc::default() }
    }

    /// The next member begins.
    pub fn begin(&self) {
        limits::begin(None);
        self.at.set(self.seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds))));
    }

    /// Whether the time is over.
    pub fn is_over(&self) -> bool {
        limits::out_of_memory() || self.at.get().is_some_and(|at| Instant::now() >= at)
    }

    /// The question, for a prover.
    pub fn asked(&self) -> Rc<dyn Fn() -> bool> {
        let own = self.clone();
        Rc::new(move || own.is_over())
    }

    /// Why a member is not settled.
    pub fn words(&self) -> String {
        limits::words().unwrap_or_else(|| format!("the limit of {} s was reached", self.seconds.unwrap_or_default()))
    }
}
