//! `pinion prove`. In: rule files, folders, names. Out: for each member of each technique whether it is true, with a counterexample where
//! it is not.
//!
//! - `mod.rs`: options, one proof, the summary, the clock of a proof.
//! - `select.rs`: paths and names to members.
//! - `record.rs`: a verdict as it is shown and kept from run to run.
//! - `knowledge.rs`: the soundness of added rules, for other commands.

pub mod knowledge;
mod record;
mod select;

use crate::cli::args::LinesArg;
use crate::cli::output::{PictureArg, Pictures};
use crate::cli::prelude::*;
use crate::cli::progress::progress;
use crate::cli::prove::record::{Cache, ExampleRecord, ProofRecord, Selected};
use crate::cli::prove::select::select;
use crate::proof::{Member, Prover, Status};
use crate::render::signs::visible;
use crate::render::{Scene, in_parts, thousands};
use crate::workbench::{because, examples, refute, repairs, settle};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Prove rules, or show where they are wrong
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion prove my-rule.pinion
  pinion prove my-rules/ --board 9x9 --board 6x6
  pinion prove my_rule --rules my-rules/ --strengthen
  pinion prove my_rule --rules my-rules/ --seconds 10
  pinion prove --format json

Without a name Pinion proves the whole rulebook. A wrong rule is shown with a small grid in which it is wrong; paste the
grid into `pinion find`. If you write rules: --lines also shows the rule itself, and changes that make it right. What a
proof means: docs/proofs.md. The exit code is 0 if every rule is proved, else 1.")]
pub struct ProveArgs {
    /// Rule files, folders of .pinion files, or names of techniques
    #[arg(value_name = "PATH|NAME")]
    what: Vec<String>,
    /// The board to prove on where there is no proof for every board; repeatable [default: the boards
    /// that the examples name, else 9x9]
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Vec<String>,
    /// Look for further conclusions, and for requirements that you can drop
    #[arg(long)]
    strengthen: bool,
    /// Name the rules of which each one is a special case
    #[arg(long)]
    implied_by: bool,
    /// Ignore cached verdicts and prove again
    #[arg(long)]
    no_cache: bool,
    #[command(flatten)]
    lines: LinesArg,
    /// Write counterexamples as pictures into this file; further ones into FILE-2 and so on
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Give up on each rule, of a family on each member, after S seconds; without it the SAT solver has its own limit
    #[arg(long, visible_alias = "time-limit", value_name = "S")]
    seconds: Option<u64>,
}

/// Proves the techniques of some files on the common board, from the cache where nothing changed; each member for this many
/// seconds at most.
pub fn prove_files(files: &[PathBuf], seconds: Option<u64>, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let what = files.iter().map(|file| file.display().to_string()).collect();
    run(
        &ProveArgs {
            what,
            board: Vec::new(),
            strengthen: false,
            implied_by: false,
            no_cache: false,
            lines: LinesArg { lines: true },
            svg: None,
            seconds,
        },
        global,
        out,
    )
}

/// Proves rules.
pub fn run(args: &ProveArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let selected = select(&args.what, global)?;
    let names = names(args, &selected);
    let boards = names.iter().map(|name| board(name)).collect::<Result<Vec<Arc<Geometry>>, _>>()?;
    // A cached record has no picture.
    let cache = Cache::open(args.no_cache || args.svg.is_some());
    let mut pictures = Pictures::new(&PictureArg { draw: false, svg: args.svg.clone() }, false, out);
    let mut tally = ProofTally::default();
    let is_for = |one: &Selected, name: &str| {
        !args.board.is_empty() || examples::boards(&selected.techniques()[one.technique]).contains(&name)
    };
    let of = |(name, geometry)| {
        let here = selected.on(geometry).into_iter().filter(move |one| is_for(one, name));
        here.map(move |one| (geometry, one))
    };
    let work: Vec<(&Arc<Geometry>, Selected)> = names.iter().map(String::as_str).zip(&boards).flat_map(of).collect();
    let bar = progress(work.len());
    // One prover for each board: what it learns of link sources and techniques serves all that use them.
    let deadline = Deadline::new(args.seconds);
    let prover = |geometry| Prover::new(geometry, selected.sources()).with_rules(selected.techniques());
    let provers: Vec<Prover<'_>> = boards.iter().map(|geometry| prover(geometry).until(deadline.asked())).collect();
    for (geometry, one) in work {
        bar.set_message(visible(&one.label).into_owned());
        let prover = boards.iter().position(|board| Arc::ptr_eq(board, geometry)).map(|at| &provers[at]);
        let Some(prover) = prover else { continue };
        deadline.begin();
        let mut record = prove(&selected, (geometry, prover), &one, (&cache, &deadline), args.strengthen);
        if args.implied_by {
            let found = selected.generalizations(prover, &one);
            record.implied_by = Some(found.implied_by);
            record.implied_directly_by = found.directly_by;
            record.not_comparable = found.not_comparable;
            if deadline.is_over() {
                record.reason.get_or_insert_with(|| format!("{}: not every rule was asked", deadline.words()));
            }
        }
        if let (Some(scene), Some(example)) = (&record.scene, &record.counterexample) {
            let wrong = format!("{} concludes {}, and that is wrong here.", record.label, example.concludes);
            pictures.show(geometry, scene, &[Line::text(wrong)])?;
        }
        bar.suspend(|| show(&record, args.lines.lines, out))?;
        bar.inc(1);
        tally.add(&record);
    }
    bar.finish_and_clear();
    if out.is_text() {
        out.lines(&[tally.line()])?;
    }
    Ok(if tally.all_proved() { Exit::Done } else { Exit::Short })
}

