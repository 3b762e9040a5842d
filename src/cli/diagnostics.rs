//! Drawing of diagnostics. In: a file's text and what is wrong with it. Out: text with the places marked.

use crate::lang::diagnostic::{Diagnostic, Severity};
use miette::{GraphicalReportHandler, GraphicalTheme, LabeledSpan, MietteDiagnostic, NamedSource, Report};

/// All diagnostics of a file, one below the other.
pub fn draw(file_name: &str, source: &str, diagnostics: &[Diagnostic], color: bool, width: usize) -> String {
    let theme = if color { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let handler = GraphicalReportHandler::new_themed(theme).with_width(width).with_links(false).with_context_lines(1);
    let mut out = String::new();
    for diagnostic in diagnostics {
        let report =
            Report::new(convert(diagnostic, source)).with_source_code(NamedSource::new(file_name, source.to_owned()));
        if handler.render_report(&mut out, report.as_ref()).is_err() {
            out.push_str(&diagnostic.message);
        }
        out.push('\n');
    }
    out.lines().map(str::trim_end).collect::<Vec<_>>().join("\n").trim_matches('\n').to_owned() + "\n"
}

fn convert(diagnostic: &Diagnostic, source: &str) -> MietteDiagnostic {
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
        match at {
            0 => LabeledSpan::new_primary_with_span(Some(label.text.clone()), span),
            _ => LabeledSpan::new_with_span(Some(label.text.clone()), span),
        }
    });
    out.with_labels(labels.collect::<Vec<_>>())
}
