//! Everything below `cases`, compiled by the build script and run.

mod folders;
mod shadowed;
mod versions;
