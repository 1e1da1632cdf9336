//! A walk over covers, which skips nodes of which masks or clauses tell that they have none.

use super::few::Few;
use super::scout::Scout;
use super::split::Path;
use super::state::{Branches, OptionSets};
use crate::cover::Cover;
use tallyboard_search::{Halt, NodeBudget, Stop, Stopped};

/// A node of the path from the root to the current node.
#[derive(Debug)]
struct OpenNode {
    branches: Branches,
    /// The number of the next branch.
    next: usize,
    /// The length of the trail at the node itself.
    trail_of_node: usize,
    /// The length of the trail before the current branch: the options of earlier branches may have been dropped.
    trail_of_branch: usize,
}

/// A depth-first walk over the solutions below a state of the sets.
#[derive(Debug, Default)]
pub(super) struct Walk {
    stack: Vec<OpenNode>,
    started: bool,
}

impl Walk {
    /// Goes on to the next solution, whose options are [`OptionSets::chosen`]. Returns whether there is one. Nodes that the
    /// `scout` or `few` rule out are not entered.
    ///
    /// # Errors
    /// [`Halt`] if the walk was stopped or took more nodes than it may. It cannot go on after that.
    pub fn next(
        &mut self,
        sets: &mut OptionSets,
        budget: &mut NodeBudget,
        mut scout: Option<&mut Scout>,
        mut few: Option<&mut Few>,
    ) -> Result<bool, Halt> {
        if let Some(scout) = &mut scout {
            scout.resume();
        }
        if !self.started {
            self.started = true;
            budget.count_node()?;
            if self.enter(sets) {
                return Ok(true);
            }
        }
        while let Some(node) = self.stack.last_mut() {
            sets.undo_to(node.trail_of_branch);
            if node.next == node.branches.len() {
                sets.undo_to(node.trail_of_node);
                let node = self.stack.pop();
                sets.recycle(node.map(|node| node.branches));
                continue;
            }
            let number = node.next;
            node.next += 1;
            if number > 0 && sets.drop_taken(&node.branches, number - 1).is_err() {
                // Too few options are left for the item, and no later branch has more.
                node.next = node.branches.len();
                node.trail_of_branch = sets.trail();
                continue;
            }
            node.trail_of_branch = sets.trail();
            budget.count_node()?;
            // The only child of a node has a cover if the node has one, so looking ahead tells nothing new.
            let is_choice = node.branches.len() > 1;
            if sets.take(&node.branches, number).is_err() {
                continue;
            }
            if is_choice {
                if scout.as_mut().is_some_and(|scout| scout.rules_out(sets.chosen())) {
                    continue;
                }
                if let Some(few) = &mut few
                    && few.rules_out(sets, budget.stop())?
                {
                    continue;
                }
            }
            if self.enter(sets) {
                if let Some(few) = &mut few {
                    few.count_cover();
                }
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Enters the current node of the sets. Returns whether it is a solution, which has no branches.
    fn enter(&mut self, sets: &mut OptionSets) -> bool {
        if !sets.is_possible() {
            return false;
        }
        let trail = sets.trail();
        let Some(branches) = sets.branches() else { return true };
        self.stack.push(OpenNode {
            branches,
            next: 0,
            trail_of_node: trail,
            trail_of_branch: trail,
        });
        false
    }
}

/// Finds covers one after the other, in an order that depends on the problem alone.
#[derive(Debug)]
pub(crate) struct Finder {
    sets: OptionSets,
    /// Find nodes without covers, which the walk skips.
    scout: Option<Scout>,
    few: Option<Few>,
}

impl Finder {
    /// Finds covers of `cover`; `None` if it has more entries than 32 bits can number.
    pub fn new(cover: &Cover) -> Option<Self> {
        let sets = OptionSets::new(cover)?;
        Some(Self { sets, scout: Scout::new(cover), few: Few::new(cover) })
    }

    /// The options of the next cover of a walk, in the order in which they were chosen; `None` if there are no others.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised. The walk cannot go on after that.
    pub(super) fn next(&mut self, walk: &mut Walk, stop: &Stop) -> Result<Option<&[u32]>, Stopped> {
        let mut budget = NodeBudget::unlimited(stop);
        match walk.next(&mut self.sets, &mut budget, self.scout.as_mut(), self.few.as_mut()) {
            Ok(is_found) => Ok(is_found.then(|| self.sets.chosen())),
            Err(Halt::Stopped) => Err(Stopped),
            Err(Halt::Overflow | Halt::Limit) => {
                unreachable!("a walk without a limit adds nothing up")
            }
        }
    }

    /// Visits the covers below a node, from the root, with the options of each.
    ///
    /// # Errors
    /// [`Stopped`] if `stop` is raised.
    pub fn visit_below(
        &mut self,
        path: &Path,
        stop: &Stop,
        visit: &mut dyn FnMut(&[u32]),
    ) -> Result<(), Stopped> {
        let mut ended = Ok(());
        if self.sets.follow(path) {
            let mut walk = Walk::default();
            ended = loop {
                match self.next(&mut walk, stop) {
                    Ok(Some(chosen)) => visit(chosen),
                    Ok(None) => break Ok(()),
                    Err(stopped) => break Err(stopped),
                }
            };
        }
        self.sets.undo_to(0);
        ended
    }

    /// The bytes that it takes, about.
    pub fn memory(&self) -> u64 {
        self.sets.memory() + self.scout.as_ref().map_or(0, Scout::memory)
    }
}
