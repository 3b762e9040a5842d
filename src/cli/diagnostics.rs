//! Drawing of diagnostics. In: a file's text and what is wrong with it. Out: text with the places marked.

use crate::lang::diagnostic::{Diagnostic, Severity};
use crate::lang::line_ends::lone_cr_as_lf;
use crate::render::signs::{visible, visible_lines};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report};

/// Findings of a file that are drawn, at most; nobody reads more, and a drawing is slow.
const MOST: usize = 100;

/// The diagnostics of a file, one below the other.
pub fn draw(file_name: &str, source: &str, diagnostics: &[Diagnostic], color: bool, width: usize) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false).with_context_lines(1);
    let source = &*lone_cr_as_lf(source);
    let mut out = String::new();
    for diagnostic in diagnostics.iter().take(MOST) {
        let (diagnostic, view) = clip(diagnostic, source);
        let (diagnostic, view) = with_signs(diagnostic, view);
        let report = Report::new(convert(&diagnostic, &view, width))
            .with_source_code(NamedSource::new(visible(file_name), view));
        if handler.render_report(&mut out, report.as_ref()).is_err() {
            out.push_str(&diagnostic.message);
        }
        out.push('\n');
    }
    if let Some(more) = diagnostics.len().checked_sub(MOST).filter(|more| *more > 0) {
        out.push_str(&format!("{more} more findings in {} are not shown\n", visible(file_name)));
    }
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned() + "\n"
}

fn convert(diagnostic: &Diagnostic, source: &str, width: usize) -> MietteDiagnostic {
    let severity = match diagnostic.severity {
        Severity::Warning => miette::Severity::Warning,
        Severity::Error => miette::Severity::Error,
    };
    let mut out = MietteDiagnostic::new(diagnostic.message.clone()).with_code(diagnostic.code).with_severity(severity);
    if let Some(help) = &diagnostic.help {
        out = out.with_help(help.clone());
    }
    let labels = diagnostic.labels.iter().enumerate().map(|(at, label)| {
        let start = label.span.start.min(source.len());
        let span = (start, label.span.end.min(source.len()).saturating_sub(start));
        let room = width.saturating_sub(BESIDE + column(source, start));
        let text = Some(if width < WIDE { broken(&label.text, room) } else { label.text.clone() });
        match at {
            0 => LabeledSpan::new_primary_with_span(text, span),
            _ => LabeledSpan::new_with_span(text, span),
        }
    });
    out.with_labels(labels.collect::<Vec<_>>())
}

/// From this width on, what is said at a place stands in one line.
const WIDE: usize = 100;
/// Columns that a drawing needs beside the text of a label.
const BESIDE: usize = 14;
/// What is said at a place has at least this width, wherever the place is.
const NARROWEST: usize = 24;

/// The characters before a byte in its line.
fn column(source: &str, at: usize) -> usize {
    let before = source.get(..at).unwrap_or("");
    before[before.rfind('\n').map_or(0, |end| end + 1)..].chars().count()
}

/// A text in lines of a width: the drawing breaks none of them by itself.
fn broken(text: &str, room: usize) -> String {
    let room = room.max(NARROWEST);
    let (mut out, mut used) = (String::new(), 0);
    for word in text.split(' ') {
        let wide = word.chars().count();
        let breaks = used > 0 && used + 1 + wide > room;
        out.push_str(if breaks {
            "\n"
        } else if used > 0 {
            " "
        } else {
            ""
        });
        used = if breaks { wide } else { used + usize::from(used > 0) + wide };
        out.push_str(word);
    }
    out
}

/// Lines longer than this are not shown whole.
const LONGEST: usize = 300;
/// What is shown of them on each side of a marked place.
const AROUND: usize = 60;

/// The source with very long lines cut to what is near a marked place, and the places in it.
fn clip(diagnostic: &Diagnostic, source: &str) -> (Diagnostic, String) {
    let mut out = diagnostic.clone();
    if source.lines().all(|line| line.len() <= LONGEST) {
        return (out, source.to_owned());
    }
    let mut view = String::new();
    let mut start = 0;
    for line in source.split_inclusive('\n') {
        let here = start..start + line.len();
        let marked: Vec<usize> =
            (0..diagnostic.labels.len()).filter(|at| here.contains(&diagnostic.labels[*at].span.start)).collect();
        let first = marked.iter().map(|at| diagnostic.labels[*at].span.start - start).min().unwrap_or(0);
        let from = if line.len() > LONGEST { floor(line, first.saturating_sub(AROUND)) } else { 0 };
        let to = if line.len() > LONGEST { floor(line, (first + AROUND * 2).min(line.len())) } else { line.len() };
        let shown = line.get(from..to).unwrap_or("").trim_end_matches('\n');
        for at in marked {
            let span = &diagnostic.labels[at].span;
            let place = |byte: usize| view.len() + (byte.saturating_sub(start + from)).min(shown.len());
            out.labels[at].span = place(span.start)..place(span.end);
        }
        view.push_str(shown);
        view.push_str(if line.ends_with('\n') { "\n" } else { "" });
        start = here.end;
    }
    (out, view)
}

/// Shows what is foreign in the source and in what is said about it as signs, and moves the places with it.
fn with_signs(mut diagnostic: Diagnostic, source: String) -> (Diagnostic, String) {
    let shown = |text: &str| visible_lines(text).into_owned();
    diagnostic.message = shown(&diagnostic.message);
    diagnostic.help = diagnostic.help.as_deref().map(shown);
    let view = shown(&source);
    let place = |byte: usize| shown(&source[..floor(&source, byte.min(source.len()))]).len();
    for label in &mut diagnostic.labels {
        label.text = shown(&label.text);
        if view != source {
            label.span = place(label.span.start)..place(label.span.end);
        }
    }
    (diagnostic, view)
}

/// The beginning of the character at a byte.
fn floor(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}
