//! The file `rules/proved.txt`, which records the boards on which each member of the rulebook is proved. The file is up to date,
//! its records are true, and the solver uses only what they allow.

use crate::common::states::in_parallel;
use crate::common::{env_number, geometry, quick_or_full};
use pinion::engine::Limits;
use pinion::grid::{BoardSpec, Candidate, Geometry, State};
use pinion::lang::ir::Technique;
use pinion::proof::{Prover, Status, Uniqueness, Verdict, cache_key, uniqueness};
use pinion::solve::{Profile, ProofRecord, ProvedBoards, ProvedMember, Rulebook, Solver, built_in_name};
use std::cell::Cell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A technique, its parameter values, and the index of its variant.
type Member<'t> = (&'t Technique, Vec<u32>, usize);

/// Size of the largest board, which has the members of all smaller boards.
const LARGEST_SIZE: u32 = 25;

const RECORD_PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/proved.txt");

fn members(rulebook: &Rulebook) -> Vec<Member<'_>> {
    let mut members = Vec::new();
    for technique in rulebook.techniques() {
        for args in technique.members(LARGEST_SIZE) {
            for variant in 0..technique.variants.len() {
                members.push((technique, args.clone(), variant));
            }
        }
    }
    members
}

fn record_key((technique, args, variant): &Member<'_>) -> String {
    ProofRecord::key(technique, args, *variant)
}

/// The name of a board, and a test that the status of a proof on this board must pass.
type Claim<'c> = (&'c str, &'c dyn Fn(&Status) -> bool);

/// Returns the hash of a rule and of everything that its proof depends on, as the record has it.
fn rule_hash(rulebook: &Rulebook, (technique, args, variant): &Member<'_>) -> String {
    let member = pinion::proof::Member { technique, args, variant: *variant };
    let key = cache_key(member, rulebook.sources(), rulebook.techniques(), &geometry(9), "");
    key.expect("the member exists")[..16].to_string()
}

/// Returns the built-in boards: the standard boards by size, then the variants.
fn built_in_boards() -> Vec<Arc<Geometry>> {
    let specs = BoardSpec::standard_sizes().filter_map(BoardSpec::standard).chain(BoardSpec::variants());
    specs.map(|spec| Arc::new(Geometry::new(spec).expect("a board"))).collect()
}

/// Proves members on the built-in boards, with a time limit for each proof.
struct TimedProver<'a> {
    provers: Vec<(Arc<Geometry>, Prover<'a>)>,
    /// Time at which the current proof is cancelled.
    end: Rc<Cell<Instant>>,
    seconds_per_proof: u64,
}

