//! `console`: forwards to `tracing` if the program uses it, and never prints.

use super::super::{Js, Result, Run, coerce};

macro_rules! levels {
    ($($function:ident $name:literal $level:ident)*) => {
        $(
            #[doc = concat!("`console.", $name, "`")]
            pub fn $function(_: &Run, arguments: &[Js]) -> Result {
                #[cfg(feature = "tracing")]
                tracing::$level!(target: "workflow::console", "{}", joined(arguments)?);
                #[cfg(not(feature = "tracing"))]
                joined(arguments)?;
                Ok(Js::Undefined)
            }
        )*
    };
}

levels! {
    console_debug "debug" debug
    console_error "error" error
    console_info "info" info
    console_log "log" info
    console_warn "warn" warn
}

/// Joins the arguments with blanks.
fn joined(arguments: &[Js]) -> Result<String> {
    let mut out = String::new();
    for (at, argument) in arguments.iter().enumerate() {
        if at > 0 {
            out.push(' ');
        }
        let text = coerce::string(argument)?;
        super::super::text::reserve(text.len())?;
        out.push_str(&text);
    }
    Ok(out)
}
