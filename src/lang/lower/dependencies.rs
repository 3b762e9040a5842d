//! Items by what they use, as written. In: syntax trees. Out: the graph of what uses what, and errors that name a whole circle with
//! its places.

use super::Known;
use super::rule_list::all;
use crate::lang::ast::{
    File, Ident, InferenceMethods, Item, Links, Member, Pattern, RuleList, Span, Statement, StatementKind, Suppose,
};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Declared, Dependencies, MOST_NAMED, Use, circle_words};
use std::collections::BTreeSet;

/// Builds the graph of all items of some files; an item of a later file replaces one of the same name.
pub fn written_dependencies(files: &[File]) -> Dependencies<'_> {
    let mut graph = Written::default();
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
    let mut graph = Written { lists: lists.clone().map(|list| list.id.name.as_str()).collect(), ..Written::default() };
    patterns.for_each(|one| graph.lines(Declared::Pattern(&one.id.name), &one.body));
    lists.for_each(|one| graph.list(one));
    graph.graph
}

/// The name under which others use an item, as it is and where it stands; none of an example.
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
struct Written<'a> {
    graph: Dependencies<'a>,
    /// Names of rule lists: where techniques are named, these mean the list.
    lists: BTreeSet<&'a str>,
    /// Items whose edges are in the graph.
    added: BTreeSet<Declared<'a>>,
}

impl<'a> Written<'a> {
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

/// The members that a line supposes by.
pub fn supposed(kind: &StatementKind) -> &[Member] {
    match kind {
        StatementKind::Suppose(Suppose { means: InferenceMethods::Rules(members), .. }) => members,
        _ => &[],
    }
}

/// The names of link sources that a line takes strong links from.
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

impl Known<'_> {
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
                let member = members.find(|member| all(member, self).iter().any(|one| one.id.name == used.id()));
                Some(member.map_or(&one.id.span, |member| &member.span).clone())
            }
            _ => None,
        })
    }
}
