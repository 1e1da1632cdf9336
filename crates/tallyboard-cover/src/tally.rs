//! How many covers use each option, and how many leave each set of items uncovered.
//!
//! Where the plan of the count merges equal states, forward and backward sums do (`frontier/marginals.rs`): the
//! cost depends on the states, not on the covers. Otherwise each cover is visited: by the search over masks, which follows the path
//! to each cover once more (`masks/visits.rs`), or by the walk that lists covers, where masks cannot. The rest is an addition for
//! each option of a cover. Subtrees are the nodes of the first levels; a worker's sums are one number of 128 bits for each option.
//!
//! For sets of uncovered items each cover is looked up in a map, some 100 ns each. The map has an entry for each set
//! that was found in the subtree; at its end the sets get numbers that all workers share.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::arithmetic::Arithmetic;
use crate::count::{Count, fingerprint};
use crate::cover::{Cover, ItemId, Kind};
use crate::frontier;
use crate::masks::{self, Encoded, StartNode, State, Visits, Workspace};
use crate::sets::{Finder, Path, SetTree};
use crate::settings::{CountError, Engine};
use tallyboard_base::idle::Idle;
use tallyboard_search::{
    Branches, CellSum, Error, Halt, NodeBudget, Observer, Options, Stop, Stopped, Table, TableRun,
    Tabulate, Tree, tabulate,
};

/// The first levels of the search are split until there are so many subtrees.
const MIN_SUBTREES: usize = 256;

/// How many covers use each option of `cover`, to be [run](TableRun::run). The cells of the table are the options, in their order.
///
/// ```
/// # mod tallyboard { pub use ::tallyboard_cover as cover; }
/// use tallyboard::cover::{Cover, tally};
///
/// let mut cover = Cover::new();
/// cover.primary(["a", "b"])?;
/// cover.option(["a"])?.option(["b"])?.option(["a", "b"])?.option(["b"])?;
/// let table = tally(&cover)?.run()?;
/// assert_eq!((table.solutions(), table.cells()), (3, &[2, 1, 1, 1][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`CountError`] as for [`Count::new`].
pub fn tally(cover: &Cover) -> Result<TableRun<'static>, CountError> {
    Ok(TableRun::new(CoverTally::new(cover, None)?))
}

/// [`tally`] by this engine.
///
/// # Errors
/// [`CountError`] if the engine cannot count the cover.
#[doc(hidden)]
pub fn tally_by(cover: &Cover, engine: Engine) -> Result<TableRun<'static>, CountError> {
    Ok(TableRun::new(CoverTally::new(cover, Some(engine))?))
}

