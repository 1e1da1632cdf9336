//! The writing end of a journal: appends records, and forces them to the disk within two seconds.

use std::fs::File;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// Upper bound on the time until an appended record is forced to the disk.
pub const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// What an [`Appender`] writes to: a file, or in tests a log of the calls.
pub(super) trait Store {
    /// Hands all of `bytes` to the operating system, which keeps them if the process is killed.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Forces them to the disk, which keeps them if the power fails.
    fn sync(&mut self) -> io::Result<()>;
}

impl Store for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }
}

/// Appends bytes, and remembers when the oldest bytes were appended that are not synced yet.
#[derive(Debug)]
pub(super) struct Appender<S> {
    pub store: S,
    /// When the oldest bytes that may not be on the disk were appended.
    unsynced_since: Option<Instant>,
}

impl<S: Store> Appender<S> {
    pub fn new(store: S) -> Self {
        Self { store, unsynced_since: None }
    }

    /// Appends `bytes`; `now` is the time.
    pub fn append(&mut self, bytes: &[u8], now: Instant) -> io::Result<()> {
        self.store.append(bytes)?;
        self.unsynced_since.get_or_insert(now);
        Ok(())
    }

    /// Syncs if the oldest bytes have waited for [`SYNC_INTERVAL`].
    pub fn sync_if_due(&mut self, now: Instant) -> io::Result<()> {
        match self.unsynced_since {
            Some(since) if now.saturating_duration_since(since) >= SYNC_INTERVAL => self.sync(),
            _ => Ok(()),
        }
    }

    /// Syncs if anything was appended since the last sync.
    pub fn sync(&mut self) -> io::Result<()> {
        if self.unsynced_since.is_some() {
            self.store.sync()?;
            self.unsynced_since = None;
        }
        Ok(())
    }

    /// Whether something may not be on the disk.
    #[doc(hidden)]
    pub fn has_unsynced(&self) -> bool {
        self.unsynced_since.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What was done: `+` for an append, `s` for a sync.
    #[derive(Default)]
    struct Log {
        done: String,
        fails: bool,
    }

    impl Store for Log {
        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            assert_eq!(bytes, b"record");
            self.done.push('+');
            Ok(())
        }

        fn sync(&mut self) -> io::Result<()> {
            if self.fails {
                return Err(io::Error::other("no disk"));
            }
            self.done.push('s');
            Ok(())
        }
    }

    #[test]
    fn the_oldest_record_waits_two_seconds_at_most() {
        let began = Instant::now();
        let at = |milliseconds| began + Duration::from_millis(milliseconds);
        let mut journal = Appender::new(Log::default());
        journal.sync_if_due(at(0)).unwrap();
        journal.append(b"record", at(1000)).unwrap();
        journal.append(b"record", at(2900)).unwrap();
        journal.sync_if_due(at(2999)).unwrap();
        assert_eq!(journal.store.done, "++", "nothing was due");
        journal.sync_if_due(at(3000)).unwrap();
        assert_eq!(journal.store.done, "++s");
        journal.sync_if_due(at(9000)).unwrap();
        journal.sync().unwrap();
        assert_eq!(journal.store.done, "++s", "there was nothing new");
        journal.append(b"record", at(9000)).unwrap();
        journal.sync_if_due(at(10_999)).unwrap();
        assert_eq!(journal.store.done, "++s+");
        journal.sync().unwrap();
        assert_eq!(journal.store.done, "++s+s", "the end waits for nothing");
    }

    #[test]
    fn a_sync_that_failed_is_tried_again() {
        let mut journal = Appender::new(Log { fails: true, ..Log::default() });
        journal.append(b"record", Instant::now()).unwrap();
        journal.sync().unwrap_err();
        journal.store.fails = false;
        journal.sync().unwrap();
        assert_eq!(journal.store.done, "+s");
    }
}
