//! Characters by their names, for messages. In: a character that is no cell. Out: what it is called, and what to write instead.

/// Characters that look like nothing, like a blank, or like a cell, with their names.
const NAMES: [(char, &str); 46] = [
    ('\t', "a tab"),
    ('\u{a0}', "a no-break space"),
    ('\u{ad}', "a soft hyphen"),
    ('\u{b2}', "a superscript 2"),
    ('\u{b3}', "a superscript 3"),
    ('\u{b7}', "a middle dot"),
    ('\u{b9}', "a superscript 1"),
    ('\u{d7}', "a multiplication sign"),
    ('\u{34f}', "a grapheme joiner"),
    ('\u{61c}', "a mark of writing direction"),
    ('\u{180e}', "a vowel separator"),
    ('\u{2002}', "an en space"),
    ('\u{2003}', "an em space"),
    ('\u{2007}', "a figure space"),
    ('\u{2009}', "a thin space"),
    ('\u{200a}', "a hair space"),
    ('\u{200b}', "a zero-width space"),
    ('\u{200c}', "a zero-width non-joiner"),
    ('\u{200d}', "a zero-width joiner"),
    ('\u{200e}', "a mark of writing direction"),
    ('\u{200f}', "a mark of writing direction"),
    ('\u{2010}', "a hyphen"),
    ('\u{2011}', "a no-break hyphen"),
    ('\u{2012}', "a figure dash"),
    ('\u{2013}', "an en dash"),
    ('\u{2014}', "an em dash"),
    ('\u{2015}', "a horizontal bar"),
    ('\u{2018}', "a curly quote"),
    ('\u{2019}', "a curly quote"),
    ('\u{201c}', "a curly quote"),
    ('\u{201d}', "a curly quote"),
    ('\u{2022}', "a bullet"),
    ('\u{2024}', "a one dot leader"),
    ('\u{2025}', "a two dot leader"),
    ('\u{2026}', "an ellipsis"),
    ('\u{2028}', "a line separator"),
    ('\u{2029}', "a paragraph separator"),
    ('\u{202f}', "a narrow no-break space"),
    ('\u{2060}', "a word joiner"),
    ('\u{20e3}', "the frame of a key"),
    ('\u{2212}', "a minus sign"),
    ('\u{25a1}', "a white square"),
    ('\u{3000}', "a wide space"),
    ('\u{fe0f}', "a mark of how a character is drawn"),
    ('\u{feff}', "a byte order mark"),
    ('\u{fffd}', "a character that could not be decoded"),
];

/// The first digits, 0, of the decimal digits of other scripts, and what they are called.
const ZEROS: [(char, &str); 8] = [
    ('\u{660}', "an Arabic-Indic"),
    ('\u{6f0}', "a Persian"),
    ('\u{966}', "a Devanagari"),
    ('\u{9e6}', "a Bengali"),
    ('\u{e50}', "a Thai"),
    ('\u{2070}', "a superscript"),
    ('\u{2080}', "a subscript"),
    ('\u{ff10}', "a full-width"),
];

/// A character as messages show it.
pub(super) fn named(symbol: char) -> String {
    let code = symbol as u32;
    if symbol.is_ascii_graphic() {
        return format!("`{symbol}`");
    }
    if let Some((_, name)) = NAMES.iter().find(|(known, _)| *known == symbol) {
        return format!("U+{code:04X}, {name},");
    }
    if let Some((digit, name)) = foreign_digit(symbol) {
        return format!("`{symbol}` (U+{code:04X}, {name} {digit})");
    }
    match symbol.is_control() {
        true => format!("the control character U+{code:04X}"),
        false => format!("`{symbol}` (U+{code:04X})"),
    }
}

/// Returns true if nobody sees the character in a text.
pub(super) fn is_hidden(symbol: char) -> bool {
    matches!(
        symbol,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{fe0f}' | '\u{feff}'
    )
}

/// Says what to write instead of a character.
pub(super) fn advice(symbol: char) -> Option<&'static str> {
    match symbol {
        _ if is_hidden(symbol) => Some("it can't be seen; delete it"),
        '\u{2024}'..='\u{2026}' => Some("an editor made it of dots; write a dot for each empty cell"),
        '\u{2010}'..='\u{2015}' | '\u{2212}' => {
            Some("an editor made it of hyphens; write `-` or `.` for each empty cell")
        }
        '\u{a0}' | '\u{2002}'..='\u{200a}' | '\u{202f}' | '\u{3000}' => {
            Some("write `.` or `0` for an empty cell, and an ordinary blank between cells")
        }
        '\u{2018}' | '\u{2019}' | '\u{201c}' | '\u{201d}' => Some("write straight quotes, or none"),
        _ if foreign_digit(symbol).is_some() => Some("write 0 to 9"),
        _ => mistaken(symbol),
    }
}

/// Letters that are typed or scanned in place of digits.
pub(super) fn mistaken(symbol: char) -> Option<&'static str> {
    match symbol {
        'O' | 'o' => Some("this is the letter O; write the digit 0 for an empty cell"),
        'l' | 'I' | 'i' => Some("this is a letter; write the digit 1 if you mean it"),
        _ => None,
    }
}

/// The value of a digit of another script, and the name of the script.
fn foreign_digit(symbol: char) -> Option<(u32, &'static str)> {
    let value = |zero: char| (symbol as u32).checked_sub(zero as u32).filter(|value| *value < 10);
    ZEROS.iter().find_map(|(zero, name)| value(*zero).map(|value| (value, *name)))
}
