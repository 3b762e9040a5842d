//! Facts that lemmas provide: about chains by their ends, about the candidate sets that chains, loops, clusters, rings and
//! assumptions bind, and about numbers of cells and digits. In: names and such statements. Out: free sets, literals, and
//! [`Budget`]s.
//!
//! **Chains.** Link by link it follows that one end is true: the ends of a strong link are not both false (each source is
//! proved to be one), the ends of a weak link are not both true (by the definition of exclusion). Length, `shortest` and
//! restrictions of weak links only exclude chains, so leaving them out is safe. A chain back to its first node says twice
//! that this node is true.
//!
//! **Candidate sets.** A free set may have any candidates. In the open world one member has a modelled cell: a true one if
//! there is any. So whether some member is true is known there, and other members need no cells.
//!
//! **Numbers.** Say `#I + #R + k = #digits(I) + #digits(R)`. In the solution every cell holds one digit, so the cells are the
//! sum over all digits of how often each is in I and R. If no digit is there more often than it is counted on the other
//! side, then at most k digits fall short, each by no more than k. Clauses alone find this argument badly. The prover asks
//! the first and then demands the second.

use super::links::LinkRules;
use super::names::Bound;
use super::sets::groups;
use super::values::{Candidates, Lits, Truth};
use super::world::Domain;
use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{
    CaseResult, Cases, Chain, ChainEnd, Cluster, Comparison, Condition, Expr, Kind, LinkSource, Literal, Loop, Ring,
    Statement, Suppose, TrailNode, VarId, VarShape, Variant,
};
use crate::proof::circuit::{Circuit, pairs};
use crate::proof::solver::Lit;

/// A node: candidates of one digit.
#[derive(Clone, Debug)]
struct EndLits {
    candidates: Candidates,
    /// Literal: one of the candidates is the solution of its cell.
    is_true: Lit,
}

