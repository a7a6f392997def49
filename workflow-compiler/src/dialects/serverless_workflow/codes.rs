//! Codes of Serverless Workflow.

crate::diagnostics::codes::codes! {
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
    warning WF1254 never_correlates: "an awaited event cannot be correlated with the execution";
    warning WF1255 duplicate_branch: "duplicate branch name";
}
