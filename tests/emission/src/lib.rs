//! An oracle for generated code: no text of a definition becomes Rust, whatever it is.
//!
//! A test is a template of a definition, and texts for the places in it that an author fills
//! freely. The template is compiled twice: with the hostile texts, and with plain words in their
//! places, equal words for equal texts and in the same order. Then the module `oracle` checks
//! these rules:
//!
//! * The generated code parses as Rust. It has no control character, and none that changes the
//!   direction of text.
//! * Parsed again, the code has exactly the tokens that the compiler emitted: no comment or
//!   literal breaks out of its place.
//! * A function of a block takes the turn if and only if it uses it, and each call passes what
//!   the function takes.
//! * The code has the same tokens as the code of the plain definition, one for one, with two
//!   exceptions: a string may be another string, and an identifier made from a plain word may be
//!   another identifier, made from the text in its place.
//! * Two names that differ in a scope of the plain code differ in the code.
//!
//! A text with a meaning in its place, such as `${` where placeholders are read, changes the
//! structure of the code as it should. Then only the first three rules are checked.
//!
//! The fuzz targets pass bytes ([`Input`]), the tests fixed texts ([`HOSTILE`]).

mod hostile;
mod input;
mod javascript;
mod jq;
mod jsonata;
mod names;
mod openapi;
mod oracle;
mod schema;
mod template;

pub use hostile::HOSTILE;
pub use input::Input;

use input::{Choices, Texts};
use workflow_compiler::Files;
use workflow_compiler::diagnostics::Severity;
use workflow_compiler::source::Source;
use workflow_compiler::{Options, Output, compile};

/// A family of places in definitions, one for each fuzz target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Family {
    /// Names, comments and values, in every dialect.
    Names,
    /// Functions of compositions: names of variables, keys, strings, comments.
    JavaScript,
    /// Programs in jq: names of variables and functions, keys, strings, comments.
    Jq,
    /// Expressions in JSONata: names of variables and members, keys, strings, comments.
    Jsonata,
    /// Documents whose operations a definition calls.
    OpenApi,
    /// Schemas from which types are made.
    JsonSchema,
}

impl Family {
    /// All families.
    pub const ALL: [Family; 6] =
        [Family::Names, Family::JavaScript, Family::Jq, Family::Jsonata, Family::OpenApi, Family::JsonSchema];

    /// Returns the name of the fuzz target.
    pub fn name(self) -> &'static str {
        match self {
            Family::Names => "emitted_names",
            Family::JavaScript => "emitted_javascript",
            Family::Jq => "emitted_jq",
            Family::Jsonata => "emitted_jsonata",
            Family::OpenApi => "emitted_openapi",
            Family::JsonSchema => "emitted_schemas",
        }
    }

    /// Returns the number of basic shapes, from which the first byte of a program selects. The
    /// other bytes vary the shape.
    pub fn shapes(self) -> u8 {
        match self {
            Family::Names => names::SHAPES,
            Family::JavaScript => javascript::SHAPES,
            Family::Jq => jq::SHAPES,
            Family::Jsonata => jsonata::SHAPES,
            Family::OpenApi => openapi::SHAPES,
            Family::JsonSchema => schema::SHAPES,
        }
    }

    /// Returns the programs of the tests: one byte for each shape, and bytes for the rest.
    pub fn programs(self) -> impl Iterator<Item = Vec<u8>> {
        // The expressions in JSONata have all forms only in longer programs.
        let bytes = if self == Family::Jsonata { 120 } else { 60 };
        let rest =
            move |seed: u8| (0..bytes).map(move |at: u8| at.wrapping_mul(seed).wrapping_mul(37).wrapping_add(seed));
        (0..self.shapes()).map(move |shape| std::iter::once(shape).chain(rest(5 + 6 * shape)).collect())
    }

    fn definition(self, choices: &mut Choices<'_>, texts: &Texts) -> Definition {
        match self {
            Family::Names => names::definition(choices, texts),
            Family::JavaScript => javascript::definition(choices, texts),
            Family::Jq => jq::definition(choices, texts),
            Family::Jsonata => jsonata::definition(choices, texts),
            Family::OpenApi => openapi::definition(choices, texts),
            Family::JsonSchema => schema::definition(choices, texts),
        }
    }

    /// Fits a text to a place of the family, such as one that takes only names.
    fn fitted(self, place: usize, text: &str) -> String {
        match self {
            Family::JavaScript => javascript::fitted(place, text),
            Family::Jq => jq::fitted(place, text),
            Family::Jsonata => jsonata::fitted(place, text),
            Family::OpenApi => openapi::fitted(place, text),
            Family::Names | Family::JsonSchema => text.to_owned(),
        }
    }
}

