//! The rows of a table of Apache Parquet.
//!
//! The crate `parquet` reads files without waiting for them, and panics on some damaged ones. It
//! therefore runs on a thread of its own, which asks for the bytes it needs.

use std::thread;
use std::vec;

use bytes::Bytes;
use tokio::sync::mpsc::{Receiver, channel};
use workflow_runtime::Str;

use super::decode::Record;
use super::error::ReaderError;
use super::object::Target;
use super::parquet_thread::{Message, Request, run};
use super::position::ObjectPosition;
use crate::store::{StoreError, Stores, Wanted};

/// The number of messages that wait for the reader: the thread is at most that far ahead.
const AHEAD: usize = 1;

/// The size of the thread's stack. The crate goes down into nested columns by recursion.
const STACK: usize = 8 * 1024 * 1024;

/// A reader of the rows of one object.
pub(crate) struct ParquetReader {
    stores: Stores,
    target: Target,
    name: Str,
    messages: Receiver<Message>,
    rows: vec::IntoIter<Record>,
    record: u64,
    done: bool,
}

impl ParquetReader {
    /// Opens an object behind some rows.
    ///
    /// # Errors
    /// The store failed, or the object is another one by now.
    pub(crate) async fn open(stores: &Stores, mut target: Target, record: u64) -> Result<ParquetReader, ReaderError> {
        let name = target.name();
        let failed = |error| ReaderError::of_store(&name, error);
        let store = stores.bucket(&target.bucket).map_err(failed)?;
        let etag = Some(target.etag.clone()).filter(|etag| !etag.is_empty());
        let wanted = Wanted { end: Some(0), etag: etag.as_deref(), ..Wanted::default() };
        let download = store.get(&target.key, wanted).await.map_err(failed)?;
        target.etag = download.etag;
        let (sender, messages) = channel(AHEAD);
        let size = download.size;
        let thread = thread::Builder::new().name("parquet".to_owned()).stack_size(STACK);
        let started = thread.spawn(move || run(size, record, &sender));
        started.map_err(|error| ReaderError::new(format!("{name} cannot be read: there is no thread: {error}")))?;
        let rows = Vec::new().into_iter();
        Ok(ParquetReader { stores: stores.clone(), target, name, messages, rows, record, done: false })
    }

    /// Returns the name of the object.
    pub(crate) fn name(&self) -> &Str {
        &self.name
    }

    /// Returns the position behind the last row.
    pub(crate) fn position(&self) -> ObjectPosition {
        ObjectPosition { record: self.record, ..self.target.beginning() }
    }

    /// Returns the next row.
    ///
    /// # Errors
    /// The store failed, or the data is bad.
    pub(crate) async fn next(&mut self) -> Result<Option<Record>, ReaderError> {
        loop {
            if let Some(row) = self.rows.next() {
                self.record += 1;
                return Ok(Some(row));
            }
            if self.done {
                return Ok(None);
            }
            match self.messages.recv().await {
                Some(Message::Rows(rows)) => self.rows = rows.into_iter(),
                Some(Message::Request(request)) => self.serve(request).await?,
                Some(Message::End) => self.done = true,
                Some(Message::Bad(bad)) => return Err(self.bad(&bad)),
                // The thread has panicked.
                None => return Err(self.bad("the Parquet data is damaged")),
            }
        }
    }

    fn bad(&mut self, bad: &str) -> ReaderError {
        self.done = true;
        ReaderError::new(format!("{}, record {}: {bad}", self.name, self.record + 1))
    }

    /// Gets the bytes that the thread needs.
    async fn serve(&mut self, request: Request) -> Result<(), ReaderError> {
        match self.bytes(&request).await {
            Ok(bytes) => {
                // The thread waits for it, or has panicked, which the next message says.
                let _ = request.answer.send(bytes);
                Ok(())
            }
            Err(error) => {
                self.done = true;
                Err(ReaderError::of_store(&self.name, error))
            }
        }
    }

    async fn bytes(&self, request: &Request) -> Result<Bytes, StoreError> {
        let store = self.stores.bucket(&self.target.bucket)?;
        let etag = Some(self.target.etag.as_str()).filter(|etag| !etag.is_empty());
        let wanted = Wanted { start: request.start, end: Some(request.end), etag, version: None };
        let mut download = store.get(&self.target.key, wanted).await?;
        let mut bytes = Vec::new();
        while let Some(chunk) = download.body.next().await? {
            bytes.extend_from_slice(&chunk);
        }
        Ok(bytes.into())
    }
}
