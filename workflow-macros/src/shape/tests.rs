//! Tests of the shapes that the derive macro describes.

use super::case::Case;
use super::derive_shape;

/// Returns the generated code without white space and without the hashes of names.
fn derived(input: &str) -> String {
    let input = syn::parse_str(input).expect("the input is an item");
    let tokens = derive_shape(input).map_or_else(|error| error.to_string(), |tokens| tokens.to_string());
    let is_hash = |part: &&str| part.len() > 12 && part.bytes().all(|letter| letter.is_ascii_digit());
    let code: String = tokens.split_whitespace().collect();
    code.split_inclusive(['(', ',']).filter(|part| !is_hash(&part.trim_end_matches(','))).collect()
}

/// Checks that the shape has a part.
fn check(input: &str, part: &str) {
    let found = derived(input);
    let part: String = part.split_whitespace().collect();
    assert!(found.contains(&part), "{input}: {found}");
}

#[test]
fn conventions_are_those_of_serde() {
    for (name, field, variant) in [
        ("lowercase", "total_sum", "totalsum"),
        ("UPPERCASE", "TOTAL_SUM", "TOTALSUM"),
        ("PascalCase", "TotalSum", "TotalSum"),
        ("camelCase", "totalSum", "totalSum"),
        ("snake_case", "total_sum", "total_sum"),
        ("SCREAMING_SNAKE_CASE", "TOTAL_SUM", "TOTAL_SUM"),
        ("kebab-case", "total-sum", "total-sum"),
        ("SCREAMING-KEBAB-CASE", "TOTAL-SUM", "TOTAL-SUM"),
    ] {
        let case = Case::named(name).expect("serde has the convention");
        assert_eq!((case.of_field("total_sum"), case.of_variant("TotalSum")), (field.into(), variant.into()), "{name}");
    }
    assert_eq!(Case::named("Train-Case"), None);
}

