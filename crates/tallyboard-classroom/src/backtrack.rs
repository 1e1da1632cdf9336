//! Textbook backtracking, one step at a time, for any puzzle.

/// One step of a search that makes moves and takes them back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<M, R> {
    /// A move was tried, but the rules forbid it.
    Refused {
        /// The move.
        tried: M,
        /// What forbids it.
        why: R,
    },
    /// A move was made: a new node of the search tree.
    Made(M),
    /// No move can follow those that are made.
    DeadEnd(R),
    /// The moves that are made are a solution.
    Solution,
    /// Moves were taken back.
    Back {
        /// How many moves are left.
        to: usize,
        /// The first of the moves that were taken back.
        undone: M,
    },
    /// Everything has been tried.
    Over,
}

/// A puzzle that is solved move by move.
pub trait Puzzle {
    /// What is tried: a queen on a square, a digit in a cell.
    type Move: Copy;
    /// Why a move is refused, or why none can follow.
    type Reason: Copy;

    /// The moves to try after those `made`, in order; `None` if these are a solution.
    fn moves(&self, made: &[Self::Move]) -> Option<Vec<Self::Move>>;

    /// Why `tried` cannot follow the moves `made`, if it cannot.
    fn obstacle(&self, made: &[Self::Move], tried: Self::Move) -> Option<Self::Reason>;

    /// Why no move can follow those `made`.
    fn dead_end(&self, made: &[Self::Move]) -> Self::Reason;
}

/// The steps of the whole search for all solutions, in order.
///
/// ```
/// # mod tallyboard { pub mod queens { pub use ::tallyboard_queens::{*, front::*}; } }
/// use tallyboard_classroom::backtrack::{Counts, Steps};
/// use tallyboard_classroom::trace::queens::Rows;
/// use tallyboard::queens::Board;
///
/// let mut counts = Counts::default();
/// for step in Steps::new(Rows::new(&Board::new(6)?)) {
///     counts.add(&step);
/// }
/// assert_eq!((counts.nodes, counts.solutions), (152, 4));
/// # Ok::<(), tallyboard::queens::BoardError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Steps<P: Puzzle> {
    puzzle: P,
    made: Vec<P::Move>,
    /// A level for the root and one for each move made; empty when the search is over.
    levels: Vec<Level<P::Move>>,
}

/// The moves that are still to be tried after some moves.
#[derive(Clone, Debug)]
struct Level<M> {
    untried: std::vec::IntoIter<M>,
    state: State,
}

/// How far the search has come at a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// No move has been made here so far.
    Open,
    /// A move has been made here.
    Parent,
    /// A solution that is still to be reported.
    Solution,
    /// A solution or a dead end that has been reported.
    Leaf,
}

impl<P: Puzzle> Steps<P> {
    /// The search for all solutions of `puzzle`.
    pub fn new(puzzle: P) -> Self {
        let mut steps = Self { puzzle, made: Vec::new(), levels: Vec::new() };
        steps.descend();
        steps
    }

    /// The moves that are made now.
    pub fn made(&self) -> &[P::Move] {
        &self.made
    }

    /// The puzzle that is searched.
    pub fn puzzle(&self) -> &P {
        &self.puzzle
    }

    /// Begins to try the moves that can follow those made.
    fn descend(&mut self) {
        let moves = self.puzzle.moves(&self.made);
        let state = if moves.is_some() { State::Open } else { State::Solution };
        self.levels.push(Level { untried: moves.unwrap_or_default().into_iter(), state });
    }

    /// Takes the last move back.
    fn go_back(&mut self) -> Step<P::Move, P::Reason> {
        self.levels.pop();
        match self.made.pop() {
            Some(undone) => Step::Back { to: self.made.len(), undone },
            None => Step::Over,
        }
    }
}

impl<P: Puzzle> Iterator for Steps<P> {
    type Item = Step<P::Move, P::Reason>;

    fn next(&mut self) -> Option<Self::Item> {
        let level = self.levels.last_mut()?;
        let step = match (level.untried.next(), level.state) {
            (Some(tried), _) => match self.puzzle.obstacle(&self.made, tried) {
                Some(why) => Step::Refused { tried, why },
                None => {
                    level.state = State::Parent;
                    self.made.push(tried);
                    self.descend();
                    Step::Made(tried)
                }
            },
            (None, State::Solution) => {
                level.state = State::Leaf;
                Step::Solution
            }
            (None, State::Open) => {
                level.state = State::Leaf;
                Step::DeadEnd(self.puzzle.dead_end(&self.made))
            }
            (None, State::Parent | State::Leaf) => self.go_back(),
        };
        Some(step)
    }
}

/// The numbers of steps of each kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Steps of all kinds.
    pub steps: u64,
    /// Moves made: nodes of the search tree, its root not counted.
    pub nodes: u64,
    /// Moves after which none could follow.
    pub dead_ends: u64,
    /// Solutions found.
    pub solutions: u64,
}

impl Counts {
    /// Counts one more step.
    pub fn add<M, R>(&mut self, step: &Step<M, R>) {
        self.steps += 1;
        self.nodes += u64::from(matches!(step, Step::Made(_)));
        self.dead_ends += u64::from(matches!(step, Step::DeadEnd(_)));
        self.solutions += u64::from(matches!(step, Step::Solution));
    }
}

/// A node of the search tree, with the tree below it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node<M> {
    /// The moves that lead to it; none at the root.
    pub made: Vec<M>,
    /// What becomes of these moves.
    pub fate: Fate,
    /// The nodes with one more move, in order; empty if the tree is cut here.
    pub children: Vec<Node<M>>,
    /// The numbers of nodes and solutions below this node, if the tree is cut here and they were counted.
    pub cut: Option<Descendants>,
}

