//! Problems of unreadable texts: codes E01xx.

use super::did_you_mean;

problems! {
    /// Problems of texts that are unreadable or too large.
    SyntaxProblem {
        [E0101] "Something else was expected\n\nThe line is fine up to the marked place but cannot continue like this. The label says what could stand there."
            { "c: cell = {x y}" => "c: cell = {x, y}" }
            EndsEarly { expected: String } = "this line ends too early", "{expected} after this";
            Unexpected { word: String, expected: String } = "`{word}` cannot stand here", "{expected}";
            Unreadable = "this line cannot be read", "not understood";
            PriceOfLines = "a price is one expression", "not one line", "write a number, `66 + #s`, or `12 when #s = 2`";
        [E0102] "Not a statement\n\nA line begins with a name and a colon, or with one of the words `case`, `let`, `require`, `chain`, `eliminate`, `place`, `conclude`, `guardians`, `uses`, `join`, `loop`, `cluster`, `ring`, `suppose`, `one step per`, `called`, `says` and `because`. The block of a chain has `strong:` and `weak:` lines; an example has `grid`, `board`, `after` and `finds` lines."
            { "elimnate d from c" => "eliminate d from c" }
            NotInLinks { word: String, near: Option<String> } = "`{word}` cannot stand in a block of links", "not expected here",
                { did_you_mean(near, "such a block holds `strong: …` and `weak: …`") };
            NotInExample { word: String, near: Option<String> } = "`{word}` cannot stand in an example", "not expected here", {
                let lines = "an example holds `grid \"…\"`, `board \"…\"`, `after …` and `finds …` lines".to_owned();
                did_you_mean(near, if word.starts_with('"') { format!("write `grid {word}`") } else { lines })
            };
            BlockOfFor { repeated: Option<String> } = "`for` begins no statement and has no block", "not expected here", {
                let place = "it stands at the end of the line that it repeats";
                repeated.map_or_else(|| place.to_owned(), |line| format!("{place}: `{line}`"))
            };
            BeginsWithMark { mark: String } = "`{mark}` begins no statement", "not expected";
            BeginsWithWord { word: String } = "`{word}` begins no statement", "not expected here";
            UnknownStatement { word: String } = "unknown statement `{word}`", "not a statement";
            NoKind { name: String } = "`{name}` is given no kind", "no `:` and kind after this name";
        [E0103] "Not an item\n\nA file contains techniques, patterns, strong links, rule lists, examples and near misses. Each begins in the first column; statements belong between the `{` and the `}` of a technique."
            { "technik lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            OutsideTechnique { word: String } = "`{word}` stands outside of a technique", "not an item";
            NoItem { word: String } = "`{word}` begins no item", "not an item";
        [E0104] "A bracket is not closed\n\nA `(`, a `[` or the `{` of a set is still open where the next statement begins. Inside brackets a line may continue on the next one."
            { "c: cell = {x, y\neliminate x from c" => "c: cell = {x, y}\neliminate x from c" }
            NotClosed { construct: &'static str, open: String, close: &'static str } = "{construct} is not closed", "`{open}` opens here",
                "write `{close}` after its last member" + "no `{close}` up to here";
        [E0105] "A text is not closed\n\nA text stands in double quotes and ends on the line on which it begins. A grid between `\"\"\"` and `\"\"\"` may take several lines."
            { "called \"Large when #digits(c) = 5" => "called \"Large\" when #digits(c) = 5" }
            TextNotClosed { close: &'static str } = "this text is not closed", "begins here", "close it with `{close}`";
        [E0106] "A block is not closed, or closed twice\n\nThe `{` of a block is the last mark of its line, and its `}` stands alone on a line. Techniques, patterns, strong links and examples have a block, and so do `chain from … to …`, `loop`, `cluster`, `ring` and `suppose … using links`."
            { "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            NoBlock = "this line has no block", "`{{` is not expected";
            NeverClosed = "this block is never closed", "`{{` opens here", "add a line with `}}` after the last line of the block";
            ClosesNothing = "this `}}` closes nothing", "nothing is open here";
            MoreAfterBrace = "a `{{` that opens a block is the last mark of its line", "more follows on this line",
                "end the line after `{{`, and write each statement on a line of its own";
        [E0107] "Too deep or too long\n\nBrackets nest at most 32 deep; a line has at most 2000 words, marks and placeholders, a sum of numbers at most 32 terms, a technique at most 64 cases, and a file at most 256 rule lists. Use `let` to give a part a name of its own."
            { "require #digits(c) = 1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1+1" => "require #digits(c) = 34" }
            TooDeep { deep: usize } = "brackets are nested too deeply", "{deep} brackets deep",
                "give the inner part a name with `let` and use the name here";
            DeepPlaceholder = "brackets are nested too deeply", "in this placeholder";
            DeepText = "texts are nested too deeply", "one more here";
            LongLine { most: usize } = "this line is too long", "more than {most} words and marks",
                "divide it: several `require` lines mean the same as one with `and`";
            LongExpression { most: usize } = "this expression is too long", "more than {most} terms";
            TooManyCases { id: String, cases: usize, most: usize } = "`{id}` has {cases} cases", "more than {most} with this one",
                "each is a rule of its own: put some of them into another technique";
            TooManyPatterns { most: usize } = "more than {most} patterns in one rule", "one more here";
            TooManyLists { most: usize } = "more than {most} rule lists in one file", "one too many",
                "put some of them into a file of their own";
        [E0108] "A number is too large\n\nNumbers count cells, digits, candidates and links; none is larger than 1000000."
            { "require #digits(c) = 99999999999" => "require #digits(c) = 9" }
            LargeNumber { largest: u32 } = "this number is too large", "larger than {largest}",
                "a board has fewer cells and candidates than that: write a smaller number";
        [E0109] "A reserved word as a name\n\nThe words of the language cannot be names, so you can read a line without knowing which names there are."
            { "from: cell = {x, y}" => "source: cell = {x, y}" }
            ReservedName { word: String } = "`{word}` is a word of the language and cannot be a name", "choose another name";
        [E0110] "Parentheses are needed\n\n`+`, `-` and `&` have no precedence over each other, and neither have `and` and `or`. Where they meet, use parentheses."
            { "c: cell = {x, y}\nr: row\neliminate x from r + c - c" => "c: cell = {x, y}\nr: row\neliminate x from (r + c) - c" }
            AndBesideOr = "`and` and `or` stand side by side", "which of the two comes first?",
                "put parentheses around the part that belongs together" + "with this one";
            MixedOperators = "different operators stand side by side", "which of the two comes first?",
                "put parentheses around the part that belongs together: `(a + b) - c`" + "with this one";
        [E0111] "A placeholder that cannot be read\n\n`{…}` in a text stands for a value. `{n: Pair, Triple, else Set of {n}}` has a word for each value of a parameter, from the lowest on."
            { "called \"Set of {n\" otherwise" => "called \"Set of {n}\" otherwise" }
            OpenPlaceholder = "this placeholder is not closed", "in this text",
                "`{{…}}` in a text is a placeholder that a value fills; a brace is written `\\{{`";
            StrayBrace = "this `}}` closes no placeholder", "in this text",
                "`{{…}}` in a text is a placeholder that a value fills; a brace is written `\\{{`";
            EmptyPlaceholder = "this placeholder is empty", "nothing to show here";
            MissingWord = "these words cannot be read", "a word is missing here";
            ElseNotLast = "these words cannot be read", "`else …` comes last";
        [E0112] "A rule that grows too large\n\nA name that `let` defines stands for at most 2000 parts, and a rule has at most 50000, counted with every name written out. If each of twenty `let` lines mentions the previous name twice, the last name has a million parts. As written, an item has at most 10000 words, marks and placeholders, and 50000 lines of comment."
            { "c: cell = {d}\nlet a1 = #digits(c) + #digits(c)\nlet a2 = a1 + a1\nlet a3 = a2 + a2\nlet a4 = a3 + a3\nlet a5 = a4 + a4\nlet a6 = a5 + a5\nlet a7 = a6 + a6\nlet a8 = a7 + a7\nlet a9 = a8 + a8\nlet b1 = a9 + a9\nrequire b1 = 1024\nplace d in c" => "c: cell = {d}\nlet a1 = #digits(c)\nrequire a1 = 1\nplace d in c" }
            LargeItem { most: usize, parts: &'static str } = "this item is too large", "more than {most} {parts} up to here",
                "make several techniques of it, and name what they share in a `pattern`";
            LargeName { name: String, size: usize, most: usize } = "`{name}` stands for too much",
                "{size} parts if all names in it are written out, {most} at most",
                "a line that mentions a name twice doubles the size of the name: mention it once";
            LargeRule { most: usize } = "this rule is too large", "more than {most} parts if all names are written out",
                "mention large names less often, or make several techniques of it";
        [W0101] "A stray doc comment\n\n`///` lines describe the item below them. Inside an item a comment begins with `//`."
            { "/// Two candidates.\nc: cell = {x, y}" => "// Two candidates.\nc: cell = {x, y}" }
            StrayDoc = "this comment belongs to no item", "`///` describes the item after it",
                "write `//` for a comment, or move it above the item";
        [W0102] "More errors than are shown\n\nPinion shows at most ten syntax errors of each item. Fix these and check again."
            { "a b\na b\na b\na b\na b\na b\na b\na b\na b\na b\na b\na b" => "c: cell = {x, y}" }
            MoreErrors { more: usize } = "{more} more errors in this item are not shown", "the next of them";
        [W0103] "A file without a technique\n\nThe file is empty or holds only comments, so nothing of it is checked, tested or proved."
            { "// technique lone \"Lone\" {\n//   c: cell = {d}\n//   place d in c\n// }" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            NoTechnique = "this file has no technique", "nothing but comments", "write a technique into it, or delete the file";
    }
}
