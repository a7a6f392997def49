//! Books a flight, a room and a car at services that OpenAPI documents describe. The program has
//! no code for any of the requests: it says where the services are, and as whom they are called.

pub mod services;

use services::Services;
use workflow_connectors::Rest;
use workflow_connectors::rest::{ConfigError, Service};
use workflow_runtime::include_workflow;

include_workflow!("flows/booking.sm4c.json");

/// All tasks of the workflow: requests to these services.
pub fn tasks(services: &Services) -> Result<Rest, ConfigError> {
    let airline = Service::new(&services.airline).credentials("agency", services::TOKEN);
    let village = Service::new(&services.village).credentials("agency_key", services::KEY);
    let rest = Rest::builder().service("airline", airline).service("village", village).build()?;
    rest.check(&booking::DEFINITION)?;
    Ok(rest)
}
