//! No short cut of the search loses a match.
//!
//! The engine searches a rule only where rules of its class can eliminate something (its reach), a search with an aim only
//! looks for deductions that contradict a grid of digits, and a search with a memory builds on the states before it.
//! One law compares each of them with the search that does without, on positions of puzzles and on made-up positions
//! of other boards. Each position is searched for one part of the techniques, in rotation, so that in the
//! full run every technique is searched on every board.

use crate::common::states::{in_parallel, middle_states};
use crate::common::{BoardEngines, next_random, share};
use pinion::engine::{ContradictedDigits, Engine, Limits, PathCache, SearchMode, SearchOutcome};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use pinion::proof::{Uniqueness, solutions, uniqueness};
use pinion::solve::{Rulebook, false_deductions};
use std::collections::BTreeSet;

/// Number of parts that the members are divided into in the full run.
const PARTS: usize = 6;

/// Number of grids of digits that searches are aimed against; see [`made_up_digits`].
const AIMS: usize = 4;

/// A position, with a solved grid that fits it.
struct Sample {
    name: String,
    state: State,
    digits: Vec<Digit>,
    /// True if `digits` is the only solution of the position, and stays one while candidates are eliminated.
    has_solution: bool,
    /// Number of the position on its board: decides which part of the members is searched.
    number: usize,
    random: u64,
}

/// Counts of what the law compared, so that it cannot hold for lack of cases.
#[derive(Default, Debug)]
struct Tally {
    /// Searches that were compared.
    searches: usize,
    /// Matches of the searches within reach.
    in_reach: usize,
    /// Techniques of these matches.
    techniques: BTreeSet<String>,
    /// Searches with an aim that found something.
    aimed: usize,
    /// Searches with a memory after one without a match.
    followed: usize,
    /// `followed` searches that found something.
    new: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.searches += other.searches;
        self.in_reach += other.in_reach;
        self.techniques.extend(other.techniques);
        self.aimed += other.aimed;
        self.followed += other.followed;
        self.new += other.new;
    }
}

#[test]
fn short_cuts_lose_no_match_of_puzzles() {
    let engines = BoardEngines::named("9");
    let samples: Vec<Sample> =
        middle_states().into_iter().take(share(2, 2 * PARTS)).enumerate().map(of_puzzle).collect();
    let tally = compare(&engines, &samples);
    assert!(tally.searches > share(30, 1_000), "{tally:?}");
    assert!(tally.in_reach > share(10, 1_000) && tally.techniques.len() > share(2, 30), "{tally:?}");
    assert!(tally.aimed > share(10, 500) && tally.followed > share(5, 300) && tally.new > share(0, 20), "{tally:?}");
}

#[test]
fn short_cuts_lose_no_match_on_other_boards() {
    let mut tally = Tally::default();
    let boards = share(&["6", "diagonal"][..], &["6", "12", "windoku", "anti_knight", "diagonal", "disjoint_groups"]);
    for (at, board) in boards.iter().enumerate() {
        let engines = BoardEngines::named(board);
        let samples: Vec<Sample> = (0..share(1, PARTS)).map(|number| made_up(board, &engines, at + number)).collect();
        tally.add(compare(&engines, &samples));
    }
    assert!(tally.in_reach > share(3, 1_000) && tally.techniques.len() > share(1, 30), "{tally:?}");
}

/// Applies the law to every state of the file for every part of the members.
#[test]
#[ignore = "at length: half an hour, in a release build"]
fn short_cuts_lose_no_match_of_any_state() {
    let engines = BoardEngines::named("9");
    let states = middle_states().into_iter().flat_map(|state| vec![state; PARTS]);
    let tally = compare(&engines, &states.enumerate().map(of_puzzle).collect::<Vec<_>>());
    println!("{tally:?}");
}

fn compare(engines: &BoardEngines, samples: &[Sample]) -> Tally {
    let mut tally = Tally::default();
    in_parallel(samples, |sample| law(engines, sample)).into_iter().for_each(|one| tally.add(one));
    tally
}

