//! Proofs rest on the SAT solver's answer "unsatisfiable". Here an independent checker, `checker.rs`, confirms these answers:
//! each learnt clause and each refutation must follow from the clauses before it by unit propagation.

#[path = "sat_refutations/checker.rs"]
mod checker;

use crate::common::{env_number, geometry};
use checker::Checker;
use pinion::grid::Geometry;
use pinion::proof::{Member, ProofLimits, Prover, Status, TranscriptLine};
use pinion::solve::Rulebook;
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Tally {
    /// Number of checked refutations.
    refutations: usize,
    /// Number of checked learnt clauses.
    learnt_clauses: usize,
    /// The first line of a transcript that does not follow from the lines before it.
    first_error: Option<String>,
}

/// Checks the transcripts of the SAT solvers while they run.
#[derive(Default)]
struct TranscriptChecker {
    /// One checker for each solver, by the number of the solver.
    checkers: BTreeMap<u64, Checker>,
    tally: Tally,
}

impl TranscriptChecker {
    fn check(&mut self, solver: u64, line: TranscriptLine, literals: &[i32]) {
        let checker = self.checkers.entry(solver).or_default();
        let holds = match line {
            TranscriptLine::Given => {
                checker.add(literals);
                true
            }
            TranscriptLine::Learnt => {
                self.tally.learnt_clauses += 1;
                checker.learn(literals)
            }
            TranscriptLine::Forgotten => {
                checker.forget(literals);
                true
            }
            TranscriptLine::Refuted => {
                self.tally.refutations += 1;
                checker.refutes(literals)
            }
        };
        if !holds {
            self.tally.first_error.get_or_insert_with(|| format!("solver {solver}: {line:?} {literals:?}"));
        }
    }
}

/// Proves a member within a time limit and checks the transcripts of the solvers.
fn prove_and_check(
    rulebook: &Rulebook,
    geometry: &Geometry,
    member: Member<'_>,
    time_limit: Duration,
) -> (Status, Tally) {
    let checker = Rc::new(RefCell::new(TranscriptChecker::default()));
    let shared_checker = Rc::clone(&checker);
    let limits = ProofLimits { shrink: 50, ..ProofLimits::default() };
    let prover = Prover::new(geometry, rulebook.sources()).with_rules(rulebook.techniques()).with_limits(limits);
    let start = Instant::now();
    let prover = prover.with_cancellation(Rc::new(move || start.elapsed() > time_limit)).with_listener(Rc::new(
        move |solver, line, literals| {
            shared_checker.borrow_mut().check(solver, line, literals);
        },
    ));
    let status = prover.prove(member.technique, member.args, member.variant).status;
    let tally = checker.borrow().tally.clone();
    (status, tally)
}

/// The rules are of different kinds: sets, fish, chains, rules that assume a unique solution.
#[test]
fn refutations_of_six_proofs_are_correct() {
    let rulebook = Rulebook::embedded();
    let board = geometry(6);
    let mut learnt_clauses = 0;
    for (id, args) in [
        ("naked_subset", &[3_u32][..]),
        ("basic_fish", &[3]),
        ("xy_wing", &[]),
        ("xy_chain", &[]),
        ("unique_rectangle", &[]),
        ("bug", &[1]),
    ] {
        let technique = rulebook.techniques().iter().find(|technique| technique.id == id).expect("in the rulebook");
        let member = Member { technique, args, variant: 0 };
        let (status, tally) = prove_and_check(&rulebook, &board, member, Duration::MAX);
        assert!(status.is_proved(), "{id}: {status}");
        assert_eq!(tally.first_error, None, "{id}");
        assert!(tally.refutations > 0, "{id}");
        learnt_clauses += tally.learnt_clauses;
    }
    assert!(learnt_clauses > 50, "only {learnt_clauses} learnt clauses were checked");
}

/// Proves members in random order, each for at most 20 seconds. `PINION_SECONDS` is the time limit of the test, `PINION_SEED`
/// decides the order.
#[test]
#[ignore = "takes a quarter of an hour"]
fn many_refutations_are_correct() {
    let end = Instant::now() + Duration::from_secs(env_number("PINION_SECONDS").unwrap_or(15 * 60));
    let mut random = fastrand::Rng::with_seed(env_number("PINION_SEED").unwrap_or(1));
    let rulebook = Rulebook::embedded();
    let board = geometry(9);
    let prover = Prover::new(&board, rulebook.sources());
    let members = |technique| prover.members(technique).into_iter().map(move |(args, case)| (technique, args, case));
    let mut members: Vec<_> = rulebook.techniques().iter().flat_map(members).collect();
    random.shuffle(&mut members);
    let mut checked_members = 0;
    for (technique, args, variant) in &members {
        if Instant::now() > end {
            break;
        }
        let label = format!("{} {args:?} case {variant}", technique.id);
        println!("{label} …");
        let start = Instant::now();
        let member = Member { technique, args, variant: *variant };
        let (status, tally) = prove_and_check(&rulebook, &board, member, Duration::from_secs(20));
        println!("{:>8.2} s {label}: {status}, {tally:?}", start.elapsed().as_secs_f64());
        assert_eq!(tally.first_error, None, "{label}");
        checked_members += 1;
    }
    println!("{checked_members} of {} members", members.len());
    assert!(checked_members > 10, "the time limit is too short");
}

