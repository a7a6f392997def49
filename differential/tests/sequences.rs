//! Tests of random sequences of reads and writes on a document: members that become objects of
//! their own, copies, cycles. A shared document must not change.

use workflow_differential::{Maker, Operation, compare};
use workflow_runtime::__private::js::{self, Js, Run, builtin};
use workflow_runtime::Value;

const DOCUMENTS: [&str; 4] = [
    r#"{"a": {"b": {"c": 1}, "0": [1, {"a": 2}]}, "b": [[1, 2], {"b": "x"}, null], "10": true, "2": 1.5}"#,
    r#"[{"a": 1}, {"a": {"b": []}}, [], "text", 9007199254740991]"#,
    r#"{"a": 1, "b": 2, "c": 3}"#,
    r#"[1, 2, 3]"#,
];

/// An interpreter in JavaScript. The first register holds the document at the start. Each step is
/// an operation, two registers and a number.
const INTERPRETER: &str = r#"((steps, text) => {
    const r = [JSON.parse(text), {a: {}}, [1, [2]], 'x'], log = [];
    const list = v => Array.isArray(v), plain = v => typeof v === 'string' ? {} : v;
    const key = (v, n) => list(v) ? n % (v.length + 1) : ['a', 'b', 'c', '10', '2', '0'][n % 6];
    for (const [op, i, j, n] of steps) {
        try {
            switch (op) {
                case 0: case 1: case 2: r[i] = r[j][key(r[j], n)]; break;
                case 3: case 4: r[j][key(r[j], n)] = r[i]; break;
                case 5: r[j][key(r[j], n)] = n; break;
                case 6: if (!list(r[j])) delete r[j][key(r[j], n)]; break;
                case 7: r[i] = {...plain(r[j])}; break;
                case 8: r[i] = [...r[j], n]; break;
                case 9: if (!list(r[i]) && typeof r[i] === 'object') Object.assign(r[i], {...plain(r[j]), z: n}); break;
                case 10: r[j].push(r[i], n); break;
                case 11: r[i] = r[j].pop(); break;
                case 12: r[i] = r[j].splice(n % 3, 1, r[i]); break;
                case 13: r[i] = r[j].slice(n % 3).reverse(); break;
                case 14: r[i] = JSON.parse(JSON.stringify(r[j])); break;
                case 15: r[i] = Object.entries(r[j]); break;
                case 16: r[i] = r[j].shift(); break;
                case 17: r[j].unshift(r[i]); break;
                case 18: r[i] = r[j].concat(r[i], [n]); break;
                case 19: { const {a, ...rest} = r[j]; r[i] = rest; break; }
            }
        } catch (e) { log.push(e.name); }
    }
    for (const x of r) {
        try { log.push(JSON.stringify(x)); } catch (e) { log.push(e.name); }
        for (const y of r) log.push(x === y);
    }
    return log;
})(a[0], a[1])"#;

fn is_list(value: &Js) -> bool {
    js::instance_of(value, "Array")
}

fn key(value: &Js, number: f64) -> js::Result {
    if is_list(value) {
        return Ok(Js::Number(number % (js::number(&js::get(value, "length")?)? + 1.0)));
    }
    Ok(Js::text(["a", "b", "c", "10", "2", "0"][number as usize % 6]))
}

