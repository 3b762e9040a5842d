//! Commands. In: a place of a file. Out: what the examples there, a proof or a search says: a line, pictures, findings.
//!
//! Every command has the address of a file and a place in it, and is about the item there.

use super::answer::Work;
use super::drawn;
use super::jobs::{Findings, Found};
use super::near_miss;
use super::places::{offset, range};
use super::server::Server;
use crate::editor::Document;
use crate::engine::Halt;
use crate::lang::ast::{self, Item};
use crate::lang::ir::{Example, Technique};
use crate::proof::{Member, Prover, Status};
use crate::render::{Scene, counted, svg};
use crate::solve::{Rulebook, member_label};
use crate::workbench::examples::{self, Checked, Verdict, check_one};
use crate::workbench::settle;
use serde_json::{Value, json};
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

/// What can be asked for.
pub const ALL: [&str; 4] = ["pinion.test", "pinion.prove", "pinion.matches", "pinion.nearMiss"];

/// The most matches that are drawn.
const DRAWN: usize = 20;

/// What a command is about: with all that it needs, apart from the server.
pub struct Subject {
    /// All rules.
    pub book: Arc<Rulebook>,
    /// The rule.
    pub technique: Technique,
    /// The example at the place, if it is one.
    pub example: Option<(Example, Range<usize>)>,
    /// The file.
    pub uri: String,
    /// Its text, for places.
    text: String,
    id: Range<usize>,
}

