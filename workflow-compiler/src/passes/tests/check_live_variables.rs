//! Tests of the limit on live variables.

use super::*;

/// The error for more live variables than the limit.
const REFUSED: &str = "error[WF0113]: the states have more than 100000 live variables in total";
/// The number of variables. The limit is 400 states that carry all of them.
const MANY: usize = 250;

/// Returns the first lines of the diagnostics of a chain of 410 states. The first state assigns
/// the variables `v0`, `v1` and so on. `state` returns the members of each other state but the
/// last.
fn chain(variables: usize, state: impl Fn(usize) -> String) -> String {
    let mut text = format!("StartAt: S0\nStates:\n  S0: {{ Type: Pass, {}, Next: S1 }}\n", assign(variables));
    for at in 1..410 {
        text.push_str(&format!("  S{at}: {{ {} }}\n", state(at)));
    }
    heads(&diagnostics("asl", &(text + "  S410: { Type: Succeed }\n")))
}

fn assign(variables: usize) -> String {
    let values: String = (0..variables).map(|at| format!("v{at}: 1, ")).collect();
    format!("Assign: {{ {values} }}")
}

fn read(variables: usize) -> String {
    let values: String = (0..variables).map(|at| format!("v{at}.$: $v{at}, ")).collect();
    format!("Parameters: {{ {values} }}")
}

/// Returns the members of a state that reads all variables, at `last`, and of the others, which do
/// nothing.
fn read_at(last: usize, variables: usize) -> impl Fn(usize) -> String {
    move |at| match at == last {
        true => format!("Type: Pass, {}, Next: S{}", read(variables), at + 1),
        false => format!("Type: Pass, Next: S{}", at + 1),
    }
}

/// The variables are live in the states from the second to the one that reads them.
#[test]
fn the_live_variables_of_all_states_are_limited() {
    assert_eq!(chain(MANY, read_at(400, MANY)), "");
    assert_eq!(chain(MANY, read_at(401, MANY)), REFUSED);
}

/// The check analyses a limited number of variables at once.
#[test]
fn all_variables_count() {
    assert_eq!(chain(5_000, read_at(20, 5_000)), "");
    assert_eq!(chain(5_000, read_at(21, 5_000)), REFUSED);
}

#[test]
fn a_variable_is_not_live_before_an_assignment() {
    let again = |at: usize| match at {
        200 => format!("Type: Pass, {}, Next: S201", assign(MANY)),
        _ => read_at(401, MANY)(at),
    };
    assert_eq!(chain(MANY, again), "");
}

#[test]
fn a_variable_is_live_before_an_assignment_in_one_arm() {
    let again = |at: usize| match at {
        200 => {
            let rule = format!("Variable: $.n, NumericEquals: 1, {}, Next: S201", assign(MANY));
            format!("Type: Choice, Choices: [{{ {rule} }}], Default: S201")
        }
        _ => read_at(401, MANY)(at),
    };
    assert_eq!(chain(MANY, again), REFUSED);
}

/// The analysis of a cycle visits its states again. The state that reads leads out of the cycle.
#[test]
fn a_variable_is_live_in_the_whole_cycle_before_its_read() {
    let cycle = |last: usize| {
        move |at: usize| match at {
            1 => {
                let rule = format!("Variable: $.n, NumericEquals: 1, Next: S{}", last + 1);
                format!("Type: Choice, Choices: [{{ {rule} }}], Default: S2")
            }
            _ if at == last => "Type: Pass, Next: S1".to_owned(),
            _ => read_at(last + 1, MANY)(at),
        }
    };
    assert_eq!(chain(MANY, cycle(399)), "");
    assert_eq!(chain(MANY, cycle(400)), REFUSED);
}

/// The state with the scope and the state in it both carry the variables.
#[test]
fn a_variable_that_an_inner_scope_reads_is_live_in_the_state_around_it() {
    let inner = |last: usize, make: fn(String) -> String| {
        move |at: usize| match at == last {
            true => {
                let scope = format!("StartAt: One, States: {{ One: {{ Type: Pass, {}, End: true }} }}", read(MANY));
                format!("{}, Next: S{}", make(scope), at + 1)
            }
            false => format!("Type: Pass, Next: S{}", at + 1),
        }
    };
    let map: fn(String) -> String = |scope| format!("Type: Map, ItemProcessor: {{ {scope} }}");
    let parallel: fn(String) -> String = |scope| format!("Type: Parallel, Branches: [{{ {scope} }}]");
    for make in [map, parallel] {
        assert_eq!(chain(MANY, inner(399, make)), "");
        assert_eq!(chain(MANY, inner(400, make)), REFUSED);
    }
}

#[test]
fn few_variables_are_accepted() {
    assert_eq!(chain(10, read_at(409, 10)), "");
}
