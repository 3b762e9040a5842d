//! The SAT solver's refutations, checked by a program of our own: a rule is proved where a question has no answer, and that
//! it has none is not taken on trust.

#[path = "refutation/checker.rs"]
mod checker;

use crate::common::geometry;
use checker::Checker;
use pinion::grid::Geometry;
use pinion::lang::ir::Technique;
use pinion::proof::{ProofLimits, Prover, Status, TranscriptLine};
use pinion::solve::Rulebook;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

/// Number of checked questions and clauses, and the first that does not follow.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tally {
    questions: usize,
    learnt: usize,
    wrong: Option<String>,
}

/// Checks what solvers tell while they tell it.
#[derive(Default)]
struct Listener {
    checkers: BTreeMap<u64, Checker>,
    tally: Tally,
}

impl Listener {
    fn hear(&mut self, solver: u64, line: TranscriptLine, literals: &[i32]) {
        let checker = self.checkers.entry(solver).or_default();
        let holds = match line {
            TranscriptLine::Given => {
                checker.add(literals);
                true
            }
            TranscriptLine::Learnt => {
                self.tally.learnt += 1;
                checker.learn(literals)
            }
            TranscriptLine::Forgotten => {
                checker.forget(literals);
                true
            }
            TranscriptLine::Refuted => {
                self.tally.questions += 1;
                checker.refutes(literals)
            }
        };
        if !holds {
            self.tally.wrong.get_or_insert_with(|| format!("solver {solver}: {line:?} {literals:?}"));
        }
    }
}

/// Proves a member with every answer checked, as far as there is time; its status, and what was checked.
fn checked(
    rulebook: &Rulebook,
    geometry: &Geometry,
    (technique, args, variant): Member<'_>,
    time: Duration,
) -> (Status, Tally) {
    let listener = Rc::new(RefCell::new(Listener::default()));
    let ear = Rc::clone(&listener);
    let limits = ProofLimits { shrink: 50, ..ProofLimits::default() };
    let prover = Prover::new(geometry, rulebook.sources()).with_rules(rulebook.techniques()).with_limits(limits);
    let start = Instant::now();
    let prover = prover
        .with_cancellation(Rc::new(move || start.elapsed() > time))
        .with_listener(Rc::new(move |solver, line, literals| ear.borrow_mut().hear(solver, line, literals)));
    let status = prover.prove(technique, args, variant).status;
    let tally = listener.borrow().tally.clone();
    (status, tally)
}

type Member<'t> = (&'t Technique, &'t [u32], usize);

/// Rules of each kind: sets, lines, chains, an exchange, a rule that is asked on the board.
#[test]
fn refutations_are_refutations() {
    let rulebook = Rulebook::embedded();
    let board = geometry(6);
    let mut all = Tally::default();
    for (id, args) in [
        ("naked_subset", &[3_u32][..]),
        ("basic_fish", &[3]),
        ("xy_wing", &[]),
        ("xy_chain", &[]),
        ("unique_rectangle", &[]),
        ("bug", &[1]),
    ] {
        let technique = rulebook.techniques().iter().find(|one| one.id == id).expect("a rule");
        let (status, tally) = checked(&rulebook, &board, (technique, args, 0), Duration::MAX);
        assert!(status.is_proved(), "{id}: {status}");
        assert_eq!(tally.wrong, None, "{id}");
        assert!(tally.questions > 0, "{id}: a proof is a refutation");
        (all.questions, all.learnt) = (all.questions + tally.questions, all.learnt + tally.learnt);
    }
    println!("{} questions, {} learnt clauses", all.questions, all.learnt);
    assert!(all.learnt > 50, "{all:?}: so few clauses show nothing of the solver");
}

/// No member may take longer in the long run.
const MOST: Duration = Duration::from_secs(20);

/// As many members as there is time for, in an order that the seed decides.
#[test]
#[ignore = "takes a quarter of an hour"]
fn many_refutations_are_refutations() {
    let number = |name: &str, usual: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual);
    let end = Instant::now() + Duration::from_secs(number("PINION_SECONDS", 15 * 60));
    let mut random = fastrand::Rng::with_seed(number("PINION_SEED", 1));
    let rulebook = Rulebook::embedded();
    let board = geometry(9);
    let prover = Prover::new(&board, rulebook.sources());
    let members = |technique| prover.members(technique).into_iter().map(move |(args, case)| (technique, args, case));
    let mut members: Vec<_> = rulebook.techniques().iter().flat_map(members).collect();
    random.shuffle(&mut members);
    let (mut all, mut rules) = (Tally::default(), 0);
    for (technique, args, variant) in &members {
        if Instant::now() > end {
            break;
        }
        println!("{} {args:?} case {variant} …", technique.id);
        let (start, (status, tally)) = (Instant::now(), checked(&rulebook, &board, (technique, args, *variant), MOST));
        let label = format!("{} {args:?} case {variant}", technique.id);
        println!("{:>8.2} s {label}: {status}, {tally:?}", start.elapsed().as_secs_f64());
        assert_eq!(tally.wrong, None, "{label}");
        (all.questions, all.learnt, rules) = (all.questions + tally.questions, all.learnt + tally.learnt, rules + 1);
    }
    println!("{rules} of {} members, {} questions, {} learnt clauses", members.len(), all.questions, all.learnt);
    assert!(rules > 10, "too little time to say anything");
}

