//! Nodes and links of a state as they are found. In: facts. Out: [`Draft`]: the nodes, the candidates that each excludes, and
//! the links between them. Each class adds its links to those of the class before it.

use crate::engine::plan::Class;
use crate::engine::tables::BoardMasks;
use crate::engine::tables::als::{AlsTable, DigitPlaces};
use crate::engine::tables::bit_rows::{self, BitRows};
use crate::engine::tables::csr::{Lists, NONE};
use crate::engine::tables::index::Index;
use crate::grid::{Bits, Digit};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// What is known of a state.
pub(super) type Ground<'s, const W: usize> = (&'s BoardMasks<W>, &'s Index<W>);

/// Nodes as they are found, and the links between them.
pub(super) struct Draft<const W: usize> {
    cell_count: usize,
    /// The candidates by their number in a row: digit and cell.
    pub candidates: Vec<(usize, usize)>,
    /// For each digit and cell the number of the candidate.
    number: Vec<u32>,
    /// For each node its candidates.
    pub members: Lists,
    /// For each node the candidates that it excludes.
    pub excluded: BitRows,
    /// For each digit and cell the node of the candidate.
    single: Vec<u32>,
    /// Other nodes.
    other: FxHashMap<(usize, Bits<W>), u32>,
    /// The nodes of all links, and where those of each end.
    pub linked: Vec<u32>,
    pub ends: Vec<usize>,
    /// The class whose links are added next.
    next: usize,
}

impl<const W: usize> Draft<W> {
    pub fn new((tables, facts): Ground<'_, W>) -> Self {
        let places = facts.places.iter().enumerate().take(tables.size);
        let candidates: Vec<_> =
            places.flat_map(|(digit, places)| places.iter().map(move |cell| (digit, cell))).collect();
        let mut number = vec![NONE; tables.size * tables.cell_count];
        for (at, &(digit, cell)) in candidates.iter().enumerate() {
            number[digit * tables.cell_count + cell] = at as u32;
        }
        Draft {
            cell_count: tables.cell_count,
            members: Lists::with_room(0),
            excluded: BitRows::new(0, candidates.len()),
            single: vec![NONE; number.len()],
            candidates,
            number,
            other: FxHashMap::default(),
            linked: Vec::new(),
            ends: vec![0],
            next: 0,
        }
    }

    /// The node of a candidate.
    #[inline]
    fn single(&self, digit: usize, cell: usize) -> Option<u32> {
        Some(self.single[digit * self.cell_count + cell]).filter(|&node| node != NONE)
    }

    /// The node of a digit in cells, if it is known.
    pub fn find(&self, digit: usize, cells: Bits<W>) -> Option<usize> {
        let node = match cells.first().filter(|_| cells.is_one()) {
            Some(cell) => self.single(digit, cell),
            None => self.other.get(&(digit, cells)).copied(),
        };
        node.map(|node| node as usize)
    }

    fn node(&mut self, ground: Ground<'_, W>, digit: usize, cells: Bits<W>) -> u32 {
        let new = self.members.len() as u32;
        let known = match cells.first().filter(|_| cells.is_one()) {
            Some(cell) => &mut self.single[digit * self.cell_count + cell],
            None => self.other.entry((digit, cells)).or_insert(NONE),
        };
        if *known == NONE {
            *known = new;
            self.add_node(ground, digit, cells);
            return new;
        }
        *known
    }

    fn add_node(&mut self, (tables, facts): Ground<'_, W>, digit: usize, cells: Bits<W>) {
        let seen = tables.seeing_every(&cells) & facts.places[digit];
        let row = self.excluded.push();
        let at = |digit: usize, cell: usize| self.number[digit * self.cell_count + cell] as usize;
        seen.iter().for_each(|other| bit_rows::set(row, at(digit, other)));
        if let Some(cell) = cells.first().filter(|_| cells.is_one()) {
            let others = facts.candidates[cell].iter().map(Digit::index).filter(|&other| other != digit);
            others.for_each(|other| bit_rows::set(row, at(other, cell)));
        }
        self.members.add(cells.iter().map(|cell| self.number[digit * self.cell_count + cell]));
        self.members.end();
    }

