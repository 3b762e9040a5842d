//! Suppositions for machines. In: the cases of a step. Out: records that serialize, steps inside as steps are.

use super::cases::{end, falls, inference};
use super::eureka::eureka;
use super::record::{LinkRecord, MarkRecord, StepRecord, links, shown};
use crate::engine::CaseEnd;
use crate::grid::Geometry;
use crate::solve::{CaseStep, InnerStep, Since};
use serde::{Deserialize, Serialize};

/// A case of a supposition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CaseRecord {
    /// What is supposed, `r4c5=3` or `r4c5<>3`.
    pub supposed: MarkRecord,
    /// In order; each holds on the position as it is by then.
    pub inferences: Vec<InferenceRecord>,
    /// How the case ends, in words.
    pub end: String,
    /// Whether that is a contradiction.
    pub contradiction: bool,
    /// Else what it shows.
    pub shows: Option<MarkRecord>,
    /// What was supposed or inferred before and makes it so.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub since: Vec<MarkRecord>,
}

/// An inference under a supposition.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InferenceRecord {
    /// `links`, `last candidate`, `last place` or `step`.
    pub kind: String,
    /// In one line.
    pub text: String,
    /// What is shown true or false.
    pub shows: Vec<MarkRecord>,
    /// Of a last candidate or place what was supposed or inferred before and takes the others away.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub since: Vec<MarkRecord>,
    /// Of links the chain in Eureka notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<String>,
    /// Of links each one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<LinkRecord>,
    /// The step of a technique.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Box<StepRecord>>,
}

impl CaseRecord {
    /// The record of a case.
    pub fn new(geometry: &Geometry, case: &CaseStep) -> CaseRecord {
        CaseRecord {
            supposed: shown(geometry, case.supposed.0, case.supposed.1),
            inferences: case.inferences.iter().map(|inner| InferenceRecord::new(geometry, inner)).collect(),
            end: end(geometry, case),
            contradiction: falls(case),
            shows: match case.end {
                CaseEnd::Shows(candidate, holds) => Some(shown(geometry, candidate, holds)),
                _ => None,
            },
            since: marks(geometry, &case.since),
        }
    }
}

fn marks(geometry: &Geometry, list: &Since) -> Vec<MarkRecord> {
    list.iter().map(|&(one, holds)| shown(geometry, one, holds)).collect()
}

impl InferenceRecord {
    fn new(geometry: &Geometry, inner: &InnerStep) -> InferenceRecord {
        let text = inference(geometry, inner);
        let plain = |kind: &str, shows, since| InferenceRecord {
            kind: kind.into(),
            text: text.clone(),
            shows,
            since,
            chain: None,
            links: Vec::new(),
            step: None,
        };
        match inner {
            InnerStep::Naked(one, why) => {
                plain("last candidate", vec![shown(geometry, *one, true)], marks(geometry, why))
            }
            InnerStep::Hidden(one, _, why) => {
                plain("last place", vec![shown(geometry, *one, true)], marks(geometry, why))
            }
            InnerStep::Links { chain, cites } => {
                let end = chain.last().filter(|end| !end.strong || end.node.cells.len() == 1);
                let shows = end.into_iter().flat_map(|end| end.node.candidates().map(|one| (one, end.strong)));
                let shows = shows.map(|(one, holds)| shown(geometry, one, holds)).collect();
                InferenceRecord {
                    chain: Some(eureka(geometry, chain)),
                    links: links(geometry, chain, cites),
                    ..plain("links", shows, Vec::new())
                }
            }
            InnerStep::Step(step) => {
                let placed = step.placements.iter().map(|&one| shown(geometry, one, true));
                let gone = step.eliminations.iter().map(|&one| shown(geometry, one, false));
                let record = StepRecord::new(geometry, step);
                InferenceRecord {
                    step: Some(Box::new(record)),
                    ..plain("step", placed.chain(gone).collect(), Vec::new())
                }
            }
        }
    }
}
