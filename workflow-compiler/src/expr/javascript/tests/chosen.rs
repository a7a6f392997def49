//! Tests of `||`, `&&` and `??`.

use super::emitted::becomes;

#[test]
fn operators_yield_operands() {
    becomes(
        "p => p && p.a && p.b || n",
        &["n"],
        r#"
fn state(_: &js::Run, p: Js, [n]: [js::Var; 1]) -> js::Result {
    let either_ = 'either: {
        if !js::truthy(&p) {
            break 'either p;
        }
        let a_ = js::get(&p, "a")?;
        if !js::truthy(&a_) {
            break 'either a_;
        }
        js::get(&p, "b")?
    };
    Ok(if js::truthy(&either_) { either_ } else { n.get() })
}
"#,
    );
}

#[test]
fn chains_of_one_operator_are_flat() {
    becomes(
        "p => (p.name || p.user?.name || `${p.a ?? p.b ?? p.c}`).trim()",
        &[],
        r#"
fn state(run: &js::Run, p: Js, []: [js::Var; 0]) -> js::Result {
    let either_ = 'either: {
        let name_ = js::get(&p, "name")?;
        if js::truthy(&name_) {
            break 'either name_;
        }
        let user_ = js::get(&p, "user")?;
        let it_ = if user_.is_nullish() {
            Js::Undefined
        } else {
            js::get(&user_, "name")?
        };
        if js::truthy(&it_) {
            break 'either it_;
        }
        let either_ = 'either2: {
            let a_ = js::get(&p, "a")?;
            if !a_.is_nullish() {
                break 'either2 a_;
            }
            let b_ = js::get(&p, "b")?;
            if !b_.is_nullish() {
                break 'either2 b_;
            }
            js::get(&p, "c")?
        };
        Js::from(js::concat(&[&js::string(&either_)?])?)
    };
    js::call_method(
        run,
        &either_,
        "trim",
        "(p.name || p.user?.name || `${p.a ?? p.b ?? p.c}`).trim",
        &[],
    )
}
"#,
    );
}
