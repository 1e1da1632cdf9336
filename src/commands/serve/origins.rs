//! The pages that are answered. Any page that is open in a browser may connect to a socket of this machine, but the browser says of
//! which origin it is.

use std::fmt;

use anyhow::{Result, bail};

use crate::terminal::UsageError;

/// The hosts of the editors, which are answered with all hosts below them.
const HOSTS: [&str; 2] = ["f-puzzles.com", "sudokupad.app"];
/// The origins that browsers state for files of this machine.
const OF_FILES: [&str; 2] = ["null", "file://"];

/// The origins that are answered.
#[derive(Debug)]
pub struct Origins {
    /// Beside those of the editors and of files.
    others: Vec<String>,
}

impl Origins {
    /// The editors, files, and these.
    ///
    /// # Errors
    /// A text that is no origin.
    pub fn new(others: &[String]) -> Result<Self> {
        for origin in others {
            let host = origin.split_once("://").map_or("", |(_, host)| host);
            if host.is_empty() || host.contains(['/', '*']) {
                let expected = "expected an origin without a path, such as https://example.org";
                bail!(UsageError(format!("--allow-origin: found '{origin}', {expected}")));
            }
        }
        Ok(Self { others: others.to_vec() })
    }

    /// Whether a page of this origin is answered. Programs that are no browsers state none, and are answered.
    pub fn allow(&self, origin: Option<&str>) -> bool {
        let Some(origin) = origin else { return true };
        let is_editor = |host: &str| {
            HOSTS.iter().any(|known| match host.strip_suffix(known) {
                Some(before) => before.is_empty() || before.ends_with('.'),
                None => false,
            })
        };
        OF_FILES.contains(&origin)
            || self.others.iter().any(|other| other.eq_ignore_ascii_case(origin))
            || origin.strip_prefix("https://").is_some_and(is_editor)
    }
}

impl fmt::Display for Origins {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        write!(f, "{}, files of this machine", HOSTS.join(", "))?;
        self.others.iter().try_for_each(|other| write!(f, ", {other}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_of_the_editors_are_answered_and_no_others() {
        let other = Origins::new(&["http://localhost:8000".to_owned()]).unwrap();
        for allowed in [
            "https://f-puzzles.com",
            "https://www.f-puzzles.com",
            "https://sudokupad.app",
            "https://beta.sudokupad.app",
            "http://localhost:8000",
            "null",
            "file://",
        ] {
            assert!(other.allow(Some(allowed)), "{allowed}");
        }
        for refused in [
            "https://example.org",
            "https://notf-puzzles.com",
            "https://f-puzzles.com.example.org",
            "https://f-puzzles.com:8443",
            "http://f-puzzles.com",
            "http://localhost:8001",
            "",
        ] {
            assert!(!other.allow(Some(refused)), "{refused}");
        }
        assert!(other.allow(None));
    }

    #[test]
    fn what_is_no_origin_is_refused() {
        for wrong in ["example.org", "https://example.org/page", "https://", "https://*.org"] {
            assert!(Origins::new(&[wrong.to_owned()]).is_err(), "{wrong}");
        }
    }
}
