//! Broken-down times in UTC, like `struct tm` of the C library.

/// A broken-down time. Months and days of the year count from 0. Years are calendar years.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct BrokenDownTime {
    pub year: i64,
    pub month: i64,
    pub day: i64,
    pub hour: i64,
    pub minute: i64,
    pub second: i64,
    pub weekday: i64,
    pub yearday: i64,
}

const DAY: i64 = 86_400;
/// The days of 400 years.
const CYCLE: i64 = 146_097;

/// The number of days before each month, and of the whole year.
const BEFORE: [i64; 13] = [0, 31, 59, 90, 120, 151, 181, 212, 243, 273, 304, 334, 365];

pub(super) fn is_leap(year: i64) -> bool {
    year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
}

/// Returns the number of days of a year before a month. Month 12 stands for the end of the year.
pub(super) fn days_before(year: i64, month: usize) -> i64 {
    BEFORE[month.min(12)] + i64::from(month > 1 && is_leap(year))
}

/// Returns the month and the day of the month for a day of the year.
pub(super) fn month_and_day(year: i64, yearday: i64) -> (i64, i64) {
    let month = (1..12).rev().find(|month| days_before(year, *month) <= yearday).unwrap_or(0);
    (month as i64, yearday - days_before(year, month) + 1)
}

/// Returns the days from 1970-01-01 to January 1 of a year.
fn days_to_year(year: i64) -> i64 {
    let before = year - 1;
    before * 365 + before.div_euclid(4) - before.div_euclid(100) + before.div_euclid(400) - 719_162
}

/// Returns the weekday of a day counted from 1970-01-01, a Thursday. 0 is Sunday.
fn weekday_of(days: i64) -> i64 {
    (days + 4).rem_euclid(7)
}

impl BrokenDownTime {
    /// Converts seconds since 1970. Returns `None` outside of the C library's range of years.
    pub(super) fn from_seconds(seconds: i64) -> Option<BrokenDownTime> {
        let (days, rest) = (seconds.div_euclid(DAY), seconds.rem_euclid(DAY));
        // Years are relative to the start of the cycle.
        let cycles = (days + 719_162).div_euclid(CYCLE);
        let mut year = cycles * 400 + 1 + (days + 719_162).rem_euclid(CYCLE) / 366;
        while days_to_year(year + 1) <= days {
            year += 1;
        }
        i32::try_from(year - 1900).ok()?;
        let yearday = days - days_to_year(year);
        let (month, day) = month_and_day(year, yearday);
        let (hour, minute, second) = (rest / 3600, rest / 60 % 60, rest % 60);
        Some(BrokenDownTime { year, month, day, hour, minute, second, weekday: weekday_of(days), yearday })
    }

    /// Returns the seconds since 1970. Fields may be out of range: month 13 is February of the
    /// next year.
    pub(super) fn seconds(&self) -> i64 {
        let year = self.year + self.month.div_euclid(12);
        let month = self.month.rem_euclid(12) as usize;
        let days = days_to_year(year) + days_before(year, month) + self.day - 1;
        days * DAY + self.hour * 3600 + self.minute * 60 + self.second
    }

    /// Returns the same time with all fields in range.
    pub(super) fn normalized(self) -> BrokenDownTime {
        BrokenDownTime::from_seconds(self.seconds()).unwrap_or(self)
    }

    /// Returns the weekday of the date.
    pub(super) fn weekday_of_date(&self) -> i64 {
        let midnight = BrokenDownTime { hour: 0, minute: 0, second: 0, ..*self };
        weekday_of(midnight.seconds().div_euclid(DAY))
    }

    /// Returns the year and the week of ISO 8601.
    pub(super) fn iso_week(&self) -> (i64, i64) {
        // The year of a week is the year of its Thursday.
        let thursday = self.yearday - (self.weekday + 6) % 7 + 3;
        let length = |year| days_before(year, 12);
        if thursday < 0 {
            let year = self.year - 1;
            (year, (thursday + length(year)) / 7 + 1)
        } else if thursday >= length(self.year) {
            (self.year + 1, (thursday - length(self.year)) / 7 + 1)
        } else {
            (self.year, thursday / 7 + 1)
        }
    }
}
