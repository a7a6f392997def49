//! Tests of the code for typical functions.

use super::printed;
use crate::pretty::layout;

/// Checks the signature and the body of a translated function.
#[track_caller]
pub(super) fn becomes(text: &str, variables: &[&str], expected: &str) {
    let code = printed(text, variables);
    let expected = expected.parse().map_or_else(|_| expected.to_owned(), layout);
    assert_eq!(code.trim(), expected.trim(), "\n{code}");
}

#[test]
fn numbers_are_numbers_in_rust() {
    becomes(
        "p => p.total % 7 === 0",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    Ok(Js::from(js::number(&js::get(&p, "total")?)? % 7.0 == 0.0))
}
"#,
    );
}

#[test]
fn patterns_take_members_and_defaults() {
    becomes(
        "({ who = 'you', ...rest }) => ({ hello: `hello ${who}!`, rest })",
        &[],
        r#"
fn state(_: &js::Run, params: Js, []: [js::Var; 0]) -> js::Result {
    let who = match js::get(&params, "who")? {
        Js::Undefined => Js::text("you"),
        it_ => it_,
    };
    let rest = js::rest_of(&params, &["who"])?;
    Ok(js::object([("hello", Js::from(js::concat(&["hello ", &js::string(&who)?, "!"])?)), ("rest", rest)]))
}
"#,
    );
}

#[test]
fn variables_are_shared() {
    becomes(
        "() => left-- > 0",
        &["left"],
        r#"
fn state(_: &js::Run, _: Js, [left]: [js::Var; 1]) -> js::Result {
    Ok(Js::from(js::post_decrement(&left)? > 0.0))
}
"#,
    );
}

#[test]
fn optional_chains_end_early() {
    becomes(
        "p => p.user?.address?.city ?? 'nowhere'",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let user_ = js::get(&p, "user")?;
    let it_ = if user_.is_nullish() {
        Js::Undefined
    } else {
        let address_ = js::get(&user_, "address")?;
        if address_.is_nullish() { Js::Undefined } else { js::get(&address_, "city")? }
    };
    Ok(if it_.is_nullish() { Js::text("nowhere") } else { it_ })
}
"#,
    );
}

#[test]
fn compound_assignments_read_and_write() {
    becomes(
        "p => { p.count += 1; p.seen ||= []; return p }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    js::set(&p, "count", js::add(&js::get(&p, "count")?, &Js::Number(1.0))?)?;
    if !js::truthy(&js::get(&p, "seen")?) {
        js::set(&p, "seen", js::array([]))?;
    }
    Ok(p)
}
"#,
    );
}

#[test]
fn counters_are_numbers_and_continue_ends_a_turn() {
    becomes(
        "p => { let sum = 0; for (let i = 0; i < p.list.length; i++) { if (!p.list[i]) continue; sum += i } return { sum } }",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let mut sum = 0.0;
    let mut i = 0.0;
    while i < js::number(&js::get(&js::get(&p, "list")?, "length")?)? {
        run.tick()?;
        'turn: {
            if !js::truthy(&js::get_at(&js::get(&p, "list")?, &Js::from(i))?) {
                break 'turn;
            }
            sum += i;
        }
        i += 1.0;
    }
    Ok(js::object([("sum", Js::from(sum))]))
}
"#,
    );
}

#[test]
fn loops_over_lists_are_loops_over_lists() {
    becomes(
        "p => { for (const item of p.items) { if (item.done) return item } return null }",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    for item in js::each(&js::get(&p, "items")?)? {
        run.tick()?;
        if js::truthy(&js::get(&item, "done")?) {
            return Ok(item);
        }
    }
    Ok(Js::Null)
}
"#,
    );
}

#[test]
fn try_is_a_closure_and_finally_follows_it() {
    becomes(
        "p => { try { return JSON.parse(p.text) } catch (e) { return { error: e.message } } finally { n = n + 1 } }",
        &["n"],
        r#"
fn state(run: &js::Run, p: Js, [n]: [js::Var; 1]) -> js::Result {
    let tried_ = js::attempt(|| {
        match js::attempt(|| {
            return Ok(Some(js::builtin::json_parse(run, &[js::get(&p, "text")?])?));
        })? {
            Ok(Some(value_)) => {
                return Ok(Some(value_));
            }
            Ok(None) => {}
            Err(e) => {
                return Ok(Some(js::object([("error", js::get(&e, "message")?)])));
            }
        }
        Ok(None)
    })?;
    n.set(js::add(&n.get(), &Js::Number(1.0))?);
    match tried_ {
        Ok(Some(value_)) => {
            return Ok(value_);
        }
        Ok(None) => {}
        Err(thrown_) => return Err(js::Throw::Value(thrown_)),
    }
    Ok(Js::Undefined)
}
"#,
    );
}

