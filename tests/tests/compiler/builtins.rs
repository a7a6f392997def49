//! Tests that the compiler's tables of built-ins agree with the runtime's.

use std::collections::BTreeSet;
use workflow_compiler::expr::javascript::globals;
use workflow_runtime::__private::js;

#[test]
fn the_compiler_knows_the_methods_that_the_runtime_has() {
    let known: BTreeSet<&str> = globals::methods().collect();
    let there: BTreeSet<&str> =
        js::prototypes().iter().flat_map(|(_, methods)| methods.iter().map(|method| method.name)).collect();
    let missing: Vec<_> = known.difference(&there).collect();
    assert!(missing.is_empty(), "the runtime does not have {missing:?}");
    let unknown: Vec<_> = there.difference(&known).collect();
    assert!(unknown.is_empty(), "the compiler does not know {unknown:?}");
}
