//! Items that use others: patterns, rule lists, and the graph of what uses what. In: the lines of a rule, and every pattern and rule
//! list that was loaded. Out: the lines with those of the patterns in their place, with findings moved to places that the author can
//! see; the techniques of a list, each once; errors that name a whole circle with its places.
//!
//! Names are known by their places, so the lines of a pattern get places of their own, far behind those of any
//! file; findings there are brought back afterwards.

use super::{ItemScope, Patterns};
use crate::lang::ast::{
    File, Ident, InferenceMethods, Item, LinkBlock, Pattern, RuleList, RuleName, Span, Statement, StatementKind,
    Suppose, moved,
};
use crate::lang::codes::{NameProblem, Problem, RuleProblem, SyntaxProblem};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Cycles, Dependencies, ItemName, MAX_LISTED_NAMES, RuleRef, UseKind, describe_cycle};
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

impl Expansion {
    /// Returns the place that the author sees for a place among its lines.
    fn seen(&self, place: &Span) -> Span {
        match self.here {
            true => place.start - self.base..place.end.saturating_sub(self.base),
            false => self.at.clone(),
        }
    }
}

/// Returns the pattern among whose lines a place is.
fn pattern_around<'a>(place: &Span, expansions: &'a [Expansion]) -> Option<&'a Expansion> {
    expansions.iter().rev().find(|expansion| expansion.base <= place.start)
}

impl Patterns {
    /// Adds the patterns and rule lists of a file; one of the same name is replaced.
    pub fn add(&mut self, file: &File) {
        self.patterns.extend(file.patterns().map(|pattern| (pattern.id.name.clone(), pattern.clone())));
        self.rule_lists.extend(file.rule_lists().map(|list| (list.id.name.clone(), list.clone())));
    }

    /// Finds the circles of patterns and of rule lists, for a file whose own come before others of the same name.
    pub fn circles<'a>(&'a self, file: &'a File) -> Cycles<ItemName<'a>> {
        let lists = file.rule_lists().chain(self.rule_lists.values());
        let mut graph = GraphBuilder {
            lists: lists.clone().map(|list| list.id.name.as_str()).collect(),
            ..GraphBuilder::default()
        };
        let patterns = file.patterns().chain(self.patterns.values());
        patterns.for_each(|one| graph.lines(ItemName::Pattern(&one.id.name), &one.body));
        lists.for_each(|one| graph.list(one));
        Cycles::find(&graph.graph)
    }
}

impl<'a> ItemScope<'a> {
    /// Finds a pattern by its name; true if it is in this file.
    fn pattern(&self, id: &str) -> Option<(&'a Pattern, bool)> {
        let own = self.file.patterns().find(|pattern| pattern.id.name == id);
        own.map(|own| (own, true)).or_else(|| self.patterns.patterns.get(id).map(|other| (other, false)))
    }

    /// Finds a rule list by its name; true if it is in this file.
    pub fn rule_list(&self, id: &str) -> Option<(&'a RuleList, bool)> {
        let own = self.file.rule_lists().find(|list| list.id.name == id);
        own.map(|own| (own, true)).or_else(|| self.patterns.rule_lists.get(id).map(|other| (other, false)))
    }

