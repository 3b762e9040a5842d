//! Shared by the tests: puzzles, the embedded rulebook on a board, states along a path, grids transformed.

pub mod files;
pub mod states;

use pinion::engine::{Engine, Limits, RuleKnowledge};
use pinion::grid::formats::{Puzzle, read_one};
use pinion::grid::{BoardSpec, Candidate, Cell, Digit, Geometry, State};
use pinion::lang::ir::{Example, Technique};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::{Path, Profile, Rulebook, Solver, Step, member_label};
use proptest::test_runner::{Config, RngSeed};
use std::sync::{Arc, OnceLock};

/// Puzzles with one solution, of different depth.
pub const PUZZLES: [&str; 7] = [
    "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5",
    "..3..4...1.86539...5.7...83..6.37.9.7..4....54.....72.....9.51...9..6...8..3..26.",
    ".1..7.69.4.6.9..1.5.9.2...87....9....9..3..8....8....41...6.8.9.8..4.7.5.67.8..4.",
    "6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4",
    "..8..5..6.3.......6.2.4.5.7...384.59..65..2.39..7...4...4.5.8.....2.8...8.946....",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
];

/// Returns true in the full run, which `PINION_FULL=1` asks for.
pub fn is_full_run() -> bool {
    std::env::var_os("PINION_FULL").is_some_and(|value| !value.is_empty())
}

/// Returns `few` in the quick run and `all` in the full run: the slow tests take their counts, steps and thresholds
/// from here.
pub fn share<T>(few: T, all: T) -> T {
    if is_full_run() { all } else { few }
}

/// Proptest settings: `few` cases in the quick run, `all` in the full run. The seed is fixed, so that a run does not
/// depend on luck; `PROPTEST_CASES` and `PROPTEST_RNG_SEED` override both.
pub fn cases(few: u32, all: u32) -> Config {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    Config {
        failure_persistence: None,
        cases: number("PROPTEST_CASES").and_then(|asked| u32::try_from(asked).ok()).unwrap_or(share(few, all)),
        rng_seed: RngSeed::Fixed(number("PROPTEST_RNG_SEED").unwrap_or(1)),
        max_shrink_iters: 200,
        ..Config::default()
    }
}

/// Advances a linear congruential generator and returns its next number.
pub fn next_random(random: &mut u64) -> usize {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*random >> 33) as usize
}

/// Two engines with the rulebook on one board.
pub struct BoardEngines {
    pub geometry: Arc<Geometry>,
    /// Knows nothing of the rules beforehand.
    pub plain: Engine,
    /// Knows that each rule is sound, and skips one where no sound rule can find anything.
    pub trusting: Engine,
}

impl BoardEngines {
    /// Engines for a size or the name of a board.
    pub fn named(board: &str) -> BoardEngines {
        let standard = board.parse().ok().and_then(BoardSpec::standard);
        let spec = standard.or_else(|| BoardSpec::named(board)).expect("a board");
        let geometry = Arc::new(Geometry::new(spec).expect("a good board"));
        let rulebook = Rulebook::embedded();
        let [plain, trusting] = [RuleKnowledge::Unproved, RuleKnowledge::SoundAndPlannable].map(|trust| {
            Engine::with_knowledge(geometry.clone(), rulebook.techniques(), rulebook.sources(), &|_| trust)
                .expect("the rulebook compiles")
        });
        BoardEngines { geometry, plain, trusting }
    }
}

pub fn geometry(size: usize) -> Arc<Geometry> {
    Arc::new(Geometry::standard(size).expect("a standard size"))
}

pub fn puzzles() -> Vec<Puzzle> {
    PUZZLES.iter().map(|text| read_one(text, None).expect("a good puzzle")).collect()
}

pub fn solver(size: usize) -> Solver {
    Solver::new(&Rulebook::embedded(), &geometry(size), &Profile::default(), Limits::default())
}

/// The steps that a technique finds on one of its examples.
pub struct ExampleSteps {
    pub technique: String,
    pub geometry: Arc<Geometry>,
    pub state: State,
    pub steps: Vec<Step>,
}

/// Returns the steps of every technique of the rulebook on its examples, without near misses. They are found once.
pub fn example_steps() -> &'static [ExampleSteps] {
    static STEPS: OnceLock<Vec<ExampleSteps>> = OnceLock::new();
    STEPS.get_or_init(|| {
        let rulebook = Rulebook::embedded();
        let all: Vec<(&Technique, &Example)> = rulebook
            .techniques()
            .iter()
            .flat_map(|technique| technique.examples.iter().map(move |example| (technique, example)))
            .filter(|(_, example)| !example.near_miss)
            .collect();
        let standard_solver = solver(9);
        // Tests that want them wait for the first, and their processors would idle.
        states::in_parallel(&all, |(technique, example)| {
            let id = &technique.id;
            let puzzle = read_one(&example.grid, None).expect("a grid");
            let own_solver;
            let solver = if puzzle.geometry.spec() == standard_solver.geometry().spec() {
                &standard_solver
            } else {
                own_solver = Solver::new(&rulebook, &puzzle.geometry, &Profile::default(), Limits::default());
                &own_solver
            };
            // The member that the example is for: others may match a thousand times on its grid.
            let asked = if example.args.is_empty() { id.clone() } else { member_label(id, &example.args) };
            let (state, geometry) = (puzzle.state(), puzzle.geometry.clone());
            let steps = solver.find_all(&state, Some(&asked)).expect("it is known").steps;
            ExampleSteps { technique: id.clone(), geometry, state, steps }
        })
    })
}

