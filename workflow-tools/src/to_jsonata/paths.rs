//! Conversion of paths through the data: steps, selections of several values, and filters.

use super::code::{Code, Kind};
use super::printer::Printer;
use super::report::Refused;
use workflow_compiler::expr::{Expr, Path, Segment, Selector};

/// The kind of the last step of a path that can select several values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Last {
    /// The root, a name, or an index.
    One,
    /// A wildcard.
    Wildcard,
    /// A slice, a filter, or several indices.
    Several,
}

/// A path that has been converted, before an array constructor keeps several values together.
struct Selected {
    code: Code,
    is_several: bool,
    last: Last,
}

impl Printer<'_> {
    /// Converts a path to its value, which is an array if the path can select several values.
    pub(super) fn selected(&mut self, path: &Path) -> Refused<Code> {
        let selected = self.steps(path)?;
        if !selected.is_several {
            return Ok(selected.code);
        }
        match selected.last {
            Last::One => self.note("selected values that are arrays are joined into one array"),
            Last::Several => self.note("a single selected value that is an array takes the place of the list"),
            Last::Wildcard => {}
        }
        Ok(Code::constructor(&selected.code.text))
    }

    /// Converts a path to an expression that exists if the path selects a value.
    pub(super) fn existence(&mut self, expr: &Expr) -> Refused<Code> {
        match expr {
            Expr::Find(path) | Expr::Select(path) => Ok(self.steps(path)?.code),
            other => self.expr(other),
        }
    }

    fn steps(&mut self, path: &Path) -> Refused<Selected> {
        let code = self.expr(&path.base)?;
        let mut selected = Selected { code, is_several: false, last: Last::One };
        // The names and indices since the last selection.
        let mut count = 0;
        for segment in &path.segments {
            let is_index = matches!(segment.selectors[..], [Selector::Index(_)]);
            let is_step = is_index || matches!(segment.selectors[..], [Selector::Name(_)]);
            count = if is_step { count + 1 } else { 0 };
            if !segment.descend && (selected.is_several || self.in_filter) && (count > 1 || is_index) {
                self.note(
                    "a name applied to an array leads to the members of its elements, and `[0]` of another value to \
                     the value itself",
                );
            }
            selected = self.step(selected, segment)?;
        }
        Ok(selected)
    }

    fn step(&mut self, before: Selected, segment: &Segment) -> Refused<Selected> {
        let Selected { code, is_several, last } = before;
        let one = |code| Selected { code, is_several, last: Last::One };
        let several = |code| Selected { code, is_several: true, last: Last::Several };
        Ok(match (segment.descend, &segment.selectors[..]) {
            (false, [Selector::Name(name)]) if is_several => {
                // A function call cannot be a step of a path, as it would be for some names.
                let next = code.member(name);
                if next.text.starts_with("$lookup(") {
                    return Err(self.refusal(format!("no step of JSONata can have the name `{name}`")));
                }
                one(next)
            }
            (false, [Selector::Name(name)]) => one(code.member(name)),
            (true, [Selector::Name(name)]) => {
                let next = Code::path(format!("{}.**", code.operand(super::code::Binding::Path))).member(name);
                Selected { code: next, is_several: true, last: Last::One }
            }
            (true, _) => {
                return Err(self.refusal("`..` before anything but a name has no equal in JSONata"));
            }
            (false, [Selector::Index(index)]) if last == Last::One => one(code.predicate(&index.to_string())),
            (false, [Selector::Index(index)]) => {
                let message = format!("`[{index}]` applies to each selected value, which has no equal in JSONata");
                return Err(self.refusal(message).help("take the element of the list with `States.ArrayGetItem`"));
            }
            (false, [Selector::Wildcard]) if last == Last::One => {
                self.note("an object in place of the array is its only element, where JSONPath selects its members");
                Selected { code, is_several: true, last: Last::Wildcard }
            }
            (false, [Selector::Filter(test) | Selector::JaywayFilter(test)]) if last != Last::Several => {
                let is_inside = std::mem::replace(&mut self.in_filter, true);
                let test = self.condition(test)?;
                self.in_filter = is_inside;
                several(code.predicate(&test.text))
            }
            (false, [Selector::Slice { start, end, step }]) if last == Last::One => {
                several(self.slice(&code, is_several, (*start, *end, *step))?)
            }
            (false, indices @ [_, _, ..]) if last == Last::One => {
                let index = |selector: &Selector| match selector {
                    Selector::Index(index) if *index >= 0 => Some(*index),
                    _ => None,
                };
                let indices: Option<Vec<i64>> = indices.iter().map(index).collect();
                let ascending = indices.filter(|indices| indices.is_sorted_by(|left, right| left < right));
                let Some(indices) = ascending else {
                    let message =
                        "several names, negative indices, or indices in another order have no equal in JSONata";
                    return Err(self.refusal(message));
                };
                let indices: Vec<String> = indices.iter().map(i64::to_string).collect();
                several(code.predicate(&format!("[{}]", indices.join(", "))))
            }
            _ => {
                return Err(
                    self.refusal("two selections in a row, without a name between them, have no equal in JSONata")
                );
            }
        })
    }

    /// Converts a slice. A short slice between two indices becomes a predicate, and any other a
    /// filter by the index.
    fn slice(&mut self, code: &Code, is_several: bool, slice: (Option<i64>, Option<i64>, i64)) -> Refused<Code> {
        // The array of the indices of a longer slice would be larger than the data.
        const LONGEST: i64 = 1_000;
        let (start, end, step) = slice;
        let first = start.unwrap_or(0);
        if let (0.., Some(end @ 1..), 1) = (first, end, step)
            && first < end
            && end - first <= LONGEST
        {
            return Ok(code.predicate(&format!("[{first}..{}]", end - 1)));
        }
        if step < 1 || is_several {
            return Err(self.refusal("this slice has no equal in JSONata"));
        }
        let [value, index, list] = ["v", "i", "a"].map(|name| self.parameter(name));
        let count = self.function("count")?;
        let place = |at: i64| match at {
            0.. => at.to_string(),
            at => format!("{count}({list}) - {}", at.unsigned_abs()),
        };
        let is_whole = first == 0 && (step != 1 || end.is_some());
        let mut tests = if is_whole { Vec::new() } else { vec![format!("{index} >= {}", place(first))] };
        tests.extend(end.map(|end| format!("{index} < {}", place(end))));
        match (step, first) {
            (1, _) => {}
            (step, 0) => tests.push(format!("{index} % {step} = 0")),
            (step, 1..) => tests.push(format!("({index} - {first}) % {step} = 0")),
            _ => return Err(self.refusal("this slice has no equal in JSONata")),
        }
        let arguments = format!("{}, function({value}, {index}, {list}) {{ {} }}", code.text, tests.join(" and "));
        self.calling("filter", &arguments, Kind::Array)
    }
}
