//! The engine for the web page. In: a request in JSON. Out: a response in JSON.
//!
//! [`Playground::call`] answers one request. Data derived from the last rule text and the last grid are kept between
//! requests. The caller provides the clock. `web/src/types.ts` describes the fields of the responses.
//!
//! - `text`: the rule text, its diagnostics, tokens and completions; built-in rules as templates; explanations of codes.
//! - `grid`: the grid, and changes of its cells; pictures as SVG with a legend.
//! - `matches`: matches of the rules on the grid, their explanations, and near misses; a solution, step by step.
//! - `checks`: examples, proofs and soundness of the rules.

mod checks;
mod grid;
mod matches;
mod text;

use crate::lang::format::format;
use crate::solve::{AddedRuleSoundness, Rulebook};
use crate::workbench::soundness_of_added_rules;
use grid::{Act, PuzzleGrid};
use matches::{MatchList, PathSoFar};
use serde::Deserialize;
use serde_json::{Value, json};
use text::RuleText;

/// A request of the page. `only` is the id of the only rule to search or prove; `None` means all rules of the text.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Request {
    /// The shapes that all pictures share, as SVG.
    Shapes,
    /// The list of built-in rules, and a template for a rule.
    Start,
    /// Diagnostics of a rule text and its matches on a grid, with the match number `chosen` drawn.
    Look { text: String, grid: String, board: Option<String>, only: Option<String>, chosen: Option<usize> },
    /// A picture of the grid, with the match number `chosen` of the last `Look`.
    Draw { chosen: Option<usize> },
    /// An explanation of a match of the last `Look`, for each line of its rule.
    Why { chosen: usize },
    /// The reasons why the rules conclude nothing about a candidate.
    WhyNot { text: String, grid: String, board: Option<String>, only: Option<String>, cell: usize, digit: usize },
    /// A grid with one cell changed.
    Edit { grid: String, board: Option<String>, cell: usize, digit: usize, act: Act },
    /// The step number `at` of a path. If `own_first` is true, rules of the text are tried before built-in rules.
    Step { text: String, grid: String, board: Option<String>, at: usize, own_first: bool },
    /// The soundness of the rules of a text on the board of a grid.
    Soundness { text: String, grid: String, board: Option<String> },
    /// Results of the examples and near misses of a text.
    Test { text: String },
    /// Proofs of the rules of a text.
    Prove { text: String, only: Option<String>, seconds: f64 },
    /// Completions at a position, in UTF-16 units.
    Complete { text: String, at: usize },
    /// Hover text of the word at a position, in UTF-16 units.
    Hover { text: String, at: usize },
    /// The text in its canonical layout.
    Format { text: String },
    /// A built-in rule as a template, with an example.
    Rule { id: String },
    /// The explanation of a diagnostic code.
    Explain { code: String },
}

/// The engine with the results that later requests reuse.
pub struct Playground {
    built_in: Rulebook,
    /// Returns milliseconds since a fixed moment.
    clock: fn() -> f64,
    text: Option<RuleText>,
    grid: Option<PuzzleGrid>,
    match_list: MatchList,
    path: Option<PathSoFar>,
    /// Soundness of the rules of the text on the board of the grid.
    soundness: Option<AddedRuleSoundness>,
}

impl Playground {
    /// Creates a playground without a text or a grid. `clock` returns milliseconds.
    pub fn new(clock: fn() -> f64) -> Playground {
        Playground {
            built_in: Rulebook::embedded(),
            clock,
            text: None,
            grid: None,
            match_list: MatchList::default(),
            path: None,
            soundness: None,
        }
    }

    /// Answers a request with `{"ok": …}`, or with `{"error": "message"}`.
    pub fn call(&mut self, request: &str) -> String {
        let answer = serde_json::from_str(request)
            .map_err(|error| format!("the request cannot be read: {error}"))
            .and_then(|request| self.answer(request));
        let envelope = match answer {
            Ok(value) => json!({ "ok": value }),
            Err(message) => json!({ "error": message }),
        };
        envelope.to_string()
    }

    fn answer(&mut self, request: Request) -> Result<Value, String> {
        Ok(match request {
            Request::Shapes => crate::render::SHAPES.into(),
            Request::Start => text::start(&self.built_in),
            Request::Look { text, grid, board, only, chosen } => {
                let grid_result = self.read(text, grid, board);
                matches::page_data(self, grid_result, only.as_deref(), chosen)
            }
            Request::Draw { chosen } => matches::draw_match(self, chosen)?,
            Request::Why { chosen } => matches::why(self, chosen)?,
            Request::WhyNot { text, grid, board, only, cell, digit } => {
                self.read(text, grid, board)?;
                matches::why_not(self, only.as_deref(), (cell, digit))?
            }
            Request::Edit { grid, board, cell, digit, act } => {
                PuzzleGrid::read(&self.built_in, grid, board)?.changed(cell, digit, act)?.into()
            }
            Request::Step { text, grid, board, at, own_first } => {
                self.read(text, grid, board)?;
                matches::step(self, at, own_first)?
            }
            Request::Soundness { text, grid, board } => {
                self.read(text, grid, board)?;
                checks::soundness(self)?
            }
            Request::Test { text } => checks::test(self.read_text(text)),
            Request::Prove { text, only, seconds } => {
                let clock = self.clock;
                checks::prove(self.read_text(text), only.as_deref(), clock, seconds)?
            }
            Request::Complete { text, at } => self.read_text(text).complete(at),
            Request::Hover { text, at } => self.read_text(text).hover(at).into(),
            Request::Format { text } => format(&text).ok().into(),
            Request::Rule { id } => text::rule(&self.built_in, &id)?,
            Request::Explain { code } => text::explain(&code)?,
        })
    }

    /// Reads a rule text and discards the data derived from the previous text. Does nothing if the text is unchanged.
    fn read_text(&mut self, text: String) -> &RuleText {
        match self.text.take() {
            Some(last) if last.was_read_from(&text) => self.text.insert(last),
            _ => {
                (self.match_list, self.path, self.soundness) = (MatchList::default(), None, None);
                self.text.insert(RuleText::new(&self.built_in, text))
            }
        }
    }

    /// Reads a text and a grid. Discards the data derived from the previous grid unless the grid is unchanged.
    fn read(&mut self, text: String, grid: String, board: Option<String>) -> Result<(), String> {
        self.read_text(text);
        if self.grid.as_ref().is_none_or(|last| !last.was_read_from(&grid, board.as_deref())) {
            (self.match_list, self.path, self.grid, self.soundness) = (MatchList::default(), None, None, None);
            self.grid = Some(PuzzleGrid::read(&self.built_in, grid, board)?);
        }
        Ok(())
    }

    /// Returns the soundness of the rules of the text on the board of the grid. The soundness is computed on the first
    /// call.
    fn soundness(&mut self) -> Result<AddedRuleSoundness, String> {
        if let Some(soundness) = &self.soundness {
            return Ok(soundness.clone());
        }
        let (text, grid) = self.text_and_grid()?;
        let soundness = soundness_of_added_rules(text.rulebook(), grid.geometry());
        Ok(self.soundness.insert(soundness).clone())
    }

    /// Returns the last text and grid. Fails if no text or no grid was read.
    fn text_and_grid(&self) -> Result<(&RuleText, &PuzzleGrid), String> {
        self.text.as_ref().zip(self.grid.as_ref()).ok_or_else(|| "there is no grid".to_string())
    }
}
