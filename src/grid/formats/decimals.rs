//! Tables of decimal numbers. In: a line. Out: the line with whole numbers in place of `5.0`, `5.00`, `5.` and `5.0e+00`, each in its
//! column.

use super::cell_texts;
use super::labels::is_bar;
use super::lines::bare_cells;

/// The fewest numbers of a row.
const SHORTEST: usize = 4;

/// The largest digit of any board.
const LARGEST: f64 = 25.0;

/// Returns the line with whole numbers, if it holds decimal numbers and empty cells only, perhaps after a label.
pub(super) fn whole(text: &str) -> Option<String> {
    if !text.contains('.') || bare_cells(text).is_some() {
        return None;
    }
    let tokens: Vec<&str> = text.split(parts).filter(|token| !token.is_empty()).collect();
    let is_cell = |token: &&str| value(token).is_some() || cell_texts::is_empty(token);
    let cells = if tokens.first().is_some_and(is_cell) { &tokens[..] } else { tokens.get(1..)? };
    let values: Vec<f64> = cells.iter().filter_map(|token| value(token)).collect();
    let places = cells.iter().any(|token| is_decimal(token));
    // `12. 3..` may be a part of a row: there `5.` is a number only if all are.
    let points = || {
        let all = cells.iter().all(|token| token.ends_with('.') && value(token).is_some());
        all && values.iter().all(|&value| value <= cells.len() as f64)
    };
    if cells.len() < SHORTEST || !cells.iter().all(is_cell) || !(places || points()) {
        return None;
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    for token in cells.iter().filter(|token| value(token).is_some()) {
        let at = token.as_ptr() as usize - rest.as_ptr() as usize;
        let number = value(token).unwrap_or_default().to_string();
        out.push_str(&rest[..at]);
        out.push_str(&number);
        out.push_str(&" ".repeat(token.len().saturating_sub(number.len())));
        rest = &rest[at + token.len()..];
    }
    out.push_str(rest);
    Some(out)
}

/// Returns true for digits, a point and digits: `0.00`, `5.5`, `1.0e+00`.
pub(super) fn is_decimal(token: &str) -> bool {
    let is_digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    token.split_once('.').is_some_and(|(whole, places)| {
        is_digits(whole) && whole.len() <= 2 && is_digits(places.split(['e', 'E']).next().unwrap_or_default())
    })
}

/// The value of a token that is a whole number of at most two digits.
pub(super) fn value(token: &str) -> Option<f64> {
    let digits = token.len() <= 2 && token.bytes().all(|byte| byte.is_ascii_digit());
    let point = token.strip_suffix('.').is_some_and(|whole| is_decimal(&format!("{whole}.0")));
    if !(digits || point || is_decimal(token)) {
        return None;
    }
    token.parse::<f64>().ok().filter(|value| value.fract() == 0.0 && *value <= LARGEST)
}

fn parts(sign: char) -> bool {
    sign.is_whitespace() || is_bar(sign) || matches!(sign, ',' | ';' | '"' | '\'')
}