impl Subject {
    /// The file's text.
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// What a command does.
///
/// # Errors
/// When it cannot be done, in words.
pub fn command(server: &Server, params: &Value) -> Result<Work, String> {
    let name = params["command"].as_str().unwrap_or_default().to_owned();
    if !ALL.contains(&name.as_str()) {
        return Err(format!("there is no command `{name}`; there are {}", ALL.join(", ")));
    }
    let subject = subject_at(server, &params["arguments"])?;
    Ok(Box::new(move |halt| {
        let found = match name.as_str() {
            "pinion.test" => Ok(test(&subject, halt)),
            "pinion.prove" => prove(&subject, halt),
            "pinion.matches" => matches(&subject, halt),
            _ => near_miss::insert(&subject, halt),
        };
        found.unwrap_or_else(|words| outcome(words, false, Vec::new()))
    }))
}

/// The subject at a place: an array with the address of a file and a position in it.
pub fn subject_at(server: &Server, place: &Value) -> Result<Subject, String> {
    let uri = place[0].as_str().ok_or("a command needs the address of a file and a place in it")?;
    let document = server.workspace.documents.get(uri).ok_or_else(|| format!("the file {uri} is not known"))?;
    subject(server, uri, document, offset(document, &place[1]))
}

fn subject(server: &Server, uri: &str, document: &Document, at: usize) -> Result<Subject, String> {
    let around = |span: &Range<usize>| span.start <= at && at <= span.end;
    let found = document.tree.items.iter().find_map(|item| match item {
        Item::Technique(one) if around(&one.span) => Some((&one.id, None)),
        Item::Example(one) if around(&one.span) => Some((&one.id, Some(one))),
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
    Ok(Subject { book, technique, example, uri: uri.to_owned(), text, id: id.span.clone() })
}

/// Whether an example is the one that is written there.
fn is_of(known: &Example, written: &ast::Example) -> bool {
    let raw = |one: &ast::Raw| one.text.clone();
    known.near_miss == written.near_miss
        && known.title == written.title.as_ref().map(raw)
        && written.grids.first().is_some_and(|grid| grid.text == known.grid)
        && known.args.iter().copied().eq(written.args.iter().map(|arg| arg.value))
}

/// An answer without findings.
pub fn outcome(summary: String, good: bool, pictures: Vec<Value>) -> Found {
    let value = json!({ "summary": summary, "good": good, "pictures": pictures });
    Found { value, words: Some((summary, good)), ..Found::default() }
}

fn test(subject: &Subject, halt: Halt) -> Found {
    let mut technique = subject.technique.clone();
    if let Some((example, _)) = &subject.example {
        technique.examples = vec![example.clone()];
    }
    let checked = check_one(&subject.book, &technique, halt);
    let failed: Vec<&Checked> = checked.iter().filter(|one| !one.passed()).collect();
    let (all, id) = (counted(checked.len(), "example"), &technique.id);
    let summary = match (checked.len(), failed.len()) {
        (0, _) => format!("{id} has no examples"),
        (_, 0) => format!("{id}: {all} passed"),
        (_, many) => format!("{id}: {many} of {all} failed"),
    };
    let document = Document::new(subject.text.clone());
    let place = |one: &Checked| {
        document.tree.items.iter().find_map(|item| match item {
            Item::Example(written) if is_of(&one.example, written) => Some(written.id.span.clone()),
            _ => None,
        })
    };
    let finding = |one: &&Checked| finding(&document, &place(one).unwrap_or(subject.id.clone()), &words(one), 1);
    let list = failed.iter().map(finding).collect();
    let picture = |one: &&Checked| json!({ "title": title(one), "text": words(one), "svg": null });
    let pictures = failed.iter().map(picture).collect();
    let good = failed.is_empty() && !checked.is_empty();
    let found = outcome(summary, good, pictures);
    Found { findings: Some(reported(subject, "pinion test", list)), ..found }
}

fn title(one: &Checked) -> String {
    let kind = if one.example.near_miss { "near_miss" } else { "example" };
    let title = one.example.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""));
    format!("{kind} {}{title}", one.label)
}

/// What is wrong with an example.
fn words(one: &Checked) -> String {
    match &one.verdict {
        Verdict::Passed => "passed".into(),
        Verdict::Unusable(why) => why.clone(),
        Verdict::Wrong(wrong) => wrong.join("\n"),
        Verdict::Failed { missing, extra } => {
            let list = |head: &str, all: &[String]| match all {
                [] => None,
                all => Some(format!("{head} {}", all.join(", "))),
            };
            let both = [list("not found:", missing), list("found besides:", extra)];
            both.into_iter().flatten().collect::<Vec<_>>().join("\n")
        }
    }
}

fn finding(document: &Document, span: &Range<usize>, message: &str, severity: u8) -> Value {
    json!({ "range": range(document, span), "severity": severity, "source": "pinion", "message": message })
}

fn reported(subject: &Subject, source: &'static str, list: Vec<Value>) -> Findings {
    Findings { uri: subject.uri.clone(), text: subject.text.clone(), source, list }
}

fn prove(subject: &Subject, halt: Halt) -> Result<Found, String> {
    let Subject { book, technique, .. } = subject;
    let document = Document::new(subject.text.clone());
    let (mut lines, mut pictures, mut list, mut proved) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for name in examples::boards(technique) {
        let board = book.board(name)?;
        let asked: Rc<dyn Fn() -> bool> = Rc::new(move || halt.is_due());
        let known = (book.techniques(), book.sources());
        let prover = Prover::new(&board, known.1).with_rules(known.0).until(Rc::clone(&asked));
        for (args, variant) in prover.members(technique) {
            let member = Member { technique, args: &args, variant };
            let verdict = settle(&prover, &board, member, known, &asked);
            let line = format!("{} ({name}): {}", member_label(&technique.id, &args), first_line(&verdict.status));
            proved += usize::from(verdict.status.is_proved());
            if let Status::Refuted(example) = &verdict.status {
                let picture = svg(&board, &Scene::of_counterexample(example), &[]);
                pictures.push(json!({ "title": line, "text": example.to_string(), "svg": picture }));
            }
            if !verdict.status.is_proved() {
                list.push(finding(&document, &subject.id, &line, 2));
            }
            lines.push(line);
        }
    }
    let summary = match (lines.as_slice(), proved) {
        ([], _) => format!("{} has no member on this board", technique.id),
        ([line], _) => line.clone(),
        (all, proved) if all.len() == proved => {
            format!("{}: all {} are proved", technique.id, counted(proved, "member"))
        }
        (all, proved) => format!("{}: {proved} of {} are proved", technique.id, counted(all.len(), "member")),
    };
    let found = outcome(summary, proved == lines.len(), pictures);
    Ok(Found { findings: Some(reported(subject, "pinion prove", list)), ..found })
}

fn first_line(status: &Status) -> String {
    status.to_string().lines().next().unwrap_or_default().to_owned()
}

fn matches(subject: &Subject, halt: Halt) -> Result<Found, String> {
    let Subject { book, technique, example, .. } = subject;
    let example = example.as_ref().map(|(example, _)| example).or(technique.examples.first());
    let example = example.ok_or_else(|| format!("`{}` has no example", technique.id))?;
    let (drawn, many, cut) = drawn::matches(book, technique, example, (DRAWN, halt))?;
    let more = if cut { ", and there may be more" } else { "" };
    let shown = if many > drawn.len() { format!(", {} shown", drawn.len()) } else { String::new() };
    let summary = format!("{}: {}{more}{shown}", member_label(&technique.id, &example.args), counted_as_matches(many));
    let pictures = drawn.iter().map(drawn::Drawn::record).collect();
    Ok(outcome(summary, many > 0 || example.near_miss, pictures))
}

fn counted_as_matches(many: usize) -> String {
    if many == 1 { "1 match".into() } else { format!("{many} matches") }
}
