//! Prints text for people and documents for programs: what was asked for goes to standard output, the rest to standard
//! error. Also how long the program waits for its reader, its name, and paths as words of a shell.

use std::borrow::Cow;
use std::fmt::Display;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use tallyboard_base::figures::counted;

use super::args::Args;
use super::os;

/// Prints `text` and a line break on standard output, with colours as the user wants them.
///
/// Unlike `println!` it reports a closed pipe or a full disk as an error.
pub fn print_line(text: impl Display) -> Result<()> {
    let mut stdout = anstream::stdout().lock();
    let write = || writeln!(stdout, "{text}").and_then(|()| stdout.flush());
    while_writing(write).context("cannot write standard output")
}

/// Prints `text` and a line break on standard error. Control characters are printed [as escapes](harmless), and the middle
/// of a text that is [too long](shortened) is left out. A run of days may outlive its terminal, so a closed standard error
/// is not an error. If nobody reads it, a signal ends the wait.
pub fn eprint_line(text: impl Display) {
    eprint_styled(harmless(&shortened(&text.to_string())));
}

/// Upper bound on the bytes of a message that are printed. Lines of puzzles are shorter.
const LONGEST_MESSAGE: usize = 4096;

/// `text` without its middle if it has more than [`LONGEST_MESSAGE`] bytes. A message may contain the line that is wrong,
/// and a file that is no puzzle may be one long line.
fn shortened(text: &str) -> Cow<'_, str> {
    if text.len() <= LONGEST_MESSAGE {
        return text.into();
    }
    let mut begin = LONGEST_MESSAGE / 2;
    while !text.is_char_boundary(begin) {
        begin -= 1;
    }
    let mut end = text.len() - LONGEST_MESSAGE / 2;
    while !text.is_char_boundary(end) {
        end += 1;
    }
    let left_out = counted(end - begin, "byte");
    format!("{}… {left_out} left out …{}", &text[..begin], &text[end..]).into()
}

/// `text` with control characters as escapes (`\u{1b}`), except line breaks and tabs. A message may contain a bad line of
/// an input, whose control characters must not reach the terminal.
pub fn harmless(text: &str) -> Cow<'_, str> {
    let is_harmful = |c: char| c.is_control() && c != '\n' && c != '\t';
    if !text.contains(is_harmful) {
        return text.into();
    }
    let mut escaped = String::new();
    for c in text.chars() {
        if is_harmful(c) {
            escaped.extend(c.escape_debug());
        } else {
            escaped.push(c);
        }
    }
    escaped.into()
}

/// [`eprint_line`] of text with colours, which are control characters.
pub fn eprint_styled(text: impl Display) {
    os::write_stderr(format!("{text}\n").as_bytes(), may_wait);
}

/// [`eprint_line`], unless the user wants quiet.
pub fn info(args: &Args, text: impl Display) {
    if !args.quiet {
        eprint_line(text);
    }
}

/// Prints one JSON document on standard output.
pub fn print_json(document: &impl Serialize) -> Result<()> {
    print_line(serde_json::to_string(document)?)
}

/// Prints `report` on standard output, as one JSON document or for people.
pub fn print_report(report: &(impl Serialize + Display), as_json: bool) -> Result<()> {
    if as_json { print_json(report) } else { print_line(report) }
}

/// A count as fields of a report, to be flattened: `solutions`, and `solutions_text` as [`number_fields`] adds it.
pub fn solutions_fields<S: Serializer>(count: &u128, serializer: S) -> Result<S::Ok, S::Error> {
    number_fields(["solutions", "solutions_text"], Some(*count), serializer)
}

/// A known count as fields of a report, to be flattened: `known`, and `known_text` as [`number_fields`] adds it. `known` is
/// null if there is none.
pub fn known_fields<S: Serializer>(count: &Option<u128>, serializer: S) -> Result<S::Ok, S::Error> {
    number_fields(["known", "known_text"], *count, serializer)
}

/// A number under the first of `names`. If readers that parse numbers as doubles would lose digits of it, also its digits
/// as text under the second name.
fn number_fields<S: Serializer>(
    names: [&str; 2],
    number: Option<u128>,
    serializer: S,
) -> Result<S::Ok, S::Error> {
    let mut fields = serializer.serialize_map(None)?;
    fields.serialize_entry(names[0], &number)?;
    // Doubles hold all whole numbers up to this power of two.
    if let Some(large) = number.filter(|&number| number > 1 << f64::MANTISSA_DIGITS) {
        fields.serialize_entry(names[1], &large.to_string())?;
    }
    fields.end()
}

/// How long the program goes on waiting for a reader of the output or a writer of the input after a signal.
const MAX_WAIT: Duration = Duration::from_millis(900);

/// The time of the first signal that asks the program to end.
static SIGNALLED: OnceLock<Instant> = OnceLock::new();

/// Since when results have been waiting for their reader, in milliseconds of [`now`]; 0 if none are.
static WRITING_SINCE: AtomicU64 = AtomicU64::new(0);

/// Notes that a signal has come.
pub fn signal_came() {
    SIGNALLED.get_or_init(Instant::now);
}

/// The time of the first signal, if one came.
pub fn signalled() -> Option<Instant> {
    SIGNALLED.get().copied()
}

