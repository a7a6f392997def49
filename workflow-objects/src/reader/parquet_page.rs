//! The pages of a table of Apache Parquet, which are inflated in bounded memory.
//!
//! The crate `parquet` inflates a page to whatever size comes out. It therefore reads all pages as
//! if they were not compressed, and they are inflated here.

use std::io::Read;
use std::mem::size_of;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::{Compression, Encoding, Type as Physical};
use parquet::bloom_filter::Sbbf;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::data_type::ByteArray;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::record::reader::{ReaderIter, RowIter, TreeBuilder};
use parquet::schema::types::{ColumnDescPtr, Type};
use ruzstd::decoding::StreamingDecoder;

use super::parquet_delta::check_lengths;
use super::parquet_rows::{RowCounter, RowSize, RowSizes};

/// The largest page, or directory of a file, in bytes. It is read as a whole. Writers make pages
/// of a megabyte, and a directory of this size has a million columns in row groups.
pub(super) const MAX_PAGE: usize = 64 * 1024 * 1024;

/// The most bytes of all pages at once: each column has one.
const MAX_PAGES: usize = 16 * MAX_PAGE;

/// The number of rows whose values are read at once. The lists of all of them are in memory, and
/// the values of an encoding by which a few bytes can be many.
const ROWS: usize = 1024;

/// A row group whose pages are inflated in bounded memory.
pub(super) struct InflatedGroup<'a, R> {
    metadata: &'a RowGroupMetaData,
    file: Arc<R>,
    held: Arc<Held>,
    /// `true` if the rows are read one by one.
    single: bool,
}

/// The part of a row group that is in memory.
#[derive(Default)]
struct Held {
    /// The bytes of all pages.
    bytes: AtomicUsize,
    /// The number of the row that is read.
    row: AtomicU64,
    sizes: Mutex<RowSizes>,
}

impl<'a, R: ChunkReader + 'static> InflatedGroup<'a, R> {
    /// Creates a row group of a file.
    pub(super) fn new(metadata: &'a RowGroupMetaData, file: Arc<R>) -> InflatedGroup<'a, R> {
        let single = metadata.columns().iter().any(|column| {
            let repeated = column.column_descr().max_rep_level() > 0;
            repeated || column.encodings().any(|encoding| encoding == Encoding::DELTA_BYTE_ARRAY)
        });
        InflatedGroup { metadata, file, held: Arc::default(), single }
    }

    /// Returns the rows.
    ///
    /// # Errors
    /// The data is bad.
    pub(super) fn rows(&self) -> Result<ReaderIter> {
        let builder = TreeBuilder::new().with_batch_size(if self.single { 1 } else { ROWS });
        builder.as_iter(self.metadata.schema_descr_ptr(), self)
    }

    /// Takes the number of the row that is read next.
    pub(super) fn begin_row(&self, row: u64) {
        self.held.row.store(row, Ordering::Relaxed);
    }
}

impl<R: ChunkReader + 'static> RowGroupReader for InflatedGroup<'_, R> {
    fn metadata(&self) -> &RowGroupMetaData {
        self.metadata
    }

    fn num_columns(&self) -> usize {
        self.metadata.num_columns()
    }

    fn get_column_page_reader(&self, i: usize) -> Result<Box<dyn PageReader>> {
        let column = self.metadata.column(i);
        let compression = column.compression();
        let plain = column.clone().into_builder().set_compression(Compression::UNCOMPRESSED).build()?;
        let rows = usize::try_from(self.metadata.num_rows())?;
        let pages = SerializedPageReader::new(self.file.clone(), &plain, rows, None)?;
        Ok(Box::new(InflatedPages {
            pages,
            compression,
            descriptor: column.column_descr_ptr(),
            column: i,
            field: self.metadata.schema_descr().get_column_root_idx(i),
            single: self.single,
            held: self.held.clone(),
            dictionary: 0,
            page: 0,
            largest: 0,
            counter: RowCounter::default(),
            carried: 0,
        }))
    }

    fn get_column_bloom_filter(&self, _: usize) -> Option<&Sbbf> {
        None
    }

    fn get_row_iter(&self, projection: Option<Type>) -> Result<RowIter<'_>> {
        RowIter::from_row_group(projection, self)
    }
}