/// The names of the boards to prove on: those asked for, else those that the rules are for.
fn names(args: &ProveArgs, selected: &select::Selection) -> Vec<String> {
    if !args.board.is_empty() {
        return args.board.clone();
    }
    let all = selected.techniques().iter().flat_map(examples::boards);
    all.collect::<BTreeSet<&str>>().into_iter().map(str::to_owned).collect()
}

fn prove(
    selected: &select::Selection,
    (geometry, prover): (&Arc<Geometry>, &Prover<'_>),
    one: &Selected,
    (cache, deadline): (&Cache, &Deadline),
    strengthen: bool,
) -> ProofRecord {
    let technique = &selected.techniques()[one.technique];
    let key = cache
        .key((technique, &one.args, one.variant), selected.sources(), selected.techniques(), geometry)
        .map(|key| if strengthen { key + "-stronger" } else { key });
    if let Some(mut known) = key.as_deref().and_then(|key| cache.get(key)) {
        // Rules that say the same share a record, whatever they are called.
        known.technique.clone_from(&technique.id);
        known.label.clone_from(&one.label);
        known.name.clone_from(&one.name);
        return known;
    }
    let start = Instant::now();
    let member = Member { technique, args: &one.args, variant: one.variant };
    let known = (selected.techniques(), selected.sources());
    let verdict = settle(prover, geometry, member, known, &deadline.asked());
    let more = (strengthen && verdict.status.is_proved()).then(|| {
        let mut more = prover.strengthen(technique, &one.args, one.variant);
        more.extend(prover.weaken(technique, &one.args, one.variant));
        more
    });
    let lines = selected.lines_of(technique, one.variant);
    let changes = match verdict.status {
        Status::Refuted(_) => repairs(geometry, member, known, &deadline.asked()),
        _ => Vec::new(),
    };
    let mut record = ProofRecord::new(&verdict, one, (more, lines.as_slice()), start.elapsed().as_secs_f64());
    record.repairs = changes;
    if let Status::Refuted(example) = &verdict.status {
        record.scene = Some(Scene::of_counterexample(example));
        let demanded = refute::demanded(geometry, (technique, one.variant, &one.args), example, &lines);
        record.counterexample = Some(ExampleRecord::new(geometry, example, demanded));
    }
    if deadline.is_over() {
        // With more time another verdict may come of it, so it is not kept.
        if record.status == "undecided" {
            record.reason = Some(deadline.words());
        }
        if let Some(more) = &mut record.more {
            more.push(format!("{}: there may be more", deadline.words()));
        }
    } else if let Some(key) = key {
        cache.put(&key, &record);
    }
    record
}

fn show(record: &ProofRecord, author: bool, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        out.value(record)?;
        return Ok(());
    }
    let role = if record.status == "proved" || record.sound == Some(true) { Role::Good } else { Role::Bad };
    let size = match record.cached {
        true => "as before".to_string(),
        false => format!("{:.2} s, {} clauses", record.seconds, thousands(record.clauses)),
    };
    let mut line = Line::of(role, format!("{:<21}  ", record.words()));
    line = line.and(Role::Name, &record.label).and(Role::Plain, format!("  {}", record.name));
    line = line.and(Role::Quiet, format!("  ({size})"));
    let mut lines = vec![line];
    if let Some(reason) = &record.reason {
        lines.push(Line::text(format!("    {reason}")));
    }
    for ground in &record.rests_on {
        let role = if ground.holds { Role::Quiet } else { Role::Bad };
        lines.push(Line::of(role, format!("    rests on: {ground}")));
    }
    if let Some(more) = &record.more {
        lines.extend(more.iter().map(|one| Line::text(format!("    {one}"))));
        if more.is_empty() {
            lines.push(Line::text("    nothing more follows, and no requirement can be dropped or weakened"));
        }
    }
    if let Some(others) = &record.implied_by {
        let direct = &record.implied_directly_by;
        lines.extend(direct.iter().map(|other| Line::text(format!("    a special case of {other}"))));
        let indirect = others.iter().filter(|other| !direct.contains(other));
        lines.extend(indirect.map(|other| Line::of(Role::Quiet, format!("    and so of {other}"))));
        if others.is_empty() {
            lines.push(Line::text("    not found to be a special case of another rule"));
        }
        lines.extend(record.not_comparable.iter().map(|one| Line::of(Role::Quiet, format!("    not compared: {one}"))));
    }
    if let Some(example) = &record.counterexample {
        lines.extend(in_parts(&example.text, 2, out.width()));
        if author {
            lines.push(Line::default());
            lines.extend(because(None, &example.names, &example.lines, true));
        }
    }
    let repairs: Vec<String> = match record.repairs.as_slice() {
        all if author => all.iter().map(|one| format!("proved if you change this: {one}")).collect(),
        [] => Vec::new(),
        [_] => vec!["a change of the rule makes it right: --lines shows it".into()],
        all => vec![format!("{} changes of the rule make it right, each alone: --lines shows them", all.len())],
    };
    lines.extend(repairs.iter().map(|words| Line::of(Role::Good, format!("    {words}"))));
    out.lines(&lines)?;
    Ok(())
}

