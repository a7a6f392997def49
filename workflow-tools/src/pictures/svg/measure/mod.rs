//! Measurement of pictures: texts, boxes and lines that are drawn over each other, texts that do
//! not fit, heads of arrows that are off their lines, and names of runtime functions.

mod lines;
mod names;

use super::boxes::{Panel, StateBox};
use super::{Figure, Looks, Picture, TooLarge, picture};
use lines::{Index, Track};
use std::fmt;
use workflow_compiler::graph::graph;
use workflow_compiler::hir::Workflow;

/// A kind of flaw of a picture.
///
/// See the example of [`measure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum DefectKind {
    /// Two texts overlap.
    TextOnText,
    /// A text overlaps a box that it does not belong to, or two boxes overlap.
    TextOnBox,
    /// A line crosses a text.
    LineOnText,
    /// A line crosses a box.
    LineOnBox,
    /// Lines of different meaning run together.
    LineOnLine,
    /// An arrow does not arrive straight, or a line that joins another one does not reach it.
    Head,
    /// A text or line does not fit where it belongs.
    Outside,
    /// A text shows the name of a runtime function.
    InternalName,
}

impl fmt::Display for DefectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            DefectKind::TextOnText => "texts that overlap",
            DefectKind::TextOnBox => "boxes under other boxes or texts",
            DefectKind::LineOnText => "texts under lines",
            DefectKind::LineOnBox => "boxes under lines",
            DefectKind::LineOnLine => "lines that run together",
            DefectKind::Head => "heads off their lines",
            DefectKind::Outside => "texts that do not fit",
            DefectKind::InternalName => "internal names",
        })
    }
}

/// A flaw of a picture.
///
/// See the example of [`measure`].
#[derive(Debug, Clone, PartialEq)]
pub struct Defect {
    /// Its kind.
    pub kind: DefectKind,
    /// The region and the elements.
    pub what: String,
}

/// Measures the picture of a workflow. Returns its flaws.
///
/// ```
/// use workflow_compiler::{Options, Source, compile};
/// use workflow_tools::pictures::measure;
///
/// let text = r#"{ "StartAt": "Done", "States": { "Done": { "Type": "Succeed" } } }"#;
/// let output = compile(Source::new("done.asl.json", text), &Options::default());
/// let workflow = output.workflow.expect("it is accepted");
/// assert_eq!(measure(&workflow), Ok(Vec::new()));
/// ```
pub fn measure(workflow: &Workflow) -> Result<Vec<Defect>, TooLarge> {
    let graph = graph(workflow);
    let mut defects = names::internal(&graph);
    region(&graph.name, &picture(&graph.region)?, &mut defects);
    Ok(defects)
}

/// Left, top, right, bottom.
type Area = (f64, f64, f64, f64);

/// The length of the head of an arrow.
const HEAD: f64 = 9.0;
/// The smallest distance of a text from the border of its box.
const INSET: f64 = 4.0;

/// An element that nothing may overlap.
#[derive(Clone, Copy, PartialEq)]
enum Thing {
    Figure(usize),
    /// The label of this line.
    Label(usize),
}

/// Measures a region, and those inside of its states.
pub(super) fn region(name: &str, picture: &Picture, defects: &mut Vec<Defect>) {
    let found = areas(picture);
    let says = |thing: &Thing| match thing {
        Thing::Figure(at) => match &picture.figures[*at].looks {
            Looks::State(state) => format!("`{}`", state.name.join(" ")),
            _ => "a mark".to_owned(),
        },
        Thing::Label(at) => format!("`{}`", picture.lines[*at].label.join(" ")),
    };
    let mut add = |kind: DefectKind, what: String| defects.push(Defect { kind, what: format!("{name}: {what}") });
    let whole = (0.0, 0.0, picture.size.width, picture.size.height);
    for (at, (thing, area)) in found.iter().enumerate() {
        if !contains(whole, *area, 0.0) {
            add(DefectKind::Outside, says(thing));
        }
        for (other, second) in &found[..at] {
            if overlap(*area, *second) {
                let both = matches!((thing, other), (Thing::Label(_), Thing::Label(_)));
                let kind = if both { DefectKind::TextOnText } else { DefectKind::TextOnBox };
                add(kind, format!("{} and {}", says(thing), says(other)));
            }
        }
    }
    let tracks: Vec<Track> = picture.lines.iter().map(|line| Track::new(&line.path)).collect();
    let index = Index::new(&tracks);
    for (at, (line, track)) in picture.lines.iter().zip(&tracks).enumerate() {
        let extent = track.area();
        let hit = |area: &Area| {
            let (left, top, right, bottom) = *area;
            let inside = |(x, y): (f64, f64)| x > left + 0.2 && x < right - 0.2 && y > top + 0.2 && y < bottom - 0.2;
            touch(extent, *area) && track.points().any(inside)
        };
        for (thing, _) in found.iter().filter(|(_, area)| hit(area)) {
            let kind = if matches!(thing, Thing::Label(_)) { DefectKind::LineOnText } else { DefectKind::LineOnBox };
            add(kind, format!("{} under `{}`", says(thing), line.path));
        }
        if track.points().any(|(x, y)| !contains(whole, (x, y, x, y), 0.1)) {
            add(DefectKind::Outside, format!("`{}`", line.path));
        }
        let reaches = |(x, y): (f64, f64)| {
            let near = index.near((x, y));
            near.into_iter().any(|other| other != at && picture.lines[other].meaning == line.meaning)
        };
        let ends_well = match (line.joins, track.points().last()) {
            (None, _) => track.last_vertical >= HEAD,
            (Some(_), Some(end)) => reaches(end),
            (Some(_), None) => false,
        };
        if !ends_well {
            add(DefectKind::Head, format!("`{}`", line.path));
        }
    }
    for shared in lines::shared(&picture.lines, &tracks, &index) {
        let (one, other) = (&picture.lines[shared.line].path, &picture.lines[shared.other].path);
        add(DefectKind::LineOnLine, format!("{:.0} px of `{one}` and `{other}`", shared.length));
    }
    for figure in &picture.figures {
        if let Looks::State(state) = &figure.looks {
            self::state(name, figure, state, defects);
        }
    }
}

