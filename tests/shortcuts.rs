//! Short cuts of the search lose no match. There are three:
//!
//! - Reach: the engine searches a rule only for candidates that rules of its class can eliminate.
//! - Aim: a search may look only for deductions that contradict a grid of digits.
//! - Cache: a search may reuse results of earlier states of the path.
//!
//! Each is compared with a search without it, on states of puzzles and on random states of other boards. Each state is
//! searched for one part of the members, in rotation. In the full run every member is searched on states of puzzles and on
//! three of the other boards.

use crate::common::states::{in_parallel, middle_states};
use crate::common::{BoardEngines, next_random, quick_or_full};
use pinion::engine::{ContradictedDigits, Engine, Limits, PathCache, SearchMode, SearchOutcome};
use pinion::grid::{Candidate, Cell, Digit, DigitSet, Geometry, State};
use pinion::lang::compile;
use pinion::lang::diagnostic::Severity;
use pinion::proof::{Uniqueness, solutions, uniqueness};
use pinion::solve::{Rulebook, false_deductions};
use std::collections::BTreeSet;

/// Number of states of each board in the full run. For puzzles the members are divided into as many parts, for the other boards
/// into twice as many: three boards are searched for the first half of the members, three for the second half.
const PARTS: usize = 6;

/// Kinds of grids of digits that are the aim of a search.
#[derive(Clone, Copy, Debug)]
enum Aim {
    /// The sample's digits, with another candidate in a few cells.
    NearDigits,
    /// The sample's digits, renamed: again a valid grid.
    RenamedDigits,
    /// Any candidate of each cell.
    AnyCandidates,
    /// Any digit in each cell.
    AnyDigits,
}

const AIMS: [Aim; 4] = [Aim::NearDigits, Aim::RenamedDigits, Aim::AnyCandidates, Aim::AnyDigits];

/// A state with a solved grid.
struct Sample {
    name: String,
    state: State,
    /// Digit of each cell.
    digits: Vec<Digit>,
    /// True if `digits` is the only solution of the state. Later changes of the state then keep these digits.
    has_solution: bool,
    /// Number of the state on its board. It decides which part of the members is searched.
    number: usize,
    /// The members are divided into this many parts.
    part_count: usize,
    /// Seed of the random changes.
    seed: u64,
}

/// Numbers of comparisons, by which the tests see that there were enough.
#[derive(Default, Debug)]
struct Tally {
    searches: usize,
    /// Matches of rules with a reach.
    matches_in_reach: usize,
    /// Techniques of `matches_in_reach`.
    techniques: BTreeSet<String>,
    /// Searches with an aim that found something.
    aimed_searches: usize,
    /// Searches with a cache where the search of the previous state found nothing.
    searches_after_none: usize,
    /// `searches_after_none` that found something.
    new_finds: usize,
}

impl Tally {
    fn add(&mut self, other: Tally) {
        self.searches += other.searches;
        self.matches_in_reach += other.matches_in_reach;
        self.techniques.extend(other.techniques);
        self.aimed_searches += other.aimed_searches;
        self.searches_after_none += other.searches_after_none;
        self.new_finds += other.new_finds;
    }
}

#[test]
fn short_cuts_lose_no_match_of_puzzles() {
    let engines = BoardEngines::named("9");
    let samples: Vec<Sample> =
        middle_states().into_iter().take(quick_or_full(2, 2 * PARTS)).enumerate().map(puzzle_sample).collect();
    let tally = compare_all(&engines, &samples);
    assert!(tally.searches > quick_or_full(30, 1_000), "{tally:?}");
    assert!(
        tally.matches_in_reach > quick_or_full(10, 1_000) && tally.techniques.len() > quick_or_full(2, 30),
        "{tally:?}"
    );
    assert!(tally.aimed_searches > quick_or_full(10, 500), "{tally:?}");
    assert!(tally.searches_after_none > quick_or_full(5, 300) && tally.new_finds > quick_or_full(0, 20), "{tally:?}");
}

#[test]
fn short_cuts_lose_no_match_on_other_boards() {
    let mut tally = Tally::default();
    let boards =
        quick_or_full(&["6", "diagonal"][..], &["6", "12", "windoku", "anti_knight", "diagonal", "disjoint_groups"]);
    for (at, board) in boards.iter().enumerate() {
        let engines = BoardEngines::named(board);
        let samples: Vec<Sample> =
            (0..quick_or_full(1, PARTS)).map(|number| random_sample(board, &engines, at * PARTS + number)).collect();
        tally.add(compare_all(&engines, &samples));
    }
    assert!(
        tally.matches_in_reach > quick_or_full(3, 1_000) && tally.techniques.len() > quick_or_full(1, 30),
        "{tally:?}"
    );
}

