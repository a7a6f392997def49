//! Tests of the layout: nothing overlaps, and the measurement finds what does.

use super::measure::DefectKind;
use super::*;
use workflow_compiler::graph::{GraphNode, Shape};

/// Asserts that a region has no flaws, nor have the regions inside of its states.
fn check(name: &str, picture: &Picture) {
    let mut defects = Vec::new();
    measure::region(name, picture, &mut defects);
    assert!(defects.is_empty(), "{defects:#?}");
}

#[test]
fn nothing_is_drawn_over_states_and_labels() {
    // Graphs with branches, joins, loops, self-loops and error paths, from a fixed pseudo-random
    // sequence.
    let mut seed = 7u64;
    let mut random = |below: usize| {
        seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (seed >> 33) as usize % below
    };
    for round in 0..60 {
        let states = 3 + random(25);
        let mut region = Region { start: Some(0), ..Region::default() };
        for at in 0..states {
            region.nodes.push(GraphNode {
                name: format!("State {at}{}", " long".repeat(random(6))),
                kind: "Task",
                details: vec!["detail".to_owned(); random(3)],
                shape: Shape::Task,
                regions: Vec::new(),
            });
            for _ in 0..1 + random(3) {
                let to = if random(9) == 0 { Target::End } else { Target::State(random(states)) };
                let labels = (0..random(3)).map(|label| format!("when {label} holds of the input")).collect();
                let edge = Edge { from: at, to, error: random(3) == 0, labels };
                if !region.edges.iter().any(|known| (known.from, known.to, known.error) == (at, to, edge.error)) {
                    region.edges.push(edge);
                }
            }
        }
        check(&format!("round {round}"), &picture(&region).expect("it is small"));
    }
}

/// Returns the kinds of the flaws of a picture of three states in a row that `change` has spoiled.
fn flaws_after(change: impl Fn(&mut Picture)) -> Vec<DefectKind> {
    let node = |name: &str| GraphNode {
        name: name.to_owned(),
        kind: "Task",
        details: Vec::new(),
        shape: Shape::Task,
        regions: Vec::new(),
    };
    let labels = vec!["when it holds".to_owned()];
    let edge = |from: usize, labels| Edge { from, to: Target::State(from + 1), error: false, labels };
    let edges = vec![edge(0, labels), edge(1, Vec::new())];
    let nodes = ["One", "Two", "Three"].map(node).into();
    let mut picture = picture(&Region { start: Some(0), nodes, edges, ..Region::default() }).expect("it is small");
    change(&mut picture);
    let mut defects = Vec::new();
    measure::region("spoiled", &picture, &mut defects);
    let mut kinds: Vec<DefectKind> = defects.into_iter().map(|defect| defect.kind).collect();
    kinds.dedup();
    kinds
}

#[test]
fn flaws_are_found() {
    assert_eq!(flaws_after(|_| {}), []);
    let line = flaws_after(|picture| picture.lines[1].label_at.1 += 1000.0);
    assert_eq!(line, [DefectKind::Outside]);
    // The label of the second line lies on the third line.
    let line = flaws_after(|picture| {
        let (two, three) = (&picture.figures[2], &picture.figures[3]);
        let between = (two.y + two.size.height + three.y) / 2.0;
        picture.lines[1].label = vec![".".to_owned()];
        picture.lines[1].label_at.1 = between;
    });
    assert_eq!(line, [DefectKind::LineOnText]);
    let box_on_box = flaws_after(|picture| picture.figures[3].y = picture.figures[2].y + 5.0);
    assert!(
        box_on_box.contains(&DefectKind::TextOnBox) && box_on_box.contains(&DefectKind::LineOnBox),
        "{box_on_box:?}"
    );
    let head = flaws_after(|picture| picture.lines[2].path.push_str("H30.0"));
    assert!(head.contains(&DefectKind::Head), "{head:?}");
    let shared = flaws_after(|picture| {
        let path = picture.lines[2].path.clone();
        picture.lines[0].path = path;
    });
    assert!(shared.contains(&DefectKind::LineOnLine), "{shared:?}");
    let text = flaws_after(|picture| picture.figures[1].size.width = 30.0);
    assert!(text.contains(&DefectKind::Outside), "{text:?}");
}
