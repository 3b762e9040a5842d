//! Problems with names and references: codes E02xx and W02xx.

use super::{did_you_mean, maximum};
use crate::lang::words::either;

problems! {
    /// Problems with names and references.
    NameProblem {
        [E0201] "Unknown kind\n\nThe kinds are `digit`, `cell`, `candidate`, `house`, `row`, `column`, `box`, `line`, `als`, `group` and `literal`. A set has the plural and a size: `cells[2]`."
            { "c: cel = {x, y}" => "c: cell = {x, y}" }
            UnknownKind { word: String, near: Option<String>, kinds: Vec<String> } = "there is no kind `{word}`", "not a kind",
                { did_you_mean(near, format!("a kind is {}; a set is `cells[2]`, `digits[n]`, …", either(&kinds))) };
            UnknownHouseKind { word: String, near: Option<String> } = "`{word}` is not a kind of house", "not a house",
                { did_you_mean(near, "write `in one house`, `row`, `column`, `box` or `line`") };
        [E0202] "Unknown name\n\nEvery name is declared in the same rule: on a line `name: kind`, with `let`, in a pattern such as `= {x, y}`, or in a chain. The order of the lines does not matter."
            { "c: cell = {x, y}\neliminate z from c" => "c: cell = {x, y}\neliminate x from c" }
            Undeclared { name: String, near: Option<String> } = "nothing here is called `{name}`", "not declared",
                { did_you_mean(near, format!("declare it on a line of its own, such as `{name}: digit` or `{name}: cell`")) };
            UnknownInPrice { name: String, near: Option<String>, words: Vec<String> } = "nothing here is called `{name}`", "not declared",
                { did_you_mean(near, format!("there are {}", either(&words).replace(" or ", " and "))) };
            UndeclaredNames { names: Vec<String>, quoted: Vec<String> } = { format!("nothing here is called {}", either(&quoted)) }, "not declared", {
                let list = names.join(", ");
                format!("declare them on a line of their own, such as `{list}: digit` or `{list}: cell`")
            } + "not declared";
        [E0203] "Declared twice\n\nA name stands for one thing in a rule. Several lines can use the same name after `for`. No other declaration of the rule can have this name."
            { "c: cell = {x, y}\nc: cell sees d" => "c: cell = {x, y}\nd: cell sees c" }
            DeclaredTwice { name: String } = "`{name}` is declared twice", "declared again",
                "give one of the two another name" + "declared here first";
            ParameterTwice { name: String } = "`{name}` is declared twice", "declared again" + "declared here first";
            NameOfOuterLoop { name: String } = "`{name}` is the name of an outer `for`, too", "declared again",
                "give one of the two another name" + "declared here first";
            ViewTwice { space: String } = "`{space}` is named twice", "named again" + "named here first";
            SecondLine { keyword: &'static str } = "a rule has one `{keyword}` line", "a second `{keyword}`" + "the first";
        [E0204] "A kind or a function as a name\n\nWords for kinds and functions cannot be names, and alone they are not values: `digits` is the set of all digits, `digits(c)` the candidates of c, `digit` only a kind. `eliminated` has a meaning of its own, too."
            { "row: cell = {x, y}" => "c: cell = {x, y}" }
            BuiltIn { name: String } = "`{name}` has a meaning of its own and cannot be a name", "choose another name";
            KindAlone { name: String, is_function: bool } = "`{name}` alone is not a value", "a word for a kind", {
                match is_function {
                    true => format!("write `{name}(…)`, or declare a name: `x: {name}`"),
                    false => format!("declare a name of this kind: `x: {name}`"),
                }
            };
            HouseKindAlone { name: String } = "`{name}` alone is not a value", "a word for a kind",
                "write `in one {name}` for several cells, or name the {name}: `h: {name}`, `in h`";
        [E0205] "Unknown function\n\nThe functions are `digits`, `values`, `cells`, `row`, `column`, `box`, `rows`, `columns`, `boxes`, `lines`, `houses`, `overlap`, `in_no_template`, `in_every_template`, `in_no_combination` and `times`."
            { "c: cell = {x, y}\nrequire #digit_set(c) = 2" => "c: cell = {x, y}\nrequire #digits(c) = 2" }
            UnknownFunction { name: String, phrase: Option<String>, near: Option<String>, functions: Vec<String> } =
                "there is no function `{name}`", "not a function", {
                match (phrase, near) {
                    (Some(phrase), _) => format!("write {phrase}"),
                    (None, Some(near)) => format!("did you mean `{near}(…)`?"),
                    (None, None) => format!("there are {}", either(&functions).replace(" or ", " and ")),
                }
            };
        [E0206] "Unknown name in a title\n\nA title can use the parameters of its technique, as in `{n}`. `called` can also use `{name}`, the title of the header. Values of the pattern belong in `says` and `because`."
            { "technique lone(n: 1..2) \"Lone {m}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}" => "technique lone(n: 1..2) \"Lone {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}" }
            NotAParameter = "a title can use parameters only", "not a parameter",
                "values of the pattern can stand in `says \"…\"` and `because \"…\"`";
            UnknownParameter { name: String, near: Option<String>, is_declared: bool } = "there is no parameter `{name}`", "not a parameter", {
                let sentences = "values of the pattern can stand in `says \"…\"` and `because \"…\"`".to_owned();
                let header = format!("declare it after the technique's name: `({name}: 2..4)`");
                did_you_mean(near, if is_declared { sentences } else { header })
            };
        [E0207] "Unknown strong link\n\n`strong:` names the sources of strong links that a chain may use. They are declared with `strong link`, in any file that is loaded."
            { "chain from (z)A to (z)B, 3.. cells {\n  strong: house_of_cards\n}" => "chain from (z)A to (z)B, 3.. cells {\n  strong: cell\n}" }
            UnknownSource { name: String, near: Option<String>, sources: Vec<String> } =
                "there is no strong link called `{name}`", "not declared", {
                let all = either(&sources).replace(" or ", " and ");
                did_you_mean(near, format!("there are {all}; declare more with `strong link {name} (x)A = (y)B {{`"))
            };
        [E0208] "Two items with one name\n\nA technique is known by the word after `technique`, a strong link by the word after `strong link`, a rule list by the word after `rules`. Examples, profiles and rule lists refer to it, so a rule list and a technique must have different names.\n\nTwo files that you load together cannot have a technique or a strong link of one name either: only one of the two would be tested, proved and used. Only built-in rules may be replaced: your rule with the id of a built-in rule replaces the built-in rule, and Pinion reports it."
            { "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique lone \"Alone\" {\n  c: cell = {d}\n  place d in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique alone \"Alone\" {\n  c: cell = {d}\n  place d in c\n}" }
            ItemTwice { keyword: &'static str, name: String } = "two {keyword}s are called `{name}`", "the second",
                "give one of them another name" + "the first";
            ItemInTwoFiles { keyword: &'static str, id: String, location: String } = "two files have a {keyword} `{id}`", "also at {location}",
                "give one of them another name, or leave one of the files out";
            ListLikeTechnique { name: String } = "a technique is called `{name}` too", "a rule list", "give the rule list another name";
        [E0209] "An example of an unknown technique\n\nAn example begins with the id of its technique, the word after `technique`. The technique may be in another file."
            { "example lonely {\n  grid \"1...\"\n  finds r1c2=2\n}" => "technique lonely \"Lonely\" {\n  c: cell = {d}\n  place d in c\n}\n\nexample lonely {\n  grid \"1...\"\n  finds r1c2=2\n}" }
            ExampleOfNothing { name: String, near: Option<String> } = "there is no technique `{name}`", "not declared",
                { did_you_mean(near, "an example names the technique by its identifier, the word after `technique`") };
        [E0210] "No such pattern\n\n`uses` inserts the lines of a `pattern` that is in this file, in a file loaded with it, or in the rulebook."
            { "uses pear\nplace x in c\n" => "pattern pear {\n  c: cell = {x}\n}\n\ntechnique lone \"Lone\" {\n  uses pear\n  place x in c\n}" }
            BrokenPattern { name: String } = "the pattern `{name}` has lines that cannot be read", "used here";
            UnknownPattern { name: String, near: Option<String> } = "there is no pattern `{name}`", "not declared",
                { did_you_mean(near, format!("declare it beside the techniques: `pattern {name} {{ … }}`")) };
        [E0211] "Nothing to join\n\n`join` needs another technique (or one of its members) that finds steps without `join`, and names that every case of the other technique has."
            { "join lone by c" => "technique lone(n: 1..2) \"Lone {n}\" {\n  c: cell with n candidates\n  place digits(c) in c\n}\n\ntechnique twice(n: 1..2) \"Double {name}\" {\n  join lone(n) by c\n}" }
            JoinOfNothing { name: String, near: Option<String> } = "there is no other technique `{name}`", "nothing to join",
                { did_you_mean(near, "`join` names another technique by its identifier, the word after `technique`") };
            JoinOfJoin { name: String } = "`{name}` joins steps itself", "nothing to join", "join the steps of a technique that finds them";
            JoinArguments { name: String, wanted: Vec<String>, given: usize } =
                { format!("`{name}` has {} parameters, not {given}", wanted.len()) }, "not a member of it", {
                let args = if wanted.is_empty() { String::new() } else { format!("({})", wanted.join(", ")) };
                format!("write `join {name}{args} by …`")
            };
            JoinOutside { name: String, low: u32, high: Option<u32> } =
                { format!("`{name}` runs from {low} to {}", maximum(high)) }, "outside of this range";
            JoinName { technique: String, name: String, has_cases: bool } = "`{technique}` has no name `{name}`",
                { if has_cases { "not in every case of it" } else { "not one of its names" } };
        [E0212] "No such technique in a rule list\n\n`rules NAME = …` and `suppose … using rules …` list techniques by the word after `technique`, members of families as in `subset(2)`, and other rule lists."
            { "rules easy = lonely\n" => "rules easy = lone\n\ntechnique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            UnknownMember { name: String, near: Option<String> } = "there is no technique or rule list `{name}`", "not declared",
                { did_you_mean(near, "name a technique by its identifier, the word after `technique`, or a rule list") };
            MemberArguments { name: String, wanted: usize, given: usize } = "`{name}` has {wanted} parameters, not {given}", "no such member";
            MemberOutside { name: String, low: u32, high: Option<u32> } =
                { format!("`{name}` runs from {low} to {}", maximum(high)) }, "no such member";
            ListWithArguments { name: String } = "`{name}` is a rule list, not a family", "has no members to choose", "write `{name}`";
            BrokenList { name: String } = "the rule list `{name}` cannot be read", "used here";
        [E0213] "A fixed cell\n\nA rule applies everywhere in a grid, so it describes its cells instead of giving their coordinates. Write `r1c2` only in the `finds` lines of examples."
            { "chain (x)r1c2 = (x)A - (y)A = (y)B\nconclude some x in r1c2" => "chain (x)C = (x)A - (y)A = (y)B\neliminate y from C" }
            FixedCell { name: String } = "`{name}` is a fixed cell, which a rule cannot name", "a place in the grid",
                "declare a name, such as `c: cell` or `(d)A`; the rule then applies to every such cell";
        [W0201] "A name that nothing uses\n\nNothing else in the rule mentions this name. The rule still requires that such a thing exists. If you mean just that, keep the line."
            { "c: cell = {x, y}\nlet s = cells seeing c\neliminate x from c" => "c: cell = {x, y}\nlet s = cells seeing c\neliminate x from s" }
            UnusedChoice { name: String } = "`{name}` is not used", "nothing else in the rule mentions it",
                "keep the line if the rule only requires that there is one; otherwise use the name, or delete the line";
            UnusedDefinition { name: String } = "`{name}` is not used", "defined, and mentioned nowhere",
                "delete the line, or use the name";
        [W0202] "A parameter without a use\n\nThe rule is the same for every value of the parameter."
            { "technique lone(n: 1..2) \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" => "technique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}" }
            UnusedParameter { name: String } = "the parameter `{name}` is not used", "every value would give the same rule",
                "use it, for example as a size `cells[n]`, or delete it";
    }
}
