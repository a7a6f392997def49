//! The pages of a table of Apache Parquet, which are inflated in bounded memory.
//!
//! The crate `parquet` inflates a page to whatever size comes out. It therefore reads all pages as
//! if they were not compressed, and they are inflated here.

use std::io::Read;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;
use flate2::read::MultiGzDecoder;
use parquet::basic::Compression;
use parquet::bloom_filter::Sbbf;
use parquet::column::page::{Page, PageMetadata, PageReader};
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::RowGroupMetaData;
use parquet::file::reader::{ChunkReader, RowGroupReader};
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::record::reader::RowIter;
use parquet::schema::types::Type;
use ruzstd::decoding::StreamingDecoder;

/// The largest page, or directory of a file, in bytes. It is read as a whole. Writers make pages
/// of a megabyte, and a directory of this size has a million columns in row groups.
pub(super) const MAX_PAGE: usize = 64 * 1024 * 1024;

/// The most bytes of all pages at once: each column has one.
const MAX_PAGES: usize = 16 * MAX_PAGE;

/// A row group whose pages are inflated in bounded memory.
pub(super) struct InflatedGroup<'a, R> {
    metadata: &'a RowGroupMetaData,
    file: Arc<R>,
    /// The bytes of all pages.
    held: Arc<AtomicUsize>,
}

impl<'a, R> InflatedGroup<'a, R> {
    /// Creates a row group of a file.
    pub(super) fn new(metadata: &'a RowGroupMetaData, file: Arc<R>) -> InflatedGroup<'a, R> {
        InflatedGroup { metadata, file, held: Arc::default() }
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
        Ok(Box::new(InflatedPages { pages, compression, held: self.held.clone(), dictionary: 0, page: 0 }))
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
    held: Arc<AtomicUsize>,
    /// The bytes of the dictionary and of the last page.
    dictionary: usize,
    page: usize,
}

impl<R: ChunkReader> InflatedPages<R> {
    fn inflate(&mut self, page: Page) -> Result<Page> {
        let compression = self.compression;
        Ok(match page {
            Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, statistics } => {
                let buf = inflate(compression, &buf, 0)?;
                hold(&self.held, &mut self.page, buf.len())?;
                Page::DataPage { buf, num_values, encoding, def_level_encoding, rep_level_encoding, statistics }
            }
            Page::DictionaryPage { buf, num_values, encoding, is_sorted } => {
                let buf = inflate(compression, &buf, 0)?;
                hold(&self.held, &mut self.dictionary, buf.len())?;
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
                hold(&self.held, &mut self.page, buf.len())?;
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
        self.held.fetch_sub(self.dictionary + self.page, Ordering::Relaxed);
    }
}

/// Counts the bytes of a page, which replaces the last one.
fn hold(held: &AtomicUsize, last: &mut usize, bytes: usize) -> Result<()> {
    held.fetch_sub(std::mem::replace(last, bytes), Ordering::Relaxed);
    match held.fetch_add(bytes, Ordering::Relaxed) + bytes > MAX_PAGES {
        true => Err(ParquetError::General(format!("the pages of its columns have more than {MAX_PAGES} bytes"))),
        false => Ok(()),
    }
}

/// Returns the bytes of a page behind its levels, inflated.
fn inflate(compression: Compression, page: &Bytes, levels: usize) -> Result<Bytes> {
    if levels > page.len() {
        return Err(ParquetError::General("the levels of a page are longer than the page".to_owned()));
    }
    if compression == Compression::UNCOMPRESSED {
        return Ok(page.clone());
    }
    let (mut inflated, data) = (page[..levels].to_vec(), &page[levels..]);
    let limit = MAX_PAGE.saturating_sub(levels);
    if data.is_empty() {
        return Ok(inflated.into());
    }
    let bad = |error: &dyn std::fmt::Display| ParquetError::General(format!("a page is damaged: {error}"));
    // One byte above the limit shows that there are more.
    let most = limit as u64 + 1;
    match compression {
        Compression::SNAPPY => {
            let length = snap::raw::decompress_len(data).map_err(|error| bad(&error))?;
            if length <= limit {
                let plain = snap::raw::Decoder::new().decompress_vec(data).map_err(|error| bad(&error))?;
                inflated.extend_from_slice(&plain);
            } else {
                return Err(too_long());
            }
        }
        Compression::GZIP(_) => {
            MultiGzDecoder::new(data).take(most).read_to_end(&mut inflated).map_err(|error| bad(&error))?;
        }
        Compression::ZSTD(_) => {
            let decoder = StreamingDecoder::new(data).map_err(|error| bad(&error))?;
            decoder.take(most).read_to_end(&mut inflated).map_err(|error| bad(&error))?;
        }
        other => {
            let cause = format!("its pages are compressed by {other}. SNAPPY, GZIP and ZSTD can be read");
            return Err(ParquetError::General(cause));
        }
    }
    match inflated.len() > levels + limit {
        true => Err(too_long()),
        false => Ok(inflated.into()),
    }
}

fn too_long() -> ParquetError {
    ParquetError::General(format!("a page has more than {MAX_PAGE} bytes once it is inflated"))
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
