//! The file of what is proved where: it is of these rules, it says nothing that is not so, and it is heeded.

use crate::common::states::in_parallel;
use crate::common::{geometry, share};
use pinion::engine::Limits;
use pinion::grid::{BoardSpec, Candidate, Geometry};
use pinion::lang::ir::Technique;
use pinion::proof::{Prover, Status, Uniqueness, Verdict, cache_key, uniqueness};
use pinion::solve::{Profile, ProofRecord, ProvedBoards, ProvedMember, Rulebook, Solver, built_in_name};
use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A member of the largest board, which has all that there are.
type Member<'t> = (&'t Technique, Vec<u32>, usize);

const LARGEST: u32 = 25;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/rules/proved.txt");

fn members(rulebook: &Rulebook) -> Vec<Member<'_>> {
    let of = |technique: &'_ Technique| {
        let cases = technique.variants.len();
        let all = technique.members(LARGEST).into_iter();
        all.flat_map(move |args| (0..cases).map(move |case| (args.clone(), case))).collect::<Vec<_>>()
    };
    let techniques = rulebook.techniques().iter();
    techniques.flat_map(|one| of(one).into_iter().map(move |(args, case)| (one, args, case))).collect()
}

/// A board, and what must be so of a proof on it.
type Claim<'c> = (&'c str, &'c dyn Fn(&Status) -> bool);

/// The rule and all that its proof is made of, in a few signs.
fn hash(rulebook: &Rulebook, (technique, args, variant): &Member<'_>) -> String {
    let member = pinion::proof::Member { technique, args, variant: *variant };
    let key = cache_key(member, rulebook.sources(), rulebook.techniques(), &geometry(9), "");
    key.expect("there is such a member")[..16].to_string()
}

/// The boards of the binary: plain ones from the smallest on, then the variants.
fn boards() -> Vec<Arc<Geometry>> {
    let specs = BoardSpec::standard_sizes().filter_map(BoardSpec::standard).chain(BoardSpec::variants());
    specs.map(|spec| Arc::new(Geometry::new(spec).expect("a board"))).collect()
}

/// Proves members, each on a board, with a limit in seconds for each.
struct Attempts<'a> {
    provers: Vec<(Arc<Geometry>, Prover<'a>)>,
    end: Rc<Cell<Instant>>,
    seconds: u64,
}

impl<'a> Attempts<'a> {
    fn new(rulebook: &'a Rulebook, boards: &'a [Arc<Geometry>], seconds: u64) -> Attempts<'a> {
        let end = Rc::new(Cell::new(Instant::now()));
        let prover = |board: &'a Arc<Geometry>| {
            let end = Rc::clone(&end);
            let prover = Prover::new(board, rulebook.sources()).with_rules(rulebook.techniques());
            (Arc::clone(board), prover.with_cancellation(Rc::new(move || Instant::now() > end.get())))
        };
        Attempts { provers: boards.iter().map(prover).collect(), end, seconds }
    }

    fn prove(&self, (technique, args, variant): &Member<'_>, board: &str) -> Verdict {
        let (_, prover) =
            self.provers.iter().find(|(known, _)| known.spec().name == board).expect("a board of the binary");
        self.end.set(Instant::now() + Duration::from_secs(self.seconds));
        let verdict = prover.prove(technique, args, *variant);
        println!("{} {args:?} case {variant} on {board}: {}", technique.id, verdict.status);
        verdict
    }

    /// The boards that a member is on: the usual one, then the others of its size, then the plain ones from the smallest on.
    fn boards_of(&self, (technique, args, _): &Member<'_>) -> Vec<&str> {
        let fits = |size: usize| technique.members(size as u32).contains(args);
        let mut all: Vec<&Geometry> = self.provers.iter().map(|(board, _)| &**board).collect();
        all.sort_by_key(|board| (board.spec().name != "9x9", board.size() != 9));
        all.into_iter().filter(|board| fits(board.size())).map(|board| board.spec().name.as_str()).collect()
    }

    /// Adds what can be proved of a member on the boards that are asked about: where it holds, and where it finds nothing.
    fn extend(&self, member: &Member<'_>, proved: &mut ProvedMember, is_new: bool, asked: &dyn Fn(&str) -> bool) {
        for (at, board) in self.boards_of(member).into_iter().enumerate() {
            let ProvedBoards::Named(names) = &mut proved.boards else { break };
            if names.iter().any(|known| known == board) || !asked(board) && (at > 0 || !is_new) {
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
            if is_general(&verdict.status) {
                proved.boards = ProvedBoards::Every;
            }
        }
    }

    /// Finds a statement about a member that is false.
    fn wrong(&self, member: &Member<'_>, on: &ProvedBoards, idle: &[String]) -> Option<String> {
        let key = ProofRecord::key(member.0, &member.1, member.2);
        let is_idle = |name: &str| idle.iter().any(|known| known == name);
        let claims: Vec<Claim<'_>> = match on {
            ProvedBoards::Every => {
                let board = self.boards_of(member).into_iter().find(|name| !is_idle(name))?;
                vec![(board, &is_general)]
            }
            ProvedBoards::Named(names) => names.iter().map(|name| (name.as_str(), &holds as _)).collect(),
        };
        let idle = idle.iter().map(|name| (name.as_str(), &is_vacuous as _));
        claims.into_iter().chain(idle).find_map(|(name, is_so)| {
            let verdict = self.prove(member, name);
            (!is_so(&verdict.status)).then(|| format!("{key} on {name}: {}", verdict.status))
        })
    }
}

