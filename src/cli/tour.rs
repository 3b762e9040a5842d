//! A path step by step on the terminal. In: a path, keys. Out: screens: the step in the grid, why it holds by its rule, what else is
//! there. What is shown is worked out here; [`run`] alone touches the terminal.

use crate::cli::output;
use crate::cli::prelude::*;
use crate::cli::why::reasons;
use crate::render::{Headlines, Scene, count_phrase_of, drawing, headline, is_single, step_lines};
use crate::solve::{Path, Step};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::{cursor, execute, terminal};
use std::io::{self, Write, stdout};

/// Help for the keys, below every screen.
const KEYS: &str =
    "→ on   ← back   n next that is not a single   w why   o others here   Home/End   ↑↓ scroll   q quit";

/// The part of the screen besides the step.
enum Panel {
    Step,
    Why(Vec<Line>),
    /// Every match on the position, and which of them is drawn.
    Others(Vec<Step>, usize),
}

/// A place on a path, with the present panel.
pub struct Tour<'a> {
    solver: &'a Arc<Solver>,
    rulebook: &'a Rulebook,
    path: &'a Path,
    /// The position before each step, and the last.
    positions: Vec<State>,
    at: usize,
    panel: Panel,
    scroll: usize,
}

/// Meaning of a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ask {
    /// One step forward.
    On,
    /// One step back.
    Back,
    /// To the next step that is not a single.
    Next,
    /// To the first step.
    First,
    /// To the end.
    Last,
    /// The rule with its values, or the step again.
    Why,
    /// The matches on this position, or the step again.
    Others,
    /// Up the list, or the page.
    Up,
    /// Down the list, or the page.
    Down,
    /// Leave.
    Quit,
}

impl<'a> Tour<'a> {
    /// At the first step.
    pub fn new(solver: &'a Arc<Solver>, rulebook: &'a Rulebook, path: &'a Path) -> Tour<'a> {
        let positions = path.positions(solver.geometry());
        Tour { solver, rulebook, path, positions, at: 0, panel: Panel::Step, scroll: 0 }
    }

    fn geometry(&self) -> &'a Geometry {
        self.solver.geometry()
    }

    /// Obeys a key. Returns false if it ends the tour.
    pub fn ask(&mut self, ask: Ask) -> bool {
        let last = self.path.steps.len();
        match ask {
            Ask::Quit => return false,
            Ask::On => self.go((self.at + 1).min(last)),
            Ask::Back => self.go(self.at.saturating_sub(1)),
            Ask::First => self.go(0),
            Ask::Last => self.go(last),
            Ask::Next => {
                let mut later = self.at + 1..last;
                let next = later.find(|&at| !is_single(self.geometry(), &self.positions[at], &self.path.steps[at]));
                self.go(next.unwrap_or(last));
            }
            Ask::Why => self.toggle_why(),
            Ask::Others => self.toggle_others(),
            Ask::Up | Ask::Down => self.scroll(ask == Ask::Down),
        }
        true
    }

    fn go(&mut self, at: usize) {
        (self.at, self.panel, self.scroll) = (at, Panel::Step, 0);
    }

    fn toggle_why(&mut self) {
        self.scroll = 0;
        let step = self.path.steps.get(self.at);
        self.panel = match (&self.panel, step) {
            (Panel::Why(_), _) | (_, None) => Panel::Step,
            (_, Some(step)) => {
                let found = reasons(self.solver, self.rulebook, &self.positions[self.at], step);
                Panel::Why(found.unwrap_or_else(|| vec![Line::styled(Role::Failure, "No rule made this step.")]))
            }
        };
    }

    fn toggle_others(&mut self) {
        self.scroll = 0;
        self.panel = match &self.panel {
            Panel::Others(..) => Panel::Step,
            _ => {
                let found = self.solver.find_all(&self.positions[self.at], None).map(|found| found.steps);
                let (mut steps, mut headlines) = (found.unwrap_or_default(), Headlines::default());
                steps.retain(|step| headlines.add(self.solver.geometry(), step).is_none());
                Panel::Others(steps, 0)
            }
        };
    }

    fn scroll(&mut self, down: bool) {
        let place = match &mut self.panel {
            Panel::Others(all, place) if !all.is_empty() => {
                *place = if down { (*place + 1).min(all.len() - 1) } else { place.saturating_sub(1) };
                return;
            }
            _ => &mut self.scroll,
        };
        *place = if down { *place + 1 } else { place.saturating_sub(1) };
    }

    /// The screen; `width` in columns, `height` in lines.
    pub fn screen(&self, width: usize, height: usize) -> Vec<Line> {
        let lines: Vec<Line> = self.content(width, height).iter().flat_map(|line| line.wrapped(width)).collect();
        let keys = Line::styled(Role::Quiet, KEYS).wrapped(width);
        let room = height.saturating_sub(keys.len()).max(1);
        let from = self.scroll.min(lines.len().saturating_sub(room));
        let mut shown: Vec<Line> = lines.into_iter().skip(from).take(room).collect();
        shown.resize(room, Line::default());
        shown.extend(keys);
        shown
    }

