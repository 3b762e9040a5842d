//! Commands of the editor, and the code lenses that call a command. A command gets a URI and a position, and works on the technique or
//! example there. Out: a summary line, with pictures, diagnostics or an edit.

use crate::cli::hunt::{near_miss_block, near_miss_title};
use crate::cli::lsp::answer::{Job, offset, position, range};
use crate::cli::lsp::diagnostics::{ERROR, WARNING};
use crate::cli::lsp::server::Server;
use crate::cli::lsp::wire::{FileDiagnostics, JobResult};
use crate::cli::prelude::*;
use crate::cli::prove::record::technique_soundness;
use crate::editor::Document;
use crate::engine::{Halt, Limits};
use crate::lang::ast::{self, Item};
use crate::lang::ir::Example;
use crate::proof::{Member, Prover, Status};
use crate::render::{Scene, count_phrase_of, drawing, step_lines, svg, unstyled};
use crate::solve::{Profile, Soundness, Step, member_label};
use crate::workbench::examples::{self, CheckedExample, Verdict, check_technique, example_position};
use crate::workbench::hunt::ExampleHunt;
use crate::workbench::{compiled, matches, prove_or_refute};
use data_encoding::BASE64;
use fastrand::Rng;
use serde_json::{Value, json};
use std::ops::Range;

pub const ALL: [&str; 4] = ["pinion.test", "pinion.prove", "pinion.matches", "pinion.nearMiss"];

const MAX_DRAWN: usize = 20;

const MAX_MATCHES: usize = 1000;

struct CommandTarget {
    rulebook: Arc<Rulebook>,
    technique: Technique,
    /// The example under the cursor and its span; `None` if the cursor is in the technique.
    example: Option<(Example, Range<usize>)>,
    uri: String,
    text: String,
    /// Span of the id of the technique or example under the cursor.
    id_span: Range<usize>,
}

/// Parses a request to execute a command. Fails with a message if the command or its target does not exist.
pub fn command(server: &Server, params: &Value) -> Result<Job, String> {
    let name = params["command"].as_str().unwrap_or_default();
    let run: fn(&CommandTarget, Halt) -> Result<JobResult, String> = match name {
        "pinion.test" => test,
        "pinion.prove" => prove,
        "pinion.matches" => show_matches,
        "pinion.nearMiss" => insert_near_miss,
        _ => return Err(format!("there is no command `{name}`; there are {}", ALL.join(", "))),
    };
    let target = target_at(server, &params["arguments"])?;
    Ok(Box::new(move |halt| match run(&target, halt) {
        Ok(result) => result,
        Err(message) => job_result(message, false, Vec::new()),
    }))
}

/// Finds the target at a location, which is an array of a URI and a position.
fn target_at(server: &Server, location: &Value) -> Result<CommandTarget, String> {
    let uri = location[0].as_str().ok_or("a command needs the address of a file and a position in it")?;
    let document = server.workspace.documents.get(uri).ok_or_else(|| format!("the file {uri} is not known"))?;
    let at = offset(document, &location[1]);
    let (_, id, ast_example) = document
        .tree
        .items
        .iter()
        .filter_map(|item| match item {
            Item::Technique(technique) => Some((&technique.span, &technique.id, None)),
            Item::Example(example) => Some((&example.span, &example.id, Some(example))),
            _ => None,
        })
        // The cursor is in the item, or directly behind it.
        .find(|(span, ..)| (span.start..=span.end).contains(&at))
        .ok_or("there is no technique and no example here")?;
    let technique = server.rulebook.techniques().iter().find(|technique| technique.id == id.name);
    let technique = technique.ok_or_else(|| format!("`{}` has errors, or there is no such rule", id.name))?.clone();
    let example = match ast_example {
        None => None,
        Some(ast_example) => {
            let compiled = technique.examples.iter().find(|example| is_same_example(example, ast_example));
            Some((compiled.ok_or("this example has errors")?.clone(), ast_example.span.clone()))
        }
    };
    let (rulebook, text) = (Arc::clone(&server.rulebook), document.text.clone());
    Ok(CommandTarget { rulebook, technique, example, uri: uri.to_owned(), text, id_span: id.span.clone() })
}

