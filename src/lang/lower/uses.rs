//! Patterns and the lines that use them. In: the lines of a rule, and every pattern at hand. Out: the same lines
//! with those of the patterns in their place, and findings moved to places that the author can see.
//!
//! Names are known by their places, so the lines of a pattern get places of their own, far behind those of any
//! file; what is found there is brought back afterwards.

use super::dependencies::{as_list, shared_dependencies};
use super::{Known, Patterns};
use crate::lang::ast::{File, Ident, Item, Pattern, Span, Statement, StatementKind, Visitor};
use crate::lang::diagnostic::{Diagnostic, Label};
use crate::lang::ir::{Circles, Declared};
use crate::lang::words;

/// First place of the first pattern, and the distance between the first places of two patterns.
const BASE: usize = 1 << 30;
const STEP: usize = 1 << 25;
/// Patterns in one rule, at most: one may use others, so that a few lines could make very many.
const MOST: usize = 16;

/// A pattern whose lines stand in a rule.
#[derive(Clone, Debug)]
pub struct Expansion {
    /// Offset of its places.
    pub base: usize,
    /// The line of the rule that brought it in.
    pub at: Span,
    id: String,
    /// True if the pattern is in the file of the rule.
    here: bool,
}

impl Patterns {
    /// Adds the patterns and rule lists of a file; one of the same name is replaced.
    pub fn add(&mut self, file: &File) {
        for item in &file.items {
            if let Item::Pattern(pattern) = item {
                self.patterns.insert(pattern.id.name.clone(), pattern.clone());
            }
            if let Item::RuleList(rule_list) = item {
                self.rule_lists.insert(rule_list.id.name.clone(), rule_list.clone());
            }
        }
    }

    /// Finds the circles of patterns and of rule lists, for a file whose own come before others of the same name.
    pub fn circles<'a>(&'a self, file: &'a File) -> Circles<Declared<'a>> {
        let patterns = file.items.iter().filter_map(|item| match item {
            Item::Pattern(pattern) => Some(pattern),
            _ => None,
        });
        let lists = file.items.iter().filter_map(as_list);
        let patterns = patterns.chain(self.patterns.values());
        Circles::of(&shared_dependencies(patterns, lists.chain(self.rule_lists.values())))
    }
}

impl<'a> Known<'a> {
    /// The pattern of a name, and whether it is of this file.
    fn find(&self, id: &str) -> Option<(&'a Pattern, bool)> {
        let own = self.file.items.iter().find_map(|item| match item {
            Item::Pattern(pattern) if pattern.id.name == id => Some(pattern),
            _ => None,
        });
        own.map(|own| (own, true)).or_else(|| self.patterns.patterns.get(id).map(|other| (other, false)))
    }

    fn names(&self) -> Vec<&'a str> {
        let own = self.file.items.iter().filter_map(|item| match item {
            Item::Pattern(pattern) => Some(pattern.id.name.as_str()),
            _ => None,
        });
        own.chain(self.patterns.patterns.keys().map(String::as_str)).collect()
    }
}

/// The lines of a rule with those of its patterns. Findings are already where they belong.
pub fn expand(lines: &[Statement], known: &Known) -> (Vec<Statement>, Vec<Expansion>, Vec<Diagnostic>) {
    let mut expander = Expander { known, all: Vec::new(), found: Vec::new() };
    let lines = expander.lines(lines, None);
    let found = located(expander.found, &expander.all, Vec::new());
    (lines, expander.all, found)
}

struct Expander<'a> {
    known: &'a Known<'a>,
    all: Vec<Expansion>,
    found: Vec<Diagnostic>,
}

