//! Actions of OpenWhisk, on a server on this machine that answers as the platform does, or worse.

mod calls;
mod certificates;
mod composition;
mod support;
