//! Commands and the lenses that call them. In: a place in a file. Out: a summary line of examples, a proof or a search, with pictures,
//! findings, or an edit.
//!
//! Every command has the address of a file and a place in it, and works on the item there.

use crate::cli::hunt::{near_miss_block, near_miss_title};
use crate::cli::lsp::answer::{Job, offset, position, range};
use crate::cli::lsp::server::Server;
use crate::cli::lsp::wire::{FileFindings, JobResult};
use crate::cli::prelude::*;
use crate::cli::prove::record::technique_soundness;
use crate::editor::Document;
use crate::engine::{Halt, Limits};
use crate::lang::ast::{self, Item};
use crate::lang::ir::{Example, Technique};
use crate::proof::{Member, Prover, Status};
use crate::render::{Scene, count_phrase_of, drawing, step_lines, svg, unstyled};
use crate::solve::{Profile, Soundness, Step, member_label};
use crate::workbench::examples::{self, CheckedExample, Verdict, check_technique, example_position};
use crate::workbench::hunt::ExampleHunt;
use crate::workbench::{Subject, prove_or_refute};
use data_encoding::BASE64;
use fastrand::Rng;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::ops::Range;
use std::rc::Rc;

/// The commands.
pub const ALL: [&str; 4] = ["pinion.test", "pinion.prove", "pinion.matches", "pinion.nearMiss"];

/// The most matches that are drawn.
const DRAWN: usize = 20;

/// The rulebook, rule and example that a command works on.
pub struct CommandTarget {
    /// All rules.
    pub book: Arc<Rulebook>,
    /// The rule.
    pub technique: Technique,
    /// The example at the place and its span, if there is one.
    pub example: Option<(Example, Range<usize>)>,
    /// The file.
    pub uri: String,
    /// Text of the file, for places.
    text: String,
    id: Range<usize>,
}

/// Returns the work of a command.
///
/// # Errors
/// When it cannot be done, in words.
pub fn command(server: &Server, params: &Value) -> Result<Job, String> {
    let name = params["command"].as_str().unwrap_or_default().to_owned();
    if !ALL.contains(&name.as_str()) {
        return Err(format!("there is no command `{name}`; there are {}", ALL.join(", ")));
    }
    let target = target_at(server, &params["arguments"])?;
    Ok(Box::new(move |halt| {
        let found = match name.as_str() {
            "pinion.test" => Ok(test(&target, halt)),
            "pinion.prove" => prove(&target, halt),
            "pinion.matches" => matches(&target, halt),
            _ => insert_near_miss(&target, halt),
        };
        found.unwrap_or_else(|words| outcome(words, false, Vec::new()))
    }))
}

/// The target at a place: an array with the address of a file and a position in it.
pub fn target_at(server: &Server, place: &Value) -> Result<CommandTarget, String> {
    let uri = place[0].as_str().ok_or("a command needs the address of a file and a place in it")?;
    let document = server.workspace.documents.get(uri).ok_or_else(|| format!("the file {uri} is not known"))?;
    target(server, uri, document, offset(document, &place[1]))
}

fn target(server: &Server, uri: &str, document: &Document, at: usize) -> Result<CommandTarget, String> {
    let found = document.tree.items.iter().find_map(|item| match item {
        Item::Technique(one) if (one.span.start..=one.span.end).contains(&at) => Some((&one.id, None)),
        Item::Example(one) if (one.span.start..=one.span.end).contains(&at) => Some((&one.id, Some(one))),
        _ => None,
    });
    let (id, written) = found.ok_or("there is no technique and no example here")?;
    let technique = server.book.techniques().iter().find(|one| one.id == id.name);
    let technique = technique.ok_or_else(|| format!("`{}` has errors, or there is no such rule", id.name))?.clone();
    let example = written.and_then(|written| {
        let known = technique.examples.iter().find(|known| is_of(known, written))?;
        Some((known.clone(), written.span.clone()))
    });
    if written.is_some() && example.is_none() {
        return Err("this example has errors".into());
    }
    let (book, text) = (Arc::clone(&server.book), document.text.clone());
    Ok(CommandTarget { book, technique, example, uri: uri.to_owned(), text, id: id.span.clone() })
}

