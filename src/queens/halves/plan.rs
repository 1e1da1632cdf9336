//! The plan of a count: its cases, its subtrees, its memory.

use std::sync::Mutex;

use super::case::{Case, Middle, cases, weight};
use super::cost::{Costs, work};
use super::half::Builder;
use super::join::{Half, Joiner};
use super::kernel::{Chosen, Kernel};
use super::memory;
use super::quarter::Sizes;
use super::subsets::Subsets;
use crate::queens::kernel::{KernelMissing, KernelName};
use crate::search::{Stop, Stopped};

/// Subtrees are cut so that none is estimated to take more than this part of the whole, unless it
/// is a single row set. Small boards are over too soon to need as many.
fn parts(n: u32) -> f64 {
    f64::from(1u32 << (n.clamp(10, 20) - 7))
}

/// How to plan a count.
#[derive(Debug, Default, Clone, Copy)]
pub struct Options {
    /// The kernel to use; the fastest that this processor has by default.
    pub kernel: Option<KernelName>,
    /// Worker threads that will count at the same time; 0 counts as 1. Only the memory depends on
    /// them.
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
        "the engine halves needs {needed} bytes of memory for {threads} threads, the limit is \
         {limit}: use fewer threads, or another engine"
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

/// Everything needed to count a plain board of n × n squares by halves.
#[derive(Debug)]
pub struct Plan {
    sizes: Sizes,
    subsets: Subsets,
    cases: Vec<Case>,
    units: Vec<Unit>,
    kernel: Chosen,
    memory: u64,
    /// Working memory of workers that are between subtrees.
    idle: Mutex<Vec<Scratch>>,
}

/// A subtree: the row sets that share the rows above the middle and whose rows below it lie in a
/// range.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unit {
    case: u32,
    /// Rows of the left half above the middle.
    top: u32,
    /// Positions of the row sets below the middle.
    first: u32,
    last: u32,
    cost: u64,
}

impl Unit {
    /// The estimated cost; those of all subtrees add up to about 10^12.
    pub fn cost(&self) -> u64 {
        self.cost
    }
}

/// What a worker keeps from one row set to the next.
#[derive(Debug, Default)]
struct Scratch {
    left: Side,
    right: Side,
    joiner: Joiner,
}

/// One half under construction.
#[derive(Debug, Default)]
struct Side {
    builder: Builder,
    half: Half,
}

impl Plan {
    /// Plans the count of the plain board of `n` × `n` squares.
    ///
    /// # Errors
    /// [`PlanError::Size`] unless `n` is from 2 to 32, [`PlanError::Kernel`] if the processor cannot
    /// run the kernel asked for, [`PlanError::Memory`] if the limit is too low.
    pub fn new(n: u32, options: &Options) -> Result<Self, PlanError> {
        if !(2..=32).contains(&n) {
            return Err(PlanError::Size { found: n });
        }
        let kernel = Chosen::new(options.kernel)?;
        let sizes = Sizes::new(n);
        let threads = options.threads.max(1);
        let limit = options.memory.unwrap_or(u64::MAX);
        let costs = Costs::new(sizes);
        let needs = memory::Needs::new(sizes, &costs);
        let keep = needs.total(threads, true) <= limit.min(memory::MOST_KEPT);
        let needed = needs.total(threads, keep);
        if needed > limit {
            return Err(PlanError::Memory { needed, limit, threads });
        }
        let subsets = Subsets::new(sizes.h);
        let cases = cases(sizes, keep);
        let units = Layout { sizes, subsets: &subsets, cases: &cases, costs: &costs }.units();
        let idle = Mutex::default();
        Ok(Self { sizes, subsets, cases, units, kernel, memory: needed, idle })
    }

    /// The subtrees, in an order that depends on n alone. Their counts add up to Q(n).
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// An upper estimate of the memory that the count takes, in bytes.
    pub fn memory(&self) -> u64 {
        self.memory
    }

    /// The kernel that counts.
    pub fn kernel(&self) -> KernelName {
        self.kernel.name()
    }

