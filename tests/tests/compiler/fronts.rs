//! The errors that users see from the macro and from build scripts: wrong definitions, and
//! programs that do not fit a definition.

use std::path::{Path, PathBuf};
use std::process::Command;
use workflow_compiler::source::Source;
use workflow_compiler::{Options, compile};
use workflow_tests::{definitions, golden, package};

/// The variable that names the definition which this program compiles in the role of a build
/// script.
const AS_BUILD_SCRIPT: &str = "WORKFLOW_TESTS_DEFINITION";

/// Programs in `macro/ui` include these modules, so that errors about types name them.
#[test]
fn code_of_build_scripts_is_kept() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let build = workflow_compiler::build;
    let order = build().task("ValidateOrder", "validate(Order) -> Validation").input("Order");
    let receipt = build().task("ChargeCard", "charge_card -> Receipt<Item>");
    for (name, build) in [("order", order), ("receipt", receipt)] {
        build.out_dir(folder).compile(format!("macro/flows/{name}.asl.json"));
        let made = definitions::read(&Path::new(folder).join(format!("{name}.rs")));
        let kept = made.and_then(|made| golden::check_rust(&package().join("macro/generated"), name, &made));
        kept.unwrap_or_else(|message| panic!("{message}"));
    }
}

#[test]
fn code_of_build_scripts_names_the_types_of_the_input_and_the_output() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("typed");
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let typed = workflow_compiler::build().task("ValidateOrder", "validate(Order) -> Validation").input("Order");
    typed.output("Receipt").out_dir(&folder).compile("macro/flows/order.asl.json");
    let made = definitions::read(&folder.join("order.rs")).unwrap_or_else(|message| panic!("{message}"));
    assert!(made.contains("input: super::Order") && made.contains("Result<Receipt, Fault>"), "{made}");
}

fn flows() -> Result<Vec<PathBuf>, String> {
    definitions::list(&package().join("macro/flows"))
}

#[test]
fn what_is_wrong_is_shown_by_build_scripts() {
    if let Ok(definition) = std::env::var(AS_BUILD_SCRIPT) {
        return workflow_compiler::build().out_dir(env!("CARGO_TARGET_TMPDIR")).compile(definition);
    }
    for file in flows().unwrap_or_else(|message| panic!("{message}")) {
        let name = format!("macro/flows/{}", file.file_name().unwrap_or_default().to_string_lossy());
        let text = definitions::read(&file).unwrap_or_else(|message| panic!("{message}"));
        let output = compile(Source::new(name.as_str(), text), &Options::default());
        let (shown, succeeded) = run_build_script(&name);
        let level = if output.is_refused() { "error" } else { "warning" };
        let expected: Vec<String> = golden::findings(&output)
            .lines()
            .filter(|line| !line.is_empty())
            .map(|line| format!("cargo::{level}={line}"))
            .collect();
        assert_eq!(shown, expected, "{name}");
        assert_eq!(succeeded, !output.is_refused(), "{name}");
    }
}

/// Runs this program in the role of a build script. Returns the lines about the definition that it
/// prints for cargo, and `true` if it succeeds.
fn run_build_script(definition: &str) -> (Vec<String>, bool) {
    let (lines, succeeded) = build_script_output(definition);
    (lines.into_iter().filter(|line| !line.starts_with("cargo::rerun")).collect(), succeeded)
}

/// Does the same as [`run_build_script`], with the lines that name the dependencies of the output.
fn build_script_output(definition: &str) -> (Vec<String>, bool) {
    let program = std::env::current_exe().unwrap_or_else(|error| panic!("{error}"));
    let mut command = Command::new(program);
    command.args(["--exact", "fronts::what_is_wrong_is_shown_by_build_scripts", "--nocapture", "--test-threads=1"]);
    let output = command.env(AS_BUILD_SCRIPT, definition).output().unwrap_or_else(|error| panic!("{error}"));
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    // The test harness writes the name of the test on the same line.
    let lines = text.lines().filter_map(|line| line.find("cargo::").map(|at| line[at..].to_owned()));
    (lines.collect(), output.status.success())
}

/// Cargo takes each line for an instruction, so that a name from a definition, or of its file,
/// must not begin a line.
#[cfg(unix)]
#[test]
fn names_of_files_are_no_instructions_for_cargo() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("instructions");
    let _before = std::fs::remove_dir_all(&folder);
    let write = |name: &str, text: &str| {
        let file = folder.join(name);
        std::fs::create_dir_all(file.parent().expect("it is in the folder")).expect("the folder is made");
        std::fs::write(&file, text).expect("the file is written");
        file.to_string_lossy().into_owned()
    };
    let document = r#"{ "openapi": "3.0.0", "paths": { "/a": { "get": { "operationId": "getA" } } } }"#;
    let definition = |named: &str| {
        format!(
            r#"{{ "name": "t", "version": "1", "functions": [{{ "name": "get", "operation": "{named}#getA" }}],
            "states": [{{ "name": "A", "start": true, "enterAction": {{ "type": "invokeFunction", "functionName": "get",
                "waitForCompletion": true }} }}] }}"#
        )
    };
    let named = "api\ncargo::rustc-env=PWNED=by-a-definition\n.json";
    write(named, document);
    write("api/bank.json", document);
    let hostile = write("hostile.sm4c.json", &definition(&named.replace('\n', "\\n")));
    let own = write("x\ncargo::rustc-env=PWNED=by-a-name\n.sm4c.json", &definition("api/bank.json"));
    for file in [&hostile, &own] {
        let (lines, succeeded) = build_script_output(file);
        assert!(!succeeded, "{lines:?}");
        let known = ["cargo::rerun-if-changed=", "cargo::error="];
        assert!(lines.iter().all(|line| known.iter().any(|known| line.starts_with(known))), "{lines:?}");
        assert!(lines.iter().any(|line| line.contains("U+000A")), "{lines:?}");
    }
    let sound = write("sound.sm4c.json", &definition("api/bank.json"));
    let (lines, succeeded) = build_script_output(&sound);
    assert!(succeeded, "{lines:?}");
    assert!(lines.iter().any(|line| line.ends_with("instructions/api/bank.json")), "{lines:?}");
}
