//! Definitions compiled for the benchmarks, and the same logic written by hand.

pub mod by_hand;

/// What the compiler made.
pub mod generated {
    include!(concat!(env!("OUT_DIR"), "/ten.rs"));
    include!(concat!(env!("OUT_DIR"), "/pure.rs"));
    include!(concat!(env!("OUT_DIR"), "/chain.rs"));
}
