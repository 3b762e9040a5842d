//! Shows a path step by step on the terminal (`solve --interactive`): the step in the grid, the requirements of its rule, or all matches
//! on the position. [`Tour`] computes the screens. Only [`run`] and its helpers touch the terminal.

use crate::cli::output;
use crate::cli::prelude::*;
use crate::cli::why::reasons;
use crate::render::{Headlines, Scene, count_phrase_of, drawing, headline, is_single, step_lines};
use crate::solve::{Path, Step};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::{cursor, execute, terminal};
use std::io::{self, Write, stdout};

const KEY_HELP: &str =
    "→ on   ← back   n next that is not a single   w why   o others here   Home/End   ↑↓ scroll   q quit";

enum Panel {
    Step,
    Why(Vec<Line>),
    /// Every match on the position; the selected one is drawn.
    Matches {
        steps: Vec<Step>,
        selected: usize,
    },
}

pub struct Tour<'a> {
    solver: &'a Arc<Solver>,
    rulebook: &'a Rulebook,
    path: &'a Path,
    /// The position before each step, and the final position.
    positions: Vec<State>,
    /// Index of the present step. At the end of the path, it is the number of steps.
    index: usize,
    panel: Panel,
    /// Number of lines of the content that are scrolled out at the top.
    scroll: usize,
}

impl<'a> Tour<'a> {
    pub fn new(solver: &'a Arc<Solver>, rulebook: &'a Rulebook, path: &'a Path) -> Tour<'a> {
        let positions = path.positions(solver.geometry());
        Tour { solver, rulebook, path, positions, index: 0, panel: Panel::Step, scroll: 0 }
    }

    fn geometry(&self) -> &'a Geometry {
        self.solver.geometry()
    }

    /// Executes the command of a key. Returns false if the command ends the tour.
    pub fn execute(&mut self, key: KeyCode) -> bool {
        let end = self.path.steps.len();
        match key {
            KeyCode::Esc | KeyCode::Char('q') => return false,
            KeyCode::Right | KeyCode::Enter | KeyCode::Char(' ' | 'l') => self.go_to((self.index + 1).min(end)),
            KeyCode::Left | KeyCode::Backspace | KeyCode::Char('h' | 'p') => self.go_to(self.index.saturating_sub(1)),
            KeyCode::Home | KeyCode::Char('g') => self.go_to(0),
            KeyCode::End | KeyCode::Char('G') => self.go_to(end),
            // Go to the next step that is not a single.
            KeyCode::Char('n') | KeyCode::Tab => {
                let is_single =
                    |index: usize| is_single(self.geometry(), &self.positions[index], &self.path.steps[index]);
                let next = (self.index + 1..end).find(|&index| !is_single(index));
                self.go_to(next.unwrap_or(end));
            }
            KeyCode::Char('w') => self.toggle_why(),
            KeyCode::Char('o') => self.toggle_matches(),
            // Select another match, or scroll.
            KeyCode::Up | KeyCode::Char('k') => match &mut self.panel {
                Panel::Matches { steps, selected } if !steps.is_empty() => *selected = selected.saturating_sub(1),
                _ => self.scroll = self.scroll.saturating_sub(1),
            },
            KeyCode::Down | KeyCode::Char('j') => match &mut self.panel {
                Panel::Matches { steps, selected } if !steps.is_empty() => {
                    *selected = (*selected + 1).min(steps.len() - 1);
                }
                _ => self.scroll += 1,
            },
            _ => {}
        }
        true
    }

    fn go_to(&mut self, index: usize) {
        (self.index, self.panel, self.scroll) = (index, Panel::Step, 0);
    }

    fn toggle_why(&mut self) {
        self.scroll = 0;
        let was_shown = matches!(self.panel, Panel::Why(_));
        self.panel = Panel::Step;
        if let Some(step) = self.path.steps.get(self.index)
            && !was_shown
        {
            let reasons = reasons(self.solver, self.rulebook, &self.positions[self.index], step)
                .unwrap_or_else(|| vec![Line::styled(Role::Failure, "No rule made this step.")]);
            self.panel = Panel::Why(reasons);
        }
    }

    fn toggle_matches(&mut self) {
        self.scroll = 0;
        if matches!(self.panel, Panel::Matches { .. }) {
            self.panel = Panel::Step;
            return;
        }
        let found = self.solver.find_all(&self.positions[self.index], None);
        let mut steps = found.map(|found| found.steps).unwrap_or_default();
        let mut headlines = Headlines::default();
        steps.retain(|step| headlines.add(self.solver.geometry(), step).is_none());
        self.panel = Panel::Matches { steps, selected: 0 };
    }

