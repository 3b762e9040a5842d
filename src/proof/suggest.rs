//! Suggestions for a proved rule: stronger conclusions, and requirements that can go. In: a sound rule. Out:
//! [`Suggestion`]s, each with a line to paste.
//!
//! Conclusions are built from the rule's own names: one digit in some of its cells, an eliminated candidate of a cell, a
//! placed digit. A conclusion is suggested if it follows and has an effect that the rule's own conclusions lack.
//! Requirements are left out one at a time.

use super::encode::Refusal;
use super::prover::{Prover, Rule, Work};
use super::question::{Chains, Place};
use super::solver::Answer;
use crate::lang::ir::{
    Claim, Conclusion, Condition, Expr, Kind, Origin, Printer, Statement, Technique, VarId, VarShape, Variant,
};
use serde::Serialize;

/// A change that makes a rule find more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// Kind of change.
    pub change: Change,
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
pub enum Change {
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
        self.more_conclusions(Rule { variant, args, unique: technique.assumes_one_solution }, printer)
            .unwrap_or_default()
    }

    /// Demands that can be dropped with the member still proved.
    pub fn weaken(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<Suggestion> {
        let Some(variant) = technique.variants.get(variant) else { return Vec::new() };
        let mut out = Vec::new();
        let printer = Printer { variant, params: &technique.params };
        let proved = |weaker: &Variant| self.quickly(weaker, args, technique.assumes_one_solution);
        let mut dropped = Vec::new();
        for Weaker { change, line, at, variant: weaker } in weaker(printer) {
            let Some(every_board) = proved(&weaker) else { continue };
            if change == Change::Drop {
                dropped.push((at, line.clone()));
            }
            out.push(Suggestion { change, line, statement: Some(at.0), every_board });
        }
        let sets = together(variant, &dropped, &proved);
        if sets.is_empty() && dropped.len() > 1 {
            out.push(Suggestion { change: Change::Alone, line: String::new(), statement: None, every_board: false });
        }
        out.extend(sets);
        out
    }

    /// Proves a variant without minimizing counterexamples. `Some(true)`: proved on every board; `Some(false)`: on this
    /// board only.
    fn quickly(&self, variant: &Variant, args: &[u32], unique: bool) -> Option<bool> {
        let limits = super::ProofLimits { shrink: 0, ..self.limits };
        let quick = Prover { limits, ..self.clone() };
        match quick.status(Rule { variant, args, unique }, &mut Work::default()) {
            super::Status::Proved { every_board, .. } | super::Status::Supposed { every_board, sound: true } => {
                Some(every_board)
            }
            _ => None,
        }
    }

    /// Small changes of a wrong member with each of which it is proved, as text: a conclusion that speaks of one cell more,
    /// and the word that there is one solution.
    pub fn repairs(&self, technique: &Technique, args: &[u32], variant: usize) -> Vec<String> {
        let Some(variant) = technique.variants.get(variant).filter(|variant| variant.join.is_none()) else {
            return Vec::new();
        };
        let mut out = Vec::new();
        let single = |id: &VarId| variant.var(*id).shape == VarShape::Single;
        for cell in chosen(variant, Kind::Cell).into_iter().filter(single) {
            for (at, conclusion) in variant.conclusions.iter().enumerate() {
                let Some(wider) = wider(conclusion, cell) else { continue };
                let mut other = variant.clone();
                other.conclusions[at] = wider;
                if self.quickly(&other, args, technique.assumes_one_solution).is_some() {
                    let printer = Printer { variant: &other, params: &technique.params };
                    out.push(printer.conclusion(&other.conclusions[at]));
                }
            }
        }
        if !technique.assumes_one_solution && self.quickly(variant, args, true).is_some() {
            out.push("`assuming one solution` after the title".to_owned());
        }
        out
    }

    fn more_conclusions(&self, rule: Rule<'_>, printer: Printer<'_>) -> Result<Vec<Suggestion>, Refusal> {
        // Consequences of a lemma hold if its premises do.
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
                out.push(Suggestion { change: Change::Conclude, line, statement: None, every_board });
            }
        }
        Ok(out)
    }

    /// Returns true if, in some state, the conclusion has an effect that the rule lacks.
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

/// Possible conclusions about the names: placements first, then eliminations, then `some` with few cells before many.
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

/// Returns true if the first conclusion is at least as strong as the second: equal digit, no other cells.
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

/// A conclusion that speaks of one cell more: one of more candidates is true, or what is eliminated sees it too.
fn wider(conclusion: &Conclusion, cell: VarId) -> Option<Conclusion> {
    let with = |cells: &Expr| {
        let mut parts = match cells {
            Expr::Union(parts) => parts.clone(),
            one => vec![one.clone()],
        };
        let new = !parts.contains(&Expr::Var(cell));
        parts.push(Expr::Var(cell));
        new.then_some(Expr::Union(parts))
    };
    let claim = match &conclusion.claim {
        Claim::Some(Expr::In(digit, cells)) => Claim::Some(Expr::In(digit.clone(), Box::new(with(cells)?))),
        Claim::Eliminate(Expr::In(digit, cells)) => {
            let Expr::Seeing { every: true, of } = cells.as_ref() else { return None };
            let cells = Expr::Seeing { every: true, of: Box::new(with(of)?) };
            Claim::Eliminate(Expr::In(digit.clone(), Box::new(cells)))
        }
        _ => return None,
    };
    Some(Conclusion { claim, per: conclusion.per.clone() })
}

/// Position of a condition: its statement, and its index there.
type At = (usize, usize);

/// Largest sets of conditions that can be left out together, two or more, each condition in one of them if it is in any.
fn together(variant: &Variant, dropped: &[(At, String)], proved: &dyn Fn(&Variant) -> Option<bool>) -> Vec<Suggestion> {
    let mut out = Vec::new();
    let mut covered = vec![false; dropped.len()];
    for first in 0..dropped.len() {
        if covered[first] {
            continue;
        }
        let (mut set, mut every_board) = (vec![first], false);
        for next in (0..dropped.len()).filter(|next| *next != first) {
            let places: Vec<At> = set.iter().chain([&next]).map(|&one| dropped[one].0).collect();
            if let Some(holds) = proved(&without(variant, &places)) {
                set.push(next);
                every_board = holds;
            }
        }
        set.sort_unstable();
        set.iter().for_each(|&one| covered[one] = true);
        if set.len() > 1 {
            let words: Vec<&str> = set.iter().map(|&one| dropped[one].1.as_str()).collect();
            out.push(Suggestion { change: Change::Together, line: words.join("; "), statement: None, every_board });
        }
    }
    out
}

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
struct Weaker {
    change: Change,
    /// The change in words.
    line: String,
    at: At,
    variant: Variant,
}

/// The variant with one demand left out or relaxed, for each that can be.
fn weaker(printer: Printer<'_>) -> Vec<Weaker> {
    let mut out = Vec::new();
    for (index, statement) in printer.variant.body.iter().enumerate() {
        let Some(conditions) = conditions(statement) else { continue };
        for (at, condition) in conditions.iter().enumerate() {
            let mut rest = conditions.clone();
            rest.remove(at);
            let mut push = |change, words: &Condition, rest| {
                let (line, at) = (printer.condition(words), (index, at));
                out.push(Weaker { change, line, at, variant: with(printer.variant, index, rest) });
            };
            push(Change::Drop, condition, rest);
            if let Some(relaxed) = relaxed(condition) {
                let mut rest = conditions.clone();
                rest[at] = relaxed.clone();
                push(Change::Relax, &relaxed, rest);
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
