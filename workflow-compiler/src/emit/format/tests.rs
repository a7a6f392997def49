//! Layouts of every construct that the emitter prints: text that must come out of its own tokens unchanged.

use super::format;
use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// The tokens of a stream, without what a text cannot keep: how documentation is written, and where a sign belongs.
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

/// Checks that `text`, which starts with a line break, is the layout of its tokens.
#[track_caller]
fn keeps(text: &str) {
    let text = text.trim_start_matches('\n');
    let formatted = format(text.parse().unwrap());
    assert_eq!(formatted, text, "\n{formatted}");
    assert_eq!(tokens(&formatted), tokens(text));
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

    /// The graph.
    pub const GRAPH: &str = "a";

    type Turn = rt::Turn<State>;
    type Step = rt::Step<State>;

    fn nothing() {}
}
"#,
    );
}
