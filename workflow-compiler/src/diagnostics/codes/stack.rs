//! Codes WF07xx: the stack of a composition.

super::codes! {
    error WF0701 empty_stack: "a state pops from an empty stack", r#"
A Pop or Choice state takes the parameters that a Push state saved. A Catch state takes the handler of a Try state, and
an End state takes the variable of a Let state. On the path that the message shows, the stack is empty when the
execution enters the state.

Bad:
```json
{ "Entry": "pop", "Exit": "pop", "States": { "pop": { "Type": "Pop" } } }
```
Good:
```json
{ "Entry": "push", "Exit": "pop", "States": {
  "push": { "Type": "Push", "Next": "pay" },
  "pay": { "Type": "Task", "Action": "pay", "Next": "pop" },
  "pop": { "Type": "Pop" } } }
```
"#;
    error WF0702 wrong_stack_entry: "a state pops a stack entry of the wrong kind", r#"
A state takes the entry on top of the stack, which must come from the matching state: Push for Pop or Choice, Try for
Catch, Let for End. On the path that the message shows, another entry is on top.

Bad:
```json
{ "Entry": "try", "Exit": "pop", "States": {
  "try": { "Type": "Try", "Handler": "pop", "Next": "pop" },
  "pop": { "Type": "Pop" } } }
```
Good:
```json
{ "Entry": "try", "Exit": "done", "States": {
  "try": { "Type": "Try", "Handler": "done", "Next": "pay" },
  "pay": { "Type": "Task", "Action": "pay", "Next": "catch" },
  "catch": { "Type": "Catch", "Next": "done" },
  "done": { "Type": "Pass" } } }
```
"#;
    error WF0703 unreachable_exit: "the final state is never reached", r#"
`Exit` names the state that ends the composition. No path from `Entry` leads to it.

Bad:
```json
{ "Entry": "pay", "Exit": "done", "States": {
  "pay": { "Type": "Task", "Action": "pay", "Next": "pay" },
  "done": { "Type": "Pass" } } }
```
Good:
```json
{ "Entry": "pay", "Exit": "done", "States": {
  "pay": { "Type": "Task", "Action": "pay", "Next": "done" },
  "done": { "Type": "Pass" } } }
```
"#;
    note WF0751 ambiguous_stack: "a state is entered with two shapes of the stack", r#"
If every state has the same stack on all paths to it, the levels of the stack become typed fields, and the program does
not check them at run time. Here two paths to a state leave different entries on the stack. The composition therefore
keeps a stack at run time. If a state does not find the entry that it takes, the execution ends with a fault that no
handler sees.

Bad:
```json
{ "Entry": "try", "Exit": "done", "States": {
  "try": { "Type": "Try", "Handler": "again", "Next": "pay" },
  "again": { "Type": "Pass", "Next": "pay" },
  "pay": { "Type": "Task", "Action": "pay", "Next": "catch" },
  "catch": { "Type": "Catch", "Next": "done" },
  "done": { "Type": "Pass" } } }
```
Good:
```json
{ "Entry": "try", "Exit": "done", "States": {
  "try": { "Type": "Try", "Handler": "again", "Next": "pay" },
  "again": { "Type": "Pass", "Next": "try" },
  "pay": { "Type": "Task", "Action": "pay", "Next": "catch" },
  "catch": { "Type": "Catch", "Next": "done" },
  "done": { "Type": "Pass" } } }
```
"#;
}
