//! Local gRPC server of a bank, which follows the script of a test.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};

use prost_reflect::bytes::{Buf, BufMut, Bytes};
use prost_reflect::prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, MethodDescriptor};
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tonic::body::Body;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::codegen::{Service, http};
use tonic::metadata::MetadataMap;
use tonic::server::{Grpc, NamedService, UnaryService};
use tonic::transport::Server as Transport;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};
use workflow_connectors::Rpc;
use workflow_connectors::rpc::{RpcBuilder, RpcService as Address};
use workflow_runtime::Value;
use workflow_runtime::machine::Task;
use workflow_runtime::operation::Operation;

type Answer<T> = Pin<Box<dyn Future<Output = T> + Send>>;
type Handle = dyn Fn(Call) -> Answer<Result<Bytes, Status>> + Send + Sync;

/// Received call.
#[derive(Debug, Clone)]
pub struct Call {
    pub path: String,
    pub metadata: MetadataMap,
    pub request: Bytes,
}

impl Call {
    pub fn metadatum(&self, name: &str) -> Option<&str> {
        self.metadata.get(name).map(|value| value.to_str().unwrap())
    }

    /// Request as JSON.
    pub fn request(&self, task: &'static Task) -> Value {
        let message = DynamicMessage::decode(method(task).input(), self.request.clone()).unwrap();
        Value::serialize_from(&message).unwrap()
    }
}

/// Running server. It ends with the test.
pub struct Server {
    pub address: SocketAddr,
    pub calls: Arc<Mutex<Vec<Call>>>,
    /// Number of calls that were cancelled before their response.
    pub dropped: Arc<AtomicUsize>,
    stop: oneshot::Sender<()>,
    serving: JoinHandle<()>,
}

impl Server {
    /// Starts a server with this script.
    pub async fn start<F>(handle: impl Fn(Call) -> F + Send + Sync + 'static) -> Server
    where
        F: Future<Output = Result<Bytes, Status>> + Send + 'static,
    {
        Server::start_at(SocketAddr::from(([127, 0, 0, 1], 0)), handle).await
    }

    /// Starts a server at an address.
    pub async fn start_at<F>(address: SocketAddr, handle: impl Fn(Call) -> F + Send + Sync + 'static) -> Server
    where
        F: Future<Output = Result<Bytes, Status>> + Send + 'static,
    {
        let listener = TcpListener::bind(address).await.unwrap();
        let address = listener.local_addr().unwrap();
        let bank = Bank {
            handle: Arc::new(move |call| Box::pin(handle(call))),
            calls: Arc::default(),
            dropped: Arc::default(),
            path: String::new(),
        };
        let (calls, dropped) = (Arc::clone(&bank.calls), Arc::clone(&bank.dropped));
        let (stop, stopped) = oneshot::channel::<()>();
        let incoming = TcpIncoming::from(listener);
        let stopped = async { drop(stopped.await) };
        let serving = Transport::builder().add_service(bank).serve_with_incoming_shutdown(incoming, stopped);
        let serving = tokio::spawn(async { serving.await.unwrap() });
        Server { address, calls, dropped, stop, serving }
    }

    /// Ends the server and its connections.
    pub async fn stop(self) {
        drop(self.stop);
        self.serving.await.unwrap();
    }

    /// Returns a connector for the server.
    pub fn builder(&self) -> RpcBuilder {
        Rpc::builder().service("acme.Bank", self.service())
    }

    pub fn service(&self) -> Address {
        Address::at(format!("http://{}", self.address)).bearer("hidden").metadata("x-tenant", "secret")
    }

    pub fn rpc(&self) -> Rpc {
        self.builder().build().unwrap()
    }

    pub fn calls(&self) -> Vec<Call> {
        self.calls.lock().unwrap().clone()
    }
}

/// Returns the descriptors of a task's messages.
pub fn method(task: &'static Task) -> MethodDescriptor {
    let Some(Operation::Rpc(rpc)) = task.operation else { panic!("the task is no method") };
    let pool = DescriptorPool::decode(rpc.descriptors).unwrap();
    let service = pool.get_service_by_name(rpc.service).unwrap();
    service.methods().find(|method| method.name() == rpc.method).unwrap()
}

/// Returns a response of a task's method.
pub fn answer(task: &'static Task, value: &Value) -> Bytes {
    value.deserialize_with(method(task).output()).unwrap().encode_to_vec().into()
}

#[derive(Clone)]
struct Bank {
    handle: Arc<Handle>,
    calls: Arc<Mutex<Vec<Call>>>,
    dropped: Arc<AtomicUsize>,
    path: String,
}

impl NamedService for Bank {
    const NAME: &'static str = "acme.Bank";
}

impl Service<http::Request<Body>> for Bank {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = Answer<Result<http::Response<Body>, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let bank = Bank { path: request.uri().path().to_owned(), ..self.clone() };
        Box::pin(async move { Ok(Grpc::new(Untouched).unary(bank, request).await) })
    }
}

/// Counts calls that are dropped before their response.
struct Guard(Option<Arc<AtomicUsize>>);

impl Drop for Guard {
    fn drop(&mut self) {
        if let Some(dropped) = &self.0 {
            dropped.fetch_add(1, Ordering::SeqCst);
        }
    }
}

impl UnaryService<Bytes> for Bank {
    type Response = Bytes;
    type Future = Answer<Result<Response<Bytes>, Status>>;

    fn call(&mut self, request: Request<Bytes>) -> Self::Future {
        let call =
            Call { path: self.path.clone(), metadata: request.metadata().clone(), request: request.into_inner() };
        self.calls.lock().unwrap().push(call.clone());
        let (answer, dropped) = ((self.handle)(call), Arc::clone(&self.dropped));
        Box::pin(async move {
            let mut guard = Guard(Some(dropped));
            let answer = answer.await;
            guard.0 = None;
            answer.map(Response::new)
        })
    }
}

#[derive(Clone)]
struct Untouched;

impl Codec for Untouched {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = Untouched;
    type Decoder = Untouched;

    fn encoder(&mut self) -> Untouched {
        Untouched
    }

    fn decoder(&mut self) -> Untouched {
        Untouched
    }
}

impl Encoder for Untouched {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put(message);
        Ok(())
    }
}

impl Decoder for Untouched {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }
}
