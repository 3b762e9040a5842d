//! Nodes and strong links of one state. In: facts, and the pairs that link sources find. Out: live candidates numbered
//! densely in order of cell and digit, further nodes after them, what each node excludes, strong links by source.

use super::graph::Graph;
use crate::engine::matches::{ChainNode, SourceMatch};
use crate::engine::plan::{Class, LinkCount};
use crate::engine::tables::BoardMasks;
use crate::engine::tables::bit_rows::{self, BitRows};
use crate::engine::tables::csr::Lists;
use crate::engine::tables::csr::weak_links;
use crate::engine::tables::facts::Facts;
use crate::grid::{Bits, Candidate, Cell, Digit, DigitSet, HouseId, HouseSet};
use crate::lang::ir::WeakLinks;
use rustc_hash::FxHashMap;
use std::cell::{Cell as Flag, RefCell};
use std::rc::Rc;
use std::sync::Arc;

/// A node by its number: a candidate if it is below [`Links::candidates`].
pub(crate) type Node = u16;

/// A digit in some cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Group<const W: usize> {
    pub digit: usize,
    pub cells: Bits<W>,
}

/// What a link source found: two nodes that are not both false.
#[derive(Clone, Debug)]
pub(crate) struct Pair<const W: usize> {
    pub ends: [Group<W>; 2],
    /// All cells that its names stand for.
    pub cells: Bits<W>,
    /// All houses that its names stand for.
    pub houses: HouseSet,
    /// What is false where just one end is true.
    pub extra: Vec<Candidate>,
    /// Unless one of these is true.
    pub guardians: Vec<Candidate>,
}

/// A strong link.
pub(crate) struct Strong<const W: usize> {
    pub ends: [Node; 2],
    /// All cells that it rests on.
    pub cells: Bits<W>,
    houses: HouseSet,
    /// Candidates by number.
    pub extra: Vec<usize>,
    /// Candidates by number.
    pub guardians: Vec<usize>,
}

/// Which links a search may use: sources in order, weak links.
type Alphabet = (Vec<usize>, WeakLinks);

/// The nodes and links of a state, as far as they were asked for.
pub(crate) struct Links<const W: usize> {
    list: Vec<Candidate>,
    number: Vec<Node>,
    size: usize,
    nodes: Vec<Group<W>>,
    /// Nodes that are no candidates; only ever looked up.
    index: FxHashMap<Group<W>, Node>,
    /// For each node the candidates that every candidate of it excludes.
    excluded: BitRows,
    /// For each source its links once it was run.
    strong: Vec<Option<Vec<Strong<W>>>>,
    /// For each source the class for which it was run; `None` is any.
    within: Vec<Option<Class>>,
    /// For each source and two digits how many of its links join them, and in how many cells each link has ends.
    between: Vec<Vec<[u32; 2]>>,
    /// For each source whether what follows where just one end is true is known.
    extras: Vec<bool>,
    /// Whether a search met a loop and needs that.
    wanted: Flag<bool>,
    /// Graphs by their alphabets; only ever looked up.
    graphs: RefCell<FxHashMap<Alphabet, Rc<Graph>>>,
    /// True if a link was left out because there are no more numbers for nodes.
    lacks_nodes: bool,
    /// What the sources are called.
    names: Arc<[String]>,
}

impl<const W: usize> Links<W> {
    pub fn new(tables: &BoardMasks<W>, facts: &Facts<'_, W>, sources: &Arc<[String]>) -> Self {
        let mut list = Vec::new();
        let mut number = vec![Node::MAX; tables.cell_count * tables.size];
        for cell in 0..tables.cell_count {
            for digit in facts.candidates[cell].iter() {
                number[cell * tables.size + digit.index()] = list.len() as Node;
                list.push(Candidate::new(digit, Cell(cell as u16)));
            }
        }
        let mut links = Links {
            lacks_nodes: false,
            number,
            size: tables.size,
            nodes: Vec::with_capacity(list.len()),
            index: FxHashMap::default(),
            excluded: BitRows::new(2 * list.len(), list.len()),
            strong: sources.iter().map(|_| None).collect(),
            within: vec![None; sources.len()],
            between: vec![vec![[0; 2]; tables.size * tables.size]; sources.len()],
            extras: vec![false; sources.len()],
            wanted: Flag::new(false),
            names: Arc::clone(sources),
            graphs: RefCell::default(),
            list: Vec::new(),
        };
        for &Candidate { cell, digit } in &list {
            links.add_node(tables, facts, Group { digit: digit.index(), cells: Bits::single(cell.index()) });
        }
        links.list = list;
        links
    }

