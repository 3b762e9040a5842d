//! Suggestions for a proved rule: stronger conclusions, and requirements that can go. In: a sound rule. Out:
//! [`Suggestion`]s, each with a line to paste.
//!
//! Conclusions are built from the rule's own names: one digit in some of its cells, an eliminated candidate of a cell, a
//! placed digit. A conclusion is suggested if it follows and has an effect that the rule's own conclusions lack.
//! Requirements are left out one at a time.

use super::encode::{chosen_names, noun};
use super::prover::{ProofLimits, Prover, RuleCase};
use super::question::{Chains, WorldKind};
use super::solver::SatAnswer;
use super::verdict::{Attempt, Refusal};
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, Kind, Printer, Statement, Technique, VarId, VarShape, Variant,
};
use serde::Serialize;

/// A change that makes a rule find more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// Kind of change.
    pub change: SuggestedChange,
    /// The line: to add, or to take away.
    pub line: String,
    /// The statement of the rule that it is about.
    pub statement: Option<usize>,
    /// True if the changed rule is proved on every board.
    pub every_board: bool,
}

/// The kinds of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SuggestedChange {
    /// A conclusion that follows as well.
    Conclude,
    /// A requirement that can go if all others stay.
    Drop,
    /// Requirements that can go together.
    Together,
    /// Requirements of which any one can go, but no two.
    Alone,
    /// A weaker requirement that suffices in place of an equation.
    Relax,
}

/// More cells than this are not combined.
const MOST_CELLS: usize = 8;

