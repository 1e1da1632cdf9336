//! Vectors by an array or by registers, and the search for canonical forms with the best of them.

#[cfg(target_arch = "x86_64")]
mod avx2;
mod portable;

use super::search::search;
use super::vectors::Vectors;
use crate::Grid;
use tallyboard_base::cpu::{Instructions, Kernel};

/// The canonical form, by the best instructions that this CPU has. Registers of 128 bits hold a row, so wider ones are of no use.
pub(super) fn canonical(grid: &Grid) -> Grid {
    with(Instructions::of_or_best(Kernel::Avx2), grid)
}

/// The canonical form, by AVX2 or by plain arithmetic.
pub(super) fn with(instructions: Instructions, grid: &Grid) -> Grid {
    match instructions {
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2(proof) => avx2::canonical(proof, avx2::Registers::new(proof), grid),
        _ => search(portable::Arrays, grid),
    }
}
