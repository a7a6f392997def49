//! Codes of State Machines For Cloud.

crate::diagnostics::codes::codes! {
    error WF0804 mixed_triggers: "a transition has two kinds of triggers";
    error WF0805 exclusive_transitions: "a state has two transitions that exclude each other";
    error WF0806 transition_without_effect: "a transition has neither a target nor an effect";
    error WF0811 not_an_expression_function: "a function in an expression is not an expression, or refers to itself";
    warning WF0852 bare_days: "a bare number is a timespan in days";
    warning WF0853 not_waited_for: "an action that does not wait has a handler or a time-out";
    warning WF0854 ignored_jitter: "a whole number as jitter is ignored";
}
