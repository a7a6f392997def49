//! Codes E01, W01: JSON and YAML text, and which dialect a file is.

super::codes! {
    E0101 unexpected_text: "something stands where it does not belong", r#"
The text was read up to this place and cannot go on with what stands there: a value without a key, a colon too many,
text after the end of the definition.

Bad:
```json
{"StartAt": "A" "States": {}, {"End": true}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
"#;
    E0102 unclosed_bracket: "brackets do not match", r#"
Every `{` needs a `}`, every `[` a `]`, and inner brackets end before outer ones. Where lines are indented, the message
names the bracket whose end is indented otherwise than its start: that is usually the one.

Bad:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
"#;
    E0103 missing_comma: "a comma is missing", r#"
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
    E0104 extra_comma: "a comma too many", r#"
JSON has no comma after the last value, nor two in a row.

Bad:
```json
{"StartAt": "A", "States": {},}
```
Good:
```json
{"StartAt": "A", "States": {}}
```
"#;
    E0105 missing_colon: "a key without a colon or without a value", r#"
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
    E0106 unquoted_text: "text that is not in double quotes", r#"
In JSON every key and every string stands in straight double quotes. Only `true`, `false` and `null`, spelled like this,
stand without.

Bad:
```json
{StartAt: 'A', "States": {}}
```
Good:
```json
{"StartAt": "A", "States": {}}
```
"#;
    E0107 comment: "a comment in JSON", r#"
JSON has no comments. Dialects have fields for them (`Comment`), and YAML has comments.

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
    E0108 unclosed_string: "the quotes of a string do not match", r#"
A string ends at the next double quote, on the line it starts on. A quote that belongs to the text is written `\"`.

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
    E0109 invalid_escape: "an escape that does not exist", r#"
In JSON a backslash is followed by one of `" \ / b f n r t`, or by `u` and four hexadecimal digits. Characters above
U+FFFF take two such escapes, the halves of a surrogate pair; one half alone stands for nothing. A backslash that belongs
to the text, as in a regular expression, is written twice.

Bad:
```json
{"StartAt": "A\d", "States": {}}
```
Good:
```json
{"StartAt": "A\\d", "States": {}}
```
"#;
    E0110 control_character: "a control character or line break in the text", r#"
Control characters are invisible and never meant. In JSON a string stays on one line: write `\n` for a line break and
`\t` for a tab. In YAML, other control characters than tabs and line breaks can only be written as escapes in double
quotes.

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
    E0111 invalid_number: "a number that cannot be read", r#"
Numbers are decimal, without leading zeros, `+` or `_`, with digits on both sides of a point, and finite: whole numbers of
64 bits, else doubles. YAML also has `0x1f` and `0o17`; its `.inf` and `.nan` have no place in JSON data and are refused.

Bad:
```json
{"StartAt": "A", "TimeoutSeconds": 1e999, "States": {}}
```
Good:
```json
{"StartAt": "A", "TimeoutSeconds": 1e9, "States": {}}
```
"#;
    E0112 duplicate_key: "a key is written twice in one object", r#"
Readers of JSON disagree about which of two equal keys counts, so one of them would be dropped in silence. Often it is a
state that was copied and not renamed. YAML keys that are spelled unlike but read alike, `a` and `"a"`, are equal too. The
rest of the definition is checked with the first of the two.

Bad:
```json
{"StartAt": "A", "States": {"A": {"Type": "Succeed"}, "A": {"Type": "Fail"}}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Succeed"}, "B": {"Type": "Fail"}}}
```
"#;
    E0113 too_large: "the definition is beyond what is read", r#"
So that no definition can exhaust the machine that compiles it, there are limits: 4 MiB for a definition, 16 MiB of
JSON or 4 MiB of YAML for a file that it names, 128 levels of nesting, a million values (an anchored value of YAML counts
again for its anchor and for every alias), a hundred errors, a hundred thousand values of variables that all states
together carry, each those that are read in it or after it, and half a million parts. A state counts as six parts or more, a
retrier or a catcher as two, and each step of an expression as one.

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
    E0114 empty_file: "the file is empty", r#"
A definition is one JSON or YAML object. A file of blanks or comments has none.

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
    E0120 yaml_syntax: "the text is not YAML", r#"
YAML gives meaning to indentation and to some characters at the start of a value. Reading stops at the first such error,
since what follows depends on it. Usual causes: a tab where spaces indent; a value with `: ` in it that needs quotes, as
the expression in `input: ${ {user: .data} }` does; a value that starts with `@`, `` ` ``, `%`, `*`, `&`, `{` or `[` that
needs quotes; items of one list indented unlike.

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
    E0121 yaml_tag: "a YAML tag that is not understood", r#"
Tags give a value a type. The types of JSON have tags (`!!str`, `!!int`, `!!float`, `!!bool`, `!!null`, `!!seq`, `!!map`),
which must fit the value; others, such as `!Ref` and `!Sub` in templates, mean something to one tool only. Where a template
fills a value in, write a placeholder such as `${Name}` and substitute it when compiling.

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
    E0122 yaml_alias: "an alias that stands for no value", r#"
An alias `*name` stands for the value that was marked `&name` earlier in the file. It cannot stand for a value that is
marked later, or for one that contains the alias itself: that value would be infinite.

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
    E0123 yaml_key: "a YAML key that is not text", r#"
Keys of JSON are strings. In YAML, numbers and booleans as keys are read as their text; a list or a mapping as a key, or no
key at all, is refused. An unquoted `{Name}` as a value is such a mapping: put it in quotes.

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
    E0124 several_documents: "several YAML documents in one file", r#"
A line `---` starts a new document. A file holds one definition; put the others into files of their own.

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
    E0125 yaml_merge: "a merge key that merges no mapping", r#"
The key `<<` takes over the members of a mapping, or of several in a list (earlier ones first), that are not written
beside it.

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
    E0126 yaml_not_supported: "the compiler was built without YAML", r#"
The compiler was built without its feature `yaml`. Turn the feature on, or write the definition in JSON.

Bad (without the feature):
```toml
workflow-compiler = { version = "0.1", default-features = false, features = ["asl"] }
```
Good:
```toml
workflow-compiler = { version = "0.1", default-features = false, features = ["asl", "yaml"] }
```
"#;
    E0130 unknown_dialect: "the dialect of the file is not known", r#"
The language of a definition is told by the end of the file's name (`.asl.json`, `.sw.yaml`), else by the fields of its
outermost object. A file that shows neither is not guessed at: name it accordingly, or state the dialect where you name the
file. Often it is a misspelled field.

Bad:
```json
{"StartsAt": "A", "Steps": {"A": {"Type": "Pass", "End": true}}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
"#;
    E0131 ambiguous_dialect: "the file could be of several dialects", r#"
The name and the fields of the file point to different languages, or the fields to several. State the dialect where you
name the file, or remove the fields that do not belong to it.

Bad:
```json
{"StartAt": "A", "Entry": "A", "Exit": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "End": true}}}
```
"#;
    E0132 dialect_not_built_in: "the dialect was not built in", r#"
The file was recognised, but the compiler was built without its dialect. Each dialect is a feature: `asl`, `composer`,
`serverless-workflow`, `sm4c` and `workflow-dsl`, of the compiler, or of the runtime whose macro is used.

Bad:
```toml
workflow-runtime = { version = "0.1", features = ["macros"] } # for flow.sm4c.json
```
Good:
```toml
workflow-runtime = { version = "0.1", features = ["macros", "sm4c"] }
```
"#;
    W0101 rounded_number: "a whole number that does not fit 64 bits", r#"
Whole numbers from -9223372036854775808 to 9223372036854775807 stay exact. Larger ones become doubles, which keep about 16
digits. Write identifiers as strings.

Bad:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": 12345678901234567891, "End": true}}}
```
Good:
```json
{"StartAt": "A", "States": {"A": {"Type": "Pass", "Result": "12345678901234567891", "End": true}}}
```
"#;
    E0133 no_such_dialect: "the options name a dialect that does not exist", r#"
`dialect` overrides what the file name and the fields of a definition say. The dialects are `asl`, `composer`,
`serverless-workflow`, `sm4c` and `workflow-dsl`; leave the option out to have it told from the file.

Bad:
```toml
dialect = "ASL"
```
Good:
```toml
dialect = "asl"
```
"#;
    W0102 mended_text: "text that is not quite JSON, and is read as what it was meant to be", r#"
Examples of the Workflow DSL are written in a JSON of their own: expressions stand without quotes, commas before closing
brackets or nowhere, lists in braces, and members without braces around them. In that language they are read, each with
this warning; `cargo workflow fix FILE` writes the file as JSON. In all other languages they are errors.

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
    W0130 option_without_effect: "an option has no effect on a definition", r#"
The option `express` checks what AWS's Express workflows may do. They are written in the Amazon States Language; in another language
there is nothing to check.
Leave the option out, or silence the warning where one `workflow.toml` serves definitions of both languages.

Bad:
```toml
# beside helpdesk.composer.json
express = true
```
Good:
```toml
# beside helpdesk.composer.json and order.asl.json
express = true
allow = ["W0130"]
```
"#;
}