    fn add_node(&mut self, tables: &BoardMasks<W>, facts: &Facts<'_, W>, node: Group<W>) -> Node {
        let Links { number, size, excluded, .. } = self;
        let at = |cell: usize, digit: usize| usize::from(number[cell * *size + digit]);
        let row = excluded.push();
        let seen = tables.seeing_every(&node.cells) & facts.places[node.digit];
        seen.iter().for_each(|cell| bit_rows::set(row, at(cell, node.digit)));
        if let (1, Some(cell)) = (node.cells.len(), node.cells.first()) {
            let others = facts.candidates[cell].iter().filter(|digit| digit.index() != node.digit);
            others.for_each(|digit| bit_rows::set(row, at(cell, digit.index())));
        }
        self.nodes.push(node);
        (self.nodes.len() - 1) as Node
    }

    /// How many candidates there are; nodes with larger numbers are sets.
    pub fn candidates(&self) -> usize {
        self.list.len()
    }

    /// How many nodes there are.
    pub fn nodes(&self) -> usize {
        self.nodes.len()
    }

    pub fn candidate(&self, number: usize) -> Candidate {
        self.list[number]
    }

    pub fn group(&self, node: Node) -> &Group<W> {
        &self.nodes[usize::from(node)]
    }

    pub fn is_single(&self, node: Node) -> bool {
        usize::from(node) < self.list.len()
    }

    /// The candidates that all candidates of a node exclude, by number.
    #[inline]
    pub fn excluded(&self, node: Node) -> &[u64] {
        self.excluded.row(usize::from(node))
    }

    /// For each of some nodes those among them that it excludes, by weak links of a sort: places in the list, ascending if
    /// candidates come first and in order.
    pub fn weak(&self, nodes: &[Node], sort: WeakLinks) -> Lists {
        let mut members = Lists::with_room(nodes.len());
        for group in nodes.iter().map(|&node| self.group(node)) {
            members.add(group.cells.iter().filter_map(|cell| self.node(cell, group.digit)).map(u32::from));
            members.end();
        }
        let same_digit = |a: usize, b: usize| self.group(nodes[a]).digit == self.group(nodes[b]).digit;
        let counts = |a, b| match sort {
            WeakLinks::Any => true,
            WeakLinks::Cell => !same_digit(a, b),
            WeakLinks::SameDigit => same_digit(a, b),
        };
        weak_links(&members, self.list.len(), |place| self.excluded(nodes[place]), counts)
    }

    /// The number of a candidate, if it is live.
    pub fn number(&self, candidate: Candidate) -> Option<usize> {
        self.node(candidate.cell.index(), candidate.digit.index()).map(usize::from)
    }

    fn node(&self, cell: usize, digit: usize) -> Option<Node> {
        let node = self.number[cell * self.size + digit];
        (node != Node::MAX).then_some(node)
    }

    /// Whether a source was run for a class, or for any.
    pub fn has_source(&self, source: usize, within: Option<Class>) -> bool {
        self.strong[source].is_some() && (self.within[source].is_none() || self.within[source] == within)
    }

    /// Whether what follows where just one end of a link is true is known for a source.
    pub fn has_extras(&self, source: usize) -> bool {
        self.extras[source]
    }

    /// Notes that a search needs it.
    pub fn want_extras(&self) {
        self.wanted.set(true);
    }

    /// Whether one did.
    pub fn wants_extras(&self) -> bool {
        self.wanted.get()
    }

    /// Stores it: for each link that follows from the same cells between the same ends.
    pub fn add_extras(&mut self, facts: &Facts<'_, W>, source: usize, pairs: Vec<Pair<W>>) {
        self.wanted.set(false);
        self.extras[source] = true;
        let mut said: FxHashMap<([Node; 2], Bits<W>), Vec<usize>> = FxHashMap::default();
        for pair in pairs {
            if let [Some(a), Some(b)] = pair.ends.map(|end| self.known_node(facts, end)) {
                let numbers = pair.extra.iter().filter_map(|&one| self.number(one)).collect();
                said.insert(([a.min(b), a.max(b)], pair.cells), numbers);
            }
        }
        for link in self.strong[source].iter_mut().flatten() {
            let [a, b] = link.ends;
            link.extra = said.get(&([a.min(b), a.max(b)], link.cells)).cloned().unwrap_or_default();
        }
    }

