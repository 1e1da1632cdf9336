//! Tests of audits in which numbers differ, as if an engine were wrong.

use tallyboard_search::shard::{FolderResults, Work};

use super::*;

/// The stated number of a whole subtree is made one too large, and then that of a piece.
#[test]
fn engines_that_disagree_on_a_subtree_or_a_piece_are_an_error_that_names_both() {
    let settings = Settings::new().engine(Engine::Halves).threads(1);
    let count = Count::with(Board::new(10).unwrap(), settings).unwrap();
    let costs = count.split();
    let stop = tallyboard_search::Stop::new();
    let subtotals: Vec<(usize, Tally)> =
        (0..costs.len()).map(|id| (id, count.count(id, &stop).unwrap())).collect();
    let work = Work::new(count.identity(), 1, &costs);
    let collected = FolderResults {
        bodies: [(0, subtotals)].into(),
        provenance: BTreeMap::new(),
        missing: Vec::new(),
        damaged: Vec::new(),
    };
    let bundle = Bundle::new(&work, &collected, |body| body).unwrap();

    let args = Args { quiet: true, ..Args::default() };
    let interrupt = Interrupt::default();
    let flags = DrawArgs { share: 1.0, seconds: None, piece: 20, seed: 1, json: false };
    let audit = Audit::new(&count).unwrap();
    let mut recount = Recount {
        bundle: &bundle,
        audit,
        args: &args,
        interrupt: &interrupt,
        flags: &flags,
        boards: 0,
        solutions: 0,
    };
    let id_of = |is_large| (0..costs.len()).find(|&id| recount.is_large(id) == is_large).unwrap();
    let (small, large) = (id_of(false), id_of(true));
    let descent = recount.descend(vec![large]).unwrap().unwrap().remove(0);
    assert!(descent.solutions <= 20 && descent.solutions < recount.claimed(large));
    let whole = recount.audit.whole(small);
    let stated = recount.claimed(small);
    let parts = [(whole, stated), (descent.part, descent.solutions)];
    assert!(recount.recount(&parts).unwrap());

    for wrong in [0, 1] {
        let mut parts = parts.clone();
        parts[wrong].1 += 1;
        let message = recount.recount(&parts).unwrap_err().to_string();
        let expected = "WRONG COUNT: 1 of 2 subtrees counted again by another method: see which is right with \
                        `queens count 10 --engine halves --subtree NUMBER`";
        assert_eq!(message, expected);
    }
    let best = Kernel::available().last().unwrap();
    let pair = |id, found| CountPair { id, stated: found + 1, found };
    assert_eq!(
        recount.difference(&pair(small, 5)),
        format!(
            "subtree {small} of shard 0: its result has 6, kernel unknown; the engine blocks has 5, kernel {best}"
        )
    );
    assert_eq!(
        recount.difference(&pair(large, 7)),
        format!(
            "a piece of subtree {large} of shard 0: the engine halves has 8, kernel {}; the engine blocks \
             has 7, kernel {best}",
            count.kernel()
        )
    );
}
