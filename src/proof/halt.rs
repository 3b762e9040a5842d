//! An end before the end. In: a question that the caller answers. Out: whether an attempt is to be given up.
//!
//! A proof reads no clock: whoever asks for it may have one. The question is put between two steps of the solver and
//! between two statements of a rule; once it was answered with yes, the answer must stay the same for the whole attempt.

use std::rc::Rc;

/// Why a rule is undecided that was given up.
pub(super) const GIVEN_UP: &str = "it was given up before it was settled";

/// Whether to give up; never, unless somebody said when.
#[derive(Clone, Default)]
pub(super) struct Halt(Option<Rc<dyn Fn() -> bool>>);

impl Halt {
    /// Gives up when the question is answered with yes.
    pub fn when(asked: Rc<dyn Fn() -> bool>) -> Halt {
        Halt(Some(asked))
    }

    /// Whether it is time.
    pub fn is_due(&self) -> bool {
        self.0.as_ref().is_some_and(|asked| asked())
    }
}
