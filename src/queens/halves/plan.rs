//! The plan of a count, and the count of a subtree.

use std::sync::Mutex;

use super::REVISION;
use super::case::{Case, cases};
use super::corner::{Side, Sizes};
use super::cost::Costs;
use super::half::{Builder, Half};
use super::join::{Joiner, Settings};
use super::kernel::{Chosen, Kernel};
use super::layout::{Layout, Unit};
use super::memory::Memory;
use super::slice::Slicer;
use super::subsets::Subsets;
use crate::cpu::{Kernel as Name, KernelMissing};
use crate::plural::s;
use crate::search::{Counter, Revision, Stop, Stopped, Tally};

/// How to plan a count.
#[derive(Debug, Default, Clone, Copy)]
pub struct Options {
    /// The kernel to use; the fastest that this processor has by default.
    pub kernel: Option<Name>,
    /// Worker threads that will share the memory; 0 counts as 1.
    pub threads: usize,
    /// The most memory to use, in bytes; no limit by default.
    pub memory: Option<u64>,
}

/// Why a board cannot be counted by halves as asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// A board of one square has no halves, and the widest keys hold n = 32.
    #[error("found a board size of {found}, expected 2 to 32 for the engine halves")]
    Size {
        /// The size asked for.
        found: u32,
    },
    /// The processor lacks the instructions.
    #[error(transparent)]
    Kernel(#[from] KernelMissing),
    /// The lists do not fit.
    #[error(
        "the engine halves needs {} MiB of memory for {threads} thread{}, the limit is {}: use fewer \
         threads, or the engine blocks, which needs next to none",
        needed.div_ceil(MIB), s(*threads), at_most(*limit)
    )]
    Memory {
        /// Bytes needed.
        needed: u64,
        /// Bytes allowed.
        limit: u64,
        /// Threads asked for.
        threads: usize,
    },
}

const MIB: u64 = 1 << 20;

/// A limit as people read it: rounded down, so that it never seems to allow what it forbids.
fn at_most(bytes: u64) -> String {
    if bytes < MIB { format!("{bytes} byte{}", s(bytes)) } else { format!("{} MiB", bytes / MIB) }
}

/// Everything needed to count a plain board of n × n squares by halves.
#[derive(Debug)]
pub struct Plan {
    subsets: Subsets,
    cases: Vec<Case>,
    units: Vec<Unit>,
    kernel: Chosen,
    join: Settings,
    memory: Memory,
    /// Working memory of workers that are between subtrees.
    idle: Mutex<Vec<Scratch>>,
}

/// What a worker keeps from one row set to the next.
#[derive(Debug)]
struct Scratch {
    builders: [Builder; 2],
    halves: [Half; 2],
    joiner: Joiner,
}

impl Scratch {
    fn new(settings: Settings) -> Self {
        let builders = [Side::Left, Side::Right].map(Builder::new);
        Self { builders, halves: Default::default(), joiner: Joiner::new(settings) }
    }
}

impl Plan {
    /// Plans the count of the plain board of `n` × `n` squares.
    ///
    /// # Errors
    /// [`PlanError`] unless `n` is from 2 to 32, the processor runs the kernel and the limit suffices.
    pub fn new(n: u32, options: &Options) -> Result<Self, PlanError> {
        if !(2..=32).contains(&n) {
            return Err(PlanError::Size { found: n });
        }
        let kernel = Chosen::new(options.kernel)?;
        let sizes = Sizes::new(n);
        let threads = options.threads.max(1);
        let costs = Costs::new(sizes);
        let memory = Memory::new(sizes, &costs, threads, options.memory);
        if let Some(limit) = options.memory.filter(|&limit| memory.bytes > limit) {
            return Err(PlanError::Memory { needed: memory.bytes, limit, threads });
        }
        let subsets = Subsets::new(sizes.h);
        let cases = cases(sizes, memory.keep);
        let units = Layout { sizes, subsets: &subsets, cases: &cases, costs: &costs }.units();
        let (join, idle) = Default::default();
        Ok(Self { subsets, cases, units, kernel, join, memory, idle })
    }

