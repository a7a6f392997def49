//! The bodies of answers: a text that is there, or one that comes in parts.

use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use http_body_util::Full;
use hyper::body::{Body, Bytes, Frame, SizeHint};
use tokio::sync::mpsc::Receiver;

use super::connections::ConnectionSlot;

/// The body of an answer.
#[derive(Default)]
pub struct AnswerBody {
    whole: Full<Bytes>,
    /// The parts of a body that goes on for a time.
    parts: Option<Receiver<Bytes>>,
    /// The slot of the connection, until the last part is there.
    slot: Option<Arc<ConnectionSlot>>,
}

impl AnswerBody {
    /// Returns a body that ends when the sender of its parts is dropped.
    pub fn in_parts(parts: Receiver<Bytes>) -> AnswerBody {
        AnswerBody { parts: Some(parts), ..AnswerBody::default() }
    }

    /// Returns the body for this connection. The request counts as answered once the whole body is
    /// there: until then its connection is not closed for another.
    pub fn on(self, slot: &Arc<ConnectionSlot>) -> AnswerBody {
        match self.parts {
            Some(_) => AnswerBody { slot: Some(slot.clone()), ..self },
            None => {
                slot.answered();
                self
            }
        }
    }
}

impl From<String> for AnswerBody {
    fn from(text: String) -> AnswerBody {
        AnswerBody { whole: Full::from(text), ..AnswerBody::default() }
    }
}

impl Body for AnswerBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let Some(parts) = &mut self.parts else { return Pin::new(&mut self.whole).poll_frame(cx) };
        let part = std::task::ready!(parts.poll_recv(cx));
        if part.is_none()
            && let Some(slot) = self.slot.take()
        {
            slot.answered();
        }
        Poll::Ready(part.map(|part| Ok(Frame::data(part))))
    }

    fn is_end_stream(&self) -> bool {
        self.parts.is_none() && self.whole.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        if self.parts.is_some() { SizeHint::default() } else { self.whole.size_hint() }
    }
}
