//! Resolver of HTTP clients that drops metadata addresses.

use reqwest::dns::{Addrs, Name, Resolve, Resolving};

/// Resolver of HTTP clients.
pub(crate) struct GuardedResolver;

impl Resolve for GuardedResolver {
    fn resolve(&self, name: Name) -> Resolving {
        Box::pin(async move {
            let addresses: Addrs = Box::new(super::look_up(name.as_str()).await?.into_iter());
            Ok(addresses)
        })
    }
}
