//! Tests of the real server over real connections, from the page and from attackers.

use std::io::{ErrorKind, Read, Write};
use std::net::TcpStream;
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use goren_engine::WeightSet;
use tempfile::TempDir;
use tokio::sync::oneshot;
use tungstenite::client::IntoClientRequest;
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};

use super::{Load, MAX_PAGES, Options, Server};
use crate::model::MAX_BYTES;
use crate::schema::Event;

/// A server on its own thread, which ends when this is dropped.
struct Running {
    address: String,
    load: Load,
    folder: TempDir,
    end: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

type Page = WebSocket<TcpStream>;

/// Time limit for anything that should happen at once.
const TIMEOUT: Duration = Duration::from_secs(20);

impl Running {
    fn start() -> Running {
        let folder = tempfile::tempdir().unwrap();
        let games = folder.path().join("games");
        std::fs::create_dir(&games).unwrap();
        std::fs::write(folder.path().join("secret.sgf"), "(;GM[4])").unwrap();
        let options = Options {
            port: Some(0),
            folder: Some(games),
            trees: None,
            threads: 1,
            seed: None,
            weights: WeightSet::default(),
            memory: 8 << 20,
        };
        let (sender, started) = mpsc::channel();
        let (end, ended) = oneshot::channel();
        let thread = thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread()
                .worker_threads(2)
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async {
                let server = Server::bind(&options).await.unwrap();
                sender.send((server.address(), server.load())).unwrap();
                let end = async { drop(ended.await) };
                server.serve(end).await.unwrap();
            });
            runtime.shutdown_timeout(Duration::from_secs(5));
        });
        let (address, load) = started.recv().unwrap();
        Running { address, load, folder, end: Some(end), thread: Some(thread) }
    }

    /// Returns `127.0.0.1` with the port.
    fn host(&self) -> &str {
        self.address.strip_prefix("http://").unwrap().split('/').next().unwrap()
    }

    fn port(&self) -> &str {
        self.host().split(':').nth(1).unwrap()
    }

    fn token(&self) -> &str {
        self.address.trim_end_matches('/').rsplit('/').next().unwrap()
    }

    /// Sends the head of a request as it is; returns the answer.
    fn raw(&self, head: &str) -> String {
        let mut stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        stream.write_all(head.as_bytes()).unwrap();
        let mut answer = Vec::new();
        match stream.read_to_end(&mut answer) {
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::ConnectionReset => {}
            Err(error) => panic!("{error}"),
        }
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// Returns the status of a plain request with these headers.
    fn status(&self, path: &str, headers: &[(&str, &str)]) -> u16 {
        let headers: String =
            headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let answer =
            self.raw(&format!("GET {path} HTTP/1.1\r\n{headers}Connection: close\r\n\r\n"));
        status_of(&answer)
    }

    /// Requests a socket as a page would, but with another path, origin or host.
    fn socket(
        &self,
        path: &str,
        origin: Option<&str>,
        host: &str,
    ) -> Result<Page, Box<tungstenite::Error>> {
        let stream = TcpStream::connect(self.host()).unwrap();
        stream.set_read_timeout(Some(TIMEOUT)).unwrap();
        let address = format!("ws://{}{path}", self.host());
        let mut request = address.into_client_request().unwrap();
        request.headers_mut().insert("host", host.parse().unwrap());
        if let Some(origin) = origin {
            request.headers_mut().insert("origin", origin.parse().unwrap());
        }
        let limits = WebSocketConfig::default().max_message_size(None).max_frame_size(None);
        match tungstenite::client::client_with_config(request, stream, Some(limits)) {
            Ok((socket, _)) => Ok(socket),
            Err(tungstenite::HandshakeError::Failure(error)) => Err(Box::new(error)),
            Err(error) => panic!("{error}"),
        }
    }

    fn page(&self) -> Page {
        let origin = format!("http://{}", self.host());
        self.socket(&format!("/{}/socket", self.token()), Some(&origin), self.host()).unwrap()
    }

    /// Waits until a condition holds.
    fn wait_until(&self, what: &str, holds: impl Fn(&Load) -> bool) {
        let start = Instant::now();
        while !holds(&self.load) {
            assert!(start.elapsed() < TIMEOUT, "{what}");
            thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        drop(self.end.take());
        let ended = self.thread.take().map(JoinHandle::join);
        if !thread::panicking() {
            ended.unwrap().unwrap();
        }
    }
}

fn status_of(answer: &str) -> u16 {
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

fn send_command(page: &mut Page, command: &str) {
    page.send(Message::text(command)).unwrap();
}

/// Waits for the next event that fits.
fn wait_for<T>(page: &mut Page, fits: impl Fn(&Event) -> Option<T>) -> T {
    loop {
        if let Message::Text(text) = page.read().unwrap()
            && let Some(found) = fits(&serde_json::from_str(text.as_str()).unwrap())
        {
            return found;
        }
    }
}

fn refusal(event: &Event) -> Option<String> {
    match event {
        Event::Refused { text } => Some(text.clone()),
        _ => None,
    }
}

fn stones(event: &Event) -> Option<usize> {
    match event {
        Event::Position(position) => Some(position.stones.len()),
        _ => None,
    }
}

const PEOPLE: &str = r#"{"do":"players","players":["person","person"]}"#;
const ANALYSE: &str = r#"{"do":"analyse","lines":2}"#;

#[test]
fn the_page_and_its_files_are_served_with_the_token() {
    let server = Running::start();
    let (host, token) = (server.host().to_owned(), server.token().to_owned());
    assert_eq!(token.len(), 32);
    let answer =
        server.raw(&format!("GET /{token}/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"));
    assert!(status_of(&answer) == 200 && answer.contains("<title>Goren</title>"));
    let lower = answer.to_lowercase();
    for header in [
        "content-type: text/html",
        "default-src 'none'; script-src 'self'",
        "frame-ancestors 'none'",
        "referrer-policy: no-referrer",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
        "cross-origin-embedder-policy: require-corp",
    ] {
        assert!(lower.contains(header), "{header}");
    }
    assert!(!lower.contains("access-control-allow"));
    let local = format!("localhost:{}", server.port());
    assert_eq!(server.status(&format!("/{token}/main.js"), &[("Host", &local)]), 200);
    assert_ne!(token, Running::start().token());
}

#[test]
fn requests_without_the_token_are_refused() {
    let server = Running::start();
    let (host, token) = (server.host().to_owned(), server.token().to_owned());
    // Only the last letter of the token is wrong.
    let digit = if token.ends_with('a') { 'b' } else { 'a' };
    let wrong = format!("/{}{digit}/", &token[..31]);
    for path in
        ["/", "/main.js", "/socket", "//", &wrong, &format!("/{token}"), &format!("/x/{token}/")]
    {
        assert!(matches!(server.status(path, &[("Host", &host)]), 400 | 404), "{path}");
    }
    let origin = format!("http://{host}");
    for path in ["/socket", &format!("{wrong}socket")] {
        assert!(server.socket(path, Some(&origin), &host).is_err(), "{path}");
    }
    assert_eq!(server.load.pages(), 0);
}

#[test]
fn foreign_host_names_are_refused() {
    let server = Running::start();
    let path = format!("/{}/", server.token());
    let port = server.port().to_owned();
    let other = format!("127.0.0.1:{}", port.parse::<u16>().unwrap() ^ 1);
    let evil = format!("evil.example:{port}");
    let suffix = format!("127.0.0.1:{port}.evil.example");
    let user = format!("127.0.0.1@evil.example:{port}");
    for host in ["evil.example", &evil, &other, &suffix, &user, "127.0.0.1", "localhost", ""] {
        assert_eq!(server.status(&path, &[("Host", host)]), 403, "{host}");
    }
    let own = server.host().to_owned();
    assert!(matches!(server.status(&path, &[("Host", &own), ("Host", &evil)]), 400 | 403));
    assert!(matches!(server.status(&path, &[]), 400 | 403));
    let origin = format!("http://{own}");
    assert!(server.socket(&format!("{path}socket"), Some(&origin), &evil).is_err());
    assert_eq!(server.load.pages(), 0);
}

#[test]
fn a_foreign_page_cannot_drive_the_engine() {
    let server = Running::start();
    let path = format!("/{}/socket", server.token());
    let (host, port) = (server.host().to_owned(), server.port().to_owned());
    let evil = format!("http://evil.example:{port}");
    let other_port = format!("http://127.0.0.1:{}", port.parse::<u16>().unwrap() ^ 1);
    let secure = format!("https://{host}");
    let longer = format!("http://{host}.evil.example");
    for origin in [
        Some("null"),
        Some("http://evil.example"),
        Some(&evil),
        Some(&other_port),
        Some(&secure),
        Some(&longer),
        Some("file://"),
        None,
    ] {
        assert!(server.socket(&path, origin, &host).is_err(), "{origin:?}");
    }
    let page = format!("/{}/", server.token());
    assert_eq!(server.status(&page, &[("Host", &host), ("Origin", &evil)]), 403);
    assert_eq!(server.load.pages(), 0);
    for method in ["POST", "PUT", "DELETE", "OPTIONS"] {
        let head = format!(
            "{method} {page} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
        );
        assert_eq!(status_of(&server.raw(&head)), 405, "{method}");
    }
}

#[test]
fn paths_to_other_files_are_refused() {
    let server = Running::start();
    let (host, token) = (server.host().to_owned(), server.token().to_owned());
    for path in [
        "../secret.sgf",
        "..%2fsecret.sgf",
        "%2e%2e/secret.sgf",
        "/etc/passwd",
        "games/../../secret.sgf",
        "index.html/../secret.sgf",
        "schema.d.ts",
        "main.js%00.sgf",
        "Main.js",
    ] {
        assert_ne!(server.status(&format!("/{token}/{path}"), &[("Host", &host)]), 200, "{path}");
    }
    let mut page = server.page();
    for name in ["../secret.sgf", "/etc/passwd", "..", "", "games/a.sgf", "a.sh", ".x.sgf"] {
        let open = serde_json::json!({"do": "open_file", "name": name}).to_string();
        send_command(&mut page, &open);
        wait_for(&mut page, refusal);
        let save = serde_json::json!({"do": "save_file", "name": name, "over": true}).to_string();
        send_command(&mut page, &save);
        wait_for(&mut page, refusal);
    }
    let secret = std::fs::read_to_string(server.folder.path().join("secret.sgf")).unwrap();
    assert_eq!(secret, "(;GM[4])");
}

#[test]
fn files_of_the_folder_are_written_and_read() {
    let server = Running::start();
    let mut page = server.page();
    send_command(&mut page, PEOPLE);
    for text in ["h8", "i9"] {
        send_command(&mut page, &format!(r#"{{"do":"play","text":"{text}"}}"#));
    }
    send_command(&mut page, r#"{"do":"save_file","name":"a.sgf","over":false}"#);
    wait_for(&mut page, |event| {
        matches!(event, Event::Message { text } if text == "Saved as a.sgf.").then_some(())
    });
    send_command(&mut page, r#"{"do":"save_file","name":"a.sgf","over":false}"#);
    assert_eq!(wait_for(&mut page, refusal), "a.sgf already exists.");
    let mut other = server.page();
    send_command(&mut other, r#"{"do":"files"}"#);
    let names = wait_for(&mut other, |event| match event {
        Event::Files { names } => Some(names.clone()),
        _ => None,
    });
    assert_eq!(names, ["a.sgf"]);
    send_command(&mut other, r#"{"do":"open_file","name":"a.sgf"}"#);
    assert_eq!(wait_for(&mut other, stones), 2);
}

#[test]
fn garbage_is_refused_and_the_position_stays() {
    let server = Running::start();
    let mut page = server.page();
    send_command(&mut page, PEOPLE);
    send_command(&mut page, r#"{"do":"play","text":"h8"}"#);
    assert_eq!(wait_for(&mut page, stones), 1);
    let deep = "[".repeat(100_000);
    for garbage in ["", "{", "\u{0}\u{ffff}", r#"{"do":"exec"}"#, "[[[[]]]]", &deep] {
        send_command(&mut page, garbage);
        let text = wait_for(&mut page, refusal);
        assert!(text.starts_with("This is not a command of the page"), "{text}");
    }
    page.send(Message::binary(vec![0, 159, 146, 150])).unwrap();
    assert_eq!(wait_for(&mut page, refusal), "Commands must be text.");
    send_command(&mut page, r#"{"do":"show"}"#);
    assert_eq!(wait_for(&mut page, stones), 1);
}

#[test]
fn an_oversized_message_ends_only_its_socket() {
    let server = Running::start();
    let mut other = server.page();
    let mut page = server.page();
    let large = format!(r#"{{"do":"play","text":"{}"}}"#, "x".repeat(MAX_BYTES));
    // Sending may fail, if the server closes the socket first.
    let _ = page.send(Message::text(large));
    let ended = loop {
        match page.read() {
            Ok(Message::Text(text)) => panic!("{text:.100}"),
            Ok(Message::Close(_)) | Err(_) => break true,
            Ok(_) => {}
        }
    };
    assert!(ended);
    server.wait_until("the page is gone", |load| load.pages() == 1);
    send_command(&mut other, r#"{"do":"show"}"#);
    assert_eq!(wait_for(&mut other, stones), 0);
}

#[test]
fn the_server_survives_malformed_requests_and_frames() {
    let server = Running::start();
    for bytes in ["\u{0}\u{1}\u{2}", "GET\r\n\r\n", &"x".repeat(1 << 20), "GET / HTTP/9.9\r\n\r\n"]
    {
        let mut stream = TcpStream::connect(server.host()).unwrap();
        let _ = stream.write_all(bytes.as_bytes());
    }
    // A socket with malformed frames.
    let mut page = server.page();
    page.get_mut().write_all(&[0xff; 64]).unwrap();
    server.wait_until("the page is gone", |load| load.pages() == 0);
    let mut page = server.page();
    send_command(&mut page, r#"{"do":"show"}"#);
    assert_eq!(wait_for(&mut page, stones), 0);
}

#[test]
fn a_closed_tab_stops_its_search() {
    let server = Running::start();
    let mut page = server.page();
    send_command(&mut page, PEOPLE);
    send_command(&mut page, r#"{"do":"play","text":"h8"}"#);
    send_command(&mut page, ANALYSE);
    wait_for(&mut page, |event| matches!(event, Event::Lines(_)).then_some(()));
    assert_eq!((server.load.pages(), server.load.searching()), (1, 1));
    // The connection breaks without a close frame.
    drop(page);
    server.wait_until("the search has ended", |load| load.searching() == 0 && load.pages() == 0);
    // The same after a close frame.
    let mut page = server.page();
    send_command(&mut page, ANALYSE);
    server.wait_until("it searches", |load| load.searching() == 1);
    page.close(None).unwrap();
    server.wait_until("the search has ended", |load| load.searching() == 0 && load.pages() == 0);
}

#[test]
fn commands_are_obeyed_while_the_engine_is_thinking() {
    let server = Running::start();
    let mut page = server.page();
    send_command(&mut page, PEOPLE);
    send_command(&mut page, ANALYSE);
    wait_for(&mut page, |event| matches!(event, Event::Lines(_)).then_some(()));
    let start = Instant::now();
    send_command(&mut page, r#"{"do":"play","text":"h8"}"#);
    assert_eq!(wait_for(&mut page, stones), 1);
    let latency = start.elapsed();
    // The specification demands 50 ms; a loaded machine gets more.
    assert!(latency < Duration::from_secs(2), "{latency:?}");
    send_command(&mut page, r#"{"do":"stop"}"#);
    server.wait_until("it has stopped", |load| load.searching() == 0);
}

#[test]
fn tabs_are_independent_and_limited() {
    let server = Running::start();
    let (mut one, mut two) = (server.page(), server.page());
    for page in [&mut one, &mut two] {
        send_command(page, PEOPLE);
    }
    send_command(&mut one, r#"{"do":"play","text":"h8"}"#);
    assert_eq!(wait_for(&mut one, stones), 1);
    send_command(&mut two, r#"{"do":"show"}"#);
    assert_eq!(wait_for(&mut two, stones), 0);
    let more: Vec<Page> = (2..MAX_PAGES).map(|_| server.page()).collect();
    let path = format!("/{}/socket", server.token());
    let origin = format!("http://{}", server.host());
    assert!(server.socket(&path, Some(&origin), server.host()).is_err());
    // A plain request gets the reason.
    let status = || server.status(&path, &[("Host", server.host())]);
    assert_eq!(status(), 503);
    drop(more);
    server.wait_until("they are gone", |load| load.pages() == 2);
    assert_eq!(status(), 400);
    drop(server.page());
}

#[test]
fn many_commands_leave_no_search_running() {
    let server = Running::start();
    let mut page = server.page();
    send_command(&mut page, PEOPLE);
    send_command(&mut page, ANALYSE);
    for _ in 0..150 {
        send_command(&mut page, r#"{"do":"play","text":"h8"}"#);
        send_command(&mut page, r#"{"do":"undo"}"#);
    }
    send_command(&mut page, r#"{"do":"analyse","lines":0}"#);
    send_command(&mut page, r#"{"do":"go","node":99}"#);
    wait_for(&mut page, refusal);
    server.wait_until("all have ended", |load| load.searching() == 0);
}

#[test]
fn the_error_names_a_port_that_is_taken() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port();
    let options = Options {
        port: Some(port),
        folder: None,
        trees: None,
        threads: 1,
        seed: None,
        weights: WeightSet::default(),
        memory: 1 << 20,
    };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let error = runtime.block_on(Server::bind(&options)).err().unwrap();
    assert_eq!(error.to_string(), format!("cannot listen on port {port}"));
}
