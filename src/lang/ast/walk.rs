//! Walks over syntax trees. In: statements. Out: the running names inside of them, or the same statements
//! at another place of the text.

use super::{
    Binding, Cases, Chain, ChainLength, Clause, Cluster, Condition, Each, Element, End, Expr, ExprKind, Ident,
    InferenceMethods, Link, Links, Loop, Member, Noun, Predicate, Qualifier, QualifierKind, Ring, Shows, Span,
    Statement, StatementKind, Stop, Suppose, Text, TextPart, Those, Trail,
};

/// A visitor of every place in a tree, and of every `those`.
pub trait Visitor {
    /// A place, which may be changed.
    fn span(&mut self, _span: &mut Span) {}
    /// A `those … in … with …`.
    fn those(&mut self, _those: &Those) {}
}

impl Statement {
    /// Shows every part of a line to a visitor.
    pub fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.kind.walk(to);
    }
}

impl StatementKind {
    fn walk(&mut self, to: &mut dyn Visitor) {
        match self {
            StatementKind::Case(title, bindings) => {
                title.iter_mut().for_each(|title| title.walk(to));
                bindings.iter_mut().for_each(|binding| binding.walk(to));
            }
            StatementKind::Binding(binding) => binding.walk(to),
            StatementKind::Let(name, noun) | StatementKind::Guardians(name, noun) => {
                name.walk(to);
                noun.walk(to);
            }
            StatementKind::Require(condition, each) => {
                condition.walk(to);
                loops(each, to);
            }
            StatementKind::Eliminate(noun, from, each) => {
                noun.walk(to);
                from.iter_mut().for_each(|noun| noun.walk(to));
                loops(each, to);
            }
            StatementKind::Place(noun, each) | StatementKind::Conclude(noun, each) => {
                noun.walk(to);
                loops(each, to);
            }
            StatementKind::Called(text, when) => {
                text.walk(to);
                if let Some((condition, each)) = when {
                    condition.walk(to);
                    loops(each, to);
                }
            }
            StatementKind::ConcludeLiteral(not, name) => {
                not.iter_mut().for_each(|span| to.span(span));
                name.walk(to);
            }
            StatementKind::Trail(trail) => trail.walk(to),
            StatementKind::Chain(chain) => chain.walk(to),
            StatementKind::Loop(one) => one.walk(to),
            StatementKind::Cluster(cluster) => cluster.walk(to),
            StatementKind::Ring(ring) => ring.walk(to),
            StatementKind::Suppose(suppose) => suppose.walk(to),
            StatementKind::Uses(name) | StatementKind::ConcludeLinks(name, _) => name.walk(to),
            StatementKind::Per(names) | StatementKind::Broken(names) => idents(names, to),
            StatementKind::Join(name, members, by) => {
                name.walk(to);
                members.iter_mut().for_each(|member| member.walk(to));
                idents(by, to);
            }
            StatementKind::Says(text) | StatementKind::Because(text) => text.walk(to),
        }
    }
}

pub(super) fn idents(names: &mut [Ident], to: &mut dyn Visitor) {
    names.iter_mut().for_each(|name| name.walk(to));
}

fn loops(each: &mut [Each], to: &mut dyn Visitor) {
    for each in each {
        each.walk(to);
    }
}

impl Text {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        for part in &mut self.parts {
            match part {
                TextPart::Plain(raw) => to.span(&mut raw.span),
                TextPart::Words { span, param, words, otherwise } => {
                    to.span(span);
                    param.walk(to);
                    words.iter_mut().for_each(|word| to.span(&mut word.span));
                    otherwise.iter_mut().for_each(|text| text.walk(to));
                }
                TextPart::Placeholder { span, value } => {
                    to.span(span);
                    value.walk(to);
                }
            }
        }
    }
}

impl Ident {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
    }
}

impl Each {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        if let Some((_, span)) = &mut self.determiner {
            to.span(span);
        }
        self.index.walk(to);
        self.over.walk(to);
    }
}

impl Binding {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        for (name, index) in &mut self.names {
            name.walk(to);
            index.iter_mut().for_each(|index| index.walk(to));
        }
        self.kind.walk(to);
        if let Some(size) = &mut self.size {
            to.span(&mut size.span);
            size.low.walk(to);
            size.high.iter_mut().for_each(|high| high.walk(to));
        }
        if let Some(number) = &mut self.excess {
            to.span(&mut number.span);
        }
        self.qualifiers.iter_mut().for_each(|qualifier| qualifier.walk(to));
        self.each.iter_mut().for_each(|each| each.walk(to));
    }
}

impl Qualifier {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        match &mut self.kind {
            QualifierKind::Exactly(expr) | QualifierKind::In(expr) | QualifierKind::Count(expr) => expr.walk(to),
            QualifierKind::Is(predicate) => predicate.walk(to),
            QualifierKind::With(condition) => condition.walk(to),
            QualifierKind::Disjoint(noun) => noun.iter_mut().for_each(|noun| noun.walk(to)),
            QualifierKind::Linking(first, second) => {
                first.walk(to);
                second.iter_mut().for_each(|noun| noun.walk(to));
            }
        }
    }
}

impl Noun {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.elements.iter_mut().for_each(|element| element.walk(to));
    }
}

impl Element {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.left.walk(to);
        self.place.iter_mut().for_each(|place| place.walk(to));
    }
}

