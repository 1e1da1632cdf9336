//! Counting problems beside queens and sudokus. Each is a program of its own, which `docs/your_own_problem.md` explains:
//!
//! | `cargo run --release --example` | counts |
//! |---|---|
//! | `pairings` | Langford pairings of 8, by the fewest lines |
//! | `langford -- count 12` | Langford pairings, with the commands of `tallyboard::program` |
//! | `peaceful -- count 8` | sets of queens that do not attack each other |
//! | `mappings -- count 19` | complete mappings of Z_n, with kernels |