    /// Lists the names of all rule lists.
    pub fn rule_lists(&self) -> impl Iterator<Item = &'a str> {
        let own = self.file.rule_lists().map(|list| list.id.name.as_str());
        own.chain(self.patterns.rule_lists.keys().map(String::as_str))
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
        let Some((pattern, here)) = self.known.pattern(&id.name) else {
            let own = self.known.file.patterns().map(|pattern| &pattern.id.name);
            let near = words::nearest(&id.name, own.chain(self.known.patterns.patterns.keys()));
            self.found.push(NameProblem::UnknownPattern { name: id.name.clone(), near }.at(&id.span));
            return Vec::new();
        };
        let (user, used) = (ItemName::Pattern(outer), ItemName::Pattern(&id.name));
        if self.known.circles.connect(user, used) {
            let error = RuleProblem::PatternInCircle { name: id.name.clone() }.at(&id.span);
            let circle = self.known.circles.through(used).unwrap_or_default();
            self.found.push(self.known.with_circle(&circle, user, error));
            return Vec::new();
        }
        if self.all.len() >= MOST {
            self.found.push(SyntaxProblem::TooManyPatterns { most: MOST }.at(&id.span));
            return Vec::new();
        }
        let is_whole = !pattern.broken && pattern.body.iter().all(|line| !line.is_broken());
        if !here && !is_whole {
            self.found.push(NameProblem::BrokenPattern { name: id.name.clone() }.at(&id.span));
        }
        let base = BASE + self.all.len() * STEP;
        self.all.push(Expansion { base, at: at.clone(), id: id.name.clone(), here });
        // Lines that cannot stand in a pattern are reported there and ignored here.
        let mut body = moved(&pattern.body, base);
        body.retain(|line| not_in_pattern(&line.kind).is_none());
        self.lines(&body, Some((&id.name, at)))
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

/// Returns true if a place lies in the lines of a pattern.
pub fn is_from_pattern(span: &Span) -> bool {
    span.start >= BASE
}

/// Returns the place that the author sees for a place in an expanded pattern: in the pattern if it is in this file, else the line that
/// uses it.
pub fn brought_back(place: Span, expansions: &[Expansion]) -> Span {
    pattern_around(&place, expansions).map_or_else(|| place.clone(), |from| from.seen(&place))
}

/// Moves findings in expanded patterns to the pattern if it is in this file, else to the line that uses it. If
/// patterns are missing, `unread` reports them, and findings about names that they may declare are dropped.
pub fn located(mut found: Vec<Diagnostic>, expansions: &[Expansion], unread: Vec<Diagnostic>) -> Vec<Diagnostic> {
    found.retain(|finding| unread.is_empty() || !matches!(finding.code, "E0202" | "E0406" | "W0201"));
    for finding in &mut found {
        let first = finding.labels.first().and_then(|label| pattern_around(&label.span, expansions));
        if let Some(from) = first.filter(|from| !from.here) {
            finding.message = format!("in the pattern `{}`: {}", from.id, finding.message);
        }
        for label in &mut finding.labels {
            let Some(from) = pattern_around(&label.span, expansions) else { continue };
            label.span = from.seen(&label.span);
            if !from.here {
                label.text = format!("in its pattern: {}", label.text);
            }
        }
    }
    found.extend(unread);
    found
}

/// Appends to `out` the techniques that `members` name, with nested rule lists expanded, each once. Returns errors.
pub fn techniques_of(members: &[RuleName], known: &ItemScope, out: &mut Vec<RuleRef>) -> Vec<Diagnostic> {
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
fn wrong(member: &RuleName, known: &ItemScope) -> Option<Diagnostic> {
    let (rule_list, here) = known.rule_list(&member.id.name)?;
    let name = member.id.name.clone();
    if !member.args.is_empty() {
        return Some(NameProblem::ListWithArguments { name }.at(&member.span));
    }
    (rule_list.broken && !here).then(|| NameProblem::BrokenList { name }.at(&member.span))
}

/// Returns the techniques that a member names: itself, or everything in a rule list and the lists in it, depth first.
pub fn flatten<'m>(member: &'m RuleName, known: &ItemScope<'m>) -> Vec<&'m RuleName> {
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
    let own = ItemName::RuleList(&rule_list.id.name);
    for member in &rule_list.members {
        if known.circles.connect(own, ItemName::RuleList(&member.id.name)) {
            let error = RuleProblem::ListInCircle { name: rule_list.id.name.clone() }.at(&member.span);
            found.push(known.with_circle(&known.circles.through(own).unwrap_or_default(), own, error));
        }
    }
    found
}

/// Builds the graph of all items of some files; an item of a later file replaces one of the same name.
pub fn file_dependencies(files: &[File]) -> Dependencies<'_> {
    let lists = files.iter().flat_map(File::rule_lists).map(|list| list.id.name.as_str()).collect();
    let mut graph = GraphBuilder { lists, ..GraphBuilder::default() };
    for item in files.iter().rev().flat_map(|file| &file.items) {
        match (item, declared(item)) {
            (Item::RuleList(list), _) => graph.list(list),
            (_, Some((user, _))) => graph.lines(user, item.body()),
            (_, None) => {}
        }
    }
    graph.graph
}

/// Returns the name under which others use an item, and its place; `None` for examples.
pub fn declared(item: &Item) -> Option<(ItemName<'_>, &Ident)> {
    let id = item.id()?;
    let name = match item {
        Item::Technique(_) => ItemName::Technique(&id.name),
        Item::Source(_) => ItemName::LinkSource(&id.name),
        Item::Pattern(_) => ItemName::Pattern(&id.name),
        Item::RuleList(_) => ItemName::RuleList(&id.name),
        Item::Example(_) => return None,
    };
    Some((name, id))
}

#[derive(Default)]
struct GraphBuilder<'a> {
    graph: Dependencies<'a>,
    /// Names of rule lists; where a technique is expected, such a name means the list.
    lists: BTreeSet<&'a str>,
    /// Items whose edges are in the graph.
    added: BTreeSet<ItemName<'a>>,
}

