//! Values with an identity: objects, arrays, functions, errors, dates.
//!
//! Objects and arrays are backed by the JSON that they come from as long as possible. A level of a
//! document remains one `Arc` while only its scalars are read and written. An unshared `Arc` is
//! edited in place. Reading a nested part turns the level into slots and the part into an object
//! of its own, so that each read returns the same object. For JSON that is shared, slots would be
//! a copy. A shared level therefore stays unchanged until it is written to, and the objects of its
//! parts are stored beside it.

use std::cell::{Cell, RefCell};
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use super::budget::{ELEMENT, spend, track_object, walk};
use super::members::{MemberTable, Slot, array_index, ordered};
use super::{Js, Result, Run, release};
use crate::value::{Array, Object, Str, Value};

/// A value with an identity. A clone is the same object.
#[derive(Clone)]
pub struct Obj(pub(super) Rc<Inner>);

/// The content of an [`Obj`].
pub(super) struct Inner {
    pub(super) body: RefCell<Backing>,
    pub(super) frozen: Cell<bool>,
    /// `true` during a conversion to JSON. An object that is met again closes a cycle.
    pub(super) open: Cell<bool>,
    /// `true` if the run has registered the object as a potential part of a cycle.
    pub(super) is_tracked: Cell<bool>,
}

/// The representation of an object.
pub(super) enum Backing {
    /// A JSON object, and the objects of its nested parts that were read.
    Json(Arc<Object>, ReadParts),
    /// An object.
    Members(MemberTable),
    /// A JSON array, and the objects of its nested parts that were read.
    JsonItems(Arc<Array>, ReadParts),
    /// An array.
    Items(Vec<Slot>),
    /// A special object, with members of its own.
    Special(Box<(Special, MemberTable)>),
}

/// The objects of nested JSON parts, with the positions of the parts.
pub(super) type ReadParts = Vec<(usize, Obj)>;

/// An object with content besides its members.
#[derive(Clone)]
pub(super) enum Special {
    Function(Function),
    Error(ErrorData),
    /// The time value: milliseconds since 1970, or NaN.
    Date(f64),
    Buffer(Rc<[u8]>),
}

/// The implementation of a function.
pub(super) type NativeFunction = Rc<dyn Fn(&Run, &Js, &[Js]) -> Result>;

/// A function.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) length: usize,
    pub(super) call: NativeFunction,
}

/// The properties of an error that are not enumerable.
#[derive(Clone)]
pub(super) struct ErrorData {
    pub(super) kind: &'static str,
    pub(super) message: Option<Js>,
    pub(super) cause: Option<Js>,
    pub(super) stack: Js,
}

/// The classes of objects.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Class {
    /// A plain object.
    Object,
    /// An array.
    Array,
    /// A function.
    Function,
    /// An error.
    Error,
    /// A date.
    Date,
    /// Bytes.
    Buffer,
}

/// The estimated size of an element or a member, in bytes.
const SLOT: usize = 32;
const MEMBER: usize = 64;

/// The maximum number of part objects beside JSON. They are searched linearly.
const PARTS: usize = 8;
/// The maximum depth of the recursive search for changed parts.
const LEVELS: u32 = 8;

impl Obj {
    fn new(body: Backing) -> Obj {
        Obj(Rc::new(Inner {
            body: RefCell::new(body),
            frozen: Cell::new(false),
            open: Cell::new(false),
            is_tracked: Cell::new(false),
        }))
    }

    pub(super) fn of_object(members: Arc<Object>) -> Obj {
        Obj::new(Backing::Json(members, ReadParts::new()))
    }

    pub(super) fn of_array(items: Arc<Array>) -> Obj {
        Obj::new(Backing::JsonItems(items, ReadParts::new()))
    }

    /// Creates an object of scalars.
    pub(super) fn of_scalars(members: Object) -> Obj {
        spend(SLOT + MEMBER * members.len());
        Obj::of_object(Arc::new(members))
    }

    pub(super) fn of_members(members: MemberTable) -> Obj {
        spend(SLOT + MEMBER * members.len());
        Obj::new(Backing::Members(members))
    }

    pub(super) fn of_items(items: Vec<Slot>) -> Obj {
        spend(SLOT + SLOT * items.len());
        Obj::new(Backing::Items(items))
    }

    pub(super) fn special(special: Special) -> Obj {
        spend(4 * SLOT);
        Obj::new(Backing::Special(Box::new((special, MemberTable::default()))))
    }

    pub(super) fn same(&self, other: &Obj) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// Returns the class of the object.
    pub fn class(&self) -> Class {
        match &*self.0.body.borrow() {
            Backing::Json(..) | Backing::Members(_) => Class::Object,
            Backing::JsonItems(..) | Backing::Items(_) => Class::Array,
            Backing::Special(special) => match special.0 {
                Special::Function(_) => Class::Function,
                Special::Error(_) => Class::Error,
                Special::Date(_) => Class::Date,
                Special::Buffer(_) => Class::Buffer,
            },
        }
    }

