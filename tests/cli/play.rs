//! `pinion play` as a browser sees it: it serves only the files of one folder, and only to this machine.

use super::{assert_output, fresh_folder, run, write_file};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

struct Server {
    process: Child,
    /// Host and port: `127.0.0.1:40123`.
    address: String,
}

impl Server {
    fn start(folder: &std::path::Path) -> Server {
        let mut process = Command::new(env!("CARGO_BIN_EXE_pinion"))
            .args(["play", "--port", "0", "--folder"])
            .arg(folder)
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("piped");
        BufReader::new(output).read_line(&mut line).expect("the server prints its address");
        let address = line.trim().trim_start_matches("The playground: http://").trim_end_matches('/').to_string();
        Server { process, address }
    }

    /// Everything that the server sends back on a new connection.
    fn response(&self, request: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("the server listens");
        stream.write_all(request.as_bytes()).expect("the command reads");
        // The server may already have closed the connection, if it refuses the request.
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut response = String::new();
        stream.read_to_string(&mut response).expect("a response in text");
        response
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
fn a_browser_of_this_machine_gets_the_files_of_the_folder() {
    let folder = fresh_folder("play");
    write_file(&folder, "index.html", "<p>here</p>");
    write_file(&folder, "pinion.wasm", "engine");
    let server = Server::start(&folder);
    assert!(server.address.starts_with("127.0.0.1:"), "{}", server.address);
    let host_header = format!("Host: {}\r\n\r\n", server.address);
    let page = server.response(&format!("GET /?x HTTP/1.1\r\n{host_header}"));
    assert!(page.starts_with("HTTP/1.1 200 OK\r\nContent-Type: text/html") && page.ends_with("<p>here</p>"), "{page}");
    let two_responses =
        server.response(&format!("GET /pinion.wasm HTTP/1.1\r\n{host_header}HEAD / HTTP/1.1\r\n{host_header}"));
    assert!(
        two_responses.contains("application/wasm") && two_responses.matches("200 OK").count() == 2,
        "{two_responses}"
    );
    for (request, status) in [
        (format!("GET /../Cargo.toml HTTP/1.1\r\n{host_header}"), "404"),
        (format!("GET /nothing HTTP/1.1\r\n{host_header}"), "404"),
        (format!("POST / HTTP/1.1\r\n{host_header}"), "405"),
        ("GET / HTTP/1.1\r\nHost: elsewhere.example\r\n\r\n".to_string(), "403"),
        ("nonsense\r\n\r\n".to_string(), "400"),
        (format!("GET /{} HTTP/1.1\r\n", "x".repeat(20_000)), "400"),
    ] {
        let response = server.response(&request);
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{request:.60}: {response}");
    }
}

#[test]
fn a_folder_without_index_html_is_refused() {
    let folder = fresh_folder("play_empty");
    let output = run(&["play", "--folder", &folder.display().to_string()]);
    assert_output(&output, 3, "has no index.html");
}

#[test]
fn a_connection_is_closed_if_the_browser_asks_for_it() {
    let folder = fresh_folder("play_close");
    write_file(&folder, "index.html", "<p>here</p>");
    let server = Server::start(&folder);
    let host_header = format!("Host: {}\r\n", server.address);
    for request in [
        format!("GET / HTTP/1.1\r\n{host_header}Connection: close\r\n\r\n"),
        format!("GET / HTTP/1.1\r\n{host_header}connection: x, Close\r\n\r\n"),
        format!("GET / HTTP/1.0\r\n{host_header}\r\n"),
    ] {
        let mut stream = TcpStream::connect(&server.address).expect("the server listens");
        // The request is sent twice, but only the first one is answered.
        stream.write_all(request.repeat(2).as_bytes()).expect("the command reads");
        let mut response = Vec::new();
        // Closing with the second request unread may reset the connection.
        let _ = stream.read_to_end(&mut response);
        let response = String::from_utf8(response).expect("text");
        assert!(response.contains("Connection: close\r\n"), "{request}: {response}");
        assert_eq!(response.matches("200 OK").count(), 1, "{request}: {response}");
    }
}

#[test]
fn the_oldest_silent_connections_are_closed_for_new_ones() {
    let folder = fresh_folder("play_silent");
    write_file(&folder, "index.html", "<p>here</p>");
    let server = Server::start(&folder);
    let mut silent_connections: Vec<TcpStream> =
        (0..120).map(|_| TcpStream::connect(&server.address).expect("the server listens")).collect();
    for stream in &mut silent_connections[..80] {
        // The connection may already have been closed.
        let _ = stream.write_all(b"GET / HT");
    }
    let request = format!("GET / HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
    assert!(server.response(&request).ends_with("<p>here</p>"));
    // A silent connection is kept for ten seconds. The first one is closed earlier, the last one is still open.
    let is_closed = |stream: &mut TcpStream| {
        stream.set_nonblocking(true).expect("a mode");
        !matches!(stream.read(&mut [0; 9]), Err(error) if error.kind() == std::io::ErrorKind::WouldBlock)
    };
    assert!(is_closed(&mut silent_connections[0]) && !is_closed(&mut silent_connections[119]));
}

#[cfg(unix)]
#[test]
fn links_hidden_files_and_paths_out_of_the_folder_are_refused() {
    let folder = fresh_folder("play_links");
    write_file(&folder, "index.html", "<p>here</p>");
    write_file(&folder, "a b.txt", "with a blank");
    write_file(&folder, ".secret", "hidden");
    let other_folder = fresh_folder("play_links_other");
    let secret = write_file(&other_folder, "secret.txt", "elsewhere");
    std::os::unix::fs::symlink(secret, folder.join("link.txt")).expect("a link can be made");
    std::os::unix::fs::symlink(other_folder, folder.join("up")).expect("a link can be made");
    let server = Server::start(&folder);
    let host_header = format!("Host: {}\r\n", server.address);
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
        let response = server.response(&format!("GET {path} HTTP/1.1\r\n{host_header}\r\n"));
        assert!(response.starts_with(&format!("HTTP/1.1 {status} ")), "{path}: {response}");
    }
    let with_two_hosts = server.response(&format!("GET / HTTP/1.1\r\n{host_header}Host: evil.example\r\n\r\n"));
    assert!(with_two_hosts.starts_with("HTTP/1.1 400 "), "{with_two_hosts}");
}
