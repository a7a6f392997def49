//! Whole numbers as texts, by the pictures of XPath: `$formatInteger`, `$parseInteger`, and the
//! parts of dates.

mod format;
mod numerals;
mod parse;
mod picture;
mod words;

use super::args::{self, Args};
use super::limits;
use crate::expr::jsonata::convert;
use crate::expr::jsonata::error::Result;
use crate::expr::jsonata::item::Item;
use crate::expr::jsonata::run::Evaluation;

pub(super) use format::format;
pub(super) use parse::{parse, pattern};
pub(super) use picture::{Case, Grouping, Picture};

/// Implements `$formatInteger`.
pub(super) fn format_integer(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let (Some(number), Some(picture)) = (args::number(args, 0), args::text(args, 1)) else { return Ok(None) };
    limits::spend_bytes(run, picture.len())?;
    let picture = Picture::new(picture)?;
    format(run, number.floor(), &picture).map(|text| Some(convert::text(text)))
}

/// Implements `$parseInteger`.
pub(super) fn parse_integer(run: &mut Evaluation, args: Args<'_>) -> Result<Option<Item>> {
    let (Some(text), Some(picture)) = (args::text(args, 0), args::text(args, 1)) else { return Ok(None) };
    limits::spend_bytes(run, text.len() + picture.len())?;
    let picture = Picture::new(picture)?;
    parse(text, &picture).map(|number| Some(convert::number(number)))
}
