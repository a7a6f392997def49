//! Books a flight, a room and a car at services that OpenAPI documents describe. The program has
//! no code for any of the requests. It supplies only the addresses of the services and the
//! credentials.

pub mod services;

use services::Services;
use workflow_connectors::Rest;
use workflow_connectors::rest::{ConfigError, RestService};
use workflow_runtime::include_workflow;

include_workflow!("flows/booking.sm4c.json");

/// Returns the tasks of the workflow: requests to these services.
pub fn tasks(services: &Services) -> Result<Rest, ConfigError> {
    let airline = RestService::new(&services.airline).credentials("agency", services::TOKEN);
    let village = RestService::new(&services.village).credentials("agency_key", services::KEY);
    let rest = Rest::builder().service("airline", airline).service("village", village).build()?;
    rest.check(&booking::DEFINITION)?;
    Ok(rest)
}
