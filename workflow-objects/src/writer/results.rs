//! The writer of results.

use std::sync::Arc;

use bytes::Bytes;
use workflow_runtime::objects::{ChildOutcome, ChildRecord, result_key};
use workflow_runtime::{Str, Value, value};

use super::config::WriterConfig;
use super::error::WriterError;
use super::file::OpenFile;
use super::state::{ResultFile, WriterState, Written};
use crate::store::{ObjectStore, StoreError, StoreErrorKind, Stores};

/// The largest input or output in bytes of JSON text. Values share their parts, so that a small
/// one can have an enormous text.
const MAX_TEXT: u64 = 64 * 1024 * 1024;

/// The destination of results.
///
/// See the example of [`ResultWriter`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriterTarget {
    /// `Bucket`
    pub bucket: Str,
    /// `Prefix`, which may be empty.
    pub prefix: Str,
    /// The name of the Map run, the last part of its ARN.
    pub run: Str,
    /// The ARN of the Map run.
    pub map_run_arn: Str,
}

impl WriterTarget {
    fn key(&self, name: &str) -> Str {
        result_key(&self.prefix, &self.run, name)
    }

    fn object(&self, key: &str) -> String {
        format!("s3://{}/{key}", self.bucket)
    }

    /// Returns the key of the manifest.
    pub fn manifest(&self) -> Str {
        self.key("manifest.json")
    }

    /// Returns the result of the Map, which says where the manifest is.
    pub fn result(&self) -> Value {
        value!({
            "MapRunArn": self.map_run_arn.clone(),
            "ResultWriterDetails": { "Bucket": self.bucket.clone(), "Key": self.manifest() },
        })
    }
}

/// The statuses, each with files of its own.
#[derive(Clone, Copy)]
enum Status {
    Succeeded,
    Failed,
    Pending,
}

const STATUSES: [Status; 3] = [Status::Succeeded, Status::Failed, Status::Pending];

impl Status {
    fn of(outcome: &ChildOutcome) -> Status {
        match outcome {
            ChildOutcome::Succeeded { .. } => Status::Succeeded,
            ChildOutcome::Failed { .. } => Status::Failed,
            ChildOutcome::Pending => Status::Pending,
        }
    }

    fn name(self) -> &'static str {
        match self {
            Status::Succeeded => "SUCCEEDED",
            Status::Failed => "FAILED",
            Status::Pending => "PENDING",
        }
    }

    fn written(self, state: &mut WriterState) -> &mut Written {
        match self {
            Status::Succeeded => &mut state.succeeded,
            Status::Failed => &mut state.failed,
            Status::Pending => &mut state.pending,
        }
    }
}

/// Checks the texts of a record.
fn check_size(record: &ChildRecord) -> Result<(), WriterError> {
    let output = match &record.outcome {
        ChildOutcome::Succeeded { output } => Some(output),
        ChildOutcome::Failed { .. } | ChildOutcome::Pending => None,
    };
    match output.into_iter().chain([&record.input]).find_map(|value| value.json_len(MAX_TEXT).err()) {
        None => Ok(()),
        Some(error) => {
            let error = StoreError::with_source(StoreErrorKind::Other, "an input or output is too large", error);
            Err(WriterError::new(&format!("the record of {}", record.name), error))
        }
    }
}

/// The writer of the results of a Map run, in bounded memory.
///
/// Results are written in the order of the calls, those of each status to files of their own. The
/// manifest is written last, so that it never lists half a run. After a crash, a writer that is
/// opened with the stored [`WriterState`] expects the results behind those that were written when
/// the files of that state were ended.
///
/// ```
/// use workflow_objects::store::{MemoryStore, Stores};
/// use workflow_objects::writer::{ChildOutcome, ChildRecord, ResultWriter};
/// use workflow_objects::writer::{WriterConfig, WriterSettings, WriterState, WriterTarget};
/// use workflow_runtime::value;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let answers = MemoryStore::new();
/// let stores = Stores::new().with("answers", answers.clone());
/// let target = WriterTarget {
///     bucket: "answers".into(),
///     prefix: "2026".into(),
///     run: "r1".into(),
///     map_run_arn: "arn:aws:states:us-east-1:111111111111:mapRun:offers/Offers:r1".into(),
/// };
/// let transformation = Some("COMPACT".to_owned());
/// let settings = WriterSettings { transformation, ..WriterSettings::default() };
/// let config = WriterConfig::new(&settings, true).map_err(|refusals| format!("{refusals:?}"))?;
/// let mut writer = ResultWriter::open(&stores, target, config, WriterState::default())?;
/// writer.write(&ChildRecord {
///     execution_arn: "arn:aws:states:us-east-1:111111111111:execution:offers/Offers:c1".into(),
///     name: "c1".into(),
///     state_machine_arn: "arn:aws:states:us-east-1:111111111111:stateMachine:offers".into(),
///     input: value!("Ada"),
///     outcome: ChildOutcome::Succeeded { output: value!({ "answer": "yes" }) },
///     redrive_count: 0,
///     redrive_status: "NOT_REDRIVABLE".into(),
///     redrive_status_reason: None,
///     start_date: Some("2026-01-31T12:00:00.000Z".into()),
///     stop_date: Some("2026-01-31T12:00:01.000Z".into()),
/// }).await?;
/// writer.finish().await?;
/// let file = answers.bytes("2026/r1/SUCCEEDED_0.json").ok_or("there is no file")?;
/// assert_eq!(file, r#"[{"answer":"yes"}]"#);
/// # Ok(())
/// # }
/// ```
pub struct ResultWriter {
    store: Arc<dyn ObjectStore>,
    target: WriterTarget,
    config: WriterConfig,
    state: WriterState,
    open: [Option<OpenFile>; 3],
}