    /// Counts the solutions of one subtree, their symmetric images included.
    fn count_unit(&self, unit: &Unit, stop: &Stop) -> Result<u64, Stopped> {
        // A worker that panicked cannot have left anything half done in here.
        let idle = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut scratch = idle().pop().unwrap_or_else(|| Scratch::new(self.join));
        let result = match self.kernel {
            Chosen::Portable(kernel) => self.count_with(kernel, unit, &mut scratch, stop),
            #[cfg(target_arch = "x86_64")]
            Chosen::Avx2(kernel) => self.count_with(kernel, unit, &mut scratch, stop),
            #[cfg(target_arch = "x86_64")]
            Chosen::Avx512(kernel) => self.count_with(kernel, unit, &mut scratch, stop),
        };
        idle().push(scratch);
        result
    }

    fn count_with<K: Kernel>(
        &self,
        kernel: K,
        unit: &Unit,
        scratch: &mut Scratch,
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        let Self { subsets, .. } = self;
        let Scratch { builders, halves, joiner } = scratch;
        let case = &self.cases[usize::from(unit.case)];
        let top = u32::from(unit.top);
        let limit = case.is_ordered().then(|| subsets.rank(top));
        for (builder, top) in builders.iter_mut().zip([top | case.left_row, case.top_rows & !top]) {
            builder.begin(case, top, limit, subsets);
        }
        let mut slicer = Slicer { kernel, stop, halves, joiner, most: self.memory.pairs };
        let mut sum = 0u64;
        let bottoms = &case.bottoms(top, subsets)[unit.first.into()..unit.last.into()];
        for &bottom in bottoms.iter().filter(|&&bottom| case.allows(top, bottom, subsets)) {
            for (builder, bottom) in builders.iter_mut().zip([bottom, subsets.full() & !bottom]) {
                builder.set_bottom(case, bottom, subsets);
            }
            let tied = limit == Some(subsets.rank(bottom));
            let found = slicer.count(builders, tied, unit.cut)?;
            sum = sum.checked_add(found).expect("a subtree's count fits in 64 bits");
        }
        Ok(sum)
    }
}

impl Plan {
    /// The kernel that runs on this machine.
    pub fn kernel(&self) -> Name {
        self.kernel.name()
    }
}

impl Counter for Plan {
    fn revision(&self) -> Revision {
        REVISION
    }

    fn memory(&self) -> u64 {
        self.memory.bytes
    }

    fn costs(&self) -> Vec<u64> {
        self.units.iter().map(Unit::cost).collect()
    }