#[derive(Default)]
struct ProofTally {
    proved: usize,
    /// Sound if what is used under suppositions is; and of those how many have means that are not proved.
    supposed: usize,
    open: usize,
    refuted: usize,
    undecided: usize,
    vacuous: usize,
}

impl ProofTally {
    fn add(&mut self, record: &ProofRecord) {
        match record.status.as_str() {
            "proved" => self.proved += 1,
            "supposed" => {
                self.supposed += 1;
                self.open += usize::from(record.sound != Some(true));
            }
            "refuted" => self.refuted += 1,
            "vacuous" => self.vacuous += 1,
            _ => self.undecided += 1,
        }
    }

    fn all_proved(&self) -> bool {
        self.refuted + self.undecided + self.vacuous + self.open == 0
    }

    fn line(&self) -> Line {
        let role = if self.all_proved() { Role::Good } else { Role::Bad };
        let ProofTally { proved, supposed, open, refuted, undecided, vacuous } = self;
        let supposed = match (supposed, open) {
            (0, _) => String::new(),
            (all, 0) => format!(", {all} proved with what they use"),
            (all, open) => format!(", {all} as sound as what they use, {open} of them using rules that are not proved"),
        };
        let say = if *vacuous == 1 { "says nothing" } else { "say nothing" };
        let others = [(refuted, "refuted"), (undecided, "not decided"), (vacuous, say)];
        let others = others.iter().filter(|(count, _)| **count > 0);
        let others: String = others.map(|(count, words)| format!(", {count} {words}")).collect();
        Line::of(role, format!("{proved} proved{supposed}{others}"))
    }
}

/// When the proof that runs now is given up.
#[derive(Clone)]
pub struct Deadline {
    seconds: Option<u64>,
    at: Rc<Cell<Option<Instant>>>,
}

impl Deadline {
    /// Seconds for each member; no limit without a number.
    pub fn new(seconds: Option<u64>) -> Deadline {
        Deadline { seconds, at: Rc::default() }
    }

    /// Begins the next member.
    pub fn begin(&self) {
        limits::begin(None);
        self.at.set(self.seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds))));
    }

    /// Returns true once the time is over.
    pub fn is_over(&self) -> bool {
        limits::out_of_memory() || self.at.get().is_some_and(|at| Instant::now() >= at)
    }

    /// Returns the clock as a function for a prover.
    pub fn asked(&self) -> Rc<dyn Fn() -> bool> {
        let own = self.clone();
        Rc::new(move || own.is_over())
    }

    /// Returns the reason why a member is undecided.
    pub fn words(&self) -> String {
        limits::words().unwrap_or_else(|| format!("the limit of {} s was reached", self.seconds.unwrap_or_default()))
    }
}
