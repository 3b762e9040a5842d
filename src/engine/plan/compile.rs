//! A rule's body to a program. In: constraints and an order. Out: nested loops, each over a domain narrowed by
//! everything that is known, tests as soon as their names have values, and the conclusion innermost.

use super::build::{Builder, NoPlan};
use super::constraints::{Constraints, differ};
use super::groups::Group;
use super::instr::{Instr, Set};
use super::operators::{Conclusion, Test};
use super::order::Item;
use super::targets::TargetPlan;
use crate::engine::bounds::{EstimatedNarrowing, Narrowing};
use crate::lang::ir::{Claim, Condition, LinkSource, VarId, VarShape};

/// Compiles the loops of one rule.
pub(super) struct Compiler<'a> {
    pub builder: Builder<'a>,
    pub constraints: &'a Constraints,
    pub order_pairs: Vec<(VarId, VarId)>,
    pub bound: u64,
    /// For each constraint whether it is tested or said by a narrowing.
    pub done: Vec<bool>,
    /// The names that were chosen from a set that holds just them and others, each with the constraint that says so.
    pub elements: Vec<(VarId, usize)>,
    /// For each name the domain that an early look worked out last, and what narrowed it.
    pub domains: Vec<Option<(Vec<Narrowing>, Set)>>,
    pub targets: TargetPlan,
    /// The names that stand for almost locked sets, each with its choice.
    pub locked: Vec<(VarId, usize)>,
    pub sources: &'a [LinkSource],
    /// Names that the board alone relates.
    pub groups: Vec<Group>,
    /// The names that a pattern in the graph gave values to, each with the pattern.
    pub graph_of: Vec<(VarId, usize)>,
    /// The digit that alone the rule speaks of, and whether the rule may place it, where that may be used.
    pub one_digit: Option<(VarId, bool)>,
}

impl<'a> Compiler<'a> {
    pub fn new(builder: Builder<'a>, constraints: &'a Constraints, sources: &'a [LinkSource]) -> Self {
        let order_pairs = super::symmetry::order_pairs(builder.variant, constraints);
        Compiler {
            order_pairs,
            constraints,
            bound: 0,
            done: vec![false; constraints.list.len()],
            elements: Vec::new(),
            domains: vec![None; builder.variant.vars.len()],
            targets: TargetPlan::of(builder.variant),
            locked: Vec::new(),
            sources,
            groups: Vec::new(),
            graph_of: Vec::new(),
            one_digit: None,
            builder,
        }
    }

    pub fn is_bound(&self, var: VarId) -> bool {
        self.bound >> var.0 & 1 == 1
    }

    pub fn all_bound(&self, names: &[VarId]) -> bool {
        names.iter().all(|&name| self.is_bound(name))
    }

    /// Writes the loops in the order given; afterwards every name has a register.
    pub fn body(&mut self, order: &[Item]) -> Result<(), NoPlan> {
        self.settle(None)?;
        for item in order {
            match item {
                Item::Name(var) => self.bind(*var)?,
                Item::Rows(index) => {
                    let group = self.groups[*index].clone();
                    self.rows(&group)?;
                }
                Item::Graph(index) => self.graph(&self.constraints.graphs[*index])?,
                Item::Suppose(index) => self.suppose(&self.constraints.supposes[*index])?,
            }
        }
        Ok(())
    }

    fn bind(&mut self, var: VarId) -> Result<(), NoPlan> {
        match self.builder.variant.var(var).shape {
            VarShape::Single => self.single(var)?,
            VarShape::Set => self.set(var)?,
            VarShape::Family => self.family(var)?,
        }
        self.bound |= 1 << var.0;
        self.settle(Some(var))
    }

    fn single(&mut self, var: VarId) -> Result<(), NoPlan> {
        let found = self.narrowings(var);
        let domain = self.domain(var, &found)?;
        found.iter().filter(|(_, narrowed)| narrowed.implies_condition).for_each(|(i, _)| self.done[*i] = true);
        let domain = self.without_others(var, domain, &[]);
        self.note(var, &found);
        self.is_element(var, &found);
        let done = self.builder.fail;
        self.builder.fail = self.builder.each_of(var, domain, done);
        self.order_tests(var, &[]);
        Ok(())
    }

