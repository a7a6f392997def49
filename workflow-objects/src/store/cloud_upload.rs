//! An object that is being written to a cloud: at once if it is small, else in parts of a fixed
//! size.

use std::mem;
use std::sync::Arc;

use bytes::{Bytes, BytesMut};
use object_store::path::Path;
use object_store::{MultipartUpload, ObjectStoreExt, PutResult};
use workflow_runtime::Str;

use super::cloud::{Client, store_error};
use super::{Pending, StoreError, StoreErrorKind, Stored, Upload};

/// The size of a part. S3 wants at least 5 MiB, all but the last of the same size on some servers,
/// and at most 10,000 of them: objects of 78 GiB can be written.
const PART: usize = 8 * 1024 * 1024;

/// An object that is being written.
pub(super) struct CloudUpload {
    client: Arc<dyn Client>,
    path: Path,
    key: Str,
    /// The bytes that were not sent.
    part: BytesMut,
    size: u64,
    state: State,
}

enum State {
    /// Nothing was sent.
    Small,
    /// Parts were sent.
    Parts(Box<dyn MultipartUpload>),
    /// An operation failed, or the object is complete.
    Over,
}

/// Begins an upload, and gives it up. Sends a part, because the client of Azure sends nothing
/// before the first one.
pub(super) async fn try_upload(client: &dyn Client, path: &Path, key: &str) -> Result<(), StoreError> {
    let begun = client.put_multipart(path).await;
    let mut parts = begun.map_err(|error| store_error(error, "write", key))?;
    let sent = parts.put_part(Bytes::from_static(b" ").into()).await;
    // Whoever may write need not be allowed to give up. What is left of the object is not seen.
    let _ = parts.abort().await;
    sent.map_err(|error| store_error(error, "write", key))
}

impl CloudUpload {
    pub(super) fn new(client: Arc<dyn Client>, path: Path, key: Str) -> CloudUpload {
        CloudUpload { client, path, key, part: BytesMut::new(), size: 0, state: State::Small }
    }

    fn failed(&self) -> StoreError {
        StoreError::new(StoreErrorKind::Other, format!("{:?} was not written: an earlier part failed", self.key))
    }

    async fn add(&mut self, mut bytes: Bytes) -> Result<(), StoreError> {
        if matches!(self.state, State::Over) {
            return Err(self.failed());
        }
        self.size += bytes.len() as u64;
        while self.part.len() + bytes.len() > PART {
            let rest = bytes.split_to(PART - self.part.len());
            self.part.extend_from_slice(&rest);
            self.send().await?;
        }
        self.part.extend_from_slice(&bytes);
        Ok(())
    }

    /// Sends the part.
    async fn send(&mut self) -> Result<(), StoreError> {
        let part = mem::take(&mut self.part).freeze();
        let mut parts = match mem::replace(&mut self.state, State::Over) {
            State::Small => {
                let begun = self.client.put_multipart(&self.path).await;
                begun.map_err(|error| store_error(error, "write", &self.key))?
            }
            State::Parts(parts) => parts,
            State::Over => return Err(self.failed()),
        };
        let sent = parts.put_part(part.into()).await;
        if let Err(error) = sent {
            // The first error is the one that says why. What is left of the object is not seen.
            let _ = parts.abort().await;
            return Err(store_error(error, "write", &self.key));
        }
        self.state = State::Parts(parts);
        Ok(())
    }

    async fn complete(mut self: Box<Self>) -> Result<Stored, StoreError> {
        if matches!(self.state, State::Parts(_)) && !self.part.is_empty() {
            self.send().await?;
        }
        let result: object_store::Result<PutResult> = match mem::replace(&mut self.state, State::Over) {
            State::Small => {
                let whole = mem::take(&mut self.part).freeze();
                self.client.put(&self.path, whole.into()).await
            }
            State::Parts(mut parts) => {
                let completed = parts.complete().await;
                if completed.is_err() {
                    let _ = parts.abort().await;
                }
                completed
            }
            State::Over => return Err(self.failed()),
        };
        let result = result.map_err(|error| store_error(error, "write", &self.key))?;
        Ok(Stored { etag: result.e_tag.map(Str::from).unwrap_or_default(), size: self.size })
    }
}

impl Upload for CloudUpload {
    fn write(&mut self, bytes: Bytes) -> Pending<'_, Result<(), StoreError>> {
        Box::pin(self.add(bytes))
    }

    fn finish(self: Box<Self>) -> Pending<'static, Result<Stored, StoreError>> {
        Box::pin(self.complete())
    }

    fn abort(mut self: Box<Self>) -> Pending<'static, Result<(), StoreError>> {
        Box::pin(async move {
            match mem::replace(&mut self.state, State::Over) {
                State::Parts(mut parts) => {
                    parts.abort().await.map_err(|error| store_error(error, "give up", &self.key))
                }
                State::Small | State::Over => Ok(()),
            }
        })
    }
}

impl Drop for CloudUpload {
    fn drop(&mut self) {
        // Parts cost money until they are removed. Without a runtime, the bucket's rules do that.
        if let State::Parts(mut parts) = mem::replace(&mut self.state, State::Over)
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move { parts.abort().await });
        }
    }
}
