//! Table of codes, by area.

use super::Code;

pub mod activities;
pub mod cel;
pub mod expressions;
pub mod fields;
pub mod graph;
pub mod output;
pub mod rpc;
pub mod schemas;
pub mod serverless_workflow;
pub mod services;
pub mod spel;
pub mod stack;
pub mod state_machines;
pub mod syntax;

/// Iterates over all codes, area by area.
pub fn all() -> impl Iterator<Item = &'static Code> {
    let areas = [
        syntax::ALL,
        graph::ALL,
        expressions::ALL,
        fields::ALL,
        output::ALL,
        stack::ALL,
        state_machines::ALL,
        services::ALL,
        rpc::ALL,
        activities::ALL,
        serverless_workflow::ALL,
        spel::ALL,
        schemas::ALL,
        cel::ALL,
    ];
    areas.into_iter().flatten().copied()
}

/// Returns the entry of a code. The letter case of `id` is ignored.
pub fn find(id: &str) -> Option<&'static Code> {
    all().find(|code| code.id.eq_ignore_ascii_case(id))
}

/// Declares the codes of one area and the list of them.
macro_rules! codes {
    ($($id:ident $name:ident: $title:literal, $explanation:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($id), "`: ", $title, ".")]
            pub static $id: $crate::diagnostics::Code = $crate::diagnostics::Code {
                id: stringify!($id),
                name: stringify!($name),
                title: $title,
                explanation: $explanation,
            };
        )*
        /// The codes of this area, in order.
        pub static ALL: &[&$crate::diagnostics::Code] = &[$(&$id),*];
    };
}
pub(crate) use codes;

#[cfg(test)]
mod tests;
