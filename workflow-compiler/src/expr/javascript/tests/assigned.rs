//! Tests of what moves and what is copied, and of the places of names.

use super::emitted::becomes;

#[test]
fn a_local_that_is_assigned_next_is_taken() {
    becomes(
        "p => { let a = p.a; return [p.c ? a : p, a = 1, a] }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let mut a = js::get(&p, "a")?;
    let chosen_ = if js::truthy(&js::get(&p, "c")?) { a } else { p };
    a = Js::Number(1.0);
    Ok(js::array([chosen_, Js::Number(1.0), a]))
}
"#,
    );
}

#[test]
fn a_try_takes_nothing_that_is_read_behind_it() {
    becomes(
        "p => { let x = p.x; try { if (p.a) return x; x = p.b } catch {} return x }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let mut x = js::get(&p, "x")?;
    match js::attempt(|| {
        if js::truthy(&js::get(&p, "a")?) {
            return Ok(Some(x.clone()));
        }
        x = js::get(&p, "b")?;
        Ok(None)
    })? {
        Ok(Some(value_)) => {
            return Ok(value_);
        }
        Ok(None) => {}
        Err(_) => {}
    }
    Ok(x)
}
"#,
    );
}

#[test]
fn names_of_blocks_and_of_functions_themselves_may_repeat() {
    becomes(
        "p => { switch (p.f(function g() { return g })) { case 1: let g = 2; p.g = g } { const g = 3; p.h = g } return p }",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let receiver_ = js::receiver(&p, "f")?;
    let g = js::Var::new(Js::Undefined);
    g.set({
        let g = g.clone();
        js::function("g", 0, move |_, _, _| {
            Ok(g.get())
        })
    });
    let result_ = js::call_method(run, receiver_, "f", "p.f", &[g.get()])?;
    let mut g = Js::Undefined;
    if js::strict_equals(&result_, &Js::Number(1.0)) {
        g = Js::Number(2.0);
        js::set(&p, "g", g)?;
    }
    let g = 3.0;
    js::set(&p, "h", Js::from(g))?;
    Ok(p)
}
"#,
    );
}

#[test]
fn constants_are_values_where_values_are_asked() {
    becomes(
        "p => (true ? 3 : p)?.a",
        &[],
        r#"
fn state(_: &js::Run, _: Js, []: [js::Var; 0]) -> js::Result {
    Ok(if Js::Number(3.0).is_nullish() { Js::Undefined } else { js::get(&Js::Number(3.0), "a")? })
}
"#,
    );
}

#[test]
fn a_try_takes_nothing_that_is_read_behind_a_jump_out_of_it() {
    becomes(
        "p => { const x = p.x; o: { try { if (p.c) break o; return [x] } catch {} return 1 } return x }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let x = js::get(&p, "x")?;
    'outer: {
        match js::attempt(|| {
            if js::truthy(&js::get(&p, "c")?) {
                return Ok(js::Flow::Jump(0));
            }
            return Ok(js::Flow::Return(js::array([x.clone()])));
        })? {
            Ok(js::Flow::Return(value_)) => {
                return Ok(value_);
            }
            Ok(js::Flow::Jump(0)) => {
                break 'outer;
            }
            Ok(_) => {}
            Err(_) => {}
        }
        return Ok(Js::Number(1.0));
    }
    Ok(x)
}
"#,
    );
    becomes(
        "p => { const x = p.x; for (const i of p.list) { try { if (i.a) continue; return [x, i] } catch {} break } }",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let x = js::get(&p, "x")?;
    for i in js::each(&js::get(&p, "list")?)? {
        run.tick()?;
        match js::attempt(|| {
            if js::truthy(&js::get(&i, "a")?) {
                return Ok(js::Flow::Jump(1));
            }
            return Ok(js::Flow::Return(js::array([x.clone(), i])));
        })? {
            Ok(js::Flow::Return(value_)) => {
                return Ok(value_);
            }
            Ok(js::Flow::Jump(1)) => {
                continue;
            }
            Ok(_) => {}
            Err(_) => {}
        }
        break;
    }
    Ok(Js::Undefined)
}
"#,
    );
}

#[test]
fn a_finalizer_takes_nothing_that_is_read_behind_a_jump_past_it() {
    becomes(
        "p => { const x = p.x; o: { try { if (p.c) break o } finally { p.y = x } return 1 } return x }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let x = js::get(&p, "x")?;
    'outer: {
        let tried_ = js::attempt(|| {
            if js::truthy(&js::get(&p, "c")?) {
                return Ok(js::Flow::Jump(0));
            }
            Ok(js::Flow::Next)
        })?;
        js::set(&p, "y", x.clone())?;
        match tried_ {
            Ok(js::Flow::Jump(0)) => {
                break 'outer;
            }
            Ok(_) => {}
            Err(thrown_) => return Err(js::Throw::Value(thrown_)),
        }
        return Ok(Js::Number(1.0));
    }
    Ok(x)
}
"#,
    );
}

#[test]
fn temporaries_have_names_of_their_own() {
    becomes(
        "p => [p.a.line, p.b.line, p.c.line_2, p.d.line2, p.e ? 1 : 2]",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let line_ = js::get(&js::get(&p, "a")?, "line")?;
    let line_2_ = js::get(&js::get(&p, "b")?, "line")?;
    let member_ = js::get(&js::get(&p, "c")?, "line_2")?;
    let line2_ = js::get(&js::get(&p, "d")?, "line2")?;
    let chosen_ = if js::truthy(&js::get(&p, "e")?) { 1.0 } else { 2.0 };
    Ok(js::array([line_, line_2_, member_, line2_, Js::from(chosen_)]))
}
"#,
    );
}

#[test]
fn a_key_is_that_from_before_its_target() {
    becomes(
        "p => { let k = 'a', o = {}; ({ [k]: o[k = 'b'] } = p); return o }",
        &[],
        r#"
fn state(_: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let mut k = Js::text("a");
    let o = js::object([]);
    js::require_object_coercible(&p)?;
    let old_ = k.clone();
    k = Js::text("b");
    js::set_at(&o, &k, js::get_at(&p, &old_)?)?;
    Ok(o)
}
"#,
    );
}
