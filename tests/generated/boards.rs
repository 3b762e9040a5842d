//! Boards and states at random. In: choices. Out: a board with or without boxes, regular or not, with further houses or none; a
//! solution, and a state that has it.

use super::choices::Choices;
use pinion::grid::{BoardSpec, Candidate, Cell, Digit, DigitSet, ExtraHouse, Geometry, Regions, State};
use pinion::proof::solutions;
use std::sync::{Arc, LazyLock};

/// A board and some of its solutions.
pub struct Board {
    pub geometry: Arc<Geometry>,
    pub solutions: Vec<Vec<Digit>>,
}

impl Board {
    /// A board with solutions to make states of.
    pub fn new(geometry: Geometry) -> Board {
        let solutions = some_solutions(&geometry);
        assert!(!solutions.is_empty(), "{} has no solution", geometry.spec().name);
        Board { geometry: Arc::new(geometry), solutions }
    }
}

/// Number of solutions of each board from which states are made.
const SOLUTIONS: usize = 40;

/// The boards: small ones, so that everything can be tried on them.
pub static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let spec = |name: &str, size: usize, regions: Regions| BoardSpec {
        name: name.into(),
        size,
        regions,
        extra: Vec::new(),
        sees: Vec::new(),
    };
    let jigsaw = |text: &str| Regions::Jigsaw(vec![text.into()]);
    let house = |name: &str, cells: &str| ExtraHouse { name: name.into(), cells: cells.into() };
    let mut diagonal = spec("4x4 with a diagonal", 4, Regions::Usual);
    diagonal.extra = vec![house("diagonal", "r1c1 r2c2 r3c3 r4c4")];
    let mut leaping = spec("6x6 with leaps", 6, Regions::None);
    leaping.sees = vec![(1, 2)];
    [
        spec("4x4", 4, Regions::Usual),
        spec("4x4 without boxes", 4, Regions::None),
        spec("4x4 jigsaw", 4, jigsaw("AAAB CABB CCDB CDDD")),
        diagonal,
        spec("6x6", 6, Regions::Usual),
        leaping,
    ]
    .into_iter()
    .map(|spec| Board::new(Geometry::new(spec).expect("a good board")))
    .collect()
});

/// The board of four rows with all of its solutions.
pub fn four_by_four() -> Board {
    let geometry = Geometry::standard(4).expect("a standard board");
    let all = solutions(&geometry, &State::empty(&geometry), 1_000);
    Board { geometry: Arc::new(geometry), solutions: all }
}

/// Solutions that differ early: each begins with another arrangement of the first row, or goes on differently.
fn some_solutions(board: &Geometry) -> Vec<Vec<Digit>> {
    let mut out: Vec<Vec<Digit>> = Vec::new();
    for first in 0..board.size() {
        for second in 0..board.size() {
            let mut state = State::empty(board);
            let (a, b) = (board.cell(0, 0), board.cell(1, board.size() - 1));
            state.restrict(a, DigitSet::single(Digit(first as u8)));
            state.restrict(b, DigitSet::single(Digit(second as u8)));
            out.extend(solutions(board, &state, 3));
        }
    }
    let step = out.len().div_ceil(SOLUTIONS).max(1);
    out.into_iter().step_by(step).collect()
}

/// A state, the solution that it was made of, and its board.
pub struct Sample {
    pub state: State,
    pub solution: Vec<Digit>,
}

/// A state of a board and one of its solutions.
pub fn sample(choices: &mut Choices, board: &Board) -> Sample {
    let solution = &board.solutions[choices.below(board.solutions.len())];
    sample_of(choices, &board.geometry, solution)
}

/// A state of a solution: some cells solved, some of the wrong candidates of the others gone, some of the solved cells given.
pub fn sample_of(choices: &mut Choices, geometry: &Geometry, solution: &[Digit]) -> Sample {
    let mut state = State::empty(geometry);
    let solved = choices.below(8);
    let kept = 1 + choices.below(4);
    for cell in geometry.cells() {
        if choices.below(8) < solved {
            state.place(geometry, cell, solution[cell.index()]);
        }
    }
    for cell in geometry.cells() {
        let wrong: Vec<Digit> =
            state.candidates(cell).iter().filter(|digit| *digit != solution[cell.index()]).collect();
        for digit in wrong {
            if state.value(cell).is_none() && choices.below(5) >= kept {
                state.eliminate(Candidate::new(digit, cell));
            }
        }
        if let Some(value) = state.value(cell).filter(|_| choices.chance(1, 2)) {
            state.set_initial_candidates(cell, DigitSet::single(value));
        }
    }
    Sample { state, solution: solution.to_vec() }
}

/// Returns true if a deduction contradicts a solution.
pub fn contradicts(solution: &[Digit], gone: &[Candidate], placed: &[Candidate]) -> bool {
    let truth = |cell: Cell| solution[cell.index()];
    gone.iter().any(|one| truth(one.cell) == one.digit) || placed.iter().any(|one| truth(one.cell) != one.digit)
}
