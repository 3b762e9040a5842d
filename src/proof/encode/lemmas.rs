//! Facts that lemmas provide: about chains by their ends, about the candidate sets that chains, loops, clusters, rings
//! and assumptions bind, and about numbers of cells and digits. In: names, and statements about links and assumptions.
//! Out: free sets, literals, and [`CountEquation`]s.
//!
//! **Chains.** The ends of a strong link are not both false, as is proved for each source. The ends of a weak link are
//! not both true, by the definition of exclusion. Going from link to link, at least one end of the chain is true.
//! Length, `shortest` and restrictions of weak links only exclude chains, so the encoding may omit these conditions. If
//! a chain ends at its first node, "one end is true" means that the first node is true.
//!
//! **Candidate sets.** A free set may have any candidates. In the open world, one member of the set has a modelled
//! cell. This member is chosen so that it is true if any member is true. The world can therefore express "some member
//! is true" without cells for the other members.
//!
//! **Numbers.** Assume `#I + #R + k = #digits(I) + #digits(R)`. In the solution every cell holds one digit. So if we
//! count, for each digit, its cells in I and in R, the counts add up to #I + #R. Premise: no digit occurs in these
//! cells more often than the right side counts the digit. Then at most k digits occur less often than counted. A SAT
//! solver is slow at such counting arguments. The prover therefore proves the premise digit by digit, and then adds the
//! consequence as clauses.

use super::links::LinkRules;
use super::names::NameLits;
use super::sets::subsets;
use super::values::{Candidates, KnownTruth, Lits};
use super::world::Domain;
use super::{Encoder, Lemma, Refusal};
use crate::lang::ir::{
    CaseResult, Cases, ChainEnd, Cluster, Comparison, Condition, Expr, Kind, LinkNode, LinkSource, Literal, Loop,
    OpenChain, Ring, Statement, Suppose, VarId, VarShape, Variant,
};
use crate::proof::circuit::{Circuit, members, pairs};
use crate::proof::solver::Lit;

/// An end of a chain: a node with candidates of one digit.
#[derive(Clone, Debug)]
struct EndLits {
    candidates: Candidates,
    /// Literal: one of the candidates is the solution of its cell.
    is_true: Lit,
}

