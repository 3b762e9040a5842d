//! The soundness of added rules on a board. In: a rulebook and a board. Out: [`Knowledge`], from verdicts of earlier runs or from
//! proofs with a bounded amount of work.

use crate::cli::corpus::{in_order, processors};
use crate::cli::prelude::*;
use crate::cli::prove::record::{Cache, ProofRecord, Selected};
use crate::lang::ir::{Space, Technique};
use crate::proof::Member;
use crate::solve::{Knowledge, Soundness, member_label, member_names};
use crate::workbench::quick_verdict;
use std::rc::Rc;
use std::time::Instant;

/// Ending of the keys of bounded proofs. A proof without bounds may decide more, so it has a record of its own.
const QUICK: &str = "-quick";

/// One member of an added technique.
struct AddedMember<'r> {
    technique: &'r Technique,
    args: Vec<u32>,
    variant: usize,
    /// Key in the cache, if there is a cache.
    key: Option<String>,
}

/// Proofs of added rules on one board, with the verdicts of earlier runs.
struct Bench<'r> {
    rulebook: &'r Rulebook,
    geometry: &'r Arc<Geometry>,
    cache: Cache,
}

/// The soundness of all added rules on a board. If `trusting`, refuted rules are used all the same. Without a cache every call proves
/// again; a verdict depends on the rules and the board alone, never on time.
pub fn knowledge(rulebook: &Rulebook, geometry: &Arc<Geometry>, trusting: bool) -> Knowledge {
    let mut out = Knowledge::new(trusting);
    let added: Vec<&Technique> = rulebook.techniques().iter().filter(|one| !rulebook.is_own(&one.id)).collect();
    if added.is_empty() {
        return out;
    }
    let bench = Bench { rulebook, geometry, cache: Cache::open(false) };
    let mut open = Vec::new();
    for case in added.iter().flat_map(|technique| bench.cases(technique)) {
        match bench.earlier(&case) {
            Some(soundness) => out.add(case.technique, (&case.args, case.variant), soundness),
            None => open.push(case),
        }
    }
    let _busy = (!open.is_empty()).then(|| busy(format!("proving added rules on {}", geometry.spec().name)));
    let work = |_: usize, case| {
        let halt: Rc<dyn Fn() -> bool> = Rc::new(limits::reached);
        (prove(rulebook, geometry, &case, &halt), case)
    };
    let take = |(record, case): (ProofRecord, AddedMember<'_>)| {
        out.add(case.technique, (&case.args, case.variant), record.soundness());
        // A proof that a limit or an interrupt ended decides nothing.
        if !limits::reached() {
            bench.keep(&case, &record);
        }
        Ok::<(), std::convert::Infallible>(())
    };
    let Ok(()) = in_order(open.into_iter(), processors(), work, take);
    out.spread(&added, geometry.size() as u32);
    out
}

/// The soundness of one technique on a board: that of its worst member. `None` if it was given up.
pub fn soundness_of(
    rulebook: &Rulebook,
    technique: &Technique,
    geometry: &Arc<Geometry>,
    halt: &Rc<dyn Fn() -> bool>,
) -> Option<Soundness> {
    let bench = Bench { rulebook, geometry, cache: Cache::open(false) };
    let mut worst = Soundness::Proved;
    for case in bench.cases(technique) {
        let soundness = match bench.earlier(&case) {
            Some(soundness) => soundness,
            None => {
                let record = prove(rulebook, geometry, &case, halt);
                if halt() {
                    return None;
                }
                bench.keep(&case, &record);
                record.soundness()
            }
        };
        worst = worst.max(soundness);
    }
    Some(worst)
}

impl<'r> Bench<'r> {
    fn cases(&self, technique: &'r Technique) -> impl Iterator<Item = AddedMember<'r>> + use<'_, 'r> {
        let all = technique.cases(self.geometry.size() as u32).into_iter();
        all.map(move |(args, variant)| {
            let (rules, sources) = (self.rulebook.techniques(), self.rulebook.sources());
            let key = self.cache.key((technique, &args, variant), sources, rules, self.geometry);
            AddedMember { technique, args, variant, key }
        })
    }

    /// The verdict of an earlier run; one that a whole proof gave counts more than a bounded one.
    fn earlier(&self, case: &AddedMember<'_>) -> Option<Soundness> {
        let key = case.key.as_ref()?;
        let find = |key: &str| self.cache.find(key).ok().flatten();
        let settled = find(key).filter(|record| record.status != "undecided");
        settled.or_else(|| find(&format!("{key}{QUICK}"))).map(|record| record.soundness())
    }

    fn keep(&self, case: &AddedMember<'_>, record: &ProofRecord) {
        if let Some(key) = &case.key {
            self.cache.put(&format!("{key}{QUICK}"), record);
        }
    }
}

fn prove(
    rulebook: &Rulebook,
    geometry: &Arc<Geometry>,
    AddedMember { technique, args, variant, .. }: &AddedMember<'_>,
    halt: &Rc<dyn Fn() -> bool>,
) -> ProofRecord {
    let clock = Instant::now();
    let member = Member { technique, args, variant: *variant };
    let verdict = quick_verdict(geometry, member, (rulebook.techniques(), rulebook.sources()), halt);
    let one = Selected {
        technique: 0,
        args: args.clone(),
        variant: *variant,
        label: member_label(&technique.id, args),
        name: member_names(technique, *variant, args, Space::Rc).title,
    };
    ProofRecord::new(&verdict, &one, (None, &[]), clock.elapsed().as_secs_f64())
}

impl ProofRecord {
    /// The soundness that the verdict means. A rule that never matches concludes nothing wrong.
    fn soundness(&self) -> Soundness {
        match self.status.as_str() {
            "refuted" => Soundness::Refuted,
            "proved" | "vacuous" => Soundness::Proved,
            "supposed" if self.sound == Some(true) => Soundness::Proved,
            _ => Soundness::Unproved,
        }
    }
}
