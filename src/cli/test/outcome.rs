//! The result of a test. In: examples, cases and snapshots that were tried. Out: one kind of record for people, programs and CI, and the
//! XML that JUnit made common.

use crate::cli::prelude::*;
use crate::render::signs::sign;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Kind of test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An `example` in a rule file.
    Example,
    /// A `near_miss` in a rule file.
    NearMiss,
    /// The deductions that a library line of a test file lists.
    Case,
    /// All matches on a position of a test file.
    Snapshot,
}

/// Result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// As it must be.
    Passed,
    /// Other deductions than those listed.
    Failed,
    /// The test could not be tried.
    Unusable,
    /// A snapshot that nobody has accepted yet.
    New,
    /// A snapshot that differs from the accepted one.
    Changed,
}

/// A test with its result.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    /// The technique, or the member of it that is meant.
    pub technique: String,
    /// Kind of test.
    pub kind: Kind,
    /// Title.
    pub title: Option<String>,
    /// File of the test.
    pub file: Option<String>,
    /// From one.
    pub line: Option<usize>,
    /// Result of a test.
    pub verdict: Verdict,
    /// Deductions that were not found.
    pub missing: Vec<String>,
    /// Deductions that are not listed.
    pub extra: Vec<String>,
    /// Further explanation.
    pub message: Option<String>,
    /// Near misses of the missing deductions, in words.
    pub nearest: Vec<String>,
}

/// At most this many deductions are shown.
const SHOWN: usize = 12;

/// Wrong deductions that are named in a message.
const NAMED: usize = 3;

/// The message of a test whose deductions contradict the solution; at least one sentence about them.
pub fn wrong_words(wrong: &[String]) -> String {
    let more = wrong.len().saturating_sub(NAMED);
    let more = if more > 0 { format!("; and {more} more") } else { String::new() };
    let first = wrong[..wrong.len().min(NAMED)].join("; ");
    format!("a rule that concludes this is wrong, so it cannot be accepted: {first}{more}")
}

impl Outcome {
    /// Returns true if the test passed.
    pub fn passed(&self) -> bool {
        self.verdict == Verdict::Passed
    }

    /// Returns the code of the finding for a failed test.
    pub fn code(&self) -> &'static str {
        match self.kind {
            Kind::Example => "failed-example",
            Kind::NearMiss => "failed-near-miss",
            Kind::Case => "failed-case",
            Kind::Snapshot if self.verdict == Verdict::Failed => "wrong-snapshot",
            Kind::Snapshot => "changed-snapshot",
        }
    }

    /// Returns the place, kind and title of the test.
    pub fn heading(&self) -> String {
        let kind = match self.kind {
            Kind::Example => "example",
            Kind::NearMiss => "near miss",
            Kind::Case => "case",
            Kind::Snapshot => "snapshot",
        };
        let place = match (&self.file, self.line) {
            (Some(file), Some(line)) => format!("{file}:{line}: "),
            (Some(file), None) => format!("{file}: "),
            _ => String::new(),
        };
        let title = self.title.as_ref().map_or(String::new(), |title| format!(" \"{title}\""));
        format!("{place}{kind} {}{title}", self.technique)
    }

    /// Returns the lines about a failed test; none if it passed.
    pub fn lines(&self) -> Vec<Line> {
        let word = match self.verdict {
            Verdict::Passed => return Vec::new(),
            Verdict::Failed | Verdict::Unusable => "failed ",
            Verdict::New => "new ",
            Verdict::Changed => "changed ",
        };
        let mut lines = vec![Line::of(Role::Bad, word).and(Role::Plain, self.heading())];
        lines.extend(self.details());
        lines
    }

    /// Returns the deductions found instead, and the near misses.
    pub fn details(&self) -> Vec<Line> {
        let say = |words: &str, all: &[String], role: Role| -> Vec<Line> {
            let line = |one: &String| Line::text(format!("    {words} ")).and(role, one.clone());
            let left = all.len().saturating_sub(SHOWN);
            let more = (left > 0).then(|| Line::of(Role::Quiet, format!("    and {left} more")));
            all.iter().take(SHOWN).map(line).chain(more).collect()
        };
        let found = match self.kind {
            Kind::NearMiss => "found",
            Kind::Snapshot => "found now:",
            _ => "found, but not listed:",
        };
        let missing = if self.kind == Kind::Snapshot { "no longer found:" } else { "not found:" };
        let mut lines: Vec<Line> = self.message.iter().map(|words| Line::text(format!("    {words}"))).collect();
        lines.extend(say(missing, &self.missing, Role::Elimination));
        lines.extend(say(found, &self.extra, Role::Placement));
        lines.extend(self.nearest.iter().map(|words| Line::text(format!("    {words}"))));
        lines
    }
}

/// The text of a report: a suite for each technique, a case for each test.
pub fn junit(outcomes: &[Outcome], untested: &[String]) -> String {
    let mut suites: BTreeMap<&str, Vec<&Outcome>> = BTreeMap::new();
    for one in outcomes {
        suites.entry(one.technique.split('(').next().unwrap_or("")).or_default().push(one);
    }
    for id in untested {
        suites.entry(id).or_default();
    }
    let failed = |list: &[&Outcome]| list.iter().filter(|one| !one.passed()).count();
    let all: Vec<&Outcome> = outcomes.iter().collect();
    let (tests, failures) = (all.len() + untested.len(), failed(&all) + untested.len());
    let mut out = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(out, "<testsuites name=\"pinion\" tests=\"{tests}\" failures=\"{failures}\">");
    for (technique, list) in suites {
        let bare = usize::from(untested.iter().any(|id| id == technique));
        let (tests, failures) = (list.len() + bare, failed(&list) + bare);
        let _ =
            writeln!(out, "  <testsuite name=\"{}\" tests=\"{tests}\" failures=\"{failures}\">", escaped(technique));
        list.iter().for_each(|one| case(&mut out, technique, one));
        if bare > 0 {
            let name = escaped(technique);
            let _ = writeln!(out, "    <testcase name=\"has an example\" classname=\"{name}\">");
            out.push_str("      <failure message=\"nothing shows that it finds anything\"/>\n    </testcase>\n");
        }
        out.push_str("  </testsuite>\n");
    }
    out.push_str("</testsuites>\n");
    out
}

fn case(out: &mut String, technique: &str, one: &Outcome) {
    let _ = write!(out, "    <testcase name=\"{}\" classname=\"{}\"", escaped(&one.heading()), escaped(technique));
    if one.passed() {
        out.push_str("/>\n");
        return;
    }
    let word = match one.verdict {
        Verdict::New => "a new snapshot",
        Verdict::Changed => "the snapshot changed",
        Verdict::Unusable => "it could not be tried",
        Verdict::Failed if one.kind == Kind::Snapshot => "deductions that contradict the solution",
        _ => "other deductions than those listed",
    };
    let details: String = one.details().iter().map(|line| format!("{}\n", line.to_string().trim())).collect();
    let _ =
        writeln!(out, ">\n      <failure message=\"{word}\">{}</failure>\n    </testcase>", escaped(details.trim()));
}

/// With the characters that mean something in XML written out, and signs for those that it cannot hold.
fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            // Elsewhere a reader would make blanks of them.
            '\n' | '\r' | '\t' => out.push_str(&format!("&#{};", u32::from(c))),
            '\0'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => out.push_str(&escaped(&sign(c))),
            c => out.push(c),
        }
    }
    out
}
