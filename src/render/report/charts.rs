//! Charts of a collection. In: what a page says of its puzzles. Out: tables whose numbers have bars behind them: how often each
//! technique is used, of how many puzzles it is the hardest, and how hard the puzzles are.

use super::Reported;
use crate::render::svg::escaped;
use crate::render::words::thousands;

/// What a technique did.
#[derive(Clone, Copy, Default)]
pub struct Did {
    puzzles: usize,
    steps: usize,
    hardest: usize,
}

/// Every name, the most used first.
pub fn names(puzzles: &[Reported]) -> Vec<(&str, Did)> {
    let mut all: Vec<(&str, Did)> = Vec::new();
    for one in puzzles {
        for (name, times) in one.uses.iter().zip(&one.times) {
            let at = all.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                all.push((name, Did::default()));
                all.len() - 1
            });
            let did = &mut all[at].1;
            did.puzzles += 1;
            did.steps += times;
            did.hardest += usize::from(one.hardest == *name);
        }
    }
    all.sort_by_key(|(_, did)| std::cmp::Reverse((did.puzzles, did.steps)));
    all
}

/// The charts as HTML.
pub fn charts(puzzles: &[Reported]) -> String {
    techniques(&names(puzzles)) + &ratings(puzzles)
}

fn number(number: usize, most: usize) -> String {
    let share = 100 * number / most.max(1);
    format!("<td class=\"n\"><span style=\"--w:{share}\">{}</span></td>", thousands(number as u64))
}

fn boxed(title: &str, head: &str, body: &str) -> String {
    format!(
        "<div class=\"box\"><h2>{title}</h2><div class=\"scroll\"><table><thead><tr>{head}</tr></thead>\
         <tbody>{body}</tbody></table></div></div>\n"
    )
}

fn techniques(names: &[(&str, Did)]) -> String {
    let most = |of: &dyn Fn(&Did) -> usize| names.iter().map(|(_, did)| of(did)).max().unwrap_or(0);
    let (puzzles, steps, hardest) = (most(&|did| did.puzzles), most(&|did| did.steps), most(&|did| did.hardest));
    let row = |(name, did): &(&str, Did)| {
        let numbers = number(did.puzzles, puzzles) + &number(did.steps, steps) + &number(did.hardest, hardest);
        format!("<tr><td>{}</td>{numbers}</tr>", escaped(name))
    };
    let head =
        "<th>technique</th><th class=\"n\">puzzles</th><th class=\"n\">steps</th><th class=\"n\">hardest in</th>";
    boxed("Techniques used, and where each is the hardest step", head, &names.iter().map(row).collect::<String>())
}

/// How many puzzles have ratings up to each of some bounds, each bound about half as large again as the one before.
fn ratings(puzzles: &[Reported]) -> String {
    let most = puzzles.iter().map(|one| one.rating).max().unwrap_or(0);
    let mut bounds: Vec<u64> = vec![1000];
    while bounds.last().is_some_and(|last| *last < most) {
        let (step, times) = ([1000, 1500, 2000, 3000, 5000, 7000], bounds.len());
        bounds.push(step[times % 6] * 10_u64.pow((times / 6).min(15) as u32));
    }
    let mut from = 0;
    let mut counts: Vec<(u64, u64, usize)> = Vec::new();
    for to in bounds {
        counts.push((from, to, puzzles.iter().filter(|one| (from..to).contains(&one.rating)).count()));
        from = to;
    }
    let last = puzzles.iter().filter(|one| one.rating >= from).count();
    counts.push((from, u64::MAX, last));
    let first = counts.iter().position(|(.., count)| *count > 0).unwrap_or(0);
    let end = counts.iter().rposition(|(.., count)| *count > 0).map_or(0, |at| at + 1);
    let highest = counts.iter().map(|(.., count)| *count).max().unwrap_or(0);
    let row = |(from, to, count): &(u64, u64, usize)| {
        let range = if *to == u64::MAX { "and more".to_string() } else { format!("to {}", thousands(*to)) };
        format!("<tr><td>{} {range}</td>{}</tr>", thousands(*from), number(*count, highest))
    };
    let body: String = counts.get(first..end).unwrap_or_default().iter().map(row).collect();
    boxed("How hard the puzzles are", "<th>rating</th><th class=\"n\">puzzles</th>", &body)
}
