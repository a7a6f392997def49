//! Connections to a server over TLS: through a proxy with a self-signed certificate.

use std::sync::Arc;

use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::rustls::crypto::ring;
use tokio_rustls::rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use workflow_restate::{Client, ClientError, Endpoint, Service};
use workflow_runtime::value;

use crate::server::server;
use crate::shop::Shop;
use crate::tasks::Desk;

/// Proxy to an address, and its certificate.
async fn proxy(to: &str) -> (String, String) {
    let signed = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signed.signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = config.with_single_cert(vec![signed.cert.der().clone()], key).unwrap();
    let (acceptor, to) = (TlsAcceptor::from(Arc::new(config)), to.trim_start_matches("http://").to_owned());
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("https://localhost:{}", listener.local_addr().unwrap().port());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, to) = (acceptor.clone(), to.clone());
            tokio::spawn(async move {
                let Ok(mut stream) = acceptor.accept(stream).await else { return };
                let mut server = TcpStream::connect(to).await.unwrap();
                let _closed = tokio::io::copy_bidirectional(&mut stream, &mut server).await;
            });
        }
    });
    (address, signed.cert.pem())
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_is_reached_over_tls() {
    let Some(restate) = server() else { return };
    let ((ingress, first), (admin, second)) = (proxy(&restate.ingress).await, proxy(&restate.admin).await);
    let trusting = Client::new(&ingress, &admin).certificates(&format!("{first}{second}")).unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let service = Service::of::<Shop>(Desk::default()).version("tls");
    tokio::spawn(Endpoint::new().service(service).serve(listener));
    assert_eq!(trusting.register(&address).await.unwrap(), ["shop-tls"]);
    let shop = trusting.service("shop-tls");
    shop.start("one", value!({ "card": "good" })).await.unwrap();
    assert!(shop.attach("one").await.unwrap().is_ok());

    // Certificates that nobody vouches for, and those that somebody else does.
    let strangers = [Client::new(&ingress, &admin), Client::new(&ingress, &admin).certificates(&second).unwrap()];
    for stranger in strangers {
        let refused = stranger.service("shop-tls").status("one").await.unwrap_err();
        assert!(
            matches!(&refused, ClientError::Unreachable { problem, .. } if problem.contains("certificate")),
            "{refused}"
        );
    }
    assert!(matches!(Client::new("", "").certificates("none"), Err(ClientError::Certificates(_))));
}
