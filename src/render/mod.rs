//! Renders steps and paths. In: steps and paths as data. Out: lines of text, JSON records, pictures, pages, graphs.
//!
//! In reading order:
//!
//! - `names`: cells, houses, candidates and chains in Sudoku notation ([`eureka`]); counts and lists in English.
//! - `line`: lines of text whose pieces have roles, for terminals and pages.
//! - `text`: a step as headline and explanation; `reason` writes its sentences and cases.
//! - `path`: a whole solution, step by step or shortened for a terminal.
//! - `record`: steps and paths as JSON and RON.
//! - `scene`: a step as marks, sets and links; `terminal` and `svg` draw it.
//! - `report`: paths on a page.
//! - `graphs`: the candidate graph and the graph of rules.
//! - `signs`: makes control characters in foreign text visible.
//!
//! ```text
//! Step ──StepWords──▶ Lines, sentences ──▶ StepRecord, PathRecord
//!   └──▶ Scene ──▶ terminal (Lines), SVG layers ──▶ pictures, report
//! ```

mod graphs;
mod line;
mod names;
mod path;
mod reason;
mod record;
mod report;
mod scene;
pub mod signs;
mod svg;
mod terminal;
mod text;

pub use graphs::{
    CandidateGraph, CandidateGraphRecord, CandidateLink, LEGEND, RuleGraphRecord, candidate_dot, candidate_graph, dot,
    graphml,
};
pub use line::{Line, Piece, Role, html_lines, html_pieces, split_to_width, unstyled};
pub use names::{
    capitalized, contradiction_words, count_phrase, count_phrase_of, digits_in_words, eureka, join_words, thousands,
};
pub use path::{
    PathOptions, ShortPathOptions, candidate_grid, cost_lines, cut_notes, is_single, limit_words, missing_row_lines,
    path_lines, position_lines, short_path_lines,
};
pub use reason::reason;
pub use record::{
    BindingRecord, CandidateRecord, CaseRecord, CellRecord, InferenceRecord, LinkRecord, PathRecord, StepRecord,
    VerifiedRecord, WrongRecord,
};
pub use report::{Page, PagePath, page};
pub use scene::{Arc, LegendKey, Mark, MarkReading, Scene, legend};
pub use svg::{Bar, Picture, SHAPES, STYLE, bars, board_svg, html_legend, picture_measures, svg};
pub use terminal::drawing;
pub use text::{Headlines, effect, headline, pattern, step_lines};
