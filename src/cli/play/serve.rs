//! A server of files for browsers of this machine. In: connections. Out: a file for each request. A request is a GET or a HEAD for
//! an address of this machine; anything else is refused.

use super::files::Files;
use crate::cli::exit::{Exit, Stop};
use std::io::{self, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// What a request may take: bytes, fields, and time on a connection.
const LONGEST: usize = 16 * 1024;
const FIELDS: usize = 64;
/// The most bytes that are taken after a refusal.
const LEFT: u64 = 1024 * 1024;
const PATIENCE: Duration = Duration::from_secs(10);

/// Answers until the process ends.
pub fn serve(listener: &TcpListener, files: Files) -> Result<Exit, Stop> {
    let files = Arc::new(files);
    for connection in listener.incoming() {
        let (Ok(connection), files) = (connection, Arc::clone(&files)) else { continue };
        // A browser that goes away is nothing to speak of.
        thread::spawn(move || drop(answer(connection, &files)));
    }
    Ok(Exit::Done)
}

/// One connection, request by request.
fn answer(mut connection: TcpStream, files: &Files) -> io::Result<()> {
    connection.set_read_timeout(Some(PATIENCE))?;
    connection.set_write_timeout(Some(PATIENCE))?;
    connection.set_nodelay(true)?;
    let mut waiting = Vec::new();
    loop {
        let mut fields = [httparse::EMPTY_HEADER; FIELDS];
        let mut request = httparse::Request::new(&mut fields);
        match request.parse(&waiting) {
            Ok(httparse::Status::Complete(length)) => {
                respond(&mut connection, &request, files)?;
                waiting.drain(..length);
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

fn respond(connection: &mut TcpStream, request: &httparse::Request<'_, '_>, files: &Files) -> io::Result<()> {
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
    let head = format!(
        "HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nCache-Control: no-cache\r\n\
         X-Content-Type-Options: nosniff\r\n\r\n"
    );
    connection.write_all(head.as_bytes())?;
    connection.write_all(if whole { bytes } else { &[] })
}

/// Says why not, and that this is the end.
fn refuse(connection: &mut TcpStream, status: &str) -> io::Result<()> {
    let length = status.len();
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{status}"
    );
    connection.write_all(text.as_bytes())?;
    // What is still on its way is taken: otherwise the system ends the connection before the answer is read.
    connection.shutdown(Shutdown::Write)?;
    io::copy(&mut connection.take(LEFT), &mut io::sink())?;
    Err(io::Error::other("refused"))
}
