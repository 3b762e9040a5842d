//! Words and pictures. In: steps and paths as data. Out: lines of text, records for machines, DOT. Nothing
//! here knows a technique or a terminal.

mod case_record;
mod cases;
mod chart;
mod dot;
mod eureka;
mod html;
mod line;
mod path;
mod reason;
mod record;
mod report;
mod scene;
mod shape;
pub mod signs;
mod story;
mod svg;
mod terminal;
mod text;
mod words;

pub use case_record::{CaseRecord, InferenceRecord};
pub use chart::{Bar, bars};
pub use dot::dot;
pub use eureka::eureka;
pub use html::{html, keys, pieces};
pub use line::{Line, Piece, Role, plain};
pub use path::{Detail, cost, cuts, grid, limit_words, missing, path};
pub use reason::reason;
pub use record::{BindingRecord, CellRecord, LinkRecord, MarkRecord, PathRecord, StepRecord, VerifiedRecord};
pub use report::{Page, Reported, page};
pub use scene::{Arc, Key, Mark, Reading, Scene, legend};
pub use story::{Telling, is_single, position, story};
pub use svg::{Measures, Picture, SHAPES, STYLE, board_svg, svg};
pub use terminal::drawing;
pub use text::{Headlines, effect, explained, headline, pattern};
pub use words::{contradiction_words, counted, counted_as, digits_and, list, thousands};
