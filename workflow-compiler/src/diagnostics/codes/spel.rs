//! Codes E13: expressions of SpEL.

super::codes! {
    E1301 spel_syntax: "an expression is not valid SpEL", r#"
An expression is made of values and operators: paths from `$`, names of the data, numbers, texts in quotes, `true`, `false` and
`null`; `eq`, `ne`, `lt`, `le`, `gt`, `ge`, `matches`, `and`, `or`, `not`, `+`, `-`, `*`, `/`, `%`, `? :` and `?:`. A quote in a
text is written twice. Comparisons do not follow each other.

Bad: `$.status === 'done'`, `$.count > 0 & $.open`, `1 lt $.count lt 5`

Good: `$.status eq 'done'`, `$.count gt 0 and $.open`, `1 lt $.count and $.count lt 5`
"#;
    E1302 spel_not_supported: "an expression uses a part of SpEL that there is not", r#"
Expressions test JSON data. What is for classes and beans of Java, or changes something, is not there: `T(…)`, `new`, `instanceof`,
beans, assignment, `++`, maps; nor are selections, projections, `between` and `^`. Paths with filters select, and what is left
can be worked out in a task.

Bad: `T(java.lang.Math).abs($.n) gt 1`, `items.?[price gt 10].size() gt 0`

Good: `$.n gt 1 or $.n lt -1`, `$.items[?(@.price > 10)].size() gt 0`
"#;
    E1303 spel_name: "an expression uses a method, a function or a variable that there is not", r#"
Values have the methods `isEmpty()`, `size()`, `length()`, `contains(…)`, `startsWith(…)`, `endsWith(…)`, `toLowerCase()` and
`toUpperCase()`. The only function is `#jsonPath(value, 'path')`. Variables are those that the definition language gives, and
`#root`; members of the data are written without `#`.

Bad: `$.name.trim() eq 'Ada'`, `#orders.size() gt 0`

Good: `$.name.startsWith('Ada')`, `orders.size() gt 0`
"#;
    E1304 spel_type: "an operator or a method of an expression never fits what it is given", r#"
What stands here is of a type that the operator, the method or the condition always refuses, or that is never equal to the other
one. A condition is true or false. A path that can lead to several values yields an array.

Bad: `$.items.size()` as a condition, `not $.status eq 'done'`, `$..user.title eq 'MANAGER'`

Good: `$.items.size() gt 0`, `not ($.status eq 'done')`, `#jsonPath(#root, '$..user.title') eq 'MANAGER'`
"#;
    E1305 spel_pattern: "a regular expression of `matches` is not valid", r#"
The pattern cannot be read, or is too large. It matches the whole text. Look-around and back references are not supported.

Bad: `$.id matches '[A-'`, `$.id matches '(\w{100}){100}'`

Good: `$.id matches '[A-Z]+-[0-9]+'`
"#;
}
