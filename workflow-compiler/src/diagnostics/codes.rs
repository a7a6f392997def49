//! Tables of codes, by area.

#[doc(hidden)]
pub mod syntax {
    //! Codes WF01xx: JSON and YAML text, and which dialect a file is.

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
        error WF0126 yaml_not_supported: "the compiler was built without YAML";
        error WF0130 unknown_dialect: "the dialect of the file is unknown";
        error WF0131 ambiguous_dialect: "ambiguous dialect";
        error WF0132 dialect_not_built_in: "the compiler was built without the dialect";
        error WF0133 no_such_dialect: "unknown dialect in the options";
        error WF0134 not_allowable: "an option names a code that cannot be allowed";
        warning WF0151 rounded_number: "a whole number does not fit into 64 bits";
        warning WF0152 lenient_json: "invalid JSON that is read leniently";
        warning WF0180 option_without_effect: "an option has no effect on a definition";
    }
}

#[doc(hidden)]
pub mod graph {
    //! Codes WF02xx: states, transitions and variables.

    super::codes! {
        error WF0201 unknown_state: "unknown state";
        error WF0202 duplicate_state: "duplicate state";
        error WF0203 out_of_scope: "a transition leads out of its scope";
        error WF0204 unassigned_variable: "a variable is read where it cannot have a value";
        error WF0205 unreachable_state: "unreachable state";
        error WF0206 no_end: "a scope has no end";
        warning WF0251 unreachable_cycle: "only unreachable states lead to a state";
        warning WF0252 no_way_to_an_end: "no path leads from a state to an end";
        warning WF0253 maybe_unassigned_variable: "a variable may have no value where it is read";
        warning WF0254 same_name_in_branches: "states of two branches have the same name";
    }
}

#[doc(hidden)]
pub mod expressions {
    //! Codes WF03xx: expressions (paths, intrinsic functions, templates).

    super::codes! {
        error WF0301 path_syntax: "invalid JSONPath";
        error WF0302 not_a_reference_path: "a path can select several values where one is required";
        error WF0303 path_function: "a function in a filter is unknown or used wrongly";
        error WF0304 path_pattern: "a regular expression in a filter is not valid";
        error WF0305 path_not_supported: "a path uses an unsupported feature of Jayway's JsonPath";
        error WF0306 path_root: "a path has a root that is not allowed here";
        error WF0307 unknown_context_member: "a path selects a member that the context object does not have";
        error WF0310 intrinsic_syntax: "invalid intrinsic function";
        error WF0311 unknown_intrinsic: "unknown intrinsic function";
        error WF0312 intrinsic_arguments: "an intrinsic function has too many or too few arguments";
        error WF0313 intrinsic_argument_type: "an argument of an intrinsic function has the wrong kind";
        error WF0314 format_template: "the template of States.Format does not fit its arguments";
        error WF0315 intrinsic_escape: "unknown escape in a string of an intrinsic function";
        error WF0320 template_value:
            "the value of a field whose name ends in `.$` is neither a path nor an intrinsic function";
        error WF0321 template_field_twice: "two fields of a payload template have the same name without `.$`";
        error WF0330 javascript_syntax: "invalid JavaScript";
        error WF0332 untranslated_function: "a function cannot be translated to Rust";
        error WF0340 jq_syntax: "invalid jq";
        error WF0341 jq_function: "a jq expression calls an unknown function";
        error WF0342 jq_variable: "a jq expression uses an unknown variable or label";
        error WF0343 jq_not_available: "a jq expression uses an unavailable feature";
        error WF0344 jq_recursion: "a function of a jq expression calls itself";
        error WF0345 untranslated_expression: "a jq expression cannot be translated to Rust";
        warning WF0351 bare_word: "a word in a comparison is not in quotes";
        warning WF0352 blanks_after_path: "white space follows a path";
        warning WF0353 missing_argument_comma: "a comma is missing between the arguments of an intrinsic function";
        warning WF0354 ignored_arguments: "an intrinsic function ignores its arguments";
        warning WF0355 absent_token: "a task that does not wait for a token reads one";
        warning WF0380 undeclared_name: "a function uses a name that nothing declares";
        warning WF0381 not_a_function: "the code of a function task is not a function";
        note WF0382 engine_function: "a function runs on a JavaScript engine";
        note WF0390 engine_expression: "a jq expression runs on an engine";
    }
}

#[doc(hidden)]
pub mod fields {
    //! Codes WF04xx: fields of a definition, their types and values. Codes WF05xx: constructs that are

