//! The library in a few calls: load rules, find, solve, prove, test; the candidate graph. In: texts. Out: data that a program can read or
//! print.

use crate::engine::{Halt, Limits};
use crate::grid::formats::{FormatError, Puzzle, read_one};
use crate::grid::{BoardSpec, Geometry, State};
use crate::lang::diagnostic::{Severity, line_and_column};
use crate::lang::ir::Technique;
use crate::proof::{Member, Prover, Uniqueness, Verdict, had_unique_solution, uniqueness};
use crate::render::{self, CandidateGraph, Headlines, PathRecord, StepRecord};
use crate::solve::{AddedSoundness, Profile, Rulebook, Solver, nearest};
use crate::workbench::examples::{CheckedExample, check_technique};
use crate::workbench::{added_soundness, first_wrong_step, prove_or_refute};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// Rules that were read and checked: the built-in rulebook, and what you add to it.
///
/// All calls take puzzles as text, in any format of `docs/formats.md`: a line of 81 characters, a grid, a grid of candidates, a link. The
/// length decides the board, from 4×4 to 25×25.
///
/// # Your own rules
/// Before your rules are used on a board, they are proved for it, with a limited amount of work; that takes up to a second for each rule, once
/// for each board. Rules that are refuted are not used by [`solve`](Rules::solve). Steps of rules that are neither proved nor refuted are
/// marked: their [`soundness`](StepRecord::soundness) is `unproved`. [`prove`](Rules::prove) takes longer and decides more.
#[derive(Clone, Debug)]
pub struct Rules {
    book: Rulebook,
    /// Soundness of added rules, by board.
    known: Arc<Mutex<Vec<(BoardSpec, AddedSoundness)>>>,
}

/// The reason why a call has no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A rule file has errors: a line for each, `FILE:LINE: CODE: message`.
    #[error("{}", .0.join("\n"))]
    Rules(Vec<String>),
    /// The puzzle cannot be read.
    #[error("line {}, character {}: {}", .0.line, .0.column, .0.message)]
    Puzzle(FormatError),
    /// The puzzle has no solution.
    #[error("this puzzle has no solution")]
    NoSolution,
    /// The puzzle has more than one solution.
    #[error("this puzzle has several solutions")]
    SeveralSolutions,
    /// No rule has this name.
    #[error("there is no technique `{name}`{}", did_you_mean(nearest))]
    UnknownTechnique {
        /// The name as you gave it.
        name: String,
        /// Names that resemble it, the nearest first; may be empty.
        nearest: Vec<String>,
    },
    /// The rule is for a board that does not exist: the message.
    #[error("{0}")]
    Board(String),
}

fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(" or ")) }
}

impl Rules {
    /// Returns the built-in rulebook.
    pub fn built_in() -> Rules {
        Rules::of(Rulebook::embedded())
    }

    /// Adds the rules of one file. A rule replaces the one with the same id; other rules are tried after all existing ones.
    ///
    /// `file` is the name used in errors; `text` is the contents of the file.
    ///
    /// # Errors
    /// [`Error::Rules`] with every error of the file. Warnings do not count.
    ///
    /// # Example
    /// ```
    /// use pinion::{Error, Rules};
    ///
    /// let text = r#"
    /// technique last_place "Last Place" {
    ///   h: house
    ///   d: digit
    ///   require d in h = {c}
    ///   place d in c
    /// }
    /// "#;
    /// let rules = Rules::built_in().with("mine.pinion", text)?;
    ///
    /// let slip = text.replace("d in c", "d in q");
    /// let Err(Error::Rules(lines)) = rules.with("slip.pinion", &slip) else { panic!("q is declared nowhere") };
    /// assert!(lines[0].starts_with("slip.pinion:6: E0202"), "{lines:?}");
    /// # Ok::<(), pinion::Error>(())
    /// ```
    pub fn with(&self, file: &str, text: &str) -> Result<Rules, Error> {
        let book = self.book.clone().with([(file.to_owned(), text.to_owned())]);
        let found = book.files().iter().find(|one| one.name == file).map_or(&[][..], |one| &one.diagnostics);
        let errors: Vec<String> = found
            .iter()
            .filter(|one| one.severity == Severity::Error)
            .map(|one| {
                let (line, _) = line_and_column(text, one.start());
                format!("{file}:{line}: {}: {}", one.code, one.message)
            })
            .collect();
        if errors.is_empty() { Ok(Rules::of(book)) } else { Err(Error::Rules(errors)) }
    }