/// For each set of items that need not be covered, the number of covers of `cover` that leave just these uncovered: sets with at
/// least one cover, ascending. At most `most_sets`.
///
/// # Errors
/// [`Error::Refused`] if there are more sets, or the cover is too large, and others as for [`tabulate`]; [`Error::Stopped`] after a stop.
#[doc(hidden)]
pub fn tally_uncovered(
    cover: &Cover,
    most_sets: usize,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Vec<(Vec<ItemId>, u128)>, Error> {
    let optional = (0..cover.items().len() as ItemId).filter(|&item| {
        matches!(
            cover.items()[item as usize].kind(),
            Kind::Secondary | Kind::Primary { low: 0, high: 1.. }
        )
    });
    let uncovered =
        Uncovered { optional: optional.collect(), most_sets, numbers: Mutex::default() };
    let engine = CoverTally::by_visits(cover, true, Some(uncovered.into()))
        .map_err(|error| Error::Refused(error.to_string()))?;
    let (table, outcome) = tabulate(&engine, options, observer)?;
    if !outcome.complete {
        let (finished, subtrees) = (outcome.finished, outcome.subtrees);
        return Err(Error::Stopped { finished, subtrees });
    }
    let mut sets = Vec::new();
    if let Some(uncovered) = &engine.uncovered {
        for (set, &number) in locked(&uncovered.numbers).iter() {
            sets.push((set.clone(), table.cells()[number]));
        }
    }
    sets.sort();
    Ok(sets)
}

/// The sets of uncovered items that were found.
#[derive(Debug)]
struct Uncovered {
    optional: Vec<ItemId>,
    most_sets: usize,
    /// The cell of each set.
    numbers: Mutex<HashMap<Vec<ItemId>, usize>>,
}

impl Uncovered {
    /// The set of `cover` for these options.
    fn set(&self, cover: &Cover, chosen: &[u32], is_covered: &mut [bool]) -> Vec<ItemId> {
        is_covered.fill(false);
        let entries = chosen.iter().flat_map(|&option| cover.entries(option as usize));
        entries.for_each(|entry| is_covered[entry.item as usize] = true);
        self.optional.iter().copied().filter(|&item| !is_covered[item as usize]).collect()
    }

    /// The table of the sets of a subtree.
    fn table(&self, found: &HashMap<Vec<ItemId>, u128>) -> Table {
        let mut numbers = locked(&self.numbers);
        let mut table = Table::new(0);
        for (set, &covers) in found {
            let next = numbers.len();
            let number = *numbers.entry(set.clone()).or_insert(next);
            if number >= self.most_sets {
                let most = self.most_sets;
                let refusal =
                    format!("found more than {most} sets of uncovered items, expected fewer");
                Error::Refused(refusal).raise();
            }
            let added = table.count(covers).and_then(|()| table.add(number, covers));
            added.unwrap_or_else(|overflow| Error::from(overflow).raise());
        }
        table
    }
}

/// What is known of the covers that were visited. Its numbers count visits, so they fit.
#[derive(Debug)]
enum Visited {
    Uses { covers: u128, options: Vec<u128> },
    Sets { uncovered: Arc<Uncovered>, found: HashMap<Vec<ItemId>, u128>, is_covered: Vec<bool> },
}

impl Visited {
    /// Takes the cover by these options.
    fn add(&mut self, cover: &Cover, chosen: &[u32]) {
        match self {
            Self::Uses { covers, options } => {
                *covers += 1;
                chosen.iter().for_each(|&option| options[option as usize] += 1);
            }
            Self::Sets { uncovered, found, is_covered } => {
                *found.entry(uncovered.set(cover, chosen, is_covered)).or_insert(0) += 1;
            }
        }
    }

    fn table(&self) -> Result<Table, Halt> {
        match self {
            Self::Uses { covers, options } => table_of(*covers, options),
            Self::Sets { uncovered, found, .. } => Ok(uncovered.table(found)),
        }
    }
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic while it is locked ends the run, so what it left is not used.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The engine for one cover, which it has split.
#[derive(Debug)]
struct CoverTally {
    cover: Arc<Cover>,
    work: Work,
    uncovered: Option<Arc<Uncovered>>,
}

/// How the covers are tallied.
#[derive(Debug)]
enum Work {
    /// By forward and backward sums.
    Frontier(Box<Encoded>),
    /// By visiting the covers below these nodes.
    Masks(Box<MaskVisits>),
    Sets {
        subtrees: Vec<Path>,
        memory: u64,
        idle: Idle<Finder>,
    },
}

/// Visits of covers by the search over masks.
#[derive(Debug)]
struct MaskVisits {
    encoded: Arc<Encoded>,
    /// The options that have masks, in the order of these. Behind them are the masks that leave an item uncovered.
    usable: Arc<[u32]>,
    subtrees: Vec<State>,
    idle: Idle<Workspace>,
}

impl MaskVisits {
    /// `None` if the search over masks cannot do it.
    fn new(cover: &Cover) -> Option<Self> {
        let encoded = Encoded::new(cover, Arithmetic::default())?;
        if encoded.ladders.is_some() {
            return None;
        }
        let encoded = Arc::new(encoded);
        let subtrees = split(State::root(&encoded).into_iter().collect(), |state| {
            if state.is_done() {
                Branches::Leaf(1)
            } else {
                Branches::Children(state.children(&encoded))
            }
        });
        let usable = cover.usable_options().map(|option| option as u32).collect();
        Some(Self { encoded, usable, subtrees, idle: Idle::default() })
    }

    /// Hands the options of each cover of a subtree to `visit`.
    fn visit(
        &self,
        subtree: usize,
        stop: &Stop,
        mut visit: impl FnMut(&[u32]) + Send + Sync + 'static,
    ) -> Result<(), Halt> {
        let mut workspace = self.idle.take().unwrap_or_else(|| Workspace::new(&self.encoded));
        let state = &self.subtrees[subtree];
        let (usable, mut chosen) = (Arc::clone(&self.usable), Vec::new());
        let visitor = move |masks: &[u32]| {
            chosen.clear();
            chosen.extend(masks.iter().filter_map(|&mask| usable.get(mask as usize)));
            visit(&chosen);
        };
        let encoded = Arc::clone(&self.encoded);
        workspace.visits = Some(Visits::new(encoded, state.clone(), Box::new(visitor)));
        let start = StartNode::new(&self.encoded, &state.node);
        let mut budget = NodeBudget::unlimited(stop);
        let instructions = self.encoded.fastest_instructions();
        masks::count(instructions, &mut workspace, start, &mut budget)?;
        workspace.visits = None;
        self.idle.put(workspace);
        Ok(())
    }
}

impl CoverTally {
    fn new(cover: &Cover, engine: Option<Engine>) -> Result<Self, CountError> {
        let engine = match engine {
            Some(engine) => engine,
            None => Count::new(cover)?.engine(),
        };
        if engine == Engine::Sets || engine == Engine::Masks {
            return Self::by_visits(cover, engine == Engine::Masks, None);
        }
        match Encoded::new(cover, Arithmetic::default()) {
            Some(encoded) if encoded.ladders.is_none() => {
                let work = Work::Frontier(encoded.into());
                Ok(Self { cover: Arc::new(cover.clone()), work, uncovered: None })
            }
            _ => Err(CountError::NotFor(engine)),
        }
    }

    /// An engine that visits all covers: by masks if they are wanted and can do it.
    fn by_visits(
        cover: &Cover,
        by_masks: bool,
        uncovered: Option<Arc<Uncovered>>,
    ) -> Result<Self, CountError> {
        let work = Work::of_visits(cover, by_masks)?;
        Ok(Self { cover: Arc::new(cover.clone()), work, uncovered })
    }
}

impl Work {
    /// Visits of all covers: by masks if they are wanted and can do it.
    fn of_visits(cover: &Cover, by_masks: bool) -> Result<Self, CountError> {
        if by_masks && let Some(masks) = MaskVisits::new(cover) {
            return Ok(Self::Masks(masks.into()));
        }
        let tree = SetTree::new(cover, Arithmetic::default());
        let mut tree = tree.ok_or(CountError::TooManyEntries)?;
        let subtrees = split(vec![tree.root()], |node| tree.branches(node));
        let finder = Finder::new(cover).ok_or(CountError::TooManyEntries)?;
        let (memory, idle) = (finder.memory(), Idle::default());
        idle.put(finder);
        Ok(Self::Sets { subtrees, memory, idle })
    }

    fn subtrees(&self) -> usize {
        match self {
            Self::Frontier(_) => 1,
            Self::Masks(masks) => masks.subtrees.len(),
            Self::Sets { subtrees, .. } => subtrees.len(),
        }
    }
}

impl CoverTally {
    /// The table of the covers below a node of the first levels.
    fn visit(&self, work: &Work, subtree: usize, stop: &Stop) -> Result<Table, Halt> {
        let visited = match &self.uncovered {
            None => Visited::Uses { covers: 0, options: vec![0; self.cover.len()] },
            Some(uncovered) => Visited::Sets {
                uncovered: Arc::clone(uncovered),
                found: HashMap::new(),
                is_covered: vec![false; self.cover.items().len()],
            },
        };
        let visited = Arc::new(Mutex::new(visited));
        let (cover, shared) = (Arc::clone(&self.cover), Arc::clone(&visited));
        let mut visit = move |chosen: &[u32]| locked(&shared).add(&cover, chosen);
        match work {
            Work::Masks(masks) => masks.visit(subtree, stop, visit)?,
            Work::Sets { subtrees, idle, .. } => {
                let finder = idle.take().or_else(|| Finder::new(&self.cover));
                let mut finder = finder.expect("few enough entries, as one was made before");
                let ended = finder.visit_below(&subtrees[subtree], stop, &mut visit);
                idle.put(finder);
                ended?;
            }
            Work::Frontier(_) => unreachable!("it visits no covers"),
        }
        locked(&visited).table()
    }

    /// The table by forward and backward sums; by visiting each cover if there are too many states.
    fn merge(&self, encoded: &Encoded, stop: &Stop) -> Result<Table, Halt> {
        let mut uses = vec![0; self.cover.len()];
        let usable: Vec<usize> = self.cover.usable_options().collect();
        match frontier::tally(encoded, stop) {
            Ok((covers, of_masks)) => {
                // The masks after those of the options are the choices to leave an item uncovered.
                usable.iter().zip(of_masks).for_each(|(&option, sum)| uses[option] = sum);
                table_of(covers, &uses)
            }
            Err(Halt::Limit) => {
                let refused = |error: CountError| Error::Refused(error.to_string()).raise();
                let work = Work::of_visits(&self.cover, true).unwrap_or_else(refused);
                let mut sum = Table::new(self.cover.len());
                for subtree in 0..work.subtrees() {
                    sum.merge(&self.visit(&work, subtree, stop)?).map_err(|_| Halt::Overflow)?;
                }
                Ok(sum)
            }
            Err(halt) => Err(halt),
        }
    }
}

/// The table with these numbers.
fn table_of(covers: u128, uses: &[u128]) -> Result<Table, Halt> {
    let mut table = Table::new(uses.len());
    let mut numbers = uses.iter().enumerate();
    table
        .count(covers)
        .and_then(|()| numbers.try_for_each(|(option, &sum)| table.add(option, sum)))
        .map_err(|_| Halt::Overflow)?;
    Ok(table)
}

/// The nodes of the first levels below the nodes `level`, without those that have no cover for certain.
fn split<N>(mut level: Vec<N>, mut branches: impl FnMut(&N) -> Branches<N>) -> Vec<N> {
    let mut ended = Vec::new();
    while !level.is_empty() && ended.len() + level.len() < MIN_SUBTREES {
        let mut next = Vec::new();
        for node in level {
            match branches(&node) {
                Branches::Leaf(0) => {}
                Branches::Leaf(_) => ended.push(node),
                Branches::Children(children) => next.extend(children),
            }
        }
        level = next;
    }
    ended.append(&mut level);
    ended
}

impl Tabulate for CoverTally {
    fn cells(&self) -> usize {
        if self.uncovered.is_some() { 0 } else { self.cover.len() }
    }

    fn subtrees(&self) -> usize {
        self.work.subtrees()
    }

    /// With a larger number whenever covers are cut in another way. The cells of sets of uncovered items have no stable numbers.
    fn identity(&self) -> String {
        let engine = match &self.work {
            _ if self.uncovered.is_some() => return String::new(),
            Work::Frontier(_) => Engine::Frontier,
            Work::Masks(_) => Engine::Masks,
            Work::Sets { .. } => Engine::Sets,
        };
        format!("cover fingerprint={} engine={engine} table=1", fingerprint(&self.cover))
    }

    fn memory(&self) -> u64 {
        match &self.work {
            Work::Frontier(_) => 3 * frontier::MOST_BYTES as u64 / 2,
            Work::Masks(_) | Work::Sets { .. } => 0,
        }
    }

    fn worker_memory(&self) -> u64 {
        match &self.work {
            Work::Frontier(_) => 0,
            Work::Masks(masks) => masks.encoded.memory(),
            Work::Sets { memory, .. } => *memory,
        }
    }

    fn tabulate(&self, subtree: usize, stop: &Stop) -> Result<Table, Stopped> {
        let table = match &self.work {
            Work::Frontier(encoded) => self.merge(encoded, stop),
            work => self.visit(work, subtree, stop),
        };
        table.map_err(|halt| match halt {
            Halt::Stopped => Stopped,
            Halt::Overflow | Halt::Limit => {
                Error::Refused(CountError::Overflow.to_string()).raise()
            }
        })
    }

    fn first(&self, limit: u64, stop: &Stop) -> Result<Table, Stopped> {
        let mut table = Table::new(self.cover.len());
        for covers in crate::Solutions::new(&self.cover) {
            stop.check()?;
            if table.add_solution(covers.iter().map(|&option| option as usize), limit).is_break() {
                break;
            }
        }
        Ok(table)
    }

    /// An item that is covered a fixed number of times.
    fn sums(&self) -> Vec<CellSum> {
        if self.uncovered.is_some() {
            return Vec::new();
        }
        let mut sums: Vec<_> = self.cover.items().iter().map(|_| CellSum::once([])).collect();
        for option in self.cover.usable_options() {
            for entry in self.cover.entries(option) {
                sums[entry.item as usize].cells.push(option);
            }
        }
        let mut fixed = Vec::new();
        for (item, sum) in self.cover.items().iter().zip(sums) {
            // Of a sum of weights the number of options is not known.
            if let Kind::Primary { low, high } = item.kind()
                && low == high
                && (high == 1 || !self.cover.has_weights())
            {
                fixed.push(CellSum { times: low, ..sum });
            }
        }
        fixed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tallyboard_search::Silent;

    /// A board of `width` × `height` cells and dominoes for all pairs of neighbours.
    fn dominoes(width: usize, height: usize, optional: bool) -> Cover {
        let name = |x: usize, y: usize| format!("{x},{y}");
        let mut cover = Cover::new();
        let cells = (0..width * height).map(|cell| name(cell % width, cell / width));
        if optional {
            for cell in cells {
                cover.between(&cell, 0, 1).unwrap();
            }
        } else {
            cover.primary(cells).unwrap();
        }
        for (x, y) in (0..width * height).map(|cell| (cell % width, cell / width)) {
            if x + 1 < width {
                cover.option([name(x, y), name(x + 1, y)]).unwrap();
            }
            if y + 1 < height {
                cover.option([name(x, y), name(x, y + 1)]).unwrap();
            }
        }
        cover
    }

    /// The table of all covers, from their list.
    fn listed(cover: &Cover) -> Table {
        CoverTally::new(cover, Some(Engine::Sets)).unwrap().first(u64::MAX, &Stop::new()).unwrap()
    }

    #[test]
    fn both_engines_give_the_table_of_the_list() {
        for (width, height, optional) in
            [(2, 2, false), (4, 5, false), (6, 6, false), (3, 3, false), (3, 4, true), (1, 1, true)]
        {
            let cover = dominoes(width, height, optional);
            let expected = listed(&cover);
            for engine in [Engine::Frontier, Engine::Masks, Engine::Sets] {
                let table = tally_by(&cover, engine).unwrap().threads(2).run().unwrap();
                assert_eq!(table, expected, "{engine:?} {width} {height} {optional}");
            }
            assert_eq!(tally(&cover).unwrap().run().unwrap(), expected);
        }
    }

    #[test]
    fn tilings_with_many_covers_are_symmetric() {
        let table = tally_by(&dominoes(8, 8, false), Engine::Frontier).unwrap().run().unwrap();
        assert_eq!(table.solutions(), 12_988_816);
        // The first two options are the two dominoes of a corner.
        assert_eq!(table.cells()[0], table.cells()[1]);
        assert_eq!(table.cells()[0] * 2, table.solutions());
    }

    #[test]
    fn a_secondary_item_stays_uncovered_too() {
        let cover =
            crate::format::read(b"a | x y\na x\na y\na x y\na\n", "t").unwrap().cover().clone();
        let found = tally_uncovered(&cover, 9, &Options::new(), &mut Silent).unwrap();
        assert_eq!(found, [(vec![], 1), (vec![1], 1), (vec![1, 2], 1), (vec![2], 1)]);
    }

    #[test]
    fn sets_of_uncovered_items_are_counted_and_too_many_are_refused() {
        let cover = dominoes(3, 1, true);
        let options = Options::new().threads(2);
        let found = tally_uncovered(&cover, 9, &options, &mut Silent).unwrap();
        let expected = [(vec![0], 1), (vec![0, 1, 2], 1), (vec![2], 1)];
        assert_eq!(found, expected);
        let refused = tally_uncovered(&cover, 2, &options, &mut Silent).unwrap_err();
        assert_eq!(
            refused.to_string(),
            "found more than 2 sets of uncovered items, expected fewer"
        );
        // Some of the sets would look like all of them.
        let stop = Stop::new();
        stop.request();
        let stopped = tally_uncovered(&cover, 9, &options.stop(Some(&stop)), &mut Silent);
        assert!(matches!(stopped, Err(Error::Stopped { finished: 0, .. })), "{stopped:?}");
    }

    /// What an engine keeps for itself is stated: by the workers, or once.
    #[test]
    fn every_engine_states_its_memory() {
        let cover = dominoes(4, 2, false);
        for engine in [Engine::Frontier, Engine::Masks, Engine::Sets] {
            let tally = CoverTally::new(&cover, Some(engine)).unwrap();
            let is_large = [tally.memory(), tally.worker_memory()].map(|bytes| bytes > 1 << 20);
            assert_eq!(is_large, [engine == Engine::Frontier, engine != Engine::Frontier]);
        }
    }
}
