//! Writing of pictures as SVG.

use super::boxes::{Panel, StateBox};
use super::glyphs::{colours, glyph};
use super::layers::Size;
use super::text::SMALL;
use super::{Figure, Legend, Line, Looks, PADDING, PANEL_HEAD, Picture, legend};
use std::fmt::Write;
use workflow_compiler::graph::{Shape, is_plain};

pub const MARGIN: f64 = 16.0;
/// The colours of lines and marks: regular, and after an error.
const REGULAR: &str = "#4b5563";
const ERROR: &str = "#dc2626";
const INK: &str = "#111827";

const STYLE: &str = "\
text{font-family:'DejaVu Sans',Verdana,'Liberation Sans',Arial,sans-serif;text-anchor:middle;fill:#111827}\
.n{font-size:13px;font-weight:bold}.d{font-size:10.5px;fill:#4b5563}.l{font-size:10.5px;fill:#374151}\
.p{font-size:10.5px;fill:#6b7280;text-anchor:start}.f{fill:#b91c1c}\
.g{fill:none;stroke-width:1.2;stroke-linecap:round;stroke-linejoin:round}.g circle{stroke-linecap:butt}\
path.e{fill:none;stroke:#4b5563;stroke-width:1.3}path.x{fill:none;stroke:#dc2626;stroke-width:1.2;stroke-dasharray:5 3}";

/// Returns the whole document.
pub fn document(name: &str, picture: &Picture, legend: Legend) -> String {
    let mut size = picture.size;
    let legend = match legend {
        Legend::Shown => Some(legend::legend(picture, &mut size)),
        Legend::Hidden => None,
    };
    let (width, height) = (size.width + 2.0 * MARGIN, size.height + 2.0 * MARGIN);
    let mut out = Writer::default();
    out.line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">"
    ));
    out.line(format_args!("<title>{}</title>", escape(name)));
    out.line(format_args!("<style>{STYLE}</style>"));
    out.line(format_args!("<defs>"));
    for (id, colour) in [("a", REGULAR), ("b", ERROR)] {
        out.line(format_args!(
            "<marker id=\"{id}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1L10 5L0 9z\" fill=\"{colour}\"/></marker>"
        ));
    }
    out.line(format_args!("</defs>"));
    out.line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"));
    out.picture(picture, MARGIN + (size.width - picture.size.width) / 2.0, MARGIN);
    if let Some(legend) = legend {
        out.line(format_args!("<g transform=\"translate({MARGIN} {MARGIN})\">"));
        legend.draw(&mut out);
        out.line(format_args!("</g>"));
    }
    out.line(format_args!("</svg>"));
    out.0
}

#[derive(Default)]
pub struct Writer(String);

impl Writer {
    pub fn line(&mut self, line: std::fmt::Arguments<'_>) {
        // Writing to a string does not fail.
        let _ = self.0.write_fmt(line);
        self.0.push('\n');
    }

    fn picture(&mut self, picture: &Picture, x: f64, y: f64) {
        self.line(format_args!("<g transform=\"translate({x:.1} {y:.1})\">"));
        // Error paths first, so that the main flow is drawn over them.
        for error in [true, false] {
            picture.lines.iter().filter(|line| line.error == error).for_each(|line| self.edge(line));
        }
        picture.figures.iter().for_each(|figure| self.figure(figure));
        picture.lines.iter().for_each(|line| self.label(line));
        self.line(format_args!("</g>"));
    }

    fn edge(&mut self, line: &Line) {
        self.path(&line.path, line.error, line.joins.is_none());
        if let Some((x, y)) = line.joins {
            self.join(x, y, line.error);
        }
    }

    /// Draws a line, with a head if it arrives.
    pub fn path(&mut self, path: &str, error: bool, arrives: bool) {
        let (class, marker) = if error { ("x", "b") } else { ("e", "a") };
        let marker = if arrives { format!(" marker-end=\"url(#{marker})\"") } else { String::new() };
        self.line(format_args!("<path class=\"{class}\" d=\"{path}\"{marker}/>"));
    }