/// Proved on every board.
fn is_general(status: &Status) -> bool {
    matches!(status, Status::Proved { every_board: true, .. } | Status::Supposed { every_board: true, sound: true })
}

/// Proved on the board that was asked for; what says nothing there says nothing wrong.
fn holds(status: &Status) -> bool {
    status.is_proved() || is_vacuous(status)
}

fn is_vacuous(status: &Status) -> bool {
    matches!(status, Status::Vacuous(_))
}

const HEAD: &str = "\
# What is proved of each member of the rulebook, and where. Written by the test `standing::all_recorded_proofs_hold`;
# in front stands a hash of the rule with all that its proof is made of. See docs/proofs.md.
";

#[test]
fn the_file_is_of_these_rules() {
    let rulebook = Rulebook::embedded();
    let mut said = ProofRecord::embedded().0.clone();
    let mut stale = Vec::new();
    for member in members(&rulebook) {
        let (key, rule) = (ProofRecord::key(member.0, &member.1, member.2), hash(&rulebook, &member));
        if said.remove(&key).is_none_or(|proved| proved.rule_hash != rule) {
            stale.push(format!("{key} is {rule}"));
        }
    }
    let names: Vec<String> = boards().iter().map(|board| board.spec().name.clone()).collect();
    for proved in ProofRecord::embedded().0.values() {
        let ProvedBoards::Named(on) = &proved.boards else { continue };
        assert!(on.iter().all(|name| names.contains(name)), "{on:?}");
    }
    for (technique, args, case) in
        members(&rulebook).iter().filter(|(technique, args, _)| technique.members(9).contains(args))
    {
        let key = ProofRecord::key(technique, args, *case);
        let on = &ProofRecord::embedded().0[&key].boards;
        let is_proved = *on == ProvedBoards::Every
            || matches!(on, ProvedBoards::Named(names) if names.iter().any(|name| name == "9x9"));
        assert!(is_proved, "{key} is not proved on 9x9");
    }
    let how = "PINION_RECORD=1 and the long test of this file write it again; if rules that did not change are listed, \
               a new variant of the rule IR is not the last of its enum";
    let text = std::fs::read_to_string(FILE).expect("text");
    assert_eq!(format!("{HEAD}{}", ProofRecord::embedded()), text, "each line says something, and is where it belongs");
    assert!(stale.is_empty() && said.is_empty(), "rules/proved.txt, {how}:\n{}\n{said:?}", stale.join("\n"));
}

/// A few members of each sort: what is said of them is so.
#[test]
fn some_recorded_proofs_hold() {
    let rulebook = Rulebook::embedded();
    let boards = boards();
    let attempts = Attempts::new(&rulebook, &boards, 600);
    for (at, member) in members(&rulebook).iter().enumerate() {
        let ProvedMember { boards: said, idle_boards: idle, .. } =
            &ProofRecord::embedded().0[&ProofRecord::key(member.0, &member.1, member.2)];
        let quick = match said {
            ProvedBoards::Every => Some(ProvedBoards::Every),
            ProvedBoards::Named(names) => {
                names.iter().find(|name| *name == "6x6").map(|name| ProvedBoards::Named(vec![name.clone()]))
            }
        };
        // Proofs that are not for every board are checked more often.
        let step = if quick == Some(ProvedBoards::Every) { share(72, 9) } else { share(24, 3) };
        if let Some(quick) = quick.filter(|_| at % step == 0) {
            let idle = if quick == ProvedBoards::Every { idle.as_slice() } else { &[] };
            assert_eq!(attempts.wrong(member, &quick, idle), None);
        }
    }
}

