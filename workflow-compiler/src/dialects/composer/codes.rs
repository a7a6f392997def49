//! Codes of OpenWhisk Composer: functions, and the stack of a composition.

crate::diagnostics::codes::codes! {
    error WF0701 empty_stack: "a state pops from an empty stack";
    error WF0702 wrong_stack_entry: "a state pops a stack entry of the wrong kind";
    error WF0703 unreachable_exit: "the final state is never reached";
    note WF0751 ambiguous_stack: "a state is entered with two shapes of the stack";
}
