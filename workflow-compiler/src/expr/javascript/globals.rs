//! The built-in functions available to translated code, and all other names known to an engine.

/// A built-in function without receiver, or a function of an object such as `Math`.
#[derive(Debug, PartialEq, Eq)]
pub struct Builtin {
    /// The qualified name: `Object.assign`, `parseInt`.
    pub name: &'static str,
    /// The path of the runtime function.
    pub function: &'static str,
    /// The value of the function's `length`.
    pub length: usize,
}

/// A built-in constructor.
#[derive(Debug, PartialEq, Eq)]
pub struct Constructor {
    /// The name.
    pub name: &'static str,
    /// `true` if a call without `new` yields the same.
    pub callable: bool,
}

macro_rules! builtins {
    ($($name:literal $function:ident $length:literal,)*) => {
        /// All built-in functions.
        pub static BUILTINS: &[Builtin] =
            &[$(Builtin { name: $name, function: concat!("js::builtin::", stringify!($function)), length: $length }),*];
    };
}

builtins! {
    "Object.assign" object_assign 2,
    "Object.entries" object_entries 1,
    "Object.freeze" object_freeze 1,
    "Object.fromEntries" object_from_entries 1,
    "Object.is" object_is 2,
    "Object.keys" object_keys 1,
    "Object.values" object_values 1,
    "Array.from" array_from 1,
    "Array.isArray" array_is_array 1,
    "Array.of" array_of 0,
    "JSON.parse" json_parse 2,
    "JSON.stringify" json_stringify 3,
    "Math.abs" math_abs 1,
    "Math.acos" math_acos 1,
    "Math.acosh" math_acosh 1,
    "Math.asin" math_asin 1,
    "Math.asinh" math_asinh 1,
    "Math.atan" math_atan 1,
    "Math.atan2" math_atan2 2,
    "Math.atanh" math_atanh 1,
    "Math.cbrt" math_cbrt 1,
    "Math.ceil" math_ceil 1,
    "Math.clz32" math_clz32 1,
    "Math.cos" math_cos 1,
    "Math.cosh" math_cosh 1,
    "Math.exp" math_exp 1,
    "Math.expm1" math_expm1 1,
    "Math.floor" math_floor 1,
    "Math.fround" math_fround 1,
    "Math.hypot" math_hypot 2,
    "Math.imul" math_imul 2,
    "Math.log" math_log 1,
    "Math.log10" math_log10 1,
    "Math.log1p" math_log1p 1,
    "Math.log2" math_log2 1,
    "Math.max" math_max 2,
    "Math.min" math_min 2,
    "Math.pow" math_pow 2,
    "Math.random" math_random 0,
    "Math.round" math_round 1,
    "Math.sign" math_sign 1,
    "Math.sin" math_sin 1,
    "Math.sinh" math_sinh 1,
    "Math.sqrt" math_sqrt 1,
    "Math.tan" math_tan 1,
    "Math.tanh" math_tanh 1,
    "Math.trunc" math_trunc 1,
    "Number.isFinite" number_is_finite 1,
    "Number.isInteger" number_is_integer 1,
    "Number.isNaN" number_is_nan 1,
    "Number.isSafeInteger" number_is_safe_integer 1,
    "Number.parseFloat" number_parse_float 1,
    "Number.parseInt" number_parse_int 2,
    "String.fromCharCode" string_from_char_code 1,
    "String.fromCodePoint" string_from_code_point 1,
    "Date.now" date_now 0,
    "Date.parse" date_parse 1,
    "Date.UTC" date_utc 7,
    "Buffer.from" buffer_from 2,
    "Promise.all" promise_all 1,
    "Promise.reject" promise_reject 1,
    "Promise.resolve" promise_resolve 1,
    "console.debug" console_debug 0,
    "console.error" console_error 0,
    "console.info" console_info 0,
    "console.log" console_log 0,
    "console.warn" console_warn 0,
    "Boolean" boolean 1,
    "Number" number 1,
    "String" string 1,
    "atob" atob 1,
    "btoa" btoa 1,
    "decodeURI" decode_uri 1,
    "decodeURIComponent" decode_uri_component 1,
    "encodeURI" encode_uri 1,
    "encodeURIComponent" encode_uri_component 1,
    "isFinite" is_finite 1,
    "isNaN" is_nan 1,
    "parseFloat" parse_float 1,
    "parseInt" parse_int 2,
}

