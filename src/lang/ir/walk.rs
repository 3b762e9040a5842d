//! The walk over what a rule says. In: a part of a rule. Out: visits of everything inside it, down to the names.

use super::{Cases, Choose, Claim, Conclusion, Condition, Expr, InferenceMethods, Literal, Statement, VarId, Variant};

/// A part of a rule.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    /// A line of its pattern.
    Statement(&'a Statement),
    /// A conclusion.
    Conclusion(&'a Conclusion),
    /// A condition.
    Condition(&'a Condition),
    /// An expression.
    Expr(&'a Expr),
    /// A name, and what happens to it there.
    Name(VarId, Mention),
}

/// A role of a name where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// Gets its value.
    Binds,
    /// Runs over a set.
    Runs,
    /// Refers to the name. A condition such as `= {x, y}` may bind it.
    Uses,
}

impl Variant {
    /// Returns the parts that decide on a match: lines of the pattern, then conclusions.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        self.body.iter().map(Node::Statement).chain(self.conclusions.iter().map(Node::Conclusion))
    }
}

impl<'a> Node<'a> {
    /// Visits the node and everything inside it, from left to right; goes inside a node only if `enter` returns true.
    pub fn walk(self, enter: &mut dyn FnMut(Node<'a>) -> bool) {
        if !enter(self) {
            return;
        }
        match self {
            Node::Statement(statement) => inside_statement(statement, enter),
            Node::Conclusion(Conclusion { claim, for_each }) => {
                match claim {
                    Claim::Some(noun) | Claim::Eliminate(noun) | Claim::Place(noun) => Node::Expr(noun).walk(enter),
                    Claim::Links { of, .. } => uses([*of], enter),
                }
                each(for_each.as_ref(), enter);
            }
            Node::Condition(condition) => {
                condition.exprs().into_iter().for_each(|expr| Node::Expr(expr).walk(enter));
                match condition {
                    Condition::Exactly(_, members) => uses(members.iter().copied(), enter),
                    Condition::ForAll(index, ..) | Condition::Exists(index, ..) => {
                        Node::Name(*index, Mention::Runs).walk(enter);
                    }
                    _ => {}
                }
                condition.parts().into_iter().for_each(|part| Node::Condition(part).walk(enter));
            }
            Node::Expr(expr) => {
                expr.children().into_iter().for_each(|child| Node::Expr(child).walk(enter));
                match expr {
                    Expr::Var(name) => uses([*name], enter),
                    Expr::Member(family, index) => uses([*family, *index], enter),
                    Expr::Filter { var, when, .. } => {
                        Node::Name(*var, Mention::Runs).walk(enter);
                        Node::Condition(when).walk(enter);
                    }
                    _ => {}
                }
            }
            Node::Name(..) => {}
        }
    }

    /// Returns the first answer that is given for the node or for a part of it.
    pub fn find<T>(self, ask: &dyn Fn(Node<'a>) -> Option<T>) -> Option<T> {
        let mut found = None;
        self.walk(&mut |node| {
            found = found.take().or_else(|| ask(node));
            found.is_none()
        });
        found
    }

    /// Returns true if `is` holds for the node or a part of it.
    pub fn has(self, is: &dyn Fn(Node<'a>) -> bool) -> bool {
        self.find(&|node| is(node).then_some(())).is_some()
    }

    /// Returns the names that are used inside, without those that run over sets there; some may stand several times.
    pub fn names(self) -> Vec<VarId> {
        let (mut used, mut running) = (Vec::new(), Vec::new());
        self.walk(&mut |node| {
            match node {
                Node::Name(name, Mention::Uses) => used.push(name),
                Node::Name(name, Mention::Runs) => running.push(name),
                _ => {}
            }
            true
        });
        used.retain(|name| !running.contains(name));
        used
    }
}

fn inside_statement<'a>(statement: &'a Statement, enter: &mut dyn FnMut(Node<'a>) -> bool) {
    match statement {
        Statement::Choose(Choose { var, size, for_each, such_that }) => {
            Node::Name(*var, Mention::Binds).walk(enter);
            if let Some((low, high)) = size {
                [Some(low), high.as_ref()].into_iter().flatten().for_each(|number| Node::Expr(number).walk(enter));
            }
            each(for_each.as_ref(), enter);
            such_that.iter().for_each(|condition| Node::Condition(condition).walk(enter));
        }
        Statement::Let { var, value } => {
            Node::Name(*var, Mention::Binds).walk(enter);
            Node::Expr(value).walk(enter);
        }
        Statement::Require(condition) => Node::Condition(condition).walk(enter),
        Statement::Trail(trail) => uses(trail.names(), enter),
        Statement::Graph(graph) => {
            graph.digits.iter().for_each(|on| Node::Expr(on).walk(enter));
            graph.names().into_iter().for_each(|name| Node::Name(name, Mention::Binds).walk(enter));
        }
        Statement::Suppose(suppose) => {
            match &suppose.cases {
                Cases::Candidate(name) | Cases::Not(name) | Cases::Either(name) => uses([*name], enter),
                Cases::Literal(Literal { holds, fails }) => uses([*holds, *fails], enter),
                Cases::Each(noun) => Node::Expr(noun).walk(enter),
            }
            if let InferenceMethods::Links { digits: on, .. } | InferenceMethods::Singles { digits: on } =
                &suppose.methods
            {
                on.iter().for_each(|on| Node::Expr(on).walk(enter));
            }
            let implied = suppose.shows.literal().into_iter().flat_map(|literal| [literal.holds, literal.fails]);
            implied.for_each(|name| Node::Name(name, Mention::Binds).walk(enter));
        }
    }
}

/// Visits the loop of `for d in D`.
fn each<'a>(per: Option<&'a (VarId, Expr)>, enter: &mut dyn FnMut(Node<'a>) -> bool) {
    if let Some((index, of)) = per {
        Node::Name(*index, Mention::Runs).walk(enter);
        Node::Expr(of).walk(enter);
    }
}

fn uses<'a>(names: impl IntoIterator<Item = VarId>, enter: &mut dyn FnMut(Node<'a>) -> bool) {
    names.into_iter().for_each(|name| Node::Name(name, Mention::Uses).walk(enter));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::ir::{CaseResult, Graph, LinkShape, Ring, Suppose, WeakLinks};

    fn var(id: usize) -> Expr {
        Expr::Var(VarId(id))
    }

    fn names(statement: &Statement) -> Vec<usize> {
        Node::Statement(statement).names().into_iter().map(|name| name.0).collect()
    }

    #[test]
    fn running_names_are_not_used() {
        let when = Condition::Exists(VarId(2), var(3), Box::new(Condition::Equal(var(2), var(1))));
        let those = Expr::Filter { var: VarId(1), of: Box::new(var(4)), when: Box::new(when) };
        assert_eq!(names(&Statement::Let { var: VarId(0), value: those }), [4, 3]);
    }

    #[test]
    fn sizes_and_loops_of_choices_are_visited() {
        let size = Some((Expr::Count(Box::new(var(1))), Some(var(2))));
        let such_that = vec![Condition::Exactly(var(5), vec![VarId(6)])];
        let choose = Choose { var: VarId(0), size, for_each: Some((VarId(3), var(4))), such_that };
        assert_eq!(names(&Statement::Choose(choose)), [1, 2, 4, 5, 6]);
    }

    #[test]
    fn digits_of_patterns_and_suppositions_are_visited() {
        let ring = LinkShape::Ring(Ring { name: VarId(0), low: 3, guardians: VarId(1) });
        assert_eq!(names(&Statement::Graph(Graph { digits: Some(var(2)), strong: vec![], shape: ring })), [2]);
        let by = InferenceMethods::Links { digits: Some(var(4)), strong: vec![], weak: WeakLinks::Any, most: None };
        let suppose = Suppose { cases: Cases::Each(var(3)), methods: by, shows: CaseResult::Contradiction };
        assert_eq!(names(&Statement::Suppose(suppose)), [3, 4]);
    }

    #[test]
    fn nothing_is_visited_inside_of_a_refused_node() {
        let condition = Condition::And(vec![Condition::Some(var(0)), Condition::Not(Box::new(Condition::No(var(1))))]);
        let mut seen = Vec::new();
        Node::Condition(&condition).walk(&mut |node| {
            if let Node::Name(name, _) = node {
                seen.push(name.0);
            }
            !matches!(node, Node::Condition(Condition::Not(_)))
        });
        assert_eq!(seen, [0]);
    }
}
