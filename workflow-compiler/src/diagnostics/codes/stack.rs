//! Codes E07, N07: the stack of a composition.

super::codes! {
    E0701 empty_stack: "a state takes something from an empty stack", r#"
A Pop and a Choice state take what a Push state saved, a Catch state takes the handler of a Try state, and an End state takes
the variable of a Let state. On the way that is shown nothing was put on the stack, or everything has been taken.

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
    E0702 wrong_stack_entry: "a state takes something else from the stack than lies on top", r#"
What is put on the stack last is taken first, by the state that belongs to it: Push and Pop or Choice, Try and Catch, Let and
End. On the way that is shown something else lies on top.

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
    E0703 unreachable_exit: "the final state is never reached", r#"
`Exit` names the state that ends the composition. No way leads from `Entry` to it.

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
    N0701 ambiguous_stack: "a state is entered with two shapes of the stack", r#"
Where every state is always entered with the same on the stack, the levels of the stack become typed fields, and nothing about
them is left to check at run time. Here two ways to a state leave different things on the stack. The composition keeps a stack
at run time; a state that does not find what it takes ends the execution there with a fault that no handler sees.

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
