//! `also in rn "…", cn "…"`. In: the header and a checked rule. Out: the views it is searched in, or what it speaks
//! of that has no image there: boxes, and whatever counts on them.

use super::LowerResult;
use super::names::Lowering;
use super::statement::TextUse;
use crate::lang::ast;
use crate::lang::codes::{NameProblem, Problem, RuleProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Condition, Expr, HouseClass, Kind, LinkShape, Node, Origin, PredicateId, Space, Statement};
use crate::lang::ir::{Variant, View};

impl Lowering<'_> {
    /// The views of a header.
    pub fn views(&mut self, views: &[ast::ViewTitle]) -> LowerResult<Vec<View>> {
        for (at, view) in views.iter().enumerate() {
            if let Some(first) = views[..at].iter().find(|first| first.space.name == view.space.name) {
                let problem = NameProblem::ViewTwice { space: view.space.name.clone() };
                self.note(problem.at_both(&view.space.span, &first.space.span));
            }
        }
        self.each_of(views, |rule, view| {
            let space = if view.space.name == "rn" { Space::Rn } else { Space::Cn };
            Ok(View { space, title: rule.template(&view.title, TextUse::Called)? })
        })
    }

    /// Reports the first thing of a rule that another view does not have.
    pub fn check_views(&mut self, views: &[ast::ViewTitle], variant: &Variant) {
        let Some(view) = views.first() else { return };
        let place = view.space.span.clone();
        let space = view.space.name.clone();
        let mut names = self.symbols.iter().filter(|symbol| symbol.origin != Origin::Index);
        if let Some(symbol) = names.find(|symbol| matches!(symbol.kind, Some(Kind::House(class)) if is_lost(class))) {
            let problem = RuleProblem::NameNotInView { name: symbol.name.clone(), what: symbol.what(), space };
            return self.note(problem.at_both(&place, &symbol.span.clone()));
        }
        if let Some(what) = lost(variant) {
            self.note(RuleProblem::NotInView { what, space }.at(&place));
        }
    }
}

/// A view knows rows and columns only, and what has one solution is the puzzle with all its houses.
pub(super) fn alone_in_views(item: &ast::Technique) -> Option<Diagnostic> {
    let (view, assuming) = (item.views.first()?, item.assuming.as_ref()?);
    let problem = RuleProblem::UniquenessInView { space: view.space.name.clone() };
    Some(problem.at_both(&view.space.span, assuming))
}

/// Returns true if houses of a class have no image in another view.
fn is_lost(class: HouseClass) -> bool {
    !matches!(class, HouseClass::Row | HouseClass::Column)
}

/// Returns the first part of a rule, besides its names, that has no image in a view.
fn lost(variant: &Variant) -> Option<&'static str> {
    if variant.join.is_some() {
        return Some("`join`");
    }
    let called = variant.step_titles.iter().filter_map(|called| called.when.as_ref()).map(Node::Condition);
    variant.nodes().chain(called).find_map(|node| node.find(&without_image))
}

/// Names a part that has no image in another view.
fn without_image(node: Node<'_>) -> Option<&'static str> {
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
                PredicateId::InOneHouse(class) if is_lost(*class) => Some("`in one` box, line or house"),
                PredicateId::InOneHouse(_) | PredicateId::Conjugate => None,
                PredicateId::Group => Some("a `group`"),
                PredicateId::Closed | PredicateId::ClosedBetween => Some("`closed`"),
            },
            _ => None,
        },
        Node::Expr(expr) => match expr {
            Expr::AllHouses(class) | Expr::HousesOf(class, _) if is_lost(*class) => Some("boxes, lines or all houses"),
            Expr::InNoTemplate(_) => Some("templates and combinations"),
            Expr::InEveryTemplate(_) => Some("templates"),
            Expr::Excluded { .. } => Some("`excluded by`"),
            _ => None,
        },
        Node::Statement(_) | Node::Conclusion(_) | Node::Name(..) => None,
    }
}
