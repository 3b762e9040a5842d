//! The dependency graph of the items in syntax trees, and diagnostics about cycles of the graph.

use super::rule_list::flatten;
use super::{ItemScope, Patterns};
use crate::lang::ast::{
    File, Ident, InferenceMethods, Item, RuleList, RuleName, Span, Statement, StatementKind, Suppose,
};
use crate::lang::diagnostic::Diagnostic;
use crate::lang::ir::{Cycles, Dependencies, ItemName, MAX_LISTED_NAMES, UseKind, describe_cycle};
use std::collections::BTreeSet;

/// Builds the graph of all items of several files. An item of a later file replaces an item with the same name.
pub fn file_dependencies(files: &[File]) -> Dependencies<'_> {
    let list_names = files.iter().flat_map(File::rule_lists).map(|list| list.id.name.as_str()).collect();
    let mut builder = GraphBuilder { list_names, ..GraphBuilder::default() };
    // The last file comes first, because its items replace those of the other files.
    for item in files.iter().rev().flat_map(|file| &file.items) {
        if let Item::RuleList(list) = item {
            builder.add_rule_list(list);
        } else if let Some((user, _)) = item_name(item) {
            builder.add_lines(user, item.body());
        }
    }
    builder.graph
}

/// Returns the name by which other items refer to an item, with its identifier; `None` for examples.
pub fn item_name(item: &Item) -> Option<(ItemName<'_>, &Ident)> {
    let id = item.id()?;
    let name = match item {
        Item::Technique(_) => ItemName::Technique(&id.name),
        Item::StrongLink(_) => ItemName::LinkSource(&id.name),
        Item::Pattern(_) => ItemName::Pattern(&id.name),
        Item::RuleList(_) => ItemName::RuleList(&id.name),
        Item::Example(_) => return None,
    };
    Some((name, id))
}

impl Patterns {
    /// Finds the cycles of patterns and of rule lists. An item of the file replaces a loaded item with the same name.
    pub fn cycles<'a>(&'a self, file: &'a File) -> Cycles<ItemName<'a>> {
        let lists = file.rule_lists().chain(self.rule_lists.values());
        let list_names = lists.clone().map(|list| list.id.name.as_str()).collect();
        let mut builder = GraphBuilder { list_names, ..GraphBuilder::default() };
        for pattern in file.patterns().chain(self.patterns.values()) {
            builder.add_lines(ItemName::Pattern(&pattern.id.name), &pattern.body);
        }
        for list in lists {
            builder.add_rule_list(list);
        }
        Cycles::find(&builder.graph)
    }
}

#[derive(Default)]
struct GraphBuilder<'a> {
    graph: Dependencies<'a>,
    /// Names of rule lists. A reference to a technique or rule list means the rule list if its name is in this set.
    list_names: BTreeSet<&'a str>,
    /// Items whose edges are in the graph. An item with the same name that is added afterwards is ignored.
    added: BTreeSet<ItemName<'a>>,
}

impl<'a> GraphBuilder<'a> {
    fn add_lines(&mut self, user: ItemName<'a>, lines: &'a [Statement]) {
        if !self.added.insert(user) {
            return;
        }
        self.graph.add_node(user);
        for line in lines {
            match &line.kind {
                StatementKind::Uses(id) => self.add_edge(user, ItemName::Pattern(&id.name), UseKind::Expands),
                StatementKind::Join(id, ..) => self.add_edge(user, ItemName::Technique(&id.name), UseKind::Joins),
                kind => {
                    for rule in supposed_rules(kind) {
                        self.add_edge(user, self.technique_or_list(rule), UseKind::Supposes);
                    }
                    for id in link_source_names(kind) {
                        self.add_edge(user, ItemName::LinkSource(&id.name), UseKind::Links);
                    }
                }
            }
        }
    }

    fn add_rule_list(&mut self, list: &'a RuleList) {
        let user = ItemName::RuleList(&list.id.name);
        if !self.added.insert(user) {
            return;
        }
        self.graph.add_node(user);
        for member in &list.members {
            self.add_edge(user, self.technique_or_list(member), UseKind::Lists);
        }
    }

