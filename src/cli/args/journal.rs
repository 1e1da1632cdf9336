//! Flags of counts that survive.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
pub struct Journaling {
    /// Save every finished part of the count in this file; a later run can go on from it
    #[arg(long, value_name = "FILE")]
    pub journal: Option<PathBuf>,

    /// Go on from the journal; begin it if there is none
    #[arg(long, requires = "journal")]
    pub resume: bool,
}
