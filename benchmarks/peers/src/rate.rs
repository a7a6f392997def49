//! The rate of durable steps. The file is a module of two programs, which cannot share a crate:
//! they link different versions of SQLite.

use std::time::{Duration, Instant};

/// The steps of a workflow.
pub const STEPS: u32 = 10;

/// The least time of a sample.
const SAMPLE: Duration = Duration::from_millis(1_500);

/// Returns the steps per second with some workflows at once. `run` runs one.
pub async fn rate<R: Future + Send + 'static>(at_once: usize, run: impl Fn() -> R + Clone + Send + 'static) -> f64 {
    let began = Instant::now();
    let loops = (0..at_once).map(|_| {
        let run = run.clone();
        tokio::spawn(async move {
            let mut done = 0;
            while began.elapsed() < SAMPLE {
                run().await;
                done += u64::from(STEPS);
            }
            done
        })
    });
    let mut done = 0;
    for running in loops.collect::<Vec<_>>() {
        done += running.await.expect("the loop does not panic");
    }
    done as f64 / began.elapsed().as_secs_f64()
}
