//! Patterns in the graph of nodes and links: chains, loops, clusters, rings. In: their declarations. Out: the
//! instruction that searches one and the one that hands out its parts, with the tests that bind them to what is known.

use super::build::{NoPlan, Operand, Slot};
use super::compile::Compiler;
use super::constraints::{Constraint, differ};
use super::instr::{Instr, Reg, Set};
use super::operators::{Choice, Next};
use super::program::{ChainSpec, EndRegs, EndSpec, GraphShape, GraphSpec, LinkCount};
use super::symmetry;
use crate::lang::ir::{
    ChainEnd, Claim, Cluster, Comparison, Condition, Expr, Graph, LengthUnit, LinkShape, Loop, OpenChain, VarId,
    VarShape,
};

impl Compiler<'_> {
    /// Writes the search of a pattern.
    pub fn graph(&mut self, graph: &Graph) -> Result<(), NoPlan> {
        let shape = match &graph.shape {
            LinkShape::Chain(chain) => GraphShape::Chain(self.chain(chain)?),
            LinkShape::Loop(one) => {
                let name = self.candidate_set(one.name);
                let colours = one.colours.map(|colours| colours.map(|colour| self.candidate_set(colour)));
                GraphShape::Loop { name, colours, length: one.length, weak: one.weak }
            }
            LinkShape::Cluster(one) => {
                GraphShape::Cluster { colours: one.colours.map(|colour| self.candidate_set(colour)) }
            }
            LinkShape::Ring(one) => {
                let (name, guardians) = (self.candidate_set(one.name), self.candidate_set(one.guardians));
                GraphShape::Ring { name, guardians, low: one.low }
            }
        };
        let on = graph.digits.as_ref().map(|on| self.builder.digits(on)).transpose()?;
        let strong = graph.strong.iter().map(|name| self.source(name)).collect::<Result<Vec<_>, _>>()?;
        self.builder.note(format!("graph: {} link source(s), breadth first from every start", strong.len()));
        let number = self.builder.program.graphs.len();
        self.builder.program.graphs.push(GraphSpec { on, strong, least: self.least_links(&graph.shape), shape });
        self.builder.emit(Instr::Start(Choice::Graph { graph: number }));
        let next = self.builder.label();
        self.builder.set_label(next);
        let fail = self.builder.fail;
        self.builder.emit(Instr::Next { of: Next::Graph { graph: number }, fail });
        self.builder.fail = next;
        self.graph_of.extend(graph.names().into_iter().map(|name| (name, number)));
        self.bind_parts(graph)
    }

    /// How many strong links a pattern has at least.
    fn least_links(&self, shape: &LinkShape) -> (u32, LinkCount) {
        let length = match shape {
            LinkShape::Chain(OpenChain { length, .. }) | LinkShape::Loop(Loop { length, .. }) => length,
            // Each link has one candidate of a colour.
            LinkShape::Cluster(Cluster { colours }) => {
                let sizes = colours.iter().filter_map(|&colour| self.least_cells(colour));
                return (sizes.max().unwrap_or(1), LinkCount::Links);
            }
            LinkShape::Ring(_) => return (1, LinkCount::Links),
        };
        match length.unit {
            LengthUnit::StrongLinks => (length.low, LinkCount::Links),
            // Of two links that follow one another one is strong.
            LengthUnit::Links => (length.low / 2, LinkCount::Links),
            // Only where it comes back to its beginning, that cell may be between two weak links.
            LengthUnit::Cells => {
                let open = matches!(shape, LinkShape::Chain(chain) if chain.from != chain.to);
                (length.low.saturating_sub(u32::from(!open)), LinkCount::Cells)
            }
        }
    }

    /// How many cells the candidates of a name lie in at least, as far as a condition says it.
    fn least_cells(&self, name: VarId) -> Option<u32> {
        let said = |one: &Constraint| match &one.condition {
            Condition::Compare(Expr::Count(of), Comparison::GreaterEqual | Comparison::Equal, least) if matches!(of.as_ref(), Expr::CellsOf(of) if of.is(name)) => {
                u32::try_from(least.constant(&[])?).ok()
            }
            _ => None,
        };
        self.constraints.list.iter().filter_map(said).max()
    }

    /// The names that a pattern gave values to are known; what they must differ from, they are compared with.
    fn bind_parts(&mut self, graph: &Graph) -> Result<(), NoPlan> {
        let mut names = graph.names();
        names.dedup();
        let new: Vec<VarId> = names.into_iter().filter(|&name| !self.is_bound(name)).collect();
        if let LinkShape::Cluster(one) = &graph.shape {
            self.other_component(&one.colours)?;
        }
        new.iter().for_each(|name| self.bound |= 1 << name.0);
        for &(a, b) in &self.order_pairs.clone() {
            if self.all_bound(&[a, b]) && (new.contains(&a) || new.contains(&b)) {
                self.less(a, b);
            }
        }
        self.apart(&new)?;
        self.settle(new.first().copied())
    }

    /// Two clusters of a rule are different components.
    fn other_component(&mut self, colours: &[VarId; 2]) -> Result<(), NoPlan> {
        let clusters = self.constraints.graphs.iter().filter_map(|one| match &one.shape {
            LinkShape::Cluster(cluster) => Some(cluster.colours),
            _ => None,
        });
        let before: Vec<VarId> = clusters.flatten().filter(|&name| self.is_bound(name)).collect();
        for other in before {
            for &colour in colours {
                let fail = self.builder.fail;
                self.builder.test(&Condition::Disjoint(colour.into(), other.into()), fail)?;
            }
        }
        Ok(())
    }

    fn chain(&mut self, chain: &OpenChain) -> Result<ChainSpec, NoPlan> {
        let back = chain.from == chain.to;
        let (from, to) = (self.end(chain.from)?, self.end(chain.to)?);
        let variant = self.builder.variant;
        let ends: Vec<VarId> = [chain.from, chain.to].into_iter().flat_map(ChainEnd::names).collect();
        let sets = matches!((from, to), (EndSpec::Node(_), EndSpec::Node(_)));
        let ordered = !back && sets && symmetry::alike(variant, self.constraints, ends[0], ends[1]);
        let claims = variant.conclusions.iter().all(|one| match (&one.claim, &one.for_each) {
            (Claim::SomeTrue(some), None) => {
                let named: Option<Vec<VarId>> = some.parts().iter().map(Expr::as_var).collect();
                named.is_some_and(|named| {
                    named.iter().all(|name| ends.contains(name)) && ends.iter().all(|end| named.contains(end))
                })
            }
            _ => false,
        });
        let plain = claims && variant.guardians.is_empty();
        let ends_only = sets && !back && plain;
        Ok(ChainSpec { from, to, back, ordered, plain, ends_only, length: chain.length, weak: chain.weak })
    }

    /// Names that a chain bound differ from the others of their kind.
    fn apart(&mut self, new: &[VarId]) -> Result<(), NoPlan> {
        for &name in new {
            for index in 0..self.builder.variant.vars.len() {
                let other = VarId(index);
                let twice = new.contains(&other) && other < name;
                if self.is_bound(other) && differ(self.builder.variant, name, other) && !twice {
                    let fail = self.builder.fail;
                    self.builder.test(&Condition::Disjoint(name.into(), other.into()), fail)?;
                }
            }
        }
        Ok(())
    }

    pub fn source(&self, name: &str) -> Result<usize, NoPlan> {
        self.sources.iter().position(|source| source.id == name).ok_or_else(|| NoPlan::NoSource(name.into()))
    }

    /// A register for a name that stands for a set of candidates.
    fn candidate_set(&mut self, name: VarId) -> Reg {
        if let Some(Slot::Many(Operand::Set(Set::P(known)))) = self.builder.slots[name.0] {
            return known;
        }
        let reg = self.builder.candidate_reg();
        self.builder.slots[name.0] = Some(Slot::Many(Operand::Set(Set::P(reg))));
        reg
    }

    fn end(&mut self, end: ChainEnd) -> Result<EndSpec, NoPlan> {
        match end {
            ChainEnd::At(node) => {
                if self.builder.variant.var(node.cells).shape != VarShape::Single {
                    return Err(NoPlan::ChainEnd);
                }
                let (digit, digit_bound) = self.end_name(node.digit)?;
                let (cell, cell_bound) = self.end_name(node.cells)?;
                Ok(EndSpec::One(EndRegs { digit, cell, digit_bound, cell_bound }))
            }
            ChainEnd::Candidate(var) if self.builder.variant.var(var).shape == VarShape::Set => {
                if self.is_bound(var) {
                    return Err(NoPlan::ChainEndBound);
                }
                Ok(EndSpec::Node(self.candidate_set(var)))
            }
            ChainEnd::Candidate(var) => {
                let digit = (self.builder.value_reg(), self.builder.digit_reg());
                let cell = (self.builder.value_reg(), self.builder.cell_reg());
                self.builder.slots[var.0] = Some(Slot::Candidate { digit, cell });
                Ok(EndSpec::One(EndRegs { digit, cell, digit_bound: false, cell_bound: false }))
            }
        }
    }

    /// The registers of a name at a chain's end, and whether it has its value before the chain is searched. The
    /// second end may repeat a name of the first: then the registers are the same and must agree.
    fn end_name(&mut self, var: VarId) -> Result<((u16, u16), bool), NoPlan> {
        if let Some(Slot::One { value, set: Set::C(set) | Set::D(set) }) = self.builder.slots[var.0] {
            return Ok(((value, set), self.is_bound(var)));
        }
        let value = self.builder.value_reg();
        let set = self.builder.set_for(self.builder.variant.var(var).kind)?;
        self.builder.slots[var.0] = Some(Slot::One { value, set });
        match set {
            Set::C(reg) | Set::D(reg) => Ok(((value, reg), false)),
            Set::H(_) | Set::P(_) => Err(NoPlan::ChainEndKind),
        }
    }
}
