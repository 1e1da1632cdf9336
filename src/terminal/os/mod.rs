//! What the program needs of the operating system beyond `std`: signals, and waits with a time limit, for input and
//! until standard error takes a message.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;
