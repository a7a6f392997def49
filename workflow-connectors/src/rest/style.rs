//! Styles of parameters: how values become text in paths, queries, headers, cookies and forms
//! (OpenAPI 3.1, section 4.8.12; RFC 6570).

use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use workflow_runtime::operation::{Parameter, Style};
use workflow_runtime::{Value, uri};

/// Characters that are encoded if a parameter allows reserved characters. Characters that delimit
/// a query are among them.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'&')
    .add(b'+')
    .add(b'<')
    .add(b'=')
    .add(b'>')
    .add(b'\\')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// Percent-encodes a text for an address.
pub(super) fn encoded(text: &str, reserved: bool) -> String {
    if reserved { utf8_percent_encode(text, ENCODED).to_string() } else { uri::encode(text) }
}

/// Returns the text of a scalar, or the JSON of an array or object.
pub(super) fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.to_string(),
        Value::Null => String::new(),
        other => other.to_string(),
    }
}

/// Value of a parameter, expanded by its style.
enum Parts {
    One(String),
    Items(Vec<String>),
    Members(Vec<(String, String)>),
}

fn parts(value: &Value) -> Parts {
    match value {
        Value::Array(items) => Parts::Items(items.iter().filter(|item| !item.is_null()).map(plain).collect()),
        Value::Object(members) => {
            let members = members.iter().filter(|(_, value)| !value.is_null());
            Parts::Members(members.map(|(name, value)| (name.to_string(), plain(value))).collect())
        }
        other => Parts::One(plain(other)),
    }
}

/// Returns the text of a path parameter.
pub(super) fn in_path(parameter: &Parameter, value: &Value) -> String {
    let text = |text: &str| encoded(text, false);
    let name = text(parameter.name);
    let (begin, between) = match (parameter.style, parameter.explode) {
        (Style::Label, true) => (".", "."),
        (Style::Label, false) => (".", ","),
        (Style::Matrix, true) => (";", ";"),
        (Style::Matrix, false) => (";", ","),
        (Style::Spaces, _) => ("", "%20"),
        (Style::Tabs, _) => ("", "%09"),
        (Style::Pipes, _) => ("", "%7C"),
        (Style::Json, _) => return text(&value.to_string()),
        _ => ("", ","),
    };
    let is_matrix = parameter.style == Style::Matrix;
    let named = |value: String| if is_matrix { format!("{name}={value}") } else { value };
    let joined = match parts(value) {
        Parts::One(one) => named(text(&one)),
        Parts::Items(items) if is_matrix && parameter.explode => {
            let items: Vec<String> = items.iter().map(|item| named(text(item))).collect();
            items.join(between)
        }
        Parts::Items(items) => {
            let items: Vec<String> = items.iter().map(|item| text(item)).collect();
            named(items.join(between))
        }
        Parts::Members(members) if parameter.explode => {
            let members: Vec<String> =
                members.iter().map(|(name, value)| format!("{}={}", text(name), text(value))).collect();
            members.join(between)
        }
        Parts::Members(members) => {
            let members: Vec<String> = members.iter().flat_map(|(name, value)| [text(name), text(value)]).collect();
            named(members.join(between))
        }
    };
    format!("{begin}{joined}")
}

/// Returns the text of a header parameter, which is not encoded.
pub(super) fn in_header(parameter: &Parameter, value: &Value) -> String {
    let between = match parameter.style {
        Style::Spaces => " ",
        Style::Tabs => "\t",
        Style::Pipes => "|",
        Style::Json => return value.to_string(),
        _ => ",",
    };
    match parts(value) {
        Parts::One(one) => one,
        Parts::Items(items) => items.join(between),
        Parts::Members(members) => {
            let equals = if parameter.explode { "=" } else { between };
            let members: Vec<String> = members.iter().map(|(name, value)| format!("{name}{equals}{value}")).collect();
            members.join(between)
        }
    }
}

/// Returns the `name=value` pairs of a query, cookie or form parameter: none for an empty list,
/// several for an exploded value.
pub(super) fn pairs(parameter: &Parameter, value: &Value) -> Vec<String> {
    let text = |text: &str| encoded(text, parameter.reserved);
    let name = encoded(parameter.name, false);
    let between = match parameter.style {
        Style::Spaces => "%20",
        Style::Tabs => "%09",
        Style::Pipes => "%7C",
        Style::Json => return vec![format!("{name}={}", text(&value.to_string()))],
        Style::Typed => return field(parameter.name, value),
        _ => ",",
    };
    let joined = |items: Vec<String>| {
        if items.is_empty() { Vec::new() } else { vec![format!("{name}={}", items.join(between))] }
    };
    match parts(value) {
        Parts::One(one) => vec![format!("{name}={}", text(&one))],
        Parts::Items(items) if parameter.explode => items.iter().map(|item| format!("{name}={}", text(item))).collect(),
        Parts::Items(items) => joined(items.iter().map(|item| text(item)).collect()),
        Parts::Members(members) if parameter.style == Style::Deep => {
            let member =
                |(key, value): &(String, String)| format!("{name}%5B{}%5D={}", encoded(key, false), text(value));
            members.iter().map(member).collect()
        }
        Parts::Members(members) if parameter.explode => {
            members.iter().map(|(key, value)| format!("{}={}", encoded(key, false), text(value))).collect()
        }
        Parts::Members(members) => {
            joined(members.iter().flat_map(|(key, value)| [encoded(key, false), text(value)]).collect())
        }
    }
}

