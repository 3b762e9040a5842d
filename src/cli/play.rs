//! `pinion play`. In: a port, perhaps a folder. Out: the playground at an address of this machine, until it is interrupted.
//!
//! First come the options and the served files, then the connections. A request is a GET or a HEAD for an address of this machine; anything
//! else is refused. At most [`MOST`] connections are open at a time. While there are that many, the one that has been silent for longest
//! is closed.

use crate::cli::input::unreadable;
use crate::cli::prelude::*;
use percent_encoding::percent_decode_str;
use std::borrow::Cow;
use std::collections::{BTreeMap, VecDeque};
use std::fs;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

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
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port));
    let bound = listener.and_then(|listener| Ok((listener.local_addr()?, listener)));
    let (address, listener) = bound.map_err(|error| {
        Failure::usage(format!("port {} cannot be used: {error}", args.port)).help("--port 0 takes one that is free")
    })?;
    let address = format!("http://{address}/");
    out.answer(&address, || vec![Line::styled(Role::Success, "The playground: ").with(Role::Name, &address)])?;
    out.flush()?;
    serve(&listener, files)
}

include!(concat!(env!("OUT_DIR"), "/page.rs"));

/// Files by name; none is in a folder of its own.
struct Files(BTreeMap<Cow<'static, str>, Cow<'static, [u8]>>);

impl Files {
    /// The files in the program, if it has any.
    fn embedded() -> Option<Files> {
        let all = PAGE.iter().map(|(name, bytes)| (Cow::Borrowed(*name), Cow::Borrowed(*bytes)));
        Some(Files(all.collect())).filter(|files| !files.0.is_empty())
    }

    /// The files of a folder, without links and hidden files.
    fn read(folder: &Path) -> Result<Files, Failure> {
        let files = visible_files(folder).map_err(|error| unreadable(&folder.display().to_string(), &error))?;
        if files.contains_key("index.html") {
            return Ok(Files(files));
        }
        let failure = Failure::input(format!("{} has no index.html", folder.display()));
        Err(failure.help("`node web/build.mjs` builds the playground in web/dist"))
    }

    /// The content of a path of the address, and its type.
    fn get(&self, path: &str) -> Option<(&[u8], &'static str)> {
        let path = path.split(['?', '#']).next()?.strip_prefix('/')?;
        let path = percent_decode_str(path).decode_utf8().ok()?;
        let name = if path.is_empty() { "index.html" } else { &path };
        Some((self.0.get(name)?, kind(name)))
    }
}

/// The files of a folder. A link may lead out of the folder, and a hidden file is not meant for a page.
fn visible_files(folder: &Path) -> io::Result<BTreeMap<Cow<'static, str>, Cow<'static, [u8]>>> {
    let mut all = BTreeMap::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let is_file = entry.file_type()?.is_file();
        let name = entry.file_name().into_string().ok().filter(|name| is_file && !name.starts_with('.'));
        if let Some(name) = name {
            all.insert(name.into(), fs::read(entry.path())?.into());
        }
    }
    Ok(all)
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

/// The most bytes of the head of a request.
const LONGEST: usize = 16 * 1024;
/// The most header fields of a request.
const FIELDS: usize = 64;
/// The most bytes that are read and dropped after a refusal.
const LEFT: u64 = 1024 * 1024;
/// Time for a whole request and its answer, however the bytes are spread over it.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most connections at a time.
const MOST: usize = 64;
/// Pause after the system refuses a connection, or while there are too many.
const PAUSE: Duration = Duration::from_millis(20);

/// Answers until the process ends. If the system refuses descriptors, the longest silent connection is closed; if it refuses a thread,
/// the connection is answered here, one request of it.
fn serve(listener: &TcpListener, files: Files) -> Result<Exit, Stop> {
    let (files, open) = (Arc::new(files), Arc::new(Connections::default()));
    loop {
        if open.count.load(Ordering::Relaxed) >= MOST {
            open.close_oldest();
            thread::sleep(PAUSE);
            continue;
        }
        let Ok((stream, _)) = listener.accept() else {
            open.close_oldest();
            thread::sleep(PAUSE);
            continue;
        };
        let connection = Arc::new(Mutex::new(Some(Connection::new(stream, &open))));
        let (of_thread, files_of_thread) = (Arc::clone(&connection), Arc::clone(&files));
        let started = thread::Builder::new().spawn(move || answer_taken(&of_thread, &files_of_thread, false));
        if started.is_err() {
            answer_taken(&connection, &files, true);
        }
    }
}

/// The open connections.
#[derive(Default)]
struct Connections {
    count: AtomicUsize,
    /// Connections that wait for a request or the rest of one, in the order in which they began to wait.
    waiting: Mutex<VecDeque<Arc<TcpStream>>>,
}

