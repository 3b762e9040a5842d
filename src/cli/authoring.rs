//! Commands of authors: `pinion new`, `pinion fmt` and `pinion emit`. In: a name, rule files and folders, the standard input. Out: a rule file
//! to change; the files in canonical layout, or which of them are not; what a stage of the compiler makes of a file.

use crate::cli::files::Project;
use crate::cli::input::{RuleFiles, exact_text, file_name, rule_files, text};
use crate::cli::output;
use crate::cli::prelude::*;
use crate::cli::rules::{self, drawn, print_findings};
use crate::engine::{Engine, MemberId};
use crate::lang::format::{Unformatted, format};
use crate::lang::has_no_item;
use crate::lang::ir::{LinkSource, Technique};
use crate::lang::line_ends::{LineEnd, all_as_lf, are_mixed};
use crate::solve::{RuleFile, nearest};
use crate::workbench::{names, scaffold};
use clap::ValueEnum;
use similar::{ChangeTag, TextDiff};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

/// Write a complete rule file for you to change
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion new my_rule
  pinion new rules/my_rule --like NAME

The file has a correct rule, an example and a near miss, so you can change it step by step. With --like they are copied
from a technique of the rulebook. Pinion never overwrites a file.")]
pub struct NewArgs {
    /// The identifier of the new rule, or the path of its file
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Begin with this technique: its id or the name of its steps
    #[arg(long, value_name = "TECHNIQUE")]
    like: Option<String>,
}

/// Writes the file.
pub fn new(args: &NewArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let (id, path) = new_file(&args.name)?;
    let known = rules::rulebook(global)?;
    if let Some(file) = known.file_of(&id) {
        let failure = Failure::usage(format!("the rulebook has a technique `{id}` already, in {}", file.name));
        return Err(failure.help("a file with its id would replace it; choose another name").into());
    }
    let text = match &args.like {
        None => scaffold::first_rule(&id),
        Some(like) => {
            let technique = technique(&known, like)?;
            scaffold::copy_of(&known, &technique, &id)
                .ok_or_else(|| Failure::usage(format!("there is no rule of `{technique}` to copy")))?
        }
    };
    Project::around(std::slice::from_ref(&path)).create(&path, &text)?;
    if let Some(like) = args.like.as_ref().filter(|_| !text.contains("\nexample ")) {
        let hunt = format!("`pinion hunt --rules {} --technique {id}` looks for one", path.display());
        remark(&format!("`{like}` has no example, so the new file has none: {hunt}"));
    }
    let shown = path.display();
    let mut lines = vec![Line::styled(Role::Success, format!("wrote {shown}")), Line::text("Next:")];
    for (command, does) in [
        ("check", "everything that is wrong with it"),
        ("test", "whether its example and its near miss hold"),
        ("prove", "whether it is right in every grid"),
        ("lint", "what could be better"),
        ("watch", "all of this whenever it is saved"),
    ] {
        lines.push(Line::text(format!("  pinion {command:<5} {shown}  ")).with(Role::Quiet, does));
    }
    out.answer(&path, || lines)?;
    Ok(Exit::Done)
}

/// The identifier and the file that a name stands for.
fn new_file(name: &Path) -> Result<(String, PathBuf), Failure> {
    let mut path = name.as_os_str().to_owned();
    if name.extension().is_none_or(|one| one != "pinion") {
        path.push(".pinion");
    }
    let path = PathBuf::from(path);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match scaffold::identifier(&stem) {
        Some(id) if id == stem => Ok((id, path)),
        Some(id) => {
            let failure = Failure::usage(format!("`{stem}` cannot be the identifier of a rule"));
            Err(failure
                .help(format!("use lower-case letters, digits and `_`, and no word of the language: `{id}` would do")))
        }
        None => Err(Failure::usage("the identifier of a rule has letters, digits and `_`")),
    }
}

