//! The graph of a rulebook. In: its files. Out: techniques, patterns, link sources and rule lists with what each uses, as data and as
//! a graph with attributes.

use super::graph_formats::Attributes;
use crate::lang::ast::{File, Item};
use crate::lang::ir::{Declared, Use};
use crate::lang::{declared, parse, written_dependencies};
use crate::solve::{RuleFile, Rulebook};
use petgraph::algo::toposort;
use petgraph::graph::DiGraph;
use petgraph::visit::Reversed;
use serde::Serialize;
use std::collections::BTreeMap;

/// The items of a rulebook, each after those that it uses.
#[derive(Debug, Serialize)]
pub struct RuleGraphRecord {
    rules: Vec<RuleNode>,
}

#[derive(Debug, Serialize)]
struct RuleNode {
    kind: &'static str,
    id: String,
    /// The title as written, without quotes.
    title: Option<String>,
    file: String,
    uses: Vec<UseRecord>,
}

#[derive(Debug, Serialize)]
struct UseRecord {
    kind: &'static str,
    id: String,
    how: &'static str,
}

impl RuleGraphRecord {
    /// Reads the files again: patterns and rule lists are no longer in checked rules.
    pub fn new(rulebook: &Rulebook) -> RuleGraphRecord {
        let trees: Vec<File> = rulebook.files().iter().map(|file| parse(&file.text).0).collect();
        let graph = written_dependencies(&trees);
        let mut known = BTreeMap::new();
        for (file, tree) in rulebook.files().iter().zip(&trees) {
            known.extend(tree.items.iter().filter_map(|item| Some((declared(item)?.0, (file, item)))));
        }
        let order = toposort(Reversed(&graph), None).unwrap_or_else(|_| graph.nodes().collect());
        let rules = order.into_iter().filter_map(|node| {
            let &(file, item) = known.get(&node)?;
            let uses = graph.edges(node).map(|(_, used, &how)| UseRecord {
                kind: kind(used),
                id: used.id().to_owned(),
                how: manner(how),
            });
            Some(RuleNode {
                kind: kind(node),
                id: node.id().to_owned(),
                title: title(file, item),
                file: file.name.clone(),
                uses: uses.collect(),
            })
        });
        RuleGraphRecord { rules: rules.collect() }
    }

    /// The graph for formats that have attributes only.
    pub fn attributes(&self) -> DiGraph<Attributes, Attributes> {
        let mut graph = DiGraph::new();
        let mut nodes = BTreeMap::new();
        for rule in &self.rules {
            let shape = match rule.kind {
                "technique" => "box",
                "pattern" => "note",
                "rule list" => "folder",
                _ => "ellipse",
            };
            let mut attributes = vec![("label", rule.id.clone()), ("kind", rule.kind.into()), ("shape", shape.into())];
            attributes.extend(rule.title.clone().map(|title| ("tooltip", title)));
            attributes.push(("file", rule.file.clone()));
            nodes.insert((rule.kind, rule.id.as_str()), graph.add_node(attributes));
        }
        for rule in &self.rules {
            for used in &rule.uses {
                if let Some(&to) = nodes.get(&(used.kind, used.id.as_str())) {
                    graph.add_edge(nodes[&(rule.kind, rule.id.as_str())], to, vec![("label", used.how.into())]);
                }
            }
        }
        graph
    }
}

fn kind(item: Declared) -> &'static str {
    match item {
        Declared::Technique(_) => "technique",
        Declared::LinkSource(_) => "strong link",
        Declared::Pattern(_) => "pattern",
        Declared::RuleList(_) => "rule list",
    }
}

fn manner(how: Use) -> &'static str {
    match how {
        Use::Joins => "joins",
        Use::Supposes => "supposes by",
        Use::Links => "links by",
        Use::Expands => "uses",
        Use::Lists => "lists",
    }
}

fn title(file: &RuleFile, item: &Item) -> Option<String> {
    let Item::Technique(technique) = item else { return None };
    let text = file.text.get(technique.title.as_ref()?.span.clone())?;
    Some(text.trim_matches('"').to_owned())
}
