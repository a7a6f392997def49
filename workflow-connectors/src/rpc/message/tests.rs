//! Required fields of requests. A service tests the rest of messages.

use super::*;
use prost_reflect::DescriptorPool;
use prost_reflect::prost_types::field_descriptor_proto::{Label, Type};
use prost_reflect::prost_types::{DescriptorProto, FieldDescriptorProto, FileDescriptorProto, FileDescriptorSet};
use workflow_runtime::value;

/// `message M { required string name = 1; optional M inner = 2; repeated M list = 3; }`
fn kind() -> MessageDescriptor {
    let field = |name: &str, number: i32, label: Label, kind: Type| FieldDescriptorProto {
        name: Some(name.to_owned()),
        number: Some(number),
        label: Some(label.into()),
        r#type: Some(kind.into()),
        type_name: (kind == Type::Message).then(|| ".M".to_owned()),
        ..FieldDescriptorProto::default()
    };
    let message = DescriptorProto {
        name: Some("M".to_owned()),
        field: vec![
            field("name", 1, Label::Required, Type::String),
            field("inner", 2, Label::Optional, Type::Message),
            field("list", 3, Label::Repeated, Type::Message),
        ],
        ..DescriptorProto::default()
    };
    let file = FileDescriptorProto {
        name: Some("m.proto".to_owned()),
        message_type: vec![message],
        ..FileDescriptorProto::default()
    };
    let pool = DescriptorPool::from_file_descriptor_set(FileDescriptorSet { file: vec![file] }).unwrap();
    pool.get_message_by_name("M").unwrap()
}

#[test]
fn required_fields_must_be_there() {
    let kind = kind();
    for (value, expected) in [
        (value!({ "name": "" }), None),
        (value!({ "name": "a", "inner": { "name": "b" }, "list": [{ "name": "c" }] }), None),
        (value!({}), Some("name")),
        (value!({ "name": null }), Some("name")),
        (value!({ "name": "a", "inner": {} }), Some("inner.name")),
        (value!({ "name": "a", "list": [{ "name": "b" }, { "inner": { "name": "c" } }] }), Some("list.name")),
    ] {
        let message = request(&kind, &value).err();
        assert_eq!(message, expected.map(|missing| format!("the field `{missing}` is missing")), "{value}");
    }
}
