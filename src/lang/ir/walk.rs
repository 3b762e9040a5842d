//! A walk over everything in a rule, down to the names.

use super::{Cases, Choose, Claim, Conclusion, Condition, Expr, InferenceMethods, Literal, Statement, VarId, Variant};

/// A part of a rule that a walk visits.
#[derive(Clone, Copy, Debug)]
pub enum Node<'a> {
    Statement(&'a Statement),
    Conclusion(&'a Conclusion),
    Condition(&'a Condition),
    Expr(&'a Expr),
    Name(VarId, Mention),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mention {
    /// The name gets its value.
    Binds,
    /// The name is declared as a loop variable.
    Runs,
    /// The name is used. A condition such as `= {x, y}` may also bind the name.
    Uses,
}

/// The callback of a walk. The callback returns true if the walk should visit the inside of the node.
type Visitor<'v, 'a> = &'v mut dyn FnMut(Node<'a>) -> bool;

impl Variant {
    /// Returns the parts that decide on a match: the lines of the pattern, followed by the conclusions.
    pub fn nodes(&self) -> impl Iterator<Item = Node<'_>> {
        self.body.iter().map(Node::Statement).chain(self.conclusions.iter().map(Node::Conclusion))
    }
}

impl<'a> Node<'a> {
    /// Visits the node, then everything inside it from left to right. Skips the inside of a node for which `enter`
    /// returns false.
    pub fn walk(self, enter: Visitor<'_, 'a>) {
        if !enter(self) {
            return;
        }
        match self {
            Node::Statement(statement) => walk_statement(statement, enter),
            Node::Conclusion(Conclusion { claim, for_each }) => {
                match claim {
                    Claim::SomeTrue(candidates) | Claim::Eliminate(candidates) | Claim::Place(candidates) => {
                        Node::Expr(candidates).walk(enter);
                    }
                    Claim::Links { loop_name, .. } => walk_names([*loop_name], Mention::Uses, enter),
                }
                walk_for_clause(for_each.as_ref(), enter);
            }
            Node::Condition(condition) => {
                for expr in condition.exprs() {
                    Node::Expr(expr).walk(enter);
                }
                match condition {
                    Condition::Exactly(_, members) => walk_names(members.iter().copied(), Mention::Uses, enter),
                    Condition::ForAll(index, ..) | Condition::Exists(index, ..) => {
                        walk_names([*index], Mention::Runs, enter);
                    }
                    _ => {}
                }
                for part in condition.parts() {
                    Node::Condition(part).walk(enter);
                }
            }
            Node::Expr(expr) => {
                for child in expr.children() {
                    Node::Expr(child).walk(enter);
                }
                match expr {
                    Expr::Var(name) => walk_names([*name], Mention::Uses, enter),
                    Expr::Member(family, index) => walk_names([*family, *index], Mention::Uses, enter),
                    Expr::Filter { var, condition, .. } => {
                        walk_names([*var], Mention::Runs, enter);
                        Node::Condition(condition).walk(enter);
                    }
                    _ => {}
                }
            }
            Node::Name(..) => {}
        }
    }

    /// Returns the first `Some` that `ask` returns for the node or a part of the node.
    pub fn find<T>(self, ask: &dyn Fn(Node<'a>) -> Option<T>) -> Option<T> {
        let mut answer = None;
        self.walk(&mut |node| {
            if answer.is_none() {
                answer = ask(node);
            }
            answer.is_none()
        });
        answer
    }

    /// Returns true if `predicate` holds for the node or a part of the node.
    pub fn has(self, predicate: &dyn Fn(Node<'a>) -> bool) -> bool {
        self.find(&|node| predicate(node).then_some(())).is_some()
    }

    /// Returns the names that are used inside the node, possibly repeated, without loop variables of the node.
    pub fn names(self) -> Vec<VarId> {
        let mut names = Vec::new();
        let mut loop_vars = Vec::new();
        self.walk(&mut |node| {
            match node {
                Node::Name(name, Mention::Uses) => names.push(name),
                Node::Name(name, Mention::Runs) => loop_vars.push(name),
                _ => {}
            }
            true
        });
        names.retain(|name| !loop_vars.contains(name));
        names
    }
}

fn walk_statement<'a>(statement: &'a Statement, enter: Visitor<'_, 'a>) {
    match statement {
        Statement::Choose(Choose { var, size, for_each, such_that }) => {
            walk_names([*var], Mention::Binds, enter);
            if let Some((low, high)) = size {
                for bound in std::iter::once(low).chain(high) {
                    Node::Expr(bound).walk(enter);
                }
            }
            walk_for_clause(for_each.as_ref(), enter);
            for condition in such_that {
                Node::Condition(condition).walk(enter);
            }
        }
        Statement::Let { var, value } => {
            walk_names([*var], Mention::Binds, enter);
            Node::Expr(value).walk(enter);
        }
        Statement::Require(condition) => Node::Condition(condition).walk(enter),
        Statement::FixedChain(chain) => walk_names(chain.names(), Mention::Uses, enter),
        Statement::Graph(graph) => {
            if let Some(digits) = &graph.digits {
                Node::Expr(digits).walk(enter);
            }
            walk_names(graph.names(), Mention::Binds, enter);
        }
        Statement::Suppose(suppose) => {
            match &suppose.cases {
                Cases::Candidate(name) | Cases::Not(name) | Cases::Either(name) => {
                    walk_names([*name], Mention::Uses, enter);
                }
                Cases::Literal(Literal { holds, fails }) => walk_names([*holds, *fails], Mention::Uses, enter),
                Cases::Each(candidates) => Node::Expr(candidates).walk(enter),
            }
            if let InferenceMethods::Links { digits: Some(digits), .. }
            | InferenceMethods::Singles { digits: Some(digits) } = &suppose.methods
            {
                Node::Expr(digits).walk(enter);
            }
            if let Some(Literal { holds, fails }) = suppose.shows.literal() {
                walk_names([holds, fails], Mention::Binds, enter);
            }
        }
    }
}

fn walk_for_clause<'a>(for_each: Option<&'a (VarId, Expr)>, enter: Visitor<'_, 'a>) {
    if let Some((index, set)) = for_each {
        walk_names([*index], Mention::Runs, enter);
        Node::Expr(set).walk(enter);
    }
}

fn walk_names<'a>(names: impl IntoIterator<Item = VarId>, mention: Mention, enter: Visitor<'_, 'a>) {
    for name in names {
        Node::Name(name, mention).walk(enter);
    }
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
    fn loop_variables_are_not_used() {
        let condition = Condition::Exists(VarId(2), var(3), Box::new(Condition::Equal(var(2), var(1))));
        let filter = Expr::Filter { var: VarId(1), set: Box::new(var(4)), condition: Box::new(condition) };
        assert_eq!(names(&Statement::Let { var: VarId(0), value: filter }), [4, 3]);
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
        let methods =
            InferenceMethods::Links { digits: Some(var(4)), strong: vec![], weak: WeakLinks::Any, most: None };
        let suppose = Suppose { cases: Cases::Each(var(3)), methods, shows: CaseResult::Contradiction };
        assert_eq!(names(&Statement::Suppose(suppose)), [3, 4]);
    }

    #[test]
    fn nothing_is_visited_inside_of_a_refused_node() {
        let condition =
            Condition::And(vec![Condition::NotEmpty(var(0)), Condition::Not(Box::new(Condition::No(var(1))))]);
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
