//! The search of all kernels: depth first, an item at each node.
//!
//! In scalar pseudocode:
//!
//! ```text
//! count(options, open, forbidden):
//!     options = the options without a forbidden bit
//!     for each open item, count the options that cover it; if an item has none, return 0
//!     while items have one option each: take these options, or return 0 if two of them clash
//!     if no item is open, return 1
//!     if the memo has a count for the union of the options, return it
//!     item = an open one with the fewest options
//!     return the sum over its options of count(options, open less the option, what the option forbids)
//! ```
//!
//! Departures from it:
//!
//! 1. `N` options at a time. A list of options is an array for each word of their masks.
//! 2. Counts are digits of one bit each, for all items at once (`Counts`).
//! 3. The stack is a list of frames. The option lists of a path are in one arena, one after the other.
//! 4. As soon as the bits in which live options can clash fit into fewer words, the masks are packed into these, and the count
//!    goes on with the packed masks. If live options have one bit of a digit only, it is left out (`Rules::settled`).
//! 5. An item that may be covered several times is open with a number of rungs (`Ladders`). It takes its options when it has no
//!    more than it needs.
//! 6. Where it pays, options behind which an item has no option are left out before they are taken (`choose`).

use super::counts::{Counts, least_of_many, pass, union_of_live};
use super::{Job, Lanes, is_zero};
use crate::masks::bits::{Window, copy_words};
use crate::masks::ladders::Ladders;
use crate::masks::workspace::{Frame, List, LookUp, Workspace};
use crate::masks::{MAX_WORDS, Question, others};
use tallyboard_base::array::array;
use tallyboard_search::{Halt, NodeBudget};

/// The fewest live options with which the search below a node is long enough to repay the packing of their masks.
const WORTH_PACKING: usize = 32;

/// Counts the covers of a node.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub unsafe fn count<V: Lanes, const W: usize>(
    proof: V::Proof,
    job: Job<'_>,
    budget: &mut NodeBudget<'_>,
) -> Result<u128, Halt> {
    let rules = &Rules::of(&job);
    let mut node = Node::of(&job);
    let workspace = job.workspace;
    let base = workspace.frames.len();
    loop {
        budget.count_node()?;
        // SAFETY: the caller's promise.
        let entered = unsafe { enter::<V, W>(workspace, rules, node) };
        let mut finished = match entered {
            Entered::Count(count) => {
                if count > 0 && workspace.visits.is_some() {
                    workspace.visit();
                }
                Some(count)
            }
            // SAFETY: the caller's promise.
            Entered::Branch(branch) => unsafe {
                open_frame::<V, W>(proof, workspace, rules, &branch, budget)?
            },
        };
        // Adds the counts of finished nodes to their parents, up to a frame with another branch.
        loop {
            if let Some(found) = finished.take() {
                if workspace.frames.len() == base {
                    return Ok(found);
                }
                let last = workspace.frames.len() - 1;
                let frame = &mut workspace.frames[last];
                match workspace.arithmetic.add(frame.found, found) {
                    Some(sum) => frame.found = sum,
                    None => return Err(Halt::Overflow),
                }
            }
            let last = workspace.frames.len() - 1;
            let frame = &mut workspace.frames[last];
            if frame.next < frame.end {
                let option = workspace.choices[frame.next] as usize;
                frame.next += 1;
                let frame = *frame;
                let arena = workspace.arena.as_ptr();
                // SAFETY: the choices of a frame are options of its list; its open items lie in the arena.
                let mask = unsafe { mask_at::<W>(arena, frame.list, option) };
                let open: [u64; W] = array(|i| workspace.arena[frame.open_at + i]);
                let (open, forbidden) = rules.choose(&open, mask);
                node = Node { list: frame.list, open, forbidden, top: frame.top };
                break;
            }
            finished = Some(close_frame::<W>(workspace, budget));
        }
    }
}

