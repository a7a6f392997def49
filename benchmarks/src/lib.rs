//! Definitions compiled for the benchmarks, and the same logic written by hand.

pub mod by_hand;

/// What the compiler made.
pub mod generated {
    include!(concat!(env!("OUT_DIR"), "/ten.rs"));
    include!(concat!(env!("OUT_DIR"), "/pure.rs"));
    include!(concat!(env!("OUT_DIR"), "/chain.rs"));
    include!(concat!(env!("OUT_DIR"), "/rounds.rs"));
}

/// What the compiler made of compositions.
#[cfg(feature = "javascript")]
pub mod compositions {
    include!(concat!(env!("OUT_DIR"), "/countdown.rs"));
    include!(concat!(env!("OUT_DIR"), "/increment.rs"));
    include!(concat!(env!("OUT_DIR"), "/increment_on_engine.rs"));
    include!(concat!(env!("OUT_DIR"), "/predicate.rs"));
    include!(concat!(env!("OUT_DIR"), "/predicate_on_engine.rs"));
}

/// What the compiler made of jq expressions, and those.
#[cfg(feature = "jq")]
#[allow(clippy::needless_pass_by_value, missing_docs)]
pub mod filters {
    use workflow_runtime::__private::{self as rt, Value, jq};

    include!(concat!(env!("OUT_DIR"), "/filters.rs"));

    /// Names and expressions, each with a tabulator between.
    pub const SOURCES: &str = include_str!("../flows/filters.tsv");
}
