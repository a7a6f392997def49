//! The thread that reads a table of Apache Parquet, and the bytes that it asks for.

use std::collections::VecDeque;
use std::io::{self, Read};
use std::sync::mpsc::{SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::{Buf, Bytes, BytesMut};
use parquet::errors::{ParquetError, Result};
use parquet::file::FOOTER_SIZE;
use parquet::file::metadata::{FooterTail, ParquetMetaData, ParquetMetaDataReader};
use parquet::file::reader::{ChunkReader, Length};
use tokio::sync::mpsc::Sender;

use super::decode::Record;
use super::limits::MAX_RECORD;
use super::parquet_page::{InflatedGroup, MAX_PAGE};
use super::parquet_schema::check_schema;
use super::parquet_value::value_of;

/// The size of the blocks in which a file is read. Pages are about as large.
const BLOCK: u64 = 512 * 1024;

/// The number of blocks that are kept, since columns are read side by side. Together they are as
/// large as two records.
const BLOCKS: usize = 64;

/// The largest number of rows that are handed over at once. Their bytes are limited, too.
const ROWS: usize = 64;

/// A message of the thread.
pub(super) enum Message {
    /// The thread needs bytes.
    Request(Request),
    /// Rows.
    Rows(Vec<Record>),
    /// There are no more rows.
    End,
    /// The data is bad.
    Bad(String),
}

/// Bytes that the thread needs.
pub(super) struct Request {
    /// The first byte.
    pub(super) start: u64,
    /// The byte behind the last one.
    pub(super) end: u64,
    /// Takes the bytes.
    pub(super) answer: SyncSender<Bytes>,
}

/// Reads a table of a size in bytes, behind some rows. Ends when nobody listens.
pub(super) fn run(size: u64, skip: u64, messages: &Sender<Message>) {
    let file = RemoteFile { size, messages: messages.clone(), blocks: Arc::default() };
    let last = match read(file, skip, messages) {
        Ok(()) => Message::End,
        Err(error) => Message::Bad(format!("the Parquet data cannot be read: {error}")),
    };
    // Nobody may listen any more.
    let _ = messages.blocking_send(last);
}

fn read(file: RemoteFile, mut skip: u64, messages: &Sender<Message>) -> Result<()> {
    let file = Arc::new(file);
    for metadata in directory(&file)?.row_groups() {
        let group = InflatedGroup::new(metadata, file.clone());
        let count = u64::try_from(metadata.num_rows()).unwrap_or(0);
        if skip >= count {
            skip -= count;
            continue;
        }
        let (mut rows, mut bytes) = (Vec::with_capacity(ROWS), 0);
        let mut source = group.rows()?;
        for number in 0..count {
            group.begin_row(number);
            let Some(row) = source.next() else { break };
            let row = row?;
            if skip > 0 {
                skip -= 1;
                continue;
            }
            let value = value_of(&row).map_err(|error| ParquetError::General(error.into_owned()))?;
            bytes += value
                .json_len(MAX_RECORD as u64)
                .map_err(|_| ParquetError::General(format!("a row is longer than {MAX_RECORD} bytes")))?;
            rows.push(Record { key: None, value });
            if rows.len() == ROWS || bytes >= MAX_RECORD as u64 {
                bytes = 0;
                if !send(messages, &mut rows) {
                    return Ok(());
                }
            }
        }
        if !rows.is_empty() && !send(messages, &mut rows) {
            return Ok(());
        }
    }
    Ok(())
}

/// Returns the directory of a file, which is at its end.
fn directory(file: &RemoteFile) -> Result<ParquetMetaData> {
    let short = || ParquetError::EOF("it is too short".to_owned());
    let end = file.size.checked_sub(FOOTER_SIZE as u64).ok_or_else(short)?;
    let footer = file.get_bytes(end, FOOTER_SIZE)?;
    let footer = FooterTail::try_from(&*footer)?;
    if footer.is_encrypted_footer() {
        return Err(ParquetError::General("it is encrypted".to_owned()));
    }
    let length = footer.metadata_length();
    let start = end.checked_sub(length as u64).ok_or_else(short)?;
    let directory = file.get_bytes(start, length)?;
    check_schema(&directory)?;
    ParquetMetaDataReader::decode_metadata(&directory)
}

/// Hands rows over. Returns `false` if nobody wants them.
fn send(messages: &Sender<Message>, rows: &mut Vec<Record>) -> bool {
    let full = std::mem::replace(rows, Vec::with_capacity(ROWS));
    messages.blocking_send(Message::Rows(full)).is_ok()
}

/// A file whose bytes are somewhere else.
#[derive(Clone)]
struct RemoteFile {
    size: u64,
    messages: Sender<Message>,
    /// The blocks that were used last, with their numbers, newest last.
    blocks: Arc<Mutex<VecDeque<(u64, Bytes)>>>,
}

impl RemoteFile {
    /// Returns the bytes from a place to the end of its block.
    fn from(&self, start: u64) -> io::Result<Bytes> {
        if start >= self.size {
            return Ok(Bytes::new());
        }
        let number = start / BLOCK;
        let mut blocks = self.blocks.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = match blocks.iter().position(|(known, _)| *known == number) {
            Some(at) => {
                let block = blocks.remove(at).expect("the position is one of a block");
                let bytes = block.1.clone();
                blocks.push_back(block);
                bytes
            }
            None => {
                let bytes = self.request(number * BLOCK, self.size.min((number + 1) * BLOCK))?;
                if blocks.len() == BLOCKS {
                    blocks.pop_front();
                }
                blocks.push_back((number, bytes.clone()));
                bytes
            }
        };
        // Less than a block, which fits a `usize`.
        let offset = (start % BLOCK) as usize;
        match offset < bytes.len() {
            true => Ok(bytes.slice(offset..)),
            false => Err(io::ErrorKind::UnexpectedEof.into()),
        }
    }

    /// Asks for bytes.
    fn request(&self, start: u64, end: u64) -> io::Result<Bytes> {
        let closed = || io::Error::other("nobody reads on");
        let (answer, answered) = sync_channel(1);
        self.messages.blocking_send(Message::Request(Request { start, end, answer })).map_err(|_| closed())?;
        answered.recv().map_err(|_| closed())
    }
}

impl Length for RemoteFile {
    fn len(&self) -> u64 {
        self.size
    }
}

impl ChunkReader for RemoteFile {
    type T = RemoteRead;

    fn get_read(&self, start: u64) -> Result<RemoteRead> {
        Ok(RemoteRead { file: self.clone(), at: start, bytes: Bytes::new() })
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        if length > MAX_PAGE {
            return Err(ParquetError::General(format!("a part of it is longer than {MAX_PAGE} bytes")));
        }
        let mut first = self.from(start)?;
        if first.len() >= length {
            return Ok(first.split_to(length));
        }
        let mut bytes = BytesMut::from(first);
        while bytes.len() < length {
            let mut next = self.from(start + bytes.len() as u64)?;
            if next.is_empty() {
                return Err(ParquetError::EOF("it ends too early".to_owned()));
            }
            next.truncate(length - bytes.len());
            bytes.extend_from_slice(&next);
        }
        Ok(bytes.freeze())
    }
}

/// The bytes of a file from a place on.
struct RemoteRead {
    file: RemoteFile,
    at: u64,
    bytes: Bytes,
}

impl Read for RemoteRead {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.bytes.is_empty() {
            self.bytes = self.file.from(self.at)?;
            self.at += self.bytes.len() as u64;
        }
        let length = buffer.len().min(self.bytes.len());
        self.bytes.split_to(length).copy_to_slice(&mut buffer[..length]);
        Ok(length)
    }
}
