//! Decompression as bytes arrive. Each step yields a bounded number of bytes, so that data that
//! inflates a thousandfold is no danger.

use std::io::Write;

use bytes::{Buf, Bytes};
use flate2::write::MultiGzDecoder;
use ruzstd::decoding::errors::{FrameDecoderError, ReadFrameHeaderError};
use ruzstd::decoding::{BlockDecodingStrategy, FrameDecoder};

use super::decode::Bad;
use super::limits::MAX_WINDOW;

/// A decompressor.
pub(crate) enum Inflate {
    /// Not compressed.
    Plain,
    /// gzip, of one or more members.
    Gzip(Box<MultiGzDecoder<Vec<u8>>>),
    /// zstd, of one or more frames.
    Zstd(Box<Zstd>),
}

impl Inflate {
    /// Creates the decompressor for an object, by the end of its key.
    pub(crate) fn of_key(key: &str) -> Inflate {
        match key.rsplit_once('.') {
            Some((_, "gz")) => Inflate::Gzip(Box::new(MultiGzDecoder::new(Vec::new()))),
            Some((_, "zst" | "zstd")) => Inflate::Zstd(Box::default()),
            _ => Inflate::Plain,
        }
    }

    /// Returns `true` if the data is not compressed, so that every byte has its place in the
    /// object.
    pub(crate) fn is_plain(&self) -> bool {
        matches!(self, Inflate::Plain)
    }

    /// Returns `true` if a step without input may yield more.
    pub(crate) fn is_pending(&self) -> bool {
        matches!(self, Inflate::Zstd(zstd) if zstd.pending)
    }

    /// Takes bytes off the front of the input, and returns what came out. It may be empty.
    ///
    /// # Errors
    /// The data is damaged.
    pub(crate) fn step(&mut self, input: &mut Bytes) -> Result<Bytes, Bad> {
        match self {
            Inflate::Plain => Ok(std::mem::take(input)),
            Inflate::Gzip(gzip) => {
                while !input.is_empty() && gzip.get_ref().is_empty() {
                    let taken = gzip.write(input).map_err(gzip_error)?;
                    input.advance(taken);
                }
                Ok(std::mem::take(gzip.get_mut()).into())
            }
            Inflate::Zstd(zstd) => zstd.step(input),
        }
    }

    /// Takes the end of the input, and returns what is left.
    ///
    /// # Errors
    /// The data ends too early.
    pub(crate) fn end(&mut self) -> Result<Bytes, Bad> {
        match self {
            Inflate::Plain => Ok(Bytes::new()),
            Inflate::Gzip(gzip) => {
                gzip.try_finish().map_err(gzip_error)?;
                Ok(std::mem::take(gzip.get_mut()).into())
            }
            Inflate::Zstd(zstd) => match zstd.is_complete() {
                true => Ok(Bytes::new()),
                false => Err("the zstd data ends too early".into()),
            },
        }
    }
}

fn gzip_error(error: std::io::Error) -> Bad {
    format!("the gzip data is damaged or ends too early: {error}").into()
}

/// The longest header of a frame: the magic number, the descriptor, the window, the dictionary and
/// the size.
const HEADER: usize = 18;

/// The largest block.
const MAX_BLOCK: usize = 128 * 1024;

/// Frames of zstd.
pub(crate) struct Zstd {
    decoder: FrameDecoder,
    /// Bytes that were not decoded, from `at`.
    begun: Vec<u8>,
    at: usize,
    /// The number of bytes of a frame without data that are still to be skipped.
    skip: u64,
    progress: Progress,
    /// `true` if there may be another block in the bytes.
    pending: bool,
}

/// The place in the data.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Progress {
    /// Before the first frame.
    Nothing,
    /// In a frame.
    Frame { checksum: bool },
    /// Behind a frame.
    Between,
}

/// The result of an attempt to decode.
enum Decoded {
    /// More bytes are needed.
    Nothing,
    Bytes(Vec<u8>),
}