/// Searches every member on every state of `tests/states/middle.txt`.
#[test]
#[ignore = "at length: half an hour, in a release build"]
fn short_cuts_lose_no_match_of_any_state() {
    let engines = BoardEngines::named("9");
    // Copies of a state have consecutive numbers, so that each is searched for another part of the members.
    let states = middle_states().into_iter().flat_map(|state| vec![state; PARTS]);
    let tally = compare_all(&engines, &states.enumerate().map(puzzle_sample).collect::<Vec<_>>());
    println!("{tally:?}");
}

fn compare_all(engines: &BoardEngines, samples: &[Sample]) -> Tally {
    let mut total = Tally::default();
    for tally in in_parallel(samples, |sample| compare(engines, sample)) {
        total.add(tally);
    }
    total
}

/// Searches one part of the members with and without each short cut, on the state of a sample and on two later states.
fn compare(engines: &BoardEngines, sample: &Sample) -> Tally {
    let BoardEngines { plain, trusting, geometry } = engines;
    let limits = Limits { instructions: 1_000_000, ..Limits::default() };
    let ignore_reach = Limits { ignore_reach: true, ..limits };
    // An engine that trusts the rules may skip searches that find something only on states without a solution.
    let aiming = if sample.has_solution { trusting } else { plain };
    let mut random = sample.seed;
    let grids: Vec<Vec<Digit>> = AIMS.iter().map(|aim| aim_digits(geometry, sample, *aim, &mut random)).collect();
    let aims: Vec<ContradictedDigits> = grids.iter().map(|digits| ContradictedDigits::new(digits)).collect();
    let aim_caches: Vec<PathCache> = aims.iter().map(|_| PathCache::default()).collect();
    let solution_aim = ContradictedDigits::new(&sample.digits);
    let (path_cache, solution_cache) = (PathCache::default(), PathCache::default());
    let (mut tally, mut state) = (Tally::default(), sample.state.clone());
    let mut found_nothing = vec![false; plain.members().len()];
    for step in 0..quick_or_full(2, 3) {
        let (mut unlimited, mut fresh) = (plain.position(&state), plain.position(&state));
        let mut cached = plain.position_on_path(&state, &path_cache);
        let mut aimed: Vec<_> =
            aims.iter().zip(&aim_caches).map(|(aim, cache)| aiming.position_against(&state, aim, cache)).collect();
        let mut against_solution = aiming.position_against(&state, &solution_aim, &solution_cache);
        for member in (sample.number % sample.part_count..plain.members().len()).step_by(sample.part_count) {
            let id = &plain.members()[member];
            let technique = &plain.techniques()[id.technique].id;
            let label =
                format!("{technique} {:?} case {} on {} after {step} changes", id.args, id.variant, sample.name);
            let all = unlimited.find(member, SearchMode::AllEffects, &ignore_reach);
            tally.searches += 1;

            if let Some(reach) = fresh.reach(member, &limits) {
                check_reach(reach, &all, || fresh.find(member, SearchMode::AllEffects, &limits), &label);
                tally.matches_in_reach += all.matches.len();
                if !all.matches.is_empty() {
                    tally.techniques.insert(technique.clone());
                }
            }

            // Searches of suppositions do not reuse results of earlier states.
            if !plain.plan(member).to_string().contains("; supposition") {
                let mode = if member % 5 == 0 { SearchMode::All } else { SearchMode::First };
                let found = cached.find(member, mode, &limits);
                assert_eq!(found.matches, fresh.find(member, mode, &limits).matches, "{label}: with a cache");
                if found_nothing[member] {
                    tally.searches_after_none += 1;
                    tally.new_finds += usize::from(!found.matches.is_empty());
                }
                found_nothing[member] = found.matches.is_empty();
            }

            if sample.has_solution {
                let found = against_solution.find(member, SearchMode::AllEffects, &limits);
                assert!(found.matches.is_empty(), "{label}: contradicts the solution");
            }
            for ((position, digits), aim) in aimed.iter_mut().zip(&grids).zip(AIMS) {
                let found = position.find(member, SearchMode::AllEffects, &limits);
                if all.limits.is_empty() && found.limits.is_empty() {
                    let expected = contradictions(&all, digits);
                    assert_eq!(contradictions(&found, digits), expected, "{label}: aimed at {aim:?}");
                    assert!(has_only_contradictions(&found, digits), "{label}: more than what contradicts {aim:?}");
                    let (eliminations, placements) = expected;
                    tally.aimed_searches += usize::from(!eliminations.is_empty() || !placements.is_empty());
                }
            }
        }
        let kept_digits = if sample.has_solution { Some(&sample.digits[..]) } else { None };
        for _ in 0..3 {
            eliminate_one(geometry, &mut state, kept_digits, next_random(&mut random));
        }
    }
    tally
}

