//! Promise: `tallyboard serve` answers the messages of the editor's script as the program SudokuSolver does, answers nobody else, and is
//! ended by no input.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::{Value, json};
use tungstenite::client::IntoClientRequest;
use tungstenite::http::HeaderValue;
use tungstenite::protocol::frame::coding::CloseCode;
use tungstenite::{Error, Message, WebSocket, client};

use crate::common::PUZZLE;
use crate::common::runs::{Dice, command, output_of, shell_code, signal};

/// A server at a free port, which is ended with its test.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(options: &str) -> Self {
        let mut command = command(&format!("serve --port 0 -j 2 {options}"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        let address = first.trim().strip_prefix("ws://").expect("the address comes first");
        Self { address: address.to_owned(), child }
    }

    /// A connection as a page of this origin, or as no browser, has it.
    fn try_connect(&self, origin: Option<&str>) -> Result<Client, Box<dyn std::error::Error>> {
        let mut request = format!("ws://{}", self.address).into_client_request()?;
        if let Some(origin) = origin {
            request.headers_mut().insert("Origin", HeaderValue::from_str(origin)?);
        }
        let stream = TcpStream::connect(&self.address)?;
        Ok(Client(client(request, stream)?.0))
    }

    fn connect(&self) -> Client {
        self.try_connect(Some("https://f-puzzles.com")).unwrap()
    }

    /// Interrupts it; returns its exit code as shells tell it, and what it has said.
    fn end(mut self) -> (i32, String) {
        signal(&self.child, "INT");
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        let status = self.child.wait().unwrap();
        (shell_code(status).unwrap(), said)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

struct Client(WebSocket<TcpStream>);

impl Client {
    fn send(&mut self, message: impl Into<Message>) {
        self.0.send(message.into()).unwrap();
    }

    fn ask(&mut self, nonce: u32, command: &str, puzzle: &Value) {
        let message = json!({ "nonce": nonce, "command": command, "dataType": "fpuzzles", "data": packed(puzzle) });
        self.send(message.to_string());
    }

    /// The next answer.
    fn read(&mut self) -> Value {
        let text = self.0.read().unwrap().into_text().unwrap();
        serde_json::from_str(&text).unwrap()
    }

    /// The last answer to a question, which comes once.
    fn answer(&mut self, command: &str, puzzle: &Value) -> Value {
        self.ask(17, command, puzzle);
        loop {
            let answer = self.read();
            assert_eq!(answer["nonce"], 17, "{answer}");
            if answer["inProgress"] != true {
                return answer;
            }
        }
    }

    fn is_served(&mut self) -> bool {
        self.answer("count", &grid(4, "1..............."))["count"] == 72
    }
}

/// A puzzle as the editor compresses it.
fn packed(puzzle: &Value) -> String {
    lz_str::compress_to_base64(puzzle.to_string().encode_utf16().collect::<Vec<u16>>())
}

/// A puzzle with these givens.
fn grid(side: usize, givens: &str) -> Value {
    let cell = |character: char| match character.to_digit(10) {
        Some(value) => json!({ "value": value, "given": true }),
        None => json!({}),
    };
    let cells: Vec<Value> = givens.chars().map(cell).collect();
    json!({ "size": side, "grid": cells.chunks(side).map(<[Value]>::to_vec).collect::<Vec<_>>() })
}

/// A puzzle without givens, whose solutions nobody counts one by one.
fn endless() -> Value {
    grid(9, &".".repeat(81))
}

#[test]
fn every_message_is_answered_in_the_form_that_the_script_reads() {
    let server = Server::start("");
    let mut client = server.connect();
    let usual = grid(9, PUZZLE);
    let solved = client.answer("solve", &usual);
    assert_eq!(solved["type"], "solved");
    assert_eq!(solved["solution"].as_array().unwrap()[..5], [5, 3, 4, 6, 7].map(Value::from));
    let count = json!({ "nonce": 17, "type": "count", "count": 1, "inProgress": false });
    assert_eq!(client.answer("check", &usual), count);
    assert_eq!(client.answer("count", &usual), count);
    assert_eq!(client.answer("check", &endless())["count"], 2);
    assert_eq!(client.answer("count", &grid(4, "................"))["count"], 288);
    let none = json!({ "nonce": 17, "type": "invalid", "message": "No solutions found." });
    let contradictory = grid(4, "1..1............");
    assert_eq!(client.answer("solve", &contradictory), none);
    assert_eq!(client.answer("truecandidates", &contradictory), none);
    assert_eq!(client.answer("count", &contradictory)["count"], 0);
    let estimate = client.answer("estimate", &grid(4, "12.............."));
    assert_eq!((&estimate["type"], &estimate["stderr"]), (&"estimate".into(), &json!(0.0)));
    assert!((estimate["estimate"].as_f64().unwrap() - 24.0).abs() < 1e-9, "{estimate}");
    // What the editor shows beside the givens is asked about by estimates and steps alone.
    let mut entered = grid(4, "12..............");
    entered["grid"][1][0] = json!({ "value": 3 });
    assert_eq!(client.answer("count", &entered)["count"], 24);
    let estimate = client.answer("estimate", &entered);
    assert!((estimate["estimate"].as_f64().unwrap() - 12.0).abs() < 1e-9, "{estimate}");
    let path = client.answer("solvepath", &usual);
    assert_eq!((&path["type"], &path["isValid"]), (&"logical".into(), &true.into()));
    assert_eq!(path["cells"][2], json!({ "value": 4 }));
    assert!(path["message"].as_str().unwrap().ends_with("\nSolved.\n"), "{path}");
    let path = client.answer("solvepath", &contradictory);
    assert_eq!(path["isValid"], false, "{path}");
    let (code, said) = server.end();
    assert_eq!(code, 130, "{said}");
}

#[test]
fn candidates_are_counted_up_to_the_number_that_is_wished_for() {
    let server = Server::start("");
    let mut client = server.connect();
    let mut puzzle = grid(4, "12..............");
    let numbers = |answer: Value| {
        assert_eq!(answer["type"], "truecandidates", "{answer}");
        let numbers = answer["solutionsPerCandidate"].as_array().unwrap();
        numbers.iter().map(|number| number.as_i64().unwrap()).collect::<Vec<_>>()
    };
    let once = numbers(client.answer("truecandidates", &puzzle));
    assert_eq!(once[..12], [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1]);
    for (most, number) in [(2, 2), (12, 12), (1_000_000, 12)] {
        let wish = format!("truecandidatesnumsolutions={most}");
        puzzle["truecandidatesoptions"] = json!([wish]);
        let found = numbers(client.answer("truecandidates", &puzzle));
        assert_eq!((found[0], found[10]), (24.min(most), number), "{most} at most");
    }
    // Of the whole of 9 × 9 no search visits all solutions, and each candidate has more than any number of them.
    let mut endless = endless();
    endless["truecandidatesoptions"] = json!(["truecandidatesnumsolutions=3"]);
    assert_eq!(numbers(client.answer("truecandidates", &endless)), [3; 729]);
    // Simple steps leave values of which a search shows that they are wrong.
    let hard = "8..........36......7..9.2...5...7.......457.....1...3...1....68..85...1..9....4..";
    let mut hard = grid(9, hard);
    let plain = numbers(client.answer("truecandidates", &hard));
    assert_eq!(plain.iter().sum::<i64>(), 81);
    hard["truecandidatesoptions"] = json!(["logical"]);
    let logical = numbers(client.answer("truecandidates", &hard));
    assert!(logical.contains(&-1));
    let real: Vec<i64> = logical.iter().map(|number| *number.max(&0)).collect();
    assert_eq!(real, plain);
}

#[test]
fn steps_go_on_from_what_the_editor_shows() {
    let server = Server::start("");
    let mut client = server.connect();
    let mut puzzle = grid(4, "12..3..2.1..2...");
    let begin = client.answer("step", &puzzle);
    assert_eq!(begin["message"], "Initial candidates.\n");
    let mut steps = Vec::new();
    let mut shown = begin;
    // As the script does: a value, or marks in the centre, in each cell that is not given.
    while shown["isValid"] == true && !steps.contains(&shown["message"]) {
        steps.push(shown["message"].clone());
        for at in 0..16 {
            let cell = &mut puzzle["grid"][at / 4][at % 4];
            if cell["given"] != true {
                let found = &shown["cells"][at];
                cell["value"] = found["value"].clone();
                cell["centerPencilMarks"] = found.get("candidates").cloned().unwrap_or(json!([]));
            }
        }
        shown = client.answer("step", &puzzle);
    }
    let last = steps.last().unwrap().as_str().unwrap();
    assert!(steps.len() > 8 && last == "Solved.\n", "{steps:?}");
    assert_eq!(puzzle["grid"][0][2]["value"], 3, "{puzzle}");
}

#[test]
fn a_new_message_ends_the_work_on_the_last_one() {
    let server = Server::start("");
    let mut client = server.connect();
    let ends = |client: &mut Client| loop {
        let answer = client.read();
        if answer["inProgress"] != true && answer["type"] != "estimate" {
            return answer;
        }
    };
    for (nonce, command) in [(1, "count"), (2, "estimate"), (3, "count")] {
        client.ask(nonce, command, &endless());
    }
    client.send(json!({ "nonce": 4, "command": "cancel" }).to_string());
    let mut canceled: Vec<Value> = (0..4).map(|_| ends(&mut client)).collect();
    canceled.sort_by_key(|answer| answer["nonce"].as_u64());
    for (answer, nonce) in canceled.iter().zip(1..) {
        assert_eq!(*answer, json!({ "nonce": nonce, "type": "canceled" }));
    }
    assert!(client.is_served());
    // A client that goes ends its work, too; otherwise the server would work for nobody.
    client.ask(5, "count", &endless());
    drop(client);
    assert!(server.connect().is_served());
}

#[test]
fn estimates_come_again_and_again_until_they_are_cancelled() {
    let server = Server::start("");
    let mut client = server.connect();
    client.ask(1, "estimate", &endless());
    let [first, second] = [client.read(), client.read()];
    assert!(second["iterations"].as_u64() > first["iterations"].as_u64(), "{first} {second}");
    // There are 6.67 · 10^21 grids; a standard error is the first to be known.
    let number = |name: &str| second[name].as_f64().unwrap();
    assert!(number("estimate") > 1e20 && number("estimate") < 1e23, "{second}");
    assert!(number("stderr") > 0.0, "{second}");
    let margin = 1.96 * number("stderr");
    for (name, expected) in [
        ("ci95_lower", number("estimate") - margin),
        ("ci95_upper", number("estimate") + margin),
        ("relErrPercent", 100.0 * margin / number("estimate")),
    ] {
        assert!((number(name) / expected - 1.0).abs() < 1e-9, "{name}: {second}");
    }
    client.send(json!({ "nonce": 2, "command": "cancel" }).to_string());
    let mut types = Vec::new();
    while types.iter().filter(|kind| **kind == "canceled").count() < 2 {
        types.push(client.read()["type"].clone());
    }
}

#[test]
fn pages_of_other_origins_are_refused() {
    let server = Server::start("--allow-origin http://localhost:8000");
    for allowed in
        [None, Some("https://www.f-puzzles.com"), Some("null"), Some("http://localhost:8000")]
    {
        assert!(server.try_connect(allowed).unwrap().is_served(), "{allowed:?}");
    }
    let refused = server.try_connect(Some("https://example.org")).err().unwrap().to_string();
    assert!(refused.contains("403"), "{refused}");
    let (_, said) = server.end();
    assert!(said.contains("refused a page of https://example.org; --allow-origin"), "{said}");
}

#[test]
fn messages_that_are_too_large_end_their_connection_alone() {
    let server = Server::start("");
    let mut other = server.connect();
    let mut client = server.connect();
    client.send("x".repeat(1 << 20));
    assert_eq!(client.read()["type"], "invalid");
    // Its end may come before all of it was sent.
    let _ = client.0.send(Message::text("x".repeat((1 << 20) + 1)));
    match client.0.read() {
        Ok(Message::Close(Some(frame))) => assert_eq!(frame.code, CloseCode::Size),
        other => panic!("found {other:?}, expected that the connection is closed"),
    }
    assert!(matches!(client.0.read(), Err(Error::ConnectionClosed | Error::Io(_))));
    assert!(other.is_served());
}

#[test]
fn what_is_no_request_is_answered_in_words() {
    let server = Server::start("");
    let mut client = server.connect();
    let good = packed(&grid(4, "1..............."));
    let asked = |command: &str, kind: &str, data: &Value| {
        json!({ "nonce": 5, "command": command, "dataType": kind, "data": data }).to_string()
    };
    let mut drawn = grid(4, "1...............");
    drawn["text"] = json!([{ "cells": ["R1C1"], "value": "?" }]);
    let foreign =
        json!({ "size": 4, "grid": grid(4, "................")["grid"], "newrule": [{}] });
    for (message, nonce, expected) in [
        (String::new(), 0, "found no object of JSON"),
        ("[1]".to_owned(), 0, "found no object of JSON"),
        ("[".repeat(5_000), 0, "found no object of JSON"),
        ("{\"nonce\": 5}".to_owned(), 5, "found no text as command"),
        (
            asked("dance", "fpuzzles", &json!(good)),
            5,
            "found the command 'dance', expected truecand",
        ),
        (asked("solve", "penpa", &json!(good)), 5, "found the dataType 'penpa', expected fpuzzles"),
        (asked("solve", "fpuzzles", &json!(7)), 5, "found no text as data"),
        (asked("solve", "fpuzzles", &json!("N4Ig")), 5, "found no text that lz-string"),
        (asked("solve", "fpuzzles", &json!(packed(&drawn))), 5, "--ignore-drawings"),
        (asked("solve", "fpuzzles", &json!(packed(&foreign))), 5, "newrule"),
    ] {
        client.send(message);
        let answer = client.read();
        assert_eq!((&answer["type"], &answer["nonce"]), (&"invalid".into(), &nonce.into()));
        assert!(answer["message"].as_str().unwrap().contains(expected), "{answer}");
    }
    assert!(client.is_served());
    let lenient = Server::start("--ignore-drawings");
    assert_eq!(lenient.connect().answer("count", &drawn)["count"], 72);
}

#[test]
fn random_bytes_end_nothing() {
    let server = Server::start("");
    let mut random = Dice(7);
    let mut bytes = |most: u64| {
        let length = random.below(most);
        (0..length).map(|_| random.below(256) as u8).collect::<Vec<u8>>()
    };
    let mut other = server.connect();
    for round in 0..40 {
        // In place of a handshake.
        let mut stream = TcpStream::connect(&server.address).unwrap();
        let _ = stream.write_all(&bytes(3_000));
        drop(stream);
        // In place of a frame.
        let mut client = server.connect();
        let _ = client.0.get_mut().write_all(&bytes(200));
        drop(client);
        // In place of a message, of the puzzle, and of its JSON.
        let mut client = server.connect();
        client.send(bytes(500));
        assert_eq!(client.read()["type"], "invalid", "{round}");
        let text = String::from_utf8_lossy(&bytes(200)).into_owned();
        let data =
            [text.clone(), lz_str::compress_to_base64(text.encode_utf16().collect::<Vec<u16>>())];
        for data in data {
            client.send(
                json!({ "nonce": 1, "command": "solve", "dataType": "fpuzzles", "data": data })
                    .to_string(),
            );
            assert_eq!(client.read()["type"], "invalid", "{round}");
        }
    }
    assert!(other.is_served());
}

#[test]
fn fifty_clients_are_answered_at_a_time() {
    let server = Server::start("");
    let mut clients: Vec<Client> = (0..50).map(|_| server.connect()).collect();
    let puzzles = ["1...............", "12..............", "................"];
    for (client, at) in clients.iter_mut().zip(0..) {
        client.ask(at, "count", &grid(4, puzzles[at as usize % 3]));
    }
    for (client, at) in clients.iter_mut().zip(0_u32..) {
        let answer = client.read();
        let expected = [72, 24, 288][at as usize % 3];
        assert_eq!((&answer["nonce"], &answer["count"]), (&at.into(), &expected.into()));
    }
}

#[test]
fn a_port_that_is_taken_is_told() {
    let server = Server::start("");
    let port = server.address.rsplit(':').next().unwrap();
    let mut second = command(&format!("serve --port {port}"));
    let piped = second.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let output = output_of(piped.spawn().unwrap());
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("--port takes another"), "{said}");
}