impl Encoder<'_> {
    /// Returns the literals that the chain lemma states about the ends of a chain.
    pub fn chain_facts(&mut self, chain: &OpenChain, links: LinkRules<'_, '_>) -> Result<Vec<Lit>, Refusal> {
        let (from, to) = (self.end(chain.from)?, self.end(chain.to)?);
        let mut out = Vec::new();
        if chain.from == chain.to {
            self.lemmas.insert(Lemma::ChainBack);
        } else {
            self.lemmas.insert(Lemma::Chain);
            if self.is_one_candidate(chain.from) && self.is_one_candidate(chain.to) {
                // The ends have no modelled member in common.
                out.push(!self.circuit.any_pair_true(pairs(&from.candidates.bits, &to.candidates.bits)));
            }
        }
        for end in [&from, &to] {
            // An end has at least one candidate. All candidates of an end have the same digit, and the chain may use
            // that digit.
            let digits = self.digits_in(&end.candidates);
            out.push(self.circuit.or(digits.iter().copied()));
            out.push(!self.circuit.at_least(&digits, 2));
            out.push(self.are_allowed(&digits, links.digits)?);
        }
        out.push(self.circuit.or2(from.is_true, to.is_true));
        if let Some(digits) = self.mirror_digits(chain, links)? {
            self.lemmas.insert(Lemma::Mirror);
            let [from, to] = [&from, &to].map(|end| self.with_exchanged_digits(&end.candidates, digits));
            for end in [&from, &to] {
                out.push(self.circuit.or(end.bits.iter().copied()));
            }
            let ends_true = [self.modelled_true(&from), self.modelled_true(&to)];
            out.push(self.circuit.or(ends_true));
        }
        Ok(out)
    }

    fn is_one_candidate(&self, end: ChainEnd) -> bool {
        let (ChainEnd::At(LinkNode { cells: name, .. }) | ChainEnd::Candidate(name)) = end;
        self.scope.variant.var(name).shape == VarShape::Single
    }

    /// Returns the literal that is true iff a candidate of the node is true. In the open world the node must be
    /// modelled.
    pub fn node_truth(&mut self, node: LinkNode) -> Result<Lit, Refusal> {
        self.end(ChainEnd::At(node)).map(|end| end.is_true)
    }

    fn end(&mut self, end: ChainEnd) -> Result<EndLits, Refusal> {
        let candidates = self.candidates(&match end {
            ChainEnd::At(node) => node_expr(node.digit, node.cells),
            ChainEnd::Candidate(var) => Expr::Var(var),
        })?;
        let modelled_true = self.modelled_true(&candidates);
        let true_member_is_modelled = match end {
            ChainEnd::At(node) => {
                let cells = self.cell_set(&Expr::Var(node.cells))?;
                let digits = self.digit_set(&Expr::Var(node.digit))?;
                members(&digits).all(|(digit, _)| cells.models_place(digit))
            }
            ChainEnd::Candidate(_) => true,
        };
        let has_unmodelled = self.circuit.or(candidates.has_unmodelled.iter().copied());
        let necessary =
            if true_member_is_modelled { modelled_true } else { self.circuit.or2(modelled_true, has_unmodelled) };
        let is_true = self.circuit.between(modelled_true, necessary);
        Ok(EndLits { candidates, is_true })
    }

    /// Returns the literal that is true iff all of `digits` are in the set `allowed`. The literal is constantly true if
    /// `allowed` is `None`.
    fn are_allowed(&mut self, digits: &[Lit], allowed: Option<&Expr>) -> Result<Lit, Refusal> {
        let Some(allowed) = allowed else { return Ok(Lit::TRUE) };
        let allowed = self.digit_set(allowed)?;
        Ok(self.circuit.every_implies(pairs(digits, &allowed)))
    }

    /// Returns the two digits that can be exchanged in a chain, or `None` if the chain has no such digits.
    ///
    /// Two digits can be exchanged if all strong links lie inside single cells and the chain has only these two digits.
    /// Each node's cell then has both digits. The exchange reverses each strong link and turns each weak link into
    /// another weak link, so the result is a chain, too.
    fn mirror_digits(&mut self, chain: &OpenChain, links: LinkRules<'_, '_>) -> Result<Option<[usize; 2]>, Refusal> {
        let Some(Expr::Union(names)) = links.digits else { return Ok(None) };
        let in_cells = !links.sources.is_empty() && links.sources.iter().all(|source| is_in_a_cell(source));
        let has_single_ends = self.is_one_candidate(chain.from) && self.is_one_candidate(chain.to);
        if !has_single_ends || !in_cells || names.len() != 2 || !names.iter().all(|name| self.is_one_digit(name)) {
            return Ok(None);
        }
        let mut digits = Vec::new();
        for name in names {
            digits.extend(self.digit_set(name)?.iter().position(|&bit| bit == Lit::TRUE));
        }
        Ok(digits.try_into().ok())
    }

    fn is_one_digit(&self, expr: &Expr) -> bool {
        let Expr::Var(name) = expr else { return false };
        let var = self.scope.variant.var(*name);
        (var.kind, var.shape) == (Kind::Digit, VarShape::Single)
    }

    /// Exchanges two digits in a set of candidates, and drops exchanged candidates that are not present.
    fn with_exchanged_digits(&mut self, candidates: &Candidates, [x, y]: [usize; 2]) -> Candidates {
        let digits = self.digits();
        let mut bits = candidates.bits.clone();
        bits.chunks_mut(digits).for_each(|cell| cell.swap(x, y));
        let present = bits.into_iter().zip(self.world.candidates());
        Candidates::modelled(self.circuit.and_each(present), digits)
    }

    /// Returns the candidates of a name that a chain, loop, cluster, ring or assumption binds.
    pub(super) fn bound_candidates(&self, id: VarId) -> Result<Candidates, Refusal> {
        match &self.scope.values[id.0] {
            Some(NameLits::Candidates(candidates)) => Ok(candidates.clone()),
            _ => Err(Refusal::NoCandidateSet(self.scope.variant.var(id).name.clone())),
        }
    }

    /// Binds the name of a set of candidates. The two sets of a literal are bound together.
    pub(super) fn bind_candidates(&mut self, id: VarId, domain: &Domain) -> Result<(), Refusal> {
        match literal_with(self.scope.variant, id) {
            Some(literal) if self.scope.values[literal.holds.0].is_none() => self.bind_literal(literal, domain),
            Some(_) => Ok(()),
            None => {
                let candidates = self.free_candidates();
                self.scope.values[id.0] = Some(NameLits::Candidates(candidates));
                Ok(())
            }
        }
    }

    /// Makes a set of candidates that is not empty, without any other constraint.
    fn free_candidates(&mut self) -> Candidates {
        let present: Vec<Lit> = self.world.candidates().collect();
        let bits = self.free_subset(&present);
        let mut has_unmodelled = vec![Lit::FALSE; self.digits()];
        if self.world.is_open {
            has_unmodelled = self.free_subset(&self.world.digits.clone());
        }
        self.circuit.add_clause(&bits);
        let free = Candidates::new(bits, has_unmodelled);
        let some_true = self.modelled_true(&free);
        // Even if all modelled members are true, an unmodelled member may be false.
        let modelled_all_true = self.circuit.every_implies(free.bits.iter().copied().zip(self.world.solutions()));
        let all_true = if self.world.is_open { self.free_implying(&[modelled_all_true]) } else { modelled_all_true };
        self.circuit.imply(all_true, some_true);
        self.with_truth_clauses(Candidates { known: KnownTruth { all_true, none_true: !some_true, some_true }, ..free })
    }

    /// Binds the two sets of a literal: the candidate is in the set `holds` if the literal claims that the
    /// candidate is true, otherwise in the set `fails`.
    fn bind_literal(&mut self, literal: Literal, domain: &Domain) -> Result<(), Refusal> {
        let NameLits::Candidate { digit, cell } = self.candidate_name(domain)? else {
            return Err(Refusal::Construct("a literal that is not a candidate"));
        };
        let is_positive = self.circuit.fresh();
        for (id, in_set) in [(literal.holds, is_positive), (literal.fails, !is_positive)] {
            let mut bits = Vec::with_capacity(cell.len() * digit.len());
            for &cell in &cell {
                for &digit in &digit {
                    bits.push(self.circuit.and([cell, digit, in_set]));
                }
            }
            let set = Candidates::modelled(bits, digit.len());
            let is_true = self.modelled_true(&set);
            let known = KnownTruth { all_true: is_true, none_true: Lit::FALSE, some_true: is_true };
            self.scope.values[id.0] = Some(NameLits::Candidates(Candidates { known, ..set }));
        }
        Ok(())
    }

    /// Returns the literals that the loop lemma states. A loop has as many strong links as weak links, and every node
    /// is in one link of each kind. Each strong link has at least one true end, and each weak link at most one. So
    /// exactly one end of each link is true.
    pub fn loop_facts(&mut self, allowed: Option<&Expr>, link_loop: &Loop) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Loop);
        let nodes = self.bound_candidates(link_loop.name)?;
        let digits = self.digits_in(&nodes);
        let mut out = vec![nodes.known.some_true, self.are_allowed(&digits, allowed)?];
        if let Some(colours) = link_loop.colours {
            out.extend(self.one_colour_true(colours, allowed)?);
        }
        Ok(out)
    }

    /// Returns the literals that the cluster lemma states. Exactly one end of each link is true, so one colour is true
    /// and the other colour is false.
    pub fn cluster_facts(&mut self, allowed: Option<&Expr>, cluster: &Cluster) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Cluster);
        self.one_colour_true(cluster.colours, allowed)
    }

    /// Returns literals for "all candidates of one colour are true, and all candidates of the other colour are false".
    fn one_colour_true(&mut self, colours: [VarId; 2], allowed: Option<&Expr>) -> Result<Vec<Lit>, Refusal> {
        let mut out = Vec::new();
        let a = self.bound_candidates(colours[0])?;
        let b = self.bound_candidates(colours[1])?;
        for colour in [&a, &b] {
            let digits = self.digits_in(colour);
            out.push(self.are_allowed(&digits, allowed)?);
        }
        out.push(
            self.circuit.any_pair_true([(a.known.all_true, b.known.none_true), (b.known.all_true, a.known.none_true)]),
        );
        Ok(out)
    }

    /// Returns the literals that the ring lemma states: a guardian is true. If all guardians were false, true and false
    /// nodes would alternate around the ring, but a ring has an odd number of nodes.
    pub fn ring_facts(&mut self, allowed: Option<&Expr>, ring: &Ring) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Ring);
        let (nodes, guardians) = (self.bound_candidates(ring.name)?, self.bound_candidates(ring.guardians)?);
        let digits = self.digits_in(&nodes);
        Ok(vec![guardians.known.some_true, self.are_allowed(&digits, allowed)?])
    }
}

