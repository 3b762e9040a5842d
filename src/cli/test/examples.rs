//! Examples and near misses of rule files. In: what was loaded. Out: what came of each.

use super::loaded::Loaded;
use super::outcome::{Kind, Outcome, Verdict};
use crate::lang::ast::Item;
use crate::lang::parse;
use crate::solve::Rulebook;
use crate::workbench::examples::{self, Checked, check};

/// Tries all of them.
pub fn run(loaded: &Loaded) -> Vec<Outcome> {
    let techniques = loaded.techniques();
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    check(&loaded.rulebook, &techniques, threads).iter().map(|one| outcome(&loaded.rulebook, one)).collect()
}

fn outcome(rulebook: &Rulebook, one: &Checked) -> Outcome {
    let (file, line) = place(rulebook, one).unzip();
    let (verdict, missing, extra, message) = match &one.verdict {
        examples::Verdict::Passed => (Verdict::Passed, Vec::new(), Vec::new(), None),
        examples::Verdict::Failed { missing, extra } => (Verdict::Failed, missing.clone(), extra.clone(), None),
        examples::Verdict::Unusable(why) => (Verdict::Unusable, Vec::new(), Vec::new(), Some(why.clone())),
    };
    let kind = if one.example.near_miss { Kind::NearMiss } else { Kind::Example };
    let (technique, title) = (one.label.clone(), one.example.title.clone());
    Outcome { technique, kind, title, file, line, verdict, missing, extra, message }
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
        Some((file.name.clone(), file.text.get(..at)?.matches('\n').count() + 1))
    })
}
