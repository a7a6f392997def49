//! What Jayway's JsonPath and AWS have beside RFC 9535.

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
        ("$.word[?(@.open)]", SHOP, Some("[]")),
        ("$..[?(@.open)].n", SHOP, Some("[3]")),
    ]);
}

fn check(cases: &[(&str, &str, Option<&str>)]) {
    for (path, document, expected) in cases {
        let read = read(path, Mode::Jayway).unwrap_or_else(|found| panic!("{path}: {found:?}"));
        assert_eq!(follow(&read, document), expected.map(value), "{path}");
    }
}
