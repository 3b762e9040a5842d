//! Colours. In: roles of text. Out: styles for a terminal; the streams drop them where none is, or where
//! `NO_COLOR` is set.

use crate::render::{Line, Role};
use anstyle::{AnsiColor, Style};

/// Failures.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Remarks.
pub const NOTE: Style = AnsiColor::Cyan.on_default().bold();
/// Less important.
pub const QUIET: Style = Style::new().dimmed();

fn style(role: Role) -> Style {
    match role {
        Role::Plain => Style::new(),
        Role::Name => Style::new().bold(),
        Role::Elimination => AnsiColor::Red.on_default(),
        Role::Placement => AnsiColor::Green.on_default(),
        Role::Chain => AnsiColor::Cyan.on_default(),
        Role::Quiet => QUIET,
        Role::Good => AnsiColor::Green.on_default().bold(),
        Role::Bad => AnsiColor::Yellow.on_default().bold(),
    }
}

/// A line with the styles of its roles.
pub fn paint(line: &Line) -> String {
    let piece = |piece: &crate::render::Piece| {
        let style = style(piece.role);
        format!("{style}{}{style:#}", piece.text)
    };
    line.pieces.iter().map(piece).collect()
}
