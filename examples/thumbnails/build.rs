//! Compiles the workflow to `OUT_DIR/thumbnails.rs`.

fn main() {
    workflow_compiler::build()
        .task("Scale", "scale", Some("Job"), Some("Thumbnail"))
        .compile("flows/thumbnails.asl.yaml");
}
