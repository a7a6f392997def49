//! The shapes of types of the standard library and of this crate, as serde writes them.

use super::{Shape, TypeShape};
use crate::value::{Str, Value};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::marker::PhantomData;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6};
use std::num::{NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize};
use std::num::{NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize};
use std::num::{Saturating, Wrapping};
use std::ops::{Range, RangeInclusive};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, SystemTime};
use workflow_model::name_hash;

macro_rules! shapes {
    ($($shape:expr => $($ty:ty),+;)*) => {
        $($(impl Shape for $ty {
            const SHAPE: &'static TypeShape = &$shape;
        })+)*
    };
}

shapes! {
    TypeShape::Any => Value, serde_json::Value, serde_json::Number, serde_json::value::RawValue;
    TypeShape::Map(&TypeShape::Any) => serde_json::Map<String, serde_json::Value>;
    TypeShape::Null => ();
    TypeShape::Boolean => bool;
    TypeShape::Number => i8, i16, i32, i64, i128, isize, u8, u16, u32, u64, u128, usize;
    TypeShape::Number => NonZeroI8, NonZeroI16, NonZeroI32, NonZeroI64, NonZeroI128, NonZeroIsize;
    TypeShape::Number => NonZeroU8, NonZeroU16, NonZeroU32, NonZeroU64, NonZeroU128, NonZeroUsize;
    // A number that is not finite is written as null.
    TypeShape::OneOf("", &[&TypeShape::Number, &TypeShape::Null]) => f32, f64;
    TypeShape::String => char, str, String, Str, Path, PathBuf;
    TypeShape::String => IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV4, SocketAddrV6;
}

/// Objects of the standard library.
macro_rules! records {
    ($([$($generics:tt)*] $ty:ty, $title:literal: $($name:literal => $of:ty),+;)*) => {
        $(impl<$($generics)*> Shape for $ty {
            const SHAPE: &'static TypeShape = &TypeShape::Record {
                name: $title,
                members: &[$((name_hash($name), $name, <$of as Shape>::SHAPE)),+],
                flattened: &[],
            };
        })*
    };
}

records! {
    [] Duration, "Duration": "secs" => u64, "nanos" => u32;
    [] SystemTime, "SystemTime": "secs_since_epoch" => u64, "nanos_since_epoch" => u32;
    [T: Shape, E: Shape] Result<T, E>, "Result": "Ok" => T, "Err" => E;
    [T: Shape] Range<T>, "Range": "start" => T, "end" => T;
    [T: Shape] RangeInclusive<T>, "RangeInclusive": "start" => T, "end" => T;
}

/// Types that are written as another one.
macro_rules! transparent {
    ($([$($generics:tt)*] $ty:ty => $of:ty;)*) => {
        $(impl<$($generics)*> Shape for $ty {
            const SHAPE: &'static TypeShape = <$of as Shape>::SHAPE;
        })*
    };
}

transparent! {
    [T: Shape + ?Sized] &T => T;
    [T: Shape + ?Sized] &mut T => T;
    [T: Shape + ?Sized] Rc<T> => T;
    [T: Shape + ?Sized] Arc<T> => T;
    [T: Shape + ToOwned + ?Sized] Cow<'_, T> => T;
    [T: Shape] Cell<T> => T;
    [T: Shape + ?Sized] RefCell<T> => T;
    [T: Shape + ?Sized] Mutex<T> => T;
    [T: Shape + ?Sized] RwLock<T> => T;
    [T: Shape] Reverse<T> => T;
    [T: Shape] Saturating<T> => T;
    [T: Shape] Wrapping<T> => T;
    [T: Shape] VecDeque<T> => [T];
    [T: Shape] Vec<T> => [T];
    [T: Shape] LinkedList<T> => [T];
    [T: Shape] BinaryHeap<T> => [T];
    [T: Shape] BTreeSet<T> => [T];
    [T: Shape, S] HashSet<T, S> => [T];
    [T: Shape, const N: usize] [T; N] => [T];
    [T: ?Sized] PhantomData<T> => ();
    [K, V: Shape, S] HashMap<K, V, S> => BTreeMap<K, V>;
}

/// Recursive types usually contain a `Box`. rustc cannot evaluate a shape that contains itself.
impl<T: ?Sized> Shape for Box<T> {
    const SHAPE: &'static TypeShape = &TypeShape::Any;
}

impl<T: Shape> Shape for [T] {
    const SHAPE: &'static TypeShape = &TypeShape::List(T::SHAPE);
}

impl<K, V: Shape> Shape for BTreeMap<K, V> {
    const SHAPE: &'static TypeShape = &TypeShape::Map(V::SHAPE);
}

impl<T: Shape> Shape for Option<T> {
    const SHAPE: &'static TypeShape = &TypeShape::OneOf("", &[&TypeShape::Null, T::SHAPE]);
}

macro_rules! tuples {
    ($($($ty:ident)+;)*) => {
        $(impl<$($ty: Shape),+> Shape for ($($ty,)+) {
            const SHAPE: &'static TypeShape = &TypeShape::Tuple(&[$($ty::SHAPE),+]);
        })*
    };
}

tuples! {
    A;
    A B;
    A B C;
    A B C D;
    A B C D E;
    A B C D E F;
    A B C D E F G;
    A B C D E F G H;
    A B C D E F G H I;
    A B C D E F G H I J;
    A B C D E F G H I J K;
    A B C D E F G H I J K L;
}
