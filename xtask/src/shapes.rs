//! `cargo xtask shapes`: prints the diagnostics about shapes of data in the definitions of
//! external cases, and the time that the inference takes.

use crate::conformance::definitions;
use crate::conformance::shapes::{errors, findings, line, none_of};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::ops::AddAssign;
use std::path::PathBuf;
use std::time::{Duration, Instant};
use workflow_compiler::diagnostics::Diagnostics;
use workflow_compiler::expr::PathStep;
use workflow_compiler::hir::Workflow;
use workflow_compiler::passes::{count_paths, infer_shapes};
use workflow_compiler::shapes::{AnyReason, Field, PathCount, RecordShape, Shape};

/// Prints the diagnostics of shapes of all distinct definitions, their numbers by code, and the
/// share of paths that begin at data of which something is known: as it is, and if the results of
/// all tasks had a type. Fails if a diagnostic of a definition that may succeed is an error, or if
/// a file with real-world definitions falls short of its floor.
pub fn run(arguments: &[String]) -> Result<(), String> {
    let paths: Vec<PathBuf> = arguments.iter().map(PathBuf::from).collect();
    if paths.is_empty() {
        return Err("name the folders or files of the cases".to_owned());
    }
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let definitions = definitions(&paths)?;
    let (mut compiling, mut inferring) = (Duration::ZERO, Duration::ZERO);
    let mut wrong = Vec::new();
    let mut files: BTreeMap<&str, FilePaths> = BTreeMap::new();
    for distinct in &definitions {
        let start = Instant::now();
        let (found, workflow) = findings(distinct);
        compiling += start.elapsed();
        let file = files.entry(distinct.file.as_str()).or_default();
        match &workflow {
            Some(workflow) => {
                let start = Instant::now();
                let own = infer_shapes(workflow, &mut Diagnostics::default());
                inferring += start.elapsed();
                let named = infer_shapes(&with_types(workflow), &mut Diagnostics::default());
                file.add([own, named].map(|shapes| shapes.map(|shapes| shapes.paths)), count_paths(workflow));
            }
            None => file.refused += 1,
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
    let mut total = FilePaths::default();
    for (file, paths) in &files {
        println!("{file}: {paths}");
        total += *paths;
    }
    println!("all files: {total}");
    println!("the others begin at (as they are, and with the types)");
    let [own, named] = total.counts.map(|count| count.unknown);
    for ((reason, own), named) in AnyReason::ALL.into_iter().zip(own).zip(named) {
        println!("{own:>7} {named:>7}  {}", reason.phrase());
    }
    none_of(&wrong)?;
    short_of(&files, &FLOORS, &TOTAL)
}

/// The paths in the definitions of a file.
#[derive(Debug, Clone, Copy, Default)]
struct FilePaths {
    /// The paths that the analysis follows: as they are, and with the types of all tasks.
    counts: [PathCount; 2],
    /// The number of all paths, also of those in states that are never entered.
    all: usize,
    /// The number of definitions that are not compiled.
    refused: usize,
    /// The number of analyses that are abandoned.
    abandoned: usize,
}

impl FilePaths {
    /// Adds the paths of a definition. `None` for an analysis that is abandoned.
    fn add(&mut self, counts: [Option<PathCount>; 2], all: usize) {
        let followed = counts.iter().flatten().map(|count| count.all);
        self.all += followed.max().unwrap_or(0).max(all);
        for (own, count) in self.counts.iter_mut().zip(counts) {
            self.abandoned += usize::from(count.is_none());
            *own += count.unwrap_or_default();
        }
    }
}

impl AddAssign for FilePaths {
    fn add_assign(&mut self, other: FilePaths) {
        self.counts.iter_mut().zip(other.counts).for_each(|(own, other)| *own += other);
        self.all += other.all;
        self.refused += other.refused;
        self.abandoned += other.abandoned;
    }
}

impl fmt::Display for FilePaths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (count, way) in self.counts.iter().zip(["known data begin", "; with the types of all tasks"]) {
            let share = |all: usize| 100.0 * count.known as f64 / all.max(1) as f64;
            let (followed, all) = (share(count.all), share(self.all));
            let left = self.all.saturating_sub(count.all);
            write!(
                f,
                "{way} {} of {} paths ({followed:.1} %), {all:.1} % with {left} that are not reached",
                count.known, count.all
            )?;
        }
        match (self.refused, self.abandoned) {
            (0, 0) => Ok(()),
            (refused, abandoned) => write!(f, "; {refused} definitions are refused, {abandoned} analyses abandoned"),
        }
    }
}

