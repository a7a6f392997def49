//! The tables that generated code is written around: what a definition says, and the points of its machine.
//!
//! A table may have thousands of rows. rustc copies all that a macro has matched so far wherever two ways to go on are both
//! open when a repetition begins; so in these patterns no row begins or ends with a repetition, and a word stands between
//! lists. Otherwise the time of an expansion grows with the square of the rows.

/// What a definition says: its header, settings, states and tasks, as the static `DEFINITION`, and a static for each task.
///
/// ```ignore
/// definition! {
///     VERSION_0_1_0 Order "order", "asl", "flows/order.asl.json", 0x1234, Some(3600), None, false, Some(60.0);
///     graph "stateDiagram-v2 …";
///     called Called { id: "order", version: Some("1.0"), is_child: true };
///     settings;
///     "Stage";
///     events [EventInfo::new("paid")];
///     correlation ["order"] |input| Ok(None);
///     starts_on StartsOn::new("Charge", &[0]);
///     schedule Schedule::after_deployment("P1D", 86_400_000_000);
///     states;
///     "Charge" "Task" 14 => "Ship" "Notify";
///     tasks;
///     CHARGE 0 "ChargeCard" "Charge" 15 "arn:aws:lambda:…";
///     REFUND 1 "refund" "Refund" 21 "bank.json#refund" => OPERATION_1;
/// }
/// ```
/// The header is: the compiler's version, the type of the workflow, name, dialect, source, hash, time-out in seconds, payload limit in bytes, whether the context object is
/// read, the longest time-out of a task in seconds. A setting is: its name. What others call it, events, the attributes that they correlate by with how the value is read from an input, those that start an execution, when it can be started, what becomes of an execution that takes too long, and what its input is checked with, may be missing. A state is: name, kind, line, the states it leads to. A task is: its constant, its index, key, state, line, resource, and the static of its operation, if it has one.
#[macro_export]
#[doc(hidden)]
macro_rules! __definition {
    (
        $version:ident $workflow:ident $name:literal, $dialect:literal, $source:literal, $hash:literal, $timeout:expr, $limit:expr, $context:literal, $longest_task:expr;
        graph $graph:literal;
        $(called $called:expr;)?
        settings;
        $($setting:literal;)*
        $(events [$($event:expr),*];)?
        $(correlation [$($attribute:literal),*] $($read:expr)?;)?
        $(starts_on $starts_on:expr;)?
        $(schedule $schedule:expr;)?
        $(on_timeout $on_timeout:expr;)?
        $(check_input $check_input:expr;)?
        states;
        $($state:literal $kind:literal $line:literal => $($next:literal)*;)*
        tasks;
        $($task:ident $index:literal $key:literal $of:literal $at:literal $resource:literal $(=> $operation:ident)?;)*
    ) => {
        impl $crate::__private::Workflow for $workflow {
            type State = State;
            const DEFINITION: &'static $crate::__private::Definition = &DEFINITION;
        }

        /// The graph of the states, in Mermaid's language.
        pub const GRAPH: &str = $graph;

        /// What the definition says, as data.
        pub static DEFINITION: $crate::__private::Definition = $crate::__private::Definition {
            version: $crate::__private::$version,
            name: $name,
            dialect: $dialect,
            source: $source,
            hash: $hash,
            called: $crate::__definition!(@called $($called)?),
            timeout_seconds: $timeout,
            on_timeout: $crate::__definition!(@on_timeout $($on_timeout)?),
            data_limit: $limit,
            check_input: $crate::__definition!(@check_input $($check_input)?),
            context: $context,
            longest_task_seconds: $longest_task,
            states: &[$($crate::__private::StateInfo::new($state, $kind, $line, &[$($next),*])),*],
            tasks: &[$($crate::__private::Task::new($index, $key, $resource, $of, $at)$(.operation(&$operation))?),*],
            events: &[$($($event),*)?],
            correlation: $crate::__definition!(@correlation $([$($attribute),*] $($read)?)?),
            starts_on: $crate::__definition!(@starts_on $($starts_on)?),
            schedule: $crate::__definition!(@schedule $($schedule)?),
            points: POINTS,
            settings: &[$($setting),*],
            graph: GRAPH,
        };
        $(static $task: &$crate::__private::Task = &DEFINITION.tasks[$index];)*
    };
    (@called) => { None };
    (@called $called:expr) => { Some($called) };
    (@correlation) => { None };
    (@correlation [$($attribute:literal),*]) => {
        Some($crate::__private::Correlation { attributes: &[$($attribute),*], read: None })
    };
    (@correlation [$($attribute:literal),*] $read:expr) => {
        Some($crate::__private::Correlation { attributes: &[$($attribute),*], read: Some($read) })
    };
    (@starts_on) => { None };
    (@starts_on $starts_on:expr) => { Some($starts_on) };
    (@schedule) => { None };
    (@schedule $schedule:expr) => { Some($schedule) };
    (@check_input) => { None };
    (@check_input $check_input:expr) => { Some($check_input) };
    (@on_timeout) => { $crate::__private::OnTimeout::Fail };
    (@on_timeout $on_timeout:expr) => { $on_timeout };
}

