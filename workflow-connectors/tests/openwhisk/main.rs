//! Actions of OpenWhisk, on a local server that behaves like the platform or fails.

mod calls;
mod certificates;
mod composition;
mod support;