#[test]
fn attributes_of_fields_are_followed() {
    let u8 = "__ShapeOf::<u8>::SHAPE";
    check("struct A { r#type: u8 }", &format!(r#"members: &[("type", {u8})]"#));
    check(r#"struct A { #[serde(rename = "b")] a: u8 }"#, &format!(r#"members: &[("b", {u8})]"#));
    check(
        r#"struct A { #[serde(rename(serialize = "b", deserialize = "c"), default = "d")] a: u8 }"#,
        &format!(r#"&[("b", {u8})]"#),
    );
    check(r#"struct A { #[serde(rename(deserialize = "c"))] a: u8 }"#, &format!(r#"&[("a", {u8})]"#));
    check("struct A { #[serde(skip)] a: u8, #[serde(skip_serializing)] b: u8 }", "members: &[]");
    check("struct A { #[serde(skip_deserializing)] a: u8 }", r#"("a","#);
    check(r#"struct A { #[serde(skip_serializing_if = "Option::is_none")] a: u8 }"#, r#"("a","#);
    check("struct A { a: u8, #[serde(flatten)] b: B }", "flattened: &[__ShapeOf::<B>::SHAPE]");
    for opaque in [r#"#[serde(with = "x")]"#, r#"#[serde(serialize_with = "x")]"#, "#[shape(any)]"] {
        check(&format!("struct A {{ {opaque} a: u8 }}"), r#"[("a", &__TypeShape::Any)], flattened: &[],"#);
    }
    check("struct A { #[serde(newer(a = 1))] a: u8 }", "flattened: &[&__TypeShape::Any],");
}

#[test]
fn structs_have_the_form_that_serde_writes() {
    check(r#"#[serde(rename_all = "camelCase")] struct A { b_c: u8 }"#, r#"("bC","#);
    check("struct A;", "&__TypeShape::Null");
    check("struct A(u8);", "}; __ShapeOf::<u8>::SHAPE");
    check("struct A(u8, u16);", "Tuple(&[__ShapeOf::<u8>::SHAPE, __ShapeOf::<u16>::SHAPE])");
    check("struct A(u8, #[serde(skip)] u16, u32);", "Tuple(&[__ShapeOf::<u8>::SHAPE, __ShapeOf::<u32>::SHAPE])");
    check(r#"struct A(#[serde(skip_serializing_if = "x")] u8, u16);"#, "&__TypeShape::Any");
    check("#[serde(transparent)] struct A { a: u8, b: PhantomData<u8> }", "}; __ShapeOf::<u8>::SHAPE");
    check(r#"#[serde(into = "String")] struct A { a: u8 }"#, "}; __ShapeOf::<String>::SHAPE");
    check(r#"#[serde(remote = "B")] struct A { a: u8 }"#, "}; &__TypeShape::Any");
    check(r#"#[serde(tag = "type")] struct A { a: u8 }"#, r#"members: &[("type", &__TypeShape::String)]"#);
    check("struct A { a: Option<Box<A>>, b: Vec<Self> }", r#"[("a", &__TypeShape::Any), ("b", &__TypeShape::Any)]"#);
}

#[test]
fn enums_have_the_form_that_serde_writes() {
    let body = "{ One, Two(u8), Three { a_b: u8 }, #[serde(skip)] Four }";
    check(
        &format!("enum A {body}"),
        r#"OneOf("A", &[&__TypeShape::Unit("One"), &__TypeShape::Record { name: "A::Two", members: &[("Two", __ShapeOf::<u8>::SHAPE)]"#,
    );
    check(&format!(r#"#[serde(rename_all = "snake_case")] enum A {body}"#), r#"("three", &__TypeShape::Record"#);
    check(&format!(r#"#[serde(rename_all_fields = "camelCase")] enum A {body}"#), r#"("aB","#);
    let tagged = r#"members: &[("t", &__TypeShape::String)], flattened: &["#;
    check(&format!(r#"#[serde(tag = "t")] enum A {body}"#), &format!("{tagged}], }}"));
    check(&format!(r#"#[serde(tag = "t")] enum A {body}"#), &format!("{tagged} __ShapeOf::<u8>::SHAPE]"));
    check(
        &format!(r#"#[serde(tag = "t", content = "c")] enum A {body}"#),
        r#"members: &[("t", &__TypeShape::String), ("c", __ShapeOf::<u8>::SHAPE)]"#,
    );
    check(&format!("#[serde(untagged)] enum A {body}"), "&[&__TypeShape::Null, __ShapeOf::<u8>::SHAPE,");
    check(r#"enum A { #[serde(untagged)] B(u8), #[serde(rename = "d")] C(u8) }"#, "&[__ShapeOf::<u8>::SHAPE,");
    check(r#"enum A { #[serde(with = "x")] B(u8) }"#, r#"("B", &__TypeShape::Any)"#);
    check("enum A { #[shape(any)] B(u8), C }", r#"&[&__TypeShape::Any, &__TypeShape::Unit("C")]"#);
    check("enum A { #[serde(newer)] B }", "&[&__TypeShape::Any]");
    check("enum A { B(#[serde(skip)] u8) }", r#"&[&__TypeShape::Unit("B")]"#);
}

#[test]
fn parameters_of_fields_have_shapes() {
    check("struct A<T, U> { a: Vec<T>, b: PhantomData<U> }", "impl<T: ::workflow_runtime::Shape, U>");
    check(
        "struct A<'a, T: Copy, const N: usize>(&'a [T; N]);",
        "impl<'a, T: Copy + ::workflow_runtime::Shape, const N: usize>",
    );
    check("struct A<T> { #[serde(skip)] a: T, b: u8 }", "impl<T> ::workflow_runtime::Shape for A<T>");
}

#[test]
fn mistakes_are_named() {
    assert_eq!(derived("union A { a: u8 }"), "serdedoesnotwriteunions:derive`Shape`forastructoranenum");
    for wrong in ["#[shape(all)] struct A;", "struct A { #[shape(all)] a: u8 }", "enum A { B(#[shape(all)] u8) }"] {
        check(wrong, "expected`any`,asin`#[shape(any)]`");
    }
}