/// Returns true if a compiled example comes from the given item of a file.
fn is_same_example(example: &Example, ast_example: &ast::Example) -> bool {
    example.near_miss == ast_example.near_miss
        && example.title.as_ref() == ast_example.title.as_ref().map(|title| &title.text)
        && ast_example.grids.first().is_some_and(|grid| grid.text == example.grid)
        && example.args.iter().copied().eq(ast_example.args.iter().map(|arg| arg.value))
}

/// Creates the result of a command. The editor shows the summary, or the user gets it as a message.
fn job_result(summary: String, is_success: bool, pictures: Vec<Value>) -> JobResult {
    let value = json!({ "summary": summary, "good": is_success, "pictures": pictures });
    JobResult { value, ..JobResult::default() }
}

/// Runs the example of the target, or all examples of the technique.
fn test(target: &CommandTarget, halt: Halt) -> Result<JobResult, String> {
    let mut technique = target.technique.clone();
    if let Some((example, _)) = &target.example {
        technique.examples = vec![example.clone()];
    }
    let examples = check_technique(&target.rulebook, &technique, halt);
    let failed: Vec<&CheckedExample> = examples.iter().filter(|example| !example.passed()).collect();
    let (count, id) = (count_phrase(examples.len(), "example"), &technique.id);
    let summary = match failed.len() {
        _ if examples.is_empty() => format!("{id} has no examples"),
        0 => format!("{id}: {count} passed"),
        failed => format!("{id}: {failed} of {count} failed"),
    };
    let document = Document::new(target.text.clone());
    let mut diagnostics = Vec::new();
    let mut pictures = Vec::new();
    for &failure in &failed {
        let item_span = document.tree.items.iter().find_map(|item| match item {
            Item::Example(item) if is_same_example(&failure.example, item) => Some(&item.id.span),
            _ => None,
        });
        let message = verdict_message(failure);
        diagnostics.push(diagnostic(&document, item_span.unwrap_or(&target.id_span), &message, ERROR));
        let kind = if failure.example.near_miss { "near_miss" } else { "example" };
        let title = failure.example.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""));
        let title = format!("{kind} {}{title}", failure.label);
        pictures.push(json!({ "title": title, "text": message, "svg": null }));
    }
    let result = job_result(summary, failed.is_empty() && !examples.is_empty(), pictures);
    Ok(JobResult { diagnostics: Some(file_diagnostics(target, "pinion test", diagnostics)), ..result })
}

fn verdict_message(checked: &CheckedExample) -> String {
    match &checked.verdict {
        Verdict::Passed => "passed".into(),
        Verdict::Unusable(reason) => reason.clone(),
        Verdict::Wrong(contradictions) => contradictions.join("\n"),
        Verdict::Failed { missing, extra } => {
            let mut lines = Vec::new();
            if !missing.is_empty() {
                lines.push(format!("not found: {}", missing.join(", ")));
            }
            if !extra.is_empty() {
                lines.push(format!("found besides: {}", extra.join(", ")));
            }
            lines.join("\n")
        }
    }
}

fn diagnostic(document: &Document, span: &Range<usize>, message: &str, severity: u8) -> Value {
    json!({ "range": range(document, span), "severity": severity, "source": "pinion", "message": message })
}

fn file_diagnostics(target: &CommandTarget, source: &'static str, diagnostics: Vec<Value>) -> FileDiagnostics {
    FileDiagnostics { uri: target.uri.clone(), text: target.text.clone(), source, diagnostics }
}

/// Proves the members of the technique on the boards of its examples.
fn prove(target: &CommandTarget, halt: Halt) -> Result<JobResult, String> {
    let CommandTarget { rulebook, technique, .. } = target;
    let document = Document::new(target.text.clone());
    let is_due: Rc<dyn Fn() -> bool> = Rc::new(move || halt.is_due());
    let (techniques, sources) = (rulebook.techniques(), rulebook.sources());
    let mut lines = Vec::new();
    let mut pictures = Vec::new();
    let mut diagnostics = Vec::new();
    let mut proved = 0;
    for name in examples::boards(technique) {
        let board = rulebook.board(name)?;
        let prover = Prover::new(&board, sources).with_rules(techniques).with_cancellation(Rc::clone(&is_due));
        for (args, variant) in prover.members(technique) {
            let member = Member { technique, args: &args, variant };
            let status = prove_or_refute(&prover, &board, member, (techniques, sources), &is_due).status;
            let label = member_label(&technique.id, &args);
            let status_text = status.to_string();
            let line = format!("{label} ({name}): {}", status_text.lines().next().unwrap_or_default());
            if let Status::Refuted(example) = &status {
                let picture = svg(&board, &Scene::of_counterexample(example), &[]);
                pictures.push(json!({ "title": line, "text": example.to_string(), "svg": picture }));
            }
            if status.is_proved() {
                proved += 1;
            } else {
                diagnostics.push(diagnostic(&document, &target.id_span, &line, WARNING));
            }
            lines.push(line);
        }
    }
    let (id, members) = (&technique.id, count_phrase(lines.len(), "member"));
    let summary = match lines.as_slice() {
        [] => format!("{id} has no member on this board"),
        [line] => line.clone(),
        _ if proved == lines.len() => format!("{id}: all {members} are proved"),
        _ => format!("{id}: {proved} of {members} are proved"),
    };
    let result = job_result(summary, proved == lines.len(), pictures);
    Ok(JobResult { diagnostics: Some(file_diagnostics(target, "pinion prove", diagnostics)), ..result })
}

