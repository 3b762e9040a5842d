//! Rules of every shape, in the checked form: what the judge and the machine are compared on.

use pinion::lang::ir::*;

pub fn v(index: usize) -> Expr {
    Expr::Var(VarId(index))
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

pub fn within_cells(digits: Expr, cells: Expr) -> Expr {
    Expr::CandidatesIn(boxed(digits), boxed(cells))
}

fn cells_of(house: Expr) -> Expr {
    Expr::HouseCells(boxed(house))
}

fn places(digit: Expr, house: Expr) -> Expr {
    Expr::CellsOf(boxed(within_cells(digit, cells_of(house))))
}

fn digits(of: Expr) -> Expr {
    Expr::Digits(boxed(of))
}

fn minus(a: Expr, b: Expr) -> Expr {
    Expr::Difference(boxed(a), boxed(b))
}

fn count_is(of: Expr, how: Comparison, number: Expr) -> Condition {
    Condition::Compare(Expr::Count(boxed(of)), how, number)
}

fn sees(a: Expr, b: Expr) -> Condition {
    Condition::Sees(Operand::every(a), Operand::every(b))
}

fn var(name: &str, kind: Kind, shape: VarShape, origin: Origin) -> Var {
    Var { name: name.into(), kind, shape, origin }
}

pub fn chosen(name: &str, kind: Kind) -> Var {
    var(name, kind, VarShape::Single, Origin::Chosen)
}

pub fn pattern(name: &str, kind: Kind) -> Var {
    var(name, kind, VarShape::Single, Origin::Pattern)
}

fn choose(name: usize, such_that: Vec<Condition>) -> Statement {
    Statement::Choose(Choose { var: VarId(name), size: None, for_each: None, such_that })
}

fn claim(claim: Claim) -> Conclusion {
    Conclusion { claim, for_each: None }
}

fn variant(vars: Vec<Var>, body: Vec<Statement>, conclusions: Vec<Conclusion>) -> Variant {
    Variant { vars, body, conclusions, ..Variant::default() }
}

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

pub fn hidden_single() -> Technique {
    let vars = vec![chosen("h", Kind::House(HouseClass::Any)), chosen("d", Kind::Digit), pattern("c", Kind::Cell)];
    let last = Condition::Exactly(places(v(1), v(0)), vec![VarId(2)]);
    let body = vec![choose(0, vec![]), choose(1, vec![]), Statement::Require(last)];
    technique("hidden_single", &[], variant(vars, body, vec![claim(Claim::Place(within_cells(v(1), v(2))))]))
}

pub fn locked(source: HouseClass, target: HouseClass) -> Technique {
    let vars =
        vec![chosen("source", Kind::House(source)), chosen("target", Kind::House(target)), chosen("d", Kind::Digit)];
    let body = vec![
        choose(0, vec![]),
        choose(1, vec![]),
        choose(2, vec![]),
        Statement::Require(Condition::And(vec![
            count_is(within_cells(v(2), cells_of(v(0))), Comparison::GreaterEqual, Expr::Number(2)),
            Condition::Within(places(v(2), v(0)), cells_of(v(1))),
        ])),
    ];
    let gone = within_cells(v(2), minus(cells_of(v(1)), cells_of(v(0))));
    technique("locked", &[], variant(vars, body, vec![claim(Claim::Eliminate(gone))]))
}

pub fn naked_subset() -> Technique {
    let vars = vec![chosen("h", Kind::House(HouseClass::Any)), var("s", Kind::Cell, VarShape::Set, Origin::Chosen)];
    let set = Choose {
        var: VarId(1),
        size: Some((Expr::Param(0), Some(Expr::Param(0)))),
        for_each: None,
        such_that: vec![Condition::Within(v(1), cells_of(v(0)))],
    };
    let locked = count_is(digits(v(1)), Comparison::Equal, Expr::Param(0));
    let body = vec![choose(0, vec![]), Statement::Choose(set), Statement::Require(locked)];
    let gone = within_cells(digits(v(1)), Expr::Seeing { every: true, cells: boxed(v(1)) });
    technique("naked_subset", &[(2, Some(3))], variant(vars, body, vec![claim(Claim::Eliminate(gone))]))
}

pub fn hidden_subset() -> Technique {
    let vars = vec![chosen("h", Kind::House(HouseClass::Any)), var("D", Kind::Digit, VarShape::Set, Origin::Chosen)];
    let set = Choose {
        var: VarId(1),
        size: Some((Expr::Param(0), Some(Expr::Param(0)))),
        for_each: None,
        such_that: vec![Condition::Within(v(1), digits(cells_of(v(0))))],
    };
    let locked = count_is(places(v(1), v(0)), Comparison::Equal, Expr::Param(0));
    let body = vec![choose(0, vec![]), Statement::Choose(set), Statement::Require(locked)];
    let gone = within_cells(minus(Expr::AllDigits, v(1)), places(v(1), v(0)));
    technique("hidden_subset", &[(2, Some(3))], variant(vars, body, vec![claim(Claim::Eliminate(gone))]))
}

/// A wing of named cells: every name of a digit comes from a pattern.
pub fn xyz_wing() -> Technique {
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
        choose(0, vec![exactly(0, &[1, 2, 3])]),
        choose(4, vec![exactly(4, &[1, 3]), sees(v(4), v(0))]),
        choose(5, vec![exactly(5, &[2, 3]), sees(v(5), v(0))]),
    ];
    let ends = within_cells(v(3), Expr::Union(vec![v(0), v(4), v(5)]));
    technique("xyz_wing", &[], variant(vars, body, vec![claim(Claim::SomeTrue(ends))]))
}

