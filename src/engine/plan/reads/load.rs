//! What tests and the writing of registers read. In: instructions one after the other. Out: what is known of the registers.

use super::super::instr::{Instr, Reg, Set, SetOp};
use super::atoms::{Atom, Cells, Pointwise, Reads, both, difference, either, union};
use super::trace::Walk;

impl Walk<'_> {
    /// Tests; what they read is read by every match.
    pub(super) fn test(&mut self, instr: &Instr) -> Option<()> {
        let read = match instr {
            Instr::Compare { a, b, .. } => union(self.numbers.get(a)?, self.numbers.get(b)?),
            Instr::NonEmpty { set: Set::C(cells), want: true, fail } if self.ends(*fail) => {
                self.cell(*cells)?.lasting()
            }
            Instr::NonEmpty { set, .. } => self.set(*set)?,
            Instr::Test { a, b, .. } => union(&self.set(*a)?, &self.set(*b)?),
            Instr::TestNouns { a, b, .. } => union(&self.nouns(a)?, &self.nouns(b)?),
            Instr::Options { cells, digits, .. } => union(&self.cell(*cells)?.contents(), self.digits.get(digits)?),
            Instr::Sees { a, b, .. } => union(&self.cell(*a)?.whole(), &self.cell(*b)?.whole()),
            Instr::AlmostLocked { cells, .. } => self.cell(*cells)?.contents(),
            Instr::Connected { cells, .. } | Instr::InOne { cells, .. } | Instr::Closed { cells, .. } => {
                self.cell(*cells)?.whole()
            }
            Instr::ClosedBetween { cells, k, l, .. } => {
                let houses = union(self.houses.get(k)?, self.houses.get(l)?);
                union(&self.cell(*cells)?.whole(), &houses)
            }
            Instr::OpenTo { cells, digits, .. } => union(&self.cell(*cells)?.whole(), self.digits.get(digits)?),
            Instr::Conjugate { digit, a, b, .. } => {
                let (a, b) = (self.cell(*a)?, self.cell(*b)?);
                let near: Reads = a.cover()?.iter().map(|atom| near(*atom)).collect();
                union(&union(&union(&a.whole(), &b.whole()), &near), self.value(*digit)?)
            }
            Instr::Less { a, b, .. } => union(self.value(*a)?, self.value(*b)?),
            Instr::Target { digit, cells, from, to, .. } | Instr::TargetOfSet { digit, cells, from, to, .. } => {
                let mut read = union(self.value(*digit)?, &self.cell(*cells)?.contents());
                if let Some((left, seen)) = from {
                    read = union(&read, &union(self.cell(*left)?.read(), self.cell(*seen)?.read()));
                }
                self.cells.insert(to.0, Cells::pointwise(read.clone(), true));
                let base = Reads::from([Atom::All]);
                self.cells.insert(to.1, Cells::Fixed { read: read.clone(), base });
                read
            }
            _ => return self.load(instr),
        };
        self.reads(read);
        Some(())
    }

    /// Instructions that write a register; what they read counts where the register is used.
    fn load(&mut self, instr: &Instr) -> Option<()> {
        match instr {
            Instr::AllDigits { to } => self.digits.insert(*to, Reads::new()),
            Instr::DigitsOf { to, cell } => {
                let (_, one) = self.values.get(cell)?;
                let read = self.cell((*one)?)?.contents();
                self.digits.insert(*to, read)
            }
            Instr::Digits { to, cells } | Instr::DigitsOfSet { to, cells, .. } | Instr::Values { to, cells } => {
                let read = self.cell(*cells)?.contents();
                self.digits.insert(*to, read)
            }
            Instr::DigitsIn { to, digits, cells } => {
                let read = union(self.digits.get(digits)?, &self.cell(*cells)?.contents());
                self.digits.insert(*to, read)
            }
            Instr::Houses { to, .. } => self.houses.insert(*to, Reads::new()),
            Instr::HousesOf { to, cells, .. } => {
                let read = self.cell(*cells)?.whole();
                self.houses.insert(*to, read)
            }
            Instr::Lines { to, houses, .. } => {
                let read = self.houses.get(houses)?.clone();
                self.houses.insert(*to, read)
            }
            Instr::Marks { to, nouns } => {
                let read = self.nouns(nouns)?;
                self.marks.insert(*to, read)
            }
            Instr::DigitsOfMarks { to, of } => {
                let read = self.marks.get(of)?.clone();
                self.digits.insert(*to, read)
            }
            Instr::Op { op, to, a, b } => return self.operator(*op, *to, *a, *b),
            Instr::After { to, of, value } => return self.after(*to, *of, *value),
            _ => return self.count(instr),
        };
        Some(())
    }

    fn count(&mut self, instr: &Instr) -> Option<()> {
        let (to, read) = match instr {
            Instr::Const { to, .. } => (*to, Reads::new()),
            Instr::Count { to, of } => (*to, self.set(*of)?),
            Instr::CountIn { to, noun } => (*to, self.nouns(&[*noun])?),
            Instr::Times { to, digits, cells } => {
                (*to, union(self.digits.get(digits)?, &self.cell(*cells)?.contents()))
            }
            Instr::Sum { to, a, b, .. } => (*to, union(self.numbers.get(a)?, self.numbers.get(b)?)),
            _ => return self.load_cells(instr),
        };
        self.numbers.insert(to, read);
        Some(())
    }

    fn load_cells(&mut self, instr: &Instr) -> Option<()> {
        let (to, cells) = match instr {
            Instr::Unsolved { to } => (*to, Cells::pointwise(Reads::new(), true)),
            Instr::Exact { to, .. } | Instr::AtMost { to, .. } => (*to, Cells::pointwise(Reads::new(), false)),
            Instr::Places { to, digit } => (*to, Cells::pointwise(self.value(*digit)?.clone(), true)),
            Instr::PlacesAny { to, digits } | Instr::PlacesAll { to, digits } => {
                (*to, Cells::pointwise(self.digits.get(digits)?.clone(), true))
            }
            Instr::CellsOf { to, houses } => (*to, Cells::fixed(self.houses.get(houses)?.clone(), Atom::Cells(*to))),
            Instr::Peers { to, cell } => (*to, Cells::fixed(self.value(*cell)?.clone(), Atom::Cells(*to))),
            Instr::OpenPlaces { to, digits } => (*to, Cells::fixed(self.digits.get(digits)?.clone(), Atom::All)),
            Instr::Seeing { to, of, .. } | Instr::SeeingOfSet { to, places: of, .. } => {
                (*to, Cells::fixed(self.cell(*of)?.whole(), Atom::Cells(*to)))
            }
            Instr::CellsOfMarks { to, of } => (*to, Cells::fixed(self.marks.get(of)?.clone(), Atom::Cells(*to))),
            Instr::Overlap { to, houses } => (*to, Cells::fixed(self.houses.get(houses)?.clone(), Atom::Cells(*to))),
            Instr::Partners { to, digit, cell } => {
                let (read, one) = self.values.get(cell)?;
                let near = Reads::from([Atom::Near((*one)?)]);
                (*to, Cells::fixed(union(&union(read, self.value(*digit)?), &near), Atom::Cells(*to)))
            }
            Instr::Partnered { to, digit } => {
                let read = self.value(*digit)?.clone();
                (*to, Cells::Each(Pointwise { read, cover: None, near: true, shrinks: false }))
            }
            _ => return None,
        };
        self.cells.insert(to, cells);
        Some(())
    }

    fn operator(&mut self, op: SetOp, to: Set, a: Set, b: Set) -> Option<()> {
        match (to, a, b) {
            (Set::C(to), Set::C(a), Set::C(b)) => {
                let (a, b) = (self.cell(a)?, self.cell(b)?);
                let out = match op {
                    SetOp::And => both(a, b),
                    SetOp::Or => either(a, b),
                    SetOp::Minus => difference(a, b),
                };
                self.cells.insert(to, out);
            }
            (Set::D(to), ..) => {
                let read = union(&self.set(a)?, &self.set(b)?);
                self.digits.insert(to, read);
            }
            (Set::H(to), ..) => {
                let read = union(&self.set(a)?, &self.set(b)?);
                self.houses.insert(to, read);
            }
            (Set::P(to), ..) => {
                let read = union(&self.set(a)?, &self.set(b)?);
                self.marks.insert(to, read);
            }
            _ => return None,
        }
        Some(())
    }

    fn after(&mut self, to: Set, of: Set, value: Reg) -> Option<()> {
        let value = self.value(value)?.clone();
        match (to, of) {
            (Set::C(to), Set::C(of)) => {
                let mut cells = self.cell(of)?.clone();
                match &mut cells {
                    Cells::Fixed { read, .. } | Cells::Each(Pointwise { read, .. }) => read.extend(value),
                }
                self.cells.insert(to, cells);
            }
            (Set::D(to), Set::D(of)) => {
                let read = union(self.digits.get(&of)?, &value);
                self.digits.insert(to, read);
            }
            (Set::H(to), Set::H(of)) => {
                let read = union(self.houses.get(&of)?, &value);
                self.houses.insert(to, read);
            }
            _ => return None,
        }
        Some(())
    }
}

