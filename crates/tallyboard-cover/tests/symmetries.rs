//! Covers up to symmetry, against the orbits of the covers themselves.

use std::collections::BTreeSet;

use crate::support::classes;
use crate::support::random::{Flavour, cover};
use tallyboard_base::random::Random;
use tallyboard_cover::format::{read, read_symmetries};
use tallyboard_cover::{Cover, Entry, Group, Solutions, Symmetry};

/// The number of orbits of the covers, listed and moved by the generators.
fn orbits(cover: &Cover, generators: &[Symmetry]) -> usize {
    let mut left: BTreeSet<Vec<u32>> = Solutions::new(cover).collect();
    let mut orbits = 0;
    while let Some(first) = left.pop_first() {
        orbits += 1;
        let mut orbit = vec![first];
        while let Some(solution) = orbit.pop() {
            for generator in generators {
                let mut image: Vec<u32> =
                    solution.iter().map(|&option| generator.image(option)).collect();
                image.sort_unstable();
                if left.remove(&image) {
                    orbit.push(image);
                }
            }
        }
    }
    orbits
}

/// The cycles of a random permutation that takes items to items of their kind.
fn cycles(random: &mut Random, cover: &Cover) -> Vec<Vec<u32>> {
    let items = cover.items();
    let mut left: Vec<u32> = (0..items.len() as u32).collect();
    let mut cycles = Vec::new();
    while let Some(first) = left.pop() {
        let mut cycle = vec![first];
        let kind = items[first as usize].kind();
        while random.below_wide(2) == 0 {
            let same = |&place: &usize| items[left[place] as usize].kind() == kind;
            let Some(place) = (0..left.len()).find(same) else { break };
            cycle.push(left.remove(place));
        }
        cycles.push(cycle);
    }
    cycles
}

/// The image of an entry under cycles.
fn image(cycles: &[Vec<u32>], entry: Entry) -> Entry {
    for cycle in cycles {
        if let Some(place) = cycle.iter().position(|&item| item == entry.item) {
            return Entry { item: cycle[(place + 1) % cycle.len()], ..entry };
        }
    }
    entry
}

/// The cover with all images of its options under cycles, each as often as the option itself.
fn closed(cover: &Cover, all: &[Vec<Vec<u32>>]) -> Cover {
    let mut closed = Cover::new();
    for item in cover.items() {
        closed.add_item(item.name(), item.kind()).unwrap();
    }
    // The colours get the numbers that they have in `cover`.
    for colour in 0..8 {
        closed.colour(&format!("c{colour}")).unwrap();
    }
    let sorted = |entries: &[Entry]| {
        let mut sorted = entries.to_vec();
        sorted.sort_unstable();
        sorted
    };
    let mut options: Vec<Vec<Entry>> = Vec::new();
    let given: BTreeSet<Vec<Entry>> = cover.options().map(sorted).collect();
    options.extend(given.into_iter().take(5));
    let mut next = 0;
    while next < options.len() && options.len() < 16 {
        for cycles in all {
            let images: Vec<Entry> =
                options[next].iter().map(|&entry| image(cycles, entry)).collect();
            let image = sorted(&images);
            if !options.contains(&image) {
                options.push(image);
            }
        }
        next += 1;
    }
    for option in options {
        closed.add_option(option).unwrap();
    }
    closed
}

/// Checks random covers with one or two symmetries. Skips covers that are not closed under them at 16 options.
fn agree(flavour: Flavour, seed: u64, wanted: u32) {
    let mut random = Random::from_seed(seed);
    let mut checked = 0;
    let mut merged = 0;
    while checked < wanted {
        let given = cover(&mut random, flavour);
        let all: Vec<Vec<Vec<u32>>> =
            (0..1 + random.below_wide(2)).map(|_| cycles(&mut random, &given)).collect();
        let cover = closed(&given, &all);
        let named = |cycle: &Vec<u32>| -> Vec<&str> {
            cycle.iter().map(|&item| cover.items()[item as usize].name()).collect()
        };
        let symmetry = |cycles: &Vec<Vec<u32>>| {
            Symmetry::from_cycles(&cover, &cycles.iter().map(named).collect::<Vec<_>>())
        };
        let generators: Result<Vec<Symmetry>, _> = all.iter().map(symmetry).collect();
        let Ok(generators) = generators else { continue };
        let covers = Solutions::new(&cover).count();
        if covers == 0 || covers > 3_000 {
            continue;
        }
        let group = Group::new(&cover, &generators).unwrap();
        let expected = orbits(&cover, &generators);
        assert_eq!(classes(&cover, &group), expected as u128, "{flavour:?} {checked}");
        merged += u32::from(expected < covers);
        checked += 1;
    }
    assert!(
        merged > wanted / 20,
        "{flavour:?}: symmetries move covers in {merged} of {wanted} only"
    );
}

