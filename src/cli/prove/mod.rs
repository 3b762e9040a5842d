//! `pinion prove`. In: rule files, folders, names. Out: for each member of each technique whether it is true, with a counterexample where
//! it is not.
//!
//! - `mod.rs`: options, the members that paths and names mean, one proof, the summary, the clock of a proof.
//! - `record.rs`: verdicts as they are shown and kept from run to run; the soundness of added rules, for other commands.

pub mod record;

use crate::cli::args::LinesArg;
use crate::cli::output::{PictureArg, Pictures};
use crate::cli::prelude::*;
use crate::cli::progress::progress;
use crate::cli::prove::record::{Cache, CounterexampleRecord, VerdictRecord, suggestion};
use crate::cli::{input, rules};
use crate::engine::MemberId;
use crate::lang::ir::{LinkSource, Space, Technique};
use crate::proof::{Member, Prover, Status, covers_chains, direct_cases};
use crate::render::signs::visible;
use crate::render::{Scene, split_to_width, thousands};
use crate::solve::{Meaning, member_label, member_names, nearest};
use crate::workbench::{examples, lines_of, prove_or_refute, refute, repairs, requirement_lines};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Prove rules, or show where they are wrong
#[derive(Args, Debug, Default)]
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
    let lines = LinesArg { lines: true };
    run(&ProveArgs { what, lines, seconds, ..ProveArgs::default() }, global, out)
}

