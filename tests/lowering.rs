//! Meanings of phrases. In: lines of a rule. Out: checked conditions, in RON.

use pinion::lang::{self, ir};

/// The checked body and conclusions of some lines, below names of every kind.
fn checked(lines: &str) -> String {
    let text = format!(
        "technique sample \"Sample\" {{\n  c, e: cell = {{d, f}}\n  h, k: house\n  r, t: line\n  s: cells[2] in h\n{lines}\n  place d in c\n}}\n"
    );
    let (lowered, found) = lang::compile(&text);
    let errors: Vec<_> = found.iter().filter(|found| found.code != "E0403" && found.code != "W0201").collect();
    assert!(errors.is_empty(), "{lines}: {errors:#?}");
    let (file, _) = lang::parse(&text);
    assert_eq!(file.items.len(), 1);
    let Some(technique) = lowered.techniques.first() else { return "not checked".to_owned() };
    let variant = &technique.variants[0];
    let name = |text: String| {
        let mut text = text;
        for (at, var) in variant.vars.iter().enumerate().rev() {
            text = text
                .replace(&format!("Var(({at}))"), &var.name)
                .replace(&format!("(({at}),"), &format!("({},", var.name));
        }
        text.replace("quantifier:", "").replace("cells:", "")
    };
    let mut out: Vec<String> = variant.body[7..].iter().map(|line| name(ron::to_string(line).unwrap())).collect();
    let claims: Vec<&ir::Conclusion> =
        variant.conclusions.iter().filter(|claim| !matches!(claim.claim, ir::Claim::Place(_))).collect();
    out.extend(claims.iter().map(|claim| name(ron::to_string(claim).unwrap())));
    out.join("\n")
}

/// Mentions that keep the other names from being reported.
const REST: &str = "\n  require h meeting k and r meeting t";

fn all(lines: &[&str]) -> String {
    lines
        .iter()
        .map(|line| format!("{line}\n{}\n", checked(&format!("  {line}{REST}"))))
        .map(|text| cut(&text))
        .collect::<Vec<_>>()
        .join("\n")
}

/// Without what [`REST`] adds.
fn cut(text: &str) -> String {
    text.lines()
        .filter(|line| *line != "Require(Incident(h,Meeting,k))" && *line != "Require(Incident(r,Meeting,t))")
        .map(|line| format!("{line}\n"))
        .collect()
}

#[test]
fn relations() {
    insta::assert_snapshot!(all(&[
        "require every s has d, f",
        "require some s has some digits(c)",
        "require no s has d",
        "require c lacks some digits(s)",
        "require c sees every s and e sees no s",
        "require every s sees c",
        "require every s sees no c, e",
        "require some s sees no c, e",
        "require no s sees no c, e",
        "require some d in s sees c",
        "require c, e in one box and s connected",
        "require c, e in h",
        "require d in digits(s)",
        "require r parallel t and r crossing t",
        "require h through c, e",
        "require h avoiding s",
        "a, b, g: row parallel",
    ]));
}

#[test]
fn sets_and_candidates() {
    insta::assert_snapshot!(all(&[
        "require d in h within k",
        "require h disjoint k",
        "require h - k within r + t",
        "require d in h = {c, e}",
        "require cells(h) = {c, p}",
        "require digits(s) = {d, u} and s = {c, v}",
        "require digits(c) != digits(e)",
        "require some d in s and no f in s & k",
        "let m = cells seeing some d in s",
        "let m = cells seeing c, e",
        "require #(box(c) & r) = 3 - 1 and (#s < 3 or not c sees e)",
        "require times(x, s) = 1 for x in digits(s) - d",
        "require d in x within s for some x in boxes(s)",
        "eliminate x in h, k for x in digits(s)",
        "eliminate d in c, f in s, e",
        "eliminate d, f from (h - s), e",
        "conclude some d in cells seeing c, e",
    ]));
}

#[test]
fn lines_go_on_and_end_as_they_like() {
    let plain = checked(&format!("  require #(s + c) = 3 and c sees e{REST}"));
    let folded = checked(&format!("  require #(s + // a remark\n    c) = 3 and\n\n    c sees e // another{REST}"));
    let windows = checked(&format!("  require #(s +\r\n    c) = 3 and\r\n    c sees e\r{REST}"));
    assert_eq!(plain, folded);
    assert_eq!(plain, windows);
    let comments =
        lang::parse("// one\ntechnique x \"X\" { // two\n  c: cell = {d} // three\n  place d in c\n}\n").0.comments;
    assert_eq!(comments.len(), 3);
}

#[test]
fn order_of_lines_does_not_matter() {
    let text = "technique x \"X\" {\n  place d in c\n  let later = more - e\n  require d in later\n  let more = digits(c)\n  c: cell = {d, e}\n}\n";
    let (lowered, found) = lang::compile(text);
    assert_eq!(found, vec![]);
    assert_eq!(lowered.techniques[0].variants[0].vars.len(), 5);
}

#[test]
fn indented_and_flat_files_are_read() {
    let flat = "technique x \"X\" {\nc: cell = {d}\nplace d in c\n}\n";
    let deep = "  technique x \"X\" {\n    c: cell = {d}\n    place d in c\n  }\n";
    let marked = format!("\u{feff}{flat}");
    for text in [flat, deep, &marked] {
        let (lowered, found) = lang::compile(text);
        assert_eq!(found, vec![], "{text}");
        assert_eq!(lowered.techniques.len(), 1);
    }
}
