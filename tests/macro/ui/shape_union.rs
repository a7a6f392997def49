//! Types for which `Shape` cannot be derived.

use workflow_runtime::Shape;

#[derive(Shape)]
pub union Bits {
    whole: u32,
    real: f32,
}

#[derive(Shape)]
#[shape(all)]
pub struct Receipt {
    id: u32,
}

fn main() {}
