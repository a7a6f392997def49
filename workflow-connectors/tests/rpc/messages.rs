//! Values that become messages, and messages that become values.

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
    // Entries are in an order of their own.
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
    // Values of an enumeration that nobody knows are numbers.
    assert_eq!(echoed(value!({ "color": 99 })).await.unwrap().get("color"), Some(&value!(99)));
}

/// A message of any type holds one of any type, and so on: each is parsed by itself.
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
    let mut answer = Vec::new();
    prost_reflect::prost::encoding::bytes::encode(1, &content, &mut answer);
    let answer = Bytes::from(answer);
    let server = Server::start(move |_| {
        let answer = answer.clone();
        async move { Ok(answer) }
    })
    .await;
    let fault = echo(&server.rpc(), value!({})).await.unwrap_err();
    assert_eq!(fault.error(), Some("Grpc.InvalidAnswer"));
    assert!(fault.to_string().contains("nested too deep"), "{fault}");
}
