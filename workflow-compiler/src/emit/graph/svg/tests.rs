//! Tests of the layout: nothing is drawn over anything.

use super::*;

/// Left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// Everything that is drawn in a picture and must not be drawn over: states and labels.
fn areas(picture: &Picture, x: f64, y: f64, found: &mut Vec<(String, Area)>) {
    for figure in &picture.figures {
        let (left, top) = (x + figure.x, y + figure.y);
        let name = match &figure.looks {
            Looks::State(state) => state.title.clone(),
            Looks::Start | Looks::End | Looks::Termination | Looks::Failure => "mark".to_owned(),
        };
        found.push((name, (left, top, left + figure.size.width, top + figure.size.height)));
    }
    for line in picture.lines.iter().filter(|line| !line.label.is_empty()) {
        let (width, height) = (text::widest(&line.label, SMALL), line.label.len() as f64 * SMALL.line);
        let (left, top) = (x + line.label_at.0 - width / 2.0, y + line.label_at.1 - height / 2.0);
        found.push((line.label.join(" "), (left, top, left + width, top + height)));
    }
}

/// The points of a path, its curves in small steps.
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
    // Graphs of all kinds: branching, merging, loops, self-loops, error paths, from a fixed sequence of numbers.
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
        let picture = picture(&region).expect("it is small");
        let mut found = Vec::new();
        areas(&picture, 0.0, 0.0, &mut found);
        let (width, height) = (picture.size.width, picture.size.height);
        for (at, (name, a)) in found.iter().enumerate() {
            assert!(
                a.0 >= -0.1 && a.1 >= -0.1 && a.2 <= width + 0.1 && a.3 <= height + 0.1,
                "{round}: {name} sticks out"
            );
            for (other, b) in &found[..at] {
                let apart = a.2 <= b.0 || b.2 <= a.0 || a.3 <= b.1 || b.3 <= a.1;
                assert!(apart, "round {round}: {name} {a:?} and {other} {b:?}");
            }
        }
        for line in &picture.lines {
            for (x, y) in points(&line.path) {
                let inside = |area: &Area| x > area.0 + 0.2 && x < area.2 - 0.2 && y > area.1 + 0.2 && y < area.3 - 0.2;
                let label = line.label.join(" ");
                let hit = found.iter().find(|(name, area)| *name != label && inside(area));
                assert!(hit.is_none(), "round {round}: a line crosses {hit:?} at {x} {y}: {}", line.path);
            }
        }
    }
}