/// Returns the pairs of a form field with the default style.
pub(super) fn field(name: &str, value: &Value) -> Vec<String> {
    let name = encoded(name, false);
    match value {
        Value::Array(items) => {
            let items = items.iter().filter(|item| !item.is_null());
            items.map(|item| format!("{name}={}", encoded(&plain(item), false))).collect()
        }
        other => vec![format!("{name}={}", encoded(&plain(other), false))],
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow_runtime::operation::Place;
    use workflow_runtime::value;

    /// Table of OpenAPI 3.1, section 4.8.12.4.
    #[test]
    fn styles_are_those_of_the_specification() {
        let colors = value!(["blue", "black", "brown"]);
        let parts = value!({ "R": 100, "G": 200, "B": 150 });
        let path = |style, explode| Parameter::new("color", Place::Path).style(style, explode);
        for (style, explode, one, list, object) in [
            (Style::Simple, false, "blue", "blue,black,brown", "R,100,G,200,B,150"),
            (Style::Simple, true, "blue", "blue,black,brown", "R=100,G=200,B=150"),
            (Style::Label, false, ".blue", ".blue,black,brown", ".R,100,G,200,B,150"),
            (Style::Label, true, ".blue", ".blue.black.brown", ".R=100.G=200.B=150"),
            (Style::Matrix, false, ";color=blue", ";color=blue,black,brown", ";color=R,100,G,200,B,150"),
            (Style::Matrix, true, ";color=blue", ";color=blue;color=black;color=brown", ";R=100;G=200;B=150"),
            (Style::Tabs, false, "blue", "blue%09black%09brown", "R%09100%09G%09200%09B%09150"),
        ] {
            let shown = |value: &Value| in_path(&path(style, explode), value);
            assert_eq!(
                [shown(&value!("blue")), shown(&colors), shown(&parts)],
                [one, list, object],
                "{style:?} {explode}"
            );
        }
        let query = |style, explode| Parameter::new("color", Place::Query).style(style, explode);
        for (style, explode, list, object) in [
            (Style::Form, false, "color=blue,black,brown", "color=R,100,G,200,B,150"),
            (Style::Form, true, "color=blue&color=black&color=brown", "R=100&G=200&B=150"),
            (Style::Spaces, false, "color=blue%20black%20brown", "color=R%20100%20G%20200%20B%20150"),
            (Style::Pipes, false, "color=blue%7Cblack%7Cbrown", "color=R%7C100%7CG%7C200%7CB%7C150"),
            (Style::Tabs, false, "color=blue%09black%09brown", "color=R%09100%09G%09200%09B%09150"),
            (
                Style::Deep,
                true,
                "color=blue&color=black&color=brown",
                "color%5BR%5D=100&color%5BG%5D=200&color%5BB%5D=150",
            ),
            (
                Style::Json,
                false,
                "color=%5B%22blue%22%2C%22black%22%2C%22brown%22%5D",
                "color=%7B%22R%22%3A100%2C%22G%22%3A200%2C%22B%22%3A150%7D",
            ),
        ] {
            let shown = |value: &Value| pairs(&query(style, explode), value).join("&");
            assert_eq!([shown(&colors), shown(&parts)], [list, object], "{style:?} {explode}");
            assert_eq!(shown(&value!("")), if style == Style::Json { "color=%22%22" } else { "color=" });
        }
        let header = |style, explode| in_header(&Parameter::new("color", Place::Header).style(style, explode), &parts);
        assert_eq!(header(Style::Simple, false), "R,100,G,200,B,150");
        assert_eq!(header(Style::Simple, true), "R=100,G=200,B=150");
        assert_eq!(
            in_header(&Parameter::new("color", Place::Header).style(Style::Pipes, false), &colors),
            "blue|black|brown"
        );
    }

    #[test]
    fn what_has_a_meaning_in_addresses_is_encoded() {
        let nasty = value!("a/b?c#d&e=f;g%20 \"ü\r\n");
        let path = in_path(&Parameter::new("id", Place::Path), &nasty);
        assert_eq!(path, "a%2Fb%3Fc%23d%26e%3Df%3Bg%2520%20%22%C3%BC%0D%0A");
        let query = pairs(&Parameter::new("q[]", Place::Query).reserved(), &nasty);
        assert_eq!(query, ["q%5B%5D=a/b?c%23d%26e%3Df;g%2520%20%22%C3%BC%0D%0A"]);
        assert_eq!(pairs(&Parameter::new("a", Place::Query), &value!([])), Vec::<String>::new());
        assert_eq!(
            pairs(&Parameter::new("a", Place::Query), &value!([1, null, true, [2]])),
            ["a=1", "a=true", "a=%5B2%5D"]
        );
    }
}
