//! Promise: subtrees add up, are the same for every kernel, and end when they are asked to.

use std::collections::BTreeSet;

use crate::support::instances;
use tallyboard_base::Kernel;
use tallyboard_base::random::Random;
use tallyboard_cover::{Count, Cover, Engine, Entry, NO_COLOUR, Settings};
use tallyboard_search::{Options, Problem, Silent, Stop, Stopped, Tally};

/// Problems of a hundred thousand to thirty million nodes for the two engines that search; one has colours.
fn problems() -> Vec<(Cover, Engine, u128)> {
    vec![
        (instances::pentominoes(5, 12), Engine::Masks, 4_040),
        (instances::langford(12), Engine::Masks, 108_144),
        (instances::macmahon(), Engine::Masks, 106_624),
        (instances::dominoes_and_cells(8), Engine::Sets, 939_338_314_998),
    ]
}

/// The same kinds of problems with some ten thousand nodes, to be counted several times.
fn small_problems() -> Vec<(Cover, Engine, u128)> {
    vec![
        (instances::pentominoes(3, 20), Engine::Masks, 8),
        (instances::langford(8), Engine::Masks, 150),
        (instances::dominoes_and_cells(4), Engine::Sets, 9_763),
    ]
}

#[test]
fn subtrees_add_up_on_any_number_of_threads() {
    for (cover, engine, expected) in small_problems() {
        let count = Count::with(&cover, Settings::new().engine(engine)).unwrap();
        assert_eq!(count.total(), Ok(expected), "{}", count.identity());
        for threads in [1, 3] {
            let outcome =
                tallyboard_search::run(&count, &Options::new().threads(threads), &mut Silent)
                    .unwrap();
            assert_eq!(outcome.whole(), Some(expected), "{}", count.identity());
        }
    }
}

/// Journals and shards of machines with different kernels can be combined. If this fails, raise the engine's revision.
#[test]
fn subtrees_do_not_depend_on_the_kernel() {
    for (cover, engine, _) in
        small_problems().into_iter().filter(|problem| problem.1 == Engine::Masks)
    {
        let mut first: Option<(String, String, Vec<Tally>)> = None;
        for kernel in Kernel::available() {
            let count = Count::with(&cover, Settings::new().engine(engine).kernel(kernel)).unwrap();
            let costs = count.split();
            let subtotals = (0..costs.len())
                .map(|subtree| count.count(subtree, &Stop::new()).unwrap())
                .collect();
            let found = (count.identity(), costs.fingerprint(), subtotals);
            assert_eq!(*first.get_or_insert_with(|| found.clone()), found, "{kernel}");
        }
    }
}

/// Few options are searched with vectors of four, unless the settings name a kernel.
#[test]
fn the_kernel_suits_the_number_of_options() {
    let chosen = |cover: &Cover| Count::new(cover).unwrap().kernel();
    let of_four = Kernel::available().filter(|kernel| *kernel <= Kernel::Avx2).last().unwrap();
    assert_eq!(chosen(&instances::langford(12)), of_four);
    assert_eq!(chosen(&instances::pentominoes(3, 20)), Kernel::best());
    for kernel in Kernel::available() {
        let count = Count::with(&instances::langford(8), Settings::new().kernel(kernel)).unwrap();
        assert_eq!(count.kernel(), kernel);
    }
}

/// What a report says of a plan: a kernel that the engine has, and a reason that was looked at.
#[test]
fn what_is_said_of_a_plan_is_so() {
    for (cover, engine, _) in problems() {
        let count = Count::with(&cover, Settings::new().engine(engine)).unwrap();
        assert_eq!(count.reason(), "it was asked for", "{}", count.identity());
        let has_kernels = engine == Engine::Masks;
        assert_eq!(
            count.kernel() != Kernel::Portable,
            has_kernels && Kernel::best() != Kernel::Portable
        );
    }
    let chosen = Count::new(&instances::langford(12)).unwrap();
    assert!(chosen.reason().ends_with("as far as that was tried"), "{}", chosen.reason());
}

