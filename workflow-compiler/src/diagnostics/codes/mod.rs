//! Tables of codes, by area.

#[doc(hidden)]
pub mod activities;
#[doc(hidden)]
pub mod cel;
#[doc(hidden)]
pub mod expressions;
#[doc(hidden)]
pub mod fields;
#[doc(hidden)]
pub mod graph;
#[doc(hidden)]
pub mod output;
#[doc(hidden)]
pub mod rpc;
#[doc(hidden)]
pub mod schemas;
#[doc(hidden)]
pub mod serverless_workflow;
#[doc(hidden)]
pub mod services;
#[doc(hidden)]
pub mod spel;
#[doc(hidden)]
pub mod stack;
#[doc(hidden)]
pub mod state_machines;
#[doc(hidden)]
pub mod syntax;

/// Declares the codes of one area and the list of them.
macro_rules! codes {
    ($($severity:ident $id:ident $name:ident: $title:literal, $explanation:expr;)*) => {
        $(
            #[doc = concat!("`", stringify!($id), "`: ", $title, ".")]
            pub static $id: $crate::diagnostics::Code = $crate::diagnostics::Code {
                id: stringify!($id),
                severity: $crate::diagnostics::codes::severity!($severity),
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

macro_rules! severity {
    (error) => {
        $crate::diagnostics::Severity::Error
    };
    (warning) => {
        $crate::diagnostics::Severity::Warning
    };
    (note) => {
        $crate::diagnostics::Severity::Note
    };
}
pub(crate) use severity;