impl ResultWriter {
    /// Opens a writer, with the state of an earlier one or the default.
    ///
    /// # Errors
    /// There is no store for the bucket.
    pub fn open(
        stores: &Stores,
        target: WriterTarget,
        config: WriterConfig,
        state: WriterState,
    ) -> Result<ResultWriter, WriterError> {
        let store = stores.bucket(&target.bucket);
        let store = store.map_err(|error| WriterError::new(&format!("s3://{}", target.bucket), error))?;
        Ok(ResultWriter { store, target, config, state, open: [const { None }; 3] })
    }

    /// Tries whether the store accepts the names of results, and can begin to write them. Leaves
    /// nothing behind.
    ///
    /// # Errors
    /// The store cannot write there.
    pub async fn check(&mut self) -> Result<(), WriterError> {
        let key = self.target.manifest();
        let tried = self.store.check_put(&key).await;
        tried.map_err(|error| self.failed(&key, error))
    }

    /// Returns the files that are complete. [`end_files`](ResultWriter::end_files) completes them.
    pub fn state(&self) -> &WriterState {
        &self.state
    }

    /// Writes the results of a child execution. A failure is written as its record, whatever the
    /// transformation.
    ///
    /// # Errors
    /// The store failed, or an input or output is too large. The files since the last state must
    /// be written again.
    pub async fn write(&mut self, record: &ChildRecord) -> Result<(), WriterError> {
        let status = Status::of(&record.outcome);
        check_size(record)?;
        let results = match status {
            Status::Succeeded => self.config.transformation.results(record),
            Status::Failed | Status::Pending => vec![record.to_value()],
        };
        let mut file = match self.open[status as usize].take() {
            Some(file) => file,
            None => self.create(status).await?,
        };
        if let Err(error) = file.add(&results).await {
            return Err(self.failed(&file.key, error));
        }
        self.open[status as usize] = Some(file);
        Ok(())
    }

    /// Ends all files. The results that follow get files of their own.
    ///
    /// # Errors
    /// The store failed. The files since the last state must be written again.
    pub async fn end_files(&mut self) -> Result<(), WriterError> {
        for status in STATUSES {
            self.end(status).await?;
        }
        Ok(())
    }

    /// Ends all files, and writes the manifest. Returns the result of the Map.
    ///
    /// # Errors
    /// The store failed. There is no manifest, or that of an earlier call.
    pub async fn finish(&mut self) -> Result<Value, WriterError> {
        self.end_files().await?;
        let manifest = value!({
            "DestinationBucket": self.target.bucket.clone(),
            "MapRunArn": self.target.map_run_arn.clone(),
            "ResultFiles": {
                "FAILED": self.state.failed.listed(),
                "PENDING": self.state.pending.listed(),
                "SUCCEEDED": self.state.succeeded.listed(),
            },
        });
        let key = self.target.manifest();
        let written = async {
            let mut upload = self.store.put(&key).await?;
            upload.write(Bytes::from(manifest.to_string())).await?;
            upload.finish().await
        };
        written.await.map_err(|error| self.failed(&key, error))?;
        Ok(self.target.result())
    }

    async fn create(&mut self, status: Status) -> Result<OpenFile, WriterError> {
        let number = status.written(&mut self.state).next();
        let end = match self.config.output {
            super::OutputType::Json => "json",
            super::OutputType::JsonLines => "jsonl",
        };
        let key = self.target.key(&format!("{}_{number}.{end}", status.name()));
        let created = OpenFile::create(&*self.store, key.clone(), self.config.output).await;
        created.map_err(|error| self.failed(&key, error))
    }

    /// Ends the open file of a status.
    async fn end(&mut self, status: Status) -> Result<(), WriterError> {
        let Some(file) = self.open[status as usize].take() else { return Ok(()) };
        let key = file.key.clone();
        let size = file.finish().await.map_err(|error| self.failed(&key, error))?;
        status.written(&mut self.state).files.push(ResultFile { key, size });
        Ok(())
    }

    fn failed(&self, key: &str, error: StoreError) -> WriterError {
        WriterError::new(&self.target.object(key), error)
    }
}