    /// Draws a step on the present position.
    fn drawn(&self, step: &Step, width: usize) -> Vec<Line> {
        let scene = Scene::of_step(self.geometry(), &self.positions[self.at], step);
        drawing(self.geometry(), &scene, Some(width))
    }

    fn content(&self, width: usize, height: usize) -> Vec<Line> {
        let (state, steps) = (&self.positions[self.at], self.path.steps.len());
        let Some(step) = self.path.steps.get(self.at) else {
            let mut lines = vec![Line::styled(Role::Name, format!("The end, after {}.", count_phrase(steps, "step")))];
            lines.extend(drawing(self.geometry(), &Scene::of_state(state.clone()), Some(width)));
            return lines;
        };
        let head = Line::styled(Role::Quiet, format!("Step {} of {steps}  ", self.at + 1));
        let mut lines = Vec::new();
        match &self.panel {
            Panel::Step => {
                lines.push(head);
                lines.extend(step_lines(self.geometry(), step, 2));
                lines.extend(self.drawn(step, width));
            }
            Panel::Why(lines_of_why) => {
                lines.push(head.join(headline(self.geometry(), step)));
                lines.extend(self.drawn(step, width));
                lines.extend(lines_of_why.iter().cloned());
            }
            Panel::Others(all, place) => {
                let count = count_phrase_of(all.len(), "match", "matches");
                lines.push(head.with(Role::Name, format!("{count} on this position")));
                lines.extend(all.get(*place).map(|step| self.drawn(step, width)).unwrap_or_default());
                let room = height.saturating_sub(lines.len() + 3).max(3);
                let from = place.saturating_sub(room / 2).min(all.len().saturating_sub(room));
                for (number, other) in all.iter().enumerate().skip(from).take(room) {
                    let mark = if number == *place { "> " } else { "  " };
                    lines.push(Line::styled(Role::Name, mark).join(headline(self.geometry(), other)));
                }
            }
        }
        lines
    }
}

/// Shows a path until somebody has seen enough.
pub fn run(solver: &Arc<Solver>, rulebook: &Rulebook, path: &Path) -> io::Result<()> {
    let mut tour = Tour::new(solver, rulebook, path);
    terminal::enable_raw_mode()?;
    execute!(stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
    let ended = shown(&mut tour);
    // The terminal is given back whatever happened.
    let left = execute!(stdout(), cursor::Show, terminal::LeaveAlternateScreen);
    terminal::disable_raw_mode()?;
    ended.and(left)
}

fn shown(tour: &mut Tour<'_>) -> io::Result<()> {
    let colours = output::is_wanted(true);
    loop {
        let (width, height) = terminal::size()?;
        let mut out = stdout().lock();
        execute!(out, terminal::Clear(terminal::ClearType::All), cursor::MoveTo(0, 0))?;
        let screen = tour.screen(usize::from(width).max(20), usize::from(height));
        let lines: Vec<String> = screen.iter().map(|line| output::paint(line, colours)).collect();
        write!(out, "{}", lines.join("\r\n"))?;
        out.flush()?;
        drop(out);
        let asked = loop {
            match event::read()? {
                Event::Resize(..) => break None,
                Event::Key(key) if key.kind != KeyEventKind::Release => {
                    if let Some(ask) = asked(key.code, key.modifiers) {
                        break Some(ask);
                    }
                }
                _ => {}
            }
        };
        if asked.is_some_and(|ask| !tour.ask(ask)) {
            return Ok(());
        }
    }
}

/// Returns the meaning of a key.
pub fn asked(code: KeyCode, with: KeyModifiers) -> Option<Ask> {
    Some(match code {
        KeyCode::Char('c' | 'd') if with.contains(KeyModifiers::CONTROL) => Ask::Quit,
        KeyCode::Right | KeyCode::Enter | KeyCode::Char(' ' | 'l') => Ask::On,
        KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h' | 'p') => Ask::Back,
        KeyCode::Char('n') | KeyCode::Tab => Ask::Next,
        KeyCode::Home | KeyCode::Char('g') => Ask::First,
        KeyCode::End | KeyCode::Char('G') => Ask::Last,
        KeyCode::Char('w') => Ask::Why,
        KeyCode::Char('o') => Ask::Others,
        KeyCode::Up | KeyCode::Char('k') => Ask::Up,
        KeyCode::Down | KeyCode::Char('j') => Ask::Down,
        KeyCode::Esc | KeyCode::Char('q') => Ask::Quit,
        _ => return None,
    })
}
