//! Promise: every engine and kernel agrees with an enumerator that tries every set of options, and with determinants.

use crate::support::random::{Flavour, cover, large_cover};
use crate::support::{count_naively, instances, ruler};
use tallyboard_base::Kernel;
use tallyboard_base::random::Random;
use tallyboard_cover::{
    Count, CountError, Cover, Engine, Entry, NO_COLOUR, Settings, Solutions, format,
};
use tallyboard_search::{Options, Problem, Silent};

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
        let expected = count_naively(&cover);
        solvable += u32::from(expected > 0);
        several += u32::from(expected > 1);
        let counts = counts(&cover);
        let has_masks = counts.iter().any(|(engine, _)| engine == Kernel::Portable.name());
        let is_for_sets_alone =
            matches!(flavour, Flavour::Multiplicities | Flavour::Weights | Flavour::Sums);
        assert!(has_masks || is_for_sets_alone, "{flavour:?} {number}");
        for (engine, found) in counts {
            let text = || format::write(&cover, format::Format::Knuth).unwrap();
            assert_eq!(found, expected, "{engine}, {flavour:?} {number}\n{}", text());
        }
        let mut listed = 0;
        for solution in Solutions::new(&cover) {
            assert!(cover.is_solved_by(&solution), "{flavour:?} {number}");
            listed += 1;
        }
        assert_eq!(listed, expected);
        if matches!(flavour, Flavour::Plain | Flavour::Colours | Flavour::Wide) {
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
fn sums_of_weights_agree_with_the_enumerator() {
    agree(Flavour::Weights, 9, 900);
    agree(Flavour::Sums, 10, 900);
}

#[test]
fn pieces_used_several_times_agree_with_the_enumerator() {
    agree(Flavour::Pieces, 7, 600);
}

/// Dominoes with numbers on boards whose regions have sums: counts that are remembered against the list.
#[test]
fn sums_of_regions_agree_with_the_list() {
    let mut random = Random::from_seed(11);
    let mut several = 0;
    for number in 0..60 {
        let region: Vec<u32> = (0..12).map(|_| random.below(4)).collect();
        let mut text: String = (0..12).map(|cell| format!("c{cell} ")).collect();
        (0..6).for_each(|domino| text += &format!("d{domino} "));
        // A hidden cover has the dominoes side by side, and the sums are about those of its regions.
        let ends: Vec<[u32; 2]> = (0..6).map(|_| [random.below(5), random.below(5)]).collect();
        for name in 0..4 {
            let cells = (0..12).filter(|&cell| region[cell] == name);
            let sum: u32 = cells.map(|cell| ends[cell / 2][cell % 2]).sum();
            let low = sum.saturating_sub(random.below(2));
            text += &format!("r{name}[{low}:{sum}] ");
        }
        for (domino, ends) in ends.iter().enumerate() {
            for cell in 0..12_usize {
                let right = (cell % 4 < 3).then_some(cell + 1);
                let below = (cell < 8).then_some(cell + 4);
                for (other, turned) in right.into_iter().chain(below).flat_map(|o| [(o, 0), (o, 1)])
                {
                    let mut sums = [0; 4];
                    sums[region[cell] as usize] += ends[turned];
                    sums[region[other] as usize] += ends[1 - turned];
                    text += &format!("\nd{domino} c{cell} c{other}");
                    for (name, sum) in sums.iter().enumerate().filter(|(_, sum)| **sum > 0) {
                        text += &format!(" r{name}={sum}");
                    }
                }
            }
        }
        let input = format::read(text.as_bytes(), "sums").unwrap();
        let found = Count::new(input.cover()).unwrap().total().unwrap();
        let listed = Solutions::new(input.cover()).take(2_000).count() as u128;
        assert!(found == listed || listed == 2_000, "{number}: {found} {listed}\n{text}");
        several += u32::from(found > 1 && listed < 2_000);
    }
    assert!(several > 10, "only {several} of 60 have several");
}

/// Boards whose masks of two words are packed into one, and whose counts the memo uses again. The engine of sets knows nothing of
/// ladders.
#[test]
fn numbers_of_pieces_agree_with_the_engine_of_sets() {
    let mut random = Random::from_seed(8);
    let mut solvable = 0;
    for number in 0..40 {
        let mut text = format!("board:\n{}pieces: turn\n", "......\n".repeat(5));
        let of_five = 1 + random.below(3);
        let of_four = 1 + random.below(3);
        let of_three = (30 - random.below(3) - 5 * of_five - 4 * of_four) / 3;
        let pieces =
            [("P", "xx\nxx\nx", of_five), ("L", "xxx\nx", of_four), ("V", "xx\nx", of_three)];
        for (name, drawing, uses) in pieces {
            let (low, high) = match random.below(3) {
                0 => (uses, uses),
                1 => (uses.saturating_sub(random.below(3)), uses + random.below(2)),
                _ => (uses, 12 + random.below(6)),
            };
            text += &format!("{name} x {low}..{high}:\n{drawing}\n");
        }
        let input = format::read(text.as_bytes(), "pieces").unwrap();
        let by =
            |settings: Settings| Count::with(input.cover(), settings).unwrap().total().unwrap();
        let expected = by(Settings::new().engine(Engine::Sets));
        solvable += u32::from(expected > 0);
        for kernel in Kernel::available() {
            let found = by(Settings::new().engine(Engine::Masks).kernel(kernel));
            assert_eq!(found, expected, "{kernel}, {number}\n{text}");
        }
    }
    assert!((10..40).contains(&solvable), "{solvable} of 40 have a cover");
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
    use Flavour::{Colours, Multiplicities, Pieces, Plain, Wide};
    let flavours = [Plain, Colours, Multiplicities, Pieces, Wide];
    for (flavour, seed) in flavours.into_iter().zip(100..) {
        agree(flavour, seed, 2_000);
    }
}

#[test]
fn small_puzzles_have_their_known_counts() {
    let mut known = vec![
        ("dominoes 4 x 4", instances::tiling("xx", 4, 4), 36),
        ("dominoes 6 x 6", instances::tiling("xx", 6, 6), 6_728),
        ("langford 7", instances::langford(7), 26),
    ];
    let names = "pentominoes-3x20 soma trominoes-6x9 langford-8 queens-8 sudoku-4x4 triples-7 petersen partitions-10 \
                 pips kakuro killer-4x4";
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

// Promise: counts modulo a number agree with determinants. The number of domino tilings is the determinant of a Kasteleyn
// matrix.

/// A prime.
const P: u64 = 1_000_000_007;

fn power(base: u64, exponent: u64) -> u64 {
    match exponent {
        0 => 1,
        _ if exponent % 2 == 1 => base * power(base, exponent - 1) % P,
        _ => power(base * base % P, exponent / 2),
    }
}

/// The determinant of a square matrix modulo P, by elimination.
fn determinant(mut rows: Vec<Vec<u64>>) -> u64 {
    let size = rows.len();
    let mut determinant = 1;
    for column in 0..size {
        let Some(pivot) = (column..size).find(|&row| rows[row][column] != 0) else { return 0 };
        if pivot != column {
            rows.swap(pivot, column);
            determinant = (P - determinant) % P;
        }
        determinant = determinant * rows[column][column] % P;
        let inverse = power(rows[column][column], P - 2);
        let pivot = rows[column].clone();
        for row in &mut rows[column + 1..] {
            let factor = row[column] * inverse % P;
            for (value, &above) in row.iter_mut().zip(&pivot) {
                *value = (*value + (P - factor) * above) % P;
            }
        }
    }
    determinant
}

/// The number of domino tilings of a square of even side modulo P, up to its sign. The matrix has a row for each white
/// cell and a column for each black one; vertical edges of odd columns are negative, so that each face has an odd
/// number of negative edges.
fn tilings(side: usize) -> u64 {
    let half = side * side / 2;
    let mut matrix = vec![vec![0; half]; half];
    for row in 0..side {
        for column in 0..side {
            if (row + column) % 2 == 1 {
                continue;
            }
            let mut edge = |other_row: usize, other_column: usize, value: u64| {
                if other_row < side && other_column < side {
                    let white = (row * side + column) / 2;
                    matrix[white][(other_row * side + other_column) / 2] = value;
                }
            };
            let sign = if column % 2 == 1 { P - 1 } else { 1 };
            edge(row, column + 1, 1);
            edge(row, column.wrapping_sub(1), 1);
            edge(row + 1, column, sign);
            edge(row.wrapping_sub(1), column, sign);
        }
    }
    determinant(matrix)
}

fn agrees_up_to_sign(found: u128, side: usize) {
    let expected = tilings(side);
    let both = [u128::from(expected), u128::from(P - expected)];
    assert!(both.contains(&found), "dominoes {side} x {side}: {found}, not one of {both:?}");
}

#[test]
fn determinants_tell_known_counts() {
    for (side, known) in [(2, 2), (4, 36), (6, 6_728), (8, 12_988_816)] {
        agrees_up_to_sign(known, side);
    }
    agrees_up_to_sign(53_060_477_521_960_000 % u128::from(P), 12);
}

#[test]
fn every_engine_counts_remainders() {
    let problems = [
        (instances::langford(8), 150),
        (instances::gallery("queens-8"), 92),
        (instances::gallery("sudoku-4x4"), 288),
        (instances::tiling("xx", 6, 6), 6_728),
        (instances::pentominoes(3, 20), 8),
    ];
    for (cover, known) in problems {
        // A divisor of the count, too: its remainder is 0, though there are covers.
        for modulus in [7, known] {
            for engine in Engine::ALL {
                // Only the masks have several kernels.
                let kernels = if engine == Engine::Masks { usize::MAX } else { 1 };
                for kernel in Kernel::available().take(kernels) {
                    let settings = Settings::new().engine(engine).kernel(kernel).modulo(modulus);
                    let count = Count::with(&cover, settings).unwrap();
                    let remainder = u128::from(known % modulus);
                    assert_eq!(count.total(), Ok(remainder), "{known} mod {modulus}, {engine}");
                    let outcome =
                        tallyboard_search::run(&count, &Options::new().threads(2), &mut Silent);
                    assert_eq!(outcome.unwrap().whole(), Some(remainder), "{engine}, {kernel}");
                }
            }
        }
    }
}

/// A problem that is large enough to be split, and to use the memo.
#[test]
fn subtrees_count_remainders() {
    for engine in [Engine::Masks, Engine::Sets] {
        let cover = instances::langford(12);
        let settings = Settings::new().engine(engine).modulo(1_009);
        let count = Count::with(&cover, settings).unwrap();
        assert!(count.split().len() > 8, "{engine}: {}", count.split().len());
        assert_eq!(count.total(), Ok(108_144 % 1_009), "{engine}");
        let exact = Count::with(&cover, Settings::new().engine(engine)).unwrap();
        assert_ne!(count.identity(), exact.identity());
        assert_eq!(count.split(), exact.split());
        assert_eq!((count.modulus(), exact.modulus()), (Some(1_009), None));
    }
}

/// A problem of so many items, each of which has two options of its own.
fn powers_of_two(items: u32) -> Cover {
    let mut cover = Cover::new();
    cover.primary((0..items).map(|item| item.to_string())).unwrap();
    for item in 0..items {
        cover.option([item.to_string()]).unwrap().option([item.to_string()]).unwrap();
    }
    cover
}

#[test]
fn both_sides_of_128_bits() {
    let total = |items: u32, settings: Settings| {
        Count::with(&powers_of_two(items), settings).and_then(|count| count.total())
    };
    assert_eq!(total(127, Settings::new()), Ok(1 << 127));
    for settings in [Settings::new(), Settings::new().engine(Engine::Frontier)] {
        assert_eq!(total(128, settings), Err(CountError::Overflow));
        assert_eq!(total(128, settings.modulo(P)), Ok(power(2, 128).into()));
        assert_eq!(total(200, settings.modulo(2)), Ok(0));
    }
}

/// The frontier finds the overflow in its one subtree, which is an error of the run.
#[test]
fn a_subtree_of_more_than_128_bits_is_an_error_of_the_run() {
    let settings = Settings::new().engine(Engine::Frontier);
    let count = Count::with(&powers_of_two(128), settings).unwrap();
    let error =
        tallyboard_search::run(&count, &Options::new().threads(1), &mut Silent).unwrap_err();
    assert!(matches!(error, tallyboard_search::Error::Overflow(_)), "{error}");
}

#[test]
#[ignore = "a minute in a release build"]
fn dominoes_on_20_x_20_are_counted_modulo_a_prime() {
    let cover = instances::tiling("xx", 20, 20);
    let count = Count::with(&cover, Settings::new().modulo(P)).unwrap();
    assert_eq!(count.engine(), Engine::Frontier);
    agrees_up_to_sign(count.total().unwrap(), 20);
}

/// Items in a path: each two neighbours are an option, and each third item is one.
fn path(items: usize) -> Cover {
    let mut cover = Cover::new();
    cover.primary((0..items).map(|item| item.to_string())).unwrap();
    for item in 0..items {
        if item % 3 == 0 {
            cover.option([item.to_string()]).unwrap();
        }
        if item + 1 < items {
            cover.option([item.to_string(), (item + 1).to_string()]).unwrap();
        }
    }
    cover
}

/// More than 512 bits, which no mask holds: the counts are those of recurrences.
#[test]
fn long_boards_are_counted_by_components() {
    for items in [513, 520, 2_000] {
        // The covers of the first items modulo P.
        let mut before = [0, 1];
        for item in 0..items {
            let alone = if item % 3 == 0 { before[1] } else { 0 };
            before = [before[1], (alone + before[0]) % P];
        }
        let settings = Settings::new().modulo(P);
        let count = Count::with(&path(items), settings).unwrap();
        assert_eq!(count.total(), Ok(before[1].into()), "{items} items");
        assert_eq!(count.split().len(), 1, "{items} items");
    }
    // Dominoes and L-trominoes on two rows: f(n) = 2 f(n-1) + f(n-3).
    let pieces = "D x any:\nxx\nL x any:\nxx\nx\n";
    let mut tilings = vec![1_u64, 1, 2];
    for columns in 3..=300 {
        tilings.push((2 * tilings[columns - 1] + tilings[columns - 3]) % P);
    }
    for columns in [3, 250, 300] {
        let row = ".".repeat(columns);
        let text = format!("board:\n{row}\n{row}\npieces:\n{pieces}");
        let input = format::read(text.as_bytes(), "p").unwrap();
        let settings = Settings::new().modulo(P).engine(Engine::Sets);
        let found = Count::with(input.cover(), settings).unwrap().total();
        assert_eq!(found, Ok(tilings[columns].into()), "{columns} columns");
    }
}

/// Two problems side by side, whose items have nothing to do with each other.
fn beside(one: &Cover, other: &Cover) -> Cover {
    let mut both = Cover::new();
    for (part, cover) in [one, other].into_iter().enumerate() {
        let first = both.items().len() as u32;
        for item in cover.items() {
            both.add_item(&format!("{part}.{}", item.name()), item.kind()).unwrap();
        }
        for option in cover.options() {
            let mut entries = Vec::new();
            for entry in option {
                let colour = match cover.colour_name(entry.colour) {
                    "" => NO_COLOUR,
                    name => both.colour(name).unwrap(),
                };
                entries.push(Entry { item: first + entry.item, colour });
            }
            both.add_option(entries).unwrap();
        }
    }
    both
}

#[test]
fn problems_side_by_side_have_the_product_of_their_counts() {
    let mut random = Random::from_seed(6);
    for flavour in [Flavour::Plain, Flavour::Colours, Flavour::Multiplicities, Flavour::Pieces] {
        for _ in 0..60 {
            let [one, other, third] = [(); 3].map(|()| cover(&mut random, flavour));
            let expected = [&one, &other, &third].map(count_naively).iter().product();
            let all = beside(&beside(&one, &other), &third);
            for (engine, found) in counts(&all) {
                assert_eq!(found, expected, "{engine}, {flavour:?}");
            }
            let settings = Settings::new().engine(Engine::Sets).modulo(3);
            assert_eq!(Count::with(&all, settings).unwrap().total(), Ok(expected % 3));
        }
    }
}

/// A factor of 0 makes the product 0, also beside one that 128 bits do not hold.
#[test]
fn a_component_without_covers_is_beside_any_number_of_others() {
    let sets = Settings::new().engine(Engine::Sets);
    let mut none = Cover::new();
    none.primary(["a", "b", "c"]).unwrap();
    none.option(["a", "b"]).unwrap().option(["b", "c"]).unwrap().option(["c", "a"]).unwrap();
    for both in [beside(&powers_of_two(200), &none), beside(&none, &powers_of_two(200))] {
        assert_eq!(Count::with(&both, sets).unwrap().total(), Ok(0));
    }
    assert_eq!(Count::with(&powers_of_two(127), sets).unwrap().total(), Ok(1 << 127));
    let overflow = Count::with(&powers_of_two(128), sets).and_then(|count| count.total());
    assert_eq!(overflow, Err(CountError::Overflow));
}
