//! `strptime` of the C library in the locale `C`.

use super::calendar::{BrokenDownTime, days_before, month_and_day};
use super::format_time::{day_name, month_name};

/// The fields read so far.
#[derive(Default)]
struct Reader {
    parts: BrokenDownTime,
    /// `true` if the hour is after noon on a 12-hour clock.
    of_twelve: bool,
    afternoon: bool,
    century: Option<i64>,
    /// `true` if only the last two digits of the year were read.
    short_year: bool,
    has_weekday: bool,
    has_yearday: bool,
    has_month: bool,
    has_day: bool,
    /// `true` if the weekday and the day of the year have to be computed.
    wants_days: bool,
    /// The number of the week, and the weekday of its first day.
    week: Option<(i64, i64)>,
}

/// The weekday and day of the year that jq treats as unknown.
const NO_WEEKDAY: i64 = 8;
const NO_YEARDAY: i64 = 367;

/// Parses the time at the beginning of a text. Returns the time and the rest of the text, or
/// `None` if the text does not match the format.
pub(super) fn parse<'t>(text: &'t str, format: &str) -> Option<(BrokenDownTime, &'t str)> {
    let parts = BrokenDownTime { year: 1900, weekday: NO_WEEKDAY, yearday: NO_YEARDAY, ..BrokenDownTime::default() };
    let mut reader = Reader { parts, ..Reader::default() };
    let rest = reader.read(text, format)?;
    Some((reader.finish(), rest))
}

fn is_space(c: char) -> bool {
    c.is_ascii_whitespace() || c == '\u{b}'
}

/// Reads a number of at most `digits` digits, within bounds.
fn number(text: &str, least: i64, most: i64, digits: usize) -> Option<(i64, &str)> {
    let text = text.trim_start_matches(' ');
    let mut value = 0;
    let mut read = 0;
    for digit in text.chars().map_while(|c| c.to_digit(10)) {
        if read == digits || read > 0 && value * 10 > most {
            break;
        }
        value = value * 10 + i64::from(digit);
        read += 1;
    }
    (read > 0 && (least..=most).contains(&value)).then(|| (value, &text[read..]))
}

/// Reads one of `count` names, in full or shortened to three letters. Returns its index.
fn name(text: &str, count: usize, name_of: fn(usize) -> &'static str) -> Option<(i64, &str)> {
    let starts = |name: &str| text.get(..name.len()).is_some_and(|start| start.eq_ignore_ascii_case(name));
    (0..count).find_map(|at| {
        let full = name_of(at);
        let name = [full, &full[..3]].into_iter().find(|name| starts(name))?;
        Some((at as i64, &text[name.len()..]))
    })
}

