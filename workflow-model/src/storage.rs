//! The storage of texts and lists.

use std::fmt::{Debug, Display};
use std::ops::Deref;

/// A storage of the texts and lists of a type: [`Static`] or [`Owned`].
///
/// A type without a parameter, such as `Http`, has the storage [`Static`].
///
/// ```
/// use workflow_model::operation::Http;
/// use workflow_model::{Owned, Storage};
///
/// /// A request of generated code.
/// static ORDERS: Http = Http::new("GET", "https://api.example.com/orders/").goes_on();
///
/// /// Returns the method and the start of the address.
/// fn line<S: Storage>(request: &Http<S>) -> String {
///     format!("{} {}", &*request.method, &*request.start)
/// }
///
/// let (method, start) = ("GET".to_owned(), "https://api.example.com/".to_owned());
/// let built: Http<Owned> = Http { method, start, goes_on: false, secrets: Vec::new() };
/// assert_eq!(line(&built), "GET https://api.example.com/");
/// assert_eq!(line(&ORDERS), "GET https://api.example.com/orders/");
/// ```
pub trait Storage: Debug + Copy + Eq + 'static {
    /// A text.
    type Text: Debug + Display + Clone + Eq + Deref<Target = str> + 'static;

    /// A list.
    type List<T: Debug + Clone + Eq + 'static>: Debug + Clone + Eq + Deref<Target = [T]> + 'static;
}

/// The storage of generated code. It allocates nothing, and drops nothing: only values without a
/// destructor can be arguments of functions that initialize a static.
///
/// See the example of [`Storage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Static {}

/// The storage of the compiler, which builds values at run time.
///
/// See the example of [`Storage`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Owned {}

impl Storage for Static {
    type Text = &'static str;
    type List<T: Debug + Clone + Eq + 'static> = &'static [T];
}

impl Storage for Owned {
    type Text = String;
    type List<T: Debug + Clone + Eq + 'static> = Vec<T>;
}
