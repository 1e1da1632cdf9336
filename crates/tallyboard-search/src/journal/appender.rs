//! The writing end of a journal: appends records, and forces them to the disk about every two seconds.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tallyboard_files::calls::{Call, fault_point};

/// Upper bound on the time until an appended record begins to be forced to the disk. If the sync before still runs then,
/// the record waits for its end.
pub const SYNC_INTERVAL: Duration = Duration::from_secs(2);

/// What an [`Appender`] writes to: a file, or in tests a log of the calls.
pub(super) trait Store: Sized + Send + 'static {
    /// Hands all of `bytes` to the operating system, which keeps them if the process is killed.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Forces them to the disk, which keeps them if the power fails.
    fn sync(&self) -> io::Result<()>;

    /// Another handle of the same file, to sync it from another thread.
    fn second_handle(&self) -> io::Result<Self>;
}

impl Store for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        fault_point(Call::Write)?;
        // The handle may have read the file, and on Windows it does not append by itself.
        self.seek(SeekFrom::End(0))?;
        self.write_all(bytes)
    }

    fn sync(&self) -> io::Result<()> {
        fault_point(Call::Sync)?;
        self.sync_data()
    }

    fn second_handle(&self) -> io::Result<Self> {
        self.try_clone()
    }
}

/// Appends bytes to a store, and syncs it when bytes have waited long enough. A sync that is due runs on a thread of its
/// own: on a slow disk it takes seconds, and what is finished meanwhile would wait in memory, where a kill loses it.
#[derive(Debug)]
pub(super) struct Appender<S> {
    pub store: S,
    /// The bytes that the store had, and those appended since. It has at least as many, unless somebody has cut it.
    pub end: u64,
    /// When the oldest of the bytes that no sync covers were appended.
    unsynced_since: Option<Instant>,
    /// The thread of the sync that runs.
    running: Option<JoinHandle<io::Result<()>>>,
    /// The kind of the error of a sync that failed. Its bytes may be lost even if a later sync succeeds: the system may have
    /// dropped them.
    failed: Option<io::ErrorKind>,
}

impl<S: Store> Appender<S> {
    pub fn new(store: S) -> Self {
        Self { store, end: 0, unsynced_since: None, running: None, failed: None }
    }

    /// Takes the store for one of `length` bytes, behind which it appends.
    pub fn begin_at(&mut self, length: u64) {
        self.end = length;
    }

    /// Appends `bytes`; `now` is the time.
    pub fn append(&mut self, bytes: &[u8], now: Instant) -> io::Result<()> {
        self.store.append(bytes)?;
        self.end += bytes.len() as u64;
        self.unsynced_since.get_or_insert(now);
        Ok(())
    }

    /// Begins a sync if the oldest bytes have waited for [`SYNC_INTERVAL`] and no sync is running. Reports the
    /// failure of one that has ended.
    pub fn sync_if_due(&mut self, now: Instant) -> io::Result<()> {
        if self.running.as_ref().is_some_and(JoinHandle::is_finished) {
            self.wait()?;
        }
        match self.unsynced_since {
            Some(since) if now.saturating_duration_since(since) >= SYNC_INTERVAL => self.begin(),
            _ => Ok(()),
        }
    }

    /// Begins a sync, unless one is running.
    fn begin(&mut self) -> io::Result<()> {
        if self.running.is_some() {
            return Ok(());
        }
        let began = self.store.second_handle().and_then(|store| {
            let sync = move || store.sync();
            thread::Builder::new().name("journal".into()).spawn(sync)
        });
        match began {
            Ok(running) => {
                self.running = Some(running);
                self.unsynced_since = None;
                Ok(())
            }
            // Without a second handle or thread, the caller waits for the disk.
            Err(_) => self.sync(),
        }
    }

    /// Waits for the sync that is running, and reports its failure.
    fn wait(&mut self) -> io::Result<()> {
        let synced = match self.running.take().map(JoinHandle::join) {
            Some(Ok(synced)) => synced,
            Some(Err(_panic)) => Err(io::Error::other("the sync panicked")),
            None => Ok(()),
        };
        self.noted(synced)
    }