impl Reader {
    fn read<'t>(&mut self, text: &'t str, format: &str) -> Option<&'t str> {
        let mut text = text;
        let mut format = format.chars();
        while let Some(c) = format.next() {
            if is_space(c) {
                text = text.trim_start_matches(is_space);
                continue;
            }
            if c != '%' {
                text = text.strip_prefix(c)?;
                continue;
            }
            let mut letter = format.next()?;
            while "-_0^#".contains(letter) {
                letter = format.next()?;
            }
            if letter == 'E' || letter == 'O' {
                let allowed = if letter == 'E' { "cCxXyY" } else { "bBdeHImMSuUVwWy" };
                letter = format.next().filter(|letter| allowed.contains(*letter))?;
            }
            text = self.one(letter, text)?;
        }
        Some(text)
    }

    fn one<'t>(&mut self, letter: char, text: &'t str) -> Option<&'t str> {
        let (value, rest) = match letter {
            '%' => return text.strip_prefix('%'),
            'n' | 't' => return Some(text.trim_start_matches(is_space)),
            'c' => return self.read(text, "%a %b %e %H:%M:%S %Y"),
            'D' | 'x' => return self.dated(text, "%m/%d/%y"),
            'F' => return self.dated(text, "%Y-%m-%d"),
            'r' => return self.read(text, "%I:%M:%S %p"),
            'R' => return self.read(text, "%H:%M"),
            'T' | 'X' => return self.read(text, "%H:%M:%S"),
            'Z' => return Some(text.trim_start_matches(is_space).trim_start_matches(|c| !is_space(c))),
            'z' => return zone(text),
            'p' => {
                let start = text.get(..2)?.to_ascii_uppercase();
                self.afternoon = match start.as_str() {
                    "AM" => false,
                    "PM" => true,
                    _ => return None,
                };
                return Some(&text[2..]);
            }
            's' => {
                let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
                self.parts = BrokenDownTime::from_seconds(text[..text.len() - rest.len()].parse().ok()?)?;
                return Some(rest);
            }
            'G' => {
                let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
                return (rest.len() < text.len()).then_some(rest);
            }
            'a' | 'A' => name(text, 7, day_name)?,
            'b' | 'B' | 'h' => name(text, 12, month_name)?,
            'C' | 'g' | 'y' => number(text, 0, 99, 2)?,
            'd' | 'e' => number(text, 1, 31, 2)?,
            'H' | 'k' => number(text, 0, 23, 2)?,
            'I' | 'l' | 'm' => number(text, 1, 12, 2)?,
            'j' => number(text, 1, 366, 3)?,
            'M' => number(text, 0, 59, 2)?,
            'S' => number(text, 0, 61, 2)?,
            'u' => number(text, 1, 7, 1)?,
            'U' | 'V' | 'W' => number(text, 0, 53, 2)?,
            'w' => number(text, 0, 6, 1)?,
            'Y' => number(text, 0, 9999, 4)?,
            _ => return None,
        };
        self.set(letter, value);
        Some(rest)
    }

    /// Reads a date and requests its weekday and its day of the year.
    fn dated<'t>(&mut self, text: &'t str, format: &str) -> Option<&'t str> {
        let rest = self.read(text, format)?;
        self.wants_days = true;
        Some(rest)
    }

    fn set(&mut self, letter: char, value: i64) {
        let parts = &mut self.parts;
        match letter {
            'a' | 'A' | 'w' => (parts.weekday, self.has_weekday) = (value, true),
            'u' => (parts.weekday, self.has_weekday) = (value % 7, true),
            'b' | 'B' | 'h' => (parts.month, self.has_month) = (value, true),
            'm' => (parts.month, self.has_month) = (value - 1, true),
            'C' => self.century = Some(value),
            'd' | 'e' => (parts.day, self.has_day) = (value, true),
            'H' | 'k' => (parts.hour, self.of_twelve) = (value, false),
            'I' | 'l' => (parts.hour, self.of_twelve) = (value % 12, true),
            'j' => (parts.yearday, self.has_yearday) = (value - 1, true),
            'M' => parts.minute = value,
            'S' => parts.second = value,
            'U' => self.week = Some((value, 0)),
            'W' => self.week = Some((value, 1)),
            'y' => (parts.year, self.short_year) = (if value >= 69 { 1900 } else { 2000 } + value, true),
            'Y' => (parts.year, self.short_year) = (value, false),
            // ISO 8601 weeks are read and ignored.
            _ => {}
        }
        self.wants_days |= "bBhCdemyY".contains(letter);
    }

    /// Computes the fields that follow from the fields read.
    fn finish(mut self) -> BrokenDownTime {
        if self.of_twelve && self.afternoon {
            self.parts.hour += 12;
        }
        if let Some(century) = self.century {
            let within = if self.short_year { self.parts.year.rem_euclid(100) } else { 0 };
            self.parts.year = century * 100 + within;
        }
        if self.wants_days && !self.has_weekday {
            if !(self.has_month && self.has_day) && self.has_yearday {
                self.date_of_yearday();
            }
            self.parts.weekday = self.parts.weekday_of_date();
        }
        if self.wants_days && !self.has_yearday {
            self.parts.yearday = days_before(self.parts.year, self.parts.month as usize) + self.parts.day - 1;
        }
        if let Some((week, first)) = self.week.filter(|_| self.has_weekday) {
            let january = BrokenDownTime { month: 0, day: 1, ..self.parts }.weekday_of_date();
            if !self.has_yearday {
                let into_week = (self.parts.weekday - first + 7) % 7;
                self.parts.yearday = (7 - (january - first)) % 7 + (week - 1) * 7 + into_week;
            }
            self.date_of_yearday();
        }
        let parts = &mut self.parts;
        // The fields that jq computes for an incomplete date.
        if parts.day != 0 {
            if parts.weekday == NO_WEEKDAY {
                parts.weekday = weekday_of_gauss(parts);
            }
            if parts.yearday == NO_YEARDAY {
                parts.yearday = days_before(parts.year, parts.month as usize) + parts.day - 1;
            }
        }
        self.parts
    }

    /// Sets the month and the day from the day of the year, unless they were read.
    fn date_of_yearday(&mut self) {
        let (month, day) = month_and_day(self.parts.year, self.parts.yearday);
        if !self.has_month {
            self.parts.month = month;
        }
        if !self.has_day {
            self.parts.day = day;
        }
        (self.has_month, self.has_day) = (true, true);
    }
}

/// Computes the weekday by jq's formula, which is wrong for some dates in 1900.
fn weekday_of_gauss(parts: &BrokenDownTime) -> i64 {
    let (century, mut year) = (parts.year / 100, parts.year % 100);
    if parts.month < 2 {
        year -= 1;
    }
    let month = if parts.month < 2 { parts.month + 11 } else { parts.month - 1 };
    let months = (2.6 * month as f64 - 0.2).floor() as i64;
    (parts.day + months + year + year.div_euclid(4) + century / 4 - 2 * century).rem_euclid(7)
}

/// Skips a time zone `+0100`, `+01`, `+01:00` or `Z`, which is ignored.
fn zone(text: &str) -> Option<&str> {
    let text = text.trim_start_matches(is_space);
    if let Some(rest) = text.strip_prefix('Z') {
        return Some(rest);
    }
    let mut rest = text.strip_prefix(['+', '-'])?;
    let (mut value, mut digits) = (0, 0);
    while let Some(digit) = rest.chars().next().and_then(|c| c.to_digit(10)).filter(|_| digits < 4) {
        value = value * 10 + digit;
        digits += 1;
        rest = &rest[1..];
        if digits == 2 && rest.starts_with(':') && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            rest = &rest[1..];
        }
    }
    (digits == 2 || digits == 4 && value % 100 < 60).then_some(rest)
}
