//! The places of the buckets that distributed Maps read and write: `--store`, and `[stores]` of
//! `workflow.toml`.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::ffi::OsString;
use workflow_compiler::model::store_address::{StoreKind, split_option, store_address};

/// The buckets of the options `--store`, with their addresses.
#[derive(Default)]
pub struct Stores(BTreeMap<String, String>);

/// The needs of a definition for stores.
#[derive(Clone, Copy)]
pub struct Needs {
    /// `true` if it has distributed Maps.
    pub distributed_maps: bool,
    /// `true` if it reads tables of Apache Parquet.
    pub parquet: bool,
}

impl Stores {
    /// Takes the value of an option.
    pub fn add(&mut self, text: &str) -> Result<(), Failure> {
        let (bucket, address) = split_option(text).map_err(Failure::new)?;
        feature(bucket, address)?;
        match self.0.insert(bucket.to_owned(), address.to_owned()) {
            None => Ok(()),
            Some(_) => Err(Failure::new(format!("`--store` has the bucket `{bucket}` twice"))),
        }
    }

    /// Passes the buckets on to a program: adds the features of its runner, and its options. An
    /// option replaces the address of the file, which can be beside several definitions.
    pub fn pass_on(
        self,
        of_file: BTreeMap<String, String>,
        needs: Needs,
        features: &mut Vec<&'static str>,
        passed: &mut Vec<OsString>,
    ) -> Result<(), Failure> {
        if !needs.distributed_maps {
            return match self.0.into_iter().next() {
                None => Ok(()),
                Some((bucket, address)) => {
                    let message = format!("`--store {bucket}={address}`: the definition has no distributed Map");
                    Err(Failure::with_help(message, "remove the option"))
                }
            };
        }
        let mut all = of_file;
        all.extend(self.0);
        if needs.parquet && !all.is_empty() {
            features.push("parquet");
        }
        for (bucket, address) in all {
            features.push(feature(&bucket, &address)?);
            passed.extend(["--store".into(), format!("{bucket}={address}").into()]);
        }
        Ok(())
    }
}

/// Returns the feature of the runner for an address.
fn feature(bucket: &str, address: &str) -> Result<&'static str, Failure> {
    let (kind, _) = store_address(bucket, address).map_err(Failure::new)?;
    Ok(match kind {
        StoreKind::Folder => "stores",
        StoreKind::S3 => "s3",
        StoreKind::Gcs => "gcs",
        StoreKind::Azure => "azure",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(result: Result<(), Failure>) -> Option<String> {
        match result {
            Ok(()) => None,
            Err(Failure::Message { message, .. }) => Some(message),
            Err(_) => panic!("a failure without a message"),
        }
    }

    #[test]
    fn an_option_is_checked_before_a_build() {
        let mut stores = Stores::default();
        for (text, expected) in [
            ("a=folder:x", None),
            ("b=s3://real", None),
            ("c=folder:x=y", None),
            ("a=folder:y", Some("`--store` has the bucket `a` twice")),
            ("d", Some("`--store d` has no address: write `--store BUCKET=ADDRESS`")),
            ("=folder:x", Some("`--store =folder:x` has no address: write `--store BUCKET=ADDRESS`")),
            (
                "d=folder:",
                Some(
                    "the bucket `d` has no valid address: `folder:`: write `folder:PATH`, `s3://BUCKET`, `gs://BUCKET` \
                     or `az://CONTAINER`",
                ),
            ),
        ] {
            assert_eq!(message(stores.add(text)).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn only_a_program_with_distributed_maps_gets_stores() {
        let of_file = || BTreeMap::from([("a", "folder:x"), ("b", "s3://real")].map(|(a, b)| (a.into(), b.into())));
        let pass = |options: &[&str], distributed_maps: bool, of_file: BTreeMap<String, String>| {
            let needs = Needs { distributed_maps, parquet: options.contains(&"p=folder:p") };
            let (mut stores, mut features, mut passed) = (Stores::default(), Vec::new(), Vec::new());
            options.iter().for_each(|option| assert_eq!(message(stores.add(option)), None));
            let problem = message(stores.pass_on(of_file, needs, &mut features, &mut passed));
            let passed: Vec<String> = passed.into_iter().map(|text| text.to_string_lossy().into_owned()).collect();
            (problem, features, passed.join(" "))
        };
        let passed = |features: &[&'static str], passed: &str| (None, features.to_vec(), passed.to_owned());
        let refused = |problem: &str| (Some(problem.to_owned()), Vec::new(), String::new());
        assert_eq!(pass(&[], false, of_file()), passed(&[], ""));
        assert_eq!(pass(&[], true, of_file()), passed(&["stores", "s3"], "--store a=folder:x --store b=s3://real"));
        assert_eq!(
            pass(&["b=gs://r"], true, of_file()),
            passed(&["stores", "gcs"], "--store a=folder:x --store b=gs://r")
        );
        let problem = "`--store b=gs://r`: the definition has no distributed Map";
        assert_eq!(pass(&["b=gs://r"], false, of_file()), refused(problem));
        assert_eq!(pass(&["p=folder:p"], true, BTreeMap::new()), passed(&["parquet", "stores"], "--store p=folder:p"));
    }
}
