//! Serves dist/ to this computer only: fixed set of files, read once, so no path of a request reaches the disk.

use crate::compress::{files_below, with_suffix};
use crate::proc::{self, Outcome};
use crate::{page, policy_header};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// First port tried when the user names none; the next ones follow when it is taken.
const PORT: u16 = 8080;
/// Ports tried in all.
const PORTS_TRIED: u16 = 20;
/// Longest request head; a browser's is about a kilobyte.
const HEAD_MAX: usize = 16 * 1024;
/// A connection that says nothing for this long is closed.
const PATIENCE: Duration = Duration::from_secs(10);

/// One file with its compressed copies.
struct Page {
    mime: &'static str,
    /// A name with trunk's hash never changes its content.
    immutable: bool,
    etag: String,
    plain: Vec<u8>,
    brotli: Option<Vec<u8>>,
    gzip: Option<Vec<u8>>,
}

/// All answers, by path.
struct Site {
    pages: BTreeMap<String, Page>,
    security: String,
}

/// A server at work; ends when dropped.
pub struct Running {
    /// Address to open, with the slash at its end.
    pub address: String,
    port: u16,
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

/// What of a request matters here.
#[derive(Default)]
struct Request {
    method: String,
    path: String,
    accept_encoding: String,
    if_none_match: String,
}

/// `cargo xtask serve`.
pub fn command(options: &[&str]) -> Outcome<()> {
    let start = Instant::now();
    let options = parse(options)?;
    page::build()?;
    let running = match options.port {
        Some(port) => start_at(port)?,
        None => start_at_first_free()?,
    };
    println!("\u{25b8} ready in {}\n\n    {}\n\nCtrl+C ends it.", proc::seconds(start.elapsed()), running.address);
    if options.open {
        open_browser(&running.address);
    }
    running.wait();
    Ok(())
}

#[derive(Debug, PartialEq, Eq)]
struct Options {
    port: Option<u16>,
    open: bool,
}

fn parse(words: &[&str]) -> Outcome<Options> {
    let mut options = Options { port: None, open: false };
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match *word {
            "--open" => options.open = true,
            "--port" => {
                let number = words.next().ok_or("--port needs a number after it")?;
                options.port = Some(number.parse().map_err(|_| format!("--port {number}: not in 0..=65535"))?);
            }
            other => return Err(format!("serve knows --port N and --open, not `{other}`")),
        }
    }
    Ok(options)
}

fn open_browser(address: &str) {
    let opener = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
    if proc::run(proc::command(opener).arg(address), opener).is_err() {
        println!("No browser could be started; please open the address yourself.");
    }
}

fn start_at_first_free() -> Outcome<Running> {
    let free = (PORT..PORT + PORTS_TRIED).find_map(|port| start_at(port).ok());
    free.ok_or_else(|| format!("ports {PORT} to {} are all taken; choose one with --port", PORT + PORTS_TRIED - 1))
}

/// Serves dist/ at `port` (0: any free one).
pub fn start_at(port: u16) -> Outcome<Running> {
    start(port, &page::dist(), &[])
}

/// The same for any folder, with further files at given paths (tests add theirs).
pub fn start(port: u16, folder: &Path, further: &[(&str, &Path)]) -> Outcome<Running> {
    let site = Arc::new(Site::read(folder, further)?);
    let taken = |error| format!("port {port} cannot be used: {error}");
    let listener = TcpListener::bind(("127.0.0.1", port)).map_err(taken)?;
    let port = listener.local_addr().map_err(taken)?.port();
    let stop = Arc::new(AtomicBool::new(false));
    let stopped = Arc::clone(&stop);
    let thread = std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            if stopped.load(Ordering::Relaxed) {
                return;
            }
            // A thread and a connection per request: a browser opens six at once, and none waits for another's end.
            let site = Arc::clone(&site);
            std::thread::spawn(move || site.serve(stream));
        }
    });
    Ok(Running { address: format!("http://127.0.0.1:{port}/"), port, stop, thread: Some(thread) })
}