fn step(run: &Run, r: &mut [Js], step: [f64; 4]) -> js::Result<()> {
    let [operation, i, j, number] = step;
    let (i, j, n) = (i as usize, j as usize, Js::Number(number));
    let source = r[j].clone();
    // QuickJS copies no members from a string.
    let plain = if matches!(source, Js::String(_)) { js::object([]) } else { source.clone() };
    let third = Js::Number(number % 3.0);
    let method = |name: &'static str, arguments: &[Js]| js::call_method(run, &source, name, name, arguments);
    match operation as u32 {
        0..=2 => {
            // Reading from null fails after `key` has run, in both languages.
            r[i] = js::get_at(&source, &key(&source, number)?)?;
        }
        3 | 4 => js::set_at(&source, &key(&source, number)?, r[i].clone())?,
        5 => js::set_at(&source, &key(&source, number)?, n)?,
        6 if is_list(&source) => {}
        6 => drop(js::delete_at(&source, &key(&source, number)?)?),
        7 => {
            let made = js::object([]);
            js::spread_object(&made, &plain)?;
            r[i] = made;
        }
        8 => {
            let made = js::array([]);
            js::spread_array(&made, &source)?;
            js::spread_array(&made, &js::array([n]))?;
            r[i] = made;
        }
        // An array would get a property, and a primitive value would become an object.
        9 if is_list(&r[i]) || js::type_of(&r[i]) != "object" => {}
        9 => {
            let made = js::object([]);
            js::spread_object(&made, &plain)?;
            js::set(&made, "z", n)?;
            builtin::object_assign(run, &[r[i].clone(), made])?;
        }
        10 => drop(method("push", &[r[i].clone(), n])?),
        11 => r[i] = method("pop", &[])?,
        12 => r[i] = method("splice", &[third, Js::Number(1.0), r[i].clone()])?,
        13 => r[i] = js::call_method(run, &method("slice", &[third])?, "reverse", "reverse", &[])?,
        14 => r[i] = builtin::json_parse(run, &[builtin::json_stringify(run, &[source])?])?,
        15 => r[i] = builtin::object_entries(run, &[source])?,
        16 => r[i] = method("shift", &[])?,
        17 => drop(method("unshift", &[r[i].clone()])?),
        18 => r[i] = method("concat", &[r[i].clone(), js::array([n])])?,
        _ => r[i] = js::rest_of(&source, &["a"])?,
    }
    Ok(())
}

fn interpret(run: &Run, a: &[Js]) -> js::Result {
    let text = js::string(&a[1])?;
    let document = Value::from_json(&text).expect("JSON");
    // Half of the documents are shared.
    let shared = (js::iterate(&a[0])?.len() % 2 == 0).then(|| document.clone());
    let object = js::object([("a", js::object([]))]);
    let array = js::array([Js::Number(1.0), js::array([Js::Number(2.0)])]);
    let mut r = [Js::from(document), object, array, Js::text("x")];
    let log = js::array([]);
    let note = |value: Js| js::spread_array(&log, &js::array([value]));
    for encoded in js::iterate(&a[0])? {
        let numbers = js::iterate(&encoded)?.iter().map(js::number).collect::<js::Result<Vec<f64>>>()?;
        let numbers = numbers.try_into().expect("four numbers");
        match step(run, &mut r, numbers) {
            Ok(()) => {}
            Err(js::Throw::Value(thrown)) => note(js::get(&thrown, "name")?)?,
            Err(abort) => return Err(abort),
        }
    }
    for x in &r {
        match builtin::json_stringify(run, std::slice::from_ref(x)) {
            Err(js::Throw::Value(thrown)) => note(js::get(&thrown, "name")?)?,
            text => note(text?)?,
        }
        for y in &r {
            note(Js::Bool(js::strict_equals(x, y)))?;
        }
    }
    let unchanged = shared.is_none_or(|shared| shared == Value::from_json(&text).expect("JSON"));
    assert!(unchanged, "the shared document was changed");
    Ok(log)
}

/// A simple generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % limit
    }
}

fn leaked(text: String) -> Maker {
    Maker::json(Box::leak(text.into_boxed_str()))
}

#[test]
fn sequences_agree() {
    let mut numbers = Numbers(1);
    let mut lists = Vec::new();
    for _ in 0..20_000 {
        let count = 3 + numbers.below(16);
        let steps: Vec<String> = (0..count)
            .map(|_| format!("[{},{},{},{}]", numbers.below(20), numbers.below(4), numbers.below(4), numbers.below(60)))
            .collect();
        let document = DOCUMENTS[numbers.below(4) as usize];
        let text = Value::from(document).to_string();
        lists.push(vec![leaked(format!("[{}]", steps.join(","))), leaked(text)]);
    }
    compare(&[(Operation::new(INTERPRETER, interpret), lists)]).check("sequences");
}
