//! Requests signed by Restate.

use std::pin::Pin;
use std::task::{Context, Poll};

use hyper::body::{Body, Bytes, Frame};
use hyper_util::rt::{TokioExecutor, TokioIo};
use tokio::net::{TcpListener, TcpStream};
use workflow_restate::{Client, ClientError, Endpoint};
use workflow_runtime::value;

use crate::server::{key_pair, keys, server};
use crate::shop::Shop;
use crate::tasks::Desk;

struct Empty;

impl Body for Empty {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        Poll::Ready(None)
    }
}

/// Serves with these keys, and returns the address.
async fn serve(keys: &[&str]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let endpoint = Endpoint::new().workflow::<Shop>(Desk::default());
    let endpoint = keys.iter().fold(endpoint, |endpoint, key| endpoint.identity_key(key).unwrap());
    tokio::spawn(endpoint.serve(listener));
    address
}

#[tokio::test(flavor = "multi_thread")]
async fn only_what_is_signed_is_answered() {
    let Some(restate) = server() else { return };
    let client = Client::new(&restate.ingress, &restate.admin);
    let (_, other_key) = key_pair();

    let stranger = serve(&[&other_key]).await;
    let refused = client.register(&format!("http://{stranger}")).await.unwrap_err();
    assert!(matches!(&refused, ClientError::Refused { message, .. } if message.contains("401")), "{refused:?}");

    let address = serve(&[&other_key, &keys().1]).await;
    client.replace(&format!("http://{address}")).await.unwrap();
    let shop = client.workflow::<Shop>();
    shop.start("signed", value!({ "card": "good" })).await.unwrap();
    assert!(shop.attach("signed").await.unwrap().is_ok());

    for (method, path) in [("GET", "/discover".to_owned()), ("POST", format!("/invoke/{}/run", shop.name()))] {
        assert_eq!(ask(&address, method, &path).await, 401, "{path}");
    }
    assert!(Endpoint::new().identity_key("publickeyv1_short").is_err());
}

/// Returns the status of an unsigned request.
async fn ask(address: &str, method: &str, path: &str) -> u16 {
    let stream = TokioIo::new(TcpStream::connect(address).await.unwrap());
    let (mut sender, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), stream).await.unwrap();
    tokio::spawn(connection);
    let request = hyper::Request::builder().method(method).uri(format!("http://{address}{path}")).body(Empty).unwrap();
    sender.send_request(request).await.unwrap().status().as_u16()
}
