//! Server with a self-signed certificate.

use crate::charge;
use rustls::crypto::ring;
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;
use workflow_connectors::Rpc;
use workflow_connectors::rpc::RpcService;
use workflow_runtime::value;

/// Starts a server that is silent on each connection with a successful handshake.
fn start() -> (SocketAddr, std::sync::mpsc::Receiver<Vec<u8>>) {
    let signed = rcgen::generate_simple_self_signed(["other.example".to_owned()]).unwrap();
    let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signed.signing_key.serialize_der()));
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()));
    let config = config.with_safe_default_protocol_versions().unwrap().with_no_client_auth();
    let mut config = config.with_single_cert(vec![signed.cert.der().clone()], key).unwrap();
    config.alpn_protocols = vec![b"h2".to_vec()];
    let config = Arc::new(config);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let (send, received) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let connection = ServerConnection::new(Arc::clone(&config)).unwrap();
            let mut stream = StreamOwned::new(connection, stream.unwrap());
            let mut start = [0; 14];
            if stream.read_exact(&mut start).is_ok() {
                drop(send.send(start.to_vec()));
                stream.conn.send_close_notify();
                drop(stream.flush());
            }
        }
    });
    (address, received)
}

fn service(address: SocketAddr) -> RpcService {
    RpcService::at(address.to_string()).bearer("hidden")
}

#[tokio::test]
async fn it_is_not_trusted() {
    let (address, _received) = start();
    match Rpc::builder().others(service(address)).build() {
        Ok(rpc) => {
            let fault = charge(&rpc, value!({})).await.unwrap_err();
            assert_eq!(fault.error(), Some("Grpc.Unreachable"));
            assert!(fault.to_string().contains("certificate") && !fault.to_string().contains("hidden"), "{fault}");
        }
        // A system without certificates trusts nobody.
        Err(error) => assert!(error.to_string().contains("certificates"), "{error}"),
    }
}

#[tokio::test]
async fn it_is_trusted_where_that_is_asked_for() {
    let (address, received) = start();
    let rpc = Rpc::builder().others(service(address).ignore_certs(true)).timeout(Duration::from_secs(20));
    let fault = charge(&rpc.build().unwrap(), value!({})).await.unwrap_err();
    assert_eq!(fault.error(), Some("Grpc.Disconnected"), "{fault}");
    // The client speaks HTTP/2 there.
    assert_eq!(received.recv().unwrap(), b"PRI * HTTP/2.0");
}
