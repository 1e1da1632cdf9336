//! The name with which the messages of the program begin.

use std::sync::OnceLock;

static NAME: OnceLock<&str> = OnceLock::new();

/// Sets the name. Only the first call has an effect: a process has one program.
pub fn set_program_name(name: &'static str) {
    let _ = NAME.set(name);
}

/// The name that was set, or else `tallyboard`.
pub fn program_name() -> &'static str {
    NAME.get().copied().unwrap_or("tallyboard")
}