impl<'a> TimedProver<'a> {
    fn new(rulebook: &'a Rulebook, boards: &'a [Arc<Geometry>], seconds_per_proof: u64) -> TimedProver<'a> {
        let end = Rc::new(Cell::new(Instant::now()));
        let prover = |board: &'a Arc<Geometry>| {
            let end = Rc::clone(&end);
            let prover = Prover::new(board, rulebook.sources()).with_rules(rulebook.techniques());
            (Arc::clone(board), prover.with_cancellation(Rc::new(move || Instant::now() > end.get())))
        };
        TimedProver { provers: boards.iter().map(prover).collect(), end, seconds_per_proof }
    }

    fn prove(&self, (technique, args, variant): &Member<'_>, board: &str) -> Verdict {
        let (_, prover) = self.provers.iter().find(|(known, _)| known.spec().name == board).expect("a built-in board");
        self.end.set(Instant::now() + Duration::from_secs(self.seconds_per_proof));
        let verdict = prover.prove(technique, args, *variant);
        println!("{} {args:?} case {variant} on {board}: {}", technique.id, verdict.status);
        verdict
    }

    /// Returns the boards that have a member: 9×9, the variants of size 9, then all others.
    fn boards_of(&self, (technique, args, _): &Member<'_>) -> Vec<&str> {
        let fits = |size: usize| technique.members(size as u32).contains(args);
        let mut all: Vec<&Geometry> = self.provers.iter().map(|(board, _)| &**board).collect();
        all.sort_by_key(|board| (board.spec().name != "9x9", board.size() != 9));
        all.into_iter().filter(|board| fits(board.size())).map(|board| board.spec().name.as_str()).collect()
    }

    /// Adds to a member's record the boards on which it is proved, and those on which it is proved to find nothing.
    ///
    /// Only requested boards are tried. A new member is also tried on its first board, where a proof may show that it holds on
    /// every board.
    fn extend_record(
        &self,
        member: &Member<'_>,
        proved: &mut ProvedMember,
        is_new: bool,
        is_requested: &dyn Fn(&str) -> bool,
    ) {
        for (at, board) in self.boards_of(member).into_iter().enumerate() {
            let ProvedBoards::Named(names) = &mut proved.boards else { break };
            let is_wanted = is_requested(board) || (is_new && at == 0);
            if !is_wanted || names.iter().any(|known| known == board) {
                continue;
            }
            let verdict = self.prove(member, board);
            if holds(&verdict.status) {
                names.push(board.to_string());
                names.sort();
            }
            if is_vacuous(&verdict.status) {
                proved.idle_boards.push(board.to_string());
                proved.idle_boards.sort();
            }
            if is_proved_on_every_board(&verdict.status) {
                proved.boards = ProvedBoards::Every;
            }
        }
    }

    /// Proves what a record claims of a member: that it holds on `proved_boards` and finds nothing on `idle_boards`. Returns
    /// the first claim that cannot be proved.
    fn first_false_claim(
        &self,
        member: &Member<'_>,
        proved_boards: &ProvedBoards,
        idle_boards: &[String],
    ) -> Option<String> {
        let mut claims: Vec<Claim<'_>> = match proved_boards {
            ProvedBoards::Every => {
                let is_idle = |name: &str| idle_boards.iter().any(|known| known == name);
                let board = self.boards_of(member).into_iter().find(|name| !is_idle(name))?;
                vec![(board, &is_proved_on_every_board)]
            }
            ProvedBoards::Named(names) => names.iter().map(|name| (name.as_str(), &holds as _)).collect(),
        };
        claims.extend(idle_boards.iter().map(|name| (name.as_str(), &is_vacuous as _)));
        for (board, is_confirmed) in claims {
            let status = self.prove(member, board).status;
            if !is_confirmed(&status) {
                return Some(format!("{} on {board}: {status}", record_key(member)));
            }
        }
        None
    }
}

fn is_proved_on_every_board(status: &Status) -> bool {
    matches!(status, Status::Proved { every_board: true, .. } | Status::Conditional { every_board: true, sound: true })
}

/// Returns true if the rule draws no wrong conclusion on the board of the proof. A rule that finds nothing there draws none.
fn holds(status: &Status) -> bool {
    status.is_proved() || is_vacuous(status)
}

fn is_vacuous(status: &Status) -> bool {
    matches!(status, Status::Vacuous(_))
}

/// First lines of the file.
const HEADER: &str = "\
# Boards on which each member of the rulebook is proved. The test `proof_record::all_recorded_proofs_hold` writes this file.
# Each line begins with a hash of the rule and of everything that its proof uses. See docs/proofs.md.
";

#[test]
fn the_file_records_every_member_of_the_current_rules() {
    let rulebook = Rulebook::embedded();
    let record = &ProofRecord::embedded().0;
    let mut unknown_keys: BTreeSet<&String> = record.keys().collect();
    let mut stale = Vec::new();
    for member in members(&rulebook) {
        let (key, hash) = (record_key(&member), rule_hash(&rulebook, &member));
        if record.get(&key).is_none_or(|proved| proved.rule_hash != hash) {
            stale.push(format!("{key} has the hash {hash}"));
        }
        unknown_keys.remove(&key);
    }
    let board_names: Vec<String> = built_in_boards().iter().map(|board| board.spec().name.clone()).collect();
    for proved in record.values() {
        let ProvedBoards::Named(names) = &proved.boards else { continue };
        assert!(names.iter().all(|name| board_names.contains(name)), "{names:?}");
    }
    for member in members(&rulebook) {
        let (technique, args, _) = &member;
        if technique.members(9).contains(args) {
            let key = record_key(&member);
            let is_proved = match &record[&key].boards {
                ProvedBoards::Every => true,
                ProvedBoards::Named(names) => names.iter().any(|name| name == "9x9"),
            };
            assert!(is_proved, "{key} is not proved on 9x9");
        }
    }
    let text = std::fs::read_to_string(RECORD_PATH).expect("text");
    assert!(format!("{HEADER}{}", ProofRecord::embedded()) == text, "the file is not as the program writes it");
    assert!(
        stale.is_empty() && unknown_keys.is_empty(),
        "rules/proved.txt is out of date: PINION_RECORD=1 and the ignored test of this file write it. If rules that did \
         not change are listed, a new variant of the rule IR is not the last of its enum.\n{}\n{unknown_keys:?}",
        stale.join("\n")
    );
}

