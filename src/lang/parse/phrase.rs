//! Expressions and conditions. In: parse tree nodes. Out: their syntax trees. `None` only where the grammar
//! and this file disagree.

use super::grammar::{Node, Rule};
use crate::lang::ast::{
    Binary, Clause, Comparison, Condition, Determiner, Each, Element, Expr, ExprKind, Ident, Noun, Operator, Predicate,
    Price, Relation, Span, Those,
};

/// Builds trees from nodes of a text that begins at a byte of the file.
#[derive(Clone, Copy)]
pub struct Builder {
    pub offset: usize,
}

impl Builder {
    pub fn span(self, node: &Node) -> Span {
        let span = node.as_span();
        // A rule that ends in optional parts takes the blanks before them along.
        let end = span.start() + node.as_str().trim_end().len();
        self.offset + span.start()..self.offset + end
    }

    pub fn ident(self, node: &Node) -> Ident {
        Ident { name: node.as_str().trim().to_owned(), span: self.span(node) }
    }

    pub fn number(self, node: &Node) -> Option<u32> {
        node.as_str().parse().ok()
    }

    pub fn price(self, node: Node) -> Option<Price> {
        let value = self.sum(inner(node.clone(), Rule::sum).next()?)?;
        let when = inner(node, Rule::condition).next().map(|node| self.condition(node)).transpose_()?;
        Some(Price { value, when })
    }

    pub fn noun(self, node: Node) -> Option<Noun> {
        let span = self.span(&node);
        let elements = inner(node, Rule::element).map(|node| self.element(node)).collect::<Option<_>>()?;
        Some(Noun { span, elements })
    }

    pub fn element(self, node: Node) -> Option<Element> {
        let span = self.span(&node);
        let mut sums = inner(node, Rule::sum);
        let left = self.sum(sums.next()?)?;
        let place = sums.next().map(|node| self.sum(node)).transpose_()?;
        Some(Element { span, left, place })
    }

    pub fn sum(self, node: Node) -> Option<Expr> {
        let span = self.span(&node);
        let mut parts = node.into_inner();
        let first = self.atom(parts.next()?)?;
        let mut rest = Vec::new();
        while let Some(sign) = parts.next() {
            let operator = match sign.as_str().trim() {
                "+" => Operator::Plus,
                "-" => Operator::Minus,
                _ => Operator::And,
            };
            rest.push(Binary { operator, sign: self.span(&sign), right: self.atom(parts.next()?)? });
        }
        if rest.is_empty() { Some(first) } else { Some(Expr { span, kind: ExprKind::Chain(Box::new(first), rest) }) }
    }

    /// An `atom`, or what stands inside of one.
    pub fn atom(self, node: Node) -> Option<Expr> {
        let span = self.span(&node);
        let kind = match node.as_rule() {
            Rule::atom => return self.atom(node.into_inner().next()?),
            Rule::number => ExprKind::Number(self.number(&node)?),
            Rule::variable => self.variable(node)?,
            Rule::set => ExprKind::Set(inner(node, Rule::sum).map(|node| self.sum(node)).collect::<Option<_>>()?),
            Rule::count => {
                let what = node.into_inner().find(|node| node.as_rule() != Rule::hash)?;
                ExprKind::Count(Box::new(self.atom(what)?))
            }
            Rule::paren => {
                let inside = node.into_inner().find(|node| matches!(node.as_rule(), Rule::those | Rule::condition))?;
                match inside.as_rule() {
                    Rule::those => ExprKind::Those(Box::new(self.those(inside)?)),
                    _ => ExprKind::Paren(Box::new(self.condition(inside)?)),
                }
            }
            Rule::call => {
                let mut parts = node.into_inner();
                let function = self.ident(&parts.next()?);
                let arguments = parts.find(|node| node.as_rule() == Rule::arguments)?;
                ExprKind::Call(function, Box::new(self.noun(arguments.into_inner().next()?)?))
            }
            Rule::seeing => self.seeing(node)?,
            Rule::excluded => {
                let (_, determiner, by) = self.seen(node)?;
                ExprKind::Excluded(determiner, by)
            }
            _ => return None,
        };
        Some(Expr { span, kind })
    }

