//! The shapes of types of other crates, as their implementations of `Serialize` write them.

use super::{Shape, TypeShape};

/// Types that are written as a string.
macro_rules! strings {
    ($($ty:ty),+) => {
        $(impl Shape for $ty {
            const SHAPE: &'static TypeShape = &TypeShape::String;
        })+
    };
}

#[cfg(feature = "chrono")]
strings! {
    chrono::NaiveDate, chrono::NaiveDateTime, chrono::NaiveTime, chrono::Weekday, chrono::Month
}

#[cfg(feature = "chrono")]
impl<Tz: chrono::TimeZone> Shape for chrono::DateTime<Tz> {
    const SHAPE: &'static TypeShape = &TypeShape::String;
}

/// The seconds and the nanoseconds.
#[cfg(feature = "chrono")]
impl Shape for chrono::TimeDelta {
    const SHAPE: &'static TypeShape = &TypeShape::Tuple(&[&TypeShape::Number, &TypeShape::Number]);
}

#[cfg(feature = "jiff")]
strings! {
    jiff::Timestamp, jiff::Zoned, jiff::Span, jiff::SignedDuration, jiff::civil::Date, jiff::civil::DateTime,
    jiff::civil::ISOWeekDate, jiff::civil::Time
}

#[cfg(feature = "url")]
strings!(url::Url);

#[cfg(feature = "uuid")]
strings! {
    uuid::Uuid, uuid::NonNilUuid, uuid::fmt::Braced, uuid::fmt::Hyphenated, uuid::fmt::Simple, uuid::fmt::Urn
}
