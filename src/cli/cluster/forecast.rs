//! What a plan will take.

use std::time::Duration;

use anyhow::Result;
use tallyboard::queens::{Board, Count, Engine, Settings, estimate, known};
use tallyboard::search::shard::Forecast;
use tallyboard::search::{Options, Silent, run};

/// A smaller board has to run this long before it says something about a larger one.
const ENOUGH: Duration = Duration::from_millis(200);
/// Random descents where the number of solutions is not known.
const PROBES: u32 = 200_000;
/// The program itself and what the system counts with it.
const PROGRAM_BYTES: u64 = 16 << 20;

/// The expected cost of counting `problem`, a plain board, in `shards` shards.
pub fn forecast(problem: &Count, shards: usize) -> Result<Option<Forecast>> {
    let (n, engine) = (problem.board().n(), problem.engine());
    let solutions = match known::solutions(n) {
        Some(count) => count as f64,
        None => estimate(n, PROBES, 1).ln.exp(),
    };
    let core_hours = seconds_a_solution(n, engine)? * solutions / 3600.0;
    let memory = |threads| {
        let settings = Settings::new().engine(engine).threads(threads);
        Count::with(problem.board().clone(), settings).map(|problem| problem.memory())
    };
    let one = memory(1)?;
    Ok(Some(Forecast {
        core_hours,
        core_hours_per_shard: core_hours / shards as f64,
        memory_bytes: PROGRAM_BYTES + one,
        memory_bytes_per_worker: memory(2)?.saturating_sub(one).max(1 << 20),
    }))
}

/// Times smaller boards of the same parity on one core until one takes long enough. The cost of a
/// solution grows about as n in the backtrackers, and stays the same in the half-board join.
fn seconds_a_solution(n: u32, engine: Engine) -> Result<f64> {
    let mut seconds = 0.0;
    for smaller in (4..=n).filter(|smaller| (n - smaller).is_multiple_of(2)) {
        let settings = Settings::new().engine(engine).threads(1);
        let problem = Count::with(Board::plain(smaller)?, settings)?;
        let outcome = run(&problem, &Options::new().threads(1), &mut Silent)?;
        let growth = match engine {
            Engine::Halves => 1.0,
            _ => f64::from(n) / f64::from(smaller),
        };
        let solutions = outcome.tally.solutions().max(1) as f64;
        seconds = outcome.elapsed.as_secs_f64() / solutions * growth;
        if outcome.elapsed >= ENOUGH {
            break;
        }
    }
    Ok(seconds)
}
