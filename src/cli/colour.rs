//! Colours. In: roles of text, the environment. Out: styles for a terminal, and whether a stream gets them.

use super::args::Colour;
use crate::render::signs::visible;
use crate::render::{Line, Mark, Role};
use anstream::{AutoStream, ColorChoice};
use anstyle::{Ansi256Color, AnsiColor, Style};
use std::env;
use std::io::{IsTerminal, StderrLock, stderr};
use std::sync::{LazyLock, OnceLock};

/// The choice of the command line.
static ASKED: OnceLock<Colour> = OnceLock::new();

/// Keeps the choice of the command line, for all streams.
pub fn choose(colour: Colour) {
    let _ = ASKED.set(colour);
}

/// Returns true if a stream gets colours. An option decides, then `NO_COLOR`, then `CLICOLOR_FORCE` and `CLICOLOR`, of which 0 means
/// no, then whether it is a terminal that knows colours.
pub fn is_wanted(is_terminal: bool) -> bool {
    let value = |name: &str| env::var_os(name).filter(|value| !value.is_empty());
    match ASKED.get().copied().unwrap_or_default() {
        Colour::Always => true,
        Colour::Never => false,
        Colour::Auto if value("NO_COLOR").is_some() => false,
        Colour::Auto if value("CLICOLOR_FORCE").is_some_and(|value| value != "0") => true,
        Colour::Auto => {
            is_terminal
                && value("CLICOLOR").is_none_or(|value| value != "0")
                && env::var("TERM").as_deref() != Ok("dumb")
        }
    }
}

/// The error stream, for text with styles.
pub fn error_stream() -> AutoStream<StderrLock<'static>> {
    let choice = if is_wanted(stderr().is_terminal()) { ColorChoice::Always } else { ColorChoice::Never };
    AutoStream::new(stderr().lock(), choice)
}

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

/// A line with the styles of its roles, or without any; what is foreign in it is shown as signs.
pub fn paint(line: &Line, colours: bool) -> String {
    if !colours {
        return visible(&line.without_colours().to_string()).into_owned();
    }
    let piece = |piece: &crate::render::Piece| {
        let style = style(piece.role);
        let shown = visible(&piece.text);
        let text = shown.trim_start();
        let blanks = &shown[..shown.len() - text.len()];
        format!("{blanks}{style}{text}{style:#}")
    };
    line.pieces.iter().map(piece).collect()
}
