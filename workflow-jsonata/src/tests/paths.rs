//! The shapes of paths.

use super::check_shapes;

#[test]
fn steps_of_a_path_are_flat() {
    check_shapes(&[
        ("a.b.c", "(path a b c)"),
        ("$x.a", "(path $x a)"),
        ("$.a", "(path $ a)"),
        ("a.\"b\".'c'", "(path a b c)"),
        ("\"a\".b", "(path a b)"),
        ("a.(b.c).d", "(path a (block (path b c)) d)"),
        ("a.*.**", "(path a * **)"),
        ("a.{\"b\": c}", "(path a (object \"b\":(path c)))"),
        ("a.$f(b)", "(path a (call $f (path b)))"),
    ]);
}

#[test]
fn predicates_are_stages_of_a_step_or_follow_a_part() {
    check_shapes(&[
        ("a[0]", "(path a[0])"),
        ("a.b[c = 1][0]", "(path a b[(= (path c) 1)][0])"),
        ("(a.b)[0]", "{(block (path a b))[0]}"),
        ("$x[0]", "{$x[0]}"),
        ("$x[0].a", "(path {$x[0]} a)"),
        ("a.$f()[0]", "(path a (call $f)[0])"),
        ("a.*[0]", "(path a *[0])"),
        ("\"a\"[0].b", "(path {a[0]} b)"),
    ]);
}

#[test]
fn brackets_without_a_predicate_keep_arrays() {
    check_shapes(&[
        ("a[]", "(path[] a:k)"),
        ("a.b[].c", "(path[] a b:k c)"),
        ("a[0][]", "(path[] a[0]:k)"),
        ("a[][0]", "(path[] a[0]:k)"),
        ("$x[]", "{$x[]}"),
        ("$x[].a", "(path[] $x:k a)"),
        ("$f()[]", "{(call $f)[]}"),
        ("a^(b)[]", "{(path a (sort <(path b)))[]}"),
        ("a[] ~> $f", "{(~> (path[] a:k) $f)[]}"),
        ("a#$i[]", "{(path a#$i:t)[]}"),
        ("a@$i[]", "{(path a@$i:tk)[]}"),
    ]);
}

#[test]
fn arrays_and_blocks_with_arrays_are_constructors_of_their_path() {
    check_shapes(&[
        ("[1].a", "(path (array 1):c a)"),
        ("a.[b]", "(path a (array (path b)):c)"),
        ("[1]^($)", "(path (array 1) (sort <$))"),
        ("[1]^($).a", "(path (array 1):c (sort <$) a)"),
        ("[1][0].a", "(path {(array 1)[0]}:c a)"),
        ("([1].a).b", "(path (block (path (array 1):c a)):c b)"),
        ("([1]).b", "(path (block (array 1)) b)"),
    ]);
}

#[test]
fn orders_are_steps_and_groupings_belong_to_the_path() {
    check_shapes(&[
        ("a^(>b, <c, d)", "(path a (sort >(path b) <(path c) <(path d)))"),
        ("$x^(a)[0].b", "(path $x (sort <(path a))[0] b)"),
        ("a.b{c: d}", "(path a b (group (path c):(path d)))"),
        ("a{b: c}.d", "(path a d (group (path b):(path c)))"),
        ("a{b: c}[0]", "(path a[0] (group (path b):(path c)))"),
        ("$x{b: 1}", "{$x (group (path b):1)}"),
        ("$x{b: 1}.c", "(path {$x (group (path b):1)} c)"),
    ]);
}

#[test]
fn positions_and_items_are_variables_of_a_step() {
    check_shapes(&[
        ("a#$i", "(path a#$i:t)"),
        ("a#$i[0]", "(path a#$i[0]:t)"),
        ("a[0]#$i", "(path a[0]#$i:t)"),
        ("$x[0]#$i.b", "(path $x[0]#$i:t b)"),
        ("a@$v.b", "(path a@$v:t b)"),
        ("a@$v#$i[$i = 0].b", "(path a@$v#$i[(= $i 0)]:t b)"),
        ("a^(b)#$i", "(path a (sort <(path b))#$i:t)"),
        ("$x@$v.b", "(path $x@$v:t b)"),
    ]);
}

#[test]
fn parents_refer_to_slots_of_steps() {
    check_shapes(&[
        ("a.b.%", "(path a b^0:t %0)"),
        ("a.b.%.%", "(path a^1:t b^0:t %0 %1)"),
        ("a.b[%.c = 1]", "(path a b[(= (path %0 c) 1)]^0:t)"),
        ("a.b.c[%.%.d]", "(path a b^1:t c[(path %0 %1 d)]^0:t)"),
        ("a.b^(%.c)", "(path a b^0:t (sort <(path %0 c)))"),
        ("a.b.{\"c\": %.d, \"e\": %}", "(path a b^0^1:t (object \"c\":(path %0 d) \"e\":%1))"),
        ("a.(b.c).%", "(path a (block (path:t b c^0:t)):t %0)"),
        ("a.(b).%.%", "(path a^1:t (block (path:t b^0:t)):t %0 %1)"),
        ("a.*.%", "(path a *^0:t %0)"),
        ("a.b@$v.c@$w.%", "(path a b@$v^0:t c@$w:t %0)"),
        ("a.b{%.c: 1}", "(path a b (group (path %0 c):1))"),
    ]);
}
