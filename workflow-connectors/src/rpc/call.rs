//! Call of a gRPC method.

use std::sync::PoisonError;
use std::time::{Duration, Instant};

use prost_reflect::bytes::{Buf, BufMut, Bytes};
use prost_reflect::{DescriptorPool, MethodDescriptor};
use tonic::client::Grpc;
use tonic::codec::{Codec, DecodeBuf, Decoder, EncodeBuf, Encoder};
use tonic::transport::{Channel, Uri};
use tonic::{Code, Request, Response, Status};
use workflow_runtime::machine::Outcome;
use workflow_runtime::operation::{self, Operation};
use workflow_runtime::value::TEXT_LIMIT;
use workflow_runtime::{Fault, TaskContext, Value, header};

use super::service::GrpcChannel;
use super::{Shared, message, status};

/// Longest time, in place of one that cannot be sent to a service.
const LONGEST: Duration = Duration::from_secs(365 * 24 * 3600);
/// Bytes of a response's limit for each field that may have a default value without being sent.
const BYTES_PER_DEFAULT: usize = 4;
/// Grace for the response of a service that reports an exceeded deadline itself.
const DEADLINE_GRACE: Duration = Duration::from_millis(250);

/// Method of a task, with its service.
pub(super) struct ResolvedMethod<'a> {
    /// Full name of the method.
    name: String,
    method: MethodDescriptor,
    service: &'a GrpcChannel,
}

/// Resolves the method and the service of an operation.
pub(super) fn find<'a>(shared: &'a Shared, operation: &'static operation::Rpc) -> Result<ResolvedMethod<'a>, Fault> {
    let name = format!("{}/{}", operation.service, operation.method);
    let method = shared.method(operation).map_err(|what| fault("NotAMethod", &name, &what))?;
    let service = shared.service(operation.service).map_err(|what| fault("NoAddress", &name, &what))?;
    Ok(ResolvedMethod { name, method, service })
}

fn fault(kind: &str, method: &str, what: &str) -> Fault {
    Fault::new(format!("Grpc.{kind}"), format!("`{method}`: {what}"))
}

/// Calls the method of a task.
pub(super) async fn call(shared: &Shared, input: Value, cx: &TaskContext) -> Outcome {
    let task = cx.task();
    let Some(Operation::Rpc(operation)) = task.operation else {
        let cause = format!(
            "the task `{}` (`{}`) is not a gRPC method that was resolved at compile time",
            task.key, task.resource
        );
        return Err(Fault::new("Grpc.NotAMethod", cause));
    };
    let ResolvedMethod { name, method, service } = find(shared, operation)?;
    let fault = |kind: &str, what: String| fault(kind, &name, &what);
    // The encoded message copies shared values.
    input.json_len(TEXT_LIMIT).map_err(|error| Fault::too_large(format_args!("The input of `{name}`"), error))?;
    let request = message::request(&method.input(), &input).map_err(|what| fault("InvalidRequest", what))?;
    if request.len() > shared.max_message_bytes {
        return Err(fault("InvalidRequest", format!("the request is larger than {} bytes", shared.max_message_bytes)));
    }
    let path: Uri = format!("/{name}").parse().map_err(|_| fault("NotAMethod", "it has no valid path".to_owned()))?;
    let path = path.path_and_query().cloned().ok_or_else(|| fault("NotAMethod", "it has no valid path".to_owned()))?;

    let left = cx.deadline().map(|deadline| deadline.since(cx.now()));
    let limit = left.map_or(shared.timeout, |left| left.min(shared.timeout)).min(LONGEST);
    let began = Instant::now();
    let sent = async {
        let mut grpc = client(shared, service.channel(false));
        if grpc.ready().await.is_err() {
            // The driver of the connection is gone, for example with the runtime that ran it.
            // Nothing was sent.
            grpc = client(shared, service.channel(true));
            grpc.ready().await.map_err(|error| Status::from_error(error.into()))?;
        }
        let mut request = Request::new(Bytes::from(request));
        *request.metadata_mut() = service.metadata();
        let key = header::encode(&cx.idempotency_key()).parse();
        let key = key.map_err(|_| Status::invalid_argument("its idempotency key is invalid"))?;
        request.metadata_mut().insert("idempotency-key", key);
        request.set_timeout(limit);
        grpc.unary(request, path, BytesCodec).await
    };
    let answer = match tokio::time::timeout(limit, sent).await {
        Err(_) => return Err(Fault::timeout()),
        Ok(Ok(answer)) => Response::into_inner(answer),
        Ok(Err(status)) if status.code() == Code::DeadlineExceeded && began.elapsed() + DEADLINE_GRACE >= limit => {
            return Err(Fault::timeout());
        }
        Ok(Err(status)) => {
            return Err(status::fault(&status, &name, shared.max_message_bytes, |text| service.redact(text)));
        }
    };
    let max_defaults = shared.max_message_bytes / BYTES_PER_DEFAULT;
    message::answer(&method.output(), answer, max_defaults)
        .map_err(|what| fault("InvalidAnswer", format!("invalid response: {what}")))
}

fn client(shared: &Shared, channel: Channel) -> Grpc<Channel> {
    Grpc::new(channel).max_decoding_message_size(shared.max_message_bytes)
}

impl Shared {
    /// Returns the descriptor of a method, which is built once.
    fn method(&self, operation: &'static operation::Rpc) -> Result<MethodDescriptor, String> {
        let key = std::ptr::from_ref(operation) as usize;
        let mut methods = self.methods.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = methods.get(&key) {
            return Ok(known.clone());
        }
        let pool = DescriptorPool::decode(operation.descriptors).map_err(|error| error.to_string())?;
        let service = pool.get_service_by_name(operation.service).ok_or("its descriptor is missing")?;
        let method = service.methods().find(|method| method.name() == operation.method);
        let method = method.ok_or("its descriptor is missing")?;
        methods.insert(key, method.clone());
        Ok(method)
    }
}

/// Codec that passes encoded messages through.
struct BytesCodec;

impl Codec for BytesCodec {
    type Encode = Bytes;
    type Decode = Bytes;
    type Encoder = BytesCodec;
    type Decoder = BytesCodec;

    fn encoder(&mut self) -> BytesCodec {
        BytesCodec
    }

    fn decoder(&mut self) -> BytesCodec {
        BytesCodec
    }
}

impl Encoder for BytesCodec {
    type Item = Bytes;
    type Error = Status;

    fn encode(&mut self, message: Bytes, to: &mut EncodeBuf<'_>) -> Result<(), Status> {
        to.put(message);
        Ok(())
    }
}

impl Decoder for BytesCodec {
    type Item = Bytes;
    type Error = Status;

    fn decode(&mut self, from: &mut DecodeBuf<'_>) -> Result<Option<Bytes>, Status> {
        Ok(Some(from.copy_to_bytes(from.remaining())))
    }
}
