//! Panics of the program's code: of tasks and of observers. The execution continues after them.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code of the program, and returns the message of a panic as an error. The code must not be
/// used again after a panic.
#[inline]
pub(crate) fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(said_by)
}

/// Returns the message of a panic.
#[cold]
fn said_by(panic: Box<dyn Any + Send>) -> String {
    let said = message(&*panic).to_owned();
    // The panic's payload comes from the program, too, and may panic when it is dropped.
    if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
        std::mem::forget(again);
    }
    said
}

fn message(panic: &(dyn Any + Send)) -> &str {
    match (panic.downcast_ref::<&'static str>(), panic.downcast_ref::<String>()) {
        (Some(text), _) => text,
        (_, Some(text)) => text,
        _ => "no message",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_reported_even_if_its_payload_panics() {
        struct Spiteful;
        impl Drop for Spiteful {
            fn drop(&mut self) {
                panic!("once more");
            }
        }
        assert_eq!(catch(|| 1), Ok(1));
        assert_eq!(catch(|| -> i32 { panic!("no") }), Err("no".to_owned()));
        assert_eq!(catch(|| -> i32 { std::panic::panic_any(Spiteful) }), Err("no message".to_owned()));
    }
}
