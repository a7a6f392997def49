//! Writing of pictures as SVG.

use super::super::is_plain;
use super::layers::Size;
use super::text::{NAME, SMALL};
use super::{Figure, Line, Looks, PADDING, PANEL_HEAD, Panel, Picture, Shape, StateBox, text};
use std::fmt::Write;

const MARGIN: f64 = 16.0;

const STYLE: &str = "\
text{font-family:Helvetica,Arial,'Liberation Sans','DejaVu Sans',sans-serif;text-anchor:middle;fill:#111827}\
.n{font-size:13px;font-weight:600}.d{font-size:10.5px;fill:#4b5563}.l{font-size:10.5px;fill:#374151}\
.p{font-size:10.5px;fill:#6b7280;text-anchor:start}.f{fill:#b91c1c}\
path.e{fill:none;stroke:#4b5563;stroke-width:1.3}path.x{fill:none;stroke:#dc2626;stroke-width:1.2;stroke-dasharray:5 3}";

/// Returns the whole document.
pub fn document(name: &str, picture: &Picture) -> String {
    let (width, height) = (picture.size.width + 2.0 * MARGIN, picture.size.height + 2.0 * MARGIN);
    let mut out = Writer::default();
    out.line(format_args!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width:.0} {height:.0}\" width=\"{width:.0}\" height=\"{height:.0}\" role=\"img\">"
    ));
    out.line(format_args!("<title>{}</title>", escape(name)));
    out.line(format_args!("<style>{STYLE}</style>"));
    out.line(format_args!("<defs>"));
    for (id, colour) in [("a", "#4b5563"), ("b", "#dc2626")] {
        out.line(format_args!(
            "<marker id=\"{id}\" viewBox=\"0 0 10 10\" refX=\"9\" refY=\"5\" markerWidth=\"9\" markerHeight=\"9\" markerUnits=\"userSpaceOnUse\" orient=\"auto\"><path d=\"M0 1L10 5L0 9z\" fill=\"{colour}\"/></marker>"
        ));
    }
    out.line(format_args!("</defs>"));
    out.line(format_args!("<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>"));
    out.picture(picture, MARGIN, MARGIN);
    out.line(format_args!("</svg>"));
    out.0
}

#[derive(Default)]
struct Writer(String);

impl Writer {
    fn line(&mut self, line: std::fmt::Arguments<'_>) {
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
        let (class, marker) = if line.error { ("x", "b") } else { ("e", "a") };
        let marker = if line.arrives { format!(" marker-end=\"url(#{marker})\"") } else { String::new() };
        self.line(format_args!("<path class=\"{class}\" d=\"{}\"{marker}/>", line.path));
    }

    fn label(&mut self, line: &Line) {
        if line.label.is_empty() {
            return;
        }
        let (x, y) = line.label_at;
        let (width, height) = (text::widest(&line.label, SMALL) + 4.0, line.label.len() as f64 * SMALL.line);
        let (left, top) = (x - width / 2.0, y - height / 2.0);
        self.line(format_args!("<g><title>{}</title>", escape(&line.title)));
        self.line(format_args!(
            "<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"3\" fill=\"#ffffff\" fill-opacity=\"0.92\"/>"
        ));
        let class = if line.error { "l f" } else { "l" };
        for (at, part) in line.label.iter().enumerate() {
            let base = top + at as f64 * SMALL.line + SMALL.size;
            self.text(class, x, base, part);
        }
        self.line(format_args!("</g>"));
    }

    fn figure(&mut self, figure: &Figure) {
        let (x, y) = (figure.x + figure.size.width / 2.0, figure.y + figure.size.height / 2.0);
        match &figure.looks {
            Looks::Start => self.line(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"6.5\" fill=\"#111827\"/>")),
            Looks::End => self.end(x, y, "#111827"),
            // The termination mark is filled to its rim.
            Looks::Termination => self.line(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8.5\" fill=\"#111827\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"5.5\" fill=\"none\" stroke=\"#ffffff\"/>")),
            Looks::Failure => self.end(x, y, "#dc2626"),
            Looks::State(state) => {
                self.line(format_args!("<g transform=\"translate({:.1} {:.1})\">", figure.x, figure.y));
                self.state(state, figure.size);
                self.line(format_args!("</g>"));
            }
        }
    }

    fn end(&mut self, x: f64, y: f64, colour: &str) {
        self.line(format_args!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"8\" fill=\"#ffffff\" stroke=\"{colour}\" stroke-width=\"1.4\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4.5\" fill=\"{colour}\"/>"
        ));
    }

    fn state(&mut self, state: &StateBox, size: Size) {
        self.line(format_args!("<title>{}</title>", escape(&state.title)));
        let (fill, stroke) = colours(state.shape);
        let (width, height) = (size.width, size.height);
        let paint = format!("fill=\"{fill}\" stroke=\"{stroke}\" stroke-width=\"1.3\"");
        if state.shape == Shape::Choice {
            let (side, right, middle) = (PADDING, width - PADDING, height / 2.0);
            self.line(format_args!(
                "<path d=\"M{side} 0H{right:.1}L{width:.1} {middle:.1}L{right:.1} {height:.1}H{side}L0 {middle:.1}z\" {paint}/>"
            ));
        } else {
            self.line(format_args!("<rect width=\"{width:.1}\" height=\"{height:.1}\" rx=\"7\" {paint}/>"));
        }
        let mut base = 6.0 + NAME.size;
        for line in &state.name {
            self.text("n", width / 2.0, base, line);
            base += NAME.line;
        }
        base += SMALL.size - NAME.size;
        for line in &state.details {
            self.text("d", width / 2.0, base, line);
            base += SMALL.line;
        }
        state.panels.iter().for_each(|panel| self.panel(panel));
    }

    fn panel(&mut self, panel: &Panel) {
        let width = panel.picture.size.width.max(text::width(&panel.label, SMALL)) + 2.0 * PADDING;
        let height = panel.picture.size.height + PANEL_HEAD + PADDING;
        let (x, y) = (panel.x, panel.y);
        self.line(format_args!(
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"5\" fill=\"#ffffff\" stroke=\"#9ca3af\" stroke-dasharray=\"2 3\"/>"
        ));
        self.text("p", x + 7.0, y + 13.0, &panel.label);
        self.picture(&panel.picture, x + (width - panel.picture.size.width) / 2.0, y + PANEL_HEAD);
    }

    fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        self.line(format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{}</text>", escape(text)));
    }
}

fn colours(shape: Shape) -> (&'static str, &'static str) {
    match shape {
        Shape::Plain => ("#f9fafb", "#6b7280"),
        Shape::Task => ("#dbeafe", "#3b82f6"),
        Shape::Choice => ("#fef3c7", "#d97706"),
        Shape::Wait => ("#f3e8ff", "#9333ea"),
        Shape::Event => ("#ccfbf1", "#0d9488"),
        Shape::Call => ("#e0e7ff", "#4f46e5"),
        Shape::Group => ("#f3f4f6", "#6b7280"),
        Shape::Succeed => ("#dcfce7", "#16a34a"),
        Shape::Fail => ("#fee2e2", "#dc2626"),
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