    fn those(self, node: Node) -> Option<Those> {
        let (mut index, mut over, mut when, mut each) = (None, None, None, Vec::new());
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::name => index = Some(self.ident(&part)),
                Rule::sum => over = Some(self.sum(part)?),
                Rule::condition => when = Some(self.condition(part)?),
                Rule::each => each.push(self.each(part)?),
                _ => {}
            }
        }
        Some(Those { index: index?, over: over?, when: when?, each })
    }

    /// `those c in X with C` after `let n =`.
    pub fn those_alone(self, node: Node) -> Option<Noun> {
        let span = self.span(&node);
        let left = Expr { span: span.clone(), kind: ExprKind::Those(Box::new(self.those(node)?)) };
        Some(Noun { span: span.clone(), elements: vec![Element { span, left, place: None }] })
    }

    fn variable(self, node: Node) -> Option<ExprKind> {
        let (name, index) = self.name_and_index(node)?;
        Some(match index {
            Some(index) => ExprKind::Member(name, index),
            None => ExprKind::Name(name),
        })
    }

    pub fn name_and_index(self, node: Node) -> Option<(Ident, Option<Ident>)> {
        let mut parts = node.into_inner();
        let name = self.ident(&parts.next()?);
        let index = parts.find(|node| node.as_rule() == Rule::index).and_then(|node| node.into_inner().next());
        Some((name, index.map(|node| self.ident(&node))))
    }

    fn seeing(self, node: Node) -> Option<ExprKind> {
        let (word, determiner, seen) = self.seen(node)?;
        Some(ExprKind::Seeing(word?, determiner, seen))
    }

    /// The first word, if it is a name, and what follows `seeing` or `excluded by`.
    fn seen(self, node: Node) -> Option<Seen> {
        let (mut word, mut determiner, mut seen) = (None, None, Vec::new());
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::name => word = Some(self.ident(&part)),
                Rule::determiner => determiner = Some(self.determiner(&part)),
                Rule::seen => {
                    let span = self.span(&part);
                    let mut atoms = inner(part, Rule::atom);
                    let left = self.atom(atoms.next()?)?;
                    let place = atoms.next().map(|node| self.atom(node)).transpose_()?;
                    seen.push(Element { span, left, place });
                }
                _ => {}
            }
        }
        Some((word, determiner, seen))
    }

    pub fn determiner(self, node: &Node) -> (Determiner, Span) {
        let determiner = match node.as_str().trim() {
            "every" => Determiner::Every,
            "some" => Determiner::Some,
            _ => Determiner::No,
        };
        (determiner, self.span(node))
    }

    pub fn condition(self, node: Node) -> Option<Condition> {
        let (mut parts, mut and, mut or) = (Vec::new(), None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::conjunct => parts.push(self.conjunct(part)?),
                _ if part.as_str().trim() == "and" => and = and.or(Some(self.span(&part))),
                _ => or = or.or(Some(self.span(&part))),
            }
        }
        match (and, or) {
            (Some(and), Some(or)) => Some(Condition::Mixed(and, or)),
            (Some(_), None) => Some(Condition::And(parts)),
            (None, Some(_)) => Some(Condition::Or(parts)),
            (None, None) => parts.pop(),
        }
    }

    fn conjunct(self, node: Node) -> Option<Condition> {
        let (mut not, mut clause) = (None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::k_not => not = Some(self.span(&part)),
                Rule::linked_by => {
                    let determiner = self.determiner(&inner(part.clone(), Rule::determiner).next()?);
                    let source = self.ident(&inner(part, Rule::name).next()?);
                    clause = Some(Condition::LinkedBy(determiner, source));
                }
                Rule::allowed => clause = Some(Condition::GivensAllow(self.element(part)?)),
                _ => clause = Some(Condition::Clause(Box::new(self.clause(part)?))),
            }
        }
        let clause = clause?;
        Some(match not {
            Some(span) => Condition::Not(Box::new(clause), span),
            None => clause,
        })
    }

    fn clause(self, node: Node) -> Option<Clause> {
        let span = self.span(&node);
        let (mut determiner, mut subject, mut predicate) = (None, None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::determiner => determiner = Some(self.determiner(&part)),
                Rule::noun => subject = Some(self.noun(part)?),
                _ => predicate = Some(self.predicate(part.into_inner().next()?)?),
            }
        }
        Some(Clause { span, determiner, subject: subject?, predicate })
    }

    /// Builds the content of a `predicate`, or of a `qualifier` for the relations that both have.
    pub fn predicate(self, node: Node) -> Option<Predicate> {
        Some(match node.as_rule() {
            Rule::comparison => {
                let mut parts = node.into_inner();
                let comparison = comparison(parts.next()?.as_str().trim())?;
                Predicate::Compare(comparison, self.element(parts.next()?)?)
            }
            Rule::containment => {
                let mut parts = node.into_inner();
                let within = parts.next()?.as_rule() == Rule::k_within;
                let element = self.element(parts.next()?)?;
                if within { Predicate::Within(element) } else { Predicate::Disjoint(element) }
            }
            Rule::property => self.property(node)?,
            Rule::in_one => Predicate::InOne(self.ident(&inner(node, Rule::name).next()?)),
            Rule::k_connected => Predicate::Connected(self.span(&node)),
            Rule::closed => {
                let mut lines = inner(node, Rule::sum);
                match (lines.next(), lines.next()) {
                    (Some(first), Some(second)) => Predicate::ClosedBetween(self.sum(first)?, self.sum(second)?),
                    _ => Predicate::Closed,
                }
            }
            _ => return None,
        })
    }

    fn property(self, node: Node) -> Option<Predicate> {
        let (mut word, mut determiner, mut to) = (None, None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::determiner => determiner = Some(self.determiner(&part)),
                Rule::noun => to = Some(self.noun(part)?),
                _ => word = Some((relation(part.as_str().trim())?, self.span(&part))),
            }
        }
        let (relation, word) = word?;
        Some(Predicate::Relation { relation, word, determiner, to })
    }

    pub fn each(self, node: Node) -> Option<Each> {
        let span = self.span(&node);
        let (mut determiner, mut index, mut over) = (None, None, None);
        for part in node.into_inner() {
            match part.as_rule() {
                Rule::determiner => determiner = Some(self.determiner(&part)),
                Rule::name => index = Some(self.ident(&part)),
                Rule::sum => over = Some(self.sum(part)?),
                _ => {}
            }
        }
        Some(Each { span, determiner, index: index?, over: over? })
    }
}

