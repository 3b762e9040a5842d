//! Profiles among the files of `check` and `lint`. In: paths, a rulebook. Out: what is wrong with a profile: what cannot be read,
//! prices with errors, rows that can never be used.

use super::annotations::{Annotation, Region};
use super::diagnostics;
use super::exit::{Failure, Stop};
use super::input;
use super::output::Output;
use super::rules::width;
use crate::engine::Limits;
use crate::grid::Geometry;
use crate::lang::diagnostic::Diagnostic;
use crate::render::{Line, Role, counted};
use crate::solve::{MissingRow, PriceFault, Profile, Rulebook, Solver, faults};
use serde::Serialize;
use std::path::PathBuf;
use std::sync::Arc;

/// Profiles, and what is left of some paths.
pub fn apart(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    paths.iter().cloned().partition(|path| path.extension().is_some_and(|extension| extension == "ron"))
}

#[derive(Serialize)]
struct Record<'a> {
    profile: &'a str,
    rows: usize,
    /// The error that a profile that cannot be read has.
    error: Option<String>,
    price_errors: Vec<String>,
    never_used: &'a [MissingRow],
}

/// Looks at profiles; how many have errors, and how many rows are never used.
pub fn look_at(paths: &[PathBuf], rulebook: &Rulebook, out: &mut Output) -> Result<(usize, usize), Stop> {
    let (mut wrong, mut idle) = (0, 0);
    for path in paths {
        let text = input::text(path)?;
        let (errors, rows) = one(&path.display().to_string(), &text, rulebook, out)?;
        wrong += usize::from(errors);
        idle += rows;
    }
    Ok((wrong, idle))
}

/// What is wrong with profiles, for tools that show it beside their text.
pub fn annotated(paths: &[PathBuf], rulebook: &Rulebook) -> Result<Vec<Annotation>, Stop> {
    let mut all = Vec::new();
    for path in paths {
        all.extend(annotations_of(&path.display().to_string(), &input::text(path)?, rulebook));
    }
    Ok(all)
}

fn annotations_of(name: &str, text: &str, rulebook: &Rulebook) -> Vec<Annotation> {
    let on_file = |code: &str, is_error, region, message| Annotation {
        code: code.into(),
        is_error,
        file: name.into(),
        region,
        message,
        others: Vec::new(),
    };
    let profile = match Profile::read(name, text) {
        Ok(profile) => profile,
        Err(error) => return vec![on_file("unreadable-profile", true, None, error.to_string())],
    };
    let faults = faults(&profile.resolved(rulebook.techniques()), rulebook.techniques());
    if !faults.is_empty() {
        let one = |PriceFault { text: price, found }: PriceFault| {
            let at = place(text, &price);
            found.into_iter().map(move |found| match at {
                Some(at) => Annotation::new(name, text, &found.moved(at)),
                None => Annotation { region: None, others: Vec::new(), ..Annotation::new(name, &price, &found) },
            })
        };
        return faults.into_iter().flat_map(one).collect();
    }
    let idle = |MissingRow { row, reason }| {
        let region = place(text, &row).map(|at| Region::new(text, &(at..at + row.len())));
        on_file("unused-row", false, region, format!("the row of `{row}` can never be used: {reason}"))
    };
    never_used(&profile, rulebook).into_iter().map(idle).collect()
}

/// Where a text stands in a profile, unless it has marks that RON writes otherwise.
fn place(profile: &str, text: &str) -> Option<usize> {
    profile.find(&format!("\"{text}\"")).map(|at| at + 1)
}

/// Looks at the profiles of the program.
pub fn look_at_own(rulebook: &Rulebook, out: &mut Output) -> Result<usize, Stop> {
    let mut idle = 0;
    for profile in Profile::all_embedded() {
        let never_used = never_used(&profile, rulebook);
        idle += never_used.len();
        if !never_used.is_empty() || !out.is_text() {
            tell(&profile.name, &profile, &never_used, out)?;
        }
    }
    Ok(idle)
}

fn one(name: &str, text: &str, rulebook: &Rulebook, out: &mut Output) -> Result<(bool, usize), Stop> {
    let profile = match Profile::read(name, text) {
        Ok(profile) => profile,
        Err(error) => {
            if out.is_text() {
                Failure::input(format!("the profile cannot be read: {error}")).tell();
            } else {
                let error = Some(error.to_string());
                out.value(&Record { profile: name, rows: 0, error, price_errors: Vec::new(), never_used: &[] })?;
            }
            return Ok((true, 0));
        }
    };
    let faults = faults(&profile.resolved(rulebook.techniques()), rulebook.techniques());
    if !faults.is_empty() {
        if out.is_text() {
            out.text(&drawn(name, text, &faults))?;
        } else {
            let messages = faults.iter().flat_map(|fault| fault.found.iter().map(|one| one.message.clone()));
            let (rows, price_errors) = (profile.rows.len(), messages.collect());
            out.value(&Record { profile: name, rows, error: None, price_errors, never_used: &[] })?;
        }
        return Ok((true, 0));
    }
    let never_used = never_used(&profile, rulebook);
    tell(name, &profile, &never_used, out)?;
    Ok((false, never_used.len()))
}

/// Rows that can never be used, on the common board.
fn never_used(profile: &Profile, rulebook: &Rulebook) -> Vec<MissingRow> {
    let Some(geometry) = Geometry::standard(9) else { return Vec::new() };
    let solver = Solver::new(rulebook, &Arc::new(geometry), profile, Limits::default());
    solver.ranking().missing.clone()
}

fn tell(name: &str, profile: &Profile, never_used: &[MissingRow], out: &mut Output) -> Result<(), Stop> {
    let rows = profile.rows.len();
    if !out.is_text() {
        out.value(&Record { profile: name, rows, error: None, price_errors: Vec::new(), never_used })?;
        return Ok(());
    }
    for MissingRow { row, reason } in never_used {
        let words = format!("{name}: the row of `{row}` can never be used: {reason}");
        out.lines(&[Line::of(Role::Bad, "warning: ").and(Role::Plain, words)])?;
    }
    let end = match never_used.len() {
        0 => "nothing to mend".to_owned(),
        many => format!("{} that can never be used", counted(many, "row")),
    };
    let role = if never_used.is_empty() { Role::Good } else { Role::Bad };
    out.lines(&[Line::plain(format!("{name}, a profile of {}: ", counted(rows, "row"))).and(role, end)])?;
    Ok(())
}

/// What is wrong with prices, drawn at their places.
pub fn drawn(name: &str, text: &str, faults: &[PriceFault]) -> String {
    let one = |PriceFault { text: price, found }: &PriceFault| {
        let (source, at) = place(text, price).map_or((price.as_str(), 0), |at| (text, at));
        let found: Vec<Diagnostic> = found.iter().cloned().map(|one| one.moved(at)).collect();
        diagnostics::draw(name, source, &found, true, width())
    };
    faults.iter().map(one).collect()
}
