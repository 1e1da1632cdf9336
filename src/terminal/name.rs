//! The name of the program that runs, as its messages begin.

use std::sync::OnceLock;

static NAME: OnceLock<&str> = OnceLock::new();

/// Names the program. Only the first call counts: a process has one program.
pub fn set_program_name(name: &'static str) {
    let _ = NAME.set(name);
}

/// The name of the program.
pub fn program_name() -> &'static str {
    NAME.get().copied().unwrap_or("tallyboard")
}
