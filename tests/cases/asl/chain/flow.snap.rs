// Generated from `flow.asl.json` by workflow-compiler 0.1.0. Changes will be lost.

/// The workflow `chain` of `flow.asl.json`.
#[allow(dead_code, reason = "a program need not use every item")]
#[allow(nonstandard_style, clippy::enum_variant_names, clippy::upper_case_acronyms, reason = "names are authored")]
#[allow(clippy::just_underscores_and_digits, clippy::module_inception, reason = "names are authored")]
#[allow(clippy::if_same_then_else, clippy::too_many_arguments, reason = "as the definition demands")]
#[allow(clippy::approx_constant, clippy::needless_question_mark, reason = "as the definition demands")]
pub mod chain {
    use ::workflow_runtime::__private as rt;
    use rt::{Fault, Outcome, TaskContext, Value, asl, jsonpath};

    /// The workflow `chain`: Three hundred states that do not wait: the native stack must not
    /// grow with them.
    pub struct Chain;

    impl Chain {
        /// Runs an execution in memory to its end.
        pub async fn run<T: Tasks>(tasks: &T, input: impl rt::IntoInput<Value>) -> Result<Value, Fault> {
            Self::builder(tasks).run(input).await
        }

        /// Configures an execution in memory: name, clock, observers, callbacks, settings.
        pub fn builder<T: Tasks>(tasks: &T) -> rt::Builder<Chain, Bound<&T>> {
            rt::Builder::new().tasks(Bound(tasks))
        }

        /// Adapts tasks to engines: a reference, or an `Arc` for engines that keep them.
        pub fn bind<T: rt::Deref<Target: Tasks> + Send + Sync>(tasks: T) -> Bound<T> {
            Bound(tasks)
        }
    }

