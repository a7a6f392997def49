//! Codes WF03xx: expressions (paths, intrinsic functions, templates).

super::codes! {
    error WF0301 path_syntax: "invalid JSONPath",
"A path starts with `$`, and continues with steps: `.name`, `['any name']`, `[0]`, `[-1]`, `[1:3]`, `[*]`, `..name`,
`[?(@.price > 10)]`. Write a name that contains spaces, brackets or quotes in brackets and quotes.

Bad: `$.order items`, `order.items`, `$.items[first]`

Good: `$['order items']`, `$.order.items`, `$.items['first']`";

    error WF0302 not_a_reference_path: "a path can select several values where one is required",
"Some fields name exactly one place in the data, to read or write it. They take reference paths, which consist of names
and single positions. A reference path has no `*`, `..`, `,`, slice or filter.

Bad: `\"ResultPath\": \"$.items[*].price\"`

Good: `\"ResultPath\": \"$.prices\"`";

    error WF0303 path_function: "a function in a filter is unknown or used wrongly",
"Filters have five functions. `length(value)`, `count(path)` and `value(path)` return a value, which the filter must
compare with something. `match(value, 'pattern')` and `search(value, 'pattern')` are tests by themselves, and cannot be
compared.

Bad: `$.orders[?length(@.items)]`, `$.orders[?match(@.id, 'A.*') == true]`

Good: `$.orders[?length(@.items) > 0]`, `$.orders[?match(@.id, 'A.*')]`";

    error WF0304 path_pattern: "a regular expression in a filter is not valid",
"The pattern of `match`, `search` or `=~` has a syntax error, or is too large. Look-around and back-references are not
supported.

Bad: `$.orders[?(@.id =~ /[A-/)]`

Good: `$.orders[?(@.id =~ /[A-Z]+/)]`";

    error WF0305 path_not_supported: "a path uses an unsupported feature of Jayway's JsonPath",
"Of the functions that Jayway's JsonPath has for the end of a path, only `.length()` is supported. Of its scripts, only
those that count from the end are supported. Use intrinsic functions for everything else.

Bad: `$.prices.max()`, `$.items[(@.first)]`

Good: `$.prices.length()`, `$.items[(@.length-1)]`";

    error WF0306 path_root: "a path has a root that is not allowed here",
"The path of a field that writes to the data starts from the document, `$`. It cannot start from the context object,
`$$`, or from a variable, `$name`. A path in a filter starts from the value under test, `@`, or from `$`.

Bad: `\"ResultPath\": \"$$.Execution.Result\"`

Good: `\"ResultPath\": \"$.result\"`";

    error WF0307 unknown_context_member: "a path selects a member that the context object does not have",
"The context object has the members `Execution` (`Id`, `Input`, `Name`, `RoleArn`, `StartTime`,
`RedriveCount`), `State` (`EnteredTime`, `Name`, `RetryCount`), `StateMachine` (`Id`, `Name`), `Task` (`Token`) and
`Map.Item` (`Index`, `Value`). Some exist at some places only: `Map` in the `ItemSelector` of a Map state and in the
states of its `ItemProcessor`, `Task` in tasks that wait for a token or a job, and `State.RetryCount` in Task, Parallel
and Map states. A path to any other member selects nothing, so that the state fails with `States.Runtime` in every run,
and nothing catches it. AWS accepts such a definition. `allow` turns this error into a warning.

Bad: `\"order.$\": \"$$.Map.Itm.Value\"`; `$$.Map.Item.Value` in a state outside of any Map state

Good: `\"order.$\": \"$$.Map.Item.Value\"`";

    error WF0310 intrinsic_syntax: "invalid intrinsic function",
"An intrinsic function is a name with its arguments in parentheses, separated by commas. Nothing precedes the name, and
no space separates the name from the parenthesis. Arguments are paths, strings in single quotes, numbers, `true`,
`false`, `null`, and other intrinsic functions.

Bad: `States.Format ('{}', $.name)`, `States.Array(1, 2`, `States.Array(\"a\")`

Good: `States.Format('{}', $.name)`, `States.Array(1, 2)`, `States.Array('a')`";

    error WF0311 unknown_intrinsic: "unknown intrinsic function",
"The intrinsic functions are `States.Array`, `States.ArrayContains`, `States.ArrayGetItem`, `States.ArrayLength`,
`States.ArrayPartition`, `States.ArrayRange`, `States.ArrayUnique`, `States.Base64Decode`, `States.Base64Encode`,
`States.Format`, `States.Hash`, `States.JsonMerge`, `States.JsonToString`, `States.MathAdd`, `States.MathRandom`,
`States.StringSplit`, `States.StringToJson` and `States.UUID`.