/// All of it, `PINION_SECONDS` for each question at most (600 where nothing is said), on the boards that `PINION_BOARDS`
/// names, with commas between them (on all where nothing is said). With `PINION_RECORD` it is written down instead: what is
/// said of rules that have not changed stays, and what else can be proved on these boards is added; if `PINION_RULES` names
/// rules, of these only.
#[test]
#[ignore = "takes hours"]
fn all_recorded_proofs_hold() {
    let rulebook = Rulebook::embedded();
    let seconds = std::env::var("PINION_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(600);
    let named = std::env::var("PINION_BOARDS").ok();
    let asked = |board: &str| named.as_ref().is_none_or(|names| names.split(',').any(|name| name == board));
    if std::env::var_os("PINION_RECORD").is_some() {
        return record(&rulebook, seconds, &asked);
    }
    let members: Vec<(usize, Member<'_>)> = members(&rulebook).into_iter().enumerate().collect();
    let boards = boards();
    // Small parts, so that no thread waits for one with the long proofs.
    let parts: Vec<usize> = (0..16).collect();
    let wrong = in_parallel(&parts, |first| {
        let attempts = Attempts::new(&rulebook, &boards, seconds);
        let mine = members.iter().skip(*first).step_by(parts.len());
        mine.filter_map(|(_, member)| {
            let key = ProofRecord::key(member.0, &member.1, member.2);
            match said_of(&rulebook, member) {
                Some(said) => {
                    let idle: Vec<String> = said.idle_boards.iter().filter(|name| asked(name)).cloned().collect();
                    attempts.wrong(member, &on_asked(&said.boards, &asked), &idle)
                }
                None => Some(format!("nothing is said of {key} as it is")),
            }
        })
        .collect::<Vec<String>>()
    });
    assert!(wrong.concat().is_empty(), "{}", wrong.concat().join("\n"));
}

/// Returns the recorded proof of a member, if it is of the current rule.
fn said_of<'s>(rulebook: &Rulebook, member: &Member<'_>) -> Option<&'s ProvedMember> {
    let said = ProofRecord::embedded().0.get(&ProofRecord::key(member.0, &member.1, member.2));
    said.filter(|proved| proved.rule_hash == hash(rulebook, member))
}

/// Restricts the boards of a record to those that are asked for.
fn on_asked(said: &ProvedBoards, asked: &dyn Fn(&str) -> bool) -> ProvedBoards {
    match said {
        ProvedBoards::Every => ProvedBoards::Every,
        ProvedBoards::Named(names) => ProvedBoards::Named(names.iter().filter(|name| asked(name)).cloned().collect()),
    }
}

/// Proves what is not written down yet, and writes it down.
fn record(rulebook: &Rulebook, seconds: u64, asked: &dyn Fn(&str) -> bool) {
    let boards = boards();
    let attempts = Attempts::new(rulebook, &boards, seconds);
    let members = members(rulebook);
    let key = |member: &Member<'_>| ProofRecord::key(member.0, &member.1, member.2);
    let known = members.iter().filter_map(|member| Some((key(member), said_of(rulebook, member)?.clone())));
    let mut standing = ProofRecord(known.collect());
    let rules = std::env::var("PINION_RULES").ok();
    let wanted = |member: &Member<'_>| rules.as_ref().is_none_or(|rules| rules.split(',').any(|id| id == member.0.id));
    for member in members.iter().filter(|member| wanted(member)) {
        let said = said_of(rulebook, member);
        let nothing = || ProvedMember {
            rule_hash: hash(rulebook, member),
            boards: ProvedBoards::Named(Vec::new()),
            idle_boards: Vec::new(),
        };
        let mut proved = said.cloned().unwrap_or_else(nothing);
        attempts.extend(member, &mut proved, said.is_none(), asked);
        standing.0.extend([(key(member), proved)]);
        // Written after each, so that what was proved is kept if the run is ended.
        std::fs::write(FILE, format!("{HEAD}{standing}")).expect("the file can be written");
    }
}

fn solver(rulebook: &Rulebook, board: &Arc<Geometry>) -> Solver {
    Solver::new(rulebook, board, &Profile::default(), Limits::default())
}

/// Ids of the techniques that are left out on a board because they are not proved there, in whole or in part.
fn left_out(solver: &Solver) -> Vec<&str> {
    let mut ids: Vec<&str> = solver.withheld().iter().map(|&at| technique_of(solver, at)).collect();
    ids.dedup();
    ids
}

fn technique_of(solver: &Solver, member: usize) -> &str {
    &solver.techniques()[solver.members()[member].technique].id
}

/// The usual board, but for the name: nobody knows what a user's board is.
fn unnamed() -> Arc<Geometry> {
    let mut spec = BoardSpec::standard(9).expect("a plain board");
    spec.name = "mine".into();
    Arc::new(Geometry::new(spec).expect("a board"))
}