impl Encoder<'_> {
    /// Facts about the ends of a chain.
    pub fn chain_facts(&mut self, chain: &Chain, links: LinkRules<'_, '_>) -> Result<Vec<Lit>, Refusal> {
        let (from, to) = (self.end(chain.from)?, self.end(chain.to)?);
        let mut out = Vec::new();
        if chain.from == chain.to {
            self.lemmas.insert(Lemma::ChainBack);
        } else {
            self.lemmas.insert(Lemma::Chain);
            if self.is_candidate(chain.from) && self.is_candidate(chain.to) {
                // The ends have no modelled member in common.
                out.push(!self.circuit.some_both(pairs(&from.candidates.bits, &to.candidates.bits)));
            }
        }
        for end in [&from, &to] {
            // An end has at least one candidate. All are of one digit, which is among those that the chain may use.
            let has = self.digits_in(&end.candidates);
            out.push(self.circuit.or(has.iter().copied()));
            out.push(!self.circuit.at_least(&has, 2));
            out.push(self.among(&has, links.on)?);
        }
        out.push(self.circuit.or2(from.is_true, to.is_true));
        if let Some(exchanged) = self.mirror(chain, links)? {
            self.lemmas.insert(Lemma::Mirror);
            let [from, to] = [&from, &to].map(|end| self.swapped(&end.candidates, exchanged));
            for end in [&from, &to] {
                out.push(self.circuit.or(end.bits.iter().copied()));
            }
            let ends = [self.true_here(&from), self.true_here(&to)];
            out.push(self.circuit.or(ends));
        }
        Ok(out)
    }

    fn is_candidate(&self, end: ChainEnd) -> bool {
        let (ChainEnd::At(TrailNode { cell: name, .. }) | ChainEnd::Candidate(name)) = end;
        self.scope.variant.var(name).shape == VarShape::Single
    }

    /// Literal that is true iff one of a node's candidates is. In the open world the node must be modelled.
    pub fn node_truth(&mut self, node: TrailNode) -> Result<Lit, Refusal> {
        self.end(ChainEnd::At(node)).map(|end| end.is_true)
    }

    /// The candidates at an end of a chain.
    fn end(&mut self, end: ChainEnd) -> Result<EndLits, Refusal> {
        let candidates = self.candidates(&match end {
            ChainEnd::At(node) => noun(node.digit, node.cell),
            ChainEnd::Candidate(var) => Expr::Var(var),
        })?;
        let here = self.true_here(&candidates);
        let exact = match end {
            ChainEnd::At(node) => {
                let cells = self.cell_set(&Expr::Var(node.cell))?;
                let digit = self.digit_set(&Expr::Var(node.digit))?;
                (0..digit.len()).all(|at| digit[at] == Lit::FALSE || cells.knows(at))
            }
            ChainEnd::Candidate(_) => true,
        };
        // A true member outside the world is none of the modelled candidates.
        let outside = self.circuit.or(candidates.rest.iter().copied());
        let may = if exact { here } else { self.circuit.or2(here, outside) };
        let is_true = self.circuit.between(here, may);
        Ok(EndLits { candidates, is_true })
    }

    /// Literal that is true iff all of these digits are among `on`.
    fn among(&mut self, digits: &[Lit], on: Option<&Expr>) -> Result<Lit, Refusal> {
        let Some(on) = on else { return Ok(Lit::TRUE) };
        let on = self.digit_set(on)?;
        Ok(self.circuit.every_implies(pairs(digits, &on)))
    }

    /// The two digits that can be exchanged in a chain, if there are such.
    ///
    /// Two digits can change places if all strong links lie inside single cells and the chain has no other digits. Then each node's cell has
    /// both digits, every strong link reversed is the same link, and every weak link stays one, so the exchanged chain is a
    /// chain as well.
    fn mirror(&mut self, chain: &Chain, links: LinkRules<'_, '_>) -> Result<Option<[usize; 2]>, Refusal> {
        let Some(Expr::Union(names)) = links.on else { return Ok(None) };
        let in_cells = !links.sources.is_empty() && links.sources.iter().all(|source| is_in_a_cell(source));
        let ends = self.is_candidate(chain.from) && self.is_candidate(chain.to);
        if !ends || !in_cells || names.len() != 2 || !names.iter().all(|name| self.is_digit(name)) {
            return Ok(None);
        }
        let mut exchanged = Vec::new();
        for name in names {
            exchanged.extend(self.digit_set(name)?.iter().position(|&bit| bit == Lit::TRUE));
        }
        Ok(exchanged.try_into().ok())
    }

    /// Returns true for the name of one digit.
    fn is_digit(&self, expr: &Expr) -> bool {
        let Expr::Var(name) = expr else { return false };
        let var = self.scope.variant.var(*name);
        (var.kind, var.shape) == (Kind::Digit, VarShape::Single)
    }

    /// The set with two digits exchanged.
    fn swapped(&mut self, of: &Candidates, [x, y]: [usize; 2]) -> Candidates {
        let digits = self.digits();
        let mut bits = of.bits.clone();
        bits.chunks_mut(digits).for_each(|cell| cell.swap(x, y));
        let present = bits.into_iter().zip(self.world.candidates());
        Candidates::closed(self.circuit.each_both(present), digits)
    }

    /// The candidates of a name that a chain, loop, cluster, ring or assumption binds.
    pub(super) fn bound_candidates(&self, id: VarId) -> Result<Candidates, Refusal> {
        match &self.scope.bound[id.0] {
            Some(Bound::Candidates(all)) => Ok(all.clone()),
            _ => Err(Refusal::NoCandidateSet(self.scope.variant.var(id).name.clone())),
        }
    }

    /// Gives a set of candidates a value: a literal's two sets together, every other set on its own.
    pub(super) fn candidates_name(&mut self, id: VarId, domain: &Domain) -> Result<(), Refusal> {
        match literal_of(self.scope.variant, id) {
            Some(literal) if self.scope.bound[literal.holds.0].is_none() => self.literal_name(literal, domain),
            Some(_) => Ok(()),
            None => {
                let all = self.free_candidates();
                self.scope.bound[id.0] = Some(Bound::Candidates(all));
                Ok(())
            }
        }
    }

    /// A set of candidates that is not empty and otherwise unconstrained.
    fn free_candidates(&mut self) -> Candidates {
        let digits = self.digits();
        let all: Vec<Lit> = self.world.candidates().collect();
        let bits: Vec<Lit> = all.into_iter().map(|candidate| self.part_of(&[candidate])).collect();
        let mut rest = vec![Lit::FALSE; digits];
        if self.world.open {
            rest = (0..digits).map(|digit| self.part_of(&[self.world.digits[digit]])).collect();
        }
        self.circuit.clause(&bits);
        let free = Candidates::new(bits, rest);
        let some = self.true_here(&free);
        // Unmodelled members may be false even if all others are true.
        let here = self.circuit.every_implies(free.bits.iter().copied().zip(self.world.solutions()));
        let all = if self.world.open { self.part_of(&[here]) } else { here };
        self.circuit.imply(all, some);
        self.settled(Candidates { truth: Truth { all, none: !some, some }, ..free })
    }

    /// A candidate, in the one set or in the other.
    fn literal_name(&mut self, literal: Literal, domain: &Domain) -> Result<(), Refusal> {
        let Bound::Candidate { digit, cell } = self.candidate_name(domain)? else {
            return Err(Refusal::Construct("a literal that is not a candidate"));
        };
        let says = self.circuit.fresh();
        for (id, says) in [(literal.holds, says), (literal.fails, !says)] {
            let pairs = cell.iter().flat_map(|&c| digit.iter().map(move |&d| (c, d)));
            let bits = pairs.map(|(c, d)| self.circuit.and([c, d, says])).collect();
            let one = Candidates::closed(bits, digit.len());
            let is_true = self.true_here(&one);
            let truth = Truth { all: is_true, none: Lit::FALSE, some: is_true };
            self.scope.bound[id.0] = Some(Bound::Candidates(Candidates { truth, ..one }));
        }
        Ok(())
    }

    /// As many true ends as strong links at least, and as weak links at most: of each link just one end is true.
    pub fn loop_facts(&mut self, on: Option<&Expr>, round: &Loop) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Loop);
        let nodes = self.bound_candidates(round.name)?;
        let digits = self.digits_in(&nodes);
        let mut out = vec![nodes.truth.some, self.among(&digits, on)?];
        if let Some(colours) = round.colours {
            out.extend(self.one_of_two(colours, on)?);
        }
        Ok(out)
    }

    /// Exactly one end of each link is true, so colours alternate along links: one is true, the other is false.
    pub fn cluster_facts(&mut self, on: Option<&Expr>, cluster: &Cluster) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Cluster);
        self.one_of_two(cluster.colours, on)
    }

    /// All candidates of one colour are true, and none of the other.
    fn one_of_two(&mut self, colours: [VarId; 2], on: Option<&Expr>) -> Result<Vec<Lit>, Refusal> {
        let mut out = Vec::new();
        let (a, b) = (self.bound_candidates(colours[0])?, self.bound_candidates(colours[1])?);
        for all in [&a, &b] {
            let digits = self.digits_in(all);
            out.push(self.among(&digits, on)?);
        }
        out.push(self.circuit.some_both([(a.truth.all, b.truth.none), (b.truth.all, a.truth.none)]));
        Ok(out)
    }

    /// Without guardians true and false would alternate around the ring, which an odd number cannot.
    pub fn ring_facts(&mut self, on: Option<&Expr>, ring: &Ring) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Ring);
        let (nodes, guardians) = (self.bound_candidates(ring.name)?, self.bound_candidates(ring.guardians)?);
        let digits = self.digits_in(&nodes);
        Ok(vec![guardians.truth.some, self.among(&digits, on)?])
    }
}

