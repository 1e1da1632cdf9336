//! A finished count that was compared with the known one: what `count`, `cluster merge` and `cluster check` report
//! alike.

use anyhow::{Result, bail};
use serde::{Serialize, Serializer};
use tallyboard_base::figures::{counted, grouped};

use super::problem::Fact;
use crate::terminal::{known_fields, solutions_fields};

/// The known count of a problem, if there is one, and its source. In JSON it is null if there is none.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct KnownCount {
    pub count: Option<u128>,
    pub source: &'static str,
}

impl KnownCount {
    /// ` (OEIS A000170)`, or nothing.
    pub fn source(&self) -> String {
        if self.source.is_empty() { String::new() } else { format!(" ({})", self.source) }
    }

    /// ` (known: 92, OEIS A000170)`, or nothing.
    pub fn note(&self) -> String {
        let source = if self.source.is_empty() { "" } else { ", " };
        let note = |count| format!(" (known: {}{source}{})", grouped(count), self.source);
        self.count.map_or(String::new(), note)
    }

    /// Fails if the known count of `what` is not the count that was found.
    pub fn check(&self, what: &str, found: u128) -> Result<()> {
        match self.count {
            Some(expected) if found != expected => {
                bail!("WRONG COUNT for {what}: found {found}, expected {expected}{}", self.source())
            }
            _ => Ok(()),
        }
    }
}

impl Serialize for KnownCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        known_fields(&self.count, serializer)
    }
}

/// The number of solutions, which agrees with the known count if there is one, and the facts that follow from it. Reports
/// in JSON have its fields as their own.
#[derive(Debug, Serialize)]
pub(crate) struct Answer {
    #[serde(flatten, serialize_with = "solutions_fields")]
    pub solutions: u128,
    /// Empty until facts are derived.
    #[serde(flatten)]
    pub facts: Facts,
    #[serde(flatten)]
    known: KnownCount,
    /// What was counted, for people.
    #[serde(skip)]
    pub title: String,
    /// What a solution is called.
    #[serde(skip)]
    pub noun: &'static str,
}

impl Answer {
    /// The number of solutions of `title`. Fails if it is not the known count.
    pub fn new(
        title: String,
        noun: &'static str,
        solutions: u128,
        known: KnownCount,
    ) -> Result<Self> {
        known.check(&title, solutions)?;
        Ok(Self { solutions, facts: Facts::default(), known, title, noun })
    }

    /// `8 queens: 92 solutions`, the first line of a report.
    pub fn headline(&self) -> String {
        format!("{}: {}", self.title, counted(self.solutions, self.noun))
    }

    /// The last line of a report.
    pub fn agreement(&self) -> String {
        match self.known.count {
            Some(_) => format!("agrees with the known count{}", self.known.source()),
            None => "no known count to compare with".to_owned(),
        }
    }
}

/// Facts that are written into JSON as fields of the report.
#[derive(Debug, Default)]
pub(crate) struct Facts(pub Vec<Fact>);

impl Facts {
    /// A line for each.
    pub fn text(&self) -> String {
        self.0.iter().map(|fact| fact.text.clone() + "\n").collect()
    }
}

impl Serialize for Facts {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|fact| (fact.key, &fact.value)))
    }
}
