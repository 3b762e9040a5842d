//! The compiler of the rule language. In: rule texts. Out: syntax trees, checked rules, and diagnostics as they are printed.

#[path = "lang/growth.rs"]
mod growth;

use crate::common::files::{files_below, read_text, rule_files};
use pinion::cli::diagnostics::draw;
use pinion::lang;
use std::path::PathBuf;

/// Returns diagnostics as they are printed without colours, 100 columns wide.
fn diagnostics_text(file_name: &str, source: &str, diagnostics: &[lang::diagnostic::Diagnostic]) -> String {
    let has_colours = false;
    draw(file_name, source, diagnostics, has_colours, 100)
}

/// Returns the rule files of the rulebook and the correct rule files of the tests.
fn correct_files() -> Vec<PathBuf> {
    [rule_files("rules"), rule_files("tests/rules")].concat()
}

#[test]
fn every_correct_rule_is_accepted() {
    let mut sources = Vec::new();
    let mut techniques = Vec::new();
    let mut patterns = lang::Patterns::default();
    for path in correct_files() {
        patterns.add(&lang::parse(&read_text(path)).0);
    }
    for path in correct_files() {
        let text = read_text(&path);
        let (lowered, found) = lang::compile_with(&text, &patterns);
        let drawn = diagnostics_text(&path.file_name().unwrap().to_string_lossy(), &text, &found);
        assert!(found.is_empty(), "{drawn}");
        assert!(lang::accepts(&text), "the grammar of whole files rejects {}", path.display());
        sources.extend(lowered.sources);
        techniques.extend(lowered.techniques);
    }
    assert_eq!(sources.len(), 12);
    for path in correct_files() {
        let (file, _) = lang::parse(&read_text(path));
        assert_eq!(lang::check_across(&file, &techniques, &sources, &patterns), vec![]);
    }
}

#[test]
fn broken_files_are_explained() {
    let files = files_below("tests/broken");
    assert!(files.len() >= 40);
    for path in files {
        let text = read_text(&path);
        let (_, found) = lang::compile(&text);
        let name = path.file_name().unwrap().to_string_lossy();
        let mut settings = insta::Settings::clone_current();
        settings.set_input_file(&path);
        settings.set_snapshot_suffix(name.as_ref());
        settings.bind(|| insta::assert_snapshot!(diagnostics_text(&name, &text, &found)));
    }
}

/// Returns the text of the correct file `NAME.pinion`.
fn correct_text(name: &str) -> String {
    let path = correct_files().into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == name));
    read_text(path.expect("a rule file"))
}

#[test]
fn the_ir_is_unchanged_after_ron() {
    for path in correct_files() {
        let (lowered, _) = lang::compile(&read_text(path));
        for technique in lowered.techniques {
            let text = ron::ser::to_string_pretty(&technique, ron::ser::PrettyConfig::default()).unwrap();
            assert_eq!(ron::from_str::<lang::ir::Technique>(&text).unwrap(), technique);
        }
        for source in lowered.sources {
            let text = ron::to_string(&source).unwrap();
            assert_eq!(ron::from_str::<lang::ir::LinkSource>(&text).unwrap(), source);
        }
    }
}

#[test]
fn a_title_has_the_word_for_the_parameter() {
    let (lowered, _) = lang::compile(&correct_text("naked_subset"));
    let technique = &lowered.techniques[0];
    let title = technique.title.as_ref().unwrap();
    let filled = |n: u32| title.fill(&technique.params, &[n], "", &mut |_| String::new());
    assert_eq!([filled(2), filled(4), filled(6)], ["Naked Pair", "Naked Quad", "Naked Set of 6"]);
}

#[test]
fn unknown_names_are_reported_when_all_files_are_read() {
    let prelude = lang::compile(&correct_text("prelude")).0.sources;
    let text = correct_text("xy_chain").replace("strong: cell", "strong: cel, hose")
        + "\nexample xy_chian {\n  grid \"1\"\n  finds r1c1=2\n}\n";
    let (lowered, found) = lang::compile(&text);
    assert!(found.is_empty());
    let (file, _) = lang::parse(&text);
    let across = lang::check_across(&file, &lowered.techniques, &prelude, &Default::default());
    insta::assert_snapshot!(diagnostics_text("across.pinion", &text, &across));
}

#[test]
fn items_with_a_misspelt_keyword_are_read_as_the_nearest_item() {
    let text =
        "stron link pair (d)A = (d)B {\n  h: row\n  require d in h = {A, B}\n}\n\nnear_mis lone {\n  grid \"1\"\n}\n";
    let (file, found) = lang::parse(text);
    assert_eq!(found.len(), 2, "{found:?}");
    match file.items.as_slice() {
        [lang::ast::Item::StrongLink(link), lang::ast::Item::Example(example)] => {
            assert_eq!(link.id.name, "pair");
            assert!(example.near_miss);
        }
        items => panic!("{items:?}"),
    }
}

