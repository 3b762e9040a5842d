//! Builds syntax trees of expressions, conditions, bindings, chains and suppositions from parse trees.

use super::grammar::{Build, BuildResult, Mismatch, ParseNode, Rule};
use crate::lang::ast::{
    Binding, CaseResult, Cases, Chain, ChainLength, ChainUnit, Clause, Cluster, Comparison, Condition, Determiner,
    EndPoint, EurekaLink, EurekaNode, Expr, ExprKind, Filter, FixedChain, ForClause, Ident, InferenceMethods, Infix,
    LinkBlock, Loop, NumberLiteral, Operator, Param, Predicate, PriceLine, Qualifier, QualifierKind, Relation, Ring,
    RuleName, Size, Span, StatementKind, Suppose, Term, TermList,
};

/// Implements [`Build`] for several types: `Type: |node| value;`.
macro_rules! builders {
    ($($(#[$doc:meta])* $tree:ty: |$node:ident| $body:expr;)*) => {$(
        impl Build for $tree {
            $(#[$doc])*
            fn build($node: ParseNode) -> BuildResult<$tree> {
                Ok($body)
            }
        }
    )*};
}

builders! {
    Ident: |node| Ident { name: node.text().to_owned(), span: node.span() };

    NumberLiteral: |node| NumberLiteral { span: node.span(), value: u32::build(node)? };

    /// `subsets(2)`
    RuleName: |node| {
        let args = match node.children_of(Rule::values).next() {
            Some(values) => values.build_list(Rule::number)?,
            None => Vec::new(),
        };
        RuleName { span: node.span(), id: node.build(Rule::name)?, args }
    };

    Param: |node| {
        let (low, high) = node.build_one_or_two(Rule::number)?;
        Param { span: node.span(), name: node.build(Rule::name)?, low, high }
    };

    PriceLine: |node| PriceLine { value: node.build(Rule::sum)?, when: node.build_optional(Rule::condition)? };

    // ---------------------------------------------------------------- expressions

    /// Builds a `term_list`, or `those c in X with C` after `let n =`.
    TermList: |node| {
        let span = node.span();
        let terms = match node.rule() {
            Rule::those => vec![Term { span: span.clone(), expr: Expr::build(node)?, place: None }],
            _ => node.build_list(Rule::term)?,
        };
        TermList { span, terms }
    };

    /// Builds `D in C` of a term list, of `seeing` or of `givens allow`.
    Term: |node| {
        let part = if node.rule() == Rule::seen_term { Rule::atom } else { Rule::sum };
        let (expr, place) = node.build_one_or_two(part)?;
        Term { span: node.span(), expr, place }
    };

    /// Builds a `sum`, an `atom`, or the content of an `atom`.
    Expr: |node| {
        let kind = match node.rule() {
            Rule::sum => return sum(&node),
            Rule::atom => return Expr::build(node.first()?),
            Rule::number => ExprKind::Number(u32::build(node.clone())?),
            Rule::variable => match Build::build(node.clone())? {
                (name, Some(index)) => ExprKind::Member(name, index),
                (name, None) => ExprKind::Name(name),
            },
            Rule::set => ExprKind::Set(node.build_list(Rule::sum)?),
            Rule::count => ExprKind::Count(Box::new(Expr::build(node.last()?)?)),
            Rule::paren => {
                let inside = node.children().nth(1).ok_or(Mismatch)?;
                match inside.rule() {
                    Rule::those => ExprKind::Filter(Build::build(inside)?),
                    _ => ExprKind::Paren(Build::build(inside)?),
                }
            }
            Rule::call => {
                let arguments = node.child(Rule::arguments)?.build(Rule::term_list)?;
                ExprKind::Call(node.build(Rule::name)?, Box::new(arguments))
            }
            Rule::seeing => {
                ExprKind::Seeing(node.build(Rule::name)?, node.build_optional(Rule::determiner)?, node.build_list(Rule::seen_term)?)
            }
            Rule::excluded => ExprKind::Excluded(node.build_optional(Rule::determiner)?, node.build_list(Rule::seen_term)?),
            Rule::those => ExprKind::Filter(Build::build(node.clone())?),
            _ => return Err(Mismatch),
        };
        Expr { span: node.span(), kind }
    };

    Filter: |node| {
        let loop_var = node.build(Rule::name)?;
        let set = node.build(Rule::sum)?;
        Filter { loop_var, set, condition: node.build(Rule::condition)?, for_clauses: node.build_list(Rule::for_clause)? }
    };

    /// `pincer`, `pincer[d]`
    (Ident, Option<Ident>): |node| (node.build(Rule::name)?, node.build_optional(Rule::index)?);

    (Determiner, Span): |node| {
        let determiner = match node.text() {
            "every" => Determiner::Every,
            "some" => Determiner::Some,
            _ => Determiner::No,
        };
        (determiner, node.span())
    };

    // ---------------------------------------------------------------- conditions

    /// Builds a `condition` or a part of a `condition`.
    Condition: |node| match node.rule() {
        Rule::condition => {
            let mut parts: Vec<Condition> = node.build_list(Rule::conjunct)?;
            match (joiner(&node, "and"), joiner(&node, "or")) {
                (Some(and), Some(or)) => Condition::Mixed(and, or),
                (Some(_), None) => Condition::And(parts),
                (None, Some(_)) => Condition::Or(parts),
                (None, None) => parts.pop().ok_or(Mismatch)?,
            }
        }
        Rule::conjunct => {
            let inside = Condition::build(node.last()?)?;
            match node.span_of(Rule::k_not) {
                Some(not) => Condition::Not(Box::new(inside), not),
                None => inside,
            }
        }
        Rule::linked_by => Condition::LinkedBy(node.build(Rule::determiner)?, node.build(Rule::name)?),
        Rule::givens_allow => Condition::GivensAllow(Build::build(node)?),
        _ => Condition::Clause(Build::build(node)?),
    };

    Clause: |node| {
        let (determiner, subject) = (node.build_optional(Rule::determiner)?, node.build(Rule::term_list)?);
        Clause { span: node.span(), determiner, subject, predicate: node.build_optional(Rule::predicate)? }
    };

    /// Builds a `predicate`, or one of the relations that can stand in a `predicate` and in a `qualifier`.
    Predicate: |node| match node.rule() {
        Rule::predicate => return Predicate::build(node.first()?),
        Rule::comparison => {
            Predicate::Compare(comparison(node.child(Rule::compare)?.text())?, node.build(Rule::term)?)
        }
        Rule::containment if node.has(Rule::k_within) => Predicate::Within(node.build(Rule::term)?),
        Rule::containment => Predicate::Disjoint(node.build(Rule::term)?),
        Rule::property => {
            let word = node.first()?;
            let (relation, determiner) = (relation(word.text())?, node.build_optional(Rule::determiner)?);
            Predicate::Relation { relation, word: word.span(), determiner, object: node.build_optional(Rule::term_list)? }
        }
        Rule::in_one => Predicate::InOneHouse(node.build(Rule::name)?),
        Rule::k_connected => Predicate::Connected(node.span()),
        Rule::closed if !node.has(Rule::sum) => Predicate::Closed,
        Rule::closed => {
            let (first, second) = node.build_one_or_two(Rule::sum)?;
            Predicate::ClosedBetween(first, second.ok_or(Mismatch)?)
        }
        _ => return Err(Mismatch),
    };

    ForClause: |node| {
        let (determiner, loop_var) = (node.build_optional(Rule::determiner)?, node.build(Rule::name)?);
        ForClause { span: node.span(), determiner, loop_var, set: node.build(Rule::sum)? }
    };

    // ---------------------------------------------------------------- bindings

    Binding: |node| {
        let kind = node.child(Rule::kind)?;
        Binding {
            span: node.span(),
            names: node.build_list(Rule::variable)?,
            kind: kind.build(Rule::name)?,
            size: kind.build_optional(Rule::size)?,
            parenthesized: kind.build_optional(Rule::excess)?,
            qualifiers: node.build_list(Rule::qualifier)?,
            for_clause: node.build_optional(Rule::for_clause)?,
        }
    };

    Size: |node| {
        let (low, high) = node.build_one_or_two(Rule::sum)?;
        Size { span: node.span(), low, range: node.has(Rule::dots), high }
    };

    Qualifier: |node| {
        let span = node.span();
        let inside = node.first()?;
        let kind = match inside.rule() {
            Rule::is_exactly => QualifierKind::Exactly(inside.build(Rule::sum)?),
            Rule::in_set => QualifierKind::In(inside.build(Rule::sum)?),
            Rule::with => match inside.children_of(Rule::with_count).next() {
                Some(count) => QualifierKind::Count(count.build(Rule::sum)?),
                None => QualifierKind::With(inside.build(Rule::condition)?),
            },
            Rule::disjoint_from => QualifierKind::Disjoint(inside.build_optional(Rule::term_list)?),
            Rule::linking => {
                let (first, second) = inside.build_one_or_two(Rule::term_list)?;
                QualifierKind::Linking(first, second)
            }
            _ => QualifierKind::Is(Build::build(inside)?),
        };
        Qualifier { span, kind }
    };

    // ---------------------------------------------------------------- chains and suppositions

    EndPoint: |node| {
        let node = EurekaNode::build(node)?;
        if node.digits.is_empty() { EndPoint::Candidate(node.cell) } else { EndPoint::At(node) }
    };

    ChainLength: |node| {
        let (low, high) = node.build_one_or_two(Rule::number)?;
        let high = if node.has(Rule::dots) { high } else { Some(low) };
        let unit = if node.has(Rule::w_cells) {
            ChainUnit::Cells
        } else if node.has(Rule::w_candidates) {
            ChainUnit::Candidates
        } else if node.has(Rule::k_strong) {
            ChainUnit::StrongLinks
        } else {
            ChainUnit::Links
        };
        ChainLength { span: node.span(), low, high, unit }
    };

    /// `suppose p using singles, …`, `suppose p using rules …, …`
    Suppose: |node| {
        let methods = match node.children_of(Rule::singles).next() {
            Some(singles) => InferenceMethods::Singles(singles.build_optional(Rule::sum)?),
            None => InferenceMethods::Rules(node.child(Rule::rules)?.build_list(Rule::rule_ref)?),
        };
        let (cases, shows) = (node.build(Rule::cases)?, node.build(Rule::case_result)?);
        Suppose { span: node.span(), cases, methods, shows }
    };

    CaseResult: |node| match node.build_optional(Rule::name)? {
        Some(name) => CaseResult::AllImply(node.span_of(Rule::k_not), name, node.span_of(Rule::without)),
        None => CaseResult::Contradiction,
    };

    Cases: |node| {
        if let Some(candidates) = node.build_optional(Rule::term_list)? {
            return Ok(Cases::Each(candidates));
        }
        let opposite = node.children_of(Rule::opposite).next().map(|not| not.build(Rule::name)).transpose()?;
        match (node.build_optional(Rule::name)?, opposite) {
            (Some(name), Some(opposite)) => Cases::Either(name, opposite),
            (Some(name), None) => Cases::Name(name),
            (None, Some(name)) => Cases::Not(name),
            (None, None) => return Err(Mismatch),
        }
    };

    FixedChain: |node| FixedChain { nodes: node.build_list(Rule::trail_node)?, links: node.build_list(Rule::link)? };

    /// `(x=y)A`, and the simpler `(x)A` of ends and link sources.
    EurekaNode: |node| {
        let mut names: Vec<Ident> = node.build_list(Rule::name)?;
        let cell = names.pop().ok_or(Mismatch)?;
        EurekaNode { span: node.span(), digits: names, links: node.build_list(Rule::mark)?, cell }
    };

    EurekaLink: |node| {
        let strong = node.text().starts_with('=');
        EurekaLink { span: node.span(), strong, house: node.build_optional(Rule::name)? }
    };
}

fn sum(node: &ParseNode) -> BuildResult<Expr> {
    let mut atoms = node.build_list(Rule::atom)?.into_iter();
    let first = atoms.next().ok_or(Mismatch)?;
    let rest: Vec<Infix> =
        node.children_of(Rule::operator).zip(atoms).map(|(sign, right)| infix(&sign, right)).collect();
    if rest.is_empty() {
        return Ok(first);
    }
    Ok(Expr { span: node.span(), kind: ExprKind::Infix(Box::new(first), rest) })
}

fn infix(sign: &ParseNode, right: Expr) -> Infix {
    let operator = match sign.text() {
        "+" => Operator::Plus,
        "-" => Operator::Minus,
        _ => Operator::And,
    };
    Infix { operator, sign: sign.span(), right }
}

impl Build for u32 {
    fn build(node: ParseNode) -> BuildResult<u32> {
        node.text().parse().map_err(|_| Mismatch)
    }
}

impl<T: Build> Build for Box<T> {
    fn build(node: ParseNode) -> BuildResult<Box<T>> {
        T::build(node).map(Box::new)
    }
}

fn comparison(mark: &str) -> BuildResult<Comparison> {
    use Comparison::{Equal, Greater, GreaterEqual, Less, LessEqual, NotEqual};
    let all = [Equal, NotEqual, Less, LessEqual, Greater, GreaterEqual];
    all.into_iter().find(|comparison| comparison.sign() == mark).ok_or(Mismatch)
}

fn relation(word: &str) -> BuildResult<Relation> {
    Ok(match word {
        "has" => Relation::Has,
        "lacks" => Relation::Lacks,
        "sees" => Relation::Sees,
        "meeting" => Relation::Meeting,
        "avoiding" => Relation::Avoiding,
        "through" => Relation::Through,
        "crossing" => Relation::Crossing,
        "parallel" => Relation::Parallel,
        _ => return Err(Mismatch),
    })
}

/// Builds a statement that has a block of links.
pub fn with_links(node: &ParseNode, links: LinkBlock) -> BuildResult<StatementKind> {
    let (span, on) = (node.span(), node.build_optional(Rule::sum)?);
    let shortest = node.span_of(Rule::w_shortest);
    Ok(match node.rule() {
        Rule::open_chain => {
            let (from, to) = node.build_one_or_two(Rule::end)?;
            let (to, length) = (to.ok_or(Mismatch)?, node.build(Rule::length)?);
            StatementKind::Chain(Chain { span, on, from, to, length, shortest, links })
        }
        Rule::loop_ => {
            let colours = if node.has(Rule::colours) { Some(colours(node)?) } else { None };
            let (name, length) = (node.build(Rule::name)?, node.build(Rule::length)?);
            StatementKind::Loop(Loop { span, name, on, colours, length, shortest, links })
        }
        Rule::cluster => StatementKind::Cluster(Cluster { span, on, colours: colours(node)?, links }),
        Rule::ring => {
            let (name, guardians) = node.build_one_or_two(Rule::name)?;
            let (guardians, length) = (guardians.ok_or(Mismatch)?, node.build(Rule::length)?);
            StatementKind::Ring(Ring { span, name, on, length, guardians, links })
        }
        Rule::suppose_links => {
            let methods = InferenceMethods::Links(on, node.build_optional(Rule::length)?, links);
            let (cases, shows) = (node.build(Rule::cases)?, node.build(Rule::case_result)?);
            StatementKind::Suppose(Suppose { span, cases, methods, shows })
        }
        _ => return Err(Mismatch),
    })
}

/// `coloured blue, green`
fn colours(header: &ParseNode) -> BuildResult<[Ident; 2]> {
    header.child(Rule::colours)?.build_list(Rule::name)?.try_into().map_err(|_| Mismatch)
}

/// Returns the span of the first joiner with this word, `and` or `or`.
fn joiner(condition: &ParseNode, word: &str) -> Option<Span> {
    condition.children_of(Rule::joiner).find(|node| node.text() == word).map(|node| node.span())
}
