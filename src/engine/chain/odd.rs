//! Shortest odd cycles. In: a graph without direction. Out: those of the least length, each once from its smallest node on,
//! towards the smaller of its neighbours.

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
        let mut class: Vec<u8> = vec![2; self.joined.len()];
        let mut out = Vec::new();
        for &first in &self.live {
            if class[usize::from(first)] != 2 {
                continue;
            }
            class[usize::from(first)] = 0;
            let mut part = vec![first];
            let (mut at, mut odd) = (0, false);
            while let Some(&one) = part.get(at) {
                let mine = class[usize::from(one)];
                for &next in self.of(one) {
                    odd |= class[usize::from(next)] == mine;
                    if class[usize::from(next)] == 2 {
                        class[usize::from(next)] = 1 - mine;
                        part.push(next);
                    }
                }
                at += 1;
            }
            if odd {
                out.extend(part);
            }
        }
        out.sort_unstable();
        out
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

/// Nodes in two classes, as far as what joins them allows.
pub(super) struct Classes {
    /// For each node one of its part, and whether the two are of different classes; the first of a part has itself.
    known: Vec<(u16, bool)>,
}

impl Classes {
    /// For `count` nodes.
    pub fn new(count: usize) -> Classes {
        Classes { known: (0..count).map(|node| (node as u16, false)).collect() }
    }

    /// Whether these cannot be put into two classes so that no two of one class are joined.
    pub fn are_odd(&mut self, mut pairs: impl Iterator<Item = [u16; 2]>) -> bool {
        self.known.iter_mut().zip(0..).for_each(|(known, node)| *known = (node, false));
        pairs.any(|[a, b]| {
            let ((first, a), (second, b)) = (self.of(a), self.of(b));
            self.known[usize::from(second)] = (first, a == b);
            first == second && a == b
        })
    }

    /// The first of a node's part, and whether the two are of different classes.
    fn of(&mut self, node: u16) -> (u16, bool) {
        let (next, differs) = self.known[usize::from(node)];
        if next == node {
            return (node, false);
        }
        let (first, more) = self.of(next);
        self.known[usize::from(node)] = (first, differs != more);
        self.known[usize::from(node)]
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
