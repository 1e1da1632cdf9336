//! The inner loops of `kernel.rs` for CPUs with AVX-512, 512 bits at a time.

use std::arch::x86_64::*;
use std::mem::transmute;

use super::kernel::{Block, FACTORS_AT_ONCE, Mask, Prepared};

/// As [`Prepared::sieve`].
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub fn sieve(prepared: &Prepared, block: &Block) -> Mask {
    // SAFETY: both sides are 128 bytes of plain numbers.
    let [lower, upper]: [__m512i; 2] = unsafe { transmute(prepared.shifted) };
    let high = _mm512_set1_epi32(block.high as i32);
    let numbers = [lower, upper].map(|shifted| {
        let common = _mm512_popcnt_epi32(_mm512_and_si512(shifted, high));
        let number = _mm512_sub_epi32(_mm512_set1_epi32(prepared.t as i32), common);
        _mm512_min_epu32(number, _mm512_set1_epi32(15))
    });
    // SAFETY: both sides are 128 bytes of plain numbers.
    let numbers: [u32; 32] = unsafe { transmute(numbers) };
    // SAFETY: both sides are 64 bytes of plain numbers.
    let mut left: __m512i = unsafe { transmute(block.members) };
    for (row, number) in prepared.rows.iter().zip(numbers) {
        // SAFETY: both sides are 64 bytes of plain numbers.
        let mask: __m512i = unsafe { transmute(row[number as usize % 16]) };
        left = _mm512_and_si512(left, mask);
    }
    // SAFETY: both sides are 64 bytes of plain numbers.
    unsafe { transmute(left) }
}

/// As [`Prepared::sum_of_products`], of 16 sets at once.
#[target_feature(enable = "avx512f,avx512vpopcntdq,popcnt")]
pub fn sum_of_products(prepared: &Prepared, sets: &[u32; 16]) -> i128 {
    let one = _mm512_set1_epi32(1);
    // SAFETY: both sides are 64 bytes of plain numbers.
    let sets: __m512i = unsafe { transmute(*sets) };
    let missing = _mm512_sub_epi32(_mm512_set1_epi32(prepared.n as i32), _mm512_popcnt_epi32(sets));
    let negative = _mm512_test_epi32_mask(missing, one);
    // Products of up to seven factors. The first product has the sign of the set as well.
    let mut groups = [one; 5];
    groups[0] = _mm512_mask_sub_epi32(one, negative, _mm512_setzero_si512(), one);
    for (shifted, group) in
        prepared.shifted[..prepared.n as usize].chunks(FACTORS_AT_ONCE).zip(&mut groups)
    {
        let mut product = *group;
        for &set in shifted {
            let common = _mm512_and_si512(sets, _mm512_set1_epi32(set as i32));
            let factor =
                _mm512_sub_epi32(_mm512_popcnt_epi32(common), _mm512_set1_epi32(prepared.t as i32));
            product = _mm512_mullo_epi32(product, factor);
        }
        *group = product;
    }
    let mut sum = 0i128;
    // Even lanes, then odd ones.
    for _ in 0..2 {
        let [a, b, c, d, e] = groups;
        let products = [_mm512_mul_epi32(a, b), _mm512_mul_epi32(c, d), _mm512_mul_epi32(e, one)];
        // SAFETY: both sides are 192 bytes of plain numbers.
        let [ab, cd, e]: [[i64; 8]; 3] = unsafe { transmute(products) };
        for lane in 0..8 {
            let abcd = i128::from(ab[lane]) * i128::from(cd[lane]);
            sum = sum.wrapping_add(abcd.wrapping_mul(i128::from(e[lane])));
        }
        groups = groups.map(|group| _mm512_srli_epi64(group, 32));
    }
    sum
}
