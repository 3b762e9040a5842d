//! Problems of examples and near misses: codes E06xx.

use super::maximum;

problems! {
    /// Problems of examples and near misses.
    ExampleProblem {
        [E0601] "No grid\n\nAn example and a near miss have a line `grid \"…\"`, or `grid \"\"\"` with the grid on several lines."
            { "near_miss lone {\n}" => "near_miss lone {\n  grid \"12..\"\n}" }
            NoGrid { item: &'static str } = "this {item} has no grid", "no `grid` line", "add a line `grid \"…\"` with the puzzle in any format";
            EmptyGrid { item: &'static str } = "the grid of this {item} is empty", "nothing in `grid`";
        [E0602] "Nothing to find\n\nAn example has a `finds` line for each match, unless its grid is a library line, which contains the deductions itself. A grid on which the rule must find nothing is a `near_miss`."
            { "example lone {\n  grid \"12..\"\n}" => "example lone {\n  grid \"12..\"\n  finds r1c3=3\n}" }
            NoFinds = "this example does not say what is found", "no `finds` line",
                "add `finds r1c2<>3` with the deductions of a match, or make it a `near_miss`";
        [E0603] "No such member of the family\n\nAn example names no member, or gives one value for each parameter, within its range."
            { "technique lone(n: 1..2) \"Lone {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}\n\nexample lone(7) {\n  grid \"12..\"\n  finds r1c3=3\n}" => "technique lone(n: 1..2) \"Lone {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}\n\nexample lone(1) {\n  grid \"12..\"\n  finds r1c3=3\n}" }
            Arguments { id: String, wanted: usize, given: usize } = {
                let wanted = match wanted {
                    0 => "no parameter".to_owned(),
                    1 => "one parameter".to_owned(),
                    many => format!("{many} parameters"),
                };
                format!("`{id}` has {wanted}, not {given}")
            }, "this many are given";
            ArgumentOutside { name: String, low: u32, high: Option<u32>, value: u32 } =
                { format!("`{name}` runs from {low} to {}", maximum(high)) }, "{value} is outside";
        [E0604] "Not a deduction\n\n`r1c2<>3` takes the candidate 3 from the cell in row 1, column 2; `r1c2=3` places it. `r12c4<>56` takes 5 and 6 from r1c4 and r2c4."
            { "example lone {\n  grid \"12..\"\n  finds c3r1=3\n}" => "example lone {\n  grid \"12..\"\n  finds r1c3=3\n}" }
            NoDeduction { fault: &'static str, tidy: Option<String> } = "this is not a deduction", "{fault}", {
                let forms = "`r1c2<>3` takes 3 from row 1, column 2; `r1c2=3` places it; `r12c4<>56` is all of them at once";
                tidy.map_or_else(|| forms.to_owned(), |tidy| format!("write `{tidy}`, in small letters and without blanks"))
            };
        [E0605] "A near miss finds nothing\n\nA near miss shows a grid on which one thing is missing, so that the rule finds nothing. It has no `finds`."
            { "near_miss lone {\n  grid \"12..\"\n  finds r1c3=3\n}" => "near_miss lone {\n  grid \"12..\"\n}" }
            FindsInNearMiss = "a near miss finds nothing", "not here", "leave `finds` out: a near miss is a grid on which the rule finds nothing";
        [E0606] "Two grids\n\nAn example has one grid, on one board. Write two examples for two grids."
            { "near_miss lone {\n  grid \"12..\"\n  grid \"21..\"\n}" => "near_miss lone {\n  grid \"12..\"\n}\n\nnear_miss lone {\n  grid \"21..\"\n}" }
            TwoGrids { item: &'static str } = "this {item} has two grids", "the second", "write one {item} for each grid" + "the first";
            TwoBoards { item: &'static str } = "this {item} has two boards", "the second",
                "a grid belongs to one board: write two examples" + "the first";
    }
}
