//! What a count with masks of fewer words begins with.

use crate::masks::MAX_WORDS;
use crate::masks::machine::{List, Machine};
use ::search::Pace;

/// A count that goes on with masks of fewer words.
pub struct Narrow<'a, 'p> {
    pub machine: &'a mut Machine,
    pub list: List,
    pub open: [u64; MAX_WORDS],
    pub plain: [u64; MAX_WORDS],
    pub pairs: [u64; MAX_WORDS],
    pub top: usize,
    pub pace: &'a mut Pace<'p>,
}
