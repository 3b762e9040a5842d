//! Tests of the pages: their rules compile, their examples hold, and their commands print what the page shows. With
//! UPDATE_DOCS=1 the test writes the output of the commands into the pages.
//!
//! The words after the fence of a block say what it contains:
//!
//! - ```` ```pinion ````: a complete rule file, whose examples are run. ```` ```pinion checked ````: a rule file that is only
//!   checked.
//! - ```` ```sh ````: commands. A ```` ```text ```` block right below shows what the last command prints on both streams. A
//!   line `…` stands for lines that are left out.
//! - `file=NAME`, beside another word: the commands below find the block in this file.

use crate::common::{
    self,
    files::{read_text, repository},
};
use pinion::engine::{Engine, Halt};
use pinion::lang::{self, ir, words};
use pinion::solve::Rulebook;
use pinion::workbench::examples::check_technique;
use std::ops::Range;
use std::path::Path;
use std::process::{Command, Stdio};

const PAGES: [&str; 7] = [
    "README.md",
    "docs/language.md",
    "docs/authoring.md",
    "docs/cli.md",
    "docs/families.md",
    "docs/experiments.md",
    "docs/ratings.md",
];

/// A fenced block of a page.
struct Block {
    /// The words after the opening fence.
    words: Vec<String>,
    text: String,
    /// Byte range of the text in the page.
    span: Range<usize>,
    /// Line of the opening fence, counted from one.
    line: usize,
    /// True if only blank lines separate this block from the previous block.
    follows_block: bool,
}

impl Block {
    fn has_kind(&self, word: &str) -> bool {
        self.words.first().is_some_and(|first| first == word)
    }

    /// Returns true for a rule file that is checked, but not compiled for a board and not run: `pinion checked`.
    fn is_checked_only(&self) -> bool {
        self.has_kind("pinion") && self.words.iter().any(|word| word == "checked")
    }

    /// Returns true for a rule file whose examples are run.
    fn is_complete_rule_file(&self) -> bool {
        self.has_kind("pinion") && !self.is_checked_only()
    }

