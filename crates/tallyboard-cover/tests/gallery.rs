//! Promise: every file of the gallery has the count that its comment states, by two engines where two can count it.

mod support;

use std::fs;

use support::instances::{GALLERY, gallery, gallery_text};
use tallyboard_cover::format::{known_count, known_remainder};
use tallyboard_cover::{Count, Engine, Settings};

/// A prime, the modulus of counts that do not fit in 128 bits.
const P: u64 = 1_000_000_007;

/// The names of all puzzles of the gallery.
fn names() -> Vec<String> {
    let files = fs::read_dir(GALLERY).unwrap().map(|file| file.unwrap().file_name());
    let names = files.map(|name| name.into_string().unwrap());
    let mut names: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(".txt")?.to_owned())).collect();
    names.sort();
    names
}

/// Counts a puzzle by the engine that is chosen for it, and by another one that is not too slow.
fn check(name: &str) {
    let cover = gallery(name);
    let text = gallery_text(name);
    let (expected, modulus) = match known_count(text.as_bytes()) {
        Some(count) => (count, None),
        None => (known_remainder(text.as_bytes(), P).expect("a count").into(), Some(P)),
    };
    let settings = Settings::new().modulo(modulus);
    let count = Count::with(&cover, settings).unwrap();
    assert_eq!(count.total(), Ok(expected), "{name} by {}", count.engine());
    let other = match count.engine() {
        // Its frontier has more states than fit in memory.
        Engine::Masks if name.starts_with("macmahon") || name.starts_with("conway") => return,
        Engine::Masks => Engine::Frontier,
        // A search would take hours for more.
        Engine::Frontier if expected < 20_000_000 && modulus.is_none() => Engine::Masks,
        Engine::Frontier | Engine::Sets => return,
    };
    let count = Count::with(&cover, settings.engine(other)).unwrap();
    assert_eq!(count.total(), Ok(expected), "{name} by {other}");
}

#[test]
fn small_puzzles_of_the_gallery_have_their_counts() {
    let names = names();
    assert!(names.len() >= 43);
    let is_small = |name: &&String| !LARGE.split(' ').any(|large| name.contains(large));
    let small: Vec<&String> = names.iter().filter(is_small).collect();
    assert!(small.len() >= 20);
    small.into_iter().for_each(|name| check(name));
}

/// Names of puzzles that take more than a moment in a debug build.
const LARGE: &str = "pentominoes- queens-1 langford-12 skolem-12 L-and-P hexiamonds macmahon conway dominoes-20x20 \
                     dominoes-and-cells";

#[test]
#[ignore = "a minute in a release build"]
fn all_puzzles_of_the_gallery_have_their_counts() {
    names().iter().for_each(|name| check(name));
}
