//! Codes of Baton.

crate::diagnostics::codes::codes! {
    error WF1701 state_form: "a state has no form, or several";
    error WF1702 join_count: "`join` does not fit the branches";
    error WF1703 rule_never_tried: "a rule follows a rule for every error";
    error WF1704 unpaired_deadline: "an event has only one of `within` and `late`";
}
