//! `cargo xtask shapes`: prints the diagnostics about shapes of data in the definitions of
//! external cases, and the time that the inference takes.

use crate::conformance::definitions;
use crate::conformance::shapes::{errors, findings, line, none_of};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::expr::PathStep;
use workflow_compiler::hir::Workflow;
use workflow_compiler::passes::infer_shapes;
use workflow_compiler::shapes::{AnyReason, Field, PathCount, RecordShape, Shape};

/// Prints the diagnostics of shapes of all distinct definitions, their numbers by code, and the
/// share of paths that begin at data of which something is known: as it is, and if the results of
/// all tasks had a type. Fails if a diagnostic of a definition that may succeed is an error.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let paths: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    if paths.is_empty() {
        return Err("name the folders or files of the cases".to_owned());
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let definitions = definitions(&paths)?;
    let (mut compiling, mut inferring) = (Duration::ZERO, Duration::ZERO);
    let mut wrong = Vec::new();
    let mut paths: BTreeMap<&str, [PathCount; 2]> = BTreeMap::new();
    for distinct in &definitions {
        let start = Instant::now();
        let (found, workflow) = findings(distinct);
        compiling += start.elapsed();
        if let Some(workflow) = &workflow {
            let start = Instant::now();
            let own = infer_shapes(workflow, &mut Diagnostics::default());
            inferring += start.elapsed();
            let named = infer_shapes(&with_types(workflow), &mut Diagnostics::default());
            let counts = paths.entry(distinct.file.as_str()).or_default();
            for (count, shapes) in counts.iter_mut().zip([own, named]) {
                count.add_assign(shapes.map(|shapes| shapes.paths).unwrap_or_default());
            }
        }
        for found in &found {
            *counts.entry(found.code.id).or_default() += 1;
            println!("{}", line(distinct, found));
        }
        wrong.extend(errors(distinct, &found));
    }
    println!("{} definitions", definitions.len());
    let share = 100.0 * inferring.as_secs_f64() / compiling.as_secs_f64();
    println!("compiled in {:.2} s, of which the shapes take {share:.1} %", compiling.as_secs_f64());
    counts.iter().for_each(|(code, count)| println!("{code}: {count}"));
    let mut total = [PathCount::default(); 2];
    for (file, counts) in &paths {
        println!("{file}: {}", precision(*counts));
        total.iter_mut().zip(counts).for_each(|(total, count)| *total += *count);
    }
    println!("all files: {}", precision(total));
    println!("the others begin at");
    for (reason, count) in AnyReason::ALL.into_iter().zip(total[0].unknown).filter(|(_, count)| *count > 0) {
        println!("{count:>7}  {}", reason.phrase());
    }
    none_of(&wrong)
}

/// The most members of a named type.
const MOST_MEMBERS: usize = 250;
/// The size of types inside each other above which the inner ones are left out.
const MOST_PARTS: usize = 3000;

/// Returns a workflow in which the result of each task has a type: an object with the members
/// that the definition reads anywhere, and no others. A member is a scalar, or such an object, or
/// a list of them.
fn with_types(workflow: &Workflow) -> Workflow {
    let names = names_read(workflow);
    let scalar = [Shape::string(), Shape::number(), Shape::boolean(), Shape::null()];
    let scalar = Shape::union(&scalar);
    let object = |member: &Shape| {
        let field = |name: &String| (name.as_str().into(), Field { shape: member.clone(), required: false });
        Shape::object(RecordShape { fields: names.iter().map(field).collect(), rest: Shape::never() })
    };
    let mut result = object(&scalar);
    for _ in 0..MOST_PARTS {
        let member = Shape::union(&[scalar.clone(), result.clone(), Shape::list(result.clone())]);
        if member.size() * names.len() > MOST_PARTS || names.is_empty() {
            break;
        }
        result = object(&member);
    }
    let mut typed = workflow.clone();
    for task in typed.tasks.iter_mut().filter(|task| task.shapes.output.is_any()) {
        task.shapes.output = result.clone();
    }
    typed
}

/// Returns the names of the members that the paths and the programs of a definition read.
fn names_read(workflow: &Workflow) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for read in &workflow.paths {
        let steps = read.steps.iter().filter_map(|(step, _)| match step {
            PathStep::Key(name) => Some(name),
            PathStep::Index(_) => None,
        });
        names.extend(steps.chain(read.names.iter().map(|(name, _)| name)).cloned());
    }
    for program in &workflow.programs {
        let after_dots = program.text.value.split('.').skip(1);
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let name = |text: &str| text.chars().take_while(|letter| is_part(*letter)).collect::<String>();
        names.extend(after_dots.map(name).filter(|name| name.starts_with(|letter: char| !letter.is_ascii_digit())));
    }
    names.into_iter().take(MOST_MEMBERS).collect()
}

/// Returns the shares of the paths whose beginning is known, in words.
fn precision(counts: [PathCount; 2]) -> String {
    let [own, named] = counts.map(|paths| {
        let share = 100.0 * paths.known as f64 / paths.all.max(1) as f64;
        format!("{} of {} paths ({share:.1} %)", paths.known, paths.all)
    });
    format!("known data begin {own}, and with the types of all tasks {named}")
}
