//! Connector of gRPC clients that reaches no metadata addresses.

use std::io;
use std::net::SocketAddr;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use hyper_util::client::legacy::connect::HttpConnector;
use hyper_util::client::legacy::connect::dns::Name;
use tower_service::Service;

use super::look_up;

/// Resolver of gRPC clients.
#[derive(Debug, Clone)]
pub(crate) struct GuardedNames;

/// Returns a connector that reaches no metadata addresses.
pub(crate) fn connector(connect: Duration, keep_alive: Duration) -> HttpConnector<GuardedNames> {
    let mut connector = HttpConnector::new_with_resolver(GuardedNames);
    // TLS is layered on top.
    connector.enforce_http(false);
    connector.set_nodelay(true);
    connector.set_connect_timeout(Some(connect));
    connector.set_keepalive(Some(keep_alive));
    connector
}

impl Service<Name> for GuardedNames {
    type Response = std::vec::IntoIter<SocketAddr>;
    type Error = io::Error;
    type Future = Pin<Box<dyn Future<Output = io::Result<Self::Response>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, name: Name) -> Self::Future {
        Box::pin(async move { Ok(look_up(name.as_str()).await?.into_iter()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_name_with_a_link_local_address_is_refused() {
        let problem = GuardedNames.call("169.254.169.254".parse().unwrap()).await.unwrap_err().to_string();
        assert_eq!(problem, "`169.254.169.254` is a link-local or metadata address");
    }
}
