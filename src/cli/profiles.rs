//! Profiles among the files of `check` and `lint`. In: paths, a rulebook. Out: what is wrong with a profile: what cannot be read,
//! prices with errors, rows that can never be used.

use crate::cli::diagnostics::{self, Annotation, Region};
use crate::cli::input;
use crate::cli::prelude::*;
use crate::cli::rules::width;
use crate::engine::Limits;
use crate::lang::diagnostic::Diagnostic;
use crate::solve::{MissingRow, PriceFault, Profile, faults};

/// Profiles, and what is left of some paths.
pub fn split(paths: &[PathBuf]) -> (Vec<PathBuf>, Vec<PathBuf>) {
    paths.iter().cloned().partition(|path| path.extension().is_some_and(|extension| extension == "ron"))
}

#[derive(Serialize)]
struct ProfileRecord<'a> {
    profile: &'a str,
    rows: usize,
    /// The error that a profile that cannot be read has.
    error: Option<&'a str>,
    price_errors: Vec<&'a str>,
    never_used: &'a [MissingRow],
}

/// A profile with its faults.
pub struct CheckedProfile {
    name: String,
    text: String,
    rows: usize,
    found: ProfileFaults,
}

/// The first kind of thing that is wrong.
enum ProfileFaults {
    /// The error that reading it gave.
    Unreadable(String),
    Faults(Vec<PriceFault>),
    NeverUsed(Vec<MissingRow>),
}

/// Looks at the profiles in some files.
pub fn look_at(paths: &[PathBuf], rulebook: &Rulebook) -> Result<Vec<CheckedProfile>, Stop> {
    let one = |path: &PathBuf| {
        let (name, text) = (path.display().to_string(), input::text(path)?);
        let read = Profile::read(&name, &text);
        let rows = read.as_ref().map_or(0, |profile| profile.rows.len());
        let found = read.map_or_else(|error| ProfileFaults::Unreadable(error.to_string()), |one| found(&one, rulebook));
        Ok(CheckedProfile { name, text, rows, found })
    };
    paths.iter().map(one).collect()
}

/// Looks at the profiles of the program.
pub fn look_at_own(rulebook: &Rulebook) -> Vec<CheckedProfile> {
    let one = |profile: Profile| CheckedProfile {
        found: found(&profile, rulebook),
        rows: profile.rows.len(),
        name: profile.name,
        text: String::new(),
    };
    Profile::all_embedded().into_iter().map(one).collect()
}

fn found(profile: &Profile, rulebook: &Rulebook) -> ProfileFaults {
    let faults = faults(&profile.resolved(rulebook.techniques()), rulebook.techniques());
    if faults.is_empty() {
        ProfileFaults::NeverUsed(never_used(profile, rulebook))
    } else {
        ProfileFaults::Faults(faults)
    }
}

impl CheckedProfile {
    /// Returns true if the profile has no fault.
    pub fn is_fine(&self) -> bool {
        matches!(&self.found, ProfileFaults::NeverUsed(rows) if rows.is_empty())
    }

    /// The faults as annotations.
    pub fn annotations(&self) -> Vec<Annotation> {
        let CheckedProfile { name, text, .. } = self;
        let on_file = |code: &str, is_error, region, message| Annotation {
            code: code.into(),
            is_error,
            file: name.clone(),
            region,
            message,
            others: Vec::new(),
        };
        match &self.found {
            ProfileFaults::Unreadable(error) => vec![on_file("unreadable-profile", true, None, error.clone())],
            ProfileFaults::Faults(faults) => faults.iter().flat_map(|fault| priced(name, text, fault)).collect(),
            ProfileFaults::NeverUsed(rows) => {
                let idle = |MissingRow { row, reason }: &MissingRow| {
                    let region = place(text, row).map(|at| Region::new(text, &(at..at + row.len())));
                    on_file("unused-row", false, region, format!("the row of `{row}` can never be used: {reason}"))
                };
                rows.iter().map(idle).collect()
            }
        }
    }

    /// Prints the faults.
    pub fn print(&self, out: &mut Output) -> Result<(), Stop> {
        if !out.is_text() {
            return Ok(out.value(&self.record())?);
        }
        match &self.found {
            ProfileFaults::Unreadable(error) => Failure::input(format!("the profile cannot be read: {error}")).report(),
            ProfileFaults::Faults(faults) => out.styled(&drawn(&self.name, &self.text, faults, out.has_colours()))?,
            ProfileFaults::NeverUsed(rows) => self.print_rows(rows, out)?,
        }
        Ok(())
    }

    fn print_rows(&self, never_used: &[MissingRow], out: &mut Output) -> Result<(), Stop> {
        let name = &self.name;
        for MissingRow { row, reason } in never_used {
            let words = format!("{name}: the row of `{row}` can never be used: {reason}");
            out.lines(&[Line::of(Role::Bad, "warning: ").and(Role::Plain, words)])?;
        }
        let end = match never_used.len() {
            0 => "nothing to mend".to_owned(),
            many => format!("{} that can never be used", counted(many, "row")),
        };
        let role = if never_used.is_empty() { Role::Good } else { Role::Bad };
        let rows = counted(self.rows, "row");
        out.lines(&[Line::text(format!("{name}, a profile of {rows}: ")).and(role, end)])?;
        Ok(())
    }

    fn record(&self) -> ProfileRecord<'_> {
        let (mut error, mut price_errors, mut never_used) = (None, Vec::new(), [].as_slice());
        match &self.found {
            ProfileFaults::Unreadable(words) => error = Some(words.as_str()),
            ProfileFaults::Faults(faults) => {
                let messages = faults.iter().flat_map(|fault| &fault.found);
                price_errors = messages.map(|one| one.message.as_str()).collect();
            }
            ProfileFaults::NeverUsed(rows) => never_used = rows,
        }
        ProfileRecord { profile: &self.name, rows: self.rows, error, price_errors, never_used }
    }
}

/// The errors of one price at their places in a profile.
fn priced<'f>(name: &'f str, text: &'f str, fault: &'f PriceFault) -> impl Iterator<Item = Annotation> + 'f {
    let at = place(text, &fault.text);
    fault.found.iter().map(move |found| match at {
        Some(at) => Annotation::new(name, text, &found.clone().moved(at)),
        None => Annotation { region: None, others: Vec::new(), ..Annotation::new(name, &fault.text, found) },
    })
}

/// Returns the byte offset of a string in a profile. None if RON escapes some of its characters.
fn place(profile: &str, text: &str) -> Option<usize> {
    profile.find(&format!("\"{text}\"")).map(|at| at + 1)
}

/// Rows that can never be used, on the common board.
fn never_used(profile: &Profile, rulebook: &Rulebook) -> Vec<MissingRow> {
    let Some(geometry) = Geometry::standard(9) else { return Vec::new() };
    let solver = Solver::new(rulebook, &Arc::new(geometry), profile, Limits::default());
    solver.ranking().missing.clone()
}

/// Draws the faults of prices at their places.
pub fn drawn(name: &str, text: &str, faults: &[PriceFault], colours: bool) -> String {
    let one = |PriceFault { text: price, found }: &PriceFault| {
        let (source, at) = place(text, price).map_or((price.as_str(), 0), |at| (text, at));
        let found: Vec<Diagnostic> = found.iter().cloned().map(|one| one.moved(at)).collect();
        diagnostics::draw(name, source, &found, colours, width())
    };
    faults.iter().map(one).collect()
}
