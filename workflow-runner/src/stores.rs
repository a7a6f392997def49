//! `--store`: the object stores of the buckets that distributed Maps read and write.

use workflow_runtime::machine::store_address::{split_option, store_address};
use workflow_runtime::objects::ObjectAccess;

use crate::command_line::string;

/// The values of the option: buckets with their addresses.
#[derive(Default)]
pub(crate) struct StoreOptions(Vec<(String, String)>);

impl StoreOptions {
    /// Takes the value of the option.
    pub fn take(&mut self, arguments: &mut lexopt::Parser) -> Result<(), String> {
        self.add(&string(arguments)?)
    }

    fn add(&mut self, text: &str) -> Result<(), String> {
        let (bucket, address) = split_option(text)?;
        if self.0.iter().any(|(known, _)| known == bucket) {
            return Err(format!("`--store` has the bucket `{bucket}` twice"));
        }
        self.0.push((bucket.to_owned(), address.to_owned()));
        Ok(())
    }

    /// Refuses stores for a program that only runs a definition without distributed Maps.
    pub fn must_be_of_use(&self, has_distributed_maps: bool) -> Result<(), String> {
        match self.0.first().filter(|_| !has_distributed_maps) {
            None => Ok(()),
            Some((bucket, address)) => {
                Err(format!("`--store {bucket}={address}`: the definition has no distributed Map"))
            }
        }
    }

    /// Returns the stores, if there are any.
    pub fn access(self) -> Result<Option<ObjectAccess>, String> {
        if self.0.is_empty() {
            return Ok(None);
        }
        stores(self.0).map(Some)
    }
}

#[cfg(feature = "stores")]
fn stores(buckets: Vec<(String, String)>) -> Result<ObjectAccess, String> {
    use workflow_objects::store::{FolderStore, Stores};
    use workflow_runtime::machine::store_address::StoreKind;
    let mut stores = Stores::new();
    for (bucket, address) in buckets {
        let (kind, name) = store_address(&bucket, &address)?;
        stores = match kind {
            StoreKind::Folder => stores.with(bucket, FolderStore::new(name)),
            StoreKind::S3 => clouds::s3(stores, &bucket, name)?,
            StoreKind::Gcs => clouds::gcs(stores, &bucket, name)?,
            StoreKind::Azure => clouds::azure(stores, &bucket, name)?,
        };
    }
    Ok(ObjectAccess::new(stores))
}

#[cfg(not(feature = "stores"))]
fn stores(buckets: Vec<(String, String)>) -> Result<ObjectAccess, String> {
    for (bucket, address) in buckets {
        store_address(&bucket, &address)?;
    }
    Err(missing("stores"))
}

/// Returns the message of an option that the program was built without.
#[cfg(not(all(feature = "s3", feature = "gcs", feature = "azure")))]
fn missing(feature: &str) -> String {
    format!(
        "this program was built without the stores of `--store`: enable the feature `{feature}` of `workflow-runner` in Cargo.toml, \
         `features = [\"{feature}\"]`"
    )
}

/// Returns the message of a store that cannot be opened, with its reason.
#[cfg(any(all(test, feature = "stores"), feature = "s3", feature = "gcs", feature = "azure"))]
fn refusal(bucket: &str, error: &workflow_objects::store::StoreError) -> String {
    format!("`--store {bucket}=…`: {}", error.describe())
}

/// The buckets of clouds, whose credentials are in the usual variables of the environment.
#[cfg(feature = "stores")]
mod clouds {
    use workflow_objects::store::Stores;

    /// Declares the function that adds a bucket of a cloud.
    macro_rules! cloud {
        ($name:ident, $builder:ident, $feature:literal) => {
            #[cfg(feature = $feature)]
            pub fn $name(stores: Stores, bucket: &str, name: &str) -> Result<Stores, String> {
                let store = workflow_objects::store::$builder::from_env(name).build();
                Ok(stores.with(bucket, store.map_err(|error| super::refusal(bucket, &error))?))
            }

            #[cfg(not(feature = $feature))]
            pub fn $name(_: Stores, _: &str, _: &str) -> Result<Stores, String> {
                Err(super::missing($feature))
            }
        };
    }

    cloud!(s3, S3, "s3");
    cloud!(gcs, Gcs, "gcs");
    cloud!(azure, Azure, "azure");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_checked() {
        let mut options = StoreOptions::default();
        assert_eq!(options.add("orders=s3://real/prefix"), Ok(()));
        let problem = options.access().err().unwrap_or_default();
        assert!(problem.starts_with("the bucket `orders` has no valid address: `s3://real/prefix`: "), "{problem}");
    }

    #[test]
    fn a_program_without_distributed_maps_refuses_buckets() {
        assert_eq!(StoreOptions::default().must_be_of_use(false), Ok(()));
        let mut options = StoreOptions::default();
        assert_eq!(options.add("a=folder:x"), Ok(()));
        assert_eq!(options.must_be_of_use(true), Ok(()));
        let problem = "`--store a=folder:x`: the definition has no distributed Map";
        assert_eq!(options.must_be_of_use(false), Err(problem.to_owned()));
    }

    #[cfg(feature = "stores")]
    #[test]
    fn the_reason_of_a_store_that_cannot_be_opened_is_reported() {
        use workflow_objects::store::{StoreError, StoreErrorKind};
        let error = StoreError::with_source(StoreErrorKind::Other, "cannot open the bucket", "no region is set");
        assert_eq!(refusal("orders", &error), "`--store orders=…`: cannot open the bucket: no region is set");
    }

    #[test]
    fn a_bucket_is_given_once() {
        let mut options = StoreOptions::default();
        assert_eq!(options.add("orders=folder:a"), Ok(()));
        for (text, expected) in [
            ("orders=folder:b", "`--store` has the bucket `orders` twice"),
            ("orders", "`--store orders` has no address: write `--store BUCKET=ADDRESS`"),
            ("=folder:b", "`--store =folder:b` has no address: write `--store BUCKET=ADDRESS`"),
        ] {
            assert_eq!(options.add(text), Err(expected.to_owned()));
        }
        assert!(StoreOptions::default().access().is_ok_and(|access| access.is_none()));
    }
}
