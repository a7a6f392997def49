//! Tests of lookup, pruning and hashing.

use super::{Found, find, folder};
use protox::prost::Message;
use protox::prost_reflect::prost_types::FileDescriptorSet;
use protox::prost_reflect::{DescriptorPool, MethodDescriptor};

const BANK: &str = r#"
syntax = "proto3";
package acme.v1;

import "google/protobuf/timestamp.proto";
import "google/protobuf/descriptor.proto";
import "common/money.proto";

extend google.protobuf.FieldOptions { Unused note = 50001; }

// A comment.
message ChargeRequest {
  string account = 1 [(note).text = "whose"];
  common.Money amount = 2;
  map<string, Tag> tags = 3;
  oneof when { google.protobuf.Timestamp at = 4; bool now = 5; }
  optional int32 tries = 6;
  Outer.Inner inner = 7;
  repeated int32 numbers = 8 [packed = false];
}
message Tag { repeated Tag children = 1; }
message Outer {
  string unused = 1;
  message Inner { Kind kind = 1; }
  message Other { }
  enum Kind { option allow_alias = true; NONE = 0; NOTHING = 0; }
}
message Receipt { string id = 1; }
message Unused { string text = 1; }
service Other { rpc Charge(Unused) returns (Unused); }
service Bank {
  option deprecated = true;
  rpc Charge(ChargeRequest) returns (Receipt);
  rpc Refund(Receipt) returns (Receipt) { option deprecated = true; }
  rpc Watch(Receipt) returns (stream Receipt);
  rpc Upload(stream Receipt) returns (Receipt);
  rpc Talk(stream Receipt) returns (stream Receipt);
}
"#;
const MONEY: &str = "syntax = \"proto3\"; package common;\nimport public \"common/currency.proto\";
message Money { int64 units = 1; Currency currency = 2; }\nmessage Rate { double value = 1; }";
const CURRENCY: &str = "syntax = \"proto3\"; package common; enum Currency { NONE = 0; EUR = 1; }";

fn bank() -> super::Folder {
    folder(&[
        ("protos/acme/bank.proto", BANK),
        ("protos/common/money.proto", MONEY),
        ("protos/common/currency.proto", CURRENCY),
    ])
}

const CHARGE: &str = "protos/acme/bank.proto#acme.v1.Bank/Charge";

fn pruned(found: &Found) -> (FileDescriptorSet, MethodDescriptor) {
    let rpc = &found.method().rpc;
    let set = FileDescriptorSet::decode(&rpc.descriptors[..]).expect("it is one");
    let pool = DescriptorPool::from_file_descriptor_set(set.clone()).expect("it is complete");
    let service = pool.get_service_by_name(&rpc.service).expect("it is there");
    assert_eq!((pool.services().count(), service.methods().count()), (1, 1));
    let method = service.methods().next().expect("it is there");
    assert_eq!(method.name(), rpc.method);
    (set, method)
}

#[test]
fn a_method_has_what_it_needs_and_nothing_else() {
    let found = find(&bank(), &[CHARGE]);
    assert_eq!(found.method().rpc.service, "acme.v1.Bank");
    assert_eq!(found.inputs, ["protos/acme/bank.proto", "protos/common/currency.proto", "protos/common/money.proto"]);
    let (set, method) = pruned(&found);
    let files: Vec<&str> = set.file.iter().map(|file| file.name()).collect();
    assert_eq!(files, ["google/protobuf/timestamp.proto", "common/currency.proto", "common/money.proto", "bank.proto"]);
    let pool = method.parent_pool();
    let messages: Vec<String> = pool.all_messages().map(|message| message.full_name().to_owned()).collect();
    let mut expected = [
        "google.protobuf.Timestamp",
        "common.Money",
        "acme.v1.ChargeRequest",
        "acme.v1.ChargeRequest.TagsEntry",
        "acme.v1.Tag",
        "acme.v1.Outer",
        "acme.v1.Outer.Inner",
        "acme.v1.Receipt",
    ];
    expected.sort_unstable();
    let mut sorted = messages;
    sorted.sort_unstable();
    assert_eq!(sorted, expected);
    let request = method.input();
    assert!(request.get_field_by_name("tags").is_some_and(|field| field.is_map()));
    assert!(request.get_field_by_name("tries").is_some_and(|field| field.supports_presence()));
    assert!(request.get_field_by_name("numbers").is_some_and(|field| !field.is_packed()));
    assert_eq!(request.oneofs().filter(|oneof| !oneof.is_synthetic()).count(), 1);
    assert_eq!(pool.get_message_by_name("acme.v1.Outer").map(|outer| outer.fields().count()), Some(0));
    assert!(pool.get_enum_by_name("acme.v1.Outer.Kind").is_some_and(|kind| kind.values().count() == 2));
    let text = String::from_utf8_lossy(&found.method().rpc.descriptors).into_owned();
    assert!(!text.contains("comment") && !text.contains("whose") && !text.contains("unused"));
}

