//! The pages are true: rules on them compile, their examples hold, their commands run and print what the page
//! shows. With UPDATE_DOCS=1 what commands print is written into the pages.
//!
//! A block is read by the words after its fence. ```pinion is a rule file of its own, ```pinion checked one that is
//! compiled and has no example on the page. `file=NAME` puts a block
//! into a file for the commands below it. ```sh is a command, or several; a ```text block right below it is
//! what the last of them prints, on both streams. A line `…` in it stands for lines left out.

use crate::common;
use pinion::engine::{Engine, Halt};
use pinion::lang::{self, ir, words};
use pinion::solve::Rulebook;
use pinion::workbench::examples::check_technique;
use std::ops::Range;
use std::path::{Path, PathBuf};
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

fn path(page: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(page)
}

fn read(page: &str) -> String {
    std::fs::read_to_string(path(page)).unwrap_or_else(|error| panic!("{page}: {error}"))
}

/// A fenced block.
struct Block {
    /// The words after the fence.
    words: Vec<String>,
    text: String,
    /// Byte range of the text in the page.
    span: Range<usize>,
    /// The line of the fence, from one.
    line: usize,
    /// True if only blank lines separate the block from the one before.
    follows: bool,
}

impl Block {
    fn is(&self, word: &str) -> bool {
        self.words.first().is_some_and(|first| first == word)
    }

    /// A rule file that is compiled and not run: ```pinion checked.
    fn is_checked_only(&self) -> bool {
        self.is("pinion") && self.words.iter().any(|word| word == "checked")
    }

    fn file(&self) -> Option<&str> {
        self.words.iter().find_map(|word| word.strip_prefix("file="))
    }
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    let (mut at, mut follows) = (0, false);
    for (number, line) in page.split_inclusive('\n').enumerate() {
        let fence = line.strip_prefix("```");
        match (fence, open.take()) {
            (Some(_), Some(mut block)) => {
                block.span.end = at;
                block.text = page[block.span.clone()].to_string();
                blocks.push(block);
                follows = true;
            }
            (Some(words), None) => {
                let start = at + line.len();
                let words = words.split_whitespace().map(str::to_string).collect();
                open = Some(Block { words, text: String::new(), span: start..start, line: number + 1, follows });
            }
            (None, Some(block)) => open = Some(block),
            (None, None) => follows &= line.trim().is_empty(),
        }
        at += line.len();
    }
    assert!(open.is_none(), "a block is not closed");
    blocks
}

/// The prelude's link sources and those of a block.
fn sources(own: &[ir::LinkSource]) -> Vec<ir::LinkSource> {
    Rulebook::embedded().sources().iter().chain(own).cloned().collect()
}

#[test]
fn rules_on_the_pages_compile() {
    let mut compiled = 0;
    for page in PAGES {
        for block in blocks(&read(page)).iter().filter(|block| block.is("pinion")) {
            let place = format!("{page}:{}", block.line);
            let (lowered, found) = lang::compile(&block.text);
            assert_eq!(found, vec![], "{place}");
            assert!(lang::accepts(&block.text), "{place}: the grammar as a whole does not accept it");
            let sources = sources(&lowered.sources);
            let across =
                lang::check_across(&lang::parse(&block.text).0, &lowered.techniques, &sources, &Default::default());
            assert_eq!(across, vec![], "{place}");
            compiled += 1;
            if block.is_checked_only() {
                continue;
            }
            let engine = Engine::new(common::geometry(9), &lowered.techniques, &sources);
            assert!(engine.is_ok(), "{place}: {:?}", engine.err());
        }
    }
    assert!(compiled >= 15, "only {compiled} rules were seen");
}

/// Runs every example of some files; the ids of the techniques that have one which finds something.
fn held(files: Vec<(String, String)>) -> Vec<String> {
    let rulebook = Rulebook::embedded();
    let ours = rulebook.files().len();
    let rulebook = rulebook.with(files);
    let mut held = Vec::new();
    for file in &rulebook.files()[ours..] {
        assert_eq!(file.diagnostics, vec![], "{}", file.name);
    }
    for technique in rulebook
        .techniques()
        .iter()
        .filter(|technique| rulebook.files()[ours..].iter().any(|file| file.techniques.contains(&technique.id)))
    {
        for one in check_technique(&rulebook, technique, Halt::default()) {
            assert!(one.passed(), "{}: {:?}: {:?}", technique.id, one.example.title, one.verdict);
            if !one.example.near_miss && !held.contains(&technique.id) {
                held.push(technique.id.clone());
            }
        }
    }
    held
}

#[test]
fn examples_on_the_pages_hold() {
    for page in PAGES {
        for block in blocks(&read(page)).iter().filter(|block| block.is("pinion") && !block.is_checked_only()) {
            held(vec![(format!("{page}:{}", block.line), block.text.clone())]);
        }
    }
}