/// Opens a frame for the branches of a node. If the memo knows the count of the node, or it is counted with packed masks, returns
/// the count instead.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn open_frame<V: Lanes, const W: usize>(
    proof: V::Proof,
    workspace: &mut Workspace,
    rules: &Rules<W>,
    branch: &Branch<W>,
    budget: &mut NodeBudget<'_>,
) -> Result<Option<u128>, Halt> {
    let list = branch.list;
    let mut top = list.begin + W * list.stride;
    let open = count_ones(&branch.open);
    let nodes = budget.nodes();
    if let Some(packing) = packing(rules, branch)
        && let Some(count) = narrow::<V, W>(proof, workspace, rules, branch, packing, budget)?
    {
        return Ok(Some(count));
    }
    let mut is_remembered = false;
    if !workspace.memo.skips(open) {
        let key = workspace.root_bits(&rules.key(branch));
        match workspace.memo.look_up(open, &key) {
            LookUp::Count(count) => return Ok(Some(count)),
            LookUp::Paused => {}
            LookUp::Unknown => {
                is_remembered = true;
                workspace.reserve(top + 2 * MAX_WORDS);
                copy_words(&mut workspace.arena[top + W..], &key);
            }
        }
    }
    let begin = workspace.choices.len();
    // SAFETY: the caller's promise; the list lies in the arena.
    unsafe { choose::<V, W>(workspace, rules, branch, workspace.looks_ahead) };
    workspace.reserve(top + 2 * MAX_WORDS);
    copy_words(&mut workspace.arena[top..], &branch.open);
    let open_at = top;
    top += if is_remembered { 2 * MAX_WORDS } else { MAX_WORDS };
    workspace.frames.push(Frame {
        list,
        open_at,
        top,
        begin,
        next: begin,
        end: workspace.choices.len(),
        found: 0,
        nodes,
        is_remembered,
    });
    Ok(None)
}

/// Closes the last frame, whose branches are counted. Returns its count.
#[inline(always)]
fn close_frame<const W: usize>(workspace: &mut Workspace, budget: &NodeBudget<'_>) -> u128 {
    let frame = workspace.frames[workspace.frames.len() - 1];
    // Covers that are visited are visited each time.
    if frame.is_remembered && (frame.found == 0 || workspace.visits.is_none()) {
        let key_at = frame.open_at + W;
        let key = &workspace.arena[key_at..key_at + workspace.memo.words_per_key()];
        // The nodes below this one, and itself.
        let nodes = budget.nodes() - frame.nodes + 1;
        workspace.memo.store(key, frame.found, nodes);
    }
    workspace.choices.truncate(frame.begin);
    workspace.frames.pop();
    frame.found
}

/// Adds the options that cover the branch's item to the choices. Looking ahead leaves those out behind which an item has no option.
///
/// # Safety
/// The CPU has the instructions of `V`; the list lies in the arena.
#[inline(always)]
unsafe fn choose<V: Lanes, const W: usize>(
    workspace: &mut Workspace,
    rules: &Rules<W>,
    branch: &Branch<W>,
    looks_ahead: bool,
) {
    let begin = workspace.choices.len();
    let from = branch.list;
    // Whether an option covers the item is one bit, so one word of each mask is enough.
    let list = List { begin: from.begin + branch.word * from.stride, ..from };
    let arena = workspace.arena.as_ptr();
    workspace.choices.reserve(list.len);
    let choices = workspace.choices.as_mut_ptr();
    let mut len = workspace.choices.len();
    // SAFETY: the caller's promise; there is room for as many choices as the list has options.
    unsafe {
        let mut at = 0;
        while at < list.len {
            let mut options = meeting::<V, 1>(arena, list, at, [branch.bit]);
            while options != 0 {
                choices.add(len).write((at + options.trailing_zeros() as usize) as u32);
                len += 1;
                options &= options - 1;
            }
            at += 64;
        }
        // Whether a node dies is hard to predict, so no branch depends on it.
        let mut kept = if looks_ahead { begin } else { len };
        let mut next = kept;
        while next < len {
            let option = choices.add(next).read();
            let mask = mask_at::<W>(arena, branch.list, option as usize);
            let (open, forbidden) = rules.choose(&branch.open, mask);
            let union = union_of_live::<V, W>(arena, branch.list, forbidden);
            let uncovered: [u64; W] = rules.uncovered(&open, &union);
            choices.add(kept).write(option);
            kept += usize::from(is_zero(&uncovered));
            next += 1;
        }
        workspace.choices.set_len(kept);
        workspace.looked_at += (len - begin) as u64;
        workspace.dropped += (len - kept) as u64;
    }
}

/// How masks are packed into fewer words.
struct Packing<const W: usize> {
    window: Window,
    /// The bits that the window keeps.
    kept: [u64; W],
    words: usize,
}

