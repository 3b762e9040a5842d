//! A server of files for browsers of this machine. In: connections. Out: a file for each request. A request is a GET or a HEAD for
//! an address of this machine; anything else is refused.
//!
//! At most [`MOST`] connections are open at a time. While there are that many, the one that has been silent for longest is closed.

use crate::cli::play::Files;
use crate::cli::prelude::*;
use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

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
pub fn serve(listener: &TcpListener, files: Files) -> Result<Exit, Stop> {
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
        if let Some(oldest) = self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop_front() {
            // The browser may have closed it before.
            let _ = oldest.shutdown(Shutdown::Both);
        }
    }

    fn begin_wait(&self, stream: &Arc<TcpStream>) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push_back(Arc::clone(stream));
    }

    fn end_wait(&self, stream: &Arc<TcpStream>) {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).retain(|other| !Arc::ptr_eq(other, stream));
    }
}

fn answer_taken(connection: &Mutex<Option<Connection>>, files: &Files, once: bool) {
    let connection = connection.lock().unwrap_or_else(PoisonError::into_inner).take();
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
