//! Sets of which the rule says what is in them. In: `those … with`, templates, combinations. Out: their members.

use super::owed::{Owed, Templates, What};
use super::value::{Candidates, Cells, Houses, Truth, Value};
use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{Condition, Expr, VarId};
use crate::proof::solver::Lit;

impl Encoder<'_> {
    /// `those c in X with C`.
    pub(super) fn those(&mut self, var: VarId, of: &Expr, when: &Condition) -> Result<Value, Refusal> {
        let all = self.value(of)?;
        let (members, _) = self.members(of)?;
        let mut bits = Vec::with_capacity(members.len());
        for (member, &is) in members.iter().enumerate() {
            bits.push(if is == Lit::FALSE { Lit::FALSE } else { self.and_when(var, member, is, when)? });
        }
        Ok(match all {
            Value::Digits(_) => Value::Digits(bits),
            Value::Cells(cells) => {
                let rest = self.part_of(&[cells.rest]);
                Value::Cells(Cells { bits, rest, has: None, ..cells })
            }
            Value::Houses(houses) => {
                Value::Houses(Houses { bits, rest: self.part_of(&[houses.rest]), only: houses.only })
            }
            Value::Candidates(all) => {
                let rest = all.rest.iter().map(|&rest| self.part_of(&[rest])).collect();
                let truth = Truth { some: Lit::FALSE, ..all.truth };
                Value::Candidates(self.settled(Candidates { bits, rest, truth }))
            }
            Value::Number(_) => return Err(Refusal::ThoseOfNumber),
        })
    }

    fn and_when(&mut self, var: VarId, member: usize, is: Lit, when: &Condition) -> Result<Lit, Refusal> {
        let outer = self.scope.running[var.0].replace(member);
        let holds = self.condition(when);
        self.scope.running[var.0] = outer;
        let holds = holds?;
        Ok(self.circuit.and2(is, holds))
    }

    /// `in_no_template(d)`, `in_every_template(d)` and `in_no_combination(s)`: the solution is one of the templates or
    /// combinations, so a candidate in none of them is false, and one in every template is true. Which they are is not
    /// said.
    pub(super) fn told(&mut self, of: &Expr, certain: bool) -> Result<Candidates, Refusal> {
        self.lemmas.insert(Lemma::Templates);
        let value = self.value(of)?;
        let whole = match &value {
            Value::Digits(_) => Expr::In(Box::new(of.clone()), Box::new(Expr::AllCells)),
            _ => Expr::In(Box::new(Expr::AllDigits), Box::new(of.clone())),
        };
        let all = self.candidates(&whole)?;
        let digits = self.digits();
        let mut bits = Vec::with_capacity(all.bits.len());
        for (at, &member) in all.bits.iter().enumerate() {
            let is_true = self.world.cells[at / digits].solution[at % digits];
            bits.push(self.part_of(&[member, if certain { is_true } else { !is_true }]));
        }
        match value {
            Value::Digits(of) if !self.world.open && of.iter().all(|lit| lit.is_constant()) => {
                self.owe_templates(&of, certain, &bits);
            }
            _ => self.loose = Some("templates and combinations"),
        }
        let rest = all.rest.iter().map(|&rest| self.part_of(&[rest])).collect();
        Ok(Candidates::new(bits, rest))
    }

    /// Of one digit the ways are looked at on a board. Of several only what follows for each is said.
    fn owe_templates(&mut self, of: &[Lit], every: bool, bits: &[Lit]) {
        let named: Vec<usize> = (0..of.len()).filter(|&digit| of[digit] == Lit::TRUE).collect();
        let &[digit] = named.as_slice() else {
            self.loose = Some("templates of several digits");
            return;
        };
        let count = self.world.count();
        let mut able = Vec::with_capacity(count);
        for cell in 0..count {
            able.push((cell, self.world.option(&mut self.circuit, cell, digit)));
        }
        let candidate = (0..count).map(|cell| self.world.cells[cell].candidate[digit]).collect();
        let bits = (0..count).map(|cell| bits[cell * of.len() + digit]).collect();
        self.owed.push(Owed { asked: Lit::TRUE, able, candidate, what: What::Templates(Templates { every, bits }) });
    }
}
