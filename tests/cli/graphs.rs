//! `pinion graph`: candidate graphs and rule graphs in every format, and the rules that use themselves.

use super::{exit_code, fresh_folder, pinion, run, transcript};
use pinion::grid::formats::read_one;
use pinion::render;
use pinion::solve::Rulebook;
use pinion::{CandidateLink, candidate_graph};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

const SMALL: &str = "...14.3..4..1...";

/// Positions of several sizes. The graph of the last one has several components.
const POSITIONS: [&str; 4] = [
    SMALL,
    "..3..4.221......",
    "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5",
    "534678912672195348198342567..9761423426853791713924856961537284287419635.45286179",
];

fn output_text(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    String::from_utf8(output.stdout).expect("text")
}

fn json_record(args: &[&str]) -> Value {
    serde_json::from_str(&output_text(&[args, &["--format", "json"]].concat())).expect("JSON")
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().expect("a list").iter().map(|number| number.as_u64().expect("a number") as usize).collect()
}

/// The connected components of a graph, optionally without one node: a simple search to compare with.
fn connected_components(nodes: usize, links: &[(usize, usize)], without: Option<usize>) -> Vec<BTreeSet<usize>> {
    let mut unvisited: BTreeSet<usize> = (0..nodes).filter(|node| Some(*node) != without).collect();
    let mut components = Vec::new();
    while let Some(first) = unvisited.pop_first() {
        let (mut component, mut work_list) = (BTreeSet::from([first]), vec![first]);
        while let Some(node) = work_list.pop() {
            for &(a, b) in links.iter().filter(|(a, b)| *a == node || *b == node) {
                let neighbour = if a == node { b } else { a };
                if unvisited.remove(&neighbour) {
                    component.insert(neighbour);
                    work_list.push(neighbour);
                }
            }
        }
        components.push(component);
    }
    components
}

#[test]
fn components_and_articulation_points_agree_with_a_simple_search() {
    let mut articulation_points = 0;
    for position in POSITIONS {
        let record = json_record(&["graph", position]);
        let count = record["candidates"].as_array().expect("a list").len();
        let links = record["links"].as_array().expect("a list").iter();
        let end = |link: &Value, end: &str| link[end].as_u64().expect("a number") as usize;
        let links: Vec<(usize, usize)> = links.map(|link| (end(link, "a"), end(link, "b"))).collect();
        let components: Vec<BTreeSet<usize>> = record["components"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|component| numbers(component).into_iter().collect())
            .collect();
        let expected_components = connected_components(count, &links, None);
        assert_eq!(components, expected_components, "{position}");
        // Without an articulation point there are more components. A candidate without links is itself a component.
        let is_isolated = |node: usize| expected_components.contains(&BTreeSet::from([node]));
        let is_articulation_point = |node: usize| {
            let components_without = connected_components(count, &links, Some(node)).len();
            !is_isolated(node) && components_without > expected_components.len()
        };
        let expected: Vec<usize> = (0..count).filter(|&node| is_articulation_point(node)).collect();
        assert_eq!(numbers(&record["articulation_points"]), expected, "{position}");
        articulation_points += expected.len();
    }
    assert!(articulation_points > 1);
}

#[test]
fn the_library_function_returns_the_graph_of_the_command() {
    for position in POSITIONS {
        let graph = candidate_graph(position).expect("a puzzle");
        let record = json_record(&["graph", position]);
        let strong = record["links"].as_array().expect("a list").iter().filter(|link| link["kind"] == "strong").count();
        assert_eq!(graph.node_count(), record["candidates"].as_array().expect("a list").len());
        assert_eq!(graph.edge_weights().filter(|link| **link == CandidateLink::Strong).count(), strong);
        let puzzle = read_one(position, None).expect("a puzzle");
        assert_eq!(render::candidate_graph(&puzzle.geometry, &puzzle.state()).edge_count(), graph.edge_count());
    }
}

#[test]
fn every_format_has_the_same_nodes_and_links() {
    let record = json_record(&["graph", SMALL]);
    let (nodes, links) = (record["candidates"].as_array().map(Vec::len), record["links"].as_array().map(Vec::len));
    let xml = output_text(&["graph", SMALL, "--format", "graphml"]);
    let xml = roxmltree::Document::parse(&xml).expect("XML");
    let count =
        |name: &str| Some(xml.descendants().filter(|node| node.has_tag_name((GRAPHML_NAMESPACE, name))).count());
    assert_eq!((count("node"), count("edge")), (nodes, links));
    let dot = output_text(&["graph", SMALL, "--format", "dot"]);
    assert_eq!(Some(dot.matches(" -- ").count()), links);
    assert_eq!(dot.matches("doublecircle").count(), numbers(&record["articulation_points"]).len());
    assert!(output_text(&["graph", SMALL, "--format", "ron"]).starts_with("(candidates:["));
}

const GRAPHML_NAMESPACE: &str = "http://graphml.graphdrawing.org/xmlns";

