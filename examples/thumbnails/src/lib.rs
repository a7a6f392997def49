//! Thumbnails of the pictures of an album, four at a time.
//!
//! The build script compiles `flows/thumbnails.asl.yaml` to the module [`thumbnails`].

pub mod studio;

use studio::{Job, Thumbnail};

include!(concat!(env!("OUT_DIR"), "/thumbnails.rs"));