/// Searches a part of the members with and without each short cut, on a position and on two that follow from it.
fn law(engines: &BoardEngines, sample: &Sample) -> Tally {
    let BoardEngines { plain, trusting, geometry } = engines;
    let limits = Limits { instructions: 1_000_000, ..Limits::default() };
    let ignore_reach = Limits { ignore_reach: true, ..limits };
    let aiming = if sample.has_solution { trusting } else { plain };
    let mut random = sample.random;
    let grids: Vec<Vec<Digit>> = (0..AIMS).map(|kind| made_up_digits(geometry, sample, kind, &mut random)).collect();
    let aims: Vec<ContradictedDigits> = grids.iter().map(|digits| ContradictedDigits::new(digits)).collect();
    let (memory, memories) = (PathCache::default(), aims.iter().map(|_| PathCache::default()).collect::<Vec<_>>());
    let (against_solution, no_memory) = (ContradictedDigits::new(&sample.digits), PathCache::default());
    let parts = share(4 * PARTS, PARTS);
    let (mut tally, mut state) = (Tally::default(), sample.state.clone());
    let mut was_empty = vec![false; plain.members().len()];
    for step in 0..share(2, 3) {
        let (mut full, mut fresh) = (plain.position(&state), plain.position(&state));
        let mut following = plain.position_on_path(&state, &memory);
        let mut aimed: Vec<_> =
            aims.iter().zip(&memories).map(|(aim, memory)| aiming.position_against(&state, aim, memory)).collect();
        let mut against = aiming.position_against(&state, &against_solution, &no_memory);
        for member in (sample.number % parts..plain.members().len()).step_by(parts) {
            let id = &plain.members()[member];
            let technique = &plain.techniques()[id.technique].id;
            let label =
                format!("{technique} {:?} case {} on {} after {step} changes", id.args, id.variant, sample.name);
            let all = full.find(member, SearchMode::AllEffects, &ignore_reach);
            tally.searches += 1;

            if let Some(reach) = fresh.reach(member, &limits) {
                let reach: BTreeSet<Candidate> = reach.into_iter().collect();
                let mut eliminated = all.matches.iter().flat_map(|one| &one.eliminations);
                assert_eq!(eliminated.find(|candidate| !reach.contains(candidate)), None, "{label}: out of reach");
                if all.limits.is_empty() {
                    let bounded = fresh.find(member, SearchMode::AllEffects, &limits);
                    assert_eq!(bounded.matches, all.matches, "{label}: searched within reach");
                }
                tally.in_reach += all.matches.len();
                if !all.matches.is_empty() {
                    tally.techniques.insert(technique.clone());
                }
            }

            // Suppositions do not build on earlier states.
            if !plain.plan_text(member).contains("; supposition") {
                let search = if member % 5 == 0 { SearchMode::All } else { SearchMode::First };
                let found = following.find(member, search, &limits);
                assert_eq!(found.matches, fresh.find(member, search, &limits).matches, "{label}: with a memory");
                tally.followed += usize::from(was_empty[member]);
                tally.new += usize::from(was_empty[member] && !found.matches.is_empty());
                was_empty[member] = found.matches.is_empty();
            }

            if sample.has_solution {
                let found = against.find(member, SearchMode::AllEffects, &limits);
                assert!(found.matches.is_empty(), "{label}: contradicts the solution");
            }
            for (kind, (search, digits)) in aimed.iter_mut().zip(&grids).enumerate() {
                let found = search.find(member, SearchMode::AllEffects, &limits);
                if all.limits.is_empty() && found.limits.is_empty() {
                    let wanted = contradictions(&all, digits);
                    assert_eq!(contradictions(&found, digits), wanted, "{label}: aimed against grid {kind}");
                    assert!(only_narrows(&found, digits), "{label}: more than what contradicts grid {kind}");
                    tally.aimed += usize::from(!wanted.0.is_empty() || !wanted.1.is_empty());
                }
            }
        }
        let keep = sample.has_solution.then_some(&sample.digits[..]);
        (0..3).for_each(|_| eliminate_one(geometry, &mut state, keep, next_random(&mut random)));
    }
    tally
}

