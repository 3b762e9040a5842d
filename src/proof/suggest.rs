//! Suggestions for a proved rule: additional conclusions, and requirements that can be removed. In: a sound rule. Out:
//! [`Suggestion`]s, each with a line to paste.
//!
//! Conclusions are built from the rule's own names: one digit in some of its cells, an eliminated candidate of a cell,
//! a placed digit. A conclusion is suggested if the pattern implies the conclusion, and the conclusion has an
//! effect that the rule's own conclusions lack. Requirements are left out one at a time.

use super::encode::{chosen_names, node_expr};
use super::prover::{ProofLimits, Prover, RuleVariant};
use super::question::{ChainEncoding, WorldKind};
use super::solver::SatAnswer;
use super::verdict::{Attempt, Refusal};
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, Kind, Printer, Statement, Technique, VarId, VarShape, Variant,
};
use serde::Serialize;

/// A change that makes a rule find more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// The kind of change.
    pub change: SuggestedChange,
    /// The line to add or to remove, as rule text.
    pub line: String,
    /// Index of the statement that changes; `None` if the change adds a line or concerns several statements.
    pub statement: Option<usize>,
    /// True if the changed rule is proved on every board.
    pub every_board: bool,
}

/// The kind of a suggested change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SuggestedChange {
    /// An additional conclusion that the pattern implies.
    Conclude,
    /// A requirement that can be removed if all other requirements stay.
    Drop,
    /// Requirements that can be removed together.
    #[serde(rename = "together")]
    DropTogether,
    /// A remark: each requirement marked [`SuggestedChange::Drop`] can be removed alone, but no two can be removed
    /// together.
    #[serde(rename = "alone")]
    DropOnlyOne,
    /// A weaker requirement that suffices in place of an equation.
    Relax,
}

/// Maximum number of cells whose subsets are all tried in a conclusion.
const MAX_CELLS: usize = 8;

/// A tried conclusion may take this many times as many conflicts as a step of shrinking.
const CONFLICT_FACTOR: u64 = 10;

/// Minimum number of conflicts that a step of shrinking counts as when it is multiplied by [`CONFLICT_FACTOR`].
const LEAST_CONFLICTS: u64 = 1_000;

