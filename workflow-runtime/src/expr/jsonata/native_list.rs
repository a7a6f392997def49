//! The list of the functions of the language: a table for the evaluator, and for each row a
//! function that compiled expressions call.

/// Lists the functions of the table of `workflow_jsonata`, whose code is in the module `codes`.
macro_rules! natives {
    ($($name:ident $text:literal $signature:literal $arity:literal [$($kind:ident)*];)*) => {
        /// The rows of the list.
        #[allow(non_upper_case_globals, reason = "a row has the name of its function")]
        mod rows {
            use super::codes;
            use $crate::expr::jsonata::function::Native;

            $(pub(super) static $name: Native = Native::new($text, $signature, $arity, codes::$name);)*
        }

        /// The functions, in the order of their names.
        pub(crate) static NATIVES: &[&$crate::expr::jsonata::function::Native] = &[$(&rows::$name),*];

        /// The functions, as an expression calls them.
        pub(crate) mod calls {
            use super::rows;
            use $crate::expr::jsonata::compiled::{Maybe, Run, call};
            use $crate::expr::jsonata::error::Result;
            use $crate::expr::jsonata::evaluate::collapsed;

            $(
                #[doc = concat!("Calls `$", $text, "`.")]
                ///
                /// # Errors
                /// Fails if the arguments do not match the signature, if the function fails, and
                /// if a limit is exceeded.
                pub fn $name(args: &[Maybe], run: &mut Run<'_>) -> Result<Maybe> {
                    call(&rows::$name, args, None, run).map(collapsed)
                }
            )*
        }

        /// The functions whose result can be a sequence, which stays one.
        pub(crate) mod raw_calls {
            $($crate::expr::jsonata::native_list::sequence! { $name $text $($kind)* })*
        }

        /// The functions that take the context item for an argument that is missing.
        pub(crate) mod context_calls {
            $($crate::expr::jsonata::native_list::contextual! { $name $text $($kind)* })*
        }
    };
}

/// Defines the function of a row that has `sequence`.
macro_rules! sequence {
    ($name:ident $text:literal sequence $($kind:ident)*) => {
        #[doc = concat!("Calls `$", $text, "`. A sequence stays what it is.")]
        ///
        /// # Errors
        /// Fails if the arguments do not match the signature, if the function fails, and if a
        /// limit is exceeded.
        pub fn $name(
            args: &[$crate::expr::jsonata::compiled::Maybe],
            run: &mut $crate::expr::jsonata::compiled::Run<'_>,
        ) -> $crate::expr::jsonata::error::Result<$crate::expr::jsonata::compiled::Maybe> {
            $crate::expr::jsonata::compiled::call(&super::rows::$name, args, None, run)
        }
    };
    ($name:ident $text:literal $($kind:ident)*) => {};
}

/// Defines the function of a row that has `context`.
macro_rules! contextual {
    ($name:ident $text:literal sequence $($kind:ident)*) => {
        $crate::expr::jsonata::native_list::contextual! { $name $text $($kind)* }
    };
    ($name:ident $text:literal context) => {
        #[doc = concat!("Calls `$", $text, "` with the context item.")]
        ///
        /// # Errors
        /// Fails if the arguments do not match the signature, if the function fails, and if a
        /// limit is exceeded.
        pub fn $name(
            args: &[$crate::expr::jsonata::compiled::Maybe],
            context: &$crate::expr::jsonata::compiled::Maybe,
            run: &mut $crate::expr::jsonata::compiled::Run<'_>,
        ) -> $crate::expr::jsonata::error::Result<$crate::expr::jsonata::compiled::Maybe> {
            $crate::expr::jsonata::compiled::call(&super::rows::$name, args, context.as_ref(), run)
                .map($crate::expr::jsonata::evaluate::collapsed)
        }
    };
    ($name:ident $text:literal) => {};
}

pub(super) use {contextual, natives, sequence};