/// Returns true if an example is the given item of a file.
fn is_of(known: &Example, written: &ast::Example) -> bool {
    known.near_miss == written.near_miss
        && known.title.as_ref() == written.title.as_ref().map(|title| &title.text)
        && written.grids.first().is_some_and(|grid| grid.text == known.grid)
        && known.args.iter().copied().eq(written.args.iter().map(|arg| arg.value))
}

/// An answer without findings.
pub fn outcome(summary: String, good: bool, pictures: Vec<Value>) -> JobResult {
    let value = json!({ "summary": summary, "good": good, "pictures": pictures });
    JobResult { value, words: Some((summary, good)), ..JobResult::default() }
}

fn test(target: &CommandTarget, halt: Halt) -> JobResult {
    let mut technique = target.technique.clone();
    if let Some((example, _)) = &target.example {
        technique.examples = vec![example.clone()];
    }
    let checked = check_technique(&target.book, &technique, halt);
    let failed: Vec<&CheckedExample> = checked.iter().filter(|one| !one.passed()).collect();
    let (all, id) = (count_phrase(checked.len(), "example"), &technique.id);
    let summary = match (checked.len(), failed.len()) {
        (0, _) => format!("{id} has no examples"),
        (_, 0) => format!("{id}: {all} passed"),
        (_, many) => format!("{id}: {many} of {all} failed"),
    };
    let document = Document::new(target.text.clone());
    let (mut list, mut pictures) = (Vec::new(), Vec::new());
    for one in &failed {
        let place = document.tree.items.iter().find_map(|item| match item {
            Item::Example(written) if is_of(&one.example, written) => Some(&written.id.span),
            _ => None,
        });
        let words = words(one);
        list.push(finding(&document, place.unwrap_or(&target.id), &words, 1));
        pictures.push(json!({ "title": title(one), "text": words, "svg": null }));
    }
    let good = failed.is_empty() && !checked.is_empty();
    let found = outcome(summary, good, pictures);
    JobResult { findings: Some(reported(target, "pinion test", list)), ..found }
}

fn title(one: &CheckedExample) -> String {
    let kind = if one.example.near_miss { "near_miss" } else { "example" };
    let title = one.example.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""));
    format!("{kind} {}{title}", one.label)
}

/// Describes the result of an example.
fn words(one: &CheckedExample) -> String {
    match &one.verdict {
        Verdict::Passed => "passed".into(),
        Verdict::Unusable(why) => why.clone(),
        Verdict::Wrong(wrong) => wrong.join("\n"),
        Verdict::Failed { missing, extra } => {
            let both = [("not found:", missing), ("found besides:", extra)].into_iter();
            let both = both.filter(|(_, all)| !all.is_empty()).map(|(head, all)| format!("{head} {}", all.join(", ")));
            both.collect::<Vec<_>>().join("\n")
        }
    }
}

fn finding(document: &Document, span: &Range<usize>, message: &str, severity: u8) -> Value {
    json!({ "range": range(document, span), "severity": severity, "source": "pinion", "message": message })
}

fn reported(target: &CommandTarget, source: &'static str, list: Vec<Value>) -> FileFindings {
    FileFindings { uri: target.uri.clone(), text: target.text.clone(), source, list }
}

