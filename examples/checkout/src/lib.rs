//! Takes orders: books them at a shop, waits for the payment, looks up visas of young customers in
//! a sub-flow, and sends the result. The program has no code for any of these steps. The workflows
//! have the address of the shop, and the program supplies the credentials.

pub mod shop;

use workflow_connectors::Rest;
use workflow_connectors::rest::{ConfigError, RestService};
use workflow_runtime::include_workflow;

include_workflow!("flows/checkout.workflow-dsl.yaml", subflows: ["flows/visa.workflow-dsl.yaml"]);
include_workflow!("flows/visa.workflow-dsl.yaml");

/// Returns the tasks of both workflows: requests to the shop at this address. Workflows that call
/// another address are refused.
pub fn tasks(shop: &str) -> Result<Rest, ConfigError> {
    let rest = Rest::builder().service("shop", RestService::new(shop).credentials("token", shop::TOKEN)).build()?;
    rest.check(&checkout::DEFINITION)?;
    rest.check(&visa::DEFINITION)?;
    Ok(rest)
}