/// The pages of a column.
struct InflatedPages<R: ChunkReader> {
    pages: SerializedPageReader<R>,
    compression: Compression,
    descriptor: ColumnDescPtr,
    /// The numbers of the column, and of the field of the table that it belongs to.
    column: usize,
    field: usize,
    single: bool,
    held: Arc<Held>,
    /// The bytes of the dictionary and of the last page.
    dictionary: usize,
    page: usize,
    /// The size of the largest value of the dictionary.
    largest: u64,
    /// The rows in the pages, and the bytes of those in which the last row began and went on.
    counter: RowCounter,
    carried: u64,
}

impl<R: ChunkReader> InflatedPages<R> {
    fn inflate(&mut self, page: Page) -> Result<Page> {
        let compression = self.compression;
        Ok(match page {
            Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, statistics } => {
                let buf = inflate(compression, &buf, 0)?;
                hold(&self.held.bytes, &mut self.page, buf.len())?;
                let (levels, rest) = levels_of(&buf, self.descriptor.max_rep_level(), rep_level_encoding)?;
                self.count(levels, num_values, encoding, buf.len())?;
                if lists_of(encoding) > 0 {
                    let (_, values) = levels_of(rest, self.descriptor.max_def_level(), def_level_encoding)?;
                    self.check(values, num_values, encoding)?;
                }
                Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, statistics }
            }
            Page::DictionaryPage { buf, num_values, encoding, is_sorted } => {
                let buf = inflate(compression, &buf, 0)?;
                let values = self.values_of_dictionary(&buf, num_values)?;
                hold(&self.held.bytes, &mut self.dictionary, buf.len() + values)?;
                Page::DictionaryPage { buf, num_values, encoding, is_sorted }
            }
            Page::DataPageV2 {
                buf,
                num_values,
                encoding,
                num_nulls,
                num_rows,
                def_levels_byte_len,
                rep_levels_byte_len,
                is_compressed,
                statistics,
            } => {
                // Both are at most 2^31: the levels of a page are never compressed.
                let levels = def_levels_byte_len as usize + rep_levels_byte_len as usize;
                let buf = if is_compressed { inflate(compression, &buf, levels)? } else { buf };
                hold(&self.held.bytes, &mut self.page, buf.len())?;
                let (levels, values) = buf.split_at_checked(levels).ok_or_else(short)?;
                let levels = levels.get(..rep_levels_byte_len as usize).ok_or_else(short)?;
                self.count(levels, num_values, encoding, buf.len())?;
                self.check(values, num_values, encoding)?;
                Page::DataPageV2 {
                    buf,
                    num_values,
                    encoding,
                    num_nulls,
                    num_rows,
                    def_levels_byte_len,
                    rep_levels_byte_len,
                    is_compressed: false,
                    statistics,
                }
            }
        })
    }

    /// Checks the bytes of a page that follow its levels.
    fn check(&self, values: &[u8], count: u32, encoding: Encoding) -> Result<()> {
        if encoding == Encoding::DELTA_BYTE_ARRAY && !self.single {
            return Err(bad(format!("a page is encoded by {encoding}, which its column does not list")));
        }
        match lists_of(encoding) {
            0 => Ok(()),
            lists => check_lengths(values, lists, count),
        }
    }

    /// Counts the rows of a page if the column is repeated, and checks that none has too many
    /// bytes.
    fn count(&mut self, levels: &[u8], values: u32, encoding: Encoding, bytes: usize) -> Result<()> {
        if self.descriptor.max_rep_level() == 0 {
            return Ok(());
        }
        // The row that is read, and the next one, of which the first value is read.
        if self.counter.begun > self.held.row.load(Ordering::Relaxed).saturating_add(2) {
            return Err(bad("the rows of its columns do not match"));
        }
        let bits = 16 - self.descriptor.max_rep_level().leading_zeros() as usize;
        let begun = self.counter.begun;
        let most = self.counter.count(levels, bits, values);
        let largest = match encoding {
            Encoding::PLAIN_DICTIONARY | Encoding::RLE_DICTIONARY => self.largest,
            // A value has bytes of those before it.
            Encoding::DELTA_BYTE_ARRAY => bytes as u64,
            _ => 0,
        };
        let values = most.ok_or_else(|| bad("the levels of a page are damaged"))?;
        let size = RowSize { field: self.field, values, largest, carried: self.carried };
        self.carried = bytes as u64 + if self.counter.begun > begun { 0 } else { self.carried };
        self.held.sizes.lock().unwrap_or_else(PoisonError::into_inner).set(self.column, size)
    }

    /// Returns the bytes in memory of a dictionary's values, without their texts.
    fn values_of_dictionary(&mut self, page: &[u8], count: u32) -> Result<usize> {
        let fewer = || bad("a dictionary has fewer values than it says");
        let count = usize::try_from(count)?;
        let (least, each) = match self.descriptor.physical_type() {
            Physical::BYTE_ARRAY => (4, size_of::<ByteArray>()),
            Physical::FIXED_LEN_BYTE_ARRAY => {
                let length = usize::try_from(self.descriptor.type_length()).unwrap_or(0).max(1);
                self.largest = length as u64;
                (length, size_of::<ByteArray>())
            }
            Physical::BOOLEAN => (0, 1),
            Physical::INT32 | Physical::FLOAT => (4, 0),
            Physical::INT64 | Physical::DOUBLE => (8, 0),
            Physical::INT96 => (12, 0),
        };
        if count > page.len().saturating_mul(8) || count.saturating_mul(least) > page.len() {
            return Err(fewer());
        }
        if self.descriptor.physical_type() == Physical::BYTE_ARRAY {
            let mut rest = page;
            for _ in 0..count {
                let (length, values) = rest.split_first_chunk().ok_or_else(fewer)?;
                let length = u32::from_le_bytes(*length);
                rest = values.get(usize::try_from(length)?..).ok_or_else(fewer)?;
                self.largest = self.largest.max(u64::from(length));
            }
        }
        Ok(count * each)
    }
}

