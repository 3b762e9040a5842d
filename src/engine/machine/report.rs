//! A match as data. In: the registers of a running program, the chains and loops that are bound. Out: a [`Report`].

use super::super::chain::{Graph, Links, Place, Search};
use super::super::matches::{ChainStep, FamilyIndex, Value};
use super::super::plan::{GraphShape, Output, Set};
use super::super::tables::index::cell_list;
use super::graphs::Occurrences;
use super::{Machine, Ranked, Report};
use crate::grid::{Candidate, Cell, Digit, HouseId};

impl<const W: usize> Machine<'_, W> {
    /// The match as data, unless its chain passes a node twice, what counts of it follows from a placement, or it is longer than
    /// another where the shortest is wanted.
    pub(super) fn report(&mut self) -> Option<Report> {
        let (mut eliminations, mut placements) = self.conclusions.lists(self.context.tables);
        if let Some(aimed) = &self.context.facts.aim {
            aimed.aim.keep_wanted(&mut eliminations, &mut placements);
            if eliminations.is_empty() && placements.is_empty() {
                return None;
            }
        }
        let (chain, mut rank) = self.told()?;
        let supposed = self.supposed();
        if let Some(supposing) = self.context.supposing.filter(|_| self.context.ranked != Ranked::No) {
            let count = supposing.count(&supposed, self.limits, self.shortest.checked_sub(rank.0)?)?;
            rank = (rank.0 + count, rank.1 + count);
            if self.context.ranked == Ranked::Shortest {
                self.shortest = self.shortest.min(rank.0);
            }
        }
        let bindings = self.program.outputs.iter().map(|output| self.value(*output)).collect();
        Some(Report { bindings, eliminations, placements, chain, supposed, rank })
    }

    fn value(&self, output: Output) -> Option<Value> {
        match output {
            Output::Set(Set::C(reg)) => Some(Value::Cells(cell_list(self.regs.c(reg)))),
            Output::Set(Set::D(reg)) => Some(Value::Digits(self.regs.d(reg))),
            Output::Set(Set::H(reg)) => {
                Some(Value::Houses(self.regs.h(reg).iter().map(|house| HouseId(house as u16)).collect()))
            }
            Output::Set(Set::P(reg)) => Some(Value::Candidates(self.regs.p(reg).list())),
            Output::Nouns(index) => Some(Value::Candidates(self.marks(self.program.nouns.get(index)?).list())),
            Output::Candidate(digit, cell) => {
                let (digit, cell) = (Digit(self.regs.v(digit) as u8), Cell(self.regs.v(cell) as u16));
                Some(Value::Candidates(vec![Candidate::new(digit, cell)]))
            }
            Output::Family(family) => Some(Value::Family(self.pairs(family))),
            Output::Nothing => None,
        }
    }

    /// The members of a family with their indexes.
    fn pairs(&self, family: usize) -> Vec<(FamilyIndex, Vec<Cell>)> {
        let spec = &self.program.families[family];
        let index = |number: u16| match spec.by_cell {
            true => FamilyIndex::Cell(Cell(number)),
            false => FamilyIndex::Digit(Digit(number as u8)),
        };
        let pairs = match spec.sets {
            Some(_) => self.set_families[family].pairs(),
            None => self.families[family].pairs(),
        };
        pairs.into_iter().map(|(number, cells)| (index(number), cells)).collect()
    }

    /// The chains and loops that are bound now, one after the other, with their length and links; none where one passes a
    /// node twice.
    fn told(&self) -> Option<(Vec<ChainStep>, (u32, u32))> {
        let (mut steps, mut rank) = (Vec::new(), (0, 0));
        let Some(links) = self.context.links else { return Some((steps, rank)) };
        for (spec, state) in self.program.graphs.iter().zip(&self.graphs) {
            let (Some(at), Some(graph)) = (state.next.checked_sub(1), &state.graph) else { continue };
            let (places, cost) = match (&state.found, &spec.shape) {
                (Occurrences::Chains(hits), GraphShape::Chain(chain)) => {
                    let mut admit = self.admit(links, graph, &state.allowed, chain.length);
                    admit.longest = hits[at].links + 1;
                    (Search::new(&admit).path(hits[at])?, (hits[at].length, hits[at].links))
                }
                (Occurrences::Loops(list), _) => (turned(&list[at].0.places), (list[at].0.length, list[at].0.links)),
                _ => continue,
            };
            let closed = matches!(state.found, Occurrences::Loops(_));
            steps.extend(self.steps(links, graph, &places, closed));
            rank = (rank.0 + cost.0, rank.1 + cost.1);
        }
        Some((steps, rank))
    }

    /// Nodes with the links that lead to them. The first of an open chain is not led to; of a loop it is by the strong
    /// link from the last.
    fn steps(&self, links: &Links<W>, graph: &Graph, places: &[Place], closed: bool) -> Vec<ChainStep> {
        let step = |at: usize| {
            let place = places[at];
            let strong = (at % 2 == 1) != closed;
            let before = places[(at + places.len() - 1) % places.len()];
            let edge = graph.strong(before).iter().find(|edge| strong && edge.to == place);
            let source_match = edge.map(|edge| {
                let source = usize::from(edge.source);
                links.via(&links.strong(source)[edge.link as usize], source)
            });
            ChainStep { strong, node: links.told(graph.nodes[usize::from(place)]), source_match }
        };
        (0..places.len()).map(step).collect()
    }
}

/// The nodes of a loop from the one that its first strong link leads to.
fn turned(places: &[Place]) -> Vec<Place> {
    let mut out = places.to_vec();
    out.rotate_left(1);
    out
}
