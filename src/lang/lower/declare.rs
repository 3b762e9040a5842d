//! Declarations, before anything is checked. In: the statements of a rule. Out: every name with its kind, so
//! that the order of lines does not matter. Names come from bindings, `let`, `for`, chains and patterns.

use super::names::{Rule, Symbol};
use super::value::{Shape, describe, kind_word};
use crate::lang::ast::{
    Binding, Clause, Comparison, Condition, Each, End, Expr, ExprKind, Ident, Noun, Predicate, QualifierKind, Span,
    Statement, StatementKind, Stop,
};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{HouseClass, Kind, Origin, VarShape};
use crate::lang::words;

/// A pattern that may bind names: what it speaks of and its members.
struct Pattern<'s> {
    left: Left<'s>,
    members: Vec<&'s Ident>,
    /// Inside `or`, `not` or a `for`: nothing can be bound there.
    shut: Option<&'static str>,
}

const SHUT_BY_FOR: &str = "a line that `for` repeats";

enum Left<'s> {
    Noun(&'s Noun),
    Kind(Kind),
}

impl Rule<'_> {
    /// Declares every name of a rule.
    pub fn declare(&mut self, bindings: &[&Binding], statements: &[&Statement], stops: &[&Stop]) {
        for binding in bindings {
            self.declare_binding(binding);
        }
        for statement in statements {
            self.declare_statement(statement);
        }
        for stop in stops {
            self.declare_stop(stop);
        }
        for statement in statements {
            self.declare_chain(&statement.kind);
        }
        self.settle(bindings, statements);
        // In order of appearance; `find` and `index_at` go by name and place, so numbers may still change.
        self.symbols.sort_by_key(|symbol| symbol.span.start);
    }

    fn declare_name(&mut self, ident: &Ident, kind: Option<Kind>, shape: VarShape, origin: Origin) {
        let (name, span) = (ident.name.clone(), ident.span.clone());
        if words::is_built_in(&name) {
            let message = format!("`{name}` has a meaning of its own and cannot be a name");
            self.note(Diagnostic::error("E0204", span.clone(), message, "choose another name"));
            self.doubtful.insert(name);
            return;
        }
        let earlier = self.find(&name).map(|id| self.symbols[id.0].span.clone());
        let param = || self.params.iter().find(|param| param.name.name == name).map(|param| param.span.clone());
        if let Some(first) = earlier.or_else(param) {
            let message = format!("`{name}` is declared twice");
            let diagnostic = Diagnostic::error("E0203", span, message, "declared again");
            self.note(diagnostic.label(first, "declared here first").help("give one of the two another name"));
            return;
        }
        self.add(name, span, kind, shape, origin);
    }

    fn add(&mut self, name: String, span: Span, kind: Option<Kind>, shape: VarShape, origin: Origin) {
        let (in_pattern, in_conclusion, in_text) = (false, false, false);
        self.symbols.push(Symbol { name, span, kind, shape, origin, in_pattern, in_conclusion, in_text });
    }

    fn declare_index(&mut self, each: &Each, kind: Option<Kind>) {
        let Ident { name, span } = &each.index;
        if words::is_built_in(name) || self.find(name).is_some() {
            self.declare_name(&each.index, kind, VarShape::Single, Origin::Index);
        }
        self.add(name.clone(), span.clone(), kind, VarShape::Single, Origin::Index);
    }

    fn declare_binding(&mut self, binding: &Binding) {
        let kind = match kind_word(&binding.kind.name) {
            Some((kind, _)) => Some(kind),
            None => {
                self.unknown_kind(&binding.kind);
                None
            }
        };
        // `= {x, y}` binds names for a cell and for a set; elsewhere it is an error, and they are not to blame.
        if !matches!(kind_word(&binding.kind.name), Some((Kind::Cell, false) | (_, true))) {
            let mut names = Vec::new();
            binding.qualifiers.iter().for_each(|qualifier| names_in_qualifier(&qualifier.kind, &mut names));
            self.doubtful.extend(names.into_iter().map(str::to_owned));
        }
        for (name, index) in &binding.names {
            let shape = match (index, &binding.size) {
                (Some(_), _) => VarShape::Family,
                (None, Some(_)) => VarShape::Set,
                (None, None) if kind_word(&binding.kind.name).is_some_and(|(_, many)| many) => VarShape::Set,
                (None, None) => VarShape::Single,
            };
            self.declare_name(name, kind, shape, Origin::Chosen);
        }
        if let Some(each) = &binding.each {
            self.declare_index(each, Some(Kind::Digit));
        }
    }

    fn unknown_kind(&mut self, kind: &Ident) {
        let all = words::KINDS.iter().flat_map(|(one, many)| [*one, *many]);
        let help = match words::nearest(&kind.name, all) {
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                let ones: Vec<String> = words::KINDS.iter().map(|(one, _)| format!("`{one}`")).collect();
                format!("a kind is {}; a set is `cells[2]`, `digits[n]`, …", words::either(&ones))
            }
        };
        let message = format!("there is no kind `{}`", kind.name);
        self.note(Diagnostic::error("E0201", kind.span.clone(), message, "not a kind").help(help));
    }

    fn declare_statement(&mut self, statement: &Statement) {
        match &statement.kind {
            StatementKind::Binding(binding) => self.declare_binding(binding),
            StatementKind::Let(name, _) => self.declare_name(name, None, VarShape::Set, Origin::Let),
            StatementKind::Require(_, Some(each))
            | StatementKind::Eliminate(_, _, Some(each))
            | StatementKind::Place(_, Some(each))
            | StatementKind::Conclude(_, Some(each)) => self.declare_index(each, None),
            StatementKind::Broken(idents) => self.doubtful.extend(idents.iter().map(|ident| ident.name.clone())),
            _ => {}
        }
    }

    /// A name in a chain or a pattern: bound here unless it is declared elsewhere.
    fn bind(&mut self, ident: &Ident, kind: Kind) {
        let known = self.find(&ident.name).is_some() || self.doubtful.contains(&ident.name);
        if !known && !self.elsewhere.contains_key(&ident.name) {
            self.declare_name(ident, Some(kind), VarShape::Single, Origin::Pattern);
        }
    }

    fn declare_stop(&mut self, stop: &Stop) {
        for digit in &stop.digits {
            self.bind(digit, Kind::Digit);
        }
        self.bind(&stop.cell, Kind::Cell);
    }

    fn declare_chain(&mut self, statement: &StatementKind) {
        match statement {
            StatementKind::Trail(trail) => {
                trail.stops.iter().for_each(|stop| self.declare_stop(stop));
                for house in trail.links.iter().filter_map(|link| link.house.as_ref()) {
                    self.bind(house, Kind::House(HouseClass::Any));
                }
            }
            StatementKind::Chain(chain) => {
                for end in [&chain.from, &chain.to] {
                    match end {
                        End::At(stop) => self.declare_stop(stop),
                        End::Candidate(ident) => self.bind(ident, Kind::Candidate),
                    }
                }
            }
            _ => {}
        }
    }

    /// Finds the kinds of `let` names and of names in patterns; each may need others first.
    fn settle(&mut self, bindings: &[&Binding], statements: &[&Statement]) {
        let mut patterns = Vec::new();
        for binding in bindings {
            patterns_of_binding(binding, &mut patterns);
        }
        let mut lets: Vec<(&Ident, &Noun)> = Vec::new();
        for statement in statements {
            match &statement.kind {
                StatementKind::Binding(binding) => patterns_of_binding(binding, &mut patterns),
                StatementKind::Require(condition, each) => {
                    let start = patterns.len();
                    patterns_of(condition, each.is_some().then_some(SHUT_BY_FOR), &mut patterns);
                    without_index(&mut patterns[start..], each.as_ref());
                }
                StatementKind::Let(name, noun) => lets.push((name, noun)),
                _ => {}
            }
        }
        loop {
            let before = (patterns.len(), lets.len());
            patterns.retain(|pattern| !self.settle_pattern(pattern));
            lets.retain(|(name, noun)| !self.settle_let(name, noun));
            if before == (patterns.len(), lets.len()) {
                break;
            }
        }
        self.circles(&lets);
        for pattern in &patterns {
            // Its left side is wrong, which is reported there; its names are not to blame.
            self.doubtful.extend(pattern.members.iter().map(|ident| ident.name.clone()));
        }
    }

    fn settle_pattern(&mut self, pattern: &Pattern) -> bool {
        let unknown =
            |rule: &Self, ident: &Ident| rule.find(&ident.name).is_none() && !rule.doubtful.contains(&ident.name);
        let unbound: Vec<&Ident> = pattern.members.iter().copied().filter(|ident| unknown(self, ident)).collect();
        if unbound.is_empty() {
            return true;
        }
        let left = match &pattern.left {
            Left::Kind(kind) => Some(*kind),
            Left::Noun(noun) => self.attempt(|rule| rule.noun(noun)).map(|value| value.kind),
        };
        if let Some(what) = pattern.shut {
            let kind = left.and_then(|left| self.member_kind(left, &pattern.members));
            return self.refuse(&unbound, what, kind);
        }
        let Some(kind) = left.and_then(|left| self.member_kind(left, &pattern.members)) else { return false };
        for ident in unbound {
            self.bind(ident, kind);
        }
        true
    }

    /// Names that would be bound where nothing may be bound.
    fn refuse(&mut self, unbound: &[&Ident], what: &str, kind: Option<Kind>) -> bool {
        for ident in unbound {
            let name = &ident.name;
            if self.elsewhere.contains_key(name) || words::is_built_in(name) {
                continue;
            }
            let message = format!("`{name}` is declared nowhere, and {what} cannot give it a value");
            let help = match kind {
                Some(kind) => format!("declare it on a line of its own: `{name}: {}`", one_word(kind)),
                None => format!("declare it on a line of its own, such as `{name}: digit`"),
            };
            let text = "may have no value here";
            self.note(Diagnostic::error("E0406", ident.span.clone(), message, text).help(help));
            self.doubtful.insert(name.clone());
        }
        true
    }

    fn settle_let(&mut self, name: &Ident, noun: &Noun) -> bool {
        let Some(value) = self.attempt(|rule| rule.noun(noun)) else { return false };
        let shape = if value.shape == Shape::One { VarShape::Single } else { VarShape::Set };
        if let Some(symbol) = self.symbols.iter_mut().find(|symbol| symbol.span == name.span) {
            symbol.kind = Some(value.kind);
            symbol.shape = shape;
        }
        true
    }

    /// Reports names that are defined by one another.
    fn circles(&mut self, lets: &[(&Ident, &Noun)]) {
        for (name, noun) in lets {
            let mut seen: Vec<&str> = Vec::new();
            let mut next: Vec<&Noun> = vec![*noun];
            while let Some(noun) = next.pop() {
                let mut names = Vec::new();
                names_of(noun, &mut names);
                for (other, value) in lets {
                    if names.contains(&other.name.as_str()) && !seen.contains(&other.name.as_str()) {
                        seen.push(&other.name);
                        next.push(value);
                    }
                }
            }
            if seen.contains(&name.name.as_str()) {
                let message = format!("`{}` is defined by itself", name.name);
                let help = "a `let` may use names of other lines, but not in a circle";
                self.note(Diagnostic::error("E0405", name.span.clone(), message, "in a circle").help(help));
            }
        }
    }
}