impl Running {
    fn wait(mut self) {
        if let Some(thread) = self.thread.take() {
            // A thread that panicked has printed why.
            let _ = thread.join();
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // Wakes the listener so that it sees the flag.
        let _ = TcpStream::connect(("127.0.0.1", self.port));
    }
}

impl Request {
    /// Reads one request head; `None` if it is none, or too long.
    fn read(stream: &mut TcpStream) -> Option<Request> {
        let mut head = Vec::new();
        let mut part = [0; 2048];
        loop {
            let mut fields = [httparse::EMPTY_HEADER; 64];
            let mut parsed = httparse::Request::new(&mut fields);
            if parsed.parse(&head).ok()?.is_complete() {
                let mut request = Request {
                    method: parsed.method?.to_string(),
                    path: parsed.path?.to_string(),
                    ..Request::default()
                };
                for field in parsed.headers.iter() {
                    let value = || String::from_utf8_lossy(field.value).into_owned();
                    if field.name.eq_ignore_ascii_case("accept-encoding") {
                        request.accept_encoding = value();
                    } else if field.name.eq_ignore_ascii_case("if-none-match") {
                        request.if_none_match = value();
                    }
                }
                return Some(request);
            }
            let count = stream.read(&mut part).ok()?;
            if count == 0 || head.len() + count > HEAD_MAX {
                return None;
            }
            head.extend_from_slice(&part[..count]);
        }
    }
}

impl Site {
    fn read(folder: &Path, further: &[(&str, &Path)]) -> Outcome<Self> {
        let mut pages = BTreeMap::new();
        for file in files_below(folder)? {
            let below = file.strip_prefix(folder).unwrap_or(&file);
            pages.insert(format!("/{}", below.to_string_lossy().replace('\\', "/")), Page::read(&file)?);
        }
        for (path, file) in further {
            pages.insert((*path).to_string(), Page::read(file)?);
        }
        let index = pages.get("/index.html").ok_or_else(|| format!("{} has no index.html", folder.display()))?;
        let security = policy_header::for_page(&String::from_utf8_lossy(&index.plain));
        Ok(Self { pages, security })
    }

    /// Answers one request and closes.
    fn serve(&self, mut stream: TcpStream) {
        if stream.set_read_timeout(Some(PATIENCE)).is_err() || stream.set_write_timeout(Some(PATIENCE)).is_err() {
            return;
        }
        let Some(request) = Request::read(&mut stream) else { return };
        let answer = self.answer(&request);
        let bytes = answer.into_bytes(&self.security, request.method == "HEAD");
        // The browser may have gone away; nobody is left to tell.
        let _ = stream.write_all(&bytes);
    }

    fn answer(&self, request: &Request) -> Answer {
        let path = request.path.split(['?', '#']).next().unwrap_or("/");
        let path = if path == "/" { "/index.html" } else { path };
        match (request.method.as_str(), self.pages.get(path)) {
            ("GET" | "HEAD", Some(page)) => page.answer(request),
            ("GET" | "HEAD", None) => Answer::text(404, "There is no such file in this page."),
            _ => Answer::text(405, "This server only reads."),
        }
    }
}

/// Status, headers and body.
struct Answer {
    status: u16,
    headers: Vec<(&'static str, String)>,
    body: Vec<u8>,
}

impl Answer {
    fn text(status: u16, sentence: &str) -> Self {
        let headers = vec![("Content-Type", "text/plain; charset=utf-8".to_string())];
        Self { status, headers, body: sentence.as_bytes().to_vec() }
    }

    fn into_bytes(mut self, security: &str, head_only: bool) -> Vec<u8> {
        self.headers.extend([
            ("Content-Security-Policy", security.to_string()),
            ("X-Content-Type-Options", "nosniff".to_string()),
            ("Referrer-Policy", "no-referrer".to_string()),
            ("Cross-Origin-Opener-Policy", "same-origin".to_string()),
            ("Cross-Origin-Resource-Policy", "same-origin".to_string()),
            ("Content-Length", self.body.len().to_string()),
            ("Connection", "close".to_string()),
        ]);
        let word = match self.status {
            200 => "OK",
            304 => "Not Modified",
            404 => "Not Found",
            _ => "Method Not Allowed",
        };
        let mut head = format!("HTTP/1.1 {} {word}\r\n", self.status);
        for (name, value) in &self.headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str("\r\n");
        let mut bytes = head.into_bytes();
        if !head_only {
            bytes.append(&mut self.body);
        }
        bytes
    }
}

impl Page {
    fn read(file: &Path) -> Outcome<Self> {
        let plain = fs::read(file).map_err(|error| format!("{}: {error}", file.display()))?;
        let etag = Sha256::digest(&plain).iter().take(8).map(|byte| format!("{byte:02x}")).collect();
        Ok(Self {
            mime: mime_of(file),
            immutable: has_hash(file),
            etag,
            plain,
            brotli: fs::read(with_suffix(file, "br")).ok(),
            gzip: fs::read(with_suffix(file, "gz")).ok(),
        })
    }

    fn answer(&self, request: &Request) -> Answer {
        let (encoding, body) = self.body_for(&request.accept_encoding);
        // The tag names one encoding of the file, as RFC 9110 wants of a strong tag.
        let etag = format!("\"{}{}\"", self.etag, encoding.map_or(String::new(), |name| format!("-{name}")));
        let lifetime = if self.immutable { "public, max-age=31536000, immutable" } else { "no-cache" };
        let mut headers = vec![
            ("Content-Type", self.mime.to_string()),
            ("Cache-Control", lifetime.to_string()),
            ("Vary", "Accept-Encoding".to_string()),
            ("ETag", etag.clone()),
        ];
        if request.if_none_match.split(',').any(|known| known.trim() == etag) {
            return Answer { status: 304, headers, body: Vec::new() };
        }
        headers.extend(encoding.map(|name| ("Content-Encoding", name.to_string())));
        Answer { status: 200, headers, body: body.to_vec() }
    }

