//! `--store`: the object stores of the buckets that distributed Maps read and write.

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
        let pair = text.split_once('=').filter(|(bucket, address)| !bucket.is_empty() && !address.is_empty());
        let Some((bucket, address)) = pair else {
            return Err(format!("`--store {text}` has no address: write `--store BUCKET=ADDRESS`"));
        };
        if self.0.iter().any(|(known, _)| known == bucket) {
            return Err(format!("`--store` has the bucket `{bucket}` twice"));
        }
        self.0.push((bucket.to_owned(), address.to_owned()));
        Ok(())
    }

    /// Returns the stores, if there are any.
    pub fn access(self) -> Result<Option<ObjectAccess>, String> {
        if self.0.is_empty() {
            return Ok(None);
        }
        stores(self.0).map(Some)
    }
}

/// The place of a bucket.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Place<'a> {
    Folder(&'a str),
    S3(&'a str),
    Gcs(&'a str),
    Azure(&'a str),
}

/// Reads the address of a bucket.
fn place<'a>(bucket: &str, address: &'a str) -> Result<Place<'a>, String> {
    let (scheme, name) = address.split_once(':').unwrap_or_default();
    let of_cloud = name.strip_prefix("//").filter(|name| !name.is_empty() && !name.contains('/'));
    let place = match (scheme, of_cloud) {
        ("folder", _) if !name.is_empty() => Some(Place::Folder(name)),
        ("s3", Some(name)) => Some(Place::S3(name)),
        ("gs", Some(name)) => Some(Place::Gcs(name)),
        ("az", Some(name)) => Some(Place::Azure(name)),
        _ => None,
    };
    place.ok_or_else(|| {
        let known = "`folder:PATH`, `s3://BUCKET`, `gs://BUCKET` or `az://CONTAINER`";
        format!("`--store {bucket}={address}`: an address is {known}")
    })
}

#[cfg(feature = "stores")]
fn stores(buckets: Vec<(String, String)>) -> Result<ObjectAccess, String> {
    use workflow_objects::store::{FolderStore, Stores};
    let mut stores = Stores::new();
    for (bucket, address) in buckets {
        stores = match place(&bucket, &address)? {
            Place::Folder(path) => stores.with(bucket, FolderStore::new(path)),
            Place::S3(name) => clouds::s3(stores, &bucket, name)?,
            Place::Gcs(name) => clouds::gcs(stores, &bucket, name)?,
            Place::Azure(name) => clouds::azure(stores, &bucket, name)?,
        };
    }
    Ok(ObjectAccess::new(stores))
}

#[cfg(not(feature = "stores"))]
fn stores(buckets: Vec<(String, String)>) -> Result<ObjectAccess, String> {
    for (bucket, address) in buckets {
        place(&bucket, &address)?;
    }
    Err(missing("stores"))
}

/// Returns the message of an option that the program was built without.
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
    fn a_bucket_has_an_address() {
        for (address, expected) in [
            ("folder:data/orders", Some(Place::Folder("data/orders"))),
            ("s3://real", Some(Place::S3("real"))),
            ("gs://real", Some(Place::Gcs("real"))),
            ("az://real", Some(Place::Azure("real"))),
            ("folder:", None),
            ("s3://real/prefix", None),
            ("s3://", None),
            ("data/orders", None),
        ] {
            assert_eq!(place("orders", address).ok(), expected, "{address}");
        }
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