impl<'a> GraphBuilder<'a> {
    fn lines(&mut self, user: ItemName<'a>, lines: &'a [Statement]) {
        if !self.added.insert(user) {
            return;
        }
        self.graph.add_node(user);
        for line in lines {
            match &line.kind {
                StatementKind::Uses(id) => self.edge(user, ItemName::Pattern(&id.name), UseKind::Expands),
                StatementKind::Join(id, ..) => self.edge(user, ItemName::Technique(&id.name), UseKind::Joins),
                kind => {
                    supposed(kind).iter().for_each(|member| self.edge(user, self.member(member), UseKind::Supposes));
                    links(kind).for_each(|id| self.edge(user, ItemName::LinkSource(&id.name), UseKind::Links));
                }
            }
        }
    }

    fn list(&mut self, list: &'a RuleList) {
        let user = ItemName::RuleList(&list.id.name);
        if self.added.insert(user) {
            self.graph.add_node(user);
            list.members.iter().for_each(|member| self.edge(user, self.member(member), UseKind::Lists));
        }
    }

    fn member(&self, member: &'a RuleName) -> ItemName<'a> {
        let id = member.id.name.as_str();
        if self.lists.contains(id) { ItemName::RuleList(id) } else { ItemName::Technique(id) }
    }

    fn edge(&mut self, user: ItemName<'a>, used: ItemName<'a>, how: UseKind) {
        self.graph.add_edge(user, used, how);
    }
}

/// Returns the techniques that the supposition of a line uses.
pub fn supposed(kind: &StatementKind) -> &[RuleName] {
    match kind {
        StatementKind::Suppose(Suppose { means: InferenceMethods::Rules(members), .. }) => members,
        _ => &[],
    }
}

/// Returns the names of the link sources that a line takes strong links from.
pub fn links(kind: &StatementKind) -> impl Iterator<Item = &Ident> {
    let links: Option<&LinkBlock> = match kind {
        StatementKind::Chain(chain) => Some(&chain.links),
        StatementKind::Loop(one) => Some(&one.links),
        StatementKind::Cluster(cluster) => Some(&cluster.links),
        StatementKind::Ring(ring) => Some(&ring.links),
        StatementKind::Suppose(Suppose { means: InferenceMethods::Links(_, _, links), .. }) => Some(links),
        _ => None,
    };
    links.into_iter().flat_map(|links| links.strong.iter().flatten())
}

impl ItemScope<'_> {
    /// Adds a whole circle to an error at one of its items: its names to the message, and a label at each further place of this file.
    /// An item of another file is named with its place.
    pub fn with_circle(&self, circle: &[ItemName], at: ItemName, mut error: Diagnostic) -> Diagnostic {
        if circle.len() < 2 {
            return error;
        }
        let mut names = Vec::new();
        for (number, &user) in circle.iter().enumerate().take(MAX_LISTED_NAMES) {
            let used = circle[(number + 1) % circle.len()];
            let place = self.place_of_use(user, used);
            let elsewhere = if place.is_none() { (self.place)(user) } else { None };
            names.push(format!("`{}`{}", user.id(), elsewhere.map_or(String::new(), |file| format!(" ({file})"))));
            if let Some(place) = place.filter(|_| user != at) {
                error = error.label(place, format!("`{}` uses `{}`", user.id(), used.id()));
            }
        }
        error.message = format!("{}: {}", error.message, describe_cycle(&names, circle.len()));
        error
    }

    /// Finds the place in this file where one item uses another.
    fn place_of_use(&self, user: ItemName, used: ItemName) -> Option<Span> {
        let item = self.file.items.iter().find(|item| declared(item).is_some_and(|(name, _)| name == user))?;
        let place = match item {
            Item::Pattern(one) => one.body.iter().find_map(|line| match &line.kind {
                StatementKind::Uses(id) if id.name == used.id() => Some(&id.span),
                _ => None,
            }),
            Item::RuleList(one) => {
                one.members.iter().find(|member| member.id.name == used.id()).map(|member| &member.span)
            }
            Item::Technique(one) => {
                let mut members = one.body.iter().flat_map(|line| supposed(&line.kind));
                let member = members.find(|member| flatten(member, self).iter().any(|one| one.id.name == used.id()));
                member.map(|member| &member.span)
            }
            Item::Source(_) | Item::Example(_) => return None,
        };
        place.or(item.id().map(|id| &id.span)).cloned()
    }
}