/// Returns the id of a technique, given its id or one of its names.
fn technique(rulebook: &Rulebook, typed: &str) -> Result<String, Failure> {
    if let Some(technique) = names::technique(rulebook, typed) {
        return Ok(technique.id.clone());
    }
    let ids = rulebook.techniques().iter().map(|technique| technique.id.clone());
    let all: Vec<String> = ids.chain(rulebook.techniques().iter().flat_map(names::names)).collect();
    let near = nearest(typed, all.iter().map(String::as_str));
    let failure = Failure::usage(format!("there is no technique `{typed}`"));
    Err(match near.first() {
        Some(near) => failure.help(format!("did you mean `{near}`? `pinion list` shows all")),
        None => failure.help("`pinion list` shows all"),
    })
}

/// Format rule files
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion fmt my-rule.pinion
  pinion fmt --check rules/
  pinion fmt - < my-rule.pinion

Without a path Pinion formats every .pinion file below the current folder. With - it reads standard input and prints the
result. Only blanks, newlines and the breaks of long lines change; each file keeps its line ends, LF, CR LF or CR, and its byte order
mark. A file with syntax errors is left alone.")]
pub struct FmtArgs {
    /// Rule files, folders of .pinion files, or - for standard input
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write nothing; show what would change, with exit code 1 if anything would
    #[arg(long)]
    check: bool,
}

#[derive(Serialize)]
struct FormattedFile<'a> {
    file: &'a str,
    /// `unchanged`, `formatted`, `would_change`, `errors`.
    status: &'a str,
}

/// Number of files by result.
#[derive(Default)]
struct FormatTally {
    unchanged: usize,
    changed: usize,
    failed: usize,
}

/// Formats rule files.
pub fn fmt(args: &FmtArgs, _global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    if args.paths.iter().any(|path| path == Path::new("-")) {
        return standard_input(args, out);
    }
    let here = [PathBuf::from(".")];
    let paths: &[PathBuf] = if args.paths.is_empty() { &here } else { &args.paths };
    let (project, mut tally) = (Project::around(paths), FormatTally::default());
    let RuleFiles { paths, mut failures } = rule_files(paths);
    for file in &paths {
        match file_name(file).and_then(|_| exact_text(file)) {
            Ok(text) => format_file((args, &project), file, &text, &mut tally, out)?,
            Err(failure) => failures.push(failure),
        }
    }
    let worst = failures.iter().map(Failure::report).max().unwrap_or_default();
    if out.is_text() {
        out.lines(&[fmt_summary(args, &tally)])?;
    }
    let short = tally.failed > 0 || (args.check && tally.changed > 0);
    Ok(worst.max(if short { Exit::Short } else { Exit::Done }))
}

fn format_file(
    (args, project): (&FmtArgs, &Project),
    file: &Path,
    source: &str,
    tally: &mut FormatTally,
    out: &mut Output,
) -> Result<(), Stop> {
    let name = &file.display().to_string();
    if has_no_item(source) {
        remark(&format!("{name} has no technique: the file is empty or holds only comments [W0103]"));
    }
    let status = match format(source) {
        Ok(text) if text == source => {
            tally.unchanged += 1;
            "unchanged"
        }
        Ok(text) => {
            tally.changed += 1;
            if args.check {
                if out.is_text() {
                    out.lines(&difference(name, source, &text))?;
                }
                "would_change"
            } else {
                project.write(file, &text)?;
                if out.is_text() {
                    out.lines(&[Line::text(format!("formatted {name}"))])?;
                }
                "formatted"
            }
        }
        Err(reason) => {
            tally.failed += 1;
            complain(name, source, &reason);
            "errors"
        }
    };
    if !out.is_text() {
        out.value(&FormattedFile { file: name, status })?;
    }
    Ok(())
}

fn complain(name: &str, source: &str, reason: &Unformatted) {
    match reason {
        Unformatted::Unreadable(found) => {
            let file = RuleFile {
                name: name.to_owned(),
                text: source.to_owned(),
                diagnostics: found.clone(),
                techniques: Vec::new(),
                sources: Vec::new(),
            };
            let _ = write!(output::error_stream(), "{}", drawn(&file, true));
            remark(&format!("{name} has errors and is left as it is"));
        }
        Unformatted::Changed => {
            let words = "formatting would change its meaning. Please report this file";
            remark(&format!("{name} is left as it is: {words}"));
        }
    }
}

