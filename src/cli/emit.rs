//! `pinion emit`. In: a rule file. Out: what a stage of the compiler makes of it.

use super::input::text;
use super::rules::print_findings;
use crate::cli::prelude::*;
use crate::engine::{Engine, MemberId};
use crate::lang::ir::{LinkSource, Technique};
use crate::solve::RuleFile;
use clap::ValueEnum;
use std::collections::BTreeMap;

/// A stage.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Stage {
    /// The syntax tree, with places in the source
    Ast,
    /// The checked form, free of board sizes
    Ir,
    /// What the engine does, for one board
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
pub fn run(args: &EmitArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let source = text(&args.file)?;
    if args.stage == Stage::Ast {
        out.document(&crate::lang::parse(&source).0)?;
    }
    let known = super::rules::rulebook(global)?;
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
    let engine = Engine::new(board(&args.board)?, &techniques, rulebook.sources()).map_err(|errors| {
        let words: Vec<String> = errors.iter().map(ToString::to_string).collect();
        Failure { exit: Exit::Short, message: words.join("; "), help: None }
    })?;
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
