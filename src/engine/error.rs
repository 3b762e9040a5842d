//! Why a rule cannot be compiled. In: the technique and what is wrong with it. Out: [`PlanError`].

use std::fmt;

/// Why a rule cannot be compiled for a board, in words for its author.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanError {
    /// Id of the technique or link source.
    pub technique: String,
    /// What is wrong.
    pub message: String,
}

impl fmt::Display for PlanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.technique, self.message)
    }
}

impl std::error::Error for PlanError {}
