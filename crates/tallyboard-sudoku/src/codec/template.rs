//! The template of the rows of a run.

use std::mem::MaybeUninit;
use std::ops::Range;

use crate::CELLS;
use tallyboard_base::array::array;

/// The parts of a row: text, a piece of the record, text around the count, the solution, text.
#[derive(Clone, Copy, PartialEq)]
pub struct Template {
    pub(super) before: ShortText,
    /// Begin and end of the piece of the record.
    pub(super) copied: (usize, usize),
    pub(super) middle: ShortText,
    /// Where the digit of the count stands in `middle`.
    pub(super) count: Option<usize>,
    pub(super) end: ShortText,
}

/// Short text, in a block of bytes that is copied whole.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct ShortText {
    block: [u8; SHORT_TEXT_BYTES],
    pub(super) length: usize,
}

/// Bytes of the block.
pub(super) const SHORT_TEXT_BYTES: usize = 32;

impl ShortText {
    const fn new(text: &[u8]) -> Self {
        let mut block = [0; SHORT_TEXT_BYTES];
        block.split_at_mut(text.len()).0.copy_from_slice(text);
        Self { block, length: text.len() }
    }

    /// Writes the block. The caller overwrites the bytes after the text.
    #[inline(always)]
    pub(super) fn put(&self, target: &mut [MaybeUninit<u8>]) {
        let target: &mut [_; SHORT_TEXT_BYTES] = target.first_chunk_mut().expect("a row has room");
        *target = array(|i| MaybeUninit::new(self.block[i]));
    }
}

impl Template {
    /// `puzzle:count:solution`
    pub(super) const USUAL: Self = Self::new(b"", 0..CELLS, b":?:", b"\n");
    /// The solution alone.
    pub(super) const BARE: Self = Self::new(b"", 0..0, b"", b"\n");

    /// Rows of `before`, the bytes `copied` from the record, `middle` with the count in place of its
    /// `?`, the solution, and `end`. The pieces of text have 32 bytes at most.
    pub const fn new(before: &[u8], copied: Range<usize>, middle: &[u8], end: &[u8]) -> Self {
        let mut count = None;
        let mut at = 0;
        while at < middle.len() {
            if middle[at] == b'?' {
                count = Some(at);
            }
            at += 1;
        }
        Self {
            before: ShortText::new(before),
            copied: (copied.start, copied.end),
            middle: ShortText::new(middle),
            count,
            end: ShortText::new(end),
        }
    }

    /// The length of a row.
    pub(super) fn length(&self) -> usize {
        let copied = self.copied.1 - self.copied.0;
        self.before.length + copied + self.middle.length + CELLS + self.end.length
    }
}
