//! Nodes and links of a state as they are found. In: facts. Out: [`Draft`]: for each digit the nodes, and the links between
//! them. Each class adds its links to those of the class before it.

use crate::engine::plan::Class;
use crate::engine::tables::Tables;
use crate::engine::tables::index::Index;
use crate::engine::tables::locked::{LockedSets, Mark};
use crate::engine::tables::sets::SetTables;
use crate::grid::Bits;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// No node, or no cell.
pub(super) const NONE: u32 = u32::MAX;

/// Nodes as they are found, for each digit; and the links between them, by digit and number among those of the digit.
pub(super) struct Draft<const W: usize> {
    cell_count: usize,
    pub nodes: Vec<Vec<Bits<W>>>,
    /// For each digit and cell the number of the candidate.
    pub single: Vec<u32>,
    /// The numbers of other nodes.
    other: FxHashMap<(usize, Bits<W>), u32>,
    /// The nodes of all links, and where those of each end.
    pub linked: Vec<(usize, u32)>,
    pub ends: Vec<usize>,
    /// The class whose links are added next.
    next: usize,
}

impl<const W: usize> Draft<W> {
    pub fn new(tables: &Tables<W>) -> Self {
        Draft {
            cell_count: tables.cell_count,
            nodes: vec![Vec::new(); tables.size],
            single: vec![NONE; tables.size * tables.cell_count],
            other: FxHashMap::default(),
            linked: Vec::new(),
            ends: vec![0],
            next: 0,
        }
    }

    fn node(&mut self, digit: usize, cells: Bits<W>) -> (usize, u32) {
        let new = self.nodes[digit].len() as u32;
        let number = match cells.first().filter(|_| cells.is_one()) {
            Some(cell) => &mut self.single[digit * self.cell_count + cell],
            None => self.other.entry((digit, cells)).or_insert(NONE),
        };
        if *number == NONE {
            *number = new;
            self.nodes[digit].push(cells);
        }
        (digit, *number)
    }

    /// Adds a link between some nodes; one between fewer than two says nothing.
    fn link(&mut self, ends: impl Iterator<Item = (usize, Bits<W>)>) {
        let begin = self.linked.len();
        for (digit, cells) in ends {
            let node = self.node(digit, cells);
            self.linked.push(node);
        }
        if self.linked.len() > begin + 1 {
            self.ends.push(self.linked.len());
        } else {
            self.linked.truncate(begin);
        }
    }

    /// Adds what classes up to this one link that was not added before; `sets` gives the almost locked sets.
    pub fn add_up_to(
        &mut self,
        class: Class,
        tables: &Tables<W>,
        facts: &Index<W>,
        sets: impl FnOnce() -> Rc<SetTables<W>>,
    ) {
        let classes = [Class::Cells, Class::Links, Class::Groups];
        for one in classes.into_iter().skip(self.next).take_while(|one| *one <= class) {
            match one {
                Class::Cells => self.add_cells(facts),
                Class::Links => self.add_houses(tables, facts),
                Class::Groups | Class::Sets => self.add_groups(tables, facts),
            }
        }
        if class == Class::Sets && self.next <= Class::Sets as usize {
            self.add_sets(&sets(), facts);
        }
        self.next = self.next.max(class as usize + 1);
    }

    fn add_cells(&mut self, facts: &Index<W>) {
        for cell in facts.exact[2].iter() {
            self.link(facts.candidates[cell].iter().map(|digit| (digit.index(), Bits::single(cell))));
        }
    }

    fn add_houses(&mut self, tables: &Tables<W>, facts: &Index<W>) {
        for (digit, all) in facts.places.iter().enumerate().take(tables.size) {
            for house in &tables.house {
                let places = *all & *house;
                if places.len() == 2 {
                    self.link(places.iter().map(|cell| (digit, Bits::single(cell))));
                }
            }
        }
    }

    fn add_groups(&mut self, tables: &Tables<W>, facts: &Index<W>) {
        let mut parts = Vec::new();
        for (digit, all) in facts.places.iter().enumerate().take(tables.size) {
            for (house, shared) in tables.house.iter().zip(&tables.parts) {
                let places = *all & *house;
                let largest = shared.iter().map(Bits::len).max().unwrap_or(0);
                if places.len() < 2 || places.len() > 2 * largest {
                    continue;
                }
                parts.clear();
                parts.extend(shared.iter().map(|part| *part & places).filter(|part| part.len() > 1));
                each_two(places, &parts, &mut |a, b| self.link([(digit, a), (digit, b)].into_iter()));
            }
        }
    }

    fn add_sets(&mut self, sets: &LockedSets<W>, facts: &Index<W>) {
        // Nothing leads on from a node that nothing excludes.
        let excluded = |digit: usize, mark: &Mark<W>| mark.places.is_one() || mark.seen.meets(&facts.places[digit]);
        self.ends.reserve(sets.sets.len());
        self.linked.reserve(sets.sets.iter().map(|set| set.digits.len()).sum());
        self.other.reserve(sets.sets.len());
        for set in sets.sets.iter().filter(|set| set.cells.len() > 1) {
            let marks = set.digits.iter().filter_map(|digit| Some((digit.index(), sets.mark(set, digit.index())?)));
            self.link(marks.filter(|(digit, mark)| excluded(*digit, mark)).map(|(digit, mark)| (digit, mark.places)));
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
