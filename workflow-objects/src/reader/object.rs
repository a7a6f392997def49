//! The records of one object.

use bytes::{Buf, Bytes};
use workflow_runtime::Str;

use super::config::{InputType, ReaderConfig};
use super::csv::CsvDecoder;
use super::decode::{Decoder, Fed, Record};
use super::error::ReaderError;
use super::inflate::Inflate;
use super::json::JsonDecoder;
use super::lines::LinesDecoder;
use super::position::ObjectPosition;
use crate::store::{Parts, Stores, Wanted};

/// The mark that some programs write at the beginning of UTF-8.
const BYTE_ORDER_MARK: &[u8] = b"\xEF\xBB\xBF";

/// The object that is to be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Target {
    /// The bucket.
    pub(crate) bucket: Str,
    /// The key.
    pub(crate) key: Str,
    /// The version, otherwise the newest.
    pub(crate) version: Option<Str>,
    /// The ETag that the object must have. Empty for any.
    pub(crate) etag: Str,
}

impl Target {
    /// Creates the target of an object in any state.
    pub(crate) fn new(bucket: Str, key: Str) -> Target {
        Target { bucket, key, version: None, etag: Str::default() }
    }

    /// Creates the target of an object that was read in part.
    pub(crate) fn of_position(version: Option<Str>, position: &ObjectPosition) -> Target {
        let target = Target::new(position.bucket.clone(), position.key.clone());
        Target { version, etag: position.etag.clone(), ..target }
    }

    /// Returns the position at the beginning of the object.
    pub(crate) fn beginning(&self) -> ObjectPosition {
        let (bucket, key, etag) = (self.bucket.clone(), self.key.clone(), self.etag.clone());
        ObjectPosition { bucket, key, etag, ..ObjectPosition::default() }
    }

    /// Returns the name of the object, such as `s3://bucket/key`.
    pub(crate) fn name(&self) -> Str {
        Str::from(format!("s3://{}/{}", self.bucket, self.key))
    }

    /// Opens the object, or its end.
    ///
    /// # Errors
    /// The store failed, or the object is another one by now.
    pub(crate) async fn open(&self, stores: &Stores, start: u64) -> Result<(Str, Box<dyn Parts<Bytes>>), ReaderError> {
        let etag = Some(self.etag.as_str()).filter(|etag| !etag.is_empty());
        let wanted = Wanted { start, end: None, etag, version: self.version.as_deref() };
        let opened = match stores.bucket(&self.bucket) {
            Ok(store) => store.get(&self.key, wanted).await,
            Err(error) => Err(error),
        };
        let download = opened.map_err(|error| ReaderError::of_store(&self.name(), error))?;
        Ok((download.etag, download.body))
    }
}

/// Creates the decoder of a format, at the beginning of the data.
pub(crate) fn decoder_of(config: &ReaderConfig, input: InputType) -> Decoder {
    match input {
        InputType::Csv => Decoder::Csv(CsvDecoder::new(&config.headers, config.delimiter)),
        InputType::Json => Decoder::Json(Box::new(JsonDecoder::new(&config.pointer))),
        InputType::JsonLines | InputType::Parquet => Decoder::Lines(LinesDecoder::json()),
    }
}

/// Creates the decoder of a format, behind a record. Headers come from the beginning.
fn decoder_behind(config: &ReaderConfig, input: InputType, members: bool) -> Decoder {
    match input {
        InputType::Json => Decoder::Json(Box::new(JsonDecoder::behind_item(&config.pointer, members))),
        _ => decoder_of(config, input),
    }
}

/// A reader of the records of one object.
pub(crate) struct ObjectReader {
    target: Target,
    name: Str,
    body: Box<dyn Parts<Bytes>>,
    inflate: Inflate,
    decoder: Decoder,
    /// Bytes as the store has them.
    input: Bytes,
    /// Bytes that are not compressed.
    data: Bytes,
    stage: Stage,
    /// The number of uncompressed bytes that were decoded.
    offset: u64,
    /// The number of records so far.
    record: u64,
    /// The offset behind the last record.
    behind: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Before the first byte, where a byte-order mark may stand.
    Beginning,
    Middle,
    /// Behind the last byte of the object.
    Ended,
    /// Behind the last record.
    Done,
}