/// Returns the steps that a rule finds on a grid, and the board.
pub fn steps_of_rule(rule: &str, grid: &str) -> (Arc<Geometry>, Vec<Step>) {
    let rulebook = Rulebook::embedded().with(vec![("own.pinion".to_string(), rule.to_string())]);
    let file = rulebook.files().last().expect("the file of the rule");
    assert_eq!(file.diagnostics, vec![], "{rule}");
    let id = file.techniques[0].clone();
    let puzzle = read_one(grid, None).expect("a grid");
    let solver = Solver::new(&rulebook, &puzzle.geometry, &Profile::default(), Limits::default());
    let found = solver.find_all(&puzzle.state(), Some(&id)).expect("it is known");
    (puzzle.geometry.clone(), found.steps)
}

/// Returns the paths of [`puzzles`] in the default profile. They are found once.
pub fn paths() -> &'static [Path] {
    static PATHS: OnceLock<Vec<Path>> = OnceLock::new();
    PATHS.get_or_init(|| {
        let solver = solver(9);
        states::in_parallel(&puzzles(), |puzzle| solver.solve(puzzle.state()))
    })
}

/// The states of a solution path, the start first.
pub fn states_along(solver: &Solver, start: &State) -> Vec<State> {
    solver.solve(start.clone()).positions(solver.geometry())
}

/// Solves and compares every step with the one solution; returns the path.
pub fn check_path(solver: &Solver, start: &State) -> Path {
    let Uniqueness::One(solution) = uniqueness(solver.geometry(), start) else {
        panic!("not a puzzle with one solution");
    };
    let path = solver.solve(start.clone());
    for step in &path.steps {
        for gone in &step.eliminations {
            assert_ne!(solution[gone.cell.index()], gone.digit, "{} takes {:?} away", step.name, gone);
        }
        for placed in &step.placements {
            assert_eq!(solution[placed.cell.index()], placed.digit, "{} places {:?}", step.name, placed);
        }
    }
    path
}

/// A renaming of digits, rows and columns that maps grids to grids.
pub struct Mapping {
    size: usize,
    digits: Vec<u8>,
    rows: Vec<usize>,
    columns: Vec<usize>,
    transpose: bool,
}

impl Mapping {
    /// A mapping made from a number; boxes are `box_size` square.
    pub fn from_seed(size: usize, box_size: usize, number: u64) -> Mapping {
        let mut random = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut next = |below: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % below as u64) as usize
        };
        let mut shuffled = |count: usize| {
            let mut list: Vec<usize> = (0..count).collect();
            (1..count).rev().for_each(|i| list.swap(i, next(i + 1)));
            list
        };
        let digits = shuffled(size).into_iter().map(|digit| digit as u8).collect();
        let mut lines = || -> Vec<usize> {
            let chutes = shuffled(size / box_size);
            chutes
                .into_iter()
                .flat_map(|chute| {
                    shuffled(box_size).into_iter().map(move |line| chute * box_size + line).collect::<Vec<_>>()
                })
                .collect()
        };
        let (rows, columns) = (lines(), lines());
        Mapping { size, digits, rows, columns, transpose: number % 2 == 1 }
    }

    pub fn cell(&self, cell: Cell) -> Cell {
        let (row, column) = (self.rows[cell.index() / self.size], self.columns[cell.index() % self.size]);
        let (row, column) = if self.transpose { (column, row) } else { (row, column) };
        Cell((row * self.size + column) as u16)
    }

    pub fn digit(&self, digit: Digit) -> Digit {
        Digit(self.digits[digit.index()])
    }

    pub fn candidate(&self, candidate: Candidate) -> Candidate {
        Candidate::new(self.digit(candidate.digit), self.cell(candidate.cell))
    }

    pub fn state(&self, geometry: &Geometry, state: &State) -> State {
        let mut out = State::empty(geometry);
        for cell in geometry.cells() {
            let digits = state.candidates(cell).iter().map(|digit| self.digit(digit)).collect();
            match state.value(cell) {
                Some(value) => out.place(geometry, self.cell(cell), self.digit(value)),
                None => out.restrict(self.cell(cell), digits),
            }
        }
        // The candidates that the puzzle itself leaves open are part of the state.
        for cell in geometry.cells() {
            out.set_initial_candidates(
                self.cell(cell),
                state.initial_candidates(cell).iter().map(|digit| self.digit(digit)).collect(),
            );
        }
        out
    }
}
