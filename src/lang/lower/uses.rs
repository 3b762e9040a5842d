//! Items that use others: patterns, rule lists, and the graph of what uses what. In: the lines of a rule, and every pattern and rule
//! list that was loaded. Out: the lines with those of the patterns in their place, with findings moved to places that the author can
//! see; the techniques of a list, each once; errors that name a whole circle with its places.
//!
//! Names are known by their places, so the lines of a pattern get places of their own, far behind those of any
//! file; findings there are brought back afterwards.

use super::{ItemScope, Patterns};
use crate::lang::ast::{
    File, Ident, InferenceMethods, Item, Links, Member, Pattern, RuleList, Span, Statement, StatementKind, Suppose,
    Visitor,
};
use crate::lang::codes::{NameProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::diagnostic::{Diagnostic, Label};
use crate::lang::ir::{Circles, Declared, Dependencies, MOST_NAMED, RuleRef, Use, circle_words};
use crate::lang::words;
use std::collections::BTreeSet;

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

impl<'a> ItemScope<'a> {
    /// Finds a pattern by its name; true if it is in this file.
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

/// Expands the patterns of a rule. Findings are already at places that the author can see.
pub fn expand(lines: &[Statement], known: &ItemScope) -> (Vec<Statement>, Vec<Expansion>, Vec<Diagnostic>) {
    let mut expander = Expander { known, all: Vec::new(), found: Vec::new() };
    let lines = expander.lines(lines, None);
    let found = located(expander.found, &expander.all, Vec::new());
    (lines, expander.all, found)
}

struct Expander<'a> {
    known: &'a ItemScope<'a>,
    all: Vec<Expansion>,
    found: Vec<Diagnostic>,
}

impl Expander<'_> {
    /// Expands the patterns in some lines; `outer` is the pattern around them and the line of the rule that uses it.
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
            let error = RuleProblem::PatternInCircle { name: id.name.clone() }.at(&id.span);
            let circle = self.known.circles.through(used).unwrap_or_default();
            self.found.push(self.known.with_circle(&circle, user, error));
            return Vec::new();
        }
        if self.all.len() >= MOST {
            self.found.push(SyntaxProblem::TooManyPatterns { most: MOST }.at(&id.span));
            return Vec::new();
        }
        let broken = |line: &Statement| matches!(line.kind, StatementKind::Broken(_));
        if !here && (pattern.broken || pattern.body.iter().any(broken)) {
            self.found.push(NameProblem::BrokenPattern { name: id.name.clone() }.at(&id.span));
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
        let near = words::nearest(&id.name, known.iter().copied()).map(str::to_owned);
        self.found.push(NameProblem::UnknownPattern { name: id.name.clone(), near }.at(&id.span));
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

/// A visitor that moves every place.
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

/// Returns the place that the author sees for a place in an expanded pattern: in the pattern if it is in this file, else the line that
/// uses it.
pub fn brought_back(place: Span, expansions: &[Expansion]) -> Span {
    match expansions.iter().rev().find(|expansion| expansion.base <= place.start) {
        None => place,
        Some(from) if from.here => place.start - from.base..place.end.saturating_sub(from.base),
        Some(from) => from.at.clone(),
    }
}

/// Moves findings in expanded patterns to the pattern if it is in this file, else to the line that uses it. If
/// patterns are missing, `unread` reports them, and findings about names that they may declare are dropped.
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

impl<'a> ItemScope<'a> {
    /// Finds a rule list by its name; true if it is in this file.
    pub fn rule_list(&self, id: &str) -> Option<(&'a RuleList, bool)> {
        let own = self.file.items.iter().find_map(|item| match item {
            Item::RuleList(rule_list) if rule_list.id.name == id => Some(rule_list),
            _ => None,
        });
        own.map(|own| (own, true)).or_else(|| self.patterns.rule_lists.get(id).map(|other| (other, false)))
    }

    /// Lists the names of all rule lists.
    pub fn rule_lists(&self) -> Vec<&'a str> {
        let own = self.file.items.iter().filter_map(|item| match item {
            Item::RuleList(rule_list) => Some(rule_list.id.name.as_str()),
            _ => None,
        });
        own.chain(self.patterns.rule_lists.keys().map(String::as_str)).collect()
    }
}

/// Appends to `out` the techniques that `members` name, with nested rule lists expanded, each once. Returns errors.
pub fn techniques_of(members: &[Member], known: &ItemScope, out: &mut Vec<RuleRef>) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    for member in members {
        found.extend(wrong(member, known));
        for one in flatten(member, known) {
            let args = (!one.args.is_empty()).then(|| one.args.iter().map(|number| number.value).collect());
            let rule = RuleRef { technique: one.id.name.clone(), args };
            if !out.contains(&rule) {
                out.push(rule);
            }
        }
    }
    found
}