/// The expected precision of a file, with the types of all tasks.
struct Floor {
    /// The file.
    file: &'static str,
    /// The least share of the paths that the analysis follows to begin at known data, in percent.
    followed: usize,
    /// The least share of all paths that do, in percent.
    all: usize,
    /// The most definitions that are not compiled.
    refused: usize,
    /// The most analyses that are abandoned.
    abandoned: usize,
}

/// The floors. They only rise.
const FLOORS: [Floor; 2] = [
    Floor { file: "asl/realworld.json", followed: 84, all: 84, refused: 0, abandoned: 0 },
    Floor { file: "asl2/realworld.json", followed: 70, all: 64, refused: 0, abandoned: 0 },
];

/// The floor of these files together. It only rises.
const TOTAL: Floor = Floor { file: "all of these files", followed: 81, all: 79, refused: 0, abandoned: 0 };

impl Floor {
    /// Returns the complaints about a file that is short of the floor.
    fn complaints(&self, paths: &FilePaths) -> Vec<String> {
        let mut broken = Vec::new();
        let [_, PathCount { known, all: followed, .. }] = paths.counts;
        let mut below = |what: &str, all: usize, least: usize| {
            if all == 0 || 100 * known < least * all {
                broken.push(format!("{}: {known} of {all} {what} begin at known data, below {least} %", self.file));
            }
        };
        below("paths", followed, self.followed);
        below("paths, with those that are not reached,", paths.all, self.all);
        let mut above = |what: &str, count: usize, most: usize| {
            if count > most {
                broken.push(format!("{}: {count} {what}, not {most}", self.file));
            }
        };
        above("definitions are refused", paths.refused, self.refused);
        above("analyses are abandoned", paths.abandoned, self.abandoned);
        broken
    }
}

/// Fails if a file is short of its floor, or if all files with a floor are given and are short of
/// the floor of all. Files that are not given have none.
fn short_of(files: &BTreeMap<&str, FilePaths>, floors: &[Floor], total: &Floor) -> Result<(), String> {
    let found: Vec<(&Floor, FilePaths)> =
        floors.iter().filter_map(|floor| Some((floor, *files.get(floor.file)?))).collect();
    let mut broken: Vec<String> = found.iter().flat_map(|(floor, paths)| floor.complaints(paths)).collect();
    if found.len() == floors.len() {
        let mut all = FilePaths::default();
        found.iter().for_each(|(_, paths)| all += *paths);
        broken.extend(total.complaints(&all));
    }
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n")) }
}

/// The most members of a named type.
const MOST_MEMBERS: usize = 250;
/// The size of types inside each other above which the inner ones are left out.
const MOST_PARTS: usize = 3000;

/// Returns a workflow in which the result of each task has a type: an object with the members
/// that the definition reads anywhere, and no others, or a list of such objects. A member is a
/// scalar, or such an object, or a list of them. Of what is nested too deep nothing is known.
fn with_types(workflow: &Workflow) -> Workflow {
    let names = names_read(workflow);
    let scalar = [Shape::string(), Shape::number(), Shape::boolean(), Shape::null()];
    let scalar = Shape::union(&scalar);
    let object = |member: &Shape| {
        let field = |name: &String| (name.as_str().into(), Field { shape: member.clone(), required: false });
        Shape::object(RecordShape { fields: names.iter().map(field).collect(), rest: Shape::never() })
    };
    let mut result = object(&Shape::any());
    for _ in 0..MOST_PARTS {
        let member = Shape::union(&[scalar.clone(), result.clone(), Shape::list(result.clone())]);
        if member.size() * names.len() > MOST_PARTS || names.is_empty() {
            break;
        }
        result = object(&member);
    }
    let result = result.join(&Shape::list(result.clone()));
    let mut typed = workflow.clone();
    for task in typed.tasks.iter_mut() {
        // The description of a service is kept, as far as the type has its members.
        let shapes = &task.shapes;
        let described = if shapes.output.is_any() { &shapes.documented } else { &shapes.output };
        let is_open = |object: &RecordShape| !object.is_closed();
        if described.as_object().as_ref().is_some_and(is_open) {
            task.shapes.output = described.meet(&result);
        }
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
        // Any word may be a name: those of predicates follow no dot.
        let is_part = |letter: char| letter.is_alphanumeric() || letter == '_';
        let words = program.text.value.split(|letter| !is_part(letter));
        let names_of = words.filter(|word| word.starts_with(|letter: char| !letter.is_ascii_digit()));
        names.extend(names_of.map(str::to_owned));
    }
    names.into_iter().take(MOST_MEMBERS).collect()
}

#[cfg(test)]
mod tests;
