//! Takes orders: books them at a shop, waits for the payment, has visas of young customers looked
//! up by a sub-flow, and tells what came of it. The program has no code for any of that: the
//! workflows say where the shop is, and the program as whom it is called.

pub mod shop;

use workflow_connectors::Rest;
use workflow_connectors::rest::{ConfigError, Service};
use workflow_runtime::include_workflow;

include_workflow!("flows/checkout.workflow-dsl.yaml", subflows: ["flows/visa.workflow-dsl.yaml"]);
include_workflow!("flows/visa.workflow-dsl.yaml");

/// All tasks of both workflows: requests to the shop at this address, and to nowhere else.
/// Workflows that call another address are refused.
pub fn tasks(shop: &str) -> Result<Rest, ConfigError> {
    let rest = Rest::builder().service("shop", Service::new(shop).credentials("token", shop::TOKEN)).build()?;
    rest.check(&checkout::DEFINITION)?;
    rest.check(&visa::DEFINITION)?;
    Ok(rest)
}