/// The literal that a name is a part of.
fn literal_of(variant: &Variant, id: VarId) -> Option<Literal> {
    variant.body.iter().find_map(|statement| {
        let Statement::Suppose(suppose) = statement else { return None };
        let supposed = if let Cases::Literal(literal) = suppose.cases { Some(literal) } else { None };
        let mut literals = supposed.into_iter().chain(suppose.shows.literal());
        literals.find(|literal| literal.holds == id || literal.fails == id)
    })
}

/// The candidates of a node, as an expression.
pub(crate) fn noun(digit: VarId, cell: VarId) -> Expr {
    Expr::In(Box::new(Expr::Var(digit)), Box::new(Expr::Var(cell)))
}

impl Encoder<'_> {
    /// Facts that an assumption proves.
    pub fn suppose_facts(&mut self, suppose: &Suppose) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Suppose);
        let cases = self.cases(&suppose.cases)?;
        match suppose.shows {
            CaseResult::Contradiction => Ok(cases.into_iter().map(|case| !case).collect()),
            CaseResult::AllImply(literal) | CaseResult::AllImplyWithout(literal) => {
                let shown = self.literal_holds(literal)?;
                let one = self.circuit.or(cases);
                let mut out = vec![self.circuit.or2(!one, shown)];
                if let Cases::Each(all) = &suppose.cases {
                    // Without cases there is nothing that all cases agree on.
                    out.push(self.condition(&Condition::Some(all.clone()))?);
                }
                Ok(out)
            }
        }
    }

    /// For each case, a literal: it holds. For the candidates of a set: one of the modelled ones is true.
    pub fn cases(&mut self, cases: &Cases) -> Result<Vec<Lit>, Refusal> {
        Ok(match cases {
            Cases::Candidate(var) => vec![self.is_true(&Expr::Var(*var))?],
            Cases::Not(var) => vec![!self.is_true(&Expr::Var(*var))?],
            Cases::Literal(literal) => vec![self.literal_holds(*literal)?],
            Cases::Either(var) => {
                let is_true = self.is_true(&Expr::Var(*var))?;
                vec![is_true, !is_true]
            }
            Cases::Each(all) => vec![self.is_true(all)?],
        })
    }

    fn is_true(&mut self, of: &Expr) -> Result<Lit, Refusal> {
        let of = self.candidates(of)?;
        Ok(self.true_here(&of))
    }

    /// Literal that is true iff a literal of the rule is.
    fn literal_holds(&mut self, literal: Literal) -> Result<Lit, Refusal> {
        let (holds, fails) = (self.bound_candidates(literal.holds)?, self.bound_candidates(literal.fails)?);
        let says = self.circuit.or(holds.bits.iter().copied());
        let right = self.true_here(&holds);
        let wrong = self.true_here(&fails);
        let denies = self.circuit.and2(!says, !wrong);
        Ok(self.circuit.or2(right, denies))
    }
}

