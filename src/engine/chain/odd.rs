//! Shortest odd cycles. In: a graph without direction. Out: those of the least length, each once from its smallest node on,
//! towards the smaller of its neighbours.

use petgraph::unionfind::UnionFind;
use std::collections::VecDeque;

/// Nodes by number with their neighbours, ascending.
pub(super) struct Web {
    joined: Vec<Vec<u16>>,
    /// The nodes that have neighbours.
    live: Vec<u16>,
}

/// Not reached.
const FAR: u16 = u16::MAX;

impl Web {
    /// `count` nodes, none joined.
    pub fn new(count: usize) -> Web {
        Web { joined: vec![Vec::new(); count], live: Vec::new() }
    }

    /// Joins these, and nothing that was joined before.
    pub fn join(&mut self, pairs: impl Iterator<Item = [u16; 2]>) {
        for node in self.live.drain(..) {
            self.joined[usize::from(node)].clear();
        }
        for [a, b] in pairs {
            for (one, other) in [(a, b), (b, a)] {
                let list = &mut self.joined[usize::from(one)];
                if list.is_empty() {
                    self.live.push(one);
                }
                list.push(other);
            }
        }
        self.live.sort_unstable();
        for &node in &self.live {
            let list = &mut self.joined[usize::from(node)];
            list.sort_unstable();
            list.dedup();
        }
    }

    fn of(&self, node: u16) -> &[u16] {
        &self.joined[usize::from(node)]
    }

    /// The nodes of each part that cannot be put into two classes so that no two of one class are joined.
    fn odd_parts(&self) -> Vec<u16> {
        let mut classes = Classes::new(self.joined.len());
        for &node in &self.live {
            self.of(node).iter().for_each(|&next| _ = classes.part([node, next]));
        }
        self.live.iter().copied().filter(|&node| classes.is_odd(node)).collect()
    }

    /// How far each node is from the first, by an even and by an odd number of links, up to a bound.
    fn distances(&self, first: u16, bound: u16) -> Vec<[u16; 2]> {
        let mut far = vec![[FAR; 2]; self.joined.len()];
        far[usize::from(first)][0] = 0;
        let mut queue = VecDeque::from([(first, 0)]);
        while let Some((one, length)) = queue.pop_front() {
            if length == bound {
                break;
            }
            let odd = usize::from((length + 1) % 2);
            for &next in self.of(one) {
                if far[usize::from(next)][odd] == FAR {
                    far[usize::from(next)][odd] = length + 1;
                    queue.push_back((next, length + 1));
                }
            }
        }
        far
    }
}

/// Nodes in two classes, as far as what joins them allows. The claims that node `n` is of the first or of the second class are the
/// numbers `2 n` and `2 n + 1`; claims that hold together are one set.
pub(super) struct Classes(UnionFind<usize>);

impl Classes {
    /// For `count` nodes.
    pub fn new(count: usize) -> Classes {
        Classes(UnionFind::new(2 * count))
    }

    /// Puts two nodes into different classes. Returns true if they cannot be.
    pub fn part(&mut self, pair: [u16; 2]) -> bool {
        let [a, b] = pair.map(|node| 2 * usize::from(node));
        self.0.union(a, b + 1);
        self.0.union(a + 1, b);
        self.is_odd(pair[0])
    }

    /// Returns true if what joins the nodes of its part cannot be put into two classes.
    fn is_odd(&self, node: u16) -> bool {
        self.0.equiv(2 * usize::from(node), 2 * usize::from(node) + 1)
    }

    /// For each node the sets that its two claims are in; they are one set if it is odd.
    pub fn sets(self) -> Vec<[usize; 2]> {
        self.0.into_labeling().chunks(2).map(|claims| [claims[0], claims[1]]).collect()
    }
}

/// The shortest odd cycles, at most `most`; says as well whether there are more. None if they have less than `low` nodes.
pub(super) fn shortest(web: &Web, low: usize, most: usize) -> (Vec<Vec<u16>>, bool) {
    let odd = web.odd_parts();
    let mut length = FAR;
    // A shortest odd way back to a node is a cycle if no other node has a shorter one.
    for &first in &odd {
        length = length.min(web.distances(first, length.min(FAR - 1))[usize::from(first)][1]);
    }
    if length == FAR || usize::from(length) < low {
        return (Vec::new(), false);
    }
    let mut walk = Walk { web, far: Vec::new(), nodes: Vec::new(), length, most, found: Vec::new(), cut: false };
    for &first in &odd {
        walk.far = web.distances(first, length);
        if walk.far[usize::from(first)][1] == length {
            walk.nodes = vec![first];
            walk.go();
        }
    }
    (walk.found, walk.cut)
}

/// The cycles from one node.
struct Walk<'a> {
    web: &'a Web,
    far: Vec<[u16; 2]>,
    nodes: Vec<u16>,
    length: u16,
    most: usize,
    found: Vec<Vec<u16>>,
    cut: bool,
}

impl Walk<'_> {
    fn go(&mut self) {
        let (Some(&first), Some(&last)) = (self.nodes.first(), self.nodes.last()) else { return };
        let left = self.length - self.nodes.len() as u16;
        if left == 0 {
            if self.web.of(last).contains(&first) && self.nodes[1] < last {
                if self.found.len() == self.most {
                    self.cut = true;
                } else {
                    self.found.push(self.nodes.clone());
                }
            }
            return;
        }
        for &next in self.web.of(last) {
            let back = self.far[usize::from(next)][usize::from(left % 2)];
            if next > first && back <= left && !self.cut && !self.nodes.contains(&next) {
                self.nodes.push(next);
                self.go();
                self.nodes.pop();
            }
        }
    }
}
