//! Tests of a single state that is a distributed Map.

use super::{Folder, building};

const ROWS: &str = r#"{
  "StartAt": "EachRow",
  "States": {
    "EachRow": {
      "Type": "Map",
      "ItemReader": {
        "Resource": "arn:aws:states:::s3:getObject",
        "ReaderConfig": { "InputType": "JSON" },
        "Parameters": { "Bucket": "shop", "Key.$": "$.key" }
      },
      "ToleratedFailurePercentage": 50,
      "ItemProcessor": {
        "ProcessorConfig": { "Mode": "DISTRIBUTED", "ExecutionType": "STANDARD" },
        "StartAt": "Import",
        "States": { "Import": { "Type": "Task", "Resource": "import", "End": true } }
      },
      "Catch": [{ "ErrorEquals": ["States.ExceedToleratedFailureThreshold"], "Next": "Stop" }],
      "End": true
    },
    "Stop": { "Type": "Fail" }
  }
}"#;

#[test]
#[ignore = "builds programs: run by `cargo xtask ci`"]
fn a_distributed_map_is_tried_with_mocked_items_and_failures() {
    let _building = building();
    let folder = Folder::new("rows").with("rows.asl.json", ROWS);
    let compact = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let state = ["test", "rows.asl.json", "--state", "EachRow", "--input", r#"{"key": "a.json"}"#];
    let run = |arguments: &[&str]| folder.run(state.iter().chain(arguments));
    for (arguments, expected) in [
        (&["--items", "[7, 8]", "--result", "1"][..], "output [ 1, 1 ] next end"),
        (&["--items", "[7, 8]", "--error", "Bad"], "next Stop"),
        (&["--result", "1"], "failed States.Runtime: no items for the reader of the Map `EachRow`: add `--items`"),
        (&["--items", "[1, 2, 3, 4]", "--whole", "--result", "[1]", "--failures", "2"], "output [ 1 ] next end"),
        (&["--items", "[1, 2, 3]", "--whole", "--result", "[1]", "--failures", "2"], "next Stop"),
        (
            &["--whole", "--result", "[1]", "--failures", "2"],
            "failed States.Runtime: the tolerated percentage of failures needs the number of items: add `--items`",
        ),
        (
            &["--items", "[1]", "--whole", "--result", "[1]", "--failures", "2"],
            "failed States.Runtime: 2 failures are more than the items of the Map: it has 1",
        ),
    ] {
        let done = run(arguments);
        assert!(compact(&done.out).ends_with(expected), "{arguments:?}\n{}\n{}", done.out, done.err);
    }
}
