//! Benchmarks: reading and planning the rulebook, a search of each technique on its first example, and the paths of a few
//! puzzles.

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use pinion::engine::{Engine, Limits};
use pinion::grid::Geometry;
use pinion::grid::formats::read_one;
use pinion::solve::{Profile, Rulebook, Solver};
use pinion_benches::{PUZZLES, solver};
use std::hint::black_box;
use std::sync::Arc;

fn rulebook(bench: &mut Criterion) {
    bench.bench_function("rulebook/load the checked rulebook", |bench| bench.iter(Rulebook::embedded));
    let rulebook = Rulebook::embedded();
    let texts: Vec<_> = rulebook.files().iter().map(|file| (file.name.clone(), file.text.clone())).collect();
    bench.bench_function("rulebook/read and check the texts", |bench| {
        bench.iter(|| Rulebook::default().with(black_box(texts.clone())));
    });
    let geometry = Arc::new(Geometry::standard(9).expect("a standard size"));
    let profile = Profile::default();
    bench.bench_function("rulebook/make a solver without plans", |bench| {
        bench.iter(|| Solver::new(black_box(&rulebook), &geometry, &profile, Limits::default()));
    });
    bench.bench_function("rulebook/plan everything", |bench| {
        bench.iter(|| Engine::new(geometry.clone(), black_box(rulebook.techniques()), rulebook.sources()));
    });
}

fn searches(bench: &mut Criterion) {
    let (rulebook, solver) = (Rulebook::embedded(), solver());
    for technique in rulebook.techniques() {
        let Some(example) = technique.examples.iter().find(|example| !example.near_miss) else { continue };
        let Ok(puzzle) = read_one(&example.grid, None) else { continue };
        if puzzle.geometry.spec() != solver.geometry().spec() {
            continue;
        }
        let state = puzzle.state();
        let is_for_example = |index: &usize| {
            let member = &solver.members()[*index];
            solver.techniques()[member.technique].id == technique.id
                && (example.args.is_empty() || member.args == example.args)
        };
        let members: Vec<usize> = (0..solver.members().len()).filter(is_for_example).collect();
        bench.bench_function(&format!("search/{}", technique.id), |bench| {
            bench.iter_batched(
                || state.clone(),
                |state| {
                    let mut survey = solver.survey(&state);
                    members.iter().map(|&member| survey.find(member).matches.len()).sum::<usize>()
                },
                BatchSize::SmallInput,
            );
        });
    }
}

fn solves(bench: &mut Criterion) {
    let solver = solver();
    for (number, text) in PUZZLES.iter().enumerate() {
        let state = read_one(text, None).expect("a good puzzle").state();
        bench.bench_function(&format!("solve/{}", number + 1), |bench| bench.iter(|| solver.solve(state.clone())));
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = rulebook, searches, solves
}
criterion_main!(benches);
