//! Entity tags (RFC 9110, 8.8.3): a client that has an answer already receives 304 instead of the
//! answer.

use std::hash::{DefaultHasher, Hasher};

use hyper::StatusCode;
use hyper::header::{self, HeaderMap};

use crate::http::answer::Answer;

/// Returns the answer with its tag, or 304 without a body if the request names this tag.
pub fn conditional(head: &HeaderMap, answer: Answer) -> Answer {
    let Some(body) = answer.body().filter(|_| answer.status() == StatusCode::OK.as_u16()) else { return answer };
    let tag = tag(body);
    let named = head.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let is_known = named.flat_map(|list| list.split(',')).any(|one| names(one.trim(), &tag));
    let answer = if is_known { Answer::without_body(StatusCode::NOT_MODIFIED) } else { answer };
    answer.with(header::ETAG, tag)
}

/// Returns `true` if a member of `If-None-Match` is this tag. A weak tag names the strong one,
/// too.
fn names(member: &str, tag: &str) -> bool {
    member == "*" || member.strip_prefix("W/").unwrap_or(member) == tag
}

/// Returns the tag of a text: 128 bits of its hash.
fn tag(text: &str) -> String {
    let [high, low] = [0, 1].map(|half| {
        let mut hasher = DefaultHasher::new();
        hasher.write_u8(half);
        hasher.write(text.as_bytes());
        hasher.finish()
    });
    format!("\"{high:016x}{low:016x}\"")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_that_the_client_has_is_not_sent_again() {
        let (one, other) = (tag("{}"), tag("[]"));
        assert_ne!(one, other);
        assert_eq!(one.len(), 34);
        for (values, status) in [
            (vec![], 200),
            (vec![other.clone()], 200),
            (vec![one.trim_matches('"').to_owned()], 200),
            (vec![one.clone()], 304),
            (vec![format!("W/{one}")], 304),
            (vec![format!("{other}, {one}")], 304),
            (vec![other.clone(), one.clone()], 304),
            (vec!["*".to_owned()], 304),
        ] {
            let mut head = HeaderMap::new();
            for value in &values {
                head.append(header::IF_NONE_MATCH, value.parse().expect("a value"));
            }
            let answer = conditional(&head, Answer::text(StatusCode::OK, "{}".to_owned()));
            assert_eq!((answer.status(), answer.body().is_some()), (status, status == 200), "{values:?}");
            let head = answer.response().headers().get(header::ETAG).cloned();
            assert_eq!(head.as_ref().map(|tag| tag.as_bytes()), Some(one.as_bytes()));
        }
        let refused = conditional(&HeaderMap::new(), Answer::bad("no"));
        assert_eq!(refused.response().headers().get(header::ETAG), None);
    }
}