/// The constructors.
pub static CONSTRUCTORS: &[Constructor] = &[
    Constructor { name: "Error", callable: true },
    Constructor { name: "TypeError", callable: true },
    Constructor { name: "RangeError", callable: true },
    Constructor { name: "SyntaxError", callable: true },
    Constructor { name: "ReferenceError", callable: true },
    Constructor { name: "EvalError", callable: true },
    Constructor { name: "URIError", callable: true },
    Constructor { name: "Array", callable: true },
    Constructor { name: "Object", callable: true },
    Constructor { name: "Date", callable: false },
];

/// The classes that `instanceof` can test.
pub static CLASSES: &[&str] = &[
    "Array",
    "Date",
    "Error",
    "EvalError",
    "Function",
    "Object",
    "RangeError",
    "ReferenceError",
    "SyntaxError",
    "TypeError",
    "URIError",
];

/// The numeric constants.
static CONSTANTS: &[(&str, f64)] = &[
    ("Math.E", std::f64::consts::E),
    ("Math.LN10", std::f64::consts::LN_10),
    ("Math.LN2", std::f64::consts::LN_2),
    ("Math.LOG10E", std::f64::consts::LOG10_E),
    ("Math.LOG2E", std::f64::consts::LOG2_E),
    ("Math.PI", std::f64::consts::PI),
    ("Math.SQRT1_2", std::f64::consts::FRAC_1_SQRT_2),
    ("Math.SQRT2", std::f64::consts::SQRT_2),
    ("Number.EPSILON", f64::EPSILON),
    ("Number.MAX_SAFE_INTEGER", 9_007_199_254_740_991.0),
    ("Number.MAX_VALUE", f64::MAX),
    ("Number.MIN_SAFE_INTEGER", -9_007_199_254_740_991.0),
    ("Number.MIN_VALUE", 5e-324),
    ("Number.NEGATIVE_INFINITY", f64::NEG_INFINITY),
    ("Number.NaN", f64::NAN),
    ("Number.POSITIVE_INFINITY", f64::INFINITY),
    ("Infinity", f64::INFINITY),
    ("NaN", f64::NAN),
];

/// The predefined names: those of ECMAScript, and those of Node that functions of compositions use
/// and the engine provides. Any other undeclared name is unknown.
static NAMES: &[&str] = &[
    "AggregateError",
    "Array",
    "ArrayBuffer",
    "Atomics",
    "BigInt",
    "BigInt64Array",
    "BigUint64Array",
    "Boolean",
    "Buffer",
    "DataView",
    "Date",
    "Error",
    "EvalError",
    "FinalizationRegistry",
    "Float32Array",
    "Float64Array",
    "Function",
    "Infinity",
    "Int16Array",
    "Int32Array",
    "Int8Array",
    "JSON",
    "Map",
    "Math",
    "NaN",
    "Number",
    "Object",
    "Promise",
    "Proxy",
    "RangeError",
    "ReferenceError",
    "Reflect",
    "RegExp",
    "Set",
    "SharedArrayBuffer",
    "String",
    "Symbol",
    "SyntaxError",
    "TypeError",
    "URIError",
    "Uint16Array",
    "Uint32Array",
    "Uint8Array",
    "Uint8ClampedArray",
    "WeakMap",
    "WeakRef",
    "WeakSet",
    "arguments",
    "atob",
    "btoa",
    "console",
    "decodeURI",
    "decodeURIComponent",
    "encodeURI",
    "encodeURIComponent",
    "escape",
    "eval",
    "globalThis",
    "isFinite",
    "isNaN",
    "parseFloat",
    "parseInt",
    "undefined",
    "unescape",
];

/// The methods of built-in prototypes that call their arguments.
static CALLING_METHODS: &[&str] = &[
    "apply",
    "bind",
    "call",
    "every",
    "filter",
    "find",
    "findIndex",
    "findLast",
    "findLastIndex",
    "flatMap",
    "forEach",
    "map",
    "reduce",
    "reduceRight",
    "replace",
    "replaceAll",
    "some",
    "sort",
    "toSorted",
];

