//! Functions of the runtime that lowered programs call.

use crate::expr::core::Takes::{self, ClosureMut, Constant, FallibleClosure, FallibleClosureOfRef, Mut, Ref};
use crate::expr::core::{CoreType, Form, Primitive};
use crate::expr::jq::ast::ValueOperator;
use crate::expr::jq::builtins::{FORMATS, Native, Returns};

const VALUE: CoreType = CoreType::Value;
const UNIT: CoreType = CoreType::Unit;

/// Creates a function that fails.
const fn fallible(name: &'static str, takes: &'static [Takes], returns: CoreType) -> Primitive {
    Primitive::function(name, takes, returns).fails()
}

pub(super) const TICK: Primitive = fallible("jq::tick", &[], UNIT).acts();

// Reads.
pub(super) const GET: Primitive = fallible("jq::get", &[Ref, Constant], VALUE).borrows();
pub(super) const AT: Primitive = fallible("jq::at", &[Ref, Constant], VALUE).borrows();
pub(super) const INDEX: Primitive = fallible("jq::index", &[Ref, Ref], VALUE);
pub(super) const SLICE: Primitive = fallible("jq::slice", &[Ref, Ref, Ref], VALUE);
pub(super) const ITER: Primitive = fallible("jq::iter", &[Ref], CoreType::Items).borrows();
pub(super) const ENTRIES: Primitive = fallible("jq::entries", &[Ref], CoreType::Items).borrows();
pub(super) const DESCEND: Primitive = Primitive::function("jq::descend", &[Ref], CoreType::Items).borrows();
pub(super) const DESCEND_PATHS: Primitive =
    Primitive::function("jq::descend_paths", &[Ref, Ref], CoreType::Items).borrows();
pub(super) const NUMBERS: Primitive = fallible("jq::numbers", &[Ref, Ref], CoreType::Items);
pub(super) const STEPS: Primitive = Primitive::function("jq::steps", &[Ref, Ref, Ref], CoreType::Items);
pub(super) const STEP: Primitive = Primitive { form: Form::Outcome, ..fallible("", &[Takes::Value], VALUE) };

// Changes in place.
pub(super) const GET_MUT: Primitive = fallible("jq::get_mut", &[Mut, Constant], CoreType::Place).borrows().acts();
pub(super) const AT_MUT: Primitive = fallible("jq::at_mut", &[Mut, Constant], CoreType::Place).borrows().acts();
pub(super) const INDEX_MUT: Primitive = fallible("jq::index_mut", &[Mut, Ref], CoreType::Place).borrows().acts();
pub(super) const ITER_MUT: Primitive = fallible("jq::iter_mut", &[Mut], CoreType::Items).borrows().acts();
pub(super) const TAKE: Primitive = Primitive::method("take", &[Mut], VALUE).acts();

// Paths.
pub(super) const GETPATH: Primitive = fallible("jq::getpath", &[Ref, Ref], VALUE);
pub(super) const SETPATH: Primitive = fallible("jq::setpath", &[Takes::Value, Ref, Takes::Value], VALUE);
pub(super) const DELPATHS: Primitive = fallible("jq::delpaths", &[Takes::Value, Ref], VALUE);
pub(super) const JOIN_PATH: Primitive = Primitive::function("jq::join_path", &[Ref, Takes::Value], VALUE);
pub(super) const JOIN_PATHS: Primitive = fallible("jq::join_paths", &[Ref, Ref], VALUE);
pub(super) const NO_PLACE: Primitive = fallible("jq::no_place", &[Ref], UNIT);
pub(super) const SAME_PLACE: Primitive = fallible("jq::same_place", &[Ref, Ref], UNIT);

// Lists, texts and objects that are filled.
pub(super) const VALUES: Primitive = Primitive::function("jq::Values::new", &[], CoreType::Values);
pub(super) const PUSH: Primitive = Primitive::method("push", &[Mut, Takes::Value], UNIT).acts();
pub(super) const POP: Primitive = Primitive::method("pop", &[Mut], CoreType::MaybeValue).acts();
pub(super) const PLACES: Primitive = Primitive::function("jq::Places::new", &[], CoreType::Places);
pub(super) const PUSH_PLACE: Primitive =
    Primitive::function("jq::push_place", &[Mut, Takes::Value, Takes::Value], UNIT).acts();
pub(super) const POP_PLACE: Primitive = Primitive::method("pop", &[Mut], CoreType::MaybePlace).acts();
pub(super) const INTO_ITER: Primitive = Primitive::method("into_iter", &[Takes::Value], CoreType::Items);
pub(super) const REV: Primitive = Primitive::method("rev", &[Takes::Value], CoreType::Items);
pub(super) const EXTEND: Primitive = Primitive::method("extend", &[Mut, Takes::Value], UNIT).acts();
pub(super) const TEXT: Primitive = Primitive::function("::std::string::String::new", &[], CoreType::Text);
pub(super) const PUSH_STR: Primitive = Primitive::method("push_str", &[Mut, Constant], UNIT).acts();
pub(super) const PUSH_TEXT: Primitive = fallible("jq::push", &[Mut, Ref], UNIT).acts();
pub(super) const OBJECT: Primitive = Primitive::function("rt::Object::new", &[], CoreType::Object);
pub(super) const KEY: Primitive = fallible("jq::key", &[Ref], CoreType::Key);
pub(super) const STATIC_KEY: Primitive = Primitive::function("rt::Str::from_static", &[Constant], CoreType::Key);
pub(super) const INSERT: Primitive = Primitive::method("insert", &[Mut, Takes::Value, Takes::Value], UNIT).acts();
pub(super) const VALUE_FROM: Primitive = Primitive::function("Value::from", &[Takes::Value], VALUE);
pub(super) const ONE_OR_ALL: Primitive = Primitive::function("jq::one_or_all", &[Takes::Value], VALUE);
pub(super) const ONLY_TRUE: Primitive = Primitive::function("jq::only_true", &[Ref], CoreType::Bool);