    /// `S = {a, b}` is said once S is known to have two members, and a and b are chosen from it, which differ.
    fn is_element(&mut self, var: VarId, found: &[(usize, EstimatedNarrowing)]) {
        for (at, _) in found.iter().filter(|(_, narrowed)| matches!(narrowed.narrowing, Narrowing::ElementOf(_))) {
            self.elements.push((var, *at));
            let condition = &self.constraints.list[*at].condition;
            let Condition::Exactly(_, members) = condition else { continue };
            let chosen = |name: &VarId| self.elements.contains(&(*name, *at));
            let apart = |a: VarId, b: VarId| a == b || differ(self.builder.variant, a, b);
            self.done[*at] |=
                members.iter().all(chosen) && members.iter().all(|&a| members.iter().all(|&b| apart(a, b)));
        }
    }

    /// Tests that a name is smaller than those it must be smaller than, but for `others`.
    pub fn order_tests(&mut self, var: VarId, others: &[VarId]) {
        for (a, b) in self.order_pairs.clone() {
            // `After` has said it where the larger name came second.
            if a == var && self.is_bound(b) && !others.contains(&b) {
                self.less(a, b);
            }
        }
    }

    pub fn less(&mut self, a: VarId, b: VarId) {
        if let (Ok(a), Ok(b)) = (self.builder.value_of(a), self.builder.value_of(b)) {
            let fail = self.builder.fail;
            self.builder.check(Test::Less { a, b }, fail);
        }
    }

    pub fn note(&mut self, var: VarId, found: &[(usize, EstimatedNarrowing)]) {
        let name = self.builder.variant.var(var).name.clone();
        let smaller: Vec<&str> = self
            .order_pairs
            .iter()
            .filter(|(_, b)| *b == var)
            .map(|(a, _)| self.builder.variant.var(*a).name.as_str())
            .collect();
        let mut note = format!("{name}: narrowed by {} condition(s)", found.len());
        if !smaller.is_empty() {
            note.push_str(&format!("; after {}, with which it could change places", smaller.join(", ")));
        }
        self.builder.note(note);
    }

    /// Runs `body`; what it computes is forgotten afterwards, since its code may run more than once or never.
    pub fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let memo = self.builder.memory();
        let out = body(self);
        self.builder.recall(memo);
        out
    }

    /// Writes the conclusions and the report.
    pub fn conclude(&mut self) -> Result<(), NoPlan> {
        self.builder.emit(Instr::Begin);
        for &guardian in &self.builder.variant.guardians {
            let of = self.builder.candidates(&guardian.into())?;
            self.builder.emit(Instr::Conclude(Conclusion::Guard { of }));
        }
        for conclusion in &self.builder.variant.conclusions {
            match &conclusion.for_each {
                None => self.claim(&conclusion.claim)?,
                Some((index, of)) => {
                    let memo = self.builder.memory();
                    let done = self.builder.label();
                    let again = self.builder.each(*index, of, done)?;
                    let outer = std::mem::replace(&mut self.builder.fail, again);
                    self.claim(&conclusion.claim)?;
                    self.builder.fail = outer;
                    self.builder.emit(Instr::Jump { label: again });
                    self.builder.set_label(done);
                    self.builder.slots[index.0] = None;
                    self.builder.recall(memo);
                }
            }
        }
        let fail = self.builder.fail;
        self.builder.emit(Instr::Emit { fail });
        Ok(())
    }

    fn claim(&mut self, claim: &Claim) -> Result<(), NoPlan> {
        let instr = match claim {
            Claim::SomeTrue(noun) => Instr::Conclude(Conclusion::Some { of: self.builder.candidates(noun)? }),
            Claim::Eliminate(noun) => Instr::Conclude(Conclusion::Eliminate { of: self.builder.candidates(noun)? }),
            Claim::Place(noun) => Instr::Conclude(Conclusion::Place { of: self.builder.candidates(noun)? }),
            &Claim::Links { loop_name, outside_cells } => {
                let graph = self.graph_of.iter().find(|(known, _)| *known == loop_name).map(|(_, graph)| *graph);
                let graph = graph.ok_or(NoPlan::LinksOfNoLoop)?;
                Instr::Conclude(Conclusion::Links { graph, outside: outside_cells })
            }
        };
        self.builder.emit(instr);
        Ok(())
    }
}
