//! Addresses of the buckets that distributed Maps read and write. The tool and the programs that
//! it builds take the same options.

/// A kind of store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreKind {
    /// A folder of this machine: `folder:PATH`.
    Folder,
    /// A bucket of S3: `s3://BUCKET`.
    S3,
    /// A bucket of Google Cloud Storage: `gs://BUCKET`.
    Gcs,
    /// A container of Azure Blob Storage: `az://CONTAINER`.
    Azure,
}

/// Splits the value of the option `--store` into a bucket and its address.
///
/// # Errors
/// The value has no bucket or no address. The error is a message.
pub fn split_option(text: &str) -> Result<(&str, &str), String> {
    let pair = text.split_once('=').filter(|(bucket, address)| !bucket.is_empty() && !address.is_empty());
    pair.ok_or_else(|| format!("`--store {text}` has no address: write `--store BUCKET=ADDRESS`"))
}

/// Reads the address of a bucket: the kind of store, and the name of the folder or bucket there.
///
/// # Errors
/// The address is none of these. The error is a message.
pub fn store_address<'a>(bucket: &str, address: &'a str) -> Result<(StoreKind, &'a str), String> {
    let (scheme, name) = address.split_once(':').unwrap_or_default();
    let of_cloud = name.strip_prefix("//").filter(|name| !name.is_empty() && !name.contains('/'));
    let place = match (scheme, of_cloud) {
        ("folder", _) if !name.is_empty() => Some((StoreKind::Folder, name)),
        ("s3", Some(name)) => Some((StoreKind::S3, name)),
        ("gs", Some(name)) => Some((StoreKind::Gcs, name)),
        ("az", Some(name)) => Some((StoreKind::Azure, name)),
        _ => None,
    };
    place.ok_or_else(|| {
        let known = "`folder:PATH`, `s3://BUCKET`, `gs://BUCKET` or `az://CONTAINER`";
        format!("the bucket `{bucket}` has no valid address: `{address}`: write {known}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_has_an_address() {
        for (address, expected) in [
            ("folder:data/orders", Some((StoreKind::Folder, "data/orders"))),
            ("folder:x=y", Some((StoreKind::Folder, "x=y"))),
            ("s3://real", Some((StoreKind::S3, "real"))),
            ("gs://real", Some((StoreKind::Gcs, "real"))),
            ("az://real", Some((StoreKind::Azure, "real"))),
            ("folder:", None),
            ("s3:real", None),
            ("s3://", None),
            ("s3://real/prefix", None),
            ("data/orders", None),
            ("", None),
        ] {
            let found = store_address("orders", address);
            assert_eq!(found.as_ref().ok(), expected.as_ref(), "{address}");
            if let Err(message) = found {
                let start = format!("the bucket `orders` has no valid address: `{address}`: write `folder:PATH`, ");
                assert!(message.starts_with(&start), "{message}");
            }
        }
    }

    #[test]
    fn an_option_is_split_at_the_first_equals_sign() {
        assert_eq!(split_option("a=folder:x=y"), Ok(("a", "folder:x=y")));
        for text in ["a", "a=", "=folder:x", ""] {
            let message = format!("`--store {text}` has no address: write `--store BUCKET=ADDRESS`");
            assert_eq!(split_option(text), Err(message));
        }
    }
}
