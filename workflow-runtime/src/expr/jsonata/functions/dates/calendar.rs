//! The calendar: instants and their parts.

use workflow_model::calendar::date;
pub(super) use workflow_model::calendar::days;

/// The largest distance from 1970, in milliseconds, that JavaScript has dates for.
pub(super) const LIMIT: i64 = 8_640_000_000_000_000;
/// The milliseconds of a day.
const DAY: i64 = 86_400_000;

/// The parts of an instant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Moment {
    /// The year.
    pub year: i64,
    /// The month, from 1.
    pub month: i64,
    /// The day of the month, from 1.
    pub day: i64,
    /// The milliseconds since midnight.
    pub time: i64,
    /// The days since 1970.
    days: i64,
}

impl Moment {
    /// Creates the parts of an instant in milliseconds since 1970. Its distance from 1970 is at
    /// most a few times [`LIMIT`].
    pub(super) fn new(millis: i64) -> Moment {
        let days = millis.div_euclid(DAY);
        let (year, month, day) = date(days);
        Moment { year, month, day, time: millis.rem_euclid(DAY), days }
    }

    /// Returns the part with this letter as a number: `Y`, `M`, `D`, `d`, `F`, `W`, `w`, `X`, `x`,
    /// `H`, `h`, `m`, `s`, `f`, or `P`, which is one in the afternoon.
    pub(super) fn part(&self, letter: char) -> Option<i64> {
        Some(match letter {
            'Y' => self.year,
            'M' => self.month,
            'D' => self.day,
            'd' => self.days - days(self.year, 1, 1) + 1,
            'F' => weekday(self.days),
            'W' => self.week(days(self.iso_year(), 1, 1)),
            'X' => self.iso_year(),
            'w' => {
                let (year, month) = self.iso_month();
                self.week(days(year, month, 1))
            }
            'x' => self.iso_month().1,
            'H' => self.hour(),
            'h' => (self.hour() + 11) % 12 + 1,
            'P' => self.hour() / 12,
            'm' => self.time / 60_000 % 60,
            's' => self.time / 1_000 % 60,
            'f' => self.time % 1_000,
            _ => return None,
        })
    }

    fn hour(&self) -> i64 {
        self.time / 3_600_000
    }

    /// Returns the number of the week in the year or month that begins on this day.
    fn week(&self, first: i64) -> i64 {
        (self.days - first_week(first)) / 7 + 1
    }

    /// Returns the year to which the week belongs.
    fn iso_year(&self) -> i64 {
        if self.days < first_week(days(self.year, 1, 1)) {
            self.year - 1
        } else if self.days >= first_week(days(self.year + 1, 1, 1)) {
            self.year + 1
        } else {
            self.year
        }
    }

    /// Returns the year and month to which the week belongs.
    fn iso_month(&self) -> (i64, i64) {
        let turn = |month: i64| (self.year + (month - 1).div_euclid(12), (month - 1).rem_euclid(12) + 1);
        let first = |(year, month)| first_week(days(year, month, 1));
        if self.days < first(turn(self.month)) {
            turn(self.month - 1)
        } else if self.days >= first(turn(self.month + 1)) {
            turn(self.month + 1)
        } else {
            turn(self.month)
        }
    }
}

/// Returns the first day of the first week of the year or month that begins on this day: of the
/// week that contains its first Thursday.
fn first_week(first: i64) -> i64 {
    let weekday = weekday(first);
    if weekday > 4 { first + 8 - weekday } else { first + 1 - weekday }
}

/// Returns the day of the week, from 1 for Monday.
fn weekday(days: i64) -> i64 {
    // The first of January 1970 was a Thursday.
    (days + 3).rem_euclid(7) + 1
}

/// Returns the milliseconds since 1970 of a date and a time, all of whose parts may be out of
/// range. Returns nothing if JavaScript has no such date.
pub(super) fn millis(date: [f64; 3], time: [f64; 4]) -> Option<f64> {
    let [year, month, day] = date;
    let [hour, minute, second, milli] = time;
    let months = year * 12.0 + month - 1.0;
    // Months of a hundred million years, so that the casts are exact.
    if !months.is_finite() || months.abs() > 1.2e9 {
        return None;
    }
    let (year, month) = ((months / 12.0).floor() as i64, months.rem_euclid(12.0) as i64 + 1);
    // The casts of days and times are exact up to the limit of dates.
    let whole = days(year, month, 1) as f64 + day - 1.0;
    let time = hour * 3_600_000.0 + minute * 60_000.0 + second * 1_000.0 + milli;
    let total = whole * DAY as f64 + time;
    (total.abs() <= LIMIT as f64).then_some(total)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weeks_begin_on_monday_and_belong_to_the_year_of_their_thursday() {
        for (date, week) in [
            ((2005, 1, 1), (2004, 53, 6)),
            ((2005, 12, 31), (2005, 52, 6)),
            ((2007, 12, 31), (2008, 1, 1)),
            ((2008, 12, 30), (2009, 1, 2)),
            ((2010, 1, 3), (2009, 53, 7)),
        ] {
            let moment = Moment::new(days(date.0, date.1, date.2) * DAY);
            let part = |letter| moment.part(letter).unwrap_or(0);
            assert_eq!((part('X'), part('W'), part('F')), week, "{date:?}");
        }
    }
}
