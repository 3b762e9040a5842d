//! Digits in order. In: bound names. Out: clauses that leave one of many states that differ in the names of
//! digits only.

use super::names::Bound;
use super::{Encoder, Refusal};
use crate::lang::ir::{Expr, Kind, Origin, VarId, VarShape};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// Digits that no name stands for may be renamed at will, so they come in descending order of what the
    /// rule's cells and sets have of them, one after the other. Sound with any list of such keys.
    pub fn order_digits(&mut self) -> Result<(), Refusal> {
        let variant = self.scope.variant;
        let mut keys = Vec::new();
        let mut named = 0;
        for id in (0..variant.vars.len()).map(VarId) {
            let var = variant.var(id);
            if !matches!(var.origin, Origin::Chosen | Origin::Pattern) {
                continue;
            }
            match (var.kind, var.shape) {
                (Kind::Digit, VarShape::Single) => named += 1,
                (Kind::Digit, VarShape::Set) => keys.extend(match &self.scope.bound[id.0] {
                    Some(Bound::Digits(bits)) => Some(bits.clone()),
                    _ => None,
                }),
                (Kind::Cell, VarShape::Single | VarShape::Set) => {
                    keys.push(self.digit_set(&Expr::Digits(Box::new(Expr::Var(id))))?);
                }
                _ => {}
            }
        }
        keys.push(self.world.digits.clone());
        for digit in named + 1 + usize::from(self.unnamed.generic.is_some())..self.digits() {
            self.descending(&keys, digit);
        }
        Ok(())
    }

    /// The keys of a digit are no larger than those of the one before it, the first key first.
    fn descending(&mut self, keys: &[Vec<Lit>], digit: usize) {
        let mut equal = Lit::TRUE;
        for key in keys {
            let (before, here) = (key[digit - 1], key[digit]);
            self.circuit.clause(&[!equal, before, !here]);
            let same = self.circuit.same(before, here);
            equal = self.circuit.and2(equal, same);
        }
    }
}
