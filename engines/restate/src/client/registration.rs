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

/// Longest time until the ingress has the registered services.
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
        self.deploy(address, false, INGRESS_PATIENCE).await
    }

    /// Registers the services at an address, and replaces an existing registration. Executions of
    /// services that are no longer served there cannot continue.
    pub async fn replace(&self, address: &str) -> Result<Vec<String>, ClientError> {
        self.deploy(address, true, INGRESS_PATIENCE).await
    }

    async fn deploy(&self, address: &str, force: bool, patience: Duration) -> Result<Vec<String>, ClientError> {
        let body = value!({ "uri": address, "force": force });
        let url = format!("{}/deployments", self.admin);
        let answer = successful(http::send(self, Method::POST, &url, Some(body.to_string())).await?)?;
        let services =
            answer.get("services").and_then(Value::as_array).into_iter().flat_map(|services| services.iter());
        let names = services.filter_map(|service| service.get("name").and_then(Value::as_str));
        let names: Vec<String> = names.map(str::to_owned).collect();
        self.wait_for_ingress(&names, patience).await?;
        Ok(names)
    }

    /// Waits until the ingress has these services: it receives a registration after the admin
    /// interface, and later on a busy server. Does not wait for one that cannot be reached or does
    /// not answer.
    async fn wait_for_ingress(&self, services: &[String], patience: Duration) -> Result<(), ClientError> {
        let begun = Instant::now();
        for name in services.iter().filter(|name| events::service_of(name).is_none()) {
            let executions = self.service(name);
            let mut is_missing = false;
            loop {
                // No service has this handler. A request for an outcome does not show whether the
                // ingress has the service.
                let url = executions.handler("any", "-");
                let answer = http::send(self, Method::GET, &url, None);
                let answer = tokio::time::timeout(patience.saturating_sub(begun.elapsed()), answer).await;
                match answer.map(|answer| answer.and_then(successful)) {
                    Ok(Err(ClientError::Refused { status: 404, message })) if message.contains(UNREGISTERED) => {
                        is_missing = true;
                    }
                    Err(_) if is_missing => return Err(ClientError::NotAtIngress(name.clone())),
                    Err(_) | Ok(Err(ClientError::Unreachable { .. })) => return Ok(()),
                    Ok(_) => break,
                }
                tokio::time::sleep(INGRESS_PAUSE).await;
            }
        }
        Ok(())
    }

    /// Registers these services as [`Client::register`] does. Retries while the admin interface
    /// cannot be reached.
    pub(crate) async fn register_when_reachable(&self, address: &str, served: &[String]) -> Result<(), ClientError> {
        let registered = loop {
            match self.register(address).await {
                Err(ClientError::Unreachable { .. }) => tokio::time::sleep(PAUSE).await,
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
    /// its ingress, which does not have them before the request of this number. Without a number,
    /// the ingress does not answer.
    async fn slow_server(before: Option<u32>) -> (String, Arc<AtomicU32>) {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let asked = Arc::new(AtomicU32::new(0));
        let counter = asked.clone();
        tokio::spawn(async move {
            let mut unanswered = Vec::new();
            while let Ok((mut stream, _)) = listener.accept().await {
                let (mut request, mut part) = (Vec::new(), [0; 1024]);
                let answer = loop {
                    let read = stream.read(&mut part).await.unwrap();
                    request.extend_from_slice(&part[..read]);
                    let text = String::from_utf8_lossy(&request);
                    if text.starts_with("POST /deployments") && text.ends_with('}') {
                        break Some(("201 Created", r#"{"services":[{"name":"shop"},{"name":"shop.events"}]}"#));
                    }
                    if text.starts_with("GET /shop/any/- ") && text.ends_with("\r\n\r\n") {
                        let number = counter.fetch_add(1, Ordering::Relaxed);
                        break before.map(|before| match number < before {
                            true => ("404 Not Found", r#"{"message":"not found, make sure to register the service"}"#),
                            false => ("404 Not Found", r#"{"message":"the service exists, but the handler does not"}"#),
                        });
                    }
                    assert!(read > 0, "{text}");
                };
                let Some((status, body)) = answer else {
                    unanswered.push(stream);
                    continue;
                };
                let head = format!("HTTP/1.1 {status}\r\ncontent-length: {}\r\nconnection: close\r\n\r\n", body.len());
                stream.write_all(format!("{head}{body}").as_bytes()).await.unwrap();
            }
        });
        (address, asked)
    }

    /// Address of the program.
    const PROGRAM: &str = "http://127.0.0.1:1";

    #[tokio::test]
    async fn a_registration_waits_until_the_ingress_has_the_services() {
        let (address, asked) = slow_server(Some(2)).await;
        let names = ["shop", "shop.events"].map(str::to_owned);
        let registered = Client::new(&address, &address).register(PROGRAM).await;
        assert_eq!((registered, asked.load(Ordering::Relaxed)), (Ok(names.to_vec()), 3));
        // The server may be behind an ingress that this program cannot reach.
        let registered = Client::new("http://127.0.0.1:1", &address).register(PROGRAM).await;
        assert_eq!(registered, Ok(names.to_vec()));
    }

    #[tokio::test]
    async fn a_registration_does_not_wait_forever_for_the_ingress() {
        let names = ["shop", "shop.events"].map(str::to_owned);
        for (before, expected) in
            [(Some(u32::MAX), Err(ClientError::NotAtIngress("shop".to_owned()))), (None, Ok(names.to_vec()))]
        {
            let (address, asked) = slow_server(before).await;
            let registered = Client::new(&address, &address).deploy(PROGRAM, false, Duration::from_millis(500)).await;
            assert_eq!(registered, expected);
            assert!(asked.load(Ordering::Relaxed) > 0);
        }
    }

    #[tokio::test]
    async fn a_service_is_registered_again_only_while_the_admin_interface_cannot_be_reached() {
        let (address, _) = slow_server(Some(0)).await;
        let served = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        let client = Client::new(&address, &address);
        assert_eq!(client.register_when_reachable(PROGRAM, &served(&["shop"])).await, Ok(()));
        let refused = client.register_when_reachable(PROGRAM, &served(&["shop", "other"])).await;
        assert!(matches!(refused, Err(ClientError::Refused { status: 409, .. })), "{refused:?}");
        let unreachable = Client::new(&address, "http://127.0.0.1:1");
        let shop = served(&["shop"]);
        let registered = unreachable.register_when_reachable(PROGRAM, &shop);
        assert!(tokio::time::timeout(PAUSE * 3, registered).await.is_err());
    }
}
