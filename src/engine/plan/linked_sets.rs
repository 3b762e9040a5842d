//! Rules that put two or three almost locked sets in a row. In: the choices of a rule whose two ends share a target.
//! Out: the same choices, left to the sets that can be in such a row at all: to know that of all sets at once takes less
//! than to try them.

use super::compile::Compiler;
use super::constraints::differ;
use super::instr::{Instr, Reg};
use super::operators::{Choice, Next};
use super::program::{AlsFilter, TripleRole};
use super::targets::TargetPlan;
use crate::lang::ir::{Condition, Expr, Quantifier, VarId};

/// A digit that links two sets: it is in both, and all its places in one see all those in the other.
struct Link {
    digit: VarId,
    sets: [VarId; 2],
}

/// Adds filters to the choices of the rule.
pub(super) fn prepare(compiler: &mut Compiler<'_>) {
    let links = links(compiler);
    in_a_row(compiler, &links);
    doubly_linked(compiler, &links);
}

/// Of two sets that are linked twice, the one that is chosen first must be linked twice to some set.
fn doubly_linked(compiler: &mut Compiler<'_>, links: &[Link]) {
    for (at, link) in links.iter().enumerate() {
        let same = |other: &&Link| other.sets == link.sets || other.sets == [link.sets[1], link.sets[0]];
        let apart = |other: &&Link| differ(compiler.builder.variant, link.digit, other.digit);
        let Some(other) = links[at + 1..].iter().filter(same).find(apart) else { continue };
        let [a, b] = link.sets;
        let (Some(one), Some(two)) = (compiler.locked_of(a), compiler.locked_of(b)) else { continue };
        let first = if one < two { a } else { b };
        let values = [link.digit, other.digit].map(|digit| compiler.builder.value_of(digit).ok());
        let [Some(x), Some(y)] = values else { continue };
        if compiler.has_value(x, first) && compiler.has_value(y, first) {
            let later = compiler.builder.program.locked[one.max(two)].filters.contains(&AlsFilter::After(one.min(two)));
            let filter = AlsFilter::DoublyLinked { digits: [x, y], later };
            compiler.builder.program.locked[one.min(two)].filters.push(filter);
        }
    }
}

/// Two sets that share a target, linked to each other or to one between.
fn in_a_row(compiler: &mut Compiler<'_>, links: &[Link]) {
    let plan = TargetPlan::of(compiler.builder.variant);
    let Some((digit, [Expr::Var(a), Expr::Var(b)])) = plan.wanted() else { return };
    let (a, b) = (*a, *b);
    let has = |set: VarId| compiler.has(digit, set);
    if !super::sorts::differ(compiler.constraints, a, b) || !has(a) || !has(b) {
        return;
    }
    let leads = |link: &Link, from: VarId| link.sets.iter().position(|&set| set == from).map(|at| link.sets[1 - at]);
    let apart = |x: VarId, y: VarId| differ(compiler.builder.variant, x, y);
    let direct = links.iter().any(|link| leads(link, a) == Some(b) && apart(link.digit, digit));
    let middle = links.iter().find_map(|first| {
        let middle = leads(first, a).filter(|&middle| middle != b && apart(first.digit, digit))?;
        let second = |link: &&Link| leads(link, b) == Some(middle) && apart(link.digit, digit);
        links.iter().filter(second).any(|second| apart(first.digit, second.digit)).then_some(middle)
    });
    let Ok(value) = compiler.builder.value_of(digit) else { return };
    let mut found = Vec::new();
    for end in [a, b] {
        let known = compiler.has_value(value, end);
        if direct && known {
            found.push((end, TripleRole::Linked(value)));
        }
        if middle.is_some() {
            found.push((end, if known { TripleRole::Apart(value) } else { TripleRole::End }));
        }
    }
    found.extend(middle.map(|middle| (middle, TripleRole::Middle)));
    for (set, part) in found {
        if let Some(locked) = compiler.locked_of(set) {
            compiler.builder.program.locked[locked].filters.push(AlsFilter::Triple(part));
        }
    }
}

/// All links between almost locked sets of one sort.
fn links(compiler: &Compiler<'_>) -> Vec<Link> {
    let every = |side: &crate::lang::ir::Operand| side.quantifier == Quantifier::Every;
    let link = |condition: &Condition| {
        let Condition::Sees(x, y) = condition else { return None };
        let ((digit, p), (same, q)) = (digit_and_set(&x.cells)?, digit_and_set(&y.cells)?);
        let sorts = [p, q].map(|set| super::sorts::sort(&compiler.constraints.list, set));
        let fits = digit == same && p != q && sorts[0].is_some() && sorts[0] == sorts[1];
        (fits && every(x) && every(y) && compiler.has(digit, p) && compiler.has(digit, q))
            .then_some(Link { digit, sets: [p, q] })
    };
    compiler.constraints.list.iter().filter_map(|one| link(&one.condition)).collect()
}

/// Returns d and S of `cells(d in S)`.
pub(super) fn digit_and_set(expr: &Expr) -> Option<(VarId, VarId)> {
    let Expr::CellsOf(noun) = expr else { return None };
    let Expr::CandidatesIn(digit, set) = noun.as_ref() else { return None };
    digit.as_var().zip(set.as_var())
}

impl Compiler<'_> {
    /// Whether the rule says that a set has a digit.
    pub(super) fn has(&self, digit: VarId, set: VarId) -> bool {
        let noun = Expr::CandidatesIn(Box::new(Expr::Var(digit)), Box::new(Expr::Var(set)));
        self.constraints.list.iter().any(|one| one.condition == Condition::NotEmpty(noun.clone()))
    }

    /// Whether a value is chosen before the set of a name.
    fn has_value(&self, wanted: Reg, set: VarId) -> bool {
        let code = &self.builder.program.code;
        let Some(choice) = self.locked_of(set) else { return false };
        let at = |of: &dyn Fn(&Instr) -> bool| code.iter().position(of);
        let chosen = at(&|instr| matches!(instr, Instr::Next { of: Next::Each { value, .. }, .. } if *value == wanted));
        let start = at(&|instr| matches!(instr, Instr::Start(Choice::Locked { locked }) if *locked == choice));
        chosen.zip(start).is_some_and(|(chosen, start)| chosen < start)
    }
}