    /// The tasks of `chain`. It has none.
    #[diagnostic::on_unimplemented(
        message = "`{Self}` does not implement the tasks of the workflow `chain`",
        label = "the trait `chain::Tasks` is not implemented for this type",
        note = "flow.asl.json:1:1: the workflow is defined here",
        note = "write `impl chain::Tasks for {Self}`, with a method for each task key"
    )]
    pub trait Tasks: Send + Sync {}

    #[doc(hidden)]
    pub struct Bound<T>(pub T);

    impl<T: rt::Deref<Target: Tasks> + Send + Sync> rt::Invoke for Bound<T> {
        fn invoke(&self, task: &'static rt::Task, _: Value, _: TaskContext) -> rt::TaskFuture<'_> {
            rt::unknown_task(task)
        }
    }

    impl rt::Workflow for Chain {
        type State = State;
        const DEFINITION: &'static rt::Definition = &DEFINITION;
    }

    /// The definition as data.
    pub static DEFINITION: rt::Definition = rt::Definition {
        name: "chain",
        dialect: "asl",
        source: "flow.asl.json",
        hash: 11372494344198159886,
        longest_task_seconds: Some(0.0),
        states: &[
            rt::StateInfo::new("S1", "Pass", 5, &["S2"]),
            rt::StateInfo::new("S2", "Pass", 6, &["S3"]),
            rt::StateInfo::new("S3", "Pass", 7, &["S4"]),
            rt::StateInfo::new("S4", "Pass", 8, &["S5"]),
            rt::StateInfo::new("S5", "Pass", 9, &["S6"]),
            rt::StateInfo::new("S6", "Pass", 10, &["S7"]),
            rt::StateInfo::new("S7", "Pass", 11, &["S8"]),
            rt::StateInfo::new("S8", "Pass", 12, &["S9"]),
            rt::StateInfo::new("S9", "Pass", 13, &["S10"]),
            rt::StateInfo::new("S10", "Pass", 14, &["S11"]),
            rt::StateInfo::new("S11", "Pass", 15, &["S12"]),
            rt::StateInfo::new("S12", "Pass", 16, &["S13"]),
            rt::StateInfo::new("S13", "Pass", 17, &["S14"]),
            rt::StateInfo::new("S14", "Pass", 18, &["S15"]),
            rt::StateInfo::new("S15", "Pass", 19, &["S16"]),
            rt::StateInfo::new("S16", "Pass", 20, &["S17"]),
            rt::StateInfo::new("S17", "Pass", 21, &["S18"]),
            rt::StateInfo::new("S18", "Pass", 22, &["S19"]),
            rt::StateInfo::new("S19", "Pass", 23, &["S20"]),
            rt::StateInfo::new("S20", "Pass", 24, &["S21"]),
            rt::StateInfo::new("S21", "Pass", 25, &["S22"]),
            rt::StateInfo::new("S22", "Pass", 26, &["S23"]),
            rt::StateInfo::new("S23", "Pass", 27, &["S24"]),
            rt::StateInfo::new("S24", "Pass", 28, &["S25"]),
            rt::StateInfo::new("S25", "Pass", 29, &["S26"]),
            rt::StateInfo::new("S26", "Pass", 30, &["S27"]),
            rt::StateInfo::new("S27", "Pass", 31, &["S28"]),
            rt::StateInfo::new("S28", "Pass", 32, &["S29"]),
            rt::StateInfo::new("S29", "Pass", 33, &["S30"]),
            rt::StateInfo::new("S30", "Pass", 34, &["S31"]),
            rt::StateInfo::new("S31", "Pass", 35, &["S32"]),
            rt::StateInfo::new("S32", "Pass", 36, &["S33"]),
            rt::StateInfo::new("S33", "Pass", 37, &["S34"]),
            rt::StateInfo::new("S34", "Pass", 38, &["S35"]),
            rt::StateInfo::new("S35", "Pass", 39, &["S36"]),
            rt::StateInfo::new("S36", "Pass", 40, &["S37"]),
            rt::StateInfo::new("S37", "Pass", 41, &["S38"]),
            rt::StateInfo::new("S38", "Pass", 42, &["S39"]),
            rt::StateInfo::new("S39", "Pass", 43, &["S40"]),
            rt::StateInfo::new("S40", "Pass", 44, &["S41"]),
            rt::StateInfo::new("S41", "Pass", 45, &["S42"]),
            rt::StateInfo::new("S42", "Pass", 46, &["S43"]),
            rt::StateInfo::new("S43", "Pass", 47, &["S44"]),
            rt::StateInfo::new("S44", "Pass", 48, &["S45"]),
            rt::StateInfo::new("S45", "Pass", 49, &["S46"]),
            rt::StateInfo::new("S46", "Pass", 50, &["S47"]),
            rt::StateInfo::new("S47", "Pass", 51, &["S48"]),
            rt::StateInfo::new("S48", "Pass", 52, &["S49"]),
            rt::StateInfo::new("S49", "Pass", 53, &["S50"]),
            rt::StateInfo::new("S50", "Pass", 54, &["S51"]),
            rt::StateInfo::new("S51", "Pass", 55, &["S52"]),
            rt::StateInfo::new("S52", "Pass", 56, &["S53"]),
            rt::StateInfo::new("S53", "Pass", 57, &["S54"]),
            rt::StateInfo::new("S54", "Pass", 58, &["S55"]),
            rt::StateInfo::new("S55", "Pass", 59, &["S56"]),
            rt::StateInfo::new("S56", "Pass", 60, &["S57"]),
            rt::StateInfo::new("S57", "Pass", 61, &["S58"]),
            rt::StateInfo::new("S58", "Pass", 62, &["S59"]),
            rt::StateInfo::new("S59", "Pass", 63, &["S60"]),
            rt::StateInfo::new("S60", "Pass", 64, &["S61"]),
            rt::StateInfo::new("S61", "Pass", 65, &["S62"]),
            rt::StateInfo::new("S62", "Pass", 66, &["S63"]),
            rt::StateInfo::new("S63", "Pass", 67, &["S64"]),
            rt::StateInfo::new("S64", "Pass", 68, &["S65"]),
            rt::StateInfo::new("S65", "Pass", 69, &["S66"]),
            rt::StateInfo::new("S66", "Pass", 70, &["S67"]),
            rt::StateInfo::new("S67", "Pass", 71, &["S68"]),
            rt::StateInfo::new("S68", "Pass", 72, &["S69"]),
            rt::StateInfo::new("S69", "Pass", 73, &["S70"]),
            rt::StateInfo::new("S70", "Pass", 74, &["S71"]),
            rt::StateInfo::new("S71", "Pass", 75, &["S72"]),
            rt::StateInfo::new("S72", "Pass", 76, &["S73"]),
            rt::StateInfo::new("S73", "Pass", 77, &["S74"]),
            rt::StateInfo::new("S74", "Pass", 78, &["S75"]),
            rt::StateInfo::new("S75", "Pass", 79, &["S76"]),
            rt::StateInfo::new("S76", "Pass", 80, &["S77"]),
            rt::StateInfo::new("S77", "Pass", 81, &["S78"]),
            rt::StateInfo::new("S78", "Pass", 82, &["S79"]),
            rt::StateInfo::new("S79", "Pass", 83, &["S80"]),
            rt::StateInfo::new("S80", "Pass", 84, &["S81"]),
            rt::StateInfo::new("S81", "Pass", 85, &["S82"]),
            rt::StateInfo::new("S82", "Pass", 86, &["S83"]),
            rt::StateInfo::new("S83", "Pass", 87, &["S84"]),
            rt::StateInfo::new("S84", "Pass", 88, &["S85"]),
            rt::StateInfo::new("S85", "Pass", 89, &["S86"]),
            rt::StateInfo::new("S86", "Pass", 90, &["S87"]),
            rt::StateInfo::new("S87", "Pass", 91, &["S88"]),
            rt::StateInfo::new("S88", "Pass", 92, &["S89"]),
            rt::StateInfo::new("S89", "Pass", 93, &["S90"]),
            rt::StateInfo::new("S90", "Pass", 94, &["S91"]),
            rt::StateInfo::new("S91", "Pass", 95, &["S92"]),
            rt::StateInfo::new("S92", "Pass", 96, &["S93"]),
            rt::StateInfo::new("S93", "Pass", 97, &["S94"]),
            rt::StateInfo::new("S94", "Pass", 98, &["S95"]),
            rt::StateInfo::new("S95", "Pass", 99, &["S96"]),
            rt::StateInfo::new("S96", "Pass", 100, &["S97"]),
            rt::StateInfo::new("S97", "Pass", 101, &["S98"]),
            rt::StateInfo::new("S98", "Pass", 102, &["S99"]),
            rt::StateInfo::new("S99", "Pass", 103, &["S100"]),
            rt::StateInfo::new("S100", "Pass", 104, &["S101"]),
            rt::StateInfo::new("S101", "Pass", 105, &["S102"]),
            rt::StateInfo::new("S102", "Pass", 106, &["S103"]),
            rt::StateInfo::new("S103", "Pass", 107, &["S104"]),
            rt::StateInfo::new("S104", "Pass", 108, &["S105"]),
            rt::StateInfo::new("S105", "Pass", 109, &["S106"]),
            rt::StateInfo::new("S106", "Pass", 110, &["S107"]),
            rt::StateInfo::new("S107", "Pass", 111, &["S108"]),
            rt::StateInfo::new("S108", "Pass", 112, &["S109"]),
            rt::StateInfo::new("S109", "Pass", 113, &["S110"]),
            rt::StateInfo::new("S110", "Pass", 114, &["S111"]),
            rt::StateInfo::new("S111", "Pass", 115, &["S112"]),
            rt::StateInfo::new("S112", "Pass", 116, &["S113"]),
            rt::StateInfo::new("S113", "Pass", 117, &["S114"]),
            rt::StateInfo::new("S114", "Pass", 118, &["S115"]),
            rt::StateInfo::new("S115", "Pass", 119, &["S116"]),
            rt::StateInfo::new("S116", "Pass", 120, &["S117"]),
            rt::StateInfo::new("S117", "Pass", 121, &["S118"]),
            rt::StateInfo::new("S118", "Pass", 122, &["S119"]),
            rt::StateInfo::new("S119", "Pass", 123, &["S120"]),
            rt::StateInfo::new("S120", "Pass", 124, &["S121"]),
            rt::StateInfo::new("S121", "Pass", 125, &["S122"]),
            rt::StateInfo::new("S122", "Pass", 126, &["S123"]),
            rt::StateInfo::new("S123", "Pass", 127, &["S124"]),
            rt::StateInfo::new("S124", "Pass", 128, &["S125"]),
            rt::StateInfo::new("S125", "Pass", 129, &["S126"]),
            rt::StateInfo::new("S126", "Pass", 130, &["S127"]),
            rt::StateInfo::new("S127", "Pass", 131, &["S128"]),
            rt::StateInfo::new("S128", "Pass", 132, &["S129"]),
            rt::StateInfo::new("S129", "Pass", 133, &["S130"]),
            rt::StateInfo::new("S130", "Pass", 134, &["S131"]),
            rt::StateInfo::new("S131", "Pass", 135, &["S132"]),
            rt::StateInfo::new("S132", "Pass", 136, &["S133"]),
            rt::StateInfo::new("S133", "Pass", 137, &["S134"]),
            rt::StateInfo::new("S134", "Pass", 138, &["S135"]),
            rt::StateInfo::new("S135", "Pass", 139, &["S136"]),
            rt::StateInfo::new("S136", "Pass", 140, &["S137"]),
            rt::StateInfo::new("S137", "Pass", 141, &["S138"]),
            rt::StateInfo::new("S138", "Pass", 142, &["S139"]),
            rt::StateInfo::new("S139", "Pass", 143, &["S140"]),
            rt::StateInfo::new("S140", "Pass", 144, &["S141"]),
            rt::StateInfo::new("S141", "Pass", 145, &["S142"]),
            rt::StateInfo::new("S142", "Pass", 146, &["S143"]),
            rt::StateInfo::new("S143", "Pass", 147, &["S144"]),
            rt::StateInfo::new("S144", "Pass", 148, &["S145"]),
            rt::StateInfo::new("S145", "Pass", 149, &["S146"]),
            rt::StateInfo::new("S146", "Pass", 150, &["S147"]),
            rt::StateInfo::new("S147", "Pass", 151, &["S148"]),
            rt::StateInfo::new("S148", "Pass", 152, &["S149"]),
            rt::StateInfo::new("S149", "Pass", 153, &["S150"]),
            rt::StateInfo::new("S150", "Pass", 154, &["S151"]),
            rt::StateInfo::new("S151", "Pass", 155, &["S152"]),
            rt::StateInfo::new("S152", "Pass", 156, &["S153"]),
            rt::StateInfo::new("S153", "Pass", 157, &["S154"]),
            rt::StateInfo::new("S154", "Pass", 158, &["S155"]),
            rt::StateInfo::new("S155", "Pass", 159, &["S156"]),
            rt::StateInfo::new("S156", "Pass", 160, &["S157"]),
            rt::StateInfo::new("S157", "Pass", 161, &["S158"]),
            rt::StateInfo::new("S158", "Pass", 162, &["S159"]),
            rt::StateInfo::new("S159", "Pass", 163, &["S160"]),
            rt::StateInfo::new("S160", "Pass", 164, &["S161"]),
            rt::StateInfo::new("S161", "Pass", 165, &["S162"]),
            rt::StateInfo::new("S162", "Pass", 166, &["S163"]),
            rt::StateInfo::new("S163", "Pass", 167, &["S164"]),
            rt::StateInfo::new("S164", "Pass", 168, &["S165"]),
            rt::StateInfo::new("S165", "Pass", 169, &["S166"]),
            rt::StateInfo::new("S166", "Pass", 170, &["S167"]),
            rt::StateInfo::new("S167", "Pass", 171, &["S168"]),
            rt::StateInfo::new("S168", "Pass", 172, &["S169"]),
            rt::StateInfo::new("S169", "Pass", 173, &["S170"]),
            rt::StateInfo::new("S170", "Pass", 174, &["S171"]),
            rt::StateInfo::new("S171", "Pass", 175, &["S172"]),
            rt::StateInfo::new("S172", "Pass", 176, &["S173"]),
            rt::StateInfo::new("S173", "Pass", 177, &["S174"]),
            rt::StateInfo::new("S174", "Pass", 178, &["S175"]),
            rt::StateInfo::new("S175", "Pass", 179, &["S176"]),
            rt::StateInfo::new("S176", "Pass", 180, &["S177"]),
            rt::StateInfo::new("S177", "Pass", 181, &["S178"]),
            rt::StateInfo::new("S178", "Pass", 182, &["S179"]),
            rt::StateInfo::new("S179", "Pass", 183, &["S180"]),
            rt::StateInfo::new("S180", "Pass", 184, &["S181"]),
            rt::StateInfo::new("S181", "Pass", 185, &["S182"]),
            rt::StateInfo::new("S182", "Pass", 186, &["S183"]),
            rt::StateInfo::new("S183", "Pass", 187, &["S184"]),
            rt::StateInfo::new("S184", "Pass", 188, &["S185"]),
            rt::StateInfo::new("S185", "Pass", 189, &["S186"]),
            rt::StateInfo::new("S186", "Pass", 190, &["S187"]),
            rt::StateInfo::new("S187", "Pass", 191, &["S188"]),
            rt::StateInfo::new("S188", "Pass", 192, &["S189"]),
            rt::StateInfo::new("S189", "Pass", 193, &["S190"]),
            rt::StateInfo::new("S190", "Pass", 194, &["S191"]),
            rt::StateInfo::new("S191", "Pass", 195, &["S192"]),
            rt::StateInfo::new("S192", "Pass", 196, &["S193"]),
            rt::StateInfo::new("S193", "Pass", 197, &["S194"]),
            rt::StateInfo::new("S194", "Pass", 198, &["S195"]),
            rt::StateInfo::new("S195", "Pass", 199, &["S196"]),
            rt::StateInfo::new("S196", "Pass", 200, &["S197"]),
            rt::StateInfo::new("S197", "Pass", 201, &["S198"]),
            rt::StateInfo::new("S198", "Pass", 202, &["S199"]),
            rt::StateInfo::new("S199", "Pass", 203, &["S200"]),
            rt::StateInfo::new("S200", "Pass", 204, &["S201"]),
            rt::StateInfo::new("S201", "Pass", 205, &["S202"]),
            rt::StateInfo::new("S202", "Pass", 206, &["S203"]),
            rt::StateInfo::new("S203", "Pass", 207, &["S204"]),
            rt::StateInfo::new("S204", "Pass", 208, &["S205"]),
            rt::StateInfo::new("S205", "Pass", 209, &["S206"]),
            rt::StateInfo::new("S206", "Pass", 210, &["S207"]),
            rt::StateInfo::new("S207", "Pass", 211, &["S208"]),
            rt::StateInfo::new("S208", "Pass", 212, &["S209"]),
            rt::StateInfo::new("S209", "Pass", 213, &["S210"]),
            rt::StateInfo::new("S210", "Pass", 214, &["S211"]),
            rt::StateInfo::new("S211", "Pass", 215, &["S212"]),
            rt::StateInfo::new("S212", "Pass", 216, &["S213"]),
            rt::StateInfo::new("S213", "Pass", 217, &["S214"]),
            rt::StateInfo::new("S214", "Pass", 218, &["S215"]),
            rt::StateInfo::new("S215", "Pass", 219, &["S216"]),
            rt::StateInfo::new("S216", "Pass", 220, &["S217"]),
            rt::StateInfo::new("S217", "Pass", 221, &["S218"]),
            rt::StateInfo::new("S218", "Pass", 222, &["S219"]),
            rt::StateInfo::new("S219", "Pass", 223, &["S220"]),
            rt::StateInfo::new("S220", "Pass", 224, &["S221"]),
            rt::StateInfo::new("S221", "Pass", 225, &["S222"]),
            rt::StateInfo::new("S222", "Pass", 226, &["S223"]),
            rt::StateInfo::new("S223", "Pass", 227, &["S224"]),
            rt::StateInfo::new("S224", "Pass", 228, &["S225"]),
            rt::StateInfo::new("S225", "Pass", 229, &["S226"]),
            rt::StateInfo::new("S226", "Pass", 230, &["S227"]),
            rt::StateInfo::new("S227", "Pass", 231, &["S228"]),
            rt::StateInfo::new("S228", "Pass", 232, &["S229"]),
            rt::StateInfo::new("S229", "Pass", 233, &["S230"]),
            rt::StateInfo::new("S230", "Pass", 234, &["S231"]),
            rt::StateInfo::new("S231", "Pass", 235, &["S232"]),
            rt::StateInfo::new("S232", "Pass", 236, &["S233"]),
            rt::StateInfo::new("S233", "Pass", 237, &["S234"]),
            rt::StateInfo::new("S234", "Pass", 238, &["S235"]),
            rt::StateInfo::new("S235", "Pass", 239, &["S236"]),
            rt::StateInfo::new("S236", "Pass", 240, &["S237"]),
            rt::StateInfo::new("S237", "Pass", 241, &["S238"]),
            rt::StateInfo::new("S238", "Pass", 242, &["S239"]),
            rt::StateInfo::new("S239", "Pass", 243, &["S240"]),
            rt::StateInfo::new("S240", "Pass", 244, &["S241"]),
            rt::StateInfo::new("S241", "Pass", 245, &["S242"]),
            rt::StateInfo::new("S242", "Pass", 246, &["S243"]),
            rt::StateInfo::new("S243", "Pass", 247, &["S244"]),
            rt::StateInfo::new("S244", "Pass", 248, &["S245"]),
            rt::StateInfo::new("S245", "Pass", 249, &["S246"]),
            rt::StateInfo::new("S246", "Pass", 250, &["S247"]),
            rt::StateInfo::new("S247", "Pass", 251, &["S248"]),
            rt::StateInfo::new("S248", "Pass", 252, &["S249"]),
            rt::StateInfo::new("S249", "Pass", 253, &["S250"]),
            rt::StateInfo::new("S250", "Pass", 254, &["S251"]),
            rt::StateInfo::new("S251", "Pass", 255, &["S252"]),
            rt::StateInfo::new("S252", "Pass", 256, &["S253"]),
            rt::StateInfo::new("S253", "Pass", 257, &["S254"]),
            rt::StateInfo::new("S254", "Pass", 258, &["S255"]),
            rt::StateInfo::new("S255", "Pass", 259, &["S256"]),
            rt::StateInfo::new("S256", "Pass", 260, &["S257"]),
            rt::StateInfo::new("S257", "Pass", 261, &["S258"]),
            rt::StateInfo::new("S258", "Pass", 262, &["S259"]),
            rt::StateInfo::new("S259", "Pass", 263, &["S260"]),
            rt::StateInfo::new("S260", "Pass", 264, &["S261"]),
            rt::StateInfo::new("S261", "Pass", 265, &["S262"]),
            rt::StateInfo::new("S262", "Pass", 266, &["S263"]),
            rt::StateInfo::new("S263", "Pass", 267, &["S264"]),
            rt::StateInfo::new("S264", "Pass", 268, &["S265"]),
            rt::StateInfo::new("S265", "Pass", 269, &["S266"]),
            rt::StateInfo::new("S266", "Pass", 270, &["S267"]),
            rt::StateInfo::new("S267", "Pass", 271, &["S268"]),
            rt::StateInfo::new("S268", "Pass", 272, &["S269"]),
            rt::StateInfo::new("S269", "Pass", 273, &["S270"]),
            rt::StateInfo::new("S270", "Pass", 274, &["S271"]),
            rt::StateInfo::new("S271", "Pass", 275, &["S272"]),
            rt::StateInfo::new("S272", "Pass", 276, &["S273"]),
            rt::StateInfo::new("S273", "Pass", 277, &["S274"]),
            rt::StateInfo::new("S274", "Pass", 278, &["S275"]),
            rt::StateInfo::new("S275", "Pass", 279, &["S276"]),
            rt::StateInfo::new("S276", "Pass", 280, &["S277"]),
            rt::StateInfo::new("S277", "Pass", 281, &["S278"]),
            rt::StateInfo::new("S278", "Pass", 282, &["S279"]),
            rt::StateInfo::new("S279", "Pass", 283, &["S280"]),
            rt::StateInfo::new("S280", "Pass", 284, &["S281"]),
            rt::StateInfo::new("S281", "Pass", 285, &["S282"]),
            rt::StateInfo::new("S282", "Pass", 286, &["S283"]),
            rt::StateInfo::new("S283", "Pass", 287, &["S284"]),
            rt::StateInfo::new("S284", "Pass", 288, &["S285"]),
            rt::StateInfo::new("S285", "Pass", 289, &["S286"]),
            rt::StateInfo::new("S286", "Pass", 290, &["S287"]),
            rt::StateInfo::new("S287", "Pass", 291, &["S288"]),
            rt::StateInfo::new("S288", "Pass", 292, &["S289"]),
            rt::StateInfo::new("S289", "Pass", 293, &["S290"]),
            rt::StateInfo::new("S290", "Pass", 294, &["S291"]),
            rt::StateInfo::new("S291", "Pass", 295, &["S292"]),
            rt::StateInfo::new("S292", "Pass", 296, &["S293"]),
            rt::StateInfo::new("S293", "Pass", 297, &["S294"]),
            rt::StateInfo::new("S294", "Pass", 298, &["S295"]),
            rt::StateInfo::new("S295", "Pass", 299, &["S296"]),
            rt::StateInfo::new("S296", "Pass", 300, &["S297"]),
            rt::StateInfo::new("S297", "Pass", 301, &["S298"]),
            rt::StateInfo::new("S298", "Pass", 302, &["S299"]),
            rt::StateInfo::new("S299", "Pass", 303, &["S300"]),
            rt::StateInfo::new("S300", "Pass", 304, &[]),
        ],
        points: <State as rt::Machine>::POINTS,
        graph: GRAPH,
        ..rt::Definition::VERSION_0_1_0
    };

    /// The suspension points: where an execution can wait, be saved, and continue.
    #[doc(hidden)]
    pub enum State {
        Entry(Value),
        S65Enter(Value),
        S129Enter(Value),
        S193Enter(Value),
        S257Enter(Value),
    }

    type Turn = rt::Turn<State>;
    type TurnResult = rt::TurnResult<State>;

    impl rt::Machine for State {
        rt::suspension_points!(
            (Entry(d), "entry", "", 16290513905774444234),
            (S65Enter(d), "S65 enter", "S65", 16290513905774444234),
            (S129Enter(d), "S129 enter", "S129", 16290513905774444234),
            (S193Enter(d), "S193 enter", "S193", 16290513905774444234),
            (S257Enter(d), "S257 enter", "S257", 16290513905774444234),
        );

        fn start(input: Value) -> State {
            State::Entry(input)
        }

        fn enter(self, turn: &mut Turn) -> TurnResult {
            match self {
                State::Entry(d) => s1(d, turn),
                State::S65Enter(d) => s65(d, turn),
                State::S129Enter(d) => s129(d, turn),
                State::S193Enter(d) => s193(d, turn),
                State::S257Enter(d) => s257(d, turn),
            }
        }

        fn resume(self, outcome: Outcome, turn: &mut Turn) -> TurnResult {
            match (self, outcome) {
                (_, Err(fault)) => Err(fault),
                (entry, Ok(_)) => entry.enter(turn),
            }
        }
    }

    /// `S1`, `flow.asl.json:5`.
    fn s1(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S1", &d);
        s2(d, turn)
    }

    /// `S2`, `flow.asl.json:6`.
    fn s2(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S2", &d);
        s3(d, turn)
    }

    /// `S3`, `flow.asl.json:7`.
    fn s3(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S3", &d);
        s4(d, turn)
    }

    /// `S4`, `flow.asl.json:8`.
    fn s4(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S4", &d);
        s5(d, turn)
    }

    /// `S5`, `flow.asl.json:9`.
    fn s5(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S5", &d);
        s6(d, turn)
    }

    /// `S6`, `flow.asl.json:10`.
    fn s6(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S6", &d);
        s7(d, turn)
    }

    /// `S7`, `flow.asl.json:11`.
    fn s7(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S7", &d);
        s8(d, turn)
    }

    /// `S8`, `flow.asl.json:12`.
    fn s8(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S8", &d);
        s9(d, turn)
    }

    /// `S9`, `flow.asl.json:13`.
    fn s9(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S9", &d);
        s10(d, turn)
    }

    /// `S10`, `flow.asl.json:14`.
    fn s10(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S10", &d);
        s11(d, turn)
    }

    /// `S11`, `flow.asl.json:15`.
    fn s11(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S11", &d);
        s12(d, turn)
    }

    /// `S12`, `flow.asl.json:16`.
    fn s12(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S12", &d);
        s13(d, turn)
    }

    /// `S13`, `flow.asl.json:17`.
    fn s13(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S13", &d);
        s14(d, turn)
    }

    /// `S14`, `flow.asl.json:18`.
    fn s14(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S14", &d);
        s15(d, turn)
    }

    /// `S15`, `flow.asl.json:19`.
    fn s15(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S15", &d);
        s16(d, turn)
    }

    /// `S16`, `flow.asl.json:20`.
    fn s16(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S16", &d);
        s17(d, turn)
    }

    /// `S17`, `flow.asl.json:21`.
    fn s17(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S17", &d);
        s18(d, turn)
    }

    /// `S18`, `flow.asl.json:22`.
    fn s18(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S18", &d);
        s19(d, turn)
    }

    /// `S19`, `flow.asl.json:23`.
    fn s19(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S19", &d);
        s20(d, turn)
    }

    /// `S20`, `flow.asl.json:24`.
    fn s20(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S20", &d);
        s21(d, turn)
    }

    /// `S21`, `flow.asl.json:25`.
    fn s21(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S21", &d);
        s22(d, turn)
    }

    /// `S22`, `flow.asl.json:26`.
    fn s22(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S22", &d);
        s23(d, turn)
    }

    /// `S23`, `flow.asl.json:27`.
    fn s23(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S23", &d);
        s24(d, turn)
    }

    /// `S24`, `flow.asl.json:28`.
    fn s24(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S24", &d);
        s25(d, turn)
    }

    /// `S25`, `flow.asl.json:29`.
    fn s25(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S25", &d);
        s26(d, turn)
    }

    /// `S26`, `flow.asl.json:30`.
    fn s26(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S26", &d);
        s27(d, turn)
    }

    /// `S27`, `flow.asl.json:31`.
    fn s27(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S27", &d);
        s28(d, turn)
    }

    /// `S28`, `flow.asl.json:32`.
    fn s28(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S28", &d);
        s29(d, turn)
    }

    /// `S29`, `flow.asl.json:33`.
    fn s29(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S29", &d);
        s30(d, turn)
    }

    /// `S30`, `flow.asl.json:34`.
    fn s30(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S30", &d);
        s31(d, turn)
    }

    /// `S31`, `flow.asl.json:35`.
    fn s31(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S31", &d);
        s32(d, turn)
    }

    /// `S32`, `flow.asl.json:36`.
    fn s32(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S32", &d);
        s33(d, turn)
    }

    /// `S33`, `flow.asl.json:37`.
    fn s33(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S33", &d);
        s34(d, turn)
    }

    /// `S34`, `flow.asl.json:38`.
    fn s34(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S34", &d);
        s35(d, turn)
    }

    /// `S35`, `flow.asl.json:39`.
    fn s35(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S35", &d);
        s36(d, turn)
    }

    /// `S36`, `flow.asl.json:40`.
    fn s36(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S36", &d);
        s37(d, turn)
    }

    /// `S37`, `flow.asl.json:41`.
    fn s37(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S37", &d);
        s38(d, turn)
    }

    /// `S38`, `flow.asl.json:42`.
    fn s38(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S38", &d);
        s39(d, turn)
    }

    /// `S39`, `flow.asl.json:43`.
    fn s39(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S39", &d);
        s40(d, turn)
    }

    /// `S40`, `flow.asl.json:44`.
    fn s40(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S40", &d);
        s41(d, turn)
    }

    /// `S41`, `flow.asl.json:45`.
    fn s41(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S41", &d);
        s42(d, turn)
    }

    /// `S42`, `flow.asl.json:46`.
    fn s42(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S42", &d);
        s43(d, turn)
    }

    /// `S43`, `flow.asl.json:47`.
    fn s43(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S43", &d);
        s44(d, turn)
    }

    /// `S44`, `flow.asl.json:48`.
    fn s44(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S44", &d);
        s45(d, turn)
    }

    /// `S45`, `flow.asl.json:49`.
    fn s45(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S45", &d);
        s46(d, turn)
    }

    /// `S46`, `flow.asl.json:50`.
    fn s46(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S46", &d);
        s47(d, turn)
    }

    /// `S47`, `flow.asl.json:51`.
    fn s47(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S47", &d);
        s48(d, turn)
    }

    /// `S48`, `flow.asl.json:52`.
    fn s48(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S48", &d);
        s49(d, turn)
    }

    /// `S49`, `flow.asl.json:53`.
    fn s49(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S49", &d);
        s50(d, turn)
    }

    /// `S50`, `flow.asl.json:54`.
    fn s50(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S50", &d);
        s51(d, turn)
    }

    /// `S51`, `flow.asl.json:55`.
    fn s51(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S51", &d);
        s52(d, turn)
    }

    /// `S52`, `flow.asl.json:56`.
    fn s52(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S52", &d);
        s53(d, turn)
    }

    /// `S53`, `flow.asl.json:57`.
    fn s53(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S53", &d);
        s54(d, turn)
    }

    /// `S54`, `flow.asl.json:58`.
    fn s54(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S54", &d);
        s55(d, turn)
    }

    /// `S55`, `flow.asl.json:59`.
    fn s55(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S55", &d);
        s56(d, turn)
    }

    /// `S56`, `flow.asl.json:60`.
    fn s56(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S56", &d);
        s57(d, turn)
    }

    /// `S57`, `flow.asl.json:61`.
    fn s57(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S57", &d);
        s58(d, turn)
    }

    /// `S58`, `flow.asl.json:62`.
    fn s58(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S58", &d);
        s59(d, turn)
    }

    /// `S59`, `flow.asl.json:63`.
    fn s59(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S59", &d);
        s60(d, turn)
    }

    /// `S60`, `flow.asl.json:64`.
    fn s60(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S60", &d);
        s61(d, turn)
    }

    /// `S61`, `flow.asl.json:65`.
    fn s61(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S61", &d);
        s62(d, turn)
    }

    /// `S62`, `flow.asl.json:66`.
    fn s62(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S62", &d);
        s63(d, turn)
    }

    /// `S63`, `flow.asl.json:67`.
    fn s63(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S63", &d);
        s64(d, turn)
    }

    /// `S64`, `flow.asl.json:68`.
    fn s64(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S64", &d);
        rt::next(State::S65Enter(d))
    }

    /// `S65`, `flow.asl.json:69`.
    fn s65(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S65", &d);
        s66(d, turn)
    }

    /// `S66`, `flow.asl.json:70`.
    fn s66(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S66", &d);
        s67(d, turn)
    }

    /// `S67`, `flow.asl.json:71`.
    fn s67(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S67", &d);
        s68(d, turn)
    }

    /// `S68`, `flow.asl.json:72`.
    fn s68(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S68", &d);
        s69(d, turn)
    }

    /// `S69`, `flow.asl.json:73`.
    fn s69(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S69", &d);
        s70(d, turn)
    }

    /// `S70`, `flow.asl.json:74`.
    fn s70(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S70", &d);
        s71(d, turn)
    }

    /// `S71`, `flow.asl.json:75`.
    fn s71(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S71", &d);
        s72(d, turn)
    }

    /// `S72`, `flow.asl.json:76`.
    fn s72(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S72", &d);
        s73(d, turn)
    }

    /// `S73`, `flow.asl.json:77`.
    fn s73(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S73", &d);
        s74(d, turn)
    }

    /// `S74`, `flow.asl.json:78`.
    fn s74(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S74", &d);
        s75(d, turn)
    }

    /// `S75`, `flow.asl.json:79`.
    fn s75(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S75", &d);
        s76(d, turn)
    }

    /// `S76`, `flow.asl.json:80`.
    fn s76(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S76", &d);
        s77(d, turn)
    }

    /// `S77`, `flow.asl.json:81`.
    fn s77(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S77", &d);
        s78(d, turn)
    }

    /// `S78`, `flow.asl.json:82`.
    fn s78(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S78", &d);
        s79(d, turn)
    }

    /// `S79`, `flow.asl.json:83`.
    fn s79(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S79", &d);
        s80(d, turn)
    }

    /// `S80`, `flow.asl.json:84`.
    fn s80(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S80", &d);
        s81(d, turn)
    }

    /// `S81`, `flow.asl.json:85`.
    fn s81(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S81", &d);
        s82(d, turn)
    }

    /// `S82`, `flow.asl.json:86`.
    fn s82(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S82", &d);
        s83(d, turn)
    }

    /// `S83`, `flow.asl.json:87`.
    fn s83(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S83", &d);
        s84(d, turn)
    }

    /// `S84`, `flow.asl.json:88`.
    fn s84(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S84", &d);
        s85(d, turn)
    }

    /// `S85`, `flow.asl.json:89`.
    fn s85(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S85", &d);
        s86(d, turn)
    }

    /// `S86`, `flow.asl.json:90`.
    fn s86(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S86", &d);
        s87(d, turn)
    }

    /// `S87`, `flow.asl.json:91`.
    fn s87(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S87", &d);
        s88(d, turn)
    }

    /// `S88`, `flow.asl.json:92`.
    fn s88(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S88", &d);
        s89(d, turn)
    }

    /// `S89`, `flow.asl.json:93`.
    fn s89(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S89", &d);
        s90(d, turn)
    }

    /// `S90`, `flow.asl.json:94`.
    fn s90(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S90", &d);
        s91(d, turn)
    }

    /// `S91`, `flow.asl.json:95`.
    fn s91(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S91", &d);
        s92(d, turn)
    }

    /// `S92`, `flow.asl.json:96`.
    fn s92(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S92", &d);
        s93(d, turn)
    }

    /// `S93`, `flow.asl.json:97`.
    fn s93(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S93", &d);
        s94(d, turn)
    }

    /// `S94`, `flow.asl.json:98`.
    fn s94(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S94", &d);
        s95(d, turn)
    }

    /// `S95`, `flow.asl.json:99`.
    fn s95(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S95", &d);
        s96(d, turn)
    }

    /// `S96`, `flow.asl.json:100`.
    fn s96(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S96", &d);
        s97(d, turn)
    }

    /// `S97`, `flow.asl.json:101`.
    fn s97(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S97", &d);
        s98(d, turn)
    }

    /// `S98`, `flow.asl.json:102`.
    fn s98(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S98", &d);
        s99(d, turn)
    }

    /// `S99`, `flow.asl.json:103`.
    fn s99(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S99", &d);
        s100(d, turn)
    }

    /// `S100`, `flow.asl.json:104`.
    fn s100(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S100", &d);
        let d = rt::object([(
            "seen",
            rt::array([
                asl::require_argument(
                    jsonpath::select(&d).name("seen").wildcard().found().as_ref(),
                    &d,
                    "$.seen[*]",
                    "States.Array($.seen[*], 100)",
                )?
                .clone(),
                Value::Int(100),
            ]),
        )]);
        s101(d, turn)
    }

    /// `S101`, `flow.asl.json:105`.
    fn s101(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S101", &d);
        s102(d, turn)
    }

    /// `S102`, `flow.asl.json:106`.
    fn s102(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S102", &d);
        s103(d, turn)
    }

    /// `S103`, `flow.asl.json:107`.
    fn s103(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S103", &d);
        s104(d, turn)
    }

    /// `S104`, `flow.asl.json:108`.
    fn s104(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S104", &d);
        s105(d, turn)
    }

    /// `S105`, `flow.asl.json:109`.
    fn s105(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S105", &d);
        s106(d, turn)
    }

    /// `S106`, `flow.asl.json:110`.
    fn s106(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S106", &d);
        s107(d, turn)
    }

    /// `S107`, `flow.asl.json:111`.
    fn s107(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S107", &d);
        s108(d, turn)
    }

    /// `S108`, `flow.asl.json:112`.
    fn s108(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S108", &d);
        s109(d, turn)
    }

    /// `S109`, `flow.asl.json:113`.
    fn s109(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S109", &d);
        s110(d, turn)
    }

    /// `S110`, `flow.asl.json:114`.
    fn s110(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S110", &d);
        s111(d, turn)
    }

    /// `S111`, `flow.asl.json:115`.
    fn s111(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S111", &d);
        s112(d, turn)
    }

    /// `S112`, `flow.asl.json:116`.
    fn s112(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S112", &d);
        s113(d, turn)
    }

    /// `S113`, `flow.asl.json:117`.
    fn s113(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S113", &d);
        s114(d, turn)
    }

    /// `S114`, `flow.asl.json:118`.
    fn s114(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S114", &d);
        s115(d, turn)
    }

    /// `S115`, `flow.asl.json:119`.
    fn s115(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S115", &d);
        s116(d, turn)
    }

    /// `S116`, `flow.asl.json:120`.
    fn s116(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S116", &d);
        s117(d, turn)
    }

    /// `S117`, `flow.asl.json:121`.
    fn s117(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S117", &d);
        s118(d, turn)
    }

    /// `S118`, `flow.asl.json:122`.
    fn s118(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S118", &d);
        s119(d, turn)
    }

    /// `S119`, `flow.asl.json:123`.
    fn s119(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S119", &d);
        s120(d, turn)
    }

    /// `S120`, `flow.asl.json:124`.
    fn s120(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S120", &d);
        s121(d, turn)
    }

    /// `S121`, `flow.asl.json:125`.
    fn s121(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S121", &d);
        s122(d, turn)
    }

    /// `S122`, `flow.asl.json:126`.
    fn s122(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S122", &d);
        s123(d, turn)
    }

    /// `S123`, `flow.asl.json:127`.
    fn s123(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S123", &d);
        s124(d, turn)
    }

    /// `S124`, `flow.asl.json:128`.
    fn s124(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S124", &d);
        s125(d, turn)
    }

    /// `S125`, `flow.asl.json:129`.
    fn s125(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S125", &d);
        s126(d, turn)
    }

    /// `S126`, `flow.asl.json:130`.
    fn s126(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S126", &d);
        s127(d, turn)
    }

    /// `S127`, `flow.asl.json:131`.
    fn s127(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S127", &d);
        s128(d, turn)
    }

    /// `S128`, `flow.asl.json:132`.
    fn s128(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S128", &d);
        rt::next(State::S129Enter(d))
    }

    /// `S129`, `flow.asl.json:133`.
    fn s129(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S129", &d);
        s130(d, turn)
    }

    /// `S130`, `flow.asl.json:134`.
    fn s130(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S130", &d);
        s131(d, turn)
    }

    /// `S131`, `flow.asl.json:135`.
    fn s131(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S131", &d);
        s132(d, turn)
    }

    /// `S132`, `flow.asl.json:136`.
    fn s132(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S132", &d);
        s133(d, turn)
    }

    /// `S133`, `flow.asl.json:137`.
    fn s133(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S133", &d);
        s134(d, turn)
    }

    /// `S134`, `flow.asl.json:138`.
    fn s134(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S134", &d);
        s135(d, turn)
    }

    /// `S135`, `flow.asl.json:139`.
    fn s135(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S135", &d);
        s136(d, turn)
    }

    /// `S136`, `flow.asl.json:140`.
    fn s136(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S136", &d);
        s137(d, turn)
    }

    /// `S137`, `flow.asl.json:141`.
    fn s137(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S137", &d);
        s138(d, turn)
    }

    /// `S138`, `flow.asl.json:142`.
    fn s138(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S138", &d);
        s139(d, turn)
    }

    /// `S139`, `flow.asl.json:143`.
    fn s139(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S139", &d);
        s140(d, turn)
    }

    /// `S140`, `flow.asl.json:144`.
    fn s140(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S140", &d);
        s141(d, turn)
    }

    /// `S141`, `flow.asl.json:145`.
    fn s141(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S141", &d);
        s142(d, turn)
    }

    /// `S142`, `flow.asl.json:146`.
    fn s142(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S142", &d);
        s143(d, turn)
    }

    /// `S143`, `flow.asl.json:147`.
    fn s143(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S143", &d);
        s144(d, turn)
    }

    /// `S144`, `flow.asl.json:148`.
    fn s144(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S144", &d);
        s145(d, turn)
    }

    /// `S145`, `flow.asl.json:149`.
    fn s145(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S145", &d);
        s146(d, turn)
    }

    /// `S146`, `flow.asl.json:150`.
    fn s146(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S146", &d);
        s147(d, turn)
    }

    /// `S147`, `flow.asl.json:151`.
    fn s147(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S147", &d);
        s148(d, turn)
    }

    /// `S148`, `flow.asl.json:152`.
    fn s148(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S148", &d);
        s149(d, turn)
    }

    /// `S149`, `flow.asl.json:153`.
    fn s149(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S149", &d);
        s150(d, turn)
    }

    /// `S150`, `flow.asl.json:154`.
    fn s150(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S150", &d);
        s151(d, turn)
    }

    /// `S151`, `flow.asl.json:155`.
    fn s151(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S151", &d);
        s152(d, turn)
    }

    /// `S152`, `flow.asl.json:156`.
    fn s152(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S152", &d);
        s153(d, turn)
    }

    /// `S153`, `flow.asl.json:157`.
    fn s153(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S153", &d);
        s154(d, turn)
    }

    /// `S154`, `flow.asl.json:158`.
    fn s154(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S154", &d);
        s155(d, turn)
    }

    /// `S155`, `flow.asl.json:159`.
    fn s155(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S155", &d);
        s156(d, turn)
    }

    /// `S156`, `flow.asl.json:160`.
    fn s156(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S156", &d);
        s157(d, turn)
    }

    /// `S157`, `flow.asl.json:161`.
    fn s157(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S157", &d);
        s158(d, turn)
    }

    /// `S158`, `flow.asl.json:162`.
    fn s158(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S158", &d);
        s159(d, turn)
    }

    /// `S159`, `flow.asl.json:163`.
    fn s159(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S159", &d);
        s160(d, turn)
    }

    /// `S160`, `flow.asl.json:164`.
    fn s160(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S160", &d);
        s161(d, turn)
    }

    /// `S161`, `flow.asl.json:165`.
    fn s161(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S161", &d);
        s162(d, turn)
    }

    /// `S162`, `flow.asl.json:166`.
    fn s162(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S162", &d);
        s163(d, turn)
    }

    /// `S163`, `flow.asl.json:167`.
    fn s163(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S163", &d);
        s164(d, turn)
    }

    /// `S164`, `flow.asl.json:168`.
    fn s164(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S164", &d);
        s165(d, turn)
    }

    /// `S165`, `flow.asl.json:169`.
    fn s165(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S165", &d);
        s166(d, turn)
    }

    /// `S166`, `flow.asl.json:170`.
    fn s166(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S166", &d);
        s167(d, turn)
    }

    /// `S167`, `flow.asl.json:171`.
    fn s167(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S167", &d);
        s168(d, turn)
    }

    /// `S168`, `flow.asl.json:172`.
    fn s168(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S168", &d);
        s169(d, turn)
    }

    /// `S169`, `flow.asl.json:173`.
    fn s169(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S169", &d);
        s170(d, turn)
    }

    /// `S170`, `flow.asl.json:174`.
    fn s170(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S170", &d);
        s171(d, turn)
    }

    /// `S171`, `flow.asl.json:175`.
    fn s171(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S171", &d);
        s172(d, turn)
    }

    /// `S172`, `flow.asl.json:176`.
    fn s172(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S172", &d);
        s173(d, turn)
    }

    /// `S173`, `flow.asl.json:177`.
    fn s173(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S173", &d);
        s174(d, turn)
    }

    /// `S174`, `flow.asl.json:178`.
    fn s174(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S174", &d);
        s175(d, turn)
    }

    /// `S175`, `flow.asl.json:179`.
    fn s175(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S175", &d);
        s176(d, turn)
    }

    /// `S176`, `flow.asl.json:180`.
    fn s176(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S176", &d);
        s177(d, turn)
    }

    /// `S177`, `flow.asl.json:181`.
    fn s177(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S177", &d);
        s178(d, turn)
    }

    /// `S178`, `flow.asl.json:182`.
    fn s178(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S178", &d);
        s179(d, turn)
    }

    /// `S179`, `flow.asl.json:183`.
    fn s179(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S179", &d);
        s180(d, turn)
    }

    /// `S180`, `flow.asl.json:184`.
    fn s180(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S180", &d);
        s181(d, turn)
    }

    /// `S181`, `flow.asl.json:185`.
    fn s181(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S181", &d);
        s182(d, turn)
    }

    /// `S182`, `flow.asl.json:186`.
    fn s182(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S182", &d);
        s183(d, turn)
    }

    /// `S183`, `flow.asl.json:187`.
    fn s183(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S183", &d);
        s184(d, turn)
    }

    /// `S184`, `flow.asl.json:188`.
    fn s184(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S184", &d);
        s185(d, turn)
    }

    /// `S185`, `flow.asl.json:189`.
    fn s185(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S185", &d);
        s186(d, turn)
    }

    /// `S186`, `flow.asl.json:190`.
    fn s186(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S186", &d);
        s187(d, turn)
    }

    /// `S187`, `flow.asl.json:191`.
    fn s187(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S187", &d);
        s188(d, turn)
    }

    /// `S188`, `flow.asl.json:192`.
    fn s188(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S188", &d);
        s189(d, turn)
    }

    /// `S189`, `flow.asl.json:193`.
    fn s189(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S189", &d);
        s190(d, turn)
    }

    /// `S190`, `flow.asl.json:194`.
    fn s190(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S190", &d);
        s191(d, turn)
    }

    /// `S191`, `flow.asl.json:195`.
    fn s191(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S191", &d);
        s192(d, turn)
    }

    /// `S192`, `flow.asl.json:196`.
    fn s192(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S192", &d);
        rt::next(State::S193Enter(d))
    }

    /// `S193`, `flow.asl.json:197`.
    fn s193(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S193", &d);
        s194(d, turn)
    }

    /// `S194`, `flow.asl.json:198`.
    fn s194(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S194", &d);
        s195(d, turn)
    }

    /// `S195`, `flow.asl.json:199`.
    fn s195(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S195", &d);
        s196(d, turn)
    }

    /// `S196`, `flow.asl.json:200`.
    fn s196(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S196", &d);
        s197(d, turn)
    }

    /// `S197`, `flow.asl.json:201`.
    fn s197(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S197", &d);
        s198(d, turn)
    }

    /// `S198`, `flow.asl.json:202`.
    fn s198(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S198", &d);
        s199(d, turn)
    }

    /// `S199`, `flow.asl.json:203`.
    fn s199(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S199", &d);
        s200(d, turn)
    }

    /// `S200`, `flow.asl.json:204`.
    fn s200(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S200", &d);
        let d = rt::object([(
            "seen",
            rt::array([
                asl::require_argument(
                    jsonpath::select(&d).name("seen").wildcard().found().as_ref(),
                    &d,
                    "$.seen[*]",
                    "States.Array($.seen[*], 200)",
                )?
                .clone(),
                Value::Int(200),
            ]),
        )]);
        s201(d, turn)
    }

    /// `S201`, `flow.asl.json:205`.
    fn s201(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S201", &d);
        s202(d, turn)
    }

    /// `S202`, `flow.asl.json:206`.
    fn s202(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S202", &d);
        s203(d, turn)
    }

    /// `S203`, `flow.asl.json:207`.
    fn s203(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S203", &d);
        s204(d, turn)
    }

    /// `S204`, `flow.asl.json:208`.
    fn s204(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S204", &d);
        s205(d, turn)
    }

    /// `S205`, `flow.asl.json:209`.
    fn s205(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S205", &d);
        s206(d, turn)
    }

    /// `S206`, `flow.asl.json:210`.
    fn s206(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S206", &d);
        s207(d, turn)
    }

    /// `S207`, `flow.asl.json:211`.
    fn s207(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S207", &d);
        s208(d, turn)
    }

    /// `S208`, `flow.asl.json:212`.
    fn s208(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S208", &d);
        s209(d, turn)
    }

    /// `S209`, `flow.asl.json:213`.
    fn s209(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S209", &d);
        s210(d, turn)
    }

    /// `S210`, `flow.asl.json:214`.
    fn s210(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S210", &d);
        s211(d, turn)
    }

    /// `S211`, `flow.asl.json:215`.
    fn s211(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S211", &d);
        s212(d, turn)
    }

    /// `S212`, `flow.asl.json:216`.
    fn s212(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S212", &d);
        s213(d, turn)
    }

    /// `S213`, `flow.asl.json:217`.
    fn s213(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S213", &d);
        s214(d, turn)
    }

    /// `S214`, `flow.asl.json:218`.
    fn s214(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S214", &d);
        s215(d, turn)
    }

    /// `S215`, `flow.asl.json:219`.
    fn s215(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S215", &d);
        s216(d, turn)
    }

    /// `S216`, `flow.asl.json:220`.
    fn s216(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S216", &d);
        s217(d, turn)
    }

    /// `S217`, `flow.asl.json:221`.
    fn s217(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S217", &d);
        s218(d, turn)
    }

    /// `S218`, `flow.asl.json:222`.
    fn s218(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S218", &d);
        s219(d, turn)
    }

    /// `S219`, `flow.asl.json:223`.
    fn s219(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S219", &d);
        s220(d, turn)
    }

    /// `S220`, `flow.asl.json:224`.
    fn s220(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S220", &d);
        s221(d, turn)
    }

    /// `S221`, `flow.asl.json:225`.
    fn s221(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S221", &d);
        s222(d, turn)
    }

    /// `S222`, `flow.asl.json:226`.
    fn s222(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S222", &d);
        s223(d, turn)
    }

    /// `S223`, `flow.asl.json:227`.
    fn s223(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S223", &d);
        s224(d, turn)
    }

    /// `S224`, `flow.asl.json:228`.
    fn s224(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S224", &d);
        s225(d, turn)
    }

    /// `S225`, `flow.asl.json:229`.
    fn s225(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S225", &d);
        s226(d, turn)
    }

    /// `S226`, `flow.asl.json:230`.
    fn s226(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S226", &d);
        s227(d, turn)
    }

    /// `S227`, `flow.asl.json:231`.
    fn s227(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S227", &d);
        s228(d, turn)
    }

    /// `S228`, `flow.asl.json:232`.
    fn s228(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S228", &d);
        s229(d, turn)
    }

    /// `S229`, `flow.asl.json:233`.
    fn s229(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S229", &d);
        s230(d, turn)
    }

    /// `S230`, `flow.asl.json:234`.
    fn s230(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S230", &d);
        s231(d, turn)
    }

    /// `S231`, `flow.asl.json:235`.
    fn s231(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S231", &d);
        s232(d, turn)
    }

    /// `S232`, `flow.asl.json:236`.
    fn s232(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S232", &d);
        s233(d, turn)
    }

    /// `S233`, `flow.asl.json:237`.
    fn s233(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S233", &d);
        s234(d, turn)
    }

    /// `S234`, `flow.asl.json:238`.
    fn s234(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S234", &d);
        s235(d, turn)
    }

    /// `S235`, `flow.asl.json:239`.
    fn s235(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S235", &d);
        s236(d, turn)
    }

    /// `S236`, `flow.asl.json:240`.
    fn s236(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S236", &d);
        s237(d, turn)
    }

    /// `S237`, `flow.asl.json:241`.
    fn s237(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S237", &d);
        s238(d, turn)
    }

    /// `S238`, `flow.asl.json:242`.
    fn s238(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S238", &d);
        s239(d, turn)
    }

    /// `S239`, `flow.asl.json:243`.
    fn s239(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S239", &d);
        s240(d, turn)
    }

    /// `S240`, `flow.asl.json:244`.
    fn s240(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S240", &d);
        s241(d, turn)
    }

    /// `S241`, `flow.asl.json:245`.
    fn s241(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S241", &d);
        s242(d, turn)
    }

    /// `S242`, `flow.asl.json:246`.
    fn s242(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S242", &d);
        s243(d, turn)
    }

    /// `S243`, `flow.asl.json:247`.
    fn s243(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S243", &d);
        s244(d, turn)
    }

    /// `S244`, `flow.asl.json:248`.
    fn s244(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S244", &d);
        s245(d, turn)
    }

    /// `S245`, `flow.asl.json:249`.
    fn s245(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S245", &d);
        s246(d, turn)
    }

    /// `S246`, `flow.asl.json:250`.
    fn s246(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S246", &d);
        s247(d, turn)
    }

    /// `S247`, `flow.asl.json:251`.
    fn s247(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S247", &d);
        s248(d, turn)
    }

    /// `S248`, `flow.asl.json:252`.
    fn s248(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S248", &d);
        s249(d, turn)
    }

    /// `S249`, `flow.asl.json:253`.
    fn s249(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S249", &d);
        s250(d, turn)
    }

    /// `S250`, `flow.asl.json:254`.
    fn s250(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S250", &d);
        s251(d, turn)
    }

    /// `S251`, `flow.asl.json:255`.
    fn s251(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S251", &d);
        s252(d, turn)
    }

    /// `S252`, `flow.asl.json:256`.
    fn s252(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S252", &d);
        s253(d, turn)
    }

    /// `S253`, `flow.asl.json:257`.
    fn s253(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S253", &d);
        s254(d, turn)
    }

    /// `S254`, `flow.asl.json:258`.
    fn s254(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S254", &d);
        s255(d, turn)
    }

    /// `S255`, `flow.asl.json:259`.
    fn s255(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S255", &d);
        s256(d, turn)
    }

    /// `S256`, `flow.asl.json:260`.
    fn s256(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S256", &d);
        rt::next(State::S257Enter(d))
    }

    /// `S257`, `flow.asl.json:261`.
    fn s257(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S257", &d);
        s258(d, turn)
    }

    /// `S258`, `flow.asl.json:262`.
    fn s258(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S258", &d);
        s259(d, turn)
    }

    /// `S259`, `flow.asl.json:263`.
    fn s259(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S259", &d);
        s260(d, turn)
    }

    /// `S260`, `flow.asl.json:264`.
    fn s260(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S260", &d);
        s261(d, turn)
    }

    /// `S261`, `flow.asl.json:265`.
    fn s261(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S261", &d);
        s262(d, turn)
    }

    /// `S262`, `flow.asl.json:266`.
    fn s262(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S262", &d);
        s263(d, turn)
    }

    /// `S263`, `flow.asl.json:267`.
    fn s263(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S263", &d);
        s264(d, turn)
    }

    /// `S264`, `flow.asl.json:268`.
    fn s264(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S264", &d);
        s265(d, turn)
    }

    /// `S265`, `flow.asl.json:269`.
    fn s265(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S265", &d);
        s266(d, turn)
    }

    /// `S266`, `flow.asl.json:270`.
    fn s266(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S266", &d);
        s267(d, turn)
    }

    /// `S267`, `flow.asl.json:271`.
    fn s267(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S267", &d);
        s268(d, turn)
    }

    /// `S268`, `flow.asl.json:272`.
    fn s268(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S268", &d);
        s269(d, turn)
    }

    /// `S269`, `flow.asl.json:273`.
    fn s269(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S269", &d);
        s270(d, turn)
    }

    /// `S270`, `flow.asl.json:274`.
    fn s270(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S270", &d);
        s271(d, turn)
    }

    /// `S271`, `flow.asl.json:275`.
    fn s271(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S271", &d);
        s272(d, turn)
    }

    /// `S272`, `flow.asl.json:276`.
    fn s272(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S272", &d);
        s273(d, turn)
    }

    /// `S273`, `flow.asl.json:277`.
    fn s273(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S273", &d);
        s274(d, turn)
    }

    /// `S274`, `flow.asl.json:278`.
    fn s274(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S274", &d);
        s275(d, turn)
    }

    /// `S275`, `flow.asl.json:279`.
    fn s275(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S275", &d);
        s276(d, turn)
    }

    /// `S276`, `flow.asl.json:280`.
    fn s276(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S276", &d);
        s277(d, turn)
    }

    /// `S277`, `flow.asl.json:281`.
    fn s277(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S277", &d);
        s278(d, turn)
    }

    /// `S278`, `flow.asl.json:282`.
    fn s278(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S278", &d);
        s279(d, turn)
    }

    /// `S279`, `flow.asl.json:283`.
    fn s279(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S279", &d);
        s280(d, turn)
    }

    /// `S280`, `flow.asl.json:284`.
    fn s280(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S280", &d);
        s281(d, turn)
    }

    /// `S281`, `flow.asl.json:285`.
    fn s281(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S281", &d);
        s282(d, turn)
    }

    /// `S282`, `flow.asl.json:286`.
    fn s282(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S282", &d);
        s283(d, turn)
    }

    /// `S283`, `flow.asl.json:287`.
    fn s283(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S283", &d);
        s284(d, turn)
    }

    /// `S284`, `flow.asl.json:288`.
    fn s284(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S284", &d);
        s285(d, turn)
    }

    /// `S285`, `flow.asl.json:289`.
    fn s285(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S285", &d);
        s286(d, turn)
    }

    /// `S286`, `flow.asl.json:290`.
    fn s286(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S286", &d);
        s287(d, turn)
    }

    /// `S287`, `flow.asl.json:291`.
    fn s287(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S287", &d);
        s288(d, turn)
    }

    /// `S288`, `flow.asl.json:292`.
    fn s288(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S288", &d);
        s289(d, turn)
    }

    /// `S289`, `flow.asl.json:293`.
    fn s289(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S289", &d);
        s290(d, turn)
    }

    /// `S290`, `flow.asl.json:294`.
    fn s290(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S290", &d);
        s291(d, turn)
    }

    /// `S291`, `flow.asl.json:295`.
    fn s291(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S291", &d);
        s292(d, turn)
    }

    /// `S292`, `flow.asl.json:296`.
    fn s292(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S292", &d);
        s293(d, turn)
    }

    /// `S293`, `flow.asl.json:297`.
    fn s293(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S293", &d);
        s294(d, turn)
    }

    /// `S294`, `flow.asl.json:298`.
    fn s294(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S294", &d);
        s295(d, turn)
    }

    /// `S295`, `flow.asl.json:299`.
    fn s295(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S295", &d);
        s296(d, turn)
    }

    /// `S296`, `flow.asl.json:300`.
    fn s296(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S296", &d);
        s297(d, turn)
    }

    /// `S297`, `flow.asl.json:301`.
    fn s297(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S297", &d);
        s298(d, turn)
    }

    /// `S298`, `flow.asl.json:302`.
    fn s298(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S298", &d);
        s299(d, turn)
    }

    /// `S299`, `flow.asl.json:303`.
    fn s299(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S299", &d);
        s300(d, turn)
    }

    /// `S300`, `flow.asl.json:304`.
    fn s300(d: Value, turn: &mut Turn) -> TurnResult {
        turn.enter("S300", &d);
        rt::done(rt::object([(
            "seen",
            rt::array([
                asl::require_argument(
                    jsonpath::select(&d).name("seen").wildcard().found().as_ref(),
                    &d,
                    "$.seen[*]",
                    "States.Array($.seen[*], 300)",
                )?
                .clone(),
                Value::Int(300),
            ]),
        )]))
    }

    /// The graph of the states, in Mermaid's language.
    pub const GRAPH: &str = ::core::concat!(
        "stateDiagram-v2\n    state \"S1\" as s0\n    state \"S2\" as s1\n",
        "    state \"S3\" as s2\n    state \"S4\" as s3\n    state \"S5\" as s4\n",
        "    state \"S6\" as s5\n    state \"S7\" as s6\n    state \"S8\" as s7\n",
        "    state \"S9\" as s8\n    state \"S10\" as s9\n    state \"S11\" as s10\n",
        "    state \"S12\" as s11\n    state \"S13\" as s12\n    state \"S14\" as s13\n",
        "    state \"S15\" as s14\n    state \"S16\" as s15\n    state \"S17\" as s16\n",
        "    state \"S18\" as s17\n    state \"S19\" as s18\n    state \"S20\" as s19\n",
        "    state \"S21\" as s20\n    state \"S22\" as s21\n    state \"S23\" as s22\n",
        "    state \"S24\" as s23\n    state \"S25\" as s24\n    state \"S26\" as s25\n",
        "    state \"S27\" as s26\n    state \"S28\" as s27\n    state \"S29\" as s28\n",
        "    state \"S30\" as s29\n    state \"S31\" as s30\n    state \"S32\" as s31\n",
        "    state \"S33\" as s32\n    state \"S34\" as s33\n    state \"S35\" as s34\n",
        "    state \"S36\" as s35\n    state \"S37\" as s36\n    state \"S38\" as s37\n",
        "    state \"S39\" as s38\n    state \"S40\" as s39\n    state \"S41\" as s40\n",
        "    state \"S42\" as s41\n    state \"S43\" as s42\n    state \"S44\" as s43\n",
        "    state \"S45\" as s44\n    state \"S46\" as s45\n    state \"S47\" as s46\n",
        "    state \"S48\" as s47\n    state \"S49\" as s48\n    state \"S50\" as s49\n",
        "    state \"S51\" as s50\n    state \"S52\" as s51\n    state \"S53\" as s52\n",
        "    state \"S54\" as s53\n    state \"S55\" as s54\n    state \"S56\" as s55\n",
        "    state \"S57\" as s56\n    state \"S58\" as s57\n    state \"S59\" as s58\n",
        "    state \"S60\" as s59\n    state \"S61\" as s60\n    state \"S62\" as s61\n",
        "    state \"S63\" as s62\n    state \"S64\" as s63\n    state \"S65\" as s64\n",
        "    state \"S66\" as s65\n    state \"S67\" as s66\n    state \"S68\" as s67\n",
        "    state \"S69\" as s68\n    state \"S70\" as s69\n    state \"S71\" as s70\n",
        "    state \"S72\" as s71\n    state \"S73\" as s72\n    state \"S74\" as s73\n",
        "    state \"S75\" as s74\n    state \"S76\" as s75\n    state \"S77\" as s76\n",
        "    state \"S78\" as s77\n    state \"S79\" as s78\n    state \"S80\" as s79\n",
        "    state \"S81\" as s80\n    state \"S82\" as s81\n    state \"S83\" as s82\n",
        "    state \"S84\" as s83\n    state \"S85\" as s84\n    state \"S86\" as s85\n",
        "    state \"S87\" as s86\n    state \"S88\" as s87\n    state \"S89\" as s88\n",
        "    state \"S90\" as s89\n    state \"S91\" as s90\n    state \"S92\" as s91\n",
        "    state \"S93\" as s92\n    state \"S94\" as s93\n    state \"S95\" as s94\n",
        "    state \"S96\" as s95\n    state \"S97\" as s96\n    state \"S98\" as s97\n",
        "    state \"S99\" as s98\n    state \"S100\" as s99\n    state \"S101\" as s100\n",
        "    state \"S102\" as s101\n    state \"S103\" as s102\n    state \"S104\" as s103\n",
        "    state \"S105\" as s104\n    state \"S106\" as s105\n    state \"S107\" as s106\n",
        "    state \"S108\" as s107\n    state \"S109\" as s108\n    state \"S110\" as s109\n",
        "    state \"S111\" as s110\n    state \"S112\" as s111\n    state \"S113\" as s112\n",
        "    state \"S114\" as s113\n    state \"S115\" as s114\n    state \"S116\" as s115\n",
        "    state \"S117\" as s116\n    state \"S118\" as s117\n    state \"S119\" as s118\n",
        "    state \"S120\" as s119\n    state \"S121\" as s120\n    state \"S122\" as s121\n",
        "    state \"S123\" as s122\n    state \"S124\" as s123\n    state \"S125\" as s124\n",
        "    state \"S126\" as s125\n    state \"S127\" as s126\n    state \"S128\" as s127\n",
        "    state \"S129\" as s128\n    state \"S130\" as s129\n    state \"S131\" as s130\n",
        "    state \"S132\" as s131\n    state \"S133\" as s132\n    state \"S134\" as s133\n",
        "    state \"S135\" as s134\n    state \"S136\" as s135\n    state \"S137\" as s136\n",
        "    state \"S138\" as s137\n    state \"S139\" as s138\n    state \"S140\" as s139\n",
        "    state \"S141\" as s140\n    state \"S142\" as s141\n    state \"S143\" as s142\n",
        "    state \"S144\" as s143\n    state \"S145\" as s144\n    state \"S146\" as s145\n",
        "    state \"S147\" as s146\n    state \"S148\" as s147\n    state \"S149\" as s148\n",
        "    state \"S150\" as s149\n    state \"S151\" as s150\n    state \"S152\" as s151\n",
        "    state \"S153\" as s152\n    state \"S154\" as s153\n    state \"S155\" as s154\n",
        "    state \"S156\" as s155\n    state \"S157\" as s156\n    state \"S158\" as s157\n",
        "    state \"S159\" as s158\n    state \"S160\" as s159\n    state \"S161\" as s160\n",
        "    state \"S162\" as s161\n    state \"S163\" as s162\n    state \"S164\" as s163\n",
        "    state \"S165\" as s164\n    state \"S166\" as s165\n    state \"S167\" as s166\n",
        "    state \"S168\" as s167\n    state \"S169\" as s168\n    state \"S170\" as s169\n",
        "    state \"S171\" as s170\n    state \"S172\" as s171\n    state \"S173\" as s172\n",
        "    state \"S174\" as s173\n    state \"S175\" as s174\n    state \"S176\" as s175\n",
        "    state \"S177\" as s176\n    state \"S178\" as s177\n    state \"S179\" as s178\n",
        "    state \"S180\" as s179\n    state \"S181\" as s180\n    state \"S182\" as s181\n",
        "    state \"S183\" as s182\n    state \"S184\" as s183\n    state \"S185\" as s184\n",
        "    state \"S186\" as s185\n    state \"S187\" as s186\n    state \"S188\" as s187\n",
        "    state \"S189\" as s188\n    state \"S190\" as s189\n    state \"S191\" as s190\n",
        "    state \"S192\" as s191\n    state \"S193\" as s192\n    state \"S194\" as s193\n",
        "    state \"S195\" as s194\n    state \"S196\" as s195\n    state \"S197\" as s196\n",
        "    state \"S198\" as s197\n    state \"S199\" as s198\n    state \"S200\" as s199\n",
        "    state \"S201\" as s200\n    state \"S202\" as s201\n    state \"S203\" as s202\n",
        "    state \"S204\" as s203\n    state \"S205\" as s204\n    state \"S206\" as s205\n",
        "    state \"S207\" as s206\n    state \"S208\" as s207\n    state \"S209\" as s208\n",
        "    state \"S210\" as s209\n    state \"S211\" as s210\n    state \"S212\" as s211\n",
        "    state \"S213\" as s212\n    state \"S214\" as s213\n    state \"S215\" as s214\n",
        "    state \"S216\" as s215\n    state \"S217\" as s216\n    state \"S218\" as s217\n",
        "    state \"S219\" as s218\n    state \"S220\" as s219\n    state \"S221\" as s220\n",
        "    state \"S222\" as s221\n    state \"S223\" as s222\n    state \"S224\" as s223\n",
        "    state \"S225\" as s224\n    state \"S226\" as s225\n    state \"S227\" as s226\n",
        "    state \"S228\" as s227\n    state \"S229\" as s228\n    state \"S230\" as s229\n",
        "    state \"S231\" as s230\n    state \"S232\" as s231\n    state \"S233\" as s232\n",
        "    state \"S234\" as s233\n    state \"S235\" as s234\n    state \"S236\" as s235\n",
        "    state \"S237\" as s236\n    state \"S238\" as s237\n    state \"S239\" as s238\n",
        "    state \"S240\" as s239\n    state \"S241\" as s240\n    state \"S242\" as s241\n",
        "    state \"S243\" as s242\n    state \"S244\" as s243\n    state \"S245\" as s244\n",
        "    state \"S246\" as s245\n    state \"S247\" as s246\n    state \"S248\" as s247\n",
        "    state \"S249\" as s248\n    state \"S250\" as s249\n    state \"S251\" as s250\n",
        "    state \"S252\" as s251\n    state \"S253\" as s252\n    state \"S254\" as s253\n",
        "    state \"S255\" as s254\n    state \"S256\" as s255\n    state \"S257\" as s256\n",
        "    state \"S258\" as s257\n    state \"S259\" as s258\n    state \"S260\" as s259\n",
        "    state \"S261\" as s260\n    state \"S262\" as s261\n    state \"S263\" as s262\n",
        "    state \"S264\" as s263\n    state \"S265\" as s264\n    state \"S266\" as s265\n",
        "    state \"S267\" as s266\n    state \"S268\" as s267\n    state \"S269\" as s268\n",
        "    state \"S270\" as s269\n    state \"S271\" as s270\n    state \"S272\" as s271\n",
        "    state \"S273\" as s272\n    state \"S274\" as s273\n    state \"S275\" as s274\n",
        "    state \"S276\" as s275\n    state \"S277\" as s276\n    state \"S278\" as s277\n",
        "    state \"S279\" as s278\n    state \"S280\" as s279\n    state \"S281\" as s280\n",
        "    state \"S282\" as s281\n    state \"S283\" as s282\n    state \"S284\" as s283\n",
        "    state \"S285\" as s284\n    state \"S286\" as s285\n    state \"S287\" as s286\n",
        "    state \"S288\" as s287\n    state \"S289\" as s288\n    state \"S290\" as s289\n",
        "    state \"S291\" as s290\n    state \"S292\" as s291\n    state \"S293\" as s292\n",
        "    state \"S294\" as s293\n    state \"S295\" as s294\n    state \"S296\" as s295\n",
        "    state \"S297\" as s296\n    state \"S298\" as s297\n    state \"S299\" as s298\n",
        "    state \"S300\" as s299\n    [*] --> s0\n    s0 --> s1\n    s1 --> s2\n",
        "    s2 --> s3\n    s3 --> s4\n    s4 --> s5\n    s5 --> s6\n    s6 --> s7\n",
        "    s7 --> s8\n    s8 --> s9\n    s9 --> s10\n    s10 --> s11\n    s11 --> s12\n",
        "    s12 --> s13\n    s13 --> s14\n    s14 --> s15\n    s15 --> s16\n    s16 --> s17\n",
        "    s17 --> s18\n    s18 --> s19\n    s19 --> s20\n    s20 --> s21\n    s21 --> s22\n",
        "    s22 --> s23\n    s23 --> s24\n    s24 --> s25\n    s25 --> s26\n    s26 --> s27\n",
        "    s27 --> s28\n    s28 --> s29\n    s29 --> s30\n    s30 --> s31\n    s31 --> s32\n",
        "    s32 --> s33\n    s33 --> s34\n    s34 --> s35\n    s35 --> s36\n    s36 --> s37\n",
        "    s37 --> s38\n    s38 --> s39\n    s39 --> s40\n    s40 --> s41\n    s41 --> s42\n",
        "    s42 --> s43\n    s43 --> s44\n    s44 --> s45\n    s45 --> s46\n    s46 --> s47\n",
        "    s47 --> s48\n    s48 --> s49\n    s49 --> s50\n    s50 --> s51\n    s51 --> s52\n",
        "    s52 --> s53\n    s53 --> s54\n    s54 --> s55\n    s55 --> s56\n    s56 --> s57\n",
        "    s57 --> s58\n    s58 --> s59\n    s59 --> s60\n    s60 --> s61\n    s61 --> s62\n",
        "    s62 --> s63\n    s63 --> s64\n    s64 --> s65\n    s65 --> s66\n    s66 --> s67\n",
        "    s67 --> s68\n    s68 --> s69\n    s69 --> s70\n    s70 --> s71\n    s71 --> s72\n",
        "    s72 --> s73\n    s73 --> s74\n    s74 --> s75\n    s75 --> s76\n    s76 --> s77\n",
        "    s77 --> s78\n    s78 --> s79\n    s79 --> s80\n    s80 --> s81\n    s81 --> s82\n",
        "    s82 --> s83\n    s83 --> s84\n    s84 --> s85\n    s85 --> s86\n    s86 --> s87\n",
        "    s87 --> s88\n    s88 --> s89\n    s89 --> s90\n    s90 --> s91\n    s91 --> s92\n",
        "    s92 --> s93\n    s93 --> s94\n    s94 --> s95\n    s95 --> s96\n    s96 --> s97\n",
        "    s97 --> s98\n    s98 --> s99\n    s99 --> s100\n    s100 --> s101\n",
        "    s101 --> s102\n    s102 --> s103\n    s103 --> s104\n    s104 --> s105\n",
        "    s105 --> s106\n    s106 --> s107\n    s107 --> s108\n    s108 --> s109\n",
        "    s109 --> s110\n    s110 --> s111\n    s111 --> s112\n    s112 --> s113\n",
        "    s113 --> s114\n    s114 --> s115\n    s115 --> s116\n    s116 --> s117\n",
        "    s117 --> s118\n    s118 --> s119\n    s119 --> s120\n    s120 --> s121\n",
        "    s121 --> s122\n    s122 --> s123\n    s123 --> s124\n    s124 --> s125\n",
        "    s125 --> s126\n    s126 --> s127\n    s127 --> s128\n    s128 --> s129\n",
        "    s129 --> s130\n    s130 --> s131\n    s131 --> s132\n    s132 --> s133\n",
        "    s133 --> s134\n    s134 --> s135\n    s135 --> s136\n    s136 --> s137\n",
        "    s137 --> s138\n    s138 --> s139\n    s139 --> s140\n    s140 --> s141\n",
        "    s141 --> s142\n    s142 --> s143\n    s143 --> s144\n    s144 --> s145\n",
        "    s145 --> s146\n    s146 --> s147\n    s147 --> s148\n    s148 --> s149\n",
        "    s149 --> s150\n    s150 --> s151\n    s151 --> s152\n    s152 --> s153\n",
        "    s153 --> s154\n    s154 --> s155\n    s155 --> s156\n    s156 --> s157\n",
        "    s157 --> s158\n    s158 --> s159\n    s159 --> s160\n    s160 --> s161\n",
        "    s161 --> s162\n    s162 --> s163\n    s163 --> s164\n    s164 --> s165\n",
        "    s165 --> s166\n    s166 --> s167\n    s167 --> s168\n    s168 --> s169\n",
        "    s169 --> s170\n    s170 --> s171\n    s171 --> s172\n    s172 --> s173\n",
        "    s173 --> s174\n    s174 --> s175\n    s175 --> s176\n    s176 --> s177\n",
        "    s177 --> s178\n    s178 --> s179\n    s179 --> s180\n    s180 --> s181\n",
        "    s181 --> s182\n    s182 --> s183\n    s183 --> s184\n    s184 --> s185\n",
        "    s185 --> s186\n    s186 --> s187\n    s187 --> s188\n    s188 --> s189\n",
        "    s189 --> s190\n    s190 --> s191\n    s191 --> s192\n    s192 --> s193\n",
        "    s193 --> s194\n    s194 --> s195\n    s195 --> s196\n    s196 --> s197\n",
        "    s197 --> s198\n    s198 --> s199\n    s199 --> s200\n    s200 --> s201\n",
        "    s201 --> s202\n    s202 --> s203\n    s203 --> s204\n    s204 --> s205\n",
        "    s205 --> s206\n    s206 --> s207\n    s207 --> s208\n    s208 --> s209\n",
        "    s209 --> s210\n    s210 --> s211\n    s211 --> s212\n    s212 --> s213\n",
        "    s213 --> s214\n    s214 --> s215\n    s215 --> s216\n    s216 --> s217\n",
        "    s217 --> s218\n    s218 --> s219\n    s219 --> s220\n    s220 --> s221\n",
        "    s221 --> s222\n    s222 --> s223\n    s223 --> s224\n    s224 --> s225\n",
        "    s225 --> s226\n    s226 --> s227\n    s227 --> s228\n    s228 --> s229\n",
        "    s229 --> s230\n    s230 --> s231\n    s231 --> s232\n    s232 --> s233\n",
        "    s233 --> s234\n    s234 --> s235\n    s235 --> s236\n    s236 --> s237\n",
        "    s237 --> s238\n    s238 --> s239\n    s239 --> s240\n    s240 --> s241\n",
        "    s241 --> s242\n    s242 --> s243\n    s243 --> s244\n    s244 --> s245\n",
        "    s245 --> s246\n    s246 --> s247\n    s247 --> s248\n    s248 --> s249\n",
        "    s249 --> s250\n    s250 --> s251\n    s251 --> s252\n    s252 --> s253\n",
        "    s253 --> s254\n    s254 --> s255\n    s255 --> s256\n    s256 --> s257\n",
        "    s257 --> s258\n    s258 --> s259\n    s259 --> s260\n    s260 --> s261\n",
        "    s261 --> s262\n    s262 --> s263\n    s263 --> s264\n    s264 --> s265\n",
        "    s265 --> s266\n    s266 --> s267\n    s267 --> s268\n    s268 --> s269\n",
        "    s269 --> s270\n    s270 --> s271\n    s271 --> s272\n    s272 --> s273\n",
        "    s273 --> s274\n    s274 --> s275\n    s275 --> s276\n    s276 --> s277\n",
        "    s277 --> s278\n    s278 --> s279\n    s279 --> s280\n    s280 --> s281\n",
        "    s281 --> s282\n    s282 --> s283\n    s283 --> s284\n    s284 --> s285\n",
        "    s285 --> s286\n    s286 --> s287\n    s287 --> s288\n    s288 --> s289\n",
        "    s289 --> s290\n    s290 --> s291\n    s291 --> s292\n    s292 --> s293\n",
        "    s293 --> s294\n    s294 --> s295\n    s295 --> s296\n    s296 --> s297\n",
        "    s297 --> s298\n    s298 --> s299\n    s299 --> [*]\n"
    );
}