/// Repeats some recorded proofs: of members that are proved on every board, and of members on 6×6.
#[test]
fn some_recorded_proofs_hold() {
    let rulebook = Rulebook::embedded();
    let boards = built_in_boards();
    let prover = TimedProver::new(&rulebook, &boards, 600);
    for (at, member) in members(&rulebook).iter().enumerate() {
        let proved = &ProofRecord::embedded().0[&record_key(member)];
        match &proved.boards {
            ProvedBoards::Every => {
                if at % quick_or_full(72, 9) == 0 {
                    let false_claim = prover.first_false_claim(member, &ProvedBoards::Every, &proved.idle_boards);
                    assert_eq!(false_claim, None);
                }
            }
            // These proofs are quick on a small board, so more of them are repeated.
            ProvedBoards::Named(names) => {
                if at % quick_or_full(24, 3) == 0 && names.iter().any(|name| name == "6x6") {
                    let six_by_six = ProvedBoards::Named(vec!["6x6".to_string()]);
                    assert_eq!(prover.first_false_claim(member, &six_by_six, &[]), None);
                }
            }
        }
    }
}

/// Repeats all recorded proofs, or writes new ones. Environment variables:
///
/// - `PINION_SECONDS`: the time limit of each proof, 600 by default.
/// - `PINION_BOARDS`: names of boards, separated by commas. Only proofs on these boards are made; by default on all boards.
/// - `PINION_RECORD`: if set, the test writes the file. Records of unchanged rules stay, and proofs on further boards are added.
/// - `PINION_RULES`: with `PINION_RECORD`, ids of the techniques that are proved, separated by commas; by default all.
#[test]
#[ignore = "takes hours"]
fn all_recorded_proofs_hold() {
    let rulebook = Rulebook::embedded();
    let seconds = env_number("PINION_SECONDS").unwrap_or(600);
    let requested_boards = std::env::var("PINION_BOARDS").ok();
    let is_requested =
        |board: &str| requested_boards.as_ref().is_none_or(|names| names.split(',').any(|name| name == board));
    if std::env::var_os("PINION_RECORD").is_some() {
        return write_record(&rulebook, seconds, &is_requested);
    }
    let members = members(&rulebook);
    let boards = built_in_boards();
    // Members with long proofs are neighbours. Each part has every 16th member, so that no thread has all the long proofs.
    let part_numbers: Vec<usize> = (0..16).collect();
    let false_claims = in_parallel(&part_numbers, |part_number| {
        let prover = TimedProver::new(&rulebook, &boards, seconds);
        let mut false_claims = Vec::new();
        for member in members.iter().skip(*part_number).step_by(part_numbers.len()) {
            let Some(proved) = current_record(&rulebook, member) else {
                false_claims.push(format!("{} has no record, or the rule has changed", record_key(member)));
                continue;
            };
            let mut proved = proved.clone();
            proved.idle_boards.retain(|name| is_requested(name));
            if let ProvedBoards::Named(names) = &mut proved.boards {
                names.retain(|name| is_requested(name));
            }
            false_claims.extend(prover.first_false_claim(member, &proved.boards, &proved.idle_boards));
        }
        false_claims
    });
    let false_claims = false_claims.concat();
    assert!(false_claims.is_empty(), "{}", false_claims.join("\n"));
}

