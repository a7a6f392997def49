//! The builder of buckets of S3.

use std::fmt;

use object_store::aws::{AmazonS3Builder, AmazonS3ConfigKey};
use workflow_runtime::Str;

use super::cloud::store_error;
use super::tls::{Connector, is_plain};
use super::{CloudStore, StoreError};

/// The builder of a bucket of S3, or of a server that speaks its protocol.
///
/// ```
/// use workflow_objects::store::{S3, Stores};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let orders = S3::new("orders").endpoint("http://localhost:9000").region("us-east-1");
/// let orders = orders.credentials("id", "key", None);
/// let stores = Stores::new().with("orders", orders.build()?);
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct S3 {
    builder: AmazonS3Builder,
    bucket: Str,
    plain: bool,
}

impl S3 {
    /// Creates the builder of a bucket, with the usual variables of the environment: among them
    /// `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_SESSION_TOKEN`, `AWS_REGION`,
    /// `AWS_ENDPOINT`, `AWS_ENDPOINT_URL_S3` and those for roles of containers and web identities.
    /// Without keys, the role of the machine is asked for them.
    ///
    /// Settings of the HTTP client, such as a proxy, are not read: the variables `HTTPS_PROXY` and
    /// `NO_PROXY` are.
    pub fn from_env(bucket: impl Into<Str>) -> S3 {
        let bucket = bucket.into();
        S3::of_settings(AmazonS3Builder::from_env(), bucket)
    }

    /// Creates the builder of a bucket, with the settings of a builder.
    fn of_settings(builder: AmazonS3Builder, bucket: Str) -> S3 {
        let builder = builder.with_bucket_name(bucket.as_str());
        // In this order, as the crate takes them.
        let keys = [AmazonS3ConfigKey::S3Endpoint, AmazonS3ConfigKey::Endpoint];
        let endpoint = keys.iter().find_map(|key| builder.get_config_value(key));
        let plain = endpoint.is_some_and(|endpoint| is_plain(&endpoint));
        S3 { builder, bucket, plain }
    }

    /// Creates the builder of a bucket, without the environment.
    pub fn new(bucket: impl Into<Str>) -> S3 {
        let bucket = bucket.into();
        S3 { builder: AmazonS3Builder::new().with_bucket_name(bucket.as_str()), bucket, plain: false }
    }

    /// Sets the address of the server, such as `https://storage.example.org`.
    #[must_use]
    pub fn endpoint(mut self, url: &str) -> S3 {
        self.plain = is_plain(url);
        // The endpoint of S3 goes before the general one, which may be set in the environment.
        self.builder = self.builder.with_config(AmazonS3ConfigKey::S3Endpoint, url);
        self
    }

    /// Sets the region.
    #[must_use]
    pub fn region(mut self, region: &str) -> S3 {
        self.builder = self.builder.with_region(region);
        self
    }

    /// Sets the credentials.
    #[must_use]
    pub fn credentials(mut self, access_key_id: &str, secret_access_key: &str, session_token: Option<&str>) -> S3 {
        self.builder = self.builder.with_access_key_id(access_key_id).with_secret_access_key(secret_access_key);
        if let Some(token) = session_token {
            self.builder = self.builder.with_token(token);
        }
        self
    }

    /// Sets whether the bucket's name is part of the host's. Otherwise, and at first, it is the
    /// beginning of the path.
    #[must_use]
    pub fn virtual_hosted(mut self, virtual_hosted: bool) -> S3 {
        self.builder = self.builder.with_virtual_hosted_style_request(virtual_hosted);
        self
    }

    /// Returns the bucket.
    ///
    /// # Errors
    /// The settings are not complete, or wrong.
    pub fn build(self) -> Result<CloudStore, StoreError> {
        let plain = self.plain;
        let builder = self.builder.with_allow_http(plain).with_http_connector(Connector { plain });
        let client = builder.build().map_err(|error| store_error(error, "open the bucket", &self.bucket))?;
        Ok(CloudStore::new(client, self.bucket))
    }
}

impl fmt::Debug for S3 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("S3").field(&self.bucket).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_without_tls_may_be_in_each_setting() {
        use AmazonS3ConfigKey::{Endpoint, S3Endpoint};
        let local = "HTTP://localhost:9000";
        for (settings, plain) in [
            (&[][..], false),
            (&[(Endpoint, local)], true),
            (&[(S3Endpoint, local)], true),
            (&[(Endpoint, local), (S3Endpoint, "https://example.org")], false),
            (&[(Endpoint, "https://example.org"), (S3Endpoint, local)], true),
        ] {
            let builder = AmazonS3Builder::new().with_region("us-east-1");
            let builder = settings.iter().fold(builder, |builder, (key, value)| builder.with_config(*key, *value));
            let s3 = S3::of_settings(builder, "orders".into());
            assert_eq!(s3.plain, plain, "{settings:?}");
            assert!(!s3.clone().endpoint("https://example.org").plain);
            if plain {
                assert!(s3.build().is_ok(), "{settings:?}");
            }
        }
    }
}