    fn technique_or_list(&self, rule: &'a RuleName) -> ItemName<'a> {
        let id = rule.id.name.as_str();
        if self.list_names.contains(id) { ItemName::RuleList(id) } else { ItemName::Technique(id) }
    }

    fn add_edge(&mut self, user: ItemName<'a>, used: ItemName<'a>, kind: UseKind) {
        self.graph.add_edge(user, used, kind);
    }
}

/// Returns the techniques and rule lists that are used inside the supposition of a statement.
pub fn supposed_rules(kind: &StatementKind) -> &[RuleName] {
    match kind {
        StatementKind::Suppose(Suppose { methods: InferenceMethods::Rules(rules), .. }) => rules,
        _ => &[],
    }
}

/// Returns the names of the link sources that a statement uses.
pub fn link_source_names(kind: &StatementKind) -> impl Iterator<Item = &Ident> {
    let block = match kind {
        StatementKind::Chain(chain) => Some(&chain.links),
        StatementKind::Loop(pattern) => Some(&pattern.links),
        StatementKind::Cluster(pattern) => Some(&pattern.links),
        StatementKind::Ring(pattern) => Some(&pattern.links),
        StatementKind::Suppose(Suppose { methods: InferenceMethods::Links(_, _, block), .. }) => Some(block),
        _ => None,
    };
    block.into_iter().flat_map(|block| block.strong.iter().flatten())
}

impl ItemScope<'_> {
    /// Adds a cycle to the diagnostic about `reported`, an item of the cycle. The message lists the first
    /// [`MAX_LISTED_NAMES`] items of the cycle, with the positions of items in other files. Each use by one of these items gets
    /// a label if it is in this file and the item is not `reported`.
    pub fn with_cycle(&self, cycle: &[ItemName], reported: ItemName, mut diagnostic: Diagnostic) -> Diagnostic {
        if cycle.len() < 2 {
            return diagnostic;
        }
        let mut names = Vec::new();
        for (position, &user) in cycle.iter().enumerate().take(MAX_LISTED_NAMES) {
            let used = cycle[(position + 1) % cycle.len()];
            let Some(span) = self.use_span(user, used) else {
                let location = (self.locate)(user).map_or(String::new(), |location| format!(" ({location})"));
                names.push(format!("`{}`{location}", user.id()));
                continue;
            };
            names.push(format!("`{}`", user.id()));
            if user != reported {
                diagnostic = diagnostic.label(span, format!("`{}` uses `{}`", user.id(), used.id()));
            }
        }
        diagnostic.message = format!("{}: {}", diagnostic.message, describe_cycle(&names, cycle.len()));
        diagnostic
    }

    /// Finds the span in this file where `user` uses `used`. If `user` is in the file but the use is not found, returns
    /// the span of the id of `user`. `None` for a strong link, which is in no cycle.
    fn use_span(&self, user: ItemName, used: ItemName) -> Option<Span> {
        let item = self.file.items.iter().find(|item| item_name(item).is_some_and(|(name, _)| name == user))?;
        let span = match item {
            Item::Pattern(pattern) => pattern.body.iter().find_map(|line| match &line.kind {
                StatementKind::Uses(id) if id.name == used.id() => Some(&id.span),
                _ => None,
            }),
            Item::RuleList(list) => {
                list.members.iter().find(|member| member.id.name == used.id()).map(|member| &member.span)
            }
            Item::Technique(technique) => {
                let mut rules = technique.body.iter().flat_map(|line| supposed_rules(&line.kind));
                let names_used = |rule: &RuleName| rule.id.name == used.id();
                let rule = rules.find(|rule| flatten(rule, self).into_iter().any(names_used));
                rule.map(|rule| &rule.span)
            }
            Item::StrongLink(_) | Item::Example(_) => return None,
        };
        span.or(item.id().map(|id| &id.span)).cloned()
    }
}
