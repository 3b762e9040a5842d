//! Odd rings but for guardians. In: links and sources. Out: for each candidate that a ring shows false the shortest ring
//! whose guardians all exclude it, each ring once, shortest first.
//!
//! The candidate to be shown false comes first: only links whose guardians all exclude it can be used, and it falls if
//! the candidates joined by these cannot be put into two classes. So no ring is looked for that shows nothing.

use super::links::Links;
use super::rows::{self, Rows};
use crate::grid::DigitSet;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A ring: its candidates in order, and the guardians of its links; all by number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RingHit {
    pub nodes: Vec<usize>,
    pub guardians: Vec<usize>,
}

/// A link that is strong and weak but for its guardians.
struct Side {
    ends: [usize; 2],
    guardians: Vec<usize>,
    row: usize,
}

/// Every ring of at least `low` candidates with digits of `on`.
pub(crate) fn rings<const W: usize>(
    links: &Links<W>,
    sources: &[usize],
    on: Option<DigitSet>,
    low: usize,
) -> Vec<RingHit> {
    let mut rows = Rows::new(links.candidates());
    let sides = sides(links, sources, on, &mut rows);
    let mut found = BTreeSet::new();
    for target in 0..links.candidates() {
        let excluded = links.excluded(target as u16);
        let usable: Vec<&Side> = sides.iter().filter(|side| rows::within(rows.row(side.row), excluded)).collect();
        if let Some(nodes) = shortest(&usable).filter(|nodes| nodes.len() >= low) {
            found.insert((nodes.len(), told(&nodes, &usable)));
        }
    }
    found.into_iter().map(|(_, ring)| ring).filter(|ring| !ring.guardians.is_empty()).collect()
}

fn sides<const W: usize>(links: &Links<W>, sources: &[usize], on: Option<DigitSet>, rows: &mut Rows) -> Vec<Side> {
    let mut out: Vec<Side> = Vec::new();
    for strong in sources.iter().flat_map(|&source| links.strong(source)) {
        let [a, b] = strong.ends;
        let live = |node| links.is_single(node) && on.is_none_or(|on| on.has(links.candidate(usize::from(node)).digit));
        if live(a) && live(b) && rows::has(links.excluded(a), usize::from(b)) {
            let row = rows.push();
            strong.guardians.iter().for_each(|&guardian| rows::set(row, guardian));
            let (guardians, number) = (strong.guardians.clone(), out.len());
            out.push(Side { ends: [usize::from(a), usize::from(b)], guardians, row: number });
        }
    }
    // Fewer guardians first: of two links between the same candidates that one is told.
    out.sort_by_key(|side| side.guardians.len());
    out
}

/// The shortest odd ring of these links.
fn shortest(usable: &[&Side]) -> Option<Vec<usize>> {
    let mut joined: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for side in usable {
        let [a, b] = side.ends;
        joined.entry(a).or_default().push(b);
        joined.entry(b).or_default().push(a);
    }
    joined.values_mut().for_each(|list| {
        list.sort_unstable();
        list.dedup();
    });
    if two_classes(&joined) {
        return None;
    }
    let rings = joined.keys().filter_map(|&first| odd_walk(&joined, first));
    rings.min_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)))
}

/// Whether the candidates can be put into two classes so that no link joins two of one class.
fn two_classes(joined: &BTreeMap<usize, Vec<usize>>) -> bool {
    let mut class: BTreeMap<usize, bool> = BTreeMap::new();
    for &first in joined.keys() {
        if class.contains_key(&first) {
            continue;
        }
        class.insert(first, false);
        let mut queue = vec![first];
        while let Some(one) = queue.pop() {
            for &next in &joined[&one] {
                if class.get(&next) == class.get(&one) {
                    return false;
                }
                if !class.contains_key(&next) {
                    class.insert(next, !class[&one]);
                    queue.push(next);
                }
            }
        }
    }
    true
}

/// The shortest way of odd length from a candidate back to it, if no candidate is on it twice. The shortest of all
/// candidates never is twice on its own.
fn odd_walk(joined: &BTreeMap<usize, Vec<usize>>, first: usize) -> Option<Vec<usize>> {
    let mut parent: BTreeMap<(usize, bool), (usize, bool)> = BTreeMap::new();
    let mut queue = VecDeque::from([(first, false)]);
    while let Some((one, odd)) = queue.pop_front() {
        for &next in &joined[&one] {
            let then = (next, !odd);
            if then == (first, false) || parent.contains_key(&then) {
                continue;
            }
            parent.insert(then, (one, odd));
            queue.push_back(then);
        }
        if parent.contains_key(&(first, true)) {
            break;
        }
    }
    let mut nodes = Vec::new();
    let mut at = *parent.get(&(first, true))?;
    nodes.push(first);
    while at != (first, false) {
        nodes.push(at.0);
        at = *parent.get(&at)?;
    }
    let distinct: BTreeSet<usize> = nodes.iter().copied().collect();
    (distinct.len() == nodes.len()).then_some(nodes)
}

/// The ring from its smallest candidate on, towards the smaller neighbour, with the guardians of its links.
fn told(nodes: &[usize], usable: &[&Side]) -> RingHit {
    let count = nodes.len();
    let first = (0..count).min_by_key(|&at| nodes[at]).unwrap_or(0);
    let way = |at: usize, back: bool| nodes[if back { (first + count - at) % count } else { (first + at) % count }];
    let back = way(1, true) < way(1, false);
    let nodes: Vec<usize> = (0..count).map(|at| way(at, back)).collect();
    let mut guardians = BTreeSet::new();
    for at in 0..count {
        let (a, b) = (nodes[at], nodes[(at + 1) % count]);
        let side = usable.iter().find(|side| side.ends == [a, b] || side.ends == [b, a]);
        guardians.extend(side.into_iter().flat_map(|side| side.guardians.iter().copied()));
    }
    RingHit { nodes, guardians: guardians.into_iter().collect() }
}