    /// The smallest body that the browser can read.
    fn body_for(&self, accepted: &str) -> (Option<&'static str>, &[u8]) {
        let accepts = |name: &str| accepted.split(',').any(|word| word.split(';').next().map(str::trim) == Some(name));
        match (&self.brotli, &self.gzip) {
            (Some(body), _) if accepts("br") => (Some("br"), body),
            (_, Some(body)) if accepts("gzip") => (Some("gzip"), body),
            _ => (None, &self.plain),
        }
    }
}

/// trunk names content-addressed files `stem-0123456789abcdef.ext`, also `..._bg.wasm`.
fn has_hash(file: &Path) -> bool {
    let stem = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
    let stem = stem.strip_suffix("_bg").unwrap_or(&stem);
    // Usually 16 digits; trunk drops leading zeros.
    let is_hash = |hash: &str| (10..=16).contains(&hash.len()) && hash.bytes().all(|byte| byte.is_ascii_hexdigit());
    stem.rsplit_once('-').is_some_and(|(_, hash)| is_hash(hash))
}

fn mime_of(file: &Path) -> &'static str {
    match file.extension().and_then(|kind| kind.to_str()).unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "wasm" => "application/wasm",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(running: &Running, request: &str) -> (String, Vec<u8>) {
        let host = running.address.trim_start_matches("http://").trim_end_matches('/');
        let mut stream = TcpStream::connect(host).unwrap();
        stream.write_all(format!("{request}\r\nHost: x\r\nConnection: close\r\n\r\n").as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let end = answer.windows(4).position(|four| four == b"\r\n\r\n").unwrap();
        (String::from_utf8(answer[..end].to_vec()).unwrap(), answer[end + 4..].to_vec())
    }

    fn site(name: &str) -> Running {
        let folder = std::env::temp_dir().join(format!("schedscope-serve-{name}-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("index.html"), "<script>go()</script>".repeat(9)).unwrap();
        fs::write(folder.join("app-0123456789abcdef_bg.wasm"), b"\0asm".repeat(99)).unwrap();
        crate::compress::compress_all(&folder).unwrap();
        start(0, &folder, &[]).unwrap()
    }

    #[test]
    fn the_page_comes_compressed_with_its_type_and_a_policy() {
        let running = site("types");
        let (head, body) = ask(&running, "GET / HTTP/1.1\r\nAccept-Encoding: gzip, br");
        assert!(head.starts_with("HTTP/1.1 200"), "{head}");
        assert!(
            head.contains("Content-Type: text/html; charset=utf-8") && head.contains("Content-Encoding: br"),
            "{head}"
        );
        assert!(
            head.contains("Cache-Control: no-cache") && head.contains("script-src 'self' 'wasm-unsafe-eval' 'sha256-")
        );
        assert!(body.len() < 189);
        let (head, _) = ask(&running, "GET /app-0123456789abcdef_bg.wasm HTTP/1.1\r\nAccept-Encoding: gzip");
        assert!(
            head.contains("application/wasm") && head.contains("immutable") && head.contains("Content-Encoding: gzip")
        );
        let (head, body) = ask(&running, "GET / HTTP/1.1");
        assert!(!head.contains("Content-Encoding") && body.len() == 189);
    }

    #[test]
    fn a_known_version_is_not_sent_again() {
        let running = site("etag");
        let (head, _) = ask(&running, "GET / HTTP/1.1");
        let etag = head.lines().find_map(|line| line.strip_prefix("ETag: ")).unwrap().to_string();
        let (head, body) = ask(&running, &format!("GET / HTTP/1.1\r\nIf-None-Match: {etag}"));
        assert!(head.starts_with("HTTP/1.1 304") && body.is_empty(), "{head}");
    }

    #[test]
    fn other_paths_and_methods_are_refused_in_words() {
        let running = site("paths");
        for (request, status) in [
            ("GET /../Cargo.toml HTTP/1.1", "404"),
            ("GET /..%2fCargo.toml HTTP/1.1", "404"),
            ("GET /index.html.br HTTP/1.1", "404"),
            ("POST / HTTP/1.1\r\nContent-Length: 0", "405"),
        ] {
            let (head, body) = ask(&running, request);
            assert!(head.contains(status) && !body.is_empty(), "{request}: {head}");
        }
    }

    #[test]
    fn names_with_trunk_s_hash_never_change() {
        assert!(
            has_hash(Path::new("app-a618a43b4e9f06_bg.wasm")) && has_hash(Path::new("x/page-8eed77c85dcd3ec9.css"))
        );
        assert!(!has_hash(Path::new("worker_bg.wasm")) && !has_hash(Path::new("one-feed.css")));
    }

    #[test]
    fn options_are_read_or_refused_by_name() {
        assert_eq!(parse(&["--port", "9000", "--open"]), Ok(Options { port: Some(9000), open: true }));
        assert!(parse(&["--port"]).is_err() && parse(&["--port", "99999"]).is_err() && parse(&["--fast"]).is_err());
    }
}