/// How the masks of a node can be packed; `None` if that is not worth it.
#[inline(always)]
fn packing<const W: usize>(rules: &Rules<W>, branch: &Branch<W>) -> Option<Packing<W>> {
    if W == 1 || branch.list.len < WORTH_PACKING {
        return None;
    }
    let settled = rules.settled(&branch.union);
    let key = rules.key(branch);
    let kept: [u64; W] = array(|i| key[i] & !settled[i]);
    let words = narrower(count_ones(&kept), W)?;
    Some(Packing { window: Window::new(&kept, &settled), kept, words })
}

/// The number of words that `bits` bits can be packed into, if it is less than `words`.
#[inline(always)]
fn narrower(bits: u32, words: usize) -> Option<usize> {
    // Masks of three words were no faster than those of four, and would need code of their own.
    let fewer = match (bits as usize).div_ceil(64) {
        0 => 1,
        3 => 4,
        fewer => fewer,
    };
    (fewer <= 4 && fewer < words).then_some(fewer)
}

/// The rules of masks that are packed into fewer words.
struct PackedRules {
    plain: [u64; MAX_WORDS],
    digits: [u64; MAX_WORDS],
    ladders: Option<Ladders>,
}

/// The rules of masks that are packed through `window`, which keeps the bits in `kept`; `None` if the bits of a digit or a ladder
/// would get into different words.
#[inline(always)]
fn packed_rules<const W: usize>(
    rules: &Rules<W>,
    window: &Window,
    kept: &[u64; W],
) -> Option<PackedRules> {
    let mut packed =
        PackedRules { plain: [u64::MAX; MAX_WORDS], digits: [0; MAX_WORDS], ladders: None };
    if !rules.is_mixed {
        return Some(packed);
    }
    // The bits with another bit of their digit above them, which may have been two places above.
    let lower: [u64; W] = array(|i| {
        let below = kept[i] >> 1 & rules.digits[i];
        kept[i] & (below | below >> 1) & rules.digits[i]
    });
    window.extract(&lower, &mut packed.digits);
    if packed.digits.iter().any(|&digits| digits >> 63 == 1) {
        return None;
    }
    if let Some(ladders) = &rules.ladders {
        packed.ladders = Some(ladders.packed(window, kept)?);
    }
    packed.plain = [0; MAX_WORDS];
    window.extract(&rules.plain, &mut packed.plain);
    Some(packed)
}

/// Counts the covers of a node with masks of fewer words; `None` if the bits of a digit or a ladder would get into different words.
#[inline(always)]
fn narrow<V: Lanes, const W: usize>(
    proof: V::Proof,
    workspace: &mut Workspace,
    rules: &Rules<W>,
    branch: &Branch<W>,
    Packing { window, kept, words }: Packing<W>,
    budget: &mut NodeBudget<'_>,
) -> Result<Option<u128>, Halt> {
    let Some(packed) = packed_rules(rules, &window, &kept) else { return Ok(None) };
    let mut open = [0; MAX_WORDS];
    window.extract(&branch.open, &mut open);

    let from = branch.list;
    let begin = from.begin + W * from.stride;
    let list = List { begin, stride: List::stride_for(from.len), len: from.len };
    let top = begin + words * list.stride;
    workspace.reserve(top);
    let mut option = 0;
    while option < from.len {
        let mask: [u64; W] = array(|i| workspace.arena[from.begin + i * from.stride + option]);
        let mut packed = [0; MAX_WORDS];
        window
            .extract_by(&mask, &mut packed, |extraction, word| V::extract(extraction, word, proof));
        let mut word = 0;
        while word < words {
            workspace.arena[begin + word * list.stride + option] = packed[word];
            word += 1;
        }
        option += 1;
    }
    workspace.windows.push(window);
    workspace.ladders.extend(packed.ladders);
    let job = Job {
        workspace: &mut *workspace,
        list,
        open,
        forbidden: [0; MAX_WORDS],
        plain: packed.plain,
        digits: packed.digits,
        is_mixed: rules.is_mixed,
        top,
    };
    let count = V::count(proof, words, job, budget)?;
    workspace.windows.pop();
    if rules.ladders.is_some() {
        workspace.ladders.pop();
    }
    Ok(Some(count))
}