fn standard_input(args: &FmtArgs, out: &mut Output) -> Result<Exit, Stop> {
    if args.paths.len() > 1 {
        return Err(Failure::usage("give `-` alone to format the standard input, or files").into());
    }
    let source = exact_text(Path::new("-"))?;
    let formatted = format(&source);
    if !out.is_text() {
        let status = match &formatted {
            Ok(text) if *text == source => "unchanged",
            Ok(_) if args.check => "would_change",
            Ok(_) => "formatted",
            Err(_) => "errors",
        };
        out.value(&InputRecord { file: "-", status, text: formatted.as_ref().ok().filter(|_| !args.check) })?;
    }
    match formatted {
        Ok(text) if !out.is_text() => Ok(if args.check && text != source { Exit::Short } else { Exit::Done }),
        Ok(text) if args.check => {
            out.lines(&difference("standard input", &source, &text))?;
            Ok(if text == source { Exit::Done } else { Exit::Short })
        }
        Ok(text) => {
            if !text.is_empty() {
                out.data(&text)?;
            }
            Ok(Exit::Done)
        }
        Err(reason) => {
            complain("standard input", &source, &reason);
            Ok(Exit::Short)
        }
    }
}

/// The JSON record of `fmt -`.
#[derive(Serialize)]
struct InputRecord<'a> {
    file: &'a str,
    status: &'a str,
    /// The formatted text; absent with `--check` or after an error.
    text: Option<&'a String>,
}

/// Maximum number of lines, of both texts together, for which a difference is computed.
const MOST_COMPARED: usize = 100_000;

/// The changed lines with their neighbours, as `diff -u` shows them.
fn difference(name: &str, before: &str, after: &str) -> Vec<Line> {
    let ends = are_mixed(before).then(|| {
        let words = format!("{name}: its lines end in different ways; most end in {}", LineEnd::of(before).name());
        Line::styled(Role::Name, words)
    });
    let mut lines = Vec::from_iter(ends);
    let (before, after) = (&*all_as_lf(before), &*all_as_lf(after));
    let count = before.lines().count() + after.lines().count();
    if count > MOST_COMPARED {
        let words =
            format!("{name}: not in canonical layout; its {count} lines before and after are too many to compare");
        lines.push(Line::styled(Role::Name, words));
        return lines;
    }
    let diff = TextDiff::from_lines(before, after);
    let heading = lines.len();
    for hunk in diff.unified_diff().context_radius(2).iter_hunks() {
        if lines.len() == heading {
            lines.push(Line::styled(Role::Name, format!("{name}: not in canonical layout")));
        }
        lines.push(Line::styled(Role::Quiet, hunk.header().to_string()));
        for change in hunk.iter_changes() {
            let text = change.value().trim_end_matches(['\n', '\r']);
            lines.push(match change.tag() {
                ChangeTag::Delete => Line::styled(Role::Elimination, format!("-{text}")),
                ChangeTag::Insert => Line::styled(Role::Placement, format!("+{text}")),
                ChangeTag::Equal => Line::text(format!(" {text}")),
            });
        }
    }
    lines
}

fn fmt_summary(args: &FmtArgs, tally: &FormatTally) -> Line {
    let done = if args.check { "would be formatted" } else { "formatted" };
    let role = if tally.failed > 0 || (args.check && tally.changed > 0) { Role::Failure } else { Role::Success };
    let mut words = format!("{} {done}, {} unchanged", count_phrase(tally.changed, "file"), tally.unchanged);
    if tally.failed > 0 {
        words.push_str(&format!(", {} with errors", tally.failed));
    }
    Line::styled(role, words)
}

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The syntax tree, with places in the source
    Ast,
    /// The checked form, free of board sizes
    Ir,
    /// The search program, for one board
    Plan,
}

/// Show what a stage of the compiler makes of a rule file
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion emit ir my-rule.pinion
  pinion emit ast my-rule.pinion --format json
  pinion emit plan my-rule.pinion --board 16x16 --member n=4

ast and ir are RON over several lines, a plan has one instruction a line; with --format each is one value.")]
pub struct EmitArgs {
    /// The stage
    #[arg(value_enum)]
    stage: Stage,
    /// A rule file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The board of a plan
    #[arg(long, value_name = "NxN|NAME|FILE", default_value = "9x9")]
    board: String,
    /// Only plans of this member of a family
    #[arg(long, value_name = "NAME=NUMBER")]
    member: Vec<String>,
}

