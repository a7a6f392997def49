//! Codes E06, W06: names and types of the generated code.

super::codes! {
    E0601 task_names_collide: "two task keys map to one Rust method", r#"
Every task key becomes a method of the generated `Tasks` trait, in snake case. Two keys that differ only in letter case or
punctuation, such as `charge-card` and `ChargeCard`, would share one. Bind one of them to a method of your choice. A method in
the place of a function of a composition, `functions: { "price" => self.price }`, needs a name that no action's method has.

Bad:
```rust
include_workflow!("order.asl.json");
```
Good:
```rust
include_workflow!("order.asl.json", tasks: { "charge-card" => charge_card_v2 });
```
"#;
    E0602 unknown_task: "a binding names a task that the definition does not have", r#"
`tasks` binds tasks by their key (the function name of a Lambda ARN, `service:action` of an integration, the name of an
activity) or by the name of the state that invokes them. This one is neither.

Bad, where the resource is `arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard`:
```rust
include_workflow!("order.asl.json", tasks: { "chargeCard" => charge(Order) -> Receipt });
```
Good:
```rust
include_workflow!("order.asl.json", tasks: { "ChargeCard" => charge(Order) -> Receipt });
```
"#;
    E0603 conflicting_binding: "a method is bound with two different signatures", r#"
Two bindings name the same method with different input or result types. One method has one signature. A function that
`functions` replaces by a method has one method, too: `tasks`, which gives it types, names the same.

Bad:
```rust
include_workflow!("order.asl.json", tasks: { "Charge" => pay(Order), "Refund" => pay(Receipt) });
```
Good:
```rust
include_workflow!("order.asl.json", tasks: { "Charge" => charge(Order), "Refund" => refund(Receipt) });
```
"#;
    E0604 invalid_binding: "a binding is not Rust", r#"
A binding names a method of the generated `Tasks` trait, and types of the program around. This one is no identifier of
Rust, or no type, or a reference where data is to be read into it: nothing could lend the data. What stands in the place of a
function is a path, a closure, or `self` and the name of one method.

Bad, in a build script:
```rust
build().task("ChargeCard", "charge-card", Some("Vec<Order"), None)
```
Good:
```rust
build().task("ChargeCard", "charge_card", Some("Vec<Order>"), None)
```
"#;
    E0605 unknown_function: "a binding names a state that runs no function", r#"
`functions` puts a function of the program in the place of one that the definition carries, by the name of the state that runs
it. There is no such state, or it runs none.

Bad:
```rust
include_workflow!("flow.composer.json", functions: { "no_such_state" => crate::discount });
```
Good:
```rust
include_workflow!("flow.composer.json", functions: { "function_1" => crate::discount });
```
"#;
    E0606 correlation_binding: "a correlation value is bound to what it cannot be read from", r#"
`correlate` binds the value by which events are told to be for an execution to a path of its input. The attribute is one that
events of the definition correlate by, and there is one for all of them; the path leads to one value, which the input can have.

Bad:
```rust
include_workflow!("visit.sw.json", correlate: { patient = "$.patients[*].id" });
```
Good:
```rust
include_workflow!("visit.sw.json", correlate: { patient = "$.patient.id" });
```
"#;
}