impl Expander<'_> {
    /// The lines with those of their patterns; `outer` is the pattern that they belong to and the line of the rule that uses it.
    fn lines(&mut self, lines: &[Statement], outer: Option<(&str, &Span)>) -> Vec<Statement> {
        let mut out = Vec::new();
        for line in lines {
            match &line.kind {
                StatementKind::Uses(id) => out.extend(self.uses(id, outer.unwrap_or(("", &line.span)))),
                _ => out.push(line.clone()),
            }
        }
        out
    }

    fn uses(&mut self, id: &Ident, (outer, at): (&str, &Span)) -> Vec<Statement> {
        let Some((pattern, here)) = self.known.find(&id.name) else {
            self.unknown(id);
            return Vec::new();
        };
        let (user, used) = (Declared::Pattern(outer), Declared::Pattern(&id.name));
        if self.known.circles.join(user, used) {
            let message = format!("`{}` uses itself", id.name);
            let help = "a pattern may use others, but not in a circle: take one of these lines out";
            let error = Diagnostic::error("E0405", id.span.clone(), message, "in a circle").help(help);
            let circle = self.known.circles.through(used).unwrap_or_default();
            self.found.push(self.known.with_circle(&circle, user, error));
            return Vec::new();
        }
        if self.all.len() >= MOST {
            let message = format!("more than {MOST} patterns in one rule");
            self.found.push(Diagnostic::error("E0107", id.span.clone(), message, "one more here"));
            return Vec::new();
        }
        let broken = |line: &Statement| matches!(line.kind, StatementKind::Broken(_));
        if !here && (pattern.broken || pattern.body.iter().any(broken)) {
            let message = format!("the pattern `{}` has lines that cannot be read", id.name);
            self.found.push(Diagnostic::error("E0210", id.span.clone(), message, "used here"));
        }
        let base = BASE + self.all.len() * STEP;
        self.all.push(Expansion { base, at: at.clone(), id: id.name.clone(), here });
        // Lines that cannot stand in a pattern are reported there and ignored here.
        let fits = |line: &&Statement| not_in_pattern(&line.kind).is_none();
        let mut body: Vec<Statement> = pattern.body.iter().filter(fits).cloned().collect();
        body.iter_mut().for_each(|line| line.walk(&mut Shift(base)));
        self.lines(&body, Some((&id.name, at)))
    }

    fn unknown(&mut self, id: &Ident) {
        let known = self.known.names();
        let help = match words::nearest(&id.name, known.iter().copied()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => format!("declare it beside the techniques: `pattern {} {{ … }}`", id.name),
        };
        let message = format!("there is no pattern `{}`", id.name);
        self.found.push(Diagnostic::error("E0210", id.span.clone(), message, "not declared").help(help));
    }
}

/// Returns the name of a line that concludes or names steps; it cannot stand in a pattern or in a strong link.
pub fn not_in_pattern(kind: &StatementKind) -> Option<&'static str> {
    Some(match kind {
        StatementKind::Case(..) => "`case`",
        StatementKind::Called(..) => "`called`",
        StatementKind::Says(_) => "`says`",
        StatementKind::Because(_) => "`because`",
        StatementKind::Per(_) => "`one step per`",
        StatementKind::Join(..) => "`join`",
        StatementKind::Eliminate(..)
        | StatementKind::Place(..)
        | StatementKind::Conclude(..)
        | StatementKind::ConcludeLinks(..)
        | StatementKind::ConcludeLiteral(..) => "a conclusion",
        _ => return None,
    })
}

/// Moves every place.
struct Shift(usize);

impl Visitor for Shift {
    fn span(&mut self, span: &mut Span) {
        *span = span.start.saturating_add(self.0)..span.end.saturating_add(self.0);
    }
}

/// Returns true if a place lies in the lines of a pattern.
pub fn is_moved(span: &Span) -> bool {
    span.start >= BASE
}

/// A place in the lines of a pattern as the author can see it: in the pattern if it is of this file, else at the line that
/// uses it.
pub fn brought_back(place: Span, expansions: &[Expansion]) -> Span {
    match expansions.iter().rev().find(|expansion| expansion.base <= place.start) {
        None => place,
        Some(from) if from.here => place.start - from.base..place.end.saturating_sub(from.base),
        Some(from) => from.at.clone(),
    }
}

/// Findings in the lines of patterns: at the pattern if it is of this file, else at the line that uses it. Where
/// a pattern is not there, that is said in `unread`, and names that may be its own are not to blame.
pub fn located(found: Vec<Diagnostic>, expansions: &[Expansion], unread: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let known = |diagnostic: &Diagnostic| unread.is_empty() || !matches!(diagnostic.code, "E0202" | "E0406" | "W0201");
    let of = |span: &Span| expansions.iter().rev().find(|expansion| expansion.base <= span.start);
    let label = |label: Label| match of(&label.span) {
        None => label,
        Some(from) if from.here => {
            Label { span: label.span.start - from.base..label.span.end.saturating_sub(from.base), ..label }
        }
        Some(from) => Label { span: from.at.clone(), text: format!("in its pattern: {}", label.text) },
    };
    let whole = |diagnostic: Diagnostic| {
        let foreign = diagnostic.labels.first().and_then(|label| of(&label.span)).filter(|from| !from.here);
        let message = match foreign {
            Some(from) => format!("in the pattern `{}`: {}", from.id, diagnostic.message),
            None => diagnostic.message,
        };
        let labels = diagnostic.labels.into_iter().map(label).collect();
        Diagnostic { message, labels, ..diagnostic }
    };
    let mut out: Vec<Diagnostic> = found.into_iter().filter(known).map(whole).collect();
    out.extend(unread);
    out
}
