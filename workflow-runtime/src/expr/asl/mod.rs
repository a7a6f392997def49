//! The Amazon States Language: intrinsic functions, Choice operators, ResultPath, and faults of
//! paths that select nothing. Messages of faults are those of AWS Step Functions, where they were
//! recorded.

mod absence;
mod arrays;
mod choice;
mod encoding;
mod fields;
mod format;
mod intrinsic;
mod json;
mod map_item;
mod math;
mod place;
mod selection;
mod settings;
pub(in crate::expr) mod timestamp;

#[cfg(test)]
mod tests;

pub use absence::{
    argument, choice_variable, context_field, field, field_at, path, path_at, require_argument, require_field,
    require_path, subject, variable,
};
pub use arrays::{array_contains, array_get_item, array_length, array_partition, array_range, array_unique};
pub use choice::{
    boolean_equals, boolean_equals_path, is_boolean, is_null, is_numeric, is_present, is_string, is_timestamp,
    no_transition, numeric_equals, numeric_equals_path, numeric_greater_than, numeric_greater_than_equals,
    numeric_greater_than_equals_path, numeric_greater_than_path, numeric_less_than, numeric_less_than_equals,
    numeric_less_than_equals_path, numeric_less_than_path, string_equals, string_equals_path, string_greater_than,
    string_greater_than_equals, string_greater_than_equals_path, string_greater_than_path, string_less_than,
    string_less_than_equals, string_less_than_equals_path, string_less_than_path, string_matches, timestamp_equals,
    timestamp_equals_path, timestamp_greater_than, timestamp_greater_than_equals, timestamp_greater_than_equals_path,
    timestamp_greater_than_path, timestamp_less_than, timestamp_less_than_equals, timestamp_less_than_equals_path,
    timestamp_less_than_path,
};
pub use encoding::{base64_decode, base64_encode, hash};
pub(crate) use fields::LARGEST_BATCH;
pub use fields::{
    fault_string, items_array, map_items, max_concurrency_path, max_input_bytes_path, max_items_path,
    max_items_per_batch_path, seconds_path, timeout_path, timestamp_path, tolerated_count_path,
    tolerated_percentage_path,
};
pub use format::{format, format_template};
pub use intrinsic::wrong_arguments;
pub use json::{json_merge, json_to_string, string_split, string_to_json};
pub use map_item::{captured, element_member, item_context, value_in_scope, variable_in_scope};
pub use math::{math_add, math_random, math_random_seeded, uuid};
pub use place::{At, put, put_at};
pub use selection::{Selection, at, at_steps, computed, selected};
pub use settings::keyed_object;
