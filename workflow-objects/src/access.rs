//! The stores as the runtime uses them, for the readers and writers of distributed Maps.

use tokio::runtime::{Handle, RuntimeFlavor};
use tokio::task::JoinHandle;
use workflow_runtime::fault::names::{ITEM_READER_FAILED, RESULT_WRITER_FAILED};
use workflow_runtime::machine::ReaderKind;
use workflow_runtime::objects::{ItemChunk, ItemStream, ObjectFuture, Objects, ReadItems, WriteResults, text_argument};
use workflow_runtime::{Fault, Value};

use crate::reader::{
    Item, ItemReader, ItemSource, Position, ReaderArguments, ReaderConfig, ReaderError, ReaderResource, ReaderSettings,
    Refusal,
};
use crate::store::Stores;
use crate::writer::{ResultWriter, WriterConfig, WriterSettings, WriterState, WriterTarget};

impl Objects for Stores {
    fn open<'a>(&'a self, request: &'a ReadItems) -> ObjectFuture<'a, Result<Box<dyn ItemStream>, Fault>> {
        Box::pin(async move {
            let reader = reader(request)?;
            let position: Option<Position> = match &request.position {
                Value::Null => None,
                position => Some(position.deserialize_into().map_err(|error| read_failed(error.to_string()))?),
            };
            let source = ItemSource::open(self, &reader, position.as_ref()).await;
            let source = source.map_err(|error| error.fault())?;
            let items = Some(Items { source, ahead: None, failed: None });
            Ok(Box::new(OpenItems { items, ahead: None }) as Box<dyn ItemStream>)
        })
    }

    fn write<'a>(&'a self, request: &'a WriteResults) -> ObjectFuture<'a, Result<Value, Fault>> {
        Box::pin(async move {
            let settings = WriterSettings {
                transformation: text(&request.config, "Transformation"),
                output_type: text(&request.config, "OutputType"),
            };
            let config = WriterConfig::new(&settings, true).map_err(|refusals| write_failed(refused(&refusals)))?;
            let argument =
                |name| text_argument(&request.arguments, name).map(Option::unwrap_or_default).map_err(write_failed);
            let target = WriterTarget {
                bucket: argument("Bucket")?,
                prefix: argument("Prefix")?,
                run: request.run.clone(),
                map_run_arn: request.map_run_arn.clone(),
            };
            let mut state: WriterState = match &request.state {
                Value::Null => WriterState::default(),
                state => state.deserialize_into().map_err(|error| write_failed(error.to_string()))?,
            };
            // Without a state, nothing was written.
            if request.is_redriven && request.state != Value::Null {
                state.redrive();
            }
            let mut writer = ResultWriter::open(self, target, config, state).map_err(|error| error.fault())?;
            if request.records.is_empty() && !request.is_last {
                writer.check().await.map_err(|error| error.fault())?;
            }
            for record in &request.records {
                writer.write(record).await.map_err(|error| error.fault())?;
            }
            if request.is_last {
                return writer.finish().await.map_err(|error| error.fault());
            }
            writer.end_files().await.map_err(|error| error.fault())?;
            Value::serialize_from(writer.state()).map_err(|error| write_failed(error.to_string()))
        })
    }
}

/// The items of a store that are being read. In a runtime with several threads, another thread
/// reads the next chunk while the execution works on one.
struct OpenItems {
    /// `None` while a chunk is read ahead.
    items: Option<Items>,
    ahead: Option<JoinHandle<(Items, Result<ItemChunk, Fault>)>>,
}

/// A source of items.
struct Items {
    source: ItemSource,
    /// The item behind those that were returned, and its mark.
    ahead: Option<(Item, Option<Position>)>,
    /// The fault behind the items that were returned.
    failed: Option<Fault>,
}

impl ItemStream for OpenItems {
    fn next(&mut self, count: u32, bytes: u64) -> ObjectFuture<'_, Result<ItemChunk, Fault>> {
        Box::pin(async move {
            let (items, chunk) = match &mut self.ahead {
                Some(ahead) => {
                    let read = ahead.await;
                    self.ahead = None;
                    match read {
                        Ok(read) => read,
                        // The runtime shuts down, which is no fault: a fault could be stored.
                        Err(error) if error.is_cancelled() => std::future::pending().await,
                        Err(error) => std::panic::resume_unwind(error.into_panic()),
                    }
                }
                None => match self.items.take() {
                    Some(items) => items.next(count, bytes).await,
                    None => return Err(read_failed("an earlier read was dropped".to_owned())),
                },
            };
            let has_more = chunk.as_ref().is_ok_and(|chunk| !chunk.is_last);
            match Handle::try_current().ok().filter(|_| has_more) {
                Some(runtime) if runtime.runtime_flavor() == RuntimeFlavor::MultiThread => {
                    self.ahead = Some(runtime.spawn(items.next(count, bytes)));
                }
                _ => self.items = Some(items),
            }
            chunk
        })
    }
}

impl Drop for OpenItems {
    fn drop(&mut self) {
        self.ahead.iter().for_each(JoinHandle::abort);
    }
}

