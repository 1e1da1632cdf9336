//! Running the program as users and schedulers do, and interrupting it as they do.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

use serde_json::Value;
use tempfile::TempDir;

/// Where the program is.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_tallyboard");

/// The program with `words` as arguments.
pub fn command(words: &str) -> Command {
    command_of(Path::new(PROGRAM), words)
}

/// A `program` with `words` as arguments.
fn command_of(program: &Path, words: &str) -> Command {
    hear_interrupts();
    let mut command = Command::new(program);
    command.args(words.split_whitespace()).env_remove("RAYON_NUM_THREADS");
    // Backtraces of panics on purpose take more time than what the tests look at.
    command.env("RUST_BACKTRACE", "0");
    command
}

/// Has this process, and with it the programs that it starts, end at SIGINT, which whoever put the tests into the background
/// may have had them ignore: the program keeps that.
fn hear_interrupts() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SigHandler, Signal, signal};
        static ONCE: std::sync::Once = std::sync::Once::new();
        // SAFETY: the default action is no function of ours, which could do what a handler must not.
        ONCE.call_once(|| unsafe {
            signal(Signal::SIGINT, SigHandler::SigDfl).expect("SIGINT has a default action");
        });
    }
}

/// Runs `command` to its end, without an input.
pub fn output(command: &mut Command) -> Output {
    let piped = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    output_of(piped.spawn().unwrap())
}

/// Runs the program with `input` on its standard input. Returns its exit code, standard output and standard error.
pub fn run_with_input(words: &str, input: impl AsRef<[u8]>) -> (i32, String, String) {
    feed(command(words), input)
}

fn feed(mut program: Command, input: impl AsRef<[u8]>) -> (i32, String, String) {
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    // Fails if the program ends before it has read all its input.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let ended = ended(child);
    feeder.join().unwrap();
    ended
}

/// Runs `tallyboard sudoku` with these words, as [`run_with_input`] does.
pub fn sudoku(words: &str, input: impl AsRef<[u8]>) -> (i32, String, String) {
    run_with_input(&format!("sudoku {words}"), input)
}

/// The exit code of a run, as [`shell_code`] tells it, its standard output and standard error.
pub fn told(output: Output) -> (i32, String, String) {
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (shell_code(output.status).unwrap(), text(output.stdout), text(output.stderr))
}

/// Waits for the end of `child`, and returns what [`told`] does.
pub fn ended(child: Child) -> (i32, String, String) {
    told(output_of(child))
}

/// What `child` writes to its pipes until it ends.
pub fn output_of(child: Child) -> Output {
    watched(child.id(), LONGEST, || child.wait_with_output().unwrap())
}

/// How `child` ends.
pub fn status_of(child: &mut Child) -> ExitStatus {
    watched(child.id(), LONGEST, || child.wait().unwrap())
}

/// What a program of the tests may take. An emulator is slow, and so is a machine that does much else.
pub const LONGEST: Duration = Duration::from_secs(600);

/// Runs `wait`, which returns once the program with this number has ended. That is killed if it has not ended after `limit`, so
/// that a test fails where it would wait for ever.
pub fn watched<T>(id: u32, limit: Duration, wait: impl FnOnce() -> T) -> T {
    let (ending, is_ended) = channel::<()>();
    let watchdog = std::thread::spawn(move || {
        let is_late = is_ended.recv_timeout(limit) == Err(RecvTimeoutError::Timeout);
        if is_late {
            send(id, "KILL");
        }
        is_late
    });
    let ended = wait();
    drop(ending);
    assert!(!watchdog.join().unwrap(), "it has not ended within {limit:?}");
    ended
}

/// A folder of its own for a test, in which a program runs.
pub struct Folder {
    folder: TempDir,
    program: PathBuf,
}

impl Folder {
    /// A folder in which `tallyboard` runs.
    pub fn new() -> Self {
        Self { folder: tempfile::tempdir().unwrap(), program: PROGRAM.into() }
    }

    /// A folder in which the example `name` runs, which cargo builds with the tests.
    pub fn of_example(name: &str) -> Self {
        Self { program: example(name), ..Self::new() }
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The path of a file in it.
    pub fn at(&self, name: impl AsRef<Path>) -> PathBuf {
        self.path().join(name)
    }

    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        fs::write(self.at(name), bytes).unwrap();
    }

