//! Layouts of every construct that the emitter prints. Each text must be the layout of its own
//! tokens.

mod commas;
mod labels;

use super::format;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// Returns the tokens of a stream, without what a text does not preserve: the form of
/// documentation and the spacing of punctuation.
fn flatten(stream: TokenStream, tokens: &mut Vec<String>) {
    for token in stream {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::None => ("", ""),
                };
                tokens.push(open.to_owned());
                flatten(group.stream(), tokens);
                tokens.push(close.to_owned());
            }
            TokenTree::Literal(literal) => match literal.to_string().strip_prefix('-') {
                Some(number) => tokens.extend(["-".to_owned(), number.to_owned()]),
                None => tokens.push(literal.to_string()),
            },
            token => tokens.push(token.to_string()),
        }
    }
}

fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    flatten(text.parse().unwrap(), &mut tokens);
    tokens
}

/// Returns the tokens without the commas that the layout may add.
fn tokens_but_commas(text: &str) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for token in tokens(text) {
        if matches!(&token[..], ")" | "]" | "}") && kept.last().is_some_and(|last| last == ",") {
            kept.pop();
        }
        kept.push(token);
    }
    kept
}

/// Asserts that `text`, which starts with a line break, is the layout of its tokens, with or
/// without commas before closing brackets.
#[track_caller]
fn keeps(text: &str) {
    keeps_as_written(text);
    let text = text.trim_start_matches('\n');
    let bare = format(without_last_commas(text).parse().unwrap());
    assert_eq!(bare, text, "\n{bare}");
}

/// Asserts like `keeps`, with unchanged commas.
#[track_caller]
fn keeps_as_written(text: &str) {
    let text = text.trim_start_matches('\n');
    let formatted = format(text.parse().unwrap());
    assert_eq!(formatted, text, "\n{formatted}");
    assert_eq!(tokens(&formatted), tokens(text));
}

/// Returns a text whose lists of several lines do not end in commas.
fn without_last_commas(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let closes = |line: Option<&&str>| line.is_some_and(|line| line.trim_start().starts_with([')', ']']));
    let bare = lines.iter().enumerate().map(|(at, line)| match closes(lines.get(at + 1)) {
        true => line.strip_suffix(',').unwrap_or(line),
        false => line,
    });
    bare.collect::<Vec<_>>().join("\n")
}

/// Asserts the layout of `source`.
#[track_caller]
fn becomes(source: &str, text: &str) {
    assert_eq!(format(source.parse().unwrap()), text.trim_start_matches('\n'));
}

/// Asserts the layout of the body of a function.
#[track_caller]
fn keeps_body(body: &str) {
    keeps(&format!("fn f() {{{body}}}\n"));
}

#[test]
fn items_are_apart_and_lines_together() {
    keeps(
        r#"
/// The workflow.
#[allow(warnings, clippy::all)]
pub mod order {
    use super::*;
    use ::workflow_runtime::__private::{self as rt, Fault, Get as _, Value, asl};

    /// The type.
    pub struct Order;

    impl rt::Workflow for Order {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    #[doc(hidden)]
    pub struct Bound<'t, T>(pub &'t T);

    static A: &rt::Task = &DEFINITION.tasks[0];
    static B: &rt::Task = &DEFINITION.tasks[1];

    static C: &[rt::Retrier] = &[rt::Retrier {
        errors: &["StoreBusy", "States.Timeout"],
        interval_seconds: 1.0,
        max_attempts: 4,
        backoff_rate: 2.0,
    }];

    /// The graph.
    pub const GRAPH: &str = "a";

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    const _: () = {
        #[deprecated(note = "slow")]
        const SLOW: () = ();
        SLOW
    };

    fn nothing() {}

    pub trait Nothing {}

    extern "C" {
        pub unsafe fn outside(x: *const u8, y: *mut [u8; 4]);
    }
}
"#,
    );
}

#[test]
fn members_have_lines_of_their_own() {
    keeps(
        "
pub enum State {
    /// The start.
    Start(Value),
    Retry(Value, rt::Retries),
    Done,
    Named { at: usize, name: String },
}

pub struct Pair<T: Send> {
    pub left: T,
    right: Option<Box<dyn Fn(&T) -> bool + Send + 'static>>,
}
",
    );
}