pub fn pivot_wing() -> Technique {
    let rest = || minus(digits(v(1)), v(0));
    let vars = vec![
        chosen("z", Kind::Digit),
        chosen("pivot", Kind::Cell),
        var("pincer", Kind::Cell, VarShape::Family, Origin::Chosen),
        var("d", Kind::Digit, VarShape::Single, Origin::Index),
    ];
    let member = || Expr::Member(VarId(2), VarId(3));
    let size = Expr::Subtract(boxed(Expr::Param(0)), boxed(Expr::Number(1)));
    let family = Choose {
        var: VarId(2),
        size: None,
        for_each: Some((VarId(3), rest())),
        such_that: vec![Condition::Equal(digits(member()), Expr::Union(vec![v(3), v(0)])), sees(member(), v(1))],
    };
    let body =
        vec![choose(0, vec![]), choose(1, vec![count_is(rest(), Comparison::Equal, size)]), Statement::Choose(family)];
    let ends = within_cells(v(0), Expr::Union(vec![v(1), v(2)]));
    technique("pivot_wing", &[(3, Some(4))], variant(vars, body, vec![claim(Claim::SomeTrue(ends))]))
}

pub fn bent_set() -> Technique {
    let vars = vec![
        chosen("z", Kind::Digit),
        var("s", Kind::Cell, VarShape::Set, Origin::Chosen),
        var("d", Kind::Digit, VarShape::Single, Origin::Index),
    ];
    let set = Choose {
        var: VarId(1),
        size: Some((Expr::Param(0), Some(Expr::Param(0)))),
        for_each: None,
        such_that: vec![Condition::Connected(v(1))],
    };
    let once = Condition::Compare(Expr::MaxOccurrences(boxed(v(2)), boxed(v(1))), Comparison::Equal, Expr::Number(1));
    let body = vec![
        choose(0, vec![]),
        Statement::Choose(set),
        Statement::Require(count_is(digits(v(1)), Comparison::Equal, Expr::Param(0))),
        Statement::Require(Condition::ForAll(VarId(2), minus(digits(v(1)), v(0)), Box::new(once))),
        Statement::Require(Condition::Within(v(0), digits(v(1)))),
    ];
    technique("bent_set", &[(3, Some(3))], variant(vars, body, vec![claim(Claim::SomeTrue(within_cells(v(0), v(1))))]))
}

fn node(digit: usize, cell: usize) -> LinkNode {
    LinkNode { digit: VarId(digit), cells: VarId(cell) }
}

