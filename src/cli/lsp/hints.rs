//! Inlay hints. In: a part of a file. Out: the kinds of names that are given none, the end of an open
//! range of a family, and the parameter that a number of an example stands for.

use crate::cli::lsp::answer::{offset, position};
use crate::cli::lsp::server::Server;
use crate::editor::Document;
use crate::lang::ast::{self, Item};
use crate::lang::ir::{HouseClass, Kind, Origin, Space, Technique, Var, VarShape};
use crate::lang::words::KINDS;
use crate::solve::member_names;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::Range;

/// A hint behind a word, as the protocol numbers them.
const KIND: u8 = 1;
/// A hint before a value.
const PARAMETER: u8 = 2;
/// The board that is spoken of: the common one.
const SIZE: u32 = 9;

/// The hints of a part of a file.
pub fn hints(server: &Server, document: &Document, range: &Value) -> Value {
    let part = offset(document, &range["start"])..offset(document, &range["end"]);
    let mut all = Vec::new();
    let words = document.words();
    for item in &document.tree.items {
        match item {
            Item::Technique(one) if meet(&one.span, &part) => {
                all.extend(one.params.iter().filter_map(open_range));
                let known = server.book.techniques().iter().find(|known| known.id == one.id.name);
                all.extend(known.into_iter().flat_map(|known| kinds(document, &words, &one.span, known)));
            }
            Item::Example(one) if meet(&one.span, &part) => {
                let known = server.book.techniques().iter().find(|known| known.id == one.id.name);
                let params = known.into_iter().flat_map(|known| &known.params);
                all.extend(
                    one.args
                        .iter()
                        .zip(params)
                        .map(|(arg, param)| (arg.span.start, format!("{}: ", param.name), PARAMETER)),
                );
            }
            _ => {}
        }
    }
    all.retain(|(at, ..)| part.start <= *at && *at <= part.end);
    let hint = |(at, label, kind): (usize, String, u8)| json!({ "position": position(document, at), "label": label, "kind": kind });
    all.into_iter().map(hint).collect()
}

fn meet(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start <= b.end && b.start <= a.end
}

/// `n: 2..` ends at half of the board's size.
fn open_range(param: &ast::Param) -> Option<(usize, String, u8)> {
    let open = param.high.is_none();
    open.then(|| (param.span.end, format!("{} on {SIZE}×{SIZE}", SIZE / 2), KIND))
}

/// The members of a family on the common board with the names of their steps, as a list.
pub fn members(technique: &Technique) -> String {
    const FEW: usize = 9;
    let [param] = technique.params.as_slice() else { return String::new() };
    let member = |args: Vec<u32>| {
        let names = member_names(technique, 0, &args, Space::Rc);
        let names: Vec<&str> = names.all().skip(usize::from(!names.title_stays)).map(String::as_str).collect();
        format!("\n- `{} = {}`: {}", param.name, args[0], names.join(", "))
    };
    format!("\n{}", technique.members(SIZE).into_iter().take(FEW).map(member).collect::<String>())
}

/// Kinds behind the first place of each name that has none written behind it.
fn kinds(
    document: &Document,
    words: &[Range<usize>],
    item: &Range<usize>,
    technique: &Technique,
) -> Vec<(usize, String, u8)> {
    let mut names: BTreeMap<&str, Option<String>> = BTreeMap::new();
    for var in technique.variants.iter().flat_map(|variant| &variant.vars) {
        let kind = (var.origin != Origin::Chosen).then(|| word(var)).flatten();
        let known = names.entry(&var.name).or_insert_with(|| kind.clone());
        // A name that means other things in other cases has no one kind.
        if *known != kind {
            *known = None;
        }
    }
    let mut out = Vec::new();
    for place in words.iter().filter(|word| item.start <= word.start && word.end <= item.end) {
        let name = &document.text[place.clone()];
        if document.text[place.end..].trim_start().starts_with(':') {
            names.remove(name);
        } else if let Some(Some(kind)) = names.remove(name) {
            out.push((place.end, format!(": {kind}"), KIND));
        }
    }
    out
}

/// The kind of a name as a rule would write it.
fn word(var: &Var) -> Option<String> {
    let one = match var.kind {
        Kind::Digit => "digit",
        Kind::Cell => "cell",
        Kind::Candidate => "candidate",
        Kind::House(HouseClass::Any) => "house",
        Kind::House(HouseClass::Row) => "row",
        Kind::House(HouseClass::Column) => "column",
        Kind::House(HouseClass::Box) => "box",
        Kind::House(HouseClass::Line) => "line",
        Kind::Number => return Some("number".into()),
    };
    let (_, many) = KINDS.iter().find(|(word, _)| *word == one)?;
    Some(if var.shape == VarShape::Single { one } else { *many }.into())
}
