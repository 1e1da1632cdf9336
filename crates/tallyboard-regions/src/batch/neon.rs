//! The plain loops again, which the compiler turns into vectors of NEON.

use super::lanes::{Block, kernel};
use super::search::{Limits, Tasks, search};
use tallyboard_base::cpu::neon;
use tallyboard_search::{Stop, Stopped};

kernel! { neon, Block<u16, 32>, Block<u32, 16> }