/// Returns the number of lists of lengths at the beginning of the values of a page.
fn lists_of(encoding: Encoding) -> usize {
    match encoding {
        Encoding::DELTA_LENGTH_BYTE_ARRAY => 1,
        // Those of what values share with the ones before them, and of the rest.
        Encoding::DELTA_BYTE_ARRAY => 2,
        _ => 0,
    }
}

/// Returns the levels of a page of the first version, and what follows them.
fn levels_of(page: &[u8], max: i16, encoding: Encoding) -> Result<(&[u8], &[u8])> {
    if max == 0 {
        return Ok((&[], page));
    }
    if encoding != Encoding::RLE {
        return Err(bad(format!("the levels of a page are encoded by {encoding}")));
    }
    let (length, rest) = page.split_first_chunk().ok_or_else(short)?;
    let length = usize::try_from(u32::from_le_bytes(*length))?;
    rest.split_at_checked(length).ok_or_else(short)
}

fn bad(cause: impl Into<String>) -> ParquetError {
    ParquetError::General(cause.into())
}

fn short() -> ParquetError {
    bad("the levels of a page are longer than the page")
}

impl<R: ChunkReader> Iterator for InflatedPages<R> {
    type Item = Result<Page>;

    fn next(&mut self) -> Option<Result<Page>> {
        self.get_next_page().transpose()
    }
}

impl<R: ChunkReader> PageReader for InflatedPages<R> {
    fn get_next_page(&mut self) -> Result<Option<Page>> {
        let page = self.pages.get_next_page()?;
        page.map(|page| self.inflate(page)).transpose()
    }

    fn peek_next_page(&mut self) -> Result<Option<PageMetadata>> {
        self.pages.peek_next_page()
    }

    fn skip_next_page(&mut self) -> Result<()> {
        self.pages.skip_next_page()
    }

    fn at_record_boundary(&mut self) -> Result<bool> {
        self.pages.at_record_boundary()
    }
}

impl<R: ChunkReader> Drop for InflatedPages<R> {
    fn drop(&mut self) {
        self.held.bytes.fetch_sub(self.dictionary + self.page, Ordering::Relaxed);
    }
}

/// Counts the bytes of a page, which replaces the last one.
fn hold(held: &AtomicUsize, last: &mut usize, bytes: usize) -> Result<()> {
    held.fetch_sub(std::mem::replace(last, bytes), Ordering::Relaxed);
    match held.fetch_add(bytes, Ordering::Relaxed) + bytes > MAX_PAGES {
        true => Err(bad(format!("the pages of its columns have more than {MAX_PAGES} bytes"))),
        false => Ok(()),
    }
}

