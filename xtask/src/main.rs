//! The recurring work of the project as commands: `cargo xtask COMMAND`.

mod bench;
mod bless;
mod ci;
mod conformance;
mod crash;
mod deny;
#[cfg(test)]
mod generated;
mod readme;
mod tidy;
mod workspace;

use std::process::ExitCode;

const USAGE: &str = "\
cargo xtask COMMAND

  ci                      everything that must hold before a change is taken
  conformance PATH...     compile and run the cases of these folders or files
      --list              name the failures with expected and actual, and what is unsupported with the reason
      --filter TEXT       only cases whose id contains the text
      --raise             raise the floors to what passes now
  crash                   kill a process full of executions again and again, and check that nothing came of it
      --engine NAME       the engine: sqlite, restate
      --kills N           how often
      --seed S            where the random points come from
  deny                    the licences, bans and sources of all dependencies, and known vulnerabilities where their
                          database is at hand
  readme                  run the commands of README, and build its programs
  bench [PART...]         the promised numbers, measured, each with its limit; parts: run, durable, size,
                          build
  tidy                    the rules of the tree that no other tool checks
  bless [ARGUMENT...]     run the tests and accept what they produce as golden files";

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
        Some("tidy") => tidy::run(),
        Some("readme") => readme::run(),
        Some("bless") => bless::run(&arguments),
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
