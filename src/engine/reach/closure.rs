//! Where a candidate leads. In: a [`Web`]. Out: the candidates that lead to their own negation.
//!
//! A node may be true or false, and what a link says leads from one of these literals to another. Literals that lead to one
//! another form a group and lead to the same; what a group leads to is put together from what the groups behind it lead
//! to. A link that leads from one literal to another leads from the negation of the other to that of the one, so the same
//! rows serve both ways.

use super::web::Web;
use crate::engine::facts::Facts;
use crate::engine::marks::Marks;
use crate::engine::rows;
use crate::engine::tables::Tables;
use crate::grid::Digit;

/// A node with whether it is true.
type Literal = (usize, bool);

/// The literals of a web: one row of nodes that are true, and one of those that are false.
pub(super) struct Literals {
    pub held: Vec<u64>,
    pub dead: Vec<u64>,
}

impl Literals {
    #[inline]
    fn has(&self, (node, held): Literal) -> bool {
        rows::has(if held { &self.held } else { &self.dead }, node)
    }

    #[inline]
    fn remove(&mut self, (node, held): Literal) {
        rows::unset(if held { &mut self.held } else { &mut self.dead }, node);
    }
}

/// What leads where.
pub(super) struct Closure<'w, 's, const W: usize> {
    steps: Steps<'w, 's, W>,
    /// The group of each node that is false, and of each that is true.
    groups: [Vec<u32>; 2],
    /// For each group the nodes that it makes true, then those that it makes false; itself among them.
    leads: Vec<u64>,
}

impl<'w, 's, const W: usize> Closure<'w, 's, W> {
    pub fn new(web: &'w Web<W>, tables: &'w Tables<W>, facts: &'w Facts<'s, W>) -> Self {
        let words = web.words[tables.size];
        let steps = Steps { web, tables, facts, words };
        let mut closure = Closure { steps, groups: [(); 2].map(|()| vec![0; words * 64]), leads: Vec::new() };
        let (members, begins) = closure.group();
        closure.leads = vec![0; (begins.len() - 1) * words * 2];
        for group in (0..begins.len() - 1).rev() {
            closure.gather(group, &members[begins[group]..begins[group + 1]]);
        }
        closure
    }

    /// The candidates that lead to their own negation; `known` are some of them.
    pub fn refuted(&self, known: &Marks<W>) -> Marks<W> {
        let (mut out, mut goal) = (*known, vec![0; self.steps.words]);
        for digit in 0..self.steps.tables.size {
            for cell in (self.steps.facts.places[digit] - known.0[digit]).iter() {
                let returns = match self.steps.node(digit, cell) {
                    Some(node) => rows::has(&self.led((node, true))[self.steps.words..], node),
                    None => self.returns(digit, cell, &mut goal),
                };
                if returns {
                    out.0[digit].insert(cell);
                }
            }
        }
        out
    }

    /// Whether a candidate that is no node leads to something that excludes it.
    fn returns(&self, digit: usize, cell: usize, goal: &mut [u64]) -> bool {
        let Steps { web, tables, words, .. } = self.steps;
        goal.fill(0);
        let block = web.words[digit]..web.words[digit + 1];
        web.excluded(digit, tables.cell_count, &tables.peers[cell], &mut goal[block]);
        self.steps.others(digit, cell).for_each(|node| rows::set(goal, node));
        rows::bits(goal).any(|node| rows::meet(&self.led((node, false))[..words], goal))
    }

    /// What a literal leads to.
    #[inline]
    fn led(&self, (node, held): Literal) -> &[u64] {
        let row = self.steps.words * 2;
        &self.leads[self.groups[usize::from(held)][node] as usize * row..][..row]
    }

    /// Puts the literals that lead to one another together: the members of all groups, and where those of each begin. What a
    /// group leads to comes after it.
    fn group(&mut self) -> (Vec<Literal>, Vec<usize>) {
        let (mut members, mut begins) = (Vec::new(), Vec::new());
        let mut left = self.steps.web.literals();
        // From what was finished last, against the links: as their negations lead.
        for &(node, held) in self.steps.finished().iter().rev() {
            if !left.has((node, !held)) {
                continue;
            }
            begins.push(members.len());
            left.remove((node, !held));
            members.push((node, held));
            let mut at = members.len() - 1;
            while let Some(&(node, held)) = members.get(at) {
                self.groups[usize::from(held)][node] = begins.len() as u32 - 1;
                let mut from = 0;
                while let Some((next, held)) = self.steps.next((node, !held), [&left.held, &left.dead], 0, &mut from) {
                    left.remove((next, held));
                    members.push((next, !held));
                }
                at += 1;
            }
        }
        begins.push(members.len());
        (members, begins)
    }

