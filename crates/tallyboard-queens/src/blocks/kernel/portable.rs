//! One node at a time in plain arithmetic, for every CPU.
//!
//! Batches are faster even without vectors. The end of a stack moves by 0 or 1, where single nodes would need a
//! branch on whether the node stays; so few branches are mispredicted.

use super::batch;
use super::nodes::{Lanes, StackMemory, Start};
use super::trail::Uses;
use tallyboard_base::cpu::operations;
use tallyboard_search::{Stop, Stopped};

pub(super) fn count(
    start: &Start,
    memory: &mut StackMemory,
    uses: Option<&mut Uses>,
    stop: &Stop,
) -> Result<u64, Stopped> {
    // SAFETY: every CPU has these instructions, and every start fits 32 bits.
    unsafe { batch::count::<Word>(start, memory, uses, stop) }
}

#[derive(Clone, Copy)]
struct Word(u32);

impl Lanes for Word {
    type Word = u32;
    type Distance = u32;
    type Mask = bool;
    const N: usize = 1;
    const BATCH: usize = 256;

    operations! {
        unsafe {
            fn splat(value: u32) -> Self = Self(value);
            fn load(from: *const u32) -> Self = Self(from.read());
            fn store(self, to: *mut u32) = to.write(self.0);
            fn squeeze(mask: bool, parts: [Self; 4], to: [*mut u32; 4]) -> usize = {
                for part in 0..4 {
                    to[part].write(parts[part].0);
                }
                usize::from(mask)
            };
            fn distance(distance: u32) -> u32 = distance;
        }

        fn up(self, distance: u32) -> Self = Self(self.0.wrapping_shl(distance));
        fn down(self, distance: u32) -> Self = Self(self.0.wrapping_shr(distance));
        fn or(self, other: Self) -> Self = Self(self.0 | other.0);
        fn and(self, other: Self) -> Self = Self(self.0 & other.0);
        fn xor(self, other: Self) -> Self = Self(self.0 ^ other.0);
        fn or_and(self, b: Self, c: Self) -> Self = Self(self.0 | b.0 & c.0);
        fn nor(self, b: Self, c: Self) -> Self = Self(!(self.0 | b.0 | c.0));
        fn times(self, other: Self) -> Self = Self(self.0.wrapping_mul(other.0));
        fn without_lowest(self) -> Self = Self(self.0 & self.0.wrapping_sub(1));

        fn meets(self, other: Self) -> bool = self.0 & other.0 != 0;
        fn equals(self, other: Self) -> bool = self.0 == other.0;
        fn both(a: bool, b: bool) -> bool = a & b;
        fn but_not(a: bool, b: bool) -> bool = a & !b;
        fn lanes(mask: bool) -> u64 = mask.into();
    }
}