impl Expr {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        match &mut self.kind {
            ExprKind::Name(name) => name.walk(to),
            ExprKind::Member(name, index) => {
                name.walk(to);
                index.walk(to);
            }
            ExprKind::Number(_) => {}
            ExprKind::Set(members) => members.iter_mut().for_each(|member| member.walk(to)),
            ExprKind::Count(inner) => inner.walk(to),
            ExprKind::Call(name, noun) => {
                name.walk(to);
                noun.walk(to);
            }
            ExprKind::Seeing(name, determiner, seen) => {
                name.walk(to);
                if let Some((_, span)) = determiner {
                    to.span(span);
                }
                seen.iter_mut().for_each(|element| element.walk(to));
            }
            ExprKind::Excluded(determiner, by) => {
                if let Some((_, span)) = determiner {
                    to.span(span);
                }
                by.iter_mut().for_each(|element| element.walk(to));
            }
            ExprKind::Chain(first, rest) => {
                first.walk(to);
                for binary in rest {
                    to.span(&mut binary.sign);
                    binary.right.walk(to);
                }
            }
            ExprKind::Paren(condition) => condition.walk(to),
            ExprKind::Those(those) => {
                to.those(those);
                those.index.walk(to);
                those.over.walk(to);
                those.when.walk(to);
                loops(&mut those.each, to);
            }
        }
    }
}

impl Condition {
    fn walk(&mut self, to: &mut dyn Visitor) {
        match self {
            Condition::And(parts) | Condition::Or(parts) => parts.iter_mut().for_each(|part| part.walk(to)),
            Condition::Mixed(and, or) => {
                to.span(and);
                to.span(or);
            }
            Condition::Not(inner, span) => {
                inner.walk(to);
                to.span(span);
            }
            Condition::LinkedBy((_, span), source) => {
                to.span(span);
                source.walk(to);
            }
            Condition::GivensAllow(element) => element.walk(to),
            Condition::Clause(clause) => clause.walk(to),
        }
    }
}

impl Clause {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        if let Some((_, span)) = &mut self.determiner {
            to.span(span);
        }
        self.subject.walk(to);
        self.predicate.iter_mut().for_each(|predicate| predicate.walk(to));
    }
}

impl Predicate {
    fn walk(&mut self, to: &mut dyn Visitor) {
        match self {
            Predicate::Compare(_, element) | Predicate::Within(element) | Predicate::Disjoint(element) => {
                element.walk(to)
            }
            Predicate::Relation { word, determiner, to: noun, .. } => {
                to.span(word);
                if let Some((_, span)) = determiner {
                    to.span(span);
                }
                noun.iter_mut().for_each(|noun| noun.walk(to));
            }
            Predicate::InOne(name) => name.walk(to),
            Predicate::Connected(span) => to.span(span),
            Predicate::Closed => {}
            Predicate::ClosedBetween(first, second) => {
                first.walk(to);
                second.walk(to);
            }
        }
    }
}

impl Trail {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        self.stops.iter_mut().for_each(|stop| stop.walk(to));
        self.links.iter_mut().for_each(|link| link.walk(to));
    }
}

impl Stop {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        idents(&mut self.digits, to);
        self.links.iter_mut().for_each(|link| link.walk(to));
        self.cell.walk(to);
    }
}

impl Link {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.house.iter_mut().for_each(|house| house.walk(to));
    }
}

impl Chain {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.on.iter_mut().for_each(|on| on.walk(to));
        for end in [&mut self.from, &mut self.to] {
            match end {
                End::At(stop) => stop.walk(to),
                End::Candidate(name) => name.walk(to),
            }
        }
        to.span(&mut self.length.span);
        self.shortest.iter_mut().for_each(|span| to.span(span));
        self.links.walk(to);
    }
}

impl Links {
    fn walk(&mut self, to: &mut dyn Visitor) {
        self.strong.iter_mut().for_each(|names| idents(names, to));
        self.weak.iter_mut().for_each(|(_, span)| to.span(span));
    }
}

impl ChainLength {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
    }
}

impl Loop {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.name.walk(to);
        self.on.iter_mut().for_each(|on| on.walk(to));
        self.colours.iter_mut().for_each(|colours| idents(colours, to));
        self.length.walk(to);
        self.shortest.iter_mut().for_each(|span| to.span(span));
        self.links.walk(to);
    }
}

impl Cluster {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.on.iter_mut().for_each(|on| on.walk(to));
        idents(&mut self.colours, to);
        self.links.walk(to);
    }
}

impl Ring {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.name.walk(to);
        self.on.iter_mut().for_each(|on| on.walk(to));
        self.length.walk(to);
        self.guardians.walk(to);
        self.links.walk(to);
    }
}

impl Suppose {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        match &mut self.cases {
            Cases::One(name) | Cases::Not(name) => name.walk(to),
            Cases::Either(name, again) => {
                name.walk(to);
                again.walk(to);
            }
            Cases::Each(noun) => noun.walk(to),
        }
        match &mut self.means {
            InferenceMethods::Links(on, most, links) => {
                on.iter_mut().for_each(|on| on.walk(to));
                most.iter_mut().for_each(|most| most.walk(to));
                links.walk(to);
            }
            InferenceMethods::Singles(on) => on.iter_mut().for_each(|on| on.walk(to)),
            InferenceMethods::Rules(members) => members.iter_mut().for_each(|member| member.walk(to)),
        }
        if let Shows::AllImply(not, name, without) = &mut self.shows {
            not.iter_mut().for_each(|span| to.span(span));
            name.walk(to);
            without.iter_mut().for_each(|span| to.span(span));
        }
    }
}

impl Member {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.id.walk(to);
        self.args.iter_mut().for_each(|number| to.span(&mut number.span));
    }
}
