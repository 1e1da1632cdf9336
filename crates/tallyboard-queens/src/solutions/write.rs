//! Writes the list of solutions as a stream of bytes: on many threads, in order, in constant memory.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::mem::take;
use std::ops::ControlFlow;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::{Prefixes, Solutions, is_smallest_image};
use tallyboard_search::{Error as SearchError, Parts, Stop, ordered};

/// The solutions to list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// All of them.
    All,
    /// One of each class under rotation and reflection: the lexicographically smallest.
    Fundamental,
}

/// What to list, and how.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    /// Which solutions.
    pub selection: Selection,
    /// Leave out this many at the beginning. They are only counted, which is quicker than listing them.
    pub skip: u64,
    /// List at most this many.
    pub limit: u64,
    /// Written between two solutions.
    pub separator: &'a [u8],
    /// Worker threads; 0 takes `RAYON_NUM_THREADS` or else every core.
    pub threads: usize,
    /// Raise this flag to end early.
    pub stop: &'a Stop,
}

/// The reason why a list ended early.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The output cannot be written.
    #[error("cannot write the solutions")]
    Write(#[source] io::Error),
    /// The workers could not be started.
    #[error(transparent)]
    Search(#[from] SearchError),
    /// [`Listing::stop`] was raised.
    #[error("stopped before the end of the list")]
    Stopped,
}

/// Bytes of text that a worker collects before it hands them to the writer.
const PAGE_BYTES: usize = 64 << 10;
/// Solutions that are next in the list wait no longer than this for a full page.
const MAX_PAGE_AGE: Duration = Duration::from_millis(100);
/// How often a worker checks whether its solutions have become the next in the list.
const NEXT_CHECK_INTERVAL: Duration = Duration::from_millis(10);
/// The clock is read once in this many steps of the search. A step takes less than a millisecond.
const STEPS_PER_CLOCK: u32 = 32;

/// Solutions as text, each after a separator.
#[derive(Default)]
struct Page {
    text: Vec<u8>,
    /// The index in `text` where each solution ends.
    ends: Vec<u32>,
}

/// Writes the list to `output`, each solution as `format` appends it, and returns the number of solutions written.
/// Even if solutions are rare, those that are next in the list are written within a tenth of a second.
///
/// The output does not depend on the number of threads. Memory grows with that number, and not with the
/// length of the list.
///
/// # Errors
/// [`WriteError`] tells why the list is not whole.
pub fn write(
    solutions: &Solutions,
    listing: &Listing<'_>,
    format: &(dyn Fn(&[u8], &mut Vec<u8>) + Sync),
    output: &mut (dyn Write + Send),
) -> Result<u64, WriteError> {
    let Some((first, skip)) = find_start(solutions, listing)? else { return Ok(0) };
    if listing.limit == 0 {
        return Ok(0);
    }
    let mut written = 0;
    let prefixes = Prefixes::starting_at(solutions.open.clone(), &first).enumerate();
    // The numbers of the prefixes whose solutions workers are listing.
    let unfinished = Mutex::new(BTreeSet::new());
    let unfinished = || unfinished.lock().unwrap_or_else(PoisonError::into_inner);
    // The last closure breaks with an error of the output, or with `None` at the limit of the list.
    let broken = ordered(
        prefixes,
        listing.threads,
        listing.stop,
        || (),
        |(), (number, prefix), parts| {
            unfinished().insert(number);
            let skip = if prefix == first { skip } else { 0 };
            // Whether its solutions are next in the list: all prefixes before it are finished.
            let is_next = || unfinished().first() == Some(&number);
            list_below(solutions, listing, &prefix, skip, format, &is_next, parts);
            unfinished().remove(&number);
            listing.stop.check()
        },
        |page| write_page(&page, &mut written, listing, output),
    )?;
    match broken {
        Some(Some(error)) => Err(WriteError::Write(error)),
        _ if listing.stop.requested() => Err(WriteError::Stopped),
        _ => Ok(written),
    }
}

/// The prefix of the first solution to list, and how many solutions of that prefix to leave out before it. `None` if
/// there are not enough solutions.
fn find_start(
    solutions: &Solutions,
    listing: &Listing<'_>,
) -> Result<Option<(Vec<u8>, u64)>, WriteError> {
    let mut prefixes = solutions.prefixes();
    if listing.skip == 0 {
        return Ok(prefixes.next().map(|first| (first, 0)));
    }
    let mut left_to_skip = listing.skip;
    let start = ordered(
        prefixes,
        listing.threads,
        listing.stop,
        || (),
        |(), prefix, parts| {
            // Breaks once the prefix is found in which the list begins.
            let _ = count_below(solutions, listing, &prefix, parts);
            listing.stop.check()
        },
        |(prefix, count)| {
            if left_to_skip < count {
                return ControlFlow::Break((prefix, left_to_skip));
            }
            left_to_skip -= count;
            ControlFlow::Continue(())
        },
    )?;
    if listing.stop.requested() { Err(WriteError::Stopped) } else { Ok(start) }
}

/// Pushes the number of selected solutions that begin with `prefix`. Once the count exceeds the number to be skipped it
/// may end early, since the list then begins in this prefix: the number pushed is too low, but exceeds that.
fn count_below(
    solutions: &Solutions,
    listing: &Listing<'_>,
    prefix: &[u8],
    parts: &Parts<(Vec<u8>, u64)>,
) -> ControlFlow<()> {
    let mut count = 0;
    let mut add = |more: u64| {
        count += more;
        if count <= listing.skip { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let go_on = || parts.wanted();
    // The count breaks if it exceeds the number to be skipped, or if no more parts are taken: then `push` breaks too.
    let _ = match listing.selection {
        Selection::All => solutions.count_in_parts(prefix, &go_on, &mut add),
        Selection::Fundamental => solutions.for_each_while(prefix, &go_on, &mut |columns| {
            add(u64::from(is_smallest_image(columns)))
        }),
    };
    parts.push((prefix.to_vec(), count))
}

/// Pushes pages of the selected solutions that begin with `prefix`, without the first `skip`. A page that is not full is
/// pushed only when it is old and `is_next` says that it would be written at once: few pages may wait in the queue.
fn list_below(
    solutions: &Solutions,
    listing: &Listing<'_>,
    prefix: &[u8],
    mut skip: u64,
    format: impl Fn(&[u8], &mut Vec<u8>),
    is_next: &dyn Fn() -> bool,
    parts: &Parts<Page>,
) {
    let fundamental = listing.selection == Selection::Fundamental;
    // The mirror image of such a board comes before it, so the board is not fundamental.
    let n = solutions.n as u8;
    if fundamental && prefix.first().is_some_and(|&first| first > n - 1 - first) {
        return;
    }
    let open_page = OpenPage::default();
    // The search breaks if no more pages are taken: then pushing the last one breaks too.
    let _ = solutions.for_each_while(
        prefix,
        &|| open_page.push_if_due(is_next, parts).is_continue() && parts.wanted(),
        &mut |columns| {
            if fundamental && !is_smallest_image(columns) {
                return ControlFlow::Continue(());
            }
            if skip > 0 {
                skip -= 1;
                return ControlFlow::Continue(());
            }
            let page = &mut *open_page.page.borrow_mut();
            page.text.extend_from_slice(listing.separator);
            format(columns, &mut page.text);
            page.ends.push(page.text.len() as u32);
            let full = page.text.len() >= PAGE_BYTES || page.ends.len() as u64 == listing.limit;
            if !full {
                return ControlFlow::Continue(());
            }
            open_page.next_check.set(None);
            parts.push(take(page))
        },
    );
    let page = open_page.page.into_inner();
    if !page.ends.is_empty() {
        let _ = parts.push(page);
    }
}

/// The page that a worker fills.
#[derive(Default)]
struct OpenPage {
    page: RefCell<Page>,
    /// The number of steps of the search, to read the clock in some of them.
    steps: Cell<u32>,
    /// When to check whether the page can be written; `None` until the clock is read after its first solution.
    next_check: Cell<Option<Instant>>,
}

impl OpenPage {
    /// Pushes the page if it is old and would be written at once. Called in each step of the search.
    fn push_if_due(&self, is_next: &dyn Fn() -> bool, parts: &Parts<Page>) -> ControlFlow<()> {
        self.steps.set(self.steps.get().wrapping_add(1));
        if !self.steps.get().is_multiple_of(STEPS_PER_CLOCK) || self.page.borrow().ends.is_empty() {
            return ControlFlow::Continue(());
        }
        let now = Instant::now();
        match self.next_check.get() {
            None => self.next_check.set(Some(now + MAX_PAGE_AGE)),
            Some(time) if now < time => {}
            Some(_) if is_next() => {
                self.next_check.set(None);
                return parts.push(self.page.take());
            }
            Some(_) => self.next_check.set(Some(now + NEXT_CHECK_INTERVAL)),
        }
        ControlFlow::Continue(())
    }
}

/// Writes a page, as far as the limit allows. Breaks with an error of the output, or with `None` at the limit.
fn write_page(
    page: &Page,
    written: &mut u64,
    listing: &Listing<'_>,
    output: &mut (dyn Write + Send),
) -> ControlFlow<Option<io::Error>> {
    let left = usize::try_from(listing.limit - *written).unwrap_or(usize::MAX);
    let taken = page.ends.len().min(left);
    // The first solution of the list has no separator before it.
    let begin = if *written == 0 { listing.separator.len() } else { 0 };
    let end = page.ends[taken - 1] as usize;
    if let Err(error) = output.write_all(&page.text[begin..end]) {
        return ControlFlow::Break(Some(error));
    }
    *written += taken as u64;
    if *written == listing.limit { ControlFlow::Break(None) } else { ControlFlow::Continue(()) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::board;

    /// The list of all solutions, with nothing between them.
    fn all(stop: &Stop) -> Listing<'_> {
        let limit = u64::MAX;
        Listing { selection: Selection::All, skip: 0, limit, separator: b"", threads: 2, stop }
    }

    fn list(n: u32, selection: Selection, skip: u64, limit: u64, threads: usize) -> (String, u64) {
        let solutions = Solutions::new(n).unwrap();
        let stop = Stop::new();
        let listing = Listing { selection, skip, limit, separator: b" ", threads, stop: &stop };
        let mut output = Vec::new();
        let format = |columns: &[u8], text: &mut Vec<u8>| {
            text.extend(columns.iter().map(|column| b'a' + column));
        };
        let written = write(&solutions, &listing, &format, &mut output).unwrap();
        (String::from_utf8(output).unwrap(), written)
    }

    #[test]
    fn skip_and_limit_cut_the_list_at_any_place() {
        for selection in [Selection::All, Selection::Fundamental] {
            let (whole, written) = list(8, selection, 0, u64::MAX, 2);
            let items: Vec<&str> = whole.split(' ').collect();
            assert_eq!(items.len() as u64, written);
            assert_eq!(written, if selection == Selection::All { 92 } else { 12 });
            for skip in [0, 1, 5, 11, 12, 40, 91, 92, 100] {
                for limit in [0, 1, 3, 92] {
                    let (part, _) = list(8, selection, skip, limit, 3);
                    let from = (skip as usize).min(items.len());
                    let to = (from + limit as usize).min(items.len());
                    assert_eq!(part, items[from..to].join(" "), "skip {skip}, limit {limit}");
                }
            }
        }
    }

    #[test]
    fn the_first_solutions_come_before_the_end_of_a_long_list() {
        // All 2.7 * 10^12 would take days, and so would those below the first prefix.
        let (first, written) = list(24, Selection::All, 0, 2, 2);
        assert_eq!(written, 2);
        let (second, _) = list(24, Selection::All, 1, 1, 2);
        assert_eq!(first.split(' ').nth(1), Some(second.as_str()));
        assert_eq!(list(24, Selection::Fundamental, 1, 1, 2).1, 1);
    }

    /// An output that raises a flag at its first bytes, and counts them all.
    struct FirstBytes<'a> {
        stop: &'a Stop,
        first: usize,
        all: usize,
    }

    impl Write for FirstBytes<'_> {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.all == 0 {
                self.first = bytes.len();
                self.stop.request();
            }
            self.all += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    /// Some thousand solutions a second: a page of one byte each would take many seconds to fill.
    #[test]
    fn rare_solutions_are_written_soon_after_they_are_found() {
        for threads in [1, 2] {
            let stop = Stop::new();
            let listing = Listing { threads, ..all(&stop) };
            let mut output = FirstBytes { stop: &stop, first: 0, all: 0 };
            let solutions = Solutions::new(27).unwrap();
            let one_byte = |_: &[u8], text: &mut Vec<u8>| text.push(b'.');
            let ended = write(&solutions, &listing, &one_byte, &mut output);
            assert!(matches!(ended, Err(WriteError::Stopped)));
            assert!((1..PAGE_BYTES).contains(&output.first), "{} at once", output.first);
            assert!(output.all < PAGE_BYTES, "{} in all", output.all);
        }
    }

    #[test]
    fn a_raised_flag_ends_a_search_between_two_solutions() {
        check_stop(&Solutions::new(32).unwrap(), 0);
        // With this queen in one of the last rows, the search takes hours to reach the table.
        let far = board(32, "a8", "");
        check_stop(&Solutions::on(&far), 0);
        check_stop(&Solutions::on(&far), 1);
    }

    /// Checks that a list ends when its flag is raised.
    fn check_stop(solutions: &Solutions, skip: u64) {
        let stop = Stop::new();
        let listing = Listing { skip, ..all(&stop) };
        let ended = std::thread::scope(|scope| {
            let listed =
                scope.spawn(|| write(solutions, &listing, &|_, _| {}, &mut std::io::sink()));
            std::thread::sleep(Duration::from_millis(20));
            stop.request();
            listed.join().unwrap()
        });
        assert!(matches!(ended, Err(WriteError::Stopped)), "{ended:?}");
    }
}
