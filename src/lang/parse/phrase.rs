//! Expressions, conditions and texts with placeholders. In: parse tree nodes, or a string. Out: their syntax trees, each part with its
//! place, so that a mistake in a title is shown inside of the title. `None` only where the grammar and this file disagree.

use super::grammar::{self, ParseNode, Rule};
use super::layout::LogicalLine;
use super::{ItemReader, tokens};
use crate::lang::ast::{
    Binary, Clause, Comparison, Condition, Determiner, Each, Element, Expr, ExprKind, Ident, Noun, Operator, Predicate,
    Price, Raw, Relation, Span, Text, TextPart, Those,
};
use crate::lang::codes::{Problem, SyntaxProblem};
use crate::lang::line_ends::all_as_lf;

/// A builder of trees from nodes of a text that begins at a byte of the file.
#[derive(Clone, Copy)]
pub struct TreeBuilder {
    pub offset: usize,
}

impl TreeBuilder {
    pub fn span(self, node: &ParseNode) -> Span {
        let span = node.as_span();
        // A rule that ends in optional parts includes the blanks before them.
        let end = span.start() + node.as_str().trim_end().len();
        self.offset + span.start()..self.offset + end
    }

    pub fn ident(self, node: &ParseNode) -> Ident {
        Ident { name: node.as_str().trim().to_owned(), span: self.span(node) }
    }

    pub fn number(self, node: &ParseNode) -> Option<u32> {
        node.as_str().parse().ok()
    }

    pub fn price(self, node: ParseNode) -> Option<Price> {
        let value = self.sum(inner(node.clone(), Rule::sum).next()?)?;
        let when = inner(node, Rule::condition).next().map(|node| self.condition(node)).transpose_()?;
        Some(Price { value, when })
    }

    pub fn noun(self, node: ParseNode) -> Option<Noun> {
        let span = self.span(&node);
        let elements = inner(node, Rule::element).map(|node| self.element(node)).collect::<Option<_>>()?;
        Some(Noun { span, elements })
    }

    pub fn element(self, node: ParseNode) -> Option<Element> {
        let span = self.span(&node);
        let mut sums = inner(node, Rule::sum);
        let left = self.sum(sums.next()?)?;
        let place = sums.next().map(|node| self.sum(node)).transpose_()?;
        Some(Element { span, left, place })
    }

