//! The search of all kernels: depth first, an item at each node.
//!
//! In scalar pseudocode:
//!
//! ```text
//! count(options, open, forbidden):
//!     options = those without a forbidden bit
//!     for each open item, count the options that cover it; if one has none, return 0
//!     while an item has one option: take it, or return 0 if two of these clash
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
//! 3. The stack is a list of frames; the lists of a path lie behind each other in one arena.
//! 4. As soon as the bits that tell live options apart fit into fewer words, the masks are packed into as many, and the
//!    count goes on with these. A bit of a pair whose other bit no live option has tells nothing (`Rules::settled`).

use super::job::Job;
use super::lanes::{Lanes, is_zero};
use super::node::{Branch, Entered, Node, Rules, count_ones, enter, mask_at, meeting};
use crate::masks::bits::{Window, copy_words};
use crate::masks::machine::{Frame, List, Machine};
use crate::masks::memo::Known;
use crate::masks::{MAX_WORDS, Question};
use ::search::{Halt, Pace};
use base::array::array;

/// Live options from which on the search below a node is long enough to repay the packing of their masks.
const WORTH_PACKING: usize = 32;

/// Counts the covers of a node.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub unsafe fn count<V: Lanes, const W: usize>(
    proof: V::Proof,
    job: Job<'_>,
    pace: &mut Pace<'_>,
) -> Result<u128, Halt> {
    let rules = &Rules::of(&job);
    let mut node = Node::of(&job);
    let machine = job.machine;
    let base = machine.frames.len();
    loop {
        pace.node()?;
        // SAFETY: the caller's promise.
        let entered = unsafe { enter::<V, W>(machine, rules, node) };
        let mut finished = match entered {
            Entered::Count(count) => Some(count),
            // SAFETY: the caller's promise.
            Entered::Branch(branch) => unsafe {
                open_frame::<V, W>(proof, machine, rules, &branch, pace)?
            },
        };
        // Adds finished counts to the parents, up to a frame that has a branch left.
        loop {
            if let Some(found) = finished.take() {
                if machine.frames.len() == base {
                    return Ok(found);
                }
                let last = machine.frames.len() - 1;
                let frame = &mut machine.frames[last];
                match machine.arithmetic.add(frame.found, found) {
                    Some(sum) => frame.found = sum,
                    None => return Err(Halt::Overflow),
                }
            }
            let last = machine.frames.len() - 1;
            let frame = &mut machine.frames[last];
            if frame.next < frame.end {
                let option = machine.choices[frame.next] as usize;
                frame.next += 1;
                let frame = *frame;
                let arena = machine.arena.as_ptr();
                // SAFETY: the choices of a frame are options of its list; its open items lie in the arena.
                let mask = unsafe { mask_at::<W>(arena, frame.list, option) };
                let open: [u64; W] = array(|i| machine.arena[frame.open_at + i] & !mask[i]);
                node = Node {
                    list: frame.list,
                    open,
                    forbidden: rules.forbidden(mask),
                    top: frame.top,
                };
                break;
            }
            finished = Some(close_frame::<W>(machine, pace));
        }
    }
}

/// Opens a frame for the branches of a node; or returns the node's count if it is known, or is found with fewer words.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
unsafe fn open_frame<V: Lanes, const W: usize>(
    proof: V::Proof,
    machine: &mut Machine,
    rules: &Rules<W>,
    branch: &Branch<W>,
    pace: &mut Pace<'_>,
) -> Result<Option<u128>, Halt> {
    let list = branch.list;
    let mut top = list.begin + W * list.stride;
    let open = count_ones(&branch.open);
    let nodes = pace.nodes();
    if let Some(packing) = packing(rules, branch)
        && let Some(count) = narrow::<V, W>(proof, machine, rules, branch, packing, pace)?
    {
        return Ok(Some(count));
    }
    let mut is_remembered = false;
    if !machine.memo.skips(open) {
        let key = machine.root_bits(&branch.union);
        match machine.memo.look(open, &key) {
            Known::Count(count) => return Ok(Some(count)),
            Known::Off => {}
            Known::Nothing => {
                is_remembered = true;
                machine.reserve(top + 2 * MAX_WORDS);
                copy_words(&mut machine.arena[top + W..], &key);
            }
        }
    }
    let begin = machine.choices.len();
    // SAFETY: the caller's promise; the list lies in the arena.
    unsafe { choose::<V, W>(machine, branch) };
    machine.reserve(top + 2 * MAX_WORDS);
    copy_words(&mut machine.arena[top..], &branch.open);
    let open_at = top;
    top += if is_remembered { 2 * MAX_WORDS } else { MAX_WORDS };
    machine.frames.push(Frame {
        list,
        open_at,
        top,
        begin,
        next: begin,
        end: machine.choices.len(),
        found: 0,
        nodes,
        is_remembered,
    });
    Ok(None)
}

