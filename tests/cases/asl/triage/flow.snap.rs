// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `triage` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod triage {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value, asl};

    /// The workflow `triage`: Sorts reports: every comparison of a Choice state is met on the
    /// way.
    pub struct Triage;

    impl Triage {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Triage, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `triage`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `triage`",
        label = "the trait `triage::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl triage::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Triage {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "triage",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 8027376659505135803,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new(
                "Kind",
                "Choice",
                5,
                &["Missing", "Null", "Booleans", "Numbers", "Timestamps", "Strings", "Other"],
            ),
            rt::StateInfo::new("Missing", "Pass", 17, &[]),
            rt::StateInfo::new("Null", "Pass", 18, &[]),
            rt::StateInfo::new("Other", "Pass", 19, &[]),
            rt::StateInfo::new("Booleans", "Choice", 20, &["No", "As The Flag", "Unlike The Flag"]),
            rt::StateInfo::new("No", "Pass", 28, &[]),
            rt::StateInfo::new("As The Flag", "Pass", 29, &[]),
            rt::StateInfo::new("Unlike The Flag", "Pass", 30, &[]),
            rt::StateInfo::new(
                "Numbers",
                "Choice",
                31,
                &["One", "The Number", "Very Negative", "Negative", "Huge", "Large", "Outside", "Lowest", "Inside"],
            ),
            rt::StateInfo::new("One", "Pass", 57, &[]),
            rt::StateInfo::new("The Number", "Pass", 58, &[]),
            rt::StateInfo::new("Very Negative", "Pass", 59, &[]),
            rt::StateInfo::new("Negative", "Pass", 60, &[]),
            rt::StateInfo::new("Huge", "Pass", 61, &[]),
            rt::StateInfo::new("Large", "Pass", 62, &[]),
            rt::StateInfo::new("Outside", "Pass", 63, &[]),
            rt::StateInfo::new("Lowest", "Pass", 64, &[]),
            rt::StateInfo::new("Inside", "Pass", 65, &[]),
            rt::StateInfo::new(
                "Timestamps",
                "Choice",
                66,
                &["Millennium", "The Time", "Before Unix", "Last Century", "Far", "Edge", "Out Of Range", "In Range"],
            ),
            rt::StateInfo::new("Millennium", "Pass", 93, &[]),
            rt::StateInfo::new("The Time", "Pass", 94, &[]),
            rt::StateInfo::new("Before Unix", "Pass", 95, &[]),
            rt::StateInfo::new("Last Century", "Pass", 96, &[]),
            rt::StateInfo::new("Far", "Pass", 97, &[]),
            rt::StateInfo::new("Edge", "Pass", 98, &[]),
            rt::StateInfo::new("Out Of Range", "Pass", 99, &[]),
            rt::StateInfo::new("In Range", "Pass", 100, &[]),
            rt::StateInfo::new(
                "Strings",
                "Choice",
                101,
                &[
                    "Empty",
                    "The Word",
                    "Logs",
                    "Text",
                    "Before Letters",
                    "Capital",
                    "After Letters",
                    "Late",
                    "Not In The Book",
                    "In The Book",
                ],
            ),
            rt::StateInfo::new("Empty", "Pass", 128, &[]),
            rt::StateInfo::new("The Word", "Pass", 129, &[]),
            rt::StateInfo::new("Logs", "Pass", 130, &[]),
            rt::StateInfo::new("Text", "Pass", 131, &[]),
            rt::StateInfo::new("Before Letters", "Pass", 132, &[]),
            rt::StateInfo::new("Capital", "Pass", 133, &[]),
            rt::StateInfo::new("After Letters", "Pass", 134, &[]),
            rt::StateInfo::new("Late", "Pass", 135, &[]),
            rt::StateInfo::new("Not In The Book", "Pass", 136, &[]),
            rt::StateInfo::new("In The Book", "Pass", 137, &[]),
        ],
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
                State::Entry(d) => kind(d, turn),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `Kind`, `flow.asl.json:5`.
    fn kind(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Kind", &d);
        if !asl::is_present(d.get("value")) {
            missing(d, turn)
        } else if asl::is_null(asl::subject(&d, &["value"])?) {
            null(d, turn)
        } else if asl::is_boolean(asl::subject(&d, &["value"])?) {
            booleans(d, turn)
        } else if asl::is_numeric(asl::subject(&d, &["value"])?) {
            numbers(d, turn)
        } else if asl::is_timestamp(asl::subject(&d, &["value"])?) {
            timestamps(d, turn)
        } else if asl::is_string(asl::subject(&d, &["value"])?) {
            strings(d, turn)
        } else {
            other(d, turn)
        }
    }

    /// `Missing`, `flow.asl.json:17`.
    fn missing(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Missing", &d);
        rt::done(rt::string("missing"))
    }

    /// `Null`, `flow.asl.json:18`.
    fn null(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Null", &d);
        rt::done(rt::string("null"))
    }

    /// `Other`, `flow.asl.json:19`.
    fn other(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Other", &d);
        rt::done(rt::string("other"))
    }

    /// `Booleans`, `flow.asl.json:20`.
    fn booleans(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Booleans", &d);
        if asl::boolean_equals(asl::subject(&d, &["value"])?, false) {
            no(d, turn)
        } else if asl::boolean_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["flag"])?) {
            as_the_flag(d, turn)
        } else {
            unlike_the_flag(d, turn)
        }
    }

    /// `No`, `flow.asl.json:28`.
    fn no(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("No", &d);
        rt::done(rt::string("no"))
    }

    /// `As The Flag`, `flow.asl.json:29`.
    fn as_the_flag(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("As The Flag", &d);
        rt::done(rt::string("as the flag"))
    }

    /// `Unlike The Flag`, `flow.asl.json:30`.
    fn unlike_the_flag(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Unlike The Flag", &d);
        rt::done(rt::string("unlike the flag"))
    }

    /// `Numbers`, `flow.asl.json:31`.
    fn numbers(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Numbers", &d);
        if asl::numeric_equals(asl::subject(&d, &["value"])?, 1) {
            one(d, turn)
        } else if asl::numeric_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["number"])?) {
            the_number(d, turn)
        } else if asl::numeric_less_than(asl::subject(&d, &["value"])?, -100) {
            very_negative(d, turn)
        } else if asl::numeric_less_than_equals(asl::subject(&d, &["value"])?, -10.5) {
            negative(d, turn)
        } else if asl::numeric_greater_than(asl::subject(&d, &["value"])?, 1000.0) {
            huge(d, turn)
        } else if asl::numeric_greater_than_equals(asl::subject(&d, &["value"])?, 100) {
            large(d, turn)
        } else if asl::numeric_less_than_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["low"])?)
            || asl::numeric_greater_than_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["high"])?)
        {
            outside(d, turn)
        } else if asl::numeric_less_than_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["low"])?)
            && asl::numeric_greater_than_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["low"])?)
        {
            lowest(d, turn)
        } else {
            inside(d, turn)
        }
    }

    /// `One`, `flow.asl.json:57`.
    fn one(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("One", &d);
        rt::done(rt::string("one"))
    }

    /// `The Number`, `flow.asl.json:58`.
    fn the_number(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("The Number", &d);
        rt::done(rt::string("the number"))
    }

    /// `Very Negative`, `flow.asl.json:59`.
    fn very_negative(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Very Negative", &d);
        rt::done(rt::string("very negative"))
    }

    /// `Negative`, `flow.asl.json:60`.
    fn negative(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Negative", &d);
        rt::done(rt::string("negative"))
    }

    /// `Huge`, `flow.asl.json:61`.
    fn huge(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Huge", &d);
        rt::done(rt::string("huge"))
    }

    /// `Large`, `flow.asl.json:62`.
    fn large(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Large", &d);
        rt::done(rt::string("large"))
    }

    /// `Outside`, `flow.asl.json:63`.
    fn outside(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Outside", &d);
        rt::done(rt::string("outside"))
    }

    /// `Lowest`, `flow.asl.json:64`.
    fn lowest(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Lowest", &d);
        rt::done(rt::string("lowest"))
    }

    /// `Inside`, `flow.asl.json:65`.
    fn inside(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Inside", &d);
        rt::done(rt::string("inside"))
    }

    /// `Timestamps`, `flow.asl.json:66`.
    fn timestamps(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Timestamps", &d);
        if asl::timestamp_equals(asl::subject(&d, &["value"])?, "2000-01-01T00:00:00Z") {
            millennium(d, turn)
        } else if asl::timestamp_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["time"])?) {
            the_time(d, turn)
        } else if asl::timestamp_less_than(asl::subject(&d, &["value"])?, "1970-01-01T00:00:00Z") {
            before_unix(d, turn)
        } else if asl::timestamp_less_than_equals(asl::subject(&d, &["value"])?, "1999-12-31T23:59:59.999Z") {
            last_century(d, turn)
        } else if asl::timestamp_greater_than(asl::subject(&d, &["value"])?, "2100-01-01T00:00:00+14:00") {
            far(d, turn)
        } else if asl::timestamp_greater_than_equals(asl::subject(&d, &["value"])?, "2099-12-31T10:00:00Z") {
            edge(d, turn)
        } else if asl::timestamp_less_than_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["from"])?)
            || asl::timestamp_greater_than_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["to"])?)
        {
            out_of_range(d, turn)
        } else if !(!asl::timestamp_less_than_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["to"])?)
            || !asl::timestamp_greater_than_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["from"])?))
        {
            in_range(d, turn)
        } else {
            Err(asl::no_transition())
        }
    }

    /// `Millennium`, `flow.asl.json:93`.
    fn millennium(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Millennium", &d);
        rt::done(rt::string("millennium"))
    }

    /// `The Time`, `flow.asl.json:94`.
    fn the_time(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("The Time", &d);
        rt::done(rt::string("the time"))
    }

    /// `Before Unix`, `flow.asl.json:95`.
    fn before_unix(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Before Unix", &d);
        rt::done(rt::string("before unix"))
    }

    /// `Last Century`, `flow.asl.json:96`.
    fn last_century(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Last Century", &d);
        rt::done(rt::string("last century"))
    }

    /// `Far`, `flow.asl.json:97`.
    fn far(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Far", &d);
        rt::done(rt::string("far"))
    }

    /// `Edge`, `flow.asl.json:98`.
    fn edge(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Edge", &d);
        rt::done(rt::string("edge"))
    }

    /// `Out Of Range`, `flow.asl.json:99`.
    fn out_of_range(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Out Of Range", &d);
        rt::done(rt::string("out of range"))
    }

    /// `In Range`, `flow.asl.json:100`.
    fn in_range(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("In Range", &d);
        rt::done(rt::string("in range"))
    }

    /// `Strings`, `flow.asl.json:101`.
    fn strings(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Strings", &d);
        if asl::string_equals(asl::subject(&d, &["value"])?, "") {
            empty(d, turn)
        } else if asl::string_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["word"])?) {
            the_word(d, turn)
        } else if asl::string_matches(asl::subject(&d, &["value"])?, "log-*.\\*") {
            logs(d, turn)
        } else if asl::string_matches(asl::subject(&d, &["value"])?, "*.txt") {
            text(d, turn)
        } else if asl::string_less_than(asl::subject(&d, &["value"])?, "A") {
            before_letters(d, turn)
        } else if asl::string_less_than_equals(asl::subject(&d, &["value"])?, "Z") {
            capital(d, turn)
        } else if asl::string_greater_than(asl::subject(&d, &["value"])?, "z") {
            after_letters(d, turn)
        } else if asl::string_greater_than_equals(asl::subject(&d, &["value"])?, "y") {
            late(d, turn)
        } else if asl::string_less_than_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["first"])?)
            || asl::string_greater_than_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["last"])?)
        {
            not_in_the_book(d, turn)
        } else if asl::string_less_than_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["last"])?)
            && asl::string_greater_than_equals_path(asl::subject(&d, &["value"])?, asl::subject(&d, &["first"])?)
        {
            in_the_book(d, turn)
        } else {
            Err(asl::no_transition())
        }
    }

    /// `Empty`, `flow.asl.json:128`.
    fn empty(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Empty", &d);
        rt::done(rt::string("empty"))
    }

    /// `The Word`, `flow.asl.json:129`.
    fn the_word(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("The Word", &d);
        rt::done(rt::string("the word"))
    }

    /// `Logs`, `flow.asl.json:130`.
    fn logs(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Logs", &d);
        rt::done(rt::string("logs"))
    }

    /// `Text`, `flow.asl.json:131`.
    fn text(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Text", &d);
        rt::done(rt::string("text"))
    }

    /// `Before Letters`, `flow.asl.json:132`.
    fn before_letters(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Before Letters", &d);
        rt::done(rt::string("before letters"))
    }

    /// `Capital`, `flow.asl.json:133`.
    fn capital(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Capital", &d);
        rt::done(rt::string("capital"))
    }

    /// `After Letters`, `flow.asl.json:134`.
    fn after_letters(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("After Letters", &d);
        rt::done(rt::string("after letters"))
    }

    /// `Late`, `flow.asl.json:135`.
    fn late(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Late", &d);
        rt::done(rt::string("late"))
    }

    /// `Not In The Book`, `flow.asl.json:136`.
    fn not_in_the_book(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("Not In The Book", &d);
        rt::done(rt::string("not in the book"))
    }

    /// `In The Book`, `flow.asl.json:137`.
    fn in_the_book(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("In The Book", &d);
        rt::done(rt::string("in the book"))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"Kind\" as s0\n    state \"Missing\" as s1\n",
        "    state \"Null\" as s2\n    state \"Other\" as s3\n    state \"Booleans\" as s4\n",
        "    state \"No\" as s5\n    state \"As The Flag\" as s6\n",
        "    state \"Unlike The Flag\" as s7\n    state \"Numbers\" as s8\n",
        "    state \"One\" as s9\n    state \"The Number\" as s10\n",
        "    state \"Very Negative\" as s11\n    state \"Negative\" as s12\n",
        "    state \"Huge\" as s13\n    state \"Large\" as s14\n    state \"Outside\" as s15\n",
        "    state \"Lowest\" as s16\n    state \"Inside\" as s17\n",
        "    state \"Timestamps\" as s18\n    state \"Millennium\" as s19\n",
        "    state \"The Time\" as s20\n    state \"Before Unix\" as s21\n",
        "    state \"Last Century\" as s22\n    state \"Far\" as s23\n    state \"Edge\" as s24\n",
        "    state \"Out Of Range\" as s25\n    state \"In Range\" as s26\n",
        "    state \"Strings\" as s27\n    state \"Empty\" as s28\n",
        "    state \"The Word\" as s29\n    state \"Logs\" as s30\n    state \"Text\" as s31\n",
        "    state \"Before Letters\" as s32\n    state \"Capital\" as s33\n",
        "    state \"After Letters\" as s34\n    state \"Late\" as s35\n",
        "    state \"Not In The Book\" as s36\n    state \"In The Book\" as s37\n    [*] --> s0\n",
        "    s0 --> s1 : $.value is not present\n    s0 --> s2 : $.value is null\n",
        "    s0 --> s4 : $.value is a boolean\n    s0 --> s8 : $.value is numeric\n",
        "    s0 --> s18 : $.value is a timestamp\n    s0 --> s27 : $.value is a string\n",
        "    s0 --> s3 : otherwise\n    s1 --> [*]\n    s2 --> [*]\n    s3 --> [*]\n",
        "    s4 --> s5 : $.value = false\n    s4 --> s6 : $.value = $.flag\n",
        "    s4 --> s7 : otherwise\n    s5 --> [*]\n    s6 --> [*]\n    s7 --> [*]\n",
        "    s8 --> s9 : $.value = 1\n    s8 --> s10 : $.value = $.number\n",
        "    s8 --> s11 : $.value #60; -100\n    s8 --> s12 : $.value ≤ -10.5\n",
        "    s8 --> s13 : $.value #62; 1000\n    s8 --> s14 : $.value ≥ 100\n",
        "    s8 --> s15 : $.value #60; $.low or $.value #62; $.high\n",
        "    s8 --> s16 : $.value ≤ $.low and $.value ≥ $.low\n    s8 --> s17 : otherwise\n",
        "    s9 --> [*]\n    s10 --> [*]\n    s11 --> [*]\n    s12 --> [*]\n    s13 --> [*]\n",
        "    s14 --> [*]\n    s15 --> [*]\n    s16 --> [*]\n    s17 --> [*]\n",
        "    s18 --> s19 : $.value = #34;2000-01-01T00#58;00#58;00Z#34;\n",
        "    s18 --> s20 : $.value = $.time\n",
        "    s18 --> s21 : $.value #60; #34;1970-01-01T00#58;00#58;00Z#34;\n",
        "    s18 --> s22 : $.value ≤ #34;1999-12-31T23#58;59#58;59.999Z#34;\n",
        "    s18 --> s23 : $.value #62; #34;2100-01-01T00#58;00#58;00+14#58;00#34;\n",
        "    s18 --> s24 : $.value ≥ #34;2099-12-31T10#58;00#58;00Z#34;\n",
        "    s18 --> s25 : $.value #60; $.from or $.value #62; $.to\n",
        "    s18 --> s26 : not (not ($.value ≤ $.to) or not ($.value ≥ $.from))\n",
        "    s19 --> [*]\n    s20 --> [*]\n    s21 --> [*]\n    s22 --> [*]\n    s23 --> [*]\n",
        "    s24 --> [*]\n    s25 --> [*]\n    s26 --> [*]\n",
        "    s27 --> s28 : $.value = #34;#34;\n    s27 --> s29 : $.value = $.word\n",
        "    s27 --> s30 : $.value matches #34;log-#42;.#92;#92;#42;#34;\n",
        "    s27 --> s31 : $.value matches #34;#42;.txt#34;\n",
        "    s27 --> s32 : $.value #60; #34;A#34;\n    s27 --> s33 : $.value ≤ #34;Z#34;\n",
        "    s27 --> s34 : $.value #62; #34;z#34;\n    s27 --> s35 : $.value ≥ #34;y#34;\n",
        "    s27 --> s36 : $.value #60; $.first or $.value #62; $.last\n",
        "    s27 --> s37 : $.value ≤ $.last and $.value ≥ $.first\n    s28 --> [*]\n",
        "    s29 --> [*]\n    s30 --> [*]\n    s31 --> [*]\n    s32 --> [*]\n    s33 --> [*]\n",
        "    s34 --> [*]\n    s35 --> [*]\n    s36 --> [*]\n    s37 --> [*]\n",
        "    classDef choice fill:#fef3c7,stroke:#d97706,color:#111827,stroke-dasharray:1 2\n",
        "    class s0,s4,s8,s18,s27 choice\n"
    );
}
