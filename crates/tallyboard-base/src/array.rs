//! Arrays for inner loops.

/// [`std::array::from_fn`], but always inlined. Without link-time optimisation (`lto` in Cargo.toml) the
/// library functions behind that one, behind `map` of arrays and behind `zip` are compiled apart from a
/// kernel, without its instructions, and kernels take up to seven times as long. So kernels make arrays with
/// this function and walk through them by index.
#[inline(always)]
pub fn array<T: Copy, const N: usize>(item: impl Fn(usize) -> T) -> [T; N] {
    let mut items = [item(0); N];
    for i in 1..N {
        items[i] = item(i);
    }
    items
}
