//! Tests of the additions that Jayway's JsonPath and AWS make to RFC 9535.

use super::{Mode, follow, read, value};

const SHOP: &str = r#"{
    "books": [
        {"title": "A", "price": 8, "tags": ["x", "y"], "isbn": "0-1"},
        {"title": "B", "price": "12", "tags": [], "lang": "es"},
        {"title": "C", "price": 22.5, "tags": ["z"], "lang": "fr"}
    ],
    "limit": 10,
    "user-id": 5,
    "a:b": 6,
    "box": {"open": true, "n": 3},
    "word": "hello"
}"#;

#[test]
fn extensions_of_the_notation() {
    check(&[
        ("$.[0]", "[]", None),
        ("$.books.[0].title", SHOP, Some(r#""A""#)),
        (
            "$.books.[*].['title', 'price']",
            SHOP,
            Some(r#"[{"title":"A","price":8},{"title":"B","price":"12"},{"title":"C","price":22.5}]"#),
        ),
        ("$.books[0]['title','price']", SHOP, Some(r#"{"title":"A","price":8}"#)),
        ("$.books[0]['title','nothing']", SHOP, Some(r#"{"title":"A"}"#)),
        ("$.nothing['title','price']", SHOP, None),
        ("$['limit','box'].n", SHOP, Some("[3]")),
        ("$.user-id", SHOP, Some("5")),
        ("$.a:b", SHOP, Some("6")),
        ("$.books[(@.length-1)].title", SHOP, Some(r#""C""#)),
        ("$.books[( @.length - 2 )].title", SHOP, Some(r#""B""#)),
        ("$.books.length()", SHOP, Some("3")),
        ("$.box.length()", SHOP, Some("2")),
        ("$.word.length()", SHOP, Some("null")),
        ("$.nothing.length()", SHOP, None),
        ("$.limit  ", SHOP, Some("10")),
        ("$ .limit", SHOP, Some("10")),
        ("$.books[00].title", SHOP, Some(r#""A""#)),
        ("$.books[1:].title", SHOP, Some(r#"["B","C"]"#)),
        ("$.books[-2].title", SHOP, Some(r#""B""#)),
        (r"$['bo\oks'][0].title", SHOP, Some(r#""A""#)),
    ]);
}

#[test]
fn filters() {
    check(&[
        ("$.books[?(@.lang==es)].title", SHOP, Some(r#"["B"]"#)),
        ("$..books[?(@.lang == 'fr')].title", SHOP, Some(r#"["C"]"#)),
        ("$.books.[?(@.isbn)].title", SHOP, Some(r#"["A"]"#)),
        ("$.books[?(!@.isbn)].title", SHOP, Some(r#"["B","C"]"#)),
        ("$.books[?(@.price < $.limit)].title", SHOP, Some(r#"["A"]"#)),
        ("$.books[?(@.price == 12)].title", SHOP, Some(r#"["B"]"#)),
        ("$.books[?(@.price === 12)].title", SHOP, Some("[]")),
        ("$.books[?(@.price == '8')].title", SHOP, Some(r#"["A"]"#)),
        ("$.books[?(@.price != 8)].title", SHOP, Some(r#"["B","C"]"#)),
        ("$.books[?(@.price !== '8')].title", SHOP, Some(r#"["A","B","C"]"#)),
        ("$.books[?(@.title =~ /[ab]/i)].title", SHOP, Some(r#"["A","B"]"#)),
        ("$.books[?(@.isbn =~ /0/)].title", SHOP, Some("[]")),
        ("$.books[?(@.title in ['A', 'C'])].title", SHOP, Some(r#"["A","C"]"#)),
        ("$.books[?(@.title nin ['A', 'C'])].title", SHOP, Some(r#"["B"]"#)),
        ("$.books[?('x' in @.tags)].title", SHOP, Some(r#"["A"]"#)),
        ("$.books[?(@.tags subsetof ['x', 'y', 'z'])].title", SHOP, Some(r#"["A","B","C"]"#)),
        ("$.books[?(@.tags anyof ['y', 'z'])].title", SHOP, Some(r#"["A","C"]"#)),
        ("$.books[?(@.tags noneof ['y'])].title", SHOP, Some(r#"["B","C"]"#)),
        ("$.books[?(@.tags size 2)].title", SHOP, Some(r#"["A"]"#)),
        ("$.books[?(@.tags empty true)].title", SHOP, Some(r#"["B"]"#)),
        ("$.books[?(@.tags contains 'z')].title", SHOP, Some(r#"["C"]"#)),
        ("$.books[?(@.isbn contains '-')].title", SHOP, Some(r#"["A"]"#)),
        ("$.books[?(@.tags.length() > 1)].title", SHOP, Some(r#"["A"]"#)),
        ("$.books[?(@.price > 5 && (@.lang || @.isbn))].title", SHOP, Some(r#"["A","C"]"#)),
        ("$.books[?(@.tags[0] == 'z')].title", SHOP, Some(r#"["C"]"#)),
        // A filter applied to an object tests the object itself.
        ("$.box[?(@.open == true)].n", SHOP, Some("[3]")),
        ("$.box[?(@.open == false)].n", SHOP, Some("[]")),
        ("$.word[?(@.open)]", SHOP, None),
        ("$..[?(@.open)].n", SHOP, Some("[3]")),
    ]);
}

#[test]
fn a_definite_beginning_has_to_fit_the_data() {
    let data = r#"{
        "list": [{"n": 1, "l": [1, 2]}, {"n": 2, "l": "no list"}, "no object", null],
        "text": "text", "nothing": null, "object": {"a": {"n": 3}, "b": 4}
    }"#;
    check(&[
        // An absent value is not a mismatch: AWS yields an empty array.
        ("$.missing[*]", data, Some("[]")),
        ("$.missing.more[*]", data, Some("[]")),
        ("$.missing[1:].n", data, Some("[]")),
        ("$.missing[0][?(@.n)]", data, Some("[]")),
        ("$.object.missing..n", data, Some("[]")),
        ("$.list[9][*]", data, Some("[]")),
        ("$.list[9].l[0:1]", data, Some("[]")),
        // A name or an index applied to another type is a mismatch.
        ("$.text.more[*]", data, None),
        ("$.nothing.more[*]", data, None),
        ("$.list.more[*]", data, None),
        ("$.text[0][*]", data, None),
        ("$.object[0]..n", data, None),
        ("$.list[2].n[*]", data, None),
        ("$[0][*]", data, None),
        // So is a slice, a list of indexes or names, or a filter directly after the definite
        // prefix.
        ("$[1:]", data, None),
        ("$.object[0:2]", data, None),
        ("$.object[0,1]", data, None),
        ("$.nothing[:2]", data, None),
        ("$.text['a','b'].n", data, None),
        ("$.list['a','b'].n", data, None),
        ("$.text[?(@.n)]", data, None),
        ("$.nothing[?(@.n)]", data, None),
        // Wildcards and descendants apply to every value.
        ("$.text[*]", data, Some("[]")),
        ("$.nothing[*]", data, Some("[]")),
        ("$.nothing..n", data, Some("[]")),
        // After a step to several values, mismatches are ignored.
        ("$.list[*].n", data, Some("[1,2]")),
        ("$.list[*].l[0]", data, Some("[1]")),
        ("$.list[*].l[0:1]", data, Some("[1]")),
        ("$.list[0:].l[?(@ > 1)]", data, Some("[2]")),
        ("$.object[*].n", data, Some("[3]")),
        ("$.list[?(@.n == 2)].l.more", data, Some("[]")),
        ("$..l[0]", data, Some("[1]")),
        ("$.object['a','b'].n", data, Some("[3]")),
        // A projection of the selected values is absent if the selection is.
        ("$.list[0:2]['n','m']", data, Some(r#"[{"n":1},{"n":2}]"#)),
        ("$.text[0:2]['n','m']", data, None),
        // In a filter, a mismatch counts as an absent value.
        ("$.list[?(@.l[0:1])].n", data, Some("[1]")),
        ("$.list[?(!@.l[0:1])].n", data, Some("[2]")),
    ]);
}

fn check(cases: &[(&str, &str, Option<&str>)]) {
    for (path, document, expected) in cases {
        let read = read(path, Mode::Jayway).unwrap_or_else(|found| panic!("{path}: {found:?}"));
        assert_eq!(follow(&read, document), expected.map(value), "{path}");
    }
}
