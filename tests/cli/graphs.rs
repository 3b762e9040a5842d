//! Graphs of candidates and of rules: every form, their findings, and text of strangers in them.

use super::{exit_code, fresh_folder, run, transcript};
use pinion::grid::formats::read_one;
use pinion::render::candidate_graph as graph_of;
use pinion::solve::Rulebook;
use pinion::{CandidateLink, candidate_graph};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Output;

const SMALL: &str = "...14.3..4..1...";

/// Positions of several sizes; the last one has components of its own.
const POSITIONS: [&str; 4] = [
    SMALL,
    "..3..4.221......",
    "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5",
    "534678912672195348198342567..9761423426853791713924856961537284287419635.45286179",
];

fn written(args: &[&str]) -> String {
    let output = run(args);
    assert_eq!(exit_code(&output), 0, "{}", transcript(&output));
    String::from_utf8(output.stdout).expect("text")
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&written(&[args, &["--format", "json"]].concat())).expect("JSON")
}

fn numbers(value: &Value) -> Vec<usize> {
    value.as_array().expect("a list").iter().map(|one| one.as_u64().expect("a number") as usize).collect()
}

/// The nodes of each connected part, without some nodes, by a search of its own.
fn parts(nodes: usize, links: &[(usize, usize)], without: Option<usize>) -> Vec<BTreeSet<usize>> {
    let mut left: BTreeSet<usize> = (0..nodes).filter(|node| Some(*node) != without).collect();
    let mut parts = Vec::new();
    while let Some(first) = left.pop_first() {
        let (mut part, mut waiting) = (BTreeSet::from([first]), vec![first]);
        while let Some(at) = waiting.pop() {
            for &(a, b) in links.iter().filter(|(a, b)| *a == at || *b == at) {
                let next = a + b - at;
                if left.remove(&next) {
                    part.insert(next);
                    waiting.push(next);
                }
            }
        }
        parts.push(part);
    }
    parts
}

#[test]
fn components_and_articulation_points_are_right() {
    let mut articulated = 0;
    for position in POSITIONS {
        let record = json(&["graph", position]);
        let count = record["candidates"].as_array().expect("a list").len();
        let links = record["links"].as_array().expect("a list").iter();
        let end = |link: &Value, end: &str| link[end].as_u64().expect("a number") as usize;
        let links: Vec<(usize, usize)> = links.map(|link| (end(link, "a"), end(link, "b"))).collect();
        let components: Vec<BTreeSet<usize>> = record["components"]
            .as_array()
            .expect("a list")
            .iter()
            .map(|one| numbers(one).into_iter().collect())
            .collect();
        let whole = parts(count, &links, None);
        assert_eq!(components, whole, "{position}");
        // To take a candidate away that has no link takes a part away, too.
        let lone = |node: usize| whole.contains(&BTreeSet::from([node]));
        let falls = |node: usize| parts(count, &links, Some(node)).len() + usize::from(lone(node)) > whole.len();
        let expected: Vec<usize> = (0..count).filter(|&node| falls(node)).collect();
        assert_eq!(numbers(&record["articulation_points"]), expected, "{position}");
        articulated += expected.len();
    }
    assert!(articulated > 1);
}

#[test]
fn the_library_has_the_same_graph() {
    for position in POSITIONS {
        let graph = candidate_graph(position).expect("a puzzle");
        let record = json(&["graph", position]);
        let strong = record["links"].as_array().expect("a list").iter().filter(|link| link["kind"] == "strong").count();
        assert_eq!(graph.node_count(), record["candidates"].as_array().expect("a list").len());
        assert_eq!(graph.edge_weights().filter(|link| **link == CandidateLink::Strong).count(), strong);
        let puzzle = read_one(position, None).expect("a puzzle");
        assert_eq!(graph_of(&puzzle.geometry, &puzzle.state()).edge_count(), graph.edge_count());
    }
}

#[test]
fn every_form_has_the_same_nodes_and_links() {
    let record = json(&["graph", SMALL]);
    let (nodes, links) = (record["candidates"].as_array().map(Vec::len), record["links"].as_array().map(Vec::len));
    let xml = written(&["graph", SMALL, "--format", "graphml"]);
    let xml = roxmltree::Document::parse(&xml).expect("XML");
    let count = |name: &str| Some(xml.descendants().filter(|one| one.has_tag_name((NAMESPACE, name))).count());
    assert_eq!((count("node"), count("edge")), (nodes, links));
    let dot = written(&["graph", SMALL, "--format", "dot"]);
    assert_eq!(Some(dot.matches(" -- ").count()), links);
    assert_eq!(dot.matches("doublecircle").count(), numbers(&record["articulation_points"]).len());
    assert!(written(&["graph", SMALL, "--format", "ron"]).starts_with("(candidates:["));
}

const NAMESPACE: &str = "http://graphml.graphdrawing.org/xmlns";