impl ObjectReader {
    /// Opens an object at its beginning.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) async fn open(
        stores: &Stores,
        mut target: Target,
        decoder: Decoder,
    ) -> Result<ObjectReader, ReaderError> {
        let (etag, body) = target.open(stores, 0).await?;
        target.etag = etag;
        Ok(ObjectReader {
            name: target.name(),
            inflate: Inflate::of_key(&target.key),
            target,
            body,
            decoder,
            input: Bytes::new(),
            data: Bytes::new(),
            stage: Stage::Beginning,
            offset: 0,
            record: 0,
            behind: 0,
        })
    }

    /// Opens an object behind a record.
    ///
    /// # Errors
    /// The store failed, the object is another one by now, or is damaged before the position.
    pub(crate) async fn open_at(
        stores: &Stores,
        config: &ReaderConfig,
        input: InputType,
        version: Option<Str>,
        position: &ObjectPosition,
    ) -> Result<ObjectReader, ReaderError> {
        let decoder = match position.offset {
            0 => decoder_of(config, input),
            _ => decoder_behind(config, input, position.members),
        };
        ObjectReader::open_behind(stores, decoder, version, position).await
    }

    /// Opens an object behind a record, with a decoder for what follows.
    ///
    /// # Errors
    /// As [`ObjectReader::open_at`].
    pub(crate) async fn open_behind(
        stores: &Stores,
        decoder: Decoder,
        version: Option<Str>,
        position: &ObjectPosition,
    ) -> Result<ObjectReader, ReaderError> {
        let target = Target::of_position(version, position);
        let mut reader = ObjectReader::open(stores, target, decoder).await?;
        if position.offset == 0 {
            return Ok(reader);
        }
        while reader.decoder.wants_beginning() && reader.stage != Stage::Done {
            reader.advance().await?;
        }
        match reader.inflate.is_plain() && position.offset > reader.offset {
            // Bytes that were read ahead may be behind the position already.
            true => {
                reader.body = reader.target.open(stores, position.offset).await?.1;
                (reader.input, reader.data) = (Bytes::new(), Bytes::new());
                reader.stage = Stage::Middle;
            }
            false => reader.skip_to(position.offset).await?,
        }
        (reader.offset, reader.behind, reader.record) = (position.offset, position.offset, position.record);
        Ok(reader)
    }

    /// Skips uncompressed bytes.
    async fn skip_to(&mut self, offset: u64) -> Result<(), ReaderError> {
        while self.offset < offset {
            if self.data.is_empty() && !self.fill().await? {
                return Err(self.error("the object ends before the position to continue at"));
            }
            let left = usize::try_from(offset - self.offset).unwrap_or(usize::MAX);
            let skipped = left.min(self.data.len());
            self.data.advance(skipped);
            self.offset += skipped as u64;
        }
        Ok(())
    }

    /// Returns the name of the object.
    pub(crate) fn name(&self) -> &Str {
        &self.name
    }

    /// Returns the position behind the last record.
    pub(crate) fn position(&self) -> ObjectPosition {
        ObjectPosition {
            bucket: self.target.bucket.clone(),
            key: self.target.key.clone(),
            etag: self.target.etag.clone(),
            offset: self.behind,
            record: self.record,
            members: self.decoder.has_members(),
        }
    }

    /// Returns the next record.
    ///
    /// # Errors
    /// The store failed, or the data is bad.
    pub(crate) async fn next(&mut self) -> Result<Option<Record>, ReaderError> {
        while self.stage != Stage::Done {
            if let Some(record) = self.advance().await? {
                self.record += 1;
                self.behind = self.offset;
                return Ok(Some(record));
            }
        }
        Ok(None)
    }

    /// Decodes the bytes at hand, or gets more.
    async fn advance(&mut self) -> Result<Option<Record>, ReaderError> {
        if self.data.is_empty() && !self.fill().await? {
            self.stage = Stage::Done;
            return self.decoder.end().map_err(|bad| self.error(&bad));
        }
        let (taken, fed) = self.decoder.feed(&self.data).map_err(|bad| self.error(&bad))?;
        self.data.advance(taken);
        self.offset += taken as u64;
        match fed {
            Fed::More => Ok(None),
            Fed::Record(record) => Ok(Some(record)),
            Fed::Done => {
                self.stage = Stage::Done;
                Ok(None)
            }
        }
    }

    /// Gets uncompressed bytes. Returns `false` at the end.
    async fn fill(&mut self) -> Result<bool, ReaderError> {
        while self.data.is_empty() {
            if self.stage == Stage::Ended && !self.inflate.is_pending() {
                return Ok(false);
            }
            // All data of a small object come with its end.
            let is_first = self.stage == Stage::Beginning;
            let data = self.inflated().await?;
            match is_first {
                true => self.begin(data).await?,
                false => self.data = data,
            }
        }
        Ok(true)
    }

    /// Takes the byte-order mark off the first bytes.
    async fn begin(&mut self, first: Bytes) -> Result<(), ReaderError> {
        if self.stage == Stage::Beginning {
            self.stage = Stage::Middle;
        }
        self.data = first;
        while self.data.len() < BYTE_ORDER_MARK.len()
            && BYTE_ORDER_MARK.starts_with(&self.data)
            && self.stage != Stage::Ended
        {
            let more = self.inflated().await?;
            self.data = [&self.data[..], &more[..]].concat().into();
        }
        if self.data.starts_with(BYTE_ORDER_MARK) {
            self.data.advance(BYTE_ORDER_MARK.len());
            self.offset += BYTE_ORDER_MARK.len() as u64;
        }
        Ok(())
    }

    /// Returns the next uncompressed bytes, which may be none.
    async fn inflated(&mut self) -> Result<Bytes, ReaderError> {
        if self.input.is_empty() && !self.inflate.is_pending() {
            let chunk = self.body.next().await;
            match chunk.map_err(|error| ReaderError::of_store(&self.name, error))? {
                Some(chunk) => self.input = chunk,
                None => {
                    self.stage = Stage::Ended;
                    return self.inflate.end().map_err(|bad| self.error(&bad));
                }
            }
        }
        let step = self.inflate.step(&mut self.input);
        step.map_err(|bad| self.error(&bad))
    }

    /// Returns the error of the data, with the place.
    fn error(&self, bad: &str) -> ReaderError {
        place(bad, &self.name, self.record, self.behind)
    }
}

/// Returns the error of data at a place. The messages that AWS is known for stay as they are.
fn place(bad: &str, name: &str, record: u64, behind: u64) -> ReaderError {
    match bad.starts_with("Attempting to map") || bad.starts_with("CSV headers cannot") {
        true => ReaderError::new(bad),
        false => ReaderError::new(format!("{name}, record {} from byte {behind}: {bad}", record + 1)),
    }
}
