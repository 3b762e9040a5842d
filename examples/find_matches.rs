//! Every match of a technique on a grid, as data and in words.

use pinion::engine::Limits;
use pinion::grid::formats::read_one;
use pinion::grid::notation;
use pinion::render::explained;
use pinion::solve::{Profile, Rulebook, Solver};

const GRID: &str = "
69 27  3    189  128 4     16  5  127
1  247 8    6    5   3     9   47 247
69 5   24   7    12  19    146 8  3
25 8   6    25   3   7     14  9  14
7  9   12   4    6   12    8   3  5
4  3   15   1589 18  1589  7   2  6
3  6   47   28   9   28    5   1  47
25 12  9    15   47  6     3   47 8
8  14  457  3    47  15    2   6  9
";

pub fn main() {
    let puzzle = read_one(GRID, None).expect("a grid of candidates");
    let solver = Solver::new(&Rulebook::embedded(), &puzzle.geometry, &Profile::default(), Limits::default());
    let found = solver.find_all(&puzzle.state(), Some("two_string_kite")).expect("the name is known");
    for step in &found.steps {
        for line in explained(solver.geometry(), step, 2) {
            println!("{line}");
        }
        for one in &step.eliminations {
            println!("  candidate {} of {}", one.digit, notation::cell(solver.geometry(), one.cell));
        }
    }
    assert_eq!(found.steps.len(), 2);
}
