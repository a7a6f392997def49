//! Tables of behaviour. "Recorded" means recorded on AWS Step Functions.

mod choice;
mod fields;
mod intrinsics;

use crate::fault::Fault;
use crate::value::Value;

fn value(json: &str) -> Value {
    Value::from_json(json).unwrap_or_else(|error| panic!("{json}: {error}"))
}

/// Returns the error and the cause of a fault.
fn parts<T: std::fmt::Debug>(outcome: Result<T, Fault>) -> (String, String) {
    let fault = outcome.expect_err("a fault");
    let cause = fault.cause().and_then(Value::as_str).unwrap_or_default();
    (fault.error().unwrap_or_default().to_owned(), cause.to_owned())
}
