//! Suppositions. In: cases and what may be used under them. Out: what they come to, as [`Hit`]s, the price of each, and
//! the inferences behind it as [`Case`]s.
//!
//! What follows from a literal depends on the state and the means alone. It is worked out once for a state, and shared by
//! all techniques ([`Memo`]). Whether something follows is found out first, without reasons; only what is reported is
//! gone through again with reasons, and cut down to what its end needs.

mod ahead;
mod board;
mod graph;
mod hits;
mod literal;
mod positions;
mod queue;
mod reach;
mod reads;
mod rules;
mod spread;
mod trace;

use super::WidthCache;
use super::chain::Links;
use super::compile::Compiled;
use super::matches::{Case, LimitHit, Limits};
use super::tables::Boards;
use super::tables::facts::Facts;
use crate::grid::{Bits, Candidate, Digit, State};
use ahead::{Order, Singles};
use board::{Follows, Ground, Marked};
use graph::Graph;
pub(super) use hits::{Hit, WantedEnd};
pub(super) use literal::{By, Literal};
pub(super) use positions::PositionCache;
use queue::{Nodes, Queue};
use reach::Reach;
pub(super) use reads::Reading;
use spread::Rows;
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use trace::{Trace, Tracer};

/// What follows from a literal.
struct Outcome<const W: usize> {
    /// For each digit the candidates that are true, then for each digit those that are false; `None` is a contradiction.
    sets: Option<Vec<Bits<W>>>,
    /// Limits that cut it short.
    limits: Vec<LimitHit>,
}

/// What follows, with reasons.
enum Account<const W: usize> {
    Trace(Trace<W>),
    Reach(Reach<W>),
    Queue(Queue<W>),
}

impl<const W: usize> Account<W> {
    fn queue(&self) -> Option<&Queue<W>> {
        match self {
            Account::Queue(queue) => Some(queue),
            Account::Trace(_) | Account::Reach(_) => None,
        }
    }

    fn refuted(&self) -> bool {
        match self {
            Account::Trace(trace) => trace.refuted(),
            Account::Reach(reach) => reach.refuted(),
            Account::Queue(queue) => queue.refuted(),
        }
    }

    /// Whether it ends before it comes to a contradiction, or to all that follows.
    fn unfinished(&self) -> bool {
        matches!(self, Account::Trace(trace) if trace.unfinished)
    }

    /// What an end is told of: what came before a contradiction counts where the first argument found does.
    fn shown(&self, shows: Option<Literal>) -> Option<Literal> {
        shows.filter(|_| matches!(self, Account::Queue(_)) || !self.refuted())
    }

    fn count(&self, shows: Option<Literal>) -> u32 {
        match self {
            Account::Trace(trace) => trace.count(shows),
            Account::Reach(reach) => reach.count(shows),
            Account::Queue(queue) => queue.count(shows),
        }
    }

    /// The inferences that an end needs; `links` says what makes a strong link.
    fn case(&self, shows: Option<Literal>, links: Option<&Links<W>>) -> Case {
        match self {
            Account::Trace(trace) => trace.case(shows),
            Account::Reach(reach) => reach.case(shows, &|edge| Some(graph::via(links?, edge))),
            Account::Queue(queue) => queue.case(shows, &|edge| Some(graph::via(links?, edge))),
        }
    }
}

/// Maximum accounts kept for one set of inference methods; techniques' own are all kept.
const MOST_ACCOUNTS: usize = 512;

/// What is known of one state by some means.
struct Known<const W: usize> {
    ground: Ground<W>,
    /// The state gone through to the end; `None` where it contradicts itself.
    base: Option<Marked<W>>,
    graph: Option<Rc<Graph<W>>>,
    /// The links of the graph, once something was supposed.
    rows: OnceCell<Rows<W>>,
    order: OnceCell<Order>,
    /// By the number of the literal.
    outcomes: RefCell<Vec<Option<Rc<Outcome<W>>>>>,
    /// What was found on the positions that were looked at.
    memory: WidthCache<W>,
    accounts: RefCell<BTreeMap<Literal, Rc<Account<W>>>>,
}