    /// The node of a digit in cells, if there is one.
    fn known_node(&self, facts: &Facts<'_, W>, end: Group<W>) -> Option<Node> {
        let group = Group { digit: end.digit, cells: end.cells & facts.places[end.digit] };
        match (group.cells.len(), group.cells.first()) {
            (1, Some(cell)) => self.node(cell, group.digit),
            _ => self.index.get(&group).copied(),
        }
    }

    /// A source is run now. Graphs that were made before do not have its nodes, and need none of them, but for those that were
    /// made of fewer of its links.
    pub fn begin_source(&mut self, source: usize, within: Option<Class>) {
        self.graphs.borrow_mut().retain(|(sources, _), _| !sources.contains(&source));
        self.between[source].fill([0; 2]);
        (self.strong[source], self.within[source], self.extras[source]) = (Some(Vec::new()), within, false);
    }

    /// Stores what a link source found.
    pub fn add_pair(&mut self, tables: &BoardMasks<W>, facts: &Facts<'_, W>, source: usize, pair: Pair<W>) {
        let [Some(a), Some(b)] = pair.ends.map(|end| self.node_of(tables, facts, end)) else { return };
        let numbers = |list: &[Candidate]| list.iter().filter_map(|&one| self.number(one)).collect();
        let link = Strong {
            ends: [a, b],
            cells: pair.cells,
            houses: pair.houses,
            extra: numbers(&pair.extra),
            guardians: numbers(&pair.guardians),
        };
        let [one, other] = link.ends.map(|end| &self.nodes[usize::from(end)]);
        let between = &mut self.between[source][one.digit.min(other.digit) * self.size + one.digit.max(other.digit)];
        between[0] += 1;
        between[1] += if one.cells == other.cells && one.cells.is_one() { 1 } else { 2 };
        self.strong[source].get_or_insert_default().push(link);
    }

    /// The node of a digit in cells, a new one if need be; none where no cell has the digit, or there is no number left.
    fn node_of(&mut self, tables: &BoardMasks<W>, facts: &Facts<'_, W>, end: Group<W>) -> Option<Node> {
        let group = Group { digit: end.digit, cells: end.cells & facts.places[end.digit] };
        match (group.cells.len(), group.cells.first()) {
            (0, _) | (_, None) => None,
            (1, Some(cell)) => self.node(cell, group.digit),
            _ => match self.index.get(&group) {
                Some(&known) => Some(known),
                None if self.nodes.len() + 1 < usize::from(Node::MAX) => {
                    let node = self.add_node(tables, facts, group);
                    self.index.insert(group, node);
                    Some(node)
                }
                None => {
                    self.lacks_nodes = true;
                    None
                }
            },
        }
    }

    /// Returns true if links were left out because they have too many different ends.
    pub fn lacks_nodes(&self) -> bool {
        self.lacks_nodes
    }

    /// The strong links of a source.
    pub fn strong(&self, source: usize) -> &[Strong<W>] {
        self.strong[source].as_deref().unwrap_or_default()
    }

    /// How many links of some sources join candidates of these digits.
    pub fn count(&self, sources: &[usize], on: DigitSet, count: LinkCount) -> u32 {
        let which = usize::from(count == LinkCount::Cells);
        let digits = || on.iter().map(Digit::index);
        let pairs =
            || digits().flat_map(|one| digits().filter(move |&other| one <= other).map(move |other| (one, other)));
        let of = |source: usize| pairs().map(move |(one, other)| self.between[source][one * self.size + other][which]);
        sources.iter().flat_map(|&source| of(source)).sum()
    }

    /// The graph of an alphabet.
    pub fn graph(&self, sources: &[usize], weak: WeakLinks) -> Rc<Graph> {
        let key = (sources.to_vec(), weak);
        if let Some(known) = self.graphs.borrow().get(&key) {
            return Rc::clone(known);
        }
        let graph = Rc::new(Graph::new(self, sources, weak));
        self.graphs.borrow_mut().insert(key, Rc::clone(&graph));
        graph
    }

    /// A node as data.
    pub fn told(&self, node: Node) -> ChainNode {
        let group = self.group(node);
        ChainNode { digit: Digit(group.digit as u8), cells: group.cells.cells().collect() }
    }

    /// What makes a link of a source, as data.
    pub fn via(&self, link: &Strong<W>, source: usize) -> SourceMatch {
        SourceMatch {
            source: self.names[source].clone(),
            cells: link.cells.cells().collect(),
            houses: link.houses.iter().map(|house| HouseId(house as u16)).collect(),
        }
    }
}
