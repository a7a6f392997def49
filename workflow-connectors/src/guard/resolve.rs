//! Names, as clients of HTTP look them up.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Looks names up for a client of HTTP.
pub(crate) struct Guard;

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let addresses: Addrs = Box::new(super::look_up(name.as_str()).await?.into_iter());
            Ok(addresses)
        })
    }
}
