//! Labels at the edges of a drawing: numbers or letters of rows and columns. In: lines. Out: which of them are labels, and the
//! lines without them.

/// A label of a row or a column, without the words before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Label {
    Number(usize),
    Letter(u8),
}

/// Returns true if labels count rows or columns: from 0 or 1 on, down to 1, or from A on, perhaps without I.
pub(super) fn is_sequence(labels: &[Label]) -> bool {
    let count = labels.len();
    let numbers = |number: &dyn Fn(usize) -> usize| (0..count).all(|at| labels[at] == Label::Number(number(at)));
    let letters = |letter: &dyn Fn(u8) -> u8| (0..count).all(|at| labels[at] == Label::Letter(letter(at as u8)));
    count >= 4
        && (numbers(&|at| at)
            || numbers(&|at| at + 1)
            || numbers(&|at| count - at)
            || letters(&|at| at)
            || letters(&|at| at + u8::from(at >= 8)))
}

/// The label at the beginning of a line, and the line with blanks in its place.
pub(super) fn left(text: &str) -> Option<(Label, String)> {
    let signs: Vec<char> = text.chars().collect();
    let blank = |at: usize| signs.get(at).is_some_and(|sign| sign.is_whitespace() && *sign != '\t');
    let mut at = (0..signs.len()).find(|&at| !blank(at))?;
    if is_bar(signs[at]) || signs[at] == '"' {
        at += 1;
        at = (at..signs.len()).find(|&at| !blank(at))?;
    }
    let (label, mut end) = label(&signs, at)?;
    if signs.get(end) == Some(&'"') {
        end += 1;
    }
    match signs.get(end) {
        Some(':' | ')' | '.' | ',' | ';' | '\t') => end += 1,
        Some(sign) if !sign.is_whitespace() && !is_bar(*sign) => return None,
        _ => {}
    }
    // `1:` and `1.` may have a bar of the drawing, a tab or a comma behind them.
    if let Some(',' | '\t') = signs.get(end).filter(|_| matches!(signs[end - 1], ':' | '.' | ')')) {
        end += 1;
    }
    Some((label, signs.iter().enumerate().map(|(at, &sign)| if at < end { ' ' } else { sign }).collect()))
}

/// The label at the end of a line, and the line without it.
pub(super) fn right(text: &str) -> Option<(Label, String)> {
    let signs: Vec<char> = text.trim_end().chars().collect();
    let last = signs.len().checked_sub(1)?;
    let start = (0..=last).rev().take_while(|&at| signs[at].is_ascii_alphanumeric()).last()?;
    let (label, end) = label(&signs, start)?;
    let before = *signs.get(start.checked_sub(1)?)?;
    let parted = before.is_whitespace() || is_bar(before) || matches!(before, ',' | ';');
    let keep = if matches!(before, ',' | ';' | '\t') { start - 1 } else { start };
    (end == signs.len() && parted).then(|| (label, signs[..keep].iter().collect::<String>().trim_end().to_string()))
}

/// A number of at most two digits or a letter, perhaps after `r`, `row` and the like, or in brackets as R writes it.
fn label(signs: &[char], at: usize) -> Option<(Label, usize)> {
    let mut start = at;
    let bracket = signs[at] == '[' || signs[at] == '(';
    if bracket {
        start += 1;
    }
    let word: String = signs[start..].iter().take_while(|sign| sign.is_alphabetic()).collect::<String>().to_lowercase();
    if matches!(word.as_str(), "r" | "row" | "line" | "zeile" | "c" | "col" | "column" | "v" | "x") {
        let mut after = start + word.chars().count();
        while signs.get(after) == Some(&' ') {
            after += 1;
        }
        if signs.get(after).is_some_and(char::is_ascii_digit) {
            start = after;
        }
    }
    if signs.get(start) == Some(&'#') {
        start += 1;
    }
    let digits: String = signs[start.min(signs.len())..].iter().take_while(|sign| sign.is_ascii_digit()).collect();
    let (label, mut end) = match (digits.parse(), signs.get(start)) {
        (Ok(number), _) if digits.len() <= 2 => (Label::Number(number), start + digits.len()),
        (_, Some(letter)) if letter.is_ascii_alphabetic() => {
            (Label::Letter(letter.to_ascii_uppercase() as u8 - b'A'), start + 1)
        }
        _ => return None,
    };
    if bracket {
        end += usize::from(signs.get(end) == Some(&','));
        if !matches!(signs.get(end), Some(']' | ')')) {
            return None;
        }
        end += 1;
    }
    Some((label, end))
}

/// Returns true if a line has nothing but the labels of `count` columns, perhaps with one word above the labels of rows.
pub(super) fn is_header(text: &str, count: usize) -> bool {
    let parts = |sign: char| sign.is_whitespace() || is_bar(sign) || matches!(sign, ';' | '"' | '\'' | ':');
    // R writes `[,1]`.
    let text = text.replace("[,", " ").replace(',', " ");
    let words: Vec<&str> = text.split(parts).filter(|word| !word.is_empty()).collect();
    let of_word = |word: &&str| {
        let signs: Vec<char> = word.trim_end_matches([']', '.', ')']).chars().collect();
        if signs.is_empty() {
            None
        } else {
            label(&signs, 0).filter(|(_, end)| *end == signs.len()).map(|(label, _)| label)
        }
    };
    let is_counting = |words: &[&str]| {
        let labels: Option<Vec<Label>> = words.iter().map(of_word).collect();
        words.len() == count && labels.is_some_and(|labels| is_sequence(&labels))
    };
    let joined: Vec<char> = words.concat().chars().collect();
    let each: Option<Vec<Label>> =
        joined.iter().map(|&sign| label(&[sign], 0).map(|(label, _)| label)).collect::<Option<_>>();
    let spread = words.len() < count && joined.len() == count;
    is_counting(&words)
        || (words.len() == count + 1 && is_counting(&words[1..]))
        || (spread && each.is_some_and(|labels| is_sequence(&labels)))
}

/// Returns true if the sign is a vertical line between cells.
pub(super) fn is_bar(sign: char) -> bool {
    matches!(
        sign,
        '|' | '\u{a6}'
            | '\u{2502}'
            | '\u{2503}'
            | '\u{2506}'
            | '\u{2507}'
            | '\u{250a}'
            | '\u{250b}'
            | '\u{254e}'
            | '\u{254f}'
            | '\u{2551}'
            | '\u{ff5c}'
    )
}
