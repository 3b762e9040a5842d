//! `pinion prove`: proves the members of techniques, or prints counterexamples.
//!
//! - `mod.rs`: options, the proof of a member, its output, the summary; the selection of members.
//! - `record.rs`: verdicts as records and their cache; the soundness of added rules, for other commands.

pub mod record;

use crate::cli::args::LinesArg;
use crate::cli::prelude::*;
use crate::cli::progress::progress;
use crate::cli::prove::record::{Cache, CounterexampleRecord, VerdictRecord, suggestion_text};
use crate::cli::{input, rules};
use crate::lang::ir::{LinkSource, Space};
use crate::proof::{Member, Prover, Status, covers_chains, direct_cases};
use crate::render::{Scene, split_to_width, thousands};
use crate::solve::{TypedName, member_label, member_names, nearest};
use crate::workbench::{examples, lines_of, prove_or_refute, refute, repairs, requirement_lines};

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
    targets: Vec<String>,
    /// A board for the rules without a proof for every board; repeatable [default: the boards that the examples
    /// name, else 9x9]
    #[arg(long, value_name = "NxN|NAME|FILE")]
    board: Vec<String>,
    /// Look for further conclusions, and for requirements that you can drop
    #[arg(long)]
    strengthen: bool,
    /// For each rule, name the rules of which it is a special case
    #[arg(long)]
    implied_by: bool,
    /// Ignore cached verdicts and prove again
    #[arg(long)]
    no_cache: bool,
    #[command(flatten)]
    lines: LinesArg,
    /// Write counterexamples as pictures: the first into this file, the next into FILE-2 and so on
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Give up on a rule (or a member of a rule with parameters) after S seconds; by default the SAT solver has a limit
    #[arg(long, visible_alias = "time-limit", value_name = "S")]
    seconds: Option<u64>,
}

/// Proves the techniques of some files like `pinion prove --lines`; `seconds` is the time limit for each member.
pub fn prove_files(
    files: &[PathBuf],
    seconds: Option<u64>,
    global: &Global,
    out: &mut Output,
) -> Result<Exit, CommandError> {
    let targets = files.iter().map(|file| file.display().to_string()).collect();
    let lines = LinesArg { lines: true };
    run(&ProveArgs { targets, lines, seconds, ..ProveArgs::default() }, global, out)
}

pub fn run(args: &ProveArgs, global: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let selection = Selection::new(&args.targets, global)?;
    let example_boards: BTreeSet<&str> = selection.techniques().iter().flat_map(examples::boards).collect();
    let board_names = match args.board.is_empty() {
        true => Vec::from_iter(example_boards),
        false => args.board.iter().map(String::as_str).collect(),
    };
    let mut boards = Vec::new();
    for name in &board_names {
        boards.push(board_named(name)?);
    }
    // Cached records have no pictures.
    let uses_cache = !args.no_cache && args.svg.is_none();
    let cache = if uses_cache { Cache::open() } else { Cache::default() };
    let mut pictures = Pictures::on_request(&PictureArg { draw: false, svg: args.svg.clone() }, out);
    let mut verdicts = Vec::new();
    let mut tasks = Vec::new();
    for (name, geometry) in board_names.iter().zip(&boards) {
        // All rules share the prover of a board, because the prover keeps the verdicts of link sources and techniques.
        let prover = Prover::new(geometry, selection.sources()).with_rules(selection.techniques());
        let prover = Rc::new(prover.with_cancellation(Rc::new(limits::is_reached)));
        for member in selection.members(geometry) {
            let technique = &selection.techniques()[member.technique];
            if !args.board.is_empty() || examples::boards(technique).contains(name) {
                tasks.push((geometry, Rc::clone(&prover), member));
            }
        }
    }
    let bar = progress(Some(tasks.len()));
    for (geometry, prover, member) in tasks {
        let technique = &selection.techniques()[member.technique];
        let member = Member { technique, args: &member.args, variant: member.variant };
        bar.set_message(visible(&member_label(&technique.id, member.args)).into_owned());
        limits::start_clock(args.seconds);
        let mut record = selection.prove(geometry, &prover, &cache, member, args.strengthen);
        if args.implied_by {
            selection.find_generalizations(&prover, member, &mut record);
            if let Some(limit) = limits::reached_limit() {
                record.reason.get_or_insert_with(|| format!("{limit}: not every rule was asked"));
            }
        }
        if let (Some(scene), Some(example)) = (&record.scene, &record.counterexample) {
            let caption = format!("{} concludes {}, and that is wrong here.", record.label, example.concludes);
            pictures.draw(geometry, scene, &[Line::text(caption)])?;
        }
        bar.suspend(|| print_record(&record, args.lines.lines, out))?;
        bar.inc(1);
        verdicts.push((record.status, record.sound));
    }
    bar.finish_and_clear();
    let (line, all_proved) = summary(&verdicts);
    if out.is_text() {
        out.lines(&[line])?;
    }
    Ok(if all_proved { Exit::Done } else { Exit::Unsuccessful })
}