/// Returns unsatisfiable clauses: each of three pigeons is in one of two holes, and no two are in one hole. The literal
/// 2p - 1 + h says that pigeon p (1 to 3) is in hole h (0 or 1).
fn pigeonhole_clauses() -> Vec<Vec<i32>> {
    let mut clauses: Vec<Vec<i32>> = (1..=3).map(|pigeon| vec![2 * pigeon - 1, 2 * pigeon]).collect();
    for hole in 0..2 {
        for (a, b) in [(1, 2), (1, 3), (2, 3)] {
            clauses.push(vec![-(2 * a - 1 + hole), -(2 * b - 1 + hole)]);
        }
    }
    clauses
}

fn checker_with(clauses: &[Vec<i32>]) -> Checker {
    let mut checker = Checker::default();
    clauses.iter().for_each(|clause| checker.add(clause));
    checker
}

#[test]
fn a_refutation_with_all_its_clauses_is_accepted() {
    let mut checker = checker_with(&pigeonhole_clauses());
    assert!(!checker.refutes(&[]), "there is no unit clause, so nothing is propagated");
    assert!(checker.learn(&[-1]));
    assert!(checker.refutes(&[]));
}

#[test]
fn a_refutation_that_lacks_a_clause_is_rejected() {
    for missing in 0..pigeonhole_clauses().len() {
        let mut clauses = pigeonhole_clauses();
        clauses.remove(missing);
        let mut checker = checker_with(&clauses);
        // Without one of the clauses there is a solution. Whatever the solver claims to have learnt, no refutation is accepted.
        checker.learn(&[-1]);
        checker.learn(&[1]);
        assert!(!checker.refutes(&[]), "without {:?}", pigeonhole_clauses()[missing]);
    }
}

#[test]
fn satisfiable_questions_are_not_refuted() {
    let mut checker = checker_with(&[vec![1, 2, 3], vec![-1, 2], vec![-2, 3]]);
    for assumed in [&[][..], &[1], &[-3, 4], &[2, 3], &[-1, -2, 3]] {
        assert_eq!(checker.refutes(assumed), assumed == [-3, 4], "{assumed:?}");
    }
    assert!(!checker.learn(&[-3]) && !checker.learn(&[]) && !checker.learn(&[-1, -2]));
    assert!(checker.refutes(&[5, -5]) && checker.follows(&[5, -5]));
    assert!(!checker.refutes(&[1, 2, 3]), "clauses that do not follow are not added");
}

#[test]
fn forgotten_clauses_are_not_used() {
    let mut checker = checker_with(&[vec![1, 2, 3], vec![1, -2, 3], vec![-3, 4], vec![-3, -4]]);
    assert!(!checker.refutes(&[-1]), "nothing is propagated");
    assert!(checker.learn(&[3, 1]) && checker.refutes(&[-1]));
    checker.forget(&[-3, 4]);
    assert!(checker.refutes(&[-1]), "only learnt clauses are forgotten");
    checker.forget(&[1, 3]);
    assert!(!checker.refutes(&[-1]));
}

/// The checker reports a refutation and a learnt clause that do not follow. Clauses of one solver do not help another.
#[test]
fn wrong_claims_of_a_solver_are_reported() {
    let mut checker = TranscriptChecker::default();
    for clause in pigeonhole_clauses() {
        checker.check(1, TranscriptLine::Given, &clause);
    }
    checker.check(1, TranscriptLine::Learnt, &[-1]);
    checker.check(1, TranscriptLine::Refuted, &[]);
    assert_eq!(checker.tally, Tally { refutations: 1, learnt_clauses: 1, first_error: None });
    checker.check(2, TranscriptLine::Given, &[1, 2]);
    checker.check(2, TranscriptLine::Refuted, &[-1]);
    assert_eq!(checker.tally.first_error.as_deref(), Some("solver 2: Refuted [-1]"));
    let mut checker = TranscriptChecker::default();
    checker.check(1, TranscriptLine::Given, &[1, 2]);
    checker.check(1, TranscriptLine::Learnt, &[1]);
    assert_eq!(checker.tally.first_error.as_deref(), Some("solver 1: Learnt [1]"));
}

/// If the checker does not get all clauses of a proof, it rejects some refutation. So the refutations depend on the clauses.
#[test]
fn refutations_without_some_given_clauses_are_rejected() {
    let rulebook = Rulebook::embedded();
    let board = geometry(6);
    let technique = rulebook.techniques().iter().find(|technique| technique.id == "xy_wing").expect("in the rulebook");
    // Every given clause is left out, then every second, then every third.
    for omitted_every in [1, 2, 3] {
        let checker = Rc::new(RefCell::new(TranscriptChecker::default()));
        let shared_checker = Rc::clone(&checker);
        let given_clauses = Cell::new(0);
        let listener = move |solver: u64, line: TranscriptLine, literals: &[i32]| {
            if line == TranscriptLine::Given {
                given_clauses.set(given_clauses.get() + 1);
                if given_clauses.get() % omitted_every == 0 {
                    return;
                }
            }
            shared_checker.borrow_mut().check(solver, line, literals);
        };
        let prover = Prover::new(&board, rulebook.sources()).with_listener(Rc::new(listener));
        assert!(prover.prove(technique, &[], 0).status.is_proved());
        assert!(checker.borrow().tally.first_error.is_some(), "every {omitted_every}th clause is left out");
    }
}
