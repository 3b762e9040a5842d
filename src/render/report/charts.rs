//! Charts of a collection. In: what a page says of its puzzles. Out: tables whose numbers have bars behind them: how often each
//! technique is used, of how many puzzles it is the hardest, and how hard the puzzles are.

use super::Reported;
use crate::render::svg::escaped;
use crate::render::words::thousands;

/// What a technique did.
#[derive(Clone, Copy, Default)]
struct Did {
    puzzles: usize,
    steps: usize,
    hardest: usize,
}

/// Sums over puzzles.
#[derive(Default)]
pub struct Charts {
    /// Each technique, in the order of first use.
    names: Vec<(String, Did)>,
    /// Puzzles between two bounds of the rating; see [`bound`].
    ratings: Vec<usize>,
    /// The highest rating.
    most: u64,
}

impl Charts {
    /// Adds a puzzle.
    pub fn add(&mut self, one: &Reported) {
        for (name, times) in one.uses.iter().zip(&one.times) {
            let at = self.names.iter().position(|(known, _)| known == name).unwrap_or_else(|| {
                self.names.push((name.clone(), Did::default()));
                self.names.len() - 1
            });
            let did = &mut self.names[at].1;
            did.puzzles += 1;
            did.steps += times;
            did.hardest += usize::from(one.hardest == *name);
        }
        let place = (0..BOUNDS).take_while(|&at| bound(at) <= one.rating).count();
        self.ratings.resize(self.ratings.len().max(place + 1), 0);
        self.ratings[place] += 1;
        self.most = self.most.max(one.rating);
    }

    /// Every name, the most used first.
    pub fn names(&self) -> Vec<&str> {
        self.sorted().into_iter().map(|(name, _)| name).collect()
    }

    fn sorted(&self) -> Vec<(&str, Did)> {
        let mut all: Vec<(&str, Did)> = self.names.iter().map(|(name, did)| (name.as_str(), *did)).collect();
        all.sort_by_key(|(_, did)| std::cmp::Reverse((did.puzzles, did.steps)));
        all
    }

    /// The charts as HTML.
    pub fn html(&self) -> String {
        techniques(&self.sorted()) + &self.ratings()
    }

    /// Draws the number of puzzles with ratings up to each bound.
    fn ratings(&self) -> String {
        let last = (0..BOUNDS).find(|&at| bound(at) >= self.most).unwrap_or(BOUNDS - 1);
        let count = |at: usize| self.ratings.get(at).copied().unwrap_or(0);
        let from = |at: usize| at.checked_sub(1).map_or(0, bound);
        let mut counts: Vec<(u64, u64, usize)> = (0..=last).map(|at| (from(at), bound(at), count(at))).collect();
        counts.push((bound(last), u64::MAX, (last + 1..=BOUNDS).map(count).sum()));
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
}

/// Number of bounds of ratings.
const BOUNDS: usize = 90;

/// A bound of ratings, about half as large again as the one before.
fn bound(at: usize) -> u64 {
    [1000, 1500, 2000, 3000, 5000, 7000][at % 6] * 10_u64.pow((at / 6) as u32)
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
