//! Small random problems.

use tallyboard_base::random::Random;
use tallyboard_cover::{Cover, Entry, Kind, NO_COLOUR};

/// What a random problem has besides primary and secondary items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flavour {
    Plain,
    Colours,
    Multiplicities,
    /// Multiplicities, and each option covers an item once at most: the cells of a board, and pieces.
    Pieces,
    /// Many items, and options that cover few of them.
    Wide,
    /// Items with bounds, of which options have weights.
    Weights,
    /// Weights, and each option covers an item that is covered once.
    Sums,
}

/// A problem of 64 options and hundreds of bits, which is too large for the enumerator. Two thirds of the options have the
/// colours of a hidden cover. Colours are encoded as pairs of bits in several words.
pub fn large_cover(random: &mut Random) -> Cover {
    const PRIMARIES: u64 = 16;
    const SECONDARIES: u64 = 40;
    let mut cover = Cover::new();
    for item in 0..PRIMARIES {
        let low = u32::from(random.below_wide(8) > 0);
        cover.add_item(&format!("p{item}"), Kind::Primary { low, high: 1 }).unwrap();
    }
    for item in 0..SECONDARIES {
        cover.add_item(&format!("s{item}"), Kind::Secondary).unwrap();
    }
    let colours: Vec<u32> = (0..9).map(|i| cover.colour(&format!("c{i}")).unwrap()).collect();
    let hidden: Vec<u32> =
        (0..SECONDARIES).map(|_| colours[random.below_wide(9) as usize]).collect();
    for option in 0..64 {
        let is_hidden = random.below_wide(3) > 0;
        let size = 1 + random.below_wide(2);
        let mut entries: Vec<Entry> = (0..size)
            .map(|i| Entry { item: ((option + i * 7) % PRIMARIES) as u32, colour: NO_COLOUR })
            .collect();
        for item in 0..SECONDARIES {
            if random.below_wide(5) == 0 {
                let colour = match random.below_wide(12) {
                    _ if is_hidden => hidden[item as usize],
                    0 => NO_COLOUR,
                    colour => colours[colour as usize % 9],
                };
                entries.push(Entry { item: (PRIMARIES + item) as u32, colour });
            }
        }
        cover.add_option(entries).unwrap();
    }
    cover
}

/// A problem of at most 13 options.
pub fn cover(random: &mut Random, flavour: Flavour) -> Cover {
    let mut cover = Cover::new();
    let primaries = match flavour {
        Flavour::Wide => 60 + random.below_wide(60),
        Flavour::Pieces | Flavour::Sums => 3 + random.below_wide(4),
        _ => 1 + random.below_wide(6),
    };
    let secondaries = random.below_wide(if flavour == Flavour::Wide { 80 } else { 5 });
    let stretch = if flavour == Flavour::Wide { 1 + random.below_wide(9) } else { 1 };
    for item in 0..primaries {
        let (low, high) = match (flavour, random.below_wide(4)) {
            (Flavour::Pieces, chance) if item < 3 => (u32::from(chance > 0), 1),
            (Flavour::Sums, _) if item < 3 => (1, 1),
            (Flavour::Sums | Flavour::Weights, 1..) => {
                let low = random.below_wide(12) as u32;
                (low, low + random.below_wide(5) as u32)
            }
            (Flavour::Multiplicities, 0) => (1, 1),
            (Flavour::Multiplicities | Flavour::Pieces, _) => {
                let low = random.below_wide(3) as u32;
                (low, low + random.below_wide(3) as u32)
            }
            (_, 0) => (0, 1),
            _ => (1, 1),
        };
        cover.add_item(&format!("p{item}"), Kind::Primary { low, high }).unwrap();
    }
    for item in 0..secondaries {
        cover.add_item(&format!("s{item}"), Kind::Secondary).unwrap();
        // Items that no option covers move the others into further words.
        for filler in 0..stretch - 1 {
            cover.add_item(&format!("f{item}.{filler}"), Kind::Secondary).unwrap();
        }
    }
    let colours: Vec<u32> =
        (0..1 + random.below_wide(6)).map(|i| cover.colour(&format!("c{i}")).unwrap()).collect();
    let options = 1 + random.below_wide(13);
    for _ in 0..options {
        let mut entries: Vec<Entry> = Vec::new();
        for item in 0..cover.items().len() as u32 {
            let kind = cover.items()[item as usize].kind();
            let chance = match (flavour, kind) {
                // Blocks of items that one option covers together, so that there are covers.
                (Flavour::Wide, Kind::Primary { .. }) => continue,
                (Flavour::Wide, Kind::Secondary) => 24,
                (_, Kind::Primary { .. }) => 3,
                (_, Kind::Secondary) => 4,
            };
            if random.below_wide(chance) == 0 {
                let is_coloured = flavour != Flavour::Plain
                    && kind == Kind::Secondary
                    && random.below_wide(5) > 0;
                let colour = if is_coloured {
                    colours[random.below_wide(colours.len() as u64) as usize]
                } else {
                    NO_COLOUR
                };
                entries.push(Entry { item, colour });
            }
        }
        let has_cells = matches!(flavour, Flavour::Pieces | Flavour::Sums);
        if has_cells && entries.iter().all(|entry| entry.item >= 3) {
            let cell = random.below_wide(3) as u32;
            entries.push(Entry { item: cell, colour: NO_COLOUR });
        }
        if flavour == Flavour::Wide {
            let blocks = 5;
            for block in 0..blocks {
                if random.below_wide(3) == 0 {
                    let block_of = |item: u64| item * blocks / primaries == block;
                    let items = (0..primaries).filter(|&item| block_of(item));
                    entries
                        .extend(items.map(|item| Entry { item: item as u32, colour: NO_COLOUR }));
                }
            }
        }
        if matches!(flavour, Flavour::Weights | Flavour::Sums) {
            let text = |entry: &Entry| weighted(&cover, *entry, random);
            let entries: Vec<String> = entries.iter().map(text).collect();
            cover.option(entries).unwrap();
        } else {
            cover.add_option(entries).unwrap();
        }
    }
    cover
}

/// An entry as text, with a random weight if its item has bounds.
fn weighted(cover: &Cover, entry: Entry, random: &mut Random) -> String {
    let item = &cover.items()[entry.item as usize];
    match (item.kind(), entry.colour) {
        (Kind::ONCE, _) | (Kind::Secondary, NO_COLOUR) => item.name().to_owned(),
        (Kind::Primary { .. }, _) => format!("{}={}", item.name(), 1 + random.below(7)),
        (_, colour) => format!("{}:{}", item.name(), cover.colour_name(colour)),
    }
}
