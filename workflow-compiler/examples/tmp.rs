//! tmp
fn main() {
    let p = std::env::args().nth(1).unwrap();
    let t = std::fs::read_to_string(&p).unwrap();
    let o = workflow_compiler::compile(workflow_compiler::source::Source::new(p, t), &Default::default());
    for d in &o.diagnostics {
        eprintln!("{}", workflow_compiler::diagnostics::render::render(d, &o.sources, false));
    }
    if let Some(c) = workflow_compiler::pretty(&o) {
        println!("{c}")
    }
}