/// Three pigeons in two holes: pigeon p is in hole h as literal 2p - 1 + h, holes from 0.
fn pigeons() -> Vec<Vec<i32>> {
    let mut clauses: Vec<Vec<i32>> = (1..=3).map(|pigeon| vec![2 * pigeon - 1, 2 * pigeon]).collect();
    for hole in 0..2 {
        for (a, b) in [(1, 2), (1, 3), (2, 3)] {
            clauses.push(vec![-(2 * a - 1 + hole), -(2 * b - 1 + hole)]);
        }
    }
    clauses
}

fn knowing(clauses: &[Vec<i32>]) -> Checker {
    let mut checker = Checker::default();
    clauses.iter().for_each(|clause| checker.add(clause));
    checker
}

#[test]
fn a_refutation_with_all_its_clauses_is_accepted() {
    let mut checker = knowing(&pigeons());
    assert!(!checker.refutes(&[]), "no literal is known, so nothing is propagated");
    assert!(checker.learn(&[-1]));
    assert!(checker.refutes(&[]));
}

#[test]
fn a_refutation_that_lacks_a_clause_is_rejected() {
    for missing in 0..pigeons().len() {
        let mut clauses = pigeons();
        clauses.remove(missing);
        let mut checker = knowing(&clauses);
        // With any clause less there is a way, so whatever is said to follow, the contradiction must not.
        checker.learn(&[-1]);
        checker.learn(&[1]);
        assert!(!checker.refutes(&[]), "without {:?}", pigeons()[missing]);
    }
}

#[test]
fn satisfiable_questions_are_not_refuted() {
    let mut checker = knowing(&[vec![1, 2, 3], vec![-1, 2], vec![-2, 3]]);
    for assumed in [&[][..], &[1], &[-3, 4], &[2, 3], &[-1, -2, 3]] {
        assert_eq!(checker.refutes(assumed), assumed == [-3, 4], "{assumed:?}");
    }
    assert!(!checker.learn(&[-3]) && !checker.learn(&[]) && !checker.learn(&[-1, -2]));
    assert!(checker.refutes(&[5, -5]) && checker.follows(&[5, -5]));
    assert!(!checker.refutes(&[1, 2, 3]), "what does not follow was not added");
}

#[test]
fn forgotten_facts_are_no_reason() {
    let mut checker = knowing(&[vec![1, 2, 3], vec![1, -2, 3], vec![-3, 4], vec![-3, -4]]);
    assert!(!checker.refutes(&[-1]), "nothing is propagated");
    assert!(checker.learn(&[3, 1]) && checker.refutes(&[-1]));
    checker.forget(&[-3, 4]);
    assert!(checker.refutes(&[-1]), "a clause of the question is never forgotten");
    checker.forget(&[1, 3]);
    assert!(!checker.refutes(&[-1]));
}

/// The answers of one solver are no reason for another, and a question that was never refuted is noticed.
#[test]
fn a_solver_that_lies_is_found_out() {
    let mut listener = Listener::default();
    for clause in pigeons() {
        listener.hear(1, TranscriptLine::Given, &clause);
    }
    listener.hear(1, TranscriptLine::Learnt, &[-1]);
    listener.hear(1, TranscriptLine::Refuted, &[]);
    assert_eq!(listener.tally, Tally { questions: 1, learnt: 1, wrong: None });
    listener.hear(2, TranscriptLine::Given, &[1, 2]);
    listener.hear(2, TranscriptLine::Refuted, &[-1]);
    assert_eq!(listener.tally.wrong.as_deref(), Some("solver 2: Refuted [-1]"));
    let mut listener = Listener::default();
    listener.hear(1, TranscriptLine::Given, &[1, 2]);
    listener.hear(1, TranscriptLine::Learnt, &[1]);
    assert_eq!(listener.tally.wrong.as_deref(), Some("solver 1: Learnt [1]"));
}

/// The other way round: a clause of a question left out on its way to the checker, and some refutation is rejected.
#[test]
fn a_question_without_its_clauses_is_not_refuted() {
    let rulebook = Rulebook::embedded();
    let board = geometry(6);
    let technique = rulebook.techniques().iter().find(|one| one.id == "xy_wing").expect("a rule");
    for kept in [0, 2, 3] {
        let listener = Rc::new(RefCell::new((Listener::default(), 0)));
        let ear = Rc::clone(&listener);
        let hear = move |solver: u64, line: TranscriptLine, literals: &[i32]| {
            let (listener, seen) = &mut *ear.borrow_mut();
            *seen += usize::from(line == TranscriptLine::Given);
            if line != TranscriptLine::Given || kept > 0 && *seen % kept > 0 {
                listener.hear(solver, line, literals);
            }
        };
        let prover = Prover::new(&board, rulebook.sources()).with_listener(Rc::new(hear));
        assert!(prover.prove(technique, &[], 0).status.is_proved());
        assert!(listener.borrow().0.tally.wrong.is_some(), "one of {kept} clauses left out");
    }
}