pub fn w_wing() -> Technique {
    let mut vars = vec![pattern("x", Kind::Digit), pattern("y", Kind::Digit)];
    vars.extend(["A", "P", "Q", "B"].map(|name| pattern(name, Kind::Cell)));
    let link = |strong| FixedChainLink { strong, house: None };
    let nodes = vec![node(0, 2), node(1, 2), node(1, 3), node(1, 4), node(1, 5), node(0, 5)];
    let links = [true, false, true, false, true].map(link).to_vec();
    let ends = within_cells(v(0), Expr::Union(vec![v(2), v(5)]));
    let body = vec![Statement::FixedChain(FixedChain { nodes, links })];
    technique("w_wing", &[], variant(vars, body, vec![claim(Claim::SomeTrue(ends))]))
}

pub fn cell_source() -> LinkSource {
    let vars = vec![pattern("x", Kind::Digit), pattern("y", Kind::Digit), pattern("A", Kind::Cell)];
    let two = Condition::Exactly(digits(v(2)), vec![VarId(0), VarId(1)]);
    let pattern = variant(vars, vec![Statement::Require(two)], vec![]);
    LinkSource { id: "cell".into(), doc: vec![], left: node(0, 2), right: node(1, 2), pattern }
}

pub fn house_source() -> LinkSource {
    let vars = vec![
        pattern("d", Kind::Digit),
        pattern("A", Kind::Cell),
        pattern("B", Kind::Cell),
        chosen("h", Kind::House(HouseClass::Any)),
    ];
    let two = Condition::Exactly(places(v(0), v(3)), vec![VarId(1), VarId(2)]);
    let pattern = variant(vars, vec![choose(3, vec![]), Statement::Require(two)], vec![]);
    LinkSource { id: "house".into(), doc: vec![], left: node(0, 1), right: node(0, 2), pattern }
}

pub fn one_digit_chain(most: u32) -> Technique {
    let vars = vec![chosen("d", Kind::Digit), pattern("A", Kind::Cell), pattern("B", Kind::Cell)];
    let shape = LinkShape::Chain(OpenChain {
        from: ChainEnd::At(node(0, 1)),
        to: ChainEnd::At(node(0, 2)),
        length: Length { low: 2, high: Some(most), unit: LengthUnit::StrongLinks },
        weak: WeakLinks::Any,
    });
    let chain = Graph { digits: Some(v(0)), strong: vec!["house".into()], shape };
    let ends = within_cells(v(0), Expr::Union(vec![v(1), v(2)]));
    let body = vec![choose(0, vec![]), Statement::Graph(chain)];
    technique("x_chain", &[], variant(vars, body, vec![claim(Claim::SomeTrue(ends))]))
}

pub fn cell_chain(most: u32) -> Technique {
    let vars = vec![pattern("z", Kind::Digit), pattern("A", Kind::Cell), pattern("B", Kind::Cell)];
    let shape = LinkShape::Chain(OpenChain {
        from: ChainEnd::At(node(0, 1)),
        to: ChainEnd::At(node(0, 2)),
        length: Length { low: 3, high: Some(most), unit: LengthUnit::Cells },
        weak: WeakLinks::SameDigit,
    });
    let chain = Graph { digits: None, strong: vec!["cell".into()], shape };
    let ends = within_cells(v(0), Expr::Union(vec![v(1), v(2)]));
    technique("xy_chain", &[], variant(vars, vec![Statement::Graph(chain)], vec![claim(Claim::SomeTrue(ends))]))
}

pub fn free_chain(most: u32) -> Technique {
    let vars = vec![pattern("p", Kind::Candidate), pattern("q", Kind::Candidate)];
    let shape = LinkShape::Chain(OpenChain {
        from: ChainEnd::Candidate(VarId(0)),
        to: ChainEnd::Candidate(VarId(1)),
        length: Length { low: 2, high: Some(most), unit: LengthUnit::StrongLinks },
        weak: WeakLinks::Any,
    });
    let chain = Graph { digits: None, strong: vec!["cell".into(), "house".into()], shape };
    let ends = Expr::Union(vec![v(0), v(1)]);
    technique("aic", &[], variant(vars, vec![Statement::Graph(chain)], vec![claim(Claim::SomeTrue(ends))]))
}
