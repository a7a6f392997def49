//! The errors of texts that are no expressions.

use crate::parse;

/// Checks that texts are refused with a message at a place, which `«»` mark in the text.
#[track_caller]
fn check_errors(cases: &[(&str, &str)]) {
    for (marked, expected) in cases {
        let text = marked.replace(['«', '»'], "");
        let start = marked.find('«').expect("the place has a begin");
        let end = marked.find('»').expect("the place has an end") - '«'.len_utf8();
        let error = parse(&text).expect_err("the text is refused");
        assert_eq!(error.to_string(), *expected, "the message for {text}");
        assert_eq!(error.at, start..end, "the place in {text}");
    }
}

#[test]
fn tokens_that_do_not_end_are_refused() {
    check_errors(&[
        ("1 + «\"a»", "S0101: String literal must be terminated by a matching quote"),
        ("«'a\\\"»", "S0101: String literal must be terminated by a matching quote"),
        ("«\"\\u12»", "S0101: String literal must be terminated by a matching quote"),
        ("«`a»", "S0105: Quoted property name must be terminated with a backquote (`)"),
        ("1 «/*» a", "S0106: Comment has no closing tag"),
        ("$match($x, «/a)»", "S0302: No terminating / in regular expression"),
        ("$f(«//»)", "S0301: Empty regular expressions are not allowed"),
    ]);
}

#[test]
fn escapes_and_numbers_are_refused_where_they_stand() {
    check_errors(&[
        ("\"a«\\q»\"", "S0103: Unsupported escape sequence: \\\"q\""),
        ("\"«\\u»12x4\"", "S0104: The escape sequence \\u must be followed by 4 hex digits"),
        ("1 + «1e999»", "S0102: Number out of range: \"1e999\""),
    ]);
}

#[test]
fn tokens_out_of_place_are_shown_as_json() {
    check_errors(&[
        ("a «b»", "S0201: Syntax error: \"b\""),
        ("a «$b»", "S0201: Syntax error: \"b\""),
        ("1 «2.50»", "S0201: Syntax error: 2.5"),
        ("1 «'\"\\n'»", "S0201: Syntax error: \"\\\"\\n\""),
        ("[1 «;» 2]", "S0202: Expected \"]\", got \";\""),
        ("[1 «null» 2]", "S0202: Expected \"]\", got null"),
        ("{\"a\"«}»", "S0202: Expected \":\", got \"}\""),
        ("(1«»", "S0203: Expected \")\" before end of expression"),
        ("$f(«»", "S0203: Expected \")\" before end of expression"),
        ("1 «!» 2", "S0204: Unknown operator: \"!\""),
        ("1 «~» 2", "S0204: Unknown operator: \"~\""),
    ]);
}

#[test]
fn operands_that_are_missing_are_errors() {
    check_errors(&[
        ("«»", "S0207: Unexpected end of expression"),
        ("  «»", "S0207: Unexpected end of expression"),
        ("$x := «»", "S0207: Unexpected end of expression"),
        ("{\"a\":«}»", "S0211: The symbol \"}\" cannot be used as a unary operator"),
        ("(«/»a/)", "S0211: The symbol \"/\" cannot be used as a unary operator"),
        ("«+»1", "S0211: The symbol \"+\" cannot be used as a unary operator"),
    ]);
}

#[test]
fn names_of_parameters_and_bindings_are_variables() {
    check_errors(&[
        ("function($a, «1»){1}", "S0208: Parameter 2 of function definition must be a variable name (start with $)"),
        ("function(«?»){1}", "S0208: Parameter 1 of function definition must be a variable name (start with $)"),
        ("«a» := 1", "S0212: The left side of := must be a variable name (start with $)"),
        ("a@«b»", "S0214: The right side of \"@\" must be a variable name (start with $)"),
        ("a#«1»", "S0214: The right side of \"#\" must be a variable name (start with $)"),
    ]);
}

#[test]
fn steps_are_refused_that_have_no_meaning() {
    check_errors(&[
        ("$x{a: b}«[0]»", "S0209: A predicate cannot follow a grouping expression in a step"),
        ("a{b: c}«{d: e}»", "S0210: Each step can only have one grouping expression"),
        ("a.«1»", "S0213: The literal value 1 cannot be used as a step within a path expression"),
        ("a.«-1.5»", "S0213: The literal value -1.5 cannot be used as a step within a path expression"),
        ("«true».a", "S0213: The literal value true cannot be used as a step within a path expression"),
        ("«null».a", "S0213: The literal value null cannot be used as a step within a path expression"),
        ("a[0]«@$i»", "S0215: A context variable binding must precede any predicates on a step"),
        ("a^(b)«@$i»", "S0216: A context variable binding must precede the 'order-by' clause on a step"),
    ]);
}

#[test]
fn parents_without_an_ancestor_are_refused() {
    let message = "S0217: The object representing the 'parent' cannot be derived from this expression";
    check_errors(&[
        ("«%»", message),
        ("«a.%.%»", message),
        ("«[%]»", message),
        ("«$f()».%", message),
        ("a^(«b»).%", message),
    ]);
}

#[test]
fn signatures_are_refused_at_the_token() {
    check_errors(&[
        ("function($a)<s«<»n>>{1}", "S0401: Type parameters can only be applied to functions and arrays"),
        ("function($a)< «(»a<s>)>{1}", "S0402: Choice groups containing parameterized types are not supported"),
        ("function($a)<s«{»1}", "S0202: Expected \">\", got \"{\""),
        ("function($a)<s«»", "S0203: Expected \">\" before end of expression"),
    ]);
}

#[test]
fn operators_of_later_versions_have_a_hint() {
    for (text, expected) in [
        ("a ?? b", Some("write `$exists(a) ? a : b` in place of `a ?? b`")),
        ("a ?: b", Some("write `a ? a : b` in place of `a ?: b`")),
        ("a ? ? b", None),
        ("a ? )", None),
    ] {
        let error = parse(text).expect_err("the text is refused");
        assert_eq!(error.code, "S0211", "the code for {text}");
        assert_eq!(error.help, expected, "the hint for {text}");
    }
}
