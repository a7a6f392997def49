//! Tests of the cases in `case.toml` with mocked tasks, in virtual time.

use approval::approval::Approval;

#[test]
fn cases() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/case.toml");
    match workflow_runner::cases::run_file::<Approval>(file) {
        Ok(report) => println!("{report}"),
        Err(report) => panic!("{report}"),
    }
}