/// Answers a question about a node. It is one function for all questions, so that `enter` is compiled once for them.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub unsafe fn look<V: Lanes, const W: usize>(job: Job<'_>, mut question: Question<'_>) -> u128 {
    let rules = Rules::of(&job);
    let mut node = Node::of(&job);
    let workspace = job.workspace;
    let mut descent = Descent { width: 1, nodes: 1 };
    // Plans were measured with estimates of all nodes, which take a fraction of the time.
    let looks_ahead = workspace.looks_ahead && !matches!(question, Question::Descend(_));
    let answer = loop {
        // SAFETY: the caller's promise.
        let branch = match unsafe { enter::<V, W>(workspace, &rules, node) } {
            Entered::Branch(branch) => branch,
            Entered::Count(count) => {
                break if matches!(question, Question::Descend(_)) { descent.nodes } else { count };
            }
        };
        if matches!(question, Question::IsPossible) {
            break 1;
        }
        workspace.choices.clear();
        // SAFETY: as above; the list lies in the arena.
        unsafe { choose::<V, W>(workspace, &rules, &branch, looks_ahead) };
        match &mut question {
            Question::IsPossible => unreachable!("it was answered above"),
            Question::Children(children) => {
                for &option in &workspace.choices {
                    let arena = workspace.arena.as_ptr();
                    // SAFETY: the choices are options of the list.
                    let mask = unsafe { mask_at::<W>(arena, branch.list, option as usize) };
                    append_child(&rules, &branch, &mask, children);
                }
                break 0;
            }
            Question::Descend(pick) => {
                let option = descent.step(&workspace.choices, pick);
                // SAFETY: the choices are options of the list.
                let mask = unsafe { mask_at::<W>(workspace.arena.as_ptr(), branch.list, option) };
                let (open, forbidden) = rules.choose(&branch.open, mask);
                let top = branch.list.begin + W * branch.list.stride;
                node = Node { list: branch.list, open, forbidden, top };
                if rules.is_done(&node.open) {
                    break descent.nodes;
                }
            }
        }
    };
    workspace.clear();
    answer
}

/// Appends the child of a node by the option `mask`: its open items, then the bits forbidden to it.
#[inline(always)]
fn append_child<const W: usize>(
    rules: &Rules<W>,
    branch: &Branch<W>,
    mask: &[u64; W],
    children: &mut Vec<u64>,
) {
    let (open, forbidden) = rules.choose(&branch.open, *mask);
    for i in 0..W {
        children.push(open[i]);
    }
    // No live option has a bit that earlier choices forbid, so all these bits are outside of the union.
    for i in 0..W {
        children.push(!branch.union[i] | forbidden[i]);
    }
}

/// A descent by random branches.
struct Descent {
    /// The product of the numbers of branches so far, which estimates the nodes at this depth.
    width: u128,
    /// The sum over all depths, which estimates the nodes of the subtree.
    nodes: u128,
}

impl Descent {
    /// Takes one of the choices at random. `pick` is the state of the random numbers.
    fn step(&mut self, choices: &[u32], pick: &mut u64) -> usize {
        *pick = crate::hash::mix(*pick);
        let chosen = ((u128::from(*pick) * choices.len() as u128) >> 64) as usize;
        self.width = self.width.saturating_mul(choices.len() as u128);
        self.nodes = self.nodes.saturating_add(self.width);
        choices[chosen] as usize
    }
}

// Entering a node: drops options, counts the options of each item, takes forced options, and chooses an item.

/// The bits that each bit of a mask forbids: the bit of an item forbids itself, the bits of a digit forbid each other, and a ladder
/// without an open rung forbids its lowest one.
#[derive(Debug, Clone, Copy)]
pub struct Rules<const W: usize> {
    /// The bits that forbid themselves.
    pub plain: [u64; W],
    /// The bits of digits with another bit of their digit above them.
    pub digits: [u64; W],
    /// Whether there is a digit or a ladder.
    pub is_mixed: bool,
    /// The ladders, if there are any.
    pub ladders: Option<Ladders<W>>,
}

impl<const W: usize> Rules<W> {
    /// The rules of a search whose masks have `W` words.
    #[inline(always)]
    pub fn of(job: &Job<'_>) -> Self {
        Self {
            plain: array(|i| job.plain[i]),
            digits: array(|i| job.digits[i]),
            is_mixed: job.is_mixed,
            ladders: job.workspace.ladders.last().map(Ladders::first),
        }
    }

