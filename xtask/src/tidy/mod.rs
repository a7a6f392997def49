//! `cargo xtask tidy`.
/// run
pub fn run() -> Result<(), String> {
    Ok(())
}