/// What is known of one state.
pub(super) struct Memo<const W: usize> {
    known: RefCell<BTreeMap<By, Rc<Known<W>>>>,
    /// The limits it was found out with.
    limits: Cell<Option<Limits>>,
    /// What techniques do with positions, if the state is not on a path.
    positions: PositionCache<W>,
}

impl<const W: usize> Default for Memo<W> {
    fn default() -> Self {
        Memo { known: RefCell::default(), limits: Cell::default(), positions: PositionCache::default() }
    }
}

/// A state, and all that is needed to go on from it under a supposition.
pub(super) struct Supposing<'a, const W: usize> {
    pub compiled: &'a Compiled,
    pub boards: &'a Boards<W>,
    pub state: &'a State,
    pub facts: &'a Facts<'a, W>,
    pub links: Option<&'a Links<W>>,
    pub memo: &'a Memo<W>,
    /// What was found on the states before.
    pub path: Option<&'a WidthCache<W>>,
}

impl<const W: usize> Supposing<'_, W> {
    fn known(&self, by: &By) -> Rc<Known<W>> {
        if let Some(known) = self.memo.known.borrow().get(by) {
            return Rc::clone(known);
        }
        let tables = &self.boards.grid;
        let on = match by {
            By::Singles(on) => *on,
            By::Links(..) | By::Rules(_) => None,
        };
        let ground = Ground::new(tables, self.facts, on);
        let graph = match (by, self.links) {
            (By::Links(on, sources, weak, _), Some(links)) => {
                Some(Rc::new(Graph::new(links, tables, *on, sources, *weak)))
            }
            _ => None,
        };
        let outcomes = RefCell::new(vec![None; 2 * tables.size * tables.cell_count]);
        let (accounts, memory) = (RefCell::default(), WidthCache::default());
        let (base, rows, order) = (ground.base(tables), OnceCell::new(), OnceCell::new());
        let known = Rc::new(Known { base, ground, graph, rows, order, outcomes, memory, accounts });
        self.memo.known.borrow_mut().insert(by.clone(), Rc::clone(&known));
        known
    }

    /// What follows from a literal, with reasons.
    fn account(&self, by: &By, literal: Literal, limits: &Limits) -> Rc<Account<W>> {
        self.account_within(by, literal, limits, u32::MAX)
    }

    /// The same; one of a contradiction that needs more than `most` inferences may be unfinished.
    fn account_within(&self, by: &By, literal: Literal, limits: &Limits, most: u32) -> Rc<Account<W>> {
        let known = self.known(by);
        if let Some(account) = known.accounts.borrow().get(&literal) {
            return Rc::clone(account);
        }
        let tables = &self.boards.grid;
        let account = Rc::new(match (by, &known.graph) {
            _ if limits.first_found => Account::Queue(self.one_by_one(by, &known, literal, limits)),
            (By::Links(_, _, _, most), Some(graph)) => {
                Account::Reach(Reach::new(tables, &known.ground, graph, literal, *most))
            }
            (By::Rules(members), _) => Account::Trace(self.by_rules(&known, (by, members), literal, limits)),
            _ => {
                let mut tracer = Tracer::new(tables, &known.ground, literal);
                tracer.singles(most);
                Account::Trace(tracer.finish())
            }
        });
        if account.unfinished() {
            return account;
        }
        let mut accounts = known.accounts.borrow_mut();
        if accounts.len() >= MOST_ACCOUNTS && !matches!(by, By::Rules(_)) {
            accounts.clear();
        }
        accounts.insert(literal, Rc::clone(&account));
        account
    }

    /// The same, one inference after the other.
    fn one_by_one(&self, by: &By, known: &Known<W>, literal: Literal, limits: &Limits) -> Queue<W> {
        let tables = &self.boards.grid;
        if let Some(graph) = &known.graph {
            let mut order = known.order.get_or_init(|| Order::new(tables, graph));
            return Queue::new(Nodes::Graph(Rc::clone(graph)), tables.size, literal, &mut order);
        }
        let rules = match by {
            By::Rules(members) => Some((self, members.as_slice(), limits)),
            By::Links(..) | By::Singles(_) => None,
        };
        let mut singles = Singles::new(tables, &known.ground, rules);
        Queue::new(Nodes::Candidates(tables.cell_count), tables.size, literal, &mut singles)
    }

    fn outcome(&self, by: &By, known: &Known<W>, literal: Literal, limits: &Limits) -> Rc<Outcome<W>> {
        let tables = &self.boards.grid;
        let (Candidate { cell, digit }, holds) = literal;
        let number = 2 * (digit.index() * tables.cell_count + cell.index()) + usize::from(holds);
        if let Some(outcome) = &known.outcomes.borrow()[number] {
            return Rc::clone(outcome);
        }
        if let Some(limit) = limits.halt.due() {
            return Rc::new(Outcome { limits: vec![limit], ..Outcome::nothing(tables.size) });
        }
        let outcome = match by {
            By::Links(_, _, _, most) => {
                let Some(graph) = &known.graph else { return Rc::new(Outcome::nothing(tables.size)) };
                let rows = known.rows.get_or_init(|| Rows::new(tables, &known.ground, graph));
                Rc::new(Outcome { sets: rows.outcome(&known.ground, graph, literal, *most), limits: Vec::new() })
            }
            By::Singles(_) | By::Rules(_) => match &known.base {
                None => Rc::new(Outcome { sets: None, limits: Vec::new() }),
                // What comes to the same position by last candidates and last places comes to the same end.
                Some(base) => match known.ground.end(tables, base, literal) {
                    Follows::From((digit, cell)) => {
                        let other = Candidate::new(Digit(digit), crate::grid::Cell(cell));
                        self.outcome(by, known, (other, true), limits)
                    }
                    Follows::End(None) => Rc::new(Outcome { sets: None, limits: Vec::new() }),
                    Follows::End(Some(end)) => self.ended(by, known, end, limits),
                },
            },
        };
        known.outcomes.borrow_mut()[number] = Some(Rc::clone(&outcome));
        outcome
    }

    /// What a position without last candidates and last places comes to.
    fn ended(&self, by: &By, known: &Known<W>, end: Marked<W>, limits: &Limits) -> Rc<Outcome<W>> {
        match by {
            By::Rules(members) => self.ended_by_rules(known, members, end, limits),
            _ => Rc::new(Outcome { sets: Some(sets_of(&known.ground, &end)), limits: Vec::new() }),
        }
    }

    /// How many inferences all cases of some hits need together; `None` where these are more than `most`.
    pub fn count(&self, hits: &[Hit], limits: &Limits, most: u32) -> Option<u32> {
        let mut count = 0u32;
        for hit in hits {
            for &case in &hit.cases {
                let left = if hit.shows.is_none() { most.checked_sub(count)? } else { u32::MAX };
                let account = self.account_within(&hit.by, case, limits, left);
                if account.unfinished() {
                    return None;
                }
                count += account.count(account.shown(hit.shows));
            }
        }
        (count <= most).then_some(count)
    }

    /// The cases of a hit with their inferences.
    pub fn told(&self, hit: &Hit, limits: &Limits) -> Vec<Case> {
        let case = |&literal: &Literal| {
            let account = self.account(&hit.by, literal, limits);
            account.case(account.shown(hit.shows), self.links)
        };
        hit.cases.iter().map(case).collect()
    }
}

impl<const W: usize> Outcome<W> {
    /// Where no links are at hand.
    fn nothing(size: usize) -> Self {
        Outcome { sets: Some(vec![Bits::EMPTY; 2 * size]), limits: Vec::new() }
    }
}

/// For each digit what is true, then for each digit what is false.
fn sets_of<const W: usize>(ground: &Ground<W>, end: &Marked<W>) -> Vec<Bits<W>> {
    let gone = ground.start.places.iter().zip(&end.places).map(|(before, after)| *before - *after);
    end.placed.iter().copied().chain(gone).collect()
}
