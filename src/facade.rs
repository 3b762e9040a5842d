//! The public API: [`Rules`] loads rules, searches, solves, proves and tests; [`candidate_graph`] builds a graph. In: texts. Out: data that
//! can be serialized.

use crate::engine::{Halt, Limits};
use crate::grid::formats::{FormatError, Puzzle, read_one};
use crate::grid::{BoardSpec, Geometry, State};
use crate::lang::diagnostic::{Severity, line_and_column};
use crate::lang::ir::Technique;
use crate::proof::{Member, Prover, Uniqueness, Verdict, clues_have_unique_solution, uniqueness};
use crate::render::{self, CandidateGraph, Headlines, PathRecord, StepRecord};
use crate::solve::{AddedRuleSoundness, Profile, Rulebook, Solver, nearest};
use crate::workbench::examples::{CheckedExample, check_technique};
use crate::workbench::{first_wrong_step, prove_or_refute, soundness_of_added_rules};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};

/// The built-in rules and the rules that you add.
///
/// All calls take puzzles as text, in any format of `docs/formats.md`: a line of 81 characters, a grid, a grid of candidates, a link. The
/// length decides the board, from 4×4 to 25×25.
///
/// # Your own rules
/// Before your rules are used on a board, Pinion tries to prove them for that board. The attempt takes up to a second for each rule, once for
/// each board. [`solve`](Rules::solve) does not use rules that are refuted. Steps of rules that are neither proved nor refuted are marked:
/// their [`soundness`](StepRecord::soundness) is `unproved`. [`prove`](Rules::prove) takes longer and decides more.
#[derive(Clone, Debug)]
pub struct Rules {
    rulebook: Rulebook,
    /// Soundness of the added rules on each board that was used. Clones share this cache.
    soundness_by_board: Arc<Mutex<Vec<(BoardSpec, AddedRuleSoundness)>>>,
}

/// The error of a call.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A rule file has errors; each string is `FILE:LINE: CODE: message`.
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
        /// Names that resemble the given name, the nearest first; may be empty.
        nearest: Vec<String>,
    },
    /// The board cannot be built; the string is the message.
    #[error("{0}")]
    Board(String),
}

fn did_you_mean(nearest: &[String]) -> String {
    if nearest.is_empty() { String::new() } else { format!("; did you mean {}?", nearest.join(" or ")) }
}

impl Rules {
    /// Returns the built-in rulebook.
    pub fn built_in() -> Rules {
        Rules::from_rulebook(Rulebook::embedded())
    }

    /// Adds the rules of one file. A rule replaces the existing rule with the same id; new rules are tried after all existing rules.
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
        let rulebook = self.rulebook.clone().with([(file.to_owned(), text.to_owned())]);
        let mut errors = Vec::new();
        for rule_file in rulebook.files().iter().filter(|rule_file| rule_file.name == file) {
            for diagnostic in rule_file.diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error) {
                let (line, _) = line_and_column(text, diagnostic.start());
                errors.push(format!("{file}:{line}: {}: {}", diagnostic.code, diagnostic.message));
            }
        }
        if errors.is_empty() { Ok(Rules::from_rulebook(rulebook)) } else { Err(Error::Rules(errors)) }
    }

    /// Finds all matches of a technique on a puzzle, without solving it first.
    ///
    /// `technique` is the id of a rule (`naked_subset`), a rule with the values of its parameters (`naked_subset(3)`) or the name of its
    /// steps (`Naked Triple`). Rules that assume a unique solution find nothing if the puzzle has none or several.
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
        let found =
            solver.find_all(&state, Some(technique)).map_err(|error| unknown_technique(technique, error.nearest))?;
        let (mut headlines, mut records) = (Headlines::default(), Vec::new());
        for step in &found.steps {
            // Two rules may find the same step.
            if headlines.add(solver.geometry(), step).is_none() {
                records.push(StepRecord::new(solver.geometry(), step));
            }
        }
        Ok(records)
    }

    /// Solves a puzzle. Each step uses the simplest technique that has a match. Nothing is guessed, so a hard puzzle may end with
    /// [`outcome`](PathRecord::outcome) `stuck`.
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

    /// Proves a rule, or finds a grid in which it is wrong. Returns a [`Verdict`] for each combination of parameter values and alternatives
    /// of the rule. A verdict holds on the 9×9 board, or on every board if the proof does not depend on the board.
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
        let board = self.rulebook.board("9x9").map_err(Error::Board)?;
        let (techniques, sources) = (self.rulebook.techniques(), self.rulebook.sources());
        let prover = Prover::new(&board, sources).with_rules(techniques);
        let never_cancelled: Rc<dyn Fn() -> bool> = Rc::new(|| false);
        let mut verdicts = Vec::new();
        for (args, variant) in prover.members(rule) {
            let member = Member { technique: rule, args: &args, variant };
            verdicts.push(prove_or_refute(&prover, &board, member, (techniques, sources), &never_cancelled));
        }
        Ok(verdicts)
    }

    /// Runs the examples and near misses of a rule. The rule must find exactly the deductions that an example lists, and nothing in a near
    /// miss.
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
        Ok(check_technique(&self.rulebook, self.rule(technique)?, Halt::default()))
    }

    fn rule(&self, id: &str) -> Result<&Technique, Error> {
        let rules = self.rulebook.techniques();
        match rules.iter().find(|rule| rule.id == id) {
            Some(rule) => Ok(rule),
            None => Err(unknown_technique(id, nearest(id, rules.iter().map(|rule| rule.id.as_str())))),
        }
    }

    fn solver(&self, puzzle: &Puzzle, is_unique: bool) -> Solver {
        let soundness = self.soundness_on(&puzzle.geometry);
        let rulebook = if is_unique { self.rulebook.clone() } else { self.rulebook.clone().without_uniqueness() };
        Solver::with_soundness(&soundness, &rulebook, &puzzle.geometry, &Profile::default(), Limits::default())
    }

    fn from_rulebook(rulebook: Rulebook) -> Rules {
        Rules { rulebook, soundness_by_board: Arc::default() }
    }

    /// Returns the soundness of the added rules on a board. The soundness is derived once for each board.
    fn soundness_on(&self, geometry: &Arc<Geometry>) -> AddedRuleSoundness {
        let mut by_board = self.soundness_by_board.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, soundness)) = by_board.iter().find(|(board, _)| board == geometry.spec()) {
            return soundness.clone();
        }
        let soundness = soundness_of_added_rules(&self.rulebook, geometry);
        by_board.push((geometry.spec().clone(), soundness.clone()));
        soundness
    }
}

fn unknown_technique(name: &str, nearest: Vec<String>) -> Error {
    Error::UnknownTechnique { name: name.to_owned(), nearest }
}

/// Returns the candidate graph of a puzzle, without solving it first, as an undirected [`petgraph`] graph.
///
/// The nodes are the candidates, ordered by row, column and digit. An edge joins two candidates that cannot both be true. The edge is
/// [strong](render::CandidateLink::Strong) if one of the two must be true.
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
/// If the puzzle, with its deleted candidates, has no solution or several.
fn is_unique(puzzle: &Puzzle, state: &State) -> Result<bool, Error> {
    match uniqueness(&puzzle.geometry, state) {
        Uniqueness::One(_) => Ok(clues_have_unique_solution(puzzle)),
        Uniqueness::None => Err(Error::NoSolution),
        Uniqueness::Many(..) => Err(Error::SeveralSolutions),
    }
}
