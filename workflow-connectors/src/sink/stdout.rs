//! Standard output sink: writes events as lines in the JSON format of CloudEvents.
//!
//! An event is accepted once the system has its complete line, flushed. If that fails, for example
//! because nobody reads the pipe any more, the publishing state fails with `Event.NotDelivered`.
//!
//! Other output of the program appears between the lines.

use std::io::{self, Write};
use std::pin::Pin;

use workflow_runtime::event::EventSink;
use workflow_runtime::{CloudEvent, Fault};

use super::NOT_DELIVERED;

/// Sink that writes events to standard output.
///
/// ```
/// use workflow_connectors::StdoutSink;
/// use workflow_runtime::{Builder, Workflow};
///
/// fn printing<Order: Workflow>() -> Builder<Order> {
///     Builder::new().sink(StdoutSink::new())
/// }
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct StdoutSink;

impl StdoutSink {
    /// Returns a sink for the standard output of this process.
    pub fn new() -> StdoutSink {
        StdoutSink
    }
}

impl EventSink for StdoutSink {
    fn send<'a>(&'a self, event: &'a CloudEvent) -> Pin<Box<dyn Future<Output = Result<(), Fault>> + Send + 'a>> {
        let line = line(event);
        Box::pin(async move {
            // The reader may be slow, and must not block others. A line that was begun is always
            // completed.
            let line = line?;
            let written = tokio::task::spawn_blocking(move || write(&mut io::stdout().lock(), &line)).await;
            written.unwrap_or_else(|error| Err(io::Error::other(error))).map_err(not_delivered)
        })
    }
}

/// Returns the line of an event. JSON escapes line breaks.
fn line(event: &CloudEvent) -> Result<String, Fault> {
    let mut line = event.to_json()?;
    line.push('\n');
    Ok(line)
}

fn write(out: &mut impl Write, line: &str) -> io::Result<()> {
    out.write_all(line.as_bytes())?;
    out.flush()
}

fn not_delivered(error: io::Error) -> Fault {
    Fault::new(NOT_DELIVERED, format!("cannot write to standard output: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::{Value, value};

    /// Written bytes, and the flushed part.
    #[derive(Default)]
    struct Pipe {
        written: Vec<u8>,
        flushed: usize,
        closed: bool,
    }

    impl Write for Pipe {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            if self.closed {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            self.written.extend(&bytes[..bytes.len().min(3)]);
            Ok(bytes.len().min(3))
        }

        fn flush(&mut self) -> io::Result<()> {
            self.flushed = self.written.len();
            Ok(())
        }
    }

    #[test]
    fn each_event_is_a_line_that_is_flushed() {
        let mut pipe = Pipe::default();
        let event = CloudEvent::new("1", "/shop", "order.paid").data(value!({ "text": "two\nlines" }));
        for _ in 0..2 {
            write(&mut pipe, &line(&event).expect("a line")).expect("it is written");
            assert_eq!(pipe.flushed, pipe.written.len());
        }
        let text = String::from_utf8(pipe.written).expect("text");
        let read: Vec<Value> = text.lines().map(|line| Value::from_json(line).expect("JSON")).collect();
        assert_eq!(read, [event.to_value(), event.to_value()]);
    }

    #[test]
    fn a_closed_pipe_is_a_fault() {
        let mut pipe = Pipe { closed: true, ..Pipe::default() };
        let error = write(&mut pipe, "{}\n").expect_err("nobody reads it");
        assert_eq!(not_delivered(error).error(), Some("Event.NotDelivered"));
    }
}
