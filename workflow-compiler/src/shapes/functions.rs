//! What runtime functions do with shapes, by the path of the function. Of a function that is not
//! listed nothing is known.

use super::{Field, KindSet, ObjectShape, Shape};
use crate::expr::Function;

/// What a function does with the shapes of its arguments.
#[derive(Debug, Clone, Copy)]
pub enum Rule {
    /// Nothing is known of the result.
    Unknown,
    /// Reads a path of the second argument, which must lead to a value, from the first.
    Path,
    /// Reads a path like [`Rule::Path`], for a function that checks what it leads to.
    Selection,
    /// Yields the first argument, which must be there.
    Required,
    /// Yields the first argument, for a function that checks whether it is there.
    Selected,
    /// Yields the first argument, which must be there and be of one of these kinds.
    Checked(KindSet),
    /// Puts the third argument into the first, at the path of the second.
    Put,
    /// Tests that the first argument is there.
    IsPresent,
    /// Tests that the first argument is of a kind.
    IsKind(KindSet),
    /// Tests that the first argument is a string of some form.
    IsForm,
    /// Compares two values, which must be of this kind for the comparison to hold. `true` for a
    /// test of equality.
    Compare(KindSet, bool),
    /// Takes values of these kinds. Arguments beyond the list are of any kind.
    Call(&'static [KindSet], fn(&[Shape]) -> Shape),
}

const ANY: KindSet = KindSet::ALL;
const ARRAY: KindSet = KindSet::ARRAY;
const NUMBER: KindSet = KindSet::NUMBER;
const STRING: KindSet = KindSet::STRING;
const OBJECT: KindSet = KindSet::OBJECT;
const BOOLEAN: KindSet = KindSet::BOOLEAN;

/// Returns the rule of a function.
pub fn rule(function: &Function) -> Rule {
    match function.path.split_once("::") {
        Some(("asl", name)) => asl(name),
        Some(("jsonpath", name)) => jsonpath(name),
        _ => Rule::Unknown,
    }
}

/// The functions of the Amazon States Language.
fn asl(name: &str) -> Rule {
    match name {
        "subject" | "path" | "path_at" | "field" | "field_at" | "argument" => Rule::Path,
        "at" | "at_steps" => Rule::Selection,
        "require_path" | "choice_variable" | "require_field" | "require_argument" => Rule::Required,
        "selected" | "computed" | "variable" => Rule::Selected,
        "seconds_path" | "timeout_path" | "tolerated_percentage_path" => Rule::Checked(NUMBER),
        // A text that contains a whole number is accepted.
        "max_concurrency_path" | "tolerated_count_path" => Rule::Checked(NUMBER.or(STRING)),
        "timestamp_path" | "fault_string" => Rule::Checked(STRING),
        "items_array" => Rule::Checked(ARRAY),
        "put" | "put_at" => Rule::Put,
        "is_present" => Rule::IsPresent,
        "is_null" => Rule::IsKind(KindSet::NULL),
        "is_boolean" => Rule::IsKind(BOOLEAN),
        "is_numeric" => Rule::IsKind(NUMBER),
        "is_string" => Rule::IsKind(STRING),
        "is_timestamp" | "string_matches" => Rule::IsForm,
        "string_equals" | "string_equals_path" => Rule::Compare(STRING, true),
        "numeric_equals" | "numeric_equals_path" => Rule::Compare(NUMBER, true),
        "boolean_equals" | "boolean_equals_path" => Rule::Compare(BOOLEAN, true),
        _ if name.starts_with("string_") && name.contains("_than") => Rule::Compare(STRING, false),
        _ if name.starts_with("numeric_") => Rule::Compare(NUMBER, false),
        _ if name.starts_with("timestamp_") => Rule::Compare(STRING, false),
        _ => intrinsic(name),
    }
}

/// The intrinsic functions of the Amazon States Language.
fn intrinsic(name: &str) -> Rule {
    match name {
        "array_contains" => Rule::Call(&[ARRAY, ANY], |_| Shape::boolean()),
        // The item of an empty array is null.
        "array_get_item" => Rule::Call(&[ARRAY, NUMBER], |args| first(args).elements().join(&Shape::null())),
        "array_length" => Rule::Call(&[ARRAY], |_| Shape::integer()),
        "array_partition" => Rule::Call(&[ARRAY, NUMBER], |args| Shape::list(Shape::list(first(args).elements()))),
        "array_range" => Rule::Call(&[NUMBER, NUMBER, NUMBER], |_| Shape::list(Shape::integer())),
        "array_unique" => Rule::Call(&[ARRAY], |args| Shape::list(first(args).elements())),
        "base64_decode" | "base64_encode" => Rule::Call(&[STRING], |_| Shape::string()),
        "format" | "uuid" => Rule::Call(&[], |_| Shape::string()),
        "format_template" => Rule::Call(&[STRING], |_| Shape::string()),
        "hash" => Rule::Call(&[ANY, STRING], |_| Shape::string()),
        "json_merge" => Rule::Call(&[OBJECT, OBJECT, BOOLEAN], merged),
        "json_to_string" => Rule::Call(&[ANY], |_| Shape::string()),
        "math_add" => Rule::Call(&[NUMBER, NUMBER], |_| Shape::integer()),
        "math_random" => Rule::Call(&[NUMBER, NUMBER], |_| Shape::integer()),
        "math_random_seeded" => Rule::Call(&[NUMBER, NUMBER, NUMBER], |_| Shape::integer()),
        "string_split" => Rule::Call(&[STRING, STRING], |_| Shape::list(Shape::string())),
        "string_to_json" => Rule::Call(&[STRING], |_| Shape::any()),
        _ => Rule::Unknown,
    }
}

/// The functions of JSONPath, whose arguments may all be absent.
fn jsonpath(name: &str) -> Rule {
    match name {
        "exists" => Rule::IsPresent,
        "count" | "count_one" => Rule::Call(&[], |_| Shape::integer()),
        _ => Rule::Unknown,
    }
}

fn first(args: &[Shape]) -> Shape {
    args.first().cloned().unwrap_or_else(Shape::any)
}

/// Returns the shape of the first object with the members of the second.
fn merged(args: &[Shape]) -> Shape {
    let [Some(left), Some(right)] = [0, 1].map(|at| args.get(at).and_then(Shape::as_object)) else {
        return Shape::any_object();
    };
    let names = left.fields.keys().chain(right.fields.keys());
    let fields = names.map(|name| {
        let (before, after) = (left.field(name), right.field(name));
        let shape = if after.required { after.shape } else { before.shape.join(&after.shape) };
        (name.clone(), Field { shape, required: before.required || after.required })
    });
    let fields = fields.collect();
    Shape::object(ObjectShape { fields, rest: left.rest.join(&right.rest) })
}
