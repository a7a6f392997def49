//! Codes WF16xx: expressions of CEL.

super::codes! {
    error WF1601 cel_syntax: "invalid CEL", r#"
An expression consists of values and operators. Values are members of the data by name, numbers, strings in quotes,
`true`, `false`, `null`, lists and maps. The operators are `==`, `!=`, `<`, `<=`, `>`, `>=`, `in`, `&&`, `||`, `!`, `+`,
`-`, `*`, `/`, `%` and `? :`. An expression has at most 8,192 bytes and 64 levels of nesting.

Bad: `$.status = 'done'`, `count > 0 and open`, `has(order)`

Good: `status == 'done'`, `count > 0 && open`, `has(stateOutputData.order)`
"#;
    error WF1602 cel_name: "unknown function, macro or type in CEL", r#"
The functions are those of the CEL standard: `size`, `matches`, `contains`, `startsWith`, `endsWith`, `type` and `dyn`;
the conversions `bool`, `bytes`, `double`, `duration`, `int`, `string`, `timestamp` and `uint`; and accessors of
timestamps and durations, such as `getFullYear`. The macros are `has`, `all`, `exists`, `exists_one`, `filter` and
`map`. There are no message types.

Bad: `status.toLowerCase() == 'done'`, `contains(status, 'do')`, `Order{total: 1}.total > 0`

Good: `status.matches('(?i)^done$')`, `status.contains('do')`, `{'total': 1}.total > 0`
"#;
    error WF1603 cel_type: "the operands of an operator have the wrong types", r#"
The operator or the condition always refuses a value of this type, or the two compared values can never be equal. A
condition is a boolean. Arithmetic takes two numbers of the same type: whole numbers of the data have the type `int`,
all others the type `double`.

Bad: `size(items)`, `size(items) == '3'`, `size(items) * 1.5 > 2.0`

Good: `size(items) > 0`, `size(items) == 3`, `double(size(items)) * 1.5 > 2.0`
"#;
    error WF1604 cel_pattern: "a regular expression of `matches` is not valid", r#"
The pattern has a syntax error, or is too large. A pattern may match any part of the text. Look-around and
back-references are not supported.

Bad: `id.matches('[A-')`

Good: `id.matches('^[A-Z]+-[0-9]+$')`
"#;
}
