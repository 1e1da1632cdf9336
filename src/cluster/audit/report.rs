//! The report of an audit, as JSON and as text.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde::Serialize;
use tallyboard_base::figures::{counted, grouped, percent};

/// A report states the probability that the audit would have found a mistake if this share of all subtrees were wrong,
/// or if the wrong subtrees had this share of all solutions.
pub const WRONG_SHARE: f64 = 0.01;

/// The report of an audit in which all agreed.
#[derive(Debug, Serialize)]
pub struct AuditReport {
    pub engine: &'static str,
    pub seed: u64,
    /// The number of subtrees of the whole count.
    pub subtrees: usize,
    /// The subtrees drawn with equal chance, none twice.
    pub drawn: Vec<usize>,
    /// The probability that one of `drawn` would be wrong if [`WRONG_SHARE`] of all subtrees were.
    pub detection: f64,
    /// The subtrees drawn with chances in proportion to their solutions.
    pub drawn_by_solutions: Vec<usize>,
    /// The probability that one of `drawn_by_solutions` would be wrong if the wrong subtrees had [`WRONG_SHARE`] of all
    /// solutions.
    pub detection_by_solutions: f64,
    /// The subtrees with more solutions than `piece_limit`, too many to recount. The engine that counted such a subtree
    /// added up its parts, and one part was recounted.
    pub in_pieces: BTreeSet<usize>,
    /// The most solutions of a part that is recounted.
    #[serde(rename = "piece")]
    pub piece_limit: u64,
    /// The number of recounted solutions.
    pub solutions: u128,
    /// Their share of the whole count.
    #[serde(rename = "share")]
    pub solutions_share: f64,
    /// The number of recounted subtrees for each pair of kernels: the one that counted them and the one that recounted
    /// them.
    pub kernels: BTreeMap<String, usize>,
    /// The number of boards with queens placed that were recounted.
    pub boards: usize,
    pub threads: usize,
    pub seconds: f64,
}

impl fmt::Display for AuditReport {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.write_draws(f)?;
        for (kernels, subtrees) in &self.kernels {
            writeln!(f, "kernels {kernels}: {}", counted(*subtrees, "subtree"))?;
        }
        // This was checked before subtrees were drawn. If it were not so, there would be no report.
        writeln!(
            f,
            "each row set of the board is in the subtrees once, as a separate enumeration shows"
        )?;
        write!(
            f,
            "{} ({:.4} %) in {}, {:.1} s on {}, seed {}",
            counted(self.solutions, "solution"),
            self.solutions_share * 100.0,
            counted(self.boards, "board"),
            self.seconds,
            counted(self.threads, "thread"),
            self.seed
        )
    }
}

impl AuditReport {
    /// Writes how many subtrees were drawn, and with which probability they would have shown a mistake.
    fn write_draws(&self, f: &mut fmt::Formatter) -> fmt::Result {
        writeln!(
            f,
            "recounted {} of {} by another method, engine {}: all equal",
            grouped(self.kernels.values().sum::<usize>()),
            counted(self.subtrees, "subtree"),
            self.engine
        )?;
        writeln!(
            f,
            "{} drawn with equal chance: if one subtree in 100 had been wrong, at least one would have been found \
             with probability {}",
            grouped(self.drawn.len()),
            percent(self.detection)
        )?;
        if !self.drawn_by_solutions.is_empty() {
            writeln!(
                f,
                "{} drawn by solutions: if the wrong subtrees had one solution in 100, at least one would have \
                 been found with probability {}",
                grouped(self.drawn_by_solutions.len()),
                percent(self.detection_by_solutions)
            )?;
        }
        if !self.in_pieces.is_empty() {
            writeln!(
                f,
                "{} of all recounted subtrees have more than {} solutions: of these, one piece each was recounted, drawn by its \
                 solutions; a mistake in other pieces would not have been seen",
                grouped(self.in_pieces.len()),
                grouped(self.piece_limit)
            )?;
        }
        Ok(())
    }
}
