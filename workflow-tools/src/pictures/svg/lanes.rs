//! Lanes for the wires of a gap: a channel router.
//!
//! A wire has one horizontal piece, with vertical pieces to its pins at the top and bottom. Where
//! a pin at the top of one wire is near a pin at the bottom of another one, the first wire has to
//! be above the second one. Where this is impossible because of a cycle, a wire gets a second
//! step.

/// The smallest distance of the vertical pieces of two wires.
const MIN_GAP: f64 = 8.0;
/// The smallest distance of two horizontal pieces in one lane.
const CLEAR: f64 = 14.0;
/// The maximum number of wires whose order is chosen for few crossings.
const MOST_ORDERED: usize = 400;

/// A wire.
#[derive(Debug, Clone, PartialEq)]
pub struct Wire {
    /// The positions of the pins at the top.
    tops: Vec<f64>,
    /// The positions of the pins at the bottom.
    bottoms: Vec<f64>,
    /// The lane, from the top.
    pub lane: usize,
    /// The position of the second step, and the lane below it. The pins at the bottom have that
    /// lane.
    pub via: Option<(f64, usize)>,
}

impl Wire {
    pub fn new(tops: Vec<f64>, bottoms: Vec<f64>) -> Wire {
        Wire { tops, bottoms, lane: 0, via: None }
    }

    fn pins(&self) -> impl Iterator<Item = f64> {
        self.tops.iter().chain(&self.bottoms).copied()
    }
}

/// The lanes of a gap.
pub struct Plan {
    pub wires: Vec<Wire>,
    /// The number of lanes.
    pub lanes: usize,
}

/// A horizontal piece: a wire, or the upper or lower part of a wire with a second step.
struct Piece {
    tops: Vec<f64>,
    bottoms: Vec<f64>,
    left: f64,
    right: f64,
    /// The pieces that have to be below.
    below: Vec<usize>,
}

impl Piece {
    fn new(tops: Vec<f64>, bottoms: Vec<f64>) -> Piece {
        let mut piece = Piece { tops, bottoms, left: 0.0, right: 0.0, below: Vec::new() };
        piece.measure();
        piece
    }

    fn measure(&mut self) {
        let pins = || self.tops.iter().chain(&self.bottoms).copied();
        (self.left, self.right) = (pins().fold(f64::INFINITY, f64::min), pins().fold(f64::NEG_INFINITY, f64::max));
    }

    /// Returns the number of crossings if this piece is above the other one.
    fn crossings_above(&self, other: &Piece) -> usize {
        let within =
            |pins: &[f64], piece: &Piece| pins.iter().filter(|x| **x > piece.left && **x < piece.right).count();
        within(&other.tops, self) + within(&self.bottoms, other)
    }
}

/// Assigns lanes to wires. `straight` are the positions of lines that need none.
pub fn plan(mut wires: Vec<Wire>, straight: &[f64]) -> Plan {
    let mut pieces: Vec<Piece> = wires.iter().map(|wire| Piece::new(wire.tops.clone(), wire.bottoms.clone())).collect();
    constrain(&mut pieces);
    let mut pins: Vec<f64> = wires.iter().flat_map(Wire::pins).chain(straight.iter().copied()).collect();
    let mut lower = vec![None; wires.len()];
    while let Some(wire) = on_cycle(&pieces) {
        let via = free_position(&pins, &pieces[wire]);
        pins.push(via);
        lower[wire] = Some((via, pieces.len()));
        split(&mut pieces, wire, via);
    }
    let order = order(&pieces);
    let lanes = compact(&pieces, &order);
    for (at, wire) in wires.iter_mut().enumerate() {
        wire.lane = lanes[at];
        wire.via = lower[at].map(|(x, piece): (f64, usize)| (x, lanes[piece]));
    }
    Plan { wires, lanes: lanes.iter().map(|lane| lane + 1).max().unwrap_or(0) }
}

/// Notes for each piece those that have to be below.
fn constrain(pieces: &mut [Piece]) {
    let mut bottoms: Vec<(f64, usize)> = Vec::new();
    for (at, piece) in pieces.iter().enumerate() {
        bottoms.extend(piece.bottoms.iter().map(|x| (*x, at)));
    }
    bottoms.sort_by(|left, right| left.0.total_cmp(&right.0));
    for (at, piece) in pieces.iter_mut().enumerate() {
        for top in &piece.tops {
            let first = bottoms.partition_point(|(x, _)| *x <= top - MIN_GAP);
            let near = bottoms[first..].iter().take_while(|(x, _)| *x < top + MIN_GAP);
            piece.below.extend(near.map(|(_, other)| *other).filter(|other| *other != at));
        }
        piece.below.sort_unstable();
        piece.below.dedup();
    }
}

