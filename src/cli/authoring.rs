//! Commands for authors of rules: `pinion new` writes a rule file to start from, `pinion fmt` formats rule files, and `pinion emit` prints
//! the output of a stage of the compiler.

use crate::cli::files::Project;
use crate::cli::input::{RuleFiles, read_exact_text, read_text, rule_files, utf8_path};
use crate::cli::prelude::*;
use crate::cli::rules::{self, print_diagnostics};
use crate::engine::{Engine, MemberId};
use crate::lang::format::{FormatterError, format};
use crate::lang::has_no_item;
use crate::lang::ir::LinkSource;
use crate::lang::line_ends::{LineEnd, all_as_lf, are_mixed};
use crate::solve::{RuleFile, nearest};
use crate::workbench::{names, scaffold};
use clap::ValueEnum;
use similar::{ChangeTag, TextDiff};

/// Write a complete rule file for you to change
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion new my_rule
  pinion new rules/my_rule --like NAME

The file has a correct rule, an example and a near miss, so you can change it step by step. With --like, the file is a copy
of a technique of the rulebook. Pinion never overwrites a file.")]
pub struct NewArgs {
    /// The identifier of the new rule, or the path of its file
    #[arg(value_name = "NAME")]
    name: PathBuf,
    /// Begin with this technique: its id or the name of its steps
    #[arg(long, value_name = "TECHNIQUE")]
    like: Option<String>,
}

pub fn new(args: &NewArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let (id, path) = new_file(&args.name)?;
    let rulebook = rules::rulebook(global)?;
    if let Some(file) = rulebook.file_of(&id) {
        let failure = Failure::usage(format!("the rulebook has a technique `{id}` already, in {}", file.name));
        return Err(failure.help("a file with its id would replace it; choose another name").into());
    }
    let text = match &args.like {
        None => scaffold::first_rule(&id),
        Some(like) => {
            let technique_id = technique_id(&rulebook, like)?;
            scaffold::copy_of(&rulebook, &technique_id, &id)
                .ok_or_else(|| Failure::usage(format!("there is no rule of `{technique_id}` to copy")))?
        }
    };
    Project::around(std::slice::from_ref(&path)).create(&path, &text)?;
    if let Some(like) = &args.like
        && !text.contains("\nexample ")
    {
        let advice = format!("`pinion hunt --rules {} --technique {id}` looks for one", path.display());
        remark(&format!("`{like}` has no example, so the new file has none: {advice}"));
    }
    let shown_path = path.display();
    let mut lines = vec![Line::styled(Role::Success, format!("wrote {shown_path}")), Line::text("Next:")];
    for (command, purpose) in [
        ("check", "everything that is wrong with it"),
        ("test", "whether its example and its near miss hold"),
        ("prove", "whether it is right in every grid"),
        ("lint", "what could be better"),
        ("watch", "all of this whenever it is saved"),
    ] {
        lines.push(Line::text(format!("  pinion {command:<5} {shown_path}  ")).with(Role::Quiet, purpose));
    }
    out.answer(&path, || lines)?;
    Ok(Exit::Done)
}

fn new_file(name: &Path) -> Result<(String, PathBuf), Failure> {
    let mut path = name.as_os_str().to_owned();
    if name.extension().is_none_or(|extension| extension != "pinion") {
        path.push(".pinion");
    }
    let path = PathBuf::from(path);
    let stem = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    match scaffold::identifier(&stem) {
        Some(id) if id == stem => Ok((id, path)),
        Some(id) => {
            let failure = Failure::usage(format!("`{stem}` cannot be the identifier of a rule"));
            let advice =
                format!("use lower-case letters, digits and `_`, and no word of the language: `{id}` would do");
            Err(failure.help(advice))
        }
        None => Err(Failure::usage("the identifier of a rule has letters, digits and `_`")),
    }
}