/// Returns true if a source links two digits of one cell.
fn is_in_a_cell(source: &LinkSource) -> bool {
    source.left.cell == source.right.cell
        && source.left.digit != source.right.digit
        && source.pattern.var(source.left.cell).shape == VarShape::Single
}

/// One equation.
#[derive(Clone, Debug)]
pub(crate) struct Budget {
    /// Excess of digits over cells.
    spare: usize,
    /// For each digit with modelled places, a literal: the cells have the digit more often than counted.
    pub over: Vec<Lit>,
    /// And whether less often.
    short: Vec<Lit>,
}

impl Budget {
    /// Demands what follows once no digit can be over.
    pub fn demand(&self, circuit: &mut Circuit) {
        let all: Vec<usize> = (0..self.short.len()).collect();
        for group in groups(&all, self.spare + 1) {
            circuit.clause(&group.iter().map(|&digit| !self.short[digit]).collect::<Vec<Lit>>());
        }
    }
}

/// The sets on both sides of an equation, all on one side.
#[derive(Default)]
struct Sides {
    /// Counted sets and whether they are subtracted.
    sets: Vec<(Expr, bool)>,
    plus: i64,
}

impl Encoder<'_> {
    /// The budgets of a pattern in the world of names alone.
    pub fn budgets(&mut self) -> Result<Vec<Budget>, Refusal> {
        let mut out = Vec::new();
        // Facts about the generic digit hold for each digit without a name; without it nothing is known about those.
        if self.unnamed.generic.is_none() {
            return Ok(out);
        }
        for statement in &self.scope.variant.body {
            if let Statement::Require(Condition::Compare(a, Comparison::Equal, b)) = statement {
                out.extend(self.budget(a, b)?);
            }
        }
        Ok(out)
    }

    fn budget(&mut self, a: &Expr, b: &Expr) -> Result<Option<Budget>, Refusal> {
        let mut sides = Sides::default();
        if !self.flatten(a, false, &mut sides) || !self.flatten(b, true, &mut sides) {
            return Ok(None);
        }
        let (mut cells, mut digits) = (Vec::new(), Vec::new());
        for (set, minus) in &sides.sets {
            match self.value(set)? {
                Lits::Cells(set) => cells.push((set, *minus)),
                Lits::Digits(set) => digits.push((set, *minus)),
                _ => return Ok(None),
            }
        }
        // Digits on the one side, cells on the other.
        let Some(&(_, minus)) = digits.first() else { return Ok(None) };
        let right = digits.iter().all(|one| one.1 == minus) && cells.iter().all(|one| one.1 != minus);
        let Ok(spare) = usize::try_from(if minus { sides.plus } else { -sides.plus }) else { return Ok(None) };
        if !right
            || cells.is_empty()
            || spare > 2
            || cells.iter().any(|(set, _)| set.rest != Lit::FALSE && set.inside.is_empty())
        {
            return Ok(None);
        }
        let known: Vec<usize> =
            (0..self.digits()).filter(|&digit| cells.iter().all(|(set, _)| set.knows(digit))).collect();
        // The argument needs all digits: the named ones, and the generic one that stands for each of the others.
        if self.unnamed.generic.is_none_or(|generic| (0..=generic).any(|digit| !known.contains(&digit))) {
            return Ok(None);
        }
        let (mut over, mut short) = (Vec::new(), Vec::new());
        for digit in known {
            let mut there = Vec::new();
            for (set, _) in &cells {
                let solutions = self.world.solutions_of(digit);
                there.extend(self.circuit.each_both(set.bits.iter().copied().zip(solutions)));
            }
            there.retain(|&lit| lit != Lit::FALSE);
            let counted: Vec<Lit> = digits.iter().map(|(set, _)| set[digit]).collect();
            let most = counted.len() + 1;
            let (there, counted) = (self.circuit.counts(&there, most), self.circuit.counts(&counted, most));
            over.push(is_more(&mut self.circuit, &there, &counted));
            short.push(is_more(&mut self.circuit, &counted, &there));
        }
        Ok(Some(Budget { spare, over, short }))
    }

    /// Collects the counted sets and constants of a sum; returns false if it has other parts.
    fn flatten(&self, expr: &Expr, minus: bool, out: &mut Sides) -> bool {
        let sign = if minus { -1 } else { 1 };
        match expr {
            Expr::Number(value) => out.plus += sign * i64::from(*value),
            Expr::Param(index) => match self.scope.args.get(*index) {
                Some(&value) => out.plus += sign * i64::from(value),
                None => return false,
            },
            Expr::Count(set) => out.sets.push((set.as_ref().clone(), minus)),
            Expr::Add(a, b) => return self.flatten(a, minus, out) && self.flatten(b, minus, out),
            Expr::Subtract(a, b) => return self.flatten(a, minus, out) && self.flatten(b, !minus, out),
            _ => return false,
        }
        true
    }
}

/// Literal that is true iff the first of two numbers is larger. Each is given as literals: "at least 0", "at least 1" …
fn is_more(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    circuit.some_both(pairs(&a[1..], &b[1..]).map(|(a, b)| (a, !b)))
}