impl Prover<'_> {
    /// Conclusions that also follow from the pattern of a member.
    pub fn strengthen(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<Suggestion> {
        let Some(variant) = technique.variants.get(variant) else { return Vec::new() };
        let printer = Printer { variant, params: &technique.params };
        let rule = RuleCase { variant, args, unique: technique.assumes_one_solution };
        self.more_conclusions(rule, printer).unwrap_or_default()
    }

    /// Demands that can be dropped with the member still proved.
    pub fn weaken(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<Suggestion> {
        let Some(variant) = technique.variants.get(variant) else { return Vec::new() };
        let rule = RuleCase { variant, args, unique: technique.assumes_one_solution };
        let (mut out, mut dropped) = (Vec::new(), Vec::new());
        for (at, weaker) in weaker_variants(Printer { variant, params: &technique.params }) {
            let Some(every_board) = self.every_board(RuleCase { variant: &weaker.variant, ..rule }) else { continue };
            let WeakerVariant { change, line, .. } = weaker;
            if change == SuggestedChange::Drop {
                dropped.push((at, line.clone()));
            }
            out.push(Suggestion { change, line, statement: Some(at.0), every_board });
        }
        let sets = self.dropped_together(rule, &dropped);
        if sets.is_empty() && dropped.len() > 1 {
            let change = SuggestedChange::Alone;
            out.push(Suggestion { change, line: String::new(), statement: None, every_board: false });
        }
        out.extend(sets);
        out
    }

    /// Largest sets of conditions that can be left out together, two or more, each condition in one of them if it is in any.
    fn dropped_together(&self, rule: RuleCase<'_>, dropped: &[(At, String)]) -> Vec<Suggestion> {
        let mut out = Vec::new();
        let mut covered = vec![false; dropped.len()];
        for first in 0..dropped.len() {
            if covered[first] {
                continue;
            }
            let (mut set, mut every_board) = (vec![first], false);
            for next in (0..dropped.len()).filter(|next| *next != first) {
                let places: Vec<At> = set.iter().chain([&next]).map(|&one| dropped[one].0).collect();
                if let Some(holds) = self.every_board(RuleCase { variant: &without(rule.variant, &places), ..rule }) {
                    set.push(next);
                    every_board = holds;
                }
            }
            set.sort_unstable();
            set.iter().for_each(|&one| covered[one] = true);
            if set.len() > 1 {
                let words: Vec<&str> = set.iter().map(|&one| dropped[one].1.as_str()).collect();
                let (change, line) = (SuggestedChange::Together, words.join("; "));
                out.push(Suggestion { change, line, statement: None, every_board });
            }
        }
        out
    }

    /// Proves a variant without minimizing counterexamples. `Some(true)`: proved on every board; `Some(false)`: on this
    /// board only.
    fn every_board(&self, rule: RuleCase<'_>) -> Option<bool> {
        let quick = Prover { limits: ProofLimits { shrink: 0, ..self.limits }, ..self.clone() };
        quick.status(rule, &mut Attempt::default()).every_board()
    }

    /// Returns small changes, as text, each of which makes a wrong member provable: a conclusion that mentions one more cell, and
    /// `assumes one solution`.
    pub fn repairs(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<String> {
        let Some(variant) = technique.variants.get(variant).filter(|variant| variant.join.is_none()) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        for cell in single_names(variant, Kind::Cell) {
            for (at, conclusion) in variant.conclusions.iter().enumerate() {
                let Some(wider) = wider(conclusion, cell) else { continue };
                let mut other = variant.clone();
                other.conclusions[at] = wider;
                let rule = RuleCase { variant: &other, args, unique: technique.assumes_one_solution };
                if self.every_board(rule).is_some() {
                    let printer = Printer { variant: &other, params: &technique.params };
                    out.push(printer.conclusion(&other.conclusions[at]));
                }
            }
        }
        let has_none = !technique.assumes_one_solution;
        if has_none && self.every_board(RuleCase { variant, args, unique: true }).is_some() {
            out.push("`assuming one solution` after the title".to_owned());
        }
        out
    }

    fn more_conclusions(&self, rule: RuleCase<'_>, printer: Printer<'_>) -> Result<Vec<Suggestion>, Refusal> {
        // Consequences of a lemma hold if its premises do.
        let mut attempt = Attempt::default();
        let Ok(every_board) = self.premises(rule, &mut attempt) else { return Ok(Vec::new()) };
        let every_board = every_board && self.means(rule, &mut attempt).unwrap_or(true);
        if !attempt.premises_hold() {
            return Ok(Vec::new());
        }
        let mut followed: Vec<Conclusion> = Vec::new();
        let mut anywhere = self.pose(WorldKind::Anywhere, rule, Chains::Ends)?;
        for candidate in conclusions(rule.variant) {
            let known = rule.variant.conclusions.contains(&candidate);
            if known || followed.iter().any(|stronger| implies(stronger, &candidate)) {
                continue;
            }
            let wrong = anywhere.violated(std::slice::from_ref(&candidate))?;
            if anywhere.solve(&[wrong], self.limits.shrink.max(1_000) * 10) == SatAnswer::No {
                followed.push(candidate);
            }
        }
        let mut out = Vec::new();
        for conclusion in followed {
            if self.reaches_more(rule, &conclusion)? {
                let line = printer.conclusion(&conclusion);
                out.push(Suggestion { change: SuggestedChange::Conclude, line, statement: None, every_board });
            }
        }
        Ok(out)
    }

    /// Returns true if, in some state, the conclusion has an effect that the rule lacks.
    fn reaches_more(&self, rule: RuleCase<'_>, conclusion: &Conclusion) -> Result<bool, Refusal> {
        let mut posed = self.pose_board(rule, Chains::Ends)?;
        let old = posed.concluded;
        let new = posed.encoder.concluded(std::slice::from_ref(conclusion), &posed.target)?;
        let out = posed.encoder.circuit.and([new.eliminated, !old.eliminated, !posed.target.is_true]);
        let placed = posed.encoder.circuit.and([new.placed, !old.placed]);
        let more = posed.encoder.circuit.or2(out, placed);
        Ok(matches!(posed.encoder.solve(&[more], self.limits.board), SatAnswer::Yes(_)))
    }
}

/// Names of a kind that stand for something chosen.
fn chosen(variant: &Variant, kind: Kind) -> impl Iterator<Item = VarId> {
    chosen_names(variant).filter(move |&id| variant.var(id).kind == kind)
}

/// Names of a kind that stand for one chosen thing.
fn single_names(variant: &Variant, kind: Kind) -> impl Iterator<Item = VarId> {
    chosen(variant, kind).filter(|&id| variant.var(id).shape == VarShape::Single)
}

/// Possible conclusions about the names: placements first, then eliminations, then `some` with few cells before many.
fn conclusions(variant: &Variant) -> Vec<Conclusion> {
    let (mut placements, mut eliminations, mut some) = (Vec::new(), Vec::new(), Vec::new());
    let cells: Vec<VarId> = chosen(variant, Kind::Cell).collect();
    let mut subsets: Vec<u32> = (1..1u32 << cells.len().min(MOST_CELLS)).collect();
    subsets.sort_by_key(|subset| (subset.count_ones(), *subset));
    let digits: Vec<VarId> = single_names(variant, Kind::Digit).collect();
    for &digit in &digits {
        placements.extend(single_names(variant, Kind::Cell).map(|cell| Claim::Place(noun(digit, cell))));
        eliminations.extend(cells.iter().map(|&cell| Claim::Eliminate(noun(digit, cell))));
    }
    for subset in subsets {
        let mut members: Vec<Expr> =
            cells.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, &id)| Expr::Var(id)).collect();
        let union = if members.len() == 1 { members.remove(0) } else { Expr::Union(members) };
        let candidates = digits.iter().map(|&digit| Expr::In(Box::new(Expr::Var(digit)), Box::new(union.clone())));
        some.extend(candidates.map(Claim::Some));
    }
    [placements, eliminations, some].concat().into_iter().map(|claim| Conclusion { claim, for_each: None }).collect()
}