    pub(super) fn is_array(&self) -> bool {
        self.class() == Class::Array
    }

    /// Returns the content besides the members, if the object is special.
    pub(super) fn special_part(&self) -> Option<Special> {
        match &*self.0.body.borrow() {
            Backing::Special(special) => Some(special.0.clone()),
            _ => None,
        }
    }

    pub(super) fn as_function(&self) -> Option<Function> {
        match self.special_part() {
            Some(Special::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// Returns the time value of a date.
    pub(super) fn time(&self) -> Option<f64> {
        match &*self.0.body.borrow() {
            Backing::Special(special) => match special.0 {
                Special::Date(time) => Some(time),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn set_special(&self, special: Special) {
        if let Backing::Special(body) = &mut *self.0.body.borrow_mut() {
            body.0 = special;
        }
    }

    /// Returns an own member. Arrays have elements, but no members.
    pub(super) fn member(&self, key: &str) -> Option<Js> {
        let mut body = self.0.body.borrow_mut();
        if let Backing::Json(members, read) = &mut *body {
            let position = members.position(key)?;
            let (_, value) = members.get_index(position)?;
            match Js::of_scalar(value).or_else(|| part(members, read, position, value)) {
                Some(value) => return Some(value),
                None => body.make_slots(),
            }
        }
        body.members()?.get_mut(key).map(Slot::read)
    }

    pub(super) fn has_member(&self, key: &str) -> bool {
        match &*self.0.body.borrow() {
            Backing::Json(members, _) => members.contains_key(key),
            Backing::Members(members) => members.position(key).is_some(),
            Backing::Special(special) => special.1.position(key).is_some(),
            Backing::JsonItems(..) | Backing::Items(_) => false,
        }
    }

    /// Sets a member. Ignored for arrays, which have no members.
    pub(super) fn set_member(&self, key: Str, value: impl Into<Slot>) {
        let slot = value.into();
        self.track_cycle(&slot);
        let mut body = self.0.body.borrow_mut();
        body.make_editable();
        if let Backing::Json(members, _) = &mut *body {
            match slot.scalar() {
                Some(scalar) => {
                    let members = Arc::make_mut(members);
                    if members.insert(key, scalar).is_none() {
                        spend(MEMBER);
                    }
                    return;
                }
                None => body.make_slots(),
            }
        }
        let old = body.members().map(|members| members.insert(key, slot));
        if matches!(old, Some(None)) {
            spend(MEMBER);
        }
        // Dropping the old value can access this object.
        drop(body);
        drop(old);
    }

    pub(super) fn remove_member(&self, key: &str) {
        let mut body = self.0.body.borrow_mut();
        body.make_editable();
        // Later members move.
        walk(ELEMENT * body.len());
        let removed = match &mut *body {
            Backing::Json(members, _) => {
                if members.contains_key(key) {
                    Arc::make_mut(members).remove(key);
                }
                None
            }
            _ => body.members().and_then(|members| members.remove(key)),
        };
        drop(body);
        drop(removed);
    }

    /// Returns the keys of the members in order. Arrays have none.
    pub(super) fn keys(&self) -> Vec<Str> {
        let keys = match &*self.0.body.borrow() {
            Backing::Json(members, _) => ordered(members.keys()),
            Backing::Members(members) => ordered(members.keys()),
            Backing::Special(special) => ordered(special.1.keys()),
            Backing::JsonItems(..) | Backing::Items(_) => Vec::new(),
        };
        spend(SLOT * keys.len());
        keys
    }

    /// Returns the number of elements, or 0 if the object is not an array.
    pub(super) fn len(&self) -> usize {
        match &*self.0.body.borrow() {
            Backing::JsonItems(items, _) => items.len(),
            Backing::Items(items) => items.len(),
            _ => 0,
        }
    }

    /// Returns an element.
    pub(super) fn item(&self, position: usize) -> Option<Js> {
        let mut body = self.0.body.borrow_mut();
        if let Backing::JsonItems(items, read) = &mut *body {
            let value = items.get(position)?;
            match Js::of_scalar(value).or_else(|| part(items, read, position, value)) {
                Some(value) => return Some(value),
                None => body.make_slots(),
            }
        }
        match &mut *body {
            Backing::Items(items) => items.get_mut(position).map(Slot::read),
            _ => None,
        }
    }

    /// Sets an existing element, or appends one at the end.
    pub(super) fn set_item(&self, position: usize, value: impl Into<Slot>) {
        let slot = value.into();
        self.track_cycle(&slot);
        let mut body = self.0.body.borrow_mut();
        body.make_editable();
        if let Backing::JsonItems(items, _) = &mut *body {
            match slot.scalar() {
                Some(scalar) => {
                    let items = Arc::make_mut(items);
                    match items.get_mut(position) {
                        Some(item) => *item = scalar,
                        None => {
                            spend(SLOT);
                            items.push(scalar);
                        }
                    }
                    return;
                }
                None => body.make_slots(),
            }
        }
        let Backing::Items(items) = &mut *body else { return };
        let old = match items.get_mut(position) {
            Some(item) => Some(mem::replace(item, slot)),
            None => {
                spend(SLOT);
                items.push(slot);
                None
            }
        };
        drop(body);
        drop(old);
    }

    /// Removes and returns the last element.
    pub(super) fn pop(&self) -> Option<Js> {
        let mut body = self.0.body.borrow_mut();
        body.make_editable();
        if let Backing::JsonItems(items, _) = &mut *body {
            return if items.is_empty() { None } else { Arc::make_mut(items).pop().map(Js::from) };
        }
        match &mut *body {
            Backing::Items(items) => items.pop().map(|mut slot| slot.read()),
            _ => None,
        }
    }

    /// Changes the elements as a vector.
    pub(super) fn edit<R>(&self, change: impl FnOnce(&mut Vec<Slot>) -> R) -> R {
        let mut body = self.0.body.borrow_mut();
        body.make_slots();
        match &mut *body {
            Backing::Items(items) => change(items),
            _ => change(&mut Vec::new()),
        }
    }

    /// Returns the elements of an array. The array cannot gain elements meanwhile, unless `change`
    /// of [`Obj::edit`] adds them.
    pub(super) fn items(&self) -> Vec<Js> {
        let mut body = self.0.body.borrow_mut();
        if let Backing::JsonItems(items, _) = &*body {
            spend(SLOT * items.len());
            if let Some(scalars) = items.iter().map(Js::of_scalar).collect() {
                return scalars;
            }
            body.make_slots();
        }
        match &mut *body {
            Backing::Items(items) => {
                spend(SLOT * items.len());
                items.iter_mut().map(Slot::read).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the members or elements for another object: JSON scalars unchanged, so that
    /// integers stay exact, and other values with their identity.
    pub(super) fn copies(&self) -> Vec<(Str, Slot)> {
        let keys = self.keys();
        let mut body = self.0.body.borrow_mut();
        body.make_slots();
        let Some(members) = body.members() else { return Vec::new() };
        keys.into_iter().filter_map(|key| members.get_mut(&key).map(Slot::copy).map(|slot| (key, slot))).collect()
    }

    /// Returns the elements as [`Obj::copies`] does.
    pub(super) fn item_copies(&self) -> Vec<Slot> {
        let mut body = self.0.body.borrow_mut();
        walk(ELEMENT * body.len());
        if let Backing::JsonItems(items, _) = &*body {
            if !items.iter().any(|item| matches!(item, Value::Array(_) | Value::Object(_))) {
                return items.iter().cloned().map(Slot::Json).collect();
            }
            body.make_slots();
        }
        match &mut *body {
            Backing::Items(items) => items.iter_mut().map(Slot::copy).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the JSON of the object, if no nested part was read or all parts that were read are
    /// unchanged.
    #[inline]
    pub(super) fn untouched(&self) -> Option<Value> {
        let body = self.0.body.borrow();
        // An object that contains a function has slots.
        let json = match &*body {
            Backing::Json(members, _) => Value::Object(members.clone()),
            Backing::JsonItems(items, _) => Value::Array(items.clone()),
            _ => return None,
        };
        if body.is_json() || self.is_still(&json, LEVELS) { Some(json) } else { None }
    }

    /// Returns `true` if the object is this JSON and its read parts are unchanged. Index keys rule
    /// this out once a part was read: the order of such keys depends on whether the object was
    /// read, and must not depend on whether the JSON is shared.
    fn is_still(&self, json: &Value, levels: u32) -> bool {
        let Some(below) = levels.checked_sub(1) else { return false };
        match (&*self.0.body.borrow(), json) {
            (Backing::Json(members, read), Value::Object(json)) => {
                let is_still = |(at, part): &(usize, Obj)| {
                    members.get_index(*at).is_some_and(|(_, value)| part.is_still(value, below))
                };
                Arc::ptr_eq(members, json)
                    && (read.is_empty() || !members.keys().any(|key| array_index(key).is_some()))
                    && read.iter().all(is_still)
            }
            (Backing::JsonItems(items, read), Value::Array(json)) => {
                let is_still =
                    |(at, part): &(usize, Obj)| items.get(*at).is_some_and(|value| part.is_still(value, below));
                Arc::ptr_eq(items, json) && read.iter().all(is_still)
            }
            _ => false,
        }
    }

    /// Returns the content of a member without reading it.
    pub(super) fn peek(&self, key: &str) -> Option<Slot> {
        let mut body = self.0.body.borrow_mut();
        match &mut *body {
            Backing::Json(members, read) => {
                let position = members.position(key)?;
                let (_, value) = members.get_index(position)?;
                Some(read_part(read, position).unwrap_or_else(|| Slot::Json(value.clone())))
            }
            other => other.members()?.get_mut(key).cloned(),
        }
    }

    /// Returns the content of an element without reading it.
    pub(super) fn peek_item(&self, position: usize) -> Option<Slot> {
        match &*self.0.body.borrow() {
            Backing::JsonItems(items, read) => {
                let value = items.get(position)?;
                Some(read_part(read, position).unwrap_or_else(|| Slot::Json(value.clone())))
            }
            Backing::Items(items) => items.get(position).cloned(),
            _ => None,
        }
    }

    /// Registers the object as a potential part of a cycle if the slot contains an object.
    pub(super) fn track_cycle(&self, slot: &Slot) {
        if matches!(slot, Slot::Js(Js::Object(_))) && !self.0.is_tracked.replace(true) {
            track_object(&self.0);
        }
    }
}

/// Returns the object of a nested JSON part, the same for each read. Returns `None` if the JSON is
/// not shared, because its slots then cost no copy and can be edited in place, and if too many
/// parts were read.
fn part<T>(json: &Arc<T>, read: &mut ReadParts, position: usize, value: &Value) -> Option<Js> {
    if let Some((_, part)) = read.iter().find(|(at, _)| *at == position) {
        return Some(Js::Object(part.clone()));
    }
    if Arc::strong_count(json) == 1 || read.len() >= PARTS {
        return None;
    }
    let value = Js::from(value.clone());
    read.extend(value.as_object().map(|part| (position, part.clone())));
    Some(value)
}

/// Returns the object of a part that was read.
fn read_part(read: &ReadParts, position: usize) -> Option<Slot> {
    let (_, part) = read.iter().find(|(at, _)| *at == position)?;
    Some(Slot::Js(Js::Object(part.clone())))
}

impl Slot {
    fn scalar(&self) -> Option<Value> {
        match self {
            Slot::Js(value) => value.scalar(),
            Slot::Json(Value::Array(_) | Value::Object(_)) => None,
            Slot::Json(value) => Some(value.clone()),
        }
    }

    /// Returns the same value for another place.
    pub(super) fn copy(&mut self) -> Slot {
        if self.is_nested() {
            return Slot::Js(self.read());
        }
        self.clone()
    }
}

impl Backing {
    /// Converts members and elements to slots that can hold any value. Levels below stay
    /// unchanged.
    fn make_slots(&mut self) {
        match self {
            Backing::Json(members, read) => {
                walk(ELEMENT * members.len());
                let read = mem::take(read);
                let mut members = MemberTable::of_json(Arc::unwrap_or_clone(mem::take(members)));
                for (position, part) in read {
                    members.replace(position, Slot::Js(Js::Object(part)));
                }
                *self = Backing::Members(members);
            }
            Backing::JsonItems(items, read) => {
                walk(ELEMENT * items.len());
                let read = mem::take(read);
                let items = Arc::unwrap_or_clone(mem::take(items));
                let mut items: Vec<Slot> = items.into_iter().map(Slot::Json).collect();
                for (position, part) in read {
                    items[position] = Slot::Js(Js::Object(part));
                }
                *self = Backing::Items(items);
            }
            _ => {}
        }
    }

    /// Converts to slots if parts were read, so that they are members of the changed object.
    fn make_editable(&mut self) {
        if !self.is_json() {
            self.make_slots();
        }
    }

    /// Returns `true` if the object is JSON without read parts.
    fn is_json(&self) -> bool {
        matches!(self, Backing::Json(_, read) | Backing::JsonItems(_, read) if read.is_empty())
    }

    /// Returns the number of members or elements.
    fn len(&self) -> usize {
        match self {
            Backing::Json(members, _) => members.len(),
            Backing::Members(members) => members.len(),
            Backing::JsonItems(items, _) => items.len(),
            Backing::Items(items) => items.len(),
            Backing::Special(special) => special.1.len(),
        }
    }

    fn members(&mut self) -> Option<&mut MemberTable> {
        match self {
            Backing::Members(members) => Some(members),
            Backing::Special(special) => Some(&mut special.1),
            _ => None,
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let body = self.body.get_mut();
        // JSON bounds the depth of its own drop.
        if !body.is_json() {
            release::drop_body(mem::replace(body, Backing::Items(Vec::new())));
        }
    }
}
