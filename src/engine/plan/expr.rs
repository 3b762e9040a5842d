//! Each form of expression to instructions. In: an expression. Out: code that leaves its value in a register;
//! the builder sees to it that nothing is computed twice.

use super::build::{Builder, NoPlan, Operand, Slot};
use super::instr::{Instr, Noun, Reg, Set, SetOp};
use super::operators::{CellOp, DigitOp, HouseOp, MarkOp, NumberOp};
use crate::lang::ir::{Expr, HouseClass, VarId};

impl Builder<'_> {
    /// Writes the code of an expression that is not known yet.
    pub fn compute(&mut self, expr: &Expr) -> Result<Operand, NoPlan> {
        match expr {
            Expr::Var(var) => self.name(*var),
            Expr::Member(family, index) => self.member(*family, *index),
            Expr::Union(parts) => self.union(parts),
            Expr::Intersection(a, b) => self.binary(SetOp::And, a, b),
            Expr::Difference(a, b) => self.binary(SetOp::Minus, a, b),
            Expr::CandidatesIn(digits, cells) => Ok(Operand::Nouns(vec![(self.digits(digits)?, self.cells(cells)?)])),
            Expr::AllDigits | Expr::Digits(_) | Expr::Values(_) => self.digit_expr(expr).map(Operand::Set),
            Expr::AllHouses(_) | Expr::HousesOf(..) => self.house_expr(expr).map(Operand::Set),
            Expr::AllCells | Expr::HouseCells(_) | Expr::CellsOf(_) | Expr::Seeing { .. } => {
                self.cell_expr(expr).map(Operand::Set)
            }
            Expr::Number(_) | Expr::Param(_) | Expr::Count(_) | Expr::Add(..) | Expr::Subtract(..) => {
                self.number_expr(expr).map(Operand::Number)
            }
            Expr::Filter { .. } | Expr::Overlap(_) | Expr::InNoTemplate(_) | Expr::InEveryTemplate(_) => {
                self.candidate_expr(expr)
            }
            Expr::Excluded { every, candidates: of } => {
                let of = self.candidates(of)?;
                let to = self.compute_candidates(MarkOp::Excluded { every: *every, of: of.clone() });
                Ok(Operand::Set(Set::P(to)))
            }
            Expr::MaxOccurrences(digits, cells) => {
                let (digits, cells) = (self.digits(digits)?, self.cells(cells)?);
                Ok(Operand::Number(self.compute_number(NumberOp::Times { digits, cells })))
            }
        }
    }

    fn name(&mut self, var: VarId) -> Result<Operand, NoPlan> {
        match &self.slots[var.0] {
            Some(Slot::One { set, .. }) => Ok(Operand::Set(*set)),
            Some(Slot::Many(operand)) => Ok(operand.clone()),
            Some(Slot::Candidate { digit, cell }) => Ok(Operand::Nouns(vec![(digit.1, cell.1)])),
            Some(Slot::Family { union, .. }) => Ok(Operand::Set(Set::C(*union))),
            None => Err(NoPlan::Unbound(self.variant.var(var).name.clone())),
        }
    }

    fn member(&mut self, family: VarId, index: VarId) -> Result<Operand, NoPlan> {
        let (Some(Slot::Family { family, .. }), Some(Slot::One { value, .. })) =
            (&self.slots[family.0], &self.slots[index.0])
        else {
            return Err(NoPlan::Unbound(format!("{}[…]", self.variant.var(family).name)));
        };
        let (family, index, fail, to) = (*family, *value, self.fail, self.cell_reg());
        self.emit(Instr::Member { family, to, index, fail });
        Ok(Operand::Set(Set::C(to)))
    }

    fn union(&mut self, parts: &[Expr]) -> Result<Operand, NoPlan> {
        let mut nouns = Vec::new();
        let mut all: Option<Set> = None;
        for part in parts {
            match (self.expr(part)?, all) {
                (Operand::Nouns(more), None) => {
                    let new: Vec<Noun> = more.into_iter().filter(|noun| !nouns.contains(noun)).collect();
                    nouns.extend(new);
                }
                (Operand::Nouns(more), Some(so_far)) => {
                    let more = self.marks(&more);
                    all = Some(self.op(SetOp::Or, so_far, more));
                }
                (Operand::Set(set @ Set::P(_)), None) if !nouns.is_empty() => {
                    let before = self.marks(&std::mem::take(&mut nouns));
                    all = Some(self.op(SetOp::Or, before, set));
                }
                (Operand::Set(set), None) => all = Some(set),
                (Operand::Set(set), Some(so_far)) => all = Some(self.op(SetOp::Or, so_far, set)),
                (Operand::Number(_), _) => return Err(NoPlan::NumberInList),
            }
        }
        match all {
            Some(set) if nouns.is_empty() => Ok(Operand::Set(set)),
            None if !nouns.is_empty() => Ok(Operand::Nouns(nouns)),
            _ => Err(NoPlan::MixedList),
        }
    }

    fn binary(&mut self, op: SetOp, a: &Expr, b: &Expr) -> Result<Operand, NoPlan> {
        if let (Operand::Nouns(a), Operand::Nouns(b)) = (self.expr(a)?, self.expr(b)?)
            && let Some(noun) = self.of_nouns(op, &a, &b)
        {
            return Ok(Operand::Nouns(vec![noun]));
        }
        let (a, b) = self.two_sets(a, b)?;
        if std::mem::discriminant(&a) != std::mem::discriminant(&b) {
            return Err(NoPlan::MixedKinds);
        }
        Ok(Operand::Set(self.op(op, a, b)))
    }

    /// A set operator on nouns as one noun, where all have the same digits or the same cells: what is in some cells and not in
    /// others is in the ones without the others.
    fn of_nouns(&mut self, op: SetOp, a: &[Noun], b: &[Noun]) -> Option<Noun> {
        let (digits, cells) = *a.first()?;
        let mut all = a.iter().chain(b);
        if all.clone().all(|noun| noun.0 == digits) {
            let [a, b] = [a, b].map(|nouns| self.any_of(nouns.iter().map(|noun| Set::C(noun.1))));
            let Set::C(cells) = self.op(op, a?, b?) else { return None };
            return Some((digits, cells));
        }
        if all.all(|noun| noun.1 == cells) {
            let [a, b] = [a, b].map(|nouns| self.any_of(nouns.iter().map(|noun| Set::D(noun.0))));
            let Set::D(digits) = self.op(op, a?, b?) else { return None };
            return Some((digits, cells));
        }
        None
    }

    /// The members of some sets.
    fn any_of(&mut self, mut sets: impl Iterator<Item = Set>) -> Option<Set> {
        let first = sets.next()?;
        Some(sets.fold(first, |so_far, set| self.op(SetOp::Or, so_far, set)))
    }

    fn digit_expr(&mut self, expr: &Expr) -> Result<Set, NoPlan> {
        let digits = match expr {
            Expr::Digits(of) => match self.single(of) {
                Some(cell) => self.compute_digits(DigitOp::Of { cell }),
                None => return self.digits_of(of),
            },
            Expr::Values(of) => {
                let cells = self.cells(of)?;
                self.compute_digits(DigitOp::Values { cells })
            }
            _ => self.compute_digits(DigitOp::All),
        };
        Ok(Set::D(digits))
    }

    fn digits_of(&mut self, of: &Expr) -> Result<Set, NoPlan> {
        if let Operand::Nouns(nouns) = self.expr(of)? {
            let here: Vec<Set> = nouns
                .into_iter()
                .map(|(digits, cells)| Set::D(self.compute_digits(DigitOp::In { digits, cells })))
                .collect();
            return self.any_of(here.into_iter()).ok_or(NoPlan::NoCandidates);
        }
        if let Operand::Set(Set::P(of)) = self.expr(of)? {
            return Ok(Set::D(self.compute_digits(DigitOp::OfMarks { of })));
        }
        let cells = self.cells(of)?;
        Ok(Set::D(self.compute_digits(DigitOp::OfCells { cells })))
    }

    fn house_expr(&mut self, expr: &Expr) -> Result<Set, NoPlan> {
        let houses = match expr {
            Expr::HousesOf(class, of) => {
                let cells = self.cells(of)?;
                self.compute_houses(HouseOp::Of { class: *class, every: false, cells })
            }
            Expr::AllHouses(class) => self.compute_houses(HouseOp::Class { class: *class }),
            _ => self.compute_houses(HouseOp::Class { class: HouseClass::Any }),
        };
        Ok(Set::H(houses))
    }

    fn cell_expr(&mut self, expr: &Expr) -> Result<Set, NoPlan> {
        match expr {
            Expr::HouseCells(houses) => {
                let houses = self.houses(houses)?;
                Ok(Set::C(self.compute_cells(CellOp::OfHouses { houses })))
            }
            Expr::CellsOf(of) => match of.as_ref() {
                Expr::CandidatesIn(digits, cells) => {
                    let (places, cells) = (self.places(digits)?, self.cells(cells)?);
                    Ok(self.op(SetOp::And, Set::C(places), Set::C(cells)))
                }
                _ => {
                    let cells = self.cells(of)?;
                    let unsolved = self.cells(&Expr::AllCells)?;
                    Ok(self.op(SetOp::And, Set::C(cells), Set::C(unsolved)))
                }
            },
            Expr::Seeing { every, cells: of } => {
                let seen = self.seeing(*every, of)?;
                let unsolved = self.cells(&Expr::AllCells)?;
                Ok(self.op(SetOp::And, Set::C(seen), Set::C(unsolved)))
            }
            _ => Ok(Set::C(self.compute_cells(CellOp::Unsolved))),
        }
    }

    /// Cells that see every (some) one of these, solved ones too.
    pub fn seeing(&mut self, every: bool, of: &Expr) -> Result<Reg, NoPlan> {
        if let Some(cell) = self.single(of) {
            return Ok(self.compute_cells(CellOp::Peers { cell }));
        }
        let of = self.cells(of)?;
        Ok(self.compute_cells(CellOp::Seeing { every, of }))
    }

    /// The cells that have one of these digits as a candidate.
    pub fn places(&mut self, digits: &Expr) -> Result<Reg, NoPlan> {
        if let Some(digit) = self.single(digits) {
            return Ok(self.compute_cells(CellOp::Places { digit }));
        }
        let digits = self.digits(digits)?;
        Ok(self.compute_cells(CellOp::PlacesAny { digits }))
    }

    /// The value of a digit register that has just one digit, as a name has.
    pub fn one_digit(&self, digits: Reg) -> Option<Reg> {
        self.slots.iter().flatten().find_map(|slot| match *slot {
            Slot::One { value, set: Set::D(reg) } if reg == digits => Some(value),
            Slot::Candidate { digit: (value, reg), .. } if reg == digits => Some(value),
            _ => None,
        })
    }

    /// The cells of nouns that have one of their digits as a candidate.
    pub fn cells_of_nouns(&mut self, nouns: &[Noun]) -> Result<Reg, NoPlan> {
        let mut here = Vec::new();
        for &(digits, cells) in nouns {
            let to = match self.one_digit(digits) {
                Some(digit) => self.compute_cells(CellOp::Places { digit }),
                None => self.compute_cells(CellOp::PlacesAny { digits }),
            };
            here.push(self.op(SetOp::And, Set::C(to), Set::C(cells)));
        }
        match self.any_of(here.into_iter()) {
            Some(Set::C(reg)) => Ok(reg),
            _ => Err(NoPlan::NoCandidates),
        }
    }

    fn number_expr(&mut self, expr: &Expr) -> Result<Reg, NoPlan> {
        match expr {
            Expr::Count(of) => match self.expr(of)? {
                Operand::Set(of) => Ok(self.compute_number(NumberOp::Count { of })),
                Operand::Nouns(nouns) => match nouns.as_slice() {
                    [noun] => Ok(self.compute_number(NumberOp::CountIn { noun: *noun })),
                    several => {
                        let of = self.marks(several);
                        Ok(self.compute_number(NumberOp::Count { of }))
                    }
                },
                Operand::Number(_) => Err(NoPlan::CountOfNumber),
            },
            Expr::Add(a, b) => self.sum(false, a, b),
            Expr::Subtract(a, b) => self.sum(true, a, b),
            _ => Err(NoPlan::NumberWithoutValue),
        }
    }

    fn sum(&mut self, minus: bool, a: &Expr, b: &Expr) -> Result<Reg, NoPlan> {
        let (a, b) = (self.number(a)?, self.number(b)?);
        Ok(self.compute_number(NumberOp::Sum { minus, a, b }))
    }
}