Bad: `States.JsonParse($.text)`

Good: `States.StringToJson($.text)`";

    error WF0312 intrinsic_arguments: "an intrinsic function has too many or too few arguments",
"`States.Array` takes any number of arguments, `States.Format` at least one, and `States.MathRandom` two or three.
`States.UUID` ignores its arguments. Other functions take a fixed number of arguments. AWS accepts the definition, and every run fails with `States.Runtime`. `allow` turns this error into a warning.

Bad: `States.MathAdd($.count)`

Good: `States.MathAdd($.count, 1)`";

    error WF0313 intrinsic_argument_type: "an argument of an intrinsic function has the wrong kind",
"The function always refuses a value of this type at run time. The value is a constant argument, or the result of a
nested function. AWS accepts the definition, and every run fails with `States.Runtime`. `allow` turns this error into a
warning.

Bad: `States.ArrayLength('abc')`, `States.Hash($.id, 'SHA256')`

Good: `States.ArrayLength($.items)`, `States.Hash($.id, 'SHA-256')`";

    error WF0314 format_template: "the template of States.Format does not fit its arguments",
"Each `{}` in the template stands for one of the arguments after it. Escape a literal brace with a backslash, which JSON
writes as two. AWS accepts the definition, and every run fails with `States.Runtime`. `allow` turns this error into a
warning.

Bad: `States.Format('{} of {}', $.part)`, `States.Format('{name}', $.name)`

Good: `States.Format('{} of {}', $.part, $.whole)`, `States.Format('\\\\{name\\\\}: {}', $.name)`";

    error WF0315 intrinsic_escape: "unknown escape in a string of an intrinsic function",
"In a string of an intrinsic function, a backslash can precede only `'`, `{`, `}` and another backslash. JSON writes
every backslash as two.

Bad: `States.Format('say \\\\\"{}\\\\\"', $.word)`

Good: `States.Format('say \"{}\"', $.word)`, where JSON writes each quotation mark as `\\\"`";

    error WF0320 template_value: "the value of a field whose name ends in `.$` is neither a path nor an intrinsic function",
"A field of a payload template whose name ends in `.$` takes a string. The string is a path, which starts with `$`, or an
intrinsic function, which starts with `States.`. Write a constant in a field without the `.$`.

Bad: `\"name.$\": \"Ada\"`

Good: `\"name\": \"Ada\"`, `\"name.$\": \"$.name\"`";

    error WF0321 template_field_twice: "two fields of a payload template have the same name without `.$`",
"The result has the names without the `.$`, so that `name` and `name.$` are the same field.

Bad: `\"name\": \"Ada\", \"name.$\": \"$.name\"`

Good: `\"name\": \"Ada\", \"fullName.$\": \"$.name\"`";

    error WF0330 javascript_syntax: "invalid JavaScript",
"A function of a composition is a JavaScript expression in strict mode. The compiler translates it to Rust, and therefore
reports a syntax error before the state is ever reached.

Bad: `params => { return params.n + }`

Good: `params => { return params.n + 1 }`";

    error WF0332 untranslated_function: "a function cannot be translated to Rust",
"The compiler translates the functions of compositions to Rust. This function uses a part of JavaScript that the compiler
does not translate. There are three remedies:

* Write the function in another way.
* Replace it with a function of the program, with `functions` of the macro or the build script.
* Enable the feature `javascript`. The program then has an engine that runs such functions.

Bad, without the feature: `({ text }) => text.replace(/a+/g, 'a')`

Good: `({ text }) => text.split('aa').join('a')`";

    error WF0340 jq_syntax: "invalid jq",
"Expressions are jq 1.8. Strings are in double quotes, and `;` separates arguments. A comparison or an assignment cannot
follow another one without parentheses.

Bad: `.orders[?(@.total > 10)]`, `.name == 'Ada'`, `.a && .b`

Good: `.orders[] | select(.total > 10)`, `.name == \"Ada\"`, `.a and .b`";

    error WF0341 jq_function: "a jq expression calls an unknown function",
"The function is unknown, or takes a different number of arguments. A name with a hyphen needs quotes, because `-`
subtracts.

Bad: `.name | upcase`, `test(\"a\", \"i\")`, `.some-fruits`

Good: `.name | ascii_upcase`, `test(\"a\"; \"i\")`, `.\"some-fruits\"`";

    error WF0342 jq_variable: "a jq expression uses an unknown variable or label",
"An expression can use the variables that the dialect provides, and the variables that it binds itself with
`… as $name | …`. `break` leaves a `label` that encloses it.

