//! The stores of a program, by bucket.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::{ObjectStore, StoreError, StoreErrorKind};

/// A function that finds the store of a bucket.
type Find = dyn Fn(&str) -> Option<Arc<dyn ObjectStore>> + Send + Sync;

/// The stores of a program, by bucket.
///
/// ```
/// use workflow_objects::store::{FolderStore, MemoryStore, Stores};
///
/// let bills = FolderStore::new("/var/bills");
/// let stores = Stores::new().with("orders", MemoryStore::new()).with("bills", bills);
/// assert!(stores.bucket("bills").is_ok());
/// assert!(stores.bucket("letters").is_err());
/// ```
#[derive(Clone, Default)]
pub struct Stores {
    buckets: BTreeMap<String, Arc<dyn ObjectStore>>,
    others: Option<Arc<Find>>,
}

impl Stores {
    /// Creates a map without buckets.
    pub fn new() -> Stores {
        Stores::default()
    }

    /// Adds a bucket. A bucket of the same name is replaced.
    #[must_use]
    pub fn with(mut self, bucket: impl Into<String>, store: impl ObjectStore + 'static) -> Stores {
        self.buckets.insert(bucket.into(), Arc::new(store));
        self
    }

    /// Sets the function that finds the stores of buckets that were not added, such as all buckets
    /// of an account. It is called for each use of such a bucket.
    #[must_use]
    pub fn with_others(
        mut self,
        find: impl Fn(&str) -> Option<Arc<dyn ObjectStore>> + Send + Sync + 'static,
    ) -> Stores {
        self.others = Some(Arc::new(find));
        self
    }

    /// Returns the store of a bucket.
    ///
    /// # Errors
    /// The bucket is unknown.
    pub fn bucket(&self, bucket: &str) -> Result<Arc<dyn ObjectStore>, StoreError> {
        let known = self.buckets.get(bucket).cloned();
        let found = known.or_else(|| self.others.as_ref().and_then(|find| find(bucket)));
        found.ok_or_else(|| {
            let message = format!(
                "there is no store for the bucket {bucket:?}: add it to the table [stores] of workflow.toml, by --store or \
                 by Stores::with"
            );
            StoreError::new(StoreErrorKind::NotFound, message)
        })
    }
}

impl fmt::Debug for Stores {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.buckets.keys()).finish()
    }
}