#[derive(Serialize)]
struct Ir<'a> {
    techniques: Vec<&'a Technique>,
    sources: Vec<&'a LinkSource>,
}

#[derive(Serialize)]
struct PlanRecord<P> {
    technique: String,
    args: BTreeMap<String, u32>,
    variant: usize,
    plan: P,
}

#[derive(Serialize)]
struct SourceRecord<'a, P> {
    source: &'a str,
    plan: P,
}

/// Prints what a stage makes of a file.
pub fn emit(args: &EmitArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let source = text(&args.file)?;
    if args.stage == Stage::Ast {
        out.document(&crate::lang::parse(&source).0)?;
    }
    let known = rules::rulebook(global)?;
    let rulebook = known.with([(args.file.display().to_string(), source)]);
    let Some(file) = rulebook.files().last() else { return Ok(Exit::Done) };
    print_findings(file);
    match args.stage {
        Stage::Ast => {}
        Stage::Ir => out.document(&Ir {
            techniques: rulebook.techniques().iter().filter(|one| file.techniques.contains(&one.id)).collect(),
            sources: rulebook.sources().iter().filter(|one| file.sources.contains(&one.id)).collect(),
        })?,
        Stage::Plan => plans(args, &rulebook, file, out)?,
    }
    Ok(if file.has_errors() { Exit::Short } else { Exit::Done })
}

fn plans(args: &EmitArgs, rulebook: &Rulebook, file: &RuleFile, out: &mut Output) -> Result<(), Stop> {
    let wanted = args.member.iter().map(|member| wanted(member)).collect::<Result<Vec<_>, _>>()?;
    let techniques: Vec<Technique> =
        rulebook.techniques().iter().filter(|one| file.techniques.contains(&one.id)).cloned().collect();
    let engine = Engine::new(board(&args.board)?, &techniques, rulebook.sources())
        .map_err(|errors| Failure::short(errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")))?;
    let mut none = true;
    for (index, member) in engine.members().iter().enumerate() {
        let technique = &techniques[member.technique];
        let named = named_args(technique, member);
        if !wanted.iter().all(|one| named.contains(one)) {
            continue;
        }
        none = false;
        if out.is_text() {
            out.text(&format!("{}\n{}\n", heading(technique, member, &named), engine.plan_text(index)))?;
        } else {
            let (technique, args) = (technique.id.clone(), named.into_iter().collect());
            out.value(&PlanRecord { technique, args, variant: member.variant, plan: engine.plan_data(index) })?;
        }
    }
    let sources = rulebook.sources().iter().enumerate();
    for (index, source) in sources.filter(|(_, one)| file.sources.contains(&one.id) && wanted.is_empty()) {
        if out.is_text() {
            out.text(&format!("// strong link {}\n{}\n", source.id, engine.source_plan_text(index)))?;
        } else {
            out.value(&SourceRecord { source: &source.id, plan: engine.source_plan_data(index) })?;
        }
    }
    match none {
        true if !techniques.is_empty() => {
            Err(Failure::usage(format!("no technique of {} has such a member on this board", file.name)).into())
        }
        _ => Ok(()),
    }
}

fn heading(technique: &Technique, member: &MemberId, args: &[(String, u32)]) -> String {
    let args: Vec<String> = args.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
    let case = if technique.variants.len() > 1 { format!(", case {}", member.variant + 1) } else { String::new() };
    format!("// {}{args}{case}", technique.id)
}

fn named_args(technique: &Technique, member: &MemberId) -> Vec<(String, u32)> {
    technique.params.iter().map(|param| param.name.clone()).zip(member.args.iter().copied()).collect()
}

fn wanted(text: &str) -> Result<(String, u32), Failure> {
    let parts = text.split_once('=').and_then(|(name, value)| Some((name.trim(), value.trim().parse().ok()?)));
    parts.map(|(name, value)| (name.to_string(), value)).ok_or_else(|| {
        Failure::usage(format!("`{text}` is not a member")).help("write the parameter and its value: --member n=4")
    })
}
