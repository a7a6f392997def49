//! The place of metrics in programs that are built without them.

use hyper::StatusCode;
use workflow_runtime::engine::Engine;

use crate::engines::{MakeObserver, OnTransaction};
use crate::http::answer::Answer;

/// The metrics of a server, which are not collected.
#[derive(Clone)]
pub struct NoMetrics;

impl NoMetrics {
    /// Creates the value.
    pub fn new() -> NoMetrics {
        NoMetrics
    }

    /// Creates the value.
    #[cfg(feature = "restate")]
    pub fn without_store() -> NoMetrics {
        NoMetrics
    }

    /// Returns a maker of no observers.
    pub fn observer(&self) -> MakeObserver {
        Box::new(|| None)
    }

    /// Returns no receiver of transactions.
    pub fn on_transaction(&self) -> Option<OnTransaction> {
        None
    }

    /// Records nothing.
    pub fn answered(&self, _: &'static str, _: &'static str, _: u16, _: f64) {}

    /// Returns the refusal of a request for metrics.
    pub async fn answer(&self, _: &dyn Engine) -> Result<Answer, Answer> {
        let help = "enable the feature `metrics` of its `workflow-runner`";
        Err(Answer::problem(StatusCode::NOT_IMPLEMENTED, "this program is built without metrics", help))
    }
}
