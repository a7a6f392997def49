//! Write time-outs: a connection whose peer does not read its answers is ended, so that it does
//! not keep the slot of another connection.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Sleep;

/// A connection with a limit on the time that a write may wait.
pub struct WriteTimeout {
    stream: TcpStream,
    patience: Duration,
    /// The time-out of the write that waits.
    until: Option<Pin<Box<Sleep>>>,
}

impl WriteTimeout {
    /// Wraps a connection. Every write must make progress within `patience`.
    pub fn new(stream: TcpStream, patience: Duration) -> WriteTimeout {
        WriteTimeout { stream, patience, until: None }
    }

    /// Returns the result of a write, or the error `TimedOut` if it waits for too long.
    fn judge<T>(&mut self, written: Poll<io::Result<T>>, cx: &mut Context<'_>) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.until = None;
            return written;
        }
        let patience = self.patience;
        let until = self.until.get_or_insert_with(|| Box::pin(tokio::time::sleep(patience)));
        until.as_mut().poll(cx).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for WriteTimeout {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl AsyncWrite for WriteTimeout {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.judge(written, cx)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        self.judge(flushed, cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let ended = Pin::new(&mut self.stream).poll_shutdown(cx);
        self.judge(ended, cx)
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWrite;
    use tokio::net::TcpListener;

    use super::*;

    #[test]
    fn a_connection_that_is_not_read_is_ended() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
            let address = listener.local_addr().expect("an address");
            let (_silent, accepted) = tokio::join!(TcpStream::connect(address), listener.accept());
            let mut stream = WriteTimeout::new(accepted.expect("a connection").0, Duration::from_millis(200));
            let bytes = vec![0; 1 << 20];
            let error = loop {
                let written = std::future::poll_fn(|cx| Pin::new(&mut stream).poll_write(cx, &bytes)).await;
                if let Err(error) = written {
                    break error;
                }
            };
            assert_eq!(error.kind(), io::ErrorKind::TimedOut);
        });
    }
}
