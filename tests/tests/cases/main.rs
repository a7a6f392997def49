//! Tests of the definitions below `cases`, which the build script compiles.

// Some cases have names in scripts that few people read, and names that look alike. Only a whole
// crate can allow these.
#![allow(uncommon_codepoints, confusable_idents, mixed_script_confusables)]

mod folders;
mod jsonata;
mod shadowed;
mod versions;
