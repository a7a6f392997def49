//! The recurring work of the project as commands: `cargo xtask COMMAND`.

mod bench;
mod book;
mod ci;
mod conformance;
mod crash;
mod deny;
mod explore;
mod generated;
mod goldens;
mod package;
mod pictures;
mod shapes;
mod tidy;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  ci                      all checks that a change must pass
  conformance PATH...     compile and run the cases of these folders or files
      --list              list failures with the expected and actual result, and unsupported cases with the reason
      --filter TEXT       only cases whose id contains the text
      --to-jsonata        convert definitions in JSONPath to JSONata first: cases of `States.Runtime` fail
      --raise             raise the floors to the cases that pass now
  crash                   kill a process with many executions repeatedly, and check that nothing is lost or repeated
      --engine NAME       the engine: sqlite, restate
      --kills N           the number of kills
      --seed S            the seed of the random points
  deny                    the licences, bans and sources of all dependencies, and known vulnerabilities if their
                          database was fetched
  explore                 try every order of a few events, commands and crashes on the coordination core
      --depth N           the greatest number of actions in one order; without it, all of them
  goldens                 count defects of style in the generated code of the test cases
  package                 pack the published packages, and check what is packed
  pictures [CORPUS]       draw the definitions of the external cases, and measure that nothing overlaps
  shapes PATH...          print the diagnostics about shapes of data in the definitions of the cases, and check
                          that none of those that may succeed has an error of shapes
  book                    run the commands of README and the pages in docs, build their programs, replay the tutorial
  tutorial                follow docs/tutorial.md as a reader would
  bench [PART...]         measure the promised numbers and compare them with their limits; parts: run,
                          expressions, durable, server, restate, restate-steps, size, build; `bench peers`
                          compares with other tools
  tidy                    check the rules of this repository that no other tool checks
  generate                write the generated files: pages of the documentation, a module of an example";

fn main() -> ExitCode {
    if let Some(code) = bench::as_wrapper() {
        return code;
    }
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let arguments: Vec<String> = arguments.collect();
    let result = match command.as_deref() {
        Some("bench") => bench::run(&arguments),
        Some("ci") => ci::run(),
        Some("conformance") => conformance::run(&arguments),
        Some("crash") => crash::run(&arguments),
        Some("deny") => deny::run(),
        Some("explore") => explore::run(&arguments),
        Some("tidy") => tidy::run(),
        Some("goldens") => goldens::run(),
        Some("package") => package::run(),
        Some("pictures") => pictures::run(&arguments),
        Some("shapes") => shapes::run(&arguments),
        Some("book") => book::run(),
        Some("generate") => generated::run(),
        Some("tutorial") => book::replay_tutorial(),
        Some("help" | "--help" | "-h") => {
            println!("{USAGE}");
            Ok(())
        }
        _ => Err(USAGE.to_owned()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