/// Prints a verdict. `for_author` adds the lines of the rule and the repairs.
fn print_record(record: &VerdictRecord, for_author: bool, out: &mut Output) -> Result<(), CommandError> {
    if !out.is_text() {
        return Ok(out.value(record)?);
    }
    let role = if record.status == "proved" || record.sound == Some(true) { Role::Success } else { Role::Failure };
    let effort = match record.cached {
        true => "as before".to_owned(),
        false => format!("{:.2} s, {} clauses", record.seconds, thousands(record.clauses)),
    };
    // The longest status, "proved on every board", has 21 characters.
    let heading = Line::styled(role, format!("{:<21}  ", record.status_text()))
        .with(Role::Name, &record.label)
        .with(Role::Plain, format!("  {}", record.name))
        .with(Role::Quiet, format!("  ({effort})"));
    let mut lines = vec![heading];
    if let Some(reason) = &record.reason {
        lines.push(Line::text(format!("    {reason}")));
    }
    for ground in &record.rests_on {
        let role = if ground.holds { Role::Quiet } else { Role::Failure };
        lines.push(Line::styled(role, format!("    rests on: {ground}")));
    }
    if let Some(suggestions) = &record.suggestions {
        lines.extend(suggestions.iter().map(|suggestion| Line::text(format!("    {suggestion}"))));
        if suggestions.is_empty() {
            lines.push(Line::text("    nothing more follows, and no requirement can be dropped or weakened"));
        }
    }
    lines.extend(generalization_lines(record));
    if let Some(example) = &record.counterexample {
        lines.extend(split_to_width(&example.text, 2, out.width()));
        if for_author {
            lines.push(Line::default());
            lines.extend(requirement_lines(None, &example.names, &example.lines, true));
        }
    }
    let repairs: Vec<String> = match record.repairs.as_slice() {
        repairs if for_author => repairs.iter().map(|repair| format!("proved if you change this: {repair}")).collect(),
        [] => Vec::new(),
        [_] => vec!["a change of the rule makes it right: --lines shows it".into()],
        repairs => {
            vec![format!("{} changes of the rule make it right, each alone: --lines shows them", repairs.len())]
        }
    };
    lines.extend(repairs.iter().map(|repair| Line::styled(Role::Success, format!("    {repair}"))));
    Ok(out.lines(&lines)?)
}

/// Returns the lines about rules of which the member is a special case, if such rules were searched.
fn generalization_lines(record: &VerdictRecord) -> Vec<Line> {
    let Some(general) = &record.implied_by else { return Vec::new() };
    let direct = &record.implied_directly_by;
    let mut lines: Vec<Line> = direct.iter().map(|rule| Line::text(format!("    a special case of {rule}"))).collect();
    for rule in general.iter().filter(|rule| !direct.contains(rule)) {
        lines.push(Line::styled(Role::Quiet, format!("    and so of {rule}")));
    }
    if general.is_empty() {
        lines.push(Line::text("    not found to be a special case of another rule"));
    }
    for refusal in &record.not_comparable {
        lines.push(Line::styled(Role::Quiet, format!("    not compared: {refusal}")));
    }
    lines
}

/// Returns the summary, and true if everything is proved. A verdict is the status and `sound` of a record.
fn summary(verdicts: &[(String, Option<bool>)]) -> (Line, bool) {
    let [proved, supposed, refuted, vacuous] = ["proved", "supposed", "refuted", "vacuous"]
        .map(|wanted| verdicts.iter().filter(|(status, _)| status == wanted).count());
    let undecided = verdicts.len() - proved - supposed - refuted - vacuous;
    let using_unproved = verdicts.iter().filter(|(status, sound)| status == "supposed" && *sound != Some(true)).count();
    let mut summary = format!("{proved} proved");
    if using_unproved > 0 {
        let unproved = format!("{using_unproved} of them using rules that are not proved");
        summary += &format!(", {supposed} as sound as what they use, {unproved}");
    } else if supposed > 0 {
        summary += &format!(", {supposed} proved with what they use");
    }
    let say_nothing = if vacuous == 1 { "says nothing" } else { "say nothing" };
    for (count, verdict) in [(refuted, "refuted"), (undecided, "not decided"), (vacuous, say_nothing)] {
        if count > 0 {
            summary += &format!(", {count} {verdict}");
        }
    }
    let all_proved = refuted + undecided + vacuous + using_unproved == 0;
    (Line::styled(if all_proved { Role::Success } else { Role::Failure }, summary), all_proved)
}

