//! The engine as a web page sees it. In: a request as JSON. Out: an answer as JSON. Between requests it keeps what the last ones
//! worked out of the same rule text and the same grid. It has no clock: whoever makes it brings one.

mod ask;
mod book;
mod examples;
mod grid;
mod look;
mod path;
mod picture;
mod prove;
mod text;

use crate::solve::{Knowledge, Rulebook};
use crate::workbench::knowledge;
use grid::{Act, Position, Refusal};
use look::Found;
use path::Walked;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use text::RuleText;

/// What a page asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case")]
enum Request {
    /// The shapes that all pictures share, as SVG.
    Shapes,
    /// The rulebook, and what to begin with.
    Start,
    /// What is wrong with a text, and what its rules find on a grid.
    Look { text: String, grid: String, board: Option<String>, only: Option<String>, chosen: Option<usize> },
    /// A match of the last look in the grid; without a number the grid alone.
    Draw { chosen: Option<usize> },
    /// A match of the last look, line by line of its rule.
    Why { chosen: usize },
    /// Why no match of a rule shows something of a candidate.
    WhyNot { text: String, grid: String, board: Option<String>, only: Option<String>, cell: usize, digit: usize },
    /// A grid with one cell changed.
    Edit { grid: String, board: Option<String>, cell: usize, digit: usize, act: Act },
    /// The grid of the next step of a path, or of one that was made before.
    Step { text: String, grid: String, board: Option<String>, at: usize, own_first: bool },
    /// Whether the rules of a text are proved on the board of a grid.
    Soundness { text: String, grid: String, board: Option<String> },
    /// Whether examples and near misses are as they say.
    Test { text: String },
    /// Whether rules are right in every grid.
    Prove { text: String, only: Option<String>, seconds: f64 },
    /// What may come next at a place.
    Complete { text: String, at: usize },
    /// What the word at a place is.
    Hover { text: String, at: usize },
    /// The text in its canonical layout.
    Format { text: String },
    /// A rule of the rulebook with an example.
    Rule { id: String },
    /// What the code of a message means.
    Explain { code: String },
}

/// The engine with what it remembers.
pub struct Playground {
    built_in: Rulebook,
    /// Milliseconds since some moment.
    clock: fn() -> f64,
    text: Option<RuleText>,
    position: Option<Position>,
    found: Found,
    walked: Option<Walked>,
    /// The soundness of the rules of the text on the board of the grid.
    known: Option<Knowledge>,
}

impl Playground {
    /// Nothing was asked yet.
    pub fn new(clock: fn() -> f64) -> Playground {
        let built_in = Rulebook::embedded();
        Playground { built_in, clock, text: None, position: None, found: Found::default(), walked: None, known: None }
    }

    /// Answers a request: `{"ok": …}`, or `{"error": "why not"}`.
    pub fn call(&mut self, request: &str) -> String {
        let answer = serde_json::from_str(request)
            .map_err(|error| format!("the request cannot be read: {error}"))
            .and_then(|request| self.answer(request));
        let told = match answer {
            Ok(value) => serde_json::json!({ "ok": value }),
            Err(words) => serde_json::json!({ "error": words }),
        };
        told.to_string()
    }

    fn answer(&mut self, request: Request) -> Result<Value, Refusal> {
        match request {
            Request::Shapes => json(&crate::render::SHAPES),
            Request::Start => json(&book::start(&self.built_in)),
            Request::Look { text, grid, board, only, chosen } => {
                self.read(text);
                let read = self.place(grid, board);
                json(&look::look(self, read, only.as_deref(), chosen))
            }
            Request::Draw { chosen } => json(&look::draw(self, chosen)?),
            Request::Why { chosen } => json(&look::why(self, chosen)?),
            Request::WhyNot { text, grid, board, only, cell, digit } => {
                self.read(text);
                self.place(grid, board)?;
                json(&ask::why_not(self, only.as_deref(), (cell, digit))?)
            }
            Request::Edit { grid, board, cell, digit, act } => {
                json(&Position::read(&self.built_in, grid, board)?.changed(cell, digit, act)?)
            }
            Request::Step { text, grid, board, at, own_first } => {
                self.read(text);
                self.place(grid, board)?;
                json(&path::step(self, at, own_first)?)
            }
            Request::Soundness { text, grid, board } => {
                self.read(text);
                self.place(grid, board)?;
                json(&prove::soundness(self)?)
            }
            Request::Test { text } => json(&examples::test(self.read(text))),
            Request::Prove { text, only, seconds } => {
                let clock = self.clock;
                json(&prove::prove(self.read(text), only.as_deref(), clock, seconds)?)
            }
            Request::Complete { text, at } => json(&self.read(text).complete(at)),
            Request::Hover { text, at } => json(&self.read(text).hover(at)),
            Request::Format { text } => json(&text::formatted(&text)),
            Request::Rule { id } => json(&book::rule(&self.built_in, &id)?),
            Request::Explain { code } => json(&book::explain(&code)?),
        }
    }

    /// The text as it was read; once, as long as it stays the same.
    fn read(&mut self, text: String) -> &RuleText {
        match self.text.take().filter(|known| known.is(&text)) {
            Some(known) => self.text.insert(known),
            None => {
                (self.found, self.walked, self.known) = (Found::default(), None, None);
                self.text.insert(RuleText::new(&self.built_in, text))
            }
        }
    }

    /// The same of a grid.
    fn place(&mut self, grid: String, board: Option<String>) -> Result<(), Refusal> {
        if self.position.as_ref().is_none_or(|known| !known.is(&grid, board.as_deref())) {
            (self.found, self.walked, self.position, self.known) = (Found::default(), None, None, None);
            self.position = Some(Position::read(&self.built_in, grid, board)?);
        }
        Ok(())
    }

    /// The soundness of the rules of the text on the board of the grid, worked out once.
    fn know(&mut self) -> Result<Knowledge, Refusal> {
        let known = match self.known.take() {
            Some(known) => known,
            None => {
                let (text, position) = self.both()?;
                knowledge(text.rulebook(), position.geometry())
            }
        };
        Ok(self.known.insert(known).clone())
    }

    /// Both, once they are read.
    fn both(&self) -> Result<(&RuleText, &Position), Refusal> {
        let missing = || "there is no grid".to_string();
        Ok((self.text.as_ref().ok_or_else(missing)?, self.position.as_ref().ok_or_else(missing)?))
    }
}

fn json(value: &impl Serialize) -> Result<Value, Refusal> {
    serde_json::to_value(value).map_err(|error| error.to_string())
}