    /// Counts the solutions of one subtree, their symmetric images included.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` was raised meanwhile.
    pub fn count(&self, unit: &Unit, stop: &Stop) -> Result<u64, Stopped> {
        // A worker that panicked cannot have left anything half done in here.
        let idle = || self.idle.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        let mut scratch = idle().pop().unwrap_or_default();
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
        let Scratch { left, right, joiner } = scratch;
        let case = &self.cases[unit.case as usize];
        let rest = case.top_rows & !unit.top;
        let limit = case.is_ordered().then(|| subsets.rank(unit.top));
        left.builder.begin(case, unit.top | case.left_row, limit, subsets);
        right.builder.begin(case, rest, limit, subsets);

        let mut solutions = 0u64;
        let bottoms = case.bottoms(unit.top, subsets);
        for &bottom in &bottoms[unit.first as usize..unit.last as usize] {
            if !case.allows(unit.top, bottom, subsets) {
                continue;
            }
            let other = subsets.full() & !bottom;
            left.builder.build(kernel, case, bottom, subsets, &mut left.half);
            right.builder.build(kernel, case, other, subsets, &mut right.half);
            let mirror = self.sizes.mirror();
            let pairs = joiner.count(kernel, mirror, &left.half, &right.half, stop)?;
            let opposite = limit == Some(subsets.rank(bottom));
            for (c, pairs) in [false, true].into_iter().zip(pairs) {
                for (d, pairs) in [false, true].into_iter().zip(pairs) {
                    solutions = pairs
                        .checked_mul(weight(opposite, c, d))
                        .and_then(|images| solutions.checked_add(images))
                        .expect("a subtree's count fits in 64 bits");
                }
            }
        }
        Ok(solutions)
    }
}

impl Case {
    /// The sets of rows below the middle that bring the left half to h queens.
    fn bottoms<'a>(&self, top: u32, subsets: &'a Subsets) -> &'a [u32] {
        let h = subsets.full().count_ones();
        let queens = (top | self.left_row).count_ones();
        h.checked_sub(queens).map_or(&[], |rest| subsets.of_size(rest))
    }

    /// Whether `top` and `bottom` can be the rows of a solution that is counted.
    fn allows(&self, top: u32, bottom: u32, subsets: &Subsets) -> bool {
        !self.is_ordered() || subsets.rank(bottom) <= subsets.rank(top)
    }
}

/// Cuts a board into subtrees.
struct Layout<'a> {
    sizes: Sizes,
    subsets: &'a Subsets,
    cases: &'a [Case],
    costs: &'a Costs,
}

impl Layout<'_> {
    fn units(&self) -> Vec<Unit> {
        let mut total = 0.0;
        self.for_each_top(|case, top| {
            self.for_each_bottom(case, top, |_, work| total += work);
        });
        let parts = parts(self.sizes.n);
        let mut units = Vec::new();
        self.for_each_top(|case, top| {
            let (mut first, mut sum) = (0, 0.0);
            let mut close = |first: &mut u32, last: u32, sum: &mut f64| {
                if *sum > 0.0 {
                    let cost = (*sum / total * 1e12) as u64 + 1;
                    units.push(Unit { case: case as u32, top, first: *first, last, cost });
                }
                (*first, *sum) = (last, 0.0);
            };
            let mut end = 0;
            self.for_each_bottom(case, top, |position, work| {
                if sum + work > total / parts {
                    close(&mut first, position, &mut sum);
                }
                sum += work;
                end = position + 1;
            });
            close(&mut first, end, &mut sum);
        });
        units
    }

    fn for_each_top(&self, mut found: impl FnMut(usize, u32)) {
        for (index, case) in self.cases.iter().enumerate() {
            for top in 0..=self.subsets.full() {
                let counted = !case.is_ordered() || self.subsets.is_greater_half(top);
                if top & !case.top_rows == 0 && counted {
                    found(index, top);
                }
            }
        }
    }

    /// The row sets below the middle that go with `top`: position and estimated work.
    fn for_each_bottom(&self, case: usize, top: u32, mut found: impl FnMut(u32, f64)) {
        let (case, subsets) = (&self.cases[case], self.subsets);
        let rest = case.top_rows & !top;
        let share = |rows: u32| {
            let peers = subsets.of_size(rows.count_ones());
            let allowed = peers.iter().filter(|&&columns| case.allows(top, columns, subsets));
            allowed.count() as f64 / peers.len() as f64
        };
        let sides = match case.middle {
            Middle::Above(a) => f64::from(a - 1) / f64::from(subsets.full().count_ones()),
            Middle::None | Middle::Centre => 1.0,
        };
        let (left_share, right_share) = (share(top) * sides, share(rest));
        let (left, right) = (self.costs.half_boards(top), self.costs.half_boards(rest));
        for (position, &bottom) in case.bottoms(top, subsets).iter().enumerate() {
            if case.allows(top, bottom, subsets) {
                let other = subsets.full() & !bottom;
                found(position as u32, work(left(bottom) * left_share, right(other) * right_share));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::queens::known;

    fn total(n: u32, kernel: Option<KernelName>) -> u128 {
        let plan = Plan::new(n, &Options { kernel, ..Options::default() }).unwrap();
        let stop = Stop::new();
        plan.units().iter().map(|unit| u128::from(plan.count(unit, &stop).unwrap())).sum()
    }

    #[test]
    fn counts_even_and_odd_boards() {
        for n in 2..=13 {
            assert_eq!(Some(total(n, None)), known::solutions(n), "n = {n}");
        }
    }
}
