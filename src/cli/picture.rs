//! Pictures of what a command finds. In: `--draw`, `--svg`, scenes. Out: drawings as lines, pictures in files.

use super::exit::Failure;
use super::files::write;
use super::output::Output;
use crate::grid::Geometry;
use crate::render::{Line, Scene, drawing, svg};
use clap::Args;
use std::path::{Path, PathBuf};

/// Where pictures go.
#[derive(Args, Clone, Debug, Default)]
pub struct PictureArg {
    /// Draw each step in the grid
    #[arg(long)]
    pub draw: bool,
    /// Write each step as a picture into this file; further ones into FILE-2 and so on
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// Draws one scene after another.
pub struct Pictures {
    draw: bool,
    svg: Option<PathBuf>,
    width: Option<usize>,
    written: usize,
}

impl Pictures {
    /// As the options say. `always`: whether a terminal shows the drawing without being asked.
    pub fn new(args: &PictureArg, always: bool, out: &Output) -> Pictures {
        let draw = args.draw || always && out.width().is_some();
        Pictures { draw, svg: args.svg.clone(), width: out.width(), written: 0 }
    }

    /// The drawing as lines, if it is wanted; the picture goes into its file.
    pub fn show(&mut self, geometry: &Geometry, scene: &Scene, caption: &[Line]) -> Result<Vec<Line>, Failure> {
        if let Some(first) = &self.svg {
            self.written += 1;
            write(&numbered(first, self.written), &svg(geometry, scene, caption))?;
        }
        Ok(if self.draw { drawing(geometry, scene, self.width) } else { Vec::new() })
    }
}

/// `step.svg`, `step-2.svg` …
fn numbered(path: &Path, number: usize) -> PathBuf {
    let Some(stem) = path.file_stem().filter(|_| number > 1) else { return path.to_path_buf() };
    let mut name = stem.to_os_string();
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}
