//! The plan of a count, and the count of a subtree.

#[cfg(test)]
mod tests;

use std::sync::Arc;

use tallyboard_base::cpu::{Kernel as Name, KernelMissing};
use tallyboard_base::figures::{counted, memory_limit, memory_size};
use tallyboard_base::idle::Idle;
use tallyboard_search::{Costs, Problem, Stop, Stopped, Tally, thread_count};

use crate::count::Settings;
use crate::halves::builder::{Builder, Context};
use crate::halves::case::{Case, cases};
use crate::halves::join;
use crate::halves::kernel::{Chosen, Kernel, with_kernel};
use crate::halves::layout::{self, CostModel, Layout, Subtree};
use crate::halves::memory::Memory;
use crate::halves::slice::{Slicer, Worker};
use crate::halves::subsets::{Sizes, Subsets};

/// Why a board cannot be counted by halves as asked.
#[non_exhaustive]
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum HalvesError {
    /// A board of one square has no halves, and the widest keys hold n = 32.
    #[error("found a board size of {found}, expected 2 to 32 for the engine halves")]
    Size {
        /// The size asked for.
        found: u32,
    },
    /// The processor lacks the instructions.
    #[error(transparent)]
    Kernel(#[from] KernelMissing),
    /// The lists need more memory than the limit.
    #[error(
        "the engine halves needs {} of memory for {}, the limit is {}",
        memory_size(*needed), counted(*threads, "thread"), memory_limit(*limit)
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
pub struct Halves {
    pub(super) cases: Vec<Case>,
    pub(super) subtrees: Vec<Subtree>,
    kernel: Chosen,
    join: join::Settings,
    memory: Memory,
    /// Working memory of workers that are between subtrees.
    idle: Idle<Worker>,
}

impl Halves {
    /// Plans the count of the plain board of `n` × `n` squares.
    ///
    /// # Errors
    /// [`HalvesError`] unless `n` is from 2 to 32, the processor runs the kernel and the limit suffices.
    pub(crate) fn new(n: u32, settings: &Settings) -> Result<Self, HalvesError> {
        if !(2..=32).contains(&n) {
            return Err(HalvesError::Size { found: n });
        }
        let kernel = Chosen::new(settings.kernel)?;
        let sizes = Sizes::new(n);
        let threads = thread_count(settings.threads);
        let costs = CostModel::new(sizes);
        let list_bytes = layout::bytes(n, settings.shards);
        let usual = Memory::new(sizes, &costs, threads, None).bytes;
        let asked = settings.memory.map(|limit| limit.saturating_sub(list_bytes));
        // Only a limit that was asked for is a reason to take more memory than usual. The memory available is no limit
        // as long as the usual plan fits in it.
        let available = settings.available_memory.map(|limit| limit.saturating_sub(list_bytes));
        let available = available.filter(|&bytes| asked.is_some() || usual > bytes);
        let memory = Memory::new(sizes, &costs, threads, asked.into_iter().chain(available).min());
        let needed = memory.bytes + list_bytes;
        let limit = settings.memory.into_iter().chain(settings.available_memory).min();
        if let Some(limit) = limit.filter(|&limit| needed > limit) {
            return Err(HalvesError::Memory { needed, limit, threads });
        }
        let cases = cases(&Arc::new(Subsets::new(sizes)), memory.keep);
        let subtrees = Layout { sizes, cases: &cases, costs: &costs }.subtrees();
        let join = join::Settings::default();
        Ok(Self { cases, subtrees, kernel, join, memory, idle: Idle::default() })
    }

    /// The kernel that runs on this machine.
    pub fn kernel(&self) -> Name {
        self.kernel.name()
    }

    /// The number of solutions of one subtree, their symmetric images included.
    pub(crate) fn count_subtree(&self, subtree: &Subtree, stop: &Stop) -> Result<u64, Stopped> {
        let mut worker = self.idle.take().unwrap_or_else(|| Worker::new(self.join));
        let result = with_kernel!(self.kernel, kernel => {
            self.count_with(kernel, subtree, &mut worker, stop)
        });
        self.idle.put(worker);
        result
    }

    fn count_with<K: Kernel>(
        &self,
        kernel: K,
        subtree: &Subtree,
        worker: &mut Worker,
        stop: &Stop,
    ) -> Result<u64, Stopped> {
        let case = &self.cases[usize::from(subtree.case)];
        let context = Context { case, stop, top_rank: None };
        let mut slicer = Slicer { kernel, context, memory: &self.memory, worker };
        let mut sum = 0u64;
        let mut tops = subtree.tops(case).peekable();
        while tops.peek().is_some() {
            // The upper quarters of a group fit into memory: each lower quarter is found once per group.
            let mut group = Vec::new();
            let mut bytes = 0;
            let builders = &mut slicer.worker.builders;
            builders.iter_mut().for_each(Builder::clear);
            for top in tops.by_ref() {
                let rows = [top | case.left_row, case.top_rows & !top];
                for (builder, rows) in builders.iter_mut().zip(rows) {
                    bytes += builder.add_top(context, rows)?;
                }
                group.push(top);
                if bytes >= self.memory.group_bytes {
                    break;
                }
            }
            let found = slicer.count_group(&group, subtree.bottoms(case), subtree.slice)?;
            sum = sum.checked_add(found).expect("a subtree's count fits in 64 bits");
        }
        Ok(sum)
    }
}

impl Problem for Halves {
    fn memory(&self) -> u64 {
        self.memory.bytes
    }

    fn split(&self) -> Costs {
        Costs::new(self.subtrees.iter().map(Subtree::cost).collect())
    }

    fn subtrees(&self) -> usize {
        self.subtrees.len()
    }

    fn count(&self, subtree: usize, stop: &Stop) -> Result<Tally, Stopped> {
        self.count_subtree(&self.subtrees[subtree], stop).map(Tally::new)
    }
}
