//! Compiles the workflow to `OUT_DIR/thumbnails.rs`.

fn main() {
    workflow_compiler::build().task("Scale", "scale(Job) -> Thumbnail").compile("flows/thumbnails.asl.yaml");
}