/// Returns a piece that would have to be below itself.
fn on_cycle(pieces: &[Piece]) -> Option<usize> {
    // 0: not seen, 1: on the current path, 2: done.
    let mut seen = vec![0u8; pieces.len()];
    for root in 0..pieces.len() {
        let mut path: Vec<(usize, usize)> = vec![(root, 0)];
        if seen[root] > 0 {
            continue;
        }
        seen[root] = 1;
        while let Some((piece, next)) = path.last_mut() {
            let Some(below) = pieces[*piece].below.get(*next).copied() else {
                seen[*piece] = 2;
                path.pop();
                continue;
            };
            *next += 1;
            match seen[below] {
                0 => {
                    seen[below] = 1;
                    path.push((below, 0));
                }
                1 => return Some(below),
                _ => {}
            }
        }
    }
    None
}

/// Returns a position for the second step of a piece that is near no pin: if possible, between the
/// pins of the piece.
fn free_position(pins: &[f64], piece: &Piece) -> f64 {
    let is_free = |x: f64| x >= 0.0 && pins.iter().all(|pin| (pin - x).abs() >= MIN_GAP);
    let middle = (piece.left + piece.right) / 2.0;
    let beside = pins.iter().flat_map(|pin| [pin - MIN_GAP, pin + MIN_GAP]);
    let candidates = beside.chain([middle]).filter(|x| is_free(*x));
    let nearest = candidates.min_by(|left, right| (left - middle).abs().total_cmp(&(right - middle).abs()));
    // Right of all pins there is always room.
    nearest.unwrap_or_else(|| pins.iter().copied().fold(0.0, f64::max) + MIN_GAP)
}

/// Splits a piece into an upper one with the pins at the top and a lower one with those at the
/// bottom.
fn split(pieces: &mut Vec<Piece>, at: usize, via: f64) {
    let lower = pieces.len();
    for piece in pieces.iter_mut() {
        piece.below.iter_mut().filter(|below| **below == at).for_each(|below| *below = lower);
    }
    let bottoms = std::mem::replace(&mut pieces[at].bottoms, vec![via]);
    pieces[at].below.push(lower);
    pieces[at].measure();
    pieces.push(Piece::new(vec![via], bottoms));
}

/// Returns the pieces from top to bottom, with few crossings.
fn order(pieces: &[Piece]) -> Vec<usize> {
    let mut waiting = vec![0usize; pieces.len()];
    pieces.iter().flat_map(|piece| &piece.below).for_each(|below| waiting[*below] += 1);
    let chooses = pieces.len() <= MOST_ORDERED;
    let harm = |one: usize, other: usize| {
        let (above, below) = (pieces[one].crossings_above(&pieces[other]), pieces[other].crossings_above(&pieces[one]));
        above.saturating_sub(below)
    };
    // The crossings that a piece causes if it comes before all others.
    let mut harms = vec![0usize; pieces.len()];
    if chooses {
        for (one, harms) in harms.iter_mut().enumerate() {
            *harms = (0..pieces.len()).map(|other| harm(one, other)).sum();
        }
    }
    let mut ready: Vec<usize> = (0..pieces.len()).filter(|piece| waiting[*piece] == 0).collect();
    let mut order = Vec::with_capacity(pieces.len());
    loop {
        let best = match chooses {
            true => (0..ready.len()).min_by_key(|at| (harms[ready[*at]], ready[*at])),
            false => ready.len().checked_sub(1),
        };
        let Some(best) = best else { return order };
        let piece = ready.swap_remove(best);
        order.push(piece);
        if chooses {
            (0..pieces.len()).for_each(|other| harms[other] = harms[other].saturating_sub(harm(other, piece)));
        }
        for below in &pieces[piece].below {
            waiting[*below] -= 1;
            if waiting[*below] == 0 {
                ready.push(*below);
            }
        }
    }
}

/// Returns the lane of each piece: below those that come before it in the order and overlap it.
fn compact(pieces: &[Piece], order: &[usize]) -> Vec<usize> {
    let mut lanes = vec![0usize; pieces.len()];
    for (index, at) in order.iter().enumerate() {
        let piece = &pieces[*at];
        let before = order[..index].iter().filter(|other| {
            let other = &pieces[**other];
            piece.left < other.right + CLEAR && other.left < piece.right + CLEAR || other.below.contains(at)
        });
        lanes[*at] = before.map(|other| lanes[*other] + 1).max().unwrap_or(0);
    }
    lanes
}
