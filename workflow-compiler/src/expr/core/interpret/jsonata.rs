//! Functions of JSONata: a table with a row for each function that lowered expressions call.

mod lambdas;
mod natives;
mod sized;

use super::{Arguments, Interpreted, Interpreter, Operand, Yields, leaked, row};
use crate::expr::Literal;
use std::collections::BTreeMap;
use std::iter::Enumerate;
use std::sync::{LazyLock, Mutex};
use workflow_runtime::__private::jsonata::{
    self, Candidates, Elements, Groups, ItemLoop, JsonataError, JsonataRegex, Maybe, Members, Results, Run, Single,
    Sorting,
};
use workflow_runtime::Value;

/// The language JSONata.
pub struct Jsonata;

/// The contents of locals of JSONata besides values.
pub enum JsonataContent {
    /// A parameter: a value of the workflow that may be absent.
    Variable(Option<Value>),
    /// The results of a step.
    Results(Results),
    /// The result of `$single`.
    Single(Single),
    /// The elements of an array.
    Elements(Elements),
    /// Groups of items.
    Groups(Groups),
    /// The keys of an order.
    Sorting(Sorting),
    /// The members of an object.
    Members(Members),
}

type Res<T> = Result<T, JsonataError>;
type Function = for<'i, 'a, 'r> fn(
    &'i Interpreter<'a, Jsonata>,
    &'i mut Arguments<'a, Jsonata>,
    &'i mut Run<'r>,
) -> Res<Operand<'a, Jsonata>>;
/// A name as generated code has it, and the function.
type Row = (&'static str, Function);

/// The functions by name.
static ROWS: LazyLock<BTreeMap<&'static str, Function>> = LazyLock::new(|| {
    let rows = [
        SPECIAL,
        lambdas::LAMBDAS,
        FUNCTIONS,
        CONSTRUCTORS,
        CHANGES,
        ENDS,
        natives::CALLS,
        natives::CONTEXTUAL,
        natives::SEQUENCES,
    ];
    rows.into_iter().flatten().copied().collect()
});

impl Interpreted for Jsonata {
    type Value = Maybe;
    type Error = JsonataError;
    type Other = JsonataContent;
    type Run<'r> = Run<'r>;

    fn literal(literal: &Literal) -> Maybe {
        match literal {
            Literal::Null => jsonata::null(),
            Literal::Bool(value) => jsonata::bool(*value),
            Literal::Int(number) => jsonata::int(*number),
            Literal::Float(number) => jsonata::float(*number),
            Literal::String(text) => jsonata::text(leaked(text)),
            Literal::Array(_) | Literal::Object(_) => panic!("no constant of JSONata is {literal}"),
        }
    }

    fn of_bool(value: bool) -> Maybe {
        jsonata::bool(value)
    }

    fn array(_: Vec<Maybe>) -> Maybe {
        panic!("JSONata has functions for its arrays")
    }

    fn object(members: Vec<(&str, Maybe)>, run: &mut Run<'_>) -> Res<Maybe> {
        sized::object(members.into_iter().map(|(name, value)| (leaked(name), value)).collect(), run)
    }

    fn copied(other: &JsonataContent) -> Option<JsonataContent> {
        match other {
            JsonataContent::Variable(value) => Some(JsonataContent::Variable(value.clone())),
            _ => None,
        }
    }

    fn call<'a>(
        name: &'static str,
        interpreter: &Interpreter<'a, Jsonata>,
        arguments: &mut Arguments<'a, Jsonata>,
        run: &mut Run<'_>,
    ) -> Res<Operand<'a, Jsonata>> {
        row(&ROWS, name)(interpreter, arguments, run)
    }
}

/// Returns the names of all functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROWS.keys().copied()
}

