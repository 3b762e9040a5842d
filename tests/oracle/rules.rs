//! Rules in the IR, on which the engine is compared with brute force: singles, subsets, wings and chains. Other files build
//! their rules with the helpers at the top.
//!
//! A name of a rule is an index into `Variant::vars`, so each rule begins with the indices of its names.

use pinion::lang::ir::*;

pub fn v(name: usize) -> Expr {
    Expr::Var(VarId(name))
}

pub fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

pub fn candidates(digits: Expr, cells: Expr) -> Expr {
    Expr::CandidatesIn(boxed(digits), boxed(cells))
}

pub fn house_cells(houses: Expr) -> Expr {
    Expr::HouseCells(boxed(houses))
}

/// Returns the cells of a house that have one of the digits as a candidate.
pub fn places(digits: Expr, house: Expr) -> Expr {
    Expr::CellsOf(boxed(candidates(digits, house_cells(house))))
}

pub fn digits(cells: Expr) -> Expr {
    Expr::Digits(boxed(cells))
}

/// Returns the cells that see every one of `cells`.
pub fn seeing_every(cells: Expr) -> Expr {
    Expr::Seeing { every: true, cells: boxed(cells) }
}

pub fn minus(a: Expr, b: Expr) -> Expr {
    Expr::Difference(boxed(a), boxed(b))
}

pub fn intersection(a: Expr, b: Expr) -> Expr {
    Expr::Intersection(boxed(a), boxed(b))
}

pub fn union(parts: &[Expr]) -> Expr {
    Expr::Union(parts.to_vec())
}

/// Returns a condition on the size of a set, such as `#S = 2`.
pub fn count(set: Expr, comparison: Comparison, number: Expr) -> Condition {
    Condition::Compare(Expr::Count(boxed(set)), comparison, number)
}

/// Returns the condition that every cell of `a` sees every cell of `b`.
fn sees(a: Expr, b: Expr) -> Condition {
    Condition::Sees(Operand::every(a), Operand::every(b))
}

pub fn var(name: &str, kind: Kind, shape: VarShape, origin: Origin) -> Var {
    Var { name: name.into(), kind, shape, origin }
}

pub fn chosen(name: &str, kind: Kind) -> Var {
    var(name, kind, VarShape::Single, Origin::Chosen)
}

pub fn chosen_set(name: &str, kind: Kind) -> Var {
    var(name, kind, VarShape::Set, Origin::Chosen)
}

/// A name that a pattern such as `= {x, y}` or a chain binds.
pub fn pattern(name: &str, kind: Kind) -> Var {
    var(name, kind, VarShape::Single, Origin::Pattern)
}

/// The loop variable of a `for` or a filter.
pub fn index(name: &str, kind: Kind) -> Var {
    var(name, kind, VarShape::Single, Origin::Index)
}

pub fn choose(name: usize, such_that: Vec<Condition>) -> Statement {
    Statement::Choose(Choose { var: VarId(name), size: None, for_each: None, such_that })
}

/// Returns the choice of a set of exactly `size` members.
pub fn choose_set(name: usize, size: Expr, such_that: Vec<Condition>) -> Statement {
    Statement::Choose(Choose { var: VarId(name), size: Some((size.clone(), Some(size))), for_each: None, such_that })
}

pub fn conclude(claim: Claim) -> Vec<Conclusion> {
    vec![Conclusion { claim, for_each: None }]
}

fn variant(vars: Vec<Var>, body: Vec<Statement>, claim: Claim) -> Variant {
    Variant { vars, body, conclusions: conclude(claim), ..Variant::default() }
}

/// Returns a technique of one variant. Each parameter is called `n` and has a minimum and, if given, a maximum.
pub fn technique(id: &str, params: &[(u32, Option<u32>)], variant: Variant) -> Technique {
    let param = |&(low, high): &(u32, Option<u32>)| Param { name: "n".into(), low, high };
    Technique {
        id: id.into(),
        doc: Vec::new(),
        title: None,
        params: params.iter().map(param).collect(),
        assumes_one_solution: false,
        variants: vec![variant],
        views: Vec::new(),
        examples: Vec::new(),
    }
}

