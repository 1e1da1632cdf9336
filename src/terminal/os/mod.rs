//! The services of the operating system that `std` does not offer: signals, waiting for input and for standard error with a time
//! limit, standard streams as files, and whether they were closed when the program was started.

#[cfg(not(unix))]
mod other;
#[cfg(unix)]
mod unix;

#[cfg(not(unix))]
pub use other::*;
#[cfg(unix)]
pub use unix::*;
