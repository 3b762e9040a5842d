//! The tree-sitter grammar, which editors use, accepts the texts that the parser accepts: the rulebook, snippets of pages,
//! files with errors, and rules with one changed word. Its highlight query colours every word.

use crate::common::files::{read_text, texts_below};
use crate::common::quick_or_full;
use pinion::lang::diagnostic::Severity;
use pinion::lang::words::{current_keywords, is_reserved};
use pinion::lang::{TokenClass, accepts, parse, token_spans};
use std::collections::BTreeSet;
use std::ops::Range;
use tree_sitter::{Node, Parser, Query, QueryCursor, StreamingIterator, Tree};

/// Returns name and text of each file below a folder with an extension.
fn texts(folder: &str, extension: &str) -> Vec<(String, String)> {
    texts_below(folder, extension).into_iter().map(|(path, text)| (path.display().to_string(), text)).collect()
}

fn parse_in_editor(text: &str) -> Tree {
    let mut parser = Parser::new();
    parser.set_language(&tree_sitter_pinion::LANGUAGE.into()).expect("a grammar of this version");
    parser.parse(text, None).expect("a tree")
}

fn is_accepted_in_editor(text: &str) -> bool {
    !parse_in_editor(text).root_node().has_error()
}

/// Returns true if the parser reports an error that the editor's grammar does not know: the text is too large, or a
/// placeholder in a string is wrong.
fn has_error_beyond_grammar(text: &str) -> bool {
    parse(text).1.iter().any(|found| matches!(found.code, "E0107" | "E0108" | "E0111"))
}

/// Fails if the editor's grammar refuses a text that [`accepts`] accepts, or accepts a text in which [`parse`] finds an error.
///
/// Editors may do either with texts that [`accepts`] refuses and [`parse`] reads without an error: doc comments without an
/// item, which get a warning, and text after the `}` of a block.
fn assert_editor_agrees(name: &str, text: &str) {
    if has_error_beyond_grammar(text) {
        return;
    }
    let has_no_error = parse(text).1.iter().all(|found| found.severity != Severity::Error);
    if is_accepted_in_editor(text) {
        assert!(has_no_error, "{name}: only the editor accepts {text}");
    } else {
        assert!(!accepts(text), "{name}: only the editor refuses {text}");
    }
}

#[test]
fn editors_accept_every_rule_file() {
    let files = texts("rules", "pinion");
    assert!(files.len() > 50);
    for (name, text) in files {
        assert!(is_accepted_in_editor(&text), "{name}");
    }
}

#[test]
fn line_ends_do_not_change_the_tree() {
    for (name, text) in texts("rules", "pinion") {
        let tree = parse_in_editor(&text).root_node().to_sexp();
        for end in ["\r", "\r\n"] {
            assert_eq!(parse_in_editor(&text.replace('\n', end)).root_node().to_sexp(), tree, "{name} with {end:?}");
        }
    }
}

#[test]
fn editors_agree_on_files_with_and_without_errors() {
    let files = texts("tests", "pinion");
    assert!(files.iter().any(|(_, text)| !accepts(text)));
    for (name, text) in files {
        assert_editor_agrees(&name, &text);
    }
}

#[test]
fn editors_agree_on_snippets_of_pages() {
    let mut count = 0;
    for (name, page) in texts("docs", "md").into_iter().chain(texts("editors", "md")) {
        for block in page.split("\n```pinion").skip(1) {
            let Some((_, rest)) = block.split_once('\n') else { continue };
            let text = rest.split("\n```").next().unwrap_or(rest);
            assert_editor_agrees(&name, &format!("{text}\n"));
            count += 1;
        }
    }
    assert!(count > 100, "{count} snippets");
}

/// Number of words from one changed word to the next. A prime, so that words of all kinds are changed.
const WORDS_PER_CHANGE: usize = 41;

#[test]
fn editors_agree_on_rules_with_one_changed_word() {
    let (mut words_seen, mut refused) = (0, 0);
    for (name, text) in texts("rules", "pinion") {
        for (class, span) in token_spans(&text) {
            words_seen += 1;
            if words_seen % (WORDS_PER_CHANGE * quick_or_full(5, 1)) != 0 || class == TokenClass::Comment {
                continue;
            }
            let (before, word, after) = (&text[..span.start], &text[span.clone()], &text[span.end..]);
            let changed_texts = [
                format!("{before}{after}"),
                format!("{before}{word} {word}{after}"),
                format!("{before}{word}\n{after}"),
                format!("{before}sees{after}"),
                format!("{before}({after}"),
            ];
            for changed in changed_texts {
                refused += usize::from(!accepts(&changed));
                assert_editor_agrees(&name, &changed);
            }
        }
    }
    assert!(refused > quick_or_full(40, 200), "{refused} of {words_seen}");
}

