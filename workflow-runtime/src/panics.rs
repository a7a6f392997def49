//! Panics of the program's own code: of tasks, of observers. Whatever such code does, the execution goes on.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Runs code of the program, which must not be used again if it panics. Yields what it said then.
pub(crate) fn catch<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let said = message(&*panic).to_owned();
        // What was thrown is the program's, too, and can panic in its turn when it is dropped.
        if let Err(again) = catch_unwind(AssertUnwindSafe(|| drop(panic))) {
            std::mem::forget(again);
        }
        said
    })
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
    fn a_panic_is_told_even_where_what_was_thrown_panics() {
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
