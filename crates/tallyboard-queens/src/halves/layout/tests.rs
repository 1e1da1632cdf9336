//! The subtrees of every board are those in stored results: numbers, row sets, cuts, costs.

use std::sync::Arc;

use super::*;
use crate::golden;
use crate::halves::case::{Keep, cases};
use crate::halves::subsets::Subsets;

fn with_layout<T>(n: u32, found: impl FnOnce(&Layout) -> T) -> T {
    let sizes = Sizes::new(n);
    let cases = cases(&Arc::new(Subsets::new(sizes)), Keep::Bottoms(0));
    found(&Layout { sizes, cases: &cases, costs: &CostModel::new(sizes) })
}

/// The number of subtrees and a checksum of all that they hold, in order.
fn fingerprint(subtrees: &[Subtree]) -> (usize, u32) {
    let mut hasher = crc32fast::Hasher::new();
    for Subtree { case, slice, size, tops, bottoms, share } in subtrees {
        hasher.update(&[*case, *size, slice.depth]);
        for number in [slice.path, tops.first, tops.last, bottoms.first, bottoms.last] {
            hasher.update(&number.to_le_bytes());
        }
        hasher.update(&share.to_le_bytes());
    }
    (subtrees.len(), hasher.finalize())
}

/// Compares a line for each board with the golden file. If it differs, raise `layout` of the engine's
/// `REVISION`, or results of two versions would merge to a wrong count.
fn check_layouts(name: &str, sizes: impl Iterator<Item = u32>) {
    let lines = sizes.map(|n| {
        let (subtrees, checksum) = with_layout(n, |layout| fingerprint(&layout.subtrees()));
        format!("n = {n}: {subtrees} subtrees, checksum {checksum:08x}\n")
    });
    golden::check(name, &lines.collect::<String>());
}

#[test]
fn subtrees_are_those_that_results_know() {
    check_layouts("halves/layouts.txt", (2..=24).chain([26]));
}

#[test]
#[ignore = "takes a minute without optimisation"]
fn subtrees_of_the_largest_boards_are_those_that_results_know() {
    check_layouts("halves/large_layouts.txt", [25, 27, 28].into_iter());
}

/// From n = 27 on row sets are cut by diagonals. Checks a few of them, cut as deep as the longest ones.
#[test]
fn cuts_of_the_largest_boards_are_those_that_results_know() {
    let cut = |(n, case, size)| {
        let (subtrees, deepest) = with_layout(n, |layout| {
            let class = layout.size_class(case, size);
            let mut subtrees = Vec::new();
            layout.cut_size_class(&class, 1.0 / min_subtrees(n), class.work * 200.0, &mut subtrees);
            (fingerprint(&subtrees), subtrees.iter().map(|subtree| subtree.slice.depth).max())
        });
        let (subtrees, checksum) = subtrees;
        let deepest = deepest.unwrap_or(0);
        assert!(deepest > 3, "n = {n}: cut {deepest} times");
        format!(
            "n = {n}, case {case}, {size} rows: {subtrees}, cut {deepest} times, {checksum:08x}\n"
        )
    };
    let cuts = [(27, 0, 12), (27, 12, 11), (28, 0, 13)].map(cut);
    golden::check("halves/cuts.txt", &cuts.concat());
}

/// The lowest bit of a path is for the first diagonal, and the part without a diagonal comes first.
#[test]
fn slices_are_numbered_in_the_order_of_their_paths() {
    let bottoms = Positions { first: 5, last: 6 };
    let whole = Subtree {
        case: 3,
        slice: SlicePath::default(),
        size: 2,
        tops: Positions::new(4..5),
        bottoms,
        share: 1.0,
    };
    let mut subtrees = Vec::new();
    cut(&whole, 0.25, &mut subtrees);
    // The part without a diagonal has 0.6 of the work, the one with it 0.4; 0.24 is below the limit.
    let cuts: Vec<_> =
        subtrees.iter().map(|subtree| (subtree.slice.depth, subtree.slice.path)).collect();
    assert_eq!(cuts, [(3, 0b000), (3, 0b100), (2, 0b10), (2, 0b01), (2, 0b11)]);
    let shares: f32 = subtrees.iter().map(|subtree| subtree.share).sum();
    assert!((shares - 1.0).abs() < 1e-6, "{shares}");
    assert!(subtrees.iter().all(|subtree| Subtree {
        slice: whole.slice,
        share: 1.0,
        ..subtree.clone()
    } == whole));
    // A path holds fifteen diagonals at most.
    subtrees.clear();
    cut(&whole, 0.0, &mut subtrees);
    assert_eq!((subtrees.len(), subtrees[0].slice.depth), (1 << 15, 15));
    assert_eq!(subtrees[1].slice.path, 1 << 14);
}
