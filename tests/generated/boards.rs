//! Small boards with some of their solutions, and random states that have one of these solutions.

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
    pub fn new(geometry: Geometry) -> Board {
        let solutions = some_solutions(&geometry);
        assert!(!solutions.is_empty(), "{} has no solution", geometry.spec().name);
        Board { geometry: Arc::new(geometry), solutions }
    }
}

/// Maximum number of solutions of a board from which states are made.
const MAX_SOLUTIONS: usize = 40;

/// Boards of four and six rows, so that brute force can try everything on them. The first is the standard 4×4 board.
pub static BOARDS: LazyLock<Vec<Board>> = LazyLock::new(|| {
    let spec = |name: &str, size: usize, regions: Regions| BoardSpec {
        name: name.into(),
        size,
        regions,
        extra: Vec::new(),
        sees: Vec::new(),
    };
    let mut with_diagonal = spec("4x4 with a diagonal", 4, Regions::Usual);
    with_diagonal.extra = vec![ExtraHouse { name: "diagonal".into(), cells: "r1c1 r2c2 r3c3 r4c4".into() }];
    let mut with_leaps = spec("6x6 with leaps", 6, Regions::None);
    with_leaps.sees = vec![(1, 2)];
    let specs = [
        spec("4x4", 4, Regions::Usual),
        spec("4x4 without boxes", 4, Regions::None),
        spec("4x4 jigsaw", 4, Regions::Jigsaw(vec!["AAAB CABB CCDB CDDD".into()])),
        with_diagonal,
        spec("6x6", 6, Regions::Usual),
        with_leaps,
    ];
    specs.into_iter().map(|spec| Board::new(Geometry::new(spec).expect("a good board"))).collect()
});

/// Returns the standard 4×4 board with all of its solutions.
pub fn four_by_four() -> Board {
    let geometry = Geometry::standard(4).expect("a standard board");
    let all_solutions = solutions(&geometry, &State::empty(&geometry), 1_000);
    Board { geometry: Arc::new(geometry), solutions: all_solutions }
}

/// Returns up to three solutions for each pair of digits in r1c1 and in the last cell of row 2, or some of these solutions if
/// there are more than [`MAX_SOLUTIONS`].
fn some_solutions(board: &Geometry) -> Vec<Vec<Digit>> {
    let mut found: Vec<Vec<Digit>> = Vec::new();
    for first in 0..board.size() {
        for second in 0..board.size() {
            let mut state = State::empty(board);
            state.restrict(board.cell(0, 0), DigitSet::single(Digit(first as u8)));
            state.restrict(board.cell(1, board.size() - 1), DigitSet::single(Digit(second as u8)));
            found.extend(solutions(board, &state, 3));
        }
    }
    let stride = found.len().div_ceil(MAX_SOLUTIONS).max(1);
    found.into_iter().step_by(stride).collect()
}

/// A state and the solution that it was made from.
pub struct Sample {
    pub state: State,
    pub solution: Vec<Digit>,
}

/// Returns a random state of one of the board's solutions.
pub fn sample(choices: &mut Choices, board: &Board) -> Sample {
    let solution = &board.solutions[choices.below(board.solutions.len())];
    sample_of(choices, &board.geometry, solution)
}

/// Returns a random state of a solution. Some cells are solved, and some of these are givens; some wrong candidates of the
/// other cells are eliminated.
pub fn sample_of(choices: &mut Choices, geometry: &Geometry, solution: &[Digit]) -> Sample {
    let mut state = State::empty(geometry);
    let solved_eighths = choices.below(8);
    let kept_fifths = 1 + choices.below(4);
    for cell in geometry.cells() {
        if choices.below(8) < solved_eighths {
            state.place(geometry, cell, solution[cell.index()]);
        }
    }
    for cell in geometry.cells() {
        let wrong_digits: Vec<Digit> =
            state.candidates(cell).iter().filter(|digit| *digit != solution[cell.index()]).collect();
        for digit in wrong_digits {
            if state.value(cell).is_none() && choices.below(5) >= kept_fifths {
                state.eliminate(Candidate::new(digit, cell));
            }
        }
        if let Some(value) = state.value(cell)
            && choices.chance(1, 2)
        {
            state.set_initial_candidates(cell, DigitSet::single(value));
        }
    }
    Sample { state, solution: solution.to_vec() }
}

/// Returns true if an elimination or placement contradicts a solution.
pub fn contradicts(solution: &[Digit], eliminations: &[Candidate], placements: &[Candidate]) -> bool {
    let digit_at = |cell: Cell| solution[cell.index()];
    let is_right = |candidate: &Candidate| digit_at(candidate.cell) == candidate.digit;
    eliminations.iter().any(is_right) || !placements.iter().all(is_right)
}
