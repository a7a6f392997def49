//! Codes of Serverless Workflow.

crate::diagnostics::codes::codes! {
    error WF1203 ambiguous_next_state: "ambiguous `nextState`";
    error WF1206 switch_ends: "a switch has an end or a transition of its own";
    error WF1207 switch_conditions: "a switch has both kinds of conditions, or none";
    error WF1209 schedule: "a scheduled start has no valid interval";
    error WF1213 custom_operator: "a condition with the operator `custom` names no task";
    error WF1216 later_version: "the definition is for a later version of the specification";
    warning WF1251 lenient_reading: "a deviation from the specification is accepted";
    warning WF1252 filter_name: "a path of a filter has a nonstandard name";
    warning WF1254 never_correlates: "an awaited event cannot be correlated with the execution";
    warning WF1255 duplicate_branch: "duplicate branch name";
}
