//! Problems with names and references: codes E02xx and W02xx.

use super::{did_you_mean, maximum};
use crate::lang::words::either;

problems! {
    /// Problems with names and references.
    NameProblem {
        [E0201] UnknownKind { word: String, near: Option<String>, kinds: Vec<String> } = "there is no kind `{word}`", "not a kind",
            { did_you_mean(near, format!("a kind is {}; a set is `cells[2]`, `digits[n]`, …", either(&kinds))) };
        [E0201] UnknownHouseKind { word: String, near: Option<String> } = "`{word}` is not a kind of house", "not a house",
            { did_you_mean(near, "write `in one house`, `row`, `column`, `box` or `line`") };
        [E0202] Undeclared { name: String, near: Option<String> } = "nothing here is called `{name}`", "not declared",
            { did_you_mean(near, format!("declare it on a line of its own, such as `{name}: digit` or `{name}: cell`")) };
        [E0202] UnknownInPrice { name: String, near: Option<String>, words: Vec<String> } = "nothing here is called `{name}`", "not declared",
            { did_you_mean(near, format!("there are {}", either(&words).replace(" or ", " and "))) };
        [E0202] UndeclaredNames { names: Vec<String>, quoted: Vec<String> } = { format!("nothing here is called {}", either(&quoted)) }, "not declared", {
            let list = names.join(", ");
            format!("declare them on a line of their own, such as `{list}: digit` or `{list}: cell`")
        } + "not declared";
        [E0203] DeclaredTwice { name: String } = "`{name}` is declared twice", "declared again",
            "give one of the two another name" + "declared here first";
        [E0203] ParameterTwice { name: String } = "`{name}` is declared twice", "declared again" + "declared here first";
        [E0203] NameOfOuterLoop { name: String } = "`{name}` is the name of an outer `for`, too", "declared again",
            "give one of the two another name" + "declared here first";
        [E0203] ViewTwice { space: String } = "`{space}` is named twice", "named again" + "named here first";
        [E0203] SecondLine { keyword: &'static str } = "a rule has one `{keyword}` line", "a second `{keyword}`" + "the first";
        [E0204] BuiltIn { name: String } = "`{name}` has a meaning of its own and cannot be a name", "choose another name";
        [E0204] KindAlone { name: String, is_function: bool } = "`{name}` alone is not a value", "a word for a kind", {
            match is_function {
                true => format!("write `{name}(…)`, or declare a name: `x: {name}`"),
                false => format!("declare a name of this kind: `x: {name}`"),
            }
        };
        [E0204] HouseKindAlone { name: String } = "`{name}` alone is not a value", "a word for a kind",
            "write `in one {name}` for several cells, or name the {name}: `h: {name}`, `in h`";
        [E0205] UnknownFunction { name: String, phrase: Option<String>, near: Option<String>, functions: Vec<String> } =
            "there is no function `{name}`", "not a function", {
            match (phrase, near) {
                (Some(phrase), _) => format!("write {phrase}"),
                (None, Some(near)) => format!("did you mean `{near}(…)`?"),
                (None, None) => format!("there are {}", either(&functions).replace(" or ", " and ")),
            }
        };
        [E0206] NotAParameter = "a title can use parameters only", "not a parameter",
            "values of the pattern can stand in `says \"…\"` and `because \"…\"`";
        [E0206] UnknownParameter { name: String, near: Option<String>, is_declared: bool } = "there is no parameter `{name}`", "not a parameter", {
            let sentences = "values of the pattern can stand in `says \"…\"` and `because \"…\"`".to_owned();
            let header = format!("declare it after the technique's name: `({name}: 2..4)`");
            did_you_mean(near, if is_declared { sentences } else { header })
        };
        [E0207] UnknownSource { name: String, near: Option<String>, sources: Vec<String> } =
            "there is no strong link called `{name}`", "not declared", {
            let all = either(&sources).replace(" or ", " and ");
            did_you_mean(near, format!("there are {all}; declare more with `strong link {name} (x)A = (y)B {{`"))
        };
        [E0208] ItemTwice { keyword: &'static str, name: String } = "two {keyword}s are called `{name}`", "the second",
            "give one of them another name" + "the first";
        [E0208] ItemInTwoFiles { keyword: &'static str, id: String, location: String } = "two files have a {keyword} `{id}`", "also at {location}",
            "give one of them another name, or leave one of the files out";
        [E0208] ListLikeTechnique { name: String } = "a technique is called `{name}` too", "a rule list", "give the rule list another name";
        [E0209] ExampleOfNothing { name: String, near: Option<String> } = "there is no technique `{name}`", "not declared",
            { did_you_mean(near, "an example names the technique by its identifier, the word after `technique`") };
        [E0210] BrokenPattern { name: String } = "the pattern `{name}` has lines that cannot be read", "used here";
        [E0210] UnknownPattern { name: String, near: Option<String> } = "there is no pattern `{name}`", "not declared",
            { did_you_mean(near, format!("declare it beside the techniques: `pattern {name} {{ … }}`")) };
        [E0211] JoinOfNothing { name: String, near: Option<String> } = "there is no other technique `{name}`", "nothing to join",
            { did_you_mean(near, "`join` names another technique by its identifier, the word after `technique`") };
        [E0211] JoinOfJoin { name: String } = "`{name}` joins steps itself", "nothing to join", "join the steps of a technique that finds them";
        [E0211] JoinArguments { name: String, wanted: Vec<String>, given: usize } =
            { format!("`{name}` has {} parameters, not {given}", wanted.len()) }, "not a member of it", {
            let args = if wanted.is_empty() { String::new() } else { format!("({})", wanted.join(", ")) };
            format!("write `join {name}{args} by …`")
        };
        [E0211] JoinOutside { name: String, low: u32, high: Option<u32> } =
            { format!("`{name}` runs from {low} to {}", maximum(high)) }, "outside of this range";
        [E0211] JoinName { technique: String, name: String, has_cases: bool } = "`{technique}` has no name `{name}`",
            { if has_cases { "not in every case of it" } else { "not one of its names" } };
        [E0212] UnknownMember { name: String, near: Option<String> } = "there is no technique or rule list `{name}`", "not declared",
            { did_you_mean(near, "name a technique by its identifier, the word after `technique`, or a rule list") };
        [E0212] MemberArguments { name: String, wanted: usize, given: usize } = "`{name}` has {wanted} parameters, not {given}", "no such member";
        [E0212] MemberOutside { name: String, low: u32, high: Option<u32> } =
            { format!("`{name}` runs from {low} to {}", maximum(high)) }, "no such member";
        [E0212] ListWithArguments { name: String } = "`{name}` is a rule list, not a family", "has no members to choose", "write `{name}`";
        [E0212] BrokenList { name: String } = "the rule list `{name}` cannot be read", "used here";
        [E0213] FixedCell { name: String } = "`{name}` is a fixed cell, which a rule cannot name", "a place in the grid",
            "declare a name, such as `c: cell` or `(d)A`; the rule then applies to every such cell";
        [W0201] UnusedChoice { name: String } = "`{name}` is not used", "nothing else in the rule mentions it",
            "keep the line if the rule only requires that there is one; otherwise use the name, or delete the line";
        [W0201] UnusedDefinition { name: String } = "`{name}` is not used", "defined, and mentioned nowhere",
            "delete the line, or use the name";
        [W0202] UnusedParameter { name: String } = "the parameter `{name}` is not used", "every value would give the same rule",
            "use it, for example as a size `cells[n]`, or delete it";
    }
}
