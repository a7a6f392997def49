//! Tests of generated paths on generated documents, against the oracle.

use super::rfc::agree;

/// A small random number generator with a seed, so that failures can be reproduced.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % sides as u64) as usize
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.roll(of.len())]
    }
}

const NAMES: &[&str] = &["a", "b", "c", "x"];
const CONSTANTS: &[&str] = &["1", "2", "-1", "0.5", "'a'", "'b'", "\"ab\"", "true", "false", "null", "1.0", "10"];

fn path(dice: &mut Dice, root: &str, depth: usize) -> String {
    let mut path = root.to_owned();
    for _ in 0..dice.roll(4) {
        path += &segment(dice, depth);
    }
    path
}

fn segment(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(8) {
        0 | 1 => format!(".{}", dice.pick(NAMES)),
        2 => format!("..{}", dice.pick(NAMES)),
        3 => dice.pick(&[".*", "..*", "[*]"]).to_owned(),
        4 => format!("..[{}]", selector(dice, depth)),
        5 => format!("[{},{}]", selector(dice, depth), selector(dice, depth)),
        _ => format!("[{}]", selector(dice, depth)),
    }
}

fn selector(dice: &mut Dice, depth: usize) -> String {
    let number = |dice: &mut Dice| dice.roll(9) as i64 - 4;
    match dice.roll(6) {
        0 => format!("'{}'", dice.pick(NAMES)),
        1 => number(dice).to_string(),
        2 => format!("{}:{}", number(dice), number(dice)),
        3 => format!("{}:{}:{}", number(dice), number(dice), number(dice)),
        4 if depth > 0 => format!("?{}", condition(dice, depth - 1)),
        _ => "*".to_owned(),
    }
}

fn condition(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(9) {
        0 => format!("{} && {}", condition(dice, depth.saturating_sub(1)), condition(dice, 0)),
        1 => format!("({} || {})", condition(dice, depth.saturating_sub(1)), condition(dice, 0)),
        2 => format!("!({})", condition(dice, depth.saturating_sub(1))),
        3 => path(dice, "@", depth),
        4 => {
            format!("{}({}, '{}')", dice.pick(&["match", "search"]), singular(dice), dice.pick(&["a.*", "b", "[ab]+"]))
        }
        // If both operands are nothing, the oracle evaluates `<=` to false.
        5 => format!("{} {} {}", operand(dice, depth), dice.pick(&["<=", ">="]), dice.pick(CONSTANTS)),
        _ => {
            let operator = dice.pick(&["==", "!=", "<", ">"]);
            format!("{} {operator} {}", operand(dice, depth), operand(dice, depth))
        }
    }
}

fn operand(dice: &mut Dice, depth: usize) -> String {
    match dice.roll(8) {
        0 | 1 => dice.pick(CONSTANTS).to_owned(),
        2 => format!("length({})", singular(dice)),
        3 => format!("count({})", path(dice, "@", depth)),
        4 => format!("value({})", path(dice, "@", depth)),
        _ => singular(dice),
    }
}

fn singular(dice: &mut Dice) -> String {
    let mut path = dice.pick(&["@", "@", "@", "$"]).to_owned();
    for _ in 0..dice.roll(3) {
        path += &match dice.roll(3) {
            0 => format!("[{}]", dice.roll(5) as i64 - 2),
            _ => format!(".{}", dice.pick(NAMES)),
        };
    }
    path
}

fn document(dice: &mut Dice, depth: usize) -> serde_json::Value {
    use serde_json::Value;
    match dice.roll(if depth == 0 { 6 } else { 10 }) {
        0 => Value::Null,
        1 => Value::Bool(dice.roll(2) == 0),
        2 => Value::from(dice.roll(5) as i64 - 1),
        3 => Value::from([0.5, 1.0, 2.5, 10.0][dice.roll(4)]),
        4 | 5 => Value::from(dice.pick(&["a", "b", "ab", "abc", ""])),
        6 | 7 => (0..dice.roll(5)).map(|_| document(dice, depth - 1)).collect(),
        _ => (0..dice.roll(4)).map(|at| (NAMES[at].to_owned(), document(dice, depth - 1))).collect(),
    }
}

#[test]
fn generated_paths_select_what_the_oracle_selects() {
    let mut dice = Dice(0x9E37_79B9_7F4A_7C15);
    for _ in 0..4000 {
        let path = path(&mut dice, "$", 2);
        let documents: Vec<_> = (0..4).map(|_| document(&mut dice, 4)).collect();
        agree(&path, &documents);
    }
}

#[test]
fn mangled_paths_are_refused_or_read_as_the_oracle_does() {
    let mut dice = Dice(0xD1B5_4A32_D192_ED03);
    for _ in 0..4000 {
        let mut path: Vec<char> = path(&mut dice, "$", 2).chars().collect();
        let at = dice.roll(path.len());
        match dice.roll(3) {
            0 => drop(path.remove(at)),
            1 => path.insert(at, [' ', '[', ']', '(', ')', '.', '*', '?', '@', '\'', '1', 'a', ','][dice.roll(13)]),
            _ => path[at] = [' ', '[', ']', '(', '.', '-', '=', '!', '&', '$', '0'][dice.roll(11)],
        }
        let path: String = path.into_iter().collect();
        agree(&path, &[document(&mut dice, 3)]);
    }
}
