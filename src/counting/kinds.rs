//! Which failures another attempt may mend: exit codes tell them from those that come again.

use std::error::Error;
use std::io;
use std::iter::successors;

use anyhow::anyhow;
use tallyboard_search::journal::{JournalError, Refusal};
use tallyboard_search::shard::SealError;

use super::NoRoom;
use crate::terminal::UsageError;

/// Whether another attempt at what failed with `error` may succeed, though nobody changes a plan, a file or a program: the system
/// has refused something, as where a file or its disk is away, a journal was taken from under a count, or memory lacks.
pub(crate) fn may_pass(error: &(dyn Error + 'static)) -> bool {
    successors(Some(error), |&error| error.source()).any(is_of_the_system)
}

fn is_of_the_system(cause: &(dyn Error + 'static)) -> bool {
    if let Some(error) = cause.downcast_ref::<JournalError>() {
        return match error.reason {
            Refusal::Io(_) | Refusal::Link(_) | Refusal::Folder | Refusal::Device => true,
            // The next attempt counts again what is no longer in the file.
            Refusal::Gone | Refusal::Cut(..) => true,
            // Another process is counting.
            Refusal::Locked => true,
            _ => false,
        };
    }
    match cause.downcast_ref::<SealError>() {
        Some(error) => !error.is_damage(),
        None => cause.is::<io::Error>() || cause.is::<NoRoom>() || is_of_threads(cause),
    }
}

/// Whether the system had too few threads.
fn is_of_threads(cause: &(dyn Error + 'static)) -> bool {
    let error = cause.downcast_ref();
    error.is_some_and(|error| matches!(error, tallyboard_search::Error::Threads { .. }))
}

/// The error of a problem that could not be made: a mistake in the arguments, whose message includes its causes, unless another
/// attempt may mend it.
pub(super) fn unmade(error: super::Error) -> anyhow::Error {
    // `anyhow!` hides the type of an error in a box; those of its sources stay.
    let error = match error.downcast::<NoRoom>() {
        Ok(no_room) => return (*no_room).into(),
        Err(error) => error,
    };
    match error.downcast::<io::Error>() {
        Ok(error) => (*error).into(),
        Err(error) if may_pass(&*error) => anyhow!(error),
        Err(error) => UsageError(format!("{:#}", anyhow!(error))).into(),
    }
}

#[cfg(test)]
mod tests {
    use anyhow::Context;

    use super::*;
    use crate::counting::Resources;

    #[test]
    fn an_error_of_the_system_is_known_behind_any_other() {
        let lost = || io::Error::from(io::ErrorKind::NotFound);
        let boxed: Box<dyn Error + Send + Sync> = anyhow!(lost()).context("cannot read").into();
        let of_journal = |reason| JournalError { path: "j".into(), reason };
        for passing in [
            anyhow!(lost()),
            anyhow!(lost()).context("cannot read"),
            unmade(boxed),
            unmade(lost().into()),
            unmade(Resources::unlimited(1).too_little("it", 9).into()),
            anyhow!(of_journal(Refusal::Gone)).context("lost"),
            anyhow!(of_journal(Refusal::Cut(1, 2))),
        ] {
            assert!(may_pass(passing.as_ref()), "{passing:?}");
        }
        let lasting = Err::<(), _>(anyhow!("a mistake")).context("line 3").unwrap_err();
        assert!(!may_pass(lasting.as_ref()));
        assert!(unmade("a mistake".into()).is::<UsageError>());
        assert!(!may_pass(&of_journal(Refusal::NoJournal)));
    }
}