fn prove(target: &CommandTarget, halt: Halt) -> Result<JobResult, String> {
    let CommandTarget { book, technique, .. } = target;
    let document = Document::new(target.text.clone());
    let (mut lines, mut pictures, mut list, mut proved) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for name in examples::boards(technique) {
        let board = book.board(name)?;
        let asked: Rc<dyn Fn() -> bool> = Rc::new(move || halt.is_due());
        let known = (book.techniques(), book.sources());
        let prover = Prover::new(&board, known.1).with_rules(known.0).with_cancellation(Rc::clone(&asked));
        for (args, variant) in prover.members(technique) {
            let member = Member { technique, args: &args, variant };
            let verdict = prove_or_refute(&prover, &board, member, known, &asked);
            let line = format!(
                "{} ({name}): {}",
                member_label(&technique.id, &args),
                verdict.status.to_string().lines().next().unwrap_or_default()
            );
            proved += usize::from(verdict.status.is_proved());
            if let Status::Refuted(example) = &verdict.status {
                let picture = svg(&board, &Scene::of_counterexample(example), &[]);
                pictures.push(json!({ "title": line, "text": example.to_string(), "svg": picture }));
            }
            if !verdict.status.is_proved() {
                list.push(finding(&document, &target.id, &line, 2));
            }
            lines.push(line);
        }
    }
    let summary = match (lines.as_slice(), proved) {
        ([], _) => format!("{} has no member on this board", technique.id),
        ([line], _) => line.clone(),
        (all, proved) if all.len() == proved => {
            format!("{}: all {} are proved", technique.id, count_phrase(proved, "member"))
        }
        (all, proved) => format!("{}: {proved} of {} are proved", technique.id, count_phrase(all.len(), "member")),
    };
    let found = outcome(summary, proved == lines.len(), pictures);
    Ok(JobResult { findings: Some(reported(target, "pinion prove", list)), ..found })
}

fn matches(target: &CommandTarget, halt: Halt) -> Result<JobResult, String> {
    let CommandTarget { book, technique, example, .. } = target;
    let example = example.as_ref().map(|(example, _)| example).or(technique.examples.first());
    let example = example.ok_or_else(|| format!("`{}` has no example", technique.id))?;
    let (drawn, many, cut) = drawn_matches(book, technique, example, (DRAWN, halt))?;
    let more = if cut { ", and there may be more" } else { "" };
    let shown = if many > drawn.len() { format!(", {} shown", drawn.len()) } else { String::new() };
    let summary = format!(
        "{}: {}{more}{shown}",
        member_label(&technique.id, &example.args),
        count_phrase_of(many, "match", "matches")
    );
    let pictures = drawn.iter().map(|one| json!(one)).collect();
    Ok(outcome(summary, many > 0 || example.near_miss, pictures))
}

/// A match, for an editor that shows pictures.
#[derive(Serialize)]
pub struct Drawn {
    /// Headline.
    pub title: String,
    /// Reason.
    pub text: String,
    /// The grid in characters, with a legend.
    pub characters: String,
    /// The grid as an SVG picture.
    pub svg: String,
}

impl Drawn {
    /// Draws a step on its position.
    pub fn new(geometry: &Geometry, state: &State, step: &Step) -> Drawn {
        let scene = Scene::of_step(geometry, state, step);
        let lines = step_lines(geometry, step, 0);
        let (title, text) =
            lines.split_first().map_or_else(Default::default, |(title, rest)| (title.to_string(), unstyled(rest)));
        let characters = unstyled(&drawing(geometry, &scene, None));
        Drawn { title, text, characters, svg: svg(geometry, &scene, &[]) }
    }

    /// Returns Markdown for a hover.
    pub fn markdown(&self, pictures: bool) -> String {
        let picture = match pictures {
            true => format!("![match](data:image/svg+xml;base64,{})", BASE64.encode(self.svg.as_bytes())),
            false => format!("```text\n{}```", self.characters),
        };
        format!("{}\n\n{picture}", self.title)
    }
}

/// The matches on the grid of an example, up to a limit, and whether there may be more.
///
/// # Errors
/// When the example cannot be tried, in words.
pub fn drawn_matches(
    book: &Rulebook,
    technique: &Technique,
    example: &Example,
    (most, halt): (usize, Halt),
) -> Result<(Vec<Drawn>, usize, bool), String> {
    let scene = examples::example_position(book, example)?;
    let (geometry, state) = (&scene.geometry, &scene.state);
    let subject = Subject::new(book.with_used(vec![technique.clone()]), book.sources(), geometry)
        .ok_or_else(|| format!("`{}` cannot be compiled for the board {}", technique.id, geometry.spec().name))?;
    let limits = Limits { matches: 1000, halt, ..Limits::default() };
    let (seen, cut) =
        subject.matches_of(state, &limits, &|member| example.args.is_empty() || example.args == member.args);
    let drawn = seen.iter().take(most).map(|seen| Drawn::new(geometry, state, &seen.step)).collect();
    Ok((drawn, seen.len(), cut))
}