#[test]
fn what_can_hold_any_message_has_all_of_them() {
    let any = "syntax = \"proto3\"; import \"google/protobuf/any.proto\"; message Held { int32 a = 1; }
        message Holder { google.protobuf.Any held = 1; } service S { rpc M(Holder) returns (Holder); }";
    let found = find(&folder(&[("a.proto", any)]), &["a.proto#S/M"]);
    let (_, method) = pruned(&found);
    assert!(method.parent_pool().get_message_by_name("Held").is_some());
}

#[test]
fn only_what_a_method_means_is_hashed() {
    let hash = |text: &str| {
        let mut files = bank();
        files.insert("protos/acme/bank.proto".to_owned(), text.as_bytes().to_vec());
        let found = find(&files, &[CHARGE]);
        found.method();
        found.hash
    };
    assert_eq!(hash(BANK), hash(&BANK.replace("// A comment.", "\n\n// Another one.")));
    assert_eq!(hash(BANK), hash(&BANK.replace("returns (stream Receipt);", "returns (Receipt);")));
    assert_ne!(hash(BANK), hash(&BANK.replace("bool now = 5", "bool now = 9")));
}

#[test]
fn descriptor_sets_are_read() {
    let compiled = find(&bank(), &[CHARGE]);
    let set = compiled.method().rpc.descriptors.clone();
    let with = |set: &[u8]| find(&folder(&[("bank.binpb", set)]), &["bank.binpb#acme.v1.Bank/Charge"]);
    let found = with(&set);
    assert_eq!(found.method().rpc, compiled.method().rpc);
    assert_eq!(found.inputs, ["bank.binpb"]);
    // `protoc` omits well-known files unless asked to include them; some tools always omit them.
    let mut files = FileDescriptorSet::decode(&set[..]).expect("it is one");
    files.file.retain(|file| !file.name().starts_with("google/"));
    assert!(with(&files.encode_to_vec()).method().rpc.service == "acme.v1.Bank");
    files.file.retain(|file| file.name() == "bank.proto");
    let diagnostics = with(&files.encode_to_vec()).diagnostics();
    assert!(
        diagnostics[0].starts_with("WF1001 flow.json:1:1 bank.binpb: invalid descriptor set `bank.binpb`: "),
        "{diagnostics:?}"
    );
    assert!(diagnostics[0].ends_with("| create it with `--include_imports`, so that it contains all imported files"));
    for broken in [&b"{\"file\": []}"[..], b"", &set[..set.len() - 3]] {
        let diagnostics = with(broken).diagnostics();
        assert!(
            diagnostics[0].starts_with("WF1001 flow.json:1:1 bank.binpb: `bank.binpb` is not a descriptor set |"),
            "{diagnostics:?}"
        );
    }
}