#[test]
fn every_technique_of_the_reference_finds_what_its_example_says() {
    let page = read("docs/language.md");
    let all = blocks(&page);
    let mut files: Vec<(String, String)> = all
        .iter()
        .filter(|block| block.is("pinion") && !block.is_checked_only())
        .map(|block| (format!("docs/language.md:{}", block.line), block.text.clone()))
        .collect();
    let ids: Vec<String> = files
        .iter()
        .flat_map(|(_, text)| lang::compile(text).0.techniques.into_iter().map(|technique| technique.id))
        .collect();
    files.push(("tests/docs/language.pinion".to_string(), read("tests/docs/language.pinion")));
    let held = held(files);
    for id in ids {
        assert!(held.contains(&id), "`{id}` has no example in tests/docs/language.pinion");
    }
}

#[test]
fn the_readme_begins_with_a_puzzle_and_the_tests() {
    let page = read("README.md");
    let commands: Vec<String> =
        blocks(&page).into_iter().filter(|block| block.is("sh")).map(|block| block.text.trim().to_string()).collect();
    let puzzle = commands[0].strip_prefix("cargo run --release -- solve ").expect("the first command solves");
    assert!(common::PUZZLES[..5].contains(&puzzle));
    assert_eq!(commands[1], "cargo test --locked");
    let script = read(".ci/run");
    assert!(script.lines().any(|line| line.trim() == commands[1]), "what decides runs the same");
}

/// The words of each list between backticks.
fn lists_in(section: &str) -> impl Iterator<Item = impl Iterator<Item = &str>> {
    section.split('`').skip(1).step_by(2).map(str::split_whitespace)
}

#[test]
fn the_reserved_words_are_listed() {
    let page = read("docs/language.md");
    let section = page.split("## 9. Reserved words").nth(1).expect("the section is there");
    let listed: Vec<&str> = lists_in(section).take(2).flatten().collect();
    for word in words::reserved() {
        assert!(listed.contains(&word), "`{word}` is reserved and not listed");
    }
    for word in listed {
        assert!(words::is_reserved(word), "`{word}` is listed and not reserved");
    }
    // Kinds, kinds without a plural, functions.
    let built_in: Vec<&str> = lists_in(section).skip(2).take(3).flatten().collect();
    for word in words::FUNCTIONS.iter().chain(words::KINDS_WITHOUT_PLURAL) {
        assert!(words::is_kind(word) || built_in.contains(word), "`{word}` is built in and not listed");
    }
    for word in built_in {
        assert!(words::is_built_in(word), "`{word}` is listed and not built in");
    }
}

/// The words of a command line: blanks part them, quotes hold them together. What is done with its output
/// (`| …`, `> …`) is left out; `< FILE` becomes the file that is read, `>> FILE` the one that the output is added to.
fn arguments(line: &str) -> (Vec<String>, Option<(String, String)>) {
    let mut all = vec![String::new()];
    let mut quote = None;
    for mark in line.chars() {
        match (mark, quote) {
            (mark, Some(open)) if mark == open => quote = None,
            (mark, Some(_)) => all.last_mut().expect("never empty").push(mark),
            ('"' | '\'', None) => quote = Some(mark),
            (mark, None) if mark.is_whitespace() => all.push(String::new()),
            (mark, None) => all.last_mut().expect("never empty").push(mark),
        }
    }
    all.retain(|word| !word.is_empty());
    let mut file = None;
    if let Some(at) = all.iter().position(|word| matches!(word.as_str(), "<" | ">" | ">>" | "|" | "#")) {
        file = matches!(all[at].as_str(), "<" | ">>").then(|| (all[at].clone(), all[at + 1].clone()));
        all.truncate(at);
    }
    (all, file)
}

/// Runs a line if it is a command of Pinion: its exit code and what it prints.
fn run(line: &str, folder: &Path) -> Option<(i32, String)> {
    let (words, file) = arguments(line);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let arguments = match words.as_slice() {
        ["pinion", rest @ ..] | ["cargo", "run", "--release", "--", rest @ ..] => rest,
        ["cargo" | "git" | "cd", ..] => return None,
        _ => panic!("what is `{line}`?"),
    };
    let file = file.as_ref().map(|(sign, file)| (sign.as_str(), folder.join(file)));
    let stdin = match &file {
        Some(("<", file)) => Stdio::from(std::fs::File::open(file).expect("the file is there")),
        _ => Stdio::null(),
    };
    let mut command = Command::new(env!("CARGO_BIN_EXE_pinion"));
    command.args(arguments).current_dir(folder).stdin(stdin).env_remove("CLICOLOR_FORCE").env("COLUMNS", "100");
    let output = command.output().expect("the binary starts");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the output is text");
    let code = output.status.code().expect("it was not killed");
    if let Some((">>", file)) = &file {
        let known = std::fs::read_to_string(file).expect("the file is there");
        std::fs::write(file, known + &text(output.stdout)).expect("a file can be written");
        return Some((code, text(output.stderr)));
    }
    Some((code, text(output.stdout) + &text(output.stderr)))
}