/// Fails if a match eliminates a candidate out of reach, or if the search within reach finds other matches.
fn check_reach(
    reach: Vec<Candidate>,
    all: &SearchOutcome,
    search_within_reach: impl FnOnce() -> SearchOutcome,
    label: &str,
) {
    let reach: BTreeSet<Candidate> = reach.into_iter().collect();
    for candidate in all.matches.iter().flat_map(|found| &found.eliminations) {
        assert!(reach.contains(candidate), "{label}: {candidate:?} is out of reach");
    }
    if all.limits.is_empty() {
        assert_eq!(search_within_reach().matches, all.matches, "{label}: searched within reach");
    }
}

/// Returns the eliminations and placements that contradict a grid of digits.
fn contradictions(found: &SearchOutcome, digits: &[Digit]) -> (BTreeSet<Candidate>, BTreeSet<Candidate>) {
    let (mut eliminations, mut placements) = (BTreeSet::new(), BTreeSet::new());
    for found in &found.matches {
        if let Some(contradiction) = false_deductions(&found.eliminations, &found.placements, digits) {
            eliminations.extend(contradiction.eliminations);
            placements.extend(contradiction.placements);
        }
    }
    (eliminations, placements)
}

/// Returns true if every deduction of every match contradicts the digits.
fn has_only_contradictions(found: &SearchOutcome, digits: &[Digit]) -> bool {
    found.matches.iter().all(|found| {
        false_deductions(&found.eliminations, &found.placements, digits).is_some_and(|contradiction| {
            contradiction.eliminations == found.eliminations && contradiction.placements == found.placements
        })
    })
}

fn puzzle_sample((number, state): (usize, State)) -> Sample {
    let name = format!("state {number}");
    let geometry = crate::common::geometry(9);
    let Uniqueness::One(digits) = uniqueness(&geometry, &state) else { panic!("{name} has one solution") };
    // Every other sample ignores its solution, so that later changes may eliminate right candidates.
    Sample {
        name,
        state,
        digits,
        has_solution: number % 2 == 0,
        number,
        part_count: quick_or_full(4 * PARTS, PARTS),
        seed: 7 + number as u64,
    }
}

