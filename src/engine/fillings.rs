//! Every way to put a digit once into each house. In: tables and facts. Out: the places that are in some way, and
//! those that are in every way; nothing where there are too many ways to follow.
//!
//! Row by row: after each row only two things matter, which houses that go on have the digit already, and which
//! places of later rows are still free. Ways that agree in both are one. Backwards over what was reached, the
//! steps that lead to the end are kept.
//!
//! Of several digits, a way of one takes no place that all ways of another have. So a place that is certain for one
//! is none for the others, and they are followed again without it, in rounds, until nothing changes.

use super::facts::Facts;
use super::tables::Tables;
use crate::grid::{Bits, Digit, DigitSet, HouseSet};
use crate::lang::ir::HouseClass;
use std::cell::{OnceCell, RefCell};
use std::collections::BTreeMap;

/// Different situations after one row, at most.
const MOST: usize = 20_000;

/// The fillings of each digit of a state, found when they are asked for.
pub(super) struct Fillings<'m, const W: usize> {
    digits: Vec<OnceCell<Option<Ways<W>>>>,
    known: Option<&'m Known<W>>,
    /// Those of several digits.
    together: RefCell<BTreeMap<DigitSet, Together<W>>>,
}

/// What was found on the states before, the last for each digit: a step seldom touches more than one or two.
#[derive(Clone, Default)]
pub(super) struct Known<const W: usize> {
    digits: RefCell<BTreeMap<usize, Seen<W>>>,
}

/// The cells that hold a digit, its places, and what its ways have in common.
type Seen<const W: usize> = (Bits<W>, Bits<W>, Option<Ways<W>>);

impl<const W: usize> Known<W> {
    /// The same as before where nothing has changed for the digit, else what `find` finds.
    fn or_find(
        &self,
        digit: usize,
        (placed, places): (Bits<W>, Bits<W>),
        find: impl FnOnce() -> Option<Ways<W>>,
    ) -> Option<Ways<W>> {
        if let Some(&(before, there, ways)) = self.digits.borrow().get(&digit)
            && (before, there) == (placed, places)
        {
            return ways;
        }
        let ways = find();
        self.digits.borrow_mut().insert(digit, (placed, places, ways));
        ways
    }
}

/// For each digit of a set, in order, what its ways have in common; `None` where there are too many to follow.
pub(super) type Together<const W: usize> = Vec<(Digit, Option<Ways<W>>)>;

/// What all ways to place a digit have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ways<const W: usize> {
    /// Places that are in no way.
    pub impossible: Bits<W>,
    /// Places that are in every way; none where there is no way.
    pub certain: Bits<W>,
}

/// Houses that have the digit, places that are left.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Situation<const W: usize> {
    filled: HouseSet,
    free: Bits<W>,
}

/// A place taken in one row: from which situation before to which after it.
struct Step {
    from: usize,
    cell: usize,
    to: usize,
}

impl<'m, const W: usize> Fillings<'m, W> {
    pub fn new(size: usize, known: Option<&'m Known<W>>) -> Self {
        Fillings { digits: (0..size).map(|_| OnceCell::new()).collect(), known, together: RefCell::default() }
    }

    /// What the ways of a digit have in common; `None` where there are too many to follow.
    pub fn of(&self, tables: &Tables<W>, facts: &Facts<'_, W>, digit: usize) -> Option<Ways<W>> {
        *self.digits[digit].get_or_init(|| {
            let places = facts.places[digit];
            let find = || ways(tables, facts, digit, places);
            match self.known {
                Some(known) => known.or_find(digit, (placed(tables, facts, digit), places), find),
                None => find(),
            }
        })
    }

    /// What the ways of each of these digits have in common that leave the others theirs.
    pub fn together(&self, tables: &Tables<W>, facts: &Facts<'_, W>, digits: DigitSet) -> Together<W> {
        if let Some(known) = self.together.borrow().get(&digits) {
            return known.clone();
        }
        let mut all: Together<W> = digits.iter().map(|digit| (digit, self.of(tables, facts, digit.index()))).collect();
        let mut places: Vec<Bits<W>> = all.iter().map(|(digit, _)| facts.places[digit.index()]).collect();
        loop {
            let certain: Vec<Bits<W>> = all.iter().map(|(_, w)| w.map_or(Bits::EMPTY, |w| w.certain)).collect();
            let mut changed = false;
            for (index, (digit, known)) in all.iter_mut().enumerate() {
                let others = certain.iter().enumerate().filter(|&(other, _)| other != index);
                let taken = others.fold(Bits::EMPTY, |taken, (_, places)| taken | *places);
                if known.is_none() || !taken.meets(&places[index]) {
                    continue;
                }
                places[index] -= taken;
                changed = true;
                let gone = facts.places[digit.index()] - places[index];
                *known = ways(tables, facts, digit.index(), places[index])
                    .map(|left| Ways { impossible: left.impossible | gone, ..left });
            }
            if !changed {
                break;
            }
        }
        self.together.borrow_mut().insert(digits, all.clone());
        all
    }
}

