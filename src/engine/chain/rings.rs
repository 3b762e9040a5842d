//! Odd rings but for guardians. In: links and sources. Out: for each candidate that a ring shows false the shortest rings
//! whose guardians all exclude it, each ring once, shortest first.
//!
//! The candidate to be shown false comes first: only links whose guardians all exclude it can be used, and it falls if
//! the candidates joined by these cannot be put into two classes. So no ring is looked for that shows nothing.

use super::links::Links;
use super::odd::{Classes, Web, shortest};
use super::target_rows::TargetRows;
use crate::engine::tables::bit_rows::{self, BitRows};
use crate::grid::DigitSet;
use std::collections::{BTreeMap, BTreeSet};

/// A ring: its candidates in order, and the guardians of its links; all by number.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RingHit {
    pub nodes: Vec<usize>,
    pub guardians: Vec<usize>,
}

/// A link that is strong and weak but for its guardians.
struct Side {
    ends: [u16; 2],
    guardians: Vec<usize>,
}

/// How many rings are told that show the same candidate false; where there are more, the search is cut short.
const MOST: usize = 32;

/// Every ring of at least `low` candidates with digits of `on`; says as well whether there may be more. With target rows only
/// rings that can show something that counts.
pub(crate) fn rings<const W: usize>(
    links: &Links<W>,
    sources: &[usize],
    on: Option<DigitSet>,
    low: usize,
    target_rows: Option<&TargetRows>,
) -> (Vec<RingHit>, bool) {
    let sides = sides(links, sources, on);
    let mut ends: Vec<u16> = sides.iter().flat_map(|side| side.ends).collect();
    ends.sort_unstable();
    ends.dedup();
    let place = |node: u16| ends.partition_point(|&end| end < node) as u16;
    let joins: Vec<[u16; 2]> = sides.iter().map(|side| side.ends.map(place)).collect();
    let counts = target_rows.map(|target_rows| target_rows.targets(links));
    let usable = usable(links, &sides, counts.as_deref());
    let (mut found, mut cut) = (BTreeSet::new(), false);
    let mut web = Web::new(ends.len());
    for usable in usable.iter().filter(|usable| usable.len() > 2) {
        // Mostly there is no ring, and that is sooner found than where it would be.
        let mut classes = Classes::new(ends.len());
        if !usable.iter().any(|&side| classes.part(joins[side])) {
            continue;
        }
        web.join(usable.iter().map(|&side| joins[side]));
        let (cycles, more) = shortest(&web, low, MOST);
        cut |= more;
        for cycle in cycles {
            let nodes: Vec<u16> = cycle.iter().map(|&at| ends[usize::from(at)]).collect();
            cut |= !told(&nodes, usable, &sides, &mut found);
        }
    }
    (found.into_iter().map(|(_, ring)| ring).collect(), cut)
}

/// The links; of two between the same candidates none whose guardians are among those of the other.
fn sides<const W: usize>(links: &Links<W>, sources: &[usize], on: Option<DigitSet>) -> Vec<Side> {
    let mut between: BTreeMap<[u16; 2], Vec<Vec<usize>>> = BTreeMap::new();
    for strong in sources.iter().flat_map(|&source| links.strong(source)) {
        let [a, b] = strong.ends;
        let live = |node| links.is_single(node) && on.is_none_or(|on| on.has(links.candidate(usize::from(node)).digit));
        if live(a) && live(b) && bit_rows::has(links.excluded(a), usize::from(b)) {
            let mut guardians = strong.guardians.clone();
            guardians.sort_unstable();
            between.entry([a.min(b), a.max(b)]).or_default().push(guardians);
        }
    }
    let within = |a: &[usize], b: &[usize]| a.iter().all(|one| b.contains(one));
    let mut out = Vec::new();
    for (ends, mut ways) in between {
        ways.sort_by(|a, b| a.len().cmp(&b.len()).then_with(|| a.cmp(b)));
        let mut kept: Vec<Vec<usize>> = Vec::new();
        for guardians in ways {
            if !kept.iter().any(|known| within(known, &guardians)) {
                kept.push(guardians);
            }
        }
        out.extend(kept.into_iter().map(|guardians| Side { ends, guardians }));
    }
    out
}

/// For each candidate the links whose guardians all exclude it, by number.
fn usable<const W: usize>(links: &Links<W>, sides: &[Side], counts: Option<&[u64]>) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); links.candidates()];
    let mut every = BitRows::new(1, links.candidates());
    let row = every.push();
    match counts {
        Some(counts) => row.copy_from_slice(counts),
        None => row.fill(u64::MAX),
    }
    for (number, side) in sides.iter().enumerate() {
        let mut shown = every.row(0).to_vec();
        for &guardian in &side.guardians {
            bit_rows::intersect(&mut shown, links.excluded(guardian as u16));
        }
        let targets = bit_rows::bits(&shown).take_while(|&target| target < links.candidates());
        targets.for_each(|target| out[target].push(number));
    }
    out
}

/// Adds the rings of these candidates, one for each choice among links that join the same two; `false` if there are too
/// many choices.
fn told(nodes: &[u16], usable: &[usize], sides: &[Side], found: &mut BTreeSet<(usize, RingHit)>) -> bool {
    let count = nodes.len();
    let mut ways: Vec<BTreeSet<usize>> = vec![BTreeSet::new()];
    for at in 0..count {
        let (a, b) = (nodes[at], nodes[(at + 1) % count]);
        let joins = usable.iter().map(|&side| &sides[side]).filter(|side| side.ends == [a.min(b), a.max(b)]);
        let joins: Vec<&Side> = joins.collect();
        let more = |way: &BTreeSet<usize>, side: &Side| way.iter().chain(&side.guardians).copied().collect();
        ways = ways.iter().flat_map(|way| joins.iter().map(|side| more(way, side)).collect::<Vec<_>>()).collect();
        if ways.len() > MOST {
            return false;
        }
    }
    let nodes: Vec<usize> = nodes.iter().map(|&node| usize::from(node)).collect();
    for guardians in ways.into_iter().filter(|way| !way.is_empty()) {
        let ring = RingHit { nodes: nodes.clone(), guardians: guardians.into_iter().collect() };
        found.insert((count, ring));
    }
    true
}
