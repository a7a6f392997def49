//! Codes WF13xx: expressions of SpEL.

super::codes! {
    error WF1301 spel_syntax: "invalid SpEL", r#"
An expression consists of values and operators. Values are paths from `$`, names of the data, numbers, strings in
quotes, `true`, `false` and `null`. The operators are `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `matches`, `and`, `or`, `not`,
`+`, `-`, `*`, `/`, `%`, `? :` and `?:`. Write a quote inside a string twice. Comparisons cannot be chained.

Bad: `$.status === 'done'`, `$.count > 0 & $.open`, `1 lt $.count lt 5`

Good: `$.status eq 'done'`, `$.count gt 0 and $.open`, `1 lt $.count and $.count lt 5`
"#;
    error WF1302 spel_not_supported: "unsupported SpEL construct", r#"
Expressions test JSON data. Constructs for Java classes and beans are not supported, and neither are constructs with
side effects: `T(…)`, `new`, `instanceof`, beans, assignment, `++` and maps. Selections, projections, `between` and `^`
are not supported either. Use paths with filters to select, and a task for any other computation.

Bad: `T(java.lang.Math).abs($.n) gt 1`, `items.?[price gt 10].size() gt 0`

Good: `$.n gt 1 or $.n lt -1`, `$.items[?(@.price > 10)].size() gt 0`
"#;
    error WF1303 spel_name: "unknown method, function or variable in SpEL", r#"
Values have the methods `isEmpty()`, `size()`, `length()`, `contains(…)`, `startsWith(…)`, `endsWith(…)`,
`toLowerCase()` and `toUpperCase()`. The only function is `#jsonPath(value, 'path')`. The variables are `#root` and the
variables that the dialect provides. Members of the data have no `#`.

Bad: `$.name.trim() eq 'Ada'`, `#orders.size() gt 0`

Good: `$.name.startsWith('Ada')`, `orders.size() gt 0`
"#;
    error WF1304 spel_type: "the operands of an operator or a method have the wrong types", r#"
The operator, the method or the condition always refuses a value of this type, or the two compared values can never be
equal. A condition is a boolean. A path that can select several values returns an array.

Bad: `$.items.size()` as a condition, `not $.status eq 'done'`, `$..user.title eq 'MANAGER'`

Good: `$.items.size() gt 0`, `not ($.status eq 'done')`, `#jsonPath(#root, '$..user.title') eq 'MANAGER'`
"#;
    error WF1305 spel_pattern: "a regular expression of `matches` is not valid", r#"
The pattern has a syntax error, or is too large. A pattern must match the whole text. Look-around and back-references
are not supported.

Bad: `$.id matches '[A-'`, `$.id matches '(\w{100}){100}'`

Good: `$.id matches '[A-Z]+-[0-9]+'`
"#;
}