/// Returns true if the first conclusion is at least as strong as the second: equal digit, no other cells.
fn implies(stronger: &Conclusion, weaker: &Conclusion) -> bool {
    match (digit_and_cells(&stronger.claim), digit_and_cells(&weaker.claim)) {
        (Some((digit, few)), Some((other, many))) => digit == other && few.iter().all(|cell| many.contains(cell)),
        _ => stronger == weaker,
    }
}

/// The digit and the cells of a claim that some candidate is true.
fn digit_and_cells(claim: &Claim) -> Option<(&Expr, &[Expr])> {
    let (Claim::Some(Expr::In(digit, cells)) | Claim::Place(Expr::In(digit, cells))) = claim else { return None };
    Some((digit, parts(cells)))
}

/// The parts of a union; of another expression, the expression itself.
fn parts(cells: &Expr) -> &[Expr] {
    match cells {
        Expr::Union(parts) => parts,
        one => std::slice::from_ref(one),
    }
}

/// A conclusion that speaks of one cell more: one of more candidates is true, or what is eliminated sees it too.
fn wider(conclusion: &Conclusion, cell: VarId) -> Option<Conclusion> {
    let claim = match &conclusion.claim {
        Claim::Some(Expr::In(digit, cells)) => Claim::Some(Expr::In(digit.clone(), with_cell(cells, cell)?)),
        Claim::Eliminate(Expr::In(digit, cells)) => {
            let Expr::Seeing { every: true, cells: of } = cells.as_ref() else { return None };
            let cells = Expr::Seeing { every: true, cells: with_cell(of, cell)? };
            Claim::Eliminate(Expr::In(digit.clone(), Box::new(cells)))
        }
        _ => return None,
    };
    Some(Conclusion { claim, for_each: conclusion.for_each.clone() })
}

/// The cells and one more; `None` if it is among them.
fn with_cell(cells: &Expr, cell: VarId) -> Option<Box<Expr>> {
    let (parts, cell) = (parts(cells), Expr::Var(cell));
    (!parts.contains(&cell)).then(|| Box::new(Expr::Union([parts, &[cell]].concat())))
}

/// Position of a condition: its statement, and its index there.
type At = (usize, usize);

/// The conditions of a statement that can be left out.
fn conditions(statement: &Statement) -> Option<Vec<Condition>> {
    let has_any = matches!(statement, Statement::Choose(_) | Statement::Require(_));
    has_any.then(|| statement.conditions(&[]).into_owned())
}

/// The variant without these conditions.
fn without(variant: &Variant, places: &[At]) -> Variant {
    let mut out = variant.clone();
    for (index, statement) in variant.body.iter().enumerate() {
        let Some(all) = conditions(statement).filter(|_| places.iter().any(|(at, _)| *at == index)) else { continue };
        let rest = all.into_iter().enumerate().filter(|(part, _)| !places.contains(&(index, *part)));
        out = with(&out, index, rest.map(|(_, condition)| condition).collect());
    }
    out
}

/// A variant that demands less.
struct WeakerVariant {
    change: SuggestedChange,
    /// The change in words.
    line: String,
    variant: Variant,
}

/// The variant with one demand left out or relaxed, for each that can be.
fn weaker_variants(printer: Printer<'_>) -> Vec<(At, WeakerVariant)> {
    let mut out = Vec::new();
    for (index, statement) in printer.variant.body.iter().enumerate() {
        let conditions = conditions(statement).unwrap_or_default();
        for (at, condition) in conditions.iter().enumerate() {
            let mut changes = vec![(SuggestedChange::Drop, condition.clone(), Vec::new())];
            changes.extend(relaxed(condition).map(|weaker| (SuggestedChange::Relax, weaker.clone(), vec![weaker])));
            for (change, words, in_place) in changes {
                let mut rest = conditions.clone();
                rest.splice(at..=at, in_place);
                let (line, variant) = (printer.condition(&words), with(printer.variant, index, rest));
                out.push(((index, at), WeakerVariant { change, line, variant }));
            }
        }
    }
    out
}

/// `digits(c) = {x, y}` demands that both are there; `digits(c) within x + y` does not.
fn relaxed(condition: &Condition) -> Option<Condition> {
    match condition {
        Condition::Exactly(set @ Expr::Digits(_), names) => {
            let names = names.iter().map(|&name| Expr::Var(name)).collect();
            Some(Condition::Within(set.clone(), Expr::Union(names)))
        }
        _ => None,
    }
}

/// The variant with other conditions in one of its statements.
fn with(variant: &Variant, index: usize, conditions: Vec<Condition>) -> Variant {
    let mut other = variant.clone();
    other.body[index] = variant.body[index].with_conditions(conditions);
    other
}
