//! The answers to what editors ask, by the engines of variants.

use std::time::{Duration, Instant};

use anyhow::{Result, bail};
use tallyboard_search::{
    CountRun, Observer, Options, Progress, Stop, Table, tabulate, thread_count,
};
use tallyboard_variants::{
    Count, Edited, End, Estimator, Explanation, Puzzle, Solver, read_edited,
};

use super::answer::{Answer, Asked, Command};
use super::connection::Server;
use crate::games::variant::ensure_solved;

/// How often a count and an estimate say how far they are.
const TELL_INTERVAL: Duration = Duration::from_millis(500);

/// Takes what is known before the last answer.
pub type Tell<'a> = &'a mut (dyn FnMut(Answer) + Send);

impl Asked {
    /// Works on the request until it is answered or `stop` is raised.
    pub fn answer(&self, server: &Server, stop: &Stop, tell: Tell) -> Answer {
        let answered = self.work(server, stop, tell);
        answered.unwrap_or_else(|error| Answer::Invalid { message: format!("{error:#}") })
    }

    fn work(&self, server: &Server, stop: &Stop, tell: Tell) -> Result<Answer> {
        // As in SudokuSolver: questions about the puzzle are about what is given, the others about what the editor shows.
        let with_entries =
            matches!(self.command, Command::Estimate | Command::SolvePath | Command::Step);
        let edited = read_edited(&self.data, with_entries)?;
        if !server.ignore_drawings && !edited.drawings.is_empty() {
            bail!(
                "found {}, which may stand for a rule; `tallyboard serve --ignore-drawings` leaves drawings out",
                edited.drawings.join(", ")
            );
        }
        let puzzle = &edited.puzzle;
        match self.command {
            Command::TrueCandidates => candidates(&edited, server.threads, stop),
            Command::Solve => {
                match Solver::new(puzzle.rules()).solve_or_stop(puzzle, 1, stop)?.first {
                    None => Ok(none()),
                    Some(values) => {
                        ensure_solved(puzzle, &values)?;
                        Ok(Answer::Solved { values })
                    }
                }
            }
            Command::Check => {
                let found = Solver::new(puzzle.rules()).solve_or_stop(puzzle, 2, stop)?.count;
                Ok(Answer::Count { solutions: found.into(), is_in_progress: false })
            }
            Command::Count => count(puzzle, server.threads, stop, tell),
            Command::Estimate => estimate(puzzle, stop, tell),
            Command::SolvePath => Ok(path(puzzle)),
            Command::Step => Ok(step(&edited)),
        }
    }
}

fn none() -> Answer {
    Answer::Invalid { message: "No solutions found.".to_owned() }
}

/// How many solutions each candidate has, each up to the number that the editor wishes.
fn candidates(edited: &Edited, threads: usize, stop: &Stop) -> Result<Answer> {
    let (puzzle, most) = (&edited.puzzle, wished_solutions(&edited.wishes));
    let whole = if most > 1 { whole_table(puzzle, most, threads, stop)? } else { None };
    let table = match whole {
        Some(table) => table,
        None => puzzle.tally_up_to(most).threads(threads).stop(stop).run()?,
    };
    if table.cells().iter().all(|&number| number == 0) {
        return Ok(none());
    }
    let number = |&number: &u128| i64::try_from(number.min(most.into())).unwrap_or(i64::MAX);
    let mut numbers: Vec<i64> = table.cells().iter().map(number).collect();
    if edited.wishes.iter().any(|wish| wish.eq_ignore_ascii_case("logical")) {
        let left = puzzle.first_steps(usize::MAX).candidates;
        let values = numbers.len() / left.sets().len();
        for (cell, set) in left.sets().iter().enumerate() {
            for value in (0..values).filter(|value| set >> value & 1 == 1) {
                let number = &mut numbers[cell * values + value];
                *number = if *number == 0 { -1 } else { *number };
            }
        }
    }
    Ok(Answer::TrueCandidates { numbers })
}

