//! The tree-sitter grammar of editors accepts what the parser accepts: rules, snippets of pages, wrong files, and rules with a slip
//! at equal distances. Its parser is made from its grammar, and its queries colour every word.

use crate::common::share;
use pinion::lang::diagnostic::Severity;
use pinion::lang::words::{is_reserved, reserved};
use pinion::lang::{TokenClass, accepts, parse, token_spans};
use std::collections::BTreeSet;
use std::ops::Range;
use std::path::{Path, PathBuf};
use tree_sitter::{Node, Parser, Query, QueryCursor, StreamingIterator, Tree};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The texts of all files below a folder with some extension, with their names.
fn texts(folder: &str, extension: &str) -> Vec<(String, String)> {
    let mut folders: Vec<PathBuf> = vec![root().join(folder)];
    let mut out = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                let text = std::fs::read(&path).expect("a file");
                out.push((path.display().to_string(), String::from_utf8_lossy(&text).into_owned()));
            }
        }
    }
    out.sort();
    out
}

fn read(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_pinion::LANGUAGE.into()).expect("a grammar of this version");
    parser.parse(text, None).expect("a tree")
}

fn is_read(text: &str) -> bool {
    !read(text).root_node().has_error()
}

/// Returns true if the parser refuses the text for its size or for words in the names of steps; editors accept both.
fn is_out_of_bounds(text: &str) -> bool {
    parse(text).1.iter().any(|found| matches!(found.code, "E0107" | "E0108" | "E0111"))
}

/// Editors read what the grammar for whole files accepts, and nothing that the parser finds an error in. Between the two lie comments
/// of no item, which are warnings, and what stands behind the `}` of a block on its line.
fn assert_agreed(name: &str, text: &str) {
    if !is_out_of_bounds(text) {
        let is_right = parse(text).1.iter().all(|found| found.severity != Severity::Error);
        let (least, read) = (accepts(text), is_read(text));
        assert!(least <= read && read <= is_right, "{name}: read {read}, accepted {least}, right {is_right}: {text}");
    }
}

#[test]
fn every_rule_file_is_read_by_editors() {
    let files = texts("rules", "pinion");
    assert!(files.len() > 50);
    let lost: Vec<&String> = files.iter().filter(|(_, text)| !is_read(text)).map(|(name, _)| name).collect();
    assert!(lost.is_empty(), "{lost:?}");
}

/// Line ends change nothing in a tree.
#[test]
fn every_line_end_is_read_by_editors() {
    for (name, text) in texts("rules", "pinion") {
        let tree = read(&text).root_node().to_sexp();
        for end in ["\r", "\r\n"] {
            assert_eq!(read(&text.replace('\n', end)).root_node().to_sexp(), tree, "{name} with {end:?}");
        }
    }
}

#[test]
fn wrong_files_are_wrong_to_editors_too() {
    let files = texts("tests", "pinion");
    assert!(files.iter().any(|(_, text)| !accepts(text)));
    files.iter().for_each(|(name, text)| assert_agreed(name, text));
}

#[test]
fn snippets_of_pages_are_read_by_editors() {
    let mut count = 0;
    for (name, page) in texts("docs", "md").into_iter().chain(texts("editors", "md")) {
        for block in page.split("\n```pinion").skip(1) {
            let Some((_, rest)) = block.split_once('\n') else { continue };
            let text = rest.split("\n```").next().unwrap_or(rest);
            assert_agreed(&name, &format!("{text}\n"));
            count += 1;
        }
    }
    assert!(count > 100, "{count} snippets");
}

/// At equal distances a word of a rule is left out, doubled, or begins another line.
const EVERY: usize = 41;

#[test]
fn rules_with_a_slip_are_read_or_refused_alike() {
    let (mut at, mut refused) = (0, 0);
    for (name, text) in texts("rules", "pinion") {
        for (class, span) in token_spans(&text) {
            at += 1;
            if at % (EVERY * share(5, 1)) != 0 || class == TokenClass::Comment {
                continue;
            }
            let (before, word, after) = (&text[..span.start], &text[span.clone()], &text[span.end..]);
            let slips = [
                format!("{before}{after}"),
                format!("{before}{word} {word}{after}"),
                format!("{before}{word}\n{after}"),
                format!("{before}sees{after}"),
                format!("{before}({after}"),
            ];
            for slip in slips {
                refused += usize::from(!accepts(&slip));
                assert_agreed(&name, &slip);
            }
        }
    }
    assert!(refused > share(40, 200), "{refused} of {at}");
}

