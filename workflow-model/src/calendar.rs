//! Days and dates of the Gregorian calendar, which is extended to all years.

/// Returns the days from 1970-01-01 to a date. The month is from 1 to 12. The day may be outside
/// of the month.
pub const fn days(year: i64, month: i64, day: i64) -> i64 {
    // Years begin in March here, so that a leap day is the last day of a year.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let era = year.div_euclid(400);
    let year = year.rem_euclid(400);
    era * 146_097 + year * 365 + year / 4 - year / 100 + (153 * month + 2) / 5 + day - 1 - 719_468
}

/// Returns the year, the month from 1 and the day of a day counted from 1970-01-01.
pub const fn date(days: i64) -> (i64, i64, i64) {
    let shifted = days + 719_468;
    let era = shifted.div_euclid(146_097);
    let day = shifted.rem_euclid(146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    (year + era * 400 + carry, month, day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_and_days_correspond() {
        for (day, parts) in [
            (0, (1970, 1, 1)),
            (-1, (1969, 12, 31)),
            (11_016, (2000, 2, 29)),
            (11_017, (2000, 3, 1)),
            (-719_468, (0, 3, 1)),
            (-719_528, (0, 1, 1)),
            (2_932_896, (9999, 12, 31)),
            (100_000_000, (275_760, 9, 13)),
        ] {
            assert_eq!(date(day), parts);
            assert_eq!(days(parts.0, parts.1, parts.2), day);
        }
    }

    #[test]
    fn each_day_is_the_one_after_the_day_before() {
        let mut before = date(-800_000);
        for day in -799_999..200_000 {
            let (year, month, of_month) = date(day);
            let follows = (year, month, of_month) == (before.0, before.1, before.2 + 1)
                || (of_month == 1 && (year, month) == (before.0, before.1 + 1))
                || (of_month == 1 && month == 1 && (year, before.1, before.2) == (before.0 + 1, 12, 31));
            assert!(follows && days(year, month, of_month) == day, "{day}: {before:?}, {year}-{month}-{of_month}");
            before = (year, month, of_month);
        }
    }
}
