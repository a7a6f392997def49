//! Functions of the runtime that lowered programs call.

use crate::expr::core::Takes::{self, ClosureMut, Constant, FallibleClosure, FallibleClosureOfRef, Mut, Ref};
use crate::expr::core::{Callee, CoreType, Form};
use crate::expr::jq::ast::Binary;
use crate::expr::jq::builtins::{Native, Returns};

const VALUE: CoreType = CoreType::Value;
const UNIT: CoreType = CoreType::Unit;

/// Creates a function that fails.
const fn fallible(name: &'static str, takes: &'static [Takes], returns: CoreType) -> Callee {
    Callee::function(name, takes, returns).fails()
}

pub(super) const TICK: Callee = fallible("jq::tick", &[], UNIT).acts();

// Reads.
pub(super) const GET: Callee = fallible("jq::get", &[Ref, Constant], VALUE).borrows();
pub(super) const AT: Callee = fallible("jq::at", &[Ref, Constant], VALUE).borrows();
pub(super) const INDEX: Callee = fallible("jq::index", &[Ref, Ref], VALUE);
pub(super) const SLICE: Callee = fallible("jq::slice", &[Ref, Ref, Ref], VALUE);
pub(super) const ITER: Callee = fallible("jq::iter", &[Ref], CoreType::Items).borrows();
pub(super) const ENTRIES: Callee = fallible("jq::entries", &[Ref], CoreType::Items).borrows();
pub(super) const DESCEND: Callee = Callee::function("jq::descend", &[Ref], CoreType::Items).borrows();
pub(super) const DESCEND_PATHS: Callee = Callee::function("jq::descend_paths", &[Ref, Ref], CoreType::Items).borrows();
pub(super) const NUMBERS: Callee = fallible("jq::numbers", &[Ref, Ref], CoreType::Items);
pub(super) const STEPS: Callee = Callee::function("jq::steps", &[Ref, Ref, Ref], CoreType::Items);
pub(super) const STEP: Callee = Callee { form: Form::Outcome, ..fallible("", &[Takes::Value], VALUE) };

// Changes in place.
pub(super) const GET_MUT: Callee = fallible("jq::get_mut", &[Mut, Constant], CoreType::Place).borrows().acts();
pub(super) const AT_MUT: Callee = fallible("jq::at_mut", &[Mut, Constant], CoreType::Place).borrows().acts();
pub(super) const INDEX_MUT: Callee = fallible("jq::index_mut", &[Mut, Ref], CoreType::Place).borrows().acts();
pub(super) const ITER_MUT: Callee = fallible("jq::iter_mut", &[Mut], CoreType::Items).borrows().acts();
pub(super) const TAKE: Callee = Callee::method("take", &[Mut], VALUE).acts();

// Paths.
pub(super) const GETPATH: Callee = fallible("jq::getpath", &[Ref, Ref], VALUE);
pub(super) const SETPATH: Callee = fallible("jq::setpath", &[Takes::Value, Ref, Takes::Value], VALUE);
pub(super) const DELPATHS: Callee = fallible("jq::delpaths", &[Takes::Value, Ref], VALUE);
pub(super) const JOIN_PATH: Callee = Callee::function("jq::join_path", &[Ref, Takes::Value], VALUE);
pub(super) const JOIN_PATHS: Callee = fallible("jq::join_paths", &[Ref, Ref], VALUE);
pub(super) const NO_PLACE: Callee = fallible("jq::no_place", &[Ref], UNIT);
pub(super) const SAME_PLACE: Callee = fallible("jq::same_place", &[Ref, Ref], UNIT);

// Lists, texts and objects that are filled.
pub(super) const VALUES: Callee = Callee::function("jq::Values::new", &[], CoreType::Values);
pub(super) const PUSH: Callee = Callee::method("push", &[Mut, Takes::Value], UNIT).acts();
pub(super) const POP: Callee = Callee::method("pop", &[Mut], CoreType::MaybeValue).acts();
pub(super) const PLACES: Callee = Callee::function("jq::Places::new", &[], CoreType::Places);
pub(super) const PUSH_PLACE: Callee =
    Callee::function("jq::push_place", &[Mut, Takes::Value, Takes::Value], UNIT).acts();
pub(super) const POP_PLACE: Callee = Callee::method("pop", &[Mut], CoreType::MaybePlace).acts();
pub(super) const INTO_ITER: Callee = Callee::method("into_iter", &[Takes::Value], CoreType::Items);
pub(super) const REV: Callee = Callee::method("rev", &[Takes::Value], CoreType::Items);
pub(super) const EXTEND: Callee = Callee::method("extend", &[Mut, Takes::Value], UNIT).acts();
pub(super) const TEXT: Callee = Callee::function("::std::string::String::new", &[], CoreType::Text);
pub(super) const PUSH_STR: Callee = Callee::method("push_str", &[Mut, Constant], UNIT).acts();
pub(super) const PUSH_TEXT: Callee = fallible("jq::push", &[Mut, Ref], UNIT).acts();
pub(super) const OBJECT: Callee = Callee::function("rt::Object::new", &[], CoreType::Object);
pub(super) const KEY: Callee = fallible("jq::key", &[Ref], CoreType::Key);
pub(super) const STATIC_KEY: Callee = Callee::function("rt::Str::from_static", &[Constant], CoreType::Key);
pub(super) const INSERT: Callee = Callee::method("insert", &[Mut, Takes::Value, Takes::Value], UNIT).acts();
pub(super) const VALUE_FROM: Callee = Callee::function("Value::from", &[Takes::Value], VALUE);
pub(super) const ONE_OR_ALL: Callee = Callee::function("jq::one_or_all", &[Takes::Value], VALUE);
pub(super) const ONLY_TRUE: Callee = Callee::function("jq::only_true", &[Ref], CoreType::Bool);

