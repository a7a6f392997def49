//! Codes WF06xx: names and types of the generated code.

super::codes! {
    error WF0601 task_names_collide: "two task keys map to one Rust method", r#"
Every task key becomes a method of the generated `Tasks` trait, in snake case. Two keys that differ only in letter case
or punctuation, such as `charge-card` and `ChargeCard`, would become the same method. Bind one of them to another method
name. A method that replaces a function of a composition, `functions: { "price" => self.price }`, needs a name that no
method of an action has.

Bad:
```rust
include_workflow!("order.asl.json");
```
Good:
```rust
include_workflow!("order.asl.json", tasks: { "charge-card" => charge_card_v2 });
```
"#;
    error WF0602 unknown_task: "a binding names an unknown task", r#"
`tasks` binds a task by its key or by the name of the state that invokes it. The key is the function name of a Lambda
ARN, `service:action` of an integration, or the name of an activity. This name is neither a key nor a state.

Bad, where the resource is `arn:aws:lambda:eu-west-1:123456789012:function:ChargeCard`:
```rust
include_workflow!("order.asl.json", tasks: { "chargeCard" => charge(Order) -> Receipt });
```
Good:
```rust
include_workflow!("order.asl.json", tasks: { "ChargeCard" => charge(Order) -> Receipt });
```
"#;
    error WF0603 conflicting_binding: "a method is bound with two different signatures", r#"
Two bindings name the same method with different input or result types, but a method has one signature. If `functions`
replaces a function by a method, and `tasks` declares types for it, both must name the same method.

Bad:
```rust
include_workflow!("order.asl.json", tasks: { "Charge" => pay(Order), "Refund" => pay(Receipt) });
```
Good:
```rust
include_workflow!("order.asl.json", tasks: { "Charge" => charge(Order), "Refund" => refund(Receipt) });
```
"#;
    error WF0604 invalid_binding: "invalid binding", r#"
A binding names a method of the generated `Tasks` trait, and types that the program can name. This one is not a Rust
identifier, not a type, or a type that borrows its data: a task receives data from which nothing can be borrowed. The
replacement of a function is a path, a closure, or `self` and the name of one method. A task key or state can be bound
only once.

Bad, in a build script:
```rust
build().task("ChargeCard", "charge_card(&Order)")
```
Good:
```rust
build().task("ChargeCard", "charge_card(Order)")
```
"#;
    error WF0605 unknown_function: "a binding names a state that does not run a function", r#"
`functions` replaces a function of the definition by a function of the program. The key is the name of the state that
runs the function. The definition has no state of this name, or the state runs no function.

Bad:
```rust
include_workflow!("flow.composer.json", functions: { "no_such_state" => crate::discount });
```
Good:
```rust
include_workflow!("flow.composer.json", functions: { "function_1" => crate::discount });
```
"#;
    error WF0606 correlation_binding: "invalid binding of a correlation key", r#"
`correlate` binds an attribute to a path of the input, from which the execution's correlation key is read. Events of the
definition must correlate by the attribute, and only one attribute can be bound. The path must select exactly one value
that the input can have.

Bad:
```rust
include_workflow!("visit.sw.json", correlate: { patient = "$.patients[*].id" });
```
Good:
```rust
include_workflow!("visit.sw.json", correlate: { patient = "$.patient.id" });
```
"#;
    warning WF0651 unused_substitution: "a substitution has no placeholder", r#"
The options give a value to a placeholder that no text of the definition contains, so that the value has no effect. The
name is probably misspelt. Of several versions of a definition, one has to contain the placeholder. Names in
`workflow.toml` are not reported, because the definitions of a folder share that file.

Bad, where the definition contains `${Stage}`:
```rust
include_workflow!("order.asl.json", substitutions: { "Stag" => "prod" });
```
Good:
```rust
include_workflow!("order.asl.json", substitutions: { "Stage" => "prod" });
```
"#;
}