#[test]
fn plain_covers_up_to_symmetry_are_the_orbits() {
    agree(Flavour::Plain, 11, 150);
}

#[test]
fn coloured_covers_up_to_symmetry_are_the_orbits() {
    agree(Flavour::Colours, 12, 150);
}

#[test]
fn covers_with_multiplicities_up_to_symmetry_are_the_orbits() {
    agree(Flavour::Multiplicities, 13, 150);
}

/// Thirteen kinds of dominoes on 2 x 2, each up to twice: to tell apart how often a turn covers each kind would take 2^13 cases.
#[test]
fn bounds_that_no_cover_exceeds_make_no_cases() {
    let kinds = || ('A'..='M').map(|kind| kind.to_string());
    let mut text = "| symmetry: (a b d c)\n| symmetry: (a b)(c d)\n".to_owned();
    text += &kinds().map(|kind| format!("0:2|{kind} ")).collect::<String>();
    text += "a b c d\n";
    for places in ["a b", "c d", "a c", "b d"] {
        text += &kinds().map(|kind| format!("{kind} {places}\n")).collect::<String>();
    }
    let input = read(text.as_bytes(), "dominoes").unwrap();
    let symmetries = read_symmetries(text.as_bytes(), "dominoes", input.cover()).unwrap();
    let group = Group::new(input.cover(), &symmetries).unwrap();
    let expected = orbits(input.cover(), &symmetries);
    assert_eq!(classes(input.cover(), &group), expected as u128);
    // Two kinds side by side, in whatever order.
    assert_eq!(expected, 13 * 14 / 2);
}

/// Four queens: rows and columns turned, and turned over.
const QUEENS: &str = "\
| symmetry: (r0 c0 r3 c3)(r1 c1 r2 c2)
|symmetry:(r0 r3) (r1 r2)
r0 r1 r2 r3 c0 c1 c2 c3
";

#[test]
fn symmetries_are_read_from_comments() {
    let mut text = QUEENS.to_owned();
    for row in 0..4 {
        for column in 0..4 {
            text += &format!("r{row} c{column}\n");
        }
    }
    let input = read(text.as_bytes(), "rooks").unwrap();
    let symmetries = read_symmetries(text.as_bytes(), "rooks", input.cover()).unwrap();
    let group = Group::new(input.cover(), &symmetries).unwrap();
    assert_eq!(group.order(), 8);
    assert_eq!(group.classes().count(), 5, "the classes of a square's symmetries");
    // Rooks on 4 x 4 up to symmetry (OEIS A000903).
    assert_eq!(classes(input.cover(), &group), 7);
}

#[test]
fn mistakes_in_symmetries_are_reported_with_their_line() {
    let options = "a b c | s\na s\nb s\nc\n";
    for (line, expected) in [
        ("(a d)", "found 'd' in a symmetry"),
        ("(a b a)", "found the item 'a' twice"),
        ("(a b)(c a)", "found the item 'a' twice"),
        ("(a s)", "found that 'a' goes to 's'"),
        ("(a c)", "found no option 'c s' for the image of 'a s'"),
        ("a b", "found 'a b', expected cycles"),
        ("(a b", "found '(a b', expected cycles"),
        ("()", "found '()', expected cycles"),
        ("", "found '', expected cycles"),
    ] {
        let text = format!("| p\n| symmetry: {line}\n{options}");
        let input = read(text.as_bytes(), "p").unwrap();
        let error = read_symmetries(text.as_bytes(), "p", input.cover()).unwrap_err().to_string();
        assert!(error.starts_with(&format!("p, line 2: {expected}")), "{line}: {error}");
    }
    let text = format!("| symmetry: (a b)\n{options}");
    let input = read(text.as_bytes(), "p").unwrap();
    assert_eq!(read_symmetries(text.as_bytes(), "p", input.cover()).unwrap().len(), 1);
}
