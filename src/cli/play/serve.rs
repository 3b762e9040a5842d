//! A server of files for browsers of this machine. In: connections. Out: a file for each request. A request is a GET or a HEAD for
//! an address of this machine; anything else is refused.

use super::files::Files;
use crate::cli::exit::{Exit, Stop};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Limits of a request: bytes and fields.
const LONGEST: usize = 16 * 1024;
const FIELDS: usize = 64;
/// The most bytes that are taken after a refusal.
const LEFT: u64 = 1024 * 1024;
/// Time for a whole request and its answer, however the bytes are spread over it.
const PATIENCE: Duration = Duration::from_secs(10);
/// The most connections at a time; further ones wait until one of these ends.
const MOST: usize = 64;
/// Pause after the system refuses a connection, or while there are too many.
const PAUSE: Duration = Duration::from_millis(20);

/// Answers until the process ends. If the system refuses descriptors it waits for connections to end; if it refuses a thread, the
/// connection is answered here, one request of it.
pub fn serve(listener: &TcpListener, files: Files) -> Result<Exit, Stop> {
    let (files, open) = (Arc::new(files), Arc::new(AtomicUsize::new(0)));
    loop {
        if open.load(Ordering::Relaxed) >= MOST {
            thread::sleep(PAUSE);
            continue;
        }
        let Ok((stream, _)) = listener.accept() else {
            thread::sleep(PAUSE);
            continue;
        };
        let stream = Arc::new(Mutex::new(Some(stream)));
        let (own, files_of_thread, place) = (Arc::clone(&stream), Arc::clone(&files), Place::taken(&open));
        let started = thread::Builder::new().spawn(move || {
            let _place = place;
            answer_taken(&own, &files_of_thread, false);
        });
        if started.is_err() {
            answer_taken(&stream, &files, true);
        }
    }
}

/// One of the connections that may be open at a time.
struct Place(Arc<AtomicUsize>);

impl Place {
    fn taken(open: &Arc<AtomicUsize>) -> Place {
        open.fetch_add(1, Ordering::Relaxed);
        Place(Arc::clone(open))
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn answer_taken(stream: &Mutex<Option<TcpStream>>, files: &Files, once: bool) {
    let stream = stream.lock().unwrap_or_else(PoisonError::into_inner).take();
    if let Some(stream) = stream {
        // A browser that goes away is nothing to speak of.
        let _ = answer(Connection { stream, until: Instant::now() + PATIENCE }, files, once);
    }
}

/// A connection with the time at which patience ends.
struct Connection {
    stream: TcpStream,
    until: Instant,
}

impl Connection {
    fn time_left(&self) -> io::Result<Option<Duration>> {
        let left = self.until.saturating_duration_since(Instant::now());
        if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(Some(left)) }
    }
}

impl Read for Connection {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.time_left()?)?;
        self.stream.read(to)
    }
}

impl Write for Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.time_left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Answers the requests of a connection, or the first one only.
fn answer(mut connection: Connection, files: &Files, once: bool) -> io::Result<()> {
    connection.stream.set_nodelay(true)?;
    let mut waiting = Vec::new();
    loop {
        let mut fields = [httparse::EMPTY_HEADER; FIELDS];
        let mut request = httparse::Request::new(&mut fields);
        match request.parse(&waiting) {
            Ok(httparse::Status::Complete(length)) => {
                respond(&mut connection, &request, files, once)?;
                if once {
                    return Ok(());
                }
                waiting.drain(..length);
                connection.until = Instant::now() + PATIENCE;
                continue;
            }
            Ok(httparse::Status::Partial) if waiting.len() < LONGEST => {}
            _ => return refuse(&mut connection, "400 Bad Request"),
        }
        let mut more = [0; 4096];
        let read = connection.read(&mut more)?;
        match (read, waiting.is_empty()) {
            (0, true) => return Ok(()),
            (0, false) => return refuse(&mut connection, "400 Bad Request"),
            _ => waiting.extend_from_slice(&more[..read]),
        }
    }
}

fn respond(
    connection: &mut Connection,
    request: &httparse::Request<'_, '_>,
    files: &Files,
    is_last: bool,
) -> io::Result<()> {
    let field = |name: &str| request.headers.iter().find(|field| field.name.eq_ignore_ascii_case(name));
    let host = field("host").map_or(&b""[..], |field| field.value);
    // A page elsewhere that has its name lead here is not answered.
    let name = host.split(|byte| *byte == b':').next().unwrap_or_default();
    if name != b"127.0.0.1" && name != b"localhost" {
        return refuse(connection, "403 Forbidden");
    }
    let whole = match request.method {
        Some("GET") => true,
        Some("HEAD") => false,
        _ => return refuse(connection, "405 Method Not Allowed"),
    };
    let Some((bytes, kind)) = files.get(request.path.unwrap_or_default()) else {
        return refuse(connection, "404 Not Found");
    };
    let length = bytes.len();
    let close = if is_last { "Connection: close\r\n" } else { "" };
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
         {close}X-Content-Type-Options: nosniff\r\n\r\n"
    );
    connection.write_all(head.as_bytes())?;
    connection.write_all(if whole { bytes } else { &[] })
}

/// Says why not, and that this is the end.
fn refuse(connection: &mut Connection, status: &str) -> io::Result<()> {
    let length = status.len();
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{status}"
    );
    connection.write_all(text.as_bytes())?;
    // What is still on its way is taken: otherwise the system ends the connection before the answer is read.
    connection.stream.shutdown(Shutdown::Write)?;
    io::copy(&mut connection.take(LEFT), &mut io::sink())?;
    Err(io::Error::other("refused"))
}
