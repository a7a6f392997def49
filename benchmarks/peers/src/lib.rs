//! The protocol between a peer and `cargo xtask bench peers`, as in `python/protocol.py`.

use std::io::{BufRead as _, Write as _};
use std::time::{Duration, Instant};

/// The least time of a sample in memory.
const SAMPLE: Duration = Duration::from_millis(300);

/// A measurement of an engine.
pub struct Measure<'a> {
    /// The name of the engine.
    pub engine: &'static str,
    /// The name of the measurement.
    pub name: &'static str,
    /// Returns the output of an execution, in JSON.
    pub output: Box<dyn FnMut() -> String + 'a>,
    /// Returns a sample.
    pub sample: Box<dyn FnMut() -> f64 + 'a>,
}

/// Answers until the input ends.
///
/// # Errors
///
/// Fails if the input cannot be read, or the output not be written.
pub fn serve(mut measures: Vec<Measure<'_>>) -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let wants_output = line?.trim() == "output";
        for measure in &mut measures {
            let text = if wants_output { (measure.output)() } else { (measure.sample)().to_string() };
            writeln!(out, "{}\t{}\t{text}", measure.engine, measure.name)?;
        }
        writeln!(out, "end")?;
        out.flush()?;
    }
    Ok(())
}

/// Returns the nanoseconds of an execution.
pub fn timed(mut run: impl FnMut()) -> f64 {
    let began = Instant::now();
    let mut count = 0.0;
    loop {
        run();
        count += 1.0;
        let spent = began.elapsed();
        if spent >= SAMPLE {
            return spent.as_secs_f64() * 1e9 / count;
        }
    }
}
