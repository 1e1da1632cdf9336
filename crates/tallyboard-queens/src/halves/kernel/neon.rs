//! NEON: four keys fill one or two registers, a row of a table fills four.
//!
//! ```text
//! unions, split, filter:  for every four keys: which lanes to keep; move them together
//! bit_frequencies:        add samples bit by bit, as binary numbers; at the end, turn the digits into numbers
//! tabulate:               transpose the keys, make the rows
//! count:                  for each key: disjoint = AND of one row a group; counts += ones of disjoint
//! ```
//!
//! Departures from the portable kernel:
//!
//! 1. A permutation of bytes, looked up by the mask of lanes to keep, moves these lanes together. They are
//!    stored whole: the store runs past the end, where lists have room (`Writer`).
//! 2. One sum across a mask tells which lanes are in it and how many.
//! 3. Planes stay in registers through two or three steps of the transposition. Its two steps that swap half
//!    words and bytes are permutations of lanes. Rows are made from eight that stay in registers.
//! 4. The ones of a row's four registers are added byte by byte, and then, once per key, to sums of 16 bits.

mod lists;
mod table;

use lists::{half_words, words};

use super::portable::{self, Squeeze};
use super::{Kernel, Lists, Table, for_shapes};
use tallyboard_base::cpu::{Neon, neon};

/// The proof that this kernel takes.
pub(super) type Proof = Neon;

pub(super) fn proof(instructions: Proof) -> Option<Proof> {
    Some(instructions)
}

macro_rules! lists {
    ($width:ident, $key:ty) => {
        impl Lists<$key> for Neon {
            neon! {
                fn split(
                    self, keys: &[$key], bit: u32, without: &mut Vec<$key>, with: &mut Vec<$key>
                ) -> [u64; 2] {
                    $width::split::<true>(keys, bit, without, with)
                }

                fn filter(self, keys: &[$key], bit: u32, without: &mut Vec<$key>) -> u64 {
                    $width::split::<false>(keys, bit, without, &mut Vec::new())[0]
                }

                fn bit_frequencies(self, a: &[$key], b: &[$key], _table: &mut Table) -> [[u16; 64]; 2] {
                    [$width::bit_frequencies(a), $width::bit_frequencies(b)]
                }
            }
        }
    };
}

lists!(words, u64);
lists!(half_words, u32);

impl Kernel for Neon {
    neon! {
        fn unions<'a>(self, lists: impl Iterator<Item = [&'a [u64]; 2]>, out: &mut Vec<u64>) {
            for [top, bottom] in lists {
                words::unions(top, bottom, out);
            }
        }

        fn union(self, keys: &[u64]) -> u64 {
            portable::union(keys)
        }

        fn narrow(self, keys: &[u64], relevant: u64, out: &mut Vec<u32>) {
            words::narrow(keys, &Squeeze::new(relevant), out);
        }

        fn tabulate(self, table: &mut Table, keys: &[u32], relevant: u32) {
            table::tabulate(table, keys, relevant);
        }

        fn count(self, table: &Table, keys: &[u32], relevant: u32) -> u64 {
            for_shapes!(table::count, table, keys, relevant)
        }
    }
}
