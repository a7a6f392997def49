//! The parameters of requests.

use std::time::Duration;

use hyper::{StatusCode, Uri};
use workflow_runtime::uri;

use crate::duration;
use crate::http::answer::Answer;

/// The parameters of a query, decoded.
#[derive(Debug)]
pub struct Query(Vec<(String, String)>);

impl Query {
    /// Reads the parameters of a URI. A parameter that is not in `known` is an error.
    pub fn of(uri: &Uri, known: &[&str]) -> Result<Query, Answer> {
        let mut read = Vec::new();
        for pair in uri.query().unwrap_or_default().split('&').filter(|pair| !pair.is_empty()) {
            let (name, value) = pair.split_once('=').unwrap_or((pair, ""));
            let (Some(name), Some(value)) = (decode(name), decode(value)) else {
                return Err(Answer::bad("invalid query: expected two hexadecimal digits after `%`"));
            };
            if !known.contains(&name.as_str()) {
                let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
                let there_are = match known.as_slice() {
                    [] => "this route has no parameters".to_owned(),
                    known => format!("the parameters are {}", known.join(", ")),
                };
                return Err(Answer::problem(StatusCode::BAD_REQUEST, format!("unknown parameter `{name}`"), there_are));
            }
            if read.iter().any(|(other, _)| *other == name) {
                return Err(Answer::bad(format!("duplicate parameter `{name}`")));
            }
            read.push((name, value));
        }
        Ok(Query(read))
    }

    /// Returns the value of a parameter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// Returns a parameter that is a duration.
    pub fn duration(&self, name: &str) -> Result<Option<Duration>, Answer> {
        let read = |text: &str| {
            duration::parse(text).ok_or_else(|| {
                Answer::bad(format!("invalid `{name}={text}`: write a duration such as `30s`, `5m`, `2h` or `7d`"))
            })
        };
        self.get(name).map(read).transpose()
    }
}

/// Undoes the encoding of a name or a value, in which `+` is a space.
fn decode(text: &str) -> Option<String> {
    uri::decode(&text.replace('+', " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_those_that_are_known() {
        let uri = |text: &str| text.parse::<Uri>().expect("an address");
        assert!(
            Query::of(&uri("/executions?status=a&status=failed"), &["status"]).is_err(),
            "it is not clear which counts"
        );
        let uri = uri("/executions?wait=1m30s&status=a%20b+c&&x");
        assert!(Query::of(&uri, &["wait", "status"]).is_err());
        let query = Query::of(&uri, &["wait", "status", "x"]).expect("a query");
        assert_eq!((query.get("status"), query.get("x"), query.get("y")), (Some("a b c"), Some(""), None));
        assert_eq!(query.duration("wait").ok().flatten(), Some(Duration::from_secs(90)));
        assert!(query.duration("x").is_err());
    }
}
