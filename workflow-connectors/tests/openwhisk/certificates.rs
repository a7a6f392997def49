//! Server with a self-signed certificate.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use workflow_connectors::OpenWhisk;
use workflow_connectors::openwhisk::OpenWhiskBuilder;
use workflow_runtime::value;

/// Starts a server that sends one response on each connection with a successful handshake.
fn start() -> SocketAddr {
    let signed = rcgen::generate_simple_self_signed(["other.example".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signed.signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let config = Arc::new(config.with_single_cert(vec![signed.cert.der().clone()], key).unwrap());
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream.unwrap());
            let mut request = [0; 4096];
            if stream.read(&mut request).is_ok_and(|length| length > 0) {
                let answer = b"HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}";
                stream.write_all(answer).and_then(|()| stream.flush()).unwrap();
                stream.conn.send_close_notify();
                stream.flush().unwrap();
            }
        }
    });
    address
}

fn builder(address: SocketAddr) -> OpenWhiskBuilder {
    OpenWhisk::builder().api_host(address.to_string()).api_key("user:hidden")
}

#[tokio::test]
async fn it_is_not_trusted() {
    match builder(start()).build() {
        Ok(openwhisk) => {
            let fault = openwhisk.call("pay", value!({})).await.unwrap_err();
            assert_eq!(fault.error(), Some("OpenWhisk.Unreachable"));
            assert!(fault.to_string().contains("certificate"), "{fault}");
        }
        // A system without certificates trusts nobody.
        Err(error) => assert!(error.to_string().contains("certificates"), "{error}"),
    }
}

#[tokio::test]
async fn it_is_trusted_where_that_is_asked_for() {
    let openwhisk = builder(start()).ignore_certs(true).build().unwrap();
    assert_eq!(openwhisk.call("pay", value!({})).await, Ok(value!({})));
}
