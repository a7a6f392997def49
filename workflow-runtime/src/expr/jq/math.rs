//! Functions of numbers, as in the C library.

use super::number::{as_double, float, number};
use super::{Result, neg, order, type_error};
use crate::value::Value;

fn operand(value: &Value) -> Result<f64> {
    as_double(value).ok_or_else(|| type_error(value, "number required"))
}

/// Declares functions of one number.
macro_rules! unary {
    ($($name:ident = $function:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "`")]
        pub fn $name(value: &Value) -> Result<Value> {
            Ok(number($function(operand(value)?)))
        }
    )*};
}

unary! {
    acos = f64::acos;
    acosh = libm::acosh;
    asin = f64::asin;
    asinh = libm::asinh;
    atan = f64::atan;
    atanh = libm::atanh;
    cbrt = f64::cbrt;
    ceil = f64::ceil;
    cos = f64::cos;
    cosh = f64::cosh;
    erf = libm::erf;
    erfc = libm::erfc;
    exp = f64::exp;
    exp10 = libm::exp10;
    exp2 = f64::exp2;
    expm1 = f64::exp_m1;
    fabs = f64::abs;
    floor = f64::floor;
    gamma = libm::lgamma;
    j0 = libm::j0;
    j1 = libm::j1;
    lgamma = libm::lgamma;
    log = f64::ln;
    log10 = f64::log10;
    log1p = f64::ln_1p;
    log2 = f64::log2;
    logb = exponent;
    nearbyint = f64::round_ties_even;
    rint = f64::round_ties_even;
    round = f64::round;
    significand = significand_of;
    sin = f64::sin;
    sinh = f64::sinh;
    sqrt = f64::sqrt;
    tan = f64::tan;
    tanh = f64::tanh;
    tgamma = libm::tgamma;
    trunc = f64::trunc;
    y0 = libm::y0;
    y1 = libm::y1;
}

/// Declares functions of two numbers, which are arguments. The input is ignored.
macro_rules! binary {
    ($($name:ident = $function:expr;)*) => {$(
        #[doc = concat!("`", stringify!($name), "(left; right)`")]
        pub fn $name(left: &Value, right: &Value) -> Result<Value> {
            Ok(number($function(operand(left)?, operand(right)?)))
        }
    )*};
}

binary! {
    atan2 = f64::atan2;
    copysign = f64::copysign;
    drem = libm::remainder;
    fdim = libm::fdim;
    fmax = f64::max;
    fmin = f64::min;
    fmod = |left: f64, right: f64| left % right;
    hypot = f64::hypot;
    jn = |order: f64, value: f64| libm::jn(to_int(order), value);
    ldexp = |value: f64, power: f64| libm::ldexp(value, to_int(power));
    nextafter = libm::nextafter;
    nexttoward = libm::nextafter;
    pow = f64::powf;
    remainder = libm::remainder;
    scalb = scale;
    scalbln = |value: f64, power: f64| libm::scalbn(value, to_long(power));
    yn = |order: f64, value: f64| libm::yn(to_int(order), value);
}

/// Implements `fma(x; y; z)`.
pub fn fma(x: &Value, y: &Value, z: &Value) -> Result<Value> {
    Ok(number(operand(x)?.mul_add(operand(y)?, operand(z)?)))
}

/// Converts to an `int` of C. A number out of range becomes the minimum.
fn to_int(value: f64) -> i32 {
    if value > f64::from(i32::MIN) - 1.0 && value < f64::from(i32::MAX) + 1.0 { value as i32 } else { i32::MIN }
}

/// Converts to a `long` of C, then to 32 bits: any exponent beyond 32 bits has the same effect,
/// zero or infinity.
fn to_long(value: f64) -> i32 {
    if value.abs() < 9_223_372_036_854_775_808.0 { value as i32 } else { i32::MIN }
}

/// Computes `value * 2 ^ power` for an integer power.
fn scale(value: f64, power: f64) -> f64 {
    if value.is_nan() || power.is_nan() {
        f64::NAN
    } else if power.is_infinite() {
        if power > 0.0 { value * f64::INFINITY } else { value / f64::INFINITY }
    } else if power.fract() != 0.0 {
        f64::NAN
    } else {
        libm::scalbn(value, power as i32)
    }
}

/// Returns the binary exponent of a number.
fn exponent(value: f64) -> f64 {
    match value {
        0.0 => f64::NEG_INFINITY,
        value if value.is_infinite() => f64::INFINITY,
        value if value.is_nan() => value,
        value => f64::from(libm::ilogb(value)),
    }
}

/// Returns the significand of a number: at least 1 and less than 2.
fn significand_of(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() { value } else { libm::scalbn(value, -libm::ilogb(value)) }
}

fn pair(first: Value, second: Value) -> Value {
    Value::from(vec![first, second])
}

/// Implements `frexp`: returns a number from 0.5 to 1, and a power of two.
pub fn frexp(value: &Value) -> Result<Value> {
    let (fraction, power) = libm::frexp(operand(value)?);
    let power = if fraction.is_finite() { power } else { 0 };
    Ok(pair(number(fraction), Value::from(power)))
}

/// Implements `modf`: returns the fraction and the integer part.
pub fn modf(value: &Value) -> Result<Value> {
    let value = operand(value)?;
    let behind = if value.is_infinite() { 0.0_f64.copysign(value) } else { value.fract().copysign(value) };
    Ok(pair(number(behind), number(value.trunc())))
}

/// Implements `lgamma_r`: returns the logarithm of the absolute value of the gamma function, and
/// its sign.
pub fn lgamma_r(value: &Value) -> Result<Value> {
    let (logarithm, sign) = libm::lgamma_r(operand(value)?);
    Ok(pair(number(logarithm), Value::from(sign)))
}

/// Implements `abs`. A value that is not less than 0 is returned unchanged.
pub fn abs(value: &Value) -> Result<Value> {
    if order::cmp(value, &Value::Int(0)).is_lt() { neg(value.clone()) } else { Ok(value.clone()) }
}

/// Implements `infinite`.
pub fn infinite() -> Value {
    float(f64::INFINITY)
}

/// Implements `nan`.
pub fn nan() -> Value {
    float(f64::NAN)
}

/// Implements `isinfinite`.
pub fn isinfinite(value: &Value) -> bool {
    as_double(value).is_some_and(f64::is_infinite)
}

/// Implements `isnan`.
pub fn isnan(value: &Value) -> bool {
    as_double(value).is_some_and(f64::is_nan)
}

/// Implements `isnormal`.
pub fn isnormal(value: &Value) -> bool {
    as_double(value).is_some_and(f64::is_normal)
}

/// Implements `isfinite`.
pub fn isfinite(value: &Value) -> bool {
    as_double(value).is_some_and(|number| !number.is_infinite())
}
