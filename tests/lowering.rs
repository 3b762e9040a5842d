//! Lowering of single lines. In: a line of a rule. Out: its IR, in RON.

use pinion::lang::{self, ir};

/// Statements of the declarations that [`lowered_lines`] puts above the lines: one for each name.
const DECLARATIONS: usize = 7;

/// Returns the statements and conclusions of some lines as IR. The technique around them declares names of every kind: c, e, h, k,
/// r, t, s. Variables appear by name instead of by index.
fn lowered_lines(lines: &str) -> String {
    let text = format!(
        "technique sample \"Sample\" {{\n  c, e: cell = {{d, f}}\n  h, k: house\n  r, t: line\n  s: cells[2] in h\n{lines}\n  place d in c\n}}\n"
    );
    let (lowered, found) = lang::compile(&text);
    // A line may leave a name undefined or unused.
    let errors: Vec<_> = found.iter().filter(|found| found.code != "E0403" && found.code != "W0201").collect();
    assert!(errors.is_empty(), "{lines}: {errors:#?}");
    let (file, _) = lang::parse(&text);
    assert_eq!(file.items.len(), 1);
    let Some(technique) = lowered.techniques.first() else { return "not checked".to_owned() };
    let variant = &technique.variants[0];
    let with_names = |mut text: String| {
        for (at, var) in variant.vars.iter().enumerate().rev() {
            text = text
                .replace(&format!("Var(({at}))"), &var.name)
                .replace(&format!("(({at}),"), &format!("({},", var.name));
        }
        text.replace("quantifier:", "").replace("cells:", "")
    };
    let mut out = Vec::new();
    for statement in &variant.body[DECLARATIONS..] {
        out.push(with_names(ron::to_string(statement).unwrap()));
    }
    for conclusion in &variant.conclusions {
        // `place d in c` ends every technique here.
        if !matches!(conclusion.claim, ir::Claim::Place(_)) {
            out.push(with_names(ron::to_string(conclusion).unwrap()));
        }
    }
    out.join("\n")
}

/// A condition that uses h, k, r and t, so that they are not reported as unused.
const USES_OF_HOUSES: &str = "\n  require h meeting k and r meeting t";

/// Returns each line and its IR, without the statements of [`USES_OF_HOUSES`].
fn lines_with_ir(lines: &[&str]) -> String {
    let mut blocks = Vec::new();
    for line in lines {
        let mut block = format!("{line}\n");
        for ir_line in lowered_lines(&format!("  {line}{USES_OF_HOUSES}")).lines() {
            if !["Require(Incident(h,Meeting,k))", "Require(Incident(r,Meeting,t))"].contains(&ir_line) {
                block += &format!("{ir_line}\n");
            }
        }
        blocks.push(block);
    }
    blocks.join("\n")
}

#[test]
fn relations() {
    insta::assert_snapshot!(lines_with_ir(&[
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
    insta::assert_snapshot!(lines_with_ir(&[
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
fn line_breaks_comments_and_line_ends_do_not_change_the_ir() {
    let one_line = "  require #(s + c) = 3 and c sees e";
    let with_comments = "  require #(s + // a remark\n    c) = 3 and\n\n    c sees e // another";
    let with_crlf = "  require #(s +\r\n    c) = 3 and\r\n    c sees e\r";
    let ir = |lines: &str| lowered_lines(&format!("{lines}{USES_OF_HOUSES}"));
    assert_eq!(ir(one_line), ir(with_comments));
    assert_eq!(ir(one_line), ir(with_crlf));
}

#[test]
fn comments_are_kept() {
    let comments =
        lang::parse("// one\ntechnique x \"X\" { // two\n  c: cell = {d} // three\n  place d in c\n}\n").0.comments;
    assert_eq!(comments.len(), 3);
}

#[test]
fn names_may_be_used_above_their_definition() {
    let text = "technique x \"X\" {\n  place d in c\n  let later = more - e\n  require d in later\n  let more = digits(c)\n  c: cell = {d, e}\n}\n";
    let (lowered, found) = lang::compile(text);
    assert_eq!(found, vec![]);
    assert_eq!(lowered.techniques[0].variants[0].vars.len(), 5);
}

#[test]
fn indentation_and_a_byte_order_mark_do_not_matter() {
    let unindented = "technique x \"X\" {\nc: cell = {d}\nplace d in c\n}\n";
    let indented = "  technique x \"X\" {\n    c: cell = {d}\n    place d in c\n  }\n";
    let with_byte_order_mark = format!("\u{feff}{unindented}");
    for text in [unindented, indented, &with_byte_order_mark] {
        let (lowered, found) = lang::compile(text);
        assert_eq!(found, vec![], "{text}");
        assert_eq!(lowered.techniques.len(), 1);
    }
}
