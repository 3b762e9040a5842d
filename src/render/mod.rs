//! Words and pictures. In: steps and paths as data. Out: lines of text, records for machines, graphs. Nothing
//! here depends on a single technique or writes to a terminal.

mod candidate_graph;
mod case_record;
mod cases;
mod chart;
mod eureka;
mod graph_formats;
mod html;
mod line;
mod parts;
mod path;
mod reason;
mod record;
mod report;
mod rule_graph;
mod scene;
mod shape;
pub mod signs;
mod story;
mod svg;
mod terminal;
mod text;
mod words;

pub use candidate_graph::{
    CandidateGraph, CandidateGraphRecord, CandidateLink, LEGEND, candidate_dot, candidate_graph,
};
pub use case_record::{CaseRecord, InferenceRecord};
pub use chart::{Bar, bars};
pub use eureka::eureka;
pub use graph_formats::{dot, graphml};
pub use html::{html, keys, pieces};
pub use line::{Line, Piece, Role, unstyled};
pub use parts::in_parts;
pub use path::{Detail, cost, cuts, grid, limit_words, missing, path};
pub use reason::reason;
pub use record::{
    BindingRecord, CellRecord, LinkRecord, MarkRecord, PathRecord, StepRecord, VerifiedRecord, WrongRecord,
};
pub use report::{Page, Reported, page};
pub use rule_graph::RuleGraphRecord;
pub use scene::{Arc, Key, Mark, Reading, Scene, legend};
pub use story::{Telling, is_single, position, story};
pub use svg::{Measures, Picture, SHAPES, STYLE, board_svg, svg};
pub use terminal::drawing;
pub use text::{Headlines, effect, explained, headline, pattern};
pub use words::{contradiction_words, counted, counted_as, digits_and, list, thousands};
