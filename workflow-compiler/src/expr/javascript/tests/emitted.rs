//! What typical functions become.

use super::printed;

/// Checks what a function becomes: the statements of its body.
#[track_caller]
fn becomes(text: &str, variables: &[&str], expected: &str) {
    let code = printed(text, variables);
    let body: Vec<&str> = code.trim_end().lines().skip(1).map(|line| line.strip_prefix("    ").unwrap_or(line)).collect();
    let body = body.join("\n");
    assert_eq!(body.trim_end_matches("\n}").trim(), expected.trim(), "\n{code}");
}

#[test]
fn probe() {
    for (text, variables) in [
        ("p => p.total % 7 === 0", &[][..]),
        ("({ who = 'you', ...rest }) => ({ hello: `hello ${who}!`, rest })", &[]),
        ("() => left-- > 0", &["left"]),
        ("p => p.user?.address?.city ?? 'nowhere'", &[]),
        ("p => { p.count += 1; p.seen ||= []; return p }", &[]),
        ("p => { let sum = 0; for (let i = 0; i < p.list.length; i++) { if (!p.list[i]) continue; sum += i } return { sum } }", &[]),
        ("p => { for (const item of p.items) { if (item.done) return item } return null }", &[]),
        ("p => { try { return JSON.parse(p.text) } catch (e) { return { error: e.message } } finally { n = n + 1 } }", &["n"]),
        ("p => { switch (p.kind) { case 'a': case 'b': return 1; case 'c': p.x = 2; break; default: p.x = 3 } return p }", &[]),
        ("p => { switch (p.kind) { case 1: p.a = 1; case 2: p.b = 1 } return p }", &[]),
        ("p => { const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); return fs.map(f => f()) }", &[]),
        ("function fact({ n }) { return n < 2 ? 1 : n * fact({ n: n - 1 }) }", &[]),
        ("p => { outer: for (const a of p) { for (const b of a) { if (b) continue outer; if (b === 0) break outer } } }", &[]),
        ("p => { const add = (x, y = x) => x + y; let total = 0; p.forEach(x => { total = add(total, x) }); return total }", &[]),
        ("p => [p.list[p.i++]++, delete p.old, 'k' in p, typeof p.x, void 0]", &[]),
        ("p => p && p.a && p.b || n", &["n"]),
        ("(type, $x, Value) => type + 1", &[]),
        ("p => Math.max(...p.values, 0)", &[]),
        ("p => { [a, b] = [b, a] }", &["a", "b"]),
    ] {
        println!("=== {text}\n{}", printed(text, variables));
    }
}