#[test]
fn examples_are_added_to_their_technique() {
    let text = correct_text("pivot_wing")
        + "\nexample pivot_wing(4) \"one\" {\n  grid \"\"\"\n    12\n    34\n  \"\"\"\n  finds r5c6<>1\n  finds r1c1=4 r2c2<>5, r3c3<>7\n}\nnear_miss other {\n  grid \"..\"\n}\n";
    let (lowered, found) = lang::compile(&text);
    assert_eq!(found, vec![]);
    let example = lowered.techniques[0].examples.iter().find(|known| known.title.as_deref() == Some("one")).unwrap();
    assert_eq!(example.args, [4]);
    assert_eq!(example.finds, ["r5c6<>1", "r1c1=4 r2c2<>5 r3c3<>7"]);
    assert!(example.grid.contains("34"));
    // The technique `other` is in no file that is known here.
    let (technique_id, loose_example) = &lowered.loose_examples[0];
    assert_eq!(technique_id, "other");
    assert!(loose_example.near_miss);
}

/// Returns the IR of a technique in the syntax of rules, as far as the language has one for it.
fn print_ir(technique: &lang::ir::Technique) -> String {
    let mut out = format!("{}\n", technique.id);
    for variant in &technique.variants {
        let printer = lang::ir::Printer { variant, params: &technique.params };
        let name = |var: lang::ir::VarId| variant.var(var).name.clone();
        for statement in &variant.body {
            match statement {
                lang::ir::Statement::Choose(choose) => {
                    let var = variant.var(choose.var);
                    out += &format!("  {}: {:?} {:?}", var.name, var.kind, var.shape);
                    if let Some((index, set)) = &choose.for_each {
                        out += &format!(" for {} in {}", name(*index), printer.expr(set));
                    }
                    out += "\n";
                    for condition in &choose.such_that {
                        out += &format!("    {}\n", printer.condition(condition));
                    }
                }
                lang::ir::Statement::Let { var, value } => {
                    let keyword = if variant.guardians.contains(var) { "guardians" } else { "let" };
                    out += &format!(
                        "  {keyword} {}: {:?} = {}\n",
                        name(*var),
                        variant.var(*var).kind,
                        printer.expr(value)
                    );
                }
                lang::ir::Statement::Require(condition) => {
                    out += &format!("  require {}\n", printer.condition(condition))
                }
                other => out += &format!("  {other:?}\n"),
            }
        }
        for conclusion in &variant.conclusions {
            out += &format!("  {}\n", printer.conclusion(conclusion));
        }
        if !variant.merge_by.is_empty() {
            let names: Vec<String> = variant.merge_by.iter().map(|var| name(*var)).collect();
            out += &format!("  one step per {}\n", names.join(", "));
        }
        if let Some(join) = &variant.join {
            out += &format!("  {join:?}\n");
        }
    }
    for view in &technique.views {
        out += &format!("  also in {:?}: {:?}\n", view.space, view.title.parts);
    }
    out
}

#[test]
fn every_construct_is_lowered() {
    let text = read_text("tests/lang/growth.pinion");
    let (lowered, found) = lang::compile(&text);
    assert!(found.is_empty(), "{}", diagnostics_text("growth.pinion", &text, &found));
    assert!(lang::accepts(&text), "the grammar of whole files rejects what the parser reads line by line");
    let (file, _) = lang::parse(&text);
    assert_eq!(lang::check_across(&file, &lowered.techniques, &[], &Default::default()), vec![]);
    assert_eq!(lowered.techniques.len(), file.items.len() - 1, "every item but the pattern is a technique");
    insta::assert_snapshot!(lowered.techniques.iter().map(print_ir).collect::<Vec<_>>().join("\n"));
}

