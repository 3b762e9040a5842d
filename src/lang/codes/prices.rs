//! Problems of prices in profiles: codes E07xx. The example texts are prices for a rule with a house `h` and cells `s`.

problems! {
    /// Problems of prices in profiles.
    PriceProblem {
        [E0701] "A price is a number\n\nThe price of a row in a profile is a number of the match: a count with `#`, `length` (how many candidates a chain or its cases make true or false), sums of them, `product(a, b)`, `above(x, 4, 6)` (how many of these thresholds x exceeds). The names are those of the rule."
            { "digits(s)" => "30 + #digits(s)" }
            NoNumber { actual: &'static str } = "a price is a number; this is {actual}", "{actual}",
                "`#` before a set counts it: `#digits(s)`, `#eliminated`; `above(#s, 2, 4)` counts the thresholds that it exceeds";
        [E0702] "A price has no names of its own\n\nA price uses names of the rule. It has no `for` and no `those`: let the rule name the value with `let`, and use that name."
            { "#(those c in s with #digits(c) = 2)" => "#s" }
            DeclaresName = "a price has no names of its own: no `for`, no `those`", "not in a price",
                "use names of the rule, as in `#s` or `digits(c)`";
            NameOfProfile { name: String, reason: String } = "`{name}` of the profile cannot be used here: {reason}",
                "a name of the profile",
                "the expression can use names that every rule with this price has, but no other name of the profile";
        [E0703] "A function of prices has its arguments\n\n`above(x, 4, 6, 8)` says how many of the thresholds 4, 6 and 8 the number x exceeds. Thresholds are plain numbers. `first(C)` is the first cell of C, row by row; `largest(C)` is the largest number of candidates that a cell of C has. `since(D, C)` is the time when a digit of D was last removed from a cell of C; time counts removed candidates. `cell(K, n)` and `digit(K, n)` are the numbers of the cell and the digit of the n-th candidate of K, by digit and then row by row. For cells C, `cell(C, n)` is the number of the n-th cell. `rank(C)` is the number of the set C among all sets of cells of a house. `product(a, b)`, `least(a, b)` and `most(a, b)` take two or more numbers."
            { "above(s, 2)" => "above(#s, 2, 3)" }
            Nth { name: String, allows_cells: bool } = {
                format!("`{name}` needs {} and a number", if allows_cells { "candidates or cells" } else { "candidates" })
            }, "not these two", "write `{name}(eliminated, 1)`: the first candidate, by digit and then row by row";
            Fold { word: &'static str } = "`{word}` takes two or more numbers", "not numbers", "write `{word}(length, #eliminated)`";
            Since = "`since` needs two things: digits and cells", "not two",
                "write `since(digits, c)`, `since(d, h)`: the time when the last of these candidates was removed";
            Above = "`above` takes a number and thresholds", "not a number and thresholds",
                "write `above(length, 4, 6, 8)`: how many of 4, 6 and 8 the length exceeds";
    }
}
