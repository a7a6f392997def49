//! Functions of JavaScript: a table with a row for each function that lowered functions call.

mod builtins;
mod closures;
mod operators;

use super::{Arguments, Interpreted, Interpreter, Operand, Yields, interpret, leaked, row};
use crate::expr::Literal;
use crate::expr::core::interpret::OUTCOME;
use crate::expr::core::{Constant, CoreFunction};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::LazyLock;
use workflow_runtime::__private::js::{self, Js, Throw, Var};
use workflow_runtime::Str;

/// The language JavaScript.
pub struct Javascript;

/// The contents of locals of JavaScript besides values.
#[derive(Clone)]
pub enum JavascriptContent {
    /// The state of the run.
    Run,
    /// A number that becomes a value where one is needed.
    Number(f64),
    /// A whole number with a sign.
    Signed(i32),
    /// A whole number without a sign.
    Unsigned(u32),
    /// A text that becomes a value where one is needed.
    Text(Str),
    /// A variable on the heap.
    Variable(Var),
}

/// The run of a function.
pub struct Running<'r> {
    run: &'r js::Run,
    /// The function, which outlives its call if a closure does.
    function: Rc<CoreFunction>,
}

type Res<T> = js::Result<T>;
type Function = for<'i, 'a, 'r> fn(
    &'i Interpreter<'a, Javascript>,
    &'i mut Arguments<'a, Javascript>,
    &'i mut Running<'r>,
) -> Res<Operand<'a, Javascript>>;
/// A name as generated code has it, and the function.
type Row = (&'static str, Function);

/// The functions by name.
static ROWS: LazyLock<BTreeMap<&'static str, Function>> = LazyLock::new(|| {
    let rows = [SPECIAL, FUNCTIONS, builtins::BUILTINS].into_iter().chain(operators::OPERATORS);
    rows.flatten().copied().collect()
});

/// Runs a function.
///
/// # Errors
/// Returns what the function throws.
pub fn run_function(function: &Rc<CoreFunction>, run: &js::Run, argument: Js, variables: &[Var]) -> js::Result {
    let mut operands = vec![Operand::Other(JavascriptContent::Run), Operand::Value(argument)];
    operands.extend(variables.iter().map(|variable| Operand::Other(JavascriptContent::Variable(variable.clone()))));
    interpret::<Javascript>(function, operands, &mut Running { run, function: function.clone() })
}

/// Returns the names of all functions.
pub fn names() -> impl Iterator<Item = &'static str> {
    ROWS.keys().copied()
}

impl Interpreted for Javascript {
    type Value = Js;
    type Error = Throw;
    type Other = JavascriptContent;
    type Run<'r> = Running<'r>;

    fn literal(literal: &Literal) -> Js {
        match literal {
            Literal::String(text) => Js::text(leaked(text)),
            _ => panic!("no constant of JavaScript is {literal}"),
        }
    }

    fn constant<'a>(constant: Constant) -> Operand<'a, Javascript> {
        match constant {
            Constant::Undefined => Operand::Value(Js::Undefined),
            Constant::Null => Operand::Value(Js::Null),
            Constant::Number(number) => Operand::Other(JavascriptContent::Number(number)),
            Constant::Count(count) => Operand::Count(count as u64),
        }
    }

    fn of_other(other: JavascriptContent) -> Js {
        match other {
            JavascriptContent::Number(number) => Js::from(number),
            JavascriptContent::Text(text) => Js::from(text),
            _ => panic!("neither integers nor variables become values"),
        }
    }

    fn is_undefined(value: &Js) -> bool {
        matches!(value, Js::Undefined)
    }

    fn thrown(error: &Throw) -> Option<Js> {
        match error {
            Throw::Value(value) => Some(value.clone()),
            Throw::Abort(_) => None,
        }
    }

    fn of_bool(value: bool) -> Js {
        Js::from(value)
    }

    fn array(items: Vec<Js>) -> Js {
        js::rest_arguments(&items, 0)
    }

    fn object(members: Vec<(&str, Js)>, _: &mut Running<'_>) -> Res<Js> {
        let members = members.into_iter().map(|(name, value)| (leaked(name), value)).collect();
        Ok(builtins::object(members))
    }

    fn copied(other: &JavascriptContent) -> Option<JavascriptContent> {
        Some(other.clone())
    }

    fn call<'a>(
        name: &'static str,
        interpreter: &Interpreter<'a, Javascript>,
        arguments: &mut Arguments<'a, Javascript>,
        run: &mut Running<'_>,
    ) -> Res<Operand<'a, Javascript>> {
        row(&ROWS, name)(interpreter, arguments, run)
    }
}

impl Arguments<'_, Javascript> {
    fn value(&mut self) -> Js {
        self.take().into_value()
    }

    fn number(&mut self) -> f64 {
        match self.receiver() {
            JavascriptContent::Number(number) => number,
            _ => panic!("the argument is not a number"),
        }
    }

    fn variable(&mut self) -> Var {
        match self.receiver() {
            JavascriptContent::Variable(variable) => variable,
            _ => panic!("the argument is not a variable"),
        }
    }

    /// Takes the state of the run, which the interpreter has itself.
    fn run(&mut self) {
        assert!(matches!(self.receiver(), JavascriptContent::Run), "the argument is not the run");
    }

    fn text(&mut self) -> Str {
        match self.take() {
            Operand::Text(text) => text.into(),
            other => text_of(other.into_value()),
        }
    }

    fn list(&mut self) -> Vec<Js> {
        self.take().into_list()
    }

    fn texts(&mut self) -> Vec<Str> {
        self.list().into_iter().map(text_of).collect()
    }

    fn position(&mut self) -> usize {
        usize::try_from(self.take().into_int()).expect("a constant position is not negative")
    }
}