fn patterns_of_binding<'s>(binding: &'s Binding, out: &mut Vec<Pattern<'s>>) {
    let family = binding.names.iter().any(|(_, index)| index.is_some());
    let shut = family.then_some(SHUT_BY_FOR);
    let start = out.len();
    for qualifier in &binding.qualifiers {
        match &qualifier.kind {
            QualifierKind::Exactly(Expr { kind: ExprKind::Set(members), .. }) => {
                let kind = match kind_word(&binding.kind.name) {
                    Some((Kind::Cell, false)) => Kind::Digit,
                    Some((kind, true)) => kind,
                    _ => continue,
                };
                if let Some(members) = members.iter().map(Expr::as_name).collect::<Option<Vec<_>>>() {
                    out.push(Pattern { left: Left::Kind(kind), members, shut });
                }
            }
            QualifierKind::With(condition) => patterns_of(condition, shut, out),
            _ => {}
        }
    }
    without_index(&mut out[start..], binding.each.as_ref());
}

/// The running name of a `for` has its value already.
fn without_index(patterns: &mut [Pattern], each: Option<&Each>) {
    let Some(each) = each else { return };
    for pattern in patterns {
        pattern.members.retain(|ident| ident.name != each.index.name);
    }
}

fn patterns_of<'s>(condition: &'s Condition, shut: Option<&'static str>, out: &mut Vec<Pattern<'s>>) {
    match condition {
        Condition::And(parts) => parts.iter().for_each(|part| patterns_of(part, shut, out)),
        Condition::Or(parts) => parts.iter().for_each(|part| patterns_of(part, shut.or(Some("one side of `or`")), out)),
        Condition::Not(inner, _) => patterns_of(inner, shut.or(Some("`not`")), out),
        Condition::Mixed(..) => {}
        Condition::Clause(clause) => pattern_of_clause(clause, shut, out),
    }
}

