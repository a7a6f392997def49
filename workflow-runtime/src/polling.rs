//! Polling of futures on the calling thread, without a runtime and without waiting.

use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

/// Runs a future as far as it can proceed by itself: under virtual time, an execution with mocked
/// tasks to its end. Returns `None` if the future waits for something that nothing is about to do.
///
/// ```
/// use workflow_runtime::testing::block_on;
///
/// assert_eq!(block_on(async { 1 + 1 }), Some(2));
/// assert_eq!(block_on(std::future::pending::<()>()), None);
/// ```
pub fn block_on<T>(future: impl Future<Output = T>) -> Option<T> {
    let woken = Arc::new(Woken(AtomicBool::new(true)));
    let waker = Waker::from(woken.clone());
    let mut future = pin!(future);
    while woken.0.swap(false, Ordering::AcqRel) {
        if let Poll::Ready(value) = future.as_mut().poll(&mut Context::from_waker(&waker)) {
            return Some(value);
        }
    }
    None
}

/// Runs a future to its end, and another future alongside it. The other future begins second. From
/// then on it is polled first, so that its actions at a point in time precede those of the first.
#[doc(hidden)]
pub async fn alongside<T>(run: impl Future<Output = T>, other: impl Future<Output = ()>) -> T {
    let (mut run, mut other) = (pin!(run), pin!(other));
    let (mut begun, mut over) = (false, false);
    std::future::poll_fn(move |cx| {
        if begun && !over {
            over = other.as_mut().poll(cx).is_ready();
        }
        let ended = run.as_mut().poll(cx);
        if !std::mem::replace(&mut begun, true) && ended.is_pending() {
            over = other.as_mut().poll(cx).is_ready();
        }
        ended
    })
    .await
}

struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Self>) {
        self.0.store(true, Ordering::Release);
    }
}
