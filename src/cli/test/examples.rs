//! Examples and near misses of rule files. In: what was loaded. Out: what came of each.

use super::super::parallel::{each, processors};
use super::loaded::Loaded;
use super::outcome::{Kind, Outcome, Verdict, wrong_words};
use crate::cli::limits;
use crate::engine::{Engine, MemberId};
use crate::grid::notation;
use crate::lang::ast::Item;
use crate::lang::diagnostic::line_and_column;
use crate::lang::parse;
use crate::solve::Rulebook;
use crate::workbench::examples::{self, Checked, check_one};
use crate::workbench::{Asked, begun, judge, missed, near_misses};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The nearest misses are searched for at most this many failed examples.
const EXPLAINED: usize = 3;
/// And so long for each.
const PATIENCE: Duration = Duration::from_secs(6);

/// Tries all of them.
pub fn run(loaded: &Loaded) -> Vec<Outcome> {
    let techniques = loaded.techniques();
    let mut checked = Vec::new();
    each(
        techniques.iter(),
        processors(),
        |_, technique| check_one(&loaded.rulebook, technique, limits::halt()),
        |all| checked.extend(all),
    );
    let mut outcomes: Vec<Outcome> = checked.iter().map(|one| outcome(&loaded.rulebook, one)).collect();
    let missing = outcomes.iter_mut().zip(&checked).filter(|(outcome, _)| !outcome.missing.is_empty());
    for (outcome, one) in missing.take(EXPLAINED) {
        outcome.nearest = nearest(&loaded.rulebook, one).unwrap_or_default();
    }
    outcomes
}

/// What the technique of an example nearly finds of the first deductions that it misses.
fn nearest(rulebook: &Rulebook, one: &Checked) -> Option<Vec<String>> {
    let examples::Verdict::Failed { missing, .. } = &one.verdict else { return None };
    let technique = rulebook.techniques().iter().find(|technique| technique.id == one.technique)?;
    let scene = examples::scene(rulebook, &one.example).ok()?;
    let engine =
        Engine::new(Arc::clone(&scene.geometry), &rulebook.with_used(vec![technique.clone()]), rulebook.sources())
            .ok()?;
    let args = &one.example.args;
    let meant = |member: &&MemberId| member.technique == 0 && (args.is_empty() || *args == member.args);
    let members: Vec<MemberId> = engine.members().iter().filter(meant).cloned().collect();
    let wanted = notation::read_deductions(&scene.geometry, missing.first()?).ok()?;
    let pick = |place: bool| wanted.iter().filter(|(_, p)| *p == place).map(|(one, _)| *one).collect::<Vec<_>>();
    let clock = Instant::now();
    let asked = Asked {
        rulebook,
        geometry: &scene.geometry,
        state: &scene.state,
        technique,
        members: &members,
        on: &[],
        eliminate: &pick(false),
        place: &pick(true),
        most: 1,
        enough: &|| clock.elapsed() >= PATIENCE || limits::reached(),
        halt: limits::halt(),
    };
    let mut found = near_misses(&asked);
    judge(&asked, &mut found, 1);
    if let Some(furthest) = &found.furthest {
        return Some(begun(furthest, true).into_iter().map(|line| line.to_string()).collect());
    }
    let miss = found.misses.first()?;
    let lines = missed(1, miss, true).into_iter().map(|line| line.to_string());
    let lines = lines.map(|line| line.strip_prefix("1. ").map_or(line.clone(), |rest| format!("nearly found: {rest}")));
    Some(lines.collect())
}

fn outcome(rulebook: &Rulebook, one: &Checked) -> Outcome {
    let (file, line) = place(rulebook, one).unzip();
    let (verdict, missing, extra, message) = match &one.verdict {
        examples::Verdict::Passed => (Verdict::Passed, Vec::new(), Vec::new(), None),
        examples::Verdict::Failed { missing, extra } => (Verdict::Failed, missing.clone(), extra.clone(), None),
        examples::Verdict::Wrong(wrong) => (Verdict::Failed, Vec::new(), Vec::new(), Some(wrong_words(wrong))),
        examples::Verdict::Unusable(why) => (Verdict::Unusable, Vec::new(), Vec::new(), Some(why.clone())),
    };
    let kind = if one.example.near_miss { Kind::NearMiss } else { Kind::Example };
    let (technique, title) = (one.label.clone(), one.example.title.clone());
    Outcome { technique, kind, title, file, line, verdict, missing, extra, message, nearest: Vec::new() }
}

/// The file and the line of an example.
fn place(rulebook: &Rulebook, one: &Checked) -> Option<(String, usize)> {
    rulebook.files().iter().rev().find_map(|file| {
        if !file.text.contains(&one.technique) {
            return None;
        }
        let (tree, _) = parse(&file.text);
        let at = tree.items.iter().find_map(|item| match item {
            Item::Example(example)
                if example.id.name == one.technique
                    && example.near_miss == one.example.near_miss
                    && example.title.as_ref().map(|title| &title.text) == one.example.title.as_ref()
                    && example.grids.first().is_some_and(|grid| grid.text == one.example.grid) =>
            {
                Some(example.span.start)
            }
            _ => None,
        })?;
        Some((file.name.clone(), line_and_column(&file.text, at).0))
    })
}