    /// Returns the lines of the screen; `width` in columns, `height` in lines.
    pub fn screen(&self, width: usize, height: usize) -> Vec<Line> {
        let content: Vec<Line> = self.content(width, height).iter().flat_map(|line| line.wrapped(width)).collect();
        let help = Line::styled(Role::Quiet, KEY_HELP).wrapped(width);
        let room = height.saturating_sub(help.len()).max(1);
        let skipped = self.scroll.min(content.len().saturating_sub(room));
        let mut screen: Vec<Line> = content.into_iter().skip(skipped).take(room).collect();
        screen.resize(room, Line::default());
        screen.extend(help);
        screen
    }

    fn draw(&self, step: &Step, width: usize) -> Vec<Line> {
        let scene = Scene::of_step(self.geometry(), &self.positions[self.index], step);
        drawing(self.geometry(), &scene, Some(width))
    }

    /// Returns the lines above the key help, perhaps more than fit on the screen.
    fn content(&self, width: usize, height: usize) -> Vec<Line> {
        let state = &self.positions[self.index];
        let count = self.path.steps.len();
        let Some(step) = self.path.steps.get(self.index) else {
            let mut lines = vec![Line::styled(Role::Name, format!("The end, after {}.", count_phrase(count, "step")))];
            lines.extend(drawing(self.geometry(), &Scene::of_state(state.clone()), Some(width)));
            return lines;
        };
        let heading = Line::styled(Role::Quiet, format!("Step {} of {count}  ", self.index + 1));
        let mut lines = Vec::new();
        match &self.panel {
            Panel::Step => {
                lines.push(heading);
                lines.extend(step_lines(self.geometry(), step, 2));
                lines.extend(self.draw(step, width));
            }
            Panel::Why(reasons) => {
                lines.push(heading.join(headline(self.geometry(), step)));
                lines.extend(self.draw(step, width));
                lines.extend(reasons.iter().cloned());
            }
            Panel::Matches { steps, selected } => {
                let matches = count_phrase_of(steps.len(), "match", "matches");
                lines.push(heading.with(Role::Name, format!("{matches} on this position")));
                if let Some(step) = steps.get(*selected) {
                    lines.extend(self.draw(step, width));
                }
                // The list of matches fills the rest of the screen, except three lines for the key help. The selected
                // match stays in the middle of the list.
                let room = height.saturating_sub(lines.len() + 3).max(3);
                let first = selected.saturating_sub(room / 2).min(steps.len().saturating_sub(room));
                for (index, step) in steps.iter().enumerate().skip(first).take(room) {
                    let mark = if index == *selected { "> " } else { "  " };
                    lines.push(Line::styled(Role::Name, mark).join(headline(self.geometry(), step)));
                }
            }
        }
        lines
    }
}

pub fn run(solver: &Arc<Solver>, rulebook: &Rulebook, path: &Path) -> io::Result<()> {
    let mut tour = Tour::new(solver, rulebook, path);
    terminal::enable_raw_mode()?;
    execute!(stdout(), terminal::EnterAlternateScreen, cursor::Hide)?;
    let result = show(&mut tour);
    // The terminal is restored even after an error.
    let restored = execute!(stdout(), cursor::Show, terminal::LeaveAlternateScreen);
    terminal::disable_raw_mode()?;
    result.and(restored)
}

fn show(tour: &mut Tour<'_>) -> io::Result<()> {
    let has_colours = output::wants_colours(true);
    loop {
        let (width, height) = terminal::size()?;
        let mut out = stdout().lock();
        execute!(out, terminal::Clear(terminal::ClearType::All), cursor::MoveTo(0, 0))?;
        let screen = tour.screen(usize::from(width).max(20), usize::from(height));
        let lines: Vec<String> = screen.iter().map(|line| output::paint(line, has_colours)).collect();
        write!(out, "{}", lines.join("\r\n"))?;
        out.flush()?;
        drop(out);
        if let Event::Key(key) = event::read()?
            && key.kind != KeyEventKind::Release
        {
            let is_control = key.modifiers.contains(KeyModifiers::CONTROL);
            if is_control && matches!(key.code, KeyCode::Char('c' | 'd')) || !tour.execute(key.code) {
                return Ok(());
            }
        }
    }
}