// Truth, numbers and the time.
pub(super) const TRUTHY: Primitive = Primitive::function("jq::truthy", &[Ref], CoreType::Bool);
pub(super) const IS_TRUE: Primitive = Primitive::function("rt::is_true", &[Ref], CoreType::Bool);
pub(super) const ADD: Primitive = fallible("jq::add", &[Takes::Value, Ref], VALUE);
pub(super) const NEG: Primitive = fallible("jq::neg", &[Takes::Value], VALUE);
pub(super) const NAN: Primitive = Primitive::function("jq::nan", &[], VALUE);
pub(super) const INFINITE: Primitive = Primitive::function("jq::infinite", &[], VALUE);
pub(super) const FINISHED: Primitive = Primitive::function("jq::finished", &[Takes::Value], VALUE);
pub(super) const NOW: Primitive =
    Primitive { form: Form::Constant, ..Primitive::function("now", &[], CoreType::Seconds) };
pub(super) const FLOAT: Primitive = Primitive::function("Value::Float", &[Takes::Value], VALUE);
pub(super) const TOARRAY: Primitive = Primitive::function("jq::toarray", &[Ref], VALUE);

// Errors.
pub(super) const RAISE: Primitive = fallible("jq::raise", &[Takes::Value], VALUE);
pub(super) const CAUGHT: Primitive = Primitive::method("caught", &[Takes::Value], VALUE).fails();
pub(super) const LEFT: Primitive = Primitive::function("jq::left", &[], CoreType::Error);

// Counts.
pub(super) const LIMIT: Primitive = fallible("jq::limit", &[Ref], CoreType::Count);
pub(super) const SKIP: Primitive = fallible("jq::skip", &[Ref], CoreType::Count);
pub(super) const EQUALS: Primitive =
    Primitive { form: Form::Infix, ..Primitive::function("==", &[Takes::Value, Constant], CoreType::Bool) };
pub(super) const EXCEEDS: Primitive =
    Primitive { form: Form::Infix, ..Primitive::function(">", &[Takes::Value, Constant], CoreType::Bool) };

// Functions that take closures.
pub(super) const COLLECT: Primitive = fallible("jq::collect", &[FallibleClosure], CoreType::Values);
pub(super) const OUT: Primitive = Primitive { form: Form::Callback, ..fallible("", &[Mut, Takes::Value], UNIT) }.acts();
pub(super) const UNTIL_MANY: Primitive =
    fallible("jq::until_many", &[Takes::Value, FallibleClosureOfRef, ClosureMut, Takes::Value], UNIT).acts();
pub(super) const WALK: Primitive = fallible("jq::walk", &[Takes::Value, FallibleClosure], VALUE);
pub(super) const WALK_MANY: Primitive =
    fallible("jq::walk_many", &[Takes::Value, ClosureMut, Takes::Value], UNIT).acts();
pub(super) const SUB_WITH: Primitive = fallible("jq::sub_with", &[Ref, Ref, Ref, FallibleClosure], VALUE);
pub(super) const GSUB_WITH: Primitive = fallible("jq::gsub_with", &[Ref, Ref, Ref, FallibleClosure], VALUE);
pub(super) const SUB_MANY: Primitive =
    fallible("jq::sub_many", &[Ref, Ref, Ref, ClosureMut, Takes::Value], UNIT).acts();

/// Returns the function of an operator.
pub(super) fn operator(operator: &ValueOperator) -> Primitive {
    match operator.is_arithmetic() {
        true => Primitive { name: operator.function, ..ADD },
        false => Primitive::function(operator.function, &[Ref, Ref], CoreType::Bool),
    }
}

/// Returns the function of a format: `@base64`.
pub(super) fn format(format: &str) -> Primitive {
    let name = FORMATS.iter().find(|(known, _)| *known == format).map_or("jq::tostring", |(_, function)| function);
    fallible(name, &[Ref], VALUE)
}

/// Returns the function that sorts, groups or finds elements by a key.
pub(super) fn by_key(name: &str) -> Primitive {
    let name = match name {
        "group_by" => "jq::group_by",
        "max_by" => "jq::max_by",
        "min_by" => "jq::min_by",
        "unique_by" => "jq::unique_by",
        _ => "jq::sort_by",
    };
    fallible(name, &[Ref, FallibleClosureOfRef], VALUE)
}

/// Returns a runtime function of the table. One that yields any number of values takes a closure
/// after the other parameters.
pub(super) fn native(native: &Native) -> Primitive {
    const TAKES: &[Takes] = &[Ref, Ref, Ref, Ref, Takes::Value];
    let values = native.arity + usize::from(native.input);
    let (takes, returns) = match native.returns {
        Returns::Value => (&TAKES[..values], VALUE),
        Returns::Bool => (&TAKES[..values], CoreType::Bool),
        Returns::Many => (&TAKES[TAKES.len() - 1 - values..], UNIT),
    };
    Primitive { fails: native.fails, ..Primitive::function(native.path, takes, returns) }
}