/// `require cells(d in h) = {c}`, `place d in c`.
pub fn hidden_single() -> Technique {
    let [h, d, c] = [0, 1, 2];
    let vars = vec![chosen("h", Kind::House(HouseClass::Any)), chosen("d", Kind::Digit), pattern("c", Kind::Cell)];
    let only_place = Condition::Exactly(places(v(d), v(h)), vec![VarId(c)]);
    let body = vec![choose(h, vec![]), choose(d, vec![]), Statement::Require(only_place)];
    technique("hidden_single", &[], variant(vars, body, Claim::Place(candidates(v(d), v(c)))))
}

/// `require d in source within target`, `eliminate d from target - source`, for at least two places in the source.
pub fn locked(source_class: HouseClass, target_class: HouseClass) -> Technique {
    let [source, target, d] = [0, 1, 2];
    let vars = vec![
        chosen("source", Kind::House(source_class)),
        chosen("target", Kind::House(target_class)),
        chosen("d", Kind::Digit),
    ];
    let body = vec![
        choose(source, vec![]),
        choose(target, vec![]),
        choose(d, vec![]),
        Statement::Require(Condition::And(vec![
            count(candidates(v(d), house_cells(v(source))), Comparison::GreaterEqual, Expr::Number(2)),
            Condition::Within(places(v(d), v(source)), house_cells(v(target))),
        ])),
    ];
    let excluded = candidates(v(d), minus(house_cells(v(target)), house_cells(v(source))));
    technique("locked", &[], variant(vars, body, Claim::Eliminate(excluded)))
}

/// n cells `s` of a house with n digits together.
pub fn naked_subset() -> Technique {
    let [h, s] = [0, 1];
    let vars = vec![chosen("h", Kind::House(HouseClass::Any)), chosen_set("s", Kind::Cell)];
    let body = vec![
        choose(h, vec![]),
        choose_set(s, Expr::Param(0), vec![Condition::Within(v(s), house_cells(v(h)))]),
        Statement::Require(count(digits(v(s)), Comparison::Equal, Expr::Param(0))),
    ];
    let excluded = candidates(digits(v(s)), seeing_every(v(s)));
    technique("naked_subset", &[(2, Some(3))], variant(vars, body, Claim::Eliminate(excluded)))
}

/// n digits `D` with n places together in a house.
pub fn hidden_subset() -> Technique {
    let [h, digit_set] = [0, 1];
    let vars = vec![chosen("h", Kind::House(HouseClass::Any)), chosen_set("D", Kind::Digit)];
    let body = vec![
        choose(h, vec![]),
        choose_set(digit_set, Expr::Param(0), vec![Condition::Within(v(digit_set), digits(house_cells(v(h))))]),
        Statement::Require(count(places(v(digit_set), v(h)), Comparison::Equal, Expr::Param(0))),
    ];
    let excluded = candidates(minus(Expr::AllDigits, v(digit_set)), places(v(digit_set), v(h)));
    technique("hidden_subset", &[(2, Some(3))], variant(vars, body, Claim::Eliminate(excluded)))
}

/// Patterns bind the digits: `pivot: cell = {x, y, z}`, pincers `= {x, z}` and `= {y, z}` that see the pivot.
pub fn xyz_wing() -> Technique {
    let [pivot, x, y, z, pincer1, pincer2] = [0, 1, 2, 3, 4, 5];
    let exactly = |cell: usize, names: &[usize]| {
        Condition::Exactly(digits(v(cell)), names.iter().map(|&name| VarId(name)).collect())
    };
    let vars = vec![
        chosen("pivot", Kind::Cell),
        pattern("x", Kind::Digit),
        pattern("y", Kind::Digit),
        pattern("z", Kind::Digit),
        chosen("pincer1", Kind::Cell),
        chosen("pincer2", Kind::Cell),
    ];
    let body = vec![
        choose(pivot, vec![exactly(pivot, &[x, y, z])]),
        choose(pincer1, vec![exactly(pincer1, &[x, z]), sees(v(pincer1), v(pivot))]),
        choose(pincer2, vec![exactly(pincer2, &[y, z]), sees(v(pincer2), v(pivot))]),
    ];
    let ends = candidates(v(z), union(&[v(pivot), v(pincer1), v(pincer2)]));
    technique("xyz_wing", &[], variant(vars, body, Claim::SomeTrue(ends)))
}

