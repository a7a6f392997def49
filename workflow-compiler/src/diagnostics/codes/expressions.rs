//! Codes E03, W03, N03: expressions (paths, intrinsic functions, templates).

super::codes! {
    E0301 path_syntax: "a path is not valid JSONPath",
"A path starts with `$` and goes on in steps: `.name`, `['any name']`, `[0]`, `[-1]`, `[1:3]`, `[*]`, `..name`,
`[?(@.price > 10)]`. Names with blanks, brackets or quotes are written in brackets and quotes.

Bad: `$.order items`, `order.items`, `$.items[first]`

Good: `$['order items']`, `$.order.items`, `$.items['first']`";

    E0302 not_a_reference_path: "a path can lead to several places where one place is needed",
"Some fields name one place in the data, to read or to write it. They take reference paths: names and single positions
only, without `*`, `..`, `,`, slices and filters.

Bad: `\"ResultPath\": \"$.items[*].price\"`

Good: `\"ResultPath\": \"$.prices\"`";

    E0303 path_function: "a function in a filter is unknown or used wrongly",
"Filters know five functions. `length(value)`, `count(path)` and `value(path)` yield a value, which is to be compared with
something; `match(value, 'pattern')` and `search(value, 'pattern')` say yes or no, and stand alone.

Bad: `$.orders[?length(@.items)]`, `$.orders[?match(@.id, 'A.*') == true]`

Good: `$.orders[?length(@.items) > 0]`, `$.orders[?match(@.id, 'A.*')]`";

    E0304 path_pattern: "a regular expression in a filter is not valid",
"The pattern of `match`, `search` or `=~` cannot be read, or is too large. Look-around and back references are not supported.

Bad: `$.orders[?(@.id =~ /[A-/)]`

Good: `$.orders[?(@.id =~ /[A-Z]+/)]`";

    E0305 path_not_supported: "a path uses something of Jayway's JsonPath that is not supported",
"Of the functions that Jayway's JsonPath can call at the end of a path, only `.length()` is supported, and of its scripts
only those that count from the end. Intrinsic functions do the rest.

Bad: `$.prices.max()`, `$.items[(@.first)]`

Good: `$.prices.length()`, `$.items[(@.length-1)]`";

    E0306 path_root: "a path starts from something that is not allowed here",
"Where a field writes to the data, its path starts from the document, `$`: neither from the context object, `$$`, nor from
a variable, `$name`. A path in a filter starts from the value under test, `@`, or from `$`.

Bad: `\"ResultPath\": \"$$.Execution.Result\"`

Good: `\"ResultPath\": \"$.result\"`";

    E0310 intrinsic_syntax: "an intrinsic function is not written correctly",
"An intrinsic function is a name, followed at once by its arguments in parentheses, separated by commas. Arguments are
paths, strings in single quotes, numbers, `true`, `false`, `null`, and other intrinsic functions. Nothing stands before it.

Bad: `States.Format ('{}', $.name)`, `States.Array(1, 2`, `States.Array(\"a\")`

Good: `States.Format('{}', $.name)`, `States.Array(1, 2)`, `States.Array('a')`";

    E0311 unknown_intrinsic: "there is no intrinsic function of this name",
"The intrinsic functions are `States.Array`, `States.ArrayContains`, `States.ArrayGetItem`, `States.ArrayLength`,
`States.ArrayPartition`, `States.ArrayRange`, `States.ArrayUnique`, `States.Base64Decode`, `States.Base64Encode`,
`States.Format`, `States.Hash`, `States.JsonMerge`, `States.JsonToString`, `States.MathAdd`, `States.MathRandom`,
`States.StringSplit`, `States.StringToJson` and `States.UUID`.

Bad: `States.JsonParse($.text)`

Good: `States.StringToJson($.text)`";

    E0312 intrinsic_arguments: "an intrinsic function is given too many or too few arguments",
"Every intrinsic function but `States.Array` and `States.Format` takes a fixed number of arguments.

Bad: `States.MathAdd($.count)`

Good: `States.MathAdd($.count, 1)`";

    E0313 intrinsic_argument_type: "an intrinsic function is given an argument of the wrong kind",
"A constant argument, or the result of a nested function, is of a kind that the function always refuses when it runs.

Bad: `States.ArrayLength('abc')`, `States.Hash($.id, 'SHA256')`

Good: `States.ArrayLength($.items)`, `States.Hash($.id, 'SHA-256')`";

    E0314 format_template: "the template of States.Format does not fit its arguments",
"Each `{}` in the template stands for one argument after it. A brace that is meant as itself is escaped by a backslash,
which JSON writes as two.

Bad: `States.Format('{} of {}', $.part)`, `States.Format('{name}', $.name)`

Good: `States.Format('{} of {}', $.part, $.whole)`, `States.Format('\\\\{name\\\\}: {}', $.name)`";

    E0315 intrinsic_escape: "an escape in a string of an intrinsic function is not known",
"In strings of intrinsic functions a backslash stands only before `'`, `{`, `}` and another backslash. JSON writes every
backslash as two.

Bad: `States.Format('say \\\\\"{}\\\\\"', $.word)`

Good: `States.Format('say \"{}\"', $.word)`, where JSON writes each quotation mark as `\\\"`";

    E0320 template_value: "the value of a field whose name ends in `.$` is neither a path nor an intrinsic function",
"A field of a payload template whose name ends in `.$` takes a string: a path, which starts with `$`, or an intrinsic
function, which starts with `States.`. A constant is written without the `.$`.

Bad: `\"name.$\": \"Ada\"`

Good: `\"name\": \"Ada\"`, `\"name.$\": \"$.name\"`";

    E0321 template_field_twice: "two fields of a payload template have the same name without `.$`",
"The `.$` at the end of a name is taken off, so `name` and `name.$` are the same field.

Bad: `\"name\": \"Ada\", \"name.$\": \"$.name\"`

Good: `\"name\": \"Ada\", \"fullName.$\": \"$.name\"`";

    E0330 javascript_syntax: "a function is not valid JavaScript",
"Functions of a composition are expressions of JavaScript in strict mode. They become Rust when the workflow is compiled,
so that a mistake is found then, not when the state is reached.

Bad: `params => { return params.n + }`

Good: `params => { return params.n + 1 }`";

    E0332 untranslated_function: "a function cannot be translated to Rust",
"What functions of compositions do is translated to Rust when the workflow is compiled. This one uses a part of JavaScript that
is not translated. Write it another way; or put a function of the program in its place, by `functions` of the macro or the
build script; or turn on the feature `javascript`, with which the program has an engine that such functions run on.

Bad, without the feature: `({ text }) => text.replace(/a+/g, 'a')`

Good: `({ text }) => text.split('aa').join('a')`";

    E0340 jq_syntax: "an expression is not valid jq",
"Expressions are jq 1.8. Strings stand in double quotes, arguments are separated by `;`, and comparisons and assignments do
not follow each other without parentheses.

Bad: `.orders[?(@.total > 10)]`, `.name == 'Ada'`, `.a && .b`

Good: `.orders[] | select(.total > 10)`, `.name == \"Ada\"`, `.a and .b`";

    E0341 jq_function: "a jq expression calls a function that there is not",
"The function is unknown, or takes another number of arguments. A name with a hyphen has to be quoted, for `-` subtracts.

Bad: `.name | upcase`, `test(\"a\", \"i\")`, `.some-fruits`

Good: `.name | ascii_upcase`, `test(\"a\"; \"i\")`, `.\"some-fruits\"`";

    E0342 jq_variable: "a jq expression uses a variable or label that there is not",
"Variables are those that the definition language gives, and those that the expression binds itself with `… as $name | …`.
`break` leaves a `label` that stands around it.

Bad: `.total + $valeu`, where the variable is `$value`

Good: `.total + $value`";

    E0343 jq_not_available: "a jq expression uses something that workflows do not have",
"An expression computes a value of its input and its variables, and of nothing else: it has no other inputs, no environment,
no output, and cannot end the program.

Bad: `env.HOME`, `input`, `debug`, `halt`

Good: `.home`, `.`, `error(\"no home\")`";

    E0344 jq_recursion: "a function of a jq expression calls itself",
"An expression must come to its end, whatever the data. What is nested is walked by `recurse`, `..`, `walk` and `paths`; loops are
`until`, `while`, `reduce` and `foreach`.

Bad: `def depth: if type == \"array\" then 1 + (map(depth) | max) else 0 end; depth`

Good: `[paths | length] | max`";

    E0345 untranslated_expression: "a jq expression cannot be translated to Rust",
"Expressions are translated to Rust when the workflow is compiled. This one uses a part of jq that is not translated. Write it
another way; or turn on the feature `jq-engine`, with which the program has an engine that such expressions run on.

Bad, without the feature: `path(foreach .keys[] as $key (.; .[$key]))`

Good: `reduce .keys[] as $key (.; .[$key])`";

    W0301 bare_word: "a word in a comparison is not in quotes",
"The word is taken for a string, as AWS Step Functions takes it. Other readers of JSONPath refuse it.

Bad: `$.translations[?(@.code==es)]`

Good: `$.translations[?(@.code=='es')]`";

    W0302 blanks_after_path: "blanks follow a path",
"They are ignored.

Bad: `\"name.$\": \"$.name \"`

Good: `\"name.$\": \"$.name\"`";

    W0303 missing_argument_comma: "a comma is missing between the arguments of an intrinsic function",
"The arguments are taken to be several, as AWS's editor takes them. Other readers refuse it.

Bad: `States.Format($.template $.name)`

Good: `States.Format($.template, $.name)`";

    W0330 undeclared_name: "a function uses a name that nothing declares",
"A function sees its parameters and locals, the Let variables around its state, and what is built into JavaScript. Any
other name is a ReferenceError when it is reached: the document becomes an error object. `typeof name` can be asked of any
name, and is not reported.

Bad: `() => ({ greeting: 'Hello ' + nmae })`, where the variable is `name`

Good: `() => ({ greeting: 'Hello ' + name })`";

    W0331 not_a_function: "a function task holds something that is not a function",
"The text must be an arrow function or a function expression. It is given the document of the state, and what it returns
is the next document. What is no function is a TypeError when the state is reached, as in JavaScript.

Bad: `{ value: 42 }`, `params.n + 1`

Good: `() => ({ value: 42 })`, `params => params.n + 1`, `function next({ n }) { return n + 1 }`";

    N0330 engine_function: "a function runs on a JavaScript engine",
"The function uses a part of JavaScript that is not translated to Rust. With the feature `javascript` it runs on QuickJS, in a
context of its own: some ten microseconds a kilobyte of parameters, where what is translated takes nanoseconds.

Bad: `({ text }) => text.replace(/a+/g, 'a')`

Good: `({ text }) => text.split('aa').join('a')`";

    N0340 engine_expression: "a jq expression runs on an engine",
"The expression uses a part of jq that is not translated to Rust. With the feature `jq-engine` of the runtime an interpreter runs
it: some microseconds, where what is translated takes nanoseconds.

Bad: `path(foreach .keys[] as $key (.; .[$key]))`

Good: `reduce .keys[] as $key (.; .[$key])`";
}
