//! Weak links between nodes. In: the candidates of each node, and those that it excludes. Out: for each node, the nodes it
//! excludes: those with all candidates excluded.

use super::bit_rows;
use super::csr::{ByKey, Lists, NONE};

/// Lists, for each node, the nodes that it excludes and that pass `counts`: single candidates in order, then larger nodes.
///
/// `members` has the candidates of each node, `excluded` those that a node excludes. A candidate has at most one node of its
/// own.
pub(in crate::engine) fn weak_links<'r>(
    members: &Lists,
    candidates: usize,
    excluded: impl Fn(usize) -> &'r [u64],
    counts: impl Fn(usize, usize) -> bool,
) -> Lists {
    let mut single = vec![NONE; candidates];
    // Nodes of several candidates, by the first of them.
    let mut first = ByKey::new(candidates, members.len());
    for node in 0..members.len() {
        let mut own = members.list(node);
        match (own.next(), own.next()) {
            (Some(candidate), None) => single[candidate] = node as u32,
            (Some(candidate), Some(_)) => first.add(candidate, node),
            (None, _) => {}
        }
    }
    let (mut weak, mut larger) = (Lists::with_room(members.len()), Vec::new());
    for node in 0..members.len() {
        let row = excluded(node);
        for candidate in bit_rows::bits(row) {
            let known = Some(single[candidate]).filter(|&other| other != NONE && counts(node, other as usize));
            weak.add(known);
            let all = |other: usize| members.list(other).all(|member| bit_rows::has(row, member));
            let others = first.of(candidate).filter(|&other| counts(node, other) && all(other));
            larger.extend(others.map(|other| other as u32));
        }
        larger.sort_unstable();
        weak.add(larger.drain(..));
        weak.end();
    }
    weak
}
