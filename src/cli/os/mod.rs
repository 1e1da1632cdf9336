//! What the program asks of the operating system beyond what `std` offers: signals, and waiting for input and for
//! the readers of messages no longer than wanted.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;