/// Returns the literal of the rule that has the name for its set `holds` or `fails`.
fn literal_with(variant: &Variant, id: VarId) -> Option<Literal> {
    variant.body.iter().find_map(|statement| {
        let Statement::Suppose(suppose) = statement else { return None };
        let assumed = if let Cases::Literal(literal) = suppose.cases { Some(literal) } else { None };
        let mut literals = assumed.into_iter().chain(suppose.shows.literal());
        literals.find(|literal| literal.holds == id || literal.fails == id)
    })
}

/// Returns the candidates of a node as an expression: `digit in cell`.
pub(crate) fn node_expr(digit: VarId, cell: VarId) -> Expr {
    Expr::CandidatesIn(Box::new(Expr::Var(digit)), Box::new(Expr::Var(cell)))
}

impl Encoder<'_> {
    pub fn suppose_facts(&mut self, suppose: &Suppose) -> Result<Vec<Lit>, Refusal> {
        self.lemmas.insert(Lemma::Suppose);
        let cases = self.cases(&suppose.cases)?;
        match suppose.shows {
            CaseResult::Contradiction => Ok(cases.into_iter().map(|case| !case).collect()),
            CaseResult::AllImply(literal) | CaseResult::AllImplyWithoutContradiction(literal) => {
                let is_shown = self.literal_holds(literal)?;
                let some_case = self.circuit.or(cases);
                let mut out = vec![self.circuit.or2(!some_case, is_shown)];
                if let Cases::Each(candidates) = &suppose.cases {
                    // A set without candidates gives no cases, and then no result is common to all cases.
                    out.push(self.condition(&Condition::NotEmpty(candidates.clone()))?);
                }
                Ok(out)
            }
        }
    }

    /// Returns, for each case of an assumption, the literal "the case holds". If there is a case for each candidate of
    /// a set, returns a single literal: some modelled candidate of the set is true.
    pub fn cases(&mut self, cases: &Cases) -> Result<Vec<Lit>, Refusal> {
        Ok(match cases {
            Cases::Candidate(var) => vec![self.is_true(&Expr::Var(*var))?],
            Cases::Not(var) => vec![!self.is_true(&Expr::Var(*var))?],
            Cases::Literal(literal) => vec![self.literal_holds(*literal)?],
            Cases::Either(var) => {
                let is_true = self.is_true(&Expr::Var(*var))?;
                vec![is_true, !is_true]
            }
            Cases::Each(candidates) => vec![self.is_true(candidates)?],
        })
    }

    fn is_true(&mut self, candidates: &Expr) -> Result<Lit, Refusal> {
        let candidates = self.candidates(candidates)?;
        Ok(self.modelled_true(&candidates))
    }

    /// Returns the literal that is true iff a literal of the rule (a candidate with a claimed truth value) agrees with
    /// the solution.
    fn literal_holds(&mut self, literal: Literal) -> Result<Lit, Refusal> {
        let (holds, fails) = (self.bound_candidates(literal.holds)?, self.bound_candidates(literal.fails)?);
        let is_positive = self.circuit.or(holds.bits.iter().copied());
        let rightly_positive = self.modelled_true(&holds);
        let wrongly_negative = self.modelled_true(&fails);
        let rightly_negative = self.circuit.and2(!is_positive, !wrongly_negative);
        Ok(self.circuit.or2(rightly_positive, rightly_negative))
    }
}

