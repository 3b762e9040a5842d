//! `pinion play`: serves the playground to browsers of this machine, until it is interrupted.
//!
//! First come the options and the served files, then the connections. Only GET and HEAD requests to an address of this machine are answered.
//! If [`MAX_CONNECTIONS`] connections are open, the connection that has waited longest is closed.

use crate::cli::input::unreadable;
use crate::cli::pipe::spawn_with;
use crate::cli::prelude::*;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};

/// Serve the playground to browsers of this machine
#[derive(Args, Debug)]
#[command(after_help = "\
Example:
  pinion play
  pinion play --port 8000
  pinion play --folder web/dist

Open the printed address in a browser. Only this machine can reach the address, and the page asks for nothing but its own
files. A program that was built with `--features play` contains the page; any other program needs --folder.")]
pub struct PlayArgs {
    /// The port; 0 takes any free port
    #[arg(long, value_name = "N", default_value = "7466")]
    port: u16,
    /// Serve the files of a folder
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub fn run(args: &PlayArgs, _: &Global, out: &mut Output) -> Result<Exit, CommandError> {
    let files = match &args.folder {
        Some(folder) => Files::read(folder)?,
        None => Files::embedded().ok_or_else(|| {
            Failure::usage("this program was built without the playground")
                .help("`node web/build.mjs` builds it, and then `pinion play --folder web/dist` serves it")
        })?,
    };
    let bound = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port));
    let bound = bound.and_then(|listener| Ok((format!("http://{}/", listener.local_addr()?), listener)));
    let (address, listener) = bound.map_err(|error| {
        Failure::usage(format!("port {} cannot be used: {error}", args.port)).help("--port 0 takes one that is free")
    })?;
    out.answer(&address, || vec![Line::styled(Role::Success, "The playground: ").with(Role::Name, &address)])?;
    out.flush()?;
    serve(&listener, files)
}

// Defines `PAGE`: (name, bytes) of each file of the playground. Written by build.rs; empty without the feature `play`.
include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// The served files by name. Folders are not supported.
struct Files(BTreeMap<Cow<'static, str>, Cow<'static, [u8]>>);

impl Files {
    fn embedded() -> Option<Files> {
        if PAGE.is_empty() {
            return None;
        }
        let files = PAGE.iter().map(|(name, bytes)| (Cow::Borrowed(*name), Cow::Borrowed(*bytes)));
        Some(Files(files.collect()))
    }

    /// Reads the files of a folder, without links and hidden files.
    fn read(folder: &Path) -> Result<Files, Failure> {
        let files = visible_files(folder).map_err(|error| unreadable(&folder.display().to_string(), &error))?;
        if files.contains_key("index.html") {
            return Ok(Files(files));
        }
        let failure = Failure::input(format!("{} has no index.html", folder.display()));
        Err(failure.help("`node web/build.mjs` builds the playground in web/dist"))
    }

    /// Returns the content and the media type of the file that a URL path names.
    fn get(&self, url_path: &str) -> Option<(&[u8], &'static str)> {
        let path = url_path.split(['?', '#']).next()?.strip_prefix('/')?;
        let path = percent_decode_str(path).decode_utf8().ok()?;
        let name = if path.is_empty() { "index.html" } else { &path };
        Some((self.0.get(name)?, media_type(name)))
    }
}

/// Reads the files of a folder. Links are skipped, because they may lead out of the folder.
fn visible_files(folder: &Path) -> io::Result<BTreeMap<Cow<'static, str>, Cow<'static, [u8]>>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if !entry.file_type()?.is_file() {
            continue;
        }
        if let Ok(name) = entry.file_name().into_string()
            && !name.starts_with('.')
        {
            files.insert(name.into(), fs::read(entry.path())?.into());
        }
    }
    Ok(files)
}

fn media_type(name: &str) -> &'static str {
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

const MAX_HEAD: usize = 16 * 1024;
const MAX_FIELDS: usize = 64;
/// Maximum number of bytes that are read and ignored after a refusal.
const MAX_DRAINED: u64 = 1024 * 1024;
const TIME_LIMIT: Duration = Duration::from_secs(10);
const MAX_CONNECTIONS: usize = 64;
/// Pause after the system refuses a connection, or while too many connections are open.
const PAUSE: Duration = Duration::from_millis(20);

/// Accepts connections until the process ends, each in a thread of its own. If the system refuses a connection, the
/// connection that has waited longest is closed.
fn serve(listener: &TcpListener, files: Files) -> Result<Exit, CommandError> {
    let (files, connections) = (Arc::new(files), Arc::new(Connections::default()));
    loop {
        if connections.count.load(Ordering::Relaxed) >= MAX_CONNECTIONS {
            connections.close_oldest();
            thread::sleep(PAUSE);
            continue;
        }
        let Ok((stream, _)) = listener.accept() else {
            connections.close_oldest();
            thread::sleep(PAUSE);
            continue;
        };
        let thread_files = Arc::clone(&files);
        // Errors are ignored: the browser may have closed the connection.
        let refused = spawn_with(Connection::new(stream, &connections), move |mut connection| {
            let _ = connection.answer(&thread_files, usize::MAX);
        });
        if let Some(mut connection) = refused {
            // Only one request is answered, so that this thread can soon accept other connections.
            let _ = connection.answer(&files, 1);
        }
    }
}

#[derive(Default)]
struct Connections {
    count: AtomicUsize,
    /// Connections that wait for a request or for the rest of a request, the longest wait first.
    waiting: Mutex<VecDeque<Arc<TcpStream>>>,
}

