//! Codes E16: expressions of CEL.

super::codes! {
    E1601 cel_syntax: "an expression is not valid CEL", r#"
An expression is made of values and operators: members of the data by their names, numbers, texts in quotes, `true`, `false`, `null`, lists and
maps; `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `&&`, `||`, `!`, `+`, `-`, `*`, `/`, `%` and `? :`. It has 8,192 bytes at the most, and its parts
nest 64 levels deep.

Bad: `$.status = 'done'`, `count > 0 and open`, `has(order)`

Good: `status == 'done'`, `count > 0 && open`, `has(stateOutputData.order)`
"#;
    E1602 cel_name: "an expression uses a function, a macro or a type that there is not", r#"
The functions are those of the standard of CEL: `size`, `matches`, `contains`, `startsWith`, `endsWith`, `type`, `dyn`; `bool`, `bytes`, `double`,
`duration`, `int`, `string`, `timestamp` and `uint`, which convert; and parts of times and durations, such as `getFullYear`. The macros are `has`, `all`, `exists`,
`exists_one`, `filter` and `map`. There are no messages.

Bad: `status.toLowerCase() == 'done'`, `contains(status, 'do')`, `Order{total: 1}.total > 0`

Good: `status.matches('(?i)^done$')`, `status.contains('do')`, `{'total': 1}.total > 0`
"#;
    E1603 cel_type: "an operator of an expression never fits what it is given", r#"
What stands here is of a type that the operator or the condition always refuses, or that is never equal to the other one. A
condition is true or false. Arithmetic takes two numbers of one type: whole numbers of the data are of the type `int`, others of `double`.

Bad: `size(items)`, `size(items) == '3'`, `size(items) * 1.5 > 2.0`

Good: `size(items) > 0`, `size(items) == 3`, `double(size(items)) * 1.5 > 2.0`
"#;
    E1604 cel_pattern: "a regular expression of `matches` is not valid", r#"
The pattern cannot be read, or is too large. It matches a part of the text. Look-around and back references are not supported.

Bad: `id.matches('[A-')`

Good: `id.matches('^[A-Z]+-[0-9]+$')`
"#;
}