/// `identity | subtrees and a checksum of their costs | some subtotals`
fn line(count: &Count) -> String {
    let costs = count.split();
    assert_eq!(count.subtrees(), costs.len(), "{}", count.identity());
    let mut line = format!("{} | {} {} |", count.identity(), costs.len(), costs.fingerprint());
    let apart = costs.len().div_ceil(6);
    for subtree in (apart / 2..costs.len()).step_by(apart) {
        let tally = count.count(subtree, &Stop::new()).unwrap();
        line += &format!(" {subtree}:{}", tally.solutions());
    }
    line
}

/// Journals outlive versions of the program: `subtotals.txt` has a line for every problem, engine, algorithm and
/// layout that ever was. A new line is added below the old ones, which stay.
#[test]
fn subtrees_and_subtotals_change_only_with_the_numbers_of_their_engine() {
    let golden = include_str!("subtotals.txt");
    let mut lines: Vec<String> = Vec::new();
    for (cover, engine, _) in problems() {
        lines.push(line(&Count::with(&cover, Settings::new().engine(engine)).unwrap()));
    }
    lines.push(line(&Count::new(&planted()).unwrap()));
    lines.retain(|line| !golden.lines().any(|known| known == line));
    assert!(lines.is_empty(), "raise the engine's revision, and add\n{}", lines.join("\n"));
}

#[test]
fn identities_tell_problems_apart() {
    let identity = |cover: &Cover| Count::new(cover).unwrap().identity();
    let mut other = instances::langford(7);
    other.option(["n1", "s1", "s2"]).unwrap();
    let covers =
        [instances::tiling("xx", 6, 6), instances::langford(7), instances::langford(8), other];
    let identities: BTreeSet<String> = covers.iter().map(identity).collect();
    assert_eq!(identities.len(), covers.len());
}

#[test]
fn a_count_that_is_asked_to_stop_does() {
    let stop = Stop::new();
    stop.request();
    for (cover, engine, _) in problems() {
        let count = Count::with(&cover, Settings::new().engine(engine)).unwrap();
        let last = count.split().len() - 1;
        assert_eq!(count.count(last, &stop), Err(Stopped), "{engine}");
    }
    let cover = instances::tiling("xx", 6, 6);
    let count = Count::with(&cover, Settings::new().engine(Engine::Frontier)).unwrap();
    assert_eq!(count.count(0, &stop), Err(Stopped));
}

/// Some 900 random options of three items, among them those of one cover, which a search meets late.
fn planted() -> Cover {
    let mut random = Random::from_seed(0);
    let mut cover = Cover::new();
    cover.primary((0..600).map(|item| item.to_string())).unwrap();
    let mut items: Vec<u32> = (0..600).collect();
    random.shuffle(&mut items);
    let mut options: BTreeSet<Vec<u32>> = items.chunks(3).map(<[u32]>::to_vec).collect();
    while options.len() < 900 {
        let option: BTreeSet<u32> = (0..3).map(|_| random.below(600)).collect();
        options.extend((option.len() == 3).then(|| option.into_iter().collect()));
    }
    for option in options {
        let entry = |item| Entry { item, colour: NO_COLOUR };
        cover.add_option(option.into_iter().map(entry)).unwrap();
    }
    cover
}

/// A plan that was made before there were clauses has many subtrees, and another identity.
#[test]
fn what_clauses_tell_is_one_subtree_with_an_identity_of_its_own() {
    let few = Count::new(&planted()).unwrap();
    assert!(few.reason().starts_with("a search that learns from conflicts"), "{}", few.reason());
    let searched = Count::with(&planted(), Settings::new().engine(Engine::Sets)).unwrap();
    assert_eq!((few.subtrees(), few.total()), (1, searched.total()));
    assert_ne!(few.identity(), searched.identity());
    assert_eq!(few.engine(), searched.engine());
}
