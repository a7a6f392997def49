//! The macro [`value!`](crate::value!).

/// Creates a [`Value`](crate::Value) from JSON syntax. Any expression that converts `Into<Value>`
/// can be a value. An expression in parentheses that converts `Into<Str>` can be a key. The last
/// of several members with the same key counts.
///
/// ```
/// use workflow_runtime::value;
///
/// let (id, rush) = ("a-1", true);
/// let order = value!({"id": id, "total": 12.5, "lines": [{"sku": "x", "n": 1 + 1}, null], "rush": rush});
/// assert_eq!(order.to_string(), r#"{"id":"a-1","total":12.5,"lines":[{"sku":"x","n":2},null],"rush":true}"#);
/// ```
#[macro_export]
macro_rules! value {
    (null) => {
        $crate::Value::Null
    };
    ([]) => {
        $crate::Value::from($crate::Array::new())
    };
    ([ $($items:tt)+ ]) => {{
        let mut array = $crate::Array::new();
        $crate::value!(@items array $($items)+);
        $crate::Value::from(array)
    }};
    ({}) => {
        $crate::Value::from($crate::Object::new())
    };
    ({ $($members:tt)+ }) => {{
        let mut object = $crate::Object::new();
        $crate::value!(@members object $($members)+);
        $crate::Value::from(object)
    }};

    // JSON syntax takes precedence over expressions.
    (@items $to:ident) => {};
    (@items $to:ident null $(, $($rest:tt)*)?) => {
        $crate::value!(@item $to [null] $($($rest)*)?);
    };
    (@items $to:ident [ $($item:tt)* ] $(, $($rest:tt)*)?) => {
        $crate::value!(@item $to [[ $($item)* ]] $($($rest)*)?);
    };
    (@items $to:ident { $($item:tt)* } $(, $($rest:tt)*)?) => {
        $crate::value!(@item $to [{ $($item)* }] $($($rest)*)?);
    };
    (@items $to:ident $item:expr $(, $($rest:tt)*)?) => {
        $crate::value!(@item $to [$item] $($($rest)*)?);
    };
    (@item $to:ident [ $($item:tt)+ ] $($rest:tt)*) => {
        $to.push($crate::value!($($item)+));
        $crate::value!(@items $to $($rest)*);
    };

    (@members $to:ident) => {};
    (@members $to:ident $key:tt : null $(, $($rest:tt)*)?) => {
        $crate::value!(@member $to $key [null] $($($rest)*)?);
    };
    (@members $to:ident $key:tt : [ $($value:tt)* ] $(, $($rest:tt)*)?) => {
        $crate::value!(@member $to $key [[ $($value)* ]] $($($rest)*)?);
    };
    (@members $to:ident $key:tt : { $($value:tt)* } $(, $($rest:tt)*)?) => {
        $crate::value!(@member $to $key [{ $($value)* }] $($($rest)*)?);
    };
    (@members $to:ident $key:tt : $value:expr $(, $($rest:tt)*)?) => {
        $crate::value!(@member $to $key [$value] $($($rest)*)?);
    };
    (@member $to:ident $key:tt [ $($value:tt)+ ] $($rest:tt)*) => {
        $to.insert($crate::value!(@key $key), $crate::value!($($value)+));
        $crate::value!(@members $to $($rest)*);
    };
    (@key ($key:expr)) => {
        $crate::Str::from($key)
    };
    (@key $key:literal) => {
        $crate::Str::from_static($key)
    };

    ($value:expr) => {
        $crate::Value::from($value)
    };
}