#[test]
fn cases_that_end_are_branches() {
    becomes(
        "p => { switch (p.kind) { case 'a': case 'b': return 1; case 'c': p.x = 2; break; default: p.x = 3 } return p }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let kind_ = js::get(&p, "kind")?;
    if js::strict_equals(&kind_, &Js::text("a"))
        || js::strict_equals(&kind_, &Js::text("b"))
    {
        return Ok(Js::Number(1.0));
    } else if js::strict_equals(&kind_, &Js::text("c")) {
        js::set(&p, "x", Js::Number(2.0))?;
    } else {
        js::set(&p, "x", Js::Number(3.0))?;
    }
    Ok(p)
}
"#,
    );
}

#[test]
fn cases_that_fall_through_are_numbered() {
    becomes(
        "p => { switch (p.kind) { case 1: p.a = 1; case 2: p.b = 1 } return p }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let kind_ = js::get(&p, "kind")?;
    let case_ = 'case: {
        if js::strict_equals(&kind_, &Js::Number(1.0)) {
            break 'case 0;
        }
        if js::strict_equals(&kind_, &Js::Number(2.0)) {
            break 'case 1;
        }
        2
    };
    if case_ <= 0 {
        js::set(&p, "a", Js::Number(1.0))?;
    }
    if case_ <= 1 {
        js::set(&p, "b", Js::Number(1.0))?;
    }
    Ok(p)
}
"#,
    );
}

#[test]
fn each_turn_has_variables_of_its_own() {
    becomes(
        "p => { const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); return fs.map(f => f()) }",
        &[],
        r#"
fn state(run: &js::Run, _: Js, []: [js::Var; 0]) -> js::Result {
    let fs = js::array([]);
    let mut i = js::Var::new(Js::Number(0.0));
    while js::number(&i.get())? < 3.0 {
        run.tick()?;
        js::call_method(run, &fs, "push", "fs.push", &[
            {
                let i = i.clone();
                js::function("", 0, move |_, _, _| {
                    Ok(i.get())
                })
            },
        ])?;
        i = js::Var::new(i.get());
        i.set(Js::from(js::number(&i.get())? + 1.0));
    }
    js::call_method(run, &fs, "map", "fs.map", &[js::function("", 1, move |run, _, arguments| {
        let f = js::argument(arguments, 0);
        js::call(run, &f, "f", &[])
    })])
}
"#,
    );
}

#[test]
fn functions_call_themselves() {
    becomes(
        "function fact({ n }) { return n < 2 ? 1 : n * fact({ n: n - 1 }) }",
        &[],
        r#"
fn state(run: &js::Run, argument: Js, []: [js::Var; 0]) -> js::Result {
    let fact = js::Var::new(Js::Undefined);
    fact.set({
        let fact = fact.clone();
        js::function("fact", 1, move |run, _, arguments| {
            let n = js::get(&js::argument(arguments, 0), "n")?;
            Ok(if js::number(&n)? < 2.0 {
                Js::Number(1.0)
            } else {
                let result_ = js::call(run, &fact.get(), "fact", &[
                    js::object([("n", Js::from(js::number(&n)? - 1.0))]),
                ])?;
                Js::from(js::number(&n)? * js::number(&result_)?)
            })
        })
    });
    js::call(run, &fact.get(), "fact", &[argument])
}
"#,
    );
}

#[test]
fn the_truth_of_a_variable_is_tested_again_after_an_assignment() {
    becomes(
        "p => { const x = p.a; let y = p.b; if (x && y) { y = p.c } return x && y ? 1 : 2 }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let x = js::get(&p, "a")?;
    let mut y = js::get(&p, "b")?;
    let is_true_ = js::truthy(&x);
    if is_true_ && js::truthy(&y) {
        y = js::get(&p, "c")?;
    }
    Ok(if is_true_ && js::truthy(&y) { Js::Number(1.0) } else { Js::Number(2.0) })
}
"#,
    );
}

#[test]
fn labels_are_labels() {
    becomes(
        "p => { outer: for (const a of p) { for (const b of a) { if (b) continue outer; if (b === 0) break outer } } }",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    'outer: for a in js::each(&p)? {
        run.tick()?;
        for b in js::each(&a)? {
            run.tick()?;
            if js::truthy(&b) {
                continue 'outer;
            }
            if js::strict_equals(&b, &Js::Number(0.0)) {
                break 'outer;
            }
        }
    }
    Ok(Js::Undefined)
}
"#,
    );
}

#[test]
fn functions_inside_capture() {
    becomes(
        "p => { const add = (x, y = x) => x + y; let total = 0; p.forEach(x => { total = add(total, x) }); return total }",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let add = js::function("add", 1, move |_, _, arguments| {
        let x = js::argument(arguments, 0);
        let y = match js::argument(arguments, 1) {
            Js::Undefined => x.clone(),
            it_ => it_,
        };
        js::add(&x, &y)
    });
    let total = js::Var::new(Js::Number(0.0));
    js::call_method(run, &p, "forEach", "p.forEach", &[
        {
            let total = total.clone();
            let add = add.clone();
            js::function("", 1, move |run, _, arguments| {
                let x = js::argument(arguments, 0);
                total.set(js::call(run, &add, "add", &[total.get(), x])?);
                Ok(Js::Undefined)
            })
        },
    ])?;
    Ok(total.get())
}
"#,
    );
}