    /// Works out what a group leads to; what comes after it is known.
    fn gather(&mut self, group: usize, members: &[Literal]) {
        let words = self.steps.words;
        let (before, after) = self.leads.split_at_mut((group + 1) * words * 2);
        let row = &mut before[group * words * 2..];
        for &(node, held) in members {
            rows::set(if held { &mut row[..words] } else { &mut row[words..] }, node);
        }
        for &member in members {
            let mut from = 0;
            while let Some((node, held)) = self.steps.next(member, [&row[..words], &row[words..]], !0, &mut from) {
                let other = self.groups[usize::from(held)][node] as usize - group - 1;
                rows::add(row, &after[other * words * 2..][..words * 2]);
            }
        }
    }
}

/// Where literals lead by one link.
struct Steps<'w, 's, const W: usize> {
    web: &'w Web<W>,
    tables: &'w Tables<W>,
    facts: &'w Facts<'s, W>,
    /// Words of a row of nodes.
    words: usize,
}

impl<const W: usize> Steps<'_, '_, W> {
    #[inline]
    fn node(&self, digit: usize, cell: usize) -> Option<usize> {
        self.web.candidate(digit, cell, self.tables.cell_count)
    }

    /// The nodes that are other candidates of a cell.
    #[inline]
    fn others(&self, digit: usize, cell: usize) -> impl Iterator<Item = usize> {
        let others = self.facts.candidates[cell].iter().map(Digit::index).filter(move |&other| other != digit);
        others.filter_map(move |other| self.node(other, cell))
    }

    /// A literal that one leads to and that is among some: rows of nodes that are true and that are false, all bits turned
    /// over by `flip`. Of links those before `from` were looked at, and none of their literals is left.
    #[inline]
    fn next(
        &self,
        (node, is_held): Literal,
        [held, dead]: [&[u64]; 2],
        flip: u64,
        from: &mut usize,
    ) -> Option<Literal> {
        if !is_held {
            let links = self.web.links(node);
            while *from < links.len() {
                let mut others = self.web.linked(links[*from]).iter().map(|&other| other as usize);
                if let Some(other) = others.find(|&other| other != node && has(held, flip, other)) {
                    return Some((other, true));
                }
                *from += 1;
            }
            return None;
        }
        let digit = self.web.digit(node);
        let (begin, end) = (self.web.words[digit], self.web.words[digit + 1]);
        let seen = first(self.web.weak(node, end - begin), &dead[begin..end], flip).map(|bit| begin * 64 + bit);
        let other = || self.others(digit, self.web.cell(node)?).find(|&other| has(dead, flip, other));
        seen.or_else(other).map(|node| (node, false))
    }

    /// All literals, each after those that it leads to, unless these lead back.
    fn finished(&self) -> Vec<Literal> {
        let mut left = self.web.literals();
        let (mut out, mut path) = (Vec::new(), Vec::new());
        for start in rows::bits(&self.web.literals().held).flat_map(|node| [(node, true), (node, false)]) {
            if !left.has(start) {
                continue;
            }
            left.remove(start);
            path.push((start, 0));
            while let Some((last, from)) = path.last_mut() {
                match self.next(*last, [&left.held, &left.dead], 0, from) {
                    Some(next) => {
                        left.remove(next);
                        path.push((next, 0));
                    }
                    None => out.extend(path.pop().map(|(last, _)| last)),
                }
            }
        }
        out
    }
}

/// The first bit of a row that is in another, all of whose bits are turned over by `flip`.
#[inline]
fn first(row: &[u64], other: &[u64], flip: u64) -> Option<usize> {
    let words = row.iter().zip(other).map(|(row, other)| row & (other ^ flip));
    words.enumerate().find(|(_, word)| *word != 0).map(|(at, word)| at * 64 + word.trailing_zeros() as usize)
}

/// Whether a row has a bit, all bits turned over by `flip`.
#[inline]
fn has(row: &[u64], flip: u64, bit: usize) -> bool {
    rows::has(row, bit) != (flip != 0)
}
