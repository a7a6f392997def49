//! Registration of the services at an address.

use std::time::{Duration, Instant};

use hyper::{Method, StatusCode};
use workflow_runtime::{Value, value};

use super::{Client, ClientError, http, successful};
use crate::events;

/// Delay before the admin interface is tried again.
const PAUSE: Duration = Duration::from_millis(250);

/// Delay before the ingress is asked again whether it has a service.
const INGRESS_PAUSE: Duration = Duration::from_millis(25);

/// Longest time until the ingress has a registered service.
const INGRESS_PATIENCE: Duration = Duration::from_secs(60);

/// Part of the ingress's answer to a request for a service that it does not have.
const UNREGISTERED: &str = "make sure to register";

impl Client {
    /// Registers the services at an address, and waits until the ingress has them if it can be
    /// reached. Returns the names of the services that are registered there now. An existing
    /// registration of the address stays, even if other services are served there since; then the
    /// names are the old ones.
    ///
    /// # Errors
    /// [`ClientError::NotAtIngress`] if the ingress does not have a service after a minute.
    pub async fn register(&self, address: &str) -> Result<Vec<String>, ClientError> {
        self.deploy(address, false).await
    }

    /// Registers the services at an address, and replaces an existing registration. Executions of
    /// services that are no longer served there cannot continue.
    pub async fn replace(&self, address: &str) -> Result<Vec<String>, ClientError> {
        self.deploy(address, true).await
    }

    async fn deploy(&self, address: &str, force: bool) -> Result<Vec<String>, ClientError> {
        let body = value!({ "uri": address, "force": force });
        let url = format!("{}/deployments", self.admin);
        let answer = successful(http::send(self, Method::POST, &url, Some(body.to_string())).await?)?;
        let services =
            answer.get("services").and_then(Value::as_array).into_iter().flat_map(|services| services.iter());
        let names = services.filter_map(|service| service.get("name").and_then(Value::as_str));
        let names: Vec<String> = names.map(str::to_owned).collect();
        self.wait_for_ingress(&names).await?;
        Ok(names)
    }

    /// Waits until the ingress has these services: it receives a registration after the admin
    /// interface, and later on a busy server.
    async fn wait_for_ingress(&self, services: &[String]) -> Result<(), ClientError> {
        let begun = Instant::now();
        for name in services.iter().filter(|name| events::service_of(name).is_none()) {
            let executions = self.service(name);
            loop {
                // No service has this handler. A request for an outcome does not show whether the
                // ingress has the service.
                let answer = http::send(self, Method::GET, &executions.handler("any", "-"), None).await;
                match answer.and_then(successful) {
                    Err(ClientError::Refused { status: 404, message }) if message.contains(UNREGISTERED) => {}
                    _ => break,
                }
                if begun.elapsed() > INGRESS_PATIENCE {
                    return Err(ClientError::NotAtIngress(name.clone()));
                }
                tokio::time::sleep(INGRESS_PAUSE).await;
            }
        }
        Ok(())
    }

    /// Registers these services as [`Client::register`] does. Retries while the admin interface
    /// cannot be reached, or the ingress does not have the services.
    pub(crate) async fn register_when_reachable(&self, address: &str, served: &[String]) -> Result<(), ClientError> {
        let registered = loop {
            match self.register(address).await {
                Err(ClientError::Unreachable { .. } | ClientError::NotAtIngress(_)) => tokio::time::sleep(PAUSE).await,
                other => break other?,
            }
        };
        match served.iter().all(|name| registered.contains(name)) {
            true => Ok(()),
            false => Err(ClientError::Refused {
                status: StatusCode::CONFLICT.as_u16(),
                message: format!("another deployment is registered at {address}: {}", registered.join(", ")),
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};

    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::net::TcpListener;

    use super::*;

    /// Returns the address of a server that registers two services, and the number of requests to
    /// its ingress, which does not have them before the third one.
    async fn slow_server() -> (String, Arc<AtomicU32>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicU32::new(0));
        let counter = asked.clone();
        tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let (mut request, mut part) = (Vec::new(), [0; 1024]);
                let answer = loop {
                    let read = stream.read(&mut part).await.unwrap();
                    request.extend_from_slice(&part[..read]);
                    let text = String::from_utf8_lossy(&request);
                    if text.starts_with("POST /deployments") && text.ends_with('}') {
                        break ("201 Created", r#"{"services":[{"name":"shop"},{"name":"shop.events"}]}"#);
                    }
                    if text.starts_with("GET /shop/any/- ") && text.ends_with("\r\n\r\n") {
                        break match counter.fetch_add(1, Ordering::Relaxed) {
                            0 | 1 => ("404 Not Found", r#"{"message":"not found, make sure to register the service"}"#),
                            _ => ("404 Not Found", r#"{"message":"the service exists, but the handler does not"}"#),
                        };
                    }
                    assert!(read > 0, "{text}");
                };
                let (status, body) = answer;
                let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
            }
        });
        (address, asked)
    }

    #[tokio::test]
    async fn a_registration_waits_until_the_ingress_has_the_services() {
        let (address, asked) = slow_server().await;
        let names = ["shop", "shop.events"].map(str::to_owned);
        let registered = Client::new(&address, &address).register("http://127.0.0.1:1").await;
        assert_eq!((registered, asked.load(Ordering::Relaxed)), (Ok(names.to_vec()), 3));
        // The server may be behind an ingress that this program cannot reach.
        let registered = Client::new("http://127.0.0.1:1", &address).register("http://127.0.0.1:1").await;
        assert_eq!(registered, Ok(names.to_vec()));
    }
}
