//! The connections of a server: their limits, and the choice of a connection to close for a new
//! one.
//!
//! A connection that sends nothing costs a slot. A new connection therefore never waits long for
//! a slot: the server closes the longest-silent connection of the same peer, or of all peers when
//! every slot is taken. Only a connection on which the server waits for its peer is ever closed:
//! for a request, for the rest of one, or for the peer to read an answer. A request that is being
//! answered has its slot until the answer is written.

use std::io;
use std::net::{IpAddr, Ipv6Addr};
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use hyper::body::{Body, Bytes, Frame, Incoming, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;

/// The most connections that are served at once.
pub const CONNECTIONS: usize = 512;
/// The most connections of one peer. A proxy is one peer, and so are all programs on this machine.
pub const OF_ONE_PEER: usize = 448;
/// The time that a peer may be silent in the middle of a request, even if other connections wait
/// for its slot.
const PAUSE: Duration = Duration::from_millis(100);
/// The time that a new connection waits for a slot if requests are being answered on all other
/// connections.
const PATIENCE: Duration = Duration::from_secs(1);

/// The other end of a connection: an IPv4 address, or a /64 network of IPv6, because one machine
/// can have all addresses of a /64 network.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Peer(IpAddr);

impl From<IpAddr> for Peer {
    fn from(address: IpAddr) -> Peer {
        Peer(match address.to_canonical() {
            IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
            address => address,
        })
    }
}

/// The slots for connections.
#[derive(Default)]
pub struct Connections {
    taken: Mutex<Vec<Arc<ConnectionSlot>>>,
    /// The notification that a slot has become free.
    freed: Notify,
}

impl Connections {
    /// Returns a slot for a connection of the peer. If need be, another connection is closed for
    /// it. Returns `None` if requests were being answered for a second on all connections that
    /// could be closed.
    pub async fn take(self: &Arc<Connections>, peer: Peer) -> Option<Taken> {
        let come = Instant::now();
        loop {
            let mut freed = pin!(self.freed.notified());
            freed.as_mut().enable();
            let waited = come.elapsed();
            // After this pause the longest-silent connection is closed, however short its silence
            // was: some peers send a byte now and then.
            let pause = if waited < PAUSE { PAUSE } else { Duration::ZERO };
            if let Some(slot) = self.try_take(peer, pause) {
                return Some(Taken { slot, connections: self.clone() });
            }
            if waited >= PATIENCE {
                return None;
            }
            let _or_again = tokio::time::timeout(PAUSE / 4, freed).await;
        }
    }

    fn try_take(&self, peer: Peer, pause: Duration) -> Option<Arc<ConnectionSlot>> {
        let mut taken = self.taken();
        let has_its_share = taken.iter().filter(|slot| slot.peer == peer).count() >= OF_ONE_PEER;
        if has_its_share || taken.len() >= CONNECTIONS {
            let could_go = taken.iter().filter(|slot| !has_its_share || slot.peer == peer);
            let silent = could_go.filter_map(|slot| Some((slot.silent_since(pause)?, slot)));
            let longest = silent.min_by_key(|(since, _)| *since)?.1.clone();
            // A request may have come in meanwhile. Then the next pass finds another connection.
            if !longest.close() {
                return None;
            }
            taken.retain(|slot| !Arc::ptr_eq(slot, &longest));
        }
        let slot = Arc::new(ConnectionSlot {
            peer,
            state: Mutex::new(State {
                awaits: None,
                since: Instant::now(),
                unread: true,
                answered: false,
                closed: false,
            }),
            close: Notify::new(),
        });
        taken.push(slot.clone());
        Some(slot)
    }

    /// Closes the longest-silent connection of all, because the process can open no more files.
    pub fn close_longest_silent(&self) {
        let taken = self.taken();
        let silent = taken.iter().filter_map(|slot| Some((slot.silent_since(PAUSE)?, slot)));
        if let Some((_, longest)) = silent.min_by_key(|(since, _)| *since) {
            longest.close();
        }
    }

    /// Waits until no slot is taken.
    pub async fn all_freed(&self) {
        loop {
            let mut freed = pin!(self.freed.notified());
            freed.as_mut().enable();
            if self.taken().is_empty() {
                return;
            }
            freed.await;
        }
    }

    fn taken(&self) -> MutexGuard<'_, Vec<Arc<ConnectionSlot>>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A slot that is taken. Dropping the value frees the slot.
pub struct Taken {
    slot: Arc<ConnectionSlot>,
    connections: Arc<Connections>,
}

impl Taken {
    pub fn slot(&self) -> &Arc<ConnectionSlot> {
        &self.slot
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        self.connections.taken().retain(|slot| !Arc::ptr_eq(slot, &self.slot));
        self.connections.freed.notify_waiters();
    }
}

/// The slot of a connection.
pub struct ConnectionSlot {
    peer: Peer,
    state: Mutex<State>,
    /// The notification that the connection is to be closed.
    close: Notify,
}

struct State {
    /// The reason to wait for the peer; `None` while the server does something itself.
    awaits: Option<Awaits>,
    /// The time of the last bytes from the peer, or the time at which the server began to wait for
    /// it.
    since: Instant,
    /// `true` until bytes of the connection were read: a whole request may have arrived.
    unread: bool,
    /// `true` while an answer is there and not yet written.
    answered: bool,
    /// `true` if another connection has the slot now.
    closed: bool,
}

impl State {
    fn set(&mut self, awaits: Option<Awaits>) {
        if self.awaits != awaits {
            (self.awaits, self.since) = (awaits, Instant::now());
        }
    }
}

/// The reasons of the server to wait for the other end of a connection.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaits {
    /// The server waits for the next request. No byte of it has arrived, so a client can send it
    /// on another connection.
    Next,
    /// The server waits for the first request, for the rest of a request, or for the peer to read
    /// an answer.
    Rest,
}

impl ConnectionSlot {
    /// Waits until the connection is to be closed.
    pub async fn closed(&self) {
        self.close.notified().await;
    }

    /// Records that a request has come in, which is being answered from now on. Returns `false` if
    /// the connection is to be closed, and the request not to be answered.
    pub fn begin(&self) -> bool {
        self.set(None)
    }

    /// Records that the answer to the request is there. It is written next.
    pub fn answered(&self) {
        self.state().answered = true;
    }

    /// Returns the time since which the server has waited for the peer. Returns `None` if it does
    /// not wait, or if the peer is in the middle of a request and has been silent for less than
    /// `pause`.
    fn silent_since(&self, pause: Duration) -> Option<Instant> {
        let state = self.state();
        let may_go = match state.awaits? {
            Awaits::Next => true,
            Awaits::Rest => state.since.elapsed() >= pause,
        };
        may_go.then_some(state.since)
    }

    /// Closes the connection, unless a request is being answered. Returns `true` if it is closed.
    fn close(&self) -> bool {
        let mut state = self.state();
        state.closed = state.awaits.is_some();
        if state.closed {
            self.close.notify_one();
        }
        state.closed
    }

    /// Records the reason to wait for the peer. Returns `false` if the connection is to be closed.
    fn set(&self, awaits: Option<Awaits>) -> bool {
        let mut state = self.state();
        state.set(awaits);
        !state.closed
    }

    /// Records that the server has read all bytes that have arrived, and waits for more.
    fn read_all(&self) {
        let mut state = self.state();
        if std::mem::take(&mut state.unread) {
            state.set(Some(Awaits::Rest));
        }
    }

    /// Records that the peer has sent something.
    fn heard(&self) {
        let mut state = self.state();
        state.since = Instant::now();
        if std::mem::take(&mut state.unread) {
            state.set(Some(Awaits::Rest));
        }
        if state.awaits == Some(Awaits::Next) {
            state.awaits = Some(Awaits::Rest);
        }
    }

    /// Records that the peer has read bytes, or that it does not read and the buffer is full.
    fn wrote(&self, something: bool) {
        let mut state = self.state();
        if something {
            state.since = Instant::now();
        }
        // Before the answer, only `100 Continue` is written.
        if state.answered {
            state.set((!something).then_some(Awaits::Rest));
        }
    }

    /// Records that all output has been written.
    fn flushed(&self) {
        let mut state = self.state();
        if std::mem::take(&mut state.answered) {
            state.set(Some(Awaits::Next));
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The body of a request. While the server waits for more of it, the connection may be closed.
pub struct Arriving {
    body: Incoming,
    slot: Arc<ConnectionSlot>,
}

impl Arriving {
    pub fn new(body: Incoming, slot: Arc<ConnectionSlot>) -> Arriving {
        Arriving { body, slot }
    }
}

impl Body for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        let awaits = frame.is_pending().then_some(Awaits::Rest);
        // The connection is about to be dropped, and this body with it.
        if !self.slot.set(awaits) { Poll::Pending } else { frame }
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Arriving {
    /// Ends the wait for the body: an abandoned body is no reason to close the connection.
    fn drop(&mut self) {
        self.slot.set(None);
    }
}

/// A stream that records at its slot if the peer is silent.
pub struct Noted<S> {
    stream: S,
    slot: Arc<ConnectionSlot>,
}

impl<S> Noted<S> {
    pub fn new(stream: S, slot: Arc<ConnectionSlot>) -> Noted<S> {
        Noted { stream, slot }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Noted<S> {
    fn poll_read(mut self: Pin<&mut Self>, cx: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let read = Pin::new(&mut self.stream).poll_read(cx, into);
        if into.filled().len() > before {
            self.slot.heard();
        } else if read.is_pending() {
            self.slot.read_all();
        }
        read
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Noted<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.slot.wrote(written.is_ready());
        written
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.stream).poll_flush(cx);
        if flushed.is_ready() {
            self.slot.flushed();
        }
        flushed
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn peer(address: &str) -> Peer {
        address.parse::<IpAddr>().expect("an address").into()
    }

    /// Takes a number of slots for a peer.
    fn fill(connections: &Arc<Connections>, peer: Peer, number: usize) -> Vec<Taken> {
        let take = || {
            let slot = connections.try_take(peer, PAUSE).expect("a place");
            slot.read_all();
            slot
        };
        (0..number).map(|_| Taken { slot: take(), connections: connections.clone() }).collect()
    }

    fn is_closed(taken: &Taken) -> bool {
        taken.slot.state().closed
    }

    #[test]
    fn peers_are_addresses_of_ipv4_and_networks_of_ipv6() {
        assert_eq!(peer("192.0.2.1"), peer("::ffff:192.0.2.1"));
        assert_ne!(peer("192.0.2.1"), peer("192.0.2.2"));
        assert_eq!(peer("2001:db8:0:1::1"), peer("2001:db8:0:1:ffff:ffff:ffff:ffff"));
        assert_ne!(peer("2001:db8:0:1::1"), peer("2001:db8:0:2::1"));
    }

    #[test]
    fn the_longest_silent_connection_of_a_peer_with_its_share_gives_way() {
        let connections = Arc::<Connections>::default();
        let other = fill(&connections, peer("192.0.2.2"), 1);
        let crowd = fill(&connections, peer("192.0.2.1"), OF_ONE_PEER);
        // All connections are new, so they have time to send a request.
        assert!(connections.try_take(peer("192.0.2.1"), PAUSE).is_none());
        // A request is being answered on the first connection, and the second has just received
        // bytes.
        assert!(crowd[0].slot.begin());
        crowd[1].slot.heard();
        let more = fill(&connections, peer("192.0.2.3"), CONNECTIONS - OF_ONE_PEER - 1);
        assert_eq!(connections.taken().len(), CONNECTIONS);
        assert!(connections.try_take(peer("192.0.2.1"), Duration::ZERO).is_some());
        let closed: Vec<usize> = (0..crowd.len()).filter(|number| is_closed(&crowd[*number])).collect();
        assert_eq!((closed, is_closed(&other[0]), more.iter().any(is_closed)), (vec![2], false, false));
        // The peer is below its limit, and all slots are taken: the longest-silent connection of
        // all is the other peer's.
        assert!(connections.try_take(peer("192.0.2.3"), Duration::ZERO).is_some());
        assert!(is_closed(&other[0]));
        assert_eq!(connections.taken().len(), CONNECTIONS);
    }

    #[test]
    fn requests_that_are_answered_keep_their_connections() {
        let connections = Arc::<Connections>::default();
        let crowd = fill(&connections, peer("::1"), OF_ONE_PEER);
        assert!(crowd.iter().all(|taken| taken.slot.begin()));
        assert!(connections.try_take(peer("::1"), Duration::ZERO).is_none());
        let one = &crowd[7].slot;
        // `100 Continue` is written, which is not the answer.
        assert!(one.set(Some(Awaits::Rest)));
        one.wrote(true);
        one.flushed();
        assert!(one.silent_since(Duration::ZERO).is_some() && one.silent_since(PAUSE).is_none());
        assert!(one.set(None));
        one.answered();
        one.wrote(true);
        assert!(one.silent_since(Duration::ZERO).is_none());
        // The peer stops reading.
        one.wrote(false);
        assert!(one.silent_since(Duration::ZERO).is_some() && one.silent_since(PAUSE).is_none());
        one.wrote(true);
        one.flushed();
        // Between two requests, a connection can be closed without loss.
        assert!(one.silent_since(PAUSE).is_some());
        assert!(connections.try_take(peer("::1"), PAUSE).is_some() && is_closed(&crowd[7]));
        assert!(!one.begin());
    }

    #[test]
    fn a_connection_waits_for_a_place_and_no_longer_than_a_moment() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime");
        runtime.block_on(async {
            let connections = Arc::<Connections>::default();
            let mut crowd = fill(&connections, peer("::1"), OF_ONE_PEER);
            assert!(crowd.iter().all(|taken| taken.slot.begin()));
            let started = Instant::now();
            assert!(connections.take(peer("::1")).await.is_none());
            assert!(started.elapsed() >= PATIENCE && started.elapsed() < 2 * PATIENCE, "{:?}", started.elapsed());
            let freed = async {
                tokio::time::sleep(PAUSE / 2).await;
                crowd.pop();
            };
            assert!(tokio::join!(connections.take(peer("::1")), freed).0.is_some());
            drop(crowd);
            connections.all_freed().await;
        });
    }
}
