//! The objects that a reader reads one after the other.

use std::vec;

use workflow_runtime::Str;

use super::error::ReaderError;
use super::manifest::{Inventory, target_of_line};
use super::object::{ObjectReader, Target};
use super::position::{ObjectPosition, Position};
use crate::store::{ObjectInfo, Parts, Stores};

/// A listing of a bucket.
pub(crate) struct Listing {
    bucket: Str,
    name: Str,
    pages: Box<dyn Parts<Vec<ObjectInfo>>>,
    page: vec::IntoIter<ObjectInfo>,
    /// The key of the last object.
    after: Option<Str>,
}

impl Listing {
    /// Begins a listing, behind a key.
    ///
    /// # Errors
    /// There is no store for the bucket.
    pub(crate) fn open(
        stores: &Stores,
        bucket: &Str,
        prefix: &str,
        after: Option<Str>,
    ) -> Result<Listing, ReaderError> {
        let name = Str::from(format!("s3://{bucket}"));
        let store = stores.bucket(bucket).map_err(|error| ReaderError::of_store(&name, error))?;
        let pages = store.list(prefix, after.as_deref());
        Ok(Listing { bucket: bucket.clone(), name, pages, page: Vec::new().into_iter(), after })
    }

    /// Returns the name of the bucket, such as `s3://bucket`.
    pub(crate) fn name(&self) -> &Str {
        &self.name
    }

    /// Returns the key of the last object.
    pub(crate) fn after(&self) -> Option<Str> {
        self.after.clone()
    }

    /// Returns the next object.
    ///
    /// # Errors
    /// The store failed.
    pub(crate) async fn next(&mut self) -> Result<Option<ObjectInfo>, ReaderError> {
        loop {
            if let Some(object) = self.page.next() {
                self.after = Some(object.key.clone());
                return Ok(Some(object));
            }
            let page = self.pages.next().await;
            match page.map_err(|error| ReaderError::of_store(&self.name, error))? {
                None => return Ok(None),
                Some(page) => self.page = page.into_iter(),
            }
        }
    }
}

/// The objects whose items are read.
pub(crate) enum Objects {
    /// A single object.
    One(Option<Target>),
    /// All objects of a listing.
    Listed(Listing),
    /// The objects of an inventory.
    Inventory {
        /// The manifest.
        inventory: Box<Inventory>,
        /// The number of objects that were taken.
        taken: usize,
    },
    /// The objects that Athena's manifest names.
    Lines(Box<ObjectReader>),
}

impl Objects {
    /// Returns the next object.
    ///
    /// # Errors
    /// The store failed, or the manifest is bad.
    pub(crate) async fn next(&mut self) -> Result<Option<Target>, ReaderError> {
        match self {
            Objects::One(target) => Ok(target.take()),
            Objects::Listed(listing) => {
                while let Some(object) = listing.next().await? {
                    // An empty object has no items. Most of them are markers of folders.
                    if object.size == 0 {
                        continue;
                    }
                    let target = Target::new(listing.bucket.clone(), object.key);
                    return Ok(Some(Target { etag: object.etag, ..target }));
                }
                Ok(None)
            }
            Objects::Inventory { inventory, taken } => {
                let target = inventory.files.get(*taken).cloned();
                *taken += usize::from(target.is_some());
                Ok(target)
            }
            Objects::Lines(lines) => match lines.next().await? {
                None => Ok(None),
                Some(line) => target_of_line(lines.name(), &line.value).map(Some),
            },
        }
    }

    /// Returns the position with its place.
    pub(crate) fn place(&self, mut position: Position) -> Position {
        match self {
            Objects::One(_) => {}
            Objects::Listed(listing) => position.after = listing.after(),
            Objects::Inventory { inventory, taken } => {
                position.manifest = Some(ObjectPosition {
                    bucket: inventory.manifest.bucket.clone(),
                    key: inventory.manifest.key.clone(),
                    etag: inventory.manifest.etag.clone(),
                    record: *taken as u64,
                    ..ObjectPosition::default()
                });
            }
            Objects::Lines(lines) => position.manifest = Some(lines.position()),
        }
        position
    }
}