#[test]
fn rules_come_after_the_rules_they_use() {
    let record = json_record(&["graph", "--rules"]);
    let rules = record["rules"].as_array().expect("a list");
    let key = |value: &Value| (value["kind"].to_string(), value["id"].to_string());
    let indexes: BTreeMap<_, _> = rules.iter().enumerate().map(|(index, rule)| (key(rule), index)).collect();
    let mut kinds_of_use = BTreeSet::new();
    for (index, rule) in rules.iter().enumerate() {
        for used in rule["uses"].as_array().expect("a list") {
            assert!(indexes[&key(used)] < index, "{rule}");
            kinds_of_use.insert(used["how"].to_string());
        }
    }
    assert_eq!(kinds_of_use.len(), 5, "{kinds_of_use:?}");
    let rulebook = Rulebook::embedded();
    let count = |kind: &str| rules.iter().filter(|rule| rule["kind"] == kind).count();
    assert_eq!((count("technique"), count("strong link")), (rulebook.techniques().len(), rulebook.sources().len()));
}

/// A title with the characters that DOT, XML or JSON must escape.
const TITLE: &str = "Tick \\N <b> & ]]> ' \u{1b}[31m \u{fffe} \u{202e} \\";

/// The graph of a rule with the title [`TITLE`]. The file name has special characters, too.
fn graph_of_rule_with_title(format: &str) -> String {
    let folder = fresh_folder(&format!("foreign-{format}"));
    let file = folder.join("a <&'q.pinion");
    std::fs::write(&file, format!("technique tick \"{TITLE}\" {{\n  c: cell = {{d}}\n  place d in c\n}}\n"))
        .expect("the file can be written");
    let output = run(&["graph", "--rules", file.to_str().expect("a path"), "--format", format]);
    String::from_utf8(output.stdout).expect("text")
}

#[test]
fn foreign_text_is_escaped_in_every_format() {
    let record: Value = serde_json::from_str(&graph_of_rule_with_title("json")).expect("JSON");
    let titles: Vec<_> =
        record["rules"].as_array().expect("a list").iter().map(|rule| rule["title"].as_str()).collect();
    assert!(titles.contains(&Some(TITLE)));
    let xml = graph_of_rule_with_title("graphml");
    let xml = roxmltree::Document::parse(&xml).expect("XML");
    let visible_title = "Tick \\N <b> & ]]> ' ␛[31m <U+FFFE> <U+202E> \\";
    assert!(xml.descendants().any(|node| node.text() == Some(visible_title)));
    let dot = graph_of_rule_with_title("dot");
    let line = dot.lines().find(|line| line.contains("\"tick\"")).expect("a node");
    assert!(line.contains("tooltip=\"Tick \\\\N <b> & ]]> ' ␛[31m <U+FFFE> <U+202E> \\\\\""), "{line}");
    assert!(dot.chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn a_graph_has_one_subject_and_graph_formats_need_a_graph() {
    for args in [
        &["graph"][..],
        &["graph", SMALL, "--rules"],
        &["find", SMALL, "--format", "dot"],
        &["list", "--format", "graphml"],
    ] {
        let output = run(args);
        assert_eq!((exit_code(&output), output.stdout.len()), (2, 0), "{}", transcript(&output));
    }
    // Added rules do not change the graph of a puzzle.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/singles/hidden_single.pinion");
    assert_eq!(output_text(&["graph", SMALL, "--rules", file]), output_text(&["graph", SMALL]));
}

#[test]
fn rules_that_use_themselves_are_reported_with_each_file_and_line() {
    let folder = fresh_folder("cycles");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("the file can be written");
    let rule_that_uses = |id: &str, other: &str| {
        format!(
            "technique {id} \"{id}\" {{\n  p: candidate\n  suppose p using rules {other}, reaches contradiction\n  eliminate p\n}}\n"
        )
    };
    write("a.pinion", &(rule_that_uses("one", "two") + "rules first = second\npattern outer {\n  uses inner\n}\n"));
    write(
        "b.pinion",
        &(rule_that_uses("two", "by_list") + "rules by_list = one\nrules second = third\nrules third = first\n"),
    );
    write("c.pinion", "\npattern inner {\n  uses outer\n  d: digit\n}\n");
    let mut command = pinion(&["check", "a.pinion", "b.pinion", "c.pinion"]);
    let output = transcript(&command.current_dir(&folder).output().expect("the process runs"));
    for cycle in [
        "`one` → `two` (b.pinion:1) → `one`",
        "`two` → `one` (a.pinion:1) → `two`",
        "`first` → `second` (b.pinion:7) → `third` (b.pinion:8)",
        "`third` → `first` (a.pinion:6) → `second` → `third`",
        "in the pattern `inner`: `outer` uses itself: `outer` → `inner` (c.pinion:2) → `outer`",
    ] {
        assert!(output.contains(cycle), "{cycle} in {output}");
    }
    assert!(output.contains("leave one of these rules out"), "{output}");
}

#[test]
fn a_long_cycle_is_abbreviated() {
    let folder = fresh_folder("long_cycle");
    let rules =
        |count: usize| (0..count).map(move |at| format!("pattern p{at} {{\n  uses p{}\n}}\n", (at + 1) % count));
    std::fs::write(folder.join("long.pinion"), rules(40).collect::<String>()).expect("the file can be written");
    let mut command = pinion(&["check", "long.pinion", "--format", "json"]);
    let output = transcript(&command.current_dir(&folder).output().expect("the process runs"));
    assert!(output.contains("`p0` uses itself: `p0` → `p1` → "), "{output}");
    assert!(output.contains("→ `p11` → 28 more → `p0`"), "{output}");
}