#[test]
fn every_kind_of_link_is_lowered() {
    let text = read_text("tests/lang/links.pinion");
    let (lowered, found) = lang::compile(&text);
    assert!(found.is_empty(), "{}", diagnostics_text("links.pinion", &text, &found));
    assert!(lang::accepts(&text), "the grammar of whole files rejects what the parser reads line by line");
    let mut sources = lang::compile(&correct_text("prelude")).0.sources;
    sources.extend(lowered.sources.clone());
    let across = lang::check_across(&lang::parse(&text).0, &lowered.techniques, &sources, &Default::default());
    assert!(across.is_empty(), "{}", diagnostics_text("links.pinion", &text, &across));
    assert_eq!(lowered.techniques.len(), text.matches("\ntechnique ").count());
    // A link source is printed like a technique, with its two ends as the id.
    let print_source = |source: &lang::ir::LinkSource| {
        print_ir(&lang::ir::Technique {
            id: format!("{} {:?} = {:?}", source.id, source.left, source.right),
            doc: Vec::new(),
            title: None,
            params: Vec::new(),
            assumes_one_solution: false,
            variants: vec![source.pattern.clone()],
            views: Vec::new(),
            examples: Vec::new(),
        })
    };
    let sources = lowered.sources.iter().map(print_source);
    insta::assert_snapshot!(sources.chain(lowered.techniques.iter().map(print_ir)).collect::<Vec<_>>().join("\n"));
    for technique in &lowered.techniques {
        let text = ron::to_string(technique).unwrap();
        assert_eq!(ron::from_str::<lang::ir::Technique>(&text).unwrap(), *technique);
    }
}

/// A chain of fixed length becomes conditions on the names of its nodes. These are cells, unless the rule declares sets.
#[test]
fn fixed_chains_become_conditions_on_cells_or_sets() {
    let conditions = |declarations: &str| {
        let text = format!(
            "technique one \"One\" {{\n{declarations}  chain (x=y)A -h- (y)P =k= (y)Q - (y=x)B\n  chain (x)A = (x)C - (x)P = (x)D\n  conclude some x in A, B\n}}\n"
        );
        let (lowered, found) = lang::compile(&text);
        assert_eq!(found, vec![], "{text}");
        let technique = &lowered.techniques[0];
        let variant = &technique.variants[0];
        let printer = lang::ir::Printer { variant, params: &[] };
        let mut conditions = String::new();
        for statement in &variant.body {
            if let lang::ir::Statement::FixedChain(chain) = statement {
                for condition in chain.conditions(&variant.vars) {
                    conditions += &format!("{}\n", printer.condition(&condition));
                }
            }
        }
        conditions
    };
    let (cells, sets) = (conditions(""), conditions("  A, B: als\n  P, Q, C: group\n"));
    insta::assert_snapshot!(format!("{cells}\n{sets}"));
}

/// A pattern, which techniques of other files include with `uses corners`.
const CORNERS: &str =
    "pattern corners {\n  A: cell = {x, y}\n  B: cell in row(A)\n  let G = digits - {x, y} in A + B\n}\n";

/// Returns a rulebook of files, given as (name, text).
fn rulebook(files: &[(&str, &str)]) -> pinion::solve::Rulebook {
    pinion::solve::Rulebook::default().with(files.iter().map(|(name, text)| (name.to_string(), text.to_string())))
}

#[test]
fn patterns_are_used_across_files() {
    let user = "technique two \"Two\" {\n  B: cell sees C\n  C: cell = {x, y}\n  conclude some x in B, C\n}\n\ntechnique one \"One\" {\n  uses corners\n  conclude some G\n  one step per A\n}\n";
    // The order of the files does not matter. A file may also be added later.
    let together = rulebook(&[("user", user), ("corners", CORNERS)]);
    let later = rulebook(&[("corners", CORNERS)]).with([("user".to_string(), user.to_string())]);
    for book in [&together, &later] {
        assert!(book.files().iter().all(|file| file.diagnostics.is_empty()), "{:?}", book.files());
    }
    assert_eq!(together.techniques(), later.techniques());
    // `uses corners` means the same as the lines of the pattern in its place.
    let lines: String = CORNERS.lines().filter(|line| line.starts_with("  ")).map(|line| format!("{line}\n")).collect();
    let (written_out, found) = lang::compile(&user.replace("  uses corners\n", &lines));
    assert_eq!(found, vec![]);
    assert_eq!(together.techniques(), written_out.techniques);
    // If two files define a pattern of one name, a rule uses the pattern of its own file.
    let own = format!("{user}\n{}", CORNERS.replace("row(A)", "column(A)"));
    let book = rulebook(&[("corners", CORNERS), ("user", &own)]);
    assert_ne!(book.techniques(), written_out.techniques);
    assert!(!book.files()[1].has_errors());
}

#[test]
fn errors_in_a_pattern_point_at_its_use() {
    let user = "technique one \"One\" {\n  uses corners\n  A: cell sees B\n  conclude some G\n}\n";
    let broken = CORNERS.replace("row(A)", "row(a)");
    let (file, _) = lang::parse(&broken);
    let mut patterns = lang::Patterns::default();
    patterns.add(&file);
    let mut drawn = String::new();
    for (name, text) in [("corners", &broken), ("user", &user.to_string()), ("both", &format!("{broken}\n{user}"))] {
        let (lowered, found) = lang::compile_with(text, &patterns);
        assert_eq!(lowered.techniques, vec![]);
        drawn += &diagnostics_text(&format!("{name}.pinion"), text, &found);
    }
    let with_syntax_error = CORNERS.replace("row(A)", "row A");
    patterns.add(&lang::parse(&with_syntax_error).0);
    let (_, found) = lang::compile_with(user, &patterns);
    drawn += &diagnostics_text("user.pinion", user, &found);
    insta::assert_snapshot!(drawn);
}

