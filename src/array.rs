//! Arrays for inner loops.

/// As [`std::array::from_fn`], but part of whatever calls it. What stands behind that one, behind `map` of
/// arrays and behind `zip`, is compiled apart and without the instructions of a kernel; between units
/// that are optimised one by one (`lto` in Cargo.toml) it stays apart, and kernels take up to seven
/// times as long. In kernels arrays are therefore made here and walked through by index.
#[inline(always)]
pub(crate) fn array<T: Copy, const N: usize>(item: impl Fn(usize) -> T) -> [T; N] {
    let mut items = [item(0); N];
    for i in 1..N {
        items[i] = item(i);
    }
    items
}