    /// Adds a link between some nodes; one between fewer than two says nothing.
    fn link(&mut self, ground: Ground<'_, W>, ends: impl Iterator<Item = (usize, Bits<W>)>) {
        let begin = self.linked.len();
        for (digit, cells) in ends {
            let node = self.node(ground, digit, cells);
            self.linked.push(node);
        }
        if self.linked.len() > begin + 1 {
            self.ends.push(self.linked.len());
        } else {
            self.linked.truncate(begin);
        }
    }

    /// Adds what classes up to this one link that was not added before; `sets` gives the almost locked sets.
    pub fn add_up_to(&mut self, class: Class, ground: Ground<'_, W>, sets: impl FnOnce() -> Rc<AlsTable<W>>) {
        let classes = [Class::Cells, Class::Links, Class::Groups];
        for one in classes.into_iter().skip(self.next).take_while(|one| *one <= class) {
            match one {
                Class::Cells => self.add_cells(ground),
                Class::Links => self.add_houses(ground),
                Class::Groups | Class::Sets => self.add_groups(ground),
            }
        }
        if class == Class::Sets && self.next <= Class::Sets as usize {
            self.add_sets(&sets(), ground);
        }
        self.next = self.next.max(class as usize + 1);
    }

    fn add_cells(&mut self, ground: Ground<'_, W>) {
        let facts = ground.1;
        for cell in facts.exact[2].iter() {
            self.link(ground, facts.candidates[cell].iter().map(|digit| (digit.index(), Bits::single(cell))));
        }
    }

    fn add_houses(&mut self, ground: Ground<'_, W>) {
        let (tables, facts) = ground;
        for (digit, all) in facts.places.iter().enumerate().take(tables.size) {
            for house in &tables.cells_of_house {
                let places = *all & *house;
                if places.len() == 2 {
                    self.link(ground, places.iter().map(|cell| (digit, Bits::single(cell))));
                }
            }
        }
    }

    fn add_groups(&mut self, ground: Ground<'_, W>) {
        let (tables, facts) = ground;
        let mut parts = Vec::new();
        for (digit, all) in facts.places.iter().enumerate().take(tables.size) {
            for (house, shared) in tables.cells_of_house.iter().zip(&tables.parts) {
                let places = *all & *house;
                let largest = shared.iter().map(Bits::len).max().unwrap_or(0);
                if places.len() < 2 || places.len() > 2 * largest {
                    continue;
                }
                parts.clear();
                parts.extend(shared.iter().map(|part| *part & places).filter(|part| part.len() > 1));
                each_two(places, &parts, &mut |a, b| self.link(ground, [(digit, a), (digit, b)].into_iter()));
            }
        }
    }

    fn add_sets(&mut self, sets: &AlsTable<W>, ground: Ground<'_, W>) {
        // Nothing leads on from a node that nothing excludes.
        let excluded =
            |digit: usize, mark: &DigitPlaces<W>| mark.places.is_one() || mark.seen.meets(&ground.1.places[digit]);
        self.ends.reserve(sets.sets.len());
        self.linked.reserve(sets.sets.iter().map(|set| set.digits.len()).sum());
        self.other.reserve(2 * sets.sets.len());
        for set in sets.sets.iter().filter(|set| set.cells.len() > 1) {
            let marks =
                set.digits.iter().filter_map(|digit| Some((digit.index(), sets.digit_places(set, digit.index())?)));
            let marks = marks.filter(|(digit, mark)| excluded(*digit, mark));
            self.link(ground, marks.map(|(digit, mark)| (digit, mark.places)));
        }
    }
}

/// The ways to see the places of a digit in a house as two parts that differ; a part is one place, or all of those that lie
/// in a box and a line.
fn each_two<const W: usize>(places: Bits<W>, parts: &[Bits<W>], take: &mut dyn FnMut(Bits<W>, Bits<W>)) {
    for (at, &part) in parts.iter().enumerate() {
        let rest = places - part;
        if rest.is_empty() {
            part.iter().for_each(|cell| take(part, Bits::single(cell)));
        } else if rest.is_one() {
            take(part, rest);
        }
        let others = parts[at + 1..].iter().filter(|other| rest.within(other) && **other != part);
        others.for_each(|&other| take(part, other));
    }
}