#[test]
fn rule_lists_are_used_across_files() {
    let basics = "rules basics = lone, pairs(2)\n\ntechnique lone \"Lone\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique pairs(n: 2..3) \"Pairs {n}\" {\n  s: cells[n] in one house\n  require #digits(s) = n\n  eliminate digits(s) from cells seeing every s\n}\n";
    let user = "rules more = pairs(3), basics, lone\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules more, reaches contradiction\n  eliminate p\n}\n";
    let book = rulebook(&[("user", user), ("basics", basics)]);
    assert!(book.files().iter().all(|file| file.diagnostics.is_empty()), "{:?}", book.files());
    let fails = book.techniques().iter().find(|technique| technique.id == "fails").unwrap();
    let body = ron::to_string(&fails.variants[0].body).unwrap();
    // `more` has the rules of `basics` in their place. No rule is listed twice.
    let members = [
        "(technique:\"pairs\",args:Some([3]))",
        "(technique:\"lone\",args:None)",
        "(technique:\"pairs\",args:Some([2]))",
    ];
    assert!(body.contains(&members.join(",")), "{body}");
}

#[test]
fn suppositions_are_checked_across_files() {
    let basics = "rules basics = lone, pairs(2)\n\ntechnique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique pairs(n: 2..3) \"Pairs {n}\" {\n  s: cells[n] in one house\n  require #digits(s) = n\n  eliminate digits(s) from cells seeing every s\n}\n";
    let user = "rules more = pear(2), pairs(4), pairs(2, 3), basics(1), lone(2)\nrules third = lone\n\ntechnique third \"Third\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules basics, both, reaches contradiction\n  eliminate p\n  called \"By Rows\" when some link by row or (every link by colum)\n}\n\ntechnique both \"Both\" {\n  p: candidate\n  suppose p, or not p using rules fails, basix, all imply q\n  conclude q\n}\n\nstrong link row (d)A = (d)B {\n  h: row\n  require d in h = {A, B}\n}\n";
    let book = rulebook(&[("basics", basics), ("user", user)]);
    assert_eq!(book.files()[0].diagnostics, vec![]);
    insta::assert_snapshot!(diagnostics_text("user.pinion", user, &book.files()[1].diagnostics));
}

#[test]
fn a_set_of_houses_stands_for_its_cells_beside_cells() {
    // `HouseCells` in the result converts houses to their cells.
    let last_statement = |line: &str| {
        let text = format!(
            "technique one \"One\" {{\n  d: digit\n  h: house\n  base, cover: lines[2] parallel\n  {line}\n  eliminate d from (base - cover) & h\n}}\n"
        );
        let (lowered, found) = lang::compile(&text);
        assert_eq!(found, vec![], "{text}");
        ron::to_string(&lowered.techniques[0].variants[0].body.last()).unwrap()
    };
    let houses = last_statement("require base & rows disjoint cover - columns");
    assert!(!houses.contains("HouseCells"), "{houses}");
    assert!(!last_statement("require #(base & cover) = 1").contains("HouseCells"));
    let cells = last_statement("require some d in base - cover");
    assert_eq!(cells.matches("HouseCells").count(), 2, "{cells}");
    // A single house and a name that `let` defines are cells, so the sets beside them are cells, too.
    assert!(last_statement("require some base & h").contains("Intersection(HouseCells("));
    assert!(last_statement("require some T\n  let T = base - cover").contains("Difference(HouseCells("));
}

#[test]
fn a_join_by_a_literal_compares_the_literal_and_its_negation() {
    let both = "technique both \"Both\" {\n  p: candidate\n  suppose p, or not p using singles, all imply q\n  conclude q\n}\n";
    let joined = "technique joined \"Joined\" {\n  join both by q, p\n}\n";
    // The order of the files does not matter: a join is completed when all files are read.
    for files in [[("both", both), ("joined", joined)], [("joined", joined), ("both", both)]] {
        let book = rulebook(&files);
        let joined = book.techniques().iter().find(|technique| technique.id == "joined").unwrap();
        assert_eq!(joined.variants[0].join.as_ref().unwrap().by, ["q", "p", "not q"]);
    }
}
