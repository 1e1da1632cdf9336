//! Promise: every engine and kernel agrees with an enumerator that tries every set of options.

mod support;

use base::Kernel;
use support::random::{Flavour, Random, cover, large_cover};
use support::{instances, naive, ruler};
use tallyboard_cover::{Count, CountError, Cover, Engine, Settings, Solutions, format};

/// The count by each engine and kernel.
fn counts(cover: &Cover) -> Vec<(String, u128)> {
    let mut counts = Vec::new();
    let mut add = |name: String, settings: Settings| match Count::with(cover, settings) {
        Ok(count) => counts.push((name, count.total().unwrap())),
        Err(error) => assert!(matches!(error, CountError::NotFor(_)), "{error}"),
    };
    add("default".to_owned(), Settings::new());
    for engine in [Engine::Frontier, Engine::Sets] {
        add(engine.to_string(), Settings::new().engine(engine));
    }
    for kernel in Kernel::available() {
        add(kernel.to_string(), Settings::new().engine(Engine::Masks).kernel(kernel));
    }
    counts
}

fn total(cover: &Cover) -> Result<u128, CountError> {
    Count::new(cover)?.total()
}

/// Checks random problems. The ruler, a plain counter, counts those without multiplicities too.
fn agree(flavour: Flavour, seed: u64, problems: u32) {
    let mut random = Random(seed);
    let mut solvable = 0;
    let mut several = 0;
    for number in 0..problems {
        let cover = cover(&mut random, flavour);
        let expected = naive::count(&cover);
        solvable += u32::from(expected > 0);
        several += u32::from(expected > 1);
        for (engine, found) in counts(&cover) {
            let text = || format::write(&cover, format::Format::Knuth).unwrap();
            assert_eq!(found, expected, "{engine}, {flavour:?} {number}\n{}", text());
        }
        assert_eq!(Solutions::new(&cover).count() as u128, expected);
        if flavour != Flavour::Multiplicities {
            assert_eq!(ruler::nodes(&cover).0, expected, "ruler, {flavour:?} {number}");
        }
    }
    assert!(solvable > problems / 10, "only {solvable} of {problems} have a cover");
    assert!(several > problems / 20, "only {several} of {problems} have several");
}

#[test]
fn plain_covers_agree_with_the_enumerator() {
    agree(Flavour::Plain, 1, 600);
}

#[test]
fn coloured_covers_agree_with_the_enumerator() {
    agree(Flavour::Colours, 2, 600);
}

#[test]
fn covers_with_multiplicities_agree_with_the_enumerator() {
    agree(Flavour::Multiplicities, 3, 500);
}

#[test]
fn wide_covers_agree_with_the_enumerator() {
    agree(Flavour::Wide, 4, 300);
}

/// Problems whose masks of several words are packed into fewer, and whose counts the memo uses again.
#[test]
fn large_covers_agree_with_the_ruler() {
    let mut random = Random(5);
    let mut several = 0;
    for number in 0..20 {
        let cover = large_cover(&mut random);
        let expected = ruler::nodes(&cover).0;
        several += u32::from(expected > 1);
        for kernel in Kernel::available() {
            let settings = Settings::new().engine(Engine::Masks).kernel(kernel);
            let found = Count::with(&cover, settings).unwrap().total();
            assert_eq!(found, Ok(expected), "{kernel}, {number}");
        }
    }
    assert!(several > 5, "only {several} of 20 have several covers");
}

#[test]
#[ignore = "minutes in a debug build"]
fn many_covers_agree_with_the_enumerator() {
    for (seed, flavour) in
        [Flavour::Plain, Flavour::Colours, Flavour::Multiplicities, Flavour::Wide]
            .iter()
            .enumerate()
    {
        agree(*flavour, 100 + seed as u64, 25_000);
    }
}

#[test]
fn small_puzzles_have_their_known_counts() {
    let grid = |n: usize| -> Vec<(usize, usize)> {
        let mut edges = Vec::new();
        for i in 0..n * n {
            edges.extend((i % n + 1 < n).then_some((i, i + 1)));
            edges.extend((i + n < n * n).then_some((i, i + n)));
        }
        edges
    };
    let known = [
        ("pentominoes 3 x 20", instances::pentominoes(3, 20, &[]), 8),
        ("soma", instances::soma(), 11_520),
        ("dominoes 4 x 4", instances::tiling("xx", 4, 4), 36),
        ("dominoes 6 x 6", instances::tiling("xx", 6, 6), 6_728),
        ("trominoes 6 x 9", instances::tiling("xx/x.", 6, 9), 4_312),
        ("langford 7", instances::langford(7), 26),
        ("langford 8", instances::langford(8), 150),
        ("queens 8", instances::queens(8), 92),
        ("latin 4", instances::latin(4), 576),
        ("bell 8", instances::bell(8), 4_140),
        ("steiner 7", instances::steiner(7), 30),
        ("petersen", instances::petersen(), 120),
        ("grid 4 x 4 in 3 colours", instances::colourings(16, &grid(4), 3), 7_812),
    ];
    for (name, cover, expected) in known {
        for (engine, found) in counts(&cover) {
            assert_eq!(found, expected, "{name}, {engine}");
        }
    }
}

#[test]
fn dominoes_and_single_cells_are_counted_with_bounds() {
    let cover = instances::dominoes_and_cells(5);
    assert_eq!(total(&cover), Ok(2_580_011));
}

#[test]
#[ignore = "seconds in a release build"]
fn large_puzzles_have_their_known_counts() {
    let known = [
        ("pentominoes 6 x 10", instances::pentominoes(6, 10, &[]), 9_356),
        ("pentominoes 5 x 12", instances::pentominoes(5, 12, &[]), 4_040),
        ("pentominoes 4 x 15", instances::pentominoes(4, 15, &[]), 1_472),
        ("pentominoes 8 x 8", instances::eight_by_eight(), 520),
        ("hexiamonds 6 x 6", instances::hexiamonds(), 624),
        ("langford 12", instances::langford(12), 108_144),
        ("langford 14", instances::langford(14), 0),
        ("queens 13", instances::queens(13), 73_712),
        ("macmahon 4 x 6", instances::macmahon(), 106_624),
        ("latin 5", instances::latin(5), 161_280),
        ("dominoes 8 x 8", instances::tiling("xx", 8, 8), 12_988_816),
        ("trominoes 9 x 9", instances::tiling("xx/x.", 9, 9), 1_193_600),
    ];
    for (name, cover, expected) in known {
        assert_eq!(total(&cover), Ok(expected), "{name}");
    }
}
