//! Tests of every operator over every pair of values.

use workflow_differential::values::all;
use workflow_differential::{Maker, Operation, compare, product};
use workflow_runtime::__private::js::{self, Js};

fn binary() -> Vec<Operation> {
    type Numeric = fn(f64, f64) -> f64;
    type Test = fn(&Js, &Js) -> js::Result<bool>;
    let numeric: [(&str, Numeric); 11] = [
        ("-", |a, b| a - b),
        ("*", |a, b| a * b),
        ("/", |a, b| a / b),
        ("%", |a, b| a % b),
        ("**", js::power),
        ("&", |a, b| f64::from(js::int32(a) & js::int32(b))),
        ("|", |a, b| f64::from(js::int32(a) | js::int32(b))),
        ("^", |a, b| f64::from(js::int32(a) ^ js::int32(b))),
        ("<<", |a, b| f64::from(js::int32(a).wrapping_shl(js::uint32(b)))),
        (">>", |a, b| f64::from(js::int32(a).wrapping_shr(js::uint32(b)))),
        (">>>", |a, b| f64::from(js::uint32(a).wrapping_shr(js::uint32(b)))),
    ];
    let tests: [(&str, Test); 9] = [
        ("==", js::loose_equals),
        ("!=", |a, b| Ok(!js::loose_equals(a, b)?)),
        ("===", |a, b| Ok(js::strict_equals(a, b))),
        ("!==", |a, b| Ok(!js::strict_equals(a, b))),
        ("<", js::less),
        ("<=", js::less_or_equal),
        (">", js::greater),
        (">=", js::greater_or_equal),
        ("in", js::has),
    ];
    let mut operations = vec![
        Operation::new("a[0] + a[1]", |_, a| js::add(&a[0], &a[1])),
        Operation::new("a[0] && a[1]", |_, a| Ok(a[usize::from(js::truthy(&a[0]))].clone())),
        Operation::new("a[0] || a[1]", |_, a| Ok(a[usize::from(!js::truthy(&a[0]))].clone())),
        Operation::new("a[0] ?? a[1]", |_, a| Ok(a[usize::from(a[0].is_nullish())].clone())),
        Operation::new("a[0][a[1]]", |_, a| js::get_at(&a[0], &a[1])),
        Operation::new("delete a[0][a[1]]", |_, a| js::delete_at(&a[0], &a[1]).map(Js::from)),
        Operation::new("{ const o = {x: 1, ...a[0], ...a[1]}; return o; }", |_, a| {
            let object = js::object([("x", Js::Number(1.0))]);
            js::spread_object(&object, &a[0])?;
            js::spread_object(&object, &a[1])?;
            Ok(object)
        }),
        Operation::new("[0, ...a[0], ...a[1]]", |_, a| {
            let array = js::array([Js::Number(0.0)]);
            js::spread_array(&array, &a[0])?;
            js::spread_array(&array, &a[1])?;
            Ok(array)
        }),
    ];
    operations.extend(numeric.into_iter().map(|(text, compute)| {
        Operation::new(format!("a[0] {text} a[1]"), move |_, a| {
            Ok(Js::Number(compute(js::number(&a[0])?, js::number(&a[1])?)))
        })
    }));
    operations.extend(tests.into_iter().map(|(text, compute)| {
        Operation::new(format!("a[0] {text} a[1]"), move |_, a| Ok(Js::Bool(compute(&a[0], &a[1])?)))
    }));
    operations
}

fn unary() -> Vec<Operation> {
    vec![
        Operation::new("+a[0]", |_, a| js::number(&a[0]).map(Js::Number)),
        Operation::new("-a[0]", |_, a| Ok(Js::Number(-js::number(&a[0])?))),
        Operation::new("~a[0]", |_, a| Ok(Js::Number(f64::from(!js::int32(js::number(&a[0])?))))),
        Operation::new("!a[0]", |_, a| Ok(Js::Bool(!js::truthy(&a[0])))),
        Operation::new("typeof a[0]", |_, a| Ok(Js::from(js::type_of(&a[0])))),
        Operation::new("`${a[0]}`", |_, a| js::string(&a[0]).map(Js::String)),
        Operation::new("a[0].length", |_, a| js::get(&a[0], "length")),
        Operation::new("a[0].x.y", |_, a| js::get(&js::get(&a[0], "x")?, "y")),
        Operation::new("a[0].x = 1", |_, a| js::set(&a[0], "x", Js::Number(1.0)).map(|()| Js::Number(1.0))),
        Operation::new("a[0].length = 1", |_, a| js::set(&a[0], "length", Js::Number(1.0)).map(|()| Js::Number(1.0))),
        Operation::new("delete a[0].a", |_, a| js::delete(&a[0], "a").map(Js::Bool)),
        Operation::new("[...a[0]]", |_, a| js::iterate(&a[0]).map(of)),
        Operation::new("{ const k = []; for (const x in a[0]) k.push(x); return k; }", |_, a| {
            Ok(of(js::keys(&a[0]).into_iter().map(Js::String).collect()))
        }),
        Operation::new("{ const {a: x, ...rest} = a[0]; return rest; }", |_, a| js::rest_of(&a[0], &["a"])),
        Operation::new("{ const {} = a[0]; return a[0]; }", |_, a| {
            js::require_object_coercible(&a[0]).map(|()| a[0].clone())
        }),
        Operation::new("{ const [x, ...rest] = a[0]; return rest; }", |_, a| {
            Ok(js::rest_from(&of(js::iterate(&a[0])?), 1))
        }),
        Operation::new("a[0] instanceof Error", |_, a| Ok(Js::Bool(js::instance_of(&a[0], "Error")))),
        Operation::new("a[0] instanceof TypeError", |_, a| Ok(Js::Bool(js::instance_of(&a[0], "TypeError")))),
        Operation::new("a[0] instanceof Object", |_, a| Ok(Js::Bool(js::instance_of(&a[0], "Object")))),
        Operation::new("a[0]()", |run, a| js::call(run, &a[0], "a", &[])),
        Operation::new("a[0].nothing()", |run, a| js::call_method(run, &a[0], "nothing", "a", &[])),
    ]
}

fn of(items: Vec<Js>) -> Js {
    let array = js::array([]);
    for item in items {
        let end = js::get(&array, "length").expect("an array has a length");
        js::set_at(&array, &end, item).expect("an array takes an element");
    }
    array
}

/// Keys of elements that would leave holes in an array.
const FAR: &[&str] = &["2147483648", "255", "2", "3", "({valueOf: () => 7})"];

#[test]
fn binary_operators_agree() {
    let values: &[Maker] = &all();
    let pairs = product(&[values, values]);
    let mut operations: Vec<_> = binary().into_iter().map(|operation| (operation, pairs.clone())).collect();
    // Assignments beyond the end of an array are left out: the runtime's arrays have no holes.
    let near: Vec<Maker> = values.iter().copied().filter(|key| !FAR.contains(&key.source)).collect();
    let set = |_: &js::Run, a: &[Js]| js::set_at(&a[0], &a[1], Js::Number(5.0)).map(|()| Js::Number(5.0));
    operations.push((Operation::new("a[0][a[1]] = 5", set), product(&[values, &near])));
    compare(&operations).check("binary operators");
}

#[test]
fn unary_operators_agree() {
    let values: &[Maker] = &all();
    let lists = product(&[values]);
    let operations: Vec<_> = unary().into_iter().map(|operation| (operation, lists.clone())).collect();
    compare(&operations).check("unary operators");
}
