//! The data of distributed Maps: object stores, items and results.
//!
#![doc = include_str!("../README.md")]
#![cfg_attr(docsrs, feature(doc_cfg))]

mod access;
pub mod reader;
pub mod store;
pub mod writer;

pub use bytes::Bytes;
