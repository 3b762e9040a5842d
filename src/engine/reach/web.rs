//! Nodes and what links them. In: facts, and which kinds of links count. Out: [`Web`]: for each node the nodes that it
//! excludes, and those that are true where it is false.
//!
//! A node is a digit in some cells. Nodes of one digit stand side by side, so that what excludes what by a digit is a short
//! row; besides, a candidate excludes the others of its cell.

use crate::engine::facts::{DIGITS, Facts};
use crate::engine::locked::{LockedSets, Mark};
use crate::engine::plan::Class;
use crate::engine::rows;
use crate::engine::tables::Tables;
use crate::grid::{Bits, HouseSet};
use crate::lang::ir::HouseClass;
use rustc_hash::FxHashMap;

/// Nodes and links. The nodes of a digit begin at a whole word of a row.
pub(super) struct Web<const W: usize> {
    /// For each digit the first word of its nodes; at the end how many words a row has.
    pub words: [usize; DIGITS + 1],
    /// The digit of each node.
    digit: Vec<u8>,
    /// The cell of each node that is a candidate.
    cell: Vec<u16>,
    /// For each digit and cell the node of the candidate.
    candidate: Vec<u32>,
    /// For each digit and cell the nodes of the digit that have the cell: where they begin in `having`.
    place: Vec<u32>,
    having: Vec<u64>,
    /// A row of all nodes.
    pub all: Vec<u64>,
    /// For each digit the cells that its nodes have.
    used: [Bits<W>; DIGITS],
    /// For each node where the nodes of its digit that it excludes begin in `weak`.
    begin: Vec<u32>,
    weak: Vec<u64>,
    /// For each node where the links begin that it is in.
    link_begin: Vec<u32>,
    /// The links of each node: where their nodes begin and end.
    links: Vec<[u32; 2]>,
    /// The nodes of all links.
    linked: Vec<u32>,
}

/// No node, or no cell.
const NONE: u32 = u32::MAX;

/// Nodes as they are found, for each digit; and the links between them, by digit and number among those of the digit.
struct Draft<const W: usize> {
    cell_count: usize,
    nodes: Vec<Vec<Bits<W>>>,
    /// For each digit and cell the number of the candidate.
    single: Vec<u32>,
    /// The numbers of other nodes.
    other: FxHashMap<(usize, Bits<W>), u32>,
    /// The nodes of all links, and where those of each end.
    linked: Vec<(usize, u32)>,
    ends: Vec<usize>,
}

impl<const W: usize> Draft<W> {
    fn new(tables: &Tables<W>) -> Self {
        Draft {
            cell_count: tables.cell_count,
            nodes: vec![Vec::new(); tables.size],
            single: vec![NONE; tables.size * tables.cell_count],
            other: FxHashMap::default(),
            linked: Vec::new(),
            ends: vec![0],
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
}

impl<const W: usize> Web<W> {
    /// The links of a class; those of almost locked sets where these are given.
    pub fn new(tables: &Tables<W>, facts: &Facts<'_, W>, class: Class, sets: Option<&LockedSets<W>>) -> Self {
        let mut draft = Draft::new(tables);
        for cell in facts.exact[2].iter() {
            draft.link(facts.candidates[cell].iter().map(|digit| (digit.index(), Bits::single(cell))));
        }
        if class >= Class::Links {
            let mut parts = (class >= Class::Groups).then(|| Parts::of(tables));
            for (digit, all) in facts.places.iter().enumerate().take(tables.size) {
                for house in 0..tables.house.len() {
                    let places = *all & tables.house[house];
                    if places.len() == 2 {
                        draft.link(places.iter().map(|cell| (digit, Bits::single(cell))));
                    }
                    if let Some(parts) = parts.as_mut().filter(|_| places.len() > 1) {
                        parts.each_two(house, places, &mut |a, b| draft.link([(digit, a), (digit, b)].into_iter()));
                    }
                }
            }
        }
        let sets = sets.iter().flat_map(|sets| sets.sets.iter().map(move |set| (*sets, set)));
        for (sets, set) in sets.filter(|(_, set)| set.cells.len() > 1) {
            // Nothing leads on from a node that nothing excludes.
            let excluded = |digit: usize, mark: &Mark<W>| mark.places.is_one() || mark.seen.meets(&facts.places[digit]);
            let marks = set.digits.iter().filter_map(|digit| Some((digit.index(), sets.mark(set, digit.index())?)));
            draft.link(marks.filter(|(digit, mark)| excluded(*digit, mark)).map(|(digit, mark)| (digit, mark.places)));
        }
        Web::of(tables, draft)
    }

    fn of(tables: &Tables<W>, draft: Draft<W>) -> Self {
        let Draft { nodes, single, linked, ends, .. } = draft;
        let mut words = [0; DIGITS + 1];
        for digit in 0..DIGITS {
            words[digit + 1] = words[digit] + nodes.get(digit).map_or(0, |list| rows::words_for(list.len()));
        }
        let count = words[DIGITS] * 64;
        let linked: Vec<u32> = linked.iter().map(|&(digit, number)| (words[digit] * 64) as u32 + number).collect();
        let links: Vec<[u32; 2]> = ends.windows(2).map(|ends| [ends[0] as u32, ends[1] as u32]).collect();
        let mut web = Web {
            words,
            digit: vec![0; count],
            cell: vec![u16::MAX; count],
            candidate: single,
            place: vec![NONE; tables.size * tables.cell_count],
            having: Vec::new(),
            all: vec![0; words[DIGITS]],
            used: [Bits::EMPTY; DIGITS],
            begin: vec![0; count],
            weak: Vec::new(),
            link_begin: vec![0; count + 1],
            links: Vec::new(),
            linked,
        };
        web.note_links(&links);
        nodes.iter().enumerate().for_each(|(digit, nodes)| web.add_digit(tables, digit, nodes));
        web
    }

    /// Notes for each node the links that it is in.
    fn note_links(&mut self, links: &[[u32; 2]]) {
        for &node in &self.linked {
            self.link_begin[node as usize + 1] += 1;
        }
        for node in 1..self.link_begin.len() {
            self.link_begin[node] += self.link_begin[node - 1];
        }
        let mut next = self.link_begin.clone();
        self.links = vec![[0; 2]; self.linked.len()];
        for link in links {
            for &node in &self.linked[link[0] as usize..link[1] as usize] {
                self.links[next[node as usize] as usize] = *link;
                next[node as usize] += 1;
            }
        }
    }

    fn add_digit(&mut self, tables: &Tables<W>, digit: usize, nodes: &[Bits<W>]) {
        let (first, words) = (self.words[digit] * 64, self.words[digit + 1] - self.words[digit]);
        let board = digit * tables.cell_count;
        self.digit[first..first + words * 64].fill(digit as u8);
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
                self.candidate[board + cell] += first as u32;
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

    /// The digit of a node.
    #[inline]
    pub fn digit(&self, node: usize) -> usize {
        usize::from(self.digit[node])
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

    /// The links that a node is in: where it is false, all others of one are true.
    #[inline]
    pub fn links(&self, node: usize) -> &[[u32; 2]] {
        &self.links[self.link_begin[node] as usize..self.link_begin[node + 1] as usize]
    }

    /// The nodes of a link.
    #[inline]
    pub fn linked(&self, [begin, end]: [u32; 2]) -> &[u32] {
        &self.linked[begin as usize..end as usize]
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