/// The number up to which solutions of a candidate are counted.
fn wished_solutions(wishes: &[String]) -> u64 {
    /// JavaScript knows no whole numbers above it.
    const MOST: u64 = 1 << 53;
    /// What the script wished for before it stated numbers.
    const OF_COLOURS: u64 = 8;
    let wishes = wishes.iter().map(|wish| wish.to_ascii_lowercase());
    let number = wishes.filter_map(|wish| match wish.strip_prefix("truecandidatesnumsolutions=") {
        Some(number) => number.parse().ok().filter(|&number| number > 0),
        None => (wish == "colored").then_some(OF_COLOURS),
    });
    number.max().unwrap_or(1).min(MOST)
}

/// The table of all solutions, if it is made in about the time that counting each candidate for itself would take; `None` otherwise.
fn whole_table(puzzle: &Puzzle, most: u64, threads: usize, stop: &Stop) -> Result<Option<Table>> {
    /// A search for each of 729 candidates of an easy puzzle.
    const OF_ALL: Duration = Duration::from_millis(100);
    /// A solution for each of them.
    const OF_SOLUTIONS: Duration = Duration::from_micros(500);
    let solutions = u32::try_from(most).unwrap_or(u32::MAX);
    let patience = OF_ALL + OF_SOLUTIONS / thread_count(threads) as u32 * solutions;
    let own = Stop::new();
    let mut observer = Patience { ends: Instant::now() + patience, stop, own: &own };
    let run = puzzle.tally();
    let options = Options::new().threads(threads).stop(&own);
    let (table, outcome) = tabulate(run.problem(), &options, &mut observer)?;
    stop.check()?;
    Ok(outcome.complete.then_some(table))
}

/// Ends a run by its own flag when a time has come, or another flag is raised.
struct Patience<'a> {
    ends: Instant,
    stop: &'a Stop,
    own: &'a Stop,
}

impl Observer for Patience<'_> {
    fn tick(&mut self, _: &Progress) -> std::io::Result<()> {
        if self.stop.requested() || Instant::now() >= self.ends {
            self.own.request();
        }
        Ok(())
    }
}

fn count(puzzle: &Puzzle, threads: usize, stop: &Stop, tell: Tell) -> Result<Answer> {
    let mut told = Instant::now();
    let count = Count::new(puzzle);
    let run = CountRun::new(&count).threads(threads).stop(stop).on_progress(|progress| {
        // The solutions of subtrees that are not finished are not known, so that none yet says nothing.
        let solutions = progress.tally.solutions();
        if solutions > 0 && told.elapsed() >= TELL_INTERVAL {
            told = Instant::now();
            tell(Answer::Count { solutions, is_in_progress: true });
        }
    });
    Ok(Answer::Count { solutions: run.run()?, is_in_progress: false })
}

/// Estimates until it is stopped; a number that is exact is the last answer.
fn estimate(puzzle: &Puzzle, stop: &Stop, tell: Tell) -> Result<Answer> {
    /// Random descents of one estimate: some hundredths of a second.
    const DESCENTS: u64 = 200;
    let mut estimator = Estimator::new(puzzle);
    let mut mean = RunningMean::default();
    let mut told = Instant::now();
    for number in 1.. {
        stop.check()?;
        let estimate = estimator.estimate(DESCENTS, number);
        let found = estimate.ln.exp();
        let descents = DESCENTS * number;
        if estimate.exact {
            return Ok(Answer::Estimate { mean: found, error: 0.0, descents });
        }
        mean.add(found);
        if number > 1 && told.elapsed() >= TELL_INTERVAL {
            told = Instant::now();
            tell(Answer::Estimate { mean: mean.mean, error: mean.standard_error(), descents });
        }
    }
    unreachable!("only a stop or an exact number ends the estimates")
}

/// A mean of numbers that come one by one, and the sum of their squared distances from it, as B. P. Welford adds a number to them.
#[derive(Debug, Default)]
struct RunningMean {
    count: f64,
    mean: f64,
    squares: f64,
}