/// Closes the last frame, whose branches are counted. Returns its count.
#[inline(always)]
fn close_frame<const W: usize>(machine: &mut Machine, pace: &Pace<'_>) -> u128 {
    let frame = machine.frames[machine.frames.len() - 1];
    if frame.is_remembered {
        let key_at = frame.open_at + W;
        let key = &machine.arena[key_at..key_at + machine.memo.words()];
        // Those below it, and itself.
        let nodes = pace.nodes() - frame.nodes + 1;
        machine.memo.store(key, frame.found, nodes);
    }
    machine.choices.truncate(frame.begin);
    machine.frames.pop();
    frame.found
}

/// Adds the options that cover the branch's item to the choices.
///
/// # Safety
/// The CPU has the instructions of `V`; the list lies in the arena.
#[inline(always)]
unsafe fn choose<V: Lanes, const W: usize>(machine: &mut Machine, branch: &Branch<W>) {
    let from = branch.list;
    // Whether an option covers the item is one bit, so one word of each mask is enough.
    let list = List { begin: from.begin + branch.word * from.stride, ..from };
    let arena = machine.arena.as_ptr();
    machine.choices.reserve(list.len);
    let choices = machine.choices.as_mut_ptr();
    let mut len = machine.choices.len();
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
        machine.choices.set_len(len);
    }
}

/// How masks become narrower.
struct Packing {
    window: Window,
    words: usize,
}

/// How the masks of a node can be packed; `None` if that is not worth it.
#[inline(always)]
fn packing<const W: usize>(rules: &Rules<W>, branch: &Branch<W>) -> Option<Packing> {
    if W == 1 || branch.list.len < WORTH_PACKING {
        return None;
    }
    let settled = rules.settled(&branch.union);
    let kept: [u64; W] = array(|i| branch.union[i] & !settled[i]);
    let words = narrower(count_ones(&kept), W)?;
    Some(Packing { window: Window::new(&kept, &settled), words })
}

/// The number of words that `bits` bits can be packed into, if it is less than `words`.
#[inline(always)]
fn narrower(bits: u32, words: usize) -> Option<usize> {
    // Three words were no faster than four, and another width to compile.
    let fewer = match (bits as usize).div_ceil(64) {
        0 => 1,
        3 => 4,
        fewer => fewer,
    };
    (fewer <= 4 && fewer < words).then_some(fewer)
}

