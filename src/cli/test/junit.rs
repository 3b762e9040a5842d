//! Results for CI, in the XML that JUnit made common. In: outcomes. Out: a text.

use super::outcome::{Kind, Outcome, Verdict};
use crate::render::signs::sign;
use std::collections::BTreeMap;
use std::fmt::Write;

/// The text of a report: a suite for each technique, a case for each test.
pub fn report(outcomes: &[Outcome], untested: &[String]) -> String {
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