impl RunningMean {
    fn add(&mut self, number: f64) {
        self.count += 1.0;
        let distance = number - self.mean;
        self.mean += distance / self.count;
        self.squares += distance * (number - self.mean);
    }

    /// The standard error of the mean, of two numbers at least.
    fn standard_error(&self) -> f64 {
        (self.squares / (self.count - 1.0) / self.count).sqrt()
    }
}

/// What is said where no step is left.
const STUCK: &str = "No simple step is left: singles, relations of two cells, clues and locked candidates go no further.";
const INVALID: &str = "Board is invalid!";

/// All steps, as far as simple ones go.
fn path(puzzle: &Puzzle) -> Answer {
    let found = puzzle.first_steps(usize::MAX);
    let end = match found.end {
        End::Solved => "Solved.",
        End::Contradiction => INVALID,
        End::Stuck => STUCK,
    };
    logical(puzzle, &found, end, found.end != End::Contradiction)
}

/// The next step; before it, the candidates of the grid if the editor does not show them.
fn step(edited: &Edited) -> Answer {
    let puzzle = &edited.puzzle;
    let begin = puzzle.first_steps(0);
    let is_possible = |found: &Explanation| !found.candidates.sets().contains(&0);
    if is_possible(&begin) && begin.candidates.sets() != edited.shown {
        return logical(puzzle, &begin, "Initial candidates.", true);
    }
    let found = puzzle.first_steps(1);
    if !found.steps.is_empty() && is_possible(&found) {
        return logical(puzzle, &found, "", true);
    }
    path(puzzle)
}

/// The grid that steps have left, the steps, and a last line.
fn logical(puzzle: &Puzzle, found: &Explanation, end: &str, is_valid: bool) -> Answer {
    let size = puzzle.size();
    let mut is_filled: Vec<bool> = puzzle.givens().iter().map(|&given| given > 0).collect();
    let filled = found.steps.iter().filter_map(|step| step.filled);
    for (cell, _) in filled {
        if let Some(index) = size.index(cell) {
            is_filled[index] = true;
        }
    }
    let cells = found.candidates.sets().iter().copied().zip(is_filled).collect();
    let mut message: String = found.steps.iter().map(|step| step.text.clone() + "\n").collect();
    if !end.is_empty() {
        message += end;
        message.push('\n');
    }
    Answer::Logical { cells, message, is_valid }
}

#[cfg(test)]
mod tests {
    use tallyboard_base::statistics::{mean, stddev};

    use super::{RunningMean, wished_solutions};

    #[test]
    fn the_largest_number_that_is_wished_for_is_counted_up_to() {
        for (wishes, expected) in [
            (&[][..], 1),
            (&["colored"], 8),
            (&["Colored", "TrueCandidatesNumSolutions=3"], 8),
            (&["truecandidatesnumsolutions=300", "logical", "colored"], 300),
            (&["truecandidatesnumsolutions=0"], 1),
            (&["truecandidatesnumsolutions=many"], 1),
            (&["truecandidatesnumsolutions=18446744073709551615"], 1 << 53),
        ] {
            let wishes: Vec<String> = wishes.iter().map(|wish| (*wish).to_owned()).collect();
            assert_eq!(wished_solutions(&wishes), expected, "{wishes:?}");
        }
    }

    #[test]
    fn numbers_that_come_one_by_one_have_the_mean_and_error_of_all() {
        let numbers = [3e20, 7e21, 5e21, 1e22, 6.6e21];
        for count in 2..=numbers.len() {
            let mut running = RunningMean::default();
            numbers[..count].iter().for_each(|&number| running.add(number));
            let error = stddev(&numbers[..count]).unwrap() / (count as f64).sqrt();
            for (found, expected) in
                [(running.mean, mean(&numbers[..count])), (running.standard_error(), error)]
            {
                assert!((found / expected - 1.0).abs() < 1e-12, "{found}, not {expected}");
            }
        }
    }
}
