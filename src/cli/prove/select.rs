//! The members to prove. In: paths and names from the command line. Out: the members that are meant, for each board.

use super::super::{input, rules};
use super::record::Selected;
use crate::cli::prelude::*;
use crate::engine::MemberId;
use crate::lang::ir::{LinkSource, Space, Technique};
use crate::proof::{Member, Prover, covers_chains, direct_cases};
use crate::solve::{Meaning, member_label, member_names, nearest};
use crate::workbench::{SourceLine, lines_of};
use std::collections::BTreeMap;
use std::path::Path;

/// The rulebook with what was named in it.
pub struct Selection {
    rulebook: Rulebook,
    /// Ids of techniques meant as a whole.
    ids: Vec<String>,
    /// Names of techniques, members and cases.
    names: Vec<Meaning>,
}

/// Reads the files and finds the names.
pub fn select(what: &[String], global: &Global) -> Result<Selection, Failure> {
    let (paths, names): (Vec<&String>, Vec<&String>) = what.iter().partition(|word| is_path(word));
    let mut global = global.clone();
    let own = global.rules.len();
    global.rules.extend(paths.iter().map(PathBuf::from));
    let rulebook = rules::rulebook(&global)?;
    let files: Vec<String> =
        input::rule_files(&global.rules[own..]).paths.iter().map(|file| file.display().to_string()).collect();
    let named = |file: &&crate::solve::RuleFile| files.contains(&file.name);
    let ids: Vec<String> = rulebook.files().iter().filter(named).flat_map(|file| file.techniques.clone()).collect();
    if ids.is_empty() && !paths.is_empty() {
        return Err(Failure::input("these files hold no technique to prove"));
    }
    let mut selection = Selection { rulebook, ids, names: Vec::new() };
    for name in names {
        selection.name(name)?;
    }
    if what.is_empty() {
        selection.ids = selection.techniques().iter().map(|technique| technique.id.clone()).collect();
    }
    Ok(selection)
}

fn is_path(word: &str) -> bool {
    Path::new(word).exists() || word.contains(['/', '\\']) || word.ends_with(".pinion")
}

impl Selection {
    /// Every technique at hand.
    pub fn techniques(&self) -> &[Technique] {
        self.rulebook.techniques()
    }

    /// The lines of its file on which the statements of a case stand.
    pub fn lines_of(&self, technique: &Technique, case: usize) -> Vec<Option<SourceLine>> {
        lines_of(&self.rulebook, &technique.id, case)
    }

    /// Every link source at hand.
    pub fn sources(&self) -> &[LinkSource] {
        self.rulebook.sources()
    }

    fn name(&mut self, typed: &str) -> Result<(), Failure> {
        let meaning = Meaning::new(typed, self.techniques());
        let is_known = self.techniques().iter().any(|technique| meaning.is_id(technique))
            || Geometry::standard(9).is_some_and(|geometry| {
                let prover = Prover::new(&geometry, self.sources());
                let members = members_of(self.techniques(), &prover);
                members.iter().any(|member| meaning.has_member(&self.techniques()[member.technique], member))
            });
        if is_known {
            self.names.push(meaning);
            return Ok(());
        }
        let known = self.member_names();
        let failure = Failure::usage(format!("there is no technique and no file `{typed}`"));
        Err(match nearest(typed, known.iter().map(String::as_str)).first() {
            Some(near) => failure.help(format!("did you mean `{near}`?")),
            None => input::with_similar(failure.help("`pinion list` shows the names"), Path::new(typed)),
        })
    }

    fn member_names(&self) -> Vec<String> {
        let Some(geometry) = Geometry::standard(9) else { return Vec::new() };
        let mut names = Vec::new();
        for technique in self.techniques() {
            names.push(technique.id.clone());
            for (args, variant) in Prover::new(&geometry, self.sources()).members(technique) {
                names.push(member_label(&technique.id, &args));
                names.extend(member_names(technique, variant, &args, Space::Rc).all().cloned());
            }
        }
        names.sort();
        names.dedup();
        names
    }

    /// The members meant, as far as they fit a board.
    pub fn on(&self, geometry: &Arc<Geometry>) -> Vec<Selected> {
        let members = members_of(self.techniques(), &Prover::new(geometry, self.sources())).into_iter();
        let wanted = members.filter(|member| self.means(&self.techniques()[member.technique], member));
        wanted.map(|member| self.selected(&self.techniques()[member.technique], member)).collect()
    }

