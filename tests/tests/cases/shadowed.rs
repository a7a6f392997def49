//! Generated code in a program with items that have the names of Rust's and of the runtime's. The
//! code only has to compile.

use serde::{Deserialize, Serialize};

/// The input of tasks and workflows.
#[derive(Deserialize, Serialize)]
pub struct Given {
    /// A number.
    pub number: u8,
}

/// Their output.
#[derive(Deserialize, Serialize)]
pub struct Made {
    /// A text.
    pub text: String,
}

/// The items that the modules of workflows import with `use super::*`.
#[expect(dead_code, unused_imports, unused_macros, reason = "names that hide others are not there to be used")]
mod hidden {
    pub use super::{Given, Made};
    pub use ::std::{f64, str};

    macro_rules! hide_macros {
        ($dollar:tt $($name:ident)*) => {
            $(
                macro_rules! $name {
                    ($dollar($dollar any:tt)*) => {
                        compile_error!(concat!("the program's own `", stringify!($name), "!`"))
                    };
                }
            )*
        };
    }
    hide_macros! {
        $ vec format matches assert assert_eq debug_assert panic unreachable todo write println print include_str
        definition machine value
    }

    macro_rules! hide_types {
        ($($name:ident)*) => { $(pub struct $name;)* };
    }
    hide_types! {
        Option Some None Result Ok Err Vec String Box Arc Cow BTreeMap
        At Bound Fault Future Get Invoke Outcome Retries State Step TaskContext Tasks Turn Value
        Deserialize Serialize DeserializeOwned
    }

    macro_rules! hide_traits {
        ($($name:ident)*) => { $(pub trait $name {})* };
    }
    hide_traits! {
        Clone Copy Debug Default Drop Eq Fn FnMut FnOnce From Into Iterator IntoIterator PartialEq Send Sized Sync ToOwned
        ToString AsRef Display
    }

    pub mod alloc {}
    pub mod asl {}
    pub mod core {}
    pub mod type_bounds {}
    pub mod diagnostic {}
    pub mod jsonpath {}
    pub mod rt {}
    pub mod serde {}
    pub mod std {}
    pub mod workflow_runtime {}

    include!(concat!(env!("OUT_DIR"), "/shadowed.rs"));
}