    /// Finds all matches of a technique on a puzzle as it is: nothing is solved before.
    ///
    /// `technique` is the id of a rule (`naked_subset`), a member of a family (`naked_subset(3)`) or the name of its steps
    /// (`Naked Triple`). Rules that assume one solution find nothing on other puzzles.
    ///
    /// # Errors
    /// [`Error::Puzzle`] or [`Error::UnknownTechnique`].
    ///
    /// # Example
    /// ```
    /// use pinion::Rules;
    ///
    /// let grid = "
    /// 34   34   12   12
    /// 1234 1234 1234 1234
    /// 1234 1234 1234 1234
    /// 1234 1234 1234 1234
    /// ";
    /// let steps = Rules::built_in().find(grid, "Naked Pair")?;
    /// assert!(steps.iter().any(|step| step.text == "Naked Pair: 3/4 in r1c12 => r2c12<>34"));
    /// // Rows, columns and digits count from 1.
    /// let first = &steps[0].eliminations[0];
    /// assert!((1..=4).contains(&first.row) && (1..=4).contains(&first.digit));
    /// # Ok::<(), pinion::Error>(())
    /// ```
    pub fn find(&self, puzzle: &str, technique: &str) -> Result<Vec<StepRecord>, Error> {
        let puzzle = read_one(puzzle, None).map_err(Error::Puzzle)?;
        let state = puzzle.state();
        let solver = self.solver(&puzzle, is_unique(&puzzle, &state).unwrap_or(false));
        let found = solver.find_all(&state, Some(technique)).map_err(|error| self.unknown(technique, error.nearest))?;
        let mut headlines = Headlines::default();
        let new = found.steps.iter().filter(|step| headlines.add(solver.geometry(), step).is_none());
        Ok(new.map(|step| StepRecord::new(solver.geometry(), step)).collect())
    }

    /// Solves a puzzle: the simplest technique that finds something makes each step. Nothing is guessed, so a hard puzzle may end
    /// with [`outcome`](PathRecord::outcome) `stuck`.
    ///
    /// # Errors
    /// [`Error::Puzzle`], [`Error::NoSolution`] or [`Error::SeveralSolutions`].
    ///
    /// # Example
    /// ```
    /// use pinion::Rules;
    ///
    /// let path = Rules::built_in().solve("..3..4.221......")?;
    /// for step in &path.steps {
    ///     println!("{}\n  {}", step.text, step.reason);
    /// }
    /// assert_eq!(path.outcome, "solved");
    /// assert_eq!(path.end, "1234341221434321");
    /// # Ok::<(), pinion::Error>(())
    /// ```
    pub fn solve(&self, puzzle: &str) -> Result<PathRecord, Error> {
        let puzzle = read_one(puzzle, None).map_err(Error::Puzzle)?;
        let state = puzzle.state();
        let solver = self.solver(&puzzle, is_unique(&puzzle, &state)?);
        let path = solver.solve(state);
        let wrong_step = first_wrong_step(solver.geometry(), &path);
        Ok(PathRecord { wrong_step, ..PathRecord::new(solver.geometry(), &path) })
    }

    /// Proves a rule, or finds a grid in which it is wrong. There is a [`Verdict`] for each member of a family and each case, on the 9×9
    /// board, or on every board if the proof does not depend on it.
    ///
    /// `technique` is the id of the rule. Most proofs take milliseconds, some take minutes.
    ///
    /// # Errors
    /// [`Error::UnknownTechnique`].
    ///
    /// # Example
    /// ```
    /// use pinion::{Rules, Status};
    ///
    /// let wrong = r#"
    /// technique hurried "Hurried" {
    ///   c: cell = {x, y}
    ///   place x in c
    /// }
    /// "#;
    /// let rules = Rules::built_in().with("mine.pinion", wrong)?;
    /// assert!(rules.prove("xyz_wing")?[0].status.is_proved());
    /// // A refuted rule comes with a grid in which it is wrong.
    /// assert!(matches!(rules.prove("hurried")?[0].status, Status::Refuted(_)));
    /// # Ok::<(), pinion::Error>(())
    /// ```
    pub fn prove(&self, technique: &str) -> Result<Vec<Verdict>, Error> {
        let rule = self.rule(technique)?;
        let board = self.book.board("9x9").map_err(Error::Board)?;
        let known = (self.book.techniques(), self.book.sources());
        let prover = Prover::new(&board, known.1).with_rules(known.0);
        let never: Rc<dyn Fn() -> bool> = Rc::new(|| false);
        let members = prover.members(rule);
        let members = members.iter().map(|(args, variant)| Member { technique: rule, args, variant: *variant });
        Ok(members.map(|member| prove_or_refute(&prover, &board, member, known, &never)).collect())
    }