    fn means(&self, technique: &Technique, member: &MemberId) -> bool {
        self.ids.contains(&technique.id) || self.names.iter().any(|name| name.has_member(technique, member))
    }

    /// Finds the members of other techniques that conclude all that a member does.
    pub fn generalizations(&self, prover: &Prover<'_>, one: &Selected) -> Generalizations {
        let special = Member { technique: &self.techniques()[one.technique], args: &one.args, variant: one.variant };
        let members: Vec<(&Technique, Vec<u32>, usize)> = self
            .techniques()
            .iter()
            .filter(|other| other.id != special.technique.id)
            .flat_map(|other| prover.members(other).into_iter().map(move |(args, variant)| (other, args, variant)))
            .collect();
        let mut found = Vec::new();
        let mut refused: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        let mut compared = false;
        for member in &members {
            let (technique, args, variant) = member;
            match comparison(prover, special, Member { technique, args, variant: *variant }) {
                Ok(words) => {
                    compared = true;
                    found.extend(words.map(|words| (member, words)));
                }
                Err(why) => refused.entry(why).or_default().push(&technique.id),
            }
        }
        // If no rule could be compared, the reason lies in the rule itself.
        let line = |(why, mut ids): (String, Vec<&str>)| {
            ids.dedup();
            if compared { format!("{}: {why}", ids.join(", ")) } else { format!("with any other rule: {why}") }
        };
        let not_comparable = refused.into_iter().map(line).collect();
        // The rule itself is number 0.
        let mut pairs: Vec<(u32, u32)> = (1..=found.len() as u32).map(|general| (0, general)).collect();
        for (a, ((technique, args, variant), _)) in (1..).zip(&found) {
            let special = Member { technique, args, variant: *variant };
            for (b, ((technique, args, variant), _)) in (1..).zip(&found).filter(|(b, _)| a != *b) {
                let general = Member { technique, args, variant: *variant };
                pairs.extend(matches!(comparison(prover, special, general), Ok(Some(_))).then_some((a, b)));
            }
        }
        let is_direct = direct_cases(&pairs);
        let directly_by = found.iter().zip(&is_direct).filter(|(_, is_direct)| **is_direct);
        let directly_by = directly_by.map(|((_, words), _)| words.clone()).collect();
        Generalizations { implied_by: found.into_iter().map(|(_, words)| words).collect(), directly_by, not_comparable }
    }

    fn selected(&self, technique: &Technique, member: MemberId) -> Selected {
        let MemberId { technique: number, args, variant, .. } = member;
        let name = member_names(technique, variant, &args, Space::Rc).title;
        Selected { technique: number, label: member_label(&technique.id, &args), name, args, variant }
    }
}

/// Rules of which one is a special case, in words with what their names stand for.
pub struct Generalizations {
    /// All that were found.
    pub implied_by: Vec<String>,
    /// The ones that do not follow from others.
    pub directly_by: Vec<String>,
    /// Rules that could not be compared, with the reason.
    pub not_comparable: Vec<String>,
}

/// Finds in which way one member is a special case of another.
///
/// # Errors
/// If the two cannot be compared, with the reason.
fn comparison(prover: &Prover<'_>, special: Member<'_>, general: Member<'_>) -> Result<Option<String>, String> {
    let label = member_label(&general.technique.id, general.args);
    let cases = (&general.technique.variants[general.variant], &special.technique.variants[special.variant]);
    match prover.implied_by(special, general) {
        Err(_) if covers_chains(cases.0, cases.1) => Ok(Some(format!("{label}, chain by chain"))),
        found => Ok(found.map_err(|refusal| refusal.to_string())?.map(|names| {
            let names: Vec<String> = names.iter().map(|(name, what)| format!("{name} = {what}")).collect();
            format!("{label} with {}", names.join(", "))
        })),
    }
}

/// Every member of every technique on the prover's board, in the order of the techniques.
fn members_of(techniques: &[Technique], prover: &Prover<'_>) -> Vec<MemberId> {
    let members = techniques.iter().enumerate().flat_map(|(technique, rule)| {
        let own = prover.members(rule).into_iter();
        own.map(move |(args, variant)| MemberId { technique, args, variant, space: Space::Rc })
    });
    members.collect()
}
