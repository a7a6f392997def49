//! Tests of the layout: nothing overlaps.

use super::*;

/// Left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// An element that nothing may overlap.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Thing {
    Figure(usize),
    /// The label of this line.
    Label(usize),
}

/// Returns the elements of a region that nothing may overlap: states, marks and labels.
fn areas(picture: &Picture) -> Vec<(Thing, Area)> {
    let mut found = Vec::new();
    for (at, figure) in picture.figures.iter().enumerate() {
        let (left, top) = (figure.x, figure.y);
        found.push((Thing::Figure(at), (left, top, left + figure.size.width, top + figure.size.height)));
    }
    for (at, line) in picture.lines.iter().enumerate().filter(|(_, line)| !line.label.is_empty()) {
        let (width, height) = (text::widest(&line.label, SMALL), line.label.len() as f64 * SMALL.line);
        let (left, top) = (line.label_at.0 - width / 2.0, line.label_at.1 - height / 2.0);
        found.push((Thing::Label(at), (left, top, left + width, top + height)));
    }
    found
}

/// Asserts that elements lie inside of their region without overlaps, and that no line crosses a
/// box or the label of another line. Recurses into states.
pub fn check(name: &str, picture: &Picture) {
    let found = areas(picture);
    let (width, height) = (picture.size.width, picture.size.height);
    for (at, (thing, a)) in found.iter().enumerate() {
        let is_in = a.0 >= -0.1 && a.1 >= -0.1 && a.2 <= width + 0.1 && a.3 <= height + 0.1;
        assert!(is_in, "{name}: {thing:?} sticks out");
        for (other, b) in &found[..at] {
            let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
            assert!(apart, "{name}: {thing:?} {a:?} and {other:?} {b:?}");
        }
    }
    for (at, line) in picture.lines.iter().enumerate() {
        for (x, y) in points(&line.path) {
            assert!(x >= -0.1 && y >= -0.1 && x <= width + 0.1 && y <= height + 0.1, "{name}: {} leaves", line.path);
            let inside = |area: &Area| x > area.0 + 0.2 && x < area.2 - 0.2 && y > area.1 + 0.2 && y < area.3 - 0.2;
            let hit = found.iter().find(|(thing, area)| *thing != Thing::Label(at) && inside(area));
            assert!(hit.is_none(), "{name}: a line crosses {hit:?} at {x} {y}: {}", line.path);
        }
    }
    for figure in &picture.figures {
        let Looks::State(state) = &figure.looks else { continue };
        for panel in &state.panels {
            let (right, bottom) = (panel.x + panel.picture.size.width, panel.y + panel.picture.size.height);
            assert!(right <= figure.size.width && bottom + PANEL_HEAD <= figure.size.height, "{name}: {}", panel.label);
            check(&format!("{name}, {}", panel.label), &panel.picture);
        }
    }
}

/// Returns points along a path. Curves are sampled in small steps.
fn points(path: &str) -> Vec<(f64, f64)> {
    let mut points: Vec<(f64, f64)> = Vec::new();
    for part in path.split_inclusive(|c: char| c.is_ascii_digit()).collect::<String>().split(['M', 'V', 'C']).skip(1) {
        let numbers: Vec<f64> = part.split(' ').map(|number| number.parse().expect("a number")).collect();
        let last = points.last().copied().unwrap_or_default();
        match numbers[..] {
            [y] => points.extend((0..=20).map(|step| (last.0, last.1 + (y - last.1) * f64::from(step) / 20.0))),
            [x, y] => points.push((x, y)),
            [x1, y1, x2, y2, x, y] => points.extend((0..=20).map(|step| {
                let t = f64::from(step) / 20.0;
                let at = |a: f64, b: f64, c: f64, d: f64| {
                    let s = 1.0 - t;
                    s * s * s * a + 3.0 * s * s * t * b + 3.0 * s * t * t * c + t * t * t * d
                };
                (at(last.0, x1, x2, x), at(last.1, y1, y2, y))
            })),
            _ => panic!("{path}"),
        }
    }
    points
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
            region.nodes.push(Node {
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

#[test]
#[should_panic(expected = "a line crosses Some((Label(1)")]
fn a_line_across_a_label_is_found() {
    let node = |name: &str| Node {
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
    // Moves the label of the second line onto the third line, which has room for it.
    let (one, three) = (&picture.figures[2], &picture.figures[3]);
    let between = (one.y + one.size.height + three.y) / 2.0;
    let x = picture.lines[1].label_at.0;
    picture.lines[1].label = vec![".".to_owned()];
    picture.lines[1].label_at = (x, between);
    check("moved", &picture);
}