/// A definition and the files around it.
#[derive(Debug)]
struct Definition {
    /// The name of its file, which determines the dialect.
    file: String,
    text: String,
    /// The name of the workflow, if it is not that of the file.
    name: Option<String>,
    /// Paths and texts.
    files: Vec<(String, String)>,
}

/// The result of a check that found no error.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// The compiler refuses the definition.
    Refused,
    /// The code is sound. Its structure depends on the texts.
    Sound,
    /// The code is sound, and has the structure of the plain definition's code.
    Same,
}

/// Checks the generated code of a definition with the texts of an input.
///
/// # Errors
/// The rule that the code breaks, and the definition.
pub fn check(family: Family, input: &Input) -> Result<Verdict, String> {
    let hostile = Texts::hostile(family, input);
    let definition = family.definition(&mut Choices::new(&input.program), &hostile);
    let output = compiled(&definition);
    let context = |problem: String| format!("{problem}\nin {definition:#?}");
    let Some(code) = oracle::sound(&output).map_err(context)? else { return Ok(Verdict::Refused) };
    if hostile.are_meaningful() {
        return Ok(Verdict::Sound);
    }
    let plain = hostile.plain();
    let model = compiled(&family.definition(&mut Choices::new(&input.program), &plain));
    // A resource without a usable character gives no task key: each state has a task of its own.
    if task_keys(&output) != task_keys(&model) {
        return Ok(Verdict::Sound);
    }
    let Some(model) = oracle::sound(&model)? else {
        return Err(context(format!("the plain definition is refused: {:?}", model.diagnostics)));
    };
    match family {
        Family::JsonSchema => oracle::same_types(&code, &model, &hostile, &plain),
        _ => oracle::same(family, &code, &model, &hostile, &plain),
    }
    .map_err(|problem| context(format!("{problem}\n{code}")))?;
    Ok(Verdict::Same)
}

/// Returns the errors for which the compiler refuses a definition, with their codes.
pub fn errors(family: Family, input: &Input) -> Vec<String> {
    let texts = Texts::hostile(family, input);
    let output = compiled(&family.definition(&mut Choices::new(&input.program), &texts));
    let errors = output.diagnostics.iter().filter(|found| found.severity() == Severity::Error);
    errors.map(|found| format!("{}: {}", found.code.id, found.message)).collect()
}

fn compiled(definition: &Definition) -> Output {
    let files = definition.files.clone();
    let files = Files::new(move |asked| match files.iter().find(|(path, _)| path == asked.as_str()) {
        Some((_, text)) => Ok(text.clone().into_bytes()),
        None => Err("does not exist".to_owned()),
    });
    // The output of a random definition rarely fits its random schema.
    let allow = ["WF1904", "WF1905", "WF1906"].map(str::to_owned).to_vec();
    let options = Options { name: definition.name.clone(), engine: Some(true), allow, ..Options::default() };
    compile(Source::new(&*definition.file, &*definition.text).with_files(files), &options)
}

/// Returns the number of distinct task keys.
fn task_keys(output: &Output) -> usize {
    let tasks = output.workflow.iter().flat_map(|workflow| &workflow.tasks);
    tasks.map(|task| &*task.key).collect::<std::collections::BTreeSet<&str>>().len()
}