    fn file_name(&self) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix("file="))
    }
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let (mut line_start, mut follows_block) = (0, false);
    for (number, line) in page.split_inclusive('\n').enumerate() {
        let fence = line.strip_prefix("```");
        match (fence, open.take()) {
            // A closing fence.
            (Some(_), Some(mut block)) => {
                block.span.end = line_start;
                block.text = page[block.span.clone()].to_string();
                blocks.push(block);
                follows_block = true;
            }
            // An opening fence.
            (Some(words), None) => {
                let start = line_start + line.len();
                let words = words.split_whitespace().map(str::to_string).collect();
                open = Some(Block { words, text: String::new(), span: start..start, line: number + 1, follows_block });
            }
            // A line within a block.
            (None, Some(block)) => open = Some(block),
            (None, None) => follows_block &= line.trim().is_empty(),
        }
        line_start += line.len();
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// Returns the built-in link sources and those of a block.
fn with_built_in_sources(own: &[ir::LinkSource]) -> Vec<ir::LinkSource> {
    Rulebook::embedded().sources().iter().chain(own).cloned().collect()
}

#[test]
fn rules_on_the_pages_compile() {
    let mut compiled = 0;
    for page in PAGES {
        for block in blocks(&read_text(page)).iter().filter(|block| block.has_kind("pinion")) {
            let place = format!("{page}:{}", block.line);
            let (lowered, found) = lang::compile(&block.text);
            assert_eq!(found, vec![], "{place}");
            assert!(lang::accepts(&block.text), "{place}: the grammar of whole files rejects it");
            let sources = with_built_in_sources(&lowered.sources);
            let across =
                lang::check_across(&lang::parse(&block.text).0, &lowered.techniques, &sources, &Default::default());
            assert_eq!(across, vec![], "{place}");
            compiled += 1;
            if !block.is_checked_only() {
                let engine = Engine::new(common::geometry(9), &lowered.techniques, &sources);
                assert!(engine.is_ok(), "{place}: {:?}", engine.err());
            }
        }
    }
    assert!(compiled >= 15, "only {compiled} rules were seen");
}

/// Runs every example of some files, given as (name, text). Returns the ids of the techniques that have an example, other
/// than a near miss.
fn run_examples(files: Vec<(String, String)>) -> Vec<String> {
    let built_in = Rulebook::embedded();
    let built_in_count = built_in.files().len();
    let rulebook = built_in.with(files);
    let files = &rulebook.files()[built_in_count..];
    for file in files {
        assert_eq!(file.diagnostics, vec![], "{}", file.name);
    }
    let mut ids = Vec::new();
    for technique in rulebook.techniques() {
        if !files.iter().any(|file| file.techniques.contains(&technique.id)) {
            continue;
        }
        for check in check_technique(&rulebook, technique, Halt::default()) {
            assert!(check.passed(), "{}: {:?}: {:?}", technique.id, check.example.title, check.verdict);
            if !check.example.near_miss && !ids.contains(&technique.id) {
                ids.push(technique.id.clone());
            }
        }
    }
    ids
}

#[test]
fn examples_on_the_pages_hold() {
    for page in PAGES {
        for block in blocks(&read_text(page)).iter().filter(|block| block.is_complete_rule_file()) {
            run_examples(vec![(format!("{page}:{}", block.line), block.text.clone())]);
        }
    }
}

#[test]
fn every_technique_of_the_language_reference_has_an_example_that_holds() {
    let page = read_text("docs/language.md");
    let mut files: Vec<(String, String)> = blocks(&page)
        .iter()
        .filter(|block| block.is_complete_rule_file())
        .map(|block| (format!("docs/language.md:{}", block.line), block.text.clone()))
        .collect();
    let ids: Vec<String> = files
        .iter()
        .flat_map(|(_, text)| lang::compile(text).0.techniques.into_iter().map(|technique| technique.id))
        .collect();
    // The examples are not on the page, but in a file of their own.
    files.push(("tests/docs/language.pinion".to_string(), read_text("tests/docs/language.pinion")));
    let ids_with_example = run_examples(files);
    for id in ids {
        assert!(ids_with_example.contains(&id), "`{id}` has no example in tests/docs/language.pinion");
    }
}

#[test]
fn the_first_commands_of_the_readme_solve_a_puzzle_and_run_the_tests() {
    let page = read_text("README.md");
    let commands: Vec<String> = blocks(&page)
        .into_iter()
        .filter(|block| block.has_kind("sh"))
        .map(|block| block.text.trim().to_string())
        .collect();
    let puzzle = commands[0].strip_prefix("cargo run --release -- solve ").expect("the first command solves");
    assert!(common::PUZZLES[..5].contains(&puzzle));
    assert_eq!(commands[1], "cargo test --locked");
    let ci_script = read_text(".ci/run");
    assert!(ci_script.lines().any(|line| line.trim() == commands[1]), "CI runs the same command");
}

/// Returns the words of each list in backticks, such as `` `and or not` ``.
fn word_lists(section: &str) -> impl Iterator<Item = impl Iterator<Item = &str>> {
    section.split('`').skip(1).step_by(2).map(str::split_whitespace)
}

#[test]
fn the_language_reference_lists_the_reserved_and_built_in_words() {
    let page = read_text("docs/language.md");
    let section = page.split("## 9. Reserved words").nth(1).expect("the section is there");
    // The first two lists have the reserved words.
    let listed: Vec<&str> = word_lists(section).take(2).flatten().collect();
    for word in words::current_keywords() {
        assert!(listed.contains(&word), "`{word}` is reserved and not listed");
    }
    for word in listed {
        assert!(words::is_reserved(word), "`{word}` is listed and not reserved");
    }
    // The next three lists have the kinds, the kinds without a plural, and the functions.
    let built_in: Vec<&str> = word_lists(section).skip(2).take(3).flatten().collect();
    for word in words::FUNCTIONS.iter().chain(words::KINDS_WITHOUT_PLURAL) {
        assert!(words::is_kind(word) || built_in.contains(word), "`{word}` is built in and not listed");
    }
    for word in built_in {
        assert!(words::is_built_in(word), "`{word}` is listed and not built in");
    }
}

/// File that a command line of a page reads or writes.
enum Redirection {
    /// `< FILE`
    Input(String),
    /// `>> FILE`
    Append(String),
    /// No redirection. The test ignores `| …` and `> …`.
    None,
}

/// Splits a command line into words and the redirection behind them. Quotes keep blanks within a word.
fn words_and_redirection(line: &str) -> (Vec<String>, Redirection) {
    let mut words = vec![String::new()];
    let mut quote = None;
    for character in line.chars() {
        match quote {
            Some(open) if character == open => quote = None,
            None if matches!(character, '"' | '\'') => quote = Some(character),
            None if character.is_whitespace() => words.push(String::new()),
            _ => words.last_mut().expect("never empty").push(character),
        }
    }
    words.retain(|word| !word.is_empty());
    let Some(end) = words.iter().position(|word| matches!(word.as_str(), "<" | ">" | ">>" | "|" | "#")) else {
        return (words, Redirection::None);
    };
    let redirection = match words[end].as_str() {
        "<" => Redirection::Input(words[end + 1].clone()),
        ">>" => Redirection::Append(words[end + 1].clone()),
        _ => Redirection::None,
    };
    words.truncate(end);
    (words, redirection)
}

/// Runs a command line of Pinion. Returns its exit code and its output, or `None` for a command of another program.
fn run(line: &str, folder: &Path) -> Option<(i32, String)> {
    let (words, redirection) = words_and_redirection(line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let arguments = match words.as_slice() {
        ["pinion", rest @ ..] | ["cargo", "run", "--release", "--", rest @ ..] => rest,
        ["cargo" | "git" | "cd", ..] => return None,
        _ => panic!("unknown command `{line}`"),
    };
    let stdin = match &redirection {
        Redirection::Input(file) => Stdio::from(std::fs::File::open(folder.join(file)).expect("the file exists")),
        _ => Stdio::null(),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_pinion"));
    command.args(arguments).current_dir(folder).stdin(stdin).env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
    let output = command.output().expect("the binary starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
    let code = output.status.code().expect("it was not killed");
    if let Redirection::Append(file) = redirection {
        let path = folder.join(file);
        let old_text = std::fs::read_to_string(&path).expect("the file exists");
        std::fs::write(path, old_text + &text(output.stdout)).expect("a file can be written");
        return Some((code, text(output.stderr)));
    }
    Some((code, text(output.stdout) + &text(output.stderr)))
}

/// Returns true if the text on the page agrees with the printed text. A line `…` stands for any lines.
fn agrees(shown: &str, printed: &str) -> bool {
    if !shown.lines().any(|line| line == "…") {
        return shown.lines().eq(printed.trim_end().lines().map(str::trim_end));
    }
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let mut rest = printed.as_slice();
    for piece in shown.split("…\n").filter(|piece| !piece.trim().is_empty()) {
        let piece: Vec<&str> = piece.lines().collect();
        let Some(at) = rest.windows(piece.len()).position(|lines| lines == piece.as_slice()) else { return false };
        rest = &rest[at + piece.len()..];
    }
    true
}

/// Writes the files that the commands of the pages use and no page shows.
fn write_unshown_files(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("a path in the folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    };
    let puzzles: Vec<String> = common::PUZZLES[..5].iter().map(|puzzle| format!("{puzzle}\n")).collect();
    for name in ["docs/experiments/wings.pinion", "docs/experiments/few.txt"] {
        write(name, &read_text(name));
    }
    write("puzzles.txt", &puzzles.concat());
    write("grid.txt", common::PUZZLES[5]);
    let family = "technique few(n: 1..4) \"Few {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}\n";
    write("my-rule.pinion", family);
    write("my-profile.ron", "(name: \"mine\", rows: [(technique: \"naked_single\", first: 1)])");
    write("my-rules/one.pinion", "technique one \"One\" {\n  c: cell = {d}\n  place d in c\n}\n");
    write("more-rules/two.pinion", "technique two \"Two\" {\n  c: cell = {d}\n  place d in c\n}\n");
}

/// Compares the picture that a command wrote with the picture that the page shows.
fn check_picture(page: &str, line: &str, folder: &Path, update: bool) {
    let (words, _) = words_and_redirection(line);
    let name = words.iter().skip_while(|word| *word != "--svg").nth(1).expect("each family has a picture");
    assert!(page.contains(&format!("](families/{name})")), "{name} is not shown");
    let drawn = std::fs::read_to_string(folder.join(name)).expect("the picture was written");
    assert!(drawn.len() < 40_000, "{name} has {} bytes", drawn.len());
    let shown_path = repository().join("docs/families").join(name);
    if update {
        std::fs::create_dir_all(repository().join("docs/families")).expect("a folder can be made");
        std::fs::write(&shown_path, &drawn).expect("the picture can be written");
    }
    let shown = std::fs::read_to_string(&shown_path).unwrap_or_default();
    assert!(shown == drawn, "{name} is out of date on the page: set UPDATE_DOCS=1");
}

#[test]
fn commands_on_the_pages_run() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let mut ran = 0;
    for page in PAGES {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs").join(page.replace('/', "_"));
        write_unshown_files(&folder);
        let text = read_text(page);
        let mut new_text = text.clone();
        let blocks = blocks(&text);
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        for (number, block) in blocks.iter().enumerate() {
            if let Some(file) = block.file_name() {
                std::fs::write(folder.join(file), &block.text).expect("a file can be written");
            }
            if !block.has_kind("sh") {
                continue;
            }
            let shown_output = blocks
                .get(number + 1)
                .filter(|next| next.follows_block && next.has_kind("text") && next.file_name().is_none());
            let mut last_output = None;
            for line in block.text.lines().filter(|line| !line.is_empty()) {
                let Some((code, printed)) = run(line, &folder) else { continue };
                ran += 1;
                // Exit code 1 means that a command did not reach its goal; a page may show its output.
                let highest_code = if shown_output.is_some() { 1 } else { 0 };
                assert!(code <= highest_code, "{page}:{}: `{line}` ends with {code}\n{printed}", block.line);
                last_output = Some(printed);
                if page == "docs/families.md" {
                    check_picture(&text, line, &folder, update);
                }
            }
            let (Some(shown), Some(printed)) = (shown_output, last_output) else { continue };
            if !agrees(&shown.text, &printed) {
                let is_complete = !shown.text.contains("…\n");
                assert!(update && is_complete, "{page}:{}: the command prints\n{printed}", shown.line);
                let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
                changes.push((shown.span.clone(), lines.join("\n") + "\n"));
            }
        }
        // The last change comes first, so that the ranges of the others stay valid.
        for (span, printed) in changes.into_iter().rev() {
            new_text.replace_range(span, &printed);
        }
        if new_text != text {
            std::fs::write(repository().join(page), new_text).expect("the page can be written");
        }
    }
    assert!(ran >= 25, "only {ran} commands were seen");
}
