//! The services of the operating system that `std` does not offer: signals, waiting for input with a time limit, and
//! waiting with a time limit until standard error takes a message.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;