/// Removes the well-known files, which several files of the set import and which import each
/// other.
#[test]
fn what_comes_with_the_compiler_is_added_to_descriptor_sets_once() {
    let a = "syntax = \"proto3\"; import \"b.proto\"; import \"google/protobuf/any.proto\"; import \"google/protobuf/type.proto\";
        message A { google.protobuf.Any any = 1; google.protobuf.Type type = 2; B b = 3; } service S { rpc M(A) returns (A); }";
    let b = "syntax = \"proto3\"; import \"google/protobuf/any.proto\"; import \"google/protobuf/api.proto\";
        message B { google.protobuf.Any any = 1; google.protobuf.Api api = 2; }";
    let compiled = find(&folder(&[("a.proto", a), ("b.proto", b)]), &["a.proto#S/M"]);
    let mut set = FileDescriptorSet::decode(&compiled.method().rpc.descriptors[..]).expect("it is one");
    set.file.retain(|file| !file.name().starts_with("google/"));
    assert_eq!(set.file.len(), 2);
    let found = find(&folder(&[("a.binpb", set.encode_to_vec())]), &["a.binpb#S/M"]);
    let (_, method) = pruned(&found);
    assert!(method.parent_pool().get_message_by_name("google.protobuf.SourceContext").is_some());
    // In concatenated sets, files occur twice.
    let whole = compiled.method().rpc.descriptors.clone();
    let found = find(&folder(&[("a.binpb", [whole.clone(), whole].concat())]), &["a.binpb#S/M"]);
    assert_eq!(found.method().rpc.descriptors, compiled.method().rpc.descriptors);
}

#[test]
fn unknown_names_are_reported_with_those_that_were_meant() {
    for (operation, expected) in [
        (
            "Bank/Charge",
            "1:24 Bank: the file `protos/acme/bank.proto` has no service `Bank` | did you mean `acme.v1.Bank`?",
        ),
        (
            "acme.v2.bank/Charge",
            "1:24 acme.v2.bank: the file `protos/acme/bank.proto` has no service `acme.v2.bank` | did you mean `acme.v1.Bank`?",
        ),
        (
            "acme.v1.Bnk/Charge",
            "1:24 acme.v1.Bnk: the file `protos/acme/bank.proto` has no service `acme.v1.Bnk` | did you mean `acme.v1.Bank`?",
        ),
        (
            "Shop/Charge",
            "1:24 Shop: the file `protos/acme/bank.proto` has no service `Shop` | its services are `acme.v1.Other` and `acme.v1.Bank`",
        ),
        (
            "acme.v1.Bank/charge",
            "1:37 charge: the service `acme.v1.Bank` has no method `charge` | did you mean `Charge`?",
        ),
        (
            "acme.v1.Bank/Send",
            "1:37 Send: the service `acme.v1.Bank` has no method `Send` | its methods are `Charge`, `Refund`, `Watch`, `Upload` and `Talk`",
        ),
    ] {
        let found = find(&bank(), &[&format!("protos/acme/bank.proto#{operation}")]);
        assert_eq!(found.diagnostics(), [format!("WF1002 flow.json:{expected}")]);
    }
    let found = find(&folder(&[("a.proto", MONEY), ("common/currency.proto", CURRENCY)]), &["a.proto#S/M"]);
    let help = "neither the file nor its imports define a service";
    assert_eq!(
        found.diagnostics(),
        [format!("WF1002 flow.json:1:9 S: the file `a.proto` has no service `S` | {help}")]
    );
}

#[test]
fn methods_that_stream_are_refused() {
    for (method, what) in [
        ("Watch", "returns a stream"),
        ("Upload", "takes a stream of requests"),
        ("Talk", "takes a stream of requests and returns a stream"),
    ] {
        let found = find(&bank(), &[&format!("protos/acme/bank.proto#acme.v1.Bank/{method}")]);
        let start = format!("WF1003 flow.json:1:37 {method}: the method `{method}` {what} and cannot be called |");
        assert!(found.diagnostics()[0].starts_with(&start), "{:?}", found.diagnostics());
    }
}