/// Proves rules.
pub fn run(args: &ProveArgs, global: &Global, out: &mut Output) -> Result<Exit, Stop> {
    let selection = Selection::new(&args.what, global)?;
    let boards: BTreeSet<&str> = selection.techniques().iter().flat_map(examples::boards).collect();
    let names =
        if args.board.is_empty() { Vec::from_iter(boards) } else { args.board.iter().map(String::as_str).collect() };
    let boards = names.iter().map(|name| board(name)).collect::<Result<Vec<Arc<Geometry>>, _>>()?;
    // A cached record has no picture.
    let cache = Cache::open(args.no_cache || args.svg.is_some());
    let mut pictures = Pictures::new(&PictureArg { draw: false, svg: args.svg.clone() }, false, out);
    let mut tally = ProofTally::default();
    let deadline = Deadline::new(args.seconds);
    let mut work = Vec::new();
    for (name, geometry) in names.iter().zip(&boards) {
        // One prover for each board: what it learns of link sources and techniques serves all that use them.
        let prover = Prover::new(geometry, selection.sources()).with_rules(selection.techniques());
        let prover = Rc::new(prover.with_cancellation(deadline.asked()));
        let mut members = selection.on(geometry);
        members.retain(|member| {
            !args.board.is_empty() || examples::boards(&selection.techniques()[member.technique]).contains(name)
        });
        work.extend(members.into_iter().map(|member| (geometry, Rc::clone(&prover), member)));
    }
    let bar = progress(work.len());
    for (geometry, prover, member) in work {
        let technique = &selection.techniques()[member.technique];
        let member = Member { technique, args: &member.args, variant: member.variant };
        bar.set_message(visible(&member_label(&technique.id, member.args)).into_owned());
        deadline.begin();
        let mut record = prove(&selection, (geometry, &prover), member, (&cache, &deadline), args.strengthen);
        if args.implied_by {
            selection.generalize(&prover, member, &mut record);
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

fn prove(
    selection: &Selection,
    (geometry, prover): (&Arc<Geometry>, &Prover<'_>),
    member: Member<'_>,
    (cache, deadline): (&Cache, &Deadline),
    strengthen: bool,
) -> VerdictRecord {
    let Member { technique, args, variant } = member;
    let known = (selection.techniques(), selection.sources());
    let key = cache.key(member, known, geometry).map(|key| if strengthen { key + "-stronger" } else { key });
    if let Some(earlier) = key.as_deref().and_then(|key| cache.get(key)) {
        // Rules that say the same share a record, whatever they are called.
        return earlier.named(technique);
    }
    let start = Instant::now();
    let verdict = prove_or_refute(prover, geometry, member, known, &deadline.asked());
    let lines = lines_of(&selection.rulebook, &technique.id, variant);
    let mut more = None;
    if strengthen && verdict.status.is_proved() {
        let stronger = prover.strengthen(technique, args, variant).into_iter();
        let weaker = prover.weaken(technique, args, variant);
        more = Some(stronger.chain(weaker).map(|one| suggestion(&one, &lines)).collect());
    }
    let (mut repaired, mut scene, mut counterexample) = (Vec::new(), None, None);
    if let Status::Refuted(example) = &verdict.status {
        repaired = repairs(geometry, member, known, &deadline.asked());
        scene = Some(Scene::of_counterexample(example));
        let demanded = refute::explain(geometry, (technique, variant, args), example, &lines);
        counterexample = Some(CounterexampleRecord::new(geometry, example, demanded));
    }
    let record = VerdictRecord::new(technique, verdict, start.elapsed().as_secs_f64());
    let mut record = VerdictRecord { more, repairs: repaired, scene, counterexample, ..record };
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

fn show(record: &VerdictRecord, author: bool, out: &mut Output) -> Result<(), Stop> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let role = if record.status == "proved" || record.sound == Some(true) { Role::Success } else { Role::Failure };
    let size = match record.cached {
        true => "as before".to_string(),
        false => format!("{:.2} s, {} clauses", record.seconds, thousands(record.clauses)),
    };
    let mut line = Line::styled(role, format!("{:<21}  ", record.words()));
    line = line.with(Role::Name, &record.label).with(Role::Plain, format!("  {}", record.name));
    line = line.with(Role::Quiet, format!("  ({size})"));
    let mut lines = vec![line];
    if let Some(reason) = &record.reason {
        lines.push(Line::text(format!("    {reason}")));
    }
    for ground in &record.rests_on {
        let role = if ground.holds { Role::Quiet } else { Role::Failure };
        lines.push(Line::styled(role, format!("    rests on: {ground}")));
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
        lines.extend(indirect.map(|other| Line::styled(Role::Quiet, format!("    and so of {other}"))));
        if others.is_empty() {
            lines.push(Line::text("    not found to be a special case of another rule"));
        }
        lines.extend(
            record.not_comparable.iter().map(|one| Line::styled(Role::Quiet, format!("    not compared: {one}"))),
        );
    }
    if let Some(example) = &record.counterexample {
        lines.extend(split_to_width(&example.text, 2, out.width()));
        if author {
            lines.push(Line::default());
            lines.extend(requirement_lines(None, &example.names, &example.lines, true));
        }
    }
    let repairs: Vec<String> = match record.repairs.as_slice() {
        all if author => all.iter().map(|one| format!("proved if you change this: {one}")).collect(),
        [] => Vec::new(),
        [_] => vec!["a change of the rule makes it right: --lines shows it".into()],
        all => vec![format!("{} changes of the rule make it right, each alone: --lines shows them", all.len())],
    };
    lines.extend(repairs.iter().map(|words| Line::styled(Role::Success, format!("    {words}"))));
    Ok(out.lines(&lines)?)
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
    fn add(&mut self, record: &VerdictRecord) {
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
        let role = if self.all_proved() { Role::Success } else { Role::Failure };
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
        Line::styled(role, format!("{proved} proved{supposed}{others}"))
    }
}

/// The rulebook with what was named in it.
struct Selection {
    rulebook: Rulebook,
    /// Ids of techniques meant as a whole.
    ids: Vec<String>,
    /// Names of techniques, members and cases.
    names: Vec<Meaning>,
}

fn is_path(word: &str) -> bool {
    Path::new(word).exists() || word.contains(['/', '\\']) || word.ends_with(".pinion")
}

impl Selection {
    /// Reads the files and finds the names.
    fn new(what: &[String], global: &Global) -> Result<Selection, Failure> {
        let (paths, names): (Vec<&String>, Vec<&String>) = what.iter().partition(|word| is_path(word));
        let mut global = global.clone();
        let own = global.rules.len();
        global.rules.extend(paths.iter().map(PathBuf::from));
        let mut selection = Selection { rulebook: rules::rulebook(&global)?, ids: Vec::new(), names: Vec::new() };
        if what.is_empty() {
            selection.ids = selection.techniques().iter().map(|technique| technique.id.clone()).collect();
            return Ok(selection);
        }
        let files = input::rule_files(&global.rules[own..]).paths;
        let files: Vec<String> = files.iter().map(|file| file.display().to_string()).collect();
        let named = selection.rulebook.files().iter().filter(|file| files.contains(&file.name));
        selection.ids = named.flat_map(|file| file.techniques.clone()).collect();
        if selection.ids.is_empty() && !paths.is_empty() {
            return Err(Failure::input("these files hold no technique to prove"));
        }
        names.into_iter().try_for_each(|name| selection.name(name))?;
        Ok(selection)
    }

    fn techniques(&self) -> &[Technique] {
        self.rulebook.techniques()
    }

    fn sources(&self) -> &[LinkSource] {
        self.rulebook.sources()
    }

    fn name(&mut self, typed: &str) -> Result<(), Failure> {
        let meaning = Meaning::new(typed, self.techniques());
        let is_known = self.techniques().iter().any(|technique| meaning.is_id(technique))
            || Geometry::standard(9).is_some_and(|geometry| {
                let prover = Prover::new(&geometry, self.sources());
                let members = members_of(self.techniques(), &prover);
                members.iter().any(|member| meaning.has_member(&self.techniques()[member.technique], member))
            });
        if is_known {
            self.names.push(meaning);
            return Ok(());
        }
        let known = self.member_names();
        let failure = Failure::usage(format!("there is no technique and no file `{typed}`"));
        Err(match nearest(typed, known.iter().map(String::as_str)).first() {
            Some(near) => failure.help(format!("did you mean `{near}`?")),
            None => input::with_similar(failure.help("`pinion list` shows the names"), Path::new(typed)),
        })
    }

    fn member_names(&self) -> Vec<String> {
        let Some(geometry) = Geometry::standard(9) else { return Vec::new() };
        let mut names = Vec::new();
        for technique in self.techniques() {
            names.push(technique.id.clone());
            for (args, variant) in Prover::new(&geometry, self.sources()).members(technique) {
                names.push(member_label(&technique.id, &args));
                names.extend(member_names(technique, variant, &args, Space::Rc).all().cloned());
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// The members meant, as far as they fit a board.
    fn on(&self, geometry: &Geometry) -> Vec<MemberId> {
        let mut members = members_of(self.techniques(), &Prover::new(geometry, self.sources()));
        members.retain(|member| {
            let technique = &self.techniques()[member.technique];
            self.ids.contains(&technique.id) || self.names.iter().any(|name| name.has_member(technique, member))
        });
        members
    }

    /// Finds the members of other techniques that conclude all that a member does, in words with what their names stand for.
    fn generalize(&self, prover: &Prover<'_>, special: Member<'_>, record: &mut VerdictRecord) {
        let others = self.techniques().iter().filter(|other| other.id != special.technique.id);
        let members: Vec<(&Technique, Vec<u32>, usize)> = others
            .flat_map(|other| prover.members(other).into_iter().map(move |(args, variant)| (other, args, variant)))
            .collect();
        let mut found = Vec::new();
        let mut refused: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let mut compared = false;
        for (technique, args, variant) in &members {
            let general = Member { technique, args, variant: *variant };
            match comparison(prover, special, general) {
                Ok(words) => {
                    compared = true;
                    found.extend(words.map(|words| (general, words)));
                }
                Err(why) => refused.entry(why).or_default().push(&technique.id),
            }
        }
        for (why, mut ids) in refused {
            ids.dedup();
            // If no rule could be compared, the reason lies in the rule itself.
            let whom = if compared { ids.join(", ") } else { "with any other rule".to_owned() };
            record.not_comparable.push(format!("{whom}: {why}"));
        }
        // The rule itself is number 0.
        let mut pairs: Vec<(u32, u32)> = (1..=found.len() as u32).map(|general| (0, general)).collect();
        for (a, (special, _)) in (1..).zip(&found) {
            for (b, (general, _)) in (1..).zip(&found).filter(|(b, _)| a != *b) {
                pairs.extend(matches!(comparison(prover, *special, *general), Ok(Some(_))).then_some((a, b)));
            }
        }
        let is_direct = direct_cases(&pairs);
        let directly_by = found.iter().zip(&is_direct).filter(|(_, is_direct)| **is_direct);
        record.implied_directly_by = directly_by.map(|((_, words), _)| words.clone()).collect();
        record.implied_by = Some(found.into_iter().map(|(_, words)| words).collect());
    }
}

/// Finds in which way one member is a special case of another.
///
/// # Errors
/// If the two cannot be compared, with the reason.
fn comparison(prover: &Prover<'_>, special: Member<'_>, general: Member<'_>) -> Result<Option<String>, String> {
    let label = member_label(&general.technique.id, general.args);
    let cases = (&general.technique.variants[general.variant], &special.technique.variants[special.variant]);
    match prover.implied_by(special, general) {
        Err(_) if covers_chains(cases.0, cases.1) => Ok(Some(format!("{label}, chain by chain"))),
        found => Ok(found.map_err(|refusal| refusal.to_string())?.map(|names| {
            let names: Vec<String> = names.iter().map(|(name, what)| format!("{name} = {what}")).collect();
            format!("{label} with {}", names.join(", "))
        })),
    }
}

/// Every member of every technique on the prover's board, in the order of the techniques.
fn members_of(techniques: &[Technique], prover: &Prover<'_>) -> Vec<MemberId> {
    let members = techniques.iter().enumerate().flat_map(|(technique, rule)| {
        let own = prover.members(rule).into_iter();
        own.map(move |(args, variant)| MemberId { technique, args, variant, space: Space::Rc })
    });
    members.collect()
}

/// When the proof that runs now is given up.
#[derive(Clone)]
struct Deadline {
    seconds: Option<u64>,
    at: Rc<Cell<Option<Instant>>>,
}

impl Deadline {
    /// Seconds for each member; no limit without a number.
    fn new(seconds: Option<u64>) -> Deadline {
        Deadline { seconds, at: Rc::default() }
    }

    /// Begins the next member.
    fn begin(&self) {
        limits::begin(None);
        self.at.set(self.seconds.and_then(|seconds| Instant::now().checked_add(Duration::from_secs(seconds))));
    }

    /// Returns true once the time is over.
    fn is_over(&self) -> bool {
        limits::out_of_memory() || self.at.get().is_some_and(|at| Instant::now() >= at)
    }

    /// Returns the clock as a function for a prover.
    fn asked(&self) -> Rc<dyn Fn() -> bool> {
        let own = self.clone();
        Rc::new(move || own.is_over())
    }

    /// Returns the reason why a member is undecided.
    fn words(&self) -> String {
        limits::words().unwrap_or_else(|| format!("the limit of {} s was reached", self.seconds.unwrap_or_default()))
    }
}
