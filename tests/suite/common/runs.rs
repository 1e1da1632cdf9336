//! Running the program as users and schedulers do, and interrupting it as they do.

use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Output, Stdio};

/// Where the program is.
pub const PROGRAM: &str = env!("CARGO_BIN_EXE_tallyboard");

/// The program with `words` as arguments.
pub fn command(words: &str) -> Command {
    let mut command = Command::new(PROGRAM);
    command.args(words.split_whitespace()).env_remove("RAYON_NUM_THREADS");
    // Backtraces of panics on purpose take more time than what the tests look at.
    command.env("RUST_BACKTRACE", "0");
    command
}

/// Runs the program with `input` on its standard input. Returns its exit code, standard output and standard error.
pub fn run_with_input(arguments: &[&str], input: impl AsRef<[u8]>) -> (i32, String, String) {
    let mut program = Command::new(PROGRAM);
    program.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.as_ref().to_vec();
    // Fails if the program ends before it has read all its input.
    let feeder = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().unwrap();
    feeder.join().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

/// Runs the program in `folder` to its end.
pub fn run(folder: &Path, words: &str) -> Output {
    command(words).current_dir(folder).output().unwrap()
}

/// Runs the program in `folder`; it has to succeed. Returns its standard output.
pub fn succeed(folder: &Path, words: &str) -> String {
    let output = run(folder, words);
    assert!(output.status.success(), "{words}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs the program in `folder`; it has to end with `code`. Returns its standard error.
pub fn fail(folder: &Path, words: &str, code: i32) -> String {
    let output = run(folder, words);
    assert_eq!(output.status.code(), Some(code), "{words}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}

/// Runs the program in `folder` on one thread, with `kib` KiB of address space.
#[cfg(target_os = "linux")]
pub fn confined(folder: &Path, kib: u32, words: &str) -> Output {
    let script = format!("ulimit -v {kib}; exec {PROGRAM} {words}");
    Command::new("sh").args(["-c", &script]).current_dir(folder).output().unwrap()
}

/// Starts the program in `folder` and leaves it running.
pub fn start(folder: &Path, words: &str) -> Child {
    let mut command = command(words);
    command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Sends `child` the signal `name` (`TERM`, `USR1`, …).
pub fn signal(child: &Child, name: &str) {
    let pid = child.id().to_string();
    let status = Command::new("kill").args(["-s", name, &pid]).status().unwrap();
    assert!(status.success());
}

/// Waits until `is_so` returns true, which `what` describes; panics after half a minute.
#[cfg(target_os = "linux")]
pub fn wait_until(what: &str, mut is_so: impl FnMut() -> bool) {
    for _ in 0..600 {
        if is_so() {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    panic!("waited half a minute until {what}");
}

/// Whether `child` has begun to listen for SIGINT.
#[cfg(target_os = "linux")]
pub fn is_listening(child: &Child) -> bool {
    let sigint_bit = 1;
    signals_of(&child.id().to_string(), "SigCgt:") >> sigint_bit & 1 != 0
}

/// Whether the tests run with SIGHUP ignored, as under `nohup`: the program ignores it then, too.
#[cfg(target_os = "linux")]
pub fn ignores_hangups() -> bool {
    let is_ignored = signals_of("self", "SigIgn:") & 1 != 0;
    if is_ignored {
        // Written to stderr directly, because the test harness would capture a macro's output.
        std::io::stderr().write_all(b"SKIPPED: SIGHUP is ignored here\n").unwrap();
    }
    is_ignored
}

#[cfg(target_os = "linux")]
/// A set of signals in the status of a process: bit 0 stands for signal 1.
fn signals_of(process: &str, key: &str) -> u64 {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).unwrap();
    let signals = status.lines().find_map(|line| line.strip_prefix(key)).unwrap();
    u64::from_str_radix(signals.trim(), 16).unwrap()
}

/// The exit code as shells tell it: 128 + signal for a program that a signal has ended.
pub fn shell_code(status: ExitStatus) -> Option<i32> {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Some(128 + signal);
    }
    status.code()
}

/// The exit code of `child`, which has to end within half a minute.
pub fn exit_code_soon(child: &mut Child) -> Option<i32> {
    for _ in 0..600 {
        if let Some(status) = child.try_wait().unwrap() {
            return shell_code(status);
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    child.kill().unwrap();
    panic!("it has not ended within half a minute");
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
