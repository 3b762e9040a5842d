//! Operators and tests. In: registers and facts. Out: what an operator gives, or whether a test holds.

use super::super::plan::{CellOp, DigitOp, HouseOp, Noun, NumberOp, SetTest, Targets, Test};
use super::Machine;
use crate::grid::{Bits, Digit, DigitSet, HouseSet};
use crate::lang::ir::Comparison;

impl<const W: usize> Machine<'_, W> {
    /// Whether a test holds.
    #[inline(always)]
    pub(super) fn holds(&self, test: &Test) -> bool {
        let regs = &self.regs;
        match *test {
            Test::Sets { test, a, b } => regs.test(test, a, b),
            Test::Nouns { test, ref a, ref b } => self.test_nouns(test, a, b),
            Test::NonEmpty { set, want } => regs.is_empty(set) != want,
            Test::Compare { a, op, b } => compare(regs.n(a), op, regs.n(b)),
            Test::CompareCount { of, op, limit } => compare(regs.len(of) as i32, op, limit),
            Test::Less { a, b } => regs.v(a) < regs.v(b),
            Test::Options { every, cells, lacks, digits } => self.options(every, *regs.c(cells), lacks, regs.d(digits)),
            Test::Sees { every_a, a, every_b, b } => self.sees(every_a, *regs.c(a), every_b, *regs.c(b)),
            Test::AlmostLocked { cells, over } => self.is_locked(regs.c(cells), over),
            Test::Conjugate { digit, a, b } => self.conjugate(regs.v(digit), regs.c(a), regs.c(b)),
            Test::Connected { cells } => self.connected(*regs.c(cells)),
            Test::InOne { cells, class } => {
                let tables = self.context.tables;
                !(tables.houses_through(regs.c(cells)) & tables.class(class)).is_empty()
            }
            Test::Closed { cells } => self.closed(*regs.c(cells)),
            Test::ClosedBetween { cells, k, l } => self.closed_between(*regs.c(cells), k, l),
            Test::GivensAllow { every, cells, digits } => self.givens_allow(every, *regs.c(cells), regs.d(digits)),
        }
    }

    /// The cells that an operator gives.
    #[inline(always)]
    pub(super) fn cells_by(&self, op: CellOp) -> Bits<W> {
        let (regs, tables, facts) = (&self.regs, self.context.tables, self.context.facts);
        match op {
            CellOp::Unsolved => facts.unsolved,
            CellOp::Counting { range: (least, most) } => {
                let most = facts.exact.len().min(most as usize + 1);
                let counted = facts.exact.get(least as usize..most).unwrap_or_default();
                counted.iter().fold(Bits::EMPTY, |all, cells| all | *cells)
            }
            CellOp::Places { digit } => facts.places[regs.v(digit)],
            CellOp::PlacesAny { digits } => facts.places_of(regs.d(digits)),
            CellOp::PlacesAll { digits } => facts.places_all(regs.d(digits)),
            CellOp::OpenPlaces { digits } => facts.allowed_places(regs.d(digits)),
            CellOp::OfHouses { houses } => tables.cells_of(regs.h(houses)),
            CellOp::Peers { cell } => tables.peers[regs.v(cell)],
            CellOp::Seeing { every: true, of } => tables.seeing_every(regs.c(of)),
            CellOp::Seeing { every: false, of } => tables.seeing_some(regs.c(of)),
            CellOp::Partners { digit, cell } => facts.partners(tables, regs.v(digit), regs.v(cell)),
            CellOp::Partnered { digit } => facts.with_partner(tables, regs.v(digit)),
            CellOp::OfMarks { of } => regs.p(of).cells(),
            CellOp::Overlap { houses } => {
                let (mut once, mut twice) = (Bits::EMPTY, Bits::EMPTY);
                for house in regs.h(houses).iter() {
                    let cells = tables.cells_of_house[house];
                    twice |= once & cells;
                    once |= cells;
                }
                twice
            }
            CellOp::Targets { digit } => self.context.scope.eliminations.0[regs.v(digit)],
        }
    }

    /// The digits that an operator gives.
    #[inline(always)]
    pub(super) fn digits_by(&self, op: DigitOp) -> DigitSet {
        let (regs, tables, facts) = (&self.regs, self.context.tables, self.context.facts);
        match op {
            DigitOp::All => DigitSet::all(tables.size),
            DigitOp::Of { cell } => facts.candidates[regs.v(cell)],
            DigitOp::OfCells { cells } => facts.digits(regs.c(cells)),
            DigitOp::Values { cells } => {
                regs.c(cells).iter().fold(DigitSet::EMPTY, |all, cell| all | facts.values[cell])
            }
            DigitOp::In { digits, cells } => regs.d(digits) & facts.digits(regs.c(cells)),
            DigitOp::Within { cells, within } => {
                let (cells, within) = (regs.c(cells), regs.c(within));
                let here = facts.places[..tables.size].iter().map(|places| *places & *cells).enumerate();
                let digits = here.filter(|(_, here)| !here.is_empty() && here.within(within));
                digits.map(|(digit, _)| Digit(digit as u8)).collect()
            }
            DigitOp::Counting { cells, range } => {
                let digits = counting(&facts.places[..tables.size], regs.c(cells), range);
                digits.map(|digit| Digit(digit as u8)).collect()
            }
            DigitOp::OfMarks { of } => regs.p(of).digits(),
            DigitOp::WithEliminations { placed } => facts.digits_with_eliminations(tables, placed),
        }
    }

    /// The houses that an operator gives.
    #[inline(always)]
    pub(super) fn houses_by(&self, op: HouseOp) -> HouseSet {
        let (regs, tables) = (&self.regs, self.context.tables);
        match op {
            HouseOp::Counting { cells, range } => counting(&tables.cells_of_house, regs.c(cells), range).collect(),
            HouseOp::Class { class } => tables.class(class),
            HouseOp::Of { class, every: true, cells } => tables.houses_through(regs.c(cells)) & tables.class(class),
            HouseOp::Of { class, every: false, cells } => tables.houses_meeting(regs.c(cells)) & tables.class(class),
            HouseOp::Lines { parallel, houses } => tables.lines_by_direction(regs.h(houses), parallel),
        }
    }

    /// The number that an operator gives.
    #[inline(always)]
    pub(super) fn number_by(&self, op: NumberOp) -> i32 {
        let (regs, tables, facts) = (&self.regs, self.context.tables, self.context.facts);
        match op {
            NumberOp::Const { value } => value,
            NumberOp::Count { of } => regs.len(of) as i32,
            NumberOp::CountIn { noun: (digits, cells) } => {
                let here = |digit: Digit| (facts.places[digit.index()] & *regs.c(cells)).len();
                regs.d(digits).iter().map(here).sum::<usize>() as i32
            }
            NumberOp::Times { digits, cells } => {
                let count =
                    |digit: Digit| facts.max_occurrences(tables, digit.index(), regs.c(cells), self.limits.halt);
                regs.d(digits).iter().map(count).sum::<usize>() as i32
            }
            NumberOp::Sum { minus: true, a, b } => regs.n(a) - regs.n(b),
            NumberOp::Sum { minus: false, a, b } => regs.n(a) + regs.n(b),
        }
    }

    /// Compares candidates: digit by digit, the cells that have it.
    fn test_nouns(&self, test: SetTest, a: &[Noun], b: &[Noun]) -> bool {
        let of = |nouns: &[Noun], digit: usize| {
            let here = |&&(digits, _): &&Noun| self.regs.d(digits).has(Digit(digit as u8));
            let cells = nouns.iter().filter(here).fold(Bits::EMPTY, |all, noun| all | *self.regs.c(noun.1));
            cells & self.context.facts.places[digit]
        };
        let mut each = (0..self.context.tables.size).map(|digit| (of(a, digit), of(b, digit)));
        match test {
            SetTest::Equal => each.all(|(a, b)| a == b),
            SetTest::Disjoint => each.all(|(a, b)| !a.meets(&b)),
            SetTest::Within => {
                let some = (0..self.context.tables.size).any(|digit| !of(a, digit).is_empty());
                some && each.all(|(a, b)| a.within(&b))
            }
        }
    }

    /// Narrows the running targets; `false` where two or more cells leave none.
    pub(super) fn target(&mut self, digit: u16, cells: u16, from: Option<Targets>, to: Targets) -> bool {
        let digit = self.regs.v(digit);
        let places = *self.regs.c(cells) & self.context.facts.places[digit];
        let (targets, before) = match from {
            Some((targets, before)) => (*self.regs.c(targets), *self.regs.c(before)),
            None => (self.context.scope.eliminations.0[digit], Bits::EMPTY),
        };
        let (left, all) = (targets & self.context.tables.seeing_every(&places), before | places);
        self.regs.cells[usize::from(to.0)] = left;
        self.regs.cells[usize::from(to.1)] = all;
        !left.is_empty() || all.is_empty() || all.is_one()
    }

    fn options(&self, every: bool, cells: Bits<W>, lacks: bool, digits: DigitSet) -> bool {
        let holds = |cell: usize| {
            let options = self.context.facts.options(cell);
            if lacks { (digits & options).is_empty() } else { digits.within(options) }
        };
        if every { cells.iter().all(holds) } else { cells.iter().any(holds) }
    }

    fn sees(&self, every_a: bool, a: Bits<W>, every_b: bool, b: Bits<W>) -> bool {
        let peers = &self.context.tables.peers;
        let one = |cell: usize| if every_b { b.within(&peers[cell]) } else { b.meets(&peers[cell]) };
        if every_a { a.iter().all(one) } else { a.iter().any(one) }
    }

    fn connected(&self, cells: Bits<W>) -> bool {
        let Some(first) = cells.first() else { return true };
        let mut reached = Bits::single(first);
        let mut frontier = reached;
        while let Some(cell) = frontier.pop() {
            let new = (self.context.tables.peers[cell] & cells) - reached;
            reached |= new;
            frontier |= new;
        }
        reached == cells
    }
}

/// The numbers of the sets that have `low` to `high` of the cells.
#[inline]
fn counting<const W: usize>(sets: &[Bits<W>], cells: &Bits<W>, (low, high): (u32, u32)) -> impl Iterator<Item = usize> {
    let fits = move |set: &Bits<W>| ((*set & *cells).len() as u32).wrapping_sub(low) <= high - low;
    sets.iter().enumerate().filter(move |(_, set)| fits(set)).map(|(number, _)| number)
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