/// Returns the id of the technique that `typed` names, by its id or by the name of its steps.
fn technique_id(rulebook: &Rulebook, typed: &str) -> Result<String, Failure> {
    if let Some(technique) = names::technique(rulebook, typed) {
        return Ok(technique.id.clone());
    }
    let ids = rulebook.techniques().iter().map(|technique| technique.id.clone());
    let names: Vec<String> = ids.chain(rulebook.techniques().iter().flat_map(names::names)).collect();
    let failure = Failure::usage(format!("there is no technique `{typed}`"));
    Err(match nearest(typed, names.iter().map(String::as_str)).first() {
        Some(name) => failure.help(format!("did you mean `{name}`? `pinion list` shows all")),
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
result. Only blanks, newlines and the breaks of long lines change; each file keeps its line ends (LF, CR LF or CR) and its
byte order mark. A file with syntax errors does not change.")]
pub struct FmtArgs {
    /// Rule files, folders of .pinion files, or - for standard input
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,
    /// Write nothing; show what would change, with exit code 1 if anything would
    #[arg(long)]
    check: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
enum FormatStatus {
    Unchanged,
    Formatted,
    /// With `--check`: the file is not formatted.
    WouldChange,
    Errors,
}

impl FormatStatus {
    fn new(args: &FmtArgs, source: &str, formatted: &Result<String, FormatterError>) -> FormatStatus {
        match formatted {
            Ok(text) if text == source => FormatStatus::Unchanged,
            Ok(_) if args.check => FormatStatus::WouldChange,
            Ok(_) => FormatStatus::Formatted,
            Err(_) => FormatStatus::Errors,
        }
    }

    fn exit(self) -> Exit {
        match self {
            FormatStatus::Unchanged | FormatStatus::Formatted => Exit::Done,
            FormatStatus::WouldChange | FormatStatus::Errors => Exit::Unsuccessful,
        }
    }
}

#[derive(Serialize)]
struct FormattedFile<'a> {
    file: &'a str,
    status: FormatStatus,
    /// The formatted standard input, null with `--check` or after an error; files have no such field.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Option<&'a str>>,
}

pub fn fmt(args: &FmtArgs, _global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    if args.paths.iter().any(|path| path == Path::new("-")) {
        return format_standard_input(args, out);
    }
    let current_folder = [PathBuf::from(".")];
    let paths: &[PathBuf] = if args.paths.is_empty() { &current_folder } else { &args.paths };
    let project = Project::around(paths);
    let mut statuses = Vec::new();
    let RuleFiles { paths, mut failures } = rule_files(paths);
    for path in &paths {
        match utf8_path(path).and_then(|_| read_exact_text(path)) {
            Ok(text) => statuses.push(format_file(args, &project, path, &text, out)?),
            Err(failure) => failures.push(failure),
        }
    }
    let highest_exit = failures.iter().map(Failure::report).max().unwrap_or_default();
    if out.is_text() {
        out.lines(&[fmt_summary(args, &statuses)])?;
    }
    Ok(highest_exit.max(statuses.into_iter().map(FormatStatus::exit).max().unwrap_or_default()))
}

fn format_file(
    args: &FmtArgs,
    project: &Project,
    path: &Path,
    source: &str,
    out: &mut Output,
) -> Result<FormatStatus, CommandError> {
    let name = &path.display().to_string();
    if has_no_item(source) {
        remark(&format!("{name} has no technique: the file is empty or holds only comments [W0103]"));
    }
    let formatted = format(source);
    let status = FormatStatus::new(args, source, &formatted);
    match formatted {
        Err(reason) => report_unformatted(name, source, reason),
        Ok(_) if status == FormatStatus::Unchanged => {}
        Ok(text) => {
            let lines = if args.check {
                difference(name, source, &text)
            } else {
                project.write(path, &text)?;
                vec![Line::text(format!("formatted {name}"))]
            };
            if out.is_text() {
                out.lines(&lines)?;
            }
        }
    }
    if !out.is_text() {
        out.value(&FormattedFile { file: name, status, text: None })?;
    }
    Ok(status)
}

fn report_unformatted(name: &str, source: &str, reason: FormatterError) {
    match reason {
        FormatterError::Unreadable(diagnostics) => {
            print_diagnostics(&RuleFile {
                name: name.to_owned(),
                text: source.to_owned(),
                diagnostics,
                techniques: Vec::new(),
                sources: Vec::new(),
            });
            remark(&format!("{name} has errors and is left as it is"));
        }
        FormatterError::Changed => {
            let reason = "formatting would change its meaning. Please report this file";
            remark(&format!("{name} is left as it is: {reason}"));
        }
    }
}

fn format_standard_input(args: &FmtArgs, out: &mut Output) -> Result<Exit, CommandError> {
    if args.paths.len() > 1 {
        return Err(Failure::usage("give `-` alone to format the standard input, or files").into());
    }
    let name = "standard input";
    let source = read_exact_text(Path::new("-"))?;
    let formatted = format(&source);
    let status = FormatStatus::new(args, &source, &formatted);
    if !out.is_text() {
        let text = if args.check { None } else { formatted.as_deref().ok() };
        out.value(&FormattedFile { file: "-", status, text: Some(text) })?;
    }
    match formatted {
        Err(reason) => report_unformatted(name, &source, reason),
        Ok(text) if out.is_text() && args.check => out.lines(&difference(name, &source, &text))?,
        Ok(text) if out.is_text() && !text.is_empty() => out.data(&text)?,
        Ok(_) => {}
    }
    Ok(status.exit())
}

/// Maximum number of lines, of both texts together, for which a difference is computed.
const MAX_COMPARED: usize = 100_000;

/// Returns the difference of two texts, in the format of `diff -u`.
fn difference(name: &str, before: &str, after: &str) -> Vec<Line> {
    let mut lines = Vec::new();
    if are_mixed(before) {
        let most_common = LineEnd::most_common(before).name();
        let message = format!("{name}: its lines end in different ways; most end in {most_common}");
        lines.push(Line::styled(Role::Name, message));
    }
    let (before, after) = (&*all_as_lf(before), &*all_as_lf(after));
    let count = before.lines().count() + after.lines().count();
    if count > MAX_COMPARED {
        let message =
            format!("{name}: not in canonical layout; its {count} lines before and after are too many to compare");
        lines.push(Line::styled(Role::Name, message));
        return lines;
    }
    let diff = TextDiff::from_lines(before, after);
    for (index, hunk) in diff.unified_diff().context_radius(2).iter_hunks().enumerate() {
        if index == 0 {
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

fn fmt_summary(args: &FmtArgs, statuses: &[FormatStatus]) -> Line {
    let [unchanged, formatted, would_change, failed] =
        [FormatStatus::Unchanged, FormatStatus::Formatted, FormatStatus::WouldChange, FormatStatus::Errors]
            .map(|wanted| statuses.iter().filter(|status| **status == wanted).count());
    let verb = if args.check { "would be formatted" } else { "formatted" };
    let role = if failed + would_change > 0 { Role::Failure } else { Role::Success };
    let mut summary = format!("{} {verb}, {unchanged} unchanged", count_phrase(formatted + would_change, "file"));
    if failed > 0 {
        summary += &format!(", {failed} with errors");
    }
    Line::styled(role, summary)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The syntax tree, with places in the source
    Ast,
    /// The checked rules, which do not depend on a board
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

By default, ast and ir are RON over several lines, and a plan has one instruction on each line. With --format json or ron,
the output has one value on each line.")]
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
    /// Only plans of members with this value of a parameter; repeatable
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

pub fn emit(args: &EmitArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let source = read_text(&args.file)?;
    if args.stage == Stage::Ast {
        out.document(&crate::lang::parse(&source).0)?;
    }
    let rulebook = rules::rulebook(global)?.with([(args.file.display().to_string(), source)]);
    let Some(file) = rulebook.files().last() else { return Ok(Exit::Done) };
    print_diagnostics(file);
    let techniques = rulebook.techniques().iter().filter(|technique| file.techniques.contains(&technique.id));
    match args.stage {
        Stage::Ast => {}
        Stage::Ir => out.document(&Ir {
            techniques: techniques.collect(),
            sources: rulebook.sources().iter().filter(|source| file.sources.contains(&source.id)).collect(),
        })?,
        Stage::Plan => print_plans(args, &rulebook, file, techniques.cloned().collect(), out)?,
    }
    Ok(if file.has_errors() { Exit::Unsuccessful } else { Exit::Done })
}

fn print_plans(
    args: &EmitArgs,
    rulebook: &Rulebook,
    file: &RuleFile,
    techniques: Vec<Technique>,
    out: &mut Output,
) -> Result<(), CommandError> {
    let mut wanted_args = Vec::new();
    for argument in &args.member {
        wanted_args.push(parse_member(argument)?);
    }
    let engine = Engine::new(board_named(&args.board)?, &techniques, rulebook.sources()).map_err(|errors| {
        let messages: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Failure::unsuccessful(messages.join("; "))
    })?;
    let mut has_plan = false;
    for (index, member) in engine.members().iter().enumerate() {
        let technique = &techniques[member.technique];
        let names = technique.params.iter().map(|param| param.name.clone());
        let member_args: Vec<(String, u32)> = names.zip(member.args.iter().copied()).collect();
        if !wanted_args.iter().all(|wanted| member_args.contains(wanted)) {
            continue;
        }
        has_plan = true;
        if out.is_text() {
            out.text(&format!("{}\n{}\n", heading(technique, member, &member_args), engine.plan(index)))?;
        } else {
            let (technique, args) = (technique.id.clone(), member_args.into_iter().collect());
            out.value(&PlanRecord { technique, args, variant: member.variant, plan: engine.plan(index) })?;
        }
    }
    for (index, source) in rulebook.sources().iter().enumerate() {
        // Link sources have no parameters, so `--member` excludes them.
        if !file.sources.contains(&source.id) || !wanted_args.is_empty() {
            continue;
        }
        if out.is_text() {
            out.text(&format!("// strong link {}\n{}\n", source.id, engine.source_plan(index)))?;
        } else {
            out.value(&SourceRecord { source: &source.id, plan: engine.source_plan(index) })?;
        }
    }
    if !has_plan && !techniques.is_empty() {
        return Err(Failure::usage(format!("no technique of {} has such a member on this board", file.name)).into());
    }
    Ok(())
}

/// Returns the comment above a plan: `// id(n = 4), case 2`.
fn heading(technique: &Technique, member: &MemberId, args: &[(String, u32)]) -> String {
    let args: Vec<String> = args.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    let args = if args.is_empty() { String::new() } else { format!("({})", args.join(", ")) };
    let case = if technique.variants.len() > 1 { format!(", case {}", member.variant + 1) } else { String::new() };
    format!("// {}{args}{case}", technique.id)
}

/// Parses a value of the option `--member`: `n=4`.
fn parse_member(text: &str) -> Result<(String, u32), Failure> {
    if let Some((name, value)) = text.split_once('=')
        && let Ok(value) = value.trim().parse()
    {
        return Ok((name.trim().to_owned(), value));
    }
    Err(Failure::usage(format!("`{text}` is not a member")).help("write the parameter and its value: --member n=4"))
}