fn near(atom: Atom) -> Atom {
    match atom {
        Atom::Cells(reg) | Atom::Spot(reg) => Atom::Near(reg),
        other => other,
    }
}

/// The cell register that an instruction writes.
pub(super) fn written(instr: &Instr) -> Option<Reg> {
    match *instr {
        Instr::Unsolved { to }
        | Instr::Exact { to, .. }
        | Instr::AtMost { to, .. }
        | Instr::Places { to, .. }
        | Instr::PlacesAny { to, .. }
        | Instr::PlacesAll { to, .. }
        | Instr::CellsOf { to, .. }
        | Instr::Peers { to, .. }
        | Instr::Seeing { to, .. }
        | Instr::SeeingOfSet { to, .. }
        | Instr::OpenPlaces { to, .. }
        | Instr::Partners { to, .. }
        | Instr::Partnered { to, .. }
        | Instr::CellsOfMarks { to, .. }
        | Instr::CellsWithin { to, .. }
        | Instr::Overlap { to, .. }
        | Instr::NextLocked { to, .. }
        | Instr::NextPick { to: Set::C(to), .. }
        | Instr::NextFamily { union: to, .. }
        | Instr::Member { to, .. }
        | Instr::After { to: Set::C(to), .. }
        | Instr::Op { to: Set::C(to), .. }
        | Instr::Next { one: Set::C(to), .. } => Some(to),
        _ => None,
    }
}
