//! What a rule could conclude, and what it need not demand. In: a rule that holds. Out: [`Suggestion`]s, each with
//! a line to paste.
//!
//! Conclusions are sought among what can be said of the rule's own names: one digit in some of its cells, a
//! candidate of a cell taken away, a digit placed. A conclusion counts if it follows and reaches something
//! that the rule's own conclusions do not. Demands are left out one at a time.

use super::encode::Refusal;
use super::prover::{Prover, Rule, Work};
use super::question::{Chains, Place};
use super::solver::Answer;
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, Kind, Origin, Printer, Statement, Technique, VarId, VarShape, Variant,
};
use serde::Serialize;

/// A way to make a rule say more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// What kind of change.
    pub change: Change,
    /// The line: to add, or to take away.
    pub line: String,
    /// Whether the changed rule is proved on every board.
    pub every_board: bool,
}

/// The kinds of change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// This follows as well.
    Conclude,
    /// This need not be demanded.
    Drop,
    /// This is enough, in place of an equation.
    Relax,
}

/// More cells than this are not combined.
const MOST_CELLS: usize = 8;

impl Prover<'_> {
    /// Conclusions that also follow from the pattern of a member.
    pub fn strengthen(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<Suggestion> {
        let Some(variant) = technique.variants.get(variant) else { return Vec::new() };
        let printer = Printer { variant, params: &technique.params };
        self.more_conclusions(Rule { variant, args, unique: technique.assumes_one_solution }, printer)
            .unwrap_or_default()
    }

    /// Demands that can be dropped with the member still proved.
    pub fn weaken(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<Suggestion> {
        let Some(variant) = technique.variants.get(variant) else { return Vec::new() };
        let limits = super::ProofLimits { shrink: 0, ..self.limits };
        let quick = Prover { limits, ..self.clone() };
        let mut out = Vec::new();
        let printer = Printer { variant, params: &technique.params };
        for (change, line, weaker) in weaker(printer) {
            let rule = Rule { variant: &weaker, args, unique: technique.assumes_one_solution };
            let status = quick.status(rule, &mut Work::default());
            if let super::Status::Proved { every_board, .. } | super::Status::Supposed { every_board, sound: true } =
                status
            {
                out.push(Suggestion { change, line, every_board });
            }
        }
        out
    }

    fn more_conclusions(&self, rule: Rule<'_>, printer: Printer<'_>) -> Result<Vec<Suggestion>, Refusal> {
        // What follows from a lemma follows where its premises do.
        let mut work = Work::default();
        let Ok(every_board) = self.premises(rule, &mut work) else { return Ok(Vec::new()) };
        let every_board = every_board && self.means(rule, &mut work).unwrap_or(true);
        if !work.grounds.all_hold() {
            return Ok(Vec::new());
        }
        let mut followed: Vec<Conclusion> = Vec::new();
        let mut anywhere = self.pose(Place::Anywhere, rule, Chains::Ends)?;
        for candidate in conclusions(rule.variant) {
            let known = rule.variant.conclusions.contains(&candidate);
            if known || followed.iter().any(|stronger| implies(stronger, &candidate)) {
                continue;
            }
            let wrong = anywhere.violated(std::slice::from_ref(&candidate))?;
            if anywhere.solve(&[wrong], self.limits.shrink.max(1_000) * 10) == Answer::No {
                followed.push(candidate);
            }
        }
        let mut out = Vec::new();
        for conclusion in followed {
            if self.reaches_more(rule, &conclusion)? {
                let line = printer.conclusion(&conclusion);
                out.push(Suggestion { change: Change::Conclude, line, every_board });
            }
        }
        Ok(out)
    }

    /// Whether there is a state on which the conclusion says something that the rule does not.
    fn reaches_more(&self, rule: Rule<'_>, conclusion: &Conclusion) -> Result<bool, Refusal> {
        let mut posed = self.pose_board(rule, Chains::Ends)?;
        let old = posed.concluded;
        let new = posed.encoder.concluded(std::slice::from_ref(conclusion), &posed.target)?;
        let out = posed.encoder.circuit.and([new.eliminated, !old.eliminated, !posed.target.is_true]);
        let placed = posed.encoder.circuit.and([new.placed, !old.placed]);
        let more = posed.encoder.circuit.or2(out, placed);
        Ok(matches!(posed.encoder.solve(&[more], self.limits.board), Answer::Yes(_)))
    }
}

/// Names of a kind that stand for something chosen.
fn chosen(variant: &Variant, kind: Kind) -> Vec<VarId> {
    let fits = |id: &VarId| {
        let var = variant.var(*id);
        var.kind == kind && matches!(var.origin, Origin::Chosen | Origin::Pattern)
    };
    (0..variant.vars.len()).map(VarId).filter(fits).collect()
}

/// What could be said of the names: placements first, then eliminations, then `some` of few cells before more.
fn conclusions(variant: &Variant) -> Vec<Conclusion> {
    let cells = chosen(variant, Kind::Cell);
    let digits: Vec<VarId> =
        chosen(variant, Kind::Digit).into_iter().filter(|&id| variant.var(id).shape == VarShape::Single).collect();
    let noun = |digit: VarId, cells: Expr| Expr::In(Box::new(Expr::Var(digit)), Box::new(cells));
    let plain = |claim: Claim| Conclusion { claim, per: None };
    let mut out = Vec::new();
    for &digit in &digits {
        let single = cells.iter().filter(|&&id| variant.var(id).shape == VarShape::Single);
        out.extend(single.map(|&cell| plain(Claim::Place(noun(digit, Expr::Var(cell))))));
    }
    for &digit in &digits {
        out.extend(cells.iter().map(|&cell| plain(Claim::Eliminate(noun(digit, Expr::Var(cell))))));
    }
    let mut subsets: Vec<u32> = (1..1u32 << cells.len().min(MOST_CELLS)).collect();
    subsets.sort_by_key(|subset| (subset.count_ones(), *subset));
    for subset in subsets {
        let mut members: Vec<Expr> =
            cells.iter().enumerate().filter(|(i, _)| subset >> i & 1 == 1).map(|(_, &id)| Expr::Var(id)).collect();
        let single = members.len() == 1;
        let union = if single { members.remove(0) } else { Expr::Union(members) };
        out.extend(digits.iter().map(|&digit| plain(Claim::Some(noun(digit, union.clone())))));
    }
    out
}

/// Whether the first conclusion says at least what the second says: the same digit, in no other cells.
fn implies(stronger: &Conclusion, weaker: &Conclusion) -> bool {
    let parts = |claim: &Claim| match claim {
        Claim::Some(Expr::In(digit, cells)) | Claim::Place(Expr::In(digit, cells)) => {
            let cells = match cells.as_ref() {
                Expr::Union(parts) => parts.clone(),
                one => vec![one.clone()],
            };
            Some((digit.clone(), cells))
        }
        _ => None,
    };
    match (parts(&stronger.claim), parts(&weaker.claim)) {
        (Some((digit, few)), Some((other, many))) => digit == other && few.iter().all(|cell| many.contains(cell)),
        _ => stronger == weaker,
    }
}

/// The variant with one demand left out or relaxed, for each that can be, with the demand in words.
fn weaker(printer: Printer<'_>) -> Vec<(Change, String, Variant)> {
    let mut out = Vec::new();
    for (index, statement) in printer.variant.body.iter().enumerate() {
        let conditions: Vec<Condition> = match statement {
            Statement::Choose(choose) => choose.such_that.clone(),
            Statement::Require(Condition::And(parts)) => parts.clone(),
            Statement::Require(condition) => vec![condition.clone()],
            _ => continue,
        };
        for (at, condition) in conditions.iter().enumerate() {
            let mut rest = conditions.clone();
            rest.remove(at);
            out.push((Change::Drop, printer.condition(condition), with(printer.variant, index, rest)));
            if let Some(relaxed) = relaxed(condition) {
                let mut rest = conditions.clone();
                rest[at] = relaxed;
                let line = printer.condition(&rest[at]);
                out.push((Change::Relax, line, with(printer.variant, index, rest)));
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
    match &mut other.body[index] {
        Statement::Choose(choose) => choose.such_that = conditions,
        statement => *statement = Statement::Require(Condition::And(conditions)),
    }
    other
}