impl Default for Zstd {
    fn default() -> Zstd {
        let mut decoder = FrameDecoder::new();
        decoder.set_max_window_size(MAX_WINDOW);
        Zstd { decoder, begun: Vec::new(), at: 0, skip: 0, progress: Progress::Nothing, pending: false }
    }
}

impl Zstd {
    fn step(&mut self, input: &mut Bytes) -> Result<Bytes, Bad> {
        if !input.is_empty() {
            self.begun.drain(..self.at);
            self.at = 0;
            self.begun.extend_from_slice(input);
            input.clear();
        }
        loop {
            match self.decode()? {
                Decoded::Nothing => {
                    self.pending = false;
                    return Ok(Bytes::new());
                }
                Decoded::Bytes(bytes) if bytes.is_empty() => {}
                Decoded::Bytes(bytes) => {
                    self.pending = true;
                    return Ok(bytes.into());
                }
            }
        }
    }

    fn is_complete(&self) -> bool {
        self.progress == Progress::Between && self.skip == 0 && self.at == self.begun.len()
    }

    /// Decodes a header or a block.
    fn decode(&mut self) -> Result<Decoded, Bad> {
        let data = &self.begun[self.at..];
        if self.skip > 0 {
            let skipped = data.len().min(usize::try_from(self.skip).unwrap_or(usize::MAX));
            self.at += skipped;
            self.skip -= skipped as u64;
            return Ok(match skipped {
                0 => Decoded::Nothing,
                _ => Decoded::Bytes(Vec::new()),
            });
        }
        match self.progress {
            Progress::Frame { checksum } => self.block(checksum),
            Progress::Nothing | Progress::Between => self.header(),
        }
    }

    fn header(&mut self) -> Result<Decoded, Bad> {
        let data = &self.begun[self.at..];
        let mut source = data;
        match self.decoder.reset(&mut source) {
            Ok(()) => {
                self.at += data.len() - source.len();
                // A bit of the descriptor, which is the byte behind the magic number.
                self.progress = Progress::Frame { checksum: data[4] & 0b100 != 0 };
                Ok(Decoded::Bytes(Vec::new()))
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::SkipFrame { length, .. })) => {
                self.at += 8;
                self.skip = u64::from(length);
                self.progress = Progress::Between;
                Ok(Decoded::Bytes(Vec::new()))
            }
            Err(FrameDecoderError::ReadFrameHeaderError(ReadFrameHeaderError::BadMagicNumber(_))) => {
                Err("it is not zstd data".into())
            }
            Err(_) if data.len() < HEADER => Ok(Decoded::Nothing),
            Err(error) => Err(zstd_error(&error)),
        }
    }

    fn block(&mut self, checksum: bool) -> Result<Decoded, Bad> {
        let data = &self.begun[self.at..];
        let [first, second, third, ..] = data else { return Ok(Decoded::Nothing) };
        let header = u32::from_le_bytes([*first, *second, *third, 0]);
        let (last, repeated, size) = (header & 1 == 1, header >> 1 & 3 == 1, (header >> 3) as usize);
        if size > MAX_BLOCK {
            return Err("the zstd data is damaged: a block is too large".into());
        }
        let content = if repeated { 1 } else { size };
        let length = 3 + content + if last && checksum { 4 } else { 0 };
        let Some(block) = data.get(..length) else { return Ok(Decoded::Nothing) };
        self.decoder.decode_blocks(block, BlockDecodingStrategy::UptoBlocks(1)).map_err(|error| zstd_error(&error))?;
        let bytes = self.decoder.collect().unwrap_or_default();
        self.at += length;
        if last {
            if checksum && self.decoder.get_checksum_from_data() != self.decoder.get_calculated_checksum() {
                return Err("the zstd data is damaged: its checksum differs".into());
            }
            self.progress = Progress::Between;
        }
        Ok(Decoded::Bytes(bytes))
    }
}

fn zstd_error(error: &FrameDecoderError) -> Bad {
    format!("the zstd data is damaged: {error}").into()
}