/// The cells that hold a digit.
fn placed<const W: usize>(tables: &Tables<W>, facts: &Facts<'_, W>, digit: usize) -> Bits<W> {
    (0..tables.cell_count).filter(|&cell| facts.values[cell].has(Digit(digit as u8))).collect()
}

/// The ways of a digit that keep to some of its places.
fn ways<const W: usize>(tables: &Tables<W>, facts: &Facts<'_, W>, digit: usize, places: Bits<W>) -> Option<Ways<W>> {
    let placed = placed(tables, facts, digit);
    let rows: Vec<usize> =
        tables.class(HouseClass::Row).iter().filter(|&row| !tables.house[row].meets(&placed)).collect();
    let start = Situation { filled: tables.houses_meeting(&placed), free: places };
    let mut layer = vec![start];
    let mut steps: Vec<Vec<Step>> = Vec::new();
    for (number, &row) in rows.iter().enumerate() {
        let later = rows[number + 1..].iter().fold(Bits::EMPTY, |all, &row| all | tables.house[row]);
        let (next, taken) = advance(tables, &layer, &tables.house[row], &later);
        if next.len() > MOST {
            return None;
        }
        layer = next;
        steps.push(taken);
    }
    let possible = if stuck(tables, &start, &rows) { Bits::EMPTY } else { backwards(&steps, layer.len()) };
    let mut certain = Bits::EMPTY;
    for &row in &rows {
        let here = possible & tables.house[row];
        if here.len() == 1 {
            certain |= here;
        }
    }
    Some(Ways { impossible: places - possible, certain })
}

/// Whether a house lacks the digit although all of its rows have it.
fn stuck<const W: usize>(tables: &Tables<W>, start: &Situation<W>, rows: &[usize]) -> bool {
    let left = rows.iter().fold(Bits::EMPTY, |all, &row| all | tables.house[row]);
    let lacks = |&house: &usize| tables.house[house].len() == tables.size && !start.filled.has(house);
    (0..tables.house.len()).filter(lacks).any(|house| !tables.house[house].meets(&left))
}

/// Fills one row in every situation.
fn advance<const W: usize>(
    tables: &Tables<W>,
    layer: &[Situation<W>],
    row: &Bits<W>,
    later: &Bits<W>,
) -> (Vec<Situation<W>>, Vec<Step>) {
    // Only houses that hold every digit must get this one, and only as long as they have cells left.
    let over = |house: usize| !tables.house[house].meets(later);
    let must: HouseSet =
        (0..tables.house.len()).filter(|&house| tables.house[house].len() == tables.size && over(house)).collect();
    let open: HouseSet = (0..tables.house.len()).filter(|&house| !over(house)).collect();
    let mut reached = Vec::new();
    for (from, situation) in layer.iter().enumerate() {
        for cell in (situation.free & *row).iter() {
            let filled = situation.filled | tables.houses_of[cell];
            if must.iter().any(|house| !filled.has(house) && tables.house[house].meets(row)) {
                continue;
            }
            let after = Situation { filled: filled & open, free: (situation.free & *later) - tables.peers[cell] };
            reached.push((after, from, cell));
        }
    }
    reached.sort_unstable();
    let mut next: Vec<Situation<W>> = Vec::new();
    let mut steps = Vec::with_capacity(reached.len());
    for (situation, from, cell) in reached {
        if next.last() != Some(&situation) {
            next.push(situation);
        }
        steps.push(Step { from, cell, to: next.len() - 1 });
    }
    (next, steps)
}

/// The places on steps that lead to the end.
fn backwards<const W: usize>(steps: &[Vec<Step>], last: usize) -> Bits<W> {
    let mut alive = vec![true; last];
    let mut possible = Bits::EMPTY;
    for taken in steps.iter().rev() {
        let mut before = vec![false; taken.iter().map(|step| step.from + 1).max().unwrap_or(0)];
        for step in taken.iter().filter(|step| alive.get(step.to) == Some(&true)) {
            possible.insert(step.cell);
            before[step.from] = true;
        }
        alive = before;
    }
    possible
}
