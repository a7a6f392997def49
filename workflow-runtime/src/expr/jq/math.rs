//! Functions of numbers, as in the C library.

use super::number::{as_double, float, number};
use super::{Result, neg, order, type_error};
use crate::value::Value;

fn operand(value: &Value) -> Result<f64> {
    as_double(value).ok_or_else(|| type_error(value, "number required"))
}

/// Functions of one number.
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

/// Functions of two numbers, which are arguments: the input does not count.
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

/// `fma(x; y; z)`
pub fn fma(x: &Value, y: &Value, z: &Value) -> Result<Value> {
    Ok(number(operand(x)?.mul_add(operand(y)?, operand(z)?)))
}

/// As the C library is given it: what does not fit is the least there is.
fn to_int(value: f64) -> i32 {
    if value > f64::from(i32::MIN) - 1.0 && value < f64::from(i32::MAX) + 1.0 { value as i32 } else { i32::MIN }
}

/// As [`to_int`], of 64 bits; beyond 32 bits there is nothing left of a number, or no end.
fn to_long(value: f64) -> i32 {
    if value.abs() < 9_223_372_036_854_775_808.0 { value as i32 } else { i32::MIN }
}

/// `value * 2 ^ power`, of a power that is whole.
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

/// The power of two that is in a number.
fn exponent(value: f64) -> f64 {
    match value {
        0.0 => f64::NEG_INFINITY,
        value if value.is_infinite() => f64::INFINITY,
        value if value.is_nan() => value,
        value => f64::from(libm::ilogb(value)),
    }
}

/// The number without the power of two that is in it: at least 1 and less than 2.
fn significand_of(value: f64) -> f64 {
    if value == 0.0 || !value.is_finite() { value } else { libm::scalbn(value, -libm::ilogb(value)) }
}

fn pair(first: Value, second: Value) -> Value {
    Value::from(vec![first, second])
}

/// `frexp`: a number from a half to one, and a power of two.
pub fn frexp(value: &Value) -> Result<Value> {
    let (fraction, power) = libm::frexp(operand(value)?);
    let power = if fraction.is_finite() { power } else { 0 };
    Ok(pair(number(fraction), Value::from(power)))
}

/// `modf`: what is behind the point, and what is before it.
pub fn modf(value: &Value) -> Result<Value> {
    let value = operand(value)?;
    let behind = if value.is_infinite() { 0.0_f64.copysign(value) } else { value.fract().copysign(value) };
    Ok(pair(number(behind), number(value.trunc())))
}

/// `lgamma_r`: the logarithm of the absolute value of the gamma function, and its sign.
pub fn lgamma_r(value: &Value) -> Result<Value> {
    let (logarithm, sign) = libm::lgamma_r(operand(value)?);
    Ok(pair(number(logarithm), Value::from(sign)))
}

/// `abs`: as it is, of what is not less than 0.
pub fn abs(value: &Value) -> Result<Value> {
    if order::cmp(value, &Value::Int(0)).is_lt() { neg(value.clone()) } else { Ok(value.clone()) }
}

/// `infinite`
pub fn infinite() -> Value {
    float(f64::INFINITY)
}

/// `nan`
pub fn nan() -> Value {
    float(f64::NAN)
}

/// `isinfinite`
pub fn isinfinite(value: &Value) -> bool {
    as_double(value).is_some_and(f64::is_infinite)
}

/// `isnan`
pub fn isnan(value: &Value) -> bool {
    as_double(value).is_some_and(f64::is_nan)
}

/// `isnormal`
pub fn isnormal(value: &Value) -> bool {
    as_double(value).is_some_and(f64::is_normal)
}

/// `isfinite`
pub fn isfinite(value: &Value) -> bool {
    as_double(value).is_some_and(|number| !number.is_infinite())
}
