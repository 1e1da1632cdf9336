//! What the program needs of the operating system beyond `std`: signals, and waiting for input and for the
//! reader of messages with a time limit.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;
