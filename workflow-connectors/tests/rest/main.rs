//! Operations of OpenAPI documents, with well-behaved and faulty services on this machine.

mod answers;
mod network;
mod order;
mod raw;
mod requests;
mod support;
mod workflow;
