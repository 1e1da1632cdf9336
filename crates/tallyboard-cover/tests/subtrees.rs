//! Promise: subtrees are the same for every kernel, and plans say what is so.

use std::panic::AssertUnwindSafe;

use crate::support::instances;
use tallyboard_base::Kernel;
use tallyboard_cover::{Count, Cover, Engine, Settings};
use tallyboard_search::{Problem, Stop, Tally};

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

/// A problem that is one subtree, by whatever engine, was counted whole for any number.
#[test]
fn there_is_no_subtree_behind_the_last_one() {
    for engine in Engine::ALL {
        let settings = Settings::new().engine(Some(engine));
        let count = Count::with(&instances::langford(4), settings).unwrap();
        let behind = count.subtrees();
        let counted = AssertUnwindSafe(|| count.count(behind, &Stop::new()));
        let counted = std::panic::catch_unwind(counted);
        assert!(counted.is_err(), "{engine}");
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

/// A plan that was made before there were clauses has many subtrees, and another identity.
#[test]
fn what_clauses_tell_is_one_subtree_with_an_identity_of_its_own() {
    let few = Count::new(&instances::planted()).unwrap();
    assert!(few.reason().starts_with("a search that learns from conflicts"), "{}", few.reason());
    let searched =
        Count::with(&instances::planted(), Settings::new().engine(Engine::Sets)).unwrap();
    assert_eq!((few.subtrees(), few.total()), (1, searched.total()));
    assert_ne!(few.identity(), searched.identity());
    assert_eq!(few.engine(), searched.engine());
}
