//! Helpers of many tests: puzzles, the built-in rules on a board, solution paths, transformed grids.

pub mod files;
pub mod states;

use pinion::engine::{Engine, Limits, RuleKnowledge};
use pinion::grid::formats::{Puzzle, read_one};
use pinion::grid::{BoardSpec, Candidate, Cell, Digit, Geometry, State};
use pinion::lang::ir::{Example, Technique};
use pinion::proof::{Uniqueness, uniqueness};
use pinion::solve::{Path, Profile, Rulebook, Solver, Step, member_label};
use proptest::test_runner::{Config, RngSeed};
use std::str::FromStr;
use std::sync::{Arc, OnceLock};

/// Puzzles with one solution, from easy to very hard.
pub const PUZZLES: [&str; 7] = [
    "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5",
    "..3..4...1.86539...5.7...83..6.37.9.7..4....54.....72.....9.51...9..6...8..3..26.",
    ".1..7.69.4.6.9..1.5.9.2...87....9....9..3..8....8....41...6.8.9.8..4.7.5.67.8..4.",
    "6..1....7..18.73...2.3...9..5.9.8641.........1482.6.3..7...2.1...64.18..8....3..4",
    "..8..5..6.3.......6.2.4.5.7...384.59..65..2.39..7...4...4.5.8.....2.8...8.946....",
    "1....7.9..3..2...8..96..5....53..9...1..8...26....4...3......1..4......7..7...3..",
    "..............3.85..1.2.......5.7.....4...1...9.......5......73..2.1........4...9",
];

/// Returns true in the full run of the tests, which `PINION_FULL=1` asks for.
pub fn is_full_run() -> bool {
    std::env::var_os("PINION_FULL").is_some_and(|value| !value.is_empty())
}

/// Returns `quick` in the quick run and `full` in the full run. Slow tests take their counts, strides and thresholds from
/// here.
pub fn quick_or_full<T>(quick: T, full: T) -> T {
    if is_full_run() { full } else { quick }
}

/// Returns settings of proptest: `quick` random cases in the quick run, `full` in the full run, always from the same
/// seed. `PROPTEST_CASES` and `PROPTEST_RNG_SEED` override the number and the seed.
pub fn quick_or_full_cases(quick: u32, full: u32) -> Config {
    Config {
        failure_persistence: None,
        cases: env_number("PROPTEST_CASES").unwrap_or(quick_or_full(quick, full)),
        rng_seed: RngSeed::Fixed(env_number("PROPTEST_RNG_SEED").unwrap_or(1)),
        max_shrink_iters: 200,
        ..Config::default()
    }
}

/// Returns the number in an environment variable, if it holds one.
pub fn env_number<T: FromStr>(name: &str) -> Option<T> {
    std::env::var(name).ok()?.parse().ok()
}

/// Advances a linear congruential generator and returns its next number, below 2³¹.
pub fn next_random(random: &mut u64) -> usize {
    *random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
    (*random >> 33) as usize
}

/// Two engines with the built-in rules on one board.
pub struct BoardEngines {
    pub geometry: Arc<Geometry>,
    /// Trusts no rule to be sound, so it searches every rule on every state.
    pub plain: Engine,
    /// Trusts every rule to be sound, so it skips a rule on states where no sound rule can find anything.
    pub trusting: Engine,
}

