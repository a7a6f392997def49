//! Arguments of a builder that lack the trait that they need.

use workflow_runtime::{Builder, include_workflow};

include_workflow!("flows/order.asl.json");

struct Nothing;

fn main() {
    let _ = Builder::<order::Order>::new().observer(Nothing).clock(Nothing).sink(Nothing);
    let _ = Builder::<Nothing>::new();
}