/// Eliminations and placements.
type Deductions = (BTreeSet<Candidate>, BTreeSet<Candidate>);

/// Returns the deductions that contradict a grid of digits.
fn contradictions(found: &SearchOutcome, digits: &[Digit]) -> Deductions {
    let mut all = Deductions::default();
    for one in found.matches.iter().filter_map(|one| false_deductions(&one.eliminations, &one.placements, digits)) {
        all.0.extend(one.eliminations);
        all.1.extend(one.placements);
    }
    all
}

/// Returns true if every deduction of every match contradicts the digits.
fn only_narrows(found: &SearchOutcome, digits: &[Digit]) -> bool {
    found.matches.iter().all(|one| {
        false_deductions(&one.eliminations, &one.placements, digits)
            .is_some_and(|found| (&found.eliminations, &found.placements) == (&one.eliminations, &one.placements))
    })
}

fn of_puzzle((number, state): (usize, State)) -> Sample {
    let name = format!("state {number}");
    let geometry = crate::common::geometry(9);
    let Uniqueness::One(digits) = uniqueness(&geometry, &state) else { panic!("{name} has one solution") };
    Sample { name, state, digits, has_solution: number % 2 == 0, number, random: 7 + number as u64 }
}

/// Makes up a position of a solved grid: some cells have their digit, the others two or three candidates; about one in
/// forty lacks the right one.
fn made_up(name: &str, engines: &BoardEngines, number: usize) -> Sample {
    let board = &engines.geometry;
    let digits = solutions(board, &State::empty(board), 1).into_iter().next().expect("a solved grid");
    let mut random = 5 + number as u64;
    let mut state = State::empty(board);
    // Fewer cells are open on a large board: the number of sets grows with them.
    let solved = if board.size() > 9 { 17 } else { 8 };
    for cell in board.cells() {
        let right = digits[cell.index()];
        if next_random(&mut random) % 20 < solved {
            state.place(board, cell, right);
            continue;
        }
        let mut candidates = DigitSet::EMPTY;
        if !next_random(&mut random).is_multiple_of(40) {
            candidates.insert(right);
        }
        let count = 2 + next_random(&mut random) % 2;
        while candidates.len() < count {
            candidates.insert(Digit((next_random(&mut random) % board.size()) as u8));
        }
        state.restrict(cell, candidates);
    }
    Sample { name: format!("{name}, position {number}"), state, digits, has_solution: false, number, random }
}

/// Makes up a digit for each cell. `kind` 0: the solution with a few other candidates; 1: a valid grid, the solution with its
/// digits exchanged; 2: any candidates; 3: any digits. Against the solution itself no sound rule finds anything.
fn made_up_digits(geometry: &Geometry, sample: &Sample, kind: usize, random: &mut u64) -> Vec<Digit> {
    let size = geometry.size();
    let shift = 1 + next_random(random) % (size - 1);
    let digit = |cell: Cell| {
        let right = sample.digits[cell.index()];
        let candidates: Vec<Digit> = sample.state.candidates(cell).iter().collect();
        let number = next_random(random);
        let candidate = candidates.get(number % candidates.len().max(1)).copied().unwrap_or(right);
        match kind {
            0 if !number.is_multiple_of(7) => right,
            0 | 2 => candidate,
            1 => Digit(((right.index() + shift) % size) as u8),
            _ => Digit((number % size) as u8),
        }
    };
    geometry.cells().map(digit).collect()
}