    pub fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.at(name)).unwrap()
    }

    pub fn bytes(&self, name: impl AsRef<Path>) -> Vec<u8> {
        fs::read(self.at(name)).unwrap()
    }

    /// Replaces `from`, which has to be in a file, by `to` where it first is.
    pub fn replace(&self, name: &str, from: &str, to: &str) {
        let text = self.read(name);
        assert!(text.contains(from), "{name}: no `{from}` in {text}");
        self.write(name, text.replacen(from, to, 1));
    }

    /// The number of subtrees that a journal in it holds; 0 if there is none.
    pub fn saved(&self, journal: impl AsRef<Path>) -> usize {
        tallyboard_search::journal::read(&self.at(journal))
            .map_or(0, |contents| contents.records.len())
    }

    /// The number of files in it.
    pub fn files(&self) -> usize {
        fs::read_dir(self.path()).unwrap().count()
    }

    /// The program with `words` as arguments.
    pub fn command(&self, words: &str) -> Command {
        let mut command = command_of(&self.program, words);
        command.current_dir(self.path());
        command
    }

    /// Runs the program to its end.
    pub fn run(&self, words: &str) -> Output {
        output(&mut self.command(words))
    }

    /// Starts the program and leaves it running.
    pub fn start(&self, words: &str) -> Child {
        self.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
    }

    /// The standard output of a run, which has to succeed.
    pub fn succeed(&self, words: &str) -> String {
        let output = self.run(words);
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }

    /// The same as the JSON document that it is.
    pub fn json(&self, words: &str) -> Value {
        serde_json::from_str(&self.succeed(words)).unwrap()
    }

    /// The standard error of a run, which has to end with `code`.
    pub fn fail(&self, words: &str, code: i32) -> String {
        let output = self.run(words);
        assert_eq!(output.status.code(), Some(code), "{words}: {output:?}");
        String::from_utf8(output.stderr).unwrap()
    }

    /// Runs `shards` of a plan, whose results go into the folder `results`.
    pub fn run_shards(&self, plan: &str, shards: impl IntoIterator<Item = u32>, results: &str) {
        for shard in shards {
            self.succeed(&format!("-q cluster run {plan} --shard {shard} -o {results}"));
        }
    }

    /// The exit code of a run, its standard output and standard error.
    pub fn told(&self, words: &str) -> (i32, String, String) {
        told(self.run(words))
    }

    /// The same of a run with `input` on its standard input.
    pub fn feed(&self, words: &str, input: impl AsRef<[u8]>) -> (i32, String, String) {
        feed(self.command(words), input)
    }

    /// The standard error of a run, however it ends.
    pub fn said(&self, words: &str) -> String {
        self.told(words).2
    }

    /// Runs the program, which has to succeed and to print `parts`. Returns its standard output.
    pub fn prints(&self, words: &str, parts: impl Parts) -> String {
        parts.expect_in(words, self.succeed(words))
    }

    /// Runs the program, which has to end with `code` and to say `parts`. Returns its standard error.
    pub fn fails(&self, words: &str, code: i32, parts: impl Parts) -> String {
        parts.expect_in(words, self.fail(words, code))
    }

    /// Runs the program, which has to say `parts`, however it ends. Returns its standard error.
    pub fn says(&self, words: &str, parts: impl Parts) -> String {
        parts.expect_in(words, self.said(words))
    }
}

/// What a text has to hold: one part, or several.
pub trait Parts {
    fn parts(&self) -> Vec<&str>;

    /// Returns the `text` that `words` gave, unless it lacks a part.
    fn expect_in(&self, words: &str, text: String) -> String {
        for part in self.parts() {
            assert!(text.contains(part), "{words}: no `{part}` in {text}");
        }
        text
    }
}

impl<T: AsRef<str> + ?Sized> Parts for &T {
    fn parts(&self) -> Vec<&str> {
        vec![(*self).as_ref()]
    }
}

impl<T: AsRef<str>, const N: usize> Parts for [T; N] {
    fn parts(&self) -> Vec<&str> {
        self.iter().map(AsRef::as_ref).collect()
    }
}

/// The example `name`, which cargo builds with the tests.
pub fn example(name: &str) -> PathBuf {
    let path = Path::new(PROGRAM).with_file_name("examples").join(name);
    assert!(path.exists(), "{} is not built: cargo build --examples", path.display());
    path
}

/// Runs the program in `folder` on one thread, with `kib` KiB of address space.
pub fn confined(folder: &Folder, kib: u32, words: &str) -> (i32, String, String) {
    shell(folder, &format!("ulimit -v {kib}; exec PROGRAM {words}"))
}

/// Runs a `script` of a shell in `folder`, in which `PROGRAM` stands for the program.
pub fn shell(folder: &Folder, script: &str) -> (i32, String, String) {
    let script = script.replace("PROGRAM", PROGRAM);
    hear_interrupts();
    let mut shell = Command::new("sh");
    shell.args(["-c", &script]).current_dir(folder.path());
    told(output(&mut shell))
}

/// Sends `child` the signal `name` (`TERM`, `USR1`, …).
pub fn signal(child: &Child, name: &str) {
    assert!(send(child.id(), name));
}

/// Sends a signal to the program with this number. Returns whether there is one.
fn send(id: u32, name: &str) -> bool {
    Command::new("kill").args(["-s", name, &id.to_string()]).status().unwrap().success()
}

/// Waits until `is_so` returns true, which `what` describes; panics after two minutes, since an emulator
/// may be slow.
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..24_000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    panic!("waited two minutes until {what}");
}

/// Whether `child` has begun to listen for SIGINT.
pub fn is_listening(child: &Child) -> bool {
    let sigint_bit = 1;
    signals_of(&child.id().to_string(), "SigCgt:") >> sigint_bit & 1 != 0
}

/// Whether the tests run with SIGHUP ignored, as under `nohup`: the program ignores it then, too.
pub fn ignores_hangups() -> bool {
    let is_ignored = signals_of("self", "SigIgn:") & 1 != 0;
    if is_ignored {
        // Written to stderr directly, because the test harness would capture a macro's output.
        std::io::stderr().write_all(b"SKIPPED: SIGHUP is ignored here\n").unwrap();
    }
    is_ignored
}

/// A set of signals in the status of a process: bit 0 stands for signal 1.
fn signals_of(process: &str, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let signals = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    u64::from_str_radix(signals.trim(), 16).unwrap()
}

/// The exit code, which is 130 for a program that SIGINT has ended, as shells tell it: the program ends itself by SIGINT.
/// For any other signal, at which it ends with an exit code, this is minus the signal.
pub fn shell_code(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        let sigint = 2;
        return Some(if signal == sigint { 128 + signal } else { -signal });
    }
    status.code()
}

/// The exit code of `child`, which has to end within half a minute.
pub fn exit_code_soon(child: &mut Child) -> Option<i32> {
    let half_a_minute = Duration::from_secs(30);
    shell_code(watched(child.id(), half_a_minute, || child.wait().unwrap()))
}

/// Random numbers that are the same in every run: a xorshift generator, whose state is not 0.
pub struct Dice(pub u64);

impl Dice {
    /// A number below `limit`.
    pub fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}
