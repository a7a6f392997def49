//! `cargo xtask goldens`: counts defects of style in the generated code of the test cases. A count
//! above its limit is an error. Limits only fall.

mod compiled;
mod renames;

use crate::workspace::{files, read, root};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::Visit;
use syn::{FnArg, Ident, Item, ItemFn, ItemImpl, Local, Pat, ReturnType, Stmt, Type};
use workflow_compiler::names::is_own_local;

/// The folder of the cases.
const CASES: &str = "tests/cases";
/// The name of the generated code of a case.
const GOLDEN: &str = "flow.snap.rs";
/// The least number of cases: none is skipped.
const LEAST: usize = 59;
/// The longest line that rustfmt leaves, in characters.
const MAX_WIDTH: usize = 120;

/// The counts that have a limit, in the order of the report.
const LIMITS: [(&str, usize); 9] = [
    ("functions with a single caller that continue within a state", 0),
    ("statements `let x = x`", 0),
    ("numbered locals whose name without the number is free", 0),
    ("lines of more than 120 characters", 0),
    ("mentions of `States.` outside of the Amazon States Language", 0),
    ("locals that only rename another one", 0),
    ("parameters of states that nothing reads", 0),
    ("warnings of rustc and clippy, with all lints of unused code", 0),
    ("clones of a last use", 0),
];

/// The counts of one or more files.
#[derive(Debug, Default, PartialEq)]
struct Counts {
    lines: usize,
    functions: usize,
    limited: [usize; LIMITS.len()],
    /// A place for each counted defect of code, at most [`MAX_LISTED`].
    places: Vec<String>,
}

/// The number of defects that are listed.
const MAX_LISTED: usize = 20;

/// Counts the defects of all goldens, and prints a report.
pub fn run() -> Result<(), String> {
    let folder = root().join(CASES);
    let goldens: Vec<_> = files(&folder).into_iter().filter(|file| file.ends_with(GOLDEN)).collect();
    if goldens.len() < LEAST {
        return Err(format!("{} cases of {LEAST} are in {}", goldens.len(), folder.display()));
    }
    let mut total = Counts::default();
    for golden in &goldens {
        let name = golden.strip_prefix(&folder).unwrap_or(golden).display().to_string();
        count(&name, &read(golden)?, &mut total)?;
    }
    for warning in compiled::warnings(&goldens)? {
        total.limited[if warning.is_clone { 8 } else { 7 }] += 1;
        total.places.push(warning.text);
    }
    total.places.truncate(MAX_LISTED);
    println!("{} files, {} lines, {} functions of states", goldens.len(), total.lines, total.functions);
    let mut broken = Vec::new();
    for ((what, limit), found) in LIMITS.iter().zip(total.limited) {
        println!("  {found:>6}  {what} (at most {limit})");
        if found > *limit {
            broken.push(*what);
        }
    }
    total.places.iter().for_each(|place| println!("  {place}"));
    if broken.is_empty() { Ok(()) } else { Err(format!("too many: {}", broken.join(", "))) }
}

/// Adds the counts of one file.
fn count(name: &str, text: &str, total: &mut Counts) -> Result<(), String> {
    let file = syn::parse_file(text).map_err(|error| format!("{name}: {error}"))?;
    let mut defects = [0; LIMITS.len()];
    for module in file.items.iter().filter_map(|item| if let Item::Mod(module) = item { Some(module) } else { None }) {
        let items = module.content.iter().flat_map(|(_, items)| items);
        let (mut functions, mut uses) = (Vec::new(), Uses::default());
        for item in items {
            match item {
                Item::Fn(function) => functions.push(function),
                Item::Impl(table) if is_machine(table) => {
                    let mut table_uses = Uses::default();
                    table_uses.visit_item_impl(table);
                    uses.in_tables.extend(table_uses.in_code.into_keys());
                }
                _ => {}
            }
        }
        for function in &functions {
            for (to, from) in renames::renames(function) {
                defects[5] += 1;
                total.places.push(format!("{name}: `{}`: `{to}` renames `{from}`", function.sig.ident));
            }
        }
        functions.retain(|function| is_of_block(function));
        functions.iter().for_each(|function| uses.visit_block(&function.block));
        total.functions += functions.len();
        for function in functions {
            let ident = function.sig.ident.to_string();
            let (calls, is_resumed) = (uses.count(&ident), uses.in_tables.contains(&ident));
            if calls == 1 && !is_resumed && !begins_state(function) {
                defects[0] += 1;
                total.places.push(format!("{name}: `{ident}` has a single caller"));
            }
            if function.sig.inputs.iter().any(is_unread) {
                defects[6] += 1;
                total.places.push(format!("{name}: `{ident}` has a parameter that nothing reads"));
            }
            for defect in &Locals::of(function).defects() {
                defects[defect.0] += 1;
                total.places.push(format!("{name}: `{ident}`: {}", defect.1));
            }
        }
    }
    defects[3] = text.lines().filter(|line| line.chars().count() > MAX_WIDTH).count();
    defects[4] = if name.starts_with("asl") { 0 } else { text.matches("\"States.").count() };
    total.lines += text.lines().count();
    total.limited.iter_mut().zip(defects).for_each(|(total, found)| *total += found);
    Ok(())
}