/// A pivot with n - 1 digits beside z, and for each of these digits d a cell `pincer[d]` with the digits d and z that sees
/// the pivot.
pub fn pivot_wing() -> Technique {
    let [z, pivot, pincer, d] = [0, 1, 2, 3];
    let pivot_digits = || minus(digits(v(pivot)), v(z));
    let vars = vec![
        chosen("z", Kind::Digit),
        chosen("pivot", Kind::Cell),
        var("pincer", Kind::Cell, VarShape::Family, Origin::Chosen),
        index("d", Kind::Digit),
    ];
    let member = || Expr::Member(VarId(pincer), VarId(d));
    let pincer_count = Expr::Subtract(boxed(Expr::Param(0)), boxed(Expr::Number(1)));
    let pincers = Choose {
        var: VarId(pincer),
        size: None,
        for_each: Some((VarId(d), pivot_digits())),
        such_that: vec![Condition::Equal(digits(member()), union(&[v(d), v(z)])), sees(member(), v(pivot))],
    };
    let body = vec![
        choose(z, vec![]),
        choose(pivot, vec![count(pivot_digits(), Comparison::Equal, pincer_count)]),
        Statement::Choose(pincers),
    ];
    let ends = candidates(v(z), union(&[v(pivot), v(pincer)]));
    technique("pivot_wing", &[(3, Some(4))], variant(vars, body, Claim::SomeTrue(ends)))
}

/// n connected cells with n digits, of which only z can be twice in them.
pub fn bent_set() -> Technique {
    let [z, s, d] = [0, 1, 2];
    let vars = vec![chosen("z", Kind::Digit), chosen_set("s", Kind::Cell), index("d", Kind::Digit)];
    let is_once =
        Condition::Compare(Expr::MaxOccurrences(boxed(v(d)), boxed(v(s))), Comparison::Equal, Expr::Number(1));
    let body = vec![
        choose(z, vec![]),
        choose_set(s, Expr::Param(0), vec![Condition::Connected(v(s))]),
        Statement::Require(count(digits(v(s)), Comparison::Equal, Expr::Param(0))),
        Statement::Require(Condition::ForAll(VarId(d), minus(digits(v(s)), v(z)), Box::new(is_once))),
        Statement::Require(Condition::Within(v(z), digits(v(s)))),
    ];
    technique("bent_set", &[(3, Some(3))], variant(vars, body, Claim::SomeTrue(candidates(v(z), v(s)))))
}

fn node(digit: usize, cell: usize) -> LinkNode {
    LinkNode { digit: VarId(digit), cells: VarId(cell) }
}

/// `chain (x=y)A - (y)P = (y)Q - (y=x)B`, `conclude some x in A, B`.
pub fn w_wing() -> Technique {
    let [x, y, a, p, q, b] = [0, 1, 2, 3, 4, 5];
    let mut vars = vec![pattern("x", Kind::Digit), pattern("y", Kind::Digit)];
    vars.extend(["A", "P", "Q", "B"].map(|name| pattern(name, Kind::Cell)));
    let nodes = vec![node(x, a), node(y, a), node(y, p), node(y, q), node(y, b), node(x, b)];
    let links = [true, false, true, false, true].map(|strong| FixedChainLink { strong, house: None }).to_vec();
    let ends = candidates(v(x), union(&[v(a), v(b)]));
    let body = vec![Statement::FixedChain(FixedChain { nodes, links })];
    technique("w_wing", &[], variant(vars, body, Claim::SomeTrue(ends)))
}