#[test]
fn documentation_is_a_comment_where_it_can_be() {
    becomes(r#"#[doc = " x"] type A = B;"#, "/// x\ntype A = B;\n");
    becomes(r#"#[doc = " x\n\n y */ \"z\" \u{e9} \\"] type A = B;"#, "/// x\n///\n/// y */ \"z\" é \\\ntype A = B;\n");
    becomes("mod a { /// x\n\n ///\n type A = B; }", "mod a {\n    /// x\n    ///\n    type A = B;\n}\n");
    // Four slashes are not documentation. A bare carriage return or a bidirectional mark is
    // refused.
    for literal in [r#""/x""#, r#"" x\n/""#, r#"" x\ry""#, r#"" x\u{202e}y""#, r#"" x\0""#, r#"include_str!("x")"#] {
        keeps(&format!("#[doc = {literal}]\ntype A = B;\n"));
    }
    // Bidirectional marks, and characters that end a line in some editors.
    for literal in [r#"" x\u{200e}y""#, r#"" x\u{61c}y""#, r#"" x\u{2028}y""#, r#"" x\u{2029}y""#] {
        keeps(&format!("#[doc = {literal}]\ntype A = B;\n"));
    }
    keeps("#[doc(hidden)]\n#[cfg(all(feature = \"a\", not(test)))]\ntype A = B;\n");
    keeps("#![allow(unused)]\ntype A = B;\n");
}

#[test]
fn signatures_are_broken_between_parameters() {
    keeps(
        "
pub async fn run<T: Tasks>(tasks: &T, input: impl Into<Value>) -> Result<Value, Fault> {
    rt::run::<Order>(&Bound(tasks), input.into()).await
}

pub trait Tasks: Send + Sync {
    /// A task.
    fn task(
        &self,
        input: Value,
        cx: rt::TaskContext,
    ) -> impl ::core::future::Future<Output = Result<Value, Fault>> + Send;

    fn other<'a>(&'a mut self, r: &mut rt::Reader<'_>) -> &'a [u8; 4];
}

fn charge_card_failed(
    mut data: Value,
    mut retries: Retries,
    callback: fn(&Value, u8) -> bool,
    fault: Fault,
    turn: &mut T,
) -> TurnResult {
    Err(fault)
}
",
    );
}

#[test]
fn statements_have_lines_of_their_own() {
    keeps_body(
        r#"
    let (a, mut b): (Value, Option<Vec<u8>>) = (c, d.clone());
    let &[x, ..] = &y[1..];
    let z = -1 + a as i64 * !b & c[i + 1] - *d;
    let tests = if let Some(a) = b { a } else { return None };
    b.c += 1;
    if !a.is_b() && c || d < e {
        return;
    }
    if let Err(fault) = asl::put(&mut d, &["a"], result) {
        return rt::wait(State::Retry(d, retries));
    } else if a {
        b
    } else {
        c
    }
    for (key, value) in members {
        put(key, value);
    }
    loop {
        break;
    }
    while let Some(x) = next() {}
    unsafe {
        call();
    }
    {
        call()
    }
    match a {
        Some(b) if c => b,
        A::B { c, .. } | A::C(..) => {}
        1..=5 | -1 => return,
        _ => {
            b();
            c
        }
    }
    rt::row! {
        a;
    }
    vec![1, 2];
    x?.y()?
"#,
    );
}

#[test]
fn short_choices_are_the_value_of_a_binding() {
    keeps_body(
        "
    let a = if b { c } else { d };
    let a = if something_that_is_long_enough_to_be_broken {
        first
    } else if other {
        second
    } else {
        third
    };
",
    );
    keeps_body("\n    if a {\n        b\n    } else {\n        c\n    }\n");
}

#[test]
fn values_move_to_the_next_line_if_they_fit_there() {
    keeps_body(
        r#"
    let request =
        turn.invoke(SOMETHING_THAT_IS_LONG, asl::field(&d, &["a", "b", "c"], "a.b.c.$")?, another_argument);
    let text = "0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789";
    State::ChargeCardRetry(d, retries, something_else_that_is_longer) =
        charge_card_try_with_a_long_name(d, retries, something_else, turn);
"#,
    );
}

#[test]
fn calls_are_broken_within_their_only_argument() {
    keeps_body(
        r#"
    rt::wait(State::GetLock(
        d,
        sf_table_semaphore,
        sf_lock_name,
        sf_concurrent_access_limit,
        sf_lambda_arn_of_the_task,
        e,
    ));
    Some(rt::string("The order could not be fulfilled; nothing was charged and nothing is reserved by us"));
    let request = rt::attempt(|| Ok(rt::object([
        ("order", asl::field(&d, &["id"], "order.$")?.clone()),
        ("items", asl::field(&d, &["items"], "items.$")?.clone()),
    ])));
    &POINTS[match self {
        A => 1,
        B => 2,
    }]
"#,
    );
}

#[test]
fn pairs_are_broken_within_their_value() {
    keeps_body(
        r#"
    let request = rt::object([
        ("Prompt", asl::format(&["Human: ", "Assistant:"], &[asl::require_argument(
            d.get("prompt"),
            &d,
            "$.prompt",
            "States.Format('Human: {}, Assistant:', $.prompt)",
        )?])),
        ("Resource", asl::require_field(
            d.get("detail").get("requests").get(0).get("resource"),
            &d,
            "$.detail.requests[0].resource",
        )?),
        (
            "Account",
            asl::field(&d, &["OrganizationalUnits", "CreateAccountStatus", "Account"], "Account.$")?.clone(),
        ),
        ("Text", rt::string("0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789 0123456789")),
    ]);
"#,
    );
}

#[test]
fn calls_are_broken_within_a_list_that_comes_last() {
    keeps_body(
        r#"
    let request = rt::object([
        ("Item", rt::object([
            ("LockName", rt::object([("S", sf_lock_name.clone())])),
            ("currentlockcount", LITERAL_2_WITH_A_LONG_NAME_THAT_FILLS.clone()),
        ])),
        ("ExpressionAttributeValues", rt::object([
            (":lockname", rt::object([("S", sf_lock_name.clone()), ("N", sf_lock_number.clone())])),
        ])),
        (
            "UpdateExpression",
            rt::string("SET #currentlockcount = #currentlockcount - :decrease REMOVE #lockownerid, more"),
        ),
    ]);
    asl::format(&["order ", ""], &[
        asl::require_argument(d.get("id"), &d, "$.id", "States.Format('order {}', $.id, $.other)")?,
        turn.context(),
    ]);
    node.union(|node| {
        let first = node.name("a");
        first
    });
    call(a, async move {
        b;
    });
"#,
    );
}

#[test]
fn lists_are_broken_at_their_commas() {
    keeps_body(
        r#"
    asl::string_equals(
        asl::subject(&d, &["result", "NewAccount", "CreateAccountStatus", "State", "Detail"])?,
        "IN_PROGRESS_OR_DONE",
    );
    let limits = rt::Limits { concurrency: 0, ..rt::Limits::default() };
    let limits = rt::Limits {
        concurrency: rt::count(asl::field(&d, &["limits", "concurrency"], "limits.concurrency.$")?)?,
        tolerated_count: Some(rt::count(&d)?),
        ..rt::Limits::default()
    };
    let numbers = [
        1000, 1001, 1002, 1003, 1004, 1005, 1006, 1007, 1008, 1009, 1010, 1011, 1012, 1013, 1014, 1015, 1016,
        1017, -1018,
    ];
    g((a,));
"#,
    );
}

#[test]
fn chains_are_broken_before_their_links() {
    keeps_body(
        r#"
    d.get("detail")
        .get("configuration")
        .get("metrics")
        .get(0)
        .get("metricStat")
        .get("metric_with_a_long_name")
        .get("namespace");
    let nodes = jsonpath::select(&d)
        .name("approaches")
        .matching(|current| jsonpath::jayway_equal(current.get("workerId"), d.get("agent_id")))
        .collect();
    let value =
        asl::require_path(result.get("Payload"), &result, "$.Payload", &[rt::At::Key("Payload"), x])?.clone();
    let d = asl::require_path(result.get("Payload"), &result, "$.Payloads[0]", &[rt::At::Key("Payload")])?
        .clone();
    let value = asl::require_field(
        turn.context().get("Execution").get("Input").get("detail").get("quantity"),
        &d,
        "$$.Execution.Input.detail.quantity",
    )?
    .clone();
    turn.invoke(SOME_TASK).credentials(credentials).configure(
        first_argument_of_the_call,
        second_argument_of_the_call,
        third_argument_of_the_call,
    );
    self.0.task(input, cx)
"#,
    );
}

#[test]
fn conditions_are_broken_before_their_operators() {
    keeps_body(
        r#"
    if asl::is_present(d.get("iteration_count"))
        && (asl::string_equals(asl::subject(&d, &["detail", "state", "value"])?, "ALARM")
            || asl::string_equals(asl::subject(&d, &["detail", "state", "value"])?, "INSUFFICIENT_DATA"))
        && a
    {
        b
    } else if asl::string_equals(
        asl::subject(&d, &["result", "NewAccount", "CreateAccountStatus", "State"])?,
        "FAILED_FOR_SOME_REASON",
    ) {
        c
    } else {
        d
    }
"#,
    );
}

#[test]
fn arms_are_broken_as_values_are() {
    keeps_body(
        r#"
    let result = match outcome {
        Ok(value) => value,
        Err(fault) =>
            return release_lock_failed(d, sf_table_semaphore, sf_lock_name, retries, fault, other, turn),
        State::ReserveStock(
            d,
            inventory_table_name,
            inventory_event_bus_name,
            inventory_reservation_table_name,
            more,
        ) => match index {
            0 => a,
            _ => b,
        },
        1000 | 1001 | 1002 | 1003 | 1004 | 1005 | 1006 | 1007 | 1008 | 1009 | 1010 | 1011 | 1012 | 1013
        | 1014 | 1015 | 1016 => c,
        #[cfg(test)]
        _ => unreachable!("{}", 1),
    };
"#,
    );
}

#[test]
fn tables_have_a_line_for_each_row() {
    keeps(
        r#"
rt::machine! {
    /// The start of the top level, which is where an execution starts; nothing is known then but
    /// its input.
    Start(d: Value) => start, "start", [d, retries, something_else, something_else, something_else, and_more];
    Named { d: Value } => resume done(d) { else failed(d) fork [A(d.clone()), B] };
    states;
    "Done" =>;
}

definition! {}
"#,
    );
}

#[test]
fn tokens_stay_apart_as_they_were() {
    keeps_body(
        r##"
    let a: <Vec<Vec<u8>> as IntoIterator>::Item = Vec::<Vec<u8>>::new();
    let b = move || a(&&x, &mut *y, !-z);
    let c: Box<dyn for<'a> Fn(&'a u8)> = |x: &u8| x;
    let d = a < b && c > d;
    let e = r#type(r#"x"#, b"y", 'z', 1u8, 2.5e3);
    let f = (1..2, ..3, 4.., ..=5, ..);
    x @ (A | B);
    size_of::<dyn ?Sized + 'static>();
"##,
    );
}

#[test]
fn tokens_that_are_not_rust_are_printed_too() {
    let odd = [
        "",
        ";",
        ";;",
        "=> , =>",
        "a b c",
        "{",
        "if",
        "if {",
        "match",
        "# ! [",
        "else { }",
        "< < >",
        "| a | | b",
        "fn",
        "fn f",
        "impl",
        "a . . b",
        "? ? !",
        "let = ;",
        "#!",
        "$ x",
        "{ , }",
        "( ; )",
        "[ => ]",
        "#[doc = \" x\"] ;",
        "(#[doc = \" x\"] , a)",
        "use { { } }",
    ];
    for text in odd {
        let text = match text {
            "{" | "if {" => format!("{text} }}"),
            "# ! [" => format!("{text} ]"),
            text => text.to_owned(),
        };
        for text in [text.clone(), format!("fn f() {{ {text} }}"), format!("f(match a {{ {text} }}, {text})")] {
            let formatted = format(text.parse().unwrap());
            assert_eq!(tokens_but_commas(&formatted), tokens_but_commas(&text), "{text}: {formatted}");
        }
    }
}

#[test]
fn deep_and_wide_code_is_printed() {
    let deep = format!("fn f() {{ {}x{} }}", "a([(b, ".repeat(100), ")])".repeat(100));
    let wide = format!("fn f() {{ x{}; y{} }}", ".a(y)".repeat(10_000), " && y".repeat(10_000));
    for text in [deep, wide] {
        assert_eq!(tokens_but_commas(&format(text.parse().unwrap())), tokens_but_commas(&text));
    }
}
