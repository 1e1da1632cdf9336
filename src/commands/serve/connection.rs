//! Connections: a thread of each reads messages and writes answers, and another one works. A new message ends the work on the last.

use std::io::{ErrorKind, Read};
use std::net::{Ipv4Addr, Ipv6Addr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::AtomicUsize;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde_json::Value;
use tallyboard_search::{Stop, panic_message};
use tungstenite::handshake::server::{Callback, ErrorResponse, Request, Response};
use tungstenite::http::{HeaderValue, StatusCode, header};
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::protocol::{CloseFrame, WebSocketConfig};
use tungstenite::{Message, WebSocket, accept_hdr_with_config};

use super::answer::{self, Answer, Asked};
use super::origins::Origins;
use crate::terminal::eprint_line;
use crate::terminal::program_name;

/// The most bytes of a message. The largest puzzles of the editor, with pictures as decoration, have some hundred thousand.
const MOST_BYTES: usize = 1 << 20;
/// The most connections at a time: an editor has one for each of its tabs.
const MOST_CONNECTIONS: usize = 256;
/// The most requests that wait while the last one ends. Whoever sends more waits until they are read.
const MOST_WAITING: usize = 16;
/// How long a client may take to say what it wants, and to take an answer.
const PATIENCE: Duration = Duration::from_secs(10);
/// How long an answer may wait while a client says nothing.
const POLL_INTERVAL: Duration = Duration::from_millis(10);

/// What all connections share.
pub struct Server {
    /// The pages that are answered.
    pub origins: Origins,
    /// Threads for each count; 0 for every core.
    pub threads: usize,
    /// Whether drawings are left out.
    pub ignore_drawings: bool,
    /// Whether nothing is said of pages that were refused.
    pub quiet: bool,
}

/// Listens at a port of this machine that no other machine reaches: of both of the addresses that `localhost` may mean.
pub fn listen(port: u16) -> Result<Vec<TcpListener>> {
    let first = SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    let listener = TcpListener::bind(first).with_context(|| {
        format!("cannot listen at {first}, where SudokuSolver or another {} may do; --port takes another", program_name())
    })?;
    let port = listener.local_addr()?.port();
    // A machine without the sixth version of the protocol has only the first address.
    let second = TcpListener::bind((Ipv6Addr::LOCALHOST, port));
    Ok([listener].into_iter().chain(second.ok()).collect())
}

/// Accepts connections on a thread, until the program ends.
pub fn start(listener: TcpListener, server: Arc<Server>) -> Result<()> {
    let open = Arc::new(AtomicUsize::new(0));
    let accept = move || {
        loop {
            let Ok((stream, _)) = listener.accept() else {
                // Too many files are open, for instance: this passes.
                thread::sleep(POLL_INTERVAL);
                continue;
            };
            if open.fetch_add(1, SeqCst) >= MOST_CONNECTIONS {
                open.fetch_sub(1, SeqCst);
                continue;
            }
            let (server, open_here) = (Arc::clone(&server), Arc::clone(&open));
            let serve = move || {
                serve(stream, &server);
                open_here.fetch_sub(1, SeqCst);
            };
            if thread::Builder::new().spawn(serve).is_err() {
                open.fetch_sub(1, SeqCst);
            }
        }
    };
    thread::Builder::new().spawn(accept).context("cannot start a thread")?;
    Ok(())
}

/// Serves a connection to its end.
fn serve(stream: TcpStream, server: &Arc<Server>) {
    let limits = stream
        .set_read_timeout(Some(PATIENCE))
        .and_then(|()| stream.set_write_timeout(Some(PATIENCE)))
        .and_then(|()| stream.set_nodelay(true));
    if limits.is_err() {
        return;
    }
    let config = WebSocketConfig::default()
        .read_buffer_size(1 << 13)
        .write_buffer_size(0)
        .max_message_size(Some(MOST_BYTES))
        .max_frame_size(Some(MOST_BYTES));
    let Ok(socket) = accept_hdr_with_config(stream, OriginCheck(server), Some(config)) else {
        return;
    };
    Connection::new(socket, Arc::clone(server)).run();
}

/// Refuses pages of other origins.
struct OriginCheck<'a>(&'a Server);

impl Callback for OriginCheck<'_> {
    fn on_request(self, request: &Request, response: Response) -> Result<Response, ErrorResponse> {
        let Self(server) = self;
        let origin = request.headers().get(header::ORIGIN).map(HeaderValue::to_str);
        let stated = origin.map(|origin| origin.unwrap_or("an origin that is no text"));
        if server.origins.allow(stated) {
            return Ok(response);
        }
        let stated = stated.unwrap_or_default();
        if !server.quiet {
            eprint_line(format_args!(
                "{}: refused a page of {stated}; --allow-origin {stated} answers it",
                program_name()
            ));
        }
        let said = "pages of this origin are not answered".to_owned();
        let mut refusal = ErrorResponse::new(Some(said));
        *refusal.status_mut() = StatusCode::FORBIDDEN;
        Err(refusal)
    }
}

