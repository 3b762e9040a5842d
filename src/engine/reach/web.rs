//! Nodes and what links them. In: facts, and which kinds of links count. Out: [`Web`]: for each node the nodes that it
//! excludes, and those that are true where it is false.
//!
//! A node is a digit in some cells. Nodes of one digit stand side by side, so that what excludes what by a digit is a short
//! row; besides, a candidate excludes the others of its cell.

use crate::engine::facts::{DIGITS, Facts};
use crate::engine::locked::LockedSets;
use crate::engine::plan::Class;
use crate::engine::rows::{self, Rows};
use crate::engine::tables::Tables;
use crate::grid::{Bits, Digit, HouseSet};
use crate::lang::ir::HouseClass;
use rustc_hash::FxHashMap;

/// Nodes and links. The nodes of a digit begin at a whole word of a row.
pub(super) struct Web<const W: usize> {
    /// For each digit the first word of its nodes; at the end how many words a row has.
    pub words: [usize; DIGITS + 1],
    /// The cell of each node that is a candidate.
    cell: Vec<u16>,
    /// For each digit and cell the node of the candidate.
    candidate: Vec<u32>,
    /// For each digit and cell the nodes of the digit that have the cell: where they begin in `having`.
    place: Vec<u32>,
    having: Vec<u64>,
    /// For each digit all of its nodes, and the cells that they have.
    all: Vec<u64>,
    used: [Bits<W>; DIGITS],
    /// For each node where the nodes of its digit that it excludes begin in `weak`.
    begin: Vec<u32>,
    weak: Vec<u64>,
    /// For each node those that are true where it is false.
    strong: Rows,
}

/// No node, or no cell.
const NONE: u32 = u32::MAX;

/// Nodes as they are found, for each digit; and links between them by digit and number among those of the digit.
struct Draft<const W: usize> {
    nodes: Vec<Vec<Bits<W>>>,
    index: Vec<FxHashMap<Bits<W>, u32>>,
    links: Vec<[(usize, u32); 2]>,
    /// For each almost locked set its nodes.
    sets: Vec<Vec<(usize, u32)>>,
}

impl<const W: usize> Draft<W> {
    fn node(&mut self, digit: usize, cells: Bits<W>) -> (usize, u32) {
        let list = &mut self.nodes[digit];
        let number = self.index[digit].entry(cells).or_insert_with(|| {
            list.push(cells);
            list.len() as u32 - 1
        });
        (digit, *number)
    }

    fn link(&mut self, ends: [(usize, Bits<W>); 2]) {
        let ends = ends.map(|(digit, cells)| self.node(digit, cells));
        self.links.push(ends);
    }
}

impl<const W: usize> Web<W> {
    /// The links of a class; those of almost locked sets where these are given.
    pub fn new(tables: &Tables<W>, facts: &Facts<'_, W>, class: Class, sets: Option<&LockedSets<W>>) -> Self {
        let mut draft = Draft {
            nodes: vec![Vec::new(); tables.size],
            index: vec![FxHashMap::default(); tables.size],
            links: Vec::new(),
            sets: Vec::new(),
        };
        for cell in facts.exact[2].iter() {
            let mut digits = facts.candidates[cell].iter().map(Digit::index);
            if let (Some(a), Some(b)) = (digits.next(), digits.next()) {
                draft.link([a, b].map(|digit| (digit, Bits::single(cell))));
            }
        }
        let mut parts = Parts::of(tables);
        let digits = if class >= Class::Links { 0..tables.size } else { 0..0 };
        for digit in digits {
            for house in 0..tables.house.len() {
                let places = facts.places[digit] & tables.house[house];
                if places.len() == 2 {
                    let mut cells = places.iter().map(Bits::single);
                    if let (Some(a), Some(b)) = (cells.next(), cells.next()) {
                        draft.link([(digit, a), (digit, b)]);
                    }
                }
                if class >= Class::Groups && places.len() > 1 {
                    parts.each_two(house, places, &mut |a, b| draft.link([(digit, a), (digit, b)]));
                }
            }
        }
        for set in sets.iter().flat_map(|sets| sets.sets.iter()).filter(|set| set.cells.len() > 1) {
            let nodes = set.digits.iter().map(Digit::index);
            let nodes = nodes.map(|digit| draft.node(digit, facts.places[digit] & set.cells)).collect();
            draft.sets.push(nodes);
        }
        Web::of(tables, draft)
    }

