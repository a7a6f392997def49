//! The places of the buckets that distributed Maps read and write: `--store`, and `[stores]` of
//! `workflow.toml`.

use crate::failure::Failure;
use std::collections::BTreeMap;
use std::ffi::OsString;

/// The buckets of the options `--store`, with their addresses.
#[derive(Default)]
pub struct Stores(BTreeMap<String, String>);

impl Stores {
    /// Takes the value of an option.
    pub fn add(&mut self, text: &str) -> Result<(), Failure> {
        let pair = text.split_once('=').filter(|(bucket, address)| !bucket.is_empty() && !address.is_empty());
        let Some((bucket, address)) = pair else {
            return Err(Failure::new(format!("`--store {text}` has no address: write `--store BUCKET=ADDRESS`")));
        };
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
        has_distributed_maps: bool,
        features: &mut Vec<&'static str>,
        passed: &mut Vec<OsString>,
    ) -> Result<(), Failure> {
        if !has_distributed_maps {
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
        for (bucket, address) in all {
            features.push(feature(&bucket, &address)?);
            passed.extend(["--store".into(), format!("{bucket}={address}").into()]);
        }
        Ok(())
    }
}

/// Returns the feature of the runner for an address.
fn feature(bucket: &str, address: &str) -> Result<&'static str, Failure> {
    let (scheme, name) = address.split_once(':').unwrap_or_default();
    let is_name = name.strip_prefix("//").is_some_and(|name| !name.is_empty() && !name.contains('/'));
    match scheme {
        "folder" if !name.is_empty() => Ok("stores"),
        "s3" if is_name => Ok("s3"),
        "gs" if is_name => Ok("gcs"),
        "az" if is_name => Ok("azure"),
        _ => {
            let message = format!("the bucket `{bucket}` has no valid address: `{address}`");
            Err(Failure::with_help(message, "write `folder:PATH`, `s3://BUCKET`, `gs://BUCKET` or `az://CONTAINER`"))
        }
    }
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
            ("d=x", Some("the bucket `d` has no valid address: `x`")),
            ("d=folder:", Some("the bucket `d` has no valid address: `folder:`")),
            ("d=s3:real", Some("the bucket `d` has no valid address: `s3:real`")),
            ("d=gs://", Some("the bucket `d` has no valid address: `gs://`")),
            ("d=az://real/x", Some("the bucket `d` has no valid address: `az://real/x`")),
        ] {
            assert_eq!(message(stores.add(text)).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn only_a_program_with_distributed_maps_gets_stores() {
        let of_file = || BTreeMap::from([("a", "folder:x"), ("b", "s3://real")].map(|(a, b)| (a.into(), b.into())));
        let pass = |options: &[&str], has_maps: bool, of_file: BTreeMap<String, String>| {
            let (mut stores, mut features, mut passed) = (Stores::default(), Vec::new(), Vec::new());
            options.iter().for_each(|option| assert_eq!(message(stores.add(option)), None));
            let problem = message(stores.pass_on(of_file, has_maps, &mut features, &mut passed));
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
        let wrong = BTreeMap::from([("a".to_owned(), "x".to_owned())]);
        assert_eq!(pass(&[], true, wrong), refused("the bucket `a` has no valid address: `x`"));
    }
}
