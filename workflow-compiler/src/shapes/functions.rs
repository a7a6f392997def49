//! The effects of runtime functions on shapes, by the path of the function. Of a function that is
//! not listed nothing is known.

use super::{Access, KindSet, Shape};

/// The effect of a function on the shapes of its arguments.
#[derive(Debug, Clone, Copy)]
pub enum FunctionRule {
    /// Nothing is known of the result.
    Unknown,
    /// Reads a path of the second argument, which must lead to a value, from the first.
    Path,
    /// Reads a path like [`FunctionRule::Path`], for a function that checks what it leads to.
    Selection,
    /// Yields the first argument, which must be there.
    Required,
    /// Yields the first argument, for a function that checks whether it is there.
    Selected,
    /// Yields the first argument, which must be there and be of one of these kinds.
    Checked(KindSet),
    /// Yields the first argument, the input of a Map without `Items`, which must be of one of
    /// these kinds.
    #[cfg(feature = "asl")]
    MapInput(KindSet),
    /// Puts the third argument into the first, at the path of the second.
    Put,
    /// Tests that the first argument is there.
    IsPresent,
    /// Tests that the first argument is an object with a member of this name.
    HasMember(&'static str),
    /// Tests that the first argument is `true`. It may be absent.
    IsTrue,
    /// Tests that the first argument is of a kind.
    IsKind(KindSet),
    /// Tests that the first argument is a string of some form.
    IsForm,
    /// Yields the first argument, which must fit the schema of the second.
    Schema,
    /// Compares two values, which must be of this kind for the comparison to hold. `true` for a
    /// test of equality.
    Compare(KindSet, bool),
    /// Takes values of these kinds. Arguments beyond the list are of any kind.
    Call(&'static [KindSet], fn(&[Shape]) -> Shape),
    /// Takes values that may be absent, which then are null.
    Nullable(fn(&[Shape]) -> Result<Shape, Wanted>),
    /// Tests that two values are equal, each of which may be absent and then is null.
    Equality,
}

/// The kinds that the arguments of a function would have to be of, if it fails for their shapes.
#[derive(Debug)]
pub struct Wanted(pub Vec<KindSet>);

const ANY: KindSet = KindSet::ALL;
const ARRAY: KindSet = KindSet::ARRAY;
const NUMBER: KindSet = KindSet::NUMBER;
const STRING: KindSet = KindSet::STRING;
const OBJECT: KindSet = KindSet::OBJECT;
const BOOLEAN: KindSet = KindSet::BOOLEAN;

/// Returns the rule of a function, by its path.
pub fn rule(path: &str) -> FunctionRule {
    match path.split_once("::") {
        Some(("asl", name)) => asl(name),
        Some(("jsonpath", name)) => jsonpath(name),
        #[cfg(feature = "asl")]
        Some(("jsonata", "items")) => FunctionRule::MapInput(ARRAY),
        #[cfg(feature = "asl")]
        Some(("jsonata", "map_items")) => FunctionRule::MapInput(ARRAY.or(OBJECT)),
        Some(("schema", "check" | "check_end")) => FunctionRule::Schema,
        // The input is an object, or null in the place of the empty object.
        Some(("serverless_workflow", "input")) => FunctionRule::Call(&[], |args| first(args).only(OBJECT)),
        Some(("workflow_dsl", "merge")) => FunctionRule::Call(&[], |args| match args {
            [data, new, ..] => data.merged_deeply(new),
            _ => Shape::any(),
        }),
        Some(("serverless_workflow", "injected")) => FunctionRule::Call(&[], injected),
        Some(("composer", name)) => composer(name),
        Some(("serverless_workflow", name)) => serverless_workflow(name),
        Some(("spel", "equals")) => FunctionRule::Equality,
        Some(("spel", name)) => super::spel::effect(name).map_or(FunctionRule::Unknown, FunctionRule::Nullable),
        _ => FunctionRule::Unknown,
    }
}

/// The functions of the Amazon States Language.
fn asl(name: &str) -> FunctionRule {
    match name {
        "subject" | "path" | "path_at" | "field" | "field_at" | "argument" => FunctionRule::Path,
        "at" | "at_steps" => FunctionRule::Selection,
        "require_path" | "choice_variable" | "require_field" | "require_argument" => FunctionRule::Required,
        "selected" | "computed" | "variable" => FunctionRule::Selected,
        "seconds_path" | "timeout_path" => FunctionRule::Checked(NUMBER),
        // A text that contains a number is accepted.
        "max_concurrency_path" | "tolerated_count_path" | "tolerated_percentage_path" => {
            FunctionRule::Checked(NUMBER.or(STRING))
        }
        "timestamp_path" | "fault_string" => FunctionRule::Checked(STRING),
        "items_array" => FunctionRule::Checked(ARRAY),
        "map_items" => FunctionRule::Checked(ARRAY.or(OBJECT)),
        "put" | "put_at" => FunctionRule::Put,
        "is_present" => FunctionRule::IsPresent,
        "is_null" => FunctionRule::IsKind(KindSet::NULL),
        "is_boolean" => FunctionRule::IsKind(BOOLEAN),
        "is_numeric" => FunctionRule::IsKind(NUMBER),
        "is_string" => FunctionRule::IsKind(STRING),
        "is_timestamp" | "string_matches" => FunctionRule::IsForm,
        "string_equals" | "string_equals_path" => FunctionRule::Compare(STRING, true),
        "numeric_equals" | "numeric_equals_path" => FunctionRule::Compare(NUMBER, true),
        "boolean_equals" | "boolean_equals_path" => FunctionRule::Compare(BOOLEAN, true),
        _ if name.starts_with("string_") && name.contains("_than") => FunctionRule::Compare(STRING, false),
        _ if name.starts_with("numeric_") => FunctionRule::Compare(NUMBER, false),
        _ if name.starts_with("timestamp_") => FunctionRule::Compare(STRING, false),
        _ => intrinsic(name),
    }
}

/// The intrinsic functions of the Amazon States Language.
fn intrinsic(name: &str) -> FunctionRule {
    match name {
        "array_contains" => FunctionRule::Call(&[ARRAY, ANY], |_| Shape::boolean()),
        // The item of an empty array is null.
        "array_get_item" => FunctionRule::Call(&[ARRAY, NUMBER], |args| first(args).elements().join(&Shape::null())),
        "array_length" => FunctionRule::Call(&[ARRAY], |_| Shape::integer()),
        "array_partition" => {
            FunctionRule::Call(&[ARRAY, NUMBER], |args| Shape::list(Shape::list(first(args).elements())))
        }
        "array_range" => FunctionRule::Call(&[NUMBER, NUMBER, NUMBER], |_| Shape::list(Shape::integer())),
        "array_unique" => FunctionRule::Call(&[ARRAY], |args| Shape::list(first(args).elements())),
        "base64_decode" | "base64_encode" => FunctionRule::Call(&[STRING], |_| Shape::string()),
        "format" | "uuid" => FunctionRule::Call(&[], |_| Shape::string()),
        "format_template" => FunctionRule::Call(&[STRING], |_| Shape::string()),
        "hash" => FunctionRule::Call(&[ANY, STRING], |_| Shape::string()),
        "json_merge" => FunctionRule::Call(&[OBJECT, OBJECT, BOOLEAN], merged_objects),
        "json_to_string" => FunctionRule::Call(&[ANY], |_| Shape::string()),
        "math_add" => FunctionRule::Call(&[NUMBER, NUMBER], |_| Shape::integer()),
        "math_random" => FunctionRule::Call(&[NUMBER, NUMBER], |_| Shape::integer()),
        "math_random_seeded" => FunctionRule::Call(&[NUMBER, NUMBER, NUMBER], |_| Shape::integer()),
        "string_split" => FunctionRule::Call(&[STRING, STRING], |_| Shape::list(Shape::string())),
        "string_to_json" => FunctionRule::Call(&[STRING], |_| Shape::any()),
        _ => FunctionRule::Unknown,
    }
}

/// The functions of JSONPath, whose arguments may all be absent.
fn jsonpath(name: &str) -> FunctionRule {
    match name {
        "exists" => FunctionRule::IsPresent,
        "count" | "count_one" => FunctionRule::Call(&[], |_| Shape::integer()),
        _ => FunctionRule::Unknown,
    }
}

/// The functions of Composer. Of a stack at run time nothing is known.
fn composer(name: &str) -> FunctionRule {
    match name {
        "outcome" => FunctionRule::Call(&[], |args| {
            let result = first(args);
            let objects = result.only(OBJECT);
            let error = objects.member("error");
            let failed = Shape::record([("error", error.shape)]);
            let rest = objects.refined(&["error".to_owned()], false, &|access| match access.may_be_absent {
                true => Access::absent(),
                false => Access::present(Shape::never()),
            });
            failed.join(&rest).join(&wrapped(&result.only(OBJECT.complement())))
        }),
        "parameters" => FunctionRule::Call(&[], |args| {
            let input = first(args);
            let empty = || Shape::record::<&str>([]);
            let null = if input.set().meets(KindSet::NULL) { empty() } else { Shape::never() };
            let others = input.only((OBJECT | KindSet::NULL).complement());
            input.only(OBJECT).join(&wrapped(&others)).join(&null)
        }),
        "error_object" => FunctionRule::Call(&[], |_| Shape::record([("error", Shape::any())])),
        "is_error" => FunctionRule::HasMember("error"),
        "is_true" => FunctionRule::IsTrue,
        _ => FunctionRule::Unknown,
    }
}

/// Returns the shape of an object around a value.
fn wrapped(value: &Shape) -> Shape {
    if value.is_never() { Shape::never() } else { Shape::record([("value", value.clone())]) }
}

/// The functions of Serverless Workflow.
fn serverless_workflow(name: &str) -> FunctionRule {
    match name {
        "or_null" => FunctionRule::Nullable(|args| Ok(first(args))),
        // A filter that selects nothing is null here. It yields all of the data.
        "filtered" => FunctionRule::Nullable(|args| match args {
            [found, data, ..] if found.set().meets(KindSet::NULL) => Ok(found.join(data)),
            _ => Ok(first(args)),
        }),
        "with" => FunctionRule::Call(&[], |args| match args {
            [data, result, ..] if data.is_never() || result.is_never() => Shape::never(),
            [data, result, ..] => {
                let new = result.only(KindSet::NULL.complement());
                let merged = match new.set() {
                    KindSet::NONE => Shape::never(),
                    OBJECT => objects_of(data).merged_deeply(&new),
                    // The result can be stored under any name, or replace any member.
                    _ => Shape::any_object(),
                };
                // Null leaves the data as they are, even if they are no object.
                if result.set().meets(KindSet::NULL) { merged.join(data) } else { merged }
            }
            _ => Shape::any(),
        }),
        "error" => FunctionRule::Call(&[], |_| error().join(&Shape::null())),
        "error_view" => FunctionRule::Call(&[], |args| match args {
            [data, error, ..] => {
                let caught = error.only(KindSet::NULL.complement());
                let seen = objects_of(data).merged(&Shape::record([("error", caught.clone()), ("exception", caught)]));
                if error.set().meets(KindSet::NULL) { seen.join(data) } else { seen }
            }
            _ => Shape::any(),
        }),
        "error_data" => FunctionRule::Call(&[], |args| {
            let caught = first(args).only(KindSet::NULL.complement());
            Shape::record([("error", caught)]).join(&Shape::record::<&str>([]))
        }),
        _ => FunctionRule::Unknown,
    }
}

/// Returns the shape of a caught error.
fn error() -> Shape {
    Shape::record([("name", Shape::string()), ("message", Shape::string()), ("trace", Shape::string())])
}

/// Returns the objects of some data, and an empty object in place of other data.
fn objects_of(data: &Shape) -> Shape {
    match data.set() == OBJECT {
        true => data.clone(),
        false => data.only(OBJECT).join(&Shape::record::<&str>([])),
    }
}

/// Returns the shape of data in which members are replaced. Data that are no object are dropped.
fn injected(args: &[Shape]) -> Shape {
    let data = args.first().map_or_else(Shape::any_object, objects_of);
    match args.get(1) {
        Some(members) => data.merged(members),
        None => data,
    }
}

fn first(args: &[Shape]) -> Shape {
    args.first().cloned().unwrap_or_else(Shape::any)
}

fn merged_objects(args: &[Shape]) -> Shape {
    match args {
        [left, right, ..] => left.merged(right),
        _ => Shape::any_object(),
    }
}
