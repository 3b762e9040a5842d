//! Problems of unreadable texts: codes E01xx.

use super::did_you_mean;

problems! {
    /// Problems of texts that are unreadable or too large.
    SyntaxProblem {
        [E0101] EndsEarly { expected: String } = "this line ends too early", "{expected} after this";
        [E0101] Unexpected { word: String, expected: String } = "`{word}` cannot stand here", "{expected}";
        [E0101] Unreadable = "this line cannot be read", "not understood";
        [E0101] PriceOfLines = "a price is one expression", "not one line", "write a number, `66 + #s`, or `12 when #s = 2`";
        [E0102] NotInLinks { word: String, near: Option<String> } = "`{word}` cannot stand in a block of links", "not expected here",
            { did_you_mean(near, "such a block holds `strong: …` and `weak: …`") };
        [E0102] NotInExample { word: String, near: Option<String> } = "`{word}` cannot stand in an example", "not expected here", {
            let lines = "an example holds `grid \"…\"`, `board \"…\"`, `after …` and `finds …` lines".to_owned();
            did_you_mean(near, if word.starts_with('"') { format!("write `grid {word}`") } else { lines })
        };
        [E0102] BlockOfFor { repeated: Option<String> } = "`for` begins no statement and has no block", "not expected here", {
            let place = "it stands at the end of the line that it repeats";
            repeated.map_or_else(|| place.to_owned(), |line| format!("{place}: `{line}`"))
        };
        [E0102] BeginsWithMark { mark: String } = "`{mark}` begins no statement", "not expected";
        [E0102] BeginsWithWord { word: String } = "`{word}` begins no statement", "not expected here";
        [E0102] UnknownStatement { word: String } = "unknown statement `{word}`", "not a statement";
        [E0102] NoKind { name: String } = "`{name}` is given no kind", "no `:` and kind after this name";
        [E0103] OutsideTechnique { word: String } = "`{word}` stands outside of a technique", "not an item";
        [E0103] NoItem { word: String } = "`{word}` begins no item", "not an item";
        [E0104] NotClosed { construct: &'static str, open: String, close: &'static str } = "{construct} is not closed", "`{open}` opens here",
            "write `{close}` after its last member" + "no `{close}` up to here";
        [E0105] TextNotClosed { close: &'static str } = "this text is not closed", "begins here", "close it with `{close}`";
        [E0106] NoBlock = "this line has no block", "`{{` is not expected";
        [E0106] NeverClosed = "this block is never closed", "`{{` opens here", "add a line with `}}` after the last line of the block";
        [E0106] ClosesNothing = "this `}}` closes nothing", "nothing is open here";
        [E0106] MoreAfterBrace = "a `{{` that opens a block is the last mark of its line", "more follows on this line",
            "end the line after `{{`, and write each statement on a line of its own";
        [E0107] TooDeep { deep: usize } = "brackets are nested too deeply", "{deep} brackets deep",
            "give the inner part a name with `let` and use the name here";
        [E0107] DeepPlaceholder = "brackets are nested too deeply", "in this placeholder";
        [E0107] DeepText = "texts are nested too deeply", "one more here";
        [E0107] LongLine { most: usize } = "this line is too long", "more than {most} words and marks",
            "divide it: several `require` lines mean the same as one with `and`";
        [E0107] LongExpression { most: usize } = "this expression is too long", "more than {most} terms";
        [E0107] TooManyCases { id: String, cases: usize, most: usize } = "`{id}` has {cases} cases", "more than {most} with this one",
            "each is a rule of its own: put some of them into another technique";
        [E0107] TooManyPatterns { most: usize } = "more than {most} patterns in one rule", "one more here";
        [E0107] TooManyLists { most: usize } = "more than {most} rule lists in one file", "one too many",
            "put some of them into a file of their own";
        [E0108] LargeNumber { largest: u32 } = "this number is too large", "larger than {largest}",
            "a board has fewer cells and candidates than that: write a smaller number";
        [E0109] ReservedName { word: String } = "`{word}` is a word of the language and cannot be a name", "choose another name";
        [E0110] AndBesideOr = "`and` and `or` stand side by side", "which of the two comes first?",
            "put parentheses around the part that belongs together" + "with this one";
        [E0110] MixedOperators = "different operators stand side by side", "which of the two comes first?",
            "put parentheses around the part that belongs together: `(a + b) - c`" + "with this one";
        [E0111] OpenPlaceholder = "this placeholder is not closed", "in this text",
            "`{{…}}` in a text is a placeholder that a value fills; a brace is written `\\{{`";
        [E0111] StrayBrace = "this `}}` closes no placeholder", "in this text",
            "`{{…}}` in a text is a placeholder that a value fills; a brace is written `\\{{`";
        [E0111] EmptyPlaceholder = "this placeholder is empty", "nothing to show here";
        [E0111] MissingWord = "these words cannot be read", "a word is missing here";
        [E0111] ElseNotLast = "these words cannot be read", "`else …` comes last";
        [E0112] LargeItem { most: usize, parts: &'static str } = "this item is too large", "more than {most} {parts} up to here",
            "make several techniques of it, and name what they share in a `pattern`";
        [E0112] LargeName { name: String, size: usize, most: usize } = "`{name}` stands for too much",
            "{size} parts if all names in it are written out, {most} at most",
            "a line that mentions a name twice doubles the size of the name: mention it once";
        [E0112] LargeRule { most: usize } = "this rule is too large", "more than {most} parts if all names are written out",
            "mention large names less often, or make several techniques of it";
        [W0101] StrayDoc = "this comment belongs to no item", "`///` describes the item after it",
            "write `//` for a comment, or move it above the item";
        [W0102] MoreErrors { more: usize } = "{more} more errors in this item are not shown", "the next of them";
        [W0103] NoTechnique = "this file has no technique", "nothing but comments", "write a technique into it, or delete the file";
    }
}