struct Selection {
    rulebook: Rulebook,
    /// Ids of the techniques of which all members are selected.
    ids: Vec<String>,
    /// Further names, which may select a technique, a member or a variant.
    names: Vec<TypedName>,
}

fn is_path(argument: &str) -> bool {
    Path::new(argument).exists() || argument.contains(['/', '\\']) || argument.ends_with(".pinion")
}

impl Selection {
    /// Reads the files of the arguments and resolves the names. Without an argument, the whole rulebook is selected.
    fn new(arguments: &[String], global: &Global) -> Result<Selection, Failure> {
        let (paths, names): (Vec<&String>, Vec<&String>) = arguments.iter().partition(|argument| is_path(argument));
        let paths: Vec<PathBuf> = paths.into_iter().map(PathBuf::from).collect();
        let mut global = global.clone();
        global.rules.extend(paths.iter().cloned());
        let mut selection = Selection { rulebook: rules::rulebook(&global)?, ids: Vec::new(), names: Vec::new() };
        if arguments.is_empty() {
            selection.ids = selection.techniques().iter().map(|technique| technique.id.clone()).collect();
            return Ok(selection);
        }
        let selected: BTreeSet<String> =
            input::rule_files(&paths).paths.iter().map(|file| file.display().to_string()).collect();
        for file in selection.rulebook.files().iter().filter(|file| selected.contains(&file.name)) {
            selection.ids.extend(file.techniques.iter().cloned());
        }
        if selection.ids.is_empty() && !paths.is_empty() {
            return Err(Failure::input("these files hold no technique to prove"));
        }
        for name in names {
            selection.add_name(name)?;
        }
        Ok(selection)
    }

    fn techniques(&self) -> &[Technique] {
        self.rulebook.techniques()
    }

    fn sources(&self) -> &[LinkSource] {
        self.rulebook.sources()
    }

    /// Adds the id of a technique, or the name of a member on the 9×9 board, to the selection.
    fn add_name(&mut self, typed: &str) -> Result<(), Failure> {
        let typed_name = TypedName::new(typed, self.techniques());
        let mut is_known = self.techniques().iter().any(|technique| typed_name.is_id(technique));
        if !is_known && let Some(geometry) = Geometry::standard(9) {
            let members = members_of(self.techniques(), &Prover::new(&geometry, self.sources()));
            is_known =
                members.iter().any(|member| typed_name.covers_member(&self.techniques()[member.technique], member));
        }
        if is_known {
            self.names.push(typed_name);
            return Ok(());
        }
        let names = self.all_names();
        let failure = Failure::usage(format!("there is no technique and no file `{typed}`"));
        Err(match nearest(typed, names.iter().map(String::as_str)).first() {
            Some(name) => failure.help(format!("did you mean `{name}`?")),
            None => input::suggest_similar_file(failure.help("`pinion list` shows the names"), Path::new(typed)),
        })
    }

    /// Returns the ids of all techniques, and the labels and names of their members on the 9×9 board.
    fn all_names(&self) -> Vec<String> {
        let Some(geometry) = Geometry::standard(9) else { return Vec::new() };
        let mut names = Vec::new();
        for technique in self.techniques() {
            names.push(technique.id.clone());
            for (args, variant) in Prover::new(&geometry, self.sources()).members(technique) {
                names.push(member_label(&technique.id, &args));
                names.extend(member_names(technique, variant, &args, Space::Rc).listed().cloned());
            }
        }
        names.sort();
        names.dedup();
        names
    }

    fn members(&self, geometry: &Geometry) -> Vec<MemberId> {
        let mut members = members_of(self.techniques(), &Prover::new(geometry, self.sources()));
        members.retain(|member| {
            let technique = &self.techniques()[member.technique];
            self.ids.contains(&technique.id) || self.names.iter().any(|name| name.covers_member(technique, member))
        });
        members
    }

