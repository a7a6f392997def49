//! Codes WF01xx: JSON and YAML text, and which dialect a file is.

super::codes! {
    error WF0101 unexpected_text: "unexpected text", r#"
The text up to this place is valid, and the text at this place cannot follow it. Usual causes are a value without a key,
a second colon, or text after the end of the definition.

Bad:
```json
{"StartAt": "A" "States": {}, {"End": true}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
"#;
    error WF0102 unclosed_bracket: "brackets do not match", r#"
Every `{` needs a `}`, and every `[` needs a `]`. Inner brackets end before outer brackets. If lines are indented, the
message names a bracket whose end is indented differently from its start: that bracket is usually the cause.

Bad:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
"#;
    error WF0103 missing_comma: "a comma is missing", r#"
Members of an object and elements of an array are separated by commas.

Bad:
```json
{"StartAt": "A" "States": {}}
```
Good:
```json
{"StartAt": "A", "States": {}}
```
"#;
    error WF0104 extra_comma: "superfluous comma", r#"
JSON has no comma after the last value of an object or array, and never two commas in a row.

Bad:
```json
{"StartAt": "A", "States": {},}
```
Good:
```json
{"StartAt": "A", "States": {}}
```
"#;
    error WF0105 missing_colon: "a key without a colon or without a value", r#"
Every key of an object is followed by a colon and a value. A key without a value is read as `null`.

Bad:
```json
{"StartAt" "A", "States": {}}
```
Good:
```json
{"StartAt": "A", "States": {}}
```
"#;
    error WF0106 unquoted_text: "unquoted text", r#"
In JSON every key and every string is in straight double quotes. Only numbers and the words `true`, `false` and `null`,
in lower case, have no quotes.

Bad:
```json
{StartAt: 'A', "States": {}}
```
Good:
```json
{"StartAt": "A", "States": {}}
```
"#;
    error WF0107 comment: "a comment in JSON", r#"
JSON has no comments. Write the remark into a field that the dialect has for remarks, such as `Comment`, or use YAML,
which has comments.

Bad:
```json
{
  // where it starts
  "StartAt": "A", "States": {}
}
```
Good:
```json
{"Comment": "starts at A", "StartAt": "A", "States": {}}
```
"#;
    error WF0108 unclosed_string: "unbalanced quotes of a string", r#"
A string ends at the next double quote, on the line on which it starts. Write a quote that belongs to the text as `\"`.

Bad:
```json
{
  "StartAt": "A,
  "States": {}
}
```
Good:
```json
{
  "StartAt": "A",
  "States": {}
}
```
"#;
    error WF0109 invalid_escape: "invalid escape", r#"
In JSON a backslash is followed by one of `" \ / b f n r t`, or by `u` and four hexadecimal digits. A character above
U+FFFF takes two escapes with `u`, the halves of a surrogate pair. One half alone is not a character. Write a backslash
that belongs to the text, as in a regular expression, twice.

Bad:
```json
{"StartAt": "A\d", "States": {}}
```
Good:
```json
{"StartAt": "A\\d", "States": {}}
```
"#;
    error WF0110 control_character: "a control character or line break in the text", r#"
Control characters are invisible, and almost always a mistake. A JSON string stays on one line: write `\n` for a line
break and `\t` for a tab. In YAML, control characters other than tabs and line breaks need an escape in a double-quoted
string.

Bad:
```json
{"Comment": "one
two", "StartAt": "A", "States": {}}
```
Good:
```json
{"Comment": "one\ntwo", "StartAt": "A", "States": {}}
```
"#;
    error WF0111 invalid_number: "invalid number", r#"
A number is decimal and finite. It has no leading zeros, no `+` and no `_`, and digits on both sides of the decimal
point. Whole numbers have 64 bits; all other numbers are doubles. YAML also has `0x1f` and `0o17`. Its `.inf` and `.nan`
are refused, because JSON data cannot hold them.

Bad:
```json
{"StartAt": "A", "TimeoutSeconds": 1e999, "States": {}}
```
Good:
```json
{"StartAt": "A", "TimeoutSeconds": 1e9, "States": {}}
```
"#;
    error WF0112 duplicate_key: "duplicate key", r#"
JSON readers disagree about which of two equal keys counts, so that one of the values would be lost without a message.
Often a state was copied and not renamed. Two YAML keys that are spelled differently and have the same value, such as
`a` and `"a"`, are equal, too. The compiler checks the rest of the definition with the first of the two values.

Bad:
```json
{"StartAt": "A", "States": {"A": {"Type": "Succeed"}, "A": {"Type": "Fail"}}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Succeed"}, "B": {"Type": "Fail"}}}
```
"#;
    error WF0113 too_large: "the definition exceeds a limit", r#"
Limits keep a definition from exhausting the machine that compiles it:

| limit | |
|---|---|
| a definition | 4 MiB |
| a file that a definition names | 16 MiB of JSON, 4 MiB of YAML |
| nesting | 128 levels |
| values | 1,048,576. An anchored YAML value counts again for its anchor and for every alias |
| errors | 100 |
| variables | 100,000, added up over all states. Each state counts the variables that it, or anything after it, reads |
| size | 500,000 nodes. A state counts as six nodes or more, a retrier or a catcher as two, and each step of an expression as one |

Bad:
```yaml
a: &a [x, x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e, *e]
```
Good:
```yaml
StartAt: A
States: {}
```
"#;
    error WF0114 empty_file: "the file is empty", r#"
A definition is one JSON or YAML object. A file that holds only white space or comments has no object.

Bad:
```yaml
# to be written
```
Good:
```yaml
StartAt: A
States: {}
```
"#;
    error WF0120 yaml_syntax: "invalid YAML", r#"
YAML gives a meaning to indentation, and to some characters at the start of a value. The reader stops at the first such
error, because the meaning of the following text depends on it. Usual causes:

* A tab is used for indentation.
* A value that contains `: ` is not in quotes, such as the expression in `input: ${ {user: .data} }`.
* A value that starts with `@`, `` ` ``, `%`, `*`, `&`, `{` or `[` is not in quotes.
* The items of one list have different indentation.

Bad:
```yaml
Comment: first: second
StartAt: A
States: {}
```
Good:
```yaml
Comment: "first: second"
StartAt: A
States: {}
```
"#;
    error WF0121 yaml_tag: "an unsupported YAML tag", r#"
A tag gives a value a type. The JSON types have tags: `!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!seq` and
`!!map`. Such a tag must fit its value. Other tags, such as `!Ref` and `!Sub` in templates, have a meaning for one tool
only. If a template inserts a value here, write a placeholder such as `${Name}`, and give it a value when the definition
is compiled.

Bad:
```yaml
StartAt: !Ref First
States: {}
```
Good:
```yaml
StartAt: ${First}
States: {}
```
"#;
    error WF0122 yaml_alias: "unresolved alias", r#"
An alias `*name` stands for the value that is marked `&name` earlier in the file. The marked value cannot come later,
and it cannot contain the alias, because the value would then be infinite.

Bad:
```yaml
StartAt: A
States: &states
  A: {Type: Parallel, Branches: [{StartAt: A, States: *states}]}
```
Good:
```yaml
StartAt: A
States:
  A: {Type: Task, Resource: r, Retry: &retry [{ErrorEquals: [States.ALL]}], Next: B}
  B: {Type: Task, Resource: r, Retry: *retry, End: true}
```
"#;
    error WF0123 yaml_key: "a YAML key that is not text", r#"
JSON keys are strings. A YAML number or boolean that is used as a key is read as its text. A list, a mapping or a
missing key is refused. An unquoted value `{Name}` is a mapping: put it in quotes.

Bad:
```yaml
? [StartAt]
: A
States: {}
```
Good:
```yaml
StartAt: A
States: {}
```
"#;
    error WF0124 several_documents: "several YAML documents in one file", r#"
A line `---` starts a new document. A file holds one definition. Put each further definition into its own file.

Bad:
```yaml
StartAt: A
States: {}
---
StartAt: B
States: {}
```
Good:
```yaml
---
StartAt: A
States: {}
```
"#;
    error WF0125 yaml_merge: "a merge key without a mapping", r#"
The key `<<` adds the members of a mapping, or of several mappings in a list, to the mapping that contains the key.
Members that the containing mapping has itself stay as they are. If several mappings in the list have a member, the
first mapping wins.

Bad:
```yaml
<<: [a, b]
StartAt: A
States: {}
```
Good:
```yaml
StartAt: A
States:
  A: &pass {Type: Pass, Next: B}
  B: {<<: *pass, Next: A}
```
"#;
    error WF0126 yaml_not_supported: "the compiler was built without YAML", r#"
The compiler was built without its feature `yaml`. Enable the feature, or write the definition in JSON.

Bad (without the feature):
```toml
workflow-compiler = { version = "0.1", default-features = false, features = ["asl"] }
```
Good:
```toml
workflow-compiler = { version = "0.1", default-features = false, features = ["asl", "yaml"] }
```
"#;
    error WF0130 unknown_dialect: "the dialect of the file is unknown", r#"
The end of a file name, such as `.asl.json` or `.sw.yaml`, determines the dialect, or else the fields of the outermost
object do. The compiler does not guess the dialect of any other file. Rename the file, or state the dialect where you
name the file. Often the cause is a misspelled field.

Bad:
```json
{"StartsAt": "A", "Steps": {"A": {"Type": "Pass", "End": true}}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
"#;
    error WF0131 ambiguous_dialect: "ambiguous dialect", r#"
The name and the fields of the file belong to different dialects, or the fields belong to several dialects. State the
dialect where you name the file, or remove the fields of the other dialects.

Bad:
```json
{"StartAt": "A", "Entry": "A", "Exit": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
"#;
    error WF0132 dialect_not_built_in: "the compiler was built without the dialect", r#"
The compiler recognises the dialect, but was built without it. Each dialect is a feature: `asl`, `composer`,
`serverless-workflow`, `sm4c` or `workflow-dsl`. Enable the feature of the compiler, or of the runtime if you use its
macro.

Bad:
```toml
workflow-runtime = { version = "0.1", features = ["macros"] } # for flow.sm4c.json
```
Good:
```toml
workflow-runtime = { version = "0.1", features = ["macros", "sm4c"] }
```
"#;
    warning WF0151 rounded_number: "a whole number does not fit into 64 bits", r#"
Whole numbers from -9223372036854775808 to 9223372036854775807 stay exact. Whole numbers outside of this range become
doubles, which keep about 16 digits. Write identifiers as strings.

Bad:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": 12345678901234567891, "End": true}}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": "12345678901234567891", "End": true}}}
```
"#;
    error WF0133 no_such_dialect: "unknown dialect in the options", r#"
`dialect` overrides the dialect that the file name and the fields of a definition indicate. The dialects are `asl`,
`composer`, `serverless-workflow`, `sm4c` and `workflow-dsl`. Without the option, the compiler determines the dialect
from the file.

Bad:
```toml
dialect = "ASL"
```
Good:
```toml
dialect = "asl"
```
"#;
    warning WF0152 lenient_json: "invalid JSON that is read leniently", r#"
Published examples of the Workflow DSL deviate from JSON: expressions have no quotes, commas are missing or precede a
closing bracket, lists are in braces, and the outermost members have no braces around them. The compiler reads these
deviations in definitions of the Workflow DSL, and warns of each. `cargo workflow fix FILE` rewrites the file as JSON.
In all other dialects the deviations are errors.

Bad:
```json
{
  "activities": [
    {
      "type": "inject",
      "activityDataFilter": {
        "input": ${ {user: .data} },
      },
      "data": { "emailSent" }
    }
  ]
}
```
Good:
```json
{
  "activities": [
    {
      "type": "inject",
      "activityDataFilter": {
        "input": "${ {user: .data} }"
      },
      "data": [ "emailSent" ]
    }
  ]
}
```
"#;
    error WF0134 not_allowable: "an option names a code that cannot be allowed", r#"
The option `allow` takes the codes and names of warnings and notes. An error cannot be allowed, because its definition
does not compile. The only exceptions are errors whose explanation says so, such as `WF0312`: AWS accepts such a
definition, which fails in every run, and `allow` turns the error into a warning.

Bad:
```toml
allow = ["WF0203", "unreachable"]
```
Good:
```toml
allow = ["WF0251", "no_way_to_an_end"]
```
"#;
    warning WF0180 option_without_effect: "an option has no effect on a definition", r#"
The option `express` checks the restrictions of AWS Express workflows, which are written in the Amazon States Language.
The option has no effect on definitions in other dialects. Leave the option out, or allow the warning if one
`workflow.toml` serves definitions in several dialects.

Bad:
```toml
# beside helpdesk.composer.json
express = true
```
Good:
```toml
# beside helpdesk.composer.json and order.asl.json
express = true
allow = ["WF0180"]
```
"#;
}