/// Returns the record of a member. `None` if there is none, or if the rule has changed.
fn current_record<'s>(rulebook: &Rulebook, member: &Member<'_>) -> Option<&'s ProvedMember> {
    let proved = ProofRecord::embedded().0.get(&record_key(member))?;
    if proved.rule_hash == rule_hash(rulebook, member) { Some(proved) } else { None }
}

/// Makes the proofs that the file does not have, and writes the file.
fn write_record(rulebook: &Rulebook, seconds: u64, is_requested: &dyn Fn(&str) -> bool) {
    let boards = built_in_boards();
    let prover = TimedProver::new(rulebook, &boards, seconds);
    let members = members(rulebook);
    let mut record = ProofRecord(Default::default());
    for member in &members {
        if let Some(proved) = current_record(rulebook, member) {
            record.0.insert(record_key(member), proved.clone());
        }
    }
    let requested_rules = std::env::var("PINION_RULES").ok();
    for member in &members {
        let (technique, ..) = member;
        if requested_rules.as_ref().is_some_and(|ids| !ids.split(',').any(|id| id == technique.id)) {
            continue;
        }
        let known = record.0.get(&record_key(member)).cloned();
        let is_new = known.is_none();
        let mut proved = known.unwrap_or_else(|| ProvedMember {
            rule_hash: rule_hash(rulebook, member),
            boards: ProvedBoards::Named(Vec::new()),
            idle_boards: Vec::new(),
        });
        prover.extend_record(member, &mut proved, is_new, is_requested);
        record.0.insert(record_key(member), proved);
        // The file is written after each member, so that a run that is ended early keeps its proofs.
        std::fs::write(RECORD_PATH, format!("{HEADER}{record}")).expect("the file can be written");
    }
}

fn solver(rulebook: &Rulebook, board: &Arc<Geometry>) -> Solver {
    Solver::new(rulebook, board, &Profile::default(), Limits::default())
}

/// Returns the ids of the techniques with a member that the solver does not use, because it is not proved on the board.
fn withheld_techniques(solver: &Solver) -> Vec<&str> {
    let mut ids: Vec<&str> = solver.withheld().iter().map(|&at| technique_of(solver, at)).collect();
    ids.dedup();
    ids
}

fn technique_of(solver: &Solver, member: usize) -> &str {
    &solver.techniques()[solver.members()[member].technique].id
}

/// Returns the 9×9 board under a name of the user. Only members that are proved on every board are proved on it.
fn user_board() -> Arc<Geometry> {
    let mut spec = BoardSpec::standard(9).expect("a standard board");
    spec.name = "mine".into();
    Arc::new(Geometry::new(spec).expect("a board"))
}

#[test]
fn rules_are_withheld_on_boards_on_which_they_are_not_proved() {
    let rulebook = Rulebook::embedded();
    let standard_solver = solver(&rulebook, &geometry(9));
    assert_eq!(withheld_techniques(&standard_solver), Vec::<&str>::new());
    let user_solver = solver(&rulebook, &user_board());
    let withheld = withheld_techniques(&user_solver);
    assert_ne!(ProofRecord::embedded().0["law_of_leftover"].boards, ProvedBoards::Every);
    assert!(withheld.contains(&"law_of_leftover"), "{withheld:?}");
    assert_eq!(ProofRecord::embedded().0["xy_wing"].boards, ProvedBoards::Every);
    assert!(!withheld.contains(&"xy_wing"), "{withheld:?}");
    let ranked = |solver: &Solver| -> Vec<usize> {
        solver.ranking().ranks.iter().flat_map(|rank| rank.members.iter().copied()).collect()
    };
    assert!(ranked(&standard_solver).iter().any(|&at| technique_of(&standard_solver, at) == "law_of_leftover"));
    assert!(ranked(&user_solver).iter().all(|at| !user_solver.withheld().contains(at)));
    let reordered = user_solver.reordered(&Profile::default());
    assert_eq!((ranked(&reordered), reordered.withheld()), (ranked(&user_solver), user_solver.withheld()));
}

