//! Exports the spans of an order as traces of OpenTelemetry.
//!
//! ```text
//! cargo run -p order --example exported
//! ```

use opentelemetry::trace::TracerProvider as _;
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SdkTracerProvider;
use opentelemetry_stdout::SpanExporter;
use order::order::Order;
use order::shop::Shop;
use tracing_subscriber::prelude::*;
use workflow_runtime::observe::Tracing;
use workflow_runtime::testing::VirtualClock;
use workflow_runtime::{Builder, value};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    // In a server, `opentelemetry-otlp` exports, in batches: `with_batch_exporter`.
    let resource = Resource::builder().with_service_name("orders").build();
    let provider =
        SdkTracerProvider::builder().with_resource(resource).with_simple_exporter(SpanExporter::default()).build();
    let layer = tracing_opentelemetry::layer().with_tracer(provider.tracer("orders"));
    // The places in the source are those of the observer.
    let layer = layer.with_location(false).with_threads(false);
    tracing_subscriber::registry().with(layer).init();

    let order = value!({
        "id": 8, "email": "bob@example.org", "card": "4000 0000 0000 0002",
        "items": [{ "sku": "piano", "quantity": 1 }]
    });
    let observer = Tracing::new().without_payloads();
    let execution = Builder::<Order>::new().name("order-8").clock(VirtualClock::new()).observer(observer);
    // The observer has reported the outcome.
    let _outcome = execution.tasks(&Order::bind(&Shop::default())).run(order).await;
    // Spans that are not exported yet are exported now.
    provider.shutdown().expect("the exporter works");
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    /// The variable that makes the test the program.
    const PROGRAM: &str = "ORDER_EXPORTS";

    /// Returns the standard output of the program, which the test runs as a process: the exporter
    /// writes there.
    fn output() -> String {
        let this = std::env::current_exe().expect("this program");
        let mut command = Command::new(this);
        command.args(["--exact", "tests::spans_of_states_are_children_of_the_span_of_the_execution", "--nocapture"]);
        let output = command.env(PROGRAM, "1").output().expect("it runs");
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).expect("text")
    }

    /// The exporter writes each field of a span on a line of its own, behind a tab.
    fn field<'a>(span: &'a str, name: &str) -> &'a str {
        let line = span.lines().find_map(|line| line.strip_prefix('\t')?.strip_prefix(name));
        line.and_then(|rest| rest.split_once(':')).unwrap_or_else(|| panic!("no `{name}` in {span}")).1.trim()
    }

    #[test]
    fn spans_of_states_are_children_of_the_span_of_the_execution() {
        if std::env::var_os(PROGRAM).is_some() {
            return super::main();
        }
        let output = output();
        assert!(output.contains("orders"), "the name of the service: {output}");
        let spans: Vec<&str> = output.split("Span #").skip(1).collect();
        let named = |name: &str| spans.iter().filter(|span| field(span, "Name") == name).collect::<Vec<_>>();
        let executions = named("execution");
        let [execution] = executions[..] else { panic!("one execution: {output}") };
        assert!(execution.contains("order-8"), "{execution}");
        let states = named("state");
        assert!(states.len() > 2, "{output}");
        for state in &states {
            assert_eq!(field(state, "TraceId"), field(execution, "TraceId"));
        }
        let of_execution = states.iter().filter(|state| field(state, "ParentSpanId") == field(execution, "SpanId"));
        assert!(of_execution.count() > 1, "{output}");
        assert!(
            states.iter().any(|state| state.contains("ReserveGoods") && state.contains("state retried")),
            "{output}"
        );
        assert!(!output.contains("4000 0000"), "payloads are left out");
    }
}
