//! Generated from `receipt.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `receipt` of `receipt.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(
    nonstandard_style,
    clippy::enum_variant_names,
    clippy::upper_case_acronyms,
    reason = "names are authored"
)]
#[allow(
    clippy::just_underscores_and_digits,
    clippy::module_inception,
    reason = "names are authored"
)]
#[allow(
    clippy::if_same_then_else,
    clippy::too_many_arguments,
    reason = "as the definition demands"
)]
#[allow(
    clippy::approx_constant,
    clippy::needless_question_mark,
    reason = "as the definition demands"
)]
pub mod receipt {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value, schema};

    /// The workflow `receipt`.
    pub struct Receipt;

    impl Receipt {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(
            tasks: &T,
            input: impl rt::IntoInput<Value>,
        ) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Runs an execution in memory to its end, with the types of its input and output.
        pub async fn run_typed<T: Tasks>(
            tasks: &T,
            input: schemas::Input,
        ) -> Result<schemas::Output, Fault> {
            rt::Builder::<Receipt>::new()
                .tasks(Bound(tasks))
                .types::<schemas::Input, schemas::Output>(rt::write, rt::read)
                .run(input)
                .await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Receipt, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The types of the input and the output, from schemas and from the definition.
    pub mod schemas {
        pub use input::Input;

        /// The type of the input, and its parts.
        #[allow(missing_docs, reason = "a member need not have a description")]
        pub mod input {
            /// `Card`
            #[derive(
                ::workflow_runtime::__private::serde::Deserialize,
                ::workflow_runtime::__private::serde::Serialize,
                Clone,
                Debug,
                PartialEq
            )]
            #[serde(crate = "::workflow_runtime::__private::serde")]
            pub struct Card {
                pub number: ::std::string::String,
            }

            /// What somebody orders.
            #[derive(
                ::workflow_runtime::__private::serde::Deserialize,
                ::workflow_runtime::__private::serde::Serialize,
                Clone,
                Debug,
                PartialEq
            )]
            #[serde(crate = "::workflow_runtime::__private::serde")]
            #[serde(deny_unknown_fields)]
            pub struct Input {
                pub id: ::std::string::String,
                #[serde(
                    default,
                    skip_serializing_if = ":: std :: collections :: BTreeMap::is_empty"
                )]
                pub labels: ::std::collections::BTreeMap<
                    ::std::string::String,
                    ::std::string::String,
                >,
                pub lines: ::std::vec::Vec<Line>,
                #[serde(skip_serializing_if = "::std::option::Option::is_none")]
                pub more: ::std::option::Option<::workflow_runtime::Value>,
                /// For whoever packs it: ` no code `
                #[serde(skip_serializing_if = "::std::option::Option::is_none")]
                pub note: ::std::option::Option<::std::string::String>,
                pub pay: InputPay,
            }

            /// `InputPay`
            #[derive(
                ::workflow_runtime::__private::serde::Deserialize,
                ::workflow_runtime::__private::serde::Serialize,
                Clone,
                Debug,
                PartialEq
            )]
            #[serde(crate = "::workflow_runtime::__private::serde")]
            #[serde(untagged)]
            pub enum InputPay {
                Card(Card),
                InputPayVariant2(InputPayVariant2),
            }

            impl ::std::convert::From<Card> for InputPay {
                fn from(value: Card) -> Self {
                    Self::Card(value)
                }
            }

            impl ::std::convert::From<InputPayVariant2> for InputPay {
                fn from(value: InputPayVariant2) -> Self {
                    Self::InputPayVariant2(value)
                }
            }

            /// `InputPayVariant2`
            #[derive(
                ::workflow_runtime::__private::serde::Deserialize,
                ::workflow_runtime::__private::serde::Serialize,
                Clone,
                Copy,
                Debug,
                Eq,
                Hash,
                Ord,
                PartialEq,
                PartialOrd
            )]
            #[serde(crate = "::workflow_runtime::__private::serde")]
            pub enum InputPayVariant2 {
                #[serde(rename = "cash")]
                Cash,
                #[serde(rename = "invoice")]
                Invoice,
            }

            impl ::std::fmt::Display for InputPayVariant2 {
                fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                    match *self {
                        Self::Cash => f.write_str("cash"),
                        Self::Invoice => f.write_str("invoice"),
                    }
                }
            }

            impl ::std::str::FromStr for InputPayVariant2 {
                type Err = self::error::ConversionError;
                fn from_str(
                    value: &str,
                ) -> ::std::result::Result<Self, self::error::ConversionError> {
                    match value {
                        "cash" => Ok(Self::Cash),
                        "invoice" => Ok(Self::Invoice),
                        _ => Err("invalid value".into()),
                    }
                }
            }

            impl ::std::convert::TryFrom<&str> for InputPayVariant2 {
                type Error = self::error::ConversionError;
                fn try_from(
                    value: &str,
                ) -> ::std::result::Result<Self, self::error::ConversionError> {
                    value.parse()
                }
            }

            impl ::std::convert::TryFrom<::std::string::String> for InputPayVariant2 {
                type Error = self::error::ConversionError;
                fn try_from(
                    value: ::std::string::String,
                ) -> ::std::result::Result<Self, self::error::ConversionError> {
                    value.parse()
                }
            }

            /// `Line`
            #[derive(
                ::workflow_runtime::__private::serde::Deserialize,
                ::workflow_runtime::__private::serde::Serialize,
                Clone,
                Debug,
                PartialEq
            )]
            #[serde(crate = "::workflow_runtime::__private::serde")]
            pub struct Line {
                pub count: i64,
                #[serde(default, skip_serializing_if = "::std::vec::Vec::is_empty")]
                pub parts: ::std::vec::Vec<Line>,
                pub sku: ::std::string::String,
            }

            /// Error types.
            pub mod error {
                /// Error from a `TryFrom` or `FromStr` implementation.
                pub struct ConversionError(::std::borrow::Cow<'static, str>);

                impl ::std::error::Error for ConversionError {}

                impl ::std::fmt::Display for ConversionError {
                    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> Result<(), ::std::fmt::Error> {
                        ::std::fmt::Display::fmt(&self.0, f)
                    }
                }

                impl ::std::fmt::Debug for ConversionError {
                    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> Result<(), ::std::fmt::Error> {
                        ::std::fmt::Debug::fmt(&self.0, f)
                    }
                }

                impl From<&'static str> for ConversionError {
                    fn from(value: &'static str) -> Self {
                        Self(value.into())
                    }
                }

                impl From<String> for ConversionError {
                    fn from(value: String) -> Self {
                        Self(value.into())
                    }
                }
            }

            impl ::core::convert::From<Input> for ::workflow_runtime::Value {
                fn from(input: Input) -> Self {
                    ::workflow_runtime::__private::write(input).unwrap_or_default()
                }
            }
        }

        pub use output::Output;

        /// The type of the output, and its parts.
        #[allow(missing_docs, reason = "a member need not have a description")]
        pub mod output {
            /// `Output`
            #[derive(
                ::workflow_runtime::__private::serde::Deserialize,
                ::workflow_runtime::__private::serde::Serialize,
                Clone,
                Debug,
                PartialEq
            )]
            #[serde(crate = "::workflow_runtime::__private::serde")]
            pub struct Output {
                #[serde(skip_serializing_if = "::std::option::Option::is_none")]
                pub cents: ::std::option::Option<i64>,
                pub id: ::std::string::String,
            }

            /// Error types.
            pub mod error {
                /// Error from a `TryFrom` or `FromStr` implementation.
                pub struct ConversionError(::std::borrow::Cow<'static, str>);

                impl ::std::error::Error for ConversionError {}

                impl ::std::fmt::Display for ConversionError {
                    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> Result<(), ::std::fmt::Error> {
                        ::std::fmt::Display::fmt(&self.0, f)
                    }
                }

                impl ::std::fmt::Debug for ConversionError {
                    fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> Result<(), ::std::fmt::Error> {
                        ::std::fmt::Debug::fmt(&self.0, f)
                    }
                }

                impl From<&'static str> for ConversionError {
                    fn from(value: &'static str) -> Self {
                        Self(value.into())
                    }
                }

                impl From<String> for ConversionError {
                    fn from(value: String) -> Self {
                        Self(value.into())
                    }
                }
            }

            impl ::core::convert::TryFrom<::workflow_runtime::Value> for Output {
                type Error = ::workflow_runtime::ValueError;
                fn try_from(
                    output: ::workflow_runtime::Value,
                ) -> ::core::result::Result<Self, Self::Error> {
                    ::workflow_runtime::__private::read(output)
                }
            }
        }
    }

    /// The tasks of `receipt`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `receipt`",
        label = "the trait `receipt::Tasks` is not implemented for this type",
        note = "receipt.asl.json:1:1: the workflow is defined here",
        note = "write `impl receipt::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(
            &self,
            task: &'static rt::Task,
            _: Value,
            _: TaskContext,
        ) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Receipt {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "receipt",
        dialect: "asl",
        source: "receipt.asl.json",
        hash: 0,
        longest_task_seconds: Some(0.0),
        check_input: Some(|input| rt::schema::fits(input, &SCHEMA_2, "the input")),
        describe_input: Some(|| SCHEMA_2.document()),
        states: &[rt::StateInfo::new("Sum", "Pass", 1, &[])],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!((Entry(d), "entry", "", 16290513905774444234),);
        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => sum(d, turn),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Sum`, `receipt.asl.json:1`.
    fn sum(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Sum", &d);
        rt::done(schema::check(d, &SCHEMA_1, "the output")?)
    }

    static SCHEMA_1: rt::schema::Schema = rt::schema::Schema::new(
        "receipt.json",
        rt::schema::Draft::Draft202012,
        ::core::concat!(
            "{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":{\"type\":\"string\"},",
            "\"cents\":{\"type\":\"integer\"}}}"
        ),
    );
    static SCHEMA_2: rt::schema::Schema = rt::schema::Schema::new(
        "order.json",
        rt::schema::Draft::Draft7,
        ::core::concat!(
            "{\"type\":\"object\",\"required\":[\"id\",\"lines\",\"pay\"],\"additionalProperties\":fa",
            "lse,\"properties\":{\"id\":{\"type\":\"string\",\"pattern\":\"^[A-Z]+-[0-9]+$\"},\"lines",
            "\":{\"type\":\"array\",\"minItems\":1,\"items\":{\"$ref\":\"#/definitions/line\"}},\"pay",
            "\":{\"oneOf\":[{\"$ref\":\"#/definitions/card\"},{\"type\":\"string\",\"enum\":[\"cash\"",
            ",\"invoice\"]}]},\"note\":{\"type\":[\"string\",\"null\"]},\"labels\":{\"type\":\"object",
            "\",\"additionalProperties\":{\"type\":\"string\"}},\"more\":{}},\"definitions\":{\"line",
            "\":{\"type\":\"object\",\"required\":[\"sku\",\"count\"],\"properties\":{\"sku\":{\"type",
            "\":\"string\"},\"count\":{\"type\":\"integer\",\"minimum\":1},\"parts\":{\"type\":\"arra",
            "y\",\"items\":{\"$ref\":\"#/definitions/line\"}}}},\"card\":{\"type\":\"object\",\"requi",
            "red\":[\"number\"],\"properties\":{\"number\":{\"type\":\"string\",\"format\":\"uuid\"}}",
            "}}}"
        ),
    );

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = "stateDiagram-v2\n    state \"Sum\" as s0\n    [*] --> s0\n    s0 --> [*]\n";
}