    /// Syncs if anything was appended since the last sync, and waits for that.
    ///
    /// # Errors
    /// The failure of this sync or of any before it, after which the caller ends the run.
    pub fn sync(&mut self) -> io::Result<()> {
        self.wait()?;
        if let Some(kind) = self.failed {
            let lost = "an earlier sync failed, so that what was appended may not be on the disk";
            return Err(io::Error::new(kind, lost));
        }
        if self.unsynced_since.is_some() {
            let synced = self.store.sync();
            self.noted(synced)?;
            self.unsynced_since = None;
        }
        Ok(())
    }

    /// The result of a sync, whose failure is kept.
    fn noted(&mut self, synced: io::Result<()>) -> io::Result<()> {
        synced.inspect_err(|error| self.failed = Some(error.kind()))
    }

    /// Whether there are bytes that no sync covers, not even one that still runs.
    #[doc(hidden)]
    pub fn has_unsynced(&self) -> bool {
        self.unsynced_since.is_some()
    }

    /// Whether a sync has ended well since the last bytes were appended, and none has failed.
    #[doc(hidden)]
    pub fn is_on_disk(&self) -> bool {
        !self.has_unsynced() && self.running.is_none() && self.failed.is_none()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Arc, Condvar, Mutex};

    use super::*;

    /// A store that notes its calls, of which one may fail.
    #[derive(Clone, Default)]
    struct Log(Arc<(Mutex<Calls>, Condvar)>);

    #[derive(Default)]
    struct Calls {
        /// A letter for each call: `+` for an append, `s` for a sync.
        done: String,
        /// The number of the call that fails, from 1; 0 if none does.
        fails: usize,
        /// Whether syncs do not end.
        is_slow: bool,
        has_no_second_handle: bool,
    }

    impl Log {
        fn set(&self, change: impl FnOnce(&mut Calls)) {
            change(&mut self.0.0.lock().unwrap());
            self.0.1.notify_all();
        }

        fn done(&self) -> String {
            self.0.0.lock().unwrap().done.clone()
        }

        /// Waits, for at most a minute, until as many calls were made as `done` has, and checks that they are these.
        fn wait_for(&self, done: &str) {
            let is_less = |calls: &mut Calls| calls.done.len() < done.len();
            let minute = Duration::from_secs(60);
            drop(self.0.1.wait_timeout_while(self.0.0.lock().unwrap(), minute, is_less).unwrap());
            assert_eq!(self.done(), done);
        }

        fn call(&self, name: char) -> io::Result<()> {
            let mut calls = self.0.0.lock().unwrap();
            calls.done.push(name);
            self.0.1.notify_all();
            let fails = calls.done.len() == calls.fails;
            let is_slow = |calls: &mut Calls| name == 's' && calls.is_slow;
            drop(self.0.1.wait_while(calls, is_slow).unwrap());
            if fails { Err(io::Error::other("no disk")) } else { Ok(()) }
        }
    }

    impl Store for Log {
        fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
            assert_eq!(bytes, b"record");
            self.call('+')
        }

        fn sync(&self) -> io::Result<()> {
            self.call('s')
        }

