//! Clusters: components of candidates joined by links that are strong and weak at once. In: links and sources. Out: the
//! candidates of each component in two colours.

use super::links::Links;
use crate::engine::tables::rows;
use crate::grid::DigitSet;

/// A component: the candidates of each colour, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coloured {
    pub colours: [Vec<usize>; 2],
}

/// Every component of two candidates or more with a digit of `on`, in order of its first candidate, which has the first
/// colour. A component that cannot be coloured is in a state without a solution, and is left out.
pub(crate) fn clusters<const W: usize>(links: &Links<W>, sources: &[usize], on: Option<DigitSet>) -> Vec<Coloured> {
    let count = links.candidates();
    let mut joined: Vec<Vec<usize>> = vec![Vec::new(); count];
    for strong in sources.iter().flat_map(|&source| links.strong(source)).filter(|one| one.guardians.is_empty()) {
        let [a, b] = strong.ends;
        let live = |node| links.is_single(node) && on.is_none_or(|on| on.has(links.candidate(usize::from(node)).digit));
        if live(a) && live(b) && rows::has(links.excluded(a), usize::from(b)) {
            joined[usize::from(a)].push(usize::from(b));
            joined[usize::from(b)].push(usize::from(a));
        }
    }
    let mut colour: Vec<Option<usize>> = vec![None; count];
    let mut out = Vec::new();
    for first in 0..count {
        if colour[first].is_some() || joined[first].is_empty() {
            continue;
        }
        let mut sound = true;
        let mut members: Vec<usize> = vec![first];
        colour[first] = Some(0);
        let mut at = 0;
        while let Some(&one) = members.get(at) {
            at += 1;
            let other = colour[one].map(|colour| 1 - colour);
            for &next in &joined[one] {
                if colour[next].is_none() {
                    colour[next] = other;
                    members.push(next);
                }
                sound &= colour[next] == other;
            }
        }
        if sound {
            members.sort_unstable();
            let of = |wanted: usize| members.iter().copied().filter(|&one| colour[one] == Some(wanted)).collect();
            out.push(Coloured { colours: [of(0), of(1)] });
        }
    }
    out
}