Bad: `.total + $valeu`, where the variable is `$value`

Good: `.total + $value`";

    error WF0343 jq_not_available: "a jq expression uses an unavailable feature",
"An expression computes a value from its input and its variables only. It has no other inputs, no environment and no
output, and it cannot end the program.

Bad: `env.HOME`, `input`, `debug`, `halt`

Good: `.home`, `.`, `error(\"no home\")`";

    error WF0344 jq_recursion: "a function of a jq expression calls itself",
"An expression must terminate for all data. Use `recurse`, `..`, `walk` and `paths` to traverse nested values, and
`until`, `while`, `reduce` and `foreach` for loops.

Bad: `def depth: if type == \"array\" then 1 + (map(depth) | max) else 0 end; depth`

Good: `[paths | length] | max`";

    error WF0345 untranslated_expression: "a jq expression cannot be translated to Rust",
"The compiler translates expressions to Rust. This expression uses a part of jq that the compiler does not translate.
Write the expression in another way, or enable the feature `jq-engine`. The program then has an engine that runs such
expressions.

Bad, without the feature: `path(foreach .keys[] as $key (.; .[$key]))`

Good: `reduce .keys[] as $key (.; .[$key])`";

    warning WF0351 bare_word: "a word in a comparison is not in quotes",
"The compiler reads the word as a string, as AWS Step Functions does. Other JSONPath implementations refuse it.

Bad: `$.translations[?(@.code==es)]`

Good: `$.translations[?(@.code=='es')]`";

    warning WF0352 blanks_after_path: "white space follows a path",
"The white space is ignored.

Bad: `\"name.$\": \"$.name \"`

Good: `\"name.$\": \"$.name\"`";

    warning WF0353 missing_argument_comma: "a comma is missing between the arguments of an intrinsic function",
"The compiler reads separate arguments, as AWS's editor does. Other implementations refuse the missing comma.

Bad: `States.Format($.template $.name)`

Good: `States.Format($.template, $.name)`";

    warning WF0354 ignored_arguments: "an intrinsic function ignores its arguments",
"`States.UUID` takes no arguments, and ignores those that it gets, as on AWS. A seed has no effect.

Bad: `States.UUID($.seed)`

Good: `States.UUID()`";

    warning WF0355 absent_token: "a task that does not wait for a token reads one",
"The context object has `Task.Token` in tasks whose `Resource` ends in `.waitForTaskToken` or `.sync`. In any other task
the path selects nothing, so that the state fails with `States.Runtime` in every run, and nothing catches it. AWS
accepts such a definition. In states other than tasks this is the error WF0307.

Bad: `\"Resource\": \"arn:aws:states:::sqs:sendMessage\"` with `\"token.$\": \"$$.Task.Token\"` in `Parameters`

Good: `\"Resource\": \"arn:aws:states:::sqs:sendMessage.waitForTaskToken\"`";

    warning WF0380 undeclared_name: "a function uses a name that nothing declares",
"A function can use its parameters and locals, the Let variables around its state, and the built-in names of JavaScript.
The evaluation of any other name throws a ReferenceError, and the document becomes an error object. `typeof name` is
allowed for any name, and is not reported.

Bad: `() => ({ greeting: 'Hello ' + nmae })`, where the variable is `name`

Good: `() => ({ greeting: 'Hello ' + name })`";

    warning WF0381 not_a_function: "the code of a function task is not a function",
"The text must be an arrow function or a function expression. Its parameter is the document of the state, and its return
value is the next document. Any other value causes a TypeError when an execution reaches the state, as in JavaScript.

Bad: `{ value: 42 }`, `params.n + 1`

Good: `() => ({ value: 42 })`, `params => params.n + 1`, `function next({ n }) { return n + 1 }`";

    note WF0382 engine_function: "a function runs on a JavaScript engine",
"The function uses a part of JavaScript that the compiler does not translate to Rust. With the feature `javascript`, it
runs on QuickJS in its own context. That takes some ten microseconds for each kilobyte of parameters. A translated
function takes nanoseconds.

Bad: `({ text }) => text.replace(/a+/g, 'a')`

Good: `({ text }) => text.split('aa').join('a')`";

    note WF0390 engine_expression: "a jq expression runs on an engine",
"The expression uses a part of jq that the compiler does not translate to Rust. With the feature `jq-engine` of the
runtime, an interpreter runs it. That takes some microseconds. A translated expression takes nanoseconds.

Bad: `path(foreach .keys[] as $key (.; .[$key]))`

Good: `reduce .keys[] as $key (.; .[$key])`";
}
