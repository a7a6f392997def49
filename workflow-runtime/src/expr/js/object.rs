//! What has an identity: objects, arrays, functions, errors, dates.
//!
//! Objects and arrays are backed by the JSON they come from until more is asked of them. A level of a document stays one
//! `Arc` while only scalars are read from it and written into it; where nothing else holds the `Arc`, it is edited in place.
//! When something nested is read, that level becomes slots, and the nested part an object of its own, so that it is the same
//! object whenever it is read again. Slots of JSON that something else holds, too, would be a copy of it; such a level stays
//! as it is until it is changed, and the objects that were made of its parts are kept beside it.

use std::cell::{Cell, RefCell};
use std::mem;
use std::rc::Rc;
use std::sync::Arc;

use super::budget::{ELEMENT, hold_object, spend, walk};
use super::members::{Members, Slot, array_index, ordered};
use super::{Js, Result, Run, release};
use crate::value::{Array, Object, Str, Value};

/// What has an identity. Clones are the same object.
#[derive(Clone)]
pub struct Obj(pub(super) Rc<Inner>);

/// What an [`Obj`] leads to.
pub(super) struct Inner {
    pub(super) body: RefCell<Body>,
    pub(super) frozen: Cell<bool>,
    /// Whether it is being converted: a cycle comes back to it.
    pub(super) open: Cell<bool>,
    /// Whether the run knows that it may be part of a cycle.
    pub(super) held: Cell<bool>,
}

/// What an object is made of.
pub(super) enum Body {
    /// An object of JSON, and what was read of it.
    Json(Arc<Object>, Parts),
    /// An object.
    Members(Members),
    /// An array of JSON, and what was read of it.
    JsonItems(Arc<Array>, Parts),
    /// An array.
    Items(Vec<Slot>),
    /// Something else, with members of its own.
    Special(Box<(Special, Members)>),
}

/// Objects that were made of nested parts of JSON, each with the position of the part.
pub(super) type Parts = Vec<(usize, Obj)>;

/// An object that is more than its members.
#[derive(Clone)]
pub(super) enum Special {
    Function(Function),
    Error(Error),
    /// The time value: milliseconds since 1970, or NaN.
    Date(f64),
    Buffer(Rc<[u8]>),
}

/// What a function does.
pub(super) type Call = Rc<dyn Fn(&Run, &Js, &[Js]) -> Result>;

/// A function.
#[derive(Clone)]
pub(super) struct Function {
    pub(super) name: &'static str,
    pub(super) length: usize,
    pub(super) call: Call,
}

/// What an error has besides its members: these are not enumerated.
#[derive(Clone)]
pub(super) struct Error {
    pub(super) kind: &'static str,
    pub(super) message: Option<Js>,
    pub(super) cause: Option<Js>,
    pub(super) stack: Js,
}

/// The kinds of objects.
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

/// An estimate of what an element or a member takes, in bytes.
const SLOT: usize = 32;
const MEMBER: usize = 64;

/// How many parts are kept beside JSON; they are searched one by one.
const PARTS: usize = 8;
/// Through how many levels parts are looked at for changes, by recursion.
const LEVELS: u32 = 8;

impl Obj {
    fn new(body: Body) -> Obj {
        Obj(Rc::new(Inner {
            body: RefCell::new(body),
            frozen: Cell::new(false),
            open: Cell::new(false),
            held: Cell::new(false),
        }))
    }

    pub(super) fn of_object(members: Arc<Object>) -> Obj {
        Obj::new(Body::Json(members, Parts::new()))
    }

    pub(super) fn of_array(items: Arc<Array>) -> Obj {
        Obj::new(Body::JsonItems(items, Parts::new()))
    }

    /// An object that a function makes, of scalars.
    pub(super) fn of_scalars(members: Object) -> Obj {
        spend(SLOT + MEMBER * members.len());
        Obj::of_object(Arc::new(members))
    }

    pub(super) fn of_members(members: Members) -> Obj {
        spend(SLOT + MEMBER * members.len());
        Obj::new(Body::Members(members))
    }