/// Returns true if the page shows the printed text; `…` stands for any lines.
fn shows(shown: &str, printed: &str) -> bool {
    if !shown.lines().any(|line| line == "…") {
        return shown.lines().eq(printed.trim_end().lines().map(str::trim_end));
    }
    let printed: Vec<&str> = printed.lines().map(str::trim_end).collect();
    let mut rest = printed.as_slice();
    shown.split("…\n").filter(|piece| !piece.trim().is_empty()).all(|piece| {
        let piece: Vec<&str> = piece.lines().collect();
        let at = rest.windows(piece.len()).position(|lines| lines == piece.as_slice());
        at.map(|at| rest = &rest[at + piece.len()..]).is_some()
    })
}

/// Files that the pages speak of without showing them.
fn prepare(folder: &Path) {
    let _ = std::fs::remove_dir_all(folder);
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        std::fs::create_dir_all(path.parent().expect("it lies in the folder")).expect("a folder can be made");
        std::fs::write(path, text).expect("a file can be written");
    };
    let puzzles: Vec<String> = common::PUZZLES[..5].iter().map(|puzzle| format!("{puzzle}\n")).collect();
    for name in ["docs/experiments/wings.pinion", "docs/experiments/few.txt"] {
        write(name, &read(name));
    }
    write("puzzles.txt", &puzzles.concat());
    write("grid.txt", common::PUZZLES[5]);
    let family = "technique few(n: 1..4) \"Few {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}\n";
    write("my-rule.pinion", family);
    write("my-profile.ron", "(name: \"mine\", rows: [(technique: \"naked_single\", first: 1)])");
    write("my-rules/one.pinion", "technique one \"One\" {\n  c: cell = {d}\n  place d in c\n}\n");
    write("more-rules/two.pinion", "technique two \"Two\" {\n  c: cell = {d}\n  place d in c\n}\n");
}

/// The picture that a command wrote is the one that the page shows.
fn picture(page: &str, line: &str, folder: &Path, update: bool) {
    let (words, _) = arguments(line);
    let name = words.iter().skip_while(|word| *word != "--svg").nth(1).expect("each family has a picture");
    assert!(page.contains(&format!("](families/{name})")), "{name} is not shown");
    let drawn = std::fs::read_to_string(folder.join(name)).expect("the picture was written");
    assert!(drawn.len() < 40_000, "{name} has {} bytes", drawn.len());
    let kept = path("docs/families").join(name);
    if update {
        std::fs::create_dir_all(path("docs/families")).expect("a folder can be made");
        std::fs::write(&kept, &drawn).expect("the picture can be written");
    }
    let shown = std::fs::read_to_string(&kept).unwrap_or_default();
    assert!(shown == drawn, "{name} is not what the page shows; UPDATE_DOCS=1 writes it anew");
}

#[test]
fn commands_on_the_pages_run() {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    let mut ran = 0;
    for page in PAGES {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("docs").join(page.replace('/', "_"));
        prepare(&folder);
        let text = read(page);
        let mut new = text.clone();
        let blocks = blocks(&text);
        let mut changes: Vec<(Range<usize>, String)> = Vec::new();
        for (number, block) in blocks.iter().enumerate() {
            if let Some(file) = block.file() {
                std::fs::write(folder.join(file), &block.text).expect("a file can be written");
            }
            if !block.is("sh") {
                continue;
            }
            let shown = blocks.get(number + 1).filter(|next| next.follows && next.is("text") && next.file().is_none());
            let mut last = None;
            for line in block.text.lines().filter(|line| !line.is_empty()) {
                let Some((code, printed)) = run(line, &folder) else { continue };
                ran += 1;
                let good = if shown.is_some() { code <= 1 } else { code == 0 };
                assert!(good, "{page}:{}: `{line}` ends with {code}\n{printed}", block.line);
                last = Some(printed);
                if page == "docs/families.md" {
                    picture(&text, line, &folder, update);
                }
            }
            let (Some(shown), Some(printed)) = (shown, last) else { continue };
            if !shows(&shown.text, &printed) {
                let whole = !shown.text.contains("…\n");
                assert!(update && whole, "{page}:{}: what is printed is\n{printed}", shown.line);
                let lines: Vec<&str> = printed.trim_end().lines().map(str::trim_end).collect();
                changes.push((shown.span.clone(), lines.join("\n") + "\n"));
            }
        }
        for (span, printed) in changes.into_iter().rev() {
            new.replace_range(span, &printed);
        }
        if new != text {
            std::fs::write(path(page), new).expect("the page can be written");
        }
    }
    assert!(ran >= 25, "only {ran} commands were seen");
}