    /// Returns the verdict on a member from the cache, or proves the member. If `strengthen`, the record also has suggestions.
    fn prove(
        &self,
        geometry: &Arc<Geometry>,
        prover: &Prover<'_>,
        cache: &Cache,
        member: Member<'_>,
        strengthen: bool,
    ) -> VerdictRecord {
        let Member { technique, args, variant } = member;
        let rules = (self.techniques(), self.sources());
        let mut key = cache.key(member, rules, geometry);
        if let Some(key) = &mut key {
            // A record without suggestions has another key.
            if strengthen {
                key.push_str("-stronger");
            }
            if let Some(cached) = cache.get(key) {
                // Equal rules share a record, so the record may have the names of another rule.
                return cached.named(technique);
            }
        }
        let start = Instant::now();
        let halt: Rc<dyn Fn() -> bool> = Rc::new(limits::is_reached);
        let verdict = prove_or_refute(prover, geometry, member, rules, &halt);
        let lines = lines_of(&self.rulebook, &technique.id, variant);
        let mut suggestions = None;
        if strengthen && verdict.status.is_proved() {
            let mut found = prover.strengthen(technique, args, variant);
            found.extend(prover.weaken(technique, args, variant));
            suggestions = Some(found.iter().map(|suggestion| suggestion_text(suggestion, &lines)).collect());
        }
        let mut repairs_found = Vec::new();
        let mut scene = None;
        let mut counterexample = None;
        if let Status::Refuted(example) = &verdict.status {
            repairs_found = repairs(geometry, member, rules, &halt);
            scene = Some(Scene::of_counterexample(example));
            let demanded = refute::explain(geometry, (technique, variant, args), example, &lines);
            counterexample = Some(CounterexampleRecord::new(geometry, example, demanded));
        }
        let record = VerdictRecord::new(technique, verdict, start.elapsed().as_secs_f64());
        let mut record = VerdictRecord { suggestions, repairs: repairs_found, scene, counterexample, ..record };
        // After a limit, the record is not cached, because more time may lead to another verdict.
        if let Some(limit) = limits::reached_limit() {
            if let Some(suggestions) = &mut record.suggestions {
                suggestions.push(format!("{limit}: there may be more"));
            }
            if record.status == "undecided" {
                record.reason = Some(limit);
            }
        } else if let Some(key) = key {
            cache.put(&key, &record);
        }
        record
    }

    /// Adds to the record the members of other techniques of which `special` is a special case.
    fn find_generalizations(&self, prover: &Prover<'_>, special: Member<'_>, record: &mut VerdictRecord) {
        let members = members_of(self.techniques(), prover);
        // General members, each with its description.
        let mut found: Vec<(Member<'_>, String)> = Vec::new();
        // Ids of techniques by the reason why they cannot be compared.
        let mut refused: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let mut has_comparison = false;
        for MemberId { technique, args, variant, .. } in &members {
            let technique = &self.techniques()[*technique];
            if technique.id == special.technique.id {
                continue;
            }
            let general = Member { technique, args, variant: *variant };
            match compare(prover, special, general) {
                Ok(description) => {
                    has_comparison = true;
                    found.extend(description.map(|description| (general, description)));
                }
                Err(reason) => refused.entry(reason).or_default().push(&technique.id),
            }
        }
        for (reason, mut ids) in refused {
            ids.dedup();
            // If no rule can be compared, the reason lies in the member itself.
            let rules = if has_comparison { ids.join(", ") } else { "with any other rule".to_owned() };
            record.not_comparable.push(format!("{rules}: {reason}"));
        }
        // Pairs (special, general) of numbers: 0 is the member `special`, and the members in `found` count from 1.
        let mut pairs: Vec<(u32, u32)> = (1..=found.len() as u32).map(|general| (0, general)).collect();
        for (a, (special, _)) in (1..).zip(&found) {
            for (b, (general, _)) in (1..).zip(&found) {
                if a != b && matches!(compare(prover, *special, *general), Ok(Some(_))) {
                    pairs.push((a, b));
                }
            }
        }
        // The first pairs are those of `special`, in the order of `found`.
        for ((_, description), is_direct) in found.iter().zip(direct_cases(&pairs)) {
            if is_direct {
                record.implied_directly_by.push(description.clone());
            }
        }
        record.implied_by = Some(found.into_iter().map(|(_, description)| description).collect());
    }
}

/// Describes how `special` is a special case of `general`: `id(4) with A = C, B = D`. Returns `None` if `special` is not known to be a
/// special case, and an error with the reason if the two cannot be compared.
fn compare(prover: &Prover<'_>, special: Member<'_>, general: Member<'_>) -> Result<Option<String>, String> {
    let label = member_label(&general.technique.id, general.args);
    match prover.implied_by(special, general) {
        Ok(None) => Ok(None),
        Ok(Some(names)) => {
            let names: Vec<String> = names.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            Ok(Some(format!("{label} with {}", names.join(", "))))
        }
        Err(refusal) => {
            let general_variant = &general.technique.variants[general.variant];
            let special_variant = &special.technique.variants[special.variant];
            match covers_chains(general_variant, special_variant) {
                true => Ok(Some(format!("{label}, chain by chain"))),
                false => Err(refusal.to_string()),
            }
        }
    }
}

/// Returns every member of every technique on the prover's board, in the order of the techniques.
fn members_of(techniques: &[Technique], prover: &Prover<'_>) -> Vec<MemberId> {
    let mut members = Vec::new();
    for (index, technique) in techniques.iter().enumerate() {
        for (args, variant) in prover.members(technique) {
            members.push(MemberId { technique: index, args, variant, space: Space::Rc });
        }
    }
    members
}
