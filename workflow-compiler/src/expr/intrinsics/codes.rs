//! Codes of intrinsic functions and payload templates.

crate::diagnostics::codes::codes! {
    error WF0310 intrinsic_syntax: "invalid intrinsic function";
    error WF0311 unknown_intrinsic: "unknown intrinsic function";
    error WF0312 intrinsic_arguments: "an intrinsic function has too many or too few arguments";
    error WF0313 intrinsic_argument_type: "an argument of an intrinsic function has the wrong kind";
    error WF0314 format_template: "the template of States.Format does not fit its arguments";
    error WF0315 intrinsic_escape: "unknown escape in a string of an intrinsic function";
    error WF0320 template_value:
        "the value of a field whose name ends in `.$` is neither a path nor an intrinsic function";
    error WF0321 template_field_twice: "two fields of a payload template have the same name without `.$`";
    warning WF0353 missing_argument_comma: "a comma is missing between the arguments of an intrinsic function";
    warning WF0354 ignored_arguments: "an intrinsic function ignores its arguments";
}