/// The other methods of built-in prototypes.
static METHODS: &[&str] = &[
    "at",
    "charAt",
    "charCodeAt",
    "codePointAt",
    "concat",
    "copyWithin",
    "endsWith",
    "entries",
    "fill",
    "flat",
    "getDate",
    "getDay",
    "getFullYear",
    "getHours",
    "getMilliseconds",
    "getMinutes",
    "getMonth",
    "getSeconds",
    "getTime",
    "getTimezoneOffset",
    "getUTCDate",
    "getUTCDay",
    "getUTCFullYear",
    "getUTCHours",
    "getUTCMilliseconds",
    "getUTCMinutes",
    "getUTCMonth",
    "getUTCSeconds",
    "hasOwnProperty",
    "includes",
    "indexOf",
    "isPrototypeOf",
    "isWellFormed",
    "join",
    "keys",
    "lastIndexOf",
    "localeCompare",
    "padEnd",
    "padStart",
    "pop",
    "propertyIsEnumerable",
    "push",
    "repeat",
    "reverse",
    "setDate",
    "setFullYear",
    "setHours",
    "setMilliseconds",
    "setMinutes",
    "setMonth",
    "setSeconds",
    "setTime",
    "setUTCDate",
    "setUTCFullYear",
    "setUTCHours",
    "setUTCMilliseconds",
    "setUTCMinutes",
    "setUTCMonth",
    "setUTCSeconds",
    "shift",
    "slice",
    "splice",
    "split",
    "startsWith",
    "substr",
    "substring",
    "toDateString",
    "toExponential",
    "toFixed",
    "toGMTString",
    "toISOString",
    "toJSON",
    "toLocaleLowerCase",
    "toLocaleString",
    "toLocaleUpperCase",
    "toLowerCase",
    "toPrecision",
    "toReversed",
    "toSpliced",
    "toString",
    "toTimeString",
    "toUTCString",
    "toUpperCase",
    "toWellFormed",
    "trim",
    "trimEnd",
    "trimLeft",
    "trimRight",
    "trimStart",
    "unshift",
    "valueOf",
    "values",
    "with",
];

/// Returns the built-in function of this name.
pub(super) fn builtin(name: &str) -> Option<&'static Builtin> {
    BUILTINS.iter().find(|builtin| builtin.name == name)
}

/// Returns the constructor of this name.
pub(super) fn constructor(name: &str) -> Option<&'static Constructor> {
    CONSTRUCTORS.iter().find(|constructor| constructor.name == name)
}

/// Returns the class of this name.
pub(super) fn class(name: &str) -> Option<&'static str> {
    CLASSES.iter().copied().find(|class| *class == name)
}

/// Returns the value of a numeric constant.
pub(super) fn constant(name: &str) -> Option<f64> {
    CONSTANTS.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
}

/// Returns the names of the methods of built-in prototypes.
pub fn methods() -> impl Iterator<Item = &'static str> {
    METHODS.iter().chain(CALLING_METHODS).copied()
}

/// Returns `true` if there is a built-in method of this name.
pub(super) fn is_method(name: &str) -> bool {
    METHODS.contains(&name) || CALLING_METHODS.contains(&name)
}

/// Returns `true` if there is a built-in method of this name that does not call its arguments.
pub(super) fn is_quiet_method(name: &str) -> bool {
    METHODS.contains(&name)
}

/// Returns the result of `typeof` for a predefined name, in an engine prepared for functions.
/// Returns `None` for names with another treatment.
pub(super) fn type_of(name: &str) -> Option<&'static str> {
    match name {
        "Atomics" | "JSON" | "Math" | "Reflect" | "console" | "globalThis" | "process" => Some("object"),
        "clearTimeout" | "require" | "setImmediate" | "setTimeout" => Some("function"),
        "Infinity" | "NaN" | "arguments" | "undefined" => None,
        known => is_known(known).then_some("function"),
    }
}

/// Returns `true` if an engine knows the name.
pub(super) fn is_known(name: &str) -> bool {
    NAMES.contains(&name)
}