    /// Draws the mark at which a line joins another one.
    pub fn join(&mut self, x: f64, y: f64, error: bool) {
        let colour = if error { ERROR } else { REGULAR };
        self.line(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.4\" fill=\"{colour}\"/>"));
    }

    fn label(&mut self, line: &Line) {
        if line.label.is_empty() {
            return;
        }
        let (x, y) = line.label_at;
        let top = y - line.label.len() as f64 * SMALL.line / 2.0;
        self.line(format_args!("<g><title>{}</title>", escape(&line.title)));
        let class = if line.error { "l f" } else { "l" };
        for (at, part) in line.label.iter().enumerate() {
            let base = top + at as f64 * SMALL.line + SMALL.size;
            self.text(class, x, base, part);
        }
        self.line(format_args!("</g>"));
    }

    fn figure(&mut self, figure: &Figure) {
        match &figure.looks {
            Looks::State(state) => {
                self.line(format_args!("<g transform=\"translate({:.1} {:.1})\">", figure.x, figure.y));
                self.state(state, figure.size);
                self.line(format_args!("</g>"));
            }
            mark => self.mark(mark, (figure.x, figure.y), figure.size),
        }
    }

    /// Draws a start or an end. An end is as wide as its lines need.
    pub fn mark(&mut self, mark: &Looks, (x, y): (f64, f64), size: Size) {
        let (middle, centre) = (x + size.width / 2.0, y + size.height / 2.0);
        let mut ring = |inset: f64, paint: &str| {
            let (width, height) = (size.width - 2.0 * inset, size.height - 2.0 * inset);
            let (x, y, radius) = (x + inset, y + inset, height / 2.0);
            self.line(format_args!(
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"{radius:.1}\" {paint}/>"
            ));
        };
        match mark {
            Looks::Start => ring(0.5, &format!("fill=\"{INK}\"")),
            Looks::End => {
                ring(1.0, &format!("fill=\"#ffffff\" stroke=\"{INK}\" stroke-width=\"1.4\""));
                ring(4.5, &format!("fill=\"{INK}\""));
            }
            // The termination mark is filled to its rim.
            Looks::Termination => {
                ring(0.5, &format!("fill=\"{INK}\""));
                ring(3.5, "fill=\"none\" stroke=\"#ffffff\"");
            }
            Looks::Failure => {
                ring(1.0, &format!("fill=\"#ffffff\" stroke=\"{ERROR}\" stroke-width=\"1.4\""));
                let (left, right, top, bottom) = (middle - 3.2, middle + 3.2, centre - 3.2, centre + 3.2);
                self.line(format_args!(
                    "<path d=\"M{left:.1} {top:.1}L{right:.1} {bottom:.1}M{right:.1} {top:.1}L{left:.1} {bottom:.1}\" stroke=\"{ERROR}\" stroke-width=\"1.8\"/>"
                ));
            }
            Looks::State(_) => {}
        }
    }

    fn state(&mut self, state: &StateBox, size: Size) {
        self.line(format_args!("<title>{}</title>", escape(&state.title)));
        self.outline(state.shape, size);
        if let Some(glyph) = glyph(state.shape) {
            self.glyph(glyph, state.shape, (9.0, 8.0));
        }
        state.texts(size.width).iter().for_each(|text| self.text(text.class, text.x, text.y, &text.text));
        state.panels.iter().for_each(|panel| self.panel(panel));
    }

    /// Draws the border of a shape.
    pub fn outline(&mut self, shape: Shape, Size { width, height }: Size) {
        let (fill, stroke) = colours(shape);
        let paint = format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.3\"");
        match shape {
            Shape::Choice => {
                let (side, middle) = (PADDING.min(width / 4.0), height / 2.0);
                let right = width - side;
                self.line(format_args!(
                    "<path d=\"M{side:.1} 0H{right:.1}L{width:.1} {middle:.1}L{right:.1} {height:.1}H{side:.1}L0 {middle:.1}z\" {paint}/>"
                ));
            }
            _ => self.line(format_args!("<rect width=\"{width:.1}\" height=\"{height:.1}\" rx=\"7\" {paint}/>")),
        }
        if shape == Shape::Call {
            let right = width - 6.0;
            self.line(format_args!("<path d=\"M6 0V{height:.1}M{right:.1} 0V{height:.1}\" {paint}/>"));
        }
    }

    /// Draws a sign with its top left corner.
    pub fn glyph(&mut self, glyph: &str, shape: Shape, (x, y): (f64, f64)) {
        let (_, stroke) = colours(shape);
        self.line(format_args!(
            "<g class=\"g\" stroke=\"{stroke}\" transform=\"translate({x:.1} {y:.1})\">{glyph}</g>"
        ));
    }

    fn panel(&mut self, panel: &Panel) {
        let (x, y, size) = (panel.x, panel.y, panel.size());
        self.line(format_args!("<g transform=\"translate({x:.1} {y:.1})\">"));
        self.frame(size);
        self.line(format_args!("</g>"));
        self.text("p", x + 7.0, y + 13.0, &panel.label);
        self.picture(&panel.picture, x + (size.width - panel.picture.size.width) / 2.0, y + PANEL_HEAD);
    }

    /// Draws the border of a branch or iteration.
    pub fn frame(&mut self, Size { width, height }: Size) {
        self.line(format_args!(
            "<rect width=\"{width:.1}\" height=\"{height:.1}\" rx=\"5\" fill=\"#ffffff\" stroke=\"#9ca3af\" stroke-dasharray=\"2 3\"/>"
        ));
    }

    pub fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        self.line(format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape(text)));
    }
}

/// Escapes text for XML. Drops characters that XML does not allow.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push(c),
            c if is_plain(c) => out.push(c),
            _ => {}
        }
    }
    out
}