impl Connections {
    /// Shuts down the connection that has waited longest. The thread of this connection then ends.
    fn close_oldest(&self) {
        if let Some(oldest) = lock(&self.waiting).pop_front() {
            // Errors are ignored: the browser may have closed the connection.
            let _ = oldest.shutdown(Shutdown::Both);
        }
    }

    fn begin_wait(&self, stream: &Arc<TcpStream>) {
        lock(&self.waiting).push_back(Arc::clone(stream));
    }

    fn end_wait(&self, stream: &Arc<TcpStream>) {
        lock(&self.waiting).retain(|other| !Arc::ptr_eq(other, stream));
    }
}

struct Connection {
    stream: Arc<TcpStream>,
    /// Time at which the present request must be answered.
    deadline: Instant,
    connections: Arc<Connections>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.connections.end_wait(&self.stream);
        self.connections.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Read for Connection {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.remaining_time()?)?;
        (&*self.stream).read(out)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.remaining_time()?)?;
        (&*self.stream).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.stream).flush()
    }
}

impl Connection {
    fn new(stream: TcpStream, connections: &Arc<Connections>) -> Connection {
        connections.count.fetch_add(1, Ordering::Relaxed);
        let stream = Arc::new(stream);
        connections.begin_wait(&stream);
        Connection { stream, deadline: Instant::now() + TIME_LIMIT, connections: Arc::clone(connections) }
    }

    /// Returns the time until the deadline. The result is never `None`, because a stream would take `None` for no limit.
    fn remaining_time(&self) -> io::Result<Option<Duration>> {
        let remaining = self.deadline.saturating_duration_since(Instant::now());
        if remaining.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(remaining)) }
    }

    fn answer(&mut self, files: &Files, max_requests: usize) -> io::Result<()> {
        self.stream.set_nodelay(true)?;
        let mut received = Vec::new();
        let mut answer_count = 0;
        loop {
            let mut fields = [httparse::EMPTY_HEADER; MAX_FIELDS];
            let mut request = httparse::Request::new(&mut fields);
            match request.parse(&received) {
                Ok(httparse::Status::Complete(length)) => {
                    self.connections.end_wait(&self.stream);
                    answer_count += 1;
                    let is_last = answer_count == max_requests || asks_to_close(&request);
                    self.respond(&request, files, is_last)?;
                    if is_last {
                        return Ok(());
                    }
                    received.drain(..length);
                    self.deadline = Instant::now() + TIME_LIMIT;
                    self.connections.begin_wait(&self.stream);
                    continue;
                }
                Ok(httparse::Status::Partial) if received.len() < MAX_HEAD => {}
                _ => return self.refuse("400 Bad Request"),
            }
            let mut chunk = [0; 4096];
            let length = self.read(&mut chunk)?;
            if length > 0 {
                received.extend_from_slice(&chunk[..length]);
            } else if received.is_empty() {
                return Ok(());
            } else {
                return self.refuse("400 Bad Request");
            }
        }
    }

    fn respond(&mut self, request: &httparse::Request<'_, '_>, files: &Files, is_last: bool) -> io::Result<()> {
        let mut hosts = values(request, "host");
        let host = hosts.next().unwrap_or_default();
        if hosts.next().is_some() {
            return self.refuse("400 Bad Request");
        }
        // Other host names are refused, so that no page can reach this server through a name that resolves to this machine (DNS rebinding).
        let name = host.split(|byte| *byte == b':').next().unwrap_or_default();
        if name != b"127.0.0.1" && name != b"localhost" {
            return self.refuse("403 Forbidden");
        }
        let has_body = match request.method {
            Some("GET") => true,
            Some("HEAD") => false,
            _ => return self.refuse("405 Method Not Allowed"),
        };
        let Some((bytes, media_type)) = files.get(request.path.unwrap_or_default()) else {
            return self.refuse("404 Not Found");
        };
        let length = bytes.len();
        let close = if is_last { "Connection: close\r\n" } else { "" };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
             {close}X-Content-Type-Options: nosniff\r\n\r\n"
        );
        self.write_all(head.as_bytes())?;
        self.write_all(if has_body { bytes } else { &[] })
    }

    /// Answers with an error and ends the connection.
    fn refuse(&mut self, status: &str) -> io::Result<()> {
        let length = status.len();
        let text = format!(
            "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{status}"
        );
        self.write_all(text.as_bytes())?;
        // Drain the request: closing with unread data would reset the connection before the browser reads the answer.
        self.stream.shutdown(Shutdown::Write)?;
        // The connection waits at the end of the queue.
        self.connections.end_wait(&self.stream);
        self.connections.begin_wait(&self.stream);
        io::copy(&mut self.take(MAX_DRAINED), &mut io::sink())?;
        Err(io::Error::other("refused"))
    }
}

fn values<'r>(request: &'r httparse::Request<'_, '_>, name: &'r str) -> impl Iterator<Item = &'r [u8]> {
    request.headers.iter().filter(move |field| field.name.eq_ignore_ascii_case(name)).map(|field| field.value)
}

/// Returns true if the browser sends no further request: `Connection: close`, or HTTP 1.0, which has one request for each connection.
fn asks_to_close(request: &httparse::Request<'_, '_>) -> bool {
    let mut options = values(request, "connection").flat_map(|value| value.split(|byte| *byte == b','));
    request.version == Some(0) || options.any(|option| option.trim_ascii().eq_ignore_ascii_case(b"close"))
}