#[test]
fn errors_are_reported_where_they_are() {
    for (text, expected) in [
        ("message A { int32 x = ; }", "a.proto:1:23 ;: expected an integer, but found `;`"),
        ("message A { ", "a.proto:1:13 : expected a message field"),
        ("syntax = \"proto4\";", "a.proto:1:10 \"proto4\": unknown syntax `proto4`"),
        ("edition = \"2023\";", "a.proto:1:1 edition: editions of Protocol Buffers are not supported"),
        ("syntax = \"proto3\"; message A { B x = 1; }", "a.proto:1:32 B: name `B` is not defined"),
        ("syntax = \"proto3\";\nmessage A { int32 x = 1; int32 y = 1; }", "a.proto:2:36 1: "),
        (
            "syntax = \"proto3\"; import \"b.proto\";",
            "a.proto:1:20 import \"b.proto\";: the imported file `b.proto` cannot be read",
        ),
        ("syntax = \"proto3\"; import \"../b.proto\";", "a.proto:1:27 \"../b.proto\": invalid"),
        (
            "syntax = \"proto3\"; import \"a.proto\";",
            "flow.json:1:1 a.proto: import cycle detected: a.proto -> a.proto",
        ),
        ("\u{feff}\u{0}", "a.proto:1:1 \u{feff}: "),
        (
            &format!("option a = {{ {}", "a { ".repeat(100_000)),
            "a.proto:1:268 {: brackets are nested more than 64 levels deep",
        ),
    ] {
        let found = find(&folder(&[("a.proto", text)]), &["a.proto#S/M", "a.proto#S/N"]);
        let diagnostics = found.diagnostics();
        assert_eq!(diagnostics.len(), 1, "{diagnostics:?}");
        assert!(diagnostics[0].starts_with(&format!("WF1001 {expected}")), "{expected}\n{diagnostics:?}");
    }
    let text = "syntax = \"proto3\"; message A { B x = 1; C y = 2; }";
    assert_eq!(find(&folder(&[("a.proto", text)]), &["a.proto#S/M"]).diagnostics().len(), 2);
    let files = folder(&[("p/a.proto", "syntax = \"proto3\"; import \"b.proto\";"), ("p/b.proto", "message {}")]);
    let diagnostics = find(&files, &["p/a.proto#S/M"]).diagnostics();
    assert!(diagnostics[0].starts_with("WF1001 p/b.proto:1:9 {: "), "{diagnostics:?}");
    assert!(
        find(&files, &["p/c.proto#S/M"]).diagnostics()[0]
            .starts_with("WF0420 flow.json:1:1 p/c.proto: the file `p/c.proto`")
    );
}

#[test]
fn imports_are_looked_for_outwards() {
    let a = "syntax = \"proto3\"; import \"b.proto\"; service S { rpc M(B) returns (B); }";
    let b = "syntax = \"proto3\"; message B { }";
    for (file, beside, found) in [
        ("a.proto", "b.proto", true),
        ("x/y/a.proto", "x/y/b.proto", true),
        ("x/y/a.proto", "x/b.proto", true),
        ("x/y/a.proto", "b.proto", true),
        ("file://x/a.proto", "b.proto", true),
        ("x/a.proto", "y/b.proto", false),
        ("../x/a.proto", "../b.proto", true),
        ("../x/a.proto", "b.proto", false),
        ("../../a.proto", "../b.proto", false),
    ] {
        let own = file.trim_start_matches("file://");
        let diagnostics = find(&folder(&[(own, a), (beside, b)]), &[&format!("{file}#S/M")]).diagnostics();
        assert_eq!(diagnostics.is_empty(), found, "{file} {beside}: {diagnostics:?}");
    }
    // The nearest folder takes precedence.
    let other = "syntax = \"proto3\"; message C { }";
    assert!(
        find(&folder(&[("x/a.proto", a), ("x/b.proto", b), ("b.proto", other)]), &["x/a.proto#S/M"])
            .diagnostics()
            .is_empty()
    );
    let diagnostics = find(&folder(&[("x/y/a.proto", a)]), &["x/y/a.proto#S/M"]).diagnostics();
    assert!(diagnostics[0].ends_with("| searched folders: `x/y/`, `x/`, the definition's folder"), "{diagnostics:?}");
}
