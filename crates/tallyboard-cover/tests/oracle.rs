//! Promise: every engine and kernel agrees with an enumerator that tries every set of options.

mod support;

use support::random::{Flavour, cover, large_cover};
use support::{instances, naive, ruler};
use tallyboard_base::Kernel;
use tallyboard_base::random::Random;
use tallyboard_cover::{Count, CountError, Cover, Engine, Settings, Solutions, format};
use tallyboard_search::Problem;

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

/// Checks random problems. The ruler, a plain counter, counts those without multiplicities too.
fn agree(flavour: Flavour, seed: u64, problems: u32) {
    let mut random = Random::from_seed(seed);
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
    let mut random = Random::from_seed(5);
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
    let flavours = [Flavour::Plain, Flavour::Colours, Flavour::Multiplicities, Flavour::Wide];
    for (flavour, seed) in flavours.into_iter().zip(100..) {
        agree(flavour, seed, 25_000);
    }
}

#[test]
fn small_puzzles_have_their_known_counts() {
    let mut known = vec![
        ("dominoes 4 x 4", instances::tiling("xx", 4, 4), 36),
        ("dominoes 6 x 6", instances::tiling("xx", 6, 6), 6_728),
        ("langford 7", instances::langford(7), 26),
    ];
    let names = "pentominoes-3x20 soma trominoes-6x9 langford-8 queens-8 sudoku-4x4 triples-7 petersen partitions-10";
    for name in names.split(' ') {
        let count = format::known_count(instances::gallery_text(name).as_bytes());
        known.push((name, instances::gallery(name), count.unwrap()));
    }
    for (name, cover, expected) in known {
        for (engine, found) in counts(&cover) {
            assert_eq!(found, expected, "{name}, {engine}");
        }
    }
}

/// Thirty-six million nodes, in subtrees none of which has a cover.
#[test]
#[ignore = "seconds in a release build"]
fn a_large_puzzle_without_covers() {
    let cover = instances::langford(14);
    let count = Count::new(&cover).unwrap();
    assert!(count.split().len() > 100, "{} subtrees", count.split().len());
    assert_eq!(count.total(), Ok(0));
}