fn text_of(value: Js) -> Str {
    match value {
        Js::String(text) => text,
        other => panic!("{other:?} is not a text"),
    }
}

yields! {
    Javascript;
    (), _nothing => Operand::Unit;
    bool, holds => Operand::Bool(holds);
    f64, number => Operand::Other(JavascriptContent::Number(number));
    i32, number => Operand::Other(JavascriptContent::Signed(number));
    u32, number => Operand::Other(JavascriptContent::Unsigned(number));
    Str, text => Operand::Other(JavascriptContent::Text(text));
    &'static str, text => Operand::Other(JavascriptContent::Text(text.into()));
    Var, variable => Operand::Other(JavascriptContent::Variable(variable));
    Js, value => Operand::Value(value);
    Vec<Js>, values => Operand::List(values);
    Throw, error => Operand::Error(error);
    js::Each, items => Operand::Items(Box::new(items.map(|item| vec![Operand::Value(item)])));
    js::EachKey, keys => Operand::Items(Box::new(keys.map(|key| vec![Operand::Other(JavascriptContent::Text(key))])));
}

/// Takes the next argument as a function of the runtime takes it.
macro_rules! argument {
    ($arguments:ident $run:ident run) => {{
        $arguments.run();
        $run.run
    }};
    ($arguments:ident $run:ident value) => {
        $arguments.value()
    };
    ($arguments:ident $run:ident reference) => {
        &$arguments.value()
    };
    ($arguments:ident $run:ident number) => {
        $arguments.number()
    };
    ($arguments:ident $run:ident variable) => {
        &$arguments.variable()
    };
    ($arguments:ident $run:ident text) => {
        leaked(&$arguments.text())
    };
    ($arguments:ident $run:ident texts) => {
        &$arguments.texts().iter().map(|text| &**text).collect::<Vec<&str>>()
    };
    ($arguments:ident $run:ident list) => {
        &$arguments.list()
    };
    ($arguments:ident $run:ident position) => {
        $arguments.position()
    };
}

/// Lists functions of the module `js`, each with the arguments that it takes.
macro_rules! functions {
    ($($name:ident($($kind:ident),*);)*) => {
        &[$((concat!("js::", stringify!($name)), |_, arguments, _run| {
            js::$name($(argument!(arguments _run $kind)),*).yields()
        })),*]
    };
}

static FUNCTIONS: &[Row] = functions! {
    get(reference, text);
    get_at(reference, reference);
    set(reference, text, value);
    set_at(reference, reference, value);
    delete(reference, text);
    delete_at(reference, reference);
    property_key(reference);
    constructor_name(reference);
    require_object_coercible(reference);
    rest_of(reference, texts);
    spread_object(reference, reference);
    spread_array(reference, reference);
    iterate(reference);
    each(reference);
    each_key(reference);
    call(run, reference, text, list);
    call_with(run, reference, reference, text, list);
    call_method(run, reference, text, text, list);
    call_method_at(run, reference, reference, text, list);
    construct(run, text, list);
    argument(list, position);
    rest_arguments(list, position);
    post_increment(variable);
    post_decrement(variable);
    truthy(reference);
    number(reference);
    string(reference);
    added(reference);
    number_text(number);
    concat(texts);
    type_of(reference);
    instance_of(reference, text);
    add(reference, reference);
    has(reference, reference);
    strict_equals(reference, reference);
    loose_equals(reference, reference);
    less(reference, reference);
    less_or_equal(reference, reference);
    greater(reference, reference);
    greater_or_equal(reference, reference);
    power(number, number);
    int32(number);
    uint32(number);
    undeclared(text);
    reference_error(text);
    constant_assignment(text);
};

static SPECIAL: &[Row] = &[
    (OUTCOME, |_, arguments, _| arguments.value().yields()),
    ("tick", |_, arguments, run| {
        arguments.run();
        run.run.tick().yields()
    }),
    ("clone", |_, arguments, _| arguments.value().yields()),
    ("get", |_, arguments, _| arguments.variable().get().yields()),
    ("set", |_, arguments, _| {
        arguments.variable().set(arguments.value());
        Ok(Operand::Unit)
    }),
    ("is_nullish", |_, arguments, _| arguments.value().is_nullish().yields()),
    ("Js::from", |_, arguments, _| arguments.value().yields()),
    ("Js::text", |_, arguments, _| arguments.value().yields()),
    ("js::Var::new", |_, arguments, _| Var::new(arguments.value()).yields()),
    ("js::Throw::Value", |_, arguments, _| Throw::Value(arguments.value()).yields()),
    ("js::receiver", |_, arguments, _| js::receiver(&arguments.value(), &arguments.text()).cloned().yields()),
    ("js::function", |interpreter, arguments, run| {
        let (name, length) = (leaked(&arguments.text()), arguments.position());
        closures::function(interpreter, name, length, arguments.take().into_closure(), run).yields()
    }),
];
