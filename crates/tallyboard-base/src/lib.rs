//! What every crate of tallyboard builds on, and what knows no search and no puzzle.
//!
//! * for kernels: [`cpu`], proof that the processor has the instructions; [`array`](mod@array); [`bits`](mod@bits)
//! * for measuring: `clock` (with its feature), [`statistics`], [`random`] numbers
//! * for readers: [`bound`], how much of an input is held
//! * of the machine: [`memory`], how much is left; [`system`] reads `/proc`
//! * for people: [`figures`] are numbers as text, [`named`] are enums with names
//! * for files: [`text`], lines, signs of blank cells, values in brackets, XML
//! * [`idle`]: memory that workers use again

pub mod array;
pub mod bits;
pub mod bound;
#[cfg(feature = "clock")]
pub mod clock;
pub mod cpu;
pub mod figures;
pub mod idle;
pub mod memory;
pub mod named;
pub mod random;
pub mod statistics;
pub mod system;
pub mod text;

pub use cpu::{Kernel, KernelMissing};
pub use named::UnknownName;
