//! Instructions that compute or test. In: registers and facts. Out: a register written, or the label that a
//! failing test goes to.

use super::super::plan::{Instr, Noun, SetTest, Targets};
use super::Machine;
use crate::grid::{Bits, Digit, DigitSet};
use crate::lang::ir::{Comparison, HouseClass};

impl<const W: usize> Machine<'_, W> {
    /// Runs an instruction that is not about control; `Some` is where to go when a test fails.
    #[inline(always)]
    pub(super) fn compute(&mut self, instr: &Instr) -> Option<u16> {
        match *instr {
            Instr::Op { op, to, a, b } => self.regs.op(op, to, a, b),
            Instr::Test { test, a, b, fail } => return failed(self.regs.test(test, a, b), fail),
            Instr::TestNouns { test, ref a, ref b, fail } => return failed(self.test_nouns(test, a, b), fail),
            Instr::NonEmpty { set, want, fail } => return failed(self.regs.is_empty(set) != want, fail),
            Instr::Compare { a, op, b, fail } => return failed(compare(self.regs.n(a), op, self.regs.n(b)), fail),
            Instr::CompareCount { of, op, limit, fail } => {
                return failed(compare(self.regs.len(of) as i32, op, limit), fail);
            }
            Instr::Less { a, b, fail } => return failed(self.regs.v(a) < self.regs.v(b), fail),
            Instr::Target { digit, cells, from, to, fail } => return failed(self.target(digit, cells, from, to), fail),
            Instr::Options { every, cells, lacks, digits, fail } => {
                let digits = self.regs.d(digits);
                return failed(self.options(every, *self.regs.c(cells), lacks, digits), fail);
            }
            Instr::Sees { every_a, a, every_b, b, fail } => {
                return failed(self.sees(every_a, *self.regs.c(a), every_b, *self.regs.c(b)), fail);
            }
            Instr::AlmostLocked { cells, over, fail } => return failed(self.is_locked(self.regs.c(cells), over), fail),
            Instr::Conjugate { digit, a, b, fail } => {
                return failed(self.conjugate(self.regs.v(digit), self.regs.c(a), self.regs.c(b)), fail);
            }
            Instr::Connected { cells, fail } => return failed(self.connected(*self.regs.c(cells)), fail),
            Instr::InOne { cells, class, fail } => {
                let houses = self.board.tables.houses_through(self.regs.c(cells)) & self.board.tables.class(class);
                return failed(!houses.is_empty(), fail);
            }
            Instr::Closed { cells, fail } => return failed(self.closed(*self.regs.c(cells)), fail),
            Instr::ClosedBetween { cells, k, l, fail } => {
                return failed(self.closed_between(*self.regs.c(cells), k, l), fail);
            }
            Instr::OpenTo { every, cells, digits, fail } => {
                return failed(self.open_to(every, *self.regs.c(cells), self.regs.d(digits)), fail);
            }
            Instr::After { to, of, value } => self.regs.after(to, of, self.regs.v(value)),
            _ => self.load(instr),
        }
        None
    }

    /// Instructions that write one register.
    #[inline(always)]
    fn load(&mut self, instr: &Instr) {
        match *instr {
            Instr::AllDigits { to } => self.set_digits(to, DigitSet::all(self.board.tables.size)),
            Instr::DigitsOf { to, cell } => self.set_digits(to, self.board.facts.candidates[self.regs.v(cell)]),
            Instr::Digits { to, cells } => self.set_digits(to, self.board.facts.digits(self.regs.c(cells))),
            Instr::Values { to, cells } => {
                let values = &self.board.facts.values;
                let all = self.regs.c(cells).iter().fold(DigitSet::EMPTY, |all, cell| all | values[cell]);
                self.set_digits(to, all);
            }
            Instr::DigitsIn { to, digits, cells } => {
                let here = self.board.facts.digits(self.regs.c(cells));
                self.set_digits(to, self.regs.d(digits) & here);
            }
            Instr::DigitsWithin { to, cells, within } => {
                let (cells, within) = (self.regs.c(cells), self.regs.c(within));
                let places = self.board.facts.places.iter().take(self.board.tables.size).enumerate();
                let here = places.map(|(digit, places)| (digit, *places & *cells));
                let digits = here.filter(|(_, here)| !here.is_empty() && here.within(within));
                let digits = digits.map(|(digit, _)| Digit(digit as u8)).collect();
                self.set_digits(to, digits);
            }
            Instr::DigitsCounting { to, cells, range } => {
                let places = &self.board.facts.places[..self.board.tables.size];
                let digits = counting(places, self.regs.c(cells), range);
                self.set_digits(to, digits.map(|digit| Digit(digit as u8)).collect());
            }
            Instr::HousesCounting { to, cells, range } => {
                let houses = counting(&self.board.tables.house, self.regs.c(cells), range).collect();
                self.regs.houses[usize::from(to)] = houses;
            }
            Instr::Houses { to, class } => self.regs.houses[usize::from(to)] = self.board.tables.class(class),
            Instr::HousesOf { to, class, every, cells } => self.houses_of(to, class, every, cells),
            Instr::Lines { to, parallel, houses } => {
                let lines = self.board.tables.lines_by_direction(self.regs.h(houses), parallel);
                self.regs.houses[usize::from(to)] = lines;
            }
            Instr::Const { to, value } => self.set_number(to, value),
            Instr::Count { to, of } => self.set_number(to, self.regs.len(of) as i32),
            Instr::CountIn { to, noun } => {
                let cells = self.regs.c(noun.1);
                let places = &self.board.facts.places;
                let count: usize = self.regs.d(noun.0).iter().map(|d| (places[d.index()] & *cells).len()).sum();
                self.set_number(to, count as i32);
            }
            Instr::Times { to, digits, cells } => {
                let (tables, cells) = (self.board.tables, self.regs.c(cells));
                let count = |digit: Digit| self.board.facts.times(tables, digit.index(), cells);
                let sum: usize = self.regs.d(digits).iter().map(count).sum();
                self.set_number(to, sum as i32);
            }
            Instr::Sum { to, minus, a, b } => {
                let (a, b) = (self.regs.n(a), self.regs.n(b));
                self.set_number(to, if minus { a - b } else { a + b });
            }
            _ => self.load_cells(instr),
        }
    }

    /// Instructions that write a cell set.
    #[inline(always)]
    fn load_cells(&mut self, instr: &Instr) {
        match *instr {
            Instr::Unsolved { to } => self.set_cells(to, self.board.facts.unsolved),
            Instr::CellsCounting { to, range: (least, most) } => {
                let exact = &self.board.facts.exact;
                let most = exact.len().min(most as usize + 1);
                let counted = exact.get(least as usize..most).unwrap_or_default();
                self.set_cells(to, counted.iter().fold(Bits::EMPTY, |all, cells| all | *cells));
            }
            Instr::Places { to, digit } => self.set_cells(to, self.board.facts.places[self.regs.v(digit)]),
            Instr::PlacesAny { to, digits } => self.set_cells(to, self.board.facts.places_of(self.regs.d(digits))),
            Instr::PlacesAll { to, digits } => self.set_cells(to, self.board.facts.places_all(self.regs.d(digits))),
            Instr::OpenPlaces { to, digits } => self.set_cells(to, self.board.facts.open_places(self.regs.d(digits))),
            Instr::CellsOf { to, houses } => self.set_cells(to, self.board.tables.cells_of(self.regs.h(houses))),
            Instr::Peers { to, cell } => self.set_cells(to, self.board.tables.peers[self.regs.v(cell)]),
            Instr::Seeing { to, every: true, of } => {
                self.set_cells(to, self.board.tables.seeing_every(self.regs.c(of)));
            }
            Instr::Seeing { to, every: false, of } => {
                self.set_cells(to, self.board.tables.seeing_some(self.regs.c(of)));
            }
            Instr::Partners { to, digit, cell } => {
                let (tables, digit, cell) = (self.board.tables, self.regs.v(digit), self.regs.v(cell));
                self.set_cells(to, self.board.facts.partners(tables, digit, cell));
            }
            Instr::Partnered { to, digit } => {
                self.set_cells(to, self.board.facts.partnered(self.board.tables, self.regs.v(digit)));
            }
            _ => self.load_candidates(instr),
        }
    }

    #[inline(always)]
    fn set_cells(&mut self, to: u16, cells: Bits<W>) {
        self.regs.cells[usize::from(to)] = cells;
    }

    /// Compares candidates: digit by digit, the cells that have it.
    fn test_nouns(&self, test: SetTest, a: &[Noun], b: &[Noun]) -> bool {
        let of = |nouns: &[Noun], digit: usize| {
            let here = |&&(digits, _): &&Noun| self.regs.d(digits).has(Digit(digit as u8));
            let cells = nouns.iter().filter(here).fold(Bits::EMPTY, |all, noun| all | *self.regs.c(noun.1));
            cells & self.board.facts.places[digit]
        };
        let mut each = (0..self.board.tables.size).map(|digit| (of(a, digit), of(b, digit)));
        match test {
            SetTest::Equal => each.all(|(a, b)| a == b),
            SetTest::Disjoint => each.all(|(a, b)| !a.meets(&b)),
            SetTest::Within => {
                let some = (0..self.board.tables.size).any(|digit| !of(a, digit).is_empty());
                some && each.all(|(a, b)| a.within(&b))
            }
        }
    }

    fn set_digits(&mut self, to: u16, digits: DigitSet) {
        self.regs.digits[usize::from(to)] = digits;
    }

    fn set_number(&mut self, to: u16, number: i32) {
        self.regs.numbers[usize::from(to)] = number;
    }

    fn houses_of(&mut self, to: u16, class: HouseClass, every: bool, cells: u16) {
        let tables = self.board.tables;
        let cells = self.regs.c(cells);
        let houses = if every { tables.houses_through(cells) } else { tables.houses_meeting(cells) };
        self.regs.houses[usize::from(to)] = houses & tables.class(class);
    }

    /// Narrows the running targets; `false` where two or more cells leave none.
    fn target(&mut self, digit: u16, cells: u16, from: Option<Targets>, to: Targets) -> bool {
        let digit = self.regs.v(digit);
        let places = *self.regs.c(cells) & self.board.facts.places[digit];
        let (targets, before) = match from {
            Some((targets, before)) => (*self.regs.c(targets), *self.regs.c(before)),
            None => (self.board.scope.gone.0[digit], Bits::EMPTY),
        };
        let (left, all) = (targets & self.board.tables.seeing_every(&places), before | places);
        self.regs.cells[usize::from(to.0)] = left;
        self.regs.cells[usize::from(to.1)] = all;
        !left.is_empty() || all.is_empty() || all.is_one()
    }

    fn options(&self, every: bool, cells: Bits<W>, lacks: bool, digits: DigitSet) -> bool {
        let holds = |cell: usize| {
            let options = self.board.facts.options(cell);
            if lacks { (digits & options).is_empty() } else { digits.within(options) }
        };
        if every { cells.iter().all(holds) } else { cells.iter().any(holds) }
    }

    fn sees(&self, every_a: bool, a: Bits<W>, every_b: bool, b: Bits<W>) -> bool {
        let peers = &self.board.tables.peers;
        let one = |cell: usize| if every_b { b.within(&peers[cell]) } else { b.meets(&peers[cell]) };
        if every_a { a.iter().all(one) } else { a.iter().any(one) }
    }

    fn connected(&self, cells: Bits<W>) -> bool {
        let Some(first) = cells.first() else { return true };
        let mut reached = Bits::single(first);
        let mut frontier = reached;
        while let Some(cell) = frontier.pop() {
            let new = (self.board.tables.peers[cell] & cells) - reached;
            reached |= new;
            frontier |= new;
        }
        reached == cells
    }
}

/// The numbers of the sets with so many of the cells.
#[inline]
fn counting<const W: usize>(sets: &[Bits<W>], cells: &Bits<W>, (low, high): (u32, u32)) -> impl Iterator<Item = usize> {
    let fits = move |set: &Bits<W>| ((*set & *cells).len() as u32).wrapping_sub(low) <= high - low;
    sets.iter().enumerate().filter(move |(_, set)| fits(set)).map(|(number, _)| number)
}

/// Where to go when a test came out false.
fn failed(holds: bool, fail: u16) -> Option<u16> {
    (!holds).then_some(fail)
}

fn compare(a: i32, op: Comparison, b: i32) -> bool {
    match op {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::LessEqual => a <= b,
        Comparison::Greater => a > b,
        Comparison::GreaterEqual => a >= b,
    }
}
