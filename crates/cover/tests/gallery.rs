//! The gallery: every file has the count that its head says, by two engines where two can count it.

use std::fs;
use std::path::PathBuf;

use tallyboard_cover::format::{known_count, read};
use tallyboard_cover::{Count, Engine, Settings};

/// The files, with their bytes and the counts in their heads.
fn gallery() -> Vec<(String, Vec<u8>, u128)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../puzzles");
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let name = entry.file_name().into_string().unwrap();
        if name.ends_with(".txt") {
            let bytes = fs::read(entry.path()).unwrap();
            let count = known_count(&bytes)
                .unwrap_or_else(|| panic!("{name}: expected its count in the head"));
            files.push((name, bytes, count));
        }
    }
    files.sort();
    files
}

fn check(name: &str, bytes: &[u8], expected: u128) {
    let input = read(bytes, name).unwrap();
    let count = Count::new(input.cover()).unwrap();
    assert_eq!(count.total(), Ok(expected), "{name} by {}", count.engine());
    let other = match count.engine() {
        Engine::Masks => Engine::Frontier,
        // A search would take hours for more.
        Engine::Frontier if expected < 20_000_000 => Engine::Masks,
        Engine::Frontier => return,
        Engine::Sets => return,
    };
    let count = Count::with(input.cover(), Settings::new().engine(other)).unwrap();
    assert_eq!(count.total(), Ok(expected), "{name} by {other}");
}

#[test]
fn small_puzzles_of_the_gallery_have_their_counts() {
    let gallery = gallery();
    assert!(gallery.len() >= 30);
    let mut checked = 0;
    for (name, bytes, expected) in &gallery {
        let is_large = ["pentominoes-", "queens-1", "langford-12", "skolem-12", "L-and-P"]
            .iter()
            .any(|large| name.contains(large));
        if !is_large {
            check(name, bytes, *expected);
            checked += 1;
        }
    }
    assert!(checked >= 15);
}

#[test]
#[ignore = "ten seconds in a release build"]
fn all_puzzles_of_the_gallery_have_their_counts() {
    for (name, bytes, expected) in gallery() {
        check(&name, &bytes, expected);
    }
}