    /// Chooses an option with this mask where `open` is open: what is open then, and the bits that options must not have.
    #[inline(always)]
    pub fn choose(&self, open: &[u64; W], mask: [u64; W]) -> ([u64; W], [u64; W]) {
        let forbidden = self.forbidden(mask);
        match &self.ladders {
            None => (array(|i| open[i] & !mask[i]), forbidden),
            Some(ladders) => {
                let after: [u64; W] = array(|i| ladders.open_after(i, open[i], mask[i]));
                (after, array(|i| forbidden[i] | ladders.forbidden(i, mask[i], after[i])))
            }
        }
    }

    /// Whether every item is covered as often as it needs.
    #[inline(always)]
    pub fn is_done(&self, open: &[u64; W]) -> bool {
        match &self.ladders {
            None => is_zero(open),
            Some(ladders) => ladders.is_done(open),
        }
    }

    /// The items that take all of their options; `None` if one has too few.
    #[inline(always)]
    fn forced(&self, counts: &Counts<W>, open: &[u64; W]) -> Option<[u64; W]> {
        if let Some(ladders) = &self.ladders {
            return ladders.forced(&counts.digits, open);
        }
        let union = counts.union();
        let uncovered: [u64; W] = array(|i| open[i] & !union[i]);
        let alone = counts.singles();
        is_zero(&uncovered).then(|| array(|i| open[i] & alone[i]))
    }

    /// The open items that need an option, and are not in `union`.
    #[inline(always)]
    fn uncovered(&self, open: &[u64; W], union: &[u64; W]) -> [u64; W] {
        match &self.ladders {
            None => array(|i| open[i] & !union[i]),
            Some(ladders) => array(|i| open[i] & ladders.needed(i) & !union[i]),
        }
    }

    /// The key of a node: the bits that its live options have, but of ladders the open rungs only.
    #[inline(always)]
    fn key(&self, branch: &Branch<W>) -> [u64; W] {
        match &self.ladders {
            None => branch.union,
            Some(ladders) => array(|i| branch.union[i] & (branch.open[i] | !ladders.rungs(i))),
        }
    }

    /// The bits that options must not have if an option with this mask is chosen, but for those of ladders.
    #[inline(always)]
    fn forbidden(&self, mask: [u64; W]) -> [u64; W] {
        if !self.is_mixed {
            return mask;
        }
        array(|i| mask[i] & self.plain[i] | others(mask[i], self.digits[i]))
    }
}

impl<const W: usize> Rules<W> {
    /// The bits of digits whose other bits are not in `union`, the union of the live options. They forbid nothing.
    #[inline(always)]
    pub fn settled(&self, union: &[u64; W]) -> [u64; W] {
        array(|i| {
            let digits = self.digits[i];
            union[i] & (digits | digits << 1) & !others(union[i], digits)
        })
    }
}

/// A node before it is entered: the live options of its parent, and the masks that the choices so far leave.
#[derive(Debug, Clone, Copy)]
pub struct Node<const W: usize> {
    pub list: List,
    /// The items that still have to be covered.
    pub open: [u64; W],
    /// The bits that options must not have.
    pub forbidden: [u64; W],
    /// The index from which the arena is free.
    pub top: usize,
}

impl<const W: usize> Node<W> {
    /// The node at which a search begins.
    #[inline(always)]
    pub fn of(job: &Job<'_>) -> Self {
        Self {
            list: job.list,
            open: array(|i| job.open[i]),
            forbidden: array(|i| job.forbidden[i]),
            top: job.top,
        }
    }
}

/// The result of entering a node.
pub enum Entered<const W: usize> {
    /// The number of its covers, 0 or 1.
    Count(u128),
    /// An item to branch on.
    Branch(Branch<W>),
}

/// The item on which a node branches, and the live options.
pub struct Branch<const W: usize> {
    /// The live options.
    pub list: List,
    pub open: [u64; W],
    /// The union of the live options.
    pub union: [u64; W],
    /// The word of the item.
    pub word: usize,
    /// Its bit in the word.
    pub bit: u64,
}

#[inline(always)]
pub fn count_ones<const W: usize>(mask: &[u64; W]) -> u32 {
    let mut ones = 0;
    for i in 0..W {
        ones += mask[i].count_ones();
    }
    ones
}

/// The mask of an option.
///
/// # Safety
/// The option is in the list, whose arrays `arena` holds.
#[inline(always)]
pub unsafe fn mask_at<const W: usize>(arena: *const u64, list: List, option: usize) -> [u64; W] {
    // SAFETY: the caller's promise.
    array(|i| unsafe { arena.add(list.begin + i * list.stride + option).read() })
}

