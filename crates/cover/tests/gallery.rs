//! Promise: every file of the gallery has the count that its comment states, by two engines where two can count it.

use std::fs;
use std::path::PathBuf;

use tallyboard_cover::format::{known_count, known_remainder, read};
use tallyboard_cover::{Count, Engine, Settings};

/// A prime, the modulus of counts that do not fit in 128 bits.
const P: u64 = 1_000_000_007;

/// A puzzle of the gallery.
struct Puzzle {
    name: String,
    bytes: Vec<u8>,
    /// The count that the file states, or its remainder by the modulus.
    expected: u128,
    modulus: Option<u64>,
}

fn gallery() -> Vec<Puzzle> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../puzzles");
    let mut puzzles = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if name.ends_with(".txt") {
            let bytes = fs::read(entry.path()).unwrap();
            let (expected, modulus) = match known_count(&bytes) {
                Some(count) => (count, None),
                None => {
                    let remainder = known_remainder(&bytes, P);
                    (remainder.expect("a count in the head").into(), Some(P))
                }
            };
            puzzles.push(Puzzle { name, bytes, expected, modulus });
        }
    }
    puzzles.sort_by(|a, b| a.name.cmp(&b.name));
    puzzles
}

/// Counts a puzzle by the engine that is chosen for it, and by another one that is not too slow.
fn check(puzzle: &Puzzle) {
    let Puzzle { name, bytes, expected, modulus } = puzzle;
    let input = read(bytes, name).unwrap();
    let settings = Settings::new().modulo(*modulus);
    let count = Count::with(input.cover(), settings).unwrap();
    assert_eq!(count.total(), Ok(*expected), "{name} by {}", count.engine());
    let other = match count.engine() {
        // Its frontier has more states than fit in memory.
        Engine::Masks if name.starts_with("macmahon") || name.starts_with("conway") => return,
        Engine::Masks => Engine::Frontier,
        // A search would take hours for more.
        Engine::Frontier if *expected < 20_000_000 && modulus.is_none() => Engine::Masks,
        Engine::Frontier => return,
        Engine::Sets => return,
    };
    let count = Count::with(input.cover(), settings.engine(other)).unwrap();
    assert_eq!(count.total(), Ok(*expected), "{name} by {other}");
}

#[test]
fn small_puzzles_of_the_gallery_have_their_counts() {
    let gallery = gallery();
    assert!(gallery.len() >= 43);
    let mut checked = 0;
    for puzzle in &gallery {
        let is_large = LARGE.iter().any(|large| puzzle.name.contains(large));
        if !is_large {
            check(puzzle);
            checked += 1;
        }
    }
    assert!(checked >= 20);
}

/// Names of puzzles that take more than a moment in a debug build.
const LARGE: [&str; 10] = [
    "pentominoes-",
    "queens-1",
    "langford-12",
    "skolem-12",
    "L-and-P",
    "hexiamonds",
    "macmahon",
    "conway",
    "dominoes-20x20",
    "dominoes-and-cells",
];

#[test]
#[ignore = "a minute in a release build"]
fn all_puzzles_of_the_gallery_have_their_counts() {
    gallery().iter().for_each(check);
}
