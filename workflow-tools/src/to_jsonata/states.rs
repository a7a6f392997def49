//! Conversion of the fields of one state.

use super::choice;
use super::code::{self, Code};
use super::edits::{Edits, Members};
use super::printer::{Printer, Setting};
use super::report::{Refusal, Refused};
use super::template;
use workflow_compiler::Span;
use workflow_compiler::expr::Literal;
use workflow_compiler::syntax::{Entry, Node, Tree};

/// A state with the changes of its own members. Those of its inner values are in `edits`.
pub(super) struct State<'n> {
    /// The changes of the members.
    pub members: Members<'n>,
    /// The changes inside of members, and of rules and catchers.
    pub edits: Edits<'n>,
    /// The place of what has no place of its own.
    at: Span,
}

/// The value that the stages after a result start with.
enum Outcome<'n> {
    /// The value of a payload template, whose `$` is this expression.
    Template(&'n Entry, Code),
    /// A constant.
    Constant(&'n Entry),
    /// The value of an expression.
    Code(Code),
}

/// The input of the state.
pub(super) fn input() -> Code {
    Code::path("$states.input")
}

/// Converts the fields of a state.
pub(super) fn convert<'n>(node: &'n Node, text: &'n str, setting: &mut Setting) -> Refused<State<'n>> {
    let mut state = State { members: Members::new(node), edits: Edits::new(text), at: node.span };
    let kind = node.get("Type").and_then(Node::as_text).map_or("", |kind| kind.value.as_str());
    state.fields(kind, setting)?;
    Ok(state)
}

impl<'n> State<'n> {
    fn fields(&mut self, kind: &str, setting: &mut Setting) -> Refused<()> {
        if kind == "Fail" {
            return self.fail(setting);
        }
        let effective = self.selection("InputPath", &input(), setting)?.unwrap_or_else(input);
        self.members.remove("InputPath");
        match kind {
            "Pass" => {
                let outcome = match (self.members.get("Result"), self.members.get("Parameters")) {
                    (Some(result), _) => Outcome::Constant(result),
                    (None, Some(parameters)) => Outcome::Template(parameters, effective),
                    (None, None) => Outcome::Code(effective),
                };
                self.output(&outcome, &input(), setting)
            }
            "Task" | "Parallel" | "Map" => {
                if kind == "Map" {
                    self.map(&effective, setting)?;
                } else {
                    self.arguments(&effective, setting)?;
                }
                if let Some(credentials) = self.members.get("Credentials") {
                    template::in_place(&credentials.value, &effective, setting, &mut self.edits)?;
                }
                for name in ["TimeoutSecondsPath", "HeartbeatSecondsPath"] {
                    self.computed(name, &effective, setting)?;
                }
                self.catchers(setting)?;
                let result = Code::path("$states.result");
                let outcome = match self.members.get("ResultSelector") {
                    Some(selector) => Outcome::Template(selector, result.clone()),
                    None => Outcome::Code(result.clone()),
                };
                self.assign(&result, setting)?;
                self.output(&outcome, &result, setting)
            }
            "Choice" => self.choice(&effective, setting),
            _ => {
                for name in ["SecondsPath", "TimestampPath"] {
                    self.computed(name, &effective, setting)?;
                }
                self.output(&Outcome::Code(effective), &input(), setting)
            }
        }
    }

    fn fail(&mut self, setting: &mut Setting) -> Refused<()> {
        for name in ["Error", "Cause"] {
            if let Some(entry) = self.members.get(name) {
                template::constant(&entry.value, setting, &mut self.edits)?;
            }
            self.computed(&format!("{name}Path"), &input(), setting)?;
        }
        Ok(())
    }

    /// Returns the value of `InputPath` or `OutputPath`, unless the field is absent.
    fn selection(&self, name: &str, document: &Code, setting: &mut Setting) -> Refused<Option<Code>> {
        let Some(entry) = self.members.get(name) else { return Ok(None) };
        Ok(Some(match entry.value.as_text() {
            Some(path) => Printer::new(document, setting, path.span).path(path)?,
            None => Code::object(Vec::new()),
        }))
    }

    /// Converts a field `…Path` to the field without `Path`.
    fn computed(&mut self, name: &str, document: &Code, setting: &mut Setting) -> Refused<()> {
        self.members.get(name).map_or(Ok(()), |entry| self.computed_member(entry, document, setting))
    }

    fn computed_member(&mut self, entry: &Entry, document: &Code, setting: &mut Setting) -> Refused<()> {
        const COUNTS: [&str; 5] = [
            "MaxConcurrencyPath",
            "ToleratedFailureCountPath",
            "MaxItemsPath",
            "MaxItemsPerBatchPath",
            "MaxInputBytesPerBatchPath",
        ];
        let Some(text) = entry.value.as_text() else { return Ok(()) };
        let name = entry.key.value.as_str();
        let mut printer = Printer::new(document, setting, text.span);
        let value = printer.dynamic(text)?;
        if COUNTS.contains(&name) {
            printer.note("a number in a text is an error, where fields with a path read it");
        }
        self.edits.rename(&entry.key, name.strip_suffix("Path").unwrap_or(name));
        self.edits.set_string(text.span, &setting.written(&value, text.span)?);
        Ok(())
    }

    fn arguments(&mut self, effective: &Code, setting: &mut Setting) -> Refused<()> {
        match self.members.get("Parameters") {
            Some(parameters) => {
                self.edits.rename(&parameters.key, "Arguments");
                template::in_place(&parameters.value, effective, setting, &mut self.edits)
            }
            None => {
                if effective.text != input().text {
                    let at = self.members.get("InputPath").map_or(self.at, |path| path.value.span);
                    self.members.put("Arguments", &setting.written(effective, at)?, &["InputPath"]);
                }
                Ok(())
            }
        }
    }

    fn map(&mut self, effective: &Code, setting: &mut Setting) -> Refused<()> {
        let has_reader = self.distributed(effective, setting)?;
        let items = self.selection("ItemsPath", effective, setting)?.unwrap_or_else(|| effective.clone());
        self.members.remove("ItemsPath");
        // The items of a reader take the place of all others.
        if items.text != input().text && !has_reader {
            let written = setting.written(&items, self.at)?;
            self.members.put("Items", &written, &["ItemsPath", "InputPath"]);
        }
        for name in ["ItemSelector", "Parameters"] {
            let Some(selector) = self.members.get(name) else { continue };
            if name == "Parameters" {
                self.edits.rename(&selector.key, "ItemSelector");
            }
            template::in_place(&selector.value, effective, setting, &mut self.edits)?;
        }
        if let Some(iterator) = self.members.get("Iterator") {
            self.edits.rename(&iterator.key, "ItemProcessor");
        }
        for name in ["MaxConcurrencyPath", "ToleratedFailureCountPath", "ToleratedFailurePercentagePath"] {
            self.computed(name, effective, setting)?;
        }
        Ok(())
    }

    /// Converts the fields of a distributed Map state. Returns `true` if it has a reader.
    fn distributed(&mut self, effective: &Code, setting: &mut Setting) -> Refused<bool> {
        for name in ["ItemReader", "ResultWriter"] {
            if let Some(parameters) = self.members.get(name).and_then(|entry| entry.value.entry("Parameters")) {
                self.edits.rename(&parameters.key, "Arguments");
                template::in_place(&parameters.value, effective, setting, &mut self.edits)?;
            }
        }
        let reader = self.members.get("ItemReader").map(|entry| &entry.value);
        let batcher = self.members.get("ItemBatcher").map(|entry| &entry.value);
        if let Some(input) = batcher.and_then(|batcher| batcher.get("BatchInput")) {
            template::in_place(input, effective, setting, &mut self.edits)?;
        }
        let limits = [
            reader.and_then(|reader| reader.get("ReaderConfig")?.entry("MaxItemsPath")),
            batcher.and_then(|batcher| batcher.entry("MaxItemsPerBatchPath")),
            batcher.and_then(|batcher| batcher.entry("MaxInputBytesPerBatchPath")),
        ];
        limits.into_iter().flatten().try_for_each(|limit| self.computed_member(limit, effective, setting))?;
        Ok(reader.is_some())
    }

    fn assign(&mut self, document: &Code, setting: &mut Setting) -> Refused<()> {
        match self.members.get("Assign") {
            Some(assign) => template::in_place(&assign.value, document, setting, &mut self.edits),
            None => Ok(()),
        }
    }

    /// Converts the fields that make the output of a result. `default` is the output of a state in
    /// JSONata without `Output`.
    fn output(&mut self, outcome: &Outcome, default: &Code, setting: &mut Setting) -> Refused<()> {
        const PLACES: [&str; 6] = ["ResultSelector", "ResultPath", "Result", "Parameters", "OutputPath", "InputPath"];
        let is_task = default.text == "$states.result";
        if !is_task {
            let draws = setting.draws;
            let document = match (outcome, self.members.get("Assign")) {
                (Outcome::Code(code), _) => code.clone(),
                (_, None) => input(),
                (outcome, Some(_)) => inline(outcome, setting)?,
            };
            let is_drawn = setting.draws > draws;
            let (draws, written) = (setting.draws, setting.written_draws);
            self.assign(&document, setting)?;
            if let Some(assign) = self.members.get("Assign")
                && is_drawn
                && setting.written_draws - written > setting.draws - draws
            {
                let message = "the random value would be drawn again for each use";
                return Err(Refusal::new(assign.key.span, message).help("draw it in a state before this one"));
            }
        }
        let whole = |entry: &Entry| entry.value.as_text().is_some_and(|path| path.value.trim() == "$");
        let result_path = self.members.get("ResultPath").filter(|entry| !whole(entry));
        let output_path = self.members.get("OutputPath").filter(|entry| !whole(entry));
        self.members.remove("ResultPath");
        self.members.remove("OutputPath");
        if let (None, None, Outcome::Template(entry, _) | Outcome::Constant(entry)) =
            (result_path, output_path, outcome)
        {
            if matches!(outcome, Outcome::Constant(_)) {
                // `Result` takes the place of `Parameters`.
                self.members.remove("Parameters");
            }
            self.edits.rename(&entry.key, "Output");
            return match outcome {
                Outcome::Template(_, document) => template::in_place(&entry.value, document, setting, &mut self.edits),
                _ => template::constant(&entry.value, setting, &mut self.edits),
            };
        }
        let value = match result_path {
            // Nothing reads the result.
            Some(entry) if entry.value.tree == Tree::Null => input(),
            None => inline(outcome, setting)?,
            Some(entry) => merged(entry, &inline(outcome, setting)?, setting)?,
        };
        let value = self.selection("OutputPath", &value, setting)?.unwrap_or(value);
        for name in ["ResultSelector", "Result"] {
            self.members.remove(name);
        }
        if !is_task {
            self.members.remove("Parameters");
        }
        if value.text != default.text {
            self.members.put("Output", &setting.written(&value, self.at)?, &PLACES);
        }
        Ok(())
    }

    fn catchers(&mut self, setting: &mut Setting) -> Refused<()> {
        let catchers = self.members.get("Catch").and_then(|entry| entry.value.as_array());
        let error = Code::path("$states.errorOutput");
        self.error_names(setting);
        for catcher in catchers.unwrap_or_default() {
            let mut members = Members::new(catcher);
            if let Some(assign) = members.get("Assign") {
                template::in_place(&assign.value, &error, setting, &mut self.edits)?;
            }
            if let Some(path) = members.get("ResultPath") {
                members.remove("ResultPath");
                let output = match path.value.as_text() {
                    Some(text) if text.value.trim() == "$" => error.clone(),
                    Some(_) => merged(path, &error, setting)?,
                    None => input(),
                };
                if output.text != error.text {
                    members.put("Output", &setting.written(&output, path.value.span)?, &["ResultPath"]);
                }
            }
            members.finish(&mut self.edits);
        }
        Ok(())
    }

    /// Notes the names of errors that JSONata does not have.
    fn error_names(&self, setting: &mut Setting) {
        let handlers = ["Retry", "Catch"].into_iter().filter_map(|name| self.members.get(name)?.value.as_array());
        let names = handlers.flatten().filter_map(|handler| handler.get("ErrorEquals")?.as_array()).flatten();
        for name in names.filter_map(Node::as_text).filter(|name| name.value == "States.ResultPathMatchFailure") {
            let message = "in JSONata, this error is `States.QueryEvaluationError`";
            setting.notes.add(name.span, message);
        }
    }

    fn choice(&mut self, effective: &Code, setting: &mut Setting) -> Refused<()> {
        self.assign(effective, setting)?;
        let output = self.selection("OutputPath", effective, setting)?.unwrap_or_else(|| effective.clone());
        self.members.remove("OutputPath");
        let is_other = output.text != input().text;
        let output = if is_other { Some(setting.written(&output, self.at)?) } else { None };
        let rules = self.members.get("Choices").and_then(|entry| entry.value.as_array());
        for rule in rules.unwrap_or_default() {
            let condition = choice::condition(rule, effective, setting)?;
            let mut members = Members::new(rule);
            let mut parts = Vec::new();
            for entry in rule.as_object().unwrap_or_default() {
                let name = entry.key.value.as_str();
                if !choice::OTHER_FIELDS.contains(&name) {
                    members.remove(name);
                    parts.push(name);
                }
            }
            members.put("Condition", &setting.written(&condition, rule.span)?, &parts);
            if let Some(output) = &output {
                setting.repeat(output.len(), rule.span)?;
                members.insert("Output", output, &["Next"]);
            }
            if let Some(assign) = members.get("Assign") {
                template::in_place(&assign.value, effective, setting, &mut self.edits)?;
            }
            members.finish(&mut self.edits);
        }
        if let (Some(output), true) = (output, self.members.get("Default").is_some()) {
            self.members.put("Output", &output, &["OutputPath", "InputPath"]);
        }
        Ok(())
    }
}

/// Returns an outcome as one expression.
fn inline(outcome: &Outcome, setting: &mut Setting) -> Refused<Code> {
    match outcome {
        Outcome::Code(code) => Ok(code.clone()),
        Outcome::Template(entry, document) => Printer::new(document, setting, entry.value.span).template(&entry.value),
        Outcome::Constant(entry) => {
            let refuse = |message| Refusal::new(entry.value.span, message);
            code::literal(&Literal::from(&entry.value)).map_err(refuse)
        }
    }
}

/// Returns the input of the state with a value at the path of `ResultPath`.
fn merged(entry: &Entry, value: &Code, setting: &mut Setting) -> Refused<Code> {
    let Some(text) = entry.value.as_text() else { return Ok(input()) };
    let mut diagnostics = workflow_compiler::diagnostics::Diagnostics::default();
    let steps = workflow_compiler::expr::jsonpath::parse_target(text, &mut diagnostics).unwrap_or_default();
    let names = workflow_compiler::expr::jsonpath::names(&steps).filter(|names| !names.is_empty());
    let Some(names) = names else {
        return Err(Refusal::new(text.span, "JSONata has no expression that replaces one element of an array")
            .help("write the result beside the array"));
    };
    // Each level repeats the text of the levels inside of it.
    setting.repeat(names.len().saturating_mul(value.text.len() + text.value.len()), text.span)?;
    let merge = Printer::new(&input(), setting, text.span).function("merge")?;
    // The value at the end of each beginning of the path.
    let bases: Vec<Code> =
        names.iter().scan(input(), |base, name| Some(std::mem::replace(base, base.member(name)))).collect();
    let levels = names.iter().zip(bases).rev();
    Ok(levels.fold(value.clone(), |value, (name, base)| Code::merged(&merge, base, name, value)))
}