    pub fn sum(self, node: ParseNode) -> Option<Expr> {
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

    /// Builds an `atom`, or the content of one.
    pub fn atom(self, node: ParseNode) -> Option<Expr> {
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

    fn those(self, node: ParseNode) -> Option<Those> {
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
    pub fn those_alone(self, node: ParseNode) -> Option<Noun> {
        let span = self.span(&node);
        let left = Expr { span: span.clone(), kind: ExprKind::Those(Box::new(self.those(node)?)) };
        Some(Noun { span: span.clone(), elements: vec![Element { span, left, place: None }] })
    }

    fn variable(self, node: ParseNode) -> Option<ExprKind> {
        let (name, index) = self.name_and_index(node)?;
        Some(match index {
            Some(index) => ExprKind::Member(name, index),
            None => ExprKind::Name(name),
        })
    }

    pub fn name_and_index(self, node: ParseNode) -> Option<(Ident, Option<Ident>)> {
        let mut parts = node.into_inner();
        let name = self.ident(&parts.next()?);
        let index = parts.find(|node| node.as_rule() == Rule::index).and_then(|node| node.into_inner().next());
        Some((name, index.map(|node| self.ident(&node))))
    }

    fn seeing(self, node: ParseNode) -> Option<ExprKind> {
        let (word, determiner, seen) = self.seen(node)?;
        Some(ExprKind::Seeing(word?, determiner, seen))
    }

    /// Returns the first word, if it is a name, and the list after `seeing` or `excluded by`.
    fn seen(self, node: ParseNode) -> Option<SeenParts> {
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

    pub fn determiner(self, node: &ParseNode) -> (Determiner, Span) {
        let determiner = match node.as_str().trim() {
            "every" => Determiner::Every,
            "some" => Determiner::Some,
            _ => Determiner::No,
        };
        (determiner, self.span(node))
    }

    pub fn condition(self, node: ParseNode) -> Option<Condition> {
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

    fn conjunct(self, node: ParseNode) -> Option<Condition> {
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

    fn clause(self, node: ParseNode) -> Option<Clause> {
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
    pub fn predicate(self, node: ParseNode) -> Option<Predicate> {
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

    fn property(self, node: ParseNode) -> Option<Predicate> {
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

    pub fn each(self, node: ParseNode) -> Option<Each> {
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

type SeenParts = (Option<Ident>, Option<(Determiner, Span)>, Vec<Element>);

/// Returns the children of a node that a rule has made.
pub fn inner(node: ParseNode<'_>, rule: Rule) -> impl Iterator<Item = ParseNode<'_>> {
    node.into_inner().filter(move |node| node.as_rule() == rule)
}

/// Turns an absent part (`None`) into success and a part with an error (`Some(None)`) into failure.
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

/// Maximum depth of texts inside of texts.
const DEEPEST: usize = 4;

impl ItemReader<'_> {
    /// Reads a string with its quotes.
    pub fn text(&mut self, span: Span) -> Text {
        let inside = span.start + 1..span.end.saturating_sub(1).max(span.start + 1);
        Text { parts: self.parts(inside, 0), span }
    }

    /// Reads a text without placeholders.
    pub fn raw(&self, span: Span) -> Raw {
        let text = self.source.get(span.clone()).unwrap_or("");
        let quotes = if text.starts_with("\"\"\"") { 3 } else { 1 };
        let text = text.get(quotes..text.len().saturating_sub(quotes)).unwrap_or("");
        Raw { text: all_as_lf(text).into_owned(), span }
    }

    fn parts(&mut self, inside: Span, depth: usize) -> Vec<TextPart> {
        let source = self.source;
        let mut parts = Vec::new();
        let mut at = inside.start;
        while let Some(rest) = source.get(at..inside.end).filter(|rest| !rest.is_empty()) {
            let literal = rest.find(['{', '}']).unwrap_or(rest.len());
            if literal > 0 {
                let text = rest.get(..literal).unwrap_or("");
                // `\{` is a brace, not a placeholder.
                let brace = rest.get(literal..literal + 1);
                let (text, end) = match text.strip_suffix('\\').zip(brace) {
                    Some((text, brace)) => (format!("{text}{brace}"), literal + 1),
                    None => (text.to_owned(), literal),
                };
                parts.push(TextPart::Plain(Raw { text, span: at..at + end }));
                at += end;
                continue;
            }
            let Some(length) = balanced(rest) else {
                let brace = at..at + 1;
                self.found.push(match rest.starts_with('{') {
                    true => SyntaxProblem::OpenPlaceholder.at(&brace),
                    false => SyntaxProblem::StrayBrace.at(&brace),
                });
                break;
            };
            parts.extend(self.placeholder(at..at + length, depth));
            at += length;
        }
        parts
    }

    /// `{n}`, `{n: Pair, Triple}`, `{#s}`.
    fn placeholder(&mut self, span: Span, depth: usize) -> Option<TextPart> {
        let source = self.source;
        let inside = span.start + 1..span.end - 1;
        let text = source.get(inside.clone())?;
        let name: String = text.trim_start().chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        let name_at = inside.start + text.len() - text.trim_start().len();
        let after = source.get(name_at + name.len()..inside.end)?;
        if !name.is_empty() && after.trim_start().starts_with(':') {
            let words_at = inside.end - after.len() + after.find(':')? + 1;
            let param = Ident { span: name_at..name_at + name.len(), name };
            return self.words(span, param, words_at..inside.end, depth);
        }
        let shift = |token: tokens::Token| tokens::Token {
            span: token.span.start + inside.start..token.span.end + inside.start,
            ..token
        };
        let tokens: Vec<_> = tokens::tokens(text).into_iter().map(shift).collect();
        let line = LogicalLine {
            span: inside.clone(),
            indent: 0,
            opens: false,
            closes: false,
            doc: false,
            broken: false,
            tokens,
        };
        if text.chars().filter(|c| "([{".contains(*c)).count() > 16 {
            self.found.push(SyntaxProblem::DeepPlaceholder.at(&span));
            return None;
        }
        if text.trim().is_empty() {
            self.found.push(SyntaxProblem::EmptyPlaceholder.at(&span));
            return None;
        }
        match grammar::read_text(Rule::hole_line, text, source, &line) {
            Ok(node) => {
                let value = TreeBuilder { offset: inside.start }.noun(node)?;
                Some(TextPart::Placeholder { span, value })
            }
            Err(diagnostic) => {
                self.found.push(diagnostic);
                None
            }
        }
    }

    fn words(&mut self, span: Span, param: Ident, inside: Span, depth: usize) -> Option<TextPart> {
        let source = self.source;
        let (mut words, mut otherwise) = (Vec::new(), None);
        let mut at = inside.start;
        for piece in pieces(source.get(inside.clone())?) {
            let start = at + piece.len() - piece.trim_start().len();
            let text = piece.trim();
            let place = start..start + text.len();
            at += piece.len() + 1;
            if let Some(rest) = text.strip_prefix("else ") {
                if depth >= DEEPEST {
                    self.found.push(SyntaxProblem::DeepText.at(&place));
                    return None;
                }
                let skipped = text.len() - rest.trim_start().len();
                let inner = place.start + skipped..place.end;
                otherwise = Some(Text { parts: self.parts(inner.clone(), depth + 1), span: inner });
            } else if text.is_empty() || otherwise.is_some() {
                let place = place.start..place.end.max(place.start + 1);
                self.found.push(match text.is_empty() {
                    true => SyntaxProblem::MissingWord.at(&place),
                    false => SyntaxProblem::ElseNotLast.at(&place),
                });
                return None;
            } else {
                words.push(Raw { text: text.to_owned(), span: place });
            }
        }
        Some(TextPart::Words { span, param, words, otherwise })
    }
}

/// Returns the length of a placeholder that begins here, with placeholders inside of it.
fn balanced(text: &str) -> Option<usize> {
    let mut depth = 0usize;
    for (at, mark) in text.char_indices() {
        match mark {
            '{' => depth += 1,
            '}' => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(at + 1);
        }
    }
    None
}

/// Splits at commas outside of placeholders.
fn pieces(text: &str) -> Vec<&str> {
    let (mut out, mut depth, mut start) = (Vec::new(), 0usize, 0);
    for (at, mark) in text.char_indices() {
        match mark {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                out.push(text.get(start..at).unwrap_or(""));
                start = at + 1;
            }
            _ => {}
        }
    }
    out.push(text.get(start..).unwrap_or(""));
    out
}
