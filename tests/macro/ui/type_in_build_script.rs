//! Types that cannot be read or written, where a build script compiled the definition.

pub struct Order {
    pub id: u64,
}

pub struct Validation {
    pub ok: bool,
}

include!("../generated/order.snap.rs");

fn main() {}
