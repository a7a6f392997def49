//! Compiles the definitions.

fn main() {
    for flow in ["ten", "pure", "chain"] {
        workflow_compiler::build().compile(format!("flows/{flow}.asl.json"));
    }
}