    /// Runs the examples and near misses of a rule: it must find exactly what each example lists, and nothing in a near miss.
    ///
    /// `technique` is the id of the rule.
    ///
    /// # Errors
    /// [`Error::UnknownTechnique`].
    ///
    /// # Example
    /// ```
    /// use pinion::Rules;
    ///
    /// let results = Rules::built_in().test("xyz_wing")?;
    /// assert!(results.len() >= 2 && results.iter().all(|result| result.passed()));
    /// # Ok::<(), pinion::Error>(())
    /// ```
    pub fn test(&self, technique: &str) -> Result<Vec<CheckedExample>, Error> {
        Ok(check_technique(&self.book, self.rule(technique)?, Halt::default()))
    }

    fn rule(&self, id: &str) -> Result<&Technique, Error> {
        let rules = self.book.techniques();
        let found = rules.iter().find(|one| one.id == id);
        found.ok_or_else(|| self.unknown(id, nearest(id, rules.iter().map(|one| one.id.as_str()))))
    }

    fn unknown(&self, name: &str, nearest: Vec<String>) -> Error {
        Error::UnknownTechnique { name: name.to_owned(), nearest }
    }

    fn solver(&self, puzzle: &Puzzle, unique: bool) -> Solver {
        let knowledge = self.knowledge(&puzzle.geometry);
        let book = if unique { self.book.clone() } else { self.book.clone().without_uniqueness() };
        Solver::with_soundness(&knowledge, &book, &puzzle.geometry, &Profile::default(), Limits::default())
    }

    fn of(book: Rulebook) -> Rules {
        Rules { book, known: Arc::default() }
    }

    /// Returns the soundness of added rules on a board, derived once.
    fn knowledge(&self, geometry: &Arc<Geometry>) -> AddedSoundness {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, found)) = known.iter().find(|(board, _)| board == geometry.spec()) {
            return found.clone();
        }
        let found = added_soundness(&self.book, geometry);
        known.push((geometry.spec().clone(), found.clone()));
        found
    }
}

/// Returns the candidate graph of a puzzle as it is, an undirected [`petgraph`] graph: nodes are candidates, row by row and in each cell by
/// digit, and an edge joins two that cannot both be true. An edge is [strong](render::CandidateLink::Strong) if exactly one of the two is true.
///
/// # Errors
/// [`Error::Puzzle`].
///
/// # Example
/// ```
/// use pinion::petgraph::algo::articulation_points::articulation_points;
/// use pinion::{CandidateLink, candidate_graph};
///
/// let graph = candidate_graph("...14.3..4..1...")?;
/// assert_eq!((graph.node_count(), graph.edge_count()), (22, 46));
/// let strong = graph.edge_weights().filter(|link| **link == CandidateLink::Strong).count();
/// assert_eq!(strong, 22);
///
/// // Candidates without which the graph has more components.
/// let mut names: Vec<&str> = articulation_points(&graph).into_iter().map(|node| graph[node].text.as_str()).collect();
/// names.sort();
/// assert_eq!(names, ["(2)r2c2", "(2)r3c3"]);
/// # Ok::<(), pinion::Error>(())
/// ```
pub fn candidate_graph(puzzle: &str) -> Result<CandidateGraph, Error> {
    let puzzle = read_one(puzzle, None).map_err(Error::Puzzle)?;
    Ok(render::candidate_graph(&puzzle.geometry, &puzzle.state()))
}

/// Returns true if the clues alone have one solution, ignoring deleted candidates.
///
/// # Errors
/// If the puzzle as it is has none or several.
fn is_unique(puzzle: &Puzzle, state: &State) -> Result<bool, Error> {
    match uniqueness(&puzzle.geometry, state) {
        Uniqueness::One(_) => Ok(had_unique_solution(puzzle)),
        Uniqueness::None => Err(Error::NoSolution),
        Uniqueness::Many(..) => Err(Error::SeveralSolutions),
    }
}
