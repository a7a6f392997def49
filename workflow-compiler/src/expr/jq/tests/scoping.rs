//! Tests of programs whose variables and keys have the names of generated locals. Their meaning
//! does not change.

use super::super::{ResultMode, read_text};
use crate::names::tests::bindings::{Meaning, assert_same, meanings};
use crate::names::tests::{HOSTILE, Random};
use crate::names::{NameScope, Names};
use proc_macro2::{Ident, Span, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// `<0>` and so on stand for names of variables and keys. The first two variables are parameters.
const PROGRAMS: &[&str] = &[
    r#".["<2>"] as $<2> | [$<0>, $<1>, $<2>, .["<0>"]]"#,
    r#"[.["<2>"][] | select(. > $<0>) | {($<1>): .["<3>"]}]"#,
    r#"reduce .["<3>"][] as $<2> ($<0>; . + $<2> * $<1>)"#,
    r#"[foreach .[] as $<2> (0; . + $<2>; [$<0>, ., $<1>])]"#,
    r#". as [$<2>, {a: $<3>}] | $<2> + $<3> + $<0> | . as $<2> | [$<2>, $<1>]"#,
    r#"[.["<2>"] | walk(. + $<0>), until(. > $<1>; . + 1), sub("a"; $<0>)]"#,
    r#"[.["<2>"], .["<3>"]] | .[0] as $<2> | [$<2> | getpath([$<0>]), splits($<1>), test($<0>)]"#,
    r#"[label $<2> | .[] | if . == $<0> then ., break $<2> else $<1> end]"#,
    r#"try error($<0>) catch [., $<1>, (.["<2>"] | try error($<0>) catch .)]"#,
    r#"def f($<3>): $<3> + $<0>; .["<2>"] |= f(.["<3>"]) | .["<3>"] += $<1> | to_entries | map(.key + $<0>)"#,
    r#"[first(.[] | select(. == $<0>)), any(.[]; . == $<1>), limit(2; .["<2>"][]), last(.["<3>"][])]"#,
    r#"[.["<2>"] // $<0>, (.["<3>"]? // $<1>), (.[] as [$<2>] ?// $<2> | $<2>)] | group_by(.["<2>"]) | add"#,
    r#"del(.["<2>"], .["<3>"][0]) | paths as $<2> | [$<2>, $<0>, $<1>] | @json "\($<0>) \(.[0])""#,
];

fn translated(program: &str, names: &[String; 4]) -> (Vec<Meaning>, BTreeSet<String>) {
    let mut source = program.to_owned();
    for (at, name) in names.iter().enumerate() {
        source = source.replace(&format!("<{at}>"), name);
    }
    let filter = read_text(&source, &[&names[0], &names[1]], ResultMode::Value);
    let filter = filter.unwrap_or_else(|refusal| panic!("{source}: {refusal}"));
    let (scope, items) = constants();
    let tokens = filter.emit(&Ident::new("filter", Span::call_site()), &scope);
    let tokens = tokens.unwrap_or_else(|| panic!("{source}: {:?}", filter.engine));
    let function = syn::parse2(tokens.clone()).unwrap_or_else(|error| panic!("{error}: {tokens}"));
    let mut idents = BTreeSet::new();
    let mut open: Vec<TokenTree> = tokens.into_iter().collect();
    while let Some(token) = open.pop() {
        match token {
            TokenTree::Ident(name) => _ = idents.insert(name.to_string()),
            TokenTree::Group(group) => open.extend(group.stream()),
            _ => {}
        }
    }
    (meanings(&function, &items), idents)
}

/// Returns the constants of a module, with hostile names.
fn constants() -> (Arc<NameScope>, BTreeSet<String>) {
    let mut names = Names::new("order");
    let constants = HOSTILE.iter().map(|name| names.constant(name)).collect();
    (names.constants(), constants)
}

#[test]
fn hostile_names_mean_the_same() {
    const RESERVED: &[&str] = &[
        "and", "as", "break", "catch", "def", "elif", "else", "end", "foreach", "if", "import", "include", "label",
        "loc", "module", "not", "or", "reduce", "then", "try", "_", "__",
    ];
    let is_name = |name: &&str| {
        let is_ascii = name.chars().all(|c| c == '_' || c.is_ascii_alphanumeric());
        is_ascii && !name.starts_with(|c: char| c.is_ascii_digit()) && !RESERVED.contains(name)
    };
    let plain = ["aplain", "bplain", "cplain", "dplain"].map(str::to_owned);
    for program in PROGRAMS {
        let (expected, own) = translated(program, &plain);
        let own = own.iter().map(String::as_str).filter(|name| !name.contains("plain"));
        let all: Vec<&str> = HOSTILE.iter().copied().chain(own).filter(is_name).collect();
        for seed in 0..100 {
            let random = &mut Random::new(seed);
            let mut names: Vec<String> = Vec::new();
            while names.len() < 4 {
                let name = *random.one_of(&all);
                if !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
            let names = names.try_into().expect("four");
            println!("{program} {names:?}");
            assert_same(&expected, &translated(program, &names).0, &mut BTreeMap::new());
        }
    }
}
