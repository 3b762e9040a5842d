//! Clusters: components of candidates joined by links that are strong and weak at once. In: links and sources. Out: the
//! candidates of each component in two colours.

use super::links::Links;
use super::odd::Classes;
use crate::engine::tables::bit_rows;
use crate::grid::DigitSet;
use std::collections::BTreeMap;

/// A component: the candidates of each colour, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Coloured {
    pub colours: [Vec<usize>; 2],
}

/// Every component of two candidates or more with a digit of `on`, in order of its first candidate, which has the first
/// colour. A component that cannot be coloured is in a state without a solution, and is left out.
pub(crate) fn clusters<const W: usize>(links: &Links<W>, sources: &[usize], on: Option<DigitSet>) -> Vec<Coloured> {
    let mut classes = Classes::new(links.candidates());
    let mut joined = vec![false; links.candidates()];
    for strong in sources.iter().flat_map(|&source| links.strong(source)).filter(|one| one.guardians.is_empty()) {
        let live = |node| links.is_single(node) && on.is_none_or(|on| on.has(links.candidate(usize::from(node)).digit));
        let [a, b] = strong.ends;
        if live(a) && live(b) && bit_rows::has(links.excluded(a), usize::from(b)) {
            classes.part([a, b]);
            joined[usize::from(a)] = true;
            joined[usize::from(b)] = true;
        }
    }
    let mut out: Vec<Coloured> = Vec::new();
    // The component and the colour of each set of claims.
    let mut known: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    for (node, [one, other]) in classes.sets().into_iter().enumerate().filter(|(node, _)| joined[*node]) {
        if one != other {
            let (component, colour) = *known.entry(one).or_insert((out.len(), 0));
            if component == out.len() {
                known.insert(other, (component, 1));
                out.push(Coloured { colours: [Vec::new(), Vec::new()] });
            }
            out[component].colours[colour].push(node);
        }
    }
    out
}
