//! Rules that speak of the candidates of one digit alone. In: a variant. Out: the name of the digit, if it is such a
//! rule.
//!
//! Such a rule knows nothing but where the digit can stand. If it is sound, all that it eliminates is in no
//! template of the digit, for any template could be part of the solution.

use crate::lang::ir::{
    Claim, Condition, Expr, Graph, Kind, LinkSource, Node, Origin, PredicateId, Statement, VarId, VarShape, Variant,
};

/// With this many names to choose, a search costs more than the templates of a digit.
const MANY: usize = 4;

/// The one digit that a rule speaks of, and whether it may place it. Of a rule that is searched in no time there is none.
pub(super) fn of(variant: &Variant, sources: &[LinkSource]) -> Option<(VarId, bool)> {
    if !is_dear(variant) {
        return None;
    }
    let mut digits = (0..variant.vars.len()).map(VarId).filter(|&name| variant.var(name).kind == Kind::Digit);
    let (Some(digit), None) = (digits.next(), digits.next()) else { return None };
    let declared = variant.var(digit);
    let graphs = variant.body.iter().any(|one| one.graph().is_some());
    let kinds = variant.vars.iter().all(|var| var.kind != Kind::Candidate || var.origin != Origin::Chosen);
    let single = declared.shape == VarShape::Single && matches!(declared.origin, Origin::Chosen | Origin::Pattern);
    let only = Only { digit, sources };
    let body = variant.body.iter().all(|statement| only.statement(statement));
    let claims = variant.conclusions.iter().all(|one| only.speaks(Node::Conclusion(one)));
    // What excludes all candidates of a pattern may be another digit, where the digit is certain.
    let places = graphs || variant.conclusions.iter().any(|one| !matches!(one.claim, Claim::Eliminate(_)));
    (kinds && single && body && claims).then_some((digit, places))
}

/// Whether a search costs more than a few loops over cells and houses.
fn is_dear(variant: &Variant) -> bool {
    let sets = |one: &Statement| match one {
        Statement::Choose(choose) => choose.size.is_some(),
        Statement::FixedChain(_) => true,
        other => other.graph().is_some(),
    };
    let chosen = variant.vars.iter().filter(|var| var.origin == Origin::Chosen).count();
    chosen >= MANY || variant.body.iter().any(sets)
}

struct Only<'s> {
    digit: VarId,
    sources: &'s [LinkSource],
}

impl Only<'_> {
    fn statement(&self, statement: &Statement) -> bool {
        match statement {
            Statement::Choose(choose) => choose.for_each.is_none() && self.speaks(Node::Statement(statement)),
            Statement::Let { .. } | Statement::Require(_) => self.speaks(Node::Statement(statement)),
            Statement::FixedChain(trail) => {
                trail.nodes.iter().all(|node| node.digit == self.digit)
                    && trail.nodes.windows(2).all(|pair| pair[0].cells != pair[1].cells)
            }
            Statement::Suppose(_) => false,
            Statement::Graph(graph) => self.graph(graph),
        }
    }

    /// Whether the nodes of a pattern have just the digit, and so do those that its sources speak of.
    fn graph(&self, graph: &Graph) -> bool {
        let source = |id: &String| self.sources.iter().find(|source| source.id == *id);
        graph.digits == Some(Expr::Var(self.digit))
            && graph.strong.iter().all(|id| source(id).is_some_and(|one| self.source(one)))
    }

    fn source(&self, source: &LinkSource) -> bool {
        let mut digits =
            (0..source.pattern.vars.len()).map(VarId).filter(|&name| source.pattern.var(name).kind == Kind::Digit);
        let (Some(digit), None) = (digits.next(), digits.next()) else { return false };
        let only = Only { digit, sources: self.sources };
        source.pattern.body.iter().all(|statement| only.statement(statement))
    }

    /// Returns true if every part of a node speaks of this digit only.
    fn speaks(&self, node: Node<'_>) -> bool {
        !node.has(&|part| match part {
            Node::Condition(condition) => matches!(
                condition,
                Condition::AlmostLocked(..)
                    | Condition::Predicate(PredicateId::Closed | PredicateId::ClosedBetween, ..)
                    | Condition::GivensAllow(..)
            ),
            Node::Expr(Expr::AllDigits | Expr::Digits(_) | Expr::Values(_)) => true,
            Node::Expr(Expr::InNoTemplate(of) | Expr::InEveryTemplate(of)) => **of != Expr::Var(self.digit),
            _ => false,
        })
    }
}
