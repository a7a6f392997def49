//! tmp
fn main() {
    let p = std::env::args().nth(1).unwrap();
    let t = std::fs::read_to_string(&p).unwrap();
    let v: serde_json::Value = serde_json::from_str(&t).unwrap();
    let mut lines = 0;
    let mut states = 0;
    let (mut ok, mut bad) = (0, 0);
    let mut time = std::time::Duration::ZERO;
    let mut hist = std::collections::BTreeMap::new();
    for c in v["cases"].as_array().unwrap() {
        let yaml = c["format"] == "yaml";
        let text = match c.get("definition_text") {
            Some(t) => t.as_str().unwrap().to_string(),
            None => serde_json::to_string_pretty(&c["definition"]).unwrap(),
        };
        let st = std::time::Instant::now();
        let o = workflow_compiler::compile(
            workflow_compiler::source::Source::new(if yaml { "a.asl.yaml" } else { "a.asl.json" }, text),
            &Default::default(),
        );
        time += st.elapsed();
        for d in &o.diagnostics {
            *hist.entry(d.code.id).or_insert(0) += 1;
        }
        if o.tokens.is_some() {
            ok += 1;
            let code = workflow_compiler::pretty(&o).unwrap();
            lines += code.lines().count();
            if std::env::args().nth(2).is_some() {
                println!("{code}");
            }
            states += o.workflow.as_ref().unwrap().states().count();
        } else {
            bad += 1;
            println!("REFUSED {}", c["id"]);
            for d in o.diagnostics.iter().filter(|d| d.severity() == workflow_compiler::diagnostics::Severity::Error) {
                println!("{}", workflow_compiler::diagnostics::render::render(d, &o.sources, false));
            }
        }
    }
    println!(
        "ok {ok} refused {bad} lines {lines} states {states} per {} time {time:?} {hist:?}",
        lines as f64 / states.max(1) as f64
    );
}