/// The points of a machine: the enum of its states, and how a frame is saved at each, loaded there, and run on from there.
///
/// ```ignore
/// machine! {
///     pub enum State(item) from Start(item) entries [Later(item)];
///     Start(d: Value) = "start", "", 0x1 => enter start(d);
///     Charge(d: Value, retries: Retries) = "Charge", "Charge", 0x2 => resume charge_done(d, retries) { else charge_failed(d, retries) };
///     ChargeRetry(d: Value, retries: Retries) = "Charge retry", "Charge", 0x2 => elapsed charge_try(d, retries);
///     Ship(d: Value) = "Ship", "Ship", 0x3 => resume ship_joined(d) { else ship_failed(d) fork [Left(d.clone()), Right(d.clone())] };
///     Later(d: Value) = "Later", "", 0x3 => enter later(d);
///     Pack(d: Value) = "Pack", "Pack", 0x3 => resume pack_joined(d) { each Item(d.clone(), item.clone()) };
/// }
/// ```
/// A point is: its variant with what it keeps, its name in snapshots, the authored state, a fingerprint of what it keeps;
/// whether a frame enters the function at once, or resumes it with a result, or runs it once a time has elapsed; the function
/// that takes a fault in place of the result; the entries of its branches, or of its iterations. The header lists the entries of parts that run on their
/// own, if there are any.
#[macro_export]
#[doc(hidden)]
macro_rules! __machine {
    (
        $(#[$about:meta])*
        pub enum $state:ident ($item:ident) from $start:ident ($($input:ident)?) $(entries [$($entry:ident ($($taken:expr)?)),+])? $(documents [$($place:pat => $document:ident),*])?;
        $(
            $point:ident ($($field:ident : $type:ty),*) = $name:literal, $of:literal, $layout:literal =>
                $how:ident $block:ident ($($arg:ident),*) $({ $($more:tt)* })?;
        )*
    ) => {
        $(#[$about])*
        pub enum $state { $($point($($type),*)),* }

        /// What a run from one wait to the next can ask for.
        type Turn = $crate::__private::Turn<$state>;

        /// What a frame does next.
        type Step = $crate::__private::Step<$state>;

        /// The points, in the order of the variants.
        static POINTS: &[$crate::__private::Point] = &[$($crate::__private::Point::new($name, $of, $layout)),*];

        impl $crate::__private::Machine for $state {
            fn start($item: $crate::__private::Value) -> Self {
                $state::$start($($input)?)
            }

            fn enter(self, turn: &mut $crate::__private::Turn<Self>) -> $crate::__private::Step<Self> {
                match self {
                    $($state::$point($($field),*) => {
                        $crate::__private::machine!(@enter $how $block ($($arg),*) turn, $state::$point($($field),*))
                    })*
                }
            }

            fn resume(
                self,
                outcome: $crate::__private::Outcome,
                turn: &mut $crate::__private::Turn<Self>,
            ) -> $crate::__private::Step<Self> {
                match self {
                    $($state::$point($($field),*) => {
                        $crate::__private::machine!(
                            @resume $how $block ($($arg),*) outcome turn $($($more)*)?
                        )
                    })*
                }
            }

            fn child(&self, index: usize, $item: &$crate::__private::Value) -> Option<Self> {
                match self {
                    $($state::$point($($field),*) => {
                        $crate::__private::machine!(@child $state index $($($more)*)?)
                    })*
                }
            }

            $(
                fn entry(number: u32, $item: &$crate::__private::Value) -> Option<Self> {
                    let entries = [$(|$item: &$crate::__private::Value| $state::$entry($($taken.clone())?)),+];
                    entries.get(number as usize).map(|entry| entry($item))
                }
            )?

            $(
                fn document(&self) -> Option<&$crate::__private::Value> {
                    match self {
                        $($place => Some($document),)*
                        _ => None,
                    }
                }
            )?

            fn point(&self) -> &'static $crate::__private::Point {
                match self {
                    $($state::$point(..) => const { &$crate::__private::Point::new($name, $of, $layout) },)*
                }
            }

            fn save(&self, w: &mut $crate::__private::Writer) {
                match self { $($state::$point($($field),*) => w.put_all(&[$($field),*]),)* }
            }

            fn load(
                point: &str,
                r: &mut $crate::__private::Reader<'_>,
            ) -> Result<Self, $crate::__private::LoadError> {
                match point {
                    $($name => Ok($state::$point($(r.take::<$type>()?),*)),)*
                    unknown => Err($crate::__private::LoadError::unknown_point(unknown)),
                }
            }
        }
    };
    (@enter enter $block:ident ($($arg:ident),*) $turn:ident, $whole:expr) => { $block($($arg,)* $turn) };
    (@enter $other:ident $block:ident ($($arg:ident),*) $turn:ident, $whole:expr) => { $crate::__private::wait($whole) };
    (@resume resume $block:ident ($($arg:ident),*) $outcome:ident $turn:ident
        else $failed:ident ($($given:ident),*) $($more:tt)*
    ) => {
        match $outcome {
            Ok(result) => $block($($arg,)* result, $turn),
            Err(fault) => $failed($($given,)* fault, $turn),
        }
    };
    (@resume resume $block:ident ($($arg:ident),*) $outcome:ident $turn:ident $($more:tt)*) => {
        $block($($arg,)* $outcome?, $turn)
    };
    (@resume $other:ident $block:ident ($($arg:ident),*) $outcome:ident $turn:ident) => { $block($($arg,)* $turn) };
    (@child $state:ident $index:ident) => { None };
    (@child $state:ident $index:ident else $failed:ident $given:tt $($more:tt)*) => {
        $crate::__private::machine!(@child $state $index $($more)*)
    };
    (@child $state:ident $index:ident each $body:ident ($($held:expr),*)) => { Some($state::$body($($held),*)) };
    (@child $state:ident $index:ident fork [$($branch:ident ($($kept:expr),*)),+]) => {{
        let mut left = $index;
        $(
            if left == 0 {
                return Some($state::$branch($($kept),*));
            }
            left -= 1;
        )+
        let _ = left;
        None
    }};
}
