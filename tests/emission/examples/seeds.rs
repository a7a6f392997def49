//! Writes the hostile texts as inputs of the fuzz targets: `cargo run -p workflow-emission
//! --example seeds -- FOLDER`. Each target gets a folder below `FOLDER`.

use std::path::PathBuf;
use workflow_emission::{Family, HOSTILE, Input};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let folder = PathBuf::from(std::env::args_os().nth(1).ok_or("name a folder")?);
    for family in Family::ALL {
        let folder = folder.join(family.name());
        std::fs::create_dir_all(&folder)?;
        for (at, text) in HOSTILE.iter().enumerate() {
            let number = at as u8;
            let mut program = vec![number % family.shapes()];
            program.extend((0..40).map(|byte: u8| byte.wrapping_mul(37).wrapping_add(number)));
            let mut texts = vec![String::new(); 24];
            texts[at % 24] = (*text).to_owned();
            texts[(at + 7) % 24] = HOSTILE[(at * 7 + 3) % HOSTILE.len()].to_owned();
            std::fs::write(folder.join(format!("{at}")), Input { program, texts }.to_bytes())?;
        }
    }
    Ok(())
}