impl Connections {
    /// Ends the wait of the connection that has waited for longest; its thread then closes it.
    fn close_oldest(&self) {
        if let Some(oldest) = locked(&self.waiting).pop_front() {
            // The browser may have closed it before.
            let _ = oldest.shutdown(Shutdown::Both);
        }
    }

    fn begin_wait(&self, stream: &Arc<TcpStream>) {
        locked(&self.waiting).push_back(Arc::clone(stream));
    }

    fn end_wait(&self, stream: &Arc<TcpStream>) {
        locked(&self.waiting).retain(|other| !Arc::ptr_eq(other, stream));
    }
}

fn answer_taken(connection: &Mutex<Option<Connection>>, files: &Files, once: bool) {
    let connection = locked(connection).take();
    if let Some(mut connection) = connection {
        // A browser that goes away is no failure.
        let _ = connection.answer(files, once);
    }
}

/// A connection with the time at which patience ends.
struct Connection {
    stream: Arc<TcpStream>,
    until: Instant,
    open: Arc<Connections>,
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.open.end_wait(&self.stream);
        self.open.count.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Read for Connection {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.time_left()?)?;
        (&*self.stream).read(to)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.time_left()?)?;
        (&*self.stream).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        (&*self.stream).flush()
    }
}

impl Connection {
    fn new(stream: TcpStream, open: &Arc<Connections>) -> Connection {
        open.count.fetch_add(1, Ordering::Relaxed);
        let stream = Arc::new(stream);
        open.begin_wait(&stream);
        Connection { stream, until: Instant::now() + PATIENCE, open: Arc::clone(open) }
    }

    fn time_left(&self) -> io::Result<Option<Duration>> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }

    /// Answers the requests of the connection, or the first one only.
    fn answer(&mut self, files: &Files, once: bool) -> io::Result<()> {
        self.stream.set_nodelay(true)?;
        let mut received = Vec::new();
        loop {
            let mut fields = [httparse::EMPTY_HEADER; FIELDS];
            let mut request = httparse::Request::new(&mut fields);
            match request.parse(&received) {
                Ok(httparse::Status::Complete(length)) => {
                    self.open.end_wait(&self.stream);
                    let is_last = once || asks_to_close(&request);
                    self.respond(&request, files, is_last)?;
                    if is_last {
                        return Ok(());
                    }
                    received.drain(..length);
                    self.until = Instant::now() + PATIENCE;
                    self.open.begin_wait(&self.stream);
                    continue;
                }
                Ok(httparse::Status::Partial) if received.len() < LONGEST => {}
                _ => return self.refuse("400 Bad Request"),
            }
            let mut more = [0; 4096];
            let read = self.read(&mut more)?;
            match (read, received.is_empty()) {
                (0, true) => return Ok(()),
                (0, false) => return self.refuse("400 Bad Request"),
                _ => received.extend_from_slice(&more[..read]),
            }
        }
    }

    fn respond(&mut self, request: &httparse::Request<'_, '_>, files: &Files, is_last: bool) -> io::Result<()> {
        let mut hosts = values(request, "host");
        let host = hosts.next().unwrap_or_default();
        if hosts.next().is_some() {
            return self.refuse("400 Bad Request");
        }
        // A page elsewhere that has its name lead here is not answered.
        let name = host.split(|byte| *byte == b':').next().unwrap_or_default();
        if name != b"127.0.0.1" && name != b"localhost" {
            return self.refuse("403 Forbidden");
        }
        let has_body = match request.method {
            Some("GET") => true,
            Some("HEAD") => false,
            _ => return self.refuse("405 Method Not Allowed"),
        };
        let Some((bytes, kind)) = files.get(request.path.unwrap_or_default()) else {
            return self.refuse("404 Not Found");
        };
        let length = bytes.len();
        let close = if is_last { "Connection: close\r\n" } else { "" };
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
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
        self.open.end_wait(&self.stream);
        self.open.begin_wait(&self.stream);
        io::copy(&mut self.take(LEFT), &mut io::sink())?;
        Err(io::Error::other("refused"))
    }
}

/// The values of a header field, in order.
fn values<'r>(request: &'r httparse::Request<'_, '_>, name: &'r str) -> impl Iterator<Item = &'r [u8]> {
    request.headers.iter().filter(move |field| field.name.eq_ignore_ascii_case(name)).map(|field| field.value)
}

/// Returns true if the browser sends no further request: it says so, or its version of HTTP has one request for each connection.
fn asks_to_close(request: &httparse::Request<'_, '_>) -> bool {
    let mut options = values(request, "connection").flat_map(|value| value.split(|byte| *byte == b','));
    request.version == Some(0) || options.any(|option| option.trim_ascii().eq_ignore_ascii_case(b"close"))
}
