//! What a profile says against itself. In: a profile and its text. Out: the first thing that cannot be meant, with its place.

use super::profile::{Profile, ProfileError};
use crate::lang::is_word_of_prices;

impl Profile {
    /// Looks at what no reader of RON sees: levels, and names of expressions. `source` names it in errors.
    pub(super) fn without_slips(self, source: &str, text: &str) -> Result<Profile, ProfileError> {
        let slip =
            self.names_nowhere().or_else(|| self.levels_that_fall()).or_else(|| self.name_that_no_price_can_have());
        let Some((quoted, words)) = slip else { return Ok(self) };
        let place = text.find(&format!("\"{quoted}\"")).map_or_else(String::new, |at| {
            let before = &text[..at];
            let line = before.matches('\n').count() + 1;
            format!(":{line}:{}", before.len() - before.rfind('\n').map_or(0, |end| end + 1) + 1)
        });
        Err(ProfileError(format!("{source}{place}: {words}")))
    }

    /// A level of a row that the rating does not have.
    fn names_nowhere(&self) -> Option<(String, String)> {
        let names: Vec<String> = self.rating.levels.iter().map(|(name, _)| name.clone()).collect();
        let row = self.rows.iter().find(|row| row.level.as_ref().is_some_and(|level| !names.contains(level)))?;
        let level = row.level.clone()?;
        let known = match names.as_slice() {
            [] => "the rating has no `levels`".to_owned(),
            names => format!("there are {}", names.join(", ")),
        };
        let words =
            format!("the row of `{}` has the level `{level}`, which the rating does not have; {known}", row.label());
        Some((level, words))
    }

    /// Levels stand from the lowest on, and only the last may have no end.
    fn levels_that_fall(&self) -> Option<(String, String)> {
        let pair = self
            .rating
            .levels
            .windows(2)
            .find(|pair| pair[0].1.is_none_or(|low| pair[1].1.is_some_and(|high| high <= low)))?;
        let (low, high) = (&pair[0], &pair[1]);
        let words = match (low.1, high.1) {
            (Some(end), Some(next)) => format!(
                "the level `{}` ends at {next}, and `{}` before it at {end}, so no puzzle has it: levels stand from the lowest on",
                high.0, low.0
            ),
            _ => format!(
                "the level `{}` has no end, so no puzzle has `{}`: only the last level may have none",
                low.0, high.0
            ),
        };
        Some((if low.1.is_some() { &high.0 } else { &low.0 }.clone(), words))
    }

    /// A name that the language reads otherwise.
    fn name_that_no_price_can_have(&self) -> Option<(String, String)> {
        let fits = |name: &str| {
            let mut letters = name.chars();
            letters.next().is_some_and(|first| first.is_ascii_alphabetic())
                && letters.all(|one| one.is_ascii_alphanumeric() || one == '_')
        };
        let name = self.named.keys().find(|name| !fits(name) || is_word_of_prices(name))?;
        let words = if fits(name) {
            format!("`{name}` is a word of the language; give the expression another name")
        } else {
            format!("`{name}` cannot stand in a price: a name has letters, digits and `_`, a letter first")
        };
        Some((name.clone(), words))
    }
}
