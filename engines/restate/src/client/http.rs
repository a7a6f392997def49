//! Requests over HTTP/1.1, without TLS: each has a connection of its own.

use std::future::poll_fn;
use std::pin::Pin;

use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;

use super::ClientError;

/// The body of a request.
struct Whole(Option<Bytes>);

impl Body for Whole {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        std::task::Poll::Ready(self.0.take().map(|bytes| Ok(Frame::data(bytes))))
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        hyper::body::SizeHint::with_exact(self.0.as_ref().map_or(0, |bytes| bytes.len() as u64))
    }
}

/// Sends a request, and reads all of the response.
pub async fn send(method: Method, url: &str, json: Option<String>) -> Result<(StatusCode, Vec<u8>), ClientError> {
    let unreachable =
        |error: &dyn std::fmt::Display| ClientError::Unreachable { url: url.to_owned(), problem: error.to_string() };
    let uri: Uri = url.parse().map_err(|error| unreachable(&error))?;
    let (Some("http"), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
        return Err(unreachable(&"an address is `http://host:port`; TLS is not supported"));
    };
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((host, authority.port_u16().unwrap_or(80))).await;
    let stream = stream.map_err(|error| unreachable(&error))?;
    let (mut sender, connection) =
        hyper::client::conn::http1::handshake(TokioIo::new(stream)).await.map_err(|error| unreachable(&error))?;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let mut request = Request::builder().method(method).uri(path).header(HOST, authority.as_str());
    if json.is_some() {
        request = request.header(CONTENT_TYPE, "application/json");
    }
    let request = request.body(Whole(json.map(Bytes::from))).map_err(|error| unreachable(&error))?;
    let exchange = async {
        let response = sender.send_request(request).await?;
        let status = response.status();
        Ok::<_, hyper::Error>((status, read(response.into_body()).await?))
    };
    // The connection makes progress only while it is polled, and ends after the response.
    let connection = async {
        let _closed = connection.await;
        std::future::pending::<()>().await;
    };
    match futures_util::future::select(std::pin::pin!(exchange), std::pin::pin!(connection)).await {
        futures_util::future::Either::Left((answer, _)) => answer.map_err(|error| unreachable(&error)),
        futures_util::future::Either::Right(_) => Err(unreachable(&"the connection was closed")),
    }
}

async fn read(mut body: Incoming) -> Result<Vec<u8>, hyper::Error> {
    let mut bytes = Vec::new();
    while let Some(frame) = poll_fn(|cx| Pin::new(&mut body).poll_frame(cx)).await {
        if let Ok(data) = frame?.into_data() {
            bytes.extend_from_slice(&data);
        }
    }
    Ok(bytes)
}

/// A text as a part of a path.
pub fn escape(text: &str) -> String {
    text.bytes().fold(String::with_capacity(text.len()), |mut path, byte| {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => path.push(byte.into()),
            _ => path.push_str(&format!("%{byte:02X}")),
        }
        path
    })
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_key_stays_in_its_part_of_the_path() {
        assert_eq!(super::escape("order-7_a.b~"), "order-7_a.b~");
        assert_eq!(super::escape("a/b?c é"), "a%2Fb%3Fc%20%C3%A9");
    }
}
