//! A puzzle from its clues to its solution, one step after the other.

use pinion::engine::Limits;
use pinion::grid::draw;
use pinion::grid::formats::read_one;
use pinion::render::headline;
use pinion::solve::{Outcome, Profile, Rulebook, Solver};

pub fn main() {
    let text = "8.9..3..4.24...61..7...6.297.2.4.......3.2.......5.1.225.1...4..47...83.1..7..2.5";
    let puzzle = read_one(text, None).expect("a puzzle");
    let classic = Profile::embedded("classic").expect("it is carried along");
    let solver = Solver::new(&Rulebook::embedded(), &puzzle.geometry, &classic, Limits::default());
    let path = solver.solve(puzzle.state());
    for step in &path.steps {
        println!("{}", headline(solver.geometry(), step));
    }
    println!("{}", draw::line(solver.geometry(), &path.end));
    assert_eq!(path.outcome, Outcome::Solved);
}