/// Returns a random state of a solved grid. Some cells are solved. The other cells have two or three candidates, and one cell in
/// forty lacks the right candidate.
fn random_sample(board_name: &str, engines: &BoardEngines, number: usize) -> Sample {
    let board = &engines.geometry;
    let digits = solutions(board, &State::empty(board), 1).into_iter().next().expect("a solved grid");
    let mut random = 5 + number as u64;
    let mut state = State::empty(board);
    // A large board has fewer open cells, because each open cell multiplies the number of sets.
    let solved_in_twenty = if board.size() > 9 { 17 } else { 8 };
    for cell in board.cells() {
        let right = digits[cell.index()];
        if next_random(&mut random) % 20 < solved_in_twenty {
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
    let name = format!("{board_name}, state {number}");
    Sample {
        name,
        state,
        digits,
        has_solution: false,
        number,
        part_count: quick_or_full(4 * PARTS, 2 * PARTS),
        seed: random,
    }
}

/// Returns a digit for each cell.
fn aim_digits(geometry: &Geometry, sample: &Sample, aim: Aim, random: &mut u64) -> Vec<Digit> {
    let size = geometry.size();
    let shift = 1 + next_random(random) % (size - 1);
    let digit = |cell: Cell| {
        let right = sample.digits[cell.index()];
        let candidates: Vec<Digit> = sample.state.candidates(cell).iter().collect();
        let number = next_random(random);
        let candidate = candidates.get(number % candidates.len().max(1)).copied().unwrap_or(right);
        match aim {
            Aim::NearDigits => {
                if number.is_multiple_of(7) {
                    candidate
                } else {
                    right
                }
            }
            Aim::RenamedDigits => Digit(((right.index() + shift) % size) as u8),
            Aim::AnyCandidates => candidate,
            Aim::AnyDigits => Digit((number % size) as u8),
        }
    };
    geometry.cells().map(digit).collect()
}

/// Eliminates a candidate of a cell that has several, but no candidate of `kept_digits`. If the cell then has one candidate, it
/// is placed. The random `number` decides which candidate is eliminated.
fn eliminate_one(geometry: &Geometry, state: &mut State, kept_digits: Option<&[Digit]>, number: usize) {
    let open: Vec<Candidate> = geometry
        .cells()
        .filter(|&cell| state.candidates(cell).len() > 1)
        .flat_map(|cell| state.candidates(cell).iter().map(move |digit| Candidate::new(digit, cell)))
        .filter(|candidate| kept_digits.is_none_or(|digits| digits[candidate.cell.index()] != candidate.digit))
        .collect();
    let Some(&candidate) = open.get(number % open.len().max(1)) else { return };
    state.eliminate(candidate);
    let remaining = state.candidates(candidate.cell);
    if let Some(digit) = remaining.first()
        && remaining.len() == 1
    {
        state.place(geometry, candidate.cell, digit);
    }
}

/// Returns the class of a rule, as its plan names it: the kind of chain that the rule is a special case of, by its links. `None`
/// if the rule is no chain.
fn reach_class(text: &str) -> Option<String> {
    let (lowered, found) = compile(text);
    assert!(found.iter().all(|diagnostic| diagnostic.severity != Severity::Error), "{found:?}");
    let rulebook = Rulebook::embedded();
    let mut sources = rulebook.sources().to_vec();
    sources.extend(lowered.sources);
    let engine = Engine::new(crate::common::geometry(9), &lowered.techniques, &sources).expect("good rules");
    let plan = engine.plan(0).to_string();
    plan.lines().find_map(|line| line.strip_prefix("; only what is in reach of ").map(String::from))
}

#[test]
fn the_reach_class_follows_from_the_rule() {
    let rule = |body: &str| format!("technique mine \"Mine\" {{\n{body}\n}}\n");
    let unlinked_cells = rule("  A: cell = {x, z}\n  B: cell = {y, z}\n  conclude some z in A, B");
    assert_eq!(reach_class(&unlinked_cells), None, "one cell may be x and the other y");
    let wing = rule(
        "  pivot: cell = {x, y}\n  A: cell = {x, z} sees pivot\n  B: cell = {y, z} sees pivot\n  conclude some z in A, B",
    );
    assert_eq!(reach_class(&wing).as_deref(), Some("cells"));
    let single_digit_chain = rule("  chain (d)A = (d)P - (d)Q = (d)B\n  conclude some d in A, B");
    assert_eq!(
        reach_class(&single_digit_chain).as_deref(),
        Some("links"),
        "a strong link between two cells is one of a house"
    );
    // Only both pincers together leave the pivot without a digit, so no chain goes from one pincer to the pivot.
    let three_digit_pivot = rule(
        "  pivot: cell = {x, y, z}\n  A: cell = {x, z} sees pivot\n  B: cell = {y, z} sees pivot\n  \
         conclude some z in pivot, A, B",
    );
    assert_eq!(reach_class(&three_digit_pivot), None);
    let linked_sets = rule(
        "  A, B: als\n  x: digit linking A, B\n  z: digit\n  require some z in A and some z in B\n  conclude some z in A, B",
    );
    assert_eq!(reach_class(&linked_sets).as_deref(), Some("sets"));
    // The loop variable d may be y, which links the other two sets.
    let set_ring = rule(
        "  A, B, C: als disjoint\n  x: digit linking A, B\n  y: digit linking B, C\n  z: digit linking C, A\n  \
         eliminate d from cells seeing every d in A for d in (digits(A) - x) - z",
    );
    assert_eq!(reach_class(&set_ring).as_deref(), Some("sets"));
    // The rule does not require that the sets have z.
    let sets_without_z = rule("  A, B: als\n  x: digit linking A, B\n  z: digit\n  conclude some z in A, B");
    assert_eq!(reach_class(&sets_without_z), None);
    let chain = |strong: &str| {
        rule(&format!(
            "  chain from p to q, 2.. strong links {{\n    strong: {strong}\n    weak: any\n  }}\n  conclude some p, q"
        ))
    };
    assert_eq!(reach_class(&chain("cell, house")).as_deref(), Some("links"));
    assert_eq!(reach_class(&chain("cell, group")).as_deref(), Some("groups"));
    assert_eq!(reach_class(&chain("house, als")).as_deref(), Some("sets"));
    // The conditions of an author's link source determine its class.
    let cell_source = "strong link twin (x)A = (x)B {\n  A, B: cell = {x, y}\n  require A sees B\n}\n";
    assert_eq!(reach_class(&(chain("twin") + cell_source)).as_deref(), Some("cells"));
    let unsound_source =
        "strong link twin (x)A = (x)B {\n  x, y: digit\n  A, B: cell has x, y\n  require A sees B\n}\n";
    assert_eq!(reach_class(&(chain("twin") + unsound_source)), None);
}