#[test]
fn members_are_updated_once() {
    becomes(
        "p => [p.list[p.i++]++, delete p.old, 'k' in p, typeof p.x, void 0]",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let list_ = js::get(&p, "list")?;
    let number_ = js::number(&js::get(&p, "i")?)?;
    js::set(&p, "i", Js::from(number_ + 1.0))?;
    let number_2_ = js::number(&js::get_at(&list_, &Js::from(number_))?)?;
    js::set_at(&list_, &Js::from(number_), Js::from(number_2_ + 1.0))?;
    Ok(js::array([
        Js::from(number_2_),
        Js::from(js::delete(&p, "old")?),
        Js::from(js::has(&Js::text("k"), &p)?),
        Js::text(js::type_of(&js::get(&p, "x")?)),
        Js::Undefined,
    ]))
}
"#,
    );
}

#[test]
fn names_are_names_of_rust() {
    becomes(
        "(type, $x, Value) => type + $x + Value",
        &[],
        r#"
fn state(_: &js::Run, type_: Js, []: [js::Var; 0]) -> js::Result {
    let dollarx = Js::Undefined;
    let Value_ = Js::Undefined;
    js::add(&js::add(&type_, &dollarx)?, &Value_)
}
"#,
    );
}

#[test]
fn arguments_are_spread() {
    becomes(
        "p => Math.max(...p.values, 0)",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let items_ = js::array([]);
    js::spread_array(&items_, &js::get(&p, "values")?)?;
    js::spread_array(&items_, &js::array([Js::Number(0.0)]))?;
    js::builtin::math_max(run, &js::iterate(&items_)?)
}
"#,
    );
}

#[test]
fn patterns_assign() {
    becomes(
        "p => { [a, b] = [b, a] }",
        &["a", "b"],
        r#"
fn state(_: &js::Run, _: Js, [a, b]: [js::Var; 2]) -> js::Result {
    let items_ = js::iterate(&js::array([b.get(), a.get()]))?;
    a.set(js::argument(&items_, 0));
    b.set(js::argument(&items_, 1));
    Ok(Js::Undefined)
}
"#,
    );
}

#[test]
fn optional_methods_are_read_once() {
    becomes(
        "p => p.it?.f?.(p.a)",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let it_ = js::get(&p, "it")?;
    Ok(if it_.is_nullish() {
        Js::Undefined
    } else {
        let f_ = js::get(&it_, "f")?;
        if f_.is_nullish() {
            Js::Undefined
        } else {
            js::call_with(run, &f_, &it_, "p.it?.f", &[js::get(&p, "a")?])?
        }
    })
}
"#,
    );
}

#[test]
fn a_method_is_read_before_arguments_that_could_change_it() {
    becomes(
        "p => { const it = { f: x => x }; return it.f(it.f = p) }",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let it = js::object([("f", js::function("f", 1, move |_, _, arguments| {
        let x = js::argument(arguments, 0);
        Ok(x)
    }))]);
    let f_ = js::get(&it, "f")?;
    js::set(&it, "f", p.clone())?;
    js::call_with(run, &f_, &it, "it.f", &[p])
}
"#,
    );
}

#[test]
fn a_rest_is_without_computed_keys() {
    becomes(
        "({ [key]: value, a, ...rest }) => ({ value, a, rest })",
        &["key"],
        r#"
fn state(_: &js::Run, params: Js, [key]: [js::Var; 1]) -> js::Result {
    js::require_object_coercible(&params)?;
    let key_ = js::property_key(&key.get())?;
    let value = js::get(&params, &key_)?;
    let a = js::get(&params, "a")?;
    let rest = js::rest_of(&params, &[&key_, "a"])?;
    Ok(js::object([("value", value), ("a", a), ("rest", rest)]))
}
"#,
    );
}

#[test]
fn what_is_built_in_has_a_type_and_constructors_a_name() {
    becomes(
        "p => { delete p?.a; return [typeof console, typeof Math.max, p.error.constructor.name] }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    if !p.is_nullish() {
        js::delete(&p, "a")?;
    }
    Ok(js::array([Js::text("object"), Js::text("function"), js::constructor_name(&js::get(&p, "error")?)?]))
}
"#,
    );
}

#[test]
fn awaited_functions_are_called() {
    becomes(
        "async p => { const half = async n => n / 2; return p.n ? await half(p.n) : Promise.reject('none') }",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let half = js::function("half", 1, move |_, _, arguments| {
        let n = js::argument(arguments, 0);
        Ok(Js::from(js::number(&n)? / 2.0))
    });
    Ok(if js::truthy(&js::get(&p, "n")?) {
        js::call(run, &half, "half", &[js::get(&p, "n")?])?
    } else {
        js::builtin::promise_reject(run, &[Js::text("none")])?
    })
}
"#,
    );
}
