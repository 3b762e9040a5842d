//! How a narrowing is carried out. In: a [`Narrowing`]. Out: instructions, and the set to intersect with or to take away.

use super::build::{Builder, NoPlan};
use super::instr::{Reg, Set, SetOp};
use super::operators::{CellOp, DigitOp, HouseOp};
use crate::engine::bounds::Narrowing;
use crate::lang::ir::{Expr, HouseClass, VarId};

impl Builder<'_> {
    /// The set that a narrowing leaves, in a register of the type of the name.
    pub fn narrowed(&mut self, how: &Narrowing) -> Result<(SetOp, Set), NoPlan> {
        match how {
            Narrowing::InSet(set) | Narrowing::ElementOf(set) => Ok((SetOp::And, self.set(set)?)),
            &Narrowing::Counting(range) => Ok((SetOp::And, Set::C(self.compute_cells(CellOp::Counting { range })))),
            Narrowing::Sees(every, of) => Ok((SetOp::And, Set::C(self.seeing(*every, of)?))),
            Narrowing::Has(digits) => Ok((SetOp::And, self.with_all(digits)?)),
            Narrowing::Lacks(digits) => Ok((SetOp::Minus, Set::C(self.places(digits)?))),
            Narrowing::Partner(digit, cell) => {
                let (digit, cell) = (self.value_of(*digit)?, self.value_of(*cell)?);
                Ok((SetOp::And, Set::C(self.compute_cells(CellOp::Partners { digit, cell }))))
            }
            Narrowing::HasPartner(digit) => {
                let digit = self.value_of(*digit)?;
                Ok((SetOp::And, Set::C(self.compute_cells(CellOp::Partnered { digit }))))
            }
            Narrowing::OptionOf(cells, wanted) => {
                let op = if *wanted { SetOp::And } else { SetOp::Minus };
                Ok((op, self.set(&Expr::Digits(Box::new(cells.clone())))?))
            }
            Narrowing::GivensAllow(digits) => {
                let digits = self.digits(digits)?;
                Ok((SetOp::And, Set::C(self.compute_cells(CellOp::OpenPlaces { digits }))))
            }
            Narrowing::SomewhereIn(cells) => Ok((SetOp::And, self.set(&Expr::Digits(Box::new(cells.clone())))?)),
            Narrowing::Incident(how, other) => Ok((SetOp::And, Set::H(self.lying(*how, other)?))),
            Narrowing::NotInSet(set) => Ok((SetOp::Minus, self.set(set)?)),
            Narrowing::HousesWith(digits, among) => {
                let mut cells = Set::C(self.places(digits)?);
                if let Some(among) = among {
                    let among = Set::C(self.cells(among)?);
                    cells = self.op(SetOp::And, cells, among);
                }
                let Set::C(cells) = cells else { return Err(NoPlan::Needs("cells")) };
                let class = HouseClass::Any;
                Ok((SetOp::And, Set::H(self.compute_houses(HouseOp::Of { class, every: false, cells }))))
            }
            Narrowing::HousesCounting(digits, range) => {
                let cells = match digits {
                    Some(digits) => self.places(digits)?,
                    None => self.cells(&Expr::AllCells)?,
                };
                let houses = self.compute_houses(HouseOp::Counting { cells, range: *range });
                Ok((SetOp::And, Set::H(houses)))
            }
            Narrowing::DigitsCounting(cells, range) => {
                let cells = self.cells(cells)?;
                let digits = self.compute_digits(DigitOp::Counting { cells, range: *range });
                Ok((SetOp::And, Set::D(digits)))
            }
            Narrowing::DigitsWithin(cells, cover) => {
                let (cells, within) = (self.cells(cells)?, self.cells(cover)?);
                let digits = self.compute_digits(DigitOp::Within { cells, within });
                Ok((SetOp::And, Set::D(digits)))
            }
            Narrowing::InCandidates(set) => {
                let set = self.expr(set)?;
                Ok((SetOp::And, self.set_of(set)?))
            }
            Narrowing::Filter(..) => Err(NoPlan::FilterBeforeChoice),
            Narrowing::Holding(cells) => {
                let (class, cells) = (HouseClass::Any, self.cells(cells)?);
                let houses = self.compute_houses(HouseOp::Of { class, every: true, cells });
                Ok((SetOp::And, Set::H(houses)))
            }
        }
    }

    /// The cells that have every one of these digits; of digits with names of their own, the places that others ask for, too.
    fn with_all(&mut self, digits: &Expr) -> Result<Set, NoPlan> {
        let mut cells = None;
        for part in digits.parts() {
            let places = match self.single(part) {
                Some(_) => Set::C(self.places(part)?),
                None => {
                    let digits = self.digits(part)?;
                    Set::C(self.compute_cells(CellOp::PlacesAll { digits }))
                }
            };
            cells = Some(match cells {
                Some(so_far) => self.op(SetOp::And, so_far, places),
                None => places,
            });
        }
        cells.ok_or(NoPlan::NoDigits)
    }

    pub fn value_of(&self, var: VarId) -> Result<Reg, NoPlan> {
        self.single(&Expr::Var(var)).ok_or_else(|| NoPlan::NotSingle(self.variant.var(var).name.clone()))
    }
}
