//! Conversion between values and messages.

use crate::echo;
use crate::server::Server;
use prost_reflect::bytes::Bytes;
use prost_reflect::prost::Message;
use workflow_runtime::{Fault, Value, value};

async fn echoed(content: Value) -> Result<Value, Fault> {
    let server = Server::start(|call| async move { Ok(call.request) }).await;
    let answer = echo(&server.rpc(), value!({ "content": content })).await?;
    Ok(answer.get("content").cloned().unwrap_or_default())
}

#[tokio::test]
async fn every_kind_of_field_goes_and_comes_back() {
    let content = value!({
        "small": -5, "large": "18446744073709551615", "single": 0.1, "real": 2.5, "flag": true, "text": "ü",
        "data": "aGVsbG8=", "color": "RED", "numbers": ["-1", "2"],
        "byName": { "b": {}, "a": { "text": "inner" } }, "byNumber": { "7": "seven", "-7": "minus" },
        "left": "", "maybe": 0, "duration": "1.500s", "free": { "a": [1, 2.5, null, "x"] }, "at": "2026-01-31T12:00:00Z",
        "wrapped": "5", "wrappedFloat": 0.25, "any": { "@type": "type.googleapis.com/acme.ChargeRequest", "account": "a", "cents": "5" }
    });
    let found = echoed(content.clone()).await.unwrap();
    let empty = |text: &str| {
        value!({ "small": 0, "large": "0", "single": 0.0, "real": 0.0, "flag": false, "text": text, "data": "", "color": "NONE",
            "numbers": [], "byName": {}, "byNumber": {} })
    };
    let mut expected = content;
    let members = expected.as_object_mut().unwrap();
    members.insert("byName", value!({ "a": empty("inner"), "b": empty("") }));
    assert_eq!(found, expected);
    // Entries are sorted.
    let keys =
        |name: &str| found.get(name).unwrap().as_object().unwrap().keys().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!((keys("byName"), keys("byNumber")), (vec!["a".into(), "b".into()], vec!["-7".into(), "7".into()]));
    assert!(matches!(found.get("free").unwrap().get("a").unwrap().as_array().unwrap()[0], Value::Int(1)));
}

#[tokio::test]
async fn numbers_and_names_can_be_written_in_other_ways() {
    let given = value!({ "small": "7", "large": 7, "real": "NaN", "single": "-Infinity", "color": 1, "by_number": { "1": "a" }, "wrapped": 5 });
    let found = echoed(given).await.unwrap();
    for (name, expected) in [
        ("small", value!(7)),
        ("large", value!("7")),
        ("real", value!("NaN")),
        ("single", value!("-Infinity")),
        ("color", value!("RED")),
        ("byNumber", value!({ "1": "a" })),
        ("wrapped", value!("5")),
    ] {
        assert_eq!(found.get(name), Some(&expected), "{name}");
    }
    // Unknown enumeration values are numbers.
    assert_eq!(echoed(value!({ "color": 99 })).await.unwrap().get("color"), Some(&value!(99)));
}

/// Returns the response of `Echo` with this field `content`.
async fn answered(content: Vec<u8>, most_bytes: usize) -> Result<Value, Fault> {
    let mut answer = Vec::new();
    prost_reflect::prost::encoding::bytes::encode(1, &content, &mut answer);
    let answer = Bytes::from(answer);
    let server = Server::start(move |_| {
        let answer = answer.clone();
        async move { Ok(answer) }
    })
    .await;
    echo(&server.builder().max_message_bytes(most_bytes).build().unwrap(), value!({})).await
}

fn refused(outcome: Result<Value, Fault>) -> String {
    let fault = outcome.unwrap_err();
    assert_eq!(fault.error(), Some("Grpc.InvalidAnswer"));
    fault.to_string()
}

/// An `Any` message contains another one, and so on. Each is parsed separately.
#[tokio::test]
async fn a_hostile_answer_does_not_use_up_the_stack() {
    let mut any = prost_reflect::prost_types::Any::default();
    for _ in 0..20_000 {
        let value = any.encode_to_vec();
        any = prost_reflect::prost_types::Any { type_url: "/google.protobuf.Any".to_owned(), value };
        if any.value.len() > 400_000 {
            break;
        }
    }
    let mut content = Vec::new();
    // The field `any` of the content.
    prost_reflect::prost::encoding::message::encode(15, &any, &mut content);
    let message = refused(answered(content, 4 << 20).await);
    assert!(message.contains("levels deep"), "{message}");
}

/// Neither does a message whose `Any` messages are each nested as deeply as parsers allow.
#[tokio::test]
async fn levels_are_counted_across_messages_of_any_type() {
    use prost_reflect::prost::encoding::{bytes, message};
    // The last of `levels`, each in a field `by_name`.
    let nested = |mut content: Vec<u8>, levels: usize| {
        for _ in 0..levels {
            let mut entry = Vec::new();
            bytes::encode(2, &content, &mut entry);
            content.clear();
            bytes::encode(10, &entry, &mut content);
        }
        content
    };
    let with_any = |held: Vec<u8>| {
        let any = prost_reflect::prost_types::Any { type_url: "/acme.Everything".to_owned(), value: held };
        let mut content = Vec::new();
        message::encode(15, &any, &mut content);
        content
    };
    let deep = |times: usize| (0..times).fold(Vec::new(), |content, _| nested(with_any(content), 40));
    assert!(answered(deep(2), 4 << 20).await.is_ok());
    for times in [3, 30] {
        let message = refused(answered(deep(times), 4 << 20).await);
        assert!(message.ends_with("messages are nested more than 100 levels deep"), "{message}");
    }
}

#[tokio::test]
async fn what_was_not_sent_is_bounded_too() {
    use prost_reflect::prost::encoding::bytes;
    // An entry of `by_name` without a value: eleven of its fields have default values.
    let content = |entries: usize| {
        let mut content = Vec::new();
        for at in 0..entries {
            let mut entry = Vec::new();
            bytes::encode(1, &format!("{at:03}").into_bytes(), &mut entry);
            bytes::encode(10, &entry, &mut content);
        }
        content
    };
    let most = 10_000;
    assert!(content(300).len() < most / 4);
    assert!(answered(content(200), most).await.is_ok());
    let message = refused(answered(content(300), most).await);
    assert!(message.ends_with("invalid response: more than 2500 fields have default values"), "{message}");
}
