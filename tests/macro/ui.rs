//! The programs in `ui`, compiled.

use std::path::{Path, PathBuf};
use std::{fs, io};

#[test]
fn errors_are_shown_by_rustc() {
    copy_flows().expect("the definitions are copied");
    trybuild::TestCases::new().compile_fail("ui/*.rs");
}

/// Copies the definitions to the package that `trybuild` makes: the macro looks for them in the
/// package that uses it.
fn copy_flows() -> io::Result<()> {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().map_or_else(PathBuf::new, Path::to_owned);
    let copies = target.join("tests/trybuild").join(env!("CARGO_PKG_NAME")).join("flows");
    fs::create_dir_all(&copies)?;
    for flow in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("flows"))? {
        let flow = flow?;
        fs::copy(flow.path(), copies.join(flow.file_name()))?;
    }
    Ok(())
}
