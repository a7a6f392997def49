//! Makes the thumbnails of an album, and shows them.

use std::process::ExitCode;
use thumbnails::studio::{Studio, Thumbnail};
use thumbnails::thumbnails::Thumbnails;
use workflow_runtime::observe::{Event, EventKind, Observer};
use workflow_runtime::{Value, value};

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    let album = std::env::args().nth(1).unwrap_or_else(|| "holidays".to_owned());
    let studio = Studio::default();
    let input = value!({ "album": album, "width": 16 });
    let outcome = Thumbnails::builder(&studio).observer(Progress).run(input).await;
    match outcome {
        Ok(report) => {
            show(&report);
            ExitCode::SUCCESS
        }
        Err(fault) => {
            eprintln!("failed: {fault}");
            ExitCode::FAILURE
        }
    }
}

fn show(report: &Value) {
    for thumbnail in report.get("made").and_then(Value::as_array).into_iter().flat_map(|made| made.iter()) {
        match thumbnail.deserialize_into::<Thumbnail>() {
            Ok(Thumbnail { file, rows, .. }) => println!("\n{file}\n{}", rows.join("\n")),
            Err(error) => eprintln!("{error}: {thumbnail}"),
        }
    }
    let left_out = report.get("skipped").cloned().unwrap_or_default();
    println!("\nfiles seen: {}, left out: {left_out}", report.get("seen").cloned().unwrap_or_default());
}

/// An observer that prints each file as it is finished.
struct Progress;

impl Observer for Progress {
    fn observe(&mut self, event: &Event<'_>) {
        let Some(file) = event.path.last() else { return };
        let message = match event.kind {
            EventKind::TaskSucceeded { .. } => "made".to_owned(),
            EventKind::StateRetried { fault, delay, .. } => format!("{fault}; once more in {} ms", delay.as_millis()),
            EventKind::StateCaught { fault } => fault.to_string(),
            EventKind::StateEntered { .. } if event.state == "Skip" => "left out".to_owned(),
            _ => return,
        };
        eprintln!("file {}: {message}", file.index);
    }
}
