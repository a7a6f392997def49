//! Every folder of `cases/asl`: the definition compiles to its goldens, and the code runs as `case.toml` says. The build
//! script lists them.

include!(concat!(env!("OUT_DIR"), "/cases.rs"));