/// Returns a regular expression that lives until the end, like a constant of generated code.
fn regex(text: &str, flags: &'static str) -> &'static JsonataRegex {
    static PATTERNS: Mutex<BTreeMap<(String, &str), &'static JsonataRegex>> = Mutex::new(BTreeMap::new());
    let mut patterns = PATTERNS.lock().expect("no holder of the lock panics");
    let made = || &*Box::leak(Box::new(JsonataRegex::new(leaked(text), flags)));
    patterns.entry((text.to_owned(), flags)).or_insert_with(made)
}

impl<'a> Arguments<'a, Jsonata> {
    fn value(&mut self) -> Maybe {
        self.take().into_value()
    }

    fn variable(&mut self) -> Option<Value> {
        match self.receiver() {
            JsonataContent::Variable(value) => value,
            _ => panic!("the argument is not a variable"),
        }
    }

    fn names(&mut self) -> Vec<&'a str> {
        self.take().into_texts().iter().map(String::as_str).collect()
    }

    fn count(&mut self) -> usize {
        usize::try_from(self.take().into_count()).expect("items are in memory")
    }

    fn pair(&mut self) -> usize {
        usize::try_from(self.take().into_int()).expect("a pair has a position")
    }
}

yields! {
    Jsonata;
    (), _nothing => Operand::Unit;
    bool, holds => Operand::Bool(holds);
    usize, count => Operand::Count(count as u64);
    Maybe, value => Operand::Value(value);
    ItemLoop, items => Operand::Items(Box::new(items.map(|item| vec![Operand::Value(item)])));
    Candidates, items => Operand::Items(Box::new(items.map(|item| vec![Operand::Value(item)])));
    Enumerate<ItemLoop>, items => entries(items);
    Vec<(Maybe, Maybe)>, members => Operand::Items(Box::new(members.into_iter().map(|(name, value)| {
        vec![Operand::Value(name), Operand::Value(value)]
    })));
    Vec<(usize, Maybe, Maybe)>, groups => Operand::Items(Box::new(groups.into_iter().map(|(pair, key, item)| {
        vec![Operand::Count(pair as u64), Operand::Value(key), Operand::Value(item)]
    })));
}

/// Returns items with their positions.
fn entries<'a>(items: impl Iterator<Item = (usize, Maybe)> + 'static) -> Operand<'a, Jsonata> {
    Operand::Items(Box::new(items.map(|(at, item)| vec![Operand::Count(at as u64), Operand::Value(item)])))
}

/// Takes the next argument as a function of the runtime takes it.
macro_rules! argument {
    ($arguments:ident $run:ident run) => {
        $run
    };
    ($arguments:ident $run:ident value) => {
        $arguments.value()
    };
    ($arguments:ident $run:ident reference) => {
        &$arguments.value()
    };
    ($arguments:ident $run:ident variable) => {
        $arguments.variable().as_ref()
    };
    ($arguments:ident $run:ident names) => {
        &$arguments.names()
    };
    ($arguments:ident $run:ident name) => {
        leaked($arguments.take().into_text())
    };
    ($arguments:ident $run:ident number) => {
        $arguments.take().into_int()
    };
    ($arguments:ident $run:ident flags) => {
        $arguments.take().into_flags()
    };
    ($arguments:ident $run:ident count) => {
        $arguments.count()
    };
    ($arguments:ident $run:ident pair) => {
        $arguments.pair()
    };
}

/// Lists functions of the module `jsonata`, each with the arguments that it takes.
macro_rules! functions {
    ($($name:ident($($kind:ident),*);)*) => {
        &[$((concat!("jsonata::", stringify!($name)), |_, arguments, run| {
            let _ = (&arguments, &run);
            jsonata::$name($(argument!(arguments run $kind)),*).yields()
        })),*]
    };
}

static FUNCTIONS: &[Row] = functions! {
    nothing();
    of(variable);
    wrapped(reference);
    collapsed(value);
    kept(value);
    grouped(value, run);
    all(value);
    first_step(value, run);
    position(count);
    native(name, run);
    is_true(reference, run);
    find(variable, names, run);
    walk(reference, names, run);
    find_steps(variable, names, run);
    walk_steps(reference, names, run);
    find_all(variable, names, run);
    walk_all(reference, names, run);
    find_at(variable, names, number, run);
    walk_at(reference, names, number, run);
    find_step_at(variable, names, number, run);
    walk_step_at(reference, names, number, run);
    find_candidates(variable, names, run);
    walk_candidates(reference, names, run);
    lookup_all(reference, name, run);
    wildcard(reference, run);
    descendants(reference, run);
    at(reference, number);
    items_of(value);
    first_items(value);
    group_items(value);
    entries(value);
    entries_of(value);
    count(reference);
    members_of(reference, name, run);
    begin(reference, reference);
    as_array(value);
    add(reference, reference);
    subtract(reference, reference);
    multiply(reference, reference);
    divide(reference, reference);
    remainder(reference, reference);
    less(reference, reference, run);
    less_or_equal(reference, reference, run);
    greater(reference, reference, run);
    greater_or_equal(reference, reference, run);
    equal(reference, reference, run);
    unequal(reference, reference, run);
    is_in(reference, reference, run);
    concatenate(reference, reference, run);
    range(reference, reference, run);
    is_less(reference, reference, run);
    is_less_or_equal(reference, reference, run);
    is_greater(reference, reference, run);
    is_greater_or_equal(reference, reference, run);
    negate(reference, run);
};