impl Items {
    /// Reads a chunk. Returns the items behind it, too.
    async fn next(mut self, count: u32, bytes: u64) -> (Items, Result<ItemChunk, Fault>) {
        let chunk = self.chunk(count, bytes).await;
        (self, chunk)
    }

    async fn read(&mut self) -> Result<Option<(Item, Option<Position>)>, ReaderError> {
        if let Some(ahead) = self.ahead.take() {
            return Ok(Some(ahead));
        }
        let item = self.source.next().await?;
        Ok(item.map(|item| (item, self.source.take_mark())))
    }

    /// Ends a chunk that has items. One item is read ahead, which shows whether the last object
    /// has ended: a position in it could not be used once it is gone.
    async fn end_chunk(&mut self, chunk: &mut ItemChunk) -> Result<(), Fault> {
        let mut position = self.source.position();
        match self.read().await {
            Ok(None) => chunk.is_last = true,
            Ok(Some((item, mark))) => {
                position = mark.clone().unwrap_or(position);
                self.ahead = Some((item, mark));
            }
            // The items before the fault are used first.
            Err(error) => {
                position = self.source.position();
                self.failed = Some(error.fault());
            }
        }
        chunk.position = stored(&position)?;
        Ok(())
    }

    async fn chunk(&mut self, count: u32, bytes: u64) -> Result<ItemChunk, Fault> {
        if let Some(fault) = self.failed.take() {
            return Err(fault);
        }
        let mut chunk = ItemChunk::default();
        let len = |value: &Value| value.json_len(u64::MAX).unwrap_or(u64::MAX);
        let mut size = 0_u64;
        while chunk.values.len() < count as usize && size < bytes {
            match self.read().await {
                Ok(Some((item, mark))) => {
                    if let Some(mark) = mark {
                        let mark = stored(&mark)?;
                        size = size.saturating_add(len(&mark));
                        chunk.mark(mark);
                    }
                    size = size.saturating_add(len(&item.value));
                    chunk.push(item.value, item.key, &item.source);
                }
                Ok(None) => {
                    chunk.is_last = true;
                    chunk.position = stored(&self.source.position())?;
                    return Ok(chunk);
                }
                Err(error) if !chunk.values.is_empty() => {
                    self.failed = Some(error.fault());
                    chunk.position = stored(&self.source.position())?;
                    return Ok(chunk);
                }
                Err(error) => return Err(error.fault()),
            }
        }
        self.end_chunk(&mut chunk).await?;
        Ok(chunk)
    }
}

/// Returns a position as a request has it.
fn stored(position: &Position) -> Result<Value, Fault> {
    Value::serialize_from(position).map_err(|error| read_failed(error.to_string()))
}

/// Returns the reader of a request.
fn reader(request: &ReadItems) -> Result<ItemReader, Fault> {
    let config = &request.config;
    let headers = config.get("CSVHeaders").and_then(Value::as_array);
    let settings = ReaderSettings {
        input_type: text(config, "InputType"),
        manifest_type: text(config, "ManifestType"),
        transformation: text(config, "Transformation"),
        csv_header_location: text(config, "CSVHeaderLocation"),
        csv_headers: headers
            .map(|headers| headers.iter().map(|header| header.as_str().unwrap_or_default().to_owned()).collect()),
        csv_delimiter: text(config, "CSVDelimiter"),
        items_pointer: text(config, "ItemsPointer"),
    };
    let resource = match request.kind {
        ReaderKind::GetObject => ReaderResource::GetObject,
        ReaderKind::ListObjects => ReaderResource::ListObjects,
    };
    let checked = ReaderConfig::new(resource, &settings).map_err(|refusals| read_failed(refused(&refusals)))?;
    let argument = |name| text_argument(&request.arguments, name).map_err(read_failed);
    let arguments = ReaderArguments {
        bucket: argument("Bucket")?.unwrap_or_default(),
        key: argument("Key")?.unwrap_or_default(),
        version: argument("VersionId")?,
        prefix: argument("Prefix")?.unwrap_or_default(),
    };
    let most = config.get("MaxItems").and_then(Value::as_i64);
    ItemReader::new(checked, arguments, most).map_err(|error| error.fault())
}

fn text(of: &Value, name: &str) -> Option<String> {
    of.get(name).and_then(Value::as_str).map(str::to_owned)
}

fn refused(refusals: &[Refusal]) -> String {
    let messages: Vec<&str> = refusals.iter().map(|refusal| &*refusal.message).collect();
    messages.join(", ")
}

fn read_failed(cause: String) -> Fault {
    Fault::new(ITEM_READER_FAILED, cause)
}

fn write_failed(cause: String) -> Fault {
    Fault::new(RESULT_WRITER_FAILED, cause)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[tokio::test]
    async fn a_read_that_the_runtime_cancels_reports_no_fault() {
        let ahead = tokio::spawn(std::future::pending());
        ahead.abort();
        let mut items = OpenItems { items: None, ahead: Some(ahead) };
        let read = tokio::time::timeout(Duration::from_millis(50), items.next(1, 1)).await;
        assert!(read.is_err(), "the read goes on until it is dropped");
    }
}