    pub(super) fn of_items(items: Vec<Slot>) -> Obj {
        spend(SLOT + SLOT * items.len());
        Obj::new(Body::Items(items))
    }

    pub(super) fn special(special: Special) -> Obj {
        spend(4 * SLOT);
        Obj::new(Body::Special(Box::new((special, Members::default()))))
    }

    pub(super) fn same(&self, other: &Obj) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }

    /// What kind of object it is.
    pub fn class(&self) -> Class {
        match &*self.0.body.borrow() {
            Body::Json(..) | Body::Members(_) => Class::Object,
            Body::JsonItems(..) | Body::Items(_) => Class::Array,
            Body::Special(special) => match special.0 {
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

    /// What it is besides its members, if it is more than those.
    pub(super) fn special_part(&self) -> Option<Special> {
        match &*self.0.body.borrow() {
            Body::Special(special) => Some(special.0.clone()),
            _ => None,
        }
    }

    pub(super) fn as_function(&self) -> Option<Function> {
        match self.special_part() {
            Some(Special::Function(function)) => Some(function),
            _ => None,
        }
    }

    /// The time value of a date.
    pub(super) fn time(&self) -> Option<f64> {
        match &*self.0.body.borrow() {
            Body::Special(special) => match special.0 {
                Special::Date(time) => Some(time),
                _ => None,
            },
            _ => None,
        }
    }

    pub(super) fn set_special(&self, special: Special) {
        if let Body::Special(body) = &mut *self.0.body.borrow_mut() {
            body.0 = special;
        }
    }

    /// A member of its own. Nothing is found in arrays, which have elements.
    pub(super) fn member(&self, key: &str) -> Option<Js> {
        let mut body = self.0.body.borrow_mut();
        if let Body::Json(members, read) = &mut *body {
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
            Body::Json(members, _) => members.contains_key(key),
            Body::Members(members) => members.position(key).is_some(),
            Body::Special(special) => special.1.position(key).is_some(),
            Body::JsonItems(..) | Body::Items(_) => false,
        }
    }

    /// Sets a member. Of an array there are none to be set.
    pub(super) fn set_member(&self, key: Str, value: impl Into<Slot>) {
        let slot = value.into();
        self.note(&slot);
        let mut body = self.0.body.borrow_mut();
        body.make_editable();
        if let Body::Json(members, _) = &mut *body {
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
        // The old value may lead back here when it is dropped.
        drop(body);
        drop(old);
    }

    pub(super) fn remove_member(&self, key: &str) {
        let mut body = self.0.body.borrow_mut();
        body.make_editable();
        // What follows moves.
        walk(ELEMENT * body.len());
        let removed = match &mut *body {
            Body::Json(members, _) => {
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

    /// The keys of its members, in order; none of an array.
    pub(super) fn keys(&self) -> Vec<Str> {
        let keys = match &*self.0.body.borrow() {
            Body::Json(members, _) => ordered(members.keys()),
            Body::Members(members) => ordered(members.keys()),
            Body::Special(special) => ordered(special.1.keys()),
            Body::JsonItems(..) | Body::Items(_) => Vec::new(),
        };
        spend(SLOT * keys.len());
        keys
    }

    /// The number of elements; 0 of what is no array.
    pub(super) fn len(&self) -> usize {
        match &*self.0.body.borrow() {
            Body::JsonItems(items, _) => items.len(),
            Body::Items(items) => items.len(),
            _ => 0,
        }
    }

    /// An element.
    pub(super) fn item(&self, position: usize) -> Option<Js> {
        let mut body = self.0.body.borrow_mut();
        if let Body::JsonItems(items, read) = &mut *body {
            let value = items.get(position)?;
            match Js::of_scalar(value).or_else(|| part(items, read, position, value)) {
                Some(value) => return Some(value),
                None => body.make_slots(),
            }
        }
        match &mut *body {
            Body::Items(items) => items.get_mut(position).map(Slot::read),
            _ => None,
        }
    }

    /// Sets an element that is there, or appends the one behind the last.
    pub(super) fn set_item(&self, position: usize, value: impl Into<Slot>) {
        let slot = value.into();
        self.note(&slot);
        let mut body = self.0.body.borrow_mut();
        body.make_editable();
        if let Body::JsonItems(items, _) = &mut *body {
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
        let Body::Items(items) = &mut *body else { return };
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

    /// Takes the last element off.
    pub(super) fn pop(&self) -> Option<Js> {
        let mut body = self.0.body.borrow_mut();
        body.make_editable();
        if let Body::JsonItems(items, _) = &mut *body {
            return if items.is_empty() { None } else { Arc::make_mut(items).pop().map(Js::from) };
        }
        match &mut *body {
            Body::Items(items) => items.pop().map(|mut slot| slot.read()),
            _ => None,
        }
    }

    /// Changes the elements as a vector.
    pub(super) fn edit<R>(&self, change: impl FnOnce(&mut Vec<Slot>) -> R) -> R {
        let mut body = self.0.body.borrow_mut();
        body.make_slots();
        match &mut *body {
            Body::Items(items) => change(items),
            _ => change(&mut Vec::new()),
        }
    }

    /// The elements of an array; no others can be in it unless `change` of [`Obj::edit`] puts them there.
    pub(super) fn items(&self) -> Vec<Js> {
        let mut body = self.0.body.borrow_mut();
        if let Body::JsonItems(items, _) = &*body {
            spend(SLOT * items.len());
            if let Some(scalars) = items.iter().map(Js::of_scalar).collect() {
                return scalars;
            }
            body.make_slots();
        }
        match &mut *body {
            Body::Items(items) => {
                spend(SLOT * items.len());
                items.iter_mut().map(Slot::read).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The members or elements as they can be copied into another object: JSON scalars as they are, so that whole numbers
    /// stay exact; the rest with its identity.
    pub(super) fn copies(&self) -> Vec<(Str, Slot)> {
        let keys = self.keys();
        let mut body = self.0.body.borrow_mut();
        body.make_slots();
        let Some(members) = body.members() else { return Vec::new() };
        keys.into_iter().filter_map(|key| members.get_mut(&key).map(Slot::copy).map(|slot| (key, slot))).collect()
    }

    /// The elements, as [`Obj::copies`].
    pub(super) fn item_copies(&self) -> Vec<Slot> {
        let mut body = self.0.body.borrow_mut();
        walk(ELEMENT * body.len());
        if let Body::JsonItems(items, _) = &*body {
            if !items.iter().any(|item| matches!(item, Value::Array(_) | Value::Object(_))) {
                return items.iter().cloned().map(Slot::Json).collect();
            }
            body.make_slots();
        }
        match &mut *body {
            Body::Items(items) => items.iter_mut().map(Slot::copy).collect(),
            _ => Vec::new(),
        }
    }

    /// All of it as the JSON it came from, if nothing nested was read, or what was read is as it was.
    #[inline]
    pub(super) fn untouched(&self) -> Option<Value> {
        let body = self.0.body.borrow();
        // A function that it holds would have made slots of it.
        let json = match &*body {
            Body::Json(members, _) => Value::Object(members.clone()),
            Body::JsonItems(items, _) => Value::Array(items.clone()),
            _ => return None,
        };
        if body.is_json() || self.is_still(&json, LEVELS) { Some(json) } else { None }
    }

    /// Whether it is this JSON, and so is all that was read of it. The order of keys that are positions depends on whether
    /// anything was read, and must not depend on whether the JSON is shared.
    fn is_still(&self, json: &Value, levels: u32) -> bool {
        let Some(below) = levels.checked_sub(1) else { return false };
        match (&*self.0.body.borrow(), json) {
            (Body::Json(members, read), Value::Object(json)) => {
                let is_still = |(at, part): &(usize, Obj)| {
                    members.get_index(*at).is_some_and(|(_, value)| part.is_still(value, below))
                };
                Arc::ptr_eq(members, json)
                    && (read.is_empty() || !members.keys().any(|key| array_index(key).is_some()))
                    && read.iter().all(is_still)
            }
            (Body::JsonItems(items, read), Value::Array(json)) => {
                let is_still =
                    |(at, part): &(usize, Obj)| items.get(*at).is_some_and(|value| part.is_still(value, below));
                Arc::ptr_eq(items, json) && read.iter().all(is_still)
            }
            _ => false,
        }
    }

    /// A member as it is held.
    pub(super) fn peek(&self, key: &str) -> Option<Slot> {
        let mut body = self.0.body.borrow_mut();
        match &mut *body {
            Body::Json(members, read) => {
                let position = members.position(key)?;
                let (_, value) = members.get_index(position)?;
                Some(held(read, position).unwrap_or_else(|| Slot::Json(value.clone())))
            }
            other => other.members()?.get_mut(key).cloned(),
        }
    }

    /// An element as it is held.
    pub(super) fn peek_item(&self, position: usize) -> Option<Slot> {
        match &*self.0.body.borrow() {
            Body::JsonItems(items, read) => {
                let value = items.get(position)?;
                Some(held(read, position).unwrap_or_else(|| Slot::Json(value.clone())))
            }
            Body::Items(items) => items.get(position).cloned(),
            _ => None,
        }
    }

    /// It may become part of a cycle.
    pub(super) fn note(&self, slot: &Slot) {
        if matches!(slot, Slot::Js(Js::Object(_))) && !self.0.held.replace(true) {
            hold_object(&self.0);
        }
    }
}

/// The object that a nested part of JSON is, whenever it is read. None where the JSON is not shared, so that slots of it cost no
/// copy and can be edited in place; nor where there are too many parts.
fn part<T>(json: &Arc<T>, read: &mut Parts, position: usize, value: &Value) -> Option<Js> {
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

/// A part that was read.
fn held(read: &Parts, position: usize) -> Option<Slot> {
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

    /// The same value for another place.
    pub(super) fn copy(&mut self) -> Slot {
        if self.is_nested() {
            return Slot::Js(self.read());
        }
        self.clone()
    }
}

impl Body {
    /// Members and elements that can be anything. What is below stays as it is.
    fn make_slots(&mut self) {
        match self {
            Body::Json(members, read) => {
                walk(ELEMENT * members.len());
                let read = mem::take(read);
                let mut members = Members::of_json(Arc::unwrap_or_clone(mem::take(members)));
                for (position, part) in read {
                    members.replace(position, Slot::Js(Js::Object(part)));
                }
                *self = Body::Members(members);
            }
            Body::JsonItems(items, read) => {
                walk(ELEMENT * items.len());
                let read = mem::take(read);
                let items = Arc::unwrap_or_clone(mem::take(items));
                let mut items: Vec<Slot> = items.into_iter().map(Slot::Json).collect();
                for (position, part) in read {
                    items[position] = Slot::Js(Js::Object(part));
                }
                *self = Body::Items(items);
            }
            _ => {}
        }
    }

    /// Before it is changed, what was read gets a place in it.
    fn make_editable(&mut self) {
        if !self.is_json() {
            self.make_slots();
        }
    }

    /// Whether it is JSON alone, of which nothing nested was read.
    fn is_json(&self) -> bool {
        matches!(self, Body::Json(_, read) | Body::JsonItems(_, read) if read.is_empty())
    }

    /// How many members or elements there are.
    fn len(&self) -> usize {
        match self {
            Body::Json(members, _) => members.len(),
            Body::Members(members) => members.len(),
            Body::JsonItems(items, _) => items.len(),
            Body::Items(items) => items.len(),
            Body::Special(special) => special.1.len(),
        }
    }

    fn members(&mut self) -> Option<&mut Members> {
        match self {
            Body::Members(members) => Some(members),
            Body::Special(special) => Some(&mut special.1),
            _ => None,
        }
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        let body = self.body.get_mut();
        // JSON sees to its own depth.
        if !body.is_json() {
            release::drop_body(mem::replace(body, Body::Items(Vec::new())));
        }
    }
}
