//! `pinion play`. In: a port, perhaps a folder. Out: the playground at an address of this machine, until it is interrupted.
//!
//! Options and served files are in this file, connections in `serve.rs`.

mod serve;

use crate::cli::prelude::*;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fs;
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

/// Serve the playground to browsers of this machine
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion play
  pinion play --port 8000
  pinion play --folder web/dist

Open the address that it prints in a browser. Only this machine can reach it, and the page asks for nothing but its own files.
The page is in programs that were built with `--features play`; others take it from a folder.")]
pub struct PlayArgs {
    /// The port; 0 is any that is free
    #[arg(long, value_name = "N", default_value = "7466")]
    port: u16,
    /// Serve the files of a folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

/// Serves.
pub fn run(args: &PlayArgs, _: &Global, out: &mut Output) -> Result<Exit, Stop> {
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
    out.answer(&address, || vec![Line::of(Role::Good, "The playground: ").and(Role::Name, &address)])?;
    out.flush()?;
    serve::serve(&listener, files)
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Files by name; none is in a folder of its own.
pub struct Files(BTreeMap<Cow<'static, str>, Cow<'static, [u8]>>);

impl Files {
    /// The files in the program, if it has any.
    pub fn embedded() -> Option<Files> {
        let all = PAGE.iter().map(|(name, bytes)| (Cow::Borrowed(*name), Cow::Borrowed(*bytes)));
        Some(Files(all.collect())).filter(|files| !files.0.is_empty())
    }

    /// The files of a folder, without links and hidden files.
    pub fn read(folder: &Path) -> Result<Files, Failure> {
        let place = folder.display();
        let unreadable = |error: std::io::Error| Failure::input(format!("{place} cannot be read: {error}"));
        let mut all = BTreeMap::new();
        for entry in fs::read_dir(folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            // A link may lead out of the folder, and a hidden file is not meant for a page.
            let is_file = entry.file_type().map_err(unreadable)?.is_file();
            let name = entry.file_name().into_string().ok().filter(|name| is_file && !name.starts_with('.'));
            if let Some(name) = name {
                all.insert(name.into(), fs::read(entry.path()).map_err(unreadable)?.into());
            }
        }
        if all.contains_key("index.html") {
            return Ok(Files(all));
        }
        let failure = Failure::input(format!("{place} has no index.html"));
        Err(failure.help("`node web/build.mjs` builds the playground in web/dist"))
    }

    /// The content of a path of the address, and its type.
    pub fn get(&self, path: &str) -> Option<(&[u8], &'static str)> {
        let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
        let path = percent_decode_str(path).decode_utf8().ok()?;
        let name = if path.is_empty() { "index.html" } else { &path };
        Some((self.0.get(name)?, kind(name)))
    }
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, extension)| extension) {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "svg" => "image/svg+xml",
        "webmanifest" => "application/manifest+json",
        _ => "text/plain; charset=utf-8",
    }
}