/// Returns true if a source links two digits of one cell.
fn is_in_a_cell(source: &LinkSource) -> bool {
    source.left.cells == source.right.cells
        && source.left.digit != source.right.digit
        && source.pattern.var(source.left.cells).shape == VarShape::Single
}

/// An equation `cells + surplus = digits` of a pattern, with literals for the modelled digits; see "Numbers" at the
/// top.
#[derive(Clone, Debug)]
pub(crate) struct CountEquation {
    /// The number of digits minus the number of cells.
    surplus: usize,
    /// For each digit with modelled places, a literal: the cells have the digit more often than the equation counts the
    /// digit.
    pub more_often: Vec<Lit>,
    /// For each digit with modelled places, a literal: the cells have the digit less often than the equation counts the
    /// digit.
    less_often: Vec<Lit>,
}

impl CountEquation {
    /// Adds the clauses that at most `surplus` digits occur less often than counted. The caller must have proved that
    /// no digit occurs more often than counted.
    pub fn add_consequences(&self, circuit: &mut Circuit) {
        let digits: Vec<usize> = (0..self.less_often.len()).collect();
        for group in subsets(&digits, self.surplus + 1) {
            circuit.add_clause(&group.iter().map(|&digit| !self.less_often[digit]).collect::<Vec<Lit>>());
        }
    }
}

/// Maximum surplus of an equation that is used. A larger surplus would need too many clauses.
const MAX_SURPLUS: usize = 2;

/// An equation with all terms on its left side.
#[derive(Default)]
struct Terms {
    /// Each set with the factor of its count: 1 or -1.
    counted_sets: Vec<(Expr, i64)>,
    constant: i64,
}

