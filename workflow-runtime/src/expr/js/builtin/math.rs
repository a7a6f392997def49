//! `Math` (ECMA-262 §21.3.2). The compiler emits the constants.

use super::super::call::argument;
use super::super::operators::power;
use super::super::{Js, Result, Run, coerce};

macro_rules! of_one_number {
    ($($function:ident $name:literal $compute:expr;)*) => {
        $(
            #[doc = concat!("`Math.", $name, "`")]
            pub fn $function(_: &Run, arguments: &[Js]) -> Result {
                let compute: fn(f64) -> f64 = $compute;
                Ok(Js::Number(compute(coerce::number(&argument(arguments, 0))?)))
            }
        )*
    };
}

of_one_number! {
    math_abs "abs" f64::abs;
    math_acos "acos" f64::acos;
    math_acosh "acosh" acosh;
    math_asin "asin" f64::asin;
    math_asinh "asinh" asinh;
    math_atan "atan" f64::atan;
    math_atanh "atanh" f64::atanh;
    math_cbrt "cbrt" f64::cbrt;
    math_ceil "ceil" f64::ceil;
    math_clz32 "clz32" |x| f64::from(coerce::uint32(x).leading_zeros());
    math_cos "cos" f64::cos;
    math_cosh "cosh" f64::cosh;
    math_exp "exp" f64::exp;
    math_expm1 "expm1" f64::exp_m1;
    math_floor "floor" f64::floor;
    math_fround "fround" |x| f64::from(x as f32);
    math_log "log" f64::ln;
    math_log10 "log10" f64::log10;
    math_log1p "log1p" f64::ln_1p;
    math_log2 "log2" f64::log2;
    math_round "round" round;
    math_sign "sign" |x| if x == 0.0 || x.is_nan() { x } else { x.signum() };
    math_sin "sin" f64::sin;
    math_sinh "sinh" f64::sinh;
    math_sqrt "sqrt" f64::sqrt;
    math_tan "tan" f64::tan;
    math_tanh "tanh" f64::tanh;
    math_trunc "trunc" f64::trunc;
}

/// From here on, adding 1 to the square has no effect. The square can be infinite.
const LARGE: f64 = 268_435_456.0;

fn acosh(x: f64) -> f64 {
    if x > LARGE { x.ln() + std::f64::consts::LN_2 } else { x.acosh() }
}

fn asinh(x: f64) -> f64 {
    if x.abs() > LARGE { (x.abs().ln() + std::f64::consts::LN_2).copysign(x) } else { x.asinh() }
}

/// Rounds halves upwards and keeps the sign of zero.
fn round(x: f64) -> f64 {
    let below = x.floor();
    let rounded = if x - below >= 0.5 { below + 1.0 } else { below };
    rounded.copysign(x)
}

fn numbers(arguments: &[Js]) -> Result<Vec<f64>> {
    arguments.iter().map(coerce::number).collect()
}

/// Implements `Math.max`.
pub fn math_max(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Number(numbers(arguments)?.into_iter().fold(f64::NEG_INFINITY, |left, right| match (left, right) {
        (left, right) if left.is_nan() || right.is_nan() => f64::NAN,
        (left, right) if left == right => {
            if left.is_sign_negative() {
                right
            } else {
                left
            }
        }
        (left, right) => left.max(right),
    })))
}

/// Implements `Math.min`.
pub fn math_min(_: &Run, arguments: &[Js]) -> Result {
    Ok(Js::Number(numbers(arguments)?.into_iter().fold(f64::INFINITY, |left, right| match (left, right) {
        (left, right) if left.is_nan() || right.is_nan() => f64::NAN,
        (left, right) if left == right => {
            if left.is_sign_negative() {
                left
            } else {
                right
            }
        }
        (left, right) => left.min(right),
    })))
}

/// Implements `Math.hypot`.
pub fn math_hypot(_: &Run, arguments: &[Js]) -> Result {
    let numbers = numbers(arguments)?;
    if numbers.iter().any(|number| number.is_infinite()) {
        return Ok(Js::Number(f64::INFINITY));
    }
    Ok(Js::Number(numbers.into_iter().fold(0.0, f64::hypot)))
}

/// Implements `Math.atan2`.
pub fn math_atan2(_: &Run, arguments: &[Js]) -> Result {
    let (y, x) = two(arguments)?;
    Ok(Js::Number(y.atan2(x)))
}

/// Implements `Math.pow`.
pub fn math_pow(_: &Run, arguments: &[Js]) -> Result {
    let (base, exponent) = two(arguments)?;
    Ok(Js::Number(power(base, exponent)))
}

/// Implements `Math.imul`.
pub fn math_imul(_: &Run, arguments: &[Js]) -> Result {
    let (left, right) = two(arguments)?;
    Ok(Js::Number(f64::from(coerce::int32(left).wrapping_mul(coerce::int32(right)))))
}

fn two(arguments: &[Js]) -> Result<(f64, f64)> {
    Ok((coerce::number(&argument(arguments, 0))?, coerce::number(&argument(arguments, 1))?))
}

/// Implements `Math.random` with the random numbers of the execution.
pub fn math_random(run: &Run, _: &[Js]) -> Result {
    Ok(Js::Number(run.random()))
}
