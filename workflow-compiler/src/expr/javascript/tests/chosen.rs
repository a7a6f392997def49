//! Tests of `||`, `&&` and `??`.

use super::emitted::becomes;

#[test]
fn operators_yield_operands() {
    becomes(
        "p => p && p.a && p.b || n",
        &["n"],
        r#"
fn state(_: &js::Run, p: Js, [n]: [js::Var; 1]) -> js::Result {
    Ok({
        let left_ = 'value_: {
            if !js::truthy(&p) {
                break 'value_ p.clone();
            }
            let left_ = js::get(&p, "a")?;
            if !js::truthy(&left_) {
                break 'value_ left_;
            }
            js::get(&p, "b")?
        };
        if js::truthy(&left_) {
            left_
        } else {
            n.get()
        }
    })
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
    js::call_method(
        run,
        &('value_: {
            let left_ = js::get(&p, "name")?;
            if js::truthy(&left_) {
                break 'value_ left_;
            }
            let left_ = match js::get(&p, "user")? {
                it_ if it_.is_nullish() => Js::Undefined,
                it_ => js::get(&it_, "name")?,
            };
            if js::truthy(&left_) {
                break 'value_ left_;
            }
            Js::from(js::concat(&[&js::string(&('value_2_: {
                let left_ = js::get(&p, "a")?;
                if !left_.is_nullish() {
                    break 'value_2_ left_;
                }
                let left_ = js::get(&p, "b")?;
                if !left_.is_nullish() {
                    break 'value_2_ left_;
                }
                js::get(&p, "c")?
            }))?])?)
        }),
        "trim",
        "(p.name || p.user?.name || `${p.a ?? p.b ?? p.c}`).trim",
        &[],
    )
}
"#,
    );
}
