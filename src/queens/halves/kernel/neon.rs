//! NEON: four keys in one or two registers, a table row four registers.
//!
//! ```text
//! unions, split, filter:  for every four keys: which lanes to keep; move them together
//! busy:                   samples added bit by bit, as binary numbers; each digit is spread into bytes at the end
//! tabulate:               transpose the keys, make the rows
//! count:                  for each key: disjoint = AND of one row a group; ones of each byte, added to one register
//! ```
//!
//! Departures from the portable kernel:
//!
//! 1. Lanes are moved together by a table of bytes, looked up by the mask of lanes to keep, and stored
//!    whole: the store runs over the end, for which the lists keep room.
//! 2. One sum across a mask tells which lanes are in it and how many.
//! 3. Planes stay in registers through two or three steps of the transposition; the two that swap whole
//!    bytes and half words are permutations of lanes. Rows are made from eight that stay in registers.
//! 4. The ones of the four registers of a row are added in bytes, and these once a key to sums of 16 bits.

mod lists;
mod table;

use lists::{half_words, words};

use super::portable::{self, Squeeze};
use super::{Kernel, Lists, Table, for_shapes};
use crate::cpu::{Neon, neon};

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

                fn busy(self, a: &[$key], b: &[$key], _table: &mut Table) -> [[u16; 64]; 2] {
                    [$width::busy(a), $width::busy(b)]
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

        fn any(self, keys: &[u64]) -> u64 {
            portable::any(keys)
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