/// Eliminates a candidate of a cell that has several, never one of `keep`; a candidate that is left alone is placed.
fn eliminate_one(geometry: &Geometry, state: &mut State, keep: Option<&[Digit]>, number: usize) {
    let open: Vec<Candidate> = geometry
        .cells()
        .filter(|&cell| state.candidates(cell).len() > 1)
        .flat_map(|cell| state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell)))
        .filter(|one| keep.is_none_or(|digits| digits[one.cell.index()] != one.digit))
        .collect();
    let Some(&candidate) = open.get(number % open.len().max(1)) else { return };
    state.eliminate(candidate);
    if let (1, Some(digit)) = (state.candidates(candidate.cell).len(), state.candidates(candidate.cell).first()) {
        state.place(geometry, candidate.cell, digit);
    }
}

/// Returns the class of a rule, as its plan names it.
fn class_of(text: &str) -> Option<String> {
    let (lowered, found) = compile(text);
    assert!(found.iter().all(|one| one.severity != Severity::Error), "{found:?}");
    let rulebook = Rulebook::embedded();
    let mut sources = rulebook.sources().to_vec();
    sources.extend(lowered.sources);
    let engine = Engine::new(crate::common::geometry(9), &lowered.techniques, &sources).expect("good rules");
    let plan = engine.plan_text(0);
    plan.lines().find_map(|line| line.strip_prefix("; only what is in reach of ").map(String::from))
}

#[test]
fn the_class_follows_from_the_text() {
    let rule = |body: &str| format!("technique mine \"Mine\" {{\n{body}\n}}\n");
    let apart = rule("  A: cell = {x, z}\n  B: cell = {y, z}\n  conclude some z in A, B");
    assert_eq!(class_of(&apart), None, "one cell may be x and the other y");
    let wing = rule(
        "  pivot: cell = {x, y}\n  A: cell = {x, z} sees pivot\n  B: cell = {y, z} sees pivot\n  conclude some z in A, B",
    );
    assert_eq!(class_of(&wing).as_deref(), Some("cells"));
    let kite = rule("  chain (d)A = (d)P - (d)Q = (d)B\n  conclude some d in A, B");
    assert_eq!(class_of(&kite).as_deref(), Some("links"), "a strong link between two cells is one of a house");
    // Only both pincers together leave the pivot without a digit.
    let three = rule(
        "  pivot: cell = {x, y, z}\n  A: cell = {x, z} sees pivot\n  B: cell = {y, z} sees pivot\n  \
         conclude some z in pivot, A, B",
    );
    assert_eq!(class_of(&three), None);
    let sets = rule(
        "  A, B: als\n  x: digit linking A, B\n  z: digit\n  require some z in A and some z in B\n  conclude some z in A, B",
    );
    assert_eq!(class_of(&sets).as_deref(), Some("sets"));
    // The running digit may be the one that links the other two.
    let ring = rule(
        "  A, B, C: als disjoint\n  x: digit linking A, B\n  y: digit linking B, C\n  z: digit linking C, A\n  \
         eliminate d from cells seeing every d in A for d in (digits(A) - x) - z",
    );
    assert_eq!(class_of(&ring).as_deref(), Some("sets"));
    // Nothing says that the sets have z.
    let bare = rule("  A, B: als\n  x: digit linking A, B\n  z: digit\n  conclude some z in A, B");
    assert_eq!(class_of(&bare), None);
    let chain = |strong: &str| {
        rule(&format!(
            "  chain from p to q, 2.. strong links {{\n    strong: {strong}\n    weak: any\n  }}\n  conclude some p, q"
        ))
    };
    assert_eq!(class_of(&chain("cell, house")).as_deref(), Some("links"));
    assert_eq!(class_of(&chain("cell, group")).as_deref(), Some("groups"));
    assert_eq!(class_of(&chain("house, als")).as_deref(), Some("sets"));
    // A source of an author's own is a class's by what it says.
    let own = "strong link twin (x)A = (x)B {\n  A, B: cell = {x, y}\n  require A sees B\n}\n";
    assert_eq!(class_of(&(chain("twin") + own)).as_deref(), Some("cells"));
    let loose = "strong link twin (x)A = (x)B {\n  x, y: digit\n  A, B: cell has x, y\n  require A sees B\n}\n";
    assert_eq!(class_of(&(chain("twin") + loose)), None);
}