/// Returns the bytes of a page behind its levels, inflated.
fn inflate(compression: Compression, page: &Bytes, levels: usize) -> Result<Bytes> {
    if levels > page.len() {
        return Err(short());
    }
    if compression == Compression::UNCOMPRESSED {
        return Ok(page.clone());
    }
    let (mut inflated, data) = (page[..levels].to_vec(), &page[levels..]);
    let limit = MAX_PAGE.saturating_sub(levels);
    if data.is_empty() {
        return Ok(inflated.into());
    }
    let damaged = |error: &dyn std::fmt::Display| bad(format!("a page is damaged: {error}"));
    // One byte above the limit shows that there are more.
    let most = limit as u64 + 1;
    match compression {
        Compression::SNAPPY => {
            let length = snap::raw::decompress_len(data).map_err(|error| damaged(&error))?;
            if length <= limit {
                let plain = snap::raw::Decoder::new().decompress_vec(data).map_err(|error| damaged(&error))?;
                inflated.extend_from_slice(&plain);
            } else {
                return Err(too_long());
            }
        }
        Compression::GZIP(_) => {
            MultiGzDecoder::new(data).take(most).read_to_end(&mut inflated).map_err(|error| damaged(&error))?;
        }
        Compression::ZSTD(_) => {
            let decoder = StreamingDecoder::new(data).map_err(|error| damaged(&error))?;
            decoder.take(most).read_to_end(&mut inflated).map_err(|error| damaged(&error))?;
        }
        other => {
            let cause = format!("its pages are compressed by {other}. SNAPPY, GZIP and ZSTD can be read");
            return Err(bad(cause));
        }
    }
    match inflated.len() > levels + limit {
        true => Err(too_long()),
        false => Ok(inflated.into()),
    }
}

fn too_long() -> ParquetError {
    bad(format!("a page has more than {MAX_PAGE} bytes once it is inflated"))
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use flate2::write::GzEncoder;
    use parquet::basic::{GzipLevel, ZstdLevel};
    use ruzstd::encoding::{CompressionLevel, compress_to_vec};

    use super::*;

    fn gzip(bytes: usize) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), flate2::Compression::fast());
        let block = [0; 64 * 1024];
        for _ in 0..bytes / block.len() {
            encoder.write_all(&block).expect("it is written");
        }
        encoder.write_all(&block[..bytes % block.len()]).expect("it is written");
        encoder.finish().expect("it is written")
    }

    fn check(compression: Compression, data: Vec<u8>, levels: usize) -> std::result::Result<usize, String> {
        let page: Vec<u8> = vec![1; levels].into_iter().chain(data).collect();
        let inflated = inflate(compression, &page.into(), levels);
        inflated.map(|page| page.len()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_page_is_inflated_up_to_the_limit() {
        let compression = Compression::GZIP(GzipLevel::default());
        assert_eq!(check(compression, gzip(MAX_PAGE), 0), Ok(MAX_PAGE));
        let error = check(compression, gzip(MAX_PAGE + 1), 0).expect_err("it is too long");
        assert!(error.contains("once it is inflated"), "{error}");
        assert_eq!(check(compression, gzip(10), 5), Ok(15));
        assert!(check(compression, gzip(MAX_PAGE), 5).is_err());
        assert!(check(compression, vec![7; 10], 0).is_err());
        // The first bytes of data of Snappy are its length: 2^32 - 1.
        assert!(check(Compression::SNAPPY, vec![255, 255, 255, 255, 15, 0, 0], 0).is_err());
        let plain = snap::raw::Encoder::new().compress_vec(&[5; 1_000]).expect("it is compressed");
        assert_eq!(check(Compression::SNAPPY, plain, 3), Ok(1_003));
        let zstd = |bytes: usize| compress_to_vec(&*vec![5; bytes], CompressionLevel::Fastest);
        assert_eq!(check(Compression::ZSTD(ZstdLevel::default()), zstd(1_000), 3), Ok(1_003));
        assert!(check(Compression::ZSTD(ZstdLevel::default()), zstd(MAX_PAGE + 1), 0).is_err());
        let error = check(Compression::LZ4_RAW, vec![1], 0).expect_err("nothing inflates it");
        assert!(error.contains("SNAPPY, GZIP and ZSTD can be read"), "{error}");
    }

    #[test]
    fn the_pages_of_all_columns_are_limited() {
        let (held, mut one, mut other) = (AtomicUsize::new(0), 0, 0);
        assert!(hold(&held, &mut one, MAX_PAGES).is_ok());
        assert!(hold(&held, &mut one, MAX_PAGES - 1).is_ok());
        assert!(hold(&held, &mut other, 1).is_ok());
        assert!(hold(&held, &mut other, 2).is_err());
    }
}