#[test]
fn a_slip_costs_editors_one_line() {
    let tree = read("technique t {\n  require A sees\n  let D = digits(s)\n}\n\nrules all = t\n");
    let shown = tree.root_node().to_sexp();
    assert!(tree.root_node().has_error() && shown.contains("(let ") && shown.contains("(rule_list "), "{shown}");
}

/// The words between brackets behind a name in the grammar.
fn listed(name: &str) -> BTreeSet<String> {
    let grammar = std::fs::read_to_string(root().join("editors/tree-sitter-pinion/grammar.js")).expect("a file");
    let (_, list) = grammar.split_once(&format!("const {name} = [")).expect("a list");
    list.split(']').next().unwrap_or("").split('\'').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn editors_know_the_words_of_the_language() {
    let known: BTreeSet<String> = listed("RESERVED").into_iter().chain(listed("KEPT")).collect();
    assert_eq!(known.iter().filter(|word| !is_reserved(word)).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(reserved().filter(|word| !known.contains(*word)).collect::<Vec<_>>(), Vec::<&str>::new());
    // Soft keywords: names elsewhere, by the grammar of the parser.
    let pest = std::fs::read_to_string(root().join("grammar/pinion.pest")).expect("a file");
    let soft: BTreeSet<String> = pest
        .lines()
        .filter(|line| line.starts_with("w_"))
        .filter_map(|line| line.split('"').nth(1).map(str::to_owned))
        .collect();
    assert_eq!(listed("SOFT"), soft);
}

/// The leaves of a tree.
fn leaves<'t>(node: Node<'t>, out: &mut Vec<Node<'t>>) {
    if node.child_count() == 0 {
        out.push(node);
    }
    (0..node.child_count()).filter_map(|at| node.child(at as u32)).for_each(|child| leaves(child, out));
}

#[test]
fn every_word_of_every_rule_has_a_colour() {
    let language = tree_sitter_pinion::LANGUAGE.into();
    let query = Query::new(&language, tree_sitter_pinion::HIGHLIGHTS_QUERY).expect("a query");
    let mut bare = BTreeSet::new();
    for (name, text) in texts("rules", "pinion") {
        let tree = read(&text);
        let mut cursor = QueryCursor::new();
        let mut captures = cursor.captures(&query, tree.root_node(), text.as_bytes());
        let mut coloured: Vec<Range<usize>> = Vec::new();
        while let Some((found, at)) = captures.next() {
            let span = found.captures[*at].node.byte_range();
            // Editors differ in which of two would count.
            assert_ne!(coloured.last(), Some(&span), "{name}: two colours for {}", &text[span.clone()]);
            coloured.push(span);
        }
        let mut all = Vec::new();
        leaves(tree.root_node(), &mut all);
        let is_bare = |leaf: &&Node| {
            let span = leaf.byte_range();
            !coloured.iter().any(|known| known.start <= span.start && span.end <= known.end)
        };
        bare.extend(all.iter().filter(is_bare).map(|leaf| format!("{name}: {}", &text[leaf.byte_range()])));
    }
    assert!(bare.is_empty(), "{bare:?}");
}

#[test]
fn queries_of_editors_fit_the_grammar() {
    let language = tree_sitter_pinion::LANGUAGE.into();
    let queries = texts("editors", "scm");
    assert!(queries.len() >= 4);
    for (name, query) in queries {
        Query::new(&language, &query).unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}

/// A tree as the corpus has it: fields are left out, blanks are one.
fn plain(tree: &str) -> String {
    let words = tree.replace('(', " (").replace(')', ") ");
    let words: Vec<&str> = words.split_whitespace().filter(|word| !word.ends_with(':')).collect();
    words.join(" ").replace(" )", ")")
}

#[test]
fn the_corpus_is_read_as_it_says() {
    let mut count = 0;
    for (name, text) in texts("editors/tree-sitter-pinion/test/corpus", "txt") {
        let fence = "==================\n";
        let mut parts = text.split(fence).skip(1);
        while let (Some(title), Some(body)) = (parts.next(), parts.next()) {
            let (source, tree) = body.split_once("\n---\n").expect("a tree below the text");
            let found = read(source.trim_start_matches('\n'));
            match title.contains(":error") {
                true => assert!(found.root_node().has_error(), "{name}: {title}"),
                false => assert_eq!(plain(&found.root_node().to_sexp()), plain(tree), "{name}: {title}"),
            }
            count += 1;
        }
    }
    assert!(count >= 7, "{count}");
}
