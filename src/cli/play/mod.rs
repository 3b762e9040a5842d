//! `pinion play`. In: a port, perhaps a folder. Out: the playground at an address of this machine, until it is interrupted.

mod files;
mod serve;

use super::exit::{Exit, Failure, Stop};
use super::output::Output;
use crate::render::{Line, Role};
use clap::Args;
use files::Files;
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;

/// Examples and more, below the options.
pub const AFTER: &str = "\
Example:
  pinion play
  pinion play --port 8000
  pinion play --folder web/dist

Open the address that it prints in a browser. Only this machine can reach it, and the page asks for nothing but its own files.
The page is in programs that were built with `--features play`; others take it from a folder.";

/// Options.
#[derive(Args, Debug)]
pub struct PlayArgs {
    /// The port; 0 is any that is free
    #[arg(long, value_name = "N", default_value = "7466")]
    port: u16,
    /// Serve the files of a folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Serves.
pub fn run(args: &PlayArgs, out: &mut Output) -> Result<Exit, Stop> {
    let files = match &args.folder {
        Some(folder) => Files::read(folder)?,
        None => Files::embedded().ok_or_else(|| {
            Failure::usage("this program was built without the playground")
                .help("`node web/build.mjs` builds it, and then `pinion play --folder web/dist` serves it")
        })?,
    };
    let refused = |error: std::io::Error| {
        Failure::usage(format!("port {} cannot be used: {error}", args.port)).help("--port 0 takes one that is free")
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port)).map_err(refused)?;
    let address = format!("http://{}/", listener.local_addr().map_err(refused)?);
    if out.is_text() {
        out.lines(&[Line::of(Role::Good, "The playground: ").and(Role::Name, address)])?;
    } else {
        out.value(&address)?;
    }
    out.flush()?;
    serve::serve(&listener, files)
}
