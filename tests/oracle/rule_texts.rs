//! Rules as an author may write them, one odd phrase each: what the judge and the machine are compared on.

use pinion::lang::{self, ir};

/// Rules without open chains.
pub const SHAPES: &str = r#"
technique lines_in_lines "lines_in_lines" {
  d: digit
  base: rows[2]
  cover: columns[2]
  require d in base within cover
  require some d in r for r in base
  eliminate d from cover - base
}

technique solved_cells_too "solved_cells_too" {
  h, k: house
  d: digit
  let S = those c in cells(h) with c has d
  let T = those c in cells(k) with c lacks d
  let U = those c in cells(h) with #digits(c) <= 1
  require #S = 1 and #T >= 2 and #U >= 1
  eliminate d from k - (S + T)
  eliminate d from cells seeing every S
}

technique free_set "free_set" {
  s: cells[3] connected
  D: digits[2] in digits(s)
  require times(d, s) = 1 for d in digits(s) - D
  conclude some D in s
}
technique free_let "free_let" {
  s: cells[3] connected
  h: house
  let D = digits(s & h)
  require times(d, s) = 1 for d in digits(s) - D
  conclude some D in s
}
technique free_of_cell "free_of_cell" {
  s: cells[3] connected
  A: cell in s
  let D = digits(A)
  require times(d, s) = 1 for d in digits(s) - D
  require #digits(s) = 3
  eliminate D from cells seeing every s
}
technique free_pair "free_pair" {
  s: cells[3] connected
  D: digits[2] in digits(s)
  require times(d, s) = 1 for d in digits(s) - D
  require D within digits(c) for c in s
  eliminate D from cells seeing every s
}
technique sum_of_parts "sum_of_parts" {
  p: cell
  R: cells[1..2] in row(p) - p
  C: cells[1..2] in column(p) - p
  let S = R + (C + p)
  require #digits(S) <= #S + 1
  eliminate digits(S) from cells seeing every S
}
technique parts_that_overlap "parts_that_overlap" {
  h: house
  A: cells[1..2] in cells(h)
  B: cells[2] in one box
  require #digits(A + B) = 1 + #(A + B)
  eliminate digits(A) from cells(h) - (A + B)
}
technique has_nothing "has_nothing" {
  a, b: cell with 2 candidates
  c: cell has every digits(a) & digits(b)
  require a sees b
  eliminate digits(c) - digits(a) from c
}
technique some_seen "some_seen" {
  s: cells[2] in one box
  c: cell sees some s
  d: digit in digits(c)
  require some s has d and c lacks some digits(s)
  eliminate d from cells seeing some s
}
technique no_seen "no_seen" {
  s: cells[2] in one line
  c: cell with 2 candidates
  require no s sees c and every s has some digits(c)
  eliminate digits(c) from cells seeing every s, c
}
technique either "either" {
  a: cell with 2 candidates
  b: cell sees a
  d: digit
  require (a has d or b has d) and not (a has d and b has d)
  eliminate d from cells seeing a, b
}
technique for_some "for_some" {
  h: house
  c: cell in h
  require #(d in h) = 2 for some d in digits(c)
  require #(e in h) <= 3 for e in digits(c)
  eliminate digits(h) - digits(c) from c
}
technique nested "nested" {
  h: house
  D: digits[2] in digits(h)
  require #(d in h) <= 3 for d in D
  let s = cells(D in h)
  require not #s = 3 or #digits(s) > 3
  eliminate digits - D from s
}
technique lines_and_boxes "lines_and_boxes" {
  r: row
  c: column crossing r
  b: box avoiding r
  k: line parallel c
  d: digit
  require k meeting b and d in b within k and #(d in r) = 2
  eliminate d from (r & c) + (k - b)
}
technique held "held" {
  s: cells[2] in one house
  h: house through s
  d: digit
  require d in h within s
  eliminate digits - d from s & h
}
technique by_houses "by_houses" {
  a, b: cell has d
  e: digit
  d: digit
  require row(a) parallel row(b) and box(a) = box(b) and a has e
  require e in row(a) within box(a)
  eliminate d from column(a) & box(b)
  eliminate e from box(a) - row(a)
}
technique pairs_of_digits "pairs_of_digits" {
  c: cell = {x, y}
  e: cell has x sees c
  require e lacks y
  h: house through c, e
  place y in h & c
  eliminate x from e
}
technique two_names "two_names" {
  h: house
  d: digit
  require d in h = {P, Q}
  e: digit
  require e in h = {P, Q}
  eliminate digits - (d + e) from P, Q
}
technique family_of_set "family_of_set" {
  D: digits[2]
  hub: cell with 3 candidates
  arm[d]: cell has d sees hub for d in D
  require arm disjoint cells seeing hub or #arm = 2
  require every arm has some D
  eliminate D from cells seeing every arm
}
technique family_named "family_named" {
  z: digit
  hub: cell lacks z with 2 candidates
  arm[d]: cell has d, z with #digits(arm[d]) <= 3 for d in digits(hub)
  require arm[d] sees hub for d in digits(hub)
  require some z in arm
  conclude some z in arm
}
technique family_spelt "family_spelt" {
  z: digit
  pivot: cell with 3 candidates
  pincer[d]: cell with digits(pincer[d]) = d + z and pincer[d] sees pivot for d in digits(pivot) - z
  conclude some z in pivot, pincer
}
technique two_claims "two_claims" {
  h: house
  D: digits[2] in digits(h)
  let s = cells(D in h)
  require #s = 2
  eliminate digits - D from s
  eliminate d from cells(boxes(s)) - s for d in D
}
technique one_each "one_each" {
  h: house
  place d in h for d in digits(h) - digits(cells(h) - cells(h))
}
technique times_two(n: 1..2) "times_two" {
  d: digit
  b: house
  require times(d, b) = n and times(d, cells(d in b)) <= n
  require #(d in b) = n
  eliminate digits - d from cells(d in b)
}
technique times_open "times_open" {
  s: cells[2] connected
  c: cell
  d: digit in digits(c)
  require times(d, s + c) >= 2 or c in s
  eliminate d from cells seeing every s, c
}
technique minus_sizes(n: 2..3) "minus_sizes" {
  h: house
  s: cells[n - 1] in h
  t: cells[n - 1] in h
  require s disjoint t and digits(s) = digits(t)
  eliminate digits(s) from h - s - t
}
technique open_sizes "open_sizes" {
  h: house
  s: cells[1..2] in h
  require #digits(s) = #s
  eliminate digits(s) from cells seeing every s
}
technique solved_digits "solved_digits" {
  h: house
  k: house meeting h
  d: digit in values(h)
  require d in k within h - k or some values(k & h)
  eliminate d from k
}
technique values_kept "values_kept" {
  h: house
  c: cell in h
  let left = digits - values(h)
  require left within digits(c) or #left = 2
  eliminate left - digits(c) from cells(h) - c
  eliminate digits(c) - left from c
}
technique apart "apart" {
  a, b, c: cell with 2 candidates
  require a sees b and b sees c and not a sees c
  require digits(a) = digits(c)
  eliminate digits(a) from b
}
technique mirrored "mirrored" {
  a, b: cell = {x, y}
  e, f: cell has x, y
  require a sees e and b sees f and e sees f
  eliminate x, y from cells seeing a, b
}
technique links_named "links_named" {
  chain (d)A =h= (d)P - (d)Q =k= (d)B
  require h crossing k
  conclude some d in A, B
}
technique links_free "links_free" {
  chain (d)A = (d)P - (d)Q = (d)B
  require A, P in one row
  require Q, B in one column
  require P, Q in one box
  conclude some d in A, B
}
technique inside "inside" {
  chain (x=y)A - (y)P = (y)Q - (y=z)B
  require x != z
  eliminate x, z from P, Q
}
technique to_weak "to_weak" {
  chain (x=y)A - (y=z)B - (z=x)C
  conclude some x in A, C
}
technique candidates_apart "candidates_apart" {
  h: house
  d: digit
  e: digit
  require #(d in h) = 2 and #(e in h) = 2
  require (d in h) disjoint (e in h) and #((d + e) in h) = 4
  require cells(d in h) != cells(e in h)
  eliminate digits - (d + e) from cells(d in h) & cells(e in h)
}
technique all_rows "all_rows" {
  s: cells[2] in one box
  k: box
  require k meeting r for r in rows(s)
  d: digit in digits(s)
  require no d in k - cells(s)
  eliminate d from cells seeing every s
}
technique rows_missing "rows_missing" {
  s: cells[2] connected
  k: line
  require k avoiding b for b in boxes(s)
  j: line parallel k
  d: digit
  require some d in k & j or #rows(s) = 1
  eliminate d from k
}
technique same_nouns "same_nouns" {
  h, k: house
  d: digit
  require d in h within d in k
  eliminate d from k - h
}
technique no_nouns "no_nouns" {
  a, b: cell with 2 candidates
  d, e: digit
  require (d in a) disjoint (e in a) and (digits(a) in a) = ({d, e} in a)
  require a sees b and b has d
  eliminate e from b
}
technique apart_in_cell "apart_in_cell" {
  a, b: cell with 2 candidates
  d, e: digit
  require (d in a) disjoint (e in a) and a has d, e
  require a sees b and b has d
  eliminate e from b
}
technique counts "counts" {
  h: house
  a, b: cell in h
  require (#digits(a) + #digits(b)) - 1 = #digits(a + b)
  require #digits(a) != #digits(b) and #digits(a) < 3
  eliminate digits(a) & digits(b) from h - a - b
}
technique never_empty "never_empty" {
  h: house
  c: cell in h
  require every cells(h) - c has every values(h)
  place digits(c) in c
}
technique every_empty "every_empty" {
  h: house
  d: digit
  c: cell in h
  require every cells(h) - cells(d in h) - c sees c
  require no cells(h) - cells(d in h) - c has d
  eliminate d from c
}
technique exists_pair "exists_pair" {
  h: house
  d: digit
  require #cells({d, e} in h) = 2 for some e in digits(h) - d
  let s = cells(d in h)
  require digits(k) within digits(s) for k in cells(h) - s
  eliminate d from cells seeing every s
}
technique two_families "two_families" {
  x: cell with 2 candidates
  y: cell with 2 candidates
  a[d]: cell has d sees x for d in digits(x)
  b[e]: cell has e sees y for e in digits(y)
  require a disjoint b and #digits(a + b) = 3
  eliminate digits(x) & digits(y) from cells seeing every a + b
}
"#;

/// Rules with an open chain, and the strong links to follow.
pub const CHAINS: &[(&str, usize)] = &[
    (
        "technique t \"t\" {\n  c: cell with 2 candidates\n  d: digit in digits(c)\n  chain from (d)c to (d)B, 2..3 strong links, shortest {\n    strong: house\n    weak: any\n  }\n  conclude some d in c, B\n}\n",
        3,
    ),
    (
        "technique t \"t\" {\n  c: cell with 2 candidates\n  chain from (x)c to (y)B, 2..3 strong links, shortest {\n    strong: cell, house\n    weak: any\n  }\n  require B sees c\n  eliminate y from c\n  eliminate x from B\n}\n",
        3,
    ),
    (
        "technique t \"t\" {\n  chain from (x)A to (y)B, 3..5 links, shortest {\n    strong: cell, house\n    weak: same digit\n  }\n  conclude some x in A, y in B\n}\n",
        3,
    ),
    (
        "technique t \"t\" {\n  chain from (x)A to (x)B, 2..3 cells, shortest {\n    strong: cell\n    weak: any\n  }\n  conclude some x in A, B\n}\n",
        3,
    ),
    (
        "technique t \"t\" {\n  chain from p to q, 2..3 strong links, shortest {\n    strong: row, column\n    weak: cell\n  }\n  require digits(p) disjoint digits(q)\n  conclude some p, q\n}\n",
        3,
    ),
    (
        "technique t \"t\" {\n  d: digit\n  h: house\n  chain on d from (d)A to (d)B, 1..2 strong links, shortest {\n    strong: house\n    weak: any\n  }\n  require A in h and B in h\n  conclude some d in A, B\n}\n",
        2,
    ),
];

/// The rules of a text with the link sources of the prelude.
pub fn compiled(text: &str) -> (Vec<ir::Technique>, Vec<ir::LinkSource>) {
    let (lowered, found) = lang::compile(text);
    let errors: Vec<_> = found.iter().filter(|one| one.code.starts_with('E')).collect();
    assert!(errors.is_empty(), "{text}: {errors:#?}");
    let prelude = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/prelude.pinion");
    let prelude = std::fs::read_to_string(prelude).expect("a prelude");
    (lowered.techniques, lang::compile(&prelude).0.sources)
}
