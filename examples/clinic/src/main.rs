//! `serve` takes readings and decisions as CloudEvents, keeps the executions in `clinic.db`, and
//! prints the doses on standard output.
//!
//! ```text
//! cargo run -p clinic -- serve --sink stdout
//! curl http://127.0.0.1:8080/events -H 'Content-Type: application/cloudevents+json' -d '{"specversion": "1.0",
//!     "id": "1", "source": "/ward", "type": "clinic.temperature", "patient": "ada", "data": {"degrees": 39.5}}'
//! curl http://127.0.0.1:8080/events -H 'Content-Type: application/cloudevents+json' -d '{"specversion": "1.0",
//!     "id": "2", "source": "/ward", "type": "clinic.pulse", "patient": "ada", "data": {"beats": 88}}'
//! curl http://127.0.0.1:8080/events -H 'Content-Type: application/cloudevents+json' -d '{"specversion": "1.0",
//!     "id": "3", "source": "/doctors", "type": "clinic.decision", "patient": "ada", "data": {"medicine": "paracetamol"}}'
//! ```

use std::process::ExitCode;
use std::sync::Arc;

use clinic::Ward;
use clinic::clinic::Clinic;
use workflow_runner::Durable;

fn main() -> ExitCode {
    Durable::<Clinic>::new(Clinic::bind(Arc::new(Ward::default()))).main()
}