impl Encoder<'_> {
    pub fn count_equations(&mut self) -> Result<Vec<CountEquation>, Refusal> {
        let mut out = Vec::new();
        // The argument needs every digit, and only the generic digit represents the digits without a name.
        let Some(generic_digit) = self.slots.generic_digit else { return Ok(out) };
        for statement in &self.scope.variant.body {
            if let Statement::Require(Condition::Compare(a, Comparison::Equal, b)) = statement {
                out.extend(self.count_equation(a, b, generic_digit)?);
            }
        }
        Ok(out)
    }

    /// Returns `a = b` as a count equation, or `None` if its terms are not numbers of cells and of digits.
    fn count_equation(&mut self, a: &Expr, b: &Expr, generic_digit: usize) -> Result<Option<CountEquation>, Refusal> {
        let mut terms = Terms::default();
        if !self.collect_terms(a, 1, &mut terms) || !self.collect_terms(b, -1, &mut terms) {
            return Ok(None);
        }
        let mut cells = Vec::new();
        let mut digits = Vec::new();
        for (set, factor) in &terms.counted_sets {
            match self.value(set)? {
                Lits::Cells(set) => cells.push((set, *factor)),
                Lits::Digits(set) => digits.push((set, *factor)),
                _ => return Ok(None),
            }
        }
        // All digits must be on one side, all cells on the other.
        let Some(&(_, digit_factor)) = digits.first() else { return Ok(None) };
        let sides_fit = digits.iter().all(|(_, factor)| *factor == digit_factor)
            && cells.iter().all(|(_, factor)| *factor == -digit_factor);
        let Ok(surplus) = usize::try_from(-digit_factor * terms.constant) else { return Ok(None) };
        let has_unbounded_cells =
            cells.iter().any(|(set, _)| set.has_unmodelled != Lit::FALSE && set.houses_of_unmodelled.is_empty());
        if !sides_fit || cells.is_empty() || surplus > MAX_SURPLUS || has_unbounded_cells {
            return Ok(None);
        }
        let modelled: Vec<usize> =
            (0..self.digits()).filter(|&digit| cells.iter().all(|(set, _)| set.models_place(digit))).collect();
        // The argument needs all digits: the named digits, and the generic digit, which represents all other digits.
        if (0..=generic_digit).any(|digit| !modelled.contains(&digit)) {
            return Ok(None);
        }
        let mut more_often = Vec::new();
        let mut less_often = Vec::new();
        for digit in modelled {
            let mut in_cells = Vec::new();
            for (set, _) in &cells {
                let solutions = self.world.solutions_of(digit);
                in_cells.extend(self.circuit.and_each(set.bits.iter().copied().zip(solutions)));
            }
            in_cells.retain(|&lit| lit != Lit::FALSE);
            let counted: Vec<Lit> = digits.iter().map(|(set, _)| set[digit]).collect();
            let most = counted.len() + 1;
            let in_cells = self.circuit.thresholds(&in_cells, most);
            let counted = self.circuit.thresholds(&counted, most);
            more_often.push(is_more(&mut self.circuit, &in_cells, &counted));
            less_often.push(is_more(&mut self.circuit, &counted, &in_cells));
        }
        Ok(Some(CountEquation { surplus, more_often, less_often }))
    }

    /// Collects the counted sets and constants of a sum, multiplied by `factor`. Returns false if the sum has other
    /// terms.
    fn collect_terms(&self, expr: &Expr, factor: i64, out: &mut Terms) -> bool {
        match expr {
            Expr::Number(value) => out.constant += factor * i64::from(*value),
            Expr::Param(index) => match self.scope.args.get(*index) {
                Some(&value) => out.constant += factor * i64::from(value),
                None => return false,
            },
            Expr::Count(set) => out.counted_sets.push((set.as_ref().clone(), factor)),
            Expr::Add(a, b) => return self.collect_terms(a, factor, out) && self.collect_terms(b, factor, out),
            Expr::Subtract(a, b) => {
                return self.collect_terms(a, factor, out) && self.collect_terms(b, -factor, out);
            }
            _ => return false,
        }
        true
    }
}

/// Returns the literal that is true iff the number `a` is larger than the number `b`. A number is given by its
/// thresholds: the literal at index k says "at least k".
fn is_more(circuit: &mut Circuit, a: &[Lit], b: &[Lit]) -> Lit {
    circuit.any_pair_true(pairs(&a[1..], &b[1..]).map(|(a, b)| (a, !b)))
}
