//! The language from outside: rule texts in, trees, checked rules and drawn diagnostics out.

#[path = "lang/growth.rs"]
mod growth;

use pinion::cli::diagnostics::draw;
use pinion::lang;
use std::path::{Path, PathBuf};

/// Every rule text: the rulebook's, and those of the tests.
fn rule_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut out = Vec::new();
    let mut folders = vec![root.join("rules"), root.join("tests/rules")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|ext| ext == "pinion") {
                out.push(path);
            }
        }
    }
    out.sort();
    out
}

#[test]
fn every_rule_is_accepted() {
    let mut sources = Vec::new();
    let mut techniques = Vec::new();
    let mut patterns = lang::Patterns::default();
    for path in rule_files() {
        patterns.add(&lang::parse(&std::fs::read_to_string(&path).unwrap()).0);
    }
    for path in rule_files() {
        let text = std::fs::read_to_string(&path).unwrap();
        let (lowered, found) = lang::compile_with(&text, &patterns);
        let drawn = draw(&path.file_name().unwrap().to_string_lossy(), &text, &found, false, 100);
        assert!(found.is_empty(), "{drawn}");
        assert!(lang::accepts(&text), "the grammar for files rejects {}", path.display());
        sources.extend(lowered.sources);
        techniques.extend(lowered.techniques);
    }
    assert_eq!(sources.len(), 12);
    for path in rule_files() {
        let (file, _) = lang::parse(&std::fs::read_to_string(&path).unwrap());
        assert_eq!(lang::check_across(&file, &techniques, &sources, &patterns), vec![]);
    }
}

#[test]
fn broken_files_are_explained() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/broken");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).collect();
    files.sort();
    assert!(files.len() >= 40);
    for path in files {
        let text = std::fs::read_to_string(&path).unwrap();
        let (_, found) = lang::compile(&text);
        let name = path.file_name().unwrap().to_string_lossy();
        let mut settings = insta::Settings::clone_current();
        settings.set_input_file(&path);
        settings.set_snapshot_suffix(name.as_ref());
        settings.bind(|| insta::assert_snapshot!(draw(&name, &text, &found, false, 100)));
    }
}

/// The text of a rule of the rulebook.
fn kept(id: &str) -> String {
    let path = rule_files().into_iter().find(|path| path.file_stem().is_some_and(|stem| stem == id)).unwrap();
    std::fs::read_to_string(path).unwrap()
}