/// Draws the matches on the grid of the example, or of the first example of the technique.
fn show_matches(target: &CommandTarget, halt: Halt) -> Result<JobResult, String> {
    let CommandTarget { rulebook, technique, .. } = target;
    let example = match &target.example {
        Some((example, _)) => example,
        None => technique.examples.first().ok_or_else(|| format!("`{}` has no example", technique.id))?,
    };
    let DrawnMatches { drawn, count, is_cut_short } = draw_matches(rulebook, technique, example, MAX_DRAWN, halt)?;
    let label = member_label(&technique.id, &example.args);
    let mut summary = format!("{label}: {}", count_phrase_of(count, "match", "matches"));
    if is_cut_short {
        summary += ", and there may be more";
    }
    if count > drawn.len() {
        summary += &format!(", {} shown", drawn.len());
    }
    let pictures = drawn.iter().map(|drawn| json!(drawn)).collect();
    Ok(job_result(summary, count > 0 || example.near_miss, pictures))
}

#[derive(Serialize)]
pub struct DrawnMatch {
    title: String,
    text: String,
    /// The grid in characters, with a legend.
    characters: String,
    svg: String,
}

impl DrawnMatch {
    fn new(geometry: &Geometry, state: &State, step: &Step) -> DrawnMatch {
        let scene = Scene::of_step(geometry, state, step);
        let lines = step_lines(geometry, step, 0);
        let (title, text) = match lines.split_first() {
            Some((title, reason)) => (title.to_string(), unstyled(reason)),
            None => Default::default(),
        };
        let characters = unstyled(&drawing(geometry, &scene, None));
        DrawnMatch { title, text, characters, svg: svg(geometry, &scene, &[]) }
    }

    /// Returns Markdown for a hover, with a picture or with the grid in characters.
    pub fn markdown(&self, has_pictures: bool) -> String {
        let grid = match has_pictures {
            true => format!("![match](data:image/svg+xml;base64,{})", BASE64.encode(self.svg.as_bytes())),
            false => format!("```text\n{}```", self.characters),
        };
        format!("{}\n\n{grid}", self.title)
    }
}

pub struct DrawnMatches {
    pub drawn: Vec<DrawnMatch>,
    count: usize,
    /// True if a limit ended the search, so that there may be more matches.
    is_cut_short: bool,
}

/// Searches the matches on the grid of an example, and draws the first `max_drawn`. Fails with a message if the example is unusable.
pub fn draw_matches(
    rulebook: &Rulebook,
    technique: &Technique,
    example: &Example,
    max_drawn: usize,
    halt: Halt,
) -> Result<DrawnMatches, String> {
    let position = example_position(rulebook, example)?;
    let (geometry, state) = (&position.geometry, &position.state);
    let engine = compiled(rulebook, technique, geometry)
        .ok_or_else(|| format!("`{}` cannot be compiled for the board {}", technique.id, geometry.spec().name))?;
    let limits = Limits { matches: MAX_MATCHES, halt, ..Limits::default() };
    // An example without arguments is for all members.
    let matches = matches(&engine, state, &limits, &|member| example.args.is_empty() || example.args == member.args);
    let drawn =
        matches.steps.iter().take(max_drawn).map(|found| DrawnMatch::new(geometry, state, &found.step)).collect();
    Ok(DrawnMatches { drawn, count: matches.steps.len(), is_cut_short: matches.is_cut })
}

