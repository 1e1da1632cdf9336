//! Windows, by `std` alone. An interrupt ends the program at once; its journal stays valid. Progress cannot be asked for.

use std::fs::File;
use std::io::{self, Write};
use std::os::windows::io::AsHandle;

use anyhow::Result;

/// No signal has this number.
pub const SIGUSR1: i32 = -1;

/// There are no signals to be received.
pub fn on_signals(_receive: impl Fn(i32) + Send + 'static) -> Result<()> {
    Ok(())
}

/// There are no signals to end by.
pub fn end_by(_signal: i32) {}

/// Always true: the read that follows waits for input itself.
pub fn has_input(_input: &File) -> io::Result<bool> {
    Ok(true)
}

/// Writes `text` to standard error.
pub fn write_stderr(text: &[u8], _may_wait: impl Fn() -> bool) {
    let _ = io::stderr().write_all(text);
}

/// Standard input as a file.
pub fn stdin() -> io::Result<File> {
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// Standard output as a file.
pub fn stdout() -> io::Result<File> {
    io::stdout().as_handle().try_clone_to_owned().map(File::from)
}

/// A closed standard output is not noticed here.
pub fn is_stdout_closed() -> bool {
    false
}

/// Only Unix lets a file take the number of a closed standard output.
pub fn guard_closed_stdout() {}
