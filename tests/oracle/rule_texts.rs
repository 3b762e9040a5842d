//! Rules in the rule language, on which the engine is compared with brute force. Each rule has an unusual phrase, which its
//! name mentions. Most of the rules are not sound: only their matches matter.

use super::state_of_solved_grid;
use crate::common::{geometry, next_random};
use pinion::engine::{Engine, Limits, SearchMode};
use pinion::grid::State;
use pinion::lang::diagnostic::Severity;
use pinion::lang::{self, ir};

/// Rules without chains of open length.
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

technique digits_chosen_from_a_set "digits_chosen_from_a_set" {
  s: cells[3] connected
  D: digits[2] in digits(s)
  require times(d, s) = 1 for d in digits(s) - D
  conclude some D in s
}
technique digits_of_an_intersection "digits_of_an_intersection" {
  s: cells[3] connected
  h: house
  let D = digits(s & h)
  require times(d, s) = 1 for d in digits(s) - D
  conclude some D in s
}
technique digits_of_a_member "digits_of_a_member" {
  s: cells[3] connected
  A: cell in s
  let D = digits(A)
  require times(d, s) = 1 for d in digits(s) - D
  require #digits(s) = 3
  eliminate D from cells seeing every s
}
technique digits_in_every_member "digits_in_every_member" {
  s: cells[3] connected
  D: digits[2] in digits(s)
  require times(d, s) = 1 for d in digits(s) - D
  require D within digits(c) for c in s
  eliminate D from cells seeing every s
}
technique union_of_parts "union_of_parts" {
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
technique has_every_digit_of_an_intersection "has_every_digit_of_an_intersection" {
  a, b: cell with 2 candidates
  c: cell has every digits(a) & digits(b)
  require a sees b
  eliminate digits(c) - digits(a) from c
}
technique sees_some "sees_some" {
  s: cells[2] in one box
  c: cell sees some s
  d: digit in digits(c)
  require some s has d and c lacks some digits(s)
  eliminate d from cells seeing some s
}
technique is_seen_by_no "is_seen_by_no" {
  s: cells[2] in one line
  c: cell with 2 candidates
  require no s sees c and every s has some digits(c)
  eliminate digits(c) from cells seeing every s, c
}
technique one_of_two_but_not_both "one_of_two_but_not_both" {
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
  eliminate digits(c) from h - c
}
technique nested_conditions "nested_conditions" {
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
technique digit_confined_to_a_set "digit_confined_to_a_set" {
  s: cells[2] in one house
  h: house through s
  d: digit
  require d in h within s
  eliminate digits - d from s & h
}
technique houses_of_cells "houses_of_cells" {
  a, b: cell has d
  e: digit
  d: digit
  require row(a) parallel row(b) and box(a) = box(b) and a has e
  require e in row(a) within box(a)
  eliminate d from column(a) & box(b)
  eliminate e from box(a) - row(a)
}
technique pattern_binds_two_digits "pattern_binds_two_digits" {
  c: cell = {x, y}
  e: cell has x sees c
  require e lacks y
  h: house through c, e
  place y in h & c
  eliminate x from e
}
technique pattern_binds_two_places "pattern_binds_two_places" {
  h: house
  d: digit
  require d in h = {P, Q}
  e: digit
  require e in h = {P, Q}
  eliminate digits - (d + e) from P, Q
}
technique family_over_chosen_digits "family_over_chosen_digits" {
  D: digits[2]
  hub: cell with 3 candidates
  arm[d]: cell has d sees hub for d in D
  require arm disjoint cells seeing hub or #arm = 2
  require every arm has some D
  eliminate D from cells seeing every arm
}
technique family_over_digits_of_a_cell "family_over_digits_of_a_cell" {
  z: digit
  hub: cell lacks z with 2 candidates
  arm[d]: cell has d, z with #digits(arm[d]) <= 3 for d in digits(hub)
  require arm[d] sees hub for d in digits(hub)
  require some z in arm
  conclude some z in arm
}
technique family_with_an_equality "family_with_an_equality" {
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
technique placement_for_each_digit "placement_for_each_digit" {
  h: house
  place d in h for d in digits(h) - digits(cells(h) - cells(h))
}
technique times_with_a_parameter(n: 1..2) "times_with_a_parameter" {
  d: digit
  b: house
  require times(d, b) = n and times(d, cells(d in b)) <= n
  require #(d in b) = n
  eliminate digits - d from cells(d in b)
}
technique times_at_least "times_at_least" {
  s: cells[2] connected
  c: cell
  d: digit in digits(c)
  require times(d, s + c) >= 2 or c in s
  eliminate d from cells seeing every s, c
}
technique sizes_with_a_subtraction(n: 2..3) "sizes_with_a_subtraction" {
  h: house
  s: cells[n - 1] in h
  t: cells[n - 1] in h
  require s disjoint t and digits(s) = digits(t)
  eliminate digits(s) from h - s - t
}
technique size_ranges "size_ranges" {
  h: house
  s: cells[1..2] in h
  require #digits(s) = #s
  eliminate digits(s) from cells seeing every s
}
technique digit_among_the_values "digit_among_the_values" {
  h: house
  k: house meeting h
  d: digit in values(h)
  require d in k within h - k or some values(k & h)
  eliminate d from k
}
technique digits_without_values "digits_without_values" {
  h: house
  c: cell in h
  let left = digits - values(h)
  require left within digits(c) or #left = 2
  eliminate left - digits(c) from cells(h) - c
  eliminate digits(c) - left from c
}
technique ends_do_not_see_each_other "ends_do_not_see_each_other" {
  a, b, c: cell with 2 candidates
  require a sees b and b sees c and not a sees c
  require digits(a) = digits(c)
  eliminate digits(a) from b
}
technique interchangeable_pairs "interchangeable_pairs" {
  a, b: cell = {x, y}
  e, f: cell has x, y
  require a sees e and b sees f and e sees f
  eliminate x, y from cells seeing a, b
}
technique chain_with_named_houses "chain_with_named_houses" {
  chain (d)A =h= (d)P - (d)Q =k= (d)B
  require h crossing k
  conclude some d in A, B
}
technique chain_without_houses "chain_without_houses" {
  chain (d)A = (d)P - (d)Q = (d)B
  require A, P in one row
  require Q, B in one column
  require P, Q in one box
  conclude some d in A, B
}
technique inner_cells_of_a_chain "inner_cells_of_a_chain" {
  chain (x=y)A - (y)P = (y)Q - (y=z)B
  require x != z
  eliminate x, z from P, Q
}
technique chain_of_three_cells "chain_of_three_cells" {
  chain (x=y)A - (y=z)B - (z=x)C
  conclude some x in A, C
}
technique disjoint_candidates_of_a_house "disjoint_candidates_of_a_house" {
  h: house
  d: digit
  e: digit
  require #(d in h) = 2 and #(e in h) = 2
  require (d in h) disjoint (e in h) and #((d + e) in h) = 4
  require cells(d in h) != cells(e in h)
  eliminate digits - (d + e) from cells(d in h) & cells(e in h)
}
technique meets_every_row "meets_every_row" {
  s: cells[2] in one box
  k: box
  require k meeting r for r in rows(s)
  d: digit in digits(s)
  require no d in k - cells(s)
  eliminate d from cells seeing every s
}
technique avoids_every_box "avoids_every_box" {
  s: cells[2] connected
  k: line
  require k avoiding b for b in boxes(s)
  j: line parallel k
  d: digit
  require some d in k & j or #rows(s) = 1
  eliminate d from k
}
technique candidates_within_candidates "candidates_within_candidates" {
  h, k: house
  d: digit
  require d in h within d in k
  eliminate d from k - h
}
technique equal_candidates_of_a_cell "equal_candidates_of_a_cell" {
  a, b: cell with 2 candidates
  d, e: digit
  require (d in a) disjoint (e in a) and (digits(a) in a) = ({d, e} in a)
  require a sees b and b has d
  eliminate e from b
}
technique disjoint_candidates_of_a_cell "disjoint_candidates_of_a_cell" {
  a, b: cell with 2 candidates
  d, e: digit
  require (d in a) disjoint (e in a) and a has d, e
  require a sees b and b has d
  eliminate e from b
}
technique sums_of_counts "sums_of_counts" {
  h: house
  a, b: cell in h
  require (#digits(a) + #digits(b)) - 1 = #digits(a + b)
  require #digits(a) != #digits(b) and #digits(a) < 3
  eliminate digits(a) & digits(b) from h - a - b
}
technique every_cell_of_a_difference "every_cell_of_a_difference" {
  h: house
  c: cell in h
  require every cells(h) - c has every values(h)
  place digits(c) in c
}
technique every_and_no "every_and_no" {
  h: house
  d: digit
  c: cell in h
  require every cells(h) - cells(d in h) - c sees c
  require no cells(h) - cells(d in h) - c has d
  eliminate d from c
}
technique exists_a_digit "exists_a_digit" {
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

/// Rules with a chain of open length, each with the maximum number of its strong links.
pub const CHAINS: &[(&str, usize)] = &[
    (
        r#"
technique chain_from_a_chosen_cell "chain_from_a_chosen_cell" {
  c: cell with 2 candidates
  d: digit in digits(c)
  chain from (d)c to (d)B, 2..3 strong links, shortest {
    strong: house
    weak: any
  }
  conclude some d in c, B
}
"#,
        3,
    ),
    (
        r#"
technique chain_between_two_digits "chain_between_two_digits" {
  c: cell with 2 candidates
  chain from (x)c to (y)B, 2..3 strong links, shortest {
    strong: cell, house
    weak: any
  }
  require B sees c
  eliminate y from c
  eliminate x from B
}
"#,
        3,
    ),
    (
        r#"
technique chain_of_weak_links_of_one_digit "chain_of_weak_links_of_one_digit" {
  chain from (x)A to (y)B, 3..5 links, shortest {
    strong: cell, house
    weak: same digit
  }
  conclude some x in A, y in B
}
"#,
        3,
    ),
    (
        r#"
technique chain_through_cells "chain_through_cells" {
  chain from (x)A to (x)B, 2..3 cells, shortest {
    strong: cell
    weak: any
  }
  conclude some x in A, B
}
"#,
        3,
    ),
    (
        r#"
technique chain_between_disjoint_candidates "chain_between_disjoint_candidates" {
  chain from p to q, 2..3 strong links, shortest {
    strong: row, column
    weak: cell
  }
  require digits(p) disjoint digits(q)
  conclude some p, q
}
"#,
        3,
    ),
    (
        r#"
technique chain_inside_a_house "chain_inside_a_house" {
  d: digit
  h: house
  chain on d from (d)A to (d)B, 1..2 strong links, shortest {
    strong: house
    weak: any
  }
  require A in h and B in h
  conclude some d in A, B
}
"#,
        2,
    ),
];

/// Returns the rules of a text, and the built-in link sources.
pub fn compiled(text: &str) -> (Vec<ir::Technique>, Vec<ir::LinkSource>) {
    let (lowered, diagnostics) = lang::compile(text);
    let errors: Vec<_> = diagnostics.iter().filter(|diagnostic| diagnostic.severity == Severity::Error).collect();
    assert!(errors.is_empty(), "{text}: {errors:#?}");
    let prelude = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("rules/prelude.pinion");
    let prelude = std::fs::read_to_string(prelude).expect("a prelude");
    (lowered.techniques, lang::compile(&prelude).0.sources)
}

/// A rule without any effect could show no difference between the engine and brute force.
#[test]
fn every_rule_has_an_effect_on_some_state() {
    let boards = [geometry(4), geometry(6)];
    let mut random = 1;
    let states: Vec<(usize, State)> = (0..200)
        .map(|number| {
            let board = &boards[number % 2];
            let cells = board.size() * board.size();
            let order: Vec<u16> = (0..cells).map(|_| next_random(&mut random) as u16).collect();
            (number % 2, state_of_solved_grid(board, &order, next_random(&mut random) % cells, 2 + number % 3))
        })
        .collect();
    for text in [SHAPES].into_iter().chain(CHAINS.iter().map(|(text, _)| *text)) {
        let (rules, sources) = compiled(text);
        for rule in rules {
            let engines = boards.each_ref().map(|board| {
                Engine::new(board.clone(), std::slice::from_ref(&rule), &sources).expect("the rule can be planned")
            });
            let has_effect = states.iter().any(|(board, state)| {
                let mut position = engines[*board].position(state);
                let outcome = position.find(0, SearchMode::First, &Limits::default());
                !outcome.matches.is_empty()
            });
            assert!(has_effect, "{} finds nothing", rule.id);
        }
    }
}
