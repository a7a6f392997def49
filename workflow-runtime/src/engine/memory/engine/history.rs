//! The history of an execution: its newest events, as lines of JSON.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};

use super::view::lock;
use crate::engine::HistoryPage;

/// The newest events of an execution.
#[derive(Default)]
pub(super) struct Lines {
    events: VecDeque<String>,
    /// The number of events that were removed.
    removed: u64,
    most: usize,
}

impl Lines {
    /// Creates a history of at most this many events.
    pub fn new(most: usize) -> Lines {
        Lines { events: VecDeque::new(), removed: 0, most }
    }

    /// Returns a page, as [`Engine::history`](crate::engine::Engine::history) describes it.
    pub fn page(&self, after: u64, limit: usize, bytes: usize) -> HistoryPage {
        let skipped = usize::try_from(after.saturating_sub(self.removed)).unwrap_or(usize::MAX);
        let (mut page, mut left) = (HistoryPage::after(after), bytes);
        for (event, number) in self.events.iter().zip(self.removed + 1..).skip(skipped) {
            // A page has at least one event, however long.
            if page.events.len() >= limit || !page.events.is_empty() && event.len() >= left {
                page.next = Some(number - 1);
                break;
            }
            left = left.saturating_sub(event.len() + 1);
            page.events.push(event.clone());
            page.last = number;
        }
        page
    }

    /// Removes all events. Returns `false` if there were none.
    pub fn clear(&mut self) -> bool {
        self.removed += self.events.len() as u64;
        !std::mem::take(&mut self.events).is_empty()
    }

    fn push(&mut self, event: String) {
        self.events.push_back(event);
        while self.events.len() > self.most {
            self.events.pop_front();
            self.removed += 1;
        }
    }
}

/// The writer of the observer, which writes each event with one call.
pub(super) struct LineWriter(pub Arc<Mutex<Lines>>);

impl Write for LineWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = String::from_utf8_lossy(bytes);
        lock(&self.0).push(line.trim_end_matches('\n').to_owned());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_events_are_kept_with_their_numbers() {
        let lines = Arc::new(Mutex::new(Lines::new(3)));
        let write = |number: u64| {
            let line = format!("event {number}\n");
            LineWriter(lines.clone()).write_all(line.as_bytes()).expect("memory has no errors");
        };
        for number in 1..=5 {
            write(number);
        }
        let page = |after, limit, bytes| {
            let page = lock(&lines).page(after, limit, bytes);
            (page.events.join(","), page.next)
        };
        assert_eq!(page(0, 10, 100), ("event 3,event 4,event 5".to_owned(), None));
        assert_eq!(page(0, 2, 100), ("event 3,event 4".to_owned(), Some(4)));
        assert_eq!(page(4, 2, 100), ("event 5".to_owned(), None));
        assert_eq!(page(0, 10, 1), ("event 3".to_owned(), Some(3)));
        assert_eq!(page(9, 10, 100), (String::new(), None));
        assert!(lock(&lines).clear() && !lock(&lines).clear());
        write(6);
        assert_eq!(page(5, 10, 100), ("event 6".to_owned(), None));
    }
}
