//! Temporary databases, and processes that crash.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use workflow_runtime::testing::VirtualClock;

/// Temporary database of a test.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new(name: &str) -> Place {
        static PLACES: AtomicUsize = AtomicUsize::new(0);
        let number = PLACES.fetch_add(1, Ordering::Relaxed);
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).expect("a folder");
        Place(folder)
    }

    pub fn file(&self) -> PathBuf {
        self.0.join("executions.db")
    }

    /// Path of the log.
    pub fn log(&self) -> PathBuf {
        self.0.join("executions.db-wal")
    }

    /// Path of the shared-memory index of the log.
    pub fn index(&self) -> PathBuf {
        self.0.join("executions.db-shm")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs a future as a process that crashes at its end: everything in it is dropped.
pub fn process<T>(run: impl Future<Output = T>) -> T {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().expect("a runtime");
    let value = runtime.block_on(run);
    runtime.shutdown_timeout(Duration::from_secs(10));
    value
}

pub fn clock() -> VirtualClock {
    VirtualClock::new().steered()
}

/// Waits until a condition holds.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..12_000 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    panic!("it never holds that {what}");
}
