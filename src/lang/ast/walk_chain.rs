//! Walks over chains and suppositions; see [`Visitor`].

use super::walk::idents;
use super::{
    Cases, Chain, ChainLength, Cluster, End, InferenceMethods, Link, Links, Loop, Member, Ring, Shows, Stop, Suppose,
    Trail, Visitor,
};

impl Trail {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        self.stops.iter_mut().for_each(|stop| stop.walk(to));
        self.links.iter_mut().for_each(|link| link.walk(to));
    }
}

impl Stop {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        idents(&mut self.digits, to);
        self.links.iter_mut().for_each(|link| link.walk(to));
        self.cell.walk(to);
    }
}

impl Link {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.house.iter_mut().for_each(|house| house.walk(to));
    }
}

impl Chain {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.on.iter_mut().for_each(|on| on.walk(to));
        for end in [&mut self.from, &mut self.to] {
            match end {
                End::At(stop) => stop.walk(to),
                End::Candidate(name) => name.walk(to),
            }
        }
        to.span(&mut self.length.span);
        self.shortest.iter_mut().for_each(|span| to.span(span));
        self.links.walk(to);
    }
}

impl Links {
    fn walk(&mut self, to: &mut dyn Visitor) {
        self.strong.iter_mut().for_each(|names| idents(names, to));
        self.weak.iter_mut().for_each(|(_, span)| to.span(span));
    }
}

impl ChainLength {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
    }
}

impl Loop {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.name.walk(to);
        self.on.iter_mut().for_each(|on| on.walk(to));
        self.colours.iter_mut().for_each(|colours| idents(colours, to));
        self.length.walk(to);
        self.shortest.iter_mut().for_each(|span| to.span(span));
        self.links.walk(to);
    }
}

impl Cluster {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.on.iter_mut().for_each(|on| on.walk(to));
        idents(&mut self.colours, to);
        self.links.walk(to);
    }
}

impl Ring {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.name.walk(to);
        self.on.iter_mut().for_each(|on| on.walk(to));
        self.length.walk(to);
        self.guardians.walk(to);
        self.links.walk(to);
    }
}

impl Suppose {
    pub(super) fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        match &mut self.cases {
            Cases::One(name) | Cases::Not(name) => name.walk(to),
            Cases::Either(name, again) => {
                name.walk(to);
                again.walk(to);
            }
            Cases::Each(noun) => noun.walk(to),
        }
        match &mut self.means {
            InferenceMethods::Links(on, most, links) => {
                on.iter_mut().for_each(|on| on.walk(to));
                most.iter_mut().for_each(|most| most.walk(to));
                links.walk(to);
            }
            InferenceMethods::Singles(on) => on.iter_mut().for_each(|on| on.walk(to)),
            InferenceMethods::Rules(members) => members.iter_mut().for_each(|member| member.walk(to)),
        }
        if let Shows::AllImply(not, name, without) = &mut self.shows {
            not.iter_mut().for_each(|span| to.span(span));
            name.walk(to);
            without.iter_mut().for_each(|span| to.span(span));
        }
    }
}

impl Member {
    fn walk(&mut self, to: &mut dyn Visitor) {
        to.span(&mut self.span);
        self.id.walk(to);
        self.args.iter_mut().for_each(|number| to.span(&mut number.span));
    }
}