// Truth, numbers and the time.
pub(super) const TRUTHY: Callee = Callee::function("jq::truthy", &[Ref], CoreType::Bool);
pub(super) const IS_TRUE: Callee = Callee::function("rt::is_true", &[Ref], CoreType::Bool);
pub(super) const ADD: Callee = fallible("jq::add", &[Takes::Value, Ref], VALUE);
pub(super) const NEG: Callee = fallible("jq::neg", &[Takes::Value], VALUE);
pub(super) const NAN: Callee = Callee::function("jq::nan", &[], VALUE);
pub(super) const INFINITE: Callee = Callee::function("jq::infinite", &[], VALUE);
pub(super) const FINISHED: Callee = Callee::function("jq::finished", &[Takes::Value], VALUE);
pub(super) const NOW: Callee = Callee { form: Form::Constant, ..Callee::function("now", &[], CoreType::Seconds) };
pub(super) const FLOAT: Callee = Callee::function("Value::Float", &[Takes::Value], VALUE);
pub(super) const TOARRAY: Callee = Callee::function("jq::toarray", &[Ref], VALUE);

// Errors.
pub(super) const RAISE: Callee = fallible("jq::raise", &[Takes::Value], VALUE);
pub(super) const CAUGHT: Callee = Callee::method("caught", &[Takes::Value], VALUE).fails();
pub(super) const LEFT: Callee = Callee::function("jq::left", &[], CoreType::Error);

// Counts.
pub(super) const LIMIT: Callee = fallible("jq::limit", &[Ref], CoreType::Count);
pub(super) const SKIP: Callee = fallible("jq::skip", &[Ref], CoreType::Count);
pub(super) const EQUALS: Callee =
    Callee { form: Form::Infix, ..Callee::function("==", &[Takes::Value, Constant], CoreType::Bool) };
pub(super) const EXCEEDS: Callee =
    Callee { form: Form::Infix, ..Callee::function(">", &[Takes::Value, Constant], CoreType::Bool) };

// Functions that take closures.
pub(super) const COLLECT: Callee = fallible("jq::collect", &[FallibleClosure], CoreType::Values);
pub(super) const OUT: Callee = Callee { form: Form::Callback, ..fallible("", &[Mut, Takes::Value], UNIT) }.acts();
pub(super) const UNTIL_MANY: Callee =
    fallible("jq::until_many", &[Takes::Value, FallibleClosureOfRef, ClosureMut, Takes::Value], UNIT).acts();
pub(super) const WALK: Callee = fallible("jq::walk", &[Takes::Value, FallibleClosure], VALUE);
pub(super) const WALK_MANY: Callee = fallible("jq::walk_many", &[Takes::Value, ClosureMut, Takes::Value], UNIT).acts();
pub(super) const SUB_WITH: Callee = fallible("jq::sub_with", &[Ref, Ref, Ref, FallibleClosure], VALUE);
pub(super) const GSUB_WITH: Callee = fallible("jq::gsub_with", &[Ref, Ref, Ref, FallibleClosure], VALUE);
pub(super) const SUB_MANY: Callee = fallible("jq::sub_many", &[Ref, Ref, Ref, ClosureMut, Takes::Value], UNIT).acts();

/// Returns the function of an arithmetic operator.
pub(super) fn arithmetic(operator: Binary) -> Option<Callee> {
    let name = match operator {
        Binary::Add => ADD.name,
        Binary::Subtract => "jq::sub",
        Binary::Multiply => "jq::mul",
        Binary::Divide => "jq::div",
        Binary::Remainder => "jq::rem",
        _ => return None,
    };
    Some(Callee { name, ..ADD })
}

/// Returns the function of a comparison.
pub(super) fn comparison(operator: Binary) -> Callee {
    let name = match operator {
        Binary::Equal => "jq::eq",
        Binary::NotEqual => "jq::ne",
        Binary::Less => "jq::lt",
        Binary::LessOrEqual => "jq::le",
        Binary::Greater => "jq::gt",
        _ => "jq::ge",
    };
    Callee::function(name, &[Ref, Ref], CoreType::Bool)
}

/// Returns the function of a format: `@base64`.
pub(super) fn format(format: &str) -> Callee {
    let name = match format {
        "@base32" => "jq::base32",
        "@base32d" => "jq::base32d",
        "@base64" => "jq::base64",
        "@base64d" => "jq::base64d",
        "@csv" => "jq::csv",
        "@html" => "jq::html",
        "@json" => "jq::tojson",
        "@sh" => "jq::sh",
        "@tsv" => "jq::tsv",
        "@uri" => "jq::uri",
        "@urid" => "jq::urid",
        _ => "jq::tostring",
    };
    fallible(name, &[Ref], VALUE)
}

/// Returns the function that sorts, groups or finds elements by a key.
pub(super) fn by_key(name: &str) -> Callee {
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
pub(super) fn native(native: &Native) -> Callee {
    const TAKES: &[Takes] = &[Ref, Ref, Ref, Ref, Takes::Value];
    let values = native.arity + usize::from(native.input);
    let (takes, returns) = match native.returns {
        Returns::Value => (&TAKES[..values], VALUE),
        Returns::Bool => (&TAKES[..values], CoreType::Bool),
        Returns::Many => (&TAKES[TAKES.len() - 1 - values..], UNIT),
    };
    Callee { fails: native.fails, ..Callee::function(native.path, takes, returns) }
}