fn pattern_of_clause<'s>(clause: &'s Clause, shut: Option<&'static str>, out: &mut Vec<Pattern<'s>>) {
    match &clause.predicate {
        None => {
            if let [element] = clause.subject.elements.as_slice()
                && let (ExprKind::Paren(inner), None) = (&element.left.kind, &element.place)
            {
                patterns_of(inner, shut, out);
            }
        }
        Some(Predicate::Compare(Comparison::Equal, right)) if right.place.is_none() => {
            let ExprKind::Set(members) = &right.left.kind else { return };
            if let Some(members) = members.iter().map(Expr::as_name).collect::<Option<Vec<_>>>() {
                out.push(Pattern { left: Left::Noun(&clause.subject), members, shut });
            }
        }
        Some(_) => {}
    }
}

/// The word that declares one thing of a kind.
fn one_word(kind: Kind) -> &'static str {
    describe(kind, true).trim_start_matches("a ")
}

/// The members of `= {x, y}`.
fn names_in_qualifier<'s>(qualifier: &'s QualifierKind, out: &mut Vec<&'s str>) {
    if let QualifierKind::Exactly(set) = qualifier {
        names_in(set, out);
    }
}

/// Every name in a list.
fn names_of<'s>(noun: &'s Noun, out: &mut Vec<&'s str>) {
    for element in &noun.elements {
        names_in(&element.left, out);
        if let Some(place) = &element.place {
            names_in(place, out);
        }
    }
}

fn names_in<'s>(expr: &'s Expr, out: &mut Vec<&'s str>) {
    match &expr.kind {
        ExprKind::Name(ident) | ExprKind::Member(ident, _) => out.push(&ident.name),
        ExprKind::Number(_) => {}
        ExprKind::Set(members) => members.iter().for_each(|member| names_in(member, out)),
        ExprKind::Count(inner) => names_in(inner, out),
        ExprKind::Call(_, noun) => names_of(noun, out),
        ExprKind::Seeing(_, _, seen) => {
            for element in seen {
                names_in(&element.left, out);
                if let Some(place) = &element.place {
                    names_in(place, out);
                }
            }
        }
        ExprKind::Chain(first, rest) => {
            names_in(first, out);
            rest.iter().for_each(|binary| names_in(&binary.right, out));
        }
        ExprKind::Paren(condition) => {
            if let Condition::Clause(clause) = condition.as_ref() {
                names_of(&clause.subject, out);
            }
        }
    }
}
