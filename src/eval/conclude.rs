//! Conclusions of a match, evaluated literally. In: conclusions and names with values. Out: eliminations and placements that
//! change the state.

use super::Evaluator;
use crate::grid::{Candidate, Digit};
use crate::lang::ir::{Claim, Conclusion, Expr};
use std::collections::BTreeSet;

impl Evaluator<'_> {
    /// The effect of all conclusions: eliminations and placements, each in order. Only candidates that are
    /// present are listed, and no elimination that a placement implies.
    pub fn conclusions(&self) -> (Vec<Candidate>, Vec<Candidate>) {
        let (mut eliminated, mut placed) = (BTreeSet::new(), BTreeSet::new());
        for conclusion in &self.variant.conclusions {
            match &conclusion.per {
                None => self.conclude(conclusion, &mut eliminated, &mut placed),
                Some((index, of)) => {
                    self.each(*index, of)
                        .iter()
                        .for_each(|with| with.conclude(conclusion, &mut eliminated, &mut placed));
                }
            }
        }
        eliminated.retain(|one| !placed.iter().any(|true_one| self.geometry.excludes(*true_one, *one)));
        (eliminated.into_iter().collect(), placed.into_iter().collect())
    }

    fn conclude(
        &self,
        conclusion: &Conclusion,
        eliminated: &mut BTreeSet<Candidate>,
        placed: &mut BTreeSet<Candidate>,
    ) {
        let guardians = self.guardians();
        match &conclusion.claim {
            Claim::Eliminate(noun) => {
                let also = |one: &Candidate| guardians.iter().all(|guardian| self.geometry.excludes(*guardian, *one));
                eliminated.extend(self.present(noun).into_iter().filter(also));
            }
            Claim::Place(noun) if guardians.is_empty() => placed.extend(self.present(noun)),
            Claim::Place(noun) => {
                for one in self.present(noun) {
                    self.one_is_true(guardians.iter().copied().chain([one]).collect(), eliminated, placed);
                }
            }
            // A loop's conclusions depend on its nodes, and bindings don't include those.
            Claim::Links { .. } => {}
            Claim::Some(noun) => {
                self.one_is_true(guardians.into_iter().chain(self.present(noun)).collect(), eliminated, placed);
            }
        }
    }

    /// Candidates excepted by the rule: one of them is true, or the conclusion holds.
    fn guardians(&self) -> BTreeSet<Candidate> {
        self.variant.guardians.iter().flat_map(|name| self.present(&Expr::Var(*name))).collect()
    }

    fn one_is_true(
        &self,
        members: BTreeSet<Candidate>,
        eliminated: &mut BTreeSet<Candidate>,
        placed: &mut BTreeSet<Candidate>,
    ) {
        match members.iter().collect::<Vec<_>>().as_slice() {
            [] => {}
            [only] => {
                placed.insert(**only);
            }
            several => {
                let excluded = |one: &Candidate| several.iter().all(|member| self.geometry.excludes(**member, *one));
                eliminated.extend(self.all_present().into_iter().filter(excluded));
            }
        }
    }

    /// The candidates that every (some) one of these excludes.
    pub(super) fn excluded(&self, every: bool, of: &Expr) -> Vec<Candidate> {
        let members = self.present(of);
        let excluded = |one: &Candidate| {
            let mut each = members.iter().map(|member| self.geometry.excludes(*member, *one));
            if every { !members.is_empty() && each.all(|is| is) } else { each.any(|is| is) }
        };
        self.all_present().into_iter().filter(excluded).collect()
    }

    fn all_present(&self) -> Vec<Candidate> {
        let digits = |cell| self.state.candidates(cell).iter().collect::<Vec<Digit>>();
        let here = |cell| digits(cell).into_iter().map(move |digit| Candidate::new(digit, cell));
        self.geometry.cells().flat_map(here).collect()
    }
}
