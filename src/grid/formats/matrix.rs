//! Matrices as programs write them: JSON, Python, MiniZinc, C. In: text with brackets, perhaps with a name before it.
//! Out: [`Content`]. Cells are separated by commas, or by blanks where there are no commas; numbers may have two digits.

use super::content::{Content, Wrong};

/// The words for an empty cell.
const BLANKS: [&str; 16] =
    ["0", ".", "_", "-", "*", "?", "x", "X", "None", "null", "nil", "NA", "nan", "NaN", "' '", "\"\""];

/// Whether a line begins one: an opening bracket, or a name and `=` before it. `[Puzzle]` is a heading.
pub(super) fn begins(line: &str) -> bool {
    let value = line[start(line)..].trim_start();
    let call = ["np.array(", "numpy.array(", "array(", "Matrix("].iter().find_map(|call| value.strip_prefix(call));
    let value = call.unwrap_or(value);
    let Some(inside) = value.strip_prefix(['[', '{', '(']) else { return false };
    let inside = inside.trim_start();
    let nested =
        inside.starts_with(['[', '(', '|', '{']) || (inside.is_empty() && (value.starts_with('[') || start(line) > 0));
    let first = inside.split([',', ' ', ']']).next().unwrap_or_default().trim_matches(['"', '\'']);
    let flat = first.chars().all(|c| c.is_ascii_digit()) || BLANKS.contains(&first);
    nested || (value.starts_with('[') && inside.contains([',', ' ']) && flat)
}

/// Whether a line in brackets has no more cells than a row.
pub(super) fn is_row(line: &str) -> bool {
    const LONGEST_ROW: usize = 25;
    !line.contains("[[") && line.split([',', ' ']).filter(|word| !word.is_empty()).count() <= LONGEST_ROW
}

/// Where the value begins: after the name and `=`, if the line has them.
fn start(text: &str) -> usize {
    const LONGEST_NAME: usize = 80;
    let in_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | ' ' | ':' | '.' | '[' | ']' | ',');
    match text.find('=') {
        Some(at) if at <= LONGEST_NAME && text[..at].chars().all(in_name) => at + 1,
        _ => 0,
    }
}

/// Where the brackets that the text opens are closed; rows that a comma follows go on.
pub(super) fn end(text: &str) -> Option<usize> {
    let (mut depth, mut opened, start) = (0_usize, false, start(text));
    for (at, sign) in text[start..].char_indices() {
        match sign {
            '[' | '(' | '{' => (depth, opened) = (depth + 1, true),
            ']' | ')' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        let after = start + at + sign.len_utf8();
        if opened && depth == 0 && !text[after..].trim_start().starts_with(',') && !matches!(sign, ',' | ' ' | '\n') {
            return Some(after);
        }
    }
    None
}

/// Reads a text from the name to the last bracket.
pub(super) fn read(text: &str) -> Result<Content, Wrong> {
    let body = &text[start(text)..];
    let commas = body.contains(',');
    let parts = |c: char| {
        matches!(c, '[' | ']' | '(' | ')' | '{' | '}' | '|' | ';') || c == ',' || (!commas && c.is_whitespace())
    };
    let words: Vec<&str> = body.split(parts).map(str::trim).collect();
    let is_call = |word: &str| word.len() > 4 && word.chars().all(|c| c.is_alphabetic() || matches!(c, '.' | '_'));
    let tokens: Vec<&str> =
        words.into_iter().filter(|word| !word.is_empty() && !word.contains('=') && !is_call(word)).collect();
    let rows: Vec<&str> = tokens.iter().map(|token| token.trim_matches(['"', '\''])).collect();
    let cells = |token: &&str| token.chars().count();
    if let Some(size) = (4..=25).find(|size| rows.len() == *size && rows.iter().map(cells).all(|count| count == *size))
    {
        let mut content = Content::new(size)?;
        content.givens = content.characters(&rows.concat())?;
        return Ok(content);
    }
    let size = (4..=25).find(|size| size * size == tokens.len());
    let size = size.ok_or_else(|| Wrong::broken(format!("it has {} cells; no board has that many", tokens.len())))?;
    let mut content = Content::new(size)?;
    for (index, (token, cell)) in tokens.iter().zip(&rows).enumerate() {
        if BLANKS.contains(token) || BLANKS.contains(cell) || cell.trim().is_empty() {
            continue;
        }
        let number = cell.parse::<u64>().or_else(|_| cell.trim_end_matches(".0").trim_end_matches('.').parse());
        let digit = match number {
            Ok(number) => content.digit(number)?,
            Err(_) => content
                .characters(&cell.repeat(size * size))
                .map_err(|_| Wrong::broken(format!("`{cell}` is not a digit")))?[0]
                .ok_or_else(|| Wrong::broken(format!("`{cell}` is not a digit")))?,
        };
        content.givens[index] = Some(digit);
    }
    Ok(content)
}