type Seen = (Option<Ident>, Option<(Determiner, Span)>, Vec<Element>);

/// The children of one rule.
pub fn inner(node: Node<'_>, rule: Rule) -> impl Iterator<Item = Node<'_>> {
    node.into_inner().filter(move |node| node.as_rule() == rule)
}

/// `None` and `Some(Some(…))` are fine, `Some(None)` is not.
pub trait TransposeOption<T> {
    fn transpose_(self) -> Option<Option<T>>;
}

impl<T> TransposeOption<T> for Option<Option<T>> {
    fn transpose_(self) -> Option<Option<T>> {
        match self {
            None => Some(None),
            Some(inner) => inner.map(Some),
        }
    }
}

fn comparison(mark: &str) -> Option<Comparison> {
    Some(match mark {
        "=" => Comparison::Equal,
        "!=" => Comparison::NotEqual,
        "<" => Comparison::Less,
        "<=" => Comparison::LessEqual,
        ">" => Comparison::Greater,
        ">=" => Comparison::GreaterEqual,
        _ => return None,
    })
}

fn relation(word: &str) -> Option<Relation> {
    Some(match word {
        "has" => Relation::Has,
        "lacks" => Relation::Lacks,
        "sees" => Relation::Sees,
        "meeting" => Relation::Meeting,
        "avoiding" => Relation::Avoiding,
        "through" => Relation::Through,
        "crossing" => Relation::Crossing,
        "parallel" => Relation::Parallel,
        _ => return None,
    })
}