#[test]
fn unproved_rules_are_left_out_on_a_board() {
    let rulebook = Rulebook::embedded();
    let usual = solver(&rulebook, &geometry(9));
    assert_eq!(left_out(&usual), Vec::<&str>::new());
    let other = solver(&rulebook, &unnamed());
    let (gone, named) = (left_out(&other), |id: &str| ProofRecord::embedded().0[id].boards != ProvedBoards::Every);
    assert!(gone.contains(&"law_of_leftover") && named("law_of_leftover"), "{gone:?}");
    assert!(!gone.contains(&"xy_wing") && !named("xy_wing"), "{gone:?}");
    let ranked = |solver: &Solver| -> Vec<usize> {
        solver.ranking().ranks.iter().flat_map(|rank| rank.members.iter().copied()).collect()
    };
    assert!(ranked(&usual).iter().any(|&at| technique_of(&usual, at) == "law_of_leftover"));
    assert!(ranked(&other).iter().all(|at| !other.withheld().contains(at)));
    let again = other.reordered(&Profile::default());
    assert_eq!((ranked(&again), again.withheld()), (ranked(&other), other.withheld()));
}

/// Neither the solver nor a supposition searches a rule on a board on which it is proved to find nothing.
#[test]
fn idle_rules_are_searched_only_where_they_find_something() {
    let rulebook = Rulebook::embedded();
    let named = |name: &str| Arc::new(Geometry::new(BoardSpec::named(name).expect("a board")).expect("a board"));
    let searched = |board: &Arc<Geometry>| -> Vec<String> {
        let solver = solver(&rulebook, board);
        let members = solver.ranking().ranks.iter().flat_map(|rank| &rank.members);
        members.map(|&at| technique_of(&solver, at).to_string()).filter(|id| id.starts_with("general_")).collect()
    };
    assert_eq!(searched(&geometry(9)), Vec::<String>::new());
    for board in [named("anti-knight"), named("windoku"), unnamed()] {
        assert_eq!(searched(&board).len(), 4, "{}", board.spec().name);
    }
    let asked = solver(&rulebook, &geometry(9))
        .find_all(&pinion::grid::State::empty(&geometry(9)), Some("general_intersection"));
    assert!(asked.is_ok_and(|found| found.steps.is_empty()), "it can be asked for");
}

#[test]
fn a_board_is_known_by_what_it_is() {
    assert_eq!(built_in_name(&geometry(9)), Some("9x9"));
    assert_eq!(built_in_name(&unnamed()), None);
    let mut spec = BoardSpec::standard(9).expect("a plain board");
    spec.sees.push((1, 1));
    assert_eq!(built_in_name(&Geometry::new(spec).expect("a board")), None, "another board of the name of ours");
    for board in boards() {
        assert_eq!(built_in_name(&board), Some(board.spec().name.as_str()));
    }
}

#[test]
fn what_a_user_says_is_the_users_business() {
    let own = |text: &str| {
        let rulebook = Rulebook::embedded().with([("mine.pinion".to_string(), text.to_string())]);
        let files = rulebook.files();
        assert!(!files[files.len() - 1].has_errors(), "{:?}", files[files.len() - 1].diagnostics);
        rulebook
    };
    let wrong = "technique law_of_leftover \"Mine\" {\n  c: cell = {a, b}\n  eliminate a from c\n}\n";
    let rulebook = own(wrong);
    assert!(!rulebook.is_built_in("law_of_leftover") && rulebook.is_built_in("xy_wing"));
    assert!(!left_out(&solver(&rulebook, &unnamed())).contains(&"law_of_leftover"));
    // A link that is none: no technique that uses it is what was proved, nor is one that uses such a technique.
    let rulebook = own(NO_LINK);
    for (id, is_built_in) in [("house", false), ("x_chain", false), ("nested_multiple", false), ("xy_wing", true)] {
        assert_eq!(rulebook.is_built_in(id), is_built_in, "{id}");
    }
}

/// Any two places of a digit in a house: one of them need not be true.
const NO_LINK: &str = "strong link house (d)A = (d)B {\n  h: house\n  A, B: cell in h has d\n}\n";

/// A sound rule of one digit takes away only what no way to place the digit has, and is searched for nothing else. Made
/// with a link that is none it takes away more, and that must be seen.
#[test]
fn a_rule_with_a_users_link_is_not_trusted() {
    let rulebook = Rulebook::embedded().with([("mine.pinion".to_string(), NO_LINK.to_string())]);
    let puzzle = &crate::common::puzzles()[0];
    let state = puzzle.state();
    let Uniqueness::One(solution) = uniqueness(&puzzle.geometry, &state) else { panic!("one solution") };
    let found = solver(&rulebook, &puzzle.geometry).find_all(&state, Some("x_chain")).expect("it is known");
    let is_wrong = |gone: &Candidate| solution[gone.cell.index()] == gone.digit;
    assert!(found.steps.iter().any(|step| step.eliminations.iter().any(is_wrong)), "{} steps", found.steps.len());
}
