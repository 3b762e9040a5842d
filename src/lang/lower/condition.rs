//! Conditions. In: conditions as written. Out: checked conditions. What only looks like one is an error that
//! says what would be one.

use super::names::Rule;
use super::value::{Shape, Value, common};
use super::{Checked, ErrorReported};
use crate::lang::ast::{self, Clause, Determiner, Each, Element, ExprKind, Predicate, Span};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Comparison, Condition, Expr, Kind, Quantifier, VarId};

impl Rule<'_> {
    pub fn condition(&mut self, condition: &ast::Condition) -> Checked<Condition> {
        match condition {
            ast::Condition::And(parts) => Ok(Condition::And(self.each_of(parts, Self::condition)?)),
            ast::Condition::Or(parts) => Ok(Condition::Or(self.each_of(parts, Self::condition)?)),
            ast::Condition::Not(inner, _) => Ok(Condition::Not(Box::new(self.condition(inner)?))),
            ast::Condition::Mixed(and, or) => self.mixed(and, or),
            ast::Condition::LinkedBy(how, source) => self.linked_by(how, source),
            ast::Condition::GivensAllow(candidates) => self.givens_allow(candidates),
            ast::Condition::Clause(clause) => self.clause(clause),
        }
    }

    /// `some link by group`
    fn linked_by(&mut self, (how, place): &(Determiner, Span), source: &ast::Ident) -> Checked<Condition> {
        if !self.naming {
            let message = "which links a match has is known when its step gets a name";
            let help = "write it in `called \"…\" when some link by …`; the `strong:` line says which links are used";
            let span = place.start..source.span.end;
            return self.fail(Diagnostic::error("E0314", span, message, "not here").help(help));
        }
        let by = |how| Condition::LinkedBy(how, source.name.clone());
        Ok(match how {
            Determiner::Every => by(Quantifier::Every),
            Determiner::Some => by(Quantifier::Some),
            Determiner::No => Condition::Not(Box::new(by(Quantifier::Some))),
        })
    }

    /// `CONDITION for d in D for e in E`, the first outermost.
    pub fn repeated(&mut self, condition: &ast::Condition, each: &[Each]) -> Checked<Condition> {
        let Some((each, inside)) = each.split_first() else { return self.condition(condition) };
        let over = self.each(each, &[]);
        // If the set is wrong, the running name is declared all the same.
        let inner = self.in_loop(self.index_at(&each.index.span), |rule| rule.repeated(condition, inside));
        let (id, over) = over?;
        let inner = Box::new(inner?);
        Ok(match each.determiner {
            None | Some((Determiner::Every, _)) => Condition::ForAll(id, over, inner),
            Some((Determiner::Some, _)) => Condition::Exists(id, over, inner),
            Some((Determiner::No, _)) => Condition::Not(Box::new(Condition::Exists(id, over, inner))),
        })
    }

    /// A running name is not that of a loop around it.
    pub fn running(&mut self, index: &ast::Ident) -> Checked<()> {
        let outer = self.loops.iter().map(|id| &self.symbols[id.0]).find(|symbol| symbol.name == index.name);
        let Some(first) = outer.map(|symbol| symbol.span.clone()) else { return Ok(()) };
        let message = format!("`{}` runs already", index.name);
        let diagnostic = Diagnostic::error("E0203", index.span.clone(), message, "declared again");
        self.fail(diagnostic.label(first, "declared here first").help("give one of the two another name"))
    }

    /// The running name of a `for` and what it runs over: one of some kinds, any set where there are none.
    pub fn each(&mut self, each: &Each, kinds: &[Kind]) -> Checked<(VarId, Expr)> {
        let over = self.expr(&each.over);
        let Some(id) = self.index_at(&each.index.span) else { return Err(ErrorReported) };
        let over = over?;
        if kinds.is_empty() || kinds.contains(&Kind::Cell) {
            self.symbols[id.0].kind = None;
            self.no_cells_of_houses(&over, &each.index)?;
        }
        self.running(&each.index)?;
        let digits_only = !kinds.is_empty();
        if over.kind == Kind::Number || (digits_only && !kinds.contains(&over.kind)) {
            self.symbols[id.0].kind = None;
            let (wanted, help) = match (kinds, over.kind) {
                ([], _) => ("a set", "write `for d in digits(…)`"),
                ([Kind::Digit], Kind::Cell | Kind::House(_) | Kind::Candidate) => (
                    "digits",
                    "a conclusion is about all members of a set at once: name the set, and leave `for …` out",
                ),
                ([Kind::Digit], _) => ("digits", "write `for d in digits(…)`"),
                _ => ("digits or cells", "write `for d in digits(…)` or `for c in cells(…)`"),
            };
            let message = format!("`for` runs over {wanted} here; this is {}", over.what());
            return self.fail(Diagnostic::error("E0404", over.span.clone(), message, over.what()).help(help));
        }
        if let (true, Some((_, place))) = (digits_only, &each.determiner) {
            let message = "a line is repeated for every member; leave the word after `for` out";
            return self.fail(Diagnostic::error("E0304", place.clone(), message, "not here"));
        }
        self.symbols[id.0].kind = Some(over.kind);
        Ok((id, over.expr))
    }

    /// Checks something inside of a loop.
    pub fn in_loop<T>(&mut self, id: Option<VarId>, what: impl FnOnce(&mut Self) -> T) -> T {
        self.loops.extend(id);
        let out = what(self);
        if id.is_some() {
            self.loops.pop();
        }
        out
    }

    fn clause(&mut self, clause: &Clause) -> Checked<Condition> {
        let Some(predicate) = &clause.predicate else { return self.bare(clause) };
        if let (Predicate::Compare(comparison, right), None) = (predicate, &clause.determiner) {
            return self.comparison(clause, *comparison, right);
        }
        let subject = self.noun(&clause.subject);
        let subject = match subject {
            Ok(subject) => subject,
            Err(said) => {
                // Errors of the right side are worth knowing too.
                let _ = self.right_side(predicate);
                return Err(said);
            }
        };
        self.predicate(&subject, clause.determiner.as_ref(), predicate)
    }

    fn right_side(&mut self, predicate: &Predicate) -> Checked<()> {
        match predicate {
            Predicate::Compare(_, element) | Predicate::Within(element) | Predicate::Disjoint(element) => {
                self.element(element).map(drop)
            }
            Predicate::Relation { to: Some(noun), .. } => self.noun(noun).map(drop),
            Predicate::ClosedBetween(first, second) => {
                let (first, second) = (self.expr(first), self.expr(second));
                first.and(second).map(drop)
            }
            _ => Ok(()),
        }
    }

    /// `some z in A`, `no G`, `z in digits(s)`, `( … )`.
    fn bare(&mut self, clause: &Clause) -> Checked<Condition> {
        if let Some((determiner, place)) = &clause.determiner {
            let value = self.noun(&clause.subject)?;
            if value.kind == Kind::Number {
                let message = "`some` and `no` need a set; this is a number";
                return self.fail(Diagnostic::error("E0302", value.span, message, "a number"));
            }
            self.no_determiner_on_one(&value, place)?;
            return match determiner {
                Determiner::Some => Ok(Condition::Some(value.expr)),
                Determiner::No => Ok(Condition::No(value.expr)),
                Determiner::Every => self.fail(
                    Diagnostic::error("E0305", clause.span.clone(), "`every …` says nothing yet", "and what of them?")
                        .help("go on with `has …`, `lacks …`, `sees …` or `within …`"),
                ),
            };
        }
        if let [only] = clause.subject.elements.as_slice()
            && let (ExprKind::Paren(inner), None) = (&only.left.kind, &only.place)
        {
            return self.condition(inner);
        }
        match clause.subject.elements.split_last() {
            Some((last, before)) if before.iter().all(|element| element.place.is_none()) => match &last.place {
                Some(place) => self.membership_clause(clause, place),
                None => self.not_a_condition(clause),
            },
            _ => self.not_a_condition(clause),
        }
    }

    fn not_a_condition(&mut self, clause: &Clause) -> Checked<Condition> {
        let value = self.noun(&clause.subject)?;
        let message = format!("a condition is needed here, and this is {}", value.what());
        let help = match value.kind {
            Kind::Number => "compare it: `… = 2`",
            Kind::Candidate => "say `some …` if at least one must be there, `no …` if none may be",
            _ => "say `some …`, `no …`, or what is true of it: `… within A`, `#… = 2`",
        };
        self.fail(Diagnostic::error("E0305", clause.span.clone(), message, "neither true nor false").help(help))
    }

    fn membership_clause(&mut self, clause: &Clause, place: &ast::Expr) -> Checked<Condition> {
        let lefts: Vec<&ast::Expr> = clause.subject.elements.iter().map(|element| &element.left).collect();
        let lefts = self.each_of(&lefts, |rule, left| rule.expr(left));
        self.in_a_kind(place)?;
        let place = self.expr(place);
        let (lefts, place) = (lefts?, place?);
        let span = clause.span.start..lefts.last().map_or(clause.span.end, |left| left.span.end);
        let left = self.join(lefts, span)?;
        if left.kind == Kind::Digit && (place.kind == Kind::Cell || place.is_house()) {
            let text = "candidates: neither true nor false";
            let message = "a condition is needed here, and this is a set of candidates";
            return self.fail(Diagnostic::error("E0305", clause.span.clone(), message, text).help(
                "say `some …` if at least one must be there, `no …` if none may be, `… within …` where they lie",
            ));
        }
        self.membership(&left, &place)
    }

    /// `in house` for `in one house`
    pub fn in_a_kind(&mut self, place: &ast::Expr) -> Checked<()> {
        let Some(word) = place.as_name().filter(|word| self.find(&word.name).is_none()) else { return Ok(()) };
        let one =
            super::value::kind_word(&word.name).is_some_and(|(kind, many)| matches!(kind, Kind::House(_)) && !many);
        if !one {
            return Ok(());
        }
        let name = &word.name;
        let message = format!("`{name}` alone is not a value");
        let help =
            format!("several cells are `in one {name}`; a {name} that the rule uses gets a name: `h: {name}`, `in h`");
        self.fail(Diagnostic::error("E0204", word.span.clone(), message, "a word for a kind").help(help))
    }

    /// The left is in the right.
    pub fn membership(&mut self, left: &Value, place: &Value) -> Checked<Condition> {
        if left.kind == Kind::Digit && (place.kind == Kind::Cell || place.is_house()) {
            let message = format!("{} cannot be in {}", left.what(), place.what());
            let help = "write `in digits(…)`: among the candidates there";
            return self.fail(Diagnostic::error("E0302", place.span.clone(), message, place.what()).help(help));
        }
        let (left, right) = self.comparable(left, place, "`in`")?;
        Ok(Condition::Within(left, right))
    }

    /// Two sets as sets of one kind.
    pub fn comparable(&mut self, left: &Value, right: &Value, who: &str) -> Checked<(Expr, Expr)> {
        let pair = match (left.kind, right.kind) {
            (Kind::Number, _) | (_, Kind::Number) => None,
            (a, b) if common(a, b).is_some() && !left.is_house() => Some((left.expr.clone(), right.expr.clone())),
            // One house among many houses is a member; beside one house, both are their cells.
            (a, b) if common(a, b).is_some() && right.shape == Shape::Many => {
                Some((left.expr.clone(), right.expr.clone()))
            }
            (Kind::Digit, _) | (_, Kind::Digit) => None,
            (Kind::Candidate, _) => left.as_cells(true).zip(right.as_cells(true)),
            _ => left.as_cells(false).zip(right.as_cells(false)),
        };
        match pair {
            Some(pair) => Ok(pair),
            None => {
                let message =
                    format!("{who} needs two sets of one kind; here are {} and {}", left.what(), right.what());
                let help = super::expr::kind_help(left.kind, right.kind);
                self.fail(
                    Diagnostic::error("E0301", right.span.clone(), message, right.what())
                        .label(left.span.clone(), left.what())
                        .help_if(help),
                )
            }
        }
    }

    fn comparison(&mut self, clause: &Clause, comparison: ast::Comparison, right: &Element) -> Checked<Condition> {
        if let (ast::Comparison::Equal, ExprKind::Set(members), None) = (comparison, &right.left.kind, &right.place) {
            let left = self.noun(&clause.subject);
            return self.pattern(left, members, &right.span);
        }
        let left = self.noun(&clause.subject);
        let right = self.element(right);
        self.compare(left?, comparison, right?)
    }

    pub fn compare(&mut self, left: Value, comparison: ast::Comparison, right: Value) -> Checked<Condition> {
        let sign = sign(comparison);
        if left.kind == Kind::Number && right.kind == Kind::Number {
            return Ok(Condition::Compare(left.expr, sign, right.expr));
        }
        if (left.kind == Kind::Number) != (right.kind == Kind::Number) {
            let (set, number) = if left.kind == Kind::Number { (right, left) } else { (left, right) };
            let message = format!("a number is compared with {}", set.what());
            let diagnostic = Diagnostic::error("E0301", set.span.clone(), message, set.what());
            return self.fail(diagnostic.label(number.span, "a number").help("`#` counts a set: `#digits(s) = 3`"));
        }
        match sign {
            Comparison::Equal | Comparison::NotEqual => {
                let (left, right) = self.comparable(&left, &right, "`=`")?;
                let equal = Condition::Equal(left, right);
                Ok(if sign == Comparison::Equal { equal } else { Condition::Not(Box::new(equal)) })
            }
            _ => {
                let message = "sets are neither smaller nor larger than one another";
                let span = left.span.start..right.span.end;
                let help = "compare counts: `#a < #b`, or say `a within b`";
                self.fail(Diagnostic::error("E0301", span, message, "two sets").help(help))
            }
        }
    }

    pub fn element(&mut self, element: &Element) -> Checked<Value> {
        let noun = ast::Noun { span: element.span.clone(), elements: vec![element.clone()] };
        self.noun(&noun)
    }

    /// Lowers a predicate with its subject.
    pub fn predicate(
        &mut self,
        subject: &Value,
        determiner: Option<&(Determiner, Span)>,
        predicate: &Predicate,
    ) -> Checked<Condition> {
        if let Predicate::Relation { relation, word, determiner: second, to } = predicate {
            return self.relation(subject, determiner, (*relation, word), second.as_ref(), to.as_ref());
        }
        if let Some((word, place)) = determiner {
            let speaks_of_all = matches!(predicate, Predicate::Within(_) | Predicate::Disjoint(_));
            if !(speaks_of_all && *word == Determiner::Every) {
                let message = "this relation is about the whole set; leave the word before it out";
                return self.fail(Diagnostic::error("E0304", place.clone(), message, "not here"));
            }
        }
        match predicate {
            Predicate::Closed => {
                self.several(subject, "`closed` needs a set of cells")?;
                Ok(Condition::Closed(self.cells_of(subject, false, "what is closed")?))
            }
            Predicate::ClosedBetween(first, second) => self.closed_between(subject, first, second),
            Predicate::Within(right) => {
                let right = self.element(right)?;
                let (left, right) = self.comparable(subject, &right, "`within`")?;
                Ok(Condition::Within(left, right))
            }
            Predicate::Disjoint(right) => {
                let right = self.element(right)?;
                self.without_common(subject, &right)
            }
            Predicate::Compare(comparison, right) => {
                let right = self.element(right)?;
                self.compare(subject.clone(), *comparison, right)
            }
            Predicate::InOne(class) => self.in_one(subject, class),
            Predicate::Connected(place) => {
                if subject.shape == Shape::One {
                    let message = "`connected` needs a set of cells";
                    return self.fail(Diagnostic::error("E0308", place.clone(), message, "this is one thing"));
                }
                Ok(Condition::Connected(self.cells_of(subject, false, "what is connected")?))
            }
            Predicate::Relation { .. } => Err(ErrorReported),
        }
    }

    fn in_one(&mut self, subject: &Value, class: &ast::Ident) -> Checked<Condition> {
        let word = class.name.as_str();
        let known =
            super::value::house_class(word).filter(|_| super::value::kind_word(word).is_some_and(|(_, many)| !many));
        let Some(class) = known else {
            let near = crate::lang::words::nearest(word, ["house", "row", "column", "box", "line"]);
            let help = match near {
                Some(near) => format!("did you mean `{near}`?"),
                None => "write `in one house`, `row`, `column`, `box` or `line`".to_owned(),
            };
            let message = format!("`{word}` is not a kind of house");
            return self.fail(Diagnostic::error("E0201", class.span.clone(), message, "not a house").help(help));
        };
        if subject.shape == Shape::One {
            let message = "one thing alone is always in one house";
            let help = "say it of a set or of a list: `A, B in one house`";
            return self.fail(Diagnostic::error("E0308", subject.span.clone(), message, "one thing").help(help));
        }
        let cells = self.cells_of(subject, true, "what lies in one house")?;
        Ok(Condition::InOne(cells, class))
    }
}

fn sign(comparison: ast::Comparison) -> Comparison {
    match comparison {
        ast::Comparison::Equal => Comparison::Equal,
        ast::Comparison::NotEqual => Comparison::NotEqual,
        ast::Comparison::Less => Comparison::Less,
        ast::Comparison::LessEqual => Comparison::LessEqual,
        ast::Comparison::Greater => Comparison::Greater,
        ast::Comparison::GreaterEqual => Comparison::GreaterEqual,
    }
}