/// Returns an error if a list cannot name this rule list.
fn wrong(member: &Member, known: &ItemScope) -> Option<Diagnostic> {
    let (rule_list, here) = known.rule_list(&member.id.name)?;
    let name = member.id.name.clone();
    if !member.args.is_empty() {
        return Some(NameProblem::ListWithArguments { name }.at(&member.span));
    }
    (rule_list.broken && !here).then(|| NameProblem::BrokenList { name }.at(&member.span))
}

/// Returns the techniques that a member names: itself, or everything in a rule list and the lists in it, depth first.
pub fn flatten<'m>(member: &'m Member, known: &ItemScope<'m>) -> Vec<&'m Member> {
    let (mut out, mut seen) = (Vec::new(), Vec::new());
    let mut waiting = vec![member];
    while let Some(next) = waiting.pop() {
        match known.rule_list(&next.id.name) {
            None => out.push(next),
            Some(_) if seen.contains(&&next.id.name) => {}
            Some((rule_list, _)) => {
                seen.push(&next.id.name);
                waiting.extend(rule_list.members.iter().rev());
            }
        }
    }
    out
}

/// Checks one rule list: it must not contain itself, directly or not, and the lists that it names must be usable.
pub fn check_list(rule_list: &RuleList, known: &ItemScope) -> Vec<Diagnostic> {
    let mut found: Vec<Diagnostic> = rule_list.members.iter().filter_map(|member| wrong(member, known)).collect();
    let own = Declared::RuleList(&rule_list.id.name);
    for member in &rule_list.members {
        if known.circles.join(own, Declared::RuleList(&member.id.name)) {
            let error = RuleProblem::ListInCircle { name: rule_list.id.name.clone() }.at(&member.span);
            found.push(known.with_circle(&known.circles.through(own).unwrap_or_default(), own, error));
        }
    }
    found
}

/// Builds the graph of all items of some files; an item of a later file replaces one of the same name.
pub fn written_dependencies(files: &[File]) -> Dependencies<'_> {
    let mut graph = GraphBuilder::default();
    let items: Vec<&Item> = files.iter().rev().flat_map(|file| &file.items).collect();
    graph.lists = items.iter().filter_map(|item| as_list(item)).map(|list| list.id.name.as_str()).collect();
    for item in items {
        match item {
            Item::Technique(one) => graph.lines(Declared::Technique(&one.id.name), &one.body),
            Item::Source(one) => graph.lines(Declared::LinkSource(&one.id.name), &one.body),
            Item::Pattern(one) => graph.lines(Declared::Pattern(&one.id.name), &one.body),
            Item::RuleList(one) => graph.list(one),
            Item::Example(_) => {}
        }
    }
    graph.graph
}

/// Builds the graph of patterns and rule lists; of two with the same name the first counts.
pub fn shared_dependencies<'a>(
    patterns: impl Iterator<Item = &'a Pattern>,
    lists: impl Iterator<Item = &'a RuleList> + Clone,
) -> Dependencies<'a> {
    let mut graph =
        GraphBuilder { lists: lists.clone().map(|list| list.id.name.as_str()).collect(), ..GraphBuilder::default() };
    patterns.for_each(|one| graph.lines(Declared::Pattern(&one.id.name), &one.body));
    lists.for_each(|one| graph.list(one));
    graph.graph
}

/// Returns the name under which others use an item, and its place; `None` for examples.
pub fn declared(item: &Item) -> Option<(Declared<'_>, &Ident)> {
    Some(match item {
        Item::Technique(one) => (Declared::Technique(&one.id.name), &one.id),
        Item::Source(one) => (Declared::LinkSource(&one.id.name), &one.id),
        Item::Pattern(one) => (Declared::Pattern(&one.id.name), &one.id),
        Item::RuleList(one) => (Declared::RuleList(&one.id.name), &one.id),
        Item::Example(_) => return None,
    })
}

#[derive(Default)]
struct GraphBuilder<'a> {
    graph: Dependencies<'a>,
    /// Names of rule lists; where a technique is expected, such a name means the list.
    lists: BTreeSet<&'a str>,
    /// Items whose edges are in the graph.
    added: BTreeSet<Declared<'a>>,
}