/// The solver does not search a rule on a board on which the rule is proved to find nothing.
#[test]
fn idle_rules_are_not_ranked() {
    let rulebook = Rulebook::embedded();
    let named = |name: &str| Arc::new(Geometry::new(BoardSpec::named(name).expect("a board")).expect("a board"));
    let ranked_general_rules = |board: &Arc<Geometry>| -> Vec<String> {
        let solver = solver(&rulebook, board);
        let members = solver.ranking().ranks.iter().flat_map(|rank| &rank.members);
        members.map(|&at| technique_of(&solver, at).to_string()).filter(|id| id.starts_with("general_")).collect()
    };
    assert_eq!(ranked_general_rules(&geometry(9)), Vec::<String>::new());
    for board in [named("anti-knight"), named("windoku"), user_board()] {
        assert_eq!(ranked_general_rules(&board).len(), 4, "{}", board.spec().name);
    }
    // A user can still search for such a rule.
    let found = solver(&rulebook, &geometry(9)).find_all(&State::empty(&geometry(9)), Some("general_intersection"));
    assert!(found.is_ok_and(|found| found.steps.is_empty()));
}

#[test]
fn a_built_in_board_is_recognised_by_its_name_and_its_houses() {
    assert_eq!(built_in_name(&geometry(9)), Some("9x9"));
    assert_eq!(built_in_name(&user_board()), None);
    let mut spec = BoardSpec::standard(9).expect("a standard board");
    spec.sees.push((1, 1));
    assert_eq!(built_in_name(&Geometry::new(spec).expect("a board")), None, "another board with the name 9x9");
    for board in built_in_boards() {
        assert_eq!(built_in_name(&board), Some(board.spec().name.as_str()));
    }
}

#[test]
fn rules_of_a_user_are_not_withheld() {
    let with_user_file = |text: &str| {
        let rulebook = Rulebook::embedded().with([("mine.pinion".to_string(), text.to_string())]);
        let files = rulebook.files();
        assert!(!files[files.len() - 1].has_errors(), "{:?}", files[files.len() - 1].diagnostics);
        rulebook
    };
    let wrong = "technique law_of_leftover \"Mine\" {\n  c: cell = {a, b}\n  eliminate a from c\n}\n";
    let rulebook = with_user_file(wrong);
    assert!(!rulebook.is_built_in("law_of_leftover") && rulebook.is_built_in("xy_wing"));
    assert!(!withheld_techniques(&solver(&rulebook, &user_board())).contains(&"law_of_leftover"));
    // The record does not apply to techniques that use a link source of the user, directly or by another technique.
    let rulebook = with_user_file(FALSE_LINK);
    for (id, is_built_in) in [("house", false), ("x_chain", false), ("nested_multiple", false), ("xy_wing", true)] {
        assert_eq!(rulebook.is_built_in(id), is_built_in, "{id}");
    }
}

/// A link source that redefines `house` and is wrong: of any two places of a digit in a house, one need not be true.
const FALSE_LINK: &str = "strong link house (d)A = (d)B {\n  h: house\n  A, B: cell in h has d\n}\n";

/// The engine searches a sound rule about one digit only for candidates in no template of the digit. With a wrong link source
/// such a rule also eliminates right candidates. The engine must not trust the rule then, and must find these eliminations.
#[test]
fn a_rule_with_a_users_link_is_not_trusted() {
    let rulebook = Rulebook::embedded().with([("mine.pinion".to_string(), FALSE_LINK.to_string())]);
    let puzzle = &crate::common::puzzles()[0];
    let state = puzzle.state();
    let Uniqueness::One(solution) = uniqueness(&puzzle.geometry, &state) else { panic!("one solution") };
    let found = solver(&rulebook, &puzzle.geometry).find_all(&state, Some("x_chain")).expect("a known technique");
    let is_wrong = |eliminated: &Candidate| solution[eliminated.cell.index()] == eliminated.digit;
    assert!(found.steps.iter().any(|step| step.eliminations.iter().any(is_wrong)), "{} steps", found.steps.len());
}