#[test]
fn the_checked_form_survives_ron() {
    for path in rule_files() {
        let (lowered, _) = lang::compile(&std::fs::read_to_string(path).unwrap());
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
fn titles_are_filled() {
    let (lowered, _) = lang::compile(&kept("naked_subset"));
    let technique = &lowered.techniques[0];
    let title = technique.title.as_ref().unwrap();
    let filled = |n: u32| title.fill(&technique.params, &[n], "", &mut |_| String::new());
    assert_eq!([filled(2), filled(4), filled(6)], ["Naked Pair", "Naked Quad", "Naked Set of 6"]);
}

#[test]
fn names_across_files() {
    let prelude = lang::compile(&kept("prelude")).0.sources;
    let text = kept("xy_chain").replace("strong: cell", "strong: cel, hose")
        + "\nexample xy_chian {\n  grid \"1\"\n  finds r1c1=2\n}\n";
    let (lowered, found) = lang::compile(&text);
    assert!(found.is_empty());
    let (file, _) = lang::parse(&text);
    let across = lang::check_across(&file, &lowered.techniques, &prelude, &Default::default());
    insta::assert_snapshot!(draw("across.pinion", &text, &across, false, 100));
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
fn examples_reach_their_technique() {
    let text = kept("pivot_wing")
        + "\nexample pivot_wing(4) \"one\" {\n  grid \"\"\"\n    12\n    34\n  \"\"\"\n  finds r5c6<>1\n  finds r1c1=4 r2c2<>5, r3c3<>7\n}\nnear_miss other {\n  grid \"..\"\n}\n";
    let (lowered, found) = lang::compile(&text);
    assert_eq!(found, vec![]);
    let example = lowered.techniques[0].examples.iter().find(|e| e.title.as_deref() == Some("one")).unwrap();
    assert_eq!(example.args, [4]);
    assert_eq!(example.finds, ["r5c6<>1", "r1c1=4 r2c2<>5 r3c3<>7"]);
    assert!(example.grid.contains("34"));
    assert_eq!(lowered.loose_examples[0].0, "other");
    assert!(lowered.loose_examples[0].1.near_miss);
}

/// The lines of a rule as the checked form has them.
fn printed(technique: &lang::ir::Technique) -> String {
    let mut out = format!("{}\n", technique.id);
    for variant in &technique.variants {
        let printer = lang::ir::Printer { variant, params: &technique.params };
        let name = |var: lang::ir::VarId| variant.var(var).name.clone();
        for line in &variant.body {
            match line {
                lang::ir::Statement::Choose(choose) => {
                    let var = variant.var(choose.var);
                    let per = choose
                        .for_each
                        .as_ref()
                        .map(|(index, of)| format!(" for {} in {}", name(*index), printer.expr(of)));
                    out += &format!("  {}: {:?} {:?}{}\n", var.name, var.kind, var.shape, per.unwrap_or_default());
                    choose.such_that.iter().for_each(|what| out += &format!("    {}\n", printer.condition(what)));
                }
                lang::ir::Statement::Let { var, value } => {
                    let word = if variant.guardians.contains(var) { "guardians" } else { "let" };
                    out +=
                        &format!("  {word} {}: {:?} = {}\n", name(*var), variant.var(*var).kind, printer.expr(value));
                }
                lang::ir::Statement::Require(condition) => {
                    out += &format!("  require {}\n", printer.condition(condition))
                }
                other => out += &format!("  {other:?}\n"),
            }
        }
        variant.conclusions.iter().for_each(|what| out += &format!("  {}\n", printer.conclusion(what)));
        if !variant.merge_by.is_empty() {
            out += &format!(
                "  one step per {}\n",
                variant.merge_by.iter().map(|var| name(*var)).collect::<Vec<_>>().join(", ")
            );
        }
        out += &variant.join.as_ref().map(|join| format!("  {join:?}\n")).unwrap_or_default();
    }
    technique.views.iter().for_each(|view| out += &format!("  also in {:?}: {:?}\n", view.space, view.title.parts));
    out
}

#[test]
fn every_construct_is_lowered() {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/lang/growth.pinion")).unwrap();
    let (lowered, found) = lang::compile(&text);
    assert!(found.is_empty(), "{}", draw("growth.pinion", &text, &found, false, 100));
    assert!(lang::accepts(&text), "the grammar for files rejects what the lines are read by");
    let (file, _) = lang::parse(&text);
    assert_eq!(lang::check_across(&file, &lowered.techniques, &[], &Default::default()), vec![]);
    assert_eq!(lowered.techniques.len(), file.items.len() - 1, "every item but the pattern is a technique");
    insta::assert_snapshot!(lowered.techniques.iter().map(printed).collect::<Vec<_>>().join("\n"));
}

/// A file of `tests/lang` that uses the prelude.
fn with_prelude(name: &str) -> (lang::Lowered, String) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let text = std::fs::read_to_string(root.join("tests/lang").join(name)).unwrap();
    let (lowered, found) = lang::compile(&text);
    assert!(found.is_empty(), "{}", draw(name, &text, &found, false, 100));
    assert!(lang::accepts(&text), "the grammar for files rejects what the lines are read by");
    let (file, _) = lang::parse(&text);
    let sources: Vec<_> =
        lang::compile(&kept("prelude")).0.sources.into_iter().chain(lowered.sources.clone()).collect();
    let across = lang::check_across(&file, &lowered.techniques, &sources, &Default::default());
    assert!(across.is_empty(), "{}", draw(name, &text, &across, false, 100));
    (lowered, text)
}

#[test]
fn every_kind_of_link_is_lowered() {
    let (lowered, text) = with_prelude("links.pinion");
    assert_eq!(lowered.techniques.len(), text.matches("\ntechnique ").count());
    let source = |source: &lang::ir::LinkSource| {
        let variants = vec![source.pattern.clone()];
        let as_technique = lang::ir::Technique {
            id: format!("{} {:?} = {:?}", source.id, source.left, source.right),
            doc: Vec::new(),
            title: None,
            params: Vec::new(),
            assumes_one_solution: false,
            variants,
            views: Vec::new(),
            examples: Vec::new(),
        };
        printed(&as_technique)
    };
    let sources = lowered.sources.iter().map(source);
    insta::assert_snapshot!(sources.chain(lowered.techniques.iter().map(printed)).collect::<Vec<_>>().join("\n"));
    for technique in &lowered.techniques {
        let text = ron::to_string(technique).unwrap();
        assert_eq!(ron::from_str::<lang::ir::Technique>(&text).unwrap(), *technique);
    }
}

/// A chain of fixed length becomes conditions on its names, which are cells or sets.
#[test]
fn fixed_chains_are_conditions_on_cells_and_on_sets() {
    let conditions = |names: &str| {
        let text = format!(
            "technique one \"One\" {{\n{names}  chain (x=y)A -h- (y)P =k= (y)Q - (y=x)B\n  chain (x)A = (x)C - (x)P = (x)D\n  conclude some x in A, B\n}}\n"
        );
        let (lowered, found) = lang::compile(&text);
        assert_eq!(found, vec![], "{text}");
        let technique = &lowered.techniques[0];
        let variant = &technique.variants[0];
        let printer = lang::ir::Printer { variant, params: &[] };
        let trails = variant.body.iter().filter_map(|line| match line {
            lang::ir::Statement::FixedChain(trail) => Some(trail.conditions(&variant.vars)),
            _ => None,
        });
        trails.flatten().map(|condition| format!("{}\n", printer.condition(&condition))).collect::<String>()
    };
    let (cells, sets) = (conditions(""), conditions("  A, B: als\n  P, Q, C: group\n"));
    insta::assert_snapshot!(format!("{cells}\n{sets}"));
}

const CORNERS: &str =
    "pattern corners {\n  A: cell = {x, y}\n  B: cell in row(A)\n  let G = digits - {x, y} in A + B\n}\n";

/// A rulebook of the prelude's kind: files by name.
fn rulebook(files: &[(&str, &str)]) -> pinion::solve::Rulebook {
    pinion::solve::Rulebook::default().with(files.iter().map(|(name, text)| (name.to_string(), text.to_string())))
}

#[test]
fn patterns_are_used_across_files() {
    let user = "technique two \"Two\" {\n  B: cell sees C\n  C: cell = {x, y}\n  conclude some x in B, C\n}\n\ntechnique one \"One\" {\n  uses corners\n  conclude some G\n  one step per A\n}\n";
    // The order of the files does not matter, nor whether they come together.
    let both = rulebook(&[("user", user), ("corners", CORNERS)]);
    let later = rulebook(&[("corners", CORNERS)]).with([("user".to_string(), user.to_string())]);
    for book in [&both, &later] {
        assert!(book.files().iter().all(|file| file.diagnostics.is_empty()), "{:?}", book.files());
    }
    assert_eq!(both.techniques(), later.techniques());
    // It is the rule that has the lines in this place.
    let lines: String = CORNERS.lines().filter(|line| line.starts_with("  ")).map(|line| format!("{line}\n")).collect();
    let (whole, found) = lang::compile(&user.replace("  uses corners\n", &lines));
    assert_eq!(found, vec![]);
    assert_eq!(both.techniques(), whole.techniques);
    // A file comes first with its own.
    let own = format!("{user}\n{}", CORNERS.replace("row(A)", "column(A)"));
    let book = rulebook(&[("corners", CORNERS), ("user", &own)]);
    assert_ne!(book.techniques(), whole.techniques);
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
        drawn += &draw(&format!("{name}.pinion"), text, &found, false, 100);
    }
    let unread = CORNERS.replace("row(A)", "row A");
    patterns.add(&lang::parse(&unread).0);
    let (_, found) = lang::compile_with(user, &patterns);
    drawn += &draw("user.pinion", user, &found, false, 100);
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
    // Groups give their own, each once and in order.
    let order = [
        "(technique:\"pairs\",args:Some([3]))",
        "(technique:\"lone\",args:None)",
        "(technique:\"pairs\",args:Some([2]))",
    ];
    assert!(body.contains(&order.join(",")), "{body}");
}

#[test]
fn suppositions_are_checked_across_files() {
    let basics = "rules basics = lone, pairs(2)\n\ntechnique lone \"Lone\" assuming one solution {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique pairs(n: 2..3) \"Pairs {n}\" {\n  s: cells[n] in one house\n  require #digits(s) = n\n  eliminate digits(s) from cells seeing every s\n}\n";
    let user = "rules more = pear(2), pairs(4), pairs(2, 3), basics(1), lone(2)\nrules third = lone\n\ntechnique third \"Third\" {\n  c: cell = {d}\n  place d in c\n}\n\ntechnique fails \"Fails\" {\n  p: candidate\n  suppose p using rules basics, both, reaches contradiction\n  eliminate p\n  called \"By Rows\" when some link by row or (every link by colum)\n}\n\ntechnique both \"Both\" {\n  p: candidate\n  suppose p, or not p using rules fails, basix, all imply q\n  conclude q\n}\n\nstrong link row (d)A = (d)B {\n  h: row\n  require d in h = {A, B}\n}\n";
    let book = rulebook(&[("basics", basics), ("user", user)]);
    assert_eq!(book.files()[0].diagnostics, vec![]);
    insta::assert_snapshot!(draw("user.pinion", user, &book.files()[1].diagnostics, false, 100));
}

#[test]
fn sets_of_houses_are_houses_beside_houses_and_cells_beside_cells() {
    let lines = |more: &str| {
        let text = format!(
            "technique one \"One\" {{\n  d: digit\n  h: house\n  base, cover: lines[2] parallel\n{more}\n  eliminate d from (base - cover) & h\n}}\n"
        );
        let (lowered, found) = lang::compile(&text);
        assert_eq!(found, vec![], "{text}");
        ron::to_string(&lowered.techniques[0].variants[0].body.last()).unwrap()
    };
    let houses = lines("  require base & rows disjoint cover - columns");
    assert!(!houses.contains("HouseCells"), "{houses}");
    assert!(!lines("  require #(base & cover) = 1").contains("HouseCells"));
    let cells = lines("  require some d in base - cover");
    assert_eq!(cells.matches("HouseCells").count(), 2, "{cells}");
    // A name that is written out, and what `let` defines, make cells of them.
    assert!(lines("  require some base & h").contains("Intersection(HouseCells("));
    assert!(lines("  require some T\n  let T = base - cover").contains("Difference(HouseCells("));
}

#[test]
fn joins_by_a_literal_compare_both_of_its_names() {
    let both = "technique both \"Both\" {\n  p: candidate\n  suppose p, or not p using singles, all imply q\n  conclude q\n}\n";
    let joined = "technique joined \"Joined\" {\n  join both by q, p\n}\n";
    // In either order: a join is completed when all files are read.
    for files in [[("both", both), ("joined", joined)], [("joined", joined), ("both", both)]] {
        let book = rulebook(&files);
        let joined = book.techniques().iter().find(|technique| technique.id == "joined").unwrap();
        assert_eq!(joined.variants[0].join.as_ref().unwrap().by, ["q", "p", "not q"]);
    }
}