impl<'a> GraphBuilder<'a> {
    fn lines(&mut self, user: Declared<'a>, lines: &'a [Statement]) {
        if !self.added.insert(user) {
            return;
        }
        self.graph.add_node(user);
        for line in lines {
            match &line.kind {
                StatementKind::Uses(id) => self.edge(user, Declared::Pattern(&id.name), Use::Expands),
                StatementKind::Join(id, ..) => self.edge(user, Declared::Technique(&id.name), Use::Joins),
                kind => {
                    supposed(kind).iter().for_each(|member| self.edge(user, self.member(member), Use::Supposes));
                    links(kind).for_each(|id| self.edge(user, Declared::LinkSource(&id.name), Use::Links));
                }
            }
        }
    }

    fn list(&mut self, list: &'a RuleList) {
        let user = Declared::RuleList(&list.id.name);
        if self.added.insert(user) {
            self.graph.add_node(user);
            list.members.iter().for_each(|member| self.edge(user, self.member(member), Use::Lists));
        }
    }

    fn member(&self, member: &'a Member) -> Declared<'a> {
        let id = member.id.name.as_str();
        if self.lists.contains(id) { Declared::RuleList(id) } else { Declared::Technique(id) }
    }

    fn edge(&mut self, user: Declared<'a>, used: Declared<'a>, how: Use) {
        self.graph.add_edge(user, used, how);
    }
}

/// Returns the techniques that the supposition of a line uses.
pub fn supposed(kind: &StatementKind) -> &[Member] {
    match kind {
        StatementKind::Suppose(Suppose { means: InferenceMethods::Rules(members), .. }) => members,
        _ => &[],
    }
}

/// Returns the names of the link sources that a line takes strong links from.
pub fn links(kind: &StatementKind) -> impl Iterator<Item = &Ident> {
    let links: Option<&Links> = match kind {
        StatementKind::Chain(chain) => Some(&chain.links),
        StatementKind::Loop(one) => Some(&one.links),
        StatementKind::Cluster(cluster) => Some(&cluster.links),
        StatementKind::Ring(ring) => Some(&ring.links),
        StatementKind::Suppose(Suppose { means: InferenceMethods::Links(_, _, links), .. }) => Some(links),
        _ => None,
    };
    links.into_iter().flat_map(|links| links.strong.iter().flatten())
}

pub fn as_list(item: &Item) -> Option<&RuleList> {
    match item {
        Item::RuleList(list) => Some(list),
        _ => None,
    }
}

impl ItemScope<'_> {
    /// Adds a whole circle to an error at one of its items: its names to the message, and a label at each further place of this file.
    /// An item of another file is named with its place.
    pub fn with_circle(&self, circle: &[Declared], at: Declared, mut error: Diagnostic) -> Diagnostic {
        if circle.len() < 2 {
            return error;
        }
        let mut names = Vec::new();
        for (number, &user) in circle.iter().enumerate().take(MOST_NAMED) {
            let used = circle[(number + 1) % circle.len()];
            let place = self.place_of_use(user, used);
            let elsewhere = if place.is_none() { (self.place)(user) } else { None };
            names
                .push(elsewhere.map_or_else(|| format!("`{}`", user.id()), |file| format!("`{}` ({file})", user.id())));
            if let Some(place) = place.filter(|_| user != at) {
                error = error.label(place, format!("`{}` uses `{}`", user.id(), used.id()));
            }
        }
        error.message = format!("{}: {}", error.message, circle_words(&names, circle.len()));
        error
    }

    /// Finds the place in this file where one item uses another.
    fn place_of_use(&self, user: Declared, used: Declared) -> Option<Span> {
        self.file.items.iter().find_map(|item| match (item, user) {
            (Item::Pattern(one), Declared::Pattern(id)) if one.id.name == id => {
                let uses = one.body.iter().filter_map(|line| match &line.kind {
                    StatementKind::Uses(id) if id.name == used.id() => Some(&id.span),
                    _ => None,
                });
                uses.chain([&one.id.span]).next().cloned()
            }
            (Item::RuleList(one), Declared::RuleList(id)) if one.id.name == id => {
                let member = one.members.iter().find(|member| member.id.name == used.id());
                Some(member.map_or(&one.id.span, |member| &member.span).clone())
            }
            (Item::Technique(one), Declared::Technique(id)) if one.id.name == id => {
                let mut members = one.body.iter().flat_map(|line| supposed(&line.kind));
                let member = members.find(|member| flatten(member, self).iter().any(|one| one.id.name == used.id()));
                Some(member.map_or(&one.id.span, |member| &member.span).clone())
            }
            _ => None,
        })
    }
}