/// Searches a near miss of the example, and returns the edit that inserts it.
fn insert_near_miss(target: &CommandTarget, halt: Halt) -> Result<JobResult, String> {
    let CommandTarget { rulebook, technique, example, uri, .. } = target;
    let (example, span) = example.as_ref().ok_or("a near miss is made of an example: put the cursor into one")?;
    let position = example_position(rulebook, example)?;
    let limits = Limits { halt, ..Limits::default() };
    let solver = Solver::new(rulebook, &position.geometry, &Profile::empty(), limits);
    let label = member_label(&technique.id, &example.args);
    let search = ExampleHunt {
        solver: &solver,
        walker: &solver,
        technique: label.clone(),
        labels: vec![label.clone()],
        match_name: None,
        max_deductions: usize::MAX,
        only_stuck_positions: false,
        tally: RefCell::default(),
    };
    // A fixed seed: an example always has the same near miss.
    let found = search.examine(&position.state, &mut Rng::with_seed(1)).map_err(|error| error.typed)?;
    let found = found.ok_or_else(|| format!("{label} finds nothing here that a near miss could be made of"))?;
    let near_miss =
        found.near_miss.ok_or("adding or removing one candidate does not end the matches; edit the grid by hand")?;
    let title = near_miss_title(&position.geometry, &near_miss);
    let lines = near_miss_block(&label, &position.geometry, &near_miss);
    let document = Document::new(target.text.clone());
    let range = range(&document, &(span.end..span.end));
    let text = format!("\n\n{}", unstyled(&lines).trim_end());
    let edit = json!({ "changes": { uri: [{ "range": range, "newText": text }] } });
    let result = job_result(format!("near miss of {label}: {title}"), true, Vec::new());
    Ok(JobResult { edit: Some(edit), ..result })
}

/// Titles and commands of the lenses of a technique.
const TECHNIQUE_LENSES: [(&str, &str); 2] = [("Run examples", "pinion.test"), ("Prove", "pinion.prove")];
const NEAR_MISS_LENSES: [(&str, &str); 2] = [("Run", "pinion.test"), ("Show matches", "pinion.matches")];
const EXAMPLE_LENSES: [(&str, &str); 3] =
    [("Run", "pinion.test"), ("Show matches", "pinion.matches"), ("Insert a near miss", "pinion.nearMiss")];

pub fn lenses(uri: &str, document: &Document) -> Value {
    let mut lenses = Vec::new();
    for item in &document.tree.items {
        let (id, commands): (_, &[(&str, &str)]) = match item {
            Item::Technique(technique) if !technique.broken => (&technique.id, &TECHNIQUE_LENSES),
            Item::Example(example) if example.grids.is_empty() => continue,
            Item::Example(example) if example.near_miss => (&example.id, &NEAR_MISS_LENSES),
            Item::Example(example) => (&example.id, &EXAMPLE_LENSES),
            _ => continue,
        };
        let range = range(document, &id.span);
        let location = json!([uri, position(document, id.span.start)]);
        for (title, command) in commands {
            let command = json!({ "title": title, "command": command, "arguments": location });
            lenses.push(json!({ "range": range, "command": command }));
        }
        if matches!(item, Item::Technique(_)) {
            // This lens has no title yet, because the title needs a proof. The editor asks for the title when the lens
            // becomes visible.
            lenses.push(json!({ "range": range, "data": location }));
        }
    }
    Value::Array(lenses)
}

/// Returns the job that completes a lens with the soundness of the rule on the boards of its examples, from the cache or by bounded proofs.
pub fn resolve_lens(server: &Server, params: &Value) -> Result<Job, String> {
    let location = params["data"].clone();
    let target = target_at(server, &location)?;
    let mut lens = params.clone();
    Ok(Box::new(move |halt| {
        let is_due: Rc<dyn Fn() -> bool> = Rc::new(move || halt.is_due());
        let mut verdicts = Vec::new();
        for name in examples::boards(&target.technique) {
            let Ok(geometry) = target.rulebook.board(name) else { continue };
            match technique_soundness(&target.rulebook, &target.technique, &geometry, &is_due) {
                None => {}
                Some(Soundness::Unproved) => verdicts.push(format!("not proved on {name}")),
                Some(soundness) => verdicts.push(format!("{} on {name}", soundness.word())),
            }
        }
        lens["command"] = json!({ "title": verdicts.join(", "), "command": "pinion.prove", "arguments": location });
        JobResult { value: lens, ..JobResult::default() }
    }))
}