impl Prover<'_> {
    /// Finds additional conclusions that follow from the pattern of a member.
    pub fn strengthen(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<Suggestion> {
        let Some(variant) = technique.variants.get(variant) else { return Vec::new() };
        let printer = Printer { variant, params: &technique.params };
        self.more_conclusions(RuleVariant::new(technique, variant, args), printer).unwrap_or_default()
    }

    /// Finds requirements that can be removed or relaxed so that the member is still proved.
    pub fn weaken(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<Suggestion> {
        let Some(variant) = technique.variants.get(variant) else { return Vec::new() };
        let rule = RuleVariant::new(technique, variant, args);
        let mut out = Vec::new();
        let mut removable = Vec::new();
        for (position, change, line, variant) in weaker_variants(Printer { variant, params: &technique.params }) {
            let Some(every_board) = self.prove_quickly(RuleVariant { variant: &variant, ..rule }) else {
                continue;
            };
            if change == SuggestedChange::Drop {
                removable.push((position, line.clone()));
            }
            out.push(Suggestion { change, line, statement: Some(position.statement), every_board });
        }
        let together = self.removable_together(rule, &removable);
        if together.is_empty() && removable.len() > 1 {
            let change = SuggestedChange::DropOnlyOne;
            out.push(Suggestion { change, line: String::new(), statement: None, every_board: false });
        }
        out.extend(together);
        out
    }

    /// Finds sets of at least two conditions that can be removed together. Each set starts with a condition that is in
    /// no earlier set, and grows greedily.
    fn removable_together(&self, rule: RuleVariant<'_>, removable: &[(ConditionPosition, String)]) -> Vec<Suggestion> {
        let mut out = Vec::new();
        let mut is_covered = vec![false; removable.len()];
        for first in 0..removable.len() {
            if is_covered[first] {
                continue;
            }
            let mut set = vec![first];
            let mut every_board = false;
            for next in (0..removable.len()).filter(|next| *next != first) {
                let positions: Vec<ConditionPosition> =
                    set.iter().chain([&next]).map(|&index| removable[index].0).collect();
                let variant = without_conditions(rule.variant, &positions);
                if let Some(on_every_board) = self.prove_quickly(RuleVariant { variant: &variant, ..rule }) {
                    set.push(next);
                    every_board = on_every_board;
                }
            }
            set.sort_unstable();
            set.iter().for_each(|&index| is_covered[index] = true);
            if set.len() > 1 {
                let lines: Vec<&str> = set.iter().map(|&index| removable[index].1.as_str()).collect();
                let change = SuggestedChange::DropTogether;
                let line = lines.join("; ");
                out.push(Suggestion { change, line, statement: None, every_board });
            }
        }
        out
    }

    /// Proves a rule without shrinking counterexamples. Returns `Some(true)` if the rule is proved on every board,
    /// `Some(false)` if it is proved on this board only, `None` if it is not proved.
    fn prove_quickly(&self, rule: RuleVariant<'_>) -> Option<bool> {
        let quick = Prover { limits: ProofLimits { shrink: 0, ..self.limits }, ..self.clone() };
        quick.prove_rule(rule, &mut Attempt::default()).every_board()
    }

    /// Returns small changes, as text, each of which makes a wrong member provable. Two kinds are tried: a conclusion
    /// with one more cell, and `assumes one solution`.
    pub fn repairs(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<String> {
        let mut out = Vec::new();
        let Some(variant) = technique.variants.get(variant) else { return out };
        if variant.join.is_some() {
            return out;
        }
        for cell in single_names(variant, Kind::Cell) {
            for (index, conclusion) in variant.conclusions.iter().enumerate() {
                let Some(weaker) = with_one_more_cell(conclusion, cell) else { continue };
                let mut changed = variant.clone();
                changed.conclusions[index] = weaker;
                if self.prove_quickly(RuleVariant::new(technique, &changed, args)).is_some() {
                    let printer = Printer { variant: &changed, params: &technique.params };
                    out.push(printer.conclusion(&changed.conclusions[index]));
                }
            }
        }
        if !technique.assumes_one_solution {
            let rule = RuleVariant { variant, args, assumes_one_solution: true };
            if self.prove_quickly(rule).is_some() {
                out.push("`assuming one solution` after the title".to_owned());
            }
        }
        out
    }

    fn more_conclusions(&self, rule: RuleVariant<'_>, printer: Printer<'_>) -> Result<Vec<Suggestion>, Refusal> {
        // The lemmas hold only if the link sources hold, so a conclusion holds on every board only if all sources do.
        let mut attempt = Attempt::default();
        let Ok(sources_on_every_board) = self.prove_sources(rule, &mut attempt) else { return Ok(Vec::new()) };
        let every_board = sources_on_every_board && self.prove_inference_methods(rule, &mut attempt).unwrap_or(true);
        if !attempt.premises_hold() {
            return Ok(Vec::new());
        }
        let mut proved: Vec<Conclusion> = Vec::new();
        let mut encoder = self.encode_pattern(WorldKind::Anywhere, rule, ChainEncoding::ByLemma)?;
        for conclusion in possible_conclusions(rule.variant) {
            let is_stated = rule.variant.conclusions.contains(&conclusion);
            if is_stated || proved.iter().any(|stronger| implies(stronger, &conclusion)) {
                continue;
            }
            let wrong = encoder.violated(std::slice::from_ref(&conclusion))?;
            if encoder.solve(&[wrong], self.limits.shrink.max(LEAST_CONFLICTS) * CONFLICT_FACTOR) == SatAnswer::No {
                proved.push(conclusion);
            }
        }
        let mut out = Vec::new();
        for conclusion in proved {
            if self.has_more_effects(rule, &conclusion)? {
                let line = printer.conclusion(&conclusion);
                out.push(Suggestion { change: SuggestedChange::Conclude, line, statement: None, every_board });
            }
        }
        Ok(out)
    }

    /// Returns true if the conclusion has, in some state, an effect that the rule lacks.
    fn has_more_effects(&self, rule: RuleVariant<'_>, conclusion: &Conclusion) -> Result<bool, Refusal> {
        let mut query = self.query(WorldKind::Board(self.geometry), rule, ChainEncoding::ByLemma)?;
        let by_rule = query.concluded;
        let added = query.encoder.target_effects(std::slice::from_ref(conclusion), &query.target)?;
        let circuit = &mut query.encoder.circuit;
        let newly_eliminated = circuit.and([added.eliminated, !by_rule.eliminated, !query.target.is_true]);
        let newly_placed = circuit.and([added.placed, !by_rule.placed]);
        let has_more = circuit.or2(newly_eliminated, newly_placed);
        Ok(matches!(query.encoder.solve(&[has_more], self.limits.board), SatAnswer::Yes(_)))
    }
}

fn names_of_kind(variant: &Variant, kind: Kind) -> impl Iterator<Item = VarId> {
    chosen_names(variant).filter(move |&id| variant.var(id).kind == kind)
}

/// Returns the chosen names of a kind that stand for a single cell, digit, house or candidate.
fn single_names(variant: &Variant, kind: Kind) -> impl Iterator<Item = VarId> {
    names_of_kind(variant, kind).filter(|&id| variant.var(id).shape == VarShape::Single)
}

/// Returns possible conclusions about the names: placements first, then eliminations, then `some` with few cells before
/// many.
fn possible_conclusions(variant: &Variant) -> Vec<Conclusion> {
    let mut placements = Vec::new();
    let mut eliminations = Vec::new();
    let mut some = Vec::new();
    let cells: Vec<VarId> = names_of_kind(variant, Kind::Cell).collect();
    let mut subsets: Vec<u32> = (1..1u32 << cells.len().min(MAX_CELLS)).collect();
    subsets.sort_by_key(|subset| (subset.count_ones(), *subset));
    let digits: Vec<VarId> = single_names(variant, Kind::Digit).collect();
    for &digit in &digits {
        placements.extend(single_names(variant, Kind::Cell).map(|cell| Claim::Place(node_expr(digit, cell))));
        eliminations.extend(cells.iter().map(|&cell| Claim::Eliminate(node_expr(digit, cell))));
    }
    for subset in subsets {
        let members = cells.iter().enumerate().filter(|(index, _)| subset >> index & 1 == 1);
        let mut members: Vec<Expr> = members.map(|(_, &id)| Expr::Var(id)).collect();
        let union = if members.len() == 1 { members.remove(0) } else { Expr::Union(members) };
        let candidates =
            digits.iter().map(|&digit| Expr::CandidatesIn(Box::new(Expr::Var(digit)), Box::new(union.clone())));
        some.extend(candidates.map(Claim::SomeTrue));
    }
    [placements, eliminations, some].concat().into_iter().map(|claim| Conclusion { claim, for_each: None }).collect()
}

/// Returns true if the first conclusion implies the second: both have the same digit, and every cell of the first is a
/// cell of the second.
fn implies(stronger: &Conclusion, weaker: &Conclusion) -> bool {
    match (digit_and_cells(&stronger.claim), digit_and_cells(&weaker.claim)) {
        (Some((stronger_digit, few)), Some((weaker_digit, many))) => {
            stronger_digit == weaker_digit && few.iter().all(|cell| many.contains(cell))
        }
        _ => stronger == weaker,
    }
}

/// Returns the digit and the cells of a claim `some d in cells`; `None` for other claims.
fn digit_and_cells(claim: &Claim) -> Option<(&Expr, &[Expr])> {
    let (Claim::SomeTrue(Expr::CandidatesIn(digit, cells)) | Claim::Place(Expr::CandidatesIn(digit, cells))) = claim
    else {
        return None;
    };
    Some((digit, union_parts(cells)))
}

/// Returns the parts of a union; for any other expression, the expression itself as the only part.
fn union_parts(cells: &Expr) -> &[Expr] {
    match cells {
        Expr::Union(parts) => parts,
        part => std::slice::from_ref(part),
    }
}

/// Returns a weaker conclusion that mentions one more cell. A `some` gets the candidate of the cell as an alternative;
/// eliminated candidates must also see the cell. `None` for other conclusions, or if the conclusion already mentions
/// the cell.
fn with_one_more_cell(conclusion: &Conclusion, cell: VarId) -> Option<Conclusion> {
    let claim = match &conclusion.claim {
        Claim::SomeTrue(Expr::CandidatesIn(digit, cells)) => {
            Claim::SomeTrue(Expr::CandidatesIn(digit.clone(), with_cell(cells, cell)?))
        }
        Claim::Eliminate(Expr::CandidatesIn(digit, cells)) => {
            let Expr::Seeing { every: true, cells: seen } = cells.as_ref() else { return None };
            let cells = Expr::Seeing { every: true, cells: with_cell(seen, cell)? };
            Claim::Eliminate(Expr::CandidatesIn(digit.clone(), Box::new(cells)))
        }
        _ => return None,
    };
    Some(Conclusion { claim, for_each: conclusion.for_each.clone() })
}

/// Adds a cell to a union; `None` if the union already has the cell.
fn with_cell(cells: &Expr, cell: VarId) -> Option<Box<Expr>> {
    let parts = union_parts(cells);
    let cell = Expr::Var(cell);
    if parts.contains(&cell) {
        return None;
    }
    Some(Box::new(Expr::Union([parts, &[cell]].concat())))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct ConditionPosition {
    statement: usize,
    /// Index among the conditions of the statement.
    condition: usize,
}

fn removable_conditions(statement: &Statement) -> Vec<Condition> {
    match statement {
        Statement::Choose(_) | Statement::Require(_) => statement.conditions(&[]).into_owned(),
        _ => Vec::new(),
    }
}

fn without_conditions(variant: &Variant, removed: &[ConditionPosition]) -> Variant {
    let mut out = variant.clone();
    for (statement, content) in variant.body.iter().enumerate() {
        if removed.iter().any(|position| position.statement == statement) {
            let mut conditions = removable_conditions(content).into_iter().enumerate().collect::<Vec<_>>();
            conditions.retain(|&(condition, _)| !removed.contains(&ConditionPosition { statement, condition }));
            out.body[statement] = content.with_conditions(conditions.into_iter().map(|(_, kept)| kept).collect());
        }
    }
    out
}

/// Returns variants with one requirement removed or relaxed, each with the position of the requirement and the rule text
/// of the removed or of the relaxed requirement.
fn weaker_variants(printer: Printer<'_>) -> Vec<(ConditionPosition, SuggestedChange, String, Variant)> {
    let mut out = Vec::new();
    for (statement, content) in printer.variant.body.iter().enumerate() {
        let conditions = removable_conditions(content);
        for (index, condition) in conditions.iter().enumerate() {
            let position = ConditionPosition { statement, condition: index };
            let line = printer.condition(condition);
            let variant = without_conditions(printer.variant, &[position]);
            out.push((position, SuggestedChange::Drop, line, variant));
            if let Some(relaxed) = relaxed(condition) {
                let line = printer.condition(&relaxed);
                let mut replaced = conditions.clone();
                replaced[index] = relaxed;
                let mut variant = printer.variant.clone();
                variant.body[statement] = content.with_conditions(replaced);
                out.push((position, SuggestedChange::Relax, line, variant));
            }
        }
    }
    out
}

/// Relaxes `digits(c) = {x, y}`, which requires both digits, to `digits(c) within x + y`; `None` for other conditions.
fn relaxed(condition: &Condition) -> Option<Condition> {
    match condition {
        Condition::Exactly(set @ Expr::Digits(_), names) => {
            let names = names.iter().map(|&name| Expr::Var(name)).collect();
            Some(Condition::Within(set.clone(), Expr::Union(names)))
        }
        _ => None,
    }
}
