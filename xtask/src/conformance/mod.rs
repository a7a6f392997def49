//! `cargo xtask conformance`: compiles the definitions of external cases, runs them, and compares.
//!
//! The path of a case: the reader of its file makes a [`case::Case`] of it (`asl/` and so on, one
//! module per dialect) → the library compiles each distinct definition once ([`compile`]) → the
//! generated modules are put into crates ([`crates`]) and built ([`build`]) → these crates run the
//! cases ([`mod@run`]) → each case judges its outcome ([`report`]).

mod asl;
mod build;
mod case;
mod compare;
mod compile;
mod composer;
mod corpus;
mod crates;
mod expressions;
mod fields;
mod floors;
mod observed;
mod report;
mod rulings;
mod run;
mod serverless_workflow;
pub mod shapes;
mod sm4c;
mod time;
mod workflow_dsl;

use crate::workspace::root;
use case::{Case, CaseFile, Catalogue, Definition, Goal, Outcome, Plan, Trial};
use compile::{Compiled, GeneratedProgram, Ways};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Instant;

/// The command-line arguments.
#[derive(Default)]
struct Request {
    paths: Vec<PathBuf>,
    list: bool,
    /// `true` if definitions in JSONPath are converted to JSONata. Cases of `States.Runtime` fail.
    converts: bool,
    filter: Option<String>,
    raise: bool,
}

impl Request {
    fn parse(arguments: &[String]) -> Result<Request, String> {
        let mut request = Request::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--list" => request.list = true,
                "--to-jsonata" => request.converts = true,
                "--raise" => request.raise = true,
                "--filter" => {
                    let text = arguments.next().ok_or("`--filter` needs a text")?;
                    request.filter = Some(text.clone());
                }
                option if option.starts_with('-') => return Err(format!("unknown option `{option}`")),
                path => request.paths.push(PathBuf::from(path)),
            }
        }
        match request.paths.is_empty() {
            true => Err("name the folders or files of the cases".to_owned()),
            false => Ok(request),
        }
    }
}

/// A definition of the cases.
pub struct Distinct {
    /// The file of its first case.
    pub file: String,
    /// The name of its first case.
    pub id: String,
    /// The definition.
    pub definition: Definition,
    /// `true` if all its cases [fail](Case::fails), so that an error of shapes may be right.
    pub fails: bool,
}

/// Returns the distinct definitions of the cases.
pub fn definitions(paths: &[PathBuf]) -> Result<Vec<Distinct>, String> {
    let mut catalogue = Catalogue::default();
    let files = corpus::read(paths, &mut catalogue)?;
    Ok(distinct(&files, &catalogue))
}

fn distinct(files: &[CaseFile], catalogue: &Catalogue) -> Vec<Distinct> {
    let mut at = BTreeMap::new();
    let mut found: Vec<Distinct> = Vec::new();
    for file in files {
        for case in &file.cases {
            let Plan::Try(trial) = &case.plan else { continue };
            let Some(definition) = catalogue.definition(trial.definition) else { continue };
            let index = *at.entry(trial.definition).or_insert(found.len());
            match found.get_mut(index) {
                Some(known) => known.fails &= case.fails,
                None => found.push(Distinct {
                    file: file.name.clone(),
                    id: case.id.clone(),
                    definition: definition.clone(),
                    fails: case.fails,
                }),
            }
        }
    }
    found
}

/// Runs the cases. Fails if a count is below its floor.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let request = Request::parse(arguments)?;
    let mut catalogue = Catalogue::default();
    let mut files = corpus::read(&request.paths, &mut catalogue)?;
    if let Some(text) = &request.filter {
        for file in &mut files {
            file.cases.retain(|case| case.id.contains(text.as_str()));
        }
    }
    let cases: Vec<&Case> = files.iter().flat_map(|file| &file.cases).collect();
    let start = Instant::now();
    let compiled = compile::compile_all(&catalogue, &cases, request.converts);
    eprintln!("compiled {} definitions in {:.1} s", compiled.len(), start.elapsed().as_secs_f64());

    let start = Instant::now();
    let folder = root().join("target/conformance");
    let built = build::build(&folder, &compiled, &cases)?;
    eprintln!("built {} crates in {:.1} s", built.groups.len(), start.elapsed().as_secs_f64());

    let start = Instant::now();
    let ran = run::run(&built, &cases)?;
    eprintln!("ran {} cases in {:.1} s", ran.len(), start.elapsed().as_secs_f64());

    let mut report = report::Report::new(request.list);
    for file in &files {
        let verdicts = file.cases.iter().map(|case| {
            let verdict = judge(case, &compiled, &built, &ran);
            (case.id.as_str(), verdict.decided(case.decided), ways(case, &compiled))
        });
        report.add(&file.name, verdicts);
    }
    report.print();
    match request.filter {
        _ if request.converts => Ok(()),
        Some(_) => Ok(()),
        None => {
            let wrong = shapes::false_errors(&distinct(&files, &catalogue));
            floors::check(&report, request.raise).and(shapes::none_of(&wrong))
        }
    }
}

/// Returns the ways of a case's expression, if the case is about one.
fn ways<'a>(case: &Case, compiled: &'a compile::All) -> Option<&'a Ways> {
    let Plan::Try(trial) = &case.plan else { return None };
    match compiled.get(&trial.definition) {
        Some(Compiled::Accepted(module)) => match &module.program {
            GeneratedProgram::Expression(ways) => Some(ways),
            GeneratedProgram::Workflow(_) => None,
        },
        _ => None,
    }
}

fn judge(case: &Case, compiled: &compile::All, built: &build::Built, ran: &run::Results) -> case::Verdict {
    let Trial { definition, goal, judge } = match &case.plan {
        Plan::Try(trial) => trial,
        Plan::Unsupported(reason) => return case::Verdict::Unsupported(reason.clone()),
    };
    match compiled.get(definition) {
        None => case::Verdict::failed("to be compiled", "not tried"),
        Some(Compiled::Panicked(message)) => {
            case::Verdict::failed("no panic", format!("the compiler panicked: {message}"))
        }
        Some(Compiled::Refused(findings)) => judge(&Outcome::Refused(findings)),
        Some(Compiled::Accepted(_)) => match (goal, built.bad.get(definition), ran.get(case.id.as_str())) {
            (Goal::Check, ..) => judge(&Outcome::Accepted),
            (_, Some(message), _) => {
                case::Verdict::failed("to build", format!("rustc rejects the generated code: {message}"))
            }
            (Goal::Build, None, _) => judge(&Outcome::Accepted),
            (Goal::Run(_), None, Some(Ok(observed))) => judge(&Outcome::Ran(observed)),
            (Goal::Run(_), None, Some(Err(crash))) => case::Verdict::failed("to run to its end", crash.clone()),
            (Goal::Run(_), None, None) => case::Verdict::failed("to run", "not run"),
        },
    }
}
