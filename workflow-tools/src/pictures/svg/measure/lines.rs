//! Measurement of lines: points along a path, and lines that run together.

use super::super::Line;
use std::collections::{BTreeMap, HashMap};

/// A point.
pub type Point = (f64, f64);

/// The distance under which two lines look like one.
const NEAR: f64 = 3.0;
/// The longest stretch over which lines of different meaning may be near: lines that cross.
const CROSSING: f64 = 16.0;
/// The width of a cell of the index, in pixels. It is greater than [`NEAR`].
const CELL: f64 = 4.0;

/// The distance of the points of a path.
const STEP: f64 = 2.0;

/// A path, as points that are a small step apart.
pub struct Track {
    /// The points. A path with an interruption has several lists.
    pub parts: Vec<Vec<Point>>,
    /// The length of the straight vertical piece at the end.
    pub last_vertical: f64,
}

impl Track {
    /// Reads a path of an SVG picture with the absolute commands `M`, `V`, `H`, `Q` and `C`.
    pub fn new(path: &str) -> Track {
        let mut track = Track { parts: Vec::new(), last_vertical: 0.0 };
        let mut at: Point = (0.0, 0.0);
        let starts: Vec<usize> =
            path.match_indices(|c: char| c.is_ascii_alphabetic()).map(|(start, _)| start).collect();
        for (index, start) in starts.iter().enumerate() {
            let end = starts.get(index + 1).copied().unwrap_or(path.len());
            let numbers = path[start + 1..end].split(' ').filter_map(|number| number.parse().ok());
            let numbers: Vec<f64> = numbers.collect();
            let ends = match (&path[*start..=*start], &numbers[..]) {
                ("M", [x, y]) => {
                    track.parts.push(vec![(*x, *y)]);
                    track.last_vertical = 0.0;
                    at = (*x, *y);
                    continue;
                }
                ("V", [y]) => vec![(at.0, *y)],
                ("H", [x]) => vec![(*x, at.1)],
                (_, curve) => curve.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect(),
            };
            let Some(to) = ends.last().copied() else { continue };
            let is_vertical = ends.len() == 1 && to.0 == at.0;
            track.last_vertical = if is_vertical { track.last_vertical + (to.1 - at.1).abs() } else { 0.0 };
            track.follow(at, &ends);
            at = to;
        }
        track
    }

    /// Adds the points of a Bézier curve of any degree.
    fn follow(&mut self, from: Point, ends: &[Point]) {
        let Some(part) = self.parts.last_mut() else { return };
        let mut length = 0.0;
        let mut last = from;
        for end in ends {
            length += (end.0 - last.0).hypot(end.1 - last.1);
            last = *end;
        }
        let steps = ((length / STEP).ceil() as usize).max(1);
        for step in 1..=steps {
            let t = step as f64 / steps as f64;
            let mut points: Vec<Point> = std::iter::once(from).chain(ends.iter().copied()).collect();
            while points.len() > 1 {
                let between =
                    |pair: &[Point]| (pair[0].0 + (pair[1].0 - pair[0].0) * t, pair[0].1 + (pair[1].1 - pair[0].1) * t);
                points = points.windows(2).map(between).collect();
            }
            part.extend(points);
        }
    }

    /// Returns the left, top, right and bottom.
    pub fn area(&self) -> (f64, f64, f64, f64) {
        let none = (f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);
        self.points().fold(none, |area, (x, y)| (area.0.min(x), area.1.min(y), area.2.max(x), area.3.max(y)))
    }

    /// Returns all points.
    pub fn points(&self) -> impl Iterator<Item = Point> {
        self.parts.iter().flatten().copied()
    }
}

/// Two lines that run together, and for how long.
pub struct Shared {
    pub line: usize,
    pub other: usize,
    pub length: f64,
}

/// The points of all lines, by place.
pub struct Index {
    cells: HashMap<(i64, i64), Vec<(usize, Point)>>,
}

impl Index {
    pub fn new(tracks: &[Track]) -> Index {
        let mut cells: HashMap<(i64, i64), Vec<(usize, Point)>> = HashMap::new();
        for (line, track) in tracks.iter().enumerate() {
            for point in track.points() {
                cells.entry(cell(point)).or_default().push((line, point));
            }
        }
        Index { cells }
    }

    /// Returns the lines that pass near a point, without duplicates.
    pub fn near(&self, point: Point) -> Vec<usize> {
        let (column, row) = cell(point);
        let cells = (-1..=1).flat_map(|x| (-1..=1).map(move |y| (column + x, row + y)));
        let points = cells.filter_map(|cell| self.cells.get(&cell)).flatten();
        let near = points.filter(|(_, other)| (other.0 - point.0).hypot(other.1 - point.1) < NEAR);
        let mut lines: Vec<usize> = near.map(|(line, _)| *line).collect();
        lines.sort_unstable();
        lines.dedup();
        lines
    }
}

fn cell(point: Point) -> (i64, i64) {
    ((point.0 / CELL).floor() as i64, (point.1 / CELL).floor() as i64)
}

/// Returns the lines of different meaning that run together for longer than a crossing takes.
pub fn shared(lines: &[Line], tracks: &[Track], index: &Index) -> Vec<Shared> {
    let mut found = Vec::new();
    for (line, track) in tracks.iter().enumerate() {
        // For each other line: the number of the last point near it, the length, the maximum.
        let mut runs: BTreeMap<usize, (usize, f64, f64)> = BTreeMap::new();
        for part in &track.parts {
            for (at, pair) in part.windows(2).enumerate() {
                let step = (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1);
                for other in index.near(pair[1]).into_iter().filter(|other| *other > line) {
                    if lines[other].meaning == lines[line].meaning {
                        continue;
                    }
                    let run = runs.entry(other).or_insert((at, 0.0, 0.0));
                    let length = if at <= run.0 + 1 { run.1 + step } else { step };
                    *run = (at, length, run.2.max(length));
                }
            }
        }
        let long = runs.into_iter().filter(|(_, (_, _, length))| *length > CROSSING);
        found.extend(long.map(|(other, (_, _, length))| Shared { line, other, length }));
    }
    found
}