static SPECIAL: &[Row] = &[
    ("run.step", |_, _, run| run.step().yields()),
    ("is_some", |_, arguments, _| arguments.value().is_some().yields()),
    ("==", |_, arguments, _| (arguments.count() == arguments.pair()).yields()),
    ("jsonata::rest", |_, arguments, _| Ok(entries(jsonata::rest(arguments.value(), &arguments.value())))),
    ("jsonata::elements", |_, arguments, run| sized::elements(arguments.take().into_list(), run).yields()),
    ("jsonata::list", |_, arguments, run| sized::list(arguments.take().into_list(), run).yields()),
    ("jsonata::regex", |_, arguments, run| match arguments.take() {
        Operand::Pattern(text, flags) => jsonata::regex(regex(text, flags), run).yields(),
        _ => panic!("the argument is not a pattern"),
    }),
    ("jsonata::sorted_by", |interpreter, arguments, run| {
        let (array, closure) = (arguments.value(), arguments.take().into_closure());
        let swaps = |left, right, run: &mut Run<'_>| {
            let operands = vec![Operand::Value(left), Operand::Value(right)];
            interpreter.call_closure(closure, operands, run).map(Operand::into_value)
        };
        jsonata::sorted_by(array, swaps, run).yields()
    }),
];

/// Lists the types of what locals hold.
macro_rules! constructors {
    ($($of:ident)*) => {
        &[$((concat!("jsonata::", stringify!($of), "::new"), |_, _, _| {
            Ok(Operand::Other(JsonataContent::$of($of::new())))
        })),*]
    };
}

static CONSTRUCTORS: &[Row] = constructors! { Results Single Elements Groups Sorting Members };

/// Lists methods that change their receivers, for each type of these with the other arguments.
macro_rules! changes {
    ($($name:ident { $($of:ident($($kind:ident),*))* })*) => {
        &[$((stringify!($name), |_, arguments, run| {
            let _ = &run;
            match arguments.receiver() {
                $(JsonataContent::$of(mut receiver) => {
                    let result = receiver.$name($(argument!(arguments run $kind)),*).yields();
                    arguments.put_back(Operand::Other(JsonataContent::$of(receiver)));
                    result
                })*
                _ => panic!(concat!("the receiver has no method `", stringify!($name), "`")),
            }
        })),*]
    };
}

static CHANGES: &[Row] = changes! {
    push { Results(value) }
    push_selected { Results(value) }
    keep { Results(value, run) }
    select { Results(value, reference, count, count, run) }
    add { Single(value) Elements(value, run) Groups(pair, reference, reference, run) Sorting(value, run) }
    add_one { Elements(value, run) }
    insert { Members(reference, value, run) }
};

/// Lists methods that make a value of their receivers.
macro_rules! ends {
    ($($name:ident $of:ident($($kind:ident),*);)*) => {
        &[$((stringify!($name), |_, arguments, run| {
            let _ = &run;
            match arguments.receiver() {
                JsonataContent::$of(receiver) => receiver.$name($(argument!(arguments run $kind)),*).yields(),
                _ => panic!(concat!("the receiver has no method `", stringify!($name), "`")),
            }
        })),*]
    };
}

static ENDS: &[Row] = ends! {
    sequence Results();
    step Results(run);
    last_step Results(run);
    last Results(run);
    value Single(reference);
    array Elements();
    constructed Elements();
    merged Groups(run);
    object Members();
    object_or_nothing Members();
    sorted Sorting(reference, flags, run);
};