    fn of(tables: &Tables<W>, draft: Draft<W>) -> Self {
        let Draft { nodes, links, sets, .. } = draft;
        let mut words = [0; DIGITS + 1];
        for digit in 0..DIGITS {
            words[digit + 1] = words[digit] + nodes.get(digit).map_or(0, |list| rows::words_for(list.len()));
        }
        let count = words[DIGITS] * 64;
        let number = |(digit, number): (usize, u32)| words[digit] * 64 + number as usize;
        let mut strong = Rows::empty(count, count);
        for [a, b] in links {
            rows::set(strong.row_mut(number(a)), number(b));
            rows::set(strong.row_mut(number(b)), number(a));
        }
        let mut whole = vec![0; words[DIGITS]];
        for set in sets {
            set.iter().for_each(|&one| rows::set(&mut whole, number(one)));
            for &one in &set {
                let row = strong.row_mut(number(one));
                rows::add(row, &whole);
                rows::unset(row, number(one));
            }
            set.iter().for_each(|&one| rows::unset(&mut whole, number(one)));
        }
        let board = tables.size * tables.cell_count;
        let mut web = Web {
            words,
            cell: vec![u16::MAX; count],
            candidate: vec![NONE; board],
            place: vec![NONE; board],
            having: Vec::new(),
            all: vec![0; words[DIGITS]],
            used: [Bits::EMPTY; DIGITS],
            begin: vec![0; count],
            weak: Vec::new(),
            strong,
        };
        nodes.iter().enumerate().for_each(|(digit, nodes)| web.add_digit(tables, digit, nodes));
        web
    }

    fn add_digit(&mut self, tables: &Tables<W>, digit: usize, nodes: &[Bits<W>]) {
        let (first, words) = (self.words[digit] * 64, self.words[digit + 1] - self.words[digit]);
        let board = digit * tables.cell_count;
        for (at, cells) in nodes.iter().enumerate() {
            rows::set(&mut self.all, first + at);
            self.used[digit] |= *cells;
            for cell in cells.iter() {
                if self.place[board + cell] == NONE {
                    self.place[board + cell] = self.having.len() as u32;
                    self.having.resize(self.having.len() + words, 0);
                }
                rows::set(&mut self.having[self.place[board + cell] as usize..], at);
            }
            if let Some(cell) = cells.first().filter(|_| cells.is_one()) {
                self.candidate[board + cell] = (first + at) as u32;
                self.cell[first + at] = cell as u16;
            }
        }
        for (at, cells) in nodes.iter().enumerate() {
            let begin = self.weak.len();
            self.begin[first + at] = begin as u32;
            self.weak.resize(begin + words, 0);
            let mut row = std::mem::take(&mut self.weak);
            self.excluded(digit, tables.cell_count, &tables.seeing_every(cells), &mut row[begin..]);
            self.weak = row;
        }
    }

    /// The nodes of a digit all of whose cells are among these, into a row of the digit.
    pub fn excluded(&self, digit: usize, cell_count: usize, seen: &Bits<W>, row: &mut [u64]) {
        row.copy_from_slice(&self.all[self.words[digit]..self.words[digit + 1]]);
        for cell in (self.used[digit] - *seen).iter() {
            let place = self.place[digit * cell_count + cell] as usize;
            rows::take(row, &self.having[place..place + row.len()]);
        }
    }

    /// The node of a candidate.
    #[inline]
    pub fn candidate(&self, digit: usize, cell: usize, cell_count: usize) -> Option<usize> {
        let node = self.candidate[digit * cell_count + cell];
        (node != NONE).then_some(node as usize)
    }

    /// The cell of a node that is a candidate.
    #[inline]
    pub fn cell(&self, node: usize) -> Option<usize> {
        let cell = self.cell[node];
        (cell != u16::MAX).then_some(usize::from(cell))
    }

    /// Those of its digit that a node excludes, in a row of the digit.
    #[inline]
    pub fn weak(&self, node: usize, words: usize) -> &[u64] {
        &self.weak[self.begin[node] as usize..][..words]
    }

    /// Those that are true where a node is false.
    #[inline]
    pub fn strong(&self, node: usize) -> &[u64] {
        self.strong.row(node)
    }
}

/// Parts of houses: all cells that a box and a line share.
struct Parts<'t, const W: usize> {
    tables: &'t Tables<W>,
    boxes: HouseSet,
    lines: HouseSet,
    /// How many cells a part has at most.
    largest: usize,
    /// Room for those of one house.
    some: Vec<Bits<W>>,
}

impl<'t, const W: usize> Parts<'t, W> {
    fn of(tables: &'t Tables<W>) -> Self {
        let (boxes, lines) = (tables.class(HouseClass::Box), tables.class(HouseClass::Line));
        let shared = |one: usize| lines.iter().map(move |line| (tables.house[one] & tables.house[line]).len());
        let largest = boxes.iter().flat_map(shared).max().unwrap_or(1);
        Parts { tables, boxes, lines, largest, some: Vec::new() }
    }

    /// The ways to see the places of a digit in a house as two parts that differ; a part is one place, or all of those that
    /// lie in a box and a line.
    fn each_two(&mut self, house: usize, places: Bits<W>, take: &mut dyn FnMut(Bits<W>, Bits<W>)) {
        if places.len() > 2 * self.largest {
            return;
        }
        let (tables, parts) = (self.tables, &mut self.some);
        let through = tables.houses_meeting(&places);
        let (boxes, lines) = (through & self.boxes, through & self.lines);
        parts.clear();
        if boxes.has(house) {
            parts.extend(lines.iter().map(|line| tables.house[line] & places));
        } else if lines.has(house) {
            parts.extend(boxes.iter().map(|other| tables.house[other] & places));
        } else {
            for line in lines.iter() {
                parts.extend(boxes.iter().map(|other| tables.house[line] & tables.house[other] & places));
            }
        }
        parts.retain(|part| part.len() > 1);
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
}
