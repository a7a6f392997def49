//! Monitors patients. Two readings of a patient, temperature and pulse, start an execution. If
//! they are not normal, the workflow pages a doctor, and the patient gets the prescribed medicine.
//! Events start the executions and answer the page. The tasks assess, page and give.

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

/// The readings of a patient.
#[derive(Debug, Deserialize)]
pub struct Signs {
    /// The patient.
    pub patient: String,
    /// The temperature in degrees Celsius.
    pub degrees: f64,
    /// The pulse, in beats per minute.
    pub beats: f64,
}

/// The assessment of readings. It is merged into the data of the execution.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub struct Assessment {
    /// The patient.
    pub patient: String,
    /// `normal`, `raised` or `high`.
    pub level: &'static str,
}

/// A request to page a doctor.
#[derive(Debug, Deserialize)]
pub struct Page {
    /// The doctor who is paged.
    pub whom: String,
    /// The patient.
    pub patient: String,
    /// The level of the assessment.
    pub level: String,
}

/// A dose of medicine for a patient.
#[derive(Debug, Deserialize)]
pub struct Dose {
    /// The patient.
    pub patient: String,
    /// The medicine.
    pub medicine: String,
}

/// Returns the level of the readings.
pub fn assess(signs: &Signs) -> &'static str {
    match (signs.degrees, signs.beats) {
        (degrees, beats) if degrees >= 39.0 || beats >= 130.0 => "high",
        (degrees, beats) if degrees >= 37.8 || beats >= 100.0 => "raised",
        _ => "normal",
    }
}

/// The ward: its pager, and its pharmacy, which is always busy at first.
#[derive(Debug, Default)]
pub struct Ward {
    asked: Mutex<BTreeSet<String>>,
}

impl clinic::Tasks for Ward {
    async fn assess(&self, signs: Signs, _: TaskContext) -> Result<Assessment, Fault> {
        let level = assess(&signs);
        Ok(Assessment { patient: signs.patient, level })
    }

    /// Prints how the doctor answers: with an event about the same patient.
    async fn page(&self, page: Page, cx: TaskContext) -> Result<Value, Fault> {
        let Page { whom, patient, level } = page;
        eprintln!("{whom} is paged: {patient} is not well ({level}); events about `{}` answer", cx.correlation());
        Ok(value!({ "paged": whom }))
    }

    /// Fails at the first call with each idempotency key, because the pharmacy is busy. The retry
    /// has the same key.
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
