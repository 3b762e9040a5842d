//! Lowers `also in rn "…", cn "…"`, and checks that the rule can be searched in a view. A view has no boxes, so a name
//! or condition that depends on boxes is an error.

use super::LowerResult;
use super::names::Lowering;
use super::statement::TextUse;
use crate::lang::ast;
use crate::lang::codes::{NameProblem, Problem, RuleProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{
    Condition, Expr, HouseClass, Kind, LinkShape, Node, Origin, PredicateId, Space, Statement, Variant, View,
};

impl Lowering<'_> {
    pub fn views(&mut self, views: &[ast::ViewTitle]) -> LowerResult<Vec<View>> {
        for (index, view) in views.iter().enumerate() {
            if let Some(first) = views[..index].iter().find(|first| first.space.name == view.space.name) {
                let problem = NameProblem::ViewTwice { space: view.space.name.clone() };
                self.report(problem.at_both(&view.space.span, &first.space.span));
            }
        }
        self.check_all(views, |lowering, view| {
            let space = if view.space.name == "rn" { Space::Rn } else { Space::Cn };
            Ok(View { space, title: lowering.template(&view.title, TextUse::Called)? })
        })
    }

    /// Reports the first part of a rule that has no counterpart in the views.
    pub fn check_views(&self, views: &[ast::ViewTitle], variant: &Variant) {
        let Some(view) = views.first() else { return };
        let space = view.space.name.clone();
        let mut names = self.symbols.iter().filter(|symbol| symbol.origin != Origin::Index);
        let house = names.find(|symbol| matches!(symbol.kind, Some(Kind::House(class)) if !exists_in_view(class)));
        if let Some(symbol) = house {
            let problem = RuleProblem::NameNotInView { name: symbol.name.clone(), actual: symbol.description(), space };
            return self.report(problem.at_both(&view.space.span, &symbol.span));
        }
        if let Some(construct) = construct_without_counterpart(variant) {
            self.report(RuleProblem::NotInView { construct, space }.at(&view.space.span));
        }
    }
}

/// Reports a rule with views that assumes one solution. A view has no boxes, so the puzzle may have more solutions
/// there.
pub(super) fn refuse_uniqueness(item: &ast::Technique) -> Option<Diagnostic> {
    let (view, uniqueness_span) = (item.views.first()?, item.uniqueness_span.as_ref()?);
    let problem = RuleProblem::UniquenessInView { space: view.space.name.clone() };
    Some(problem.at_both(&view.space.span, uniqueness_span))
}

fn exists_in_view(class: HouseClass) -> bool {
    matches!(class, HouseClass::Row | HouseClass::Column)
}

/// Returns the first construct of a rule, besides its names, that has no counterpart in a view.
fn construct_without_counterpart(variant: &Variant) -> Option<&'static str> {
    if variant.join.is_some() {
        return Some("`join`");
    }
    let conditions = variant.step_titles.iter().filter_map(|title| title.when.as_ref()).map(Node::Condition);
    variant.nodes().chain(conditions).find_map(|node| node.find(&missing_in_views))
}

/// Returns a description of a node that has no counterpart in a view; `None` for other nodes.
fn missing_in_views(node: Node<'_>) -> Option<&'static str> {
    match node {
        Node::Statement(Statement::Graph(graph)) => Some(match graph.shape {
            LinkShape::Chain(_) => "a chain of open length",
            LinkShape::Loop(_) => "a loop",
            LinkShape::Cluster(_) => "a cluster",
            LinkShape::Ring(_) => "a ring",
        }),
        Node::Statement(Statement::Suppose(_)) => Some("a supposition"),
        Node::Condition(condition) => match condition {
            Condition::AlmostLocked(..) => Some("an `als`"),
            Condition::GivensAllow(..) => Some("`givens allow`"),
            Condition::Predicate(id, ..) => match id {
                PredicateId::InOneHouse(class) if !exists_in_view(*class) => Some("`in one` box, line or house"),
                PredicateId::InOneHouse(_) | PredicateId::Conjugate => None,
                PredicateId::Group => Some("a `group`"),
                PredicateId::Closed | PredicateId::ClosedBetween => Some("`closed`"),
            },
            _ => None,
        },
        Node::Expr(expr) => match expr {
            Expr::AllHouses(class) | Expr::HousesOf(class, _) if !exists_in_view(*class) => {
                Some("boxes, lines or all houses")
            }
            Expr::InNoTemplate(_) => Some("templates and combinations"),
            Expr::InEveryTemplate(_) => Some("templates"),
            Expr::Excluded { .. } => Some("`excluded by`"),
            _ => None,
        },
        Node::Statement(_) | Node::Conclusion(_) | Node::Name(..) => None,
    }
}
