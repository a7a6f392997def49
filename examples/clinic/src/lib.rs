//! Watches over patients: readings of their temperature and pulse make a run, a doctor is paged if
//! they are not normal, and what she prescribes is given. Events start the runs and answer the
//! page; the tasks assess, page and give.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};
use workflow_runtime::{Fault, TaskContext, Value, include_workflow, value};

include_workflow!(
    "flows/clinic.sw.yaml",
    tasks: {
        "assess" => assess(Signs) -> Assessment,
        "page" => page(Page),
        "give" => give(Dose),
    },
);

/// What was read of a patient.
#[derive(Debug, Deserialize)]
pub struct Signs {
    /// Whose signs they are.
    pub patient: String,
    /// In degrees Celsius.
    pub degrees: f64,
    /// Of the heart, in a minute.
    pub beats: f64,
}

/// What they mean. It is merged into the data of the run.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Assessment {
    /// Whose signs they are.
    pub patient: String,
    /// `normal`, `raised` or `high`.
    pub level: &'static str,
}

/// Who is to look at a patient.
#[derive(Debug, Deserialize)]
pub struct Page {
    /// The person that is paged.
    pub whom: String,
    /// The patient.
    pub patient: String,
    /// How bad it is.
    pub level: String,
}

/// What a patient is to be given.
#[derive(Debug, Deserialize)]
pub struct Dose {
    /// The patient.
    pub patient: String,
    /// The medicine.
    pub medicine: String,
}

/// What readings mean.
pub fn assess(signs: &Signs) -> &'static str {
    match (signs.degrees, signs.beats) {
        (degrees, beats) if degrees >= 39.0 || beats >= 130.0 => "high",
        (degrees, beats) if degrees >= 37.8 || beats >= 100.0 => "raised",
        _ => "normal",
    }
}

/// The ward: its pager, and its pharmacy, in which somebody is always served before.
#[derive(Debug, Default)]
pub struct Ward {
    asked: Mutex<BTreeSet<String>>,
}

impl clinic::Tasks for Ward {
    async fn assess(&self, signs: Signs, _: TaskContext) -> Result<Assessment, Fault> {
        let level = assess(&signs);
        Ok(Assessment { patient: signs.patient, level })
    }

    /// Tells how the doctor answers: by an event about the same patient.
    async fn page(&self, page: Page, cx: TaskContext) -> Result<Value, Fault> {
        let Page { whom, patient, level } = page;
        eprintln!("{whom} is paged: {patient} is not well ({level}); events about `{}` answer", cx.correlation());
        Ok(value!({ "paged": whom }))
    }

    /// The first call of each kind finds the pharmacy busy. The key is the same when it is made
    /// again.
    async fn give(&self, dose: Dose, cx: TaskContext) -> Result<Value, Fault> {
        let Dose { patient, medicine } = dose;
        if medicine.is_empty() {
            return Err(Fault::new("PharmacyUnable", "no medicine is prescribed"));
        }
        let key = cx.idempotency_key();
        if self.asked.lock().unwrap_or_else(PoisonError::into_inner).insert(key.clone()) {
            return Err(Fault::new("PharmacyBusy", "somebody is served before"));
        }
        eprintln!("{patient} is given {medicine}");
        Ok(value!({ "given": key }))
    }
}
