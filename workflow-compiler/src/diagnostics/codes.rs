//! Tables of the codes that several dialects or expression languages report, by area. The other
//! tables are in the folders of the modules that report their codes. `crate::codes` lists all.

#[doc(hidden)]
pub mod syntax {
    //! Codes of JSON and YAML text, of the dialect of a file, and of options.

    super::codes! {
        error WF0101 unexpected_text: "unexpected text";
        error WF0102 unclosed_bracket: "brackets do not match";
        error WF0103 missing_comma: "a comma is missing";
        error WF0104 extra_comma: "superfluous comma";
        error WF0105 missing_colon: "a key without a colon or without a value";
        error WF0106 unquoted_text: "unquoted text";
        error WF0107 comment: "a comment in JSON";
        error WF0108 unclosed_string: "unbalanced quotes of a string";
        error WF0109 invalid_escape: "invalid escape";
        error WF0110 control_character: "a control character or line break in the text";
        error WF0111 invalid_number: "invalid number";
        error WF0112 duplicate_key: "duplicate key";
        error WF0113 too_large: "the definition exceeds a limit";
        error WF0114 empty_file: "the file is empty";
        error WF0120 yaml_syntax: "invalid YAML";
        error WF0121 yaml_tag: "an unsupported YAML tag";
        error WF0122 yaml_alias: "unresolved alias";
        error WF0123 yaml_key: "a YAML key that is not text";
        error WF0124 several_documents: "several YAML documents in one file";
        error WF0125 yaml_merge: "a merge key without a mapping";
        error WF0130 unknown_dialect: "the dialect of the file is unknown";
        error WF0131 ambiguous_dialect: "ambiguous dialect";
        error WF0132 feature_not_built_in: "the compiler was built without a feature that the definition needs";
        error WF0133 no_such_dialect: "unknown dialect in the options";
        error WF0134 not_allowable: "an option names a code that cannot be allowed";
        warning WF0151 rounded_number: "a whole number does not fit into 64 bits";
        warning WF0152 lenient_json: "invalid JSON that is read leniently";
        warning WF0180 option_without_effect: "an option has no effect on a definition";
    }
}

#[doc(hidden)]
pub mod graph {
    //! Codes of states, transitions and variables.

    super::codes! {
        error WF0201 unknown_state: "unknown state";
        error WF0202 duplicate_definition: "duplicate definition";
        error WF0203 out_of_scope: "a transition leads out of its scope";
        error WF0204 unassigned_variable: "a variable is read where it cannot have a value";
        error WF0205 unreachable_state: "unreachable state";
        error WF0206 no_end: "a scope has no end";
        error WF0207 start_state: "a workflow, a branch or a body has no start state, or several";
        error WF0208 undefined_reference: "an event, a function, a retry policy or a message is not defined";
        warning WF0251 unreachable_cycle: "only unreachable states lead to a state";
        warning WF0252 no_way_to_an_end: "no path leads from a state to an end";
        warning WF0253 maybe_unassigned_variable: "a variable may have no value where it is read";
        warning WF0254 same_name_in_branches: "states of two branches have the same name";
    }
}

#[doc(hidden)]
pub mod expressions {
    //! Codes that several expression languages share.

    super::codes! {
        error WF0304 invalid_regex: "invalid regular expression";
        error WF0325 expression_form: "an expression is not written as `${ … }`";
        error WF0326 operand_type: "the operands of an operator or a method have the wrong types";
        error WF0327 untranslated_code: "a function or an expression cannot be translated to Rust";
        note WF0375 engine_code: "a function or an expression runs on an engine";
    }
}

#[doc(hidden)]
pub mod fields {
    //! Codes of fields, their types and their values.

    super::codes! {
        error WF0401 missing_field: "a required field is missing";
        error WF0403 wrong_type: "a field has a value of the wrong type";
        error WF0404 value_out_of_range: "a number is out of range";
        error WF0405 conflicting_fields: "fields cannot be used together";
        error WF0407 invalid_choice: "a value is not one of the allowed values";
        error WF0408 next_or_end: "a state has neither or both of `Next` and `End`";
        error WF0410 invalid_name: "a name is empty, too long, or has characters that are not allowed";
        error WF0412 empty_value: "a required value is empty";
        error WF0419 invalid_resource: "a resource is not valid for the workflow";
        error WF0420 file_not_read: "a file that the definition names cannot be read";
        error WF0421 invalid_duration: "invalid duration";
        error WF0422 completion_count: "`n` does not fit a parallel action or state";
        error WF0423 function_operation: "the operation of a function does not fit its type";
        warning WF0455 field_without_effect: "a field has no effect";
        warning WF0457 constant_expression: "a constant looks like an expression";
        warning WF0460 ignored_member: "a member is ignored";
        warning WF0461 number_for_text: "a string is written as a number, and loses digits";
    }
}

#[doc(hidden)]
pub mod output {
    //! Codes of names and types in the generated code.

    super::codes! {
        error WF0601 task_names_collide: "two task keys map to one Rust method";
        error WF0602 unknown_task: "a binding names an unknown task";
        error WF0603 conflicting_binding: "a method is bound with two different signatures";
        error WF0604 invalid_binding: "invalid binding";
        error WF0605 unknown_function: "a binding names a state that does not run a function";
        error WF0606 correlation_binding: "invalid binding of a correlation key";
        error WF0607 schema_binding: "invalid binding of a schema";
        warning WF0651 unused_substitution: "a substitution has no placeholder";
        warning WF0652 similar_task: "a schema is named for a task that the definition does not have";
    }
}

/// Declares codes and the list of them. The explanation of a code is the file `codes/WFxxxx.md`
/// beside the file that declares it.
macro_rules! codes {
    ($($severity:ident $id:ident $name:ident: $title:literal;)*) => {
        $(
            #[doc = concat!("`", stringify!($id), "`: ", $title, ".")]
            pub static $id: $crate::diagnostics::Code = $crate::diagnostics::Code {
                id: stringify!($id),
                severity: $crate::diagnostics::codes::severity!($severity),
                name: stringify!($name),
                title: $title,
                explanation: include_str!(concat!("codes/", stringify!($id), ".md")),
            };
        )*
        /// The codes of this table, in the order of their ids.
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
