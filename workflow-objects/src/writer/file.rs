//! A result file that is being written.

use std::io::Write;
use std::mem;

use workflow_runtime::{Str, Value};

use super::config::OutputType;
use crate::store::{ObjectStore, StoreError, Upload};

/// The number of bytes that are collected before they are handed to the store.
const PART: usize = 1024 * 1024;

/// A result file that is being written. In memory is less than a part and a result.
pub(super) struct OpenFile {
    /// The key.
    pub(super) key: Str,
    upload: Box<dyn Upload>,
    output: OutputType,
    part: Vec<u8>,
    /// The number of bytes that were handed to the store.
    sent: u64,
    is_empty: bool,
}

impl OpenFile {
    /// Begins a file.
    pub(super) async fn create(store: &dyn ObjectStore, key: Str, output: OutputType) -> Result<OpenFile, StoreError> {
        let upload = store.put(&key).await?;
        let part = match output {
            OutputType::Json => vec![b'['],
            OutputType::JsonLines => Vec::new(),
        };
        Ok(OpenFile { key, upload, output, part, sent: 0, is_empty: true })
    }

    /// Adds the results of a child execution.
    pub(super) async fn add(&mut self, results: &[Value]) -> Result<(), StoreError> {
        for result in results {
            let between = match self.output {
                OutputType::Json if !self.is_empty => ",",
                OutputType::Json => "",
                OutputType::JsonLines if !self.is_empty => "\n",
                OutputType::JsonLines => "",
            };
            self.is_empty = false;
            write!(self.part, "{between}{result}").expect("a vector takes all bytes");
            if self.part.len() >= PART {
                self.send().await?;
            }
        }
        Ok(())
    }

    async fn send(&mut self) -> Result<(), StoreError> {
        let part = mem::take(&mut self.part);
        self.sent += part.len() as u64;
        self.upload.write(part.into()).await
    }

    /// Ends the file. Returns its size.
    pub(super) async fn finish(mut self) -> Result<u64, StoreError> {
        match self.output {
            OutputType::Json => self.part.push(b']'),
            OutputType::JsonLines if !self.is_empty => self.part.push(b'\n'),
            OutputType::JsonLines => {}
        }
        self.send().await?;
        self.upload.finish().await?;
        Ok(self.sent)
    }
}