/// Whether the program may go on waiting.
pub fn may_wait() -> bool {
    signalled().is_none_or(|since| since.elapsed() < MAX_WAIT)
}

/// Runs `write`, which may wait for the reader of the results.
pub fn while_writing<T>(write: impl FnOnce() -> T) -> T {
    WRITING_SINCE.store(now().max(1), SeqCst);
    let written = write();
    WRITING_SINCE.store(0, SeqCst);
    written
}

/// Whether results have been waiting too long for their reader.
pub fn is_unread() -> bool {
    let Some(signalled) = signalled() else { return false };
    let signalled = now().saturating_sub(signalled.elapsed().as_millis() as u64);
    is_too_long(WRITING_SINCE.load(SeqCst), signalled, now())
}

/// Whether a write that began at `since` (0 if none is under way) has waited for its reader for [`MAX_WAIT`] after the signal,
/// all in milliseconds. A write that was blocked before the signal has as long as one that begins after it.
fn is_too_long(since: u64, signalled: u64, now: u64) -> bool {
    since != 0 && now.saturating_sub(since.max(signalled)) > MAX_WAIT.as_millis() as u64
}

/// Milliseconds since the first call.
fn now() -> u64 {
    static FIRST: OnceLock<Instant> = OnceLock::new();
    FIRST.get_or_init(Instant::now).elapsed().as_millis() as u64
}

static NAME: OnceLock<&str> = OnceLock::new();

/// Sets the name. Only the first call has an effect: a process has one program.
pub fn set_program_name(name: &'static str) {
    let _ = NAME.set(name);
}

/// The name that was set, or else `tallyboard`.
pub fn program_name() -> &'static str {
    NAME.get().copied().unwrap_or("tallyboard")
}

/// `text` as one shell word, quoted if necessary.
pub fn shell(text: impl AsRef<Path>) -> String {
    let text = text.as_ref().to_string_lossy();
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./".contains(letter);
    if !text.is_empty() && text.chars().all(is_plain) {
        return text.into_owned();
    }
    // A quote ends the quoted part, stands escaped, and begins another one.
    format!("'{}'", text.replace('\'', r"'\''"))
}

/// `text` as a quoted string of JSON, TOML or YAML.
pub fn quoted(text: impl AsRef<Path>) -> String {
    serde_json::Value::from(text.as_ref().to_string_lossy()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_told_and_not_sent() {
        assert_eq!(harmless("a\tb\nc é"), "a\tb\nc é");
        assert_eq!(harmless("\u{1b}[31m\r\u{9b}\0"), r"\u{1b}[31m\r\u{9b}\0");
    }

    #[test]
    fn long_messages_lose_their_middle() {
        let most = "é".repeat(LONGEST_MESSAGE / 2);
        assert_eq!(shortened(&most), most);
        let more = format!("a{most}");
        let begin = format!("a{}", "é".repeat(LONGEST_MESSAGE / 4 - 1));
        let end = "é".repeat(LONGEST_MESSAGE / 4);
        assert_eq!(shortened(&more), format!("{begin}… 2 bytes left out …{end}"));
    }

    #[derive(Serialize)]
    struct Report {
        #[serde(flatten, serialize_with = "solutions_fields")]
        solutions: u128,
        #[serde(flatten, serialize_with = "known_fields")]
        known: Option<u128>,
    }

    fn json(solutions: u128, known: Option<u128>) -> String {
        serde_json::to_string(&Report { solutions, known }).unwrap()
    }

    #[test]
    fn numbers_beyond_doubles_are_also_text() {
        let exact = 1 << 53;
        assert_eq!(json(exact, None), r#"{"solutions":9007199254740992,"known":null}"#);
        assert_eq!(
            json(exact + 1, Some(exact)),
            r#"{"solutions":9007199254740993,"solutions_text":"9007199254740993","known":9007199254740992}"#
        );
        assert_eq!(
            json(0, Some(u128::MAX)),
            format!(r#"{{"solutions":0,"known":{0},"known_text":"{0}"}}"#, u128::MAX)
        );
    }

    #[test]
    fn a_command_may_take_its_time_once_its_results_are_read() {
        while_writing(|| assert_ne!(WRITING_SINCE.load(SeqCst), 0));
        assert_eq!(WRITING_SINCE.load(SeqCst), 0);
        assert!(!is_unread() && may_wait());
    }

    #[test]
    fn a_reader_has_its_time_from_the_signal_on() {
        // The write began long before the signal, which came after 5 s.
        for (now, expected) in [(5_000, false), (5_900, false), (5_901, true)] {
            assert_eq!(is_too_long(1, 5_000, now), expected, "{now}");
        }
        // It began after the signal.
        for (now, expected) in [(6_900, false), (6_901, true)] {
            assert_eq!(is_too_long(6_000, 5_000, now), expected, "{now}");
        }
        assert!(!is_too_long(0, 5_000, 60_000), "nothing is written");
    }

    #[test]
    fn odd_paths_stay_one_word() {
        assert_eq!(shell("/a/plan-1.json"), "/a/plan-1.json");
        assert_eq!(shell("/my plan's $x"), r"'/my plan'\''s $x'");
        assert_eq!(quoted("a \"b\""), r#""a \"b\"""#);
    }
}
