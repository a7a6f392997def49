//! What a user of `include_workflow!` sees: definitions that are wrong, and programs that do not fit a definition.

use std::path::{Path, PathBuf};
use workflow_tests::{definitions, package};

#[test]
fn what_is_wrong_is_shown_by_rustc() {
    lay_out().unwrap_or_else(|message| panic!("{message}"));
    trybuild::TestCases::new().compile_fail("macro/*.rs");
}

/// The macro looks for definitions in the package that it is used in, which `trybuild` makes: they are copied there.
fn lay_out() -> Result<(), String> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().map_or_else(PathBuf::new, Path::to_owned);
    let flows = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("flows");
    std::fs::create_dir_all(&flows).map_err(|error| error.to_string())?;
    for file in definitions::list(&package().join("macro/flows"))? {
        let copy = flows.join(file.file_name().unwrap_or_default());
        std::fs::write(&copy, definitions::read(&file)?).map_err(|error| error.to_string())?;
    }
    Ok(())
}
