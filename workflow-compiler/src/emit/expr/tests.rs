//! Expressions that no definition of the tests contains.

use super::*;
use crate::expr::If;
use crate::index::IndexVec;
use crate::machine::{
    Block, BlockBody, BlockLabel, Interface, Local, MachineBuilder, ResumePoint, ResumePointKind, Terminator,
};
use crate::model::ScopeId;

/// Returns a machine with one local, `d`.
fn machine() -> Machine {
    let local = Local { name: "d".to_owned(), authored: "d".to_owned(), kind: LocalKind::Value };
    let mut builder = MachineBuilder::new(vec![local].into());
    let block = builder.reserve();
    let (name, tag, doc, names) = (String::new(), String::new(), String::new(), LocalIdents::new());
    let kind = ResumePointKind::Enter(block.id());
    let point = ResumePoint { name, tag, among: (1, 1), origin: None, doc, payload: Vec::new(), names, kind };
    let entry = builder.add_point("entry", point);
    builder.define(
        block,
        Block {
            name: String::new(),
            label: BlockLabel { state: String::new(), awaited: String::new(), role: "" },
            scope: ScopeId(0),
            origin: None,
            doc: String::new(),
            params: Vec::new(),
            names: LocalIdents::new(),
            takes_turn: false,
            body: BlockBody { ops: Vec::new(), terminator: Terminator::Done(Expr::NULL) },
        },
    );
    builder.finish(Interface {
        maps: IndexVec::new(),
        entry,
        input: LocalId(0),
        entries: IndexVec::new(),
        on_timeout: None,
        scripts: IndexVec::new(),
        context: false,
    })
}

fn printed(emit: fn(&Expr, &Site<'_>, &mut Statics) -> TokenStream, expr: &Expr) -> String {
    let (machine, live_after) = (machine(), BTreeSet::new());
    let names = LocalIdents::from([(LocalId(0), "d".to_owned())]);
    let site = Site { machine: &machine, names: &names, live_after: &live_after, reads: expr.locals() };
    let mut statics = Statics::new(proc_macro2::Span::call_site());
    emit(expr, &site, &mut statics).to_string().replace(' ', "")
}

fn through(name: &str) -> Segment {
    Segment { descend: false, selectors: vec![Selector::NameThroughSingleton(name.to_owned())] }
}

fn path(segments: Vec<Segment>) -> Path {
    Path { base: Box::new(Expr::Local(LocalId(0))), segments, strict: false }
}

#[test]
fn names_that_lead_through_arrays_are_keys_and_steps() {
    let found = Expr::Find(path(vec![through("a"), through("b")]));
    let expected = r#"d.get(jsonpath::Through("a")).get(jsonpath::Through("b")).cloned().unwrap_or_default()"#;
    assert_eq!(printed(emit_owned, &found), expected);
    let all = Segment { descend: false, selectors: vec![Selector::Wildcard] };
    let selected = Expr::Select(path(vec![through("a"), all]));
    assert_eq!(printed(emit_owned, &selected), r#"jsonpath::select(&d).through("a").wildcard().collect()"#);
}

#[test]
fn of_two_expressions_one_is_evaluated() {
    let is_null = |otherwise: Expr| If { test: Expr::Or(Vec::new()), then: Expr::And(Vec::new()), otherwise };
    let value = Expr::If(Box::new(is_null(Expr::Local(LocalId(0)))));
    assert_eq!(value.ty(), Type::Value);
    assert_eq!(printed(emit_owned, &value), "iffalse{Value::Bool(true)}else{d}");
    assert_eq!(printed(emit_bool, &value), "rt::is_true(&iffalse{Value::Bool(true)}else{d})");
    let test = Expr::If(Box::new(is_null(Expr::Not(Box::new(Expr::And(Vec::new()))))));
    assert_eq!(test.ty(), Type::Bool);
    assert_eq!(printed(emit_bool, &test), "iffalse{true}else{!true}");
    let joined = Expr::And(vec![test.clone(), test]);
    assert_eq!(printed(emit_bool, &joined), "(iffalse{true}else{!true})&&(iffalse{true}else{!true})");
}