/// Looks for a near miss, and returns the edit that inserts it.
///
/// # Errors
/// When the example cannot be tried, in words.
fn insert_near_miss(target: &CommandTarget, halt: Halt) -> Result<JobResult, String> {
    let CommandTarget { book, technique, example, uri, .. } = target;
    let (example, span) = example.as_ref().ok_or("a near miss is made of an example: put the cursor into one")?;
    let scene = example_position(book, example)?;
    let limits = Limits { halt, ..Limits::default() };
    let solver = Solver::new(book, &scene.geometry, &Profile::empty(), limits);
    let label = member_label(&technique.id, &example.args);
    let search = ExampleHunt {
        solver: &solver,
        walker: &solver,
        technique: label.clone(),
        labels: vec![label.clone()],
        called: None,
        most: usize::MAX,
        needed: false,
        tally: RefCell::default(),
    };
    // A fixed seed: an example always has the same near miss.
    let caught = search.examine(&scene.state, &mut Rng::with_seed(1)).map_err(|error| error.typed)?;
    let caught = caught.ok_or_else(|| format!("{label} finds nothing here that a near miss could be made of"))?;
    let none = "adding or removing one candidate does not end the matches; edit the grid by hand";
    let near = caught.near_miss.ok_or(none)?;
    let title = near_miss_title(&scene.geometry, &near);
    let lines = near_miss_block(&label, &scene.geometry, &near);
    let document = Document::new(target.text.clone());
    let range = range(&document, &(span.end..span.end));
    let text = format!("\n\n{}", unstyled(&lines).trim_end());
    let edit = json!({ "changes": { uri: [{ "range": range, "newText": text }] } });
    let found = outcome(format!("near miss of {label}: {title}"), true, Vec::new());
    Ok(JobResult { edit: Some(edit), ..found })
}

/// The lenses of a file.
pub fn lenses(uri: &str, document: &Document) -> Value {
    let mut all = Vec::new();
    for item in &document.tree.items {
        let (id, commands): (_, &[(&str, &str)]) = match item {
            Item::Technique(one) if !one.broken => {
                (&one.id, &[("Run examples", "pinion.test"), ("Prove", "pinion.prove")])
            }
            Item::Example(one) if !one.grids.is_empty() && one.near_miss => (&one.id, &OF_EXAMPLES[..2]),
            Item::Example(one) if !one.grids.is_empty() => (&one.id, &OF_EXAMPLES),
            _ => continue,
        };
        let (range, place) = (range(document, &id.span), json!([uri, position(document, id.span.start)]));
        for (title, command) in commands {
            let command = json!({ "title": title, "command": command, "arguments": place });
            all.push(json!({ "range": range, "command": command }));
        }
        if matches!(item, Item::Technique(_)) {
            // The words take a proof: an editor asks for them when it shows the lens.
            all.push(json!({ "range": range, "data": place }));
        }
    }
    Value::Array(all)
}

/// The lenses of an example; the last is not for near misses.
const OF_EXAMPLES: [(&str, &str); 3] =
    [("Run", "pinion.test"), ("Show matches", "pinion.matches"), ("Insert a near miss", "pinion.nearMiss")];

/// The lens that says whether a rule is proved on the boards of its examples. The answer comes from an earlier run, or from a
/// bounded attempt.
///
/// # Errors
/// When there is no such rule any more, in words.
pub fn resolved_lens(server: &Server, params: &Value) -> Result<Job, String> {
    let place = params["data"].clone();
    let target = target_at(server, &place)?;
    let mut value = params.clone();
    Ok(Box::new(move |halt| {
        let is_due: Rc<dyn Fn() -> bool> = Rc::new(move || halt.is_due());
        let mut all = Vec::new();
        for name in examples::boards(&target.technique) {
            let Ok(geometry) = target.book.board(name) else { continue };
            match technique_soundness(&target.book, &target.technique, &geometry, &is_due) {
                None => {}
                Some(Soundness::Unproved) => all.push(format!("not proved on {name}")),
                Some(other) => all.push(format!("{} on {name}", other.word())),
            }
        }
        value["command"] = json!({ "title": all.join(", "), "command": "pinion.prove", "arguments": place });
        JobResult { value, ..JobResult::default() }
    }))
}