/// `strong link cell (x)A = (y)A`: the two digits of a cell.
pub fn cell_source() -> LinkSource {
    let [x, y, a] = [0, 1, 2];
    let vars = vec![pattern("x", Kind::Digit), pattern("y", Kind::Digit), pattern("A", Kind::Cell)];
    let is_bivalue = Condition::Exactly(digits(v(a)), vec![VarId(x), VarId(y)]);
    let pattern = Variant { vars, body: vec![Statement::Require(is_bivalue)], ..Variant::default() };
    LinkSource { id: "cell".into(), doc: vec![], left: node(x, a), right: node(y, a), pattern }
}

/// `strong link house (d)A = (d)B`: the two places of a digit in a house.
pub fn house_source() -> LinkSource {
    let [d, a, b, h] = [0, 1, 2, 3];
    let vars = vec![
        pattern("d", Kind::Digit),
        pattern("A", Kind::Cell),
        pattern("B", Kind::Cell),
        chosen("h", Kind::House(HouseClass::Any)),
    ];
    let are_conjugate = Condition::Exactly(places(v(d), v(h)), vec![VarId(a), VarId(b)]);
    let body = vec![choose(h, vec![]), Statement::Require(are_conjugate)];
    let pattern = Variant { vars, body, ..Variant::default() };
    LinkSource { id: "house".into(), doc: vec![], left: node(d, a), right: node(d, b), pattern }
}

/// A chain of one digit d from A to B, of at most `max` strong links.
pub fn one_digit_chain(max: u32) -> Technique {
    let [d, a, b] = [0, 1, 2];
    let vars = vec![chosen("d", Kind::Digit), pattern("A", Kind::Cell), pattern("B", Kind::Cell)];
    let shape = LinkShape::Chain(OpenChain {
        from: ChainEnd::At(node(d, a)),
        to: ChainEnd::At(node(d, b)),
        length: Length { low: 2, high: Some(max), unit: LengthUnit::StrongLinks },
        weak: WeakLinks::Any,
    });
    let chain = Graph { digits: Some(v(d)), strong: vec!["house".into()], shape };
    let ends = candidates(v(d), union(&[v(a), v(b)]));
    let body = vec![choose(d, vec![]), Statement::Graph(chain)];
    technique("x_chain", &[], variant(vars, body, Claim::SomeTrue(ends)))
}

/// A chain through at most `max` bivalue cells, from z in A to z in B.
pub fn cell_chain(max: u32) -> Technique {
    let [z, a, b] = [0, 1, 2];
    let vars = vec![pattern("z", Kind::Digit), pattern("A", Kind::Cell), pattern("B", Kind::Cell)];
    let shape = LinkShape::Chain(OpenChain {
        from: ChainEnd::At(node(z, a)),
        to: ChainEnd::At(node(z, b)),
        length: Length { low: 3, high: Some(max), unit: LengthUnit::Cells },
        weak: WeakLinks::SameDigit,
    });
    let chain = Graph { digits: None, strong: vec!["cell".into()], shape };
    let ends = candidates(v(z), union(&[v(a), v(b)]));
    technique("xy_chain", &[], variant(vars, vec![Statement::Graph(chain)], Claim::SomeTrue(ends)))
}

/// A chain of all links between any two candidates p and q, of at most `max` strong links.
pub fn free_chain(max: u32) -> Technique {
    let [p, q] = [0, 1];
    let vars = vec![pattern("p", Kind::Candidate), pattern("q", Kind::Candidate)];
    let shape = LinkShape::Chain(OpenChain {
        from: ChainEnd::Candidate(VarId(p)),
        to: ChainEnd::Candidate(VarId(q)),
        length: Length { low: 2, high: Some(max), unit: LengthUnit::StrongLinks },
        weak: WeakLinks::Any,
    });
    let chain = Graph { digits: None, strong: vec!["cell".into(), "house".into()], shape };
    let ends = union(&[v(p), v(q)]);
    technique("aic", &[], variant(vars, vec![Statement::Graph(chain)], Claim::SomeTrue(ends)))
}
