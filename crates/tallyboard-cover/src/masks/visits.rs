//! The options of the covers that a search over masks finds.
//!
//! The kernels count: the lists of their nodes are packed more than once, and do not tell which option of the problem an entry is. What
//! they do tell is which entry of its list each frame of the path has chosen. So the path is followed again, one option at a time, and
//! this is done for each frame only once, when the first cover below it is found:
//!
//! ```text
//! state = the live options, by their numbers, and the open and the forbidden bits, after all forced options are taken
//! the list of a frame = the live options of its state, in order
//! the state of the next frame = the state behind the chosen entry of that list
//! ```
//!
//! A frame costs a pass over the live options of the one above it for each round of forced options; a cover costs the same below its
//! last frame. Frames without covers cost nothing. The memo of the search keeps empty nodes only.

use super::split::Node;
use super::workspace::Frame;
use super::{Encoded, MAX_WORDS};
use std::sync::Arc;

/// A node of the search, after all forced options are taken.
#[derive(Debug, Clone)]
pub(crate) struct State {
    pub node: Node,
    /// The numbers of the masks that can still be chosen.
    live: Vec<u32>,
    /// The numbers of the chosen masks.
    pub chosen: Vec<u32>,
}

impl State {
    /// The first node of a search; `None` if there is no cover for certain.
    pub fn root(encoded: &Encoded) -> Option<Self> {
        let live = (0..encoded.len() as u32).collect();
        Self { node: encoded.root(), live, chosen: Vec::new() }.with_forced(encoded)
    }

    /// The items that still have to be covered, and the bits that no option may have any more.
    fn open_and_forbidden(&self) -> (&[u64], &[u64]) {
        self.node.split_at(self.node.len() / 2)
    }

    /// Whether every item is covered.
    pub fn is_done(&self) -> bool {
        self.open_and_forbidden().0.iter().all(|&word| word == 0)
    }

    /// The children of a node that is not done: those by the options of an open item with the fewest.
    pub fn children(&self, encoded: &Encoded) -> Vec<Self> {
        let (open, _) = self.open_and_forbidden();
        let mut fewest: Option<Vec<u32>> = None;
        for item in (0..64 * encoded.words).filter(|item| has(open, *item)) {
            let options = self.live.iter().copied();
            let options: Vec<u32> =
                options.filter(|&option| has(mask(encoded, option), item)).collect();
            if fewest.as_ref().is_none_or(|fewest| options.len() < fewest.len()) {
                fewest = Some(options);
            }
        }
        let options = fewest.unwrap_or_default();
        options.into_iter().filter_map(|option| self.behind(encoded, option)).collect()
    }

    /// The state behind an option; `None` if there is no cover for certain.
    fn behind(&self, encoded: &Encoded, option: u32) -> Option<Self> {
        let mut chosen = Vec::with_capacity(2 * self.chosen.len() + 8);
        chosen.extend_from_slice(&self.chosen);
        let mut state = Self { node: self.node.clone(), live: Vec::new(), chosen };
        state.choose(encoded, option);
        if !state.is_done() {
            state.live = self.live_options(encoded, state.open_and_forbidden().1);
        }
        state.with_forced(encoded)
    }

    /// The live options without these bits.
    fn live_options(&self, encoded: &Encoded, forbidden: &[u64]) -> Vec<u32> {
        let mut live = Vec::with_capacity(self.live.len());
        for &option in &self.live {
            if !meets(mask(encoded, option), forbidden) {
                live.push(option);
            }
        }
        live
    }

    fn choose(&mut self, encoded: &Encoded, option: u32) {
        encoded.choose(&mut self.node, mask(encoded, option));
        self.chosen.push(option);
    }

    /// Takes forced options, as [`enter`](super::kernel) does.
    fn with_forced(mut self, encoded: &Encoded) -> Option<Self> {
        let mut forced = [0; MAX_WORDS];
        while !self.is_done() {
            let (mut once, mut twice) = ([0; MAX_WORDS], [0; MAX_WORDS]);
            for &option in &self.live {
                let mask = mask(encoded, option);
                for i in 0..encoded.words {
                    twice[i] |= once[i] & mask[i];
                    once[i] |= mask[i];
                }
            }
            let (open, _) = self.open_and_forbidden();
            for i in 0..encoded.words {
                if open[i] & !once[i] != 0 {
                    return None;
                }
                forced[i] = open[i] & !twice[i];
            }
            if forced == [0; MAX_WORDS] {
                break;
            }
            for option in self.live.clone() {
                let mask = mask(encoded, option);
                if meets(mask, &forced) {
                    if meets(mask, self.open_and_forbidden().1) {
                        return None;
                    }
                    self.choose(encoded, option);
                }
            }
            self.live = self.live_options(encoded, self.open_and_forbidden().1);
        }
        Some(self)
    }
}

fn mask(encoded: &Encoded, option: u32) -> &[u64] {
    &encoded.masks[option as usize * encoded.words..][..encoded.words]
}

/// Whether `a` has a bit of the first words of `b`.
fn meets(a: &[u64], b: &[u64]) -> bool {
    let mut both = 0;
    for i in 0..a.len() {
        both |= a[i] & b[i];
    }
    both != 0
}

fn has(mask: &[u64], bit: usize) -> bool {
    mask[bit / 64] >> (bit % 64) & 1 == 1
}

/// Takes the covers of a search: the numbers of the masks of each.
pub(crate) type Visitor = Box<dyn FnMut(&[u32]) + Send + Sync>;

/// Follows the path of a search to its covers, and hands them to a [`Visitor`].
pub(crate) struct Visits {
    encoded: Arc<Encoded>,
    start: State,
    /// The frames of the path to the last cover: the nodes visited up to each, which no other frame has, and its state.
    path: Vec<(u64, State)>,
    visitor: Visitor,
}

impl std::fmt::Debug for Visits {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Visits").field("path", &self.path.len()).finish_non_exhaustive()
    }
}

impl Visits {
    /// The visits of a search that starts at `start`.
    pub fn new(encoded: Arc<Encoded>, start: State, visitor: Visitor) -> Self {
        Self { encoded, start, path: Vec::new(), visitor }
    }

    /// Visits the cover to which these frames lead. `choices` holds the entries that they choose from.
    pub(super) fn cover(&mut self, frames: &[Frame], choices: &[u32]) {
        let known = self.path.iter().zip(frames).take_while(|((nodes, _), f)| *nodes == f.nodes);
        let known = known.count();
        self.path.truncate(known);
        for depth in known..frames.len() {
            let state = self.state(depth, frames, choices);
            assert_eq!(state.live.len(), frames[depth].list.len, "a list is that of its state");
            self.path.push((frames[depth].nodes, state));
        }
        let state = self.state(frames.len(), frames, choices);
        debug_assert!(state.is_done());
        (self.visitor)(&state.chosen);
    }

    /// The state that the choices of the first `depth` frames lead to.
    fn state(&self, depth: usize, frames: &[Frame], choices: &[u32]) -> State {
        let Some(above) = depth.checked_sub(1) else { return self.start.clone() };
        let (frame, state) = (frames[above], &self.path[above].1);
        let option = state.live[choices[frame.next - 1] as usize];
        state.behind(&self.encoded, option).expect("there is a cover behind it")
    }
}
