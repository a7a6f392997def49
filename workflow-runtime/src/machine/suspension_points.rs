//! The macro that makes the variants of a state enum into suspension points.

/// Implements the part of [`Machine`](crate::machine::Machine) that saves and loads: `POINTS`,
/// `point`, `save` and `load`.
///
/// ```ignore
/// impl rt::Machine for State {
///     rt::suspension_points!(
///         (Start(d), "start", "", 1),
///         (Charge(d, retries), "Charge", "Charge", 2),
///         (Packed, "Packed", "Pack", 3),
///     );
///     // …
/// }
/// ```
///
/// A row has the variant with a name for each value, the name in snapshots, the authored state,
/// and the fingerprint of the values. The comma after a row is not optional. With an optional
/// comma, rustc would copy everything it has matched so far at every row, and the expansion would
/// take quadratic time.
#[macro_export]
#[doc(hidden)]
macro_rules! __suspension_points {
    ($(($point:ident $(($($field:ident),+))?, $name:literal, $state:literal, $layout:literal),)*) => {
        const POINTS: &'static [$crate::__private::SuspensionPoint] =
            &[$($crate::__private::SuspensionPoint::new($name, $state, $layout)),*];

        fn point(&self) -> &'static $crate::__private::SuspensionPoint {
            match self {
                $(Self::$point { .. } => const { &$crate::__private::SuspensionPoint::new($name, $state, $layout) },)*
            }
        }

        fn save(&self, w: &mut $crate::__private::Writer) {
            match self { $(Self::$point $(($($field),+))? => w.put_all(&[$($($field),+)?]),)* }
        }

        fn load(
            point: &str,
            r: &mut $crate::__private::Reader<'_>,
        ) -> Result<Self, $crate::__private::LoadError> {
            match point {
                $($name => {
                    $($(let $field = r.take()?;)+)?
                    Ok(Self::$point $(($($field),+))?)
                })*
                unknown => Err($crate::__private::LoadError::unknown_point(unknown)),
            }
        }
    };
}