impl BoardEngines {
    /// Returns engines for a board given by its size (`6`) or its name (`windoku`).
    pub fn named(board: &str) -> BoardEngines {
        let spec = match board.parse() {
            Ok(size) => BoardSpec::standard(size),
            Err(_) => BoardSpec::named(board),
        };
        let spec = spec.expect("a board");
        let geometry = Arc::new(Geometry::new(spec).expect("a good board"));
        let rulebook = Rulebook::embedded();
        let [plain, trusting] = [RuleKnowledge::Unproved, RuleKnowledge::SoundAndPlannable].map(|knowledge| {
            Engine::with_knowledge(geometry.clone(), rulebook.techniques(), rulebook.sources(), &|_| knowledge)
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

/// Returns a solver with the built-in rules and the default profile.
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

/// Returns the steps of every built-in technique on each of its examples that is no near miss. The search runs once.
pub fn example_steps() -> &'static [ExampleSteps] {
    static STEPS: OnceLock<Vec<ExampleSteps>> = OnceLock::new();
    STEPS.get_or_init(|| {
        let rulebook = Rulebook::embedded();
        let examples: Vec<(&Technique, &Example)> = rulebook
            .techniques()
            .iter()
            .flat_map(|technique| technique.examples.iter().map(move |example| (technique, example)))
            .filter(|(_, example)| !example.near_miss)
            .collect();
        let standard_solver = solver(9);
        // Every other test that needs the steps waits for this search, so it uses all processors.
        states::in_parallel(&examples, |(technique, example)| {
            let id = &technique.id;
            let puzzle = read_one(&example.grid, None).expect("a grid");
            let own_solver;
            let solver = if puzzle.geometry.spec() == standard_solver.geometry().spec() {
                &standard_solver
            } else {
                own_solver = Solver::new(&rulebook, &puzzle.geometry, &Profile::default(), Limits::default());
                &own_solver
            };
            // Only the member that the example is for: others may have a thousand matches on its grid.
            let member = if example.args.is_empty() { id.clone() } else { member_label(id, &example.args) };
            let (state, geometry) = (puzzle.state(), puzzle.geometry.clone());
            let steps = solver.find_all(&state, Some(&member)).expect("the member is known").steps;
            ExampleSteps { technique: id.clone(), geometry, state, steps }
        })
    })
}

/// Returns the board of a grid, and the steps that the only rule of a rule text finds there.
pub fn steps_of_rule(rule_text: &str, grid: &str) -> (Arc<Geometry>, Vec<Step>) {
    let rulebook = Rulebook::embedded().with(vec![("own.pinion".to_string(), rule_text.to_string())]);
    let file = rulebook.files().last().expect("the file of the rule");
    assert_eq!(file.diagnostics, vec![], "{rule_text}");
    let id = file.techniques[0].clone();
    let puzzle = read_one(grid, None).expect("a grid");
    let solver = Solver::new(&rulebook, &puzzle.geometry, &Profile::default(), Limits::default());
    let steps = solver.find_all(&puzzle.state(), Some(&id)).expect("the rule is known").steps;
    (puzzle.geometry.clone(), steps)
}

/// Returns the paths of [`puzzles`] in the default profile. The puzzles are solved once.
pub fn paths() -> &'static [Path] {
    static PATHS: OnceLock<Vec<Path>> = OnceLock::new();
    PATHS.get_or_init(|| {
        let solver = solver(9);
        states::in_parallel(&puzzles(), |puzzle| solver.solve(puzzle.state()))
    })
}

/// Returns the states of a solution path, the start first.
pub fn states_along(solver: &Solver, start: &State) -> Vec<State> {
    solver.solve(start.clone()).positions(solver.geometry())
}

/// Solves a puzzle, checks every step against its one solution, and returns the path.
pub fn check_path(solver: &Solver, start: &State) -> Path {
    let Uniqueness::One(solution) = uniqueness(solver.geometry(), start) else {
        panic!("not a puzzle with one solution");
    };
    let path = solver.solve(start.clone());
    for step in &path.steps {
        for gone in &step.eliminations {
            assert_ne!(solution[gone.cell.index()], gone.digit, "{} eliminates {:?}", step.name, gone);
        }
        for placed in &step.placements {
            assert_eq!(solution[placed.cell.index()], placed.digit, "{} places {:?}", step.name, placed);
        }
    }
    path
}

/// A symmetry of the standard board: it renames digits, permutes rows and columns, and may transpose the grid.
pub struct Mapping {
    size: usize,
    /// New digit for each digit.
    digits: Vec<u8>,
    /// New row for each row, before the grid is transposed.
    rows: Vec<usize>,
    /// New column for each column, before the grid is transposed.
    columns: Vec<usize>,
    is_transposed: bool,
}

impl Mapping {
    /// Returns a random mapping for boxes of `box_size` rows and columns. An odd seed transposes the grid.
    pub fn from_seed(size: usize, box_size: usize, seed: u64) -> Mapping {
        // An xorshift generator; its state must not be 0.
        let mut random = seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1;
        let mut random_below = |bound: usize| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            (random % bound as u64) as usize
        };
        let mut shuffled = |count: usize| {
            let mut list: Vec<usize> = (0..count).collect();
            (1..count).rev().for_each(|i| list.swap(i, random_below(i + 1)));
            list
        };
        let digits = shuffled(size).into_iter().map(|digit| digit as u8).collect();
        // Lines of a chute (a band of rows or a stack of columns) stay together, so that boxes are mapped to boxes.
        let mut shuffled_lines = || -> Vec<usize> {
            let chutes = shuffled(size / box_size);
            chutes
                .into_iter()
                .flat_map(|chute| {
                    shuffled(box_size).into_iter().map(move |line| chute * box_size + line).collect::<Vec<_>>()
                })
                .collect()
        };
        let (rows, columns) = (shuffled_lines(), shuffled_lines());
        Mapping { size, digits, rows, columns, is_transposed: seed % 2 == 1 }
    }

    pub fn cell(&self, cell: Cell) -> Cell {
        let (row, column) = (self.rows[cell.index() / self.size], self.columns[cell.index() % self.size]);
        let (row, column) = if self.is_transposed { (column, row) } else { (row, column) };
        Cell((row * self.size + column) as u16)
    }

    pub fn digit(&self, digit: Digit) -> Digit {
        Digit(self.digits[digit.index()])
    }

    pub fn candidate(&self, candidate: Candidate) -> Candidate {
        Candidate::new(self.digit(candidate.digit), self.cell(candidate.cell))
    }

    pub fn state(&self, geometry: &Geometry, state: &State) -> State {
        let mut mapped = State::empty(geometry);
        for cell in geometry.cells() {
            let digits = state.candidates(cell).iter().map(|digit| self.digit(digit)).collect();
            match state.value(cell) {
                Some(value) => mapped.place(geometry, self.cell(cell), self.digit(value)),
                None => mapped.restrict(self.cell(cell), digits),
            }
        }
        // A state also has the initial candidates of each cell, which the puzzle itself gave.
        for cell in geometry.cells() {
            mapped.set_initial_candidates(
                self.cell(cell),
                state.initial_candidates(cell).iter().map(|digit| self.digit(digit)).collect(),
            );
        }
        mapped
    }
}