/// Returns `true` for the implementation of `Machine`, which continues at resume points.
fn is_machine(item: &ItemImpl) -> bool {
    let name = item.trait_.as_ref().and_then(|(_, path, _)| path.segments.last());
    name.is_some_and(|name| name.ident == "Machine")
}

/// Returns `true` for the function of a block, which yields the result of a turn.
fn is_of_block(function: &ItemFn) -> bool {
    let ReturnType::Type(_, returns) = &function.sig.output else { return false };
    matches!(&**returns, Type::Path(ty) if ty.path.is_ident("TurnResult"))
}

/// Returns `true` for a parameter without a name.
fn is_unread(parameter: &FnArg) -> bool {
    matches!(parameter, FnArg::Typed(typed) if matches!(*typed.pat, Pat::Wild(_)))
}

/// Returns `true` if a function notifies observers that a state is entered.
fn begins_state(function: &ItemFn) -> bool {
    let Some(Stmt::Expr(syn::Expr::MethodCall(call), _)) = function.block.stmts.first() else { return false };
    call.method == "enter"
}

/// The identifiers that the code of functions and the tables of a module mention.
#[derive(Default)]
struct Uses {
    in_code: BTreeMap<String, usize>,
    in_tables: BTreeSet<String>,
}

impl Uses {
    fn count(&self, ident: &str) -> usize {
        self.in_code.get(ident).copied().unwrap_or_default()
    }
}

impl Visit<'_> for Uses {
    fn visit_ident(&mut self, ident: &Ident) {
        *self.in_code.entry(ident.to_string()).or_default() += 1;
    }
}

/// The locals of a function.
#[derive(Default)]
struct Locals {
    names: BTreeSet<String>,
    renamed: Vec<String>,
}

impl Locals {
    fn of(function: &ItemFn) -> Locals {
        let mut locals = Locals::default();
        locals.visit_item_fn(function);
        locals
    }

    /// Returns the defects, each with its index in [`LIMITS`].
    fn defects(&self) -> Vec<(usize, String)> {
        let renamed = self.renamed.iter().map(|name| (1, format!("`let {name} = {name}`")));
        let numbered = self.names.iter().filter(|name| {
            let stem = name.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches('_');
            stem.len() < name.len() && !self.names.contains(stem) && !is_own_local(stem)
        });
        renamed.chain(numbered.map(|name| (2, format!("the local `{name}` has a number")))).collect()
    }
}

impl Visit<'_> for Locals {
    fn visit_pat_ident(&mut self, pattern: &syn::PatIdent) {
        self.names.insert(pattern.ident.to_string());
    }

    fn visit_local(&mut self, local: &Local) {
        if let (Pat::Ident(name), Some(init)) = (&local.pat, &local.init)
            && let syn::Expr::Path(value) = &*init.expr
            && value.path.is_ident(&name.ident)
        {
            self.renamed.push(name.ident.to_string());
        }
        syn::visit::visit_local(self, local);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODULE: &str = r#"
        pub mod order {
            impl rt::Machine for State {
                fn resume(self) { match self { State::Pay => pay_done(turn) } }
            }
            fn pay(data: Value, turn: &mut Turn) -> TurnResult {
                turn.enter("Pay", &data);
                pay_checked(data, turn)
            }
            fn pay_checked(data2: Value, turn: &mut Turn) -> TurnResult {
                let data2 = data2;
                rest(data2, turn)
            }
            fn pay_done(data: Value, data2: Value, turn: &mut Turn) -> TurnResult {
                if data2.is_null() { pay(data, turn) } else { rest(data, turn) }
            }
            fn rest(data: Value, _: &mut Turn) -> TurnResult {
                rt::done(data)
            }
            fn reason(_: Value) -> Result<Value, Fault> {
                Ok(Value::Null)
            }
        }
    "#;

    #[test]
    fn defects_are_counted() {
        let mut counts = Counts::default();
        count("sm4c/order/flow.snap.rs", MODULE, &mut counts).expect("it parses");
        assert_eq!(counts.functions, 4);
        assert_eq!(counts.limited[..7], [1, 1, 1, 0, 0, 0, 1], "{:#?}", counts.places);
        assert_eq!(counts.places.len(), 4);
    }

    #[test]
    fn error_names_of_aws_belong_to_its_language() {
        for (name, found) in [("asl/order/flow.snap.rs", 0), ("sm4c/order/flow.snap.rs", 1)] {
            let mut counts = Counts::default();
            count(name, "const ALL: &str = \"States.ALL\";", &mut counts).expect("it parses");
            assert_eq!(counts.limited[4], found, "{name}");
        }
    }
}
