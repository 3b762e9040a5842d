//! Colours. In: roles of text. Out: styles for a terminal; the streams drop them where none is, or where
//! `NO_COLOR` is set.

use crate::render::{Line, Mark, Role};
use anstyle::{Ansi256Color, AnsiColor, Style};
use std::env;
use std::sync::LazyLock;

/// Failures.
pub const BAD: Style = AnsiColor::Red.on_default().bold();
/// Remarks.
pub const NOTE: Style = AnsiColor::Cyan.on_default().bold();
/// Less important.
pub const QUIET: Style = Style::new().dimmed();

/// Colours that people who do not tell red from green keep apart, bright enough on dark and dark enough on light; where a
/// terminal has only its own sixteen, the nearest of them.
fn mark(mark: Mark) -> Style {
    let (many, few) = match mark {
        Mark::Goes => (166, AnsiColor::Red),
        Mark::Placed => (36, AnsiColor::Green),
        Mark::On | Mark::OneOf => (32, AnsiColor::Blue),
        Mark::Off => (136, AnsiColor::Yellow),
        Mark::Guardian => (170, AnsiColor::Magenta),
        Mark::Supposed => (37, AnsiColor::Cyan),
        Mark::Support => return Style::new().bold(),
    };
    let style = if has_many() { Ansi256Color(many).on_default() } else { few.on_default() };
    match mark {
        Mark::OneOf => style.bold().underline(),
        Mark::Off => style,
        _ => style.bold(),
    }
}

/// Whether the terminal has 256 colours.
fn has_many() -> bool {
    static MANY: LazyLock<bool> = LazyLock::new(|| {
        let says = |name: &str, words: &[&str]| {
            env::var(name).is_ok_and(|value| words.iter().any(|word| value.contains(word)))
        };
        says("TERM", &["256color", "kitty", "alacritty"]) || says("COLORTERM", &["truecolor", "24bit"])
    });
    *MANY
}

fn style(role: Role) -> Style {
    match role {
        Role::Plain => Style::new(),
        Role::Name => Style::new().bold(),
        Role::Elimination => mark(Mark::Goes),
        Role::Placement => mark(Mark::Placed),
        Role::Pattern => mark(Mark::On),
        Role::Quiet => QUIET,
        Role::Good => AnsiColor::Green.on_default().bold(),
        // Yellow cannot be read on white.
        Role::Bad => mark(Mark::Goes),
        Role::Mark(one) | Role::Colour(one) => mark(one),
    }
}

/// A line with the styles of its roles.
pub fn paint(line: &Line) -> String {
    let piece = |piece: &crate::render::Piece| {
        let style = style(piece.role);
        let text = piece.text.trim_start();
        let blanks = &piece.text[..piece.text.len() - text.len()];
        format!("{blanks}{style}{text}{style:#}")
    };
    line.pieces.iter().map(piece).collect()
}
