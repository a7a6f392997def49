//! Macros for the tables that generated code consists of: the definition, and the suspension
//! points of its state machine.
//!
//! A table may have thousands of rows. rustc copies everything that a macro has matched so far
//! whenever two continuations are possible at the start of a repetition. In these patterns
//! therefore no row begins or ends with a repetition, and a keyword separates lists. Otherwise the
//! expansion time grows with the square of the number of rows.

/// Declares the static `DEFINITION` and a static for each task.
///
/// ```ignore
/// definition! {
///     VERSION_0_1_0 Order "order", "asl", "flows/order.asl.json", 0x1234, Some(3600), None, false, Some(60.0);
///     graph "stateDiagram-v2 …";
///     workflow_id WorkflowId { id: "order", version: Some("1.0"), is_child: true };
///     settings;
///     "Stage";
///     events [EventInfo::new("paid")];
///     correlation ["order"] |input| Ok(None);
///     starts_on StartsOn::new("Charge", &[0]);
///     schedule Schedule::after_deployment("P1D", 86_400_000_000);
///     on_timeout OnTimeout::Null;
///     check_input |input| Ok(());
///     states;
///     "Charge" "Task" 14 => "Ship" "Notify";
///     tasks;
///     CHARGE 0 "ChargeCard" "Charge" 15 "arn:aws:lambda:…";
///     REFUND 1 "refund" "Refund" 21 "bank.json#refund" => OPERATION_1;
/// }
/// ```
///
/// The rows have these columns:
///
/// * Header: compiler version, type of the workflow, name, dialect, source, hash, time-out in
///   seconds, payload limit in bytes, use of the context object, longest time-out of a task in
///   seconds.
/// * Setting: name.
/// * State: name, kind, line, next states.
/// * Task: constant, index, key, state, line, resource, and the static of its operation if it has
///   one.
///
/// The rows `workflow_id`, `events`, `correlation`, `starts_on`, `schedule`, `on_timeout` and
/// `check_input` are optional. See [`Definition`](crate::machine::Definition).
#[macro_export]
#[doc(hidden)]
macro_rules! __definition {
    (
        $version:ident $workflow:ident $name:literal, $dialect:literal, $source:literal, $hash:literal, $timeout:expr, $limit:expr, $context:literal, $longest_task:expr;
        graph $graph:literal;
        $(workflow_id $workflow_id:expr;)?
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

        /// The definition as data.
        pub static DEFINITION: $crate::__private::Definition = $crate::__private::Definition {
            version: $crate::__private::$version,
            name: $name,
            dialect: $dialect,
            source: $source,
            hash: $hash,
            workflow_id: $crate::__definition!(@workflow_id $($workflow_id)?),
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
    (@workflow_id) => { None };
    (@workflow_id $workflow_id:expr) => { Some($workflow_id) };
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

/// Declares the enum of the suspension points, and implements [`Machine`](crate::machine::Machine)
/// for it.
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
///
/// A row has these columns:
///
/// * the variant with the values it stores, the name in snapshots, the authored state, and the
///   fingerprint of the stored values;
/// * `enter` for an entry, `resume` for a function that receives the result, or `elapsed` for a
///   function that runs after a delay;
/// * in braces, `else` and the function that handles a fault, `fork` and the entries of the
///   branches, or `each` and the entry of the iterations.
///
/// The header lists the entries that run as child executions, if there are any.
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

        /// The turn of this machine.
        type Turn = $crate::__private::Turn<$state>;

        /// The result of running a frame of this machine.
        type TurnResult = $crate::__private::TurnResult<$state>;

        /// The suspension points, in the order of the variants.
        static POINTS: &[$crate::__private::SuspensionPoint] = &[$($crate::__private::SuspensionPoint::new($name, $of, $layout)),*];

        impl $crate::__private::Machine for $state {
            fn start($item: $crate::__private::Value) -> Self {
                $state::$start($($input)?)
            }

            fn enter(self, turn: &mut $crate::__private::Turn<Self>) -> $crate::__private::TurnResult<Self> {
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
            ) -> $crate::__private::TurnResult<Self> {
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

            fn point(&self) -> &'static $crate::__private::SuspensionPoint {
                match self {
                    $($state::$point(..) => const { &$crate::__private::SuspensionPoint::new($name, $of, $layout) },)*
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
        else $failed:ident ($($passed:ident),*) $($more:tt)*
    ) => {
        match $outcome {
            Ok(result) => $block($($arg,)* result, $turn),
            Err(fault) => $failed($($passed,)* fault, $turn),
        }
    };
    (@resume resume $block:ident ($($arg:ident),*) $outcome:ident $turn:ident $($more:tt)*) => {
        $block($($arg,)* $outcome?, $turn)
    };
    (@resume $other:ident $block:ident ($($arg:ident),*) $outcome:ident $turn:ident) => { $block($($arg,)* $turn) };
    (@child $state:ident $index:ident) => { None };
    (@child $state:ident $index:ident else $failed:ident $passed:tt $($more:tt)*) => {
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