        fn second_handle(&self) -> io::Result<Self> {
            let refused = self.0.0.lock().unwrap().has_no_second_handle;
            if refused { Err(io::Error::other("no handle")) } else { Ok(self.clone()) }
        }
    }

    fn journal() -> (Log, Appender<Log>, impl Fn(u64) -> Instant) {
        let log = Log::default();
        let began = Instant::now();
        let at = move |milliseconds| began + Duration::from_millis(milliseconds);
        (log.clone(), Appender::new(log), at)
    }

    #[test]
    fn the_oldest_record_waits_two_seconds_at_most() {
        let (log, mut journal, at) = journal();
        journal.sync_if_due(at(0)).unwrap();
        journal.append(b"record", at(1000)).unwrap();
        journal.append(b"record", at(2900)).unwrap();
        journal.sync_if_due(at(2999)).unwrap();
        assert_eq!(log.done(), "++", "nothing was due");
        journal.sync_if_due(at(3000)).unwrap();
        log.wait_for("++s");
        journal.sync_if_due(at(9000)).unwrap();
        journal.sync().unwrap();
        assert_eq!(log.done(), "++s", "there was nothing new");
        journal.append(b"record", at(9000)).unwrap();
        journal.sync_if_due(at(10_999)).unwrap();
        assert_eq!(log.done(), "++s+");
        journal.sync().unwrap();
        assert_eq!(log.done(), "++s+s", "the end waits for nothing");
    }

    #[test]
    fn records_are_appended_while_a_slow_sync_runs_and_synced_after_it() {
        let (log, mut journal, at) = journal();
        log.set(|calls| calls.is_slow = true);
        assert!(journal.is_on_disk());
        journal.append(b"record", at(0)).unwrap();
        journal.sync_if_due(at(2000)).unwrap();
        log.wait_for("+s");
        assert!(!journal.has_unsynced() && !journal.is_on_disk(), "the sync has begun, no more");
        journal.append(b"record", at(2001)).unwrap();
        journal.sync_if_due(at(9000)).unwrap();
        assert_eq!(log.done(), "+s+", "one sync at a time");
        log.set(|calls| calls.is_slow = false);
        // The end waits for the slow sync, and then syncs what came after it had begun.
        journal.sync().unwrap();
        assert_eq!(log.done(), "+s+s");
    }

    #[test]
    fn without_a_second_handle_a_sync_is_waited_for() {
        let (log, mut journal, at) = journal();
        log.set(|calls| calls.has_no_second_handle = true);
        journal.append(b"record", at(0)).unwrap();
        journal.sync_if_due(at(2000)).unwrap();
        assert_eq!(log.done(), "+s");
    }

    #[test]
    fn every_failure_is_reported() {
        // Two appends, a sync on its own thread, an append, and the sync at the end.
        let run = |fails: usize| {
            let (log, mut journal, at) = journal();
            log.set(|calls| calls.fails = fails);
            let mut run = || {
                journal.append(b"record", at(0))?;
                journal.append(b"record", at(10))?;
                log.set(|calls| calls.is_slow = true);
                journal.sync_if_due(at(2000))?;
                log.wait_for("++s");
                journal.append(b"record", at(2010))?;
                journal.sync_if_due(at(2020))?;
                // The slow sync ends while `sync` waits for it.
                let slow = log.clone();
                let releasing = thread::spawn(move || {
                    thread::sleep(Duration::from_millis(20));
                    slow.set(|calls| calls.is_slow = false);
                });
                let synced = journal.sync();
                assert!(releasing.join().is_ok());
                assert_eq!(journal.is_on_disk(), synced.is_ok());
                synced
            };
            let failed = run().is_err();
            log.set(|calls| calls.is_slow = false);
            (failed, log.done())
        };
        assert_eq!(run(0), (false, "++s+s".to_owned()));
        assert_eq!(run(1), (true, "+".to_owned()));
        assert_eq!(run(2), (true, "++".to_owned()));
        // A failure on the other thread is seen at the next sync, before anything else is synced.
        assert_eq!(run(3), (true, "++s+".to_owned()));
        assert_eq!(run(4), (true, "++s+".to_owned()));
        assert_eq!(run(5), (true, "++s+s".to_owned()));
    }

    /// The system may drop what it could not write, and a sync after that succeeds all the same.
    #[test]
    fn what_a_failed_sync_was_for_is_never_called_on_the_disk() {
        for on_its_own_thread in [false, true] {
            let (log, mut journal, at) = journal();
            log.set(|calls| calls.fails = 2);
            journal.append(b"record", at(0)).unwrap();
            if on_its_own_thread {
                journal.sync_if_due(at(2000)).unwrap();
            }
            journal.sync().unwrap_err();
            assert!(!journal.is_on_disk());
            journal.append(b"record", at(3000)).unwrap();
            for _ in 0..2 {
                let error = journal.sync().unwrap_err();
                assert!(error.to_string().starts_with("an earlier sync failed"), "{error}");
                assert!(!journal.is_on_disk());
            }
            assert_eq!(log.done(), "+s+");
        }
    }
}
