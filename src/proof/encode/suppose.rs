//! Suppositions by what they prove. In: cases and what they imply. Out: what is then known of the solution.
//!
//! What is drawn under a supposition by sound means holds wherever the supposition does. So a case that reaches
//! contradiction is not so, and where one of the cases is so, what all of them agree on is. That one of them is, is not
//! believed: it must follow from the rest of the rule.

use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{Cases, Condition, Expr, Literal, Shows, Suppose};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// What a supposition proves.
    pub fn suppose_facts(&mut self, suppose: &Suppose) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Suppose);
        let cases = self.cases(&suppose.cases)?;
        match suppose.shows {
            Shows::Contradiction => Ok(cases.into_iter().map(|case| !case).collect()),
            Shows::AllImply(literal) | Shows::AllImplyWithout(literal) => {
                let shown = self.literal_holds(literal)?;
                let one = self.circuit.or(cases);
                let mut out = vec![self.circuit.or2(!one, shown)];
                if let Cases::Each(all) = &suppose.cases {
                    // Where there is no case nothing is agreed on.
                    out.push(self.condition(&Condition::Some(all.clone()))?);
                }
                Ok(out)
            }
        }
    }

    /// For each case whether it is so; of the candidates of a set whether one of those in the world is true.
    pub fn cases(&mut self, cases: &Cases) -> Result<Vec<Lit>, Refusal> {
        Ok(match cases {
            Cases::Candidate(var) => vec![self.is_true(&Expr::Var(*var))?],
            Cases::Not(var) => vec![!self.is_true(&Expr::Var(*var))?],
            Cases::Literal(literal) => vec![self.literal_holds(*literal)?],
            Cases::Either(var) => {
                let is_true = self.is_true(&Expr::Var(*var))?;
                vec![is_true, !is_true]
            }
            Cases::Each(all) => vec![self.is_true(all)?],
        })
    }

    fn is_true(&mut self, of: &Expr) -> Result<Lit, Refusal> {
        let of = self.candidates(of)?;
        Ok(self.true_here(&of))
    }

    /// Whether a literal says what is so.
    fn literal_holds(&mut self, literal: Literal) -> Result<Lit, Refusal> {
        let (holds, fails) = (self.bound_candidates(literal.holds)?, self.bound_candidates(literal.fails)?);
        let says = self.circuit.or(holds.bits.iter().copied());
        let right = self.true_here(&holds);
        let wrong = self.true_here(&fails);
        let denies = self.circuit.and2(!says, !wrong);
        Ok(self.circuit.or2(right, denies))
    }
}
