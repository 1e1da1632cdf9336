//! Each loop against a plain definition of what it does.

use super::*;
use tallyboard_base::random::Random;

#[test]
fn partitions_cross_where_each_line_meets_each_in_one_digit() {
    let mut random = Random::from_seed(5);
    let mut partition = || {
        let mut digits: [u32; 9] = array(|digit| digit as u32);
        (1..9).for_each(|at| digits.swap(at, random.below(at as u32 + 1) as usize));
        (0..9).fold(0, |lines, at| lines | 1 << (LINE_BITS * (at / 3) + digits[at as usize]))
    };
    let lines: Vec<Lines> = (0..40).map(|_| partition()).collect();
    let others: Vec<Lines> = (0..37).map(|_| partition()).collect();
    let line = |lines: Lines, at: u32| lines >> (LINE_BITS * at) & 0o777;
    let crosses = |one: Lines, other: Lines| {
        (0..9).all(|at| (line(one, at / 3) & line(other, at % 3)).count_ones() == 1)
    };
    let mut crossings = 0;
    for instructions in Instructions::all() {
        let mut crossing = Crossing::default();
        cross(instructions, &lines, &others, &mut crossing);
        for (at, &one) in lines.iter().enumerate() {
            let places = (0..others.len()).filter(|&place| crosses(one, others[place]));
            let places: Vec<u16> = places.map(|place| place as u16).collect();
            assert_eq!(crossing.of(at as u16), places, "{instructions:?}");
            crossings += places.len();
        }
    }
    assert!(crossings > 100, "{crossings}");
}

#[test]
fn a_table_is_made_anew_in_the_memory_of_another() {
    let set = |digits: [u32; 3]| digits[0] | digits[1] << LINE_BITS | digits[2] << (2 * LINE_BITS);
    let (rows, columns) = ([set([0o007, 0o070, 0o700])], [set([0o111, 0o222, 0o444])]);
    for instructions in Instructions::all() {
        let mut crossing: [Crossing; 2] = Default::default();
        crossing.iter_mut().for_each(|found| cross(instructions, &rows, &columns, found));
        let filling = Filling {
            triples: &[[0; 3]],
            order: [0, 1, 2],
            crossing: &crossing,
            columns: [1, 1],
            thirds: &rows,
            entries: &[[columns[0]; PAIRS]],
        };
        let mut crossed = Vec::new();
        let mut table = Table::default();
        for _ in 0..2 {
            fill(instructions, &filling, &mut crossed, &mut table);
            assert_eq!((&table.starts[..], table.rows.len()), (&[1][..], 1));
            assert_eq!(table.rows[0].0, [1; PAIRS], "{instructions:?}");
        }
    }
}

#[test]
fn the_largest_number_of_a_table_is_found_wherever_it_stands() {
    for place in 0..3 * PAIRS {
        let mut rows = [PairVector::ZERO; 3];
        rows.as_mut_slice()[place / PAIRS].0[place % PAIRS] = 7;
        assert_eq!(largest_entry(&Table { rows: rows.into(), ..Table::default() }), 7, "{place}");
    }
}

/// With numbers whose products fit 15 bits or just do not, and with the largest that there may be.
#[test]
fn sums_are_those_of_products() {
    let mut random = Random::from_seed(6);
    const VECTORS: usize = 2;
    for most in
        [[18, 1_700, 1_728], [181, 1_728, 181], [128, 256, 1_728], [182, 181, 1_728], [1_728; 3]]
    {
        let tables = most.map(|most| {
            let rows = (0..6 * VECTORS).map(|_| {
                PairVector(std::array::from_fn(|_| {
                    if random.below(2) == 0 { most } else { random.below(most.into()) as u16 }
                }))
            });
            // One of seven pairs has no row.
            let starts: Vec<u32> = (0..7).map(|at| at * VECTORS as u32 + 1).collect();
            let starts = [&starts[..3], &[0], &starts[3..6], &[0]].concat();
            Table { starts, seconds: 4, rows: rows.collect() }
        });
        let mut pairs = |most: u32, count: usize| -> Vec<[u16; 3]> {
            (0..count).map(|_| std::array::from_fn(|_| random.below(most) as u16)).collect()
        };
        let (first, second) = (pairs(2, 5), pairs(4, 9));
        let mut expected = 0;
        for (first, second) in first.iter().flat_map(|a| second.iter().map(move |b| (a, b))) {
            for entry in 0..VECTORS * PAIRS {
                let number = |band: usize| {
                    let Table { starts, seconds, rows } = &tables[band];
                    let pair = usize::from(first[band]) * seconds + usize::from(second[band]);
                    let start = (starts[pair] as usize).checked_sub(1)?;
                    Some(u64::from(rows[start + entry / PAIRS].0[entry % PAIRS]))
                };
                let product = || Some(number(0)? * number(1)? * number(2)?);
                expected += product().unwrap_or(0);
            }
        }
        assert!(expected > 0);
        for instructions in Instructions::all() {
            let found = sum(instructions, &tables, [&first, &second], VECTORS);
            assert_eq!(found, expected, "{instructions:?}, {most:?}");
        }
    }
}