    super::codes! {
        error WF0401 missing_field: "a required field is missing";
        error WF0402 unknown_field: "unknown field";
        error WF0403 wrong_type: "a field has a value of the wrong type";
        error WF0404 value_out_of_range: "a number is out of range";
        error WF0405 conflicting_fields: "fields cannot be used together";
        error WF0406 misplaced_field: "a field is not allowed here";
        error WF0407 invalid_choice: "a value is not one of the allowed values";
        error WF0408 next_or_end: "a state has neither or both of `Next` and `End`";
        error WF0409 misplaced_states_all: "`States.ALL` is not alone, or not last";
        error WF0410 invalid_name: "a name is empty, too long, or has characters that are not allowed";
        error WF0411 invalid_timestamp: "invalid timestamp";
        error WF0412 empty_value: "a required value is empty";
        error WF0413 choice_operator: "a Choice rule does not have exactly one operator";
        error WF0414 invalid_result_path: "`ResultPath` is not a path into the state's input";
        error WF0415 shadowed_variable: "a variable has the name of a variable of an outer scope";
        error WF0416 inconsistent_values: "two values contradict each other";
        error WF0417 unbound_placeholder: "a placeholder has no value where one is needed at compile time";
        error WF0418 invalid_pattern: "a pattern has an invalid escape";
        error WF0419 invalid_resource: "a resource is not valid for the workflow";
        error WF0420 file_not_read: "a file that the definition names cannot be read";
        warning WF0451 unknown_error_name: "unknown error name that begins with `States.`";
        warning WF0452 uncaught_error_name: "a named error is never raised, or never caught";
        warning WF0453 waits_forever: "a task without a time-out can wait forever";
        warning WF0454 repeated_error_name: "an error name is repeated where it has no effect";
        warning WF0455 field_without_effect: "a field has no effect";
        warning WF0456 credentials_without_role: "credentials without a role";
        warning WF0457 constant_expression: "a constant looks like an expression";
        warning WF0458 unknown_variable: "a variable is read but never assigned";
        note WF0459 choice_without_default: "a Choice state has no `Default`";
        error WF0501 jsonata_not_supported: "the query language JSONata is not supported yet";
        error WF0502 distributed_map_not_supported: "distributed Map states are not supported yet";
    }
}

#[doc(hidden)]
pub mod output {
    //! Codes WF06xx: names and types of the generated code.

    super::codes! {
        error WF0601 task_names_collide: "two task keys map to one Rust method";
        error WF0602 unknown_task: "a binding names an unknown task";
        error WF0603 conflicting_binding: "a method is bound with two different signatures";
        error WF0604 invalid_binding: "invalid binding";
        error WF0605 unknown_function: "a binding names a state that does not run a function";
        error WF0606 correlation_binding: "invalid binding of a correlation key";
        warning WF0651 unused_substitution: "a substitution has no placeholder";
    }
}

#[doc(hidden)]
pub mod stack {
    //! Codes WF07xx: the stack of a composition.

    super::codes! {
        error WF0701 empty_stack: "a state pops from an empty stack";
        error WF0702 wrong_stack_entry: "a state pops a stack entry of the wrong kind";
        error WF0703 unreachable_exit: "the final state is never reached";
        note WF0751 ambiguous_stack: "a state is entered with two shapes of the stack";
    }
}

#[doc(hidden)]
pub mod state_machines {
    //! Codes WF08xx: state machines of SM4C.

    super::codes! {
        error WF0801 start_state: "a state machine has no start state, or several";
        error WF0802 defined_twice: "duplicate event, function, retry policy or action";
        error WF0803 not_defined: "an event, a function or a retry policy is not defined";
        error WF0804 mixed_triggers: "a transition has two kinds of triggers";
        error WF0805 exclusive_transitions: "a state has two transitions that exclude each other";
        error WF0806 transition_without_effect: "a transition has neither a target nor an effect";
        error WF0807 expression_form: "an expression is not written as `${ … }`";
        error WF0808 invalid_timespan: "invalid timespan";
        error WF0809 completion_count: "`n` does not fit a parallel action";
        error WF0810 function_operation: "the operation of a function does not fit its type";
        error WF0811 not_an_expression_function:
            "a function in an expression is not an expression, or refers to itself";
        error WF0812 member_twice: "duplicate member";
        warning WF0851 ignored_member: "a member is ignored";
        warning WF0852 bare_days: "a bare number is a timespan in days";
        warning WF0853 not_waited_for: "an action that does not wait has a handler or a time-out";
        warning WF0854 ignored_jitter: "a whole number as jitter is ignored";
    }
}

#[doc(hidden)]
pub mod services {
    //! Codes WF09xx: operations of services that OpenAPI documents describe.

    super::codes! {
        error WF0901 not_openapi: "a file is not an OpenAPI document of a supported version";
        error WF0902 unknown_service_operation: "an `operationId` is unknown or not unique in its document";
        error WF0903 broken_reference: "a reference in a document cannot be resolved";
        error WF0904 invalid_service_operation: "the description of an operation is inconsistent";
        error WF0905 body_not_sent: "an operation needs a request body of an unsupported media type";
        error WF0906 missing_service_argument: "a call lacks an argument that the operation needs";
        error WF0907 service_argument_type: "a constant argument does not fit the operation";
        warning WF0951 unknown_service_argument: "an argument is unknown to the operation";
    }
}

