//! Requests over HTTP/1.1, each on a connection of its own.

use std::future::poll_fn;
use std::pin::Pin;

use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{CONTENT_TYPE, HOST};
use hyper::{Method, Request, StatusCode, Uri};
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;

use super::{Client, ClientError};

/// Body of a request.
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

/// Status and body of a response, or the problem.
type Answer = Result<(StatusCode, Vec<u8>), String>;

/// Sends a request, and reads the whole response.
pub async fn send(
    client: &Client,
    method: Method,
    url: &str,
    json: Option<String>,
) -> Result<(StatusCode, Vec<u8>), ClientError> {
    send_with(client, method, url, json, None).await
}

/// Sends a request with a header, whose value is plain text.
pub async fn send_with(
    client: &Client,
    method: Method,
    url: &str,
    json: Option<String>,
    header: Option<(&str, String)>,
) -> Result<(StatusCode, Vec<u8>), ClientError> {
    let unreachable = |problem: String| ClientError::Unreachable { url: url.to_owned(), problem };
    let uri: Uri = url.parse().map_err(|error: hyper::http::uri::InvalidUri| unreachable(error.to_string()))?;
    let port = match uri.scheme_str() {
        Some("http") => 80,
        Some("https") => 443,
        _ => return Err(unreachable("the address must be `http://host:port` or `https://host:port`".to_owned())),
    };
    let Some(authority) = uri.authority() else { return Err(unreachable("the address has no host".to_owned())) };
    let host = authority.host().trim_start_matches('[').trim_end_matches(']');
    let stream = TcpStream::connect((host, authority.port_u16().unwrap_or(port))).await;
    let stream = stream.map_err(|error| unreachable(error.to_string()))?;
    let path = uri.path_and_query().map_or("/", |path| path.as_str());
    let mut request = Request::builder().method(method).uri(path).header(HOST, authority.as_str());
    if json.is_some() {
        request = request.header(CONTENT_TYPE, "application/json");
    }
    if let Some((name, value)) = header {
        request = request.header(name, value);
    }
    let request = request.body(Whole(json.map(Bytes::from))).map_err(|error| unreachable(error.to_string()))?;
    let answer = match uri.scheme_str() {
        Some("https") => over_tls(client, host, stream, request).await,
        _ => exchange(stream, request).await,
    };
    answer.map_err(unreachable)
}

#[cfg(feature = "tls")]
async fn over_tls(client: &Client, host: &str, stream: TcpStream, request: Request<Whole>) -> Answer {
    exchange(client.trust.connect(host, stream).await?, request).await
}

#[cfg(not(feature = "tls"))]
async fn over_tls(_: &Client, _: &str, _: TcpStream, _: Request<Whole>) -> Answer {
    Err("TLS needs the feature `tls` of `workflow-restate`".to_owned())
}

/// Sends a request on a connection.
async fn exchange(stream: impl AsyncRead + AsyncWrite + Unpin + 'static, request: Request<Whole>) -> Answer {
    let shaken = hyper::client::conn::http1::handshake(TokioIo::new(stream)).await;
    let (mut sender, connection) = shaken.map_err(|error| error.to_string())?;
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
        futures_util::future::Either::Left((answer, _)) => answer.map_err(|error| error.to_string()),
        futures_util::future::Either::Right(_) => Err("the connection was closed".to_owned()),
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
