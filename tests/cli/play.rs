//! `pinion play` as a browser sees it: its own files, to this machine alone.

use super::{fresh_folder, write_file};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Server {
    process: Child,
    address: String,
}

impl Server {
    fn of(folder: &std::path::Path) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_pinion"))
            .args(["play", "--port", "0", "--folder"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let out = process.stdout.take().expect("it is piped");
        BufReader::new(out).read_line(&mut line).expect("it says where it is");
        let address = line.trim().trim_start_matches("The playground: http://").trim_end_matches('/').to_string();
        Server { process, address }
    }

    fn response(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.write_all(request.as_bytes()).expect("it reads");
        // Where it refuses what it has read so far, it may have gone already.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("it answers in text");
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_browser_of_this_machine_gets_the_files_and_nothing_else() {
    let folder = fresh_folder("play");
    write_file(&folder, "index.html", "<p>here</p>");
    write_file(&folder, "pinion.wasm", "engine");
    let server = Server::of(&folder);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let here = format!("Host: {}\r\n\r\n", server.address);
    let page = server.response(&format!("GET /?x HTTP/1.1\r\n{here}"));
    assert!(page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html") && page.ends_with("<p>here</p>"), "{page}");
    let two = server.response(&format!("GET /pinion.wasm HTTP/1.1\r\n{here}HEAD / HTTP/1.1\r\n{here}"));
    assert!(two.contains("application/wasm") && two.matches("200 OK").count() == 2, "{two}");
    for (request, status) in [
        (format!("GET /../Cargo.toml HTTP/1.1\r\n{here}"), "404"),
        (format!("GET /nothing HTTP/1.1\r\n{here}"), "404"),
        (format!("POST / HTTP/1.1\r\n{here}"), "405"),
        ("GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n".to_string(), "403"),
        ("nonsense\r\n\r\n".to_string(), "400"),
        (format!("GET /{} HTTP/1.1\r\n", "x".repeat(20_000)), "400"),
    ] {
        let answer = server.response(&request);
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{request:.60}: {answer}");
    }
}

#[test]
fn a_folder_without_a_page_is_no_playground() {
    let folder = fresh_folder("play_empty");
    let output = super::run(&["play", "--folder", &folder.display().to_string()]);
    assert_eq!(super::exit_code(&output), 3);
    assert!(super::transcript(&output).contains("has no index.html"), "{}", super::transcript(&output));
}

#[test]
fn a_connection_is_closed_if_the_browser_asks_for_it() {
    let folder = fresh_folder("play_close");
    write_file(&folder, "index.html", "<p>here</p>");
    let server = Server::of(&folder);
    let here = format!("Host: {}\r\n", server.address);
    for request in [
        format!("GET / HTTP/1.1\r\n{here}Connection: close\r\n\r\n"),
        format!("GET / HTTP/1.1\r\n{here}connection: x, Close\r\n\r\n"),
        format!("GET / HTTP/1.0\r\n{here}\r\n"),
    ] {
        let mut stream = TcpStream::connect(&server.address).expect("it listens");
        // Twice: only the first request is answered.
        stream.write_all(request.repeat(2).as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        // Closing with the second request unread may reset the connection.
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8(answer).expect("text");
        assert!(answer.contains("Connection: close\r\n"), "{request}: {answer}");
        assert_eq!(answer.matches("200 OK").count(), 1, "{request}: {answer}");
    }
}

/// The oldest silent connections are closed for new ones.
#[test]
fn silent_connections_hold_up_nobody() {
    let folder = fresh_folder("play_silent");
    write_file(&folder, "index.html", "<p>here</p>");
    let server = Server::of(&folder);
    let mut silent: Vec<TcpStream> =
        (0..120).map(|_| TcpStream::connect(&server.address).expect("it listens")).collect();
    for stream in &mut silent[..80] {
        // Half of a request; the connection may have been closed.
        let _ = stream.write_all(b"GET / HT");
    }
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    assert!(server.response(&request).ends_with("<p>here</p>"));
    // Without a close all of the first would stay open for ten seconds: one of them has ended, the last has not.
    let ended = |stream: &mut TcpStream| {
        stream.set_nonblocking(true).expect("a mode");
        !matches!(stream.read(&mut [0; 9]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    };
    assert!(ended(&mut silent[0]) && !ended(&mut silent[119]));
}

#[cfg(unix)]
#[test]
fn a_folder_gives_its_own_files_alone() {
    let folder = fresh_folder("play_links");
    write_file(&folder, "index.html", "<p>here</p>");
    write_file(&folder, "a b.txt", "with a blank");
    write_file(&folder, ".secret", "hidden");
    let other = super::fresh_folder("play_links_other");
    let secret = write_file(&other, "secret.txt", "elsewhere");
    std::os::unix::fs::symlink(secret, folder.join("link.txt")).expect("a link can be made");
    std::os::unix::fs::symlink(other, folder.join("up")).expect("a link can be made");
    let server = Server::of(&folder);
    let here = format!("Host: {}\r\n", server.address);
    for (path, status) in [
        ("/a%20b.txt", "200"),
        ("/%69ndex.html", "200"),
        ("/link.txt", "404"),
        ("/up/secret.txt", "404"),
        ("/.secret", "404"),
        ("/%2esecret", "404"),
        ("/%ff", "404"),
        ("/..%2findex.html", "404"),
    ] {
        let answer = server.response(&format!("GET {path} HTTP/1.1\r\n{here}\r\n"));
        assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {answer}");
    }
    let two = server.response(&format!("GET / HTTP/1.1\r\n{here}Host: evil.example\r\n\r\n"));
    assert!(two.starts_with("HTTP/1.1 400 "), "{two}");
}
