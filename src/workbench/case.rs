//! One case of a library against the steps found. In: a case, the steps of its technique. Out: whether they agree.
//!
//! A case lists eliminations or placements. A placement is equivalent to the eliminations of the other candidates of its
//! cell, so a rule may conclude either. The cells of the pattern are not compared, but a length that the case gives is, for
//! chains.

use crate::engine::{ChainStep, Value};
use crate::grid::formats::LibraryLine;
use crate::grid::{Candidate, Digit, DigitSet, State};
use crate::solve::Step;
use std::collections::BTreeSet;

/// Suffix of a code whose technique must not be found.
const MUST_NOT: &str = "-x";

/// Returns true if nothing may be found in the case.
pub fn must_not(case: &LibraryLine) -> bool {
    case.code.ends_with(MUST_NOT)
}

/// The code without the mark of such a case.
pub fn code_of(case: &LibraryLine) -> &str {
    case.code.strip_suffix(MUST_NOT).unwrap_or(&case.code)
}

/// Returns true if the technique found in the case what it should.
pub fn passes(case: &LibraryLine, state: &State, steps: &[Step]) -> bool {
    let length = case.extra.parse().ok();
    let as_long = |step: &Step| length.is_none_or(|length| lengths(step).is_none_or(|all| all.contains(&length)));
    let agrees = |step: &Step| shows(case, state, step) && as_long(step);
    match must_not(case) {
        false => steps.iter().any(agrees),
        true => !steps.iter().any(|step| agrees(step) || is_about(case, step)),
    }
}

/// Returns true if a step concludes exactly what the case lists.
fn shows(case: &LibraryLine, state: &State, step: &Step) -> bool {
    let listed: BTreeSet<Candidate> = case.placements.iter().copied().collect();
    let placed: BTreeSet<Candidate> = step.placements.iter().copied().collect();
    let shown = worth(state, &step.eliminations, &step.placements);
    let wanted = worth(state, &case.eliminations, &case.placements);
    if case.eliminations.is_empty() && listed == placed {
        return shown == wanted;
    }
    !wanted.is_empty() && shown == wanted
}

/// Lengths in links that libraries may give a chain. `None` without a chain, or if a link comes from a set of cells, which
/// libraries count differently.
///
/// Libraries describe a chain with one elimination as a loop through it, with one more link for each end that is not in the
/// eliminated candidate's cell. A loop may run from a cell back to that cell, whose inner link does not count.
fn lengths(step: &Step) -> Option<Vec<usize>> {
    let nodes = step.chain.len();
    let of_cells = |pair: &[ChainStep]| {
        let (a, b) = (&pair[0].node, &pair[1].node);
        pair[1].strong && a.digit != b.digit && a.cells != b.cells
    };
    let (first, last) = (step.chain.first()?, step.chain.last()?);
    let closing = [last.clone(), first.clone()];
    if step.chain.windows(2).any(of_cells) || first.strong && of_cells(&closing) {
        return None;
    }
    if first.strong {
        return Some(vec![nodes, nodes - 1]);
    }
    match step.eliminations.as_slice() {
        [eliminated] => {
            let outside = [first, last].iter().filter(|end| end.node.cells != [eliminated.cell]).count();
            Some(vec![nodes - 1 + outside, nodes - 1])
        }
        _ => Some(vec![nodes - 1]),
    }
}

/// The eliminations, and those in the cells of the placements, as far as the candidates are present.
fn worth(state: &State, eliminations: &[Candidate], placements: &[Candidate]) -> BTreeSet<Candidate> {
    let others = placements.iter().flat_map(|placed| {
        let rest = state.candidates(placed.cell) - DigitSet::single(placed.digit);
        rest.iter().map(|digit| Candidate::new(digit, placed.cell)).collect::<Vec<_>>()
    });
    eliminations.iter().copied().filter(|eliminated| state.has(*eliminated)).chain(others).collect()
}

/// Returns true if a step is about the digits of the case: those of its free names or, without such names, those of its
/// effects. A case without digits fits every step.
fn is_about(case: &LibraryLine, step: &Step) -> bool {
    let wanted: DigitSet = case.digits.chars().filter_map(Digit::from_symbol).collect();
    if wanted.is_empty() {
        return true;
    }
    let named =
        step.bindings.iter().filter(|binding| binding.free).fold(DigitSet::EMPTY, |all, binding| {
            match &binding.value {
                Value::Digits(digits) => all | *digits,
                _ => all,
            }
        });
    let shown = || step.eliminations.iter().chain(&step.placements).map(|candidate| candidate.digit).collect();
    wanted == if named.is_empty() { shown() } else { named }
}
