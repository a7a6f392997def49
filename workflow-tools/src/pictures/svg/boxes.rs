//! The boxes of states: their texts, and the regions inside.

use super::layers::Size;
use super::text::{self, Face, NAME, SMALL};
use super::{MOST_CHARACTERS, PADDING, PANEL_HEAD, Picture, TooLarge, glyphs, picture};
use workflow_compiler::graph::{GraphNode, Shape, one_line};

/// The maximum width of a row of panels. A wider panel has a row of its own.
const ROW: f64 = 1400.0;
/// The characters of a line of a name, and of other texts in a box.
const NAME_COLUMNS: usize = 30;
const DETAIL_COLUMNS: usize = 38;
/// The maximum numbers of lines of a name and of a detail.
const NAME_LINES: usize = 5;
const DETAIL_LINES: usize = 3;
/// The maximum number of details of a state. The title has all of them.
const MOST_DETAILS: usize = 5;

/// The drawing of a state.
pub struct StateBox {
    pub shape: Shape,
    /// The whole name and details, shown on hover.
    pub title: String,
    pub name: Vec<String>,
    pub details: Vec<String>,
    pub panels: Vec<Panel>,
}

/// A region inside a state.
pub struct Panel {
    /// Its offset inside the state.
    pub x: f64,
    pub y: f64,
    pub label: String,
    pub picture: Picture,
}

/// A line of text with its position.
pub struct PlacedText {
    /// The class of the style.
    pub class: &'static str,
    pub face: Face,
    /// The middle of the text.
    pub x: f64,
    /// The base line.
    pub y: f64,
    pub text: String,
}

/// Lays out a state. Returns its smallest size.
pub fn state_box(node: &GraphNode) -> Result<(StateBox, Size), TooLarge> {
    let name = text::wrap(&one_line(&node.name, MOST_CHARACTERS), NAME_COLUMNS, NAME_LINES);
    let kind = shown_kind(node);
    let shown = node.details.iter().map(String::as_str).take(MOST_DETAILS);
    let shown = [kind].into_iter().filter(|kind| !kind.is_empty()).chain(shown);
    let details: Vec<String> =
        shown.flat_map(|detail| text::wrap(&one_line(detail, MOST_CHARACTERS), DETAIL_COLUMNS, DETAIL_LINES)).collect();
    let text_width = text::widest(&name, NAME).max(text::widest(&details, SMALL));
    let text_height = name.len() as f64 * NAME.line + details.len() as f64 * SMALL.line;
    let (left, right) = sides(node.shape);
    let mut size = Size { width: (text_width + left + right).max(84.0), height: text_height + 12.0 };
    let panels = panels(node, &mut size)?;
    let mut title = vec![node.name.clone(), node.kind.to_owned()];
    title.retain(|line| !line.is_empty());
    title.extend(node.details.iter().cloned());
    Ok((StateBox { shape: node.shape, title: title.join("\n"), name, details, panels }, size))
}

/// Returns the kind of a state, unless the shape or the name says it already, or it means nothing.
fn shown_kind(node: &GraphNode) -> &'static str {
    let is_in_name = || node.name.to_lowercase().starts_with(&node.kind.to_lowercase());
    match node.kind {
        "Pass" | "State" | "inject" => "",
        kind if node.shape == Shape::Plain && !is_in_name() => kind,
        _ => "",
    }
}

/// Returns the distances of the texts from the left and right sides of a box.
fn sides(shape: Shape) -> (f64, f64) {
    match shape {
        // The sides are slanted.
        Shape::Choice => (2.0 * PADDING, 2.0 * PADDING),
        // The sides have bars.
        Shape::Call => (PADDING + 6.0, PADDING + 6.0),
        shape if glyphs::has_glyph(shape) => (PADDING + 18.0, PADDING),
        _ => (PADDING, PADDING),
    }
}

/// Arranges the regions of a state in rows, and enlarges the state to contain them.
fn panels(node: &GraphNode, size: &mut Size) -> Result<Vec<Panel>, TooLarge> {
    let mut panels = Vec::with_capacity(node.regions.len());
    let (mut x, mut y, mut row_height) = (PADDING, size.height, 0f64);
    for region in &node.regions {
        let picture = picture(region)?;
        let label = text::cut(&one_line(&region.label, 120), 60);
        let mut panel = Panel { x, y, label, picture };
        let Size { width, height } = panel.size();
        if x + width > ROW && x > PADDING {
            (x, y, row_height) = (PADDING, y + row_height + PADDING, 0.0);
            (panel.x, panel.y) = (x, y);
        }
        panels.push(panel);
        x += width + PADDING;
        row_height = row_height.max(height);
        size.width = size.width.max(x);
        size.height = size.height.max(y + row_height + PADDING);
    }
    Ok(panels)
}

impl StateBox {
    /// Returns the texts of a state whose box has this width.
    pub fn texts(&self, width: f64) -> Vec<PlacedText> {
        let (left, right) = sides(self.shape);
        let x = (left + width - right) / 2.0;
        let mut texts = Vec::new();
        let mut base = 6.0 + NAME.size;
        for line in &self.name {
            texts.push(PlacedText { class: "n", face: NAME, x, y: base, text: line.clone() });
            base += NAME.line;
        }
        base += SMALL.size - NAME.size;
        for line in &self.details {
            texts.push(PlacedText { class: "d", face: SMALL, x, y: base, text: line.clone() });
            base += SMALL.line;
        }
        texts
    }
}

impl PlacedText {
    /// Returns the left, top, right and bottom.
    pub fn area(&self) -> (f64, f64, f64, f64) {
        let half = text::width(&self.text, self.face) / 2.0;
        (self.x - half, self.y - self.face.size * 0.95, self.x + half, self.y + self.face.size * 0.25)
    }
}

impl Panel {
    pub fn size(&self) -> Size {
        let width = self.picture.size.width.max(text::width(&self.label, SMALL)) + 2.0 * PADDING;
        Size { width, height: self.picture.size.height + PANEL_HEAD + PADDING }
    }
}