/// Counts the covers of a node with masks of fewer words; `None` if the two bits of a pair would be parted.
#[inline(always)]
fn narrow<V: Lanes, const W: usize>(
    proof: V::Proof,
    machine: &mut Machine,
    rules: &Rules<W>,
    branch: &Branch<W>,
    Packing { window, words }: Packing,
    pace: &mut Pace<'_>,
) -> Result<Option<u128>, Halt> {
    // A pair of which one bit is left forbids nothing any more.
    let whole: [u64; W] = array(|i| rules.pairs[i] & branch.union[i] & branch.union[i] >> 1);
    let mut pairs = [0; MAX_WORDS];
    window.extract(&whole, &mut pairs);
    if pairs.iter().any(|&pairs| pairs >> 63 == 1) {
        return Ok(None);
    }
    let mut plain = [0; MAX_WORDS];
    if rules.is_coloured {
        window.extract(&rules.plain, &mut plain);
    } else {
        plain = [u64::MAX; MAX_WORDS];
    }
    let mut open = [0; MAX_WORDS];
    window.extract(&branch.open, &mut open);

    let from = branch.list;
    let begin = from.begin + W * from.stride;
    let list = List { begin, stride: List::stride_for(from.len), len: from.len };
    let top = begin + words * list.stride;
    machine.reserve(top);
    let mut option = 0;
    while option < from.len {
        let mask: [u64; W] = array(|i| machine.arena[from.begin + i * from.stride + option]);
        let mut packed = [0; MAX_WORDS];
        window
            .extract_by(&mask, &mut packed, |extraction, word| V::extract(extraction, word, proof));
        let mut word = 0;
        while word < words {
            machine.arena[begin + word * list.stride + option] = packed[word];
            word += 1;
        }
        option += 1;
    }
    machine.windows.push(window);
    let job = Job {
        machine: &mut *machine,
        list,
        open,
        forbidden: [0; MAX_WORDS],
        plain,
        pairs,
        is_coloured: rules.is_coloured,
        top,
    };
    let count = V::count(proof, words, job, pace)?;
    machine.windows.pop();
    Ok(Some(count))
}

/// Answers a question about a node. One function, so that entering a node is compiled once for all questions.
///
/// # Safety
/// The CPU has the instructions of `V`.
#[inline(always)]
pub unsafe fn look<V: Lanes, const W: usize>(job: Job<'_>, mut question: Question<'_>) -> u128 {
    let rules = Rules::of(&job);
    let mut node = Node::of(&job);
    let machine = job.machine;
    let mut descent = Descent { width: 1, nodes: 1 };
    let answer = loop {
        // SAFETY: the caller's promise.
        let branch = match unsafe { enter::<V, W>(machine, &rules, node) } {
            Entered::Branch(branch) => branch,
            Entered::Count(count) => {
                break if matches!(question, Question::Descend(_)) { descent.nodes } else { count };
            }
        };
        machine.choices.clear();
        // SAFETY: as above; the list lies in the arena.
        unsafe { choose::<V, W>(machine, &branch) };
        match &mut question {
            Question::IsPossible => break 1,
            Question::Branches(children) => {
                for &option in &machine.choices {
                    let arena = machine.arena.as_ptr();
                    // SAFETY: the choices are options of the list.
                    let mask = unsafe { mask_at::<W>(arena, branch.list, option as usize) };
                    append_child(&rules, &branch, &mask, children);
                }
                break 0;
            }
            Question::Descend(pick) => {
                let option = descent.step(&machine.choices, pick);
                // SAFETY: the choices are options of the list.
                let mask = unsafe { mask_at::<W>(machine.arena.as_ptr(), branch.list, option) };
                node = Node {
                    list: branch.list,
                    open: array(|i| branch.open[i] & !mask[i]),
                    forbidden: rules.forbidden(mask),
                    top: branch.list.begin + W * branch.list.stride,
                };
                if is_zero(&node.open) {
                    break descent.nodes;
                }
            }
        }
    };
    machine.clear();
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
    let forbidden = rules.forbidden(*mask);
    for i in 0..W {
        children.push(branch.open[i] & !mask[i]);
    }
    // No live option has a bit that earlier choices forbid, so the bits outside the union stand for all of those.
    for i in 0..W {
        children.push(!branch.union[i] | forbidden[i]);
    }
}

/// A descent by random branches.
struct Descent {
    /// The product of the numbers of branches so far, which estimates the nodes of this level.
    width: u128,
    /// The sum over the levels, which estimates the nodes below the first one.
    nodes: u128,
}

impl Descent {
    /// Takes one of the choices.
    fn step(&mut self, choices: &[u32], pick: &mut u64) -> usize {
        *pick = crate::hash::mix(*pick);
        let chosen = ((u128::from(*pick) * choices.len() as u128) >> 64) as usize;
        self.width = self.width.saturating_mul(choices.len() as u128);
        self.nodes = self.nodes.saturating_add(self.width);
        choices[chosen] as usize
    }
}