/// Measures the inside of a state.
fn state(name: &str, figure: &Figure, state: &StateBox, defects: &mut Vec<Defect>) {
    let name = format!("{name}, {}", state.name.join(" "));
    let whole = (0.0, 0.0, figure.size.width, figure.size.height);
    let texts: Vec<(String, Area)> =
        state.texts(figure.size.width).into_iter().map(|text| (text.text.clone(), text.area())).collect();
    let panels: Vec<Area> = state.panels.iter().map(area_of_panel).collect();
    for (at, (text, area)) in texts.iter().enumerate() {
        if !contains(whole, *area, -INSET) {
            defects.push(Defect { kind: DefectKind::Outside, what: format!("{name}: `{text}`") });
        }
        if texts[..at].iter().any(|(_, other)| overlap(*area, *other)) {
            defects.push(Defect { kind: DefectKind::TextOnText, what: format!("{name}: `{text}`") });
        }
        if panels.iter().any(|panel| overlap(*area, *panel)) {
            defects.push(Defect { kind: DefectKind::TextOnBox, what: format!("{name}: `{text}`") });
        }
    }
    for (at, (panel, area)) in state.panels.iter().zip(&panels).enumerate() {
        let label = super::text::width(&panel.label, super::SMALL) + 2.0 * INSET;
        if !contains(whole, *area, -INSET) || label > area.2 - area.0 {
            defects.push(Defect { kind: DefectKind::Outside, what: format!("{name}: `{}`", panel.label) });
        }
        if panels[..at].iter().any(|other| overlap(*area, *other)) {
            defects.push(Defect { kind: DefectKind::TextOnBox, what: format!("{name}: `{}`", panel.label) });
        }
        region(&format!("{name}, {}", panel.label), &panel.picture, defects);
    }
}

fn area_of_panel(panel: &Panel) -> Area {
    let size = panel.size();
    (panel.x, panel.y, panel.x + size.width, panel.y + size.height)
}

/// Returns the elements of a region that nothing may overlap: states, marks and labels.
fn areas(picture: &Picture) -> Vec<(Thing, Area)> {
    let mut found = Vec::new();
    for (at, figure) in picture.figures.iter().enumerate() {
        let (left, top) = (figure.x, figure.y);
        found.push((Thing::Figure(at), (left, top, left + figure.size.width, top + figure.size.height)));
    }
    for (at, line) in picture.lines.iter().enumerate().filter(|(_, line)| !line.label.is_empty()) {
        let (width, height) =
            (super::text::widest(&line.label, super::SMALL), line.label.len() as f64 * super::SMALL.line);
        let (left, top) = (line.label_at.0 - width / 2.0, line.label_at.1 - height / 2.0);
        found.push((Thing::Label(at), (left, top, left + width, top + height)));
    }
    found
}

fn overlap(a: Area, b: Area) -> bool {
    a.0 < b.2 && b.0 < a.2 && a.1 < b.3 && b.1 < a.3
}

/// Returns `true` if two areas overlap, or have a border in common. A straight line has no area.
fn touch(a: Area, b: Area) -> bool {
    a.0 <= b.2 && b.0 <= a.2 && a.1 <= b.3 && b.1 <= a.3
}

/// Returns `true` if an area lies inside of another one, which is grown by `slack`.
fn contains(whole: Area, area: Area, slack: f64) -> bool {
    let slack = slack + 0.1;
    area.0 >= whole.0 - slack && area.1 >= whole.1 - slack && area.2 <= whole.2 + slack && area.3 <= whole.3 + slack
}