/// A request that waits for its turn, or is worked on.
struct Job {
    nonce: Value,
    asked: Asked,
    stop: Arc<Stop>,
}

/// What the worker has to say.
struct Said {
    answer: String,
    /// Whether it is the last answer to its request.
    is_last: bool,
}

struct Connection {
    socket: WebSocket<TcpStream>,
    jobs: SyncSender<Job>,
    said: Receiver<Said>,
    /// The flag of the last request.
    stop: Arc<Stop>,
    /// Requests without their last answer.
    open: usize,
}

impl Connection {
    fn new(socket: WebSocket<TcpStream>, server: Arc<Server>) -> Self {
        let (jobs, waiting) = sync_channel(MOST_WAITING);
        let (say, said) = channel();
        // Without a thread the channel has no reader, so that the connection ends with its first request.
        let _ = thread::Builder::new().spawn(move || work(&waiting, &say, &server));
        Self { socket, jobs, said, stop: Arc::default(), open: 0 }
    }

    /// Reads and answers until the client goes, or breaks the protocol.
    fn run(mut self) {
        let ended = self.talk();
        self.stop.request();
        if let Err(tungstenite::Error::Capacity(error)) = ended {
            let reason = format!("{error}; a message may have {MOST_BYTES} bytes");
            let frame = CloseFrame { code: CloseCode::Size, reason: reason.into() };
            let _ = self.socket.close(Some(frame));
            drain(self.socket.get_mut());
        }
    }

    fn talk(&mut self) -> Result<(), tungstenite::Error> {
        loop {
            // Nobody has anything to say without a request.
            let patience = if self.open == 0 { None } else { Some(POLL_INTERVAL) };
            self.socket.get_mut().set_read_timeout(patience)?;
            match self.socket.read() {
                Ok(Message::Text(text)) => self.receive(text.as_bytes())?,
                // As SudokuSolver does, whatever the kind of the message.
                Ok(Message::Binary(bytes)) => self.receive(&bytes)?,
                Ok(_) => {}
                Err(tungstenite::Error::Io(error)) if is_pause(error.kind()) => {}
                Err(error) => return Err(error),
            }
            while let Ok(Said { answer, is_last }) = self.said.try_recv() {
                self.open -= usize::from(is_last);
                self.socket.send(answer.into())?;
            }
        }
    }

    /// Ends the work on the last request, and passes on the new one.
    fn receive(&mut self, text: &[u8]) -> Result<(), tungstenite::Error> {
        let (nonce, asked) = answer::read(text);
        let asked = match asked {
            Ok(asked) => asked,
            Err(message) => {
                let answer = Answer::Invalid { message };
                return self.socket.send(answer.with(&nonce).into());
            }
        };
        self.stop.request();
        let Some(asked) = asked else {
            return self.socket.send(Answer::Canceled.with(&nonce).into());
        };
        self.stop = Arc::default();
        self.open += 1;
        let job = Job { nonce, asked, stop: Arc::clone(&self.stop) };
        self.jobs.send(job).map_err(|_| tungstenite::Error::ConnectionClosed)
    }
}

/// Whether a read has ended because nothing came in time.
fn is_pause(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted)
}

/// Takes what a client still sends, for a while: what is left unread when a connection ends would end it before the client has
/// read why.
fn drain(stream: &mut TcpStream) {
    let began = Instant::now();
    let _ = stream.shutdown(Shutdown::Write);
    let _ = stream.set_read_timeout(Some(PATIENCE / 10));
    let mut buffer = vec![0; 1 << 16];
    while began.elapsed() < PATIENCE && matches!(stream.read(&mut buffer), Ok(1..)) {}
}

/// Works on requests, one after the other, until the connection ends. What goes wrong ends a request and nothing else.
fn work(jobs: &Receiver<Job>, say: &Sender<Said>, server: &Server) {
    for Job { nonce, asked, stop } in jobs {
        let mut progress = |answer: Answer| {
            // A connection that has ended needs no answer.
            let _ = say.send(Said { answer: answer.with(&nonce), is_last: false });
        };
        let work = || asked.answer(server, &stop, &mut progress);
        let answered = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
            let message = format!("a mistake in the program: {}", panic_message(&*payload));
            Answer::Invalid { message }
        });
        let answer = if stop.check().is_err() { Answer::Canceled } else { answered };
        let _ = say.send(Said { answer: answer.with(&nonce), is_last: true });
    }
}