#[doc(hidden)]
pub mod rpc {
    //! Codes WF10xx: methods of gRPC services.

    super::codes! {
        error WF1001 proto_file: "a `.proto` file or a descriptor set cannot be compiled";
        error WF1002 unknown_method: "unknown service or method";
        error WF1003 streaming_method: "a method that streams cannot be called";
        error WF1004 rpc_arguments: "arguments do not fit the request of a method";
        warning WF1051 method_not_looked_up: "a method is not checked, because the compiler was built without gRPC";
    }
}

#[doc(hidden)]
pub mod activities {
    //! Codes WF11xx: workflows of the Workflow DSL.

    super::codes! {
        error WF1101 unknown_message: "a message is not declared";
        error WF1102 wrong_message_kind: "a message is used in the direction opposite to its declaration";
        error WF1103 duplicate_message: "duplicate message";
        error WF1104 data_filter: "invalid data filter";
        error WF1105 invalid_duration: "invalid duration";
        error WF1106 not_an_expression: "invalid expression";
        error WF1107 not_callable: "a sub-flow is not a child, or does not have the requested version";
        error WF1108 secret_place: "a secret is used outside of a header";
        warning WF1151 path_without_dot: "a path in an expression has no dot before its first name";
        warning WF1152 filter_direction: "a data filter is probably reversed";
        warning WF1153 endless_retries: "a failing activity is retried without limit";
        warning WF1154 unknown_subflow: "the id of a sub-flow is similar to that of a known definition";
        warning WF1155 number_for_text: "a string is written as a number, and loses digits";
    }
}

#[doc(hidden)]
pub mod serverless_workflow {
    //! Codes WF12xx: workflows of Serverless Workflow.

    super::codes! {
        error WF1201 start_definition: "a workflow, a branch or a body has no start state, or several";
        error WF1202 duplicate_definition: "duplicate event or function";
        error WF1203 ambiguous_next_state: "ambiguous `nextState`";
        error WF1204 undefined_reference: "an event or a function is not defined";
        error WF1205 no_end_state: "a branch or the body of a foreach state has no end state";
        error WF1206 switch_ends: "a switch has an end or a transition of its own";
        error WF1207 switch_conditions: "a switch has both kinds of conditions, or none";
        error WF1208 branch_count: "`n` does not fit the branches of a parallel state";
        error WF1209 schedule: "a scheduled start has no valid interval";
        error WF1210 end_without_event: "an end of the kind `event` has no event";
        error WF1211 retry_interval: "invalid retry interval";
        error WF1212 expression_language: "unknown expression language";
        error WF1213 custom_operator: "a condition with the operator `custom` names no task";
        error WF1214 function_resource: "the resource of a function does not fit its type";
        error WF1215 language_not_built_in: "the compiler was built without an expression language";
        error WF1216 later_version: "the definition is for a later version of the specification";
        warning WF1251 lenient_reading: "a deviation from the specification is accepted";
        warning WF1252 filter_name: "a path of a filter has a nonstandard name";
        warning WF1253 excluded_path: "a path selects a value that a schema forbids";
        warning WF1254 never_correlates: "an awaited event cannot be correlated with the execution";
        warning WF1255 duplicate_branch: "duplicate branch name";
    }
}

#[doc(hidden)]
pub mod spel {
    //! Codes WF13xx: expressions of SpEL.

    super::codes! {
        error WF1301 spel_syntax: "invalid SpEL";
        error WF1302 spel_not_supported: "unsupported SpEL construct";
        error WF1303 spel_name: "unknown method, function or variable in SpEL";
        error WF1304 spel_type: "the operands of an operator or a method have the wrong types";
        error WF1305 spel_pattern: "a regular expression of `matches` is not valid";
    }
}

#[doc(hidden)]
pub mod schemas {
    //! Codes WF14xx: JSON Schemas that definitions name.

    super::codes! {
        error WF1401 invalid_schema: "invalid JSON Schema";
        error WF1402 schema_draft: "unknown JSON Schema draft";
        error WF1403 schema_reference: "a reference in a JSON Schema cannot be resolved";
        error WF1404 schema_construct: "a JSON Schema uses an unsupported construct";
        error WF1405 schemas_not_built: "the compiler was built without JSON Schema";
        error WF1406 schema_limits: "a JSON Schema exceeds a limit";
        warning WF1451 schema_keyword: "a keyword of a JSON Schema has no effect";
        note WF1452 untyped_schema: "a JSON Schema has no Rust types";
    }
}

#[doc(hidden)]
pub mod cel {
    //! Codes WF16xx: expressions of CEL.

    super::codes! {
        error WF1601 cel_syntax: "invalid CEL";
        error WF1602 cel_name: "unknown function, macro or type in CEL";
        error WF1603 cel_type: "the operands of an operator have the wrong types";
        error WF1604 cel_pattern: "a regular expression of `matches` is not valid";
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