    fn count(&self, number: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.count_unit(&self.units[number], stop).map(Tally::new)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::halves::kernel::for_every_kernel;
    use crate::queens::halves::layout::cut;
    use crate::queens::halves::slice::Cut;
    use crate::queens::known;

    fn plan(n: u32, memory: Option<u64>) -> Plan {
        Plan::new(n, &Options { memory, ..Options::default() }).unwrap()
    }

    fn total(plan: &Plan) -> u128 {
        let stop = Stop::new();
        plan.units.iter().map(|unit| u128::from(plan.count_unit(unit, &stop).unwrap())).sum()
    }

    /// Calls `found` with the row of the queen of every column, for every solution.
    fn solutions(n: u32, rows: &mut Vec<u32>, found: &mut impl FnMut(&[u32])) {
        if rows.len() == n as usize {
            return found(rows);
        }
        for row in 0..n {
            let peace =
                |(distance, &other): (u32, &u32)| other != row && other.abs_diff(row) != distance;
            if (1..).zip(rows.iter().rev()).all(peace) {
                rows.push(row);
                solutions(n, rows, found);
                rows.pop();
            }
        }
    }

    /// The sets T, B, C and D of a solution of an even board, as `case` defines them.
    fn sets(n: u32, rows: &[u32]) -> [u32; 4] {
        let h = n / 2;
        let inner = |line: u32| line.min(n - 1 - line);
        let mut sets = [0; 4];
        for (column, &row) in (0..).zip(rows) {
            match (row < h, column < h) {
                (true, true) => {
                    sets[0] |= 1 << row;
                    sets[2] |= 1 << column;
                }
                (false, true) => sets[1] |= 1 << inner(row),
                (true, false) => sets[3] |= 1 << inner(column),
                (false, false) => {}
            }
        }
        sets
    }

    /// Whether the filling of a quarter, given by the row of every column, comes before its mirror
    /// image in the main diagonal (8), after it (0), or is the same (4).
    fn mirror_weight(rows: &[Option<u32>]) -> u64 {
        let columns: Vec<Option<u32>> = (0..rows.len() as u32)
            .map(|row| rows.iter().position(|&r| r == Some(row)).map(|column| column as u32))
            .collect();
        match columns.as_slice().cmp(rows) {
            std::cmp::Ordering::Greater => 8,
            std::cmp::Ordering::Equal => 4,
            std::cmp::Ordering::Less => 0,
        }
    }

    /// How many solutions one with these sets, T the greatest, stands for.
    fn weight(n: u32, rows: &[u32], [t, b, c, d]: [u32; 4]) -> u64 {
        let h = n / 2;
        let full = (1 << h) - 1;
        let tied = |set: u32| set == t || set == full & !t;
        let quarter = |column: &dyn Fn(u32) -> u32| {
            let rows = (0..h).map(|i| rows[column(i) as usize]);
            rows.map(|row| (row < h).then_some(row)).collect::<Vec<_>>()
        };
        match (tied(b), tied(c), tied(d)) {
            (false, false, false) | (false, true, true) => 8,
            (false, true, false) if c == t => mirror_weight(&quarter(&|i| i)),
            (false, true, false) => 8,
            (false, false, true) if d == full & !t => mirror_weight(&quarter(&|i| n - 1 - i)),
            (false, false, true) => 0,
            (true, false, false) => 4,
            (true, true, false) | (true, false, true) => 0,
            (true, true, true) => 2,
        }
    }

    #[test]
    fn counts_even_and_odd_boards() {
        for n in 2..=13 {
            assert_eq!(Some(total(&plan(n, None))), known::solutions(n), "n = {n}");
        }
    }

    #[test]
    fn every_kernel_counts_boards_whose_lists_are_split_to_the_end() {
        for_every_kernel(|kernel| {
            for n in 6..=12 {
                let join = Settings { table: 5, pairs: 0, choice: 0 };
                let plan = Plan { kernel, join, ..plan(n, None) };
                assert_eq!(Some(total(&plan)), known::solutions(n), "n = {n}, {kernel:?}");
            }
        });
    }

    /// Counts row sets given by n, case, rows above the middle and position of the rows below it.
    fn check_row_sets(row_sets: &[(u32, u8, u16, u16, u64)]) {
        for &(n, case, top, position, solutions) in row_sets {
            let mut plan = plan(n, Some(1 << 34));
            for_every_kernel(|kernel| {
                plan.kernel = kernel;
                let (first, last) = (position, position + 1);
                let unit = Unit { case, cut: Cut::default(), top, first, last, share: 1.0 };
                let found = plan.count_unit(&unit, &Stop::new());
                assert_eq!(found, Ok(solutions), "{kernel:?}, n = {n}, {unit:?}");
            });
        }
    }

    #[test]
    fn every_kernel_finds_as_many_solutions_for_row_sets_of_large_boards() {
        // Drawn at random from those that take milliseconds.
        check_row_sets(&[
            (20, 0, 0b11011110, 19, 18800),
            (20, 0, 0b10111011, 204, 240776),
            (20, 0, 0b1011010011, 83, 2453720),
            (21, 2, 0b101100110, 123, 37152),
            (21, 8, 0b1010011001, 99, 1316872),
            (21, 7, 0b111110000, 98, 140104),
            (22, 0, 0b11111010, 4, 159792),
            (22, 0, 0b10111111, 316, 396592),
            (23, 1, 0b111, 310, 48536),
            (23, 2, 0b1000100110, 279, 2321352),
        ]);
    }

    #[test]
    #[ignore = "takes seconds with optimisation"]
    fn every_kernel_finds_as_many_solutions_for_row_sets_of_24() {
        check_row_sets(&[
            (24, 0, 0b111111, 300, 99232744),
            (24, 0, 0b11111000111, 3, 60572856),
            (24, 0, 0b111111111, 100, 21240),
        ]);
    }

    #[test]
    fn every_row_set_of_an_even_board_has_the_solutions_found_naively() {
        for n in [2, 4, 6, 8, 10, 12] {
            let plan = plan(n, None);
            let subsets = &plan.subsets;
            let mut expected = vec![0; 1 << n];
            solutions(n, &mut Vec::new(), &mut |rows| {
                let [t, b, c, d] = sets(n, rows);
                let rank = |set| subsets.rank(set);
                if subsets.is_greater_half(t) && [b, c, d].iter().all(|&s| rank(s) <= rank(t)) {
                    expected[(t << (n / 2) | b) as usize] += weight(n, rows, [t, b, c, d]);
                }
            });
            for unit in &plan.units {
                let bottoms = plan.cases[0].bottoms(unit.top.into(), subsets);
                for position in unit.first..unit.last {
                    let single = Unit { first: position, last: position + 1, ..unit.clone() };
                    let row_set = u32::from(unit.top) << (n / 2) | bottoms[usize::from(position)];
                    let found = plan.count_unit(&single, &Stop::new()).unwrap();
                    assert_eq!(found, expected[row_set as usize], "n = {n}, rows {row_set:b}");
                }
            }
            let all: u64 = expected.iter().sum();
            assert_eq!(Some(u128::from(all)), known::solutions(n), "n = {n}");
        }
    }

    #[test]
    fn counts_the_same_when_quarters_are_not_kept() {
        for n in [11, 12] {
            let kept = plan(n, None);
            assert!(kept.memory.keep);
            let unkept = Plan { cases: cases(Sizes::new(n), false), ..kept };
            assert_eq!(Some(total(&unkept)), known::solutions(n));
        }
    }

    #[test]
    fn counts_the_same_slice_by_slice() {
        for_every_kernel(|kernel| {
            for (n, most) in [(6, 0), (7, 0), (8, 1), (9, 1), (10, 20), (11, 40)] {
                let mut plan = Plan { kernel, ..plan(n, None) };
                plan.memory.pairs = Some(most);
                assert_eq!(Some(total(&plan)), known::solutions(n), "n = {n}, {most} pairs");
            }
        });
    }

    #[test]
    fn row_sets_that_are_cut_add_up() {
        let plan = plan(10, None);
        let stop = Stop::new();
        let mut cut_somewhere = 0;
        for unit in plan.units.iter().filter(|unit| unit.cut == Cut::default()) {
            for position in unit.first..unit.last {
                let whole = Unit { first: position, last: position + 1, ..unit.clone() };
                let mut cuts = Vec::new();
                cut(&whole, f64::from(whole.share) / 6.0, &mut cuts);
                let count = |unit: &Unit| plan.count_unit(unit, &stop).unwrap();
                let found: Vec<u64> = cuts.iter().map(count).collect();
                assert_eq!(found.iter().sum::<u64>(), count(&whole), "{whole:?}");
                cut_somewhere += usize::from(found.iter().filter(|&&found| found > 0).count() > 1);
            }
        }
        assert!(cut_somewhere > 20, "{cut_somewhere} row sets have solutions in several slices");
    }

    #[test]
    fn paths_beyond_the_last_diagonal_hold_nothing() {
        const DEPTH: u8 = 7;
        let stop = Stop::new();
        for n in [4, 5, 6, 7] {
            let plan = plan(n, None);
            for unit in &plan.units {
                let path = |path| Unit { cut: Cut { depth: DEPTH, path }, ..unit.clone() };
                let found = (0..1 << DEPTH).map(|p| plan.count_unit(&path(p), &stop).unwrap());
                assert_eq!(Ok(found.sum()), plan.count_unit(unit, &stop), "n = {n}, {unit:?}");
            }
        }
    }

    #[test]
    fn a_limit_that_is_too_low_is_an_error() {
        let options = Options { memory: Some(1 << 20), threads: 4, ..Options::default() };
        let error = Plan::new(20, &options).unwrap_err();
        assert!(matches!(error, PlanError::Memory { limit, threads: 4, .. } if limit == 1 << 20));
        let text = error.to_string();
        assert!(text.contains(" MiB of memory for 4 threads, the limit is 1 MiB: "), "{text}");
        let nearly = PlanError::Memory { needed: MIB + 1, limit: MIB - 1, threads: 1 };
        let text = nearly.to_string();
        assert!(
            text.contains("2 MiB of memory for 1 thread, the limit is 1048575 bytes"),
            "{text}"
        );
    }

    #[test]
    fn subtrees_of_large_boards_are_fine() {
        for n in [20, 21, 22] {
            let plan = plan(n, None);
            let sum: u64 = plan.units.iter().map(Unit::cost).sum();
            let most = plan.units.iter().map(Unit::cost).max().unwrap();
            assert!(most < sum / 2000, "n = {n}: {most} of {sum}");
        }
    }

    #[test]
    fn a_raised_flag_stops_every_subtree() {
        let plan = plan(12, None);
        let stop = Stop::new();
        stop.request();
        assert!(plan.units.iter().all(|unit| plan.count_unit(unit, &stop) == Err(Stopped)));
    }
}
