//! The filters of lists of executions.

use workflow_runtime::Timestamp;
use workflow_runtime::engine::Filter;

use super::query::Query;
use crate::executions::status;
use crate::http::answer::Answer;

/// The parameters of a list.
pub const PARAMETERS: [&str; 9] =
    ["workflow", "status", "key", "started-since", "started-until", "ended-since", "ended-until", "limit", "before"];

/// Reads the filter that a query describes, without its limit and its page.
pub fn filter(query: &Query) -> Result<Filter, Answer> {
    let mut filter = Filter::all();
    if let Some(workflow) = query.get("workflow") {
        filter = filter.workflow(workflow);
    }
    if let Some(name) = query.get("status") {
        filter = filter.status(status(name).map_err(Answer::bad)?);
    }
    if let Some(key) = query.get("key") {
        filter = filter.key(key);
    }
    let range = |since, until| Ok::<_, Answer>((time(query, since)?, time(query, until)?));
    let (started, ended) = (range("started-since", "started-until")?, range("ended-since", "ended-until")?);
    Ok(filter.started(started.0, started.1).ended(ended.0, ended.1))
}

/// Returns a parameter that is a time.
fn time(query: &Query, name: &str) -> Result<Option<Timestamp>, Answer> {
    let Some(text) = query.get(name) else { return Ok(None) };
    let wrong = || {
        let help = "write a time such as `2026-01-31T12:30:00Z`; `+` in an offset is `%2B`";
        Answer::problem(hyper::StatusCode::BAD_REQUEST, format!("invalid `{name}={text}`"), help)
    };
    text.parse().map(Some).map_err(|_| wrong())
}