#[test]
fn rules_come_after_what_they_use() {
    let record = json(&["graph", "--rules"]);
    let rules = record["rules"].as_array().expect("a list");
    let key = |value: &Value| (value["kind"].to_string(), value["id"].to_string());
    let places: BTreeMap<_, _> = rules.iter().enumerate().map(|(at, rule)| (key(rule), at)).collect();
    let mut hows = BTreeSet::new();
    for (at, rule) in rules.iter().enumerate() {
        for used in rule["uses"].as_array().expect("a list") {
            assert!(places[&key(used)] < at, "{rule}");
            hows.insert(used["how"].to_string());
        }
    }
    assert_eq!(hows.len(), 5, "{hows:?}");
    let book = Rulebook::embedded();
    let of = |kind: &str| rules.iter().filter(|rule| rule["kind"] == kind).count();
    assert_eq!((of("technique"), of("strong link")), (book.techniques().len(), book.sources().len()));
}

/// A rule whose title, and whose file, have every character that means something in one of the forms.
const TITLE: &str = "Tick \\N <b> & ]]> ' \u{1b}[31m \u{fffe} \u{202e} \\";

fn foreign(form: &str) -> Output {
    let folder = fresh_folder(&format!("foreign-{form}"));
    let file = folder.join("a <&'q.pinion");
    std::fs::write(&file, format!("technique tick \"{TITLE}\" {{\n  c: cell = {{d}}\n  place d in c\n}}\n"))
        .expect("written");
    run(&["graph", "--rules", file.to_str().expect("a path"), "--format", form])
}

#[test]
fn foreign_text_is_escaped_in_every_form() {
    let text = |form: &str| String::from_utf8(foreign(form).stdout).expect("text");
    let record: Value = serde_json::from_str(&text("json")).expect("JSON");
    let titles: Vec<_> =
        record["rules"].as_array().expect("a list").iter().map(|rule| rule["title"].as_str()).collect();
    assert!(titles.contains(&Some(TITLE)));
    let xml = text("graphml");
    let xml = roxmltree::Document::parse(&xml).expect("XML");
    let shown = "Tick \\N <b> & ]]> ' ␛[31m <U+FFFE> <U+202E> \\";
    assert!(xml.descendants().any(|one| one.text() == Some(shown)));
    let dot = text("dot");
    let line = dot.lines().find(|line| line.contains("\"tick\"")).expect("a node");
    assert!(line.contains("tooltip=\"Tick \\\\N <b> & ]]> ' ␛[31m <U+FFFE> <U+202E> \\\\\""), "{line}");
    assert!(dot.chars().all(|c| c == '\n' || !c.is_control()));
}

#[test]
fn a_graph_is_of_one_thing_and_of_graphs_only() {
    for args in [
        &["graph"][..],
        &["graph", SMALL, "--rules"],
        &["find", SMALL, "--format", "dot"],
        &["list", "--format", "graphml"],
    ] {
        let output = run(args);
        assert_eq!((exit_code(&output), output.stdout.len()), (2, 0), "{}", transcript(&output));
    }
    // Rules that are added change nothing of a puzzle's graph.
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/singles/hidden_single.pinion");
    assert_eq!(written(&["graph", SMALL, "--rules", file]), written(&["graph", SMALL]));
}

#[test]
fn circles_are_named_with_places_in_all_files() {
    let folder = fresh_folder("circles");
    let write = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("written");
    let supposing = |id: &str, other: &str| {
        format!(
            "technique {id} \"{id}\" {{\n  p: candidate\n  suppose p using rules {other}, reaches contradiction\n  eliminate p\n}}\n"
        )
    };
    write("a.pinion", &(supposing("one", "two") + "rules first = second\npattern outer {\n  uses inner\n}\n"));
    write(
        "b.pinion",
        &(supposing("two", "by_list") + "rules by_list = one\nrules second = third\nrules third = first\n"),
    );
    write("c.pinion", "\npattern inner {\n  uses outer\n  d: digit\n}\n");
    let mut check = super::pinion(&["check", "a.pinion", "b.pinion", "c.pinion"]);
    let output = transcript(&check.current_dir(&folder).output().expect("it runs"));
    for circle in [
        "`one` → `two` (b.pinion:1) → `one`",
        "`two` → `one` (a.pinion:1) → `two`",
        "`first` → `second` (b.pinion:7) → `third` (b.pinion:8)",
        "`third` → `first` (a.pinion:6) → `second` → `third`",
        "in the pattern `inner`: `outer` uses itself: `outer` → `inner` (c.pinion:2) → `outer`",
    ] {
        assert!(output.contains(circle), "{circle} in {output}");
    }
    assert!(output.contains("leave one of these rules out"), "{output}");
}

#[test]
fn long_circles_are_counted() {
    let folder = fresh_folder("long_circle");
    let rules =
        |count: usize| (0..count).map(move |at| format!("pattern p{at} {{\n  uses p{}\n}}\n", (at + 1) % count));
    std::fs::write(folder.join("long.pinion"), rules(40).collect::<String>()).expect("written");
    let mut check = super::pinion(&["check", "long.pinion", "--format", "json"]);
    let output = transcript(&check.current_dir(&folder).output().expect("it runs"));
    assert!(output.contains("`p0` uses itself: `p0` → `p1` → "), "{output}");
    assert!(output.contains("→ `p11` → 28 more → `p0`"), "{output}");
}