#[test]
fn editors_read_the_lines_after_an_error() {
    let tree = parse_in_editor("technique t {\n  require A sees\n  let D = digits(s)\n}\n\nrules all = t\n");
    let shown = tree.root_node().to_sexp();
    assert!(tree.root_node().has_error() && shown.contains("(let ") && shown.contains("(rule_list "), "{shown}");
}

/// Returns the words of a list in the editor's grammar: `const NAME = ['word', …]`.
fn words_in_list(name: &str) -> BTreeSet<String> {
    let grammar = read_text("editors/tree-sitter-pinion/grammar.js");
    let (_, list) = grammar.split_once(&format!("const {name} = [")).expect("a list");
    list.split(']').next().unwrap_or("").split('\'').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn editors_know_the_words_of_the_language() {
    let known: BTreeSet<String> = words_in_list("RESERVED").into_iter().chain(words_in_list("KEPT")).collect();
    assert_eq!(known.iter().filter(|word| !is_reserved(word)).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(current_keywords().filter(|word| !known.contains(*word)).collect::<Vec<_>>(), Vec::<&str>::new());
    // Soft keywords are keywords in some places and names elsewhere. In the parser's grammar their rules begin with `w_`.
    let pest = read_text("grammar/pinion.pest");
    let soft: BTreeSet<String> = pest
        .lines()
        .filter(|line| line.starts_with("w_"))
        .filter_map(|line| line.split('"').nth(1).map(str::to_owned))
        .collect();
    assert_eq!(words_in_list("SOFT"), soft);
}

/// Appends the leaves below a node to `leaves`.
fn collect_leaves<'t>(node: Node<'t>, leaves: &mut Vec<Node<'t>>) {
    if node.child_count() == 0 {
        leaves.push(node);
    }
    for child in (0..node.child_count()).filter_map(|at| node.child(at as u32)) {
        collect_leaves(child, leaves);
    }
}

#[test]
fn every_word_of_every_rule_has_a_colour() {
    let language = tree_sitter_pinion::LANGUAGE.into();
    let query = Query::new(&language, tree_sitter_pinion::HIGHLIGHTS_QUERY).expect("a query");
    let mut uncoloured = BTreeSet::new();
    for (name, text) in texts("rules", "pinion") {
        let tree = parse_in_editor(&text);
        let mut cursor = QueryCursor::new();
        let mut captures = cursor.captures(&query, tree.root_node(), text.as_bytes());
        let mut coloured: Vec<Range<usize>> = Vec::new();
        while let Some((found, at)) = captures.next() {
            let span = found.captures[*at].node.byte_range();
            // If a word had two colours, some editors would show the first and others the last.
            assert_ne!(coloured.last(), Some(&span), "{name}: two colours for {}", &text[span.clone()]);
            coloured.push(span);
        }
        let mut leaves = Vec::new();
        collect_leaves(tree.root_node(), &mut leaves);
        for leaf in leaves {
            let span = leaf.byte_range();
            if !coloured.iter().any(|range| range.start <= span.start && span.end <= range.end) {
                uncoloured.insert(format!("{name}: {}", &text[span]));
            }
        }
    }
    assert!(uncoloured.is_empty(), "{uncoloured:?}");
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

/// Returns a tree without names of fields and with single blanks, as the corpus of tree-sitter writes it.
fn without_fields(tree: &str) -> String {
    let words = tree.replace('(', " (").replace(')', ") ");
    let words: Vec<&str> = words.split_whitespace().filter(|word| !word.ends_with(':')).collect();
    words.join(" ").replace(" )", ")")
}

#[test]
fn texts_of_the_tree_sitter_corpus_have_their_trees() {
    let mut count = 0;
    for (name, text) in texts("editors/tree-sitter-pinion/test/corpus", "txt") {
        let fence = "==================\n";
        let mut parts = text.split(fence).skip(1);
        while let (Some(title), Some(body)) = (parts.next(), parts.next()) {
            let (source, expected) = body.split_once("\n---\n").expect("a tree below the text");
            let tree = parse_in_editor(source.trim_start_matches('\n'));
            if title.contains(":error") {
                assert!(tree.root_node().has_error(), "{name}: {title}");
            } else {
                let sexp = tree.root_node().to_sexp();
                assert_eq!(without_fields(&sexp), without_fields(expected), "{name}: {title}");
            }
            count += 1;
        }
    }
    assert!(count >= 7, "{count}");
}