/// Enters a node: drops the options with a forbidden bit, and takes the options of all items that have one option only. Repeats
/// this until no item has one option only.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub unsafe fn enter<V: Lanes, const W: usize>(
    workspace: &mut Workspace,
    rules: &Rules<W>,
    node: Node<W>,
) -> Entered<W> {
    let mut open = node.open;
    if rules.is_done(&open) {
        return Entered::Count(1);
    }
    let stride = List::stride_for(node.list.len);
    workspace.reserve(node.top + W * stride);
    let mut from = node.list;
    let mut list = List { begin: node.top, stride, len: 0 };
    let mut forbidden = node.forbidden;
    loop {
        // SAFETY: the caller's promise; both lists lie in the arena, with room for whole vectors.
        let counts =
            unsafe { pass::<V, W>(workspace.arena.as_mut_ptr(), from, &mut list, forbidden) };
        let Some(forced) = rules.forced(&counts, &open) else { return Entered::Count(0) };
        if is_zero(&forced) {
            let union = counts.union();
            let items = rules.ladders.as_ref().map_or(open, |ladders| ladders.branches(&open));
            let least = match counts.least(items) {
                Some(least) => least,
                // SAFETY: as above.
                None => unsafe { least_of_many::<V, W>(workspace.arena.as_ptr(), list, items) },
            };
            let mut word = W - 1;
            for i in (0..W).rev() {
                word = if least[i] != 0 { i } else { word };
            }
            let bit = least[word] & least[word].wrapping_neg();
            return Entered::Branch(Branch { list, open, union, word, bit });
        }
        // SAFETY: as above.
        let Some(taken) =
            (unsafe { take::<V, W>(workspace.arena.as_ptr(), list, rules, open, forced) })
        else {
            return Entered::Count(0);
        };
        open = taken.open;
        if rules.is_done(&open) {
            return Entered::Count(1);
        }
        forbidden = taken.forbidden;
        // The next pass writes the list over itself: each vector is read before its place is written.
        from = list;
    }
}

/// The items that are open behind the taken options, and the bits that these forbid.
struct Taken<const W: usize> {
    open: [u64; W],
    forbidden: [u64; W],
}

/// Takes the options that cover `forced`; `None` if two of them clash.
///
/// # Safety
/// As of [`pass`].
#[inline(always)]
unsafe fn take<V: Lanes, const W: usize>(
    arena: *const u64,
    list: List,
    rules: &Rules<W>,
    open: [u64; W],
    forced: [u64; W],
) -> Option<Taken<W>> {
    let mut taken = Taken { open, forbidden: [0; W] };
    let mut at = 0;
    while at < list.len {
        // SAFETY: the caller's promise.
        let mut options = unsafe { meeting::<V, W>(arena, list, at, forced) };
        while options != 0 {
            // SAFETY: as above.
            let mask = unsafe { mask_at::<W>(arena, list, at + options.trailing_zeros() as usize) };
            let clash: [u64; W] = array(|i| mask[i] & taken.forbidden[i]);
            if !is_zero(&clash) {
                return None;
            }
            let (open, forbidden) = rules.choose(&taken.open, mask);
            taken.open = open;
            for i in 0..W {
                taken.forbidden[i] |= forbidden[i];
            }
            options &= options - 1;
        }
        at += 64;
    }
    Some(taken)
}

/// The options, of the 64 from `at` on, that have a bit in common with `mask`: a bit for each. So the caller's loop over these
/// options, whose end is hard to predict, ends once for 64 options and not once for each vector.
///
/// # Safety
/// As of [`pass`]; there is such an option.
#[inline(always)]
pub unsafe fn meeting<V: Lanes, const W: usize>(
    arena: *const u64,
    list: List,
    at: usize,
    mask: [u64; W],
) -> u64 {
    let count = (list.len - at).min(64);
    let mut options = 0_u64;
    // SAFETY: the caller's promise.
    unsafe {
        let wanted: [V; W] = array(|i| V::splat(mask[i]));
        let mut next = 0;
        while next < count {
            let begin = list.begin + at + next;
            let mut meets = V::load(arena.add(begin)).and(wanted[0]);
            for i in 1..W {
                meets = meets.or_and(V::load(arena.add(begin + i * list.stride)), wanted[i]);
            }
            let missing = u64::from(V::bits(meets.zeros()));
            options |= (missing ^ ((1 << V::N) - 1)) << next;
            next += V::N;
        }
    }
    options & (u64::MAX >> (64 - count))
}