/// What becomes of the moves that lead to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Others can follow them.
    Open,
    /// No move can follow them.
    DeadEnd,
    /// They are a solution.
    Solution,
}

/// The numbers of nodes and solutions below a node of the search tree, without the node itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Descendants {
    /// Nodes of the search tree, solutions included.
    pub nodes: u64,
    /// Solutions.
    pub solutions: u64,
}

impl<M: Copy> Node<M> {
    /// The search tree of `puzzle`, cut below the first `depth` moves; `None` if it has more than `max_nodes` nodes. The tree
    /// has as many nodes as the search, so it is for queens up to n = 10 or so, or half a dozen cells of a sudoku.
    pub fn tree(puzzle: &impl Puzzle<Move = M>, depth: usize, max_nodes: usize) -> Option<Self> {
        let mut nodes_left = max_nodes;
        Self::grow(puzzle, Vec::new(), depth, &mut nodes_left)
    }

    /// The node of the moves `made`, and `depth` levels below it. `None` if the tree has more nodes than are left.
    fn grow(
        puzzle: &impl Puzzle<Move = M>,
        made: Vec<M>,
        depth: usize,
        nodes_left: &mut usize,
    ) -> Option<Self> {
        *nodes_left = nodes_left.checked_sub(1)?;
        let moves = puzzle.moves(&made);
        let mut fate = if moves.is_some() { Fate::DeadEnd } else { Fate::Solution };
        let mut children = Vec::new();
        for next in moves.into_iter().flatten() {
            if puzzle.obstacle(&made, next).is_some() {
                continue;
            }
            fate = Fate::Open;
            if depth == 0 {
                break;
            }
            let made = [&made[..], &[next]].concat();
            children.push(Self::grow(puzzle, made, depth - 1, nodes_left)?);
        }
        Some(Self { made, fate, children, cut: None })
    }

    /// The number of nodes that this tree holds, this one included.
    pub fn size(&self) -> usize {
        1 + self.children.iter().map(Self::size).sum::<usize>()
    }

    /// The number of nodes without children: dead ends, solutions, and nodes at which the tree is cut.
    pub fn leaves(&self) -> usize {
        self.children.iter().map(Self::leaves).sum::<usize>().max(1)
    }

    /// The number of levels below this node that the tree holds.
    pub fn depth(&self) -> usize {
        self.children.iter().map(|child| 1 + child.depth()).max().unwrap_or(0)
    }

    /// The numbers of nodes and solutions below this node, with those that are cut off and were counted.
    pub fn below(&self) -> Descendants {
        let mut sum = self.cut.unwrap_or_default();
        for child in &self.children {
            let Descendants { nodes, solutions } = child.below();
            sum.nodes += 1 + nodes;
            sum.solutions += solutions + u64::from(child.fate == Fate::Solution);
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Permutations of `n` numbers in which none has its own place.
    struct Derangements(u32);

    impl Puzzle for Derangements {
        type Move = u32;
        type Reason = bool;

        fn moves(&self, made: &[u32]) -> Option<Vec<u32>> {
            (made.len() < self.0 as usize).then(|| (0..self.0).collect())
        }

        fn obstacle(&self, made: &[u32], tried: u32) -> Option<bool> {
            let is_home = made.len() == tried as usize;
            (is_home || made.contains(&tried)).then_some(is_home)
        }

        fn dead_end(&self, _: &[u32]) -> bool {
            false
        }
    }

    #[test]
    fn every_move_is_tried_and_taken_back_in_order() {
        use Step::{Back, DeadEnd, Made, Over, Refused, Solution};
        let steps: Vec<_> = Steps::new(Derangements(2)).collect();
        let home = |tried| Refused { tried, why: true };
        let taken = |tried| Refused { tried, why: false };
        let back = Back { to: 1, undone: 0 };
        let last = Back { to: 0, undone: 1 };
        assert_eq!(
            steps,
            [home(0), Made(1), Made(0), Solution, back, home(1), last, Over],
            "{steps:?}"
        );
        let three: Vec<_> = Steps::new(Derangements(3)).collect();
        let dead = three.iter().position(|step| matches!(step, DeadEnd(_))).unwrap();
        assert_eq!(three[dead - 3..dead], [taken(0), taken(1), home(2)]);
        assert_eq!(three[dead + 1], Back { to: 1, undone: 0 });
    }

    #[test]
    fn a_replay_of_the_steps_reaches_every_solution_once() {
        for (n, expected) in [(1, 0), (2, 1), (3, 2), (4, 9), (5, 44), (6, 265)] {
            let mut steps = Steps::new(Derangements(n));
            let mut made = Vec::new();
            let mut found = Vec::new();
            let mut counts = Counts::default();
            while let Some(step) = steps.next() {
                counts.add(&step);
                match step {
                    Step::Made(placed) => made.push(placed),
                    Step::Back { to, undone } => {
                        assert_eq!(made[to], undone);
                        made.truncate(to);
                    }
                    Step::Solution => found.push(made.clone()),
                    _ => {}
                }
                assert_eq!(made, steps.made());
            }
            assert!(made.is_empty() && steps.next().is_none());
            assert_eq!((found.len(), counts.solutions), (expected, expected as u64));
            found.dedup();
            assert_eq!(found.len(), expected);
        }
    }

    #[test]
    fn a_puzzle_that_is_solved_from_the_start_has_one_solution() {
        let steps: Vec<_> = Steps::new(Derangements(0)).collect();
        assert_eq!(steps, [Step::Solution, Step::Over]);
    }
}
