//! Reports on the executions in a database, also while a process has it in use.

use std::path::Path;

use crate::engines;
use crate::executions::ExecutionReport;

/// Returns a report on the executions in a database.
///
/// # Errors
/// A message if the database cannot be read or has no such execution.
pub fn report_on(db: &Path, report: &ExecutionReport) -> Result<String, String> {
    let view = engines::sqlite::view(db)?;
    let runtime = tokio::runtime::Builder::new_current_thread().build();
    let runtime = runtime.map_err(|error| format!("cannot start the runtime: {error}"))?;
    runtime.block_on(report.of(&*view)).map_err(|error| error.to_string())
}
