//! A rule's body to a program. In: constraints and an order. Out: nested loops, each over a domain narrowed by
//! everything that is known, tests as soon as their names have values, and the conclusion innermost.

use super::build::{Builder, Refusal, Slot};
use super::constraints::{Constraints, differ};
use super::instr::{Instr, Set, SetOp};
use super::narrow::{Narrowed, Narrowing, narrowing};
use super::order::{Item, names_of};
use super::sets;
use super::targets::TargetPlan;
use crate::lang::ir::{Claim, Comparison, Condition, Expr, HouseClass, Incidence, Kind, LinkSource, VarId, VarShape};

/// Compiles the loops of one rule.
pub(super) struct Compiler<'a> {
    pub builder: Builder<'a>,
    pub constraints: &'a Constraints,
    pub order_pairs: Vec<(VarId, VarId)>,
    pub bound: u64,
    /// For each constraint whether it is tested or said by a narrowing.
    pub done: Vec<bool>,
    /// For each name how many of its conditions were used for an early look at its domain.
    peeked: Vec<usize>,
    pub targets: TargetPlan,
    /// The names that stand for almost locked sets, each with its choice.
    pub locked: Vec<(VarId, usize)>,
    pub sources: &'a [LinkSource],
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
            peeked: vec![0; builder.variant.vars.len()],
            targets: TargetPlan::of(builder.variant),
            locked: Vec::new(),
            sources,
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
    pub fn body(&mut self, order: &[Item]) -> Result<(), Refusal> {
        self.settle(None)?;
        for item in order {
            match item {
                Item::Name(var) => self.bind(*var)?,
                Item::Graph(index) => self.graph(&self.constraints.graphs[*index])?,
                Item::Suppose(index) => self.suppose(&self.constraints.supposes[*index])?,
            }
        }
        Ok(())
    }

    fn bind(&mut self, var: VarId) -> Result<(), Refusal> {
        match self.builder.variant.var(var).shape {
            VarShape::Single => self.single(var)?,
            VarShape::Set => sets::bind(self, var)?,
            VarShape::Family => self.family(var)?,
        }
        self.bound |= 1 << var.0;
        self.settle(Some(var))
    }

    /// After a name got its value: definitions, tests, targets and early looks that are possible now.
    pub fn settle(&mut self, new: Option<VarId>) -> Result<(), Refusal> {
        self.tests()?;
        // One definition may give another, written before it, its value.
        let mut before = None;
        while before.replace(self.bound) != Some(self.bound) {
            self.definitions()?;
        }
        let bound = self.bound;
        let trusting = self.one_digit.is_some();
        self.targets.advance(&mut self.builder, trusting, &|var| bound >> var.0 & 1 == 1)?;
        if new.is_some() { self.peek() } else { Ok(()) }
    }

    /// Every definition that is possible now.
    fn definitions(&mut self) -> Result<(), Refusal> {
        for (var, value) in &self.constraints.lets {
            if !self.is_bound(*var) && self.all_bound(&names_of(value)) {
                let operand = self.builder.expr(value)?;
                self.builder.slots[var.0] = Some(Slot::Many(operand));
                self.bound |= 1 << var.0;
                // What is tested may make a definition needless, so each comes after the tests before it.
                self.tests()?;
            }
        }
        Ok(())
    }

    /// Every test whose names have values and that was not made yet.
    fn tests(&mut self) -> Result<(), Refusal> {
        let ready = |&index: &usize| !self.done[index] && self.all_bound(&self.constraints.list[index].names);
        let mut ready: Vec<usize> = (0..self.constraints.list.len()).filter(ready).collect();
        ready.sort_by_key(|&index| weight(&self.constraints.list[index].condition));
        for index in ready {
            self.done[index] = true;
            let fail = self.builder.fail;
            self.builder.test(&self.constraints.list[index].condition, fail)?;
        }
        Ok(())
    }

    /// Fails early where a cell that is still to be chosen has no place left.
    fn peek(&mut self) -> Result<(), Refusal> {
        for index in 0..self.builder.variant.vars.len() {
            let var = VarId(index);
            let declared = self.builder.variant.var(var);
            if self.is_bound(var) {
                continue;
            }
            if declared.shape == VarShape::Set {
                self.peek_at_set(var)?;
                continue;
            }
            if declared.shape != VarShape::Single || declared.kind != Kind::Cell {
                continue;
            }
            let found = self.narrowings(var);
            if found.len() > self.peeked[index] && found.len() > 1 {
                self.peeked[index] = found.len();
                let domain = self.domain(var, &found)?;
                let fail = self.builder.fail;
                self.builder.emit(Instr::NonEmpty { set: domain, want: true, fail });
            }
        }
        Ok(())
    }

    /// Fails early where a set that is still to be chosen has fewer to choose from than it needs.
    fn peek_at_set(&mut self, var: VarId) -> Result<(), Refusal> {
        let Some(set) = self.constraints.sets.iter().find(|set| set.var == var) else { return Ok(()) };
        let low = set.size.as_ref().and_then(|(low, _)| self.builder.constant(low));
        let plain = super::locked::sort(&self.constraints.list, var).is_none();
        let Some(low) = low.filter(|&low| low > 0 && plain) else { return Ok(()) };
        let found = self.narrowings(var);
        if found.len() > self.peeked[var.0] && found.iter().all(|(_, one)| !matches!(one.how, Narrowing::Filter(..))) {
            self.peeked[var.0] = found.len();
            let domain = self.domain(var, &found)?;
            let fail = self.builder.fail;
            if low == 1 {
                self.builder.emit(Instr::NonEmpty { set: domain, want: true, fail });
            } else {
                let count = self.builder.compute_number(|to| Instr::Count { to, of: domain });
                let least = self.builder.compute_number(|to| Instr::Const { to, value: low as i32 });
                self.builder.emit(Instr::Compare { a: count, op: Comparison::GreaterEqual, b: least, fail });
            }
        }
        Ok(())
    }

    /// The constraints that narrow a name now.
    pub fn narrowings(&self, var: VarId) -> Vec<(usize, Narrowed)> {
        let bound = |name: VarId| self.is_bound(name);
        let all = self.constraints.list.iter().enumerate();
        all.filter_map(|(i, one)| Some((i, narrowing(&self.builder, &bound, one, var)?))).collect()
    }

    /// The values a name can take, as narrow as what is known makes them.
    pub fn domain(&mut self, var: VarId, found: &[(usize, Narrowed)]) -> Result<Set, Refusal> {
        let mut order: Vec<&Narrowed> = found.iter().map(|(_, narrowed)| narrowed).collect();
        order.sort_by(|a, b| a.share.total_cmp(&b.share));
        self.intersect(var, &order)
    }

    pub fn intersect(&mut self, var: VarId, narrowed: &[&Narrowed]) -> Result<Set, Refusal> {
        let kind = self.builder.variant.var(var).kind;
        let mut domain: Option<Set> = None;
        // A first narrowing that may hold solved cells, or a difference, needs the whole kind to start from.
        for one in narrowed.iter().filter(|one| !matches!(one.how, Narrowing::Filter(..))) {
            let (op, set) = self.builder.narrowed(&one.how)?;
            domain = Some(match domain {
                None if op == SetOp::And && (kind != Kind::Cell || only_live(&one.how)) => set,
                None => {
                    let all = self.everything(kind)?;
                    self.builder.op(op, all, set)
                }
                Some(so_far) => self.builder.op(op, so_far, set),
            });
        }
        let mut domain = match domain {
            Some(domain) => domain,
            None => self.everything(kind)?,
        };
        if let Kind::House(class) = kind
            && class != HouseClass::Any
            && !narrowed.is_empty()
        {
            let all = self.builder.set(&Expr::AllHouses(class))?;
            domain = self.builder.op(SetOp::And, domain, all);
        }
        self.filters(var, domain, narrowed)
    }

    /// Narrows a domain by what must be looked at member by member, and by what no sound rule can do.
    fn filters(&mut self, var: VarId, mut domain: Set, narrowed: &[&Narrowed]) -> Result<Set, Refusal> {
        if let Some((_, placed)) = self.one_digit.filter(|(digit, _)| *digit == var) {
            let hopeful = self.builder.compute_digits(|to| Instr::Hopeful { to, placed });
            domain = self.builder.op(SetOp::And, domain, Set::D(hopeful));
        }
        for one in narrowed {
            if let Narrowing::Filter(member, part) = &one.how {
                domain = self.builder.filtered(*member, domain, part)?;
            }
        }
        Ok(domain)
    }

    fn everything(&mut self, kind: Kind) -> Result<Set, Refusal> {
        match kind {
            Kind::Cell => self.builder.set(&Expr::AllCells),
            Kind::Digit => self.builder.set(&Expr::AllDigits),
            Kind::House(class) => self.builder.set(&Expr::AllHouses(class)),
            Kind::Candidate => {
                let all = Expr::In(Box::new(Expr::AllDigits), Box::new(Expr::AllCells));
                let all = self.builder.expr(&all)?;
                self.builder.set_of(all)
            }
            Kind::Number => Err("a number cannot be chosen".into()),
        }
    }

    /// Takes the values of names that must be different out of a domain.
    fn without_others(&mut self, var: VarId, mut domain: Set) -> Set {
        for index in 0..self.builder.variant.vars.len() {
            let other = VarId(index);
            if !self.is_bound(other) || !differ(self.builder.variant, var, other) || self.seen_apart(var, other) {
                continue;
            }
            if let Some(Slot::One { value, set }) = self.builder.slots[index].clone() {
                domain = if self.order_pairs.contains(&(other, var)) {
                    let to = self.builder.set_like(domain);
                    self.builder.emit(Instr::After { to, of: domain, value });
                    to
                } else {
                    self.builder.op(SetOp::Minus, domain, set)
                };
            }
        }
        domain
    }

    /// Whether a condition already keeps two names apart, so that no difference need be taken.
    fn seen_apart(&self, a: VarId, b: VarId) -> bool {
        let pair = |x: &Expr, y: &Expr| {
            (*x == Expr::Var(a) && *y == Expr::Var(b)) || (*x == Expr::Var(b) && *y == Expr::Var(a))
        };
        let ordered = self.order_pairs.contains(&(a, b)) || self.order_pairs.contains(&(b, a));
        !ordered
            && self.constraints.list.iter().any(|one| match &one.condition {
                Condition::Sees(x, y) => pair(&x.of, &y.of),
                Condition::Conjugate(_, x, y) => pair(x, y),
                Condition::Lie(x, Incidence::Crossing | Incidence::Missing, y) => pair(x, y),
                _ => false,
            })
    }

    fn single(&mut self, var: VarId) -> Result<(), Refusal> {
        let found = self.narrowings(var);
        let domain = self.domain(var, &found)?;
        found.iter().filter(|(_, narrowed)| narrowed.complete).for_each(|(i, _)| self.done[*i] = true);
        let domain = self.without_others(var, domain);
        self.note(var, &found);
        let done = self.builder.fail;
        self.builder.fail = self.builder.each_of(var, domain, done);
        self.order_tests(var);
        Ok(())
    }

    fn order_tests(&mut self, var: VarId) {
        for (a, b) in self.order_pairs.clone() {
            // `After` has said it where the larger name came second.
            if a == var && self.is_bound(b) {
                self.less(a, b);
            }
        }
    }

    pub fn less(&mut self, a: VarId, b: VarId) {
        if let (Ok(a), Ok(b)) = (self.builder.value_of(a), self.builder.value_of(b)) {
            let fail = self.builder.fail;
            self.builder.emit(Instr::Less { a, b, fail });
        }
    }

    fn note(&mut self, var: VarId, found: &[(usize, Narrowed)]) {
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
    pub fn conclude(&mut self) -> Result<(), Refusal> {
        self.builder.emit(Instr::Begin);
        for &guardian in &self.builder.variant.guardians {
            let of = self.builder.candidates(&Expr::Var(guardian))?;
            self.builder.emit(Instr::Guard { of });
        }
        for conclusion in &self.builder.variant.conclusions {
            match &conclusion.per {
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

    fn claim(&mut self, claim: &Claim) -> Result<(), Refusal> {
        let instr = match claim {
            Claim::Some(noun) => Instr::ConcludeSome { of: self.builder.candidates(noun)? },
            Claim::Eliminate(noun) => Instr::Eliminate { of: self.builder.candidates(noun)? },
            Claim::Place(noun) => Instr::Place { of: self.builder.candidates(noun)? },
            &Claim::Links { of, outside } => {
                let graph = self.graph_of.iter().find(|(known, _)| *known == of).map(|(_, graph)| *graph);
                let graph = graph.ok_or("`conclude every link of` takes the name of a loop")?;
                Instr::ConcludeLinks { graph, outside }
            }
        };
        self.builder.emit(instr);
        Ok(())
    }
}

/// What takes longer to test comes later.
fn weight(condition: &Condition) -> u8 {
    match condition {
        Condition::ForAll(..) | Condition::Exists(..) | Condition::And(_) | Condition::Or(_) => 2,
        Condition::Closed(_) | Condition::ClosedBetween(..) | Condition::Connected(_) => 1,
        _ => 0,
    }
}

/// Narrowings whose set holds only what the name can be: unsolved cells, digits, houses.
fn only_live(how: &super::narrow::Narrowing) -> bool {
    use super::narrow::Narrowing as N;
    matches!(
        how,
        N::Candidates { .. }
            | N::CandidateCount(..)
            | N::Just(..)
            | N::Has(_)
            | N::Partner(..)
            | N::Partnered(_)
            | N::OptionOf(_, true)
            | N::SomewhereIn(_)
            | N::Lying(..)
            | N::Holding(_)
            | N::HousesWith(..)
            | N::InCandidates(_)
    )
}
