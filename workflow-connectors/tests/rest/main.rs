//! Operations of OpenAPI documents, of services on this machine that answer as they should, or worse.

mod answers;
mod network;
mod order;
mod raw;
mod requests;
mod support;
mod workflow;
